//! Queue disciplines of space-shared clusters by definition: FCFS, EASY and lists, in all orders.
//!
//! The queue of waiting and running jobs is replayed from the facts. At each instant the jobs that
//! the rule starts are compared with those that did start; then the replay continues from the
//! facts, so an error is reported once and does not propagate.
//!
//! A rule is implemented as searches for the next waiting job to start (`Waiting`), so the cost of
//! an instant depends on the jobs started, not on those waiting.

mod compared;

use std::collections::BTreeMap;

use super::correction;
use super::facts::{Clairvoyance, JobFacts, Order, PhaseOrder, Settings};
use super::ranking::Ranking;
use super::report::Check;
use super::scene::{Instant, Replayed, Scene};
use super::waiting::{Key, Waiting, Waits, Wanted};
use kernel::time::{Span, Time};

/// The check in its initial state.
pub(super) fn check() -> Check {
    Check::new(
        "queue discipline",
        "a space-shared cluster starts exactly those jobs that its discipline starts, and then",
    )
}

/// Rules whose only state is the set of waiting and running jobs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    Fcfs,
    Easy(By),
    List(Order),
}

/// Order in which EASY tries the backfill candidates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// In order of submission.
    Order,
    /// Shortest expected runtime first.
    Length,
}

impl Rule {
    fn needs_lengths(self) -> bool {
        use Order::{LargestArea, LongestEstimate, ShortestEstimate, SmallestArea};
        let by_length = [ShortestEstimate, LongestEstimate, SmallestArea, LargestArea];
        match self {
            Rule::Fcfs => false,
            Rule::Easy(_) => true,
            Rule::List(order) => by_length.contains(&order),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Rule::Fcfs => "first come, first served",
            Rule::Easy(_) => "EASY",
            Rule::List(_) => "list scheduling",
        }
    }
}

/// A waiting or running job, by slot.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    key: Key,
    size: i64,
    expected: Span,
    requested: Span,
    /// If running: its start, and its expected end as used in [`Replay::running`].
    start: Time,
    end: Option<Time>,
    /// Rank among the started jobs.
    sequence: u64,
    /// True if it was reported for waiting too long.
    is_told: bool,
    /// Index of the last instant at which it had to start, and at which it did.
    ruled: u64,
    did: u64,
}

/// The rule's verdict on an instant.
#[derive(Default)]
struct Verdict {
    /// The jobs that must start, in order.
    starts: Vec<usize>,
    /// EASY and FCFS: the first job in the queue that must wait.
    head: Option<usize>,
    /// EASY: the latest start of the head, its shadow time.
    shadow: Time,
    /// EASY: processors left over by the head at the shadow time.
    extra: i64,
    /// Idle processors.
    free: i64,
}

/// Replay of a queue through the instants of a run.
pub(super) struct Replay {
    rule: Rule,
    /// The order by a formula, in place of the rule's.
    ranking: Option<Ranking>,
    phase_order: PhaseOrder,
    clairvoyance: Clairvoyance,
    corrects: bool,
    free_when_due: bool,
    waiting: Waiting,
    /// The same jobs by expected runtime, if EASY tries them in that order.
    by_length: Option<Waiting>,
    /// Slots of running jobs, by expected end, then by submission.
    running: BTreeMap<(Time, u64), usize>,
    /// Free processors; negative if the facts run more than fits.
    free: i64,
    known: Vec<Known>,
    started: u64,
    instants: u64,
    verdict: Verdict,
}

impl Replay {
    pub fn new(rule: Rule, processors: u32, settings: &Settings) -> Replay {
        Replay {
            rule,
            ranking: None,
            phase_order: settings.phase_order,
            clairvoyance: settings.clairvoyance,
            corrects: settings.corrects,
            free_when_due: settings.phase_order == PhaseOrder::PerEventFreeWhenDue
                && settings.clairvoyance != Clairvoyance::None,
            waiting: Waiting::default(),
            by_length: (rule == Rule::Easy(By::Length)).then(Waiting::default),
            running: BTreeMap::new(),
            free: i64::from(processors),
            known: Vec::new(),
            started: 0,
            instants: 0,
            verdict: Verdict::default(),
        }
    }

    /// The same with the waiting jobs in the order of a formula.
    pub fn ranked(self, ranking: Ranking) -> Replay {
        Replay { ranking: Some(ranking), ..self }
    }

    pub fn is_ranked(&self) -> bool {
        self.ranking.is_some()
    }

    pub(crate) fn needs_lengths(&self) -> bool {
        let ranking = self.ranking.as_ref();
        self.rule.needs_lengths()
            || self.free_when_due
            || ranking.is_some_and(Ranking::needs_lengths)
    }

    /// True if the rule promises a start, which corrected expectations change.
    pub fn promises(&self) -> bool {
        matches!(self.rule, Rule::Easy(_))
    }

    /// Replays an instant and compares; always true, since the replay can always continue.
    pub fn judge(&mut self, scene: &Scene<'_>, instant: &Instant, checks: &mut Replayed) -> bool {
        self.instants += 1;
        instant.submitted.iter().for_each(|&job| self.learn(job, scene));
        if self.rule == Rule::List(Order::Random) {
            self.settle(instant, scene);
            self.compare_idle(scene, instant.time, &mut checks.queue);
            return true;
        }
        let before = self.free;
        self.refresh(instant.time, self.phase_order == PhaseOrder::Instant);
        let mut verdict = std::mem::take(&mut self.verdict);
        verdict.starts.clear();
        verdict.head = None;
        verdict.free = self.free;
        match self.phase_order {
            _ if instant.is_idle() => {}
            PhaseOrder::Instant => self.judge_instant(scene, instant, &mut verdict),
            PhaseOrder::PerEvent | PhaseOrder::PerEventFreeWhenDue => {
                self.judge_events(scene, instant, &mut verdict);
            }
        }
        for &job in &verdict.starts {
            self.known[job].ruled = self.instants;
        }
        for &job in &instant.started {
            self.known[job].did = self.instants;
        }
        let agrees = verdict.starts.len() == instant.started.len()
            && instant.started.iter().all(|&job| self.known[job].ruled == self.instants);
        if agrees {
            self.compare_order(scene, instant, &verdict, &mut checks.numbering);
        } else {
            self.compare(scene, instant, &verdict, before, &mut checks.queue);
        }
        self.remember_order(&verdict, instant);
        let is_right =
            |&job: &usize| self.known[job].end.is_none() == scene.alive.is_instantaneous(job);
        if !agrees || !verdict.starts.iter().all(is_right) {
            self.take_back(&verdict);
            self.settle(instant, scene);
        }
        self.verdict = verdict;
        true
    }

    /// Adds a job at its submission.
    fn learn(&mut self, slot: usize, scene: &Scene<'_>) {
        if self.known.len() <= slot {
            self.known.resize(slot + 1, Known::default());
        }
        let job = scene.alive.job(slot);
        let size = i64::from(job.processors);
        let expected = job.expectation(self.clairvoyance).unwrap_or(Span::ZERO);
        let order = if let Rule::List(order) = self.rule { order } else { Order::Submit };
        let rank = match &self.ranking {
            Some(ranking) if ranking.lasts() => ranking.rank(job, expected, Time::ZERO),
            _ => Waits::rank(order, size, expected),
        };
        let key = (rank, scene.alive.place(slot));
        let requested = job.requested;
        self.known[slot] = Known { key, size, expected, requested, ..Known::default() };
    }

    /// Key of a job in the order by runtime.
    fn length_key(&self, slot: usize) -> Key {
        let Known { key, size, expected, .. } = self.known[slot];
        (Waits::rank(Order::ShortestEstimate, size, expected), key.1)
    }

    fn join(&mut self, slot: usize) {
        let Known { key, size, expected, .. } = self.known[slot];
        self.waiting.insert(Waits { key, slot, size, length: expected });
        let key = self.length_key(slot);
        if let Some(by_length) = &mut self.by_length {
            by_length.insert(Waits { key, slot, size, length: expected });
        }
    }

    /// Removes a job from the waiting ones.
    fn forget(&mut self, slot: usize) {
        self.waiting.remove(self.known[slot].key);
        let key = self.length_key(slot);
        if let Some(by_length) = &mut self.by_length {
            by_length.remove(key);
        }
    }

    /// Starts a job at `now`.
    fn run(&mut self, slot: usize, now: Time) {
        self.known[slot].start = now;
        let end = self.expected_end(slot, now, false);
        let known = &mut self.known[slot];
        known.end = Some(end);
        self.free -= known.size;
        self.running.insert((end, known.key.1), slot);
    }

    /// Ends a job.
    fn leave(&mut self, slot: usize) {
        let known = &mut self.known[slot];
        let Some(end) = known.end.take() else { return };
        self.free += known.size;
        self.running.remove(&(end, known.key.1));
    }

    /// Counts the use of a job that has ended.
    fn end(&mut self, slot: usize, scene: &Scene<'_>, now: Time) {
        if let Some(ranking) = self.ranking.as_mut().filter(|ranking| ranking.asks_for_use()) {
            ranking.ended(scene.alive.job(slot), self.known[slot].start, now);
        }
        self.leave(slot);
    }

    /// Ranks the waiting jobs anew, if their order changes with time.
    fn rank(&mut self, scene: &Scene<'_>, now: Time) {
        let Some(ranking) = self.ranking.as_ref().filter(|ranking| !ranking.lasts()) else {
            return;
        };
        for job in std::mem::take(&mut self.waiting).into_jobs() {
            let known = &mut self.known[job.slot];
            known.key.0 = ranking.rank(scene.alive.job(job.slot), known.expected, now);
            self.waiting.insert(Waits { key: known.key, ..job });
        }
    }

    /// Expected end of a running job at `now`, before or after its corrections. A job that has
    /// outrun all expectations is expected to end in one tick.
    fn expected_end(&self, slot: usize, now: Time, corrected: bool) -> Time {
        let end = self.told_end(slot, now, corrected);
        if end <= now { now + Span::TICK } else { end }
    }

    /// Latest announced end of a running job.
    fn told_end(&self, slot: usize, now: Time, corrected: bool) -> Time {
        let Known { start, expected, requested, .. } = self.known[slot];
        if self.corrects {
            correction::told_end(start, expected, requested, now, corrected)
        } else {
            start.saturating_add(expected)
        }
    }

    /// Updates the expected ends of overdue jobs.
    fn refresh(&mut self, now: Time, corrected: bool) {
        // Jobs to be corrected at `now` may be stored one tick later.
        let most = if corrected { now + Span::TICK } else { now };
        if self.running.first_key_value().is_none_or(|(&(due, _), _)| due > most) {
            return;
        }
        let later = self.running.split_off(&(most + Span::TICK, 0));
        for ((_, place), slot) in std::mem::replace(&mut self.running, later) {
            let end = self.expected_end(slot, now, corrected);
            self.known[slot].end = Some(end);
            self.running.insert((end, place), slot);
        }
    }

    /// All completions, then all submissions, then one pass; again if a started job ended at once.
    fn judge_instant(&mut self, scene: &Scene<'_>, instant: &Instant, verdict: &mut Verdict) {
        instant.completed.iter().for_each(|&job| self.end(job, scene, instant.time));
        instant.submitted.iter().for_each(|&job| self.join(job));
        loop {
            let before = verdict.starts.len();
            self.pass(scene, instant.time, verdict);
            let mut has_ended = false;
            for at in before..verdict.starts.len() {
                let job = verdict.starts[at];
                if execution(scene, job) == Span::ZERO {
                    has_ended = true;
                    self.end(job, scene, instant.time);
                }
            }
            if !has_ended {
                return;
            }
        }
    }

    /// A pass after each submission, then after each completion in order of start, then after all
    /// corrections.
    fn judge_events(&mut self, scene: &Scene<'_>, instant: &Instant, verdict: &mut Verdict) {
        if self.free_when_due {
            for &job in &instant.completed {
                if self.told_end(job, instant.time, false) == instant.time {
                    self.leave(job);
                }
            }
        }
        for &job in &instant.submitted {
            self.join(job);
            self.pass(scene, instant.time, verdict);
        }
        let mut completed = instant.completed.clone();
        let order = |job: usize| scene.alive.job(job).start_order.unwrap_or(u64::MAX);
        completed.sort_by_key(|&job| (order(job), self.known[job].sequence));
        for job in completed {
            self.end(job, scene, instant.time);
            self.pass(scene, instant.time, verdict);
        }
        let mut next = 0;
        self.end_at_once(scene, instant.time, verdict, &mut next);
        if instant.corrects {
            self.refresh(instant.time, true);
            self.pass(scene, instant.time, verdict);
            self.end_at_once(scene, instant.time, verdict, &mut next);
        }
    }

    /// Removes jobs that end as they start, one by one, with a pass after each.
    fn end_at_once(
        &mut self,
        scene: &Scene<'_>,
        now: Time,
        verdict: &mut Verdict,
        next: &mut usize,
    ) {
        while let Some(&job) = verdict.starts.get(*next) {
            *next += 1;
            if execution(scene, job) == Span::ZERO {
                self.end(job, scene, now);
                self.pass(scene, now, verdict);
            }
        }
    }

    /// One decision of the rule.
    fn pass(&mut self, scene: &Scene<'_>, now: Time, verdict: &mut Verdict) {
        verdict.head = None;
        self.rank(scene, now);
        match self.rule {
            Rule::Fcfs => self.start_heads(now, verdict),
            Rule::Easy(_) => {
                self.start_heads(now, verdict);
                self.backfill(now, verdict);
            }
            Rule::List(_) => {
                let mut behind = None;
                while let Some(job) = self.waiting.find(behind, &Wanted::fits(self.free)) {
                    behind = Some(job.key);
                    self.start(&job, now, verdict);
                }
            }
        }
        verdict.free = self.free;
    }

    fn start(&mut self, job: &Waits, now: Time, verdict: &mut Verdict) {
        self.forget(job.slot);
        self.run(job.slot, now);
        verdict.starts.push(job.slot);
    }

    /// Starts the first job in the queue as long as it fits.
    fn start_heads(&mut self, now: Time, verdict: &mut Verdict) {
        while let Some(head) = self.waiting.first() {
            if head.size > self.free {
                verdict.head = Some(head.slot);
                return;
            }
            self.start(&head, now, verdict);
        }
    }

    /// EASY, steps 2 and 3: the head gets the earliest promise that the expected ends allow. One
    /// scan over the others starts each job that fits and either is expected to finish by then or
    /// uses only processors that the head leaves over.
    fn backfill(&mut self, now: Time, verdict: &mut Verdict) {
        let Some(head) = verdict.head else { return };
        let first = self.known[head].key;
        // If no job fits, the promise makes no difference.
        if self.waiting.find(Some(first), &Wanted::fits(self.free)).is_none() {
            return;
        }
        (verdict.shadow, verdict.extra) = self.promise(head);
        // In the order by runtime the head is skipped like any job that does not fit.
        let mut behind = self.by_length.is_none().then_some(first);
        loop {
            let is_promised = verdict.shadow != Time::NEVER;
            let limit = if is_promised { verdict.shadow - now } else { Span::MAX };
            let wanted = Wanted { free: self.free, extra: verdict.extra, limit };
            let others = self.by_length.as_ref().unwrap_or(&self.waiting);
            let Some(job) = others.find(behind, &wanted) else { return };
            behind = Some(job.key);
            self.start(&job, now, verdict);
            if now.saturating_add(job.length) > verdict.shadow {
                verdict.extra -= job.size;
            }
        }
    }

    /// Shadow time and extra processors: the first expected end at which the head fits, and the
    /// processors it then leaves over after all expected releases up to then.
    fn promise(&self, head: usize) -> (Time, i64) {
        let size = self.known[head].size;
        let (mut free, mut shadow) = (self.free, Time::NEVER);
        for (&(end, _), &slot) in &self.running {
            if end > shadow {
                break;
            }
            free += self.known[slot].size;
            if free >= size {
                shadow = end;
            }
        }
        (shadow, free - size)
    }

    /// Undoes the rule's starts at this instant.
    fn take_back(&mut self, verdict: &Verdict) {
        for &job in &verdict.starts {
            self.leave(job);
            self.join(job);
        }
    }

    /// Applies the actual events; if the rule was asked before, completions and submissions are
    /// known.
    fn settle(&mut self, instant: &Instant, scene: &Scene<'_>) {
        if self.rule == Rule::List(Order::Random) {
            instant.completed.iter().for_each(|&job| self.leave(job));
            instant.submitted.iter().for_each(|&job| self.join(job));
        }
        for &job in &instant.started {
            self.forget(job);
            if !scene.alive.is_instantaneous(job) {
                self.run(job, instant.time);
            }
        }
    }

    /// Ranks the started jobs: first in the rule's order, then the others.
    fn remember_order(&mut self, verdict: &Verdict, instant: &Instant) {
        let mut rank = |known: &mut Known| {
            known.sequence = self.started;
            self.started += 1;
        };
        for &job in &verdict.starts {
            let known = &mut self.known[job];
            if known.did == self.instants {
                rank(known);
            }
        }
        for &job in &instant.started {
            let known = &mut self.known[job];
            if known.ruled != self.instants {
                rank(known);
            }
        }
    }
}

/// Time for which a job holds its processors.
fn execution(scene: &Scene<'_>, job: usize) -> Span {
    let job: &JobFacts = scene.alive.job(job);
    job.execution(scene.cluster)
}
