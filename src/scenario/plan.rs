//! A scenario that makes sense: everything by number, defaults filled in, traces surveyed. From it
//! a grid is built, as often as there are replications.

mod coalition;
mod game;
pub mod precision;

use std::ops::Range;
use std::sync::Arc;

pub use coalition::{Coalition, Rounds, Seat};
pub use game::{DynamicsPlan, Flow, GamePlan, GameSeat, MOST_LINES, Motion};
pub use precision::Precision;
use serde::{Deserialize, Serialize};

use super::drawn::Drawn;
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
use crate::workload::dealt::{Dealt, DrawnOwners};
use crate::workload::draw::Alias;
use crate::workload::jobs::ListSource;
use crate::workload::owners::Assignment;
use crate::workload::swf::{Survey, SwfSource};

/// When a replication ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// When all jobs have ended.
    Drained,
    /// At a time, whatever still waits or runs.
    Time(Time),
    /// When this many jobs have come and ended.
    Jobs(u64),
    /// After this many rounds of a coalition.
    Rounds(u64),
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
    TimeShared {
        /// The processors that share the work of a job; 1 but in a coalition.
        processors: u32,
    },
}

impl Cluster {
    /// Its processors.
    pub fn processors(&self) -> u32 {
        match self.kind {
            ClusterKind::SpaceShared { processors, .. }
            | ClusterKind::TimeShared { processors } => processors,
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
    /// Drawn jobs of one organization.
    Drawn(Drawn, OrganizationId),
    /// Drawn jobs, each with an owner that is drawn.
    Shared {
        /// What the jobs are drawn from.
        source: Drawn,
        /// How owners are drawn.
        owners: DrawnOwners,
        /// What they are drawn from; number n is organization n.
        table: Alias,
    },
}

/// What the random streams of a shared workload are called by.
const SHARED: &str = "workload/shared";

impl WorkloadKind {
    /// What it is called in a scenario: `swf`, `jobs`, `synthetic`; of a shared one, what its jobs
    /// come from.
    pub fn name(&self) -> &'static str {
        match self {
            WorkloadKind::Swf { .. } => "swf",
            WorkloadKind::List(_) => "jobs",
            WorkloadKind::Drawn(drawn, _) | WorkloadKind::Shared { source: drawn, .. } => {
                drawn.name()
            }
        }
    }

    /// What its jobs are drawn from, if they are.
    pub fn drawn(&self) -> Option<&Drawn> {
        match self {
            WorkloadKind::Drawn(drawn, _) | WorkloadKind::Shared { source: drawn, .. } => {
                Some(drawn)
            }
            WorkloadKind::Swf { .. } | WorkloadKind::List(_) => None,
        }
    }

    /// The numbers of the organizations whose its jobs can be, of so many that there are.
    pub fn owners(&self, organizations: usize) -> Range<usize> {
        match self {
            WorkloadKind::Swf { assignment, base, .. } => {
                base.index()..base.index() + assignment.names().len()
            }
            WorkloadKind::List(_) | WorkloadKind::Shared { .. } => 0..organizations,
            WorkloadKind::Drawn(_, owner) => owner.index()..owner.index() + 1,
        }
    }

    /// Jobs that it will bring, where that is known.
    pub fn jobs(&self) -> Option<u64> {
        match self {
            WorkloadKind::Swf { survey, .. } => Some(survey.jobs),
            WorkloadKind::List(list) => Some(list.jobs().len() as u64),
            WorkloadKind::Drawn(drawn, _) | WorkloadKind::Shared { source: drawn, .. } => {
                drawn.jobs()
            }
        }
    }

    /// True of one that brings jobs for ever.
    pub fn is_endless(&self) -> bool {
        self.drawn().is_some_and(Drawn::is_endless)
    }

    /// The digest of the canonical workload, where the workload is given and not drawn.
    pub fn digest(&self) -> Option<String> {
        match self {
            WorkloadKind::Swf { survey, .. } => Some(survey.digest.clone()),
            WorkloadKind::List(list) => Some(list.digest()),
            WorkloadKind::Drawn(..) | WorkloadKind::Shared { .. } => None,
        }
    }

    /// Opens the source. `name` says which random streams it draws from, `number` is that of the
    /// workload in the plan.
    fn source(&self, name: &str, number: u32, streams: &Streams) -> Result<AnySource, SourceError> {
        Ok(match self {
            WorkloadKind::Swf { survey, assignment, base } => {
                AnySource::Swf(SwfSource::new(survey, assignment.clone(), number, *base))
            }
            WorkloadKind::List(list) => AnySource::List(list.clone()),
            WorkloadKind::Drawn(drawn, organization) => {
                drawn.source(name, number, *organization, streams)
            }
            WorkloadKind::Shared { source, table, .. } => {
                let nobody = OrganizationId(0);
                let source = source.source(SHARED, number, nobody, streams);
                AnySource::Shared(Box::new(Dealt::new(source, table.clone(), SHARED, streams)))
            }
        })
    }
}

impl Workload {
    /// Jobs that it will bring, where that is known.
    pub fn jobs(&self) -> Option<u64> {
        self.kind.jobs()
    }

    /// The digest of the canonical workload, where the workload is given and not drawn.
    pub fn digest(&self) -> Option<String> {
        self.kind.digest()
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
    /// How many replications there are; for precision, how many there may be.
    pub replications: u32,
    /// Until what is known how well, where that ends the run: replications of `until` are added, or
    /// the one replication is stopped.
    pub precision: Option<Precision>,
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
    /// How the organizations balance their load, where they may: the plan is then played in rounds
    /// by a pool, and else by a grid.
    pub coalition: Option<Coalition>,
    /// BLAKE3 over the scenario with all defaults filled in but for the seed, and over what the
    /// files that it names contain.
    pub digest: String,
    /// The same, but for how long and how often it is run: what a saved state belongs to.
    pub lineage: String,
}

/// A grid as a plan builds it.
pub type PlannedGrid<O> = Grid<AnyCluster, AnySource, O>;

impl Plan {
    /// Whether `jobs.csv` is written.
    pub fn writes_jobs(&self) -> bool {
        self.output.jobs.unwrap_or(self.coalition.is_none())
    }

    /// How long each window of `windows.hlog` is, where it is written.
    pub fn windows(&self) -> Option<Span> {
        self.output.windows.and_then(|units| Span::from_units(units).ok())
    }

    /// Whether `decisions.csv` is written.
    pub fn writes_decisions(&self) -> bool {
        self.output.decisions && self.coalition.is_none()
    }

    /// The clusters as the accounts see them.
    pub fn owned(&self) -> Vec<Owned> {
        self.clusters
            .iter()
            .map(|cluster| Owned { owner: cluster.owner, processors: cluster.processors() })
            .collect()
    }

    /// The number of jobs that a replication will bring, where that is known: of rounds, whose
    /// jobs come as long as they last, it is not.
    pub fn jobs(&self) -> Option<u64> {
        let all: Option<u64> = self.workloads.iter().map(Workload::jobs).sum();
        match self.until {
            Until::Jobs(most) => Some(all.map_or(most, |all| all.min(most))),
            Until::Drained | Until::Time(_) => all,
            Until::Rounds(_) => None,
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
                ClusterKind::TimeShared { .. } => AnyCluster::TimeShared(TimeShared::new()),
            });
        }
        for organization in &self.organizations {
            grid.add_organization(organization.uses.clone());
        }
        for source in self.sources(replication)? {
            grid.add_source(source)?;
        }
        Ok(grid)
    }

    /// The sources of the jobs of one replication, each at its beginning.
    ///
    /// # Errors
    /// When one cannot be opened.
    pub fn sources(&self, replication: u32) -> Result<Vec<AnySource>, SourceError> {
        let streams = Streams::new(self.seed).in_replication(u64::from(replication));
        let sources = self.workloads.iter().enumerate().map(|(index, workload)| {
            let name = format!("organization/{}", workload.name);
            workload.kind.source(&name, index as u32, &streams)
        });
        sources.collect()
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
