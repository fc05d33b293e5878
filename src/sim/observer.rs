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

/// Observes the jobs of a grid; every method does nothing by default.
///
/// A pair of observers is an observer. An observer cannot change the run.
pub trait Observer: State {
    /// A job was submitted and waits.
    fn submitted(&mut self, submitted: Submitted<'_>) {
        let _ = submitted;
    }
    /// A job that was held in the grid got its cluster, where it arrives at a time.
    fn sent(&mut self, sent: Sent<'_>) {
        let _ = sent;
    }
    /// A planner was asked.
    fn planned(&mut self, made: PlanMade<'_>) {
        let _ = made;
    }
    /// A job was submitted that is larger than every cluster it may use.
    fn rejected(&mut self, job: &Job, now: Time) {
        let _ = (job, now);
    }
    /// A job started.
    fn started(&mut self, started: Started<'_>) {
        let _ = started;
    }
    /// A job finished.
    fn finished(&mut self, finished: Finished<'_>) {
        let _ = finished;
    }
    /// The run is ending, and this job still waits or runs.
    fn unfinished(&mut self, unfinished: Unfinished<'_>) {
        let _ = unfinished;
    }
    /// The run has ended.
    fn ended(&mut self, now: Time) {
        let _ = now;
    }
    /// True if it wants choices and decisions. Finding the reasons takes time proportional to the
    /// number of waiting jobs.
    #[inline]
    fn asks_why(&self) -> bool {
        false
    }
    /// A job was sent to one of several clusters. Called only if `asks_why`.
    fn chosen(&mut self, chosen: Chosen<'_>) {
        let _ = chosen;
    }
    /// A cluster's scheduler has decided. Called only if `asks_why`.
    fn decided(&mut self, decided: Decided<'_>) {
        let _ = decided;
    }
}

impl Observer for () {}

impl<A: Observer, B: Observer> Observer for (A, B) {
    #[inline]
    fn submitted(&mut self, submitted: Submitted<'_>) {
        self.0.submitted(submitted);
        self.1.submitted(submitted);
    }
    #[inline]
    fn sent(&mut self, sent: Sent<'_>) {
        self.0.sent(sent);
        self.1.sent(sent);
    }
    fn planned(&mut self, made: PlanMade<'_>) {
        self.0.planned(made);
        self.1.planned(made);
    }
    #[inline]
    fn rejected(&mut self, job: &Job, now: Time) {
        self.0.rejected(job, now);
        self.1.rejected(job, now);
    }
    #[inline]
    fn started(&mut self, started: Started<'_>) {
        self.0.started(started);
        self.1.started(started);
    }
    #[inline]
    fn finished(&mut self, finished: Finished<'_>) {
        self.0.finished(finished);
        self.1.finished(finished);
    }
    fn unfinished(&mut self, unfinished: Unfinished<'_>) {
        self.0.unfinished(unfinished);
        self.1.unfinished(unfinished);
    }
    fn ended(&mut self, now: Time) {
        self.0.ended(now);
        self.1.ended(now);
    }
    #[inline]
    fn asks_why(&self) -> bool {
        self.0.asks_why() || self.1.asks_why()
    }
    fn chosen(&mut self, chosen: Chosen<'_>) {
        self.0.chosen(chosen);
        self.1.chosen(chosen);
    }
    fn decided(&mut self, decided: Decided<'_>) {
        self.0.decided(decided);
        self.1.decided(decided);
    }
}

impl<O: Observer> Observer for Option<O> {
    #[inline]
    fn submitted(&mut self, submitted: Submitted<'_>) {
        if let Some(observer) = self {
            observer.submitted(submitted);
        }
    }
    #[inline]
    fn sent(&mut self, sent: Sent<'_>) {
        if let Some(observer) = self {
            observer.sent(sent);
        }
    }
    fn planned(&mut self, made: PlanMade<'_>) {
        if let Some(observer) = self {
            observer.planned(made);
        }
    }
    #[inline]
    fn rejected(&mut self, job: &Job, now: Time) {
        if let Some(observer) = self {
            observer.rejected(job, now);
        }
    }
    #[inline]
    fn started(&mut self, started: Started<'_>) {
        if let Some(observer) = self {
            observer.started(started);
        }
    }
    #[inline]
    fn finished(&mut self, finished: Finished<'_>) {
        if let Some(observer) = self {
            observer.finished(finished);
        }
    }
    fn unfinished(&mut self, unfinished: Unfinished<'_>) {
        if let Some(observer) = self {
            observer.unfinished(unfinished);
        }
    }
    fn ended(&mut self, now: Time) {
        if let Some(observer) = self {
            observer.ended(now);
        }
    }
    #[inline]
    fn asks_why(&self) -> bool {
        self.as_ref().is_some_and(O::asks_why)
    }
    fn chosen(&mut self, chosen: Chosen<'_>) {
        if let Some(observer) = self {
            observer.chosen(chosen);
        }
    }
    fn decided(&mut self, decided: Decided<'_>) {
        if let Some(observer) = self {
            observer.decided(decided);
        }
    }
}
