//! Jobs on one cluster by a deadline: a schedule, or the proof that there is none.
//!
//! The search builds schedules in the order of time. At a moment it starts some of the jobs that
//! fit, then lets time pass to the next end or release. Every prune below either proves that the
//! deadline is missed, or points at another schedule that is as good:
//!
//! - *Area.* Processors left idle while time passes reduce the slack, the area up to the deadline
//!   less the area of all jobs. Negative slack cannot be made up for. Slack is kept for several
//!   [`weights`], and for the area from each later release on.
//! - *Left shift.* A job that fitted in the whole time that has just passed does not start now: it
//!   could have started earlier: schedules are semi-active. The next start is before the end that
//!   any job that fits would have if it started now, or that job could go first: schedules are
//!   active (Giffler & Thompson 1960, "Algorithms for solving production-scheduling problems").
//! - *Twins.* Identical jobs start in the order of their numbers. Jobs that start together are
//!   enumerated in one order.
//! - *Reversal.* Jobs released together can be run backwards in time, so the longest of them starts
//!   in the first half of the time that it has. This does not hold if some are due earlier.
//! - *Cut sets.* A moment fails if an earlier one failed that had started the same jobs, was not
//!   later, and had no job end later (Demeulemeester & Herroelen 1992, "A branch-and-bound
//!   procedure for the multiple resource-constrained project scheduling problem").
//!
//! A job is not started after its latest start, which is before its due time; none of the schedules
//! pointed at delays a job.
//!
//! These together lose no solution. Suppose that there are schedules that keep the deadline, but
//! all are pruned. One of them starts the longest job in its first half, and so do all that follow:
//! a left shift delays no job, and a cut set takes over a beginning that the search has built.
//! Replace the schedule by the one that the prune points at, again and again, and compare starts
//! from the latest to the earliest. A left shift of a job not yet started, with `q` such jobs,
//! lowers the `q` latest starts and raises none. A cut set with `q` jobs not yet started keeps the
//! `q` latest starts, and the new schedule passes through the earlier moment; it is pruned inside,
//! so with at most `q` jobs left. Let `q` be the least number that recurs for ever. Left shifts at
//! `q` recur only finitely often, since from some step on the `q` latest starts never rise. What
//! remains is an endless chain of cut sets at `q`, each at a moment visited before the last: a
//! contradiction.

use rustc_hash::FxHashMap;

use super::list::Timeline;
use super::weights::{self, LAYERS, Weights};
use super::{Budget, Job};

/// Nodes of one search before it begins to remember failed moments.
const NODES_BEFORE_MEMORY: u64 = 8;
/// Failed moments remembered for each set of jobs.
const MOMENTS_PER_SET: usize = 256;
/// Failed moments remembered in all, about 20 MB.
const MOST_MOMENTS: usize = 200_000;

/// The answer of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A schedule was found; the value is its makespan.
    Schedule(i64),
    /// No schedule keeps the deadline.
    Impossible,
    /// The budget of nodes is spent.
    Stopped,
}

/// Searches schedules of one cluster. Keeps its memory from one search to the next.
#[derive(Debug, Default)]
pub(super) struct OneCluster {
    /// Jobs of this search, in the order in which they are tried.
    jobs: Vec<Job>,
    /// Their numbers in the whole instance.
    numbers: Vec<usize>,
    /// Jobs that are identical to the job before them.
    twins: u64,
    capacity: i64,
    deadline: i64,
    /// Start and end of each job started.
    starts: Vec<i64>,
    ends: Vec<i64>,
    /// Latest start of each job.
    latest: Vec<i64>,
    weights: Vec<Weights>,
    /// Distinct releases in ascending order, and for each the slack of each weight from it on.
    releases: Vec<i64>,
    later_slack: Vec<[i128; LAYERS]>,
    /// Failed moments by the set of jobs not yet started.
    failed: FxHashMap<u64, Vec<Failed>>,
    /// Number of failed moments.
    remembered: usize,
    /// Number of nodes at which this search begins to remember.
    remember_from: u64,
    timeline: Timeline,
}

/// A moment from which the deadline cannot be kept.
#[derive(Debug)]
struct Failed {
    time: i64,
    /// Jobs that run then, and their ends.
    running: Box<[(u32, i64)]>,
}

/// A point of the search: a time, and the jobs started so far.
#[derive(Clone, Copy, Debug)]
struct Moment {
    time: i64,
    /// Jobs not yet started.
    remaining: u64,
    /// Jobs started that end later than `time`.
    running: u64,
    /// Idle processors.
    free: i64,
    /// Jobs that may start at `time` and have not been decided on.
    open: u64,
    /// The next start is earlier than this.
    next_before: i64,
    /// Slack of each weight.
    slack: [i128; LAYERS],
}

/// Iterates over the members of a set.
pub(super) fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let member = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (member < 64).then_some(member)
    })
}

impl OneCluster {
    /// Schedules the jobs of `set` on `capacity` processors by the deadline. Each fits, and ends by
    /// the deadline if it starts at its release.
    pub(super) fn search(
        &mut self,
        all: &[Job],
        set: u64,
        capacity: i64,
        deadline: i64,
        budget: &mut Budget,
    ) -> Answer {
        (self.capacity, self.deadline) = (capacity, deadline);
        self.load(all, set);
        if !self.has_area() {
            return Answer::Impossible;
        }
        if let Some(makespan) = self.by_list() {
            return Answer::Schedule(makespan);
        }
        match weights::choose(&self.jobs, capacity, deadline, &self.releases) {
            Some(weights) => self.weights = weights,
            None => return Answer::Impossible,
        }
        self.later_slack.clear();
        for &rho in &self.releases {
            let mut slack = [0; LAYERS];
            for (slack, weights) in slack.iter_mut().zip(&self.weights) {
                *slack = weights.slack(&self.jobs, deadline, rho);
            }
            self.later_slack.push(slack);
        }
        self.bound_starts();
        if self.jobs.iter().zip(&self.latest).any(|(job, &latest)| job.release > latest) {
            return Answer::Impossible;
        }
        self.failed.clear();
        self.remembered = 0;
        self.remember_from = budget.nodes + NODES_BEFORE_MEMORY;
        let time = self.releases[0];
        let remaining = u64::MAX >> (64 - self.jobs.len());
        let moment = Moment {
            time,
            remaining,
            running: 0,
            free: capacity,
            open: self.where_job(remaining, |job| job.release == time),
            next_before: i64::MAX,
            slack: self.later_slack[0],
        };
        self.start_jobs(moment, budget)
    }

    /// Returns job numbers and starts of the schedule found last.
    pub(super) fn schedule(&self) -> impl Iterator<Item = (usize, i64)> + '_ {
        self.numbers.iter().copied().zip(self.starts.iter().copied())
    }

    /// Takes up the jobs of a search.
    fn load(&mut self, all: &[Job], set: u64) {
        self.numbers.clear();
        self.numbers.extend(members(set));
        self.numbers.sort_unstable_by_key(|&j| {
            let job = &all[j];
            (std::cmp::Reverse(job.length), std::cmp::Reverse(job.size), job.release, j)
        });
        self.jobs.clear();
        self.jobs.extend(self.numbers.iter().map(|&j| all[j]));
        self.twins = 0;
        for (j, pair) in self.jobs.windows(2).enumerate() {
            self.twins |= u64::from(pair[0] == pair[1]) << (j + 1);
        }
        self.releases.clear();
        self.releases.extend(self.jobs.iter().map(|job| job.release));
        self.releases.sort_unstable();
        self.releases.dedup();
        self.starts.clear();
        self.starts.resize(self.jobs.len(), 0);
        self.ends.clear();
        self.ends.resize(self.jobs.len(), 0);
    }

    /// Sets the latest start of each job.
    fn bound_starts(&mut self) {
        let deadline = self.deadline;
        self.latest.clear();
        self.latest.extend(self.jobs.iter().map(|job| deadline.min(job.due) - job.length));
        let has_due_times = self.jobs.iter().any(|job| job.due < deadline);
        if let [rho] = self.releases[..]
            && !has_due_times
        {
            // The longest job is the first; twins start in order.
            self.latest[0] = rho + (self.latest[0] - rho) / 2;
        }
    }

    /// Returns whether the area of the jobs fits before the deadline.
    fn has_area(&self) -> bool {
        self.releases.iter().all(|&rho| {
            let later = self.jobs.iter().filter(|job| job.release >= rho);
            let area: i128 = later.map(Job::area).sum();
            area <= i128::from(self.capacity) * i128::from(self.deadline - rho)
        })
    }

    /// Tries list schedules: longest first, then in the order of the instance.
    fn by_list(&mut self) -> Option<i64> {
        let mut order: Vec<usize> = (0..self.jobs.len()).collect();
        for attempt in 0..2 {
            if attempt == 1 {
                order.sort_unstable_by_key(|&j| self.numbers[j]);
            }
            self.timeline.clear();
            let mut makespan = 0;
            let mut is_kept = true;
            for &j in &order {
                let start = self.timeline.earliest(&self.jobs[j], self.capacity);
                self.timeline.place(&self.jobs[j], start);
                self.starts[j] = start;
                makespan = makespan.max(start + self.jobs[j].length);
                is_kept &= start + self.jobs[j].length <= self.jobs[j].due;
            }
            if is_kept && makespan <= self.deadline {
                return Some(makespan);
            }
        }
        None
    }

    /// Returns the members of `set` for which `holds` is true.
    fn where_job(&self, set: u64, holds: impl Fn(&Job) -> bool) -> u64 {
        members(set).filter(|&j| holds(&self.jobs[j])).fold(0, |found, j| found | 1 << j)
    }

    /// Starts each choice of the open jobs, then lets time pass.
    fn start_jobs(&mut self, at: Moment, budget: &mut Budget) -> Answer {
        if at.remaining == 0 {
            return Answer::Schedule(self.ends.iter().copied().max().unwrap_or(0));
        }
        if !budget.spend() {
            return Answer::Stopped;
        }
        for j in members(at.open) {
            let (size, bit) = (self.jobs[j].size, 1 << j);
            let twin_waits = self.twins & bit != 0 && at.remaining & (bit >> 1) != 0;
            if size > at.free || twin_waits {
                continue;
            }
            self.starts[j] = at.time;
            self.ends[j] = at.time + self.jobs[j].length;
            if self.reserve(j, at.time) {
                let next = Moment {
                    remaining: at.remaining & !bit,
                    running: at.running | bit,
                    free: at.free - size,
                    open: at.open & !(bit | (bit - 1)),
                    next_before: i64::MAX,
                    ..at
                };
                let answer = self.start_jobs(next, budget);
                if answer != Answer::Impossible {
                    return answer;
                }
            }
            self.release(j, at.time);
        }
        self.pass_time(at, budget)
    }

    /// Takes the area of job `j` after later releases from their slack. Returns whether none is
    /// negative.
    fn reserve(&mut self, j: usize, now: i64) -> bool {
        let mut kept = true;
        for (&rho, slack) in self.releases.iter().zip(&mut self.later_slack) {
            if now < rho && rho < self.ends[j] {
                for (slack, weights) in slack.iter_mut().zip(&self.weights) {
                    *slack -= i128::from(weights.of[j]) * i128::from(self.ends[j] - rho);
                    kept &= *slack >= 0;
                }
            }
        }
        kept
    }

    /// Undoes [`OneCluster::reserve`].
    fn release(&mut self, j: usize, now: i64) {
        for (&rho, slack) in self.releases.iter().zip(&mut self.later_slack) {
            if now < rho && rho < self.ends[j] {
                for (slack, weights) in slack.iter_mut().zip(&self.weights) {
                    *slack += i128::from(weights.of[j]) * i128::from(self.ends[j] - rho);
                }
            }
        }
    }

    /// Lets time pass to the next moment at which a job may start, and continues there.
    fn pass_time(&mut self, mut at: Moment, budget: &mut Budget) -> Answer {
        loop {
            let mut next = i64::MAX;
            for k in members(at.remaining) {
                let job = &self.jobs[k];
                if job.release > at.time {
                    next = next.min(job.release);
                } else if job.size <= at.free {
                    at.next_before = at.next_before.min(at.time + job.length);
                }
            }
            for j in members(at.running) {
                next = next.min(self.ends[j]);
            }
            // With nothing to wait for, each job left could have started before.
            if next >= at.next_before || next == i64::MAX {
                return Answer::Impossible;
            }
            for (slack, weights) in at.slack.iter_mut().zip(&self.weights) {
                let busy: i64 = members(at.running).map(|j| weights.of[j]).sum();
                *slack -= i128::from(weights.capacity - busy) * i128::from(next - at.time);
                if *slack < 0 {
                    return Answer::Impossible;
                }
            }
            let free_before = at.free;
            at.time = next;
            for j in members(at.running) {
                if self.ends[j] == next {
                    at.running &= !(1 << j);
                    at.free += self.jobs[j].size;
                }
            }
            if !self.can_end_in_time(&at) {
                return Answer::Impossible;
            }
            at.open = self.where_job(at.remaining, |job| {
                job.release == next || (job.release < next && job.size > free_before)
            });
            if members(at.open).any(|k| self.jobs[k].size <= at.free) {
                break;
            }
        }
        let remember = budget.nodes >= self.remember_from;
        if remember && self.is_dominated(&at) {
            return Answer::Impossible;
        }
        let answer = self.start_jobs(at, budget);
        if remember && answer == Answer::Impossible {
            self.remember(&at);
        }
        answer
    }

    /// Returns whether each job left meets the deadline if it starts as soon as the running jobs
    /// leave it room.
    fn can_end_in_time(&self, at: &Moment) -> bool {
        members(at.remaining).all(|k| {
            let job = &self.jobs[k];
            let latest = self.latest[k];
            if at.time > latest {
                return false;
            }
            // Jobs that still run after the latest start must leave room beside them.
            let blocking =
                members(at.running).filter(|&j| self.ends[j] > latest).map(|j| self.jobs[j].size);
            job.size + blocking.sum::<i64>() <= self.capacity
        })
    }

    /// Returns whether a moment that failed was no worse than this one.
    fn is_dominated(&self, at: &Moment) -> bool {
        self.failed.get(&at.remaining).is_some_and(|failed| {
            failed.iter().any(|earlier| {
                earlier.time <= at.time
                    && earlier
                        .running
                        .iter()
                        .all(|&(j, end)| end <= at.time.max(self.ends[j as usize]))
            })
        })
    }

    /// Adds a moment to the failed ones.
    fn remember(&mut self, at: &Moment) {
        let running = members(at.running).map(|j| (j as u32, self.ends[j])).collect();
        let failed = self.failed.entry(at.remaining).or_default();
        if failed.len() < MOMENTS_PER_SET && self.remembered < MOST_MOMENTS {
            self.remembered += 1;
            failed.push(Failed { time: at.time, running });
        }
    }
}
