//! Cluster agents: they queue, start and end jobs on one cluster.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use kernel::state::{Corrupt, State, put, take};
use kernel::state_of_fields;
use kernel::time::{Span, Time};
use model::entry::Entry;
use model::ids::JobId;
use model::job::Job;
use model::jobs::{Alive, Jobs, RunningList};
pub use model::machine::OutOfTime;
use model::machine::{End, Ends, Machine};
use model::speed::Speed;
use model::view::{Submission, View};
use policy::local::{LocalScheduler, Reason};

/// Sources of the kinds of clusters.
pub const ENTRIES: &[Entry] = &[Entry::new(
    "space_shared",
    "Feitelson and Rudolph, Toward convergence in job schedulers for parallel supercomputers, \
     JSSPP 1996 (rigid jobs)",
)];

/// Reason for a cluster to be woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// A job ends.
    Finish,
    /// Predictions of running jobs have expired.
    Correct,
    /// Its scheduler decides.
    Decide,
}

/// A finished job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The job.
    pub id: JobId,
    /// True if it was killed.
    pub killed: bool,
}

/// A cluster: jobs arrive, wait, run and finish.
///
/// The grid owns the table of jobs; a cluster keeps ids. The cluster is the physical side of the
/// model, so it knows runtimes; its scheduler does not.
pub trait ClusterAgent: State {
    /// The processors of the cluster.
    fn processors(&self) -> u32;

    /// The speed of its processors.
    fn speed(&self) -> Speed {
        Speed::ONE
    }

    /// True if this job can ever run here.
    fn admits(&self, job: &Job) -> bool {
        job.processors <= self.processors()
    }

    /// The machine of a cluster without a scheduler of its own, with all processors free: a grid
    /// scheduler starts jobs there, and no method below is called.
    fn machine(&self) -> Option<Machine> {
        None
    }

    /// Processors requested by running and waiting jobs.
    fn demand(&self) -> u64;

    /// The next event here.
    fn next(&self) -> Option<(Time, Due)>;

    /// Queues an admitted job.
    fn submit(&mut self, id: JobId, jobs: &Jobs, now: Time);

    /// False if a job that was just queued changes nothing when this wave settles.
    #[inline]
    fn may_start(&self) -> bool {
        true
    }

    /// Handles *one* event that is due now; returns the job that finished, if any.
    fn wake(&mut self, now: Time, jobs: &mut Jobs) -> Option<Ended>;

    /// Starts the jobs that should start now: starts each in `jobs`, then pushes it onto `started`.
    ///
    /// # Errors
    /// Fails if a job would end beyond the range of times.
    fn settle(
        &mut self,
        now: Time,
        jobs: &mut Jobs,
        started: &mut Vec<JobId>,
    ) -> Result<(), OutOfTime>;

    /// Its free processors, if a grid scheduler may start jobs here beside a scheduler of its own.
    fn free(&self) -> u32 {
        0
    }

    /// Gives processors to a job that a grid scheduler starts here.
    fn take(&mut self, processors: u32) {
        let _ = processors;
        unreachable!("no grid scheduler starts jobs here");
    }

    /// Starts a job that has its processors.
    ///
    /// # Errors
    /// Fails if the job would end beyond the range of times.
    fn start(&mut self, id: JobId, jobs: &mut Jobs, now: Time) -> Result<(), OutOfTime> {
        let _ = (jobs, now);
        unreachable!("no grid scheduler starts job {id:?} here");
    }

    /// Pushes onto `why` every waiting job with the reason why it did not start. The reasons are
    /// those of the last decision of this cluster, at `now`. Returns the idle processors, or `None`
    /// if reasons are not available.
    fn reasons(&self, now: Time, jobs: &Jobs, why: &mut Vec<(JobId, Reason)>) -> Option<u32> {
        let _ = (now, jobs, why);
        None
    }
}

/// A space-shared cluster for rigid jobs: each job holds its processors until it finishes.
#[derive(Clone, Debug)]
pub struct SpaceShared<S> {
    machine: Machine,
    demand: u64,
    ends: Ends,
    running: RunningList,
    /// Expiry times of running jobs' predictions, in order, if predictions are corrected.
    expiries: Option<Vec<(Time, JobId)>>,
    /// State for freeing processors when due, if that is set.
    early: Option<Early>,
    scheduler: S,
}

/// Jobs whose processors were freed before their finish event.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Early {
    /// The last instant that was processed.
    at: Option<Time>,
    /// Its freed jobs whose finish event is still to come.
    freed: Vec<JobId>,
    /// Scratch space for the finishes of an instant.
    ends: Vec<End>,
}

impl<S: LocalScheduler> SpaceShared<S> {
    /// An empty cluster of unit speed on which jobs may outrun their estimates.
    pub fn new(processors: u32, scheduler: S) -> SpaceShared<S> {
        SpaceShared::on(Machine::new(processors), scheduler)
    }

    /// An empty cluster on a machine.
    pub fn on(machine: Machine, scheduler: S) -> SpaceShared<S> {
        SpaceShared {
            machine,
            demand: 0,
            ends: Ends::default(),
            running: RunningList::default(),
            expiries: None,
            early: None,
            scheduler,
        }
    }

    /// Enables or disables correction of outrun expected runtimes, up to the estimate.
    #[must_use]
    pub fn corrects(self, corrects: bool) -> SpaceShared<S> {
        SpaceShared { expiries: corrects.then(Vec::new), ..self }
    }

    /// Enables or disables freeing the processors of jobs that end as expected before all other
    /// events of that instant. If enabled, the world handles one event for each wake.
    #[must_use]
    pub fn frees_when_due(self, frees: bool) -> SpaceShared<S> {
        SpaceShared { early: frees.then(Early::default), ..self }
    }

    /// A job that has its processors starts to run.
    #[inline]
    fn runs(&mut self, id: JobId, jobs: &mut Jobs, now: Time) -> Result<(), OutOfTime> {
        self.running.start(jobs, id, now);
        self.expect_expiry(id, jobs);
        let alive = jobs.get(id);
        self.ends.start(id, now, self.machine.runs(&alive.job, alive.added()))
    }

    /// Takes a job that waits out of the queue.
    pub fn withdraw(&mut self, id: JobId, jobs: &Jobs) {
        self.demand -= u64::from(jobs.get(id).job.processors);
        self.scheduler.withdraw(id);
    }

    /// Takes processors back from a job that was to start here.
    pub fn give_back(&mut self, processors: u32) {
        self.machine.give_back(processors);
        self.demand -= u64::from(processors);
    }

    /// Tells the scheduler something of each running job, with its start.
    pub fn tell_of_running(&mut self, jobs: &Jobs, tell: impl Fn(&mut S, S::Sees, Time)) {
        for (job, started) in self.running.view::<S::Sees>(jobs).iter() {
            tell(&mut self.scheduler, job, started);
        }
    }

    /// Its scheduler.
    pub fn scheduler_mut(&mut self) -> &mut S {
        &mut self.scheduler
    }

    /// Schedules the expiry of a running job's prediction, if it is to be corrected.
    fn expect_expiry(&mut self, id: JobId, jobs: &Jobs) {
        let Some(expiries) = &mut self.expiries else { return };
        let expiry = expiry(jobs.get(id)).map(|at| (at, id));
        if let Some(expiry) = expiry {
            let place = expiries.partition_point(|other| *other < expiry);
            expiries.insert(place, expiry);
        }
    }

    /// Corrects the predictions that expire now.
    #[cold]
    fn correct(&mut self, now: Time, jobs: &mut Jobs) {
        let due = |expiries: &[(Time, JobId)]| expiries.partition_point(|&(at, _)| at <= now);
        let expired = self.expiries.as_mut().map(|all| {
            let due = due(all);
            all.drain(..due).collect::<Vec<_>>()
        });
        for (_, id) in expired.into_iter().flatten() {
            let before = jobs.get(id).expected_now();
            jobs.correct(id);
            let alive = jobs.get(id);
            let job = alive.submission(id);
            self.scheduler.corrected(
                View::cut(&Submission { expected: before, ..job }),
                View::cut(&job),
                alive.started,
            );
            self.expect_expiry(id, jobs);
        }
    }

    /// True if the processors of a finishing job were freed before.
    #[inline]
    fn was_freed(&mut self, id: JobId) -> bool {
        let Some(early) = &mut self.early else { return false };
        let place = early.freed.iter().position(|&freed| freed == id);
        place.map(|place| early.freed.swap_remove(place)).is_some()
    }

    /// Frees the processors of the jobs that finish now, as expected.
    fn free_when_due(&mut self, now: Time, jobs: &Jobs) {
        let Some(early) = self.early.as_mut().filter(|early| early.at != Some(now)) else { return };
        early.at = Some(now);
        while let Some(end) = self.ends.first().filter(|next| next.at() == now) {
            self.ends.pop();
            early.ends.push(end);
        }
        for end in early.ends.drain(..) {
            let id = end.id();
            let alive = jobs.get(id);
            let due = alive.expected_now().map(|length| alive.started.saturating_add(length));
            if due == Some(now) {
                early.freed.push(id);
                self.machine.give_back(alive.job.processors);
                self.scheduler.finish(View::cut(&alive.submission(id)), alive.started, now);
            }
            self.ends.put_back(end);
        }
    }
}

/// Expiry time of a running job's prediction, if it can still be corrected then.
fn expiry(alive: &Alive) -> Option<Time> {
    let expected = alive.expected_now().filter(|&expected| expected < alive.estimate())?;
    Some(alive.started.saturating_add(expected))
}

impl<S: LocalScheduler> State for SpaceShared<S> {
    fn save(&self, out: &mut Vec<u8>) {
        let (ends, starts) = self.ends.saved();
        let (expiries, early) = (&self.expiries, &self.early);
        put(&(self.machine.free, self.demand, starts, ends, self.running, expiries, early), out);
        self.scheduler.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let (ends, starts);
        (self.machine.free, self.demand, starts, ends, self.running, self.expiries, self.early) =
            take(from)?;
        self.ends = Ends::loaded((ends, starts));
        self.scheduler.load(from)
    }
}

impl<S: LocalScheduler> ClusterAgent for SpaceShared<S> {
    fn processors(&self) -> u32 {
        self.machine.processors
    }

    fn speed(&self) -> Speed {
        self.machine.speed
    }

    fn demand(&self) -> u64 {
        self.demand
    }

    #[inline]
    fn next(&self) -> Option<(Time, Due)> {
        let finish = self.ends.first().map(End::at);
        let decide = self.scheduler.wake().map(|at| (at, Due::Decide));
        let correct = self.expiries.as_ref().and_then(|all| all.first());
        let decide = match (correct, decide) {
            (Some(&(correct, _)), decide) if decide.is_none_or(|(at, _)| correct <= at) => {
                Some((correct, Due::Correct))
            }
            _ => decide,
        };
        match (finish, decide) {
            (Some(finish), Some(decide)) if decide.0 < finish => Some(decide),
            (Some(finish), _) => Some((finish, Due::Finish)),
            (None, decide) => decide,
        }
    }

    #[inline]
    fn submit(&mut self, id: JobId, jobs: &Jobs, now: Time) {
        self.free_when_due(now, jobs);
        let alive = jobs.get(id);
        self.demand += u64::from(alive.job.processors);
        self.scheduler.submit(View::cut(&alive.submission(id)), now);
    }

    #[inline]
    fn wake(&mut self, now: Time, jobs: &mut Jobs) -> Option<Ended> {
        if self.ends.first().is_none_or(|end| end.at() != now) {
            self.correct(now, jobs);
            return None;
        }
        self.free_when_due(now, jobs);
        let id = self.ends.pop()?.id();
        self.running.end(jobs, id);
        let alive = jobs.get(id);
        self.demand -= u64::from(alive.job.processors);
        if let (Some(expiries), Some(at)) = (&mut self.expiries, expiry(alive)) {
            let place = expiries.binary_search(&(at, id));
            expiries.remove(place.expect("the prediction of a running job has an expiry"));
        }
        if !self.was_freed(id) {
            self.machine.give_back(alive.job.processors);
            self.scheduler.finish(View::cut(&alive.submission(id)), alive.started, now);
        }
        Some(Ended { id, killed: self.machine.kills(&alive.job) })
    }

    #[inline]
    fn settle(
        &mut self,
        now: Time,
        jobs: &mut Jobs,
        started: &mut Vec<JobId>,
    ) -> Result<(), OutOfTime> {
        let before = started.len();
        self.scheduler.decide(now, self.machine.free, self.running.view(jobs), started);
        for &id in &started[before..] {
            self.machine.take(jobs.get(id).job.processors);
            self.runs(id, jobs, now)?;
        }
        Ok(())
    }

    fn free(&self) -> u32 {
        self.machine.free
    }

    fn take(&mut self, processors: u32) {
        self.machine.take(processors);
        self.demand += u64::from(processors);
    }

    fn start(&mut self, id: JobId, jobs: &mut Jobs, now: Time) -> Result<(), OutOfTime> {
        self.runs(id, jobs, now)
    }

    fn reasons(&self, now: Time, jobs: &Jobs, why: &mut Vec<(JobId, Reason)>) -> Option<u32> {
        let tell = &mut |id, reason| why.push((id, reason));
        self.scheduler.reasons(now, self.machine.free, self.running.view(jobs), tell);
        Some(self.machine.free)
    }
}

/// A cluster without a scheduler of its own, which a grid scheduler fills.
#[derive(Clone, Debug)]
pub struct Bare(pub Machine);

impl State for Bare {
    fn save(&self, _: &mut Vec<u8>) {}
    fn load(&mut self, _: &mut &[u8]) -> Result<(), Corrupt> {
        Ok(())
    }
}

impl ClusterAgent for Bare {
    fn processors(&self) -> u32 {
        self.0.processors
    }

    fn speed(&self) -> Speed {
        self.0.speed
    }

    fn machine(&self) -> Option<Machine> {
        Some(self.0)
    }

    fn demand(&self) -> u64 {
        0
    }

    fn next(&self) -> Option<(Time, Due)> {
        None
    }

    fn submit(&mut self, _: JobId, _: &Jobs, _: Time) {
        unreachable!("a grid scheduler starts its jobs");
    }

    fn wake(&mut self, _: Time, _: &mut Jobs) -> Option<Ended> {
        None
    }

    fn settle(&mut self, _: Time, _: &mut Jobs, _: &mut Vec<JobId>) -> Result<(), OutOfTime> {
        Ok(())
    }
}

/// A time-shared cluster that serves one job at a time at unit speed, first come first served; it
/// has one processor.
#[derive(Clone, Debug, Default)]
pub struct TimeShared {
    waiting: VecDeque<JobId>,
    serves: Option<(Time, JobId)>,
}

state_of_fields!(TimeShared { waiting, serves });

impl TimeShared {
    /// An idle cluster.
    pub fn new() -> TimeShared {
        TimeShared::default()
    }
}

impl ClusterAgent for TimeShared {
    fn processors(&self) -> u32 {
        1
    }

    fn demand(&self) -> u64 {
        self.waiting.len() as u64 + u64::from(self.serves.is_some())
    }

    #[inline]
    fn next(&self) -> Option<(Time, Due)> {
        self.serves.map(|(at, _)| (at, Due::Finish))
    }

    #[inline]
    fn submit(&mut self, id: JobId, _: &Jobs, _: Time) {
        self.waiting.push_back(id);
    }

    #[inline]
    fn may_start(&self) -> bool {
        self.serves.is_none()
    }

    #[inline]
    fn wake(&mut self, now: Time, _: &mut Jobs) -> Option<Ended> {
        let (_, id) = self.serves.take_if(|(at, _)| *at == now)?;
        Some(Ended { id, killed: false })
    }

    #[inline]
    fn settle(
        &mut self,
        now: Time,
        jobs: &mut Jobs,
        started: &mut Vec<JobId>,
    ) -> Result<(), OutOfTime> {
        if self.serves.is_none()
            && let Some(id) = self.waiting.pop_front()
        {
            jobs.start(id, now);
            let runtime = jobs.get(id).job.runtime;
            let at =
                now.checked_add(runtime).filter(|&at| at < Time::NEVER).ok_or(OutOfTime(id))?;
            self.serves = Some((at, id));
            started.push(id);
        }
        Ok(())
    }

    fn reasons(&self, now: Time, jobs: &Jobs, why: &mut Vec<(JobId, Reason)>) -> Option<u32> {
        let mut before = None;
        for &id in &self.waiting {
            let reason = match before.replace(id) {
                Some(job) => Reason::Ahead { job },
                None => {
                    let after = self.serves.map(|(_, serves)| serves);
                    let end = |serves: JobId| {
                        let serves = jobs.get(serves);
                        let end = serves.started.saturating_add(serves.expected_now()?);
                        Some(end.max(now + Span::TICK))
                    };
                    Reason::Processors { start: after.and_then(end), after }
                }
            };
            why.push((id, reason));
        }
        Some(u32::from(self.serves.is_none()))
    }
}
