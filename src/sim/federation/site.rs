//! A cluster whose owner may put it at the disposal of a federation for a time.

use kernel::state::{Corrupt, State, put, take};
use kernel::time::Time;
use model::ids::JobId;
use model::jobs::{Jobs, Running};
use model::view::Submission;
use policy::local::{AnyLocal, LocalScheduler, Reason};

use super::super::cluster::SpaceShared;

/// A cluster of a federation.
pub type Site = SpaceShared<OnLoan>;

/// The scheduler of such a cluster. It decides nothing while a grid scheduler or planner starts jobs
/// there, and then goes on beside the jobs that still run.
#[derive(Clone, Debug)]
pub struct OnLoan {
    own: AnyLocal,
    is_lent: bool,
}

impl State for OnLoan {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.is_lent, out);
        self.own.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.is_lent = take(from)?;
        self.own.load(from)
    }
}

impl OnLoan {
    /// A scheduler that decides.
    pub fn new(own: AnyLocal) -> OnLoan {
        OnLoan { own, is_lent: false }
    }
}

impl Site {
    /// Others start jobs here from now on. No job waits here.
    pub fn lend(&mut self, jobs: &Jobs, now: Time) {
        self.tell_of_running(jobs, |one, job, started| one.own.finish(job, started, now));
        self.scheduler_mut().is_lent = true;
    }

    /// Its own scheduler decides again.
    pub fn take_back(&mut self, jobs: &Jobs) {
        self.scheduler_mut().is_lent = false;
        self.tell_of_running(jobs, |one, job, started| one.own.runs(job, started));
    }
}

impl LocalScheduler for OnLoan {
    type Sees = Submission;

    fn submit(&mut self, job: Submission, now: Time) {
        self.own.submit(job, now);
    }

    fn finish(&mut self, job: Submission, started: Time, now: Time) {
        if !self.is_lent {
            self.own.finish(job, started, now);
        }
    }

    fn corrected(&mut self, before: Submission, after: Submission, started: Time) {
        if !self.is_lent {
            self.own.corrected(before, after, started);
        }
    }

    fn withdraw(&mut self, job: JobId) {
        self.own.withdraw(job);
    }

    fn decide(
        &mut self,
        now: Time,
        free: u32,
        running: Running<'_, Submission>,
        start: &mut Vec<JobId>,
    ) {
        if !self.is_lent {
            self.own.decide(now, free, running, start);
        }
    }

    fn wake(&self) -> Option<Time> {
        if self.is_lent { None } else { self.own.wake() }
    }

    fn reasons(
        &self,
        now: Time,
        free: u32,
        running: Running<'_, Submission>,
        tell: &mut dyn FnMut(JobId, Reason),
    ) {
        if !self.is_lent {
            self.own.reasons(now, free, running, tell);
        }
    }
}
