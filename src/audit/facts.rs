//! What a run says about itself, as an auditor reads it.

use crate::kernel::time::{Span, Time};
use crate::model::interval_set::IntervalSet;

/// The facts of a run: everything the rules speak of, and nothing of how it was decided.
///
/// All jobs that were submitted belong here, also those that were rejected, wait or run at the end:
/// a rule about who may overtake whom cannot be checked on a part of the queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The organizations' names; jobs and clusters refer to them by place.
    pub organizations: Vec<String>,
    /// The clusters; jobs refer to them by place.
    pub clusters: Vec<ClusterFacts>,
    /// The jobs, in any order.
    pub jobs: Vec<JobFacts>,
    /// What holds for all of the run.
    pub settings: Settings,
}

/// What holds for all of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// When schedulers decide.
    pub phase_order: PhaseOrder,
    /// What schedulers expect of a job's length.
    pub clairvoyance: Clairvoyance,
    /// `None`: the run went on until no job was left. Else it was stopped before the events of this
    /// instant, and nothing from then on is looked at.
    pub stopped: Option<Time>,
}

/// When schedulers decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhaseOrder {
    /// Once an instant, after everything due has happened.
    #[default]
    Instant,
    /// After every single event; at one instant the submissions come before the completions, and
    /// the completions in the order in which the jobs started.
    PerEvent,
}

/// What schedulers expect of a job's length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clairvoyance {
    /// How long it will run.
    Runtime,
    /// How long its user said it would run.
    #[default]
    Estimate,
    /// A prediction, at most the estimate.
    Predicted,
    /// Nothing.
    None,
}

/// A cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterFacts {
    /// Its name.
    pub name: String,
    /// Whose it is, if anybody's: a place in [`Facts::organizations`].
    pub owner: Option<usize>,
    /// How many processors it has.
    pub processors: u32,
    /// How its processors are shared.
    pub kind: Kind,
    /// Whether a job is ended when it has run for its estimate.
    pub kill_at_estimate: bool,
}

/// How a cluster is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each job holds its own processors; who starts when is up to the discipline.
    SpaceShared(Discipline),
    /// One job at a time has the whole cluster, in the order of submission.
    TimeShared,
}

/// Who starts when on a space-shared cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// Strictly first come, first served.
    Fcfs,
    /// EASY backfilling: nobody delays the first in the queue.
    Easy,
    /// Conservative backfilling: nobody delays anybody's reservation.
    Conservative,
    /// Garey-Graham list scheduling: waiting jobs are scanned in an order, each starts if it fits.
    List(Order),
    /// One that has no checker here.
    Unknown(String),
}

/// The order in which a list scheduler scans the waiting jobs; ties by the order of submission.
/// Lengths are expected ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they were submitted.
    Submit,
    /// The shortest first.
    ShortestEstimate,
    /// The longest first.
    LongestEstimate,
    /// The fewest processors first.
    Smallest,
    /// The most processors first.
    Largest,
    /// The smallest product of processors and length first.
    SmallestArea,
    /// The largest product of processors and length first.
    LargestArea,
    /// Drawn anew each time: only that nobody who fits waits can be checked.
    Random,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobFacts {
    /// Its number in its source (or organization, where sources are not told).
    pub number: u64,
    /// The source it comes from, where known; where it is not told, the organization stands for it.
    /// `(source, number, arrival)` identifies a job of a replication: traces may repeat a number.
    pub source: Option<u32>,
    /// The replication.
    pub replication: u32,
    /// Whose it is: a place in [`Facts::organizations`].
    pub organization: usize,
    /// Where it was to run: a place in [`Facts::clusters`]; `None` where it was rejected.
    pub cluster: Option<usize>,
    /// When it joined its cluster's queue.
    pub submit: Time,
    /// Its place among the jobs submitted at one instant, where recorded. The order of submission
    /// is that of `(submit, arrival, source, number, organization)`.
    pub arrival: Option<u64>,
    /// When it started, if it did.
    pub start: Option<Time>,
    /// When it ended, if it did.
    pub finish: Option<Time>,
    /// Its rank among the jobs started on its cluster, where recorded.
    pub start_order: Option<u64>,
    /// How long it runs on its cluster when nobody kills it.
    pub runtime: Span,
    /// How long its user said it would run.
    pub requested: Span,
    /// How long its scheduler expected it to run, where recorded; else the clairvoyance says it.
    pub expected: Option<Span>,
    /// How many processors it holds for as long as it runs.
    pub processors: u32,
    /// Which ones, where its cluster names them.
    pub allocated: Option<IntervalSet>,
    /// The user's number in the source.
    pub user: u32,
    /// True where it ran to its own end: neither rejected nor killed.
    pub success: bool,
}

impl Facts {
    /// The number of a job (or 0 for a cluster) that refers to an organization or a cluster by a
    /// place that does not exist.
    pub fn dangling(&self) -> Option<u64> {
        let organizations = self.organizations.len();
        let owners = self.clusters.iter().filter_map(|cluster| cluster.owner);
        if owners.into_iter().any(|owner| owner >= organizations) {
            return Some(0);
        }
        let dangles = |job: &&JobFacts| {
            job.organization >= organizations
                || job.cluster.is_some_and(|cluster| cluster >= self.clusters.len())
        };
        self.jobs.iter().find(dangles).map(|job| job.number)
    }
}

impl ClusterFacts {
    /// A cluster of nobody's that kills no job.
    pub fn new(name: impl Into<String>, processors: u32, kind: Kind) -> ClusterFacts {
        ClusterFacts { name: name.into(), owner: None, processors, kind, kill_at_estimate: false }
    }
}

impl JobFacts {
    /// A rejected job of organization 0 in replication 0, whose user said how long it would run.
    pub fn new(number: u64, submit: Time, runtime: Span, processors: u32) -> JobFacts {
        JobFacts {
            number,
            source: None,
            replication: 0,
            organization: 0,
            cluster: None,
            submit,
            arrival: None,
            start: None,
            finish: None,
            start_order: None,
            runtime,
            requested: runtime,
            expected: None,
            processors,
            allocated: None,
            user: 0,
            success: false,
        }
    }

    /// The same job, handed to a cluster.
    #[must_use]
    pub fn on(mut self, cluster: usize) -> JobFacts {
        self.cluster = Some(cluster);
        self
    }

    /// The same job, having run to its own end.
    #[must_use]
    pub fn ran(mut self, start: Time, finish: Time) -> JobFacts {
        self.start = Some(start);
        self.finish = Some(finish);
        self.success = true;
        self
    }

    /// How long it holds its processors on `cluster`.
    pub(super) fn execution(&self, cluster: &ClusterFacts) -> Span {
        if cluster.kill_at_estimate { self.runtime.min(self.requested) } else { self.runtime }
    }

    /// How long its scheduler expected it to run, where that can be known.
    pub(super) fn expectation(&self, clairvoyance: Clairvoyance) -> Option<Span> {
        self.expected.or(match clairvoyance {
            Clairvoyance::Runtime => Some(self.runtime),
            Clairvoyance::Estimate => Some(self.requested),
            Clairvoyance::Predicted | Clairvoyance::None => None,
        })
    }
}
