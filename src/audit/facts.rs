//! The facts of a run, as input of an audit.

use serde::{Deserialize, Serialize};

use super::grid::GridFacts;
use kernel::time::{Span, Time};
use model::interval_set::IntervalSet;

/// The facts of a run: everything that the rules refer to, but no decisions.
///
/// They must contain all submitted jobs, including those rejected, waiting or running at the end:
/// overtaking rules cannot be checked on part of a queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Names of the organizations; jobs and clusters refer to them by index.
    pub organizations: Vec<String>,
    /// The clusters; jobs refer to them by index.
    pub clusters: Vec<ClusterFacts>,
    /// The jobs, in any order.
    pub jobs: Vec<JobFacts>,
    /// Settings of the whole run.
    pub settings: Settings,
    /// The grid scheduler, if one starts jobs.
    pub grid: Option<GridFacts>,
}

/// Settings of a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Times at which schedulers decide.
    pub phase_order: PhaseOrder,
    /// The runtime that schedulers expect.
    pub clairvoyance: Clairvoyance,
    /// True if expiring predictions are corrected.
    pub corrects: bool,
    /// `None` if the run went on until no job was left. Otherwise the time at which it was stopped,
    /// before the events of that instant; later events are ignored.
    pub stopped: Option<Time>,
}

/// Times at which schedulers decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhaseOrder {
    /// Once for each instant, after everything due has happened.
    #[default]
    Instant,
    /// After every single event. At one instant submissions come before completions, and
    /// completions are in order of the jobs' starts.
    PerEvent,
    /// The same, but a job that finishes as expected frees its processors before the first event of
    /// that instant.
    PerEventFreeWhenDue,
}

/// The runtime that schedulers expect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clairvoyance {
    /// The true runtime.
    Runtime,
    /// The user's estimate.
    #[default]
    Estimate,
    /// A prediction, capped at the estimate.
    Predicted,
    /// Nothing.
    None,
}

/// A cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterFacts {
    /// Its name.
    pub name: String,
    /// Index of its owner in [`Facts::organizations`], if any.
    pub owner: Option<usize>,
    /// Number of processors.
    pub processors: u32,
    /// Sharing of its processors.
    pub kind: Kind,
    /// True if a job is killed once it has run for its estimate.
    pub kill_at_estimate: bool,
    /// Speed of its processors, in millionths.
    pub speed: u32,
    /// True if jobs of others start only while no job of the owner waits.
    pub guards: bool,
}

/// Unit speed.
pub const UNIT_SPEED: u32 = 1_000_000;

/// Sharing of a cluster's processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Each job holds its own processors; the discipline decides the starts.
    SpaceShared(Discipline),
    /// One job at a time has the whole cluster, in order of submission.
    TimeShared,
}

/// Queue discipline of a space-shared cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// Strict first come, first served.
    Fcfs,
    /// EASY backfilling: no job delays the first in the queue.
    Easy,
    /// The same, with backfill candidates tried by expected runtime, shortest first.
    EasyShortestFirst,
    /// Conservative backfilling: no job delays another one's reservation.
    Conservative,
    /// Garey-Graham list scheduling: waiting jobs are scanned in order, and each starts if it fits.
    List(Order),
    /// The same, or EASY, with the waiting jobs in the order of a formula, smallest first.
    Ranked {
        /// The formula.
        by: String,
        /// True for EASY.
        is_easy: bool,
    },
    /// A grid scheduler starts its jobs.
    Grid,
    /// A discipline without a checker.
    Unknown(String),
}

/// Order in which a list scheduler scans the waiting jobs; ties are in order of submission.
/// Runtimes are expected ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In order of submission.
    Submit,
    /// Shortest first.
    ShortestEstimate,
    /// Longest first.
    LongestEstimate,
    /// Fewest processors first.
    Smallest,
    /// Most processors first.
    Largest,
    /// Smallest product of processors and runtime first.
    SmallestArea,
    /// Largest product of processors and runtime first.
    LargestArea,
    /// Random order each time: the only check is that no fitting job waits.
    Random,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobFacts {
    /// Its number in its source (or in its organization if sources are unknown).
    pub number: u64,
    /// Its source, if known; otherwise the organization stands for it. `(source, number, arrival)`
    /// identifies a job of a replication: traces may repeat a number.
    pub source: Option<u32>,
    /// The replication.
    pub replication: u32,
    /// Index of the organization that owns it in [`Facts::organizations`].
    pub organization: usize,
    /// Index of its cluster in [`Facts::clusters`]; `None` if it was rejected or
    /// still waits in the grid.
    pub cluster: Option<usize>,
    /// True if it waited in the grid at the end of the run.
    pub waits_in_grid: bool,
    /// Its group, if a grid scheduler starts it.
    pub group: Option<usize>,
    /// Time at which it got its cluster, if recorded.
    pub sent: Option<Time>,
    /// Submission to its cluster's queue.
    pub submit: Time,
    /// Rank among the jobs submitted at one instant, if recorded. The order of submission is that
    /// of `(submit, arrival, source, number, organization)`.
    pub arrival: Option<u64>,
    /// Start time, if it started.
    pub start: Option<Time>,
    /// Finish time, if it finished.
    pub finish: Option<Time>,
    /// Rank among the jobs started on its cluster, if recorded.
    pub start_order: Option<u64>,
    /// Runtime on its cluster, if it is not killed.
    pub runtime: Span,
    /// The user's runtime estimate.
    pub requested: Span,
    /// Runtime expected by its cluster's scheduler, if recorded; otherwise it follows from the
    /// clairvoyance.
    pub expected: Option<Span>,
    /// Runtime at unit speed that a grid scheduler expects; `None` if it is that of the cluster.
    pub expected_in_grid: Option<Span>,
    /// Processors that it holds while it runs.
    pub processors: u32,
    /// Its allocated processors, if its cluster names them.
    pub allocated: Option<IntervalSet>,
    /// The user's number in the source.
    pub user: u32,
    /// True if it ran to completion, neither rejected nor killed.
    pub success: bool,
}

impl Facts {
    /// Number of a job with an organization or cluster index that does not exist (0 for a cluster).
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
    /// True if a job may start here only while no job of the owner waits.
    pub(super) fn admits_as_guest(&self, job: &JobFacts) -> bool {
        self.guards && self.owner != Some(job.organization)
    }

    /// A cluster without owner that kills no job.
    pub fn new(name: impl Into<String>, processors: u32, kind: Kind) -> ClusterFacts {
        let (owner, kill_at_estimate, speed) = (None, false, UNIT_SPEED);
        ClusterFacts {
            name: name.into(),
            owner,
            processors,
            kind,
            kill_at_estimate,
            speed,
            guards: false,
        }
    }

    /// Time that a job takes here, given its runtime at unit speed: the first tick at which its work is
    /// done.
    pub fn takes(&self, runtime: Span) -> Span {
        let (work, speed) =
            (u128::from(runtime.ticks().unsigned_abs()) * u128::from(UNIT_SPEED), self.speed);
        Span::from_ticks(work.div_ceil(u128::from(speed)).try_into().unwrap_or(i64::MAX))
    }
}

impl JobFacts {
    /// A rejected job of organization 0 in replication 0, with an exact estimate.
    pub fn new(number: u64, submit: Time, runtime: Span, processors: u32) -> JobFacts {
        JobFacts {
            number,
            source: None,
            replication: 0,
            organization: 0,
            cluster: None,
            waits_in_grid: false,
            group: None,
            sent: None,
            submit,
            arrival: None,
            start: None,
            finish: None,
            start_order: None,
            runtime,
            requested: runtime,
            expected: None,
            expected_in_grid: None,
            processors,
            allocated: None,
            user: 0,
            success: false,
        }
    }

    /// The same job with times that are for unit speed turned into those of its cluster.
    #[must_use]
    pub fn at_speed_of(self, clusters: &[ClusterFacts], clairvoyance: Clairvoyance) -> JobFacts {
        let cluster = self.cluster.map(|cluster| &clusters[cluster]);
        let Some(cluster) = cluster.filter(|cluster| cluster.speed != UNIT_SPEED) else {
            return self;
        };
        let takes = |runtime| cluster.takes(runtime);
        JobFacts {
            runtime: takes(self.runtime),
            requested: takes(self.requested),
            expected: self.expected.map(takes),
            expected_in_grid: self.expectation(clairvoyance),
            ..self
        }
    }

    /// True if no cluster that it may use is large enough for it.
    pub fn is_rejected(&self) -> bool {
        self.cluster.is_none() && !self.waits_in_grid
    }

    /// The same job, sent to a cluster.
    #[must_use]
    pub fn on(mut self, cluster: usize) -> JobFacts {
        self.cluster = Some(cluster);
        self
    }

    /// The same job, run to completion.
    #[must_use]
    pub fn ran(mut self, start: Time, finish: Time) -> JobFacts {
        self.start = Some(start);
        self.finish = Some(finish);
        self.success = true;
        self
    }

    /// Time for which it holds its processors on `cluster`.
    pub(super) fn execution(&self, cluster: &ClusterFacts) -> Span {
        if cluster.kill_at_estimate { self.runtime.min(self.requested) } else { self.runtime }
    }

    /// Runtime expected by its scheduler, if it can be known.
    pub(super) fn expectation(&self, clairvoyance: Clairvoyance) -> Option<Span> {
        self.expected.or(match clairvoyance {
            Clairvoyance::Runtime => Some(self.runtime),
            Clairvoyance::Estimate => Some(self.requested),
            Clairvoyance::Predicted | Clairvoyance::None => None,
        })
    }
}
