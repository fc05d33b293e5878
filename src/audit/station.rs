//! Replay of one cluster in one replication, instant by instant.
//!
//! Jobs come in order of submission and know their start and finish, so all future events belong to
//! live jobs, and nothing else is kept.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::conservative::Book;
use super::correction;
use super::facts::{ClusterFacts, Discipline, JobFacts, Kind, Order, PhaseOrder, Settings};
use super::processors::Named;
use super::queue::{By, Replay, Rule};
use super::ranking::Ranking;
use super::report::{Violation, counted};
use super::scene::{Alive, Instant, Replayed, Scene};
use super::time_shared::Server;
use kernel::time::Time;

/// The replay that decides which jobs must start.
enum Judge {
    Queue(Box<Replay>),
    Book(Box<Book>),
    Server(Server),
    /// The discipline is unknown, or its replay is no longer meaningful.
    Nobody,
}

/// Time, start order if recorded, submission rank, slot.
type Event = Reverse<(Time, u64, u64, usize)>;

/// A cluster in a replication.
pub(super) struct Station<'a> {
    cluster: &'a ClusterFacts,
    settings: Settings,
    alive: Alive,
    starts: BinaryHeap<Event>,
    ends: BinaryHeap<Event>,
    /// Time at which a running job's expectation is corrected, number of corrections, slot.
    expiries: BinaryHeap<Reverse<(Time, usize, usize)>>,
    /// The submissions of the instant that is still open.
    instant: Instant,
    /// Scratch space: an instant without submissions, and started jobs in order of submission.
    others: Instant,
    in_order: Vec<usize>,
    /// Free processors; negative if the facts run more than fits.
    free: i64,
    started: u64,
    /// Ranks of the waiting jobs of the owner, if others' jobs start only while there are none.
    own: BTreeMap<u64, usize>,
    named: Named,
    judge: Judge,
}

impl<'a> Station<'a> {
    pub fn new(
        cluster: &'a ClusterFacts,
        settings: Settings,
        checks: &mut Replayed,
    ) -> Station<'a> {
        Station {
            cluster,
            settings,
            alive: Alive::default(),
            starts: BinaryHeap::new(),
            ends: BinaryHeap::new(),
            expiries: BinaryHeap::new(),
            instant: Instant::default(),
            others: Instant::default(),
            in_order: Vec::new(),
            free: i64::from(cluster.processors),
            started: 0,
            own: BTreeMap::new(),
            named: Named::default(),
            judge: Judge::new(cluster, &settings, checks),
        }
    }

    /// Adds the next job in order of submission.
    pub fn add(&mut self, job: JobFacts, checks: &mut Replayed) {
        self.advance(Some(job.submit), checks);
        if let Kind::SpaceShared(_) = self.cluster.kind {
            checks.capacity.looked_at += 1;
            if job.processors > self.cluster.processors {
                return self.oversized(&job, checks);
            }
        }
        if is_impossible(&job) {
            return self.cannot_be_replayed(&job, checks);
        }
        if let Some(message) = self.judge.refuses(&job, &self.settings) {
            self.judge = Judge::Nobody;
            checks.queue.note(format!("{}: {message}", self.cluster.name));
        }
        match &mut self.judge {
            Judge::Queue(_) | Judge::Book(_) => checks.queue.looked_at += 1,
            Judge::Server(server) => server.serve(&job, self.cluster, &mut checks.sharing),
            Judge::Nobody => {}
        }
        let slot = self.alive.add(job);
        let job = self.alive.job(slot);
        if self.cluster.guards && !self.cluster.admits_as_guest(job) {
            self.own.insert(self.alive.place(slot), slot);
        }
        if let Some(start) = job.start {
            let order = job.start_order.unwrap_or(u64::MAX);
            self.starts.push(Reverse((start, order, self.alive.place(slot), slot)));
        }
        self.instant.time = job.submit;
        self.instant.submitted.push(slot);
    }

    /// Completes the replay.
    pub fn finish(mut self, checks: &mut Replayed) {
        self.advance(None, checks);
        self.named.finish(&mut checks.processors);
    }

    /// Handles a job that is too large for the cluster; it blocks no other job.
    fn oversized(&self, job: &JobFacts, checks: &mut Replayed) {
        if job.start.is_some() {
            checks.capacity.violated(|| {
                let text = format!(
                    "job {} started with {}; there are {}",
                    job.number,
                    counted(job.processors, "processor"),
                    self.cluster.processors
                );
                Violation::of_job(job, job.start, text).at(&self.cluster.name)
            });
        }
    }

    fn cannot_be_replayed(&mut self, job: &JobFacts, checks: &mut Replayed) {
        let check = match self.cluster.kind {
            Kind::SpaceShared(_) => &mut checks.queue,
            Kind::TimeShared => &mut checks.sharing,
        };
        check.note(format!(
            "{}: the times of job {} cannot be, so its queue cannot be replayed",
            self.cluster.name, job.number
        ));
        self.judge = Judge::Nobody;
    }

    /// Replays all instants before a time.
    fn advance(&mut self, until: Option<Time>, checks: &mut Replayed) {
        loop {
            let submitted = (!self.instant.submitted.is_empty()).then_some(self.instant.time);
            let next = |events: &BinaryHeap<Event>| events.peek().map(|Reverse(event)| event.0);
            let expiry = self.expiries.peek().map(|Reverse(expiry)| expiry.0);
            let times = [submitted, next(&self.starts), next(&self.ends), expiry];
            let Some(time) = times.into_iter().flatten().min() else { return };
            if until.is_some_and(|until| time >= until) {
                return;
            }
            // The submitted jobs may belong to a later instant.
            if submitted == Some(time) {
                let instant = std::mem::take(&mut self.instant);
                self.instant = self.replay(instant, time, checks);
                self.instant.submitted.clear();
            } else {
                let instant = std::mem::take(&mut self.others);
                self.others = self.replay(instant, time, checks);
            }
        }
    }

    /// Replays the events at `time`; the jobs submitted then are in `instant`, which is returned.
    fn replay(&mut self, mut instant: Instant, time: Time, checks: &mut Replayed) -> Instant {
        instant.time = time;
        instant.completed.clear();
        instant.started.clear();
        take_at(&mut self.ends, time, &mut instant.completed);
        take_at(&mut self.starts, time, &mut instant.started);
        for &slot in &instant.started {
            let job = self.alive.job(slot);
            if let Some(finish) = job.finish.filter(|&finish| finish > time) {
                let order = job.start_order.unwrap_or(u64::MAX);
                self.ends.push(Reverse((finish, order, self.alive.place(slot), slot)));
            }
        }
        instant.corrects = self.correct(&instant);
        self.hold(&instant, checks);
        self.count_starts(&instant, checks);
        self.guard(&instant, checks);
        if self.settings.stopped.is_none_or(|stopped| time < stopped) {
            let scene = Scene { cluster: self.cluster, alive: &self.alive };
            let goes_on = match &mut self.judge {
                Judge::Queue(replay) => replay.judge(&scene, &instant, checks),
                Judge::Book(book) => book.judge(&scene, &instant, checks),
                Judge::Server(_) | Judge::Nobody => true,
            };
            if !goes_on {
                self.judge = Judge::Nobody;
            }
        }
        for &slot in &instant.started {
            if self.alive.is_instantaneous(slot) {
                self.alive.remove(&[slot]);
            }
        }
        self.alive.remove(&instant.completed);
        instant
    }

    /// True if expectations are corrected at an instant; schedules the corrections of running jobs.
    fn correct(&mut self, instant: &Instant) -> bool {
        if !self.settings.corrects || !self.judge.is_corrected() {
            // No longer needed.
            self.expiries.clear();
            return false;
        }
        let mut due: Vec<(usize, usize)> = Vec::new();
        while let Some(&Reverse((time, times, slot))) = self.expiries.peek() {
            if time != instant.time {
                break;
            }
            self.expiries.pop();
            due.push((slot, times));
        }
        let mut corrects = !due.is_empty();
        due.extend(instant.started.iter().map(|&slot| (slot, 0)));
        for (slot, times) in due {
            let job = self.alive.job(slot);
            let Some((start, predicted)) =
                job.start.zip(job.expectation(self.settings.clairvoyance))
            else {
                continue;
            };
            let later = correction::expiries(job, start, predicted).zip(1..).skip(times);
            for (time, times) in later {
                corrects |= time == instant.time;
                if time > instant.time {
                    self.expiries.push(Reverse((time, times, slot)));
                    break;
                }
            }
        }
        corrects
    }

    /// Checks that no cluster runs more than it has, and no processor serves two jobs. At one
    /// instant completions come first; a job that finishes at the instant it starts holds nothing.
    fn hold(&mut self, instant: &Instant, checks: &mut Replayed) {
        let scene = Scene { cluster: self.cluster, alive: &self.alive };
        let is_shared = matches!(self.cluster.kind, Kind::SpaceShared(_));
        for &slot in &instant.completed {
            self.free += self.alive.size(slot);
            self.named.end(slot, self.alive.job(slot));
        }
        self.in_order.clone_from(&instant.started);
        self.in_order.sort_unstable_by_key(|&slot| self.alive.place(slot));
        for &slot in &self.in_order {
            let is_lasting = !self.alive.is_instantaneous(slot);
            self.named.start(&scene, slot, is_lasting, instant.time, &mut checks.processors);
            if !is_lasting {
                continue;
            }
            let (size, free) = (self.alive.size(slot), self.free);
            if is_shared && size > free {
                scene.violated(&mut checks.capacity, slot, None, instant.time, || {
                    format!(
                        "job {} started at {} with {} when {} of {} were free",
                        scene.number(slot),
                        instant.time,
                        counted(size, "processor"),
                        free.max(0),
                        self.cluster.processors
                    )
                });
            }
            self.free -= size;
        }
    }

    /// Checks that no job of another starts while one of the owner, which came before it, waits.
    fn guard(&mut self, instant: &Instant, checks: &mut Replayed) {
        for &slot in &instant.started {
            self.own.remove(&self.alive.place(slot));
        }
        let scene = Scene { cluster: self.cluster, alive: &self.alive };
        for &slot in &instant.started {
            let Some((&place, &own)) = self.own.first_key_value() else { return };
            let is_guest = self.cluster.admits_as_guest(self.alive.job(slot));
            if is_guest && place < self.alive.place(slot) {
                scene.violated(&mut checks.queue, slot, Some(own), instant.time, || {
                    format!(
                        "job {} of another organization started at {} although job {} of the owner waited",
                        scene.number(slot),
                        instant.time,
                        scene.number(own)
                    )
                });
            }
        }
    }

    /// Checks the recorded start order, if any: it must count the starts.
    fn count_starts(&mut self, instant: &Instant, checks: &mut Replayed) {
        let scene = Scene { cluster: self.cluster, alive: &self.alive };
        for &slot in &instant.started {
            let expected = self.started;
            self.started += 1;
            let Some(order) = self.alive.job(slot).start_order else { continue };
            checks.numbering.looked_at += 1;
            if order != expected {
                scene.violated(&mut checks.numbering, slot, None, instant.time, || {
                    format!(
                        "job {} started at {} and has start_order {order}, but {} started here \
                         before it",
                        scene.number(slot),
                        instant.time,
                        counted(expected, "job")
                    )
                });
            }
        }
    }
}

impl Judge {
    fn new(cluster: &ClusterFacts, settings: &Settings, checks: &mut Replayed) -> Judge {
        let queue = |rule| Judge::Queue(Box::new(Replay::new(rule, cluster.processors, settings)));
        match &cluster.kind {
            Kind::TimeShared => Judge::Server(Server::new(settings.stopped)),
            Kind::SpaceShared(Discipline::Fcfs) => queue(Rule::Fcfs),
            Kind::SpaceShared(Discipline::Easy) => queue(Rule::Easy(By::Order)),
            Kind::SpaceShared(Discipline::EasyShortestFirst) => queue(Rule::Easy(By::Length)),
            Kind::SpaceShared(Discipline::List(order)) => queue(Rule::List(*order)),
            Kind::SpaceShared(Discipline::Ranked { by, is_easy }) => {
                let rule = if *is_easy { Rule::Easy(By::Order) } else { Rule::List(Order::Submit) };
                let Some(ranking) = Ranking::read(by) else {
                    checks.queue.note(format!("{}: `{by}` is no formula", cluster.name));
                    return Judge::Nobody;
                };
                let replay = Replay::new(rule, cluster.processors, settings);
                Judge::Queue(Box::new(replay.ranked(ranking)))
            }
            Kind::SpaceShared(Discipline::Conservative) => match settings.phase_order {
                PhaseOrder::Instant => {
                    Judge::Book(Box::new(Book::new(cluster.processors, settings)))
                }
                PhaseOrder::PerEvent | PhaseOrder::PerEventFreeWhenDue => {
                    checks.queue.note(format!(
                        "{}: conservative backfilling is defined for one decision an instant",
                        cluster.name
                    ));
                    Judge::Nobody
                }
            },
            Kind::SpaceShared(Discipline::Grid) => Judge::Nobody,
            Kind::SpaceShared(Discipline::Unknown(name)) => {
                checks.queue.note(format!("{}: nothing is known here of {name}", cluster.name));
                Judge::Nobody
            }
        }
    }

    /// True if a correction lets the discipline decide, i.e. if it promises starts.
    fn is_corrected(&self) -> bool {
        match self {
            Judge::Queue(replay) => replay.promises(),
            Judge::Book(_) => true,
            Judge::Server(_) | Judge::Nobody => false,
        }
    }

    /// Reason why the discipline cannot be judged with this job, if any.
    fn refuses(&self, job: &JobFacts, settings: &Settings) -> Option<String> {
        if let (Judge::Queue(replay), Some(_)) = (self, job.sent)
            && replay.is_ranked()
        {
            return Some(format!(
                "job {} was sent, and is ranked by its first submission",
                job.number
            ));
        }
        let needs_lengths = match self {
            Judge::Queue(replay) => replay.needs_lengths(),
            Judge::Book(_) => true,
            Judge::Server(_) | Judge::Nobody => false,
        };
        (needs_lengths && job.expectation(settings.clairvoyance).is_none())
            .then(|| format!("how long job {} was expected to run is not recorded", job.number))
    }
}

/// True if the times of a job contradict each other; the check of the times reports it.
fn is_impossible(job: &JobFacts) -> bool {
    job.start.is_some_and(|start| start < job.submit)
        || job.finish.is_some_and(|finish| job.start.is_none_or(|start| finish < start))
}

/// Takes the events at `time`, in order.
fn take_at(events: &mut BinaryHeap<Event>, time: Time, slots: &mut Vec<usize>) {
    while let Some(event) = events.peek_mut() {
        if event.0.0 != time {
            return;
        }
        slots.push(std::collections::binary_heap::PeekMut::pop(event).0.3);
    }
}
