//! Queue disciplines of space-shared clusters by definition: FCFS, EASY and the list orders.
//!
//! The queue of waiting and running jobs is replayed from the facts. At each instant the jobs that
//! the rule starts are compared with those that did start; then the replay continues from the
//! facts, so an error is reported once and does not propagate.

use std::cmp::Reverse;

use super::conservative;
use super::replay::{Instant, Run, expectations};
use crate::correction;
use crate::facts::{Clairvoyance, Discipline, Kind, Order, PhaseOrder, Settings};
use crate::report::{Check, counted, left};
use kernel::time::{Span, Time};

/// Checks the starts on space-shared clusters.
pub(super) fn discipline(runs: &[Run<'_>], settings: &Settings) -> Check {
    let mut check = Check::new(
        "queue discipline",
        "a space-shared cluster starts exactly those jobs that its discipline starts, and then",
    );
    for run in runs {
        let Kind::SpaceShared(discipline) = &run.cluster.kind else { continue };
        if run.is_impossible(&mut check) {
            continue;
        }
        match discipline {
            Discipline::Grid => {}
            Discipline::Ranked { by, .. } => {
                check.note(format!("{}: nothing literal is known of {by}", run.name()));
            }
            Discipline::Unknown(name) => {
                check.note(format!("{}: nothing is known here of {name}", run.name()));
            }
            Discipline::Conservative => conservative::discipline(run, settings, &mut check),
            Discipline::Fcfs => Replay::check(run, Rule::Fcfs, settings, &mut check),
            Discipline::Easy => Replay::check(run, Rule::Easy(By::Order), settings, &mut check),
            Discipline::EasyShortestFirst => {
                Replay::check(run, Rule::Easy(By::Length), settings, &mut check);
            }
            Discipline::List(order) => Replay::check(run, Rule::List(*order), settings, &mut check),
        }
    }
    check
}

/// Rules whose only state is the set of waiting and running jobs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    Fcfs,
    Easy(By),
    List(Order),
}

/// Order in which EASY tries the backfill candidates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
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

/// Waiting and running jobs, as indices into [`Run::jobs`].
#[derive(Clone, Default)]
struct Queue {
    /// Waiting jobs, in the order of the rule.
    waiting: Vec<usize>,
    /// Running jobs, in order of start.
    running: Vec<usize>,
    /// Free processors; negative if the facts run more than fits.
    free: i64,
    /// True if expectations were corrected at this instant.
    corrected: bool,
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
struct Replay<'a> {
    run: &'a Run<'a>,
    rule: Rule,
    /// Rank of each job in the order of the rule.
    rank: Vec<usize>,
    expected: Vec<Span>,
    corrects: bool,
    free_when_due: bool,
    queue: Queue,
    /// Number of started jobs, and the rank of each job among them.
    started: u64,
    sequence: Vec<u64>,
    /// Jobs already reported for waiting too long.
    told: Vec<bool>,
}

impl Replay<'_> {
    /// Replays the run and compares.
    fn check(run: &Run<'_>, rule: Rule, settings: &Settings, check: &mut Check) {
        let jobs = run.jobs.len();
        let free_when_due = settings.phase_order == PhaseOrder::PerEventFreeWhenDue
            && settings.clairvoyance != Clairvoyance::None;
        let expected = if rule.needs_lengths() || free_when_due {
            let Some(expected) = expectations(run, settings.clairvoyance, check) else { return };
            expected
        } else {
            vec![Span::ZERO; jobs]
        };
        // Other rules do not use later expected ends.
        let corrections = match rule {
            Rule::Easy(_) if settings.corrects => super::replay::corrections(run, &expected),
            _ => Vec::new(),
        };
        let mut replay = Replay {
            run,
            rule,
            rank: ranks(run, rule, &expected),
            expected,
            corrects: settings.corrects,
            free_when_due,
            queue: Queue { free: i64::from(run.cluster.processors), ..Queue::default() },
            started: 0,
            sequence: vec![0; jobs],
            told: vec![false; jobs],
        };
        check.looked_at += jobs as u64;
        for instant in run.instants(settings.stopped, corrections) {
            if rule != Rule::List(Order::Random) {
                let before = replay.queue.free;
                let verdict = match settings.phase_order {
                    PhaseOrder::Instant => replay.judge_instant(&instant),
                    PhaseOrder::PerEvent | PhaseOrder::PerEventFreeWhenDue => {
                        replay.judge_events(&instant)
                    }
                };
                replay.compare(&instant, &verdict, before, check);
                replay.remember_order(&verdict, &instant);
            }
            replay.follow(&instant);
            if rule == Rule::List(Order::Random) {
                replay.compare_idle(instant.time, check);
            }
        }
    }

    fn size(&self, job: usize) -> i64 {
        i64::from(self.run.jobs[job].processors)
    }

    /// Expected end of a running job; one tick from now if it is overdue.
    fn expected_end(&self, job: usize, start: Time, now: Time, corrected: bool) -> Time {
        let end = self.told_end(job, start, now, corrected);
        if end <= now { now + Span::TICK } else { end }
    }

    /// Latest announced end of a running job, before or after the corrections of `now`.
    fn told_end(&self, job: usize, start: Time, now: Time, corrected: bool) -> Time {
        let (expected, requested) = (self.expected[job], self.run.jobs[job].requested);
        if !self.corrects || start == now {
            return start.saturating_add(expected);
        }
        let mut told = start;
        for end in correction::ends(start, expected, requested) {
            told = end;
            if end > now || end == now && !corrected {
                break;
            }
        }
        told
    }

    fn start_of(&self, job: usize, now: Time) -> Time {
        self.run.jobs[job].start.map_or(now, |start| start.min(now))
    }

    fn is_instantaneous(&self, job: usize) -> bool {
        self.run.jobs[job].execution(self.run.cluster) == Span::ZERO
    }

    fn join(&self, queue: &mut Queue, job: usize) {
        let rank = self.rank[job];
        let at = queue.waiting.partition_point(|&other| self.rank[other] < rank);
        queue.waiting.insert(at, job);
    }

    fn leave(&self, queue: &mut Queue, job: usize) {
        queue.running.retain(|&other| other != job);
        queue.free += self.size(job);
    }

    fn start(&self, queue: &mut Queue, job: usize, verdict: &mut Verdict) {
        queue.free -= self.size(job);
        queue.running.push(job);
        verdict.starts.push(job);
    }

    /// All completions, then all submissions, then one pass; again if a started job ended at once.
    fn judge_instant(&self, instant: &Instant) -> Verdict {
        let mut verdict = Verdict::default();
        if instant.completed.is_empty() && instant.submitted.is_empty() && !instant.corrects {
            verdict.free = self.queue.free;
            return verdict;
        }
        let mut queue = Queue { corrected: true, ..self.queue.clone() };
        for &job in &instant.completed {
            self.leave(&mut queue, job);
        }
        for job in instant.submitted.clone() {
            self.join(&mut queue, job);
        }
        loop {
            let before = verdict.starts.len();
            self.pass(&mut queue, instant.time, &mut verdict);
            let mut ended = verdict.starts[before..].to_vec();
            ended.retain(|&job| self.is_instantaneous(job));
            if ended.is_empty() {
                return verdict;
            }
            for job in ended {
                self.leave(&mut queue, job);
            }
        }
    }

    /// A pass after each submission, then after each completion in order of start, then after all
    /// corrections.
    fn judge_events(&self, instant: &Instant) -> Verdict {
        let mut verdict = Verdict { free: self.queue.free, ..Verdict::default() };
        let mut queue = self.queue.clone();
        let mut left = Vec::new();
        for &job in instant.completed.iter().filter(|_| self.free_when_due) {
            let start = self.start_of(job, instant.time);
            if self.told_end(job, start, instant.time, false) == instant.time {
                self.leave(&mut queue, job);
                left.push(job);
            }
        }
        for job in instant.submitted.clone() {
            self.join(&mut queue, job);
            self.pass(&mut queue, instant.time, &mut verdict);
        }
        let mut completed = instant.completed.clone();
        completed.sort_by_key(|&job| {
            (self.run.jobs[job].start_order.unwrap_or(u64::MAX), self.sequence[job])
        });
        for job in completed {
            if !left.contains(&job) {
                self.leave(&mut queue, job);
            }
            self.pass(&mut queue, instant.time, &mut verdict);
        }
        let mut next = 0;
        self.end_at_once(&mut queue, instant.time, &mut verdict, &mut next);
        if instant.corrects {
            queue.corrected = true;
            self.pass(&mut queue, instant.time, &mut verdict);
            self.end_at_once(&mut queue, instant.time, &mut verdict, &mut next);
        }
        verdict
    }

    /// Removes jobs that end as they start, one by one, with a pass after each.
    fn end_at_once(&self, queue: &mut Queue, now: Time, verdict: &mut Verdict, next: &mut usize) {
        while let Some(&job) = verdict.starts.get(*next) {
            *next += 1;
            if self.is_instantaneous(job) {
                self.leave(queue, job);
                self.pass(queue, now, verdict);
            }
        }
    }

    /// One decision of the rule.
    fn pass(&self, queue: &mut Queue, now: Time, verdict: &mut Verdict) {
        verdict.head = None;
        match self.rule {
            Rule::Fcfs => self.start_heads(queue, verdict),
            Rule::Easy(by) => {
                self.start_heads(queue, verdict);
                self.backfill(queue, by, now, verdict);
            }
            Rule::List(_) => {
                for job in std::mem::take(&mut queue.waiting) {
                    if self.size(job) <= queue.free {
                        self.start(queue, job, verdict);
                    } else {
                        queue.waiting.push(job);
                    }
                }
            }
        }
        verdict.free = queue.free;
    }

    /// Starts the first job in the queue as long as it fits.
    fn start_heads(&self, queue: &mut Queue, verdict: &mut Verdict) {
        while let Some(&head) = queue.waiting.first() {
            if self.size(head) > queue.free {
                verdict.head = Some(head);
                return;
            }
            queue.waiting.remove(0);
            self.start(queue, head, verdict);
        }
    }

    /// EASY, steps 2 and 3: the head gets the earliest promise that the expected ends allow. One
    /// scan over the others starts each job that fits and either is expected to finish by then or
    /// uses only processors that the head leaves over.
    fn backfill(&self, queue: &mut Queue, by: By, now: Time, verdict: &mut Verdict) {
        let Some(head) = verdict.head else { return };
        let (shadow, extra) = self.promise(queue, head, now);
        (verdict.shadow, verdict.extra) = (shadow, extra);
        let mut others = queue.waiting.split_off(1);
        if by == By::Length {
            others.sort_by_key(|&job| self.expected[job]);
        }
        for job in others {
            let in_time = now.saturating_add(self.expected[job]) <= shadow;
            let fits = self.size(job) <= queue.free;
            if fits && (in_time || self.size(job) <= verdict.extra) {
                self.start(queue, job, verdict);
                if !in_time {
                    verdict.extra -= self.size(job);
                }
            } else {
                queue.waiting.push(job);
            }
        }
        queue.waiting.sort_by_key(|&job| self.rank[job]);
    }

    /// Shadow time and extra processors: the first expected end at which the head fits, and the
    /// processors it then leaves over after all expected releases up to then.
    fn promise(&self, queue: &Queue, head: usize, now: Time) -> (Time, i64) {
        let mut ends: Vec<(Time, i64)> = Vec::with_capacity(queue.running.len());
        for &job in &queue.running {
            let start = self.start_of(job, now);
            ends.push((self.expected_end(job, start, now, queue.corrected), self.size(job)));
        }
        ends.sort_unstable();
        let mut free = queue.free;
        let mut shadow = Time::NEVER;
        for (end, released) in ends {
            if end > shadow {
                break;
            }
            free += released;
            if free >= self.size(head) {
                shadow = end;
            }
        }
        (shadow, free - self.size(head))
    }

    /// Compares the jobs that must start with those that did.
    fn compare(&mut self, instant: &Instant, verdict: &Verdict, before: i64, check: &mut Check) {
        for &job in &instant.started {
            if !verdict.starts.contains(&job) {
                let idle = instant.submitted.is_empty()
                    && instant.completed.is_empty()
                    && !instant.corrects;
                let head = verdict.head.filter(|&head| head != job);
                let text = || self.why_not(job, instant.time, verdict, idle);
                self.run.violated(check, job, head, instant.time, text);
            }
        }
        let released: i64 = instant.completed.iter().map(|&job| self.size(job)).sum();
        for &job in &verdict.starts {
            if !instant.started.contains(&job) && !std::mem::replace(&mut self.told[job], true) {
                self.run.violated(check, job, None, instant.time, || {
                    format!(
                        "job {} ({}) did not start at {} although {} starts it then ({} free)",
                        self.run.jobs[job].number,
                        counted(self.size(job), "processor"),
                        instant.time,
                        self.rule.name(),
                        before + released,
                    )
                });
            }
        }
    }

    /// Explains why the rule does not start a job that did start.
    fn why_not(&self, job: usize, now: Time, verdict: &Verdict, idle: bool) -> String {
        let number = |job: usize| self.run.jobs[job].number;
        let started = format!("job {} started at {now}", number(job));
        if idle {
            return format!("{started}, when nothing was submitted and nothing ended");
        }
        if let Some(head) = verdict.head.filter(|&head| head != job) {
            let head = number(head);
            if self.rule == Rule::Fcfs {
                return format!(
                    "{started} although job {head}, which came before it, still waited"
                );
            }
            if self.size(job) <= verdict.free {
                let end = now.saturating_add(self.expected[job]);
                return format!(
                    "{started} although its {} until {end} would delay job {head}, promised {} with \
                     {} to spare",
                    counted(self.size(job), "processor"),
                    verdict.shadow,
                    verdict.extra,
                );
            }
        }
        format!("{started} although only {} left for its {}", left(verdict.free), self.size(job))
    }

    /// Random order: in any order, no fitting job is left waiting.
    fn compare_idle(&mut self, now: Time, check: &mut Check) {
        for &job in &self.queue.waiting {
            if self.size(job) <= self.queue.free && !std::mem::replace(&mut self.told[job], true) {
                self.run.violated(check, job, None, now, || {
                    format!(
                        "job {} ({}) waits at {now} although {} are free",
                        self.run.jobs[job].number,
                        counted(self.size(job), "processor"),
                        self.queue.free
                    )
                });
            }
        }
    }

    /// Ranks the started jobs: first in the rule's order, then the others.
    fn remember_order(&mut self, verdict: &Verdict, instant: &Instant) {
        let ruled = verdict.starts.iter().filter(|job| instant.started.contains(job));
        let others = instant.started.iter().filter(|job| !verdict.starts.contains(job));
        for &job in ruled.chain(others) {
            self.sequence[job] = self.started;
            self.started += 1;
        }
    }

    /// Updates the queue with the actual events.
    fn follow(&mut self, instant: &Instant) {
        let mut queue = std::mem::take(&mut self.queue);
        for &job in &instant.completed {
            self.leave(&mut queue, job);
        }
        for job in instant.submitted.clone() {
            self.join(&mut queue, job);
        }
        queue.waiting.retain(|job| !instant.started.contains(job));
        for &job in &instant.started {
            if self.run.jobs[job].finish != Some(instant.time) {
                queue.free -= self.size(job);
                queue.running.push(job);
            }
        }
        self.queue = queue;
    }
}

/// Rank of each job in the order of the rule.
fn ranks(run: &Run<'_>, rule: Rule, expected: &[Span]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..run.jobs.len()).collect();
    let size = |job: usize| run.jobs[job].processors;
    let area = |job: usize| i128::from(size(job)) * i128::from(expected[job].ticks());
    match rule {
        Rule::Fcfs | Rule::Easy(_) | Rule::List(Order::Submit | Order::Random) => {}
        Rule::List(Order::ShortestEstimate) => order.sort_by_key(|&job| expected[job]),
        Rule::List(Order::LongestEstimate) => order.sort_by_key(|&job| Reverse(expected[job])),
        Rule::List(Order::Smallest) => order.sort_by_key(|&job| size(job)),
        Rule::List(Order::Largest) => order.sort_by_key(|&job| Reverse(size(job))),
        Rule::List(Order::SmallestArea) => order.sort_by_key(|&job| area(job)),
        Rule::List(Order::LargestArea) => order.sort_by_key(|&job| Reverse(area(job))),
    }
    let mut ranks = vec![0; order.len()];
    for (rank, job) in order.into_iter().enumerate() {
        ranks[job] = rank;
    }
    ranks
}
