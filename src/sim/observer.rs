//! What watches a grid: accounts, writers of records, a user's own reporters.

use crate::kernel::state::State;
use crate::kernel::time::{Span, Time};
use crate::model::ids::{ClusterId, JobId};
use crate::model::job::Job;
use crate::model::jobs::Jobs;
use crate::policy::local::Reason;

/// A job that started.
#[derive(Clone, Copy, Debug)]
pub struct Started<'a> {
    /// Its slot while it is alive.
    pub id: JobId,
    /// Its facts.
    pub job: &'a Job,
    /// Where.
    pub cluster: ClusterId,
    /// When.
    pub start: Time,
}

/// A job that ended.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// Its slot while it was alive.
    pub id: JobId,
    /// Its facts.
    pub job: &'a Job,
    /// What schedulers expected of its length.
    pub expected: Option<Span>,
    /// Where it ran.
    pub cluster: ClusterId,
    /// When it started.
    pub start: Time,
    /// When it ended.
    pub finish: Time,
    /// True for one that was killed at its estimate.
    pub killed: bool,
}

/// A job that still waits or runs when the run is over.
#[derive(Clone, Copy, Debug)]
pub struct Unfinished<'a> {
    /// Its slot.
    pub id: JobId,
    /// Its facts.
    pub job: &'a Job,
    /// What schedulers expected of its length.
    pub expected: Option<Span>,
    /// Where it waits or runs.
    pub cluster: ClusterId,
    /// When it started, if it runs.
    pub start: Option<Time>,
}

/// To which of several clusters a job was sent.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a> {
    /// Its facts.
    pub job: &'a Job,
    /// Where it went.
    pub cluster: ClusterId,
    /// The clusters that it may use and that are large enough, in that order, with the processors
    /// that running and waiting jobs asked for there before it came.
    pub demands: &'a [(ClusterId, u64)],
    /// When.
    pub now: Time,
}

/// What a cluster's scheduler decided, and why the others wait.
#[derive(Clone, Copy, Debug)]
pub struct Decided<'a> {
    /// The cluster.
    pub cluster: ClusterId,
    /// When.
    pub now: Time,
    /// Processors that the decision left, where the cluster tells.
    pub free: Option<u32>,
    /// The jobs that were started, in order.
    pub started: &'a [JobId],
    /// The jobs that wait, in the scheduler's order, each with its reason.
    pub waiting: &'a [(JobId, Reason)],
    /// Their facts.
    pub jobs: &'a Jobs,
}

impl Finished<'_> {
    /// From submission to end.
    #[inline]
    pub fn flow(&self) -> Span {
        self.finish - self.job.submit
    }

    /// From submission to start.
    #[inline]
    pub fn wait(&self) -> Span {
        self.start - self.job.submit
    }

    /// From start to end.
    #[inline]
    pub fn ran(&self) -> Span {
        self.finish - self.start
    }
}

/// Watches the jobs of a grid pass; every method does nothing unless it is written.
///
/// Two observers are one as a pair. An observer cannot change the run.
pub trait Observer: State {
    /// A job was submitted, and waits. Its slot is another job's when it is gone.
    fn submitted(&mut self, id: JobId, job: &Job, now: Time) {
        let _ = (id, job, now);
    }
    /// The job that was submitted last waits on this cluster.
    fn placed(&mut self, job: &Job, cluster: ClusterId, now: Time) {
        let _ = (job, cluster, now);
    }
    /// A job was submitted that no cluster it may use can ever run.
    fn rejected(&mut self, job: &Job, now: Time) {
        let _ = (job, now);
    }
    /// A job started.
    fn started(&mut self, started: Started<'_>) {
        let _ = started;
    }
    /// A job ended.
    fn finished(&mut self, finished: Finished<'_>) {
        let _ = finished;
    }
    /// The run is about to be over, and this job still waits or runs.
    fn unfinished(&mut self, unfinished: Unfinished<'_>) {
        let _ = unfinished;
    }
    /// The run is over.
    fn ended(&mut self, now: Time) {
        let _ = now;
    }
    /// True of one that wants to hear of choices and decisions: to find the reasons takes time in
    /// proportion to the jobs that wait.
    #[inline]
    fn asks_why(&self) -> bool {
        false
    }
    /// A job that may use several clusters is sent to one of them. Told only where somebody asks.
    fn chosen(&mut self, chosen: Chosen<'_>) {
        let _ = chosen;
    }
    /// A cluster's scheduler has decided. Told only where somebody asks.
    fn decided(&mut self, decided: Decided<'_>) {
        let _ = decided;
    }
}

impl Observer for () {}

impl<A: Observer, B: Observer> Observer for (A, B) {
    #[inline]
    fn submitted(&mut self, id: JobId, job: &Job, now: Time) {
        self.0.submitted(id, job, now);
        self.1.submitted(id, job, now);
    }
    #[inline]
    fn placed(&mut self, job: &Job, cluster: ClusterId, now: Time) {
        self.0.placed(job, cluster, now);
        self.1.placed(job, cluster, now);
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
    fn submitted(&mut self, id: JobId, job: &Job, now: Time) {
        if let Some(observer) = self {
            observer.submitted(id, job, now);
        }
    }
    #[inline]
    fn placed(&mut self, job: &Job, cluster: ClusterId, now: Time) {
        if let Some(observer) = self {
            observer.placed(job, cluster, now);
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
