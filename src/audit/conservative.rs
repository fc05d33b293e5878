//! Conservative backfilling by definition: every job has a reservation that no other job may delay.
//!
//! At an instant with a completion, the waiting jobs move to their earliest feasible start if that
//! is earlier, in order of submission. Then each job submitted now gets the earliest start that
//! leaves all reservations unchanged; then the jobs reserved for now start.
//!
//! A running job that has outrun its expected runtime is expected to end in one tick, and
//! reservations based on earlier expectations are void. At an instant at which such a job runs, or
//! has just ended, all waiting jobs get new reservations in order of submission; again when a
//! started job ends at once while such a job is still running; and whenever a prediction is
//! corrected. Schedulers are only called at submissions, completions and corrections, so a
//! reservation for a tick without any of these is not acted upon. A job with an expected runtime of
//! zero is given one tick.
//!
//! Reservations depend on history, which the facts do not record: after the first instant at which
//! other jobs start than in the replay, a cluster is not judged any further.
//!
//! One observation makes this fast. A job was at its earliest feasible start when last checked, and
//! processors taken since cannot give it an earlier one. So if it can move now, its new interval
//! overlaps a release since then. `released` is an upper bound for the ends of these releases, and
//! only starts before it are tried. The literal form, without this, is among the tests
//! (`audit::literal`), and both are compared on random schedules.

use std::collections::BTreeMap;

use super::availability::Availability;
use super::correction;
use super::facts::{Clairvoyance, Settings};
use super::report::Check;
use super::scene::{Instant, Replayed, Scene};
use kernel::time::{Span, Time};

/// A waiting job and its reservation.
#[derive(Clone, Copy, Debug)]
struct Waits {
    slot: usize,
    size: i64,
    /// Expected runtime, at least one tick.
    length: Span,
    reserved: Time,
}

/// The reservations of a cluster.
pub(super) struct Book {
    processors: i64,
    clairvoyance: Clairvoyance,
    /// True if expected runtimes of running jobs are corrected.
    corrects: bool,
    /// Waiting jobs in order of submission.
    waiting: Vec<Waits>,
    /// Running jobs: slot and processors, by expected end and submission index.
    running: BTreeMap<(Time, u64), (usize, i64)>,
    /// Expected end of each running job, by slot.
    ends: Vec<Option<Time>>,
    /// Processors that are neither in use nor reserved.
    available: Availability,
    /// Since all reservations were last checked, releases ended at or before this time.
    released: Time,
    /// Earliest reservation.
    next: Time,
}

impl Book {
    pub fn new(processors: u32, settings: &Settings) -> Book {
        let processors = i64::from(processors);
        Book {
            processors,
            clairvoyance: settings.clairvoyance,
            corrects: settings.corrects,
            waiting: Vec::new(),
            running: BTreeMap::new(),
            ends: Vec::new(),
            available: Availability::of(Time::ZERO, processors, std::iter::empty()),
            released: Time::ZERO,
            next: Time::NEVER,
        }
    }

    /// Replays an instant and compares; false if nothing more can be judged.
    pub fn judge(&mut self, scene: &Scene<'_>, instant: &Instant, checks: &mut Replayed) -> bool {
        let starts = self.starts(scene, instant);
        if starts == instant.started {
            return true;
        }
        let differs = differ(&starts, &instant.started);
        if differs {
            self.tell(scene, instant, &starts, &mut checks.queue);
        } else {
            tell_order(scene, instant, &starts, &mut checks.numbering);
        }
        !differs
    }

    /// The jobs that start at an instant, in order.
    fn starts(&mut self, scene: &Scene<'_>, instant: &Instant) -> Vec<usize> {
        let mut starts = Vec::new();
        if instant.is_idle() {
            return starts;
        }
        let now = instant.time;
        self.available.advance(now);
        let mut is_void = self.next < now;
        for &job in &instant.completed {
            is_void |= self.complete(scene, job, now);
        }
        if instant.corrects {
            self.correct(scene, now);
        }
        if is_void || instant.corrects || self.is_overdue(now) {
            self.reserve_anew(now);
        } else if !instant.completed.is_empty() {
            self.compress(now);
        }
        for &job in &instant.submitted {
            self.reserve(scene, job, now);
        }
        while self.next == now {
            let before = starts.len();
            self.take_due(scene, now, &mut starts);
            let mut has_ended = false;
            for &job in &starts[before..] {
                if scene.alive.job(job).execution(scene.cluster) == Span::ZERO {
                    has_ended = true;
                    self.complete(scene, job, now);
                }
            }
            if has_ended && self.is_overdue(now) {
                self.reserve_anew(now);
            } else if has_ended {
                self.compress(now);
            }
        }
        starts
    }

    /// True if a job is still running past its expected end.
    fn is_overdue(&self, now: Time) -> bool {
        self.running.first_key_value().is_some_and(|(&(end, _), _)| end <= now)
    }

    /// Postpones the expected end of overdue jobs.
    fn correct(&mut self, scene: &Scene<'_>, now: Time) {
        let later = self.running.split_off(&(now + Span::TICK, 0));
        for ((end, place), (slot, size)) in std::mem::replace(&mut self.running, later) {
            let job = scene.alive.job(slot);
            let end = match job.start.filter(|_| self.corrects) {
                Some(start) => {
                    let length = job.expectation(self.clairvoyance).unwrap_or(Span::ZERO);
                    let length = length.max(Span::TICK);
                    correction::told_end(start, length, job.requested, now, true)
                }
                None => end,
            };
            self.ends[slot] = Some(end);
            self.running.insert((end, place), (slot, size));
        }
    }

    /// Removes a completed job; true if it had outrun its expected runtime.
    fn complete(&mut self, scene: &Scene<'_>, job: usize, now: Time) -> bool {
        let Some(end) = self.ends.get_mut(job).and_then(Option::take) else { return false };
        let (_, size) = self.running.remove(&(end, scene.alive.place(job))).unwrap_or_default();
        if end > now {
            self.available.change(now, end, size);
            self.released = self.released.max(end);
        }
        end < now
    }

    /// Moves each waiting job to its earliest feasible start, never to a later one.
    fn compress(&mut self, now: Time) {
        let mut released = Time::ZERO;
        let mut peak = None;
        for job in &mut self.waiting {
            let latest = self.released.min(job.reserved);
            if latest <= now {
                continue;
            }
            let peak_now = *peak.get_or_insert_with(|| self.available.peak(now, self.released));
            if job.size > peak_now {
                continue;
            }
            let (from, length) = (job.reserved, job.length);
            let earlier = self.available.earliest(now, job.size, length, (latest, from));
            let Some(to) = earlier else { continue };
            let (end, left) = (to.saturating_add(length), from.saturating_add(length));
            self.available.change(from.max(end), left, job.size);
            self.available.change(to, end.min(from), -job.size);
            job.reserved = to;
            // Later jobs see the released interval in this pass, earlier ones in the next.
            self.released = self.released.max(left);
            released = released.max(left);
            peak = None;
        }
        self.released = released;
        self.find_next();
    }

    /// Gives all waiting jobs new reservations.
    fn reserve_anew(&mut self, now: Time) {
        let used: i64 = self.running.values().map(|(_, size)| size).sum();
        let in_a_tick = now + Span::TICK;
        let ends = self.running.iter().map(|(&(end, _), &(_, size))| (end.max(in_a_tick), size));
        self.available = Availability::of(now, self.processors - used, ends);
        for job in &mut self.waiting {
            job.reserved = reserved(&mut self.available, now, job.size, job.length);
        }
        self.released = Time::ZERO;
        self.find_next();
    }

    /// Gives a job submitted now its reservation.
    fn reserve(&mut self, scene: &Scene<'_>, slot: usize, now: Time) {
        let job = scene.alive.job(slot);
        let size = i64::from(job.processors);
        let length = job.expectation(self.clairvoyance).unwrap_or(Span::ZERO).max(Span::TICK);
        let reserved = reserved(&mut self.available, now, size, length);
        self.waiting.push(Waits { slot, size, length, reserved });
        self.next = self.next.min(reserved);
    }

    /// Starts the jobs reserved for now.
    fn take_due(&mut self, scene: &Scene<'_>, now: Time, starts: &mut Vec<usize>) {
        let Book { waiting, running, ends, .. } = self;
        waiting.retain(|job| {
            if job.reserved != now {
                return true;
            }
            starts.push(job.slot);
            let end = now.saturating_add(job.length);
            running.insert((end, scene.alive.place(job.slot)), (job.slot, job.size));
            if ends.len() <= job.slot {
                ends.resize(job.slot + 1, None);
            }
            ends[job.slot] = Some(end);
            false
        });
        self.find_next();
    }

    fn find_next(&mut self) {
        let reserved = self.waiting.iter().map(|job| job.reserved);
        self.next = reserved.min().unwrap_or(Time::NEVER);
    }

    /// Reports the jobs that started differently than in the replay.
    fn tell(&self, scene: &Scene<'_>, instant: &Instant, starts: &[usize], check: &mut Check) {
        let (now, number) = (instant.time, |job: usize| scene.number(job));
        for &job in instant.started.iter().filter(|job| !starts.contains(job)) {
            scene.violated(check, job, None, now, || {
                let waits = self.waiting.iter().find(|waits| waits.slot == job);
                let reserved = waits.map_or(Time::NEVER, |waits| waits.reserved);
                format!(
                    "job {} started at {now} although it is reserved for {reserved}",
                    number(job)
                )
            });
        }
        for &job in starts.iter().filter(|job| !instant.started.contains(job)) {
            scene.violated(check, job, None, now, || {
                format!("job {} did not start at {now}, for which it is reserved", number(job))
            });
        }
        check.note(format!(
            "{}: what comes after {now}, because all later reservations hang on it",
            scene.cluster.name
        ));
    }
}

/// Finds the earliest start and reserves it.
fn reserved(available: &mut Availability, now: Time, size: i64, length: Span) -> Time {
    let start = available.earliest(now, size, length, (Time::NEVER, Time::NEVER));
    let start = start.unwrap_or(Time::NEVER);
    available.change(start, start.saturating_add(length), -size);
    start
}

/// True if the two lists contain different jobs, ignoring order.
fn differ(some: &[usize], others: &[usize]) -> bool {
    let sorted = |jobs: &[usize]| {
        let mut jobs = jobs.to_vec();
        jobs.sort_unstable();
        jobs
    };
    sorted(some) != sorted(others)
}

/// Reports a wrong order of the right jobs, if the order is recorded.
fn tell_order(scene: &Scene<'_>, instant: &Instant, starts: &[usize], check: &mut Check) {
    let is_recorded = |&job: &usize| scene.alive.job(job).start_order.is_some();
    if !starts.iter().all(is_recorded) {
        return;
    }
    let pairs = instant.started.iter().zip(starts);
    for (&did, &ruled) in pairs.filter(|(did, ruled)| did != ruled).take(1) {
        scene.violated(check, did, Some(ruled), instant.time, || {
            format!(
                "by start_order, job {} started before job {} at {}; conservative backfilling \
                 starts them the other way round",
                scene.number(did),
                scene.number(ruled),
                instant.time
            )
        });
    }
}
