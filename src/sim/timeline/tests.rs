//! Compares bins with sums over lists of jobs, computed from their definition.

use proptest::prelude::*;

use super::bins::{Bins, Cell, FINEST, MOST};
use super::*;
use crate::observer::{Finished, Submitted};
use kernel::time::Span;
use model::ids::{JobId, OrganizationId};
use model::job::Job;

/// A job's life.
#[derive(Clone, Copy, Debug)]
struct Life {
    cluster: u32,
    processors: u32,
    submit: i64,
    start: i64,
    finish: i64,
}

impl Life {
    fn job(&self) -> Job {
        Job {
            number: 1,
            source: 0,
            submit: Time::from_ticks(self.submit),
            runtime: Span::from_ticks(self.finish - self.start),
            estimate: Span::from_ticks(self.finish - self.start),
            processors: self.processors,
            user: 0,
            organization: OrganizationId(0),
            ..Job::default()
        }
    }

    /// Its events with their ticks; finishes come first, as in a run.
    fn tells(self) -> [(i64, u8, Life); 3] {
        [(self.submit, 1, self), (self.start, 2, self), (self.finish, 0, self)]
    }
}

/// The events up to `end`, in order; a job of length 0 finishes after it started.
fn events(lives: &[Life], end: i64) -> Vec<(i64, u8, Life)> {
    let mut events: Vec<_> = lives.iter().flat_map(|life| life.tells()).collect();
    for event in &mut events {
        if event.1 == 0 && event.2.start == event.2.finish {
            event.1 = 3;
        }
    }
    events.retain(|event| event.0 <= end);
    events.sort_by_key(|&(at, phase, life)| (at, phase, life.submit));
    events
}

fn tell(timeline: &mut Timeline, (at, phase, life): (i64, u8, Life)) {
    let (job, now, cluster) = (life.job(), Time::from_ticks(at), ClusterId(life.cluster));
    let start = Time::from_ticks(life.start);
    match phase {
        1 => {
            timeline.submitted(Submitted { id: JobId(0), job: &job, cluster: Some(cluster), now });
        }
        2 => timeline.started(Started { id: JobId(0), job: &job, cluster, start: now }),
        _ => timeline.finished(Finished {
            id: JobId(0),
            job: &job,
            expected: None,
            cluster,
            start,
            finish: now,
            killed: false,
        }),
    }
}

/// Statistics of a list of jobs between two ticks, on one cluster or on all.
fn done(lives: &[Life], cluster: Option<u32>, from: i64, until: i64, is_last: bool) -> Cell {
    let mut cell = Cell::default();
    let within = |at: i64| from <= at && (at < until || (is_last && at == until));
    let overlap = |one: i64, other: i64| i128::from((other.min(until) - one.max(from)).max(0));
    for life in lives.iter().filter(|life| cluster.is_none_or(|one| one == life.cluster)) {
        cell.arrivals += u64::from(within(life.submit));
        cell.starts += u64::from(within(life.start));
        cell.ends += u64::from(within(life.finish));
        cell.waiting += overlap(life.submit, life.start);
        cell.running += overlap(life.start, life.finish);
        cell.busy += overlap(life.start, life.finish) * i128::from(life.processors);
    }
    cell
}

/// Checks bins against the list of jobs they were made from.
fn check(bins: &Bins, lives: &[Life], end: i64) {
    let begun = lives.iter().map(|life| life.submit).min().unwrap();
    assert!(bins.len() <= MOST, "{}", bins.len());
    assert_eq!(bins.width() % FINEST, 0);
    assert!((bins.width() / FINEST).cast_unsigned().is_power_of_two());
    let mut at = begun;
    for (number, bin) in bins.iter().enumerate() {
        let is_last = number + 1 == bins.len();
        let (from, until) = (bin.from.ticks(), bin.until.ticks());
        assert_eq!(from, at);
        assert!(is_last || until % bins.width() == 0);
        assert_eq!(bin.seen, i128::from(until - from));
        at = until;
        assert_eq!(bin.all(), done(lives, None, from, until, is_last), "{from} to {until}");
        if bins.rows() > 1 {
            for (cluster, cell) in (0..).zip(bin.cells) {
                assert_eq!(*cell, done(lives, Some(cluster), from, until, is_last));
            }
        }
    }
    assert_eq!(at, end);
}

/// Random jobs with gaps of about `scale` ticks, and occasionally a thousand times that.
fn lives(scale: i64) -> impl Strategy<Value = Vec<Life>> {
    let job = (0..3_u32, 1..9_u32, 0..scale, 0..4 * scale, 0..4 * scale, 0..40_u8);
    // Up to twice as many events as are listed.
    proptest::collection::vec(job, 1..2 * LISTED / 3).prop_map(move |drawn| {
        let mut submit = 0;
        let mut lives = Vec::new();
        for (cluster, processors, gap, wait, run, rare) in drawn {
            submit += if rare == 0 { gap * 1000 } else { gap * i64::from(rare > 3) };
            let start = submit + if rare % 2 == 0 { wait } else { 0 };
            let finish = start + if rare % 5 == 0 { 0 } else { run };
            lives.push(Life { cluster, processors, submit, start, finish });
        }
        lives
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Also with a save and load in the middle, with too many clusters to keep apart, and with jobs
    /// still waiting and running at the end.
    #[test]
    fn bins_are_what_a_list_of_jobs_adds_up_to(
        lives in prop_oneof![lives(100), lives(40_000), lives(3_000_000_000)],
        clusters in prop_oneof![Just(3_usize), Just(MOST_CLUSTERS + 1)],
        cut in 0..200_u8,
        origin in prop_oneof![Just(0_i64), 0..i64::from(u32::MAX)],
    ) {
        let mut lives = lives;
        for life in &mut lives {
            life.submit += origin;
            life.start += origin;
            life.finish += origin;
        }
        let begun = lives.iter().map(|life| life.submit).min().unwrap();
        let last = lives.iter().map(|life| life.finish).max().unwrap();
        let end = begun + ((last - begun) as i128 * i128::from(cut.min(100)) / 100) as i64;
        lives.retain(|life| life.submit <= end);
        let events = events(&lives, end);
        let (mut timeline, mut unlisted) = (Timeline::new(clusters), Timeline::new(clusters));
        for (number, &event) in events.iter().enumerate() {
            tell(&mut timeline, event);
            tell(&mut unlisted, event);
            unlisted.bin();
            if number == events.len() / 2 {
                let mut bytes = Vec::new();
                timeline.save(&mut bytes);
                timeline = Timeline::new(clusters);
                timeline.load(&mut bytes.as_slice()).unwrap();
                let mut again = Vec::new();
                timeline.save(&mut again);
                assert_eq!(again, bytes);
            }
        }
        timeline.ended(Time::from_ticks(end));
        unlisted.ended(Time::from_ticks(end));
        check(&timeline.clone().into_bins(), &lives, end);
        prop_assert_eq!(timeline.clone().into_bins(), unlisted.clone().into_bins());
        for timeline in [&timeline, &unlisted] {
            let together = timeline.clone().into_bins().together();
            prop_assert_eq!(timeline.clone().into_bins_together(), together);
        }
        prop_assert_eq!(unlisted.most_arrivals(), None);
        if let Some(most) = timeline.most_arrivals() {
            let arrivals = |one: u32| {
                let lives = lives.iter().filter(|life| clusters > 3 || life.cluster == one);
                lives.count() as u64
            };
            prop_assert_eq!(Some(most), (0..3).map(arrivals).max());
        }
    }

    /// Two merged replications are the sums over both lists, in bins as wide as the wider ones.
    #[test]
    fn merged_bins_are_the_sums_of_both(
        one in prop_oneof![lives(100), lives(40_000)],
        other in prop_oneof![lives(100), lives(9_000_000)],
        late in prop_oneof![Just(0_i64), 0..i64::from(u32::MAX)],
    ) {
        let mut other = other;
        for life in &mut other {
            life.submit += late;
            life.start += late;
            life.finish += late;
        }
        let bins = [&one, &other].map(|lives| {
            let end = lives.iter().map(|life| life.finish).max().unwrap();
            let mut timeline = Timeline::new(3);
            events(lives, end).into_iter().for_each(|event| tell(&mut timeline, event));
            timeline.ended(Time::from_ticks(end));
            timeline.clone().into_bins()
        });
        let mut merged = bins[0].clone();
        merged.merge(&bins[1]);
        let mut mirrored = bins[1].clone();
        mirrored.merge(&bins[0]);
        assert_eq!(merged, mirrored);
        assert!(merged.len() <= MOST);
        assert!(merged.width() >= bins[0].width().max(bins[1].width()));
        let all: Vec<Life> = one.iter().chain(&other).copied().collect();
        for (number, bin) in merged.iter().enumerate() {
            let is_last = number + 1 == merged.len();
            let (from, until) = (bin.from.ticks(), bin.until.ticks());
            let seen = bins.iter().map(|bins| {
                (bins.end().ticks().min(until) - bins.begun().ticks().max(from)).max(0)
            });
            assert_eq!(bin.seen, seen.map(i128::from).sum::<i128>());
            let expected = done(&all, None, from, until, is_last);
            let all = bin.all();
            assert_eq!((all.waiting, all.running, all.busy),
                (expected.waiting, expected.running, expected.busy));
        }
        let sum = |of: fn(&Cell) -> u64| merged.iter().map(|bin| of(&bin.all())).sum::<u64>();
        let jobs = all.len() as u64;
        let counts = [sum(|all| all.arrivals), sum(|all| all.starts), sum(|all| all.ends)];
        assert_eq!(counts, [jobs; 3]);
    }
}

#[test]
fn a_long_run_has_a_bounded_number_of_bins_and_the_same_for_whatever_length_it_was_to_have() {
    let mut timeline = Timeline::new(1);
    let life = |number: i64| {
        let submit = number * 1_000_000;
        Life { cluster: 0, processors: 1, submit, start: submit, finish: submit + 500_000 }
    };
    for number in 0..100_000 {
        let mut tells = life(number).tells();
        tells.sort_by_key(|&(at, _, _)| at);
        tells.into_iter().for_each(|event| tell(&mut timeline, event));
    }
    let bins = timeline.clone().into_bins();
    assert_eq!(bins.width(), 256_000_000);
    assert_eq!(bins.len(), 391);
    for bin in bins.iter().take(390) {
        let all = bin.all();
        assert_eq!((all.arrivals, bin.mean(all.busy)), (256, Some(0.5)));
    }
    assert_eq!(Timeline::new(1).into_bins().len(), 0);
}
