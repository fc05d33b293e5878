//! Grid Concurrent-Submission by the letter of the paper's Figures 4 and 5, under several readings, and
//! Grid Over-Time-Submission with new lists at each submission.
//!
//! Figure 5 has three `if`, three `endif` and no `endfor`, so it can be read in several ways. Each is
//! played here word by word; what it breaks decides which one is meant.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::lemmas::{Sets, is_half_busy, sets};
use bounds::instance::{Instance, Placement};
use kernel::time::Time;

/// A reading of procedure Update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reading {
    /// The last block is one more alternative for an empty list, and started jobs leave all lists.
    #[default]
    Settled,
    /// The last block follows the first two, for an empty list.
    Sequel,
    /// The last block is outside the test for an empty list.
    Outside,
    /// Started jobs leave the lists L, but not the support lists S.
    Kept,
}

/// The outcome of a reading on an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Led {
    /// Jobs that never start.
    pub(super) lost: u64,
    /// True if half of some cluster or more is idle before its last job starts.
    pub(super) is_half_idle: bool,
    /// Calls of Update after which a list is empty while one of a smaller cluster is not.
    pub(super) empty: u64,
}

/// Lists of a cluster; jobs are numbers of the instance, so a set is in order of submission.
#[derive(Clone, Debug, Default)]
struct Lists {
    l: BTreeSet<usize>,
    s: BTreeSet<usize>,
    b: BTreeSet<usize>,
}

/// Plays an instance.
///
/// If jobs come over time, the lists are made anew at each submission. Only for jobs that all come at
/// time 0 does `is_half_idle` tell of Lemma 5.2.
pub(super) fn led(instance: &Instance, reading: Reading) -> (Led, Vec<Option<Placement>>) {
    let mut game = Game {
        instance,
        reading,
        lists: Vec::new(),
        idle: instance.clusters.clone(),
        ends: Vec::new(),
        placed: vec![None; instance.tasks.len()],
        led: Led::default(),
    };
    game.play();
    let placed = game.placed;
    game.led.lost = placed.iter().filter(|place| place.is_none()).count() as u64;
    if game.led.lost == 0 {
        let schedule: Vec<Placement> = placed.iter().flatten().copied().collect();
        game.led.is_half_idle = !is_half_busy(instance, &schedule, Time::ZERO);
    }
    (game.led, placed)
}

struct Game<'a> {
    instance: &'a Instance,
    reading: Reading,
    lists: Vec<Lists>,
    idle: Vec<u32>,
    /// End, cluster and processors of running jobs.
    ends: Vec<(Time, usize, u32)>,
    placed: Vec<Option<Placement>>,
    led: Led,
}

impl Game<'_> {
    fn play(&mut self) {
        let mut now = Time::ZERO;
        loop {
            let releases = || self.instance.tasks.iter().map(|task| task.release);
            if releases().any(|release| release == now) {
                self.submit(now);
            }
            while self.pass(now) {}
            let releases = self.instance.tasks.iter().map(|task| task.release);
            let submissions = releases.filter(|&release| release > now);
            let next = self.ends.iter().map(|end| end.0).chain(submissions).min();
            let Some(next) = next else { return };
            now = next;
            let idle = &mut self.idle;
            self.ends.retain(|&(end, cluster, processors)| {
                if end == now {
                    idle[cluster] += processors;
                }
                end != now
            });
        }
    }

    /// Makes all lists anew, of the jobs that wait.
    fn submit(&mut self, now: Time) {
        let waits =
            |&job: &usize| self.instance.tasks[job].release <= now && self.placed[job].is_none();
        let of = |jobs: Vec<usize>| jobs.into_iter().filter(waits).collect();
        let sets = sets(self.instance).into_iter();
        self.lists = sets.map(|Sets { a, b, h }| Lists { l: of(a), s: of(h), b: of(b) }).collect();
        self.update();
    }

    /// One pass over the clusters; true if a job started.
    fn pass(&mut self, now: Time) -> bool {
        let mut has_started = false;
        for cluster in 0..self.lists.len() {
            loop {
                let size = |job: usize| self.instance.tasks[job].processors;
                let fits = |job: &&usize| size(**job) <= self.idle[cluster];
                let Some(&job) = self.lists[cluster].l.iter().find(fits) else { break };
                self.start(job, cluster, now);
                has_started = true;
            }
        }
        has_started
    }

    fn start(&mut self, job: usize, cluster: usize, now: Time) {
        let task = self.instance.tasks[job];
        self.idle[cluster] -= task.processors;
        self.ends.push((now + task.length, cluster, task.processors));
        self.placed[job] = Some(Placement { start: now, cluster });
        for lists in &mut self.lists {
            lists.l.remove(&job);
            lists.b.remove(&job);
            if self.reading != Reading::Kept {
                lists.s.remove(&job);
            }
        }
        if self.lists.iter().any(|lists| lists.l.is_empty()) {
            self.update();
        }
    }

    fn update(&mut self) {
        for i in 0..self.lists.len() {
            let (lower, rest) = self.lists.split_at_mut(i);
            let (below, own) = (lower.last(), &mut rest[0]);
            let below = below.map(|below| &below.l).filter(|list| !list.is_empty());
            // `i > 1`, and what the cluster before has; an empty list before gives an empty one here.
            let was_empty = own.l.is_empty();
            let mut is_loaded = false;
            if was_empty && i > 0 && !own.s.is_empty() {
                own.l = below.map(|list| list & &own.s).unwrap_or_default();
                own.s = &own.s - &own.l;
                is_loaded = true;
            } else if was_empty && !own.b.is_empty() {
                own.l.clone_from(&own.b);
                is_loaded = true;
            }
            let is_reached = match self.reading {
                Reading::Settled | Reading::Kept => was_empty && !is_loaded,
                Reading::Sequel => was_empty && own.s.is_empty(),
                Reading::Outside => own.s.is_empty(),
            };
            if let Some(below) = below.filter(|_| is_reached) {
                own.l.clone_from(below);
            }
        }
        let keeps = self.lists.is_sorted_by_key(|lists| !lists.l.is_empty());
        self.led.empty += u64::from(!keeps);
    }
}
