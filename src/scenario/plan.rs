//! A scenario that makes sense: everything by number, defaults filled in, traces surveyed. From it
//! a grid is built, as often as there are replications.

use std::sync::Arc;

use serde::Serialize;

use super::parts::{AnyCluster, AnySource};
use super::raw;
use crate::kernel::rng::Streams;
use crate::kernel::time::{Span, Time};
use crate::model::ids::{ClusterId, OrganizationId};
use crate::policy::local::{LocalOptions, Setup};
use crate::sim::accounts::{Counting, Owned};
use crate::sim::cluster::{SpaceShared, TimeShared};
use crate::sim::grid::{Grid, Settings};
use crate::sim::observer::Observer;
use crate::workload::SourceError;
use crate::workload::jobs::ListSource;
use crate::workload::owners::Assignment;
use crate::workload::swf::{Survey, SwfSource};
use crate::workload::synthetic::{Synthetic, SyntheticOptions};

/// When a replication ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// When all jobs have ended.
    Drained,
    /// At a time, whatever still waits or runs.
    Time(Time),
    /// When this many jobs have come and ended.
    Jobs(u64),
}

/// An organization.
#[derive(Clone, Debug)]
pub struct Organization {
    /// Its name.
    pub name: String,
    /// The clusters that its jobs may use.
    pub uses: Vec<ClusterId>,
}

/// A cluster.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub owner: OrganizationId,
    /// What it is.
    pub kind: ClusterKind,
}

/// What a cluster is.
#[derive(Clone, Debug)]
pub enum ClusterKind {
    /// Space-shared.
    SpaceShared {
        /// Its processors.
        processors: u32,
        /// Its scheduler.
        scheduler: LocalOptions,
        /// Whether jobs are killed at their estimate.
        kill_at_estimate: bool,
    },
    /// Time-shared.
    TimeShared,
}

impl Cluster {
    /// Its processors.
    pub fn processors(&self) -> u32 {
        match self.kind {
            ClusterKind::SpaceShared { processors, .. } => processors,
            ClusterKind::TimeShared => 1,
        }
    }
}

/// Where jobs come from.
#[derive(Clone, Debug)]
pub struct Workload {
    /// What it is called: the organization that brings it, or `grid`, or `jobs` (with `-workload`
    /// behind it where an organization is called so). No two have the same name.
    pub name: String,
    /// What it is.
    pub kind: WorkloadKind,
}

/// What a source of jobs is.
#[derive(Clone, Debug)]
pub enum WorkloadKind {
    /// A trace.
    Swf {
        /// What was found in it.
        survey: Arc<Survey>,
        /// Whose the jobs are.
        assignment: Assignment,
        /// The organization that the assignment counts from.
        base: OrganizationId,
    },
    /// Explicit jobs.
    List(ListSource),
    /// Drawn jobs.
    Synthetic(SyntheticOptions, OrganizationId),
}

impl Workload {
    /// Jobs that it will bring, where that is known.
    pub fn jobs(&self) -> Option<u64> {
        match &self.kind {
            WorkloadKind::Swf { survey, .. } => Some(survey.jobs),
            WorkloadKind::List(list) => Some(list.jobs().len() as u64),
            WorkloadKind::Synthetic(options, _) => options.jobs,
        }
    }

    /// The digest of the canonical workload, where the workload is given and not drawn.
    pub fn digest(&self) -> Option<String> {
        match &self.kind {
            WorkloadKind::Swf { survey, .. } => Some(survey.digest.clone()),
            WorkloadKind::List(list) => Some(list.digest()),
            WorkloadKind::Synthetic(..) => None,
        }
    }

    /// Opens the source; `index` is the number of the workload in the plan.
    pub(super) fn source(&self, index: usize, streams: &Streams) -> Result<AnySource, SourceError> {
        let number = index as u32;
        Ok(match &self.kind {
            WorkloadKind::Swf { survey, assignment, base } => {
                AnySource::Swf(SwfSource::new(survey, assignment.clone(), number, *base))
            }
            WorkloadKind::List(list) => AnySource::List(list.clone()),
            WorkloadKind::Synthetic(options, organization) => {
                let name = format!("organization/{}", self.name);
                Synthetic::new(*options, &name, number, *organization, streams)
                    .map(|source| AnySource::Synthetic(Box::new(source)))
                    .map_err(|invalid| SourceError(invalid.to_string()))?
            }
        })
    }
}

/// What is counted can depend on what happens: each replication is then run twice, first to find
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// MSER-5 finds the end of the warm-up.
    pub warm_up: bool,
    /// The last submission is found, and what comes later than so long before it does not count.
    pub cool_down: Option<Span>,
}

impl Found {
    /// True where a first run is needed.
    pub fn anything(&self) -> bool {
        self.warm_up || self.cool_down.is_some()
    }
}

/// The whole plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What the scenario is called.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// When a replication ends.
    pub until: Until,
    /// How many replications there are.
    pub replications: u32,
    /// What holds for the grid.
    pub settings: Settings,
    /// What is counted, as far as it is known before the run.
    pub counting: Counting,
    /// What of that a first run of each replication finds.
    pub found: Found,
    /// What is written.
    pub output: raw::Output,
    /// Who takes part.
    pub organizations: Vec<Organization>,
    /// On what.
    pub clusters: Vec<Cluster>,
    /// Running what.
    pub workloads: Vec<Workload>,
    /// BLAKE3 over the scenario with all defaults filled in but for the seed, and over what the
    /// files that it names contain.
    pub digest: String,
}

/// A grid as a plan builds it.
pub type PlannedGrid<O> = Grid<AnyCluster, AnySource, O>;

impl Plan {
    /// The clusters as the accounts see them.
    pub fn owned(&self) -> Vec<Owned> {
        self.clusters
            .iter()
            .map(|cluster| Owned { owner: cluster.owner, processors: cluster.processors() })
            .collect()
    }

    /// The number of jobs that a replication will bring, where that is known.
    pub fn jobs(&self) -> Option<u64> {
        let all: Option<u64> = self.workloads.iter().map(Workload::jobs).sum();
        match self.until {
            Until::Jobs(most) => Some(all.map_or(most, |all| all.min(most))),
            Until::Drained | Until::Time(_) => all,
        }
    }

    /// Builds the grid of one replication.
    ///
    /// # Errors
    /// When a source cannot be opened.
    pub fn build<O: Observer>(
        &self,
        replication: u32,
        observer: O,
    ) -> Result<PlannedGrid<O>, SourceError> {
        let streams = Streams::new(self.seed).in_replication(u64::from(replication));
        let mut grid = Grid::new(self.settings, observer);
        for cluster in &self.clusters {
            grid.add_cluster(match &cluster.kind {
                ClusterKind::SpaceShared { processors, scheduler, kill_at_estimate } => {
                    let (name, processors) = (&*cluster.name, *processors);
                    let scheduler = scheduler.build(&Setup { name, processors, streams: &streams });
                    let cluster = SpaceShared::new(processors, scheduler);
                    AnyCluster::SpaceShared(cluster.kill_at_estimate(*kill_at_estimate))
                }
                ClusterKind::TimeShared => AnyCluster::TimeShared(TimeShared::new()),
            });
        }
        for organization in &self.organizations {
            grid.add_organization(organization.uses.clone());
        }
        for (index, workload) in self.workloads.iter().enumerate() {
            grid.add_source(workload.source(index, &streams)?)?;
        }
        Ok(grid)
    }

    /// The counting window as far as it is known before the run: from, until (`None`: to the end).
    pub fn window(&self) -> (Time, Option<Time>) {
        let until = self.counting.until;
        (self.counting.from, (until != Time::NEVER).then_some(until))
    }

    /// The bound of bounded slowdown.
    pub fn tau(&self) -> Span {
        self.counting.tau
    }
}
