//! Observers of a grid: accounts, writers of records, custom reporters.

use kernel::state::State;
use kernel::time::{Span, Time};
use model::ids::{ClusterId, JobId};
use model::job::Job;
use model::jobs::Jobs;
use policy::local::Reason;
use policy::plan::{Plans, Problem};

/// A job that was submitted and waits.
#[derive(Clone, Copy, Debug)]
pub struct Submitted<'a> {
    /// Its slot while it is alive, reused after its end.
    pub id: JobId,
    /// The job.
    pub job: &'a Job,
    /// The cluster in whose queue it is; `None` if it waits in the grid, until it is sent to a
    /// cluster or started.
    pub cluster: Option<ClusterId>,
    /// Time of submission.
    pub now: Time,
}

/// A job that started.
#[derive(Clone, Copy, Debug)]
pub struct Started<'a> {
    /// Its slot while it is alive.
    pub id: JobId,
    /// The job.
    pub job: &'a Job,
    /// Its cluster.
    pub cluster: ClusterId,
    /// Start time.
    pub start: Time,
}

/// A job that was held in the grid and got its cluster.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// Its slot while it is alive.
    pub id: JobId,
    /// The job.
    pub job: &'a Job,
    /// Its cluster.
    pub cluster: ClusterId,
    /// Time at which it got the cluster.
    pub now: Time,
    /// Time at which it arrives there; later than `now` if it is under way.
    pub arrival: Time,
}

/// A job that finished.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// Its slot while it was alive.
    pub id: JobId,
    /// The job.
    pub job: &'a Job,
    /// Runtime as schedulers expected it.
    pub expected: Option<Span>,
    /// Cluster on which it ran.
    pub cluster: ClusterId,
    /// Start time.
    pub start: Time,
    /// Finish time.
    pub finish: Time,
    /// True if it was killed at its estimate.
    pub killed: bool,
}

/// A job still waiting or running at the end of the run.
#[derive(Clone, Copy, Debug)]
pub struct Unfinished<'a> {
    /// Its slot.
    pub id: JobId,
    /// The job.
    pub job: &'a Job,
    /// Runtime as schedulers expected it.
    pub expected: Option<Span>,
    /// Cluster on which it waits or runs, or to which it is under way; `None` if it waits in the
    /// grid.
    pub cluster: Option<ClusterId>,
    /// Start time, if it is running.
    pub start: Option<Time>,
    /// True if it is under way to its cluster.
    pub is_under_way: bool,
}

/// The choice of a cluster for a job.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a> {
    /// The job.
    pub job: &'a Job,
    /// The chosen cluster.
    pub cluster: ClusterId,
    /// The eligible clusters that are large enough, in order, each with its demand. The demand
    /// counts processors requested by running and waiting jobs before this submission.
    pub demands: &'a [(ClusterId, u64)],
    /// Time of the choice.
    pub now: Time,
}

/// A scheduler's decision on a cluster, with the reasons for which the others wait.
#[derive(Clone, Copy, Debug)]
pub struct Decided<'a> {
    /// The cluster.
    pub cluster: ClusterId,
    /// Time of the decision.
    pub now: Time,
    /// Idle processors after the decision, if known.
    pub free: Option<u32>,
    /// The started jobs, in order.
    pub started: &'a [JobId],
    /// The waiting jobs, in the scheduler's order, with their reasons.
    pub waiting: &'a [(JobId, Reason)],
    /// The table of jobs.
    pub jobs: &'a Jobs,
}

/// A plan that was made.
#[derive(Clone, Copy, Debug)]
pub struct PlanMade<'a> {
    /// Rank among the plans of the replication, from 1.
    pub number: u64,
    /// The problem.
    pub problem: &'a Problem,
    /// The candidates.
    pub plans: &'a Plans,
    /// The candidate that is played.
    pub played: usize,
    /// The table of jobs.
    pub jobs: &'a Jobs,
}

impl Finished<'_> {
    /// Flow time: submission to finish.
    #[inline]
    pub fn flow(&self) -> Span {
        self.finish - self.job.submit
    }

    /// Waiting time: submission to start.
    #[inline]
    pub fn wait(&self) -> Span {
        self.start - self.job.submit
    }

    /// Time it ran: start to finish.
    #[inline]
    pub fn ran(&self) -> Span {
        self.finish - self.start
    }
}

/// A trait of observers, of which every method does nothing by default. A pair of observers is an
/// observer, and so is a borrowed one and one that may be missing: each of them sees every event.
macro_rules! observers {
    ($(#[$about:meta])* $Observer:ident;
     $(#[$asked:meta])* asks $asks:ident;
     $($(#[$told:meta])* $event:ident($($part:ident: $Part:ty),+);)+) => {
        $(#[$about])*
        pub trait $Observer: State {
            $(#[$asked])*
            #[inline]
            fn $asks(&self) -> bool {
                false
            }
            $($(#[$told])*
            fn $event(&mut self, $($part: $Part),+) {
                $(let _ = $part;)+
            })+
        }

        impl $Observer for () {}

        impl<A: $Observer, B: $Observer> $Observer for (A, B) {
            #[inline]
            fn $asks(&self) -> bool {
                self.0.$asks() || self.1.$asks()
            }
            $(#[inline]
            fn $event(&mut self, $($part: $Part),+) {
                self.0.$event($($part),+);
                self.1.$event($($part),+);
            })+
        }

        impl<O: $Observer + ?Sized> $Observer for &mut O {
            #[inline]
            fn $asks(&self) -> bool {
                (**self).$asks()
            }
            $(#[inline]
            fn $event(&mut self, $($part: $Part),+) {
                (**self).$event($($part),+);
            })+
        }

        impl<O: $Observer> $Observer for Option<O> {
            #[inline]
            fn $asks(&self) -> bool {
                self.as_ref().is_some_and(O::$asks)
            }
            $(#[inline]
            fn $event(&mut self, $($part: $Part),+) {
                if let Some(observer) = self {
                    observer.$event($($part),+);
                }
            })+
        }
    };
}
pub(crate) use observers;

observers! {
    /// Observes the jobs of a grid; every method does nothing by default.
    ///
    /// A pair of observers is an observer. An observer cannot change the run.
    Observer;
    /// True if it wants choices and decisions. Finding the reasons takes time proportional to the
    /// number of waiting jobs.
    asks asks_why;
    /// A job was submitted and waits.
    submitted(submitted: Submitted<'_>);
    /// A job that was held in the grid got its cluster, where it arrives at a time.
    sent(sent: Sent<'_>);
    /// A planner was asked.
    planned(made: PlanMade<'_>);
    /// A job was submitted that is larger than every cluster it may use.
    rejected(job: &Job, now: Time);
    /// A job started.
    started(started: Started<'_>);
    /// A job finished.
    finished(finished: Finished<'_>);
    /// The run is ending, and this job still waits or runs.
    unfinished(unfinished: Unfinished<'_>);
    /// The run has ended.
    ended(now: Time);
    /// A job was sent to one of several clusters. Called only if `asks_why`.
    chosen(chosen: Chosen<'_>);
    /// A cluster's scheduler has decided. Called only if `asks_why`.
    decided(decided: Decided<'_>);
}
