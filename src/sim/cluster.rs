//! Cluster agents: they queue, start and end jobs on one cluster.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::{Span, Time};
use crate::model::entry::Entry;
use crate::model::ids::JobId;
use crate::model::job::Job;
use crate::model::jobs::{Alive, Jobs, RunningList};
use crate::model::view::{Submission, View};
use crate::policy::local::{LocalScheduler, Reason};
use crate::state_of_fields;

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

/// A job's finish would lie beyond the range of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfTime(pub JobId);

/// A cluster: jobs arrive, wait, run and finish.
///
/// The grid owns the table of jobs; a cluster keeps ids. The cluster is the physical side of the
/// model, so it knows runtimes; its scheduler does not.
pub trait ClusterAgent: State {
    /// The processors of the cluster.
    fn processors(&self) -> u32;

    /// True if this job can ever run here.
    fn admits(&self, job: &Job) -> bool {
        job.processors <= self.processors()
    }

    /// Processors requested by running and waiting jobs. A grid without a grid scheduler uses it to
    /// find the least loaded of several clusters.
    fn demand(&self) -> u64;

    /// The next event here.
    fn next(&self) -> Option<(Time, Due)>;

    /// Queues an admitted job.
    fn submit(&mut self, id: JobId, jobs: &Jobs, now: Time);

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

    /// Pushes onto `why` every waiting job with the reason why it did not start. The reasons are
    /// those of the last decision of this cluster, at `now`. Returns the idle processors, or `None`
    /// if reasons are not available.
    fn reasons(&self, now: Time, jobs: &Jobs, why: &mut Vec<(JobId, Reason)>) -> Option<u32> {
        let _ = (now, jobs, why);
        None
    }
}

/// Finish of a running job; simultaneous ones are ordered by start.
///
/// Start order and job share a word; starts are renumbered long before the order needs too many
/// bits (see [`SpaceShared::renumber`]). Comparing two of them takes no branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Finish {
    at: Time,
    order_and_job: u64,
}

/// Bits of a job's slot; 2^28 live jobs take 24 GB.
const JOB_BITS: u32 = 28;
/// Number of starts after which running jobs are renumbered.
const MOST_STARTS: u64 = 1 << (64 - JOB_BITS);

impl Finish {
    #[inline]
    fn new(at: Time, order: u64, id: JobId) -> Finish {
        assert!(id.0 >> JOB_BITS == 0, "fewer than 2^28 jobs are alive");
        Finish { at, order_and_job: (order << JOB_BITS) | u64::from(id.0) }
    }

    #[inline]
    fn id(self) -> JobId {
        JobId((self.order_and_job & ((1 << JOB_BITS) - 1)) as u32)
    }

    #[inline]
    fn key(self) -> u128 {
        // Finish times are not negative.
        (u128::from(self.at.ticks() as u64) << 64) | u128::from(self.order_and_job)
    }
}

impl PartialOrd for Finish {
    #[inline]
    fn partial_cmp(&self, other: &Finish) -> Option<Ordering> {
        Some(self.cmp(other))
    }
    #[inline]
    fn lt(&self, other: &Finish) -> bool {
        self.key() < other.key()
    }
    #[inline]
    fn le(&self, other: &Finish) -> bool {
        self.key() <= other.key()
    }
}

impl Ord for Finish {
    #[inline]
    fn cmp(&self, other: &Finish) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// A space-shared cluster for rigid jobs: each job holds its processors until it finishes.
#[derive(Clone, Debug)]
pub struct SpaceShared<S> {
    processors: u32,
    kill_at_estimate: bool,
    free: u32,
    demand: u64,
    starts: u64,
    finishes: BinaryHeap<Reverse<Finish>>,
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
    ends: Vec<Finish>,
}

impl<S: LocalScheduler> SpaceShared<S> {
    /// An empty cluster on which jobs may outrun their estimates.
    pub fn new(processors: u32, scheduler: S) -> SpaceShared<S> {
        SpaceShared {
            processors,
            kill_at_estimate: false,
            free: processors,
            demand: 0,
            starts: 0,
            finishes: BinaryHeap::new(),
            running: RunningList::default(),
            expiries: None,
            early: None,
            scheduler,
        }
    }

    /// Renumbers the starts of the running jobs from 0, keeping their order.
    #[cold]
    fn renumber(&mut self) {
        let mut finishes: Vec<Finish> = self.finishes.drain().map(|finish| finish.0).collect();
        finishes.sort_unstable_by_key(|finish| finish.order_and_job);
        let numbered = finishes.iter().zip(0..);
        self.finishes = numbered
            .map(|(finish, order)| Reverse(Finish::new(finish.at, order, finish.id())))
            .collect();
        self.starts = finishes.len() as u64;
    }

    /// Enables or disables killing a job once it has run for its estimate.
    #[must_use]
    pub fn kill_at_estimate(self, kill_at_estimate: bool) -> SpaceShared<S> {
        SpaceShared { kill_at_estimate, ..self }
    }

    /// Enables or disables correction of outrun expected runtimes, up to the estimate.
    #[must_use]
    pub fn corrects(self, corrects: bool) -> SpaceShared<S> {
        SpaceShared { expiries: corrects.then(Vec::new), ..self }
    }

    /// Enables or disables freeing the processors of jobs that end as expected before all other
    /// events of that instant. If enabled, the world handles one event for each wake.
    #[must_use]
    pub(crate) fn frees_when_due(self, frees: bool) -> SpaceShared<S> {
        SpaceShared { early: frees.then(Early::default), ..self }
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
        while let Some(&Reverse(finish)) = self.finishes.peek().filter(|next| next.0.at == now) {
            self.finishes.pop();
            early.ends.push(finish);
        }
        for finish in early.ends.drain(..) {
            let id = finish.id();
            let alive = jobs.get(id);
            let due = alive.expected_now().map(|length| alive.started.saturating_add(length));
            if due == Some(now) {
                early.freed.push(id);
                self.free += alive.job.processors;
                self.scheduler.finish(View::cut(&alive.submission(id)), alive.started, now);
            }
            self.finishes.push(Reverse(finish));
        }
    }
}

/// Expiry time of a running job's prediction, if it can still be corrected then.
fn expiry(alive: &Alive) -> Option<Time> {
    let expected = alive.expected_now().filter(|&expected| expected < alive.job.estimate)?;
    Some(alive.started.saturating_add(expected))
}

impl<S: LocalScheduler> State for SpaceShared<S> {
    fn save(&self, out: &mut Vec<u8>) {
        let mut finishes: Vec<Finish> = self.finishes.iter().map(|finish| finish.0).collect();
        finishes.sort_unstable();
        let (expiries, early) = (&self.expiries, &self.early);
        put(&(self.free, self.demand, self.starts, finishes, self.running, expiries, early), out);
        self.scheduler.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let finishes: Vec<Finish>;
        (self.free, self.demand, self.starts, finishes, self.running, self.expiries, self.early) =
            take(from)?;
        self.finishes = finishes.into_iter().map(Reverse).collect();
        self.scheduler.load(from)
    }
}

impl<S: LocalScheduler> ClusterAgent for SpaceShared<S> {
    fn processors(&self) -> u32 {
        self.processors
    }

    fn demand(&self) -> u64 {
        self.demand
    }

    #[inline]
    fn next(&self) -> Option<(Time, Due)> {
        let finish = self.finishes.peek().map(|finish| finish.0.at);
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
        if self.finishes.peek().is_none_or(|finish| finish.0.at != now) {
            self.correct(now, jobs);
            return None;
        }
        self.free_when_due(now, jobs);
        let id = self.finishes.pop()?.0.id();
        self.running.end(jobs, id);
        let alive = jobs.get(id);
        self.demand -= u64::from(alive.job.processors);
        if let (Some(expiries), Some(at)) = (&mut self.expiries, expiry(alive)) {
            let place = expiries.binary_search(&(at, id));
            expiries.remove(place.expect("the prediction of a running job has an expiry"));
        }
        if !self.was_freed(id) {
            self.free += alive.job.processors;
            self.scheduler.finish(View::cut(&alive.submission(id)), alive.started, now);
        }
        let killed = self.kill_at_estimate && alive.job.runtime > alive.job.estimate;
        Some(Ended { id, killed })
    }

    #[inline]
    fn settle(
        &mut self,
        now: Time,
        jobs: &mut Jobs,
        started: &mut Vec<JobId>,
    ) -> Result<(), OutOfTime> {
        let before = started.len();
        self.scheduler.decide(now, self.free, self.running.view(jobs), started);
        for &id in &started[before..] {
            self.running.start(jobs, id, now);
            self.expect_expiry(id, jobs);
            let job = &jobs.get(id).job;
            self.free = (self.free.checked_sub(job.processors))
                .expect("a scheduler starts only what fits into the free processors");
            let runs =
                if self.kill_at_estimate { job.runtime.min(job.estimate) } else { job.runtime };
            let at = now.checked_add(runs).filter(|&at| at < Time::NEVER).ok_or(OutOfTime(id))?;
            if self.starts == MOST_STARTS {
                self.renumber();
            }
            self.finishes.push(Reverse(Finish::new(at, self.starts, id)));
            self.starts += 1;
        }
        Ok(())
    }

    fn reasons(&self, now: Time, jobs: &Jobs, why: &mut Vec<(JobId, Reason)>) -> Option<u32> {
        let tell = &mut |id, reason| why.push((id, reason));
        self.scheduler.reasons(now, self.free, self.running.view(jobs), tell);
        Some(self.free)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::local::{LocalOptions, Setup};

    #[test]
    fn numbering_the_starts_anew_keeps_the_order_of_ends() {
        let streams = crate::kernel::rng::Streams::new(1);
        let setup = Setup { name: "c", processors: 9, streams: &streams };
        let mut cluster = SpaceShared::new(9, LocalOptions::Fcfs(Default::default()).build(&setup));
        let ends = [5_i64, 3, 5, 5, 4, 3];
        for ((at, id), order) in ends.into_iter().zip(0..).zip(MOST_STARTS - 6..) {
            let finish = Finish::new(Time::from_ticks(at), order, JobId(7 - id));
            cluster.finishes.push(Reverse(finish));
        }
        let order = |cluster: &SpaceShared<_>| -> Vec<u32> {
            let mut sorted = cluster.finishes.clone().into_sorted_vec();
            sorted.reverse();
            sorted.iter().map(|finish| finish.0.id().0).collect()
        };
        let before = order(&cluster);
        assert_eq!(before, [6, 2, 3, 7, 5, 4]);
        cluster.renumber();
        assert_eq!(order(&cluster), before);
        assert_eq!(cluster.starts, 6);
    }
}
