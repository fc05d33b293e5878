//! Conservative backfilling (Mualem and Feitelson 2001): every job gets a reservation when it is
//! submitted, and no later job may push it back.
//!
//! At a completion the reservations are *compressed* first: one pass over the waiting jobs in order
//! of submission moves each to its earliest feasible start, never to a later one. Then each new job
//! reserves the earliest interval in which its processors are free for its expected runtime.
//! Finally the jobs reserved for now start.
//!
//! A pass after a completion exactly at the expected time finds nothing if the previous pass moved
//! nothing, and is skipped. Once a job outruns its expected runtime the plan is void: at every
//! submission or completion while a job is overdue, and at the first one after, all reservations
//! are made again in order of submission. The same happens when a prediction is corrected.
//!
//! A job with an expected runtime of zero is given one tick; otherwise any number of such jobs
//! could be reserved on the same processors.
//!
//! After an early completion, a large part of a long queue moves, so a decision is linear in the
//! number of waiting jobs. With a long queue an index of the times at which processors became free
//! tells which jobs may move and from when on to search, so the cost of a job hardly depends on the
//! length of the plan. With a short queue the search passes over all steps before the reservation.

use serde::{Deserialize, Serialize};

use super::ends::{End, Ends};
use super::gains::{Gains, class};
use super::{LocalScheduler, Reason, Reserved, Setup};
use kernel::state_of_fields;
use kernel::time::{Span, Time};
use model::bounds::parameters;
use model::ids::JobId;
use model::jobs::Running;
use model::profile::Profile;
use model::view::{Blind, Expected, Submission};

parameters! {
    /// Parameters of conservative backfilling: none. A job with an expected runtime of zero reserves
    /// its processors for one tick.
    #[serde(default)]
    pub struct Options {}
}

/// Number of waiting jobs from which on an index tells which of them may move. For fewer it costs
/// about what it saves.
const LONG: usize = 512;

/// A waiting job and its reservation.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Waiting {
    id: JobId,
    processors: u32,
    expected: Span,
    /// Reserved start; `NEVER` for a job submitted since the last decision, and for one pushed
    /// beyond the end of time by the expected runtimes of those before it.
    start: Time,
}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct Conservative {
    processors: u32,
    profile: Profile,
    running: Ends,
    /// In order of submission; jobs without a reservation come last.
    waiting: Vec<Waiting>,
    /// Number of jobs without a reservation.
    fresh: usize,
    /// True if a job finished or its prediction was corrected since the last decision.
    ended: bool,
    /// Since each job was last checked, processors became free only before this time; so a job can
    /// only move to an earlier start than this.
    gained: Time,
    /// Where processors became free since each job was last checked, if `is_indexed`; and since this
    /// pass, for the next one.
    gains: Gains,
    next_gains: Gains,
    is_indexed: bool,
    /// Number of waiting jobs from which on there is an index.
    long: usize,
    /// True if a job was overdue when the plan was made, so the plan is void at the next decision.
    drifting: bool,
    /// Earliest reservation, as long as the plan holds.
    next_start: Time,
}

state_of_fields!(Conservative {
    profile,
    running,
    waiting,
    fresh,
    ended,
    gained,
    drifting,
    next_start
});

impl Conservative {
    /// An empty plan for a cluster.
    pub fn new(_: &Options, setup: &Setup) -> Conservative {
        Conservative {
            processors: setup.processors,
            profile: Profile::new(setup.processors, Time::ZERO),
            running: Ends::default(),
            waiting: Vec::new(),
            fresh: 0,
            ended: false,
            gained: Time::ZERO,
            gains: Gains::default(),
            next_gains: Gains::default(),
            is_indexed: false,
            long: LONG,
            drifting: false,
            next_start: Time::NEVER,
        }
    }

    /// One pass in order of submission that moves each job to its earliest feasible start.
    ///
    /// A job was at its earliest feasible start when last checked. Processors taken since cannot
    /// give it an earlier one. Processors released since can, but then its new interval begins
    /// before the end of a released one. With a long queue, `gains` knows the releases more exactly.
    fn compress(&mut self, now: Time) {
        let reserved = self.waiting.len() - self.fresh;
        // An interval released by a move is a gain for later jobs in this pass, and for earlier
        // ones in the next.
        let mut next_pass = Time::ZERO;
        let is_long = reserved >= self.long;
        let is_indexed = is_long && self.is_indexed;
        if is_long {
            self.next_gains.clear(now, self.profile.last(), reserved / 32);
        }
        for job in &mut self.waiting[..reserved] {
            let (from, length) = (job.start, job.expected);
            let since = match is_indexed {
                true => match self.gains.first(class(job.processors), length, from) {
                    Some(since) => since.max(now),
                    None => continue,
                },
                false => now,
            };
            let latest = self.gained.min(from);
            let earlier = self.profile.earliest_onto(from, latest, since, job.processors, length);
            if let Some(to) = earlier {
                let (end, left) = (to.saturating_add(length), from.saturating_add(length));
                self.profile.shift(from, to, job.processors, length);
                if is_long {
                    let tell = |class, from, until| {
                        if is_indexed {
                            self.gains.add(class, from, until);
                        }
                        self.next_gains.note(class, from, until);
                    };
                    self.profile.gained(from.max(end), left, job.processors, tell);
                }
                job.start = to;
                self.gained = self.gained.max(left);
                next_pass = next_pass.max(left);
            }
        }
        self.gained = next_pass;
        self.is_indexed = is_long;
        if is_long {
            self.next_gains.settle();
            std::mem::swap(&mut self.gains, &mut self.next_gains);
        }
    }

    /// Rebuilds the whole plan.
    fn replan(&mut self, now: Time) {
        self.profile.reset(self.processors, now);
        for end in self.running.from(now) {
            self.profile.take(now, end.at, end.processors);
        }
        self.fresh = self.waiting.len();
        self.gained = Time::ZERO;
        self.is_indexed = false;
    }

    fn reserve_fresh(&mut self, now: Time) {
        let reserved = self.waiting.len() - self.fresh;
        for job in &mut self.waiting[reserved..] {
            job.start = self.profile.earliest(now, job.processors, job.expected);
            let end = job.start.saturating_add(job.expected);
            self.profile.take(job.start, end, job.processors);
            self.next_start = self.next_start.min(job.start);
        }
        self.fresh = 0;
    }

    fn find_next_start(&mut self) {
        let starts = self.waiting.iter().map(|job| job.start);
        self.next_start = starts.min().unwrap_or(Time::NEVER);
    }
}

impl LocalScheduler for Conservative {
    type Sees = Expected;

    fn submit(&mut self, job: Expected, _: Time) {
        let Expected { job, expected } = job;
        let (id, processors) = (job.id, job.processors);
        let expected = expected.max(Span::TICK);
        self.waiting.push(Waiting { id, processors, expected, start: Time::NEVER });
        self.fresh += 1;
    }

    fn finish(&mut self, job: Expected, started: Time, now: Time) {
        let end = started.saturating_add(job.expected.max(Span::TICK));
        self.running.remove(end, job.job.id);
        self.ended = true;
        if end < now {
            // It outran its expected runtime, perhaps without a decision in between.
            self.drifting = true;
        }
        if end > now {
            self.profile.advance(now);
            self.profile.give(now, end, job.job.processors);
            self.gained = self.gained.max(end);
            if self.is_indexed {
                let gains = &mut self.gains;
                let tell = |class, from, until| gains.add(class, from, until);
                self.profile.gained(now, end, job.job.processors, tell);
            }
        }
    }

    fn runs(&mut self, job: Expected, started: Time) {
        let Blind { id, processors, .. } = job.job;
        let at = started.saturating_add(job.expected.max(Span::TICK));
        self.running.add(End { at, id, processors });
        self.drifting = true;
    }

    fn corrected(&mut self, before: Expected, after: Expected, started: Time) {
        let Blind { id, processors, .. } = before.job;
        let end = |expected: Span| started.saturating_add(expected.max(Span::TICK));
        self.running.remove(end(before.expected), id);
        self.running.add(End { at: end(after.expected), id, processors });
        self.ended = true;
        self.drifting = true;
    }

    fn withdraw(&mut self, job: JobId) {
        let Some(place) = self.waiting.iter().position(|waiting| waiting.id == job) else {
            return;
        };
        let is_fresh = place >= self.waiting.len() - self.fresh;
        let gone = self.waiting.remove(place);
        if is_fresh {
            self.fresh -= 1;
        } else {
            // The plan may lie slightly in the past; rebuilding it avoids that problem.
            self.drifting = true;
            if gone.start == self.next_start {
                self.find_next_start();
            }
        }
    }

    fn decide(&mut self, now: Time, _: u32, _: Running<'_, Expected>, start: &mut Vec<JobId>) {
        self.profile.advance(now);
        let overdue = self.running.overdue(now);
        let ended = std::mem::take(&mut self.ended);
        let happened = ended || self.fresh > 0;
        if overdue && !happened {
            // The reservation behind this wake counted on a job that is overdue.
            self.drifting = true;
            self.next_start = Time::NEVER;
            return;
        }
        if overdue || self.drifting {
            self.replan(now);
            self.next_start = Time::NEVER;
        } else if ended && self.gained > now {
            self.compress(now);
            self.find_next_start();
        }
        self.drifting = overdue;
        self.reserve_fresh(now);
        if self.next_start == now {
            let running = &mut self.running;
            self.waiting.retain(|job| {
                let starts = job.start == now;
                if starts {
                    let at = now.saturating_add(job.expected);
                    running.add(End { at, id: job.id, processors: job.processors });
                    start.push(job.id);
                }
                !starts
            });
            self.find_next_start();
        }
        if overdue {
            // Jobs that wait for an overdue job are checked again at the next completion or
            // submission.
            self.next_start = Time::NEVER;
        }
    }

    fn wake(&self) -> Option<Time> {
        (self.next_start != Time::NEVER).then_some(self.next_start)
    }

    fn reasons(
        &self,
        now: Time,
        free: u32,
        _: Running<'_, Submission>,
        tell: &mut dyn FnMut(JobId, Reason),
    ) {
        let plan = Plan::of(self);
        for job in &self.waiting {
            let start = Some(job.start).filter(|&start| start > now && start != Time::NEVER);
            if job.processors > free {
                let after = start.and_then(|start| plan.ends_at(start));
                tell(job.id, Reason::Processors { start, after });
                continue;
            }
            let overdue = self.running.first_overdue(now).filter(|_| job.start <= now);
            if let Some((job_overdue, due)) = overdue {
                tell(job.id, Reason::Overdue { job: job_overdue, due });
                continue;
            }
            let until = now.saturating_add(job.expected).min(job.start);
            let lack = self.profile.first_lack(now, until, job.processors);
            let holder = lack.and_then(|at| plan.holder(at, job.id));
            tell(job.id, Reason::Reservation { holder, start, extra: None });
        }
    }
}

/// The reservations in order of time, to find the jobs that block others.
struct Plan<'a> {
    /// Waiting jobs by start, ties by submission.
    starts: Vec<&'a Waiting>,
    /// Expected ends: of running jobs, then of waiting ones.
    ends: Vec<(Time, JobId)>,
}

impl Plan<'_> {
    fn of(scheduler: &Conservative) -> Plan<'_> {
        let mut starts: Vec<&Waiting> = scheduler.waiting.iter().collect();
        starts.sort_by_key(|job| job.start);
        let running = scheduler.running.iter().map(|end| (end.at, end.id));
        let waiting = scheduler.waiting.iter();
        let mut ends: Vec<(Time, JobId)> = running
            .chain(waiting.map(|job| (job.start.saturating_add(job.expected), job.id)))
            .collect();
        ends.sort_by_key(|&(at, _)| at);
        Plan { starts, ends }
    }

    /// The first job expected to end at this time.
    fn ends_at(&self, time: Time) -> Option<JobId> {
        let first = self.ends.partition_point(|&(at, _)| at < time);
        self.ends.get(first).filter(|&&(at, _)| at == time).map(|&(_, id)| id)
    }

    /// The last-starting other job that has processors reserved at `time`.
    fn holder(&self, time: Time, but: JobId) -> Option<Reserved> {
        let begun = self.starts.partition_point(|job| job.start <= time);
        let covers = |job: &&&Waiting| job.start.saturating_add(job.expected) > time;
        let mut others = self.starts[..begun].iter().rev().filter(|job| job.id != but);
        others.find(covers).map(|job| Reserved { job: job.id, due: job.start })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use kernel::rng::Streams;
    use kernel::time::LIMIT_TICKS;
    use model::ids::OrganizationId;

    /// Starts of the jobs of a stream (time to the next one, processors, runtime, expected runtime).
    fn starts(jobs: &[(i64, u32, i64, i64)], long: usize) -> Vec<(u32, Time)> {
        let setup = Setup { name: "c", processors: 20, streams: &Streams::new(1) };
        let mut scheduler = Conservative { long, ..Conservative::new(&Options {}, &setup) };
        let (mut next, mut submit, mut free) = (0, Time::ZERO, 20);
        let mut ends: Vec<(Time, Expected, Time)> = Vec::new();
        let mut all = Vec::new();
        let mut told: Vec<Expected> = Vec::new();
        loop {
            let first_end = ends.iter().map(|end| end.0).min().unwrap_or(Time::NEVER);
            let arrival = if next < jobs.len() { submit } else { Time::NEVER };
            let now = first_end.min(arrival).min(scheduler.wake().unwrap_or(Time::NEVER));
            if now == Time::NEVER {
                return all;
            }
            ends.retain(|&(end, job, started)| {
                if end == now {
                    free += job.job.processors;
                    scheduler.finish(job, started, now);
                }
                end > now
            });
            while next < jobs.len() && submit == now {
                let (gap, processors, _, expected) = jobs[next];
                let id = JobId(next as u32);
                let organization = OrganizationId(0);
                let job = Blind { id, submit, processors, user: 0, organization };
                let job = Expected { job, expected: Span::from_ticks(expected) };
                told.push(job);
                scheduler.submit(job, now);
                next += 1;
                submit += Span::from_ticks(gap);
            }
            let mut start = Vec::new();
            scheduler.decide(now, free, Running::none(), &mut start);
            for id in start {
                let job = told[id.index()];
                free -= job.job.processors;
                let runtime = Span::from_ticks(jobs[id.index()].2.max(1));
                ends.push((now + runtime, job, now));
                all.push((id.0, now));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// With an index from the first job on, from some length of the queue on, and without one.
        #[test]
        fn an_index_changes_no_start(
            jobs in proptest::collection::vec((0_i64..30, 1_u32..=20, 1_i64..100, 0_i64..60), 1..400),
            more in 0_i64..2,
        ) {
            // A job may outrun its expected runtime, where that is not added to.
            let jobs: Vec<_> = jobs
                .into_iter()
                .map(|(gap, processors, runtime, longer)| {
                    let late = more == 0 && longer % 16 == 1;
                    let expected = if late { runtime / 2 } else { runtime + longer };
                    (gap, processors, runtime, expected)
                })
                .collect();
            let plain = starts(&jobs, usize::MAX);
            prop_assert_eq!(plain.len(), jobs.len());
            prop_assert_eq!(&starts(&jobs, 0), &plain);
            prop_assert_eq!(&starts(&jobs, 20), &plain);
        }
    }

    /// Twelve times the longest estimate exceeds the range of times.
    #[test]
    fn reservations_beyond_the_end_of_time_wait_for_room() {
        let setup = Setup { name: "c", processors: 1, streams: &Streams::new(1) };
        let mut scheduler = Conservative::new(&Options {}, &setup);
        let organization = OrganizationId(0);
        let job = |id| Expected {
            job: Blind { id: JobId(id), submit: Time::ZERO, processors: 1, user: 0, organization },
            expected: Span::from_ticks(LIMIT_TICKS),
        };
        (0..12).for_each(|id| scheduler.submit(job(id), Time::ZERO));
        for id in 0..12_u32 {
            let now = Time::from_ticks(id.into());
            let mut start = Vec::new();
            scheduler.decide(now, 1, Running::none(), &mut start);
            assert_eq!(start, [JobId(id)]);
            scheduler.finish(job(id), now, now + Span::TICK);
        }
        assert_eq!(scheduler.wake(), None);
    }
}
