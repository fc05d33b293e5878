//! The workloads of a plan: sources of jobs, checked, with traces surveyed.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::super::drawn::Drawn;
use super::super::parts::AnySource;
use kernel::rng::Streams;
use model::ids::OrganizationId;
use workload::SourceError;
use workload::dealt::{Dealt, DrawnOwners};
use workload::draw::Alias;
use workload::jobs::{About, ListSource, Tags};
use workload::ledger::Ledger;
use workload::owners::Assignment;
use workload::swf::{Routes, Survey, SwfSource};

/// A source of jobs.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Its name, unique in the plan: that of the organization that submits the jobs, or `grid`, or
    /// `jobs` (followed by `-workload` if an organization has that name).
    pub name: String,
    /// Its kind.
    pub kind: WorkloadKind,
}

/// The kind of a workload.
#[derive(Clone, Debug)]
pub enum WorkloadKind {
    /// A trace.
    Swf {
        /// The survey of the trace.
        survey: Arc<Survey>,
        /// The assignment of jobs to organizations.
        assignment: Assignment,
        /// The first organization of the assignment; the others follow it.
        base: OrganizationId,
        /// The clusters of the trace's partitions, if jobs are bound to them.
        routes: Routes,
        /// The distribution of owners among all organizations, and its sampling table, if owners are
        /// drawn.
        dealt: Option<(DrawnOwners, Alias)>,
    },
    /// Explicit jobs.
    List(ListSource),
    /// Drawn jobs of one organization.
    Drawn(Drawn, OrganizationId),
    /// Drawn jobs, each with a random owner.
    Shared {
        /// The model the jobs are drawn from.
        source: Drawn,
        /// The distribution of owners.
        owners: DrawnOwners,
        /// Sampling table of the owners; number n is organization n.
        table: Alias,
    },
}

/// Name of the random streams of a shared workload.
const SHARED: &str = "workload/shared";

impl WorkloadKind {
    /// Returns its name in a scenario: `swf`, `jobs`, `synthetic`; for a shared one, that of its
    /// model.
    pub fn name(&self) -> &'static str {
        match self {
            WorkloadKind::Swf { .. } => "swf",
            WorkloadKind::List(_) => "jobs",
            WorkloadKind::Drawn(drawn, _) | WorkloadKind::Shared { source: drawn, .. } => {
                drawn.name()
            }
        }
    }

    /// Returns true if it is a list with jobs that name the clusters which they may use.
    pub fn names_clusters(&self) -> bool {
        matches!(self, WorkloadKind::List(list) if list.is_bound())
    }

    /// Returns the facts of its list, if it is one.
    pub fn about(&self) -> Option<&About> {
        match self {
            WorkloadKind::List(list) => Some(list.about()),
            WorkloadKind::Swf { .. } | WorkloadKind::Drawn(..) | WorkloadKind::Shared { .. } => {
                None
            }
        }
    }

    /// Returns the moment that time 0 stands for, in seconds since 1970, if its file tells and times are
    /// those of the file.
    pub fn start(&self) -> Option<i64> {
        match self {
            WorkloadKind::Swf { survey, .. } => survey.start(),
            kind => kind.about()?.start,
        }
    }

    /// Returns the accounts, partitions and labels of its jobs, if there are any.
    pub fn tags(&self) -> Option<&Arc<Tags>> {
        self.about().map(|about| &about.tags).filter(|tags| !tags.is_empty())
    }

    /// Returns the file that import rules were applied to, and their effects.
    pub fn imported(&self) -> Option<(&Path, &Ledger)> {
        match self {
            WorkloadKind::Swf { survey, .. } => Some((&survey.file, &survey.ledger)),
            kind => kind.about().and_then(|about| Some((&*about.file, about.ledger.as_ref()?))),
        }
    }

    /// Returns the survey of its trace, if it is one.
    pub fn survey(&self) -> Option<&Survey> {
        match self {
            WorkloadKind::Swf { survey, .. } => Some(survey),
            WorkloadKind::List(_) | WorkloadKind::Drawn(..) | WorkloadKind::Shared { .. } => None,
        }
    }

    /// Returns the model its jobs are drawn from, if any.
    pub fn drawn(&self) -> Option<&Drawn> {
        match self {
            WorkloadKind::Drawn(drawn, _) | WorkloadKind::Shared { source: drawn, .. } => {
                Some(drawn)
            }
            WorkloadKind::Swf { .. } | WorkloadKind::List(_) => None,
        }
    }

    /// Returns the distribution of owners, if they are drawn.
    pub fn drawn_owners(&self) -> Option<DrawnOwners> {
        match self {
            WorkloadKind::Swf { dealt, .. } => dealt.as_ref().map(|dealt| dealt.0),
            WorkloadKind::Shared { owners, .. } => Some(*owners),
            WorkloadKind::List(_) | WorkloadKind::Drawn(..) => None,
        }
    }

    /// Returns the range of organizations that may own its jobs, out of `organizations` in all.
    pub fn owners(&self, organizations: usize) -> Range<usize> {
        match self {
            WorkloadKind::Swf { dealt: Some(_), .. } => 0..organizations,
            WorkloadKind::Swf { assignment, base, .. } => {
                base.index()..base.index() + assignment.names().len()
            }
            WorkloadKind::List(_) | WorkloadKind::Shared { .. } => 0..organizations,
            WorkloadKind::Drawn(_, owner) => owner.index()..owner.index() + 1,
        }
    }

    /// Returns the number of jobs it will bring, if it is known.
    pub fn jobs(&self) -> Option<u64> {
        match self {
            WorkloadKind::Swf { survey, .. } => Some(survey.jobs),
            WorkloadKind::List(list) => Some(list.jobs().len() as u64),
            WorkloadKind::Drawn(drawn, _) | WorkloadKind::Shared { source: drawn, .. } => {
                drawn.jobs()
            }
        }
    }

    /// Returns true if its jobs never end.
    pub fn is_endless(&self) -> bool {
        self.drawn().is_some_and(Drawn::is_endless)
    }

    /// Returns true if some of its jobs are bound to clusters.
    pub(super) fn is_routed(&self) -> bool {
        match self {
            WorkloadKind::Swf { routes, .. } => !routes.is_empty(),
            WorkloadKind::List(list) => {
                list.jobs().iter().any(|job| job.recorded.cluster().is_some())
            }
            WorkloadKind::Drawn(..) | WorkloadKind::Shared { .. } => false,
        }
    }

    /// Returns the digest of the canonical workload, if it is given rather than drawn.
    pub fn digest(&self) -> Option<String> {
        match self {
            WorkloadKind::Swf { survey, .. } => Some(survey.digest.clone()),
            WorkloadKind::List(list) => Some(list.digest()),
            WorkloadKind::Drawn(..) | WorkloadKind::Shared { .. } => None,
        }
    }

    /// Opens the source. `name` selects its random streams; `number` is the workload's number in
    /// the plan.
    pub(super) fn source(
        &self,
        name: &str,
        number: u32,
        streams: &Streams,
    ) -> Result<AnySource, SourceError> {
        Ok(match self {
            WorkloadKind::Swf { survey, assignment, base, routes, dealt } => {
                let source = SwfSource::new(survey, assignment.clone(), number, *base);
                let source = AnySource::Swf(source.routed(routes.clone()));
                match dealt {
                    None => source,
                    Some((_, table)) => {
                        let dealt = Dealt::new(source, table.clone(), SHARED, streams);
                        AnySource::Shared(Box::new(dealt))
                    }
                }
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
    /// Returns the number of jobs it will bring, if it is known.
    pub fn jobs(&self) -> Option<u64> {
        self.kind.jobs()
    }

    /// Returns the digest of the canonical workload, if it is given rather than drawn.
    pub fn digest(&self) -> Option<String> {
        self.kind.digest()
    }
}
