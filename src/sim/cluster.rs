//! Cluster agents: what a cluster does with the jobs that come to it.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::{Span, Time};
use crate::model::entry::Entry;
use crate::model::ids::JobId;
use crate::model::job::Job;
use crate::model::jobs::{Jobs, RunningList};
use crate::model::view::View;
use crate::policy::local::{LocalScheduler, Reason};
use crate::state_of_fields;

/// Where the kinds of clusters come from.
pub const ENTRIES: &[Entry] = &[Entry::new(
    "space_shared",
    "Feitelson and Rudolph, Toward convergence in job schedulers for parallel supercomputers, \
     JSSPP 1996 (rigid jobs)",
)];

/// What a cluster wants to be woken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// A job ends.
    Finish,
    /// Its scheduler wants to decide.
    Decide,
}

/// A job that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The job.
    pub id: JobId,
    /// True for one that was killed.
    pub killed: bool,
}

/// A job's end would lie beyond the range of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfTime(pub JobId);

/// A cluster: jobs come, wait, run and end.
///
/// The grid owns the table of jobs; a cluster keeps ids. It is the physical side of the model, so
/// it knows the runtimes; its scheduler does not.
pub trait ClusterAgent: State {
    /// The processors of the cluster.
    fn processors(&self) -> u32;

    /// Could this job ever run here?
    fn admits(&self, job: &Job) -> bool {
        job.processors <= self.processors()
    }

    /// The processors that running and waiting jobs ask for, by which a grid without a grid
    /// scheduler finds the least loaded of several clusters.
    fn demand(&self) -> u64;

    /// What happens here next.
    fn next(&self) -> Option<(Time, Due)>;

    /// An admitted job comes and waits.
    fn submit(&mut self, id: JobId, jobs: &Jobs, now: Time);

    /// Does *one* thing that is due now; returns the job that ended, if that was it.
    fn wake(&mut self, now: Time, jobs: &mut Jobs) -> Option<Ended>;

    /// Starts what should start now: pushes each onto `started` after it was started in `jobs`.
    ///
    /// # Errors
    /// When a job would end beyond the range of times.
    fn settle(
        &mut self,
        now: Time,
        jobs: &mut Jobs,
        started: &mut Vec<JobId>,
    ) -> Result<(), OutOfTime>;

    /// Pushes onto `why` every waiting job with the reason for which it did not start when this
    /// cluster settled last, at `now`. Gives the processors on which nothing runs; nothing where
    /// reasons cannot be told.
    fn reasons(&self, now: Time, jobs: &Jobs, why: &mut Vec<(JobId, Reason)>) -> Option<u32> {
        let _ = (now, jobs, why);
        None
    }
}

/// When a running job ends; simultaneous ends come in the order of the starts.
///
/// Start order and job share a word: the order is numbered anew long before it can grow into too
/// many bits (see [`SpaceShared::renumber`]). Comparing two of them takes no branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Finish {
    at: Time,
    order_and_job: u64,
}

/// Bits of a job's slot; 2^28 jobs alive take 24 GB.
const JOB_BITS: u32 = 28;
/// Starts after which the running jobs are numbered anew.
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
        // Ends are not negative.
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

/// A cluster whose processors are shared out to rigid jobs, each of which holds its own until it
/// ends.
#[derive(Clone, Debug)]
pub struct SpaceShared<S> {
    processors: u32,
    kill_at_estimate: bool,
    free: u32,
    demand: u64,
    starts: u64,
    finishes: BinaryHeap<Reverse<Finish>>,
    running: RunningList,
    scheduler: S,
}

impl<S: LocalScheduler> SpaceShared<S> {
    /// An empty cluster; jobs may outrun their estimates.
    pub fn new(processors: u32, scheduler: S) -> SpaceShared<S> {
        SpaceShared {
            processors,
            kill_at_estimate: false,
            free: processors,
            demand: 0,
            starts: 0,
            finishes: BinaryHeap::new(),
            running: RunningList::default(),
            scheduler,
        }
    }

    /// Numbers the starts of the running jobs from 0 again, in their order.
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

    /// Sets whether a job is killed when it has run for its estimate.
    #[must_use]
    pub fn kill_at_estimate(self, kill_at_estimate: bool) -> SpaceShared<S> {
        SpaceShared { kill_at_estimate, ..self }
    }
}

impl<S: LocalScheduler> State for SpaceShared<S> {
    fn save(&self, out: &mut Vec<u8>) {
        let mut finishes: Vec<Finish> = self.finishes.iter().map(|finish| finish.0).collect();
        finishes.sort_unstable();
        put(&(self.free, self.demand, self.starts, finishes, self.running), out);
        self.scheduler.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let finishes: Vec<Finish>;
        (self.free, self.demand, self.starts, finishes, self.running) = take(from)?;
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
        let decide = self.scheduler.wake();
        match (finish, decide) {
            (Some(finish), Some(decide)) if decide < finish => Some((decide, Due::Decide)),
            (Some(finish), _) => Some((finish, Due::Finish)),
            (None, decide) => decide.map(|decide| (decide, Due::Decide)),
        }
    }

    #[inline]
    fn submit(&mut self, id: JobId, jobs: &Jobs, now: Time) {
        let alive = jobs.get(id);
        self.demand += u64::from(alive.job.processors);
        self.scheduler.submit(View::cut(&alive.submission(id)), now);
    }

    #[inline]
    fn wake(&mut self, now: Time, jobs: &mut Jobs) -> Option<Ended> {
        if self.finishes.peek().is_none_or(|finish| finish.0.at != now) {
            return None;
        }
        let id = self.finishes.pop()?.0.id();
        self.running.end(jobs, id);
        let alive = jobs.get(id);
        self.free += alive.job.processors;
        self.demand -= u64::from(alive.job.processors);
        self.scheduler.finish(View::cut(&alive.submission(id)), alive.started, now);
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

/// A cluster that serves one job at a time at unit speed, in the order of submission; it has one
/// processor.
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
                        let end = serves.started.saturating_add(serves.expected?);
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
