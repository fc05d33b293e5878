//! Conservative backfilling (Mualem and Feitelson 2001): every job gets a reservation when it is
//! submitted, and no later job may push it back.
//!
//! At a completion the reservations are *compressed* first: one pass over the waiting jobs in the
//! order of submission moves each to its earliest feasible start, never to a later one. Then each
//! new job reserves the earliest interval in which its processors are free for its expected length;
//! then what is reserved for now starts.
//!
//! A pass after a completion that came exactly when expected finds nothing if the pass before it
//! moved nothing, and is left out. When a job outruns its expected length the plan is void: at
//! every submission or completion while one is overdue, and at the first after, all reservations
//! are made anew in the order of submission.
//!
//! A job that is expected to take no time is expected to take a tick: else any number of them would
//! be reserved on the same processors.
//!
//! A decision is linear in the number of waiting jobs times the steps of the profile before each
//! one's start; a submission is linear in the steps up to its reservation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ends::{End, Ends};
use super::{LocalScheduler, Reason, Reserved, Setup};
use crate::kernel::time::{Span, Time};
use crate::model::ids::JobId;
use crate::model::jobs::Running;
use crate::model::profile::Profile;
use crate::model::view::{Expected, Submission};
use crate::state_of_fields;

/// Parameters of conservative backfilling: none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Options {}

/// A waiting job and its reservation.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Waiting {
    id: JobId,
    processors: u32,
    expected: Span,
    /// `NEVER` for one that was submitted since the last decision, and for one that the expected
    /// lengths of those before it push beyond the end of time.
    start: Time,
}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct Conservative {
    processors: u32,
    profile: Profile,
    running: Ends,
    /// In the order of submission; those without a reservation come last.
    waiting: Vec<Waiting>,
    /// How many of them have no reservation yet.
    fresh: usize,
    /// A job ended since the last decision.
    ended: bool,
    /// Processors became free, since each job was last looked at, only before this time; so a job
    /// can move only to a start before it.
    gained: Time,
    /// A job was overdue when the plan was made, so the plan is void at the next decision.
    drifting: bool,
    /// The earliest reservation, as long as the plan holds.
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
            drifting: false,
            next_start: Time::NEVER,
        }
    }

    /// One pass in the order of submission, each job to its earliest feasible start.
    ///
    /// A job was at its earliest feasible start when it was last looked at. What others took since
    /// cannot give it an earlier one; what they left can, but then its new interval begins before
    /// the end of what they left.
    fn compress(&mut self, now: Time) {
        let reserved = self.waiting.len() - self.fresh;
        // What a move leaves is a gain for the later jobs in this pass, for the earlier ones in the
        // next.
        let mut next_pass = Time::ZERO;
        for job in &mut self.waiting[..reserved] {
            let (from, length) = (job.start, job.expected);
            let latest = self.gained.min(from);
            let earlier = self.profile.earliest_onto(from, latest, now, job.processors, length);
            if let Some(to) = earlier {
                let (end, left) = (to.saturating_add(length), from.saturating_add(length));
                self.profile.give(from.max(end), left, job.processors);
                self.profile.take(to, end.min(from), job.processors);
                job.start = to;
                self.gained = self.gained.max(left);
                next_pass = next_pass.max(left);
            }
        }
        self.gained = next_pass;
    }

    /// Makes the whole plan anew.
    fn replan(&mut self, now: Time) {
        self.profile.reset(self.processors, now);
        for end in self.running.from(now) {
            self.profile.take(now, end.at, end.processors);
        }
        self.fresh = self.waiting.len();
        self.gained = Time::ZERO;
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
            // It outran its expected length, perhaps without a decision meanwhile.
            self.drifting = true;
        }
        if end > now {
            self.profile.advance(now);
            self.profile.give(now, end, job.job.processors);
            self.gained = self.gained.max(end);
        }
    }

    fn withdraw(&mut self, job: JobId) {
        let Some(place) = self.waiting.iter().position(|waiting| waiting.id == job) else {
            return;
        };
        let is_fresh = place >= self.waiting.len() - self.fresh;
        self.waiting.remove(place);
        if is_fresh {
            self.fresh -= 1;
        } else {
            // The plan may lie a little in the past; making it anew needs no care for that.
            self.drifting = true;
        }
    }

    fn decide(&mut self, now: Time, _: u32, _: Running<'_, Expected>, start: &mut Vec<JobId>) {
        self.profile.advance(now);
        let overdue = self.running.overdue(now);
        let ended = std::mem::take(&mut self.ended);
        let happened = ended || self.fresh > 0;
        if overdue && !happened {
            // The reservation that woke us counted on a job that is overdue.
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
            // What waits for an overdue job is looked at again when something ends or comes.
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

/// The reservations by time, to tell who stands against whom.
struct Plan<'a> {
    /// By start; equal ones in the order of submission.
    starts: Vec<&'a Waiting>,
    /// Expected ends: of those who run, then of those who wait.
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

    /// The first job that is expected to end then.
    fn ends_at(&self, time: Time) -> Option<JobId> {
        let first = self.ends.partition_point(|&(at, _)| at < time);
        self.ends.get(first).filter(|&&(at, _)| at == time).map(|&(_, id)| id)
    }

    /// Of the others who have processors reserved at `time`, the one that starts last.
    fn holder(&self, time: Time, but: JobId) -> Option<Reserved> {
        let begun = self.starts.partition_point(|job| job.start <= time);
        let covers = |job: &&&Waiting| job.start.saturating_add(job.expected) > time;
        let mut others = self.starts[..begun].iter().rev().filter(|job| job.id != but);
        others.find(covers).map(|job| Reserved { job: job.id, due: job.start })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::rng::Streams;
    use crate::kernel::time::LIMIT_TICKS;
    use crate::model::ids::OrganizationId;
    use crate::model::view::Blind;

    /// Twelve times the longest estimate is more than there is of time.
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
