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

use super::replay::{Instant, Run, expectations};
use crate::correction;
use crate::facts::{PhaseOrder, Settings};
use crate::report::Check;
use kernel::time::{Span, Time};

/// Replays the reservations of one cluster and compares.
pub(super) fn discipline(run: &Run<'_>, settings: &Settings, check: &mut Check) {
    if settings.phase_order != PhaseOrder::Instant {
        check.note(format!(
            "{}: conservative backfilling is defined for one decision an instant",
            run.name()
        ));
        return;
    }
    let Some(mut expected) = expectations(run, settings.clairvoyance, check) else { return };
    let corrections =
        if settings.corrects { super::replay::corrections(run, &expected) } else { Vec::new() };
    for length in &mut expected {
        *length = Span::TICK.max(*length);
    }
    let mut book = Book {
        run,
        expected,
        corrects: settings.corrects,
        waiting: Vec::new(),
        reserved: vec![Time::NEVER; run.jobs.len()],
        running: Vec::new(),
    };
    for instant in run.instants(settings.stopped, corrections) {
        check.looked_at += instant.submitted.len() as u64;
        let starts = book.judge(&instant);
        if book.differs(&instant, &starts, check) {
            return;
        }
    }
}

/// The reservations of a cluster. Jobs are indices into [`Run::jobs`].
struct Book<'a> {
    run: &'a Run<'a>,
    /// Expected runtimes, at least one tick each.
    expected: Vec<Span>,
    /// True if expected runtimes of running jobs are corrected.
    corrects: bool,
    /// Waiting jobs in order of submission.
    waiting: Vec<usize>,
    /// Reserved start of each waiting job.
    reserved: Vec<Time>,
    /// Running jobs with their start.
    running: Vec<(usize, Time)>,
}

impl Book<'_> {
    /// The jobs that start at an instant.
    fn judge(&mut self, instant: &Instant) -> Vec<usize> {
        let now = instant.time;
        let mut starts = Vec::new();
        let mut outrun = instant.corrects;
        if instant.submitted.is_empty() && instant.completed.is_empty() && !outrun {
            return starts;
        }
        for &job in &instant.completed {
            outrun |= self.complete(job, now);
        }
        outrun |= self.is_overdue(now);
        if outrun || self.waiting.iter().any(|&job| self.reserved[job] < now) {
            self.reserve_anew(now);
        } else if !instant.completed.is_empty() {
            self.compress(now);
        }
        self.reserve_new(instant);
        loop {
            let due: Vec<usize> =
                self.waiting.iter().copied().filter(|&job| self.reserved[job] == now).collect();
            self.waiting.retain(|job| !due.contains(job));
            let length = |job: usize| self.run.jobs[job].execution(self.run.cluster);
            let lasting = due.iter().copied().filter(|&job| length(job) > Span::ZERO);
            self.running.extend(lasting.map(|job| (job, now)));
            let ended_at_once = due.iter().any(|&job| length(job) == Span::ZERO);
            starts.extend(due);
            if !ended_at_once {
                return starts;
            }
            if self.is_overdue(now) {
                self.reserve_anew(now);
            } else {
                self.compress(now);
            }
        }
    }

    /// True if a job is still running past its expected end.
    fn is_overdue(&self, now: Time) -> bool {
        self.running.iter().any(|&(job, start)| self.expected_end(job, start, now) <= now)
    }

    /// Expected end of a running job; before `now` only if no further correction is due.
    fn expected_end(&self, job: usize, start: Time, now: Time) -> Time {
        let (expected, requested) = (self.expected[job], self.run.jobs[job].requested);
        if !self.corrects || start == now {
            return start.saturating_add(expected);
        }
        let mut last = start;
        for end in correction::ends(start, expected, requested) {
            last = end;
            if end > now {
                break;
            }
        }
        last
    }

    /// Removes a completed job; true if it had outrun its expected runtime.
    fn complete(&mut self, job: usize, now: Time) -> bool {
        let Some(place) = self.running.iter().position(|&(other, _)| other == job) else {
            return false;
        };
        let (_, start) = self.running.remove(place);
        now > self.expected_end(job, start, now)
    }

    /// Moves each waiting job to its earliest feasible start, never to a later one.
    fn compress(&mut self, now: Time) {
        if self.waiting.is_empty() {
            return;
        }
        let mut availability = self.availability(now, &self.waiting);
        for &job in &self.waiting {
            let (size, length) = (self.size(job), self.expected[job]);
            availability.hold(self.reserved[job], length, -size);
            let earliest = availability.earliest(now, size, length);
            self.reserved[job] = self.reserved[job].min(earliest);
            availability.hold(self.reserved[job], length, size);
        }
    }

    /// Gives all waiting jobs new reservations.
    fn reserve_anew(&mut self, now: Time) {
        let mut availability = self.availability(now, &[]);
        for &job in &self.waiting {
            self.reserved[job] = availability.reserve(now, self.size(job), self.expected[job]);
        }
    }

    /// Gives the jobs submitted at this instant their reservations.
    fn reserve_new(&mut self, instant: &Instant) {
        if instant.submitted.is_empty() {
            return;
        }
        let mut availability = self.availability(instant.time, &self.waiting);
        for job in instant.submitted.clone() {
            self.reserved[job] =
                availability.reserve(instant.time, self.size(job), self.expected[job]);
            self.waiting.push(job);
        }
    }

    fn size(&self, job: usize) -> i64 {
        i64::from(self.run.jobs[job].processors)
    }

    /// Free processors from `now` on, besides running jobs and the reservations of `waiting`.
    fn availability(&self, now: Time, waiting: &[usize]) -> Availability {
        let mut changes: Vec<(Time, i64)> = vec![(now, i64::from(self.run.cluster.processors))];
        for &(job, start) in &self.running {
            let end = (now + Span::TICK).max(self.expected_end(job, start, now));
            changes.extend([(now, -self.size(job)), (end, self.size(job))]);
        }
        for &job in waiting {
            let start = self.reserved[job];
            let end = start.saturating_add(self.expected[job]);
            changes.extend([(start, -self.size(job)), (end, self.size(job))]);
        }
        Availability::of(changes)
    }

    /// Reports the jobs that started differently than in the replay.
    fn differs(&self, instant: &Instant, starts: &[usize], check: &mut Check) -> bool {
        let (now, number) = (instant.time, |job: usize| self.run.jobs[job].number);
        let mut differs = false;
        for &job in instant.started.iter().filter(|job| !starts.contains(job)) {
            differs = true;
            self.run.violated(check, job, None, now, || {
                let reserved = self.reserved[job];
                format!(
                    "job {} started at {now} although it is reserved for {reserved}",
                    number(job)
                )
            });
        }
        for &job in starts.iter().filter(|job| !instant.started.contains(job)) {
            differs = true;
            self.run.violated(check, job, None, now, || {
                format!("job {} did not start at {now}, for which it is reserved", number(job))
            });
        }
        if differs {
            check.note(format!(
                "{}: what comes after {now}, because all later reservations hang on it",
                self.run.name()
            ));
        }
        differs
    }
}

/// Profile of free processors over time, from some instant on.
struct Availability {
    /// Steps in increasing order of time; the last holds forever.
    steps: Vec<(Time, i64)>,
}

impl Availability {
    /// Builds a profile from changes in the number of free processors.
    fn of(mut changes: Vec<(Time, i64)>) -> Availability {
        changes.sort_unstable_by_key(|change| change.0);
        let mut steps: Vec<(Time, i64)> = Vec::with_capacity(changes.len());
        let mut free = 0;
        for (time, change) in changes {
            free += change;
            match steps.last_mut() {
                Some(last) if last.0 == time => last.1 = free,
                _ => steps.push((time, free)),
            }
        }
        Availability { steps }
    }

    /// Ensures that a step begins at `time`, and returns its index.
    fn split(&mut self, time: Time) -> usize {
        let at = self.steps.partition_point(|step| step.0 < time);
        if self.steps.get(at).is_none_or(|step| step.0 != time) {
            self.steps.insert(at, (time, self.steps[at - 1].1));
        }
        at
    }

    /// Changes the free processors by `size` for `length` from `start` on.
    fn hold(&mut self, start: Time, length: Span, size: i64) {
        let first = self.split(start);
        let end = self.split(start.saturating_add(length));
        for step in &mut self.steps[first..end] {
            step.1 -= size;
        }
    }

    /// The earliest instant from `now` on at which `size` processors are free for `length`.
    fn earliest(&self, now: Time, size: i64, length: Span) -> Time {
        let mut start = now;
        for (place, &(from, free)) in self.steps.iter().enumerate() {
            if from >= start.saturating_add(length) {
                break;
            }
            if free < size {
                start = self.steps.get(place + 1).map_or(Time::NEVER, |next| next.0);
            }
        }
        start
    }

    /// Finds the earliest start and reserves it.
    fn reserve(&mut self, now: Time, size: i64, length: Span) -> Time {
        let start = self.earliest(now, size, length);
        self.hold(start, length, size);
        start
    }
}
