//! Random small grids: engine and literal simulator agree on every job and every balancing.
//!
//! No job is without work here: the literal simulator has no token for it. `zero.rs` has such jobs.

use gridpact::game::stage::{Act, Outcome, StageGame, Terms, Wanted};
use gridpact::kernel::rng::{Rng, Streams};
use gridpact::kernel::time::{Span, Time};
use gridpact::policy::coalition::{BalancerOptions, averaging, bilb};
use gridpact::sim::pool::{Presence, Rounds, Season, Sends, turn};
use rand::RngExt;

use crate::coalition::common::{Lists, Log, at, game_of};
use crate::coalition::reference::{Kind, Reference, Round, Setting};

const GRIDS: u64 = 4000;

struct Grid {
    lists: Lists,
    setting: Setting,
    period: i64,
    window: (i64, i64),
    rounds: Vec<Vec<bool>>,
    presence: Vec<Presence>,
    continuing: bool,
}

impl Grid {
    /// The jobs of a cluster that come, with their numbers: those of rounds that it is there in.
    fn jobs(&self, cluster: usize) -> impl Iterator<Item = (u64, i64, i64)> {
        let presence = self.presence[cluster];
        let round = |submit: i64| if self.continuing { submit / self.period } else { 0 };
        let numbered = (0_u64..).zip(&self.lists[cluster]);
        let numbered = numbered.map(|(number, &(submit, size))| (number, submit, size));
        numbered.filter(move |&(_, submit, _)| presence.has(round(submit) as u64))
    }
}

fn random(number: u64) -> Grid {
    let mut rng: Rng = Streams::new(number).stream("differential");
    let clusters = rng.random_range(1..=5);
    let period = rng.random_range(10..=60);
    let continuing = rng.random_bool(0.5);
    let rounds = if continuing { rng.random_range(1..=4) } else { 1 };
    let span = period * if continuing { rounds } else { 2 };
    let pace = rng.random_range(2..=12);
    let list = |rng: &mut Rng| {
        let mut submit = 0;
        let mut list = Vec::new();
        let most = rng.random_range(1..=10);
        while submit < span {
            submit += rng.random_range(0..=pace);
            list.push((submit, rng.random_range(1..=most)));
        }
        list
    };
    let lists = (0..clusters).map(|_| list(&mut rng)).collect();
    let setting = Setting {
        kind: if rng.random_bool(0.5) { Kind::Averaging } else { Kind::Bilb },
        levels: (0..clusters).map(|_| rng.random_range(0..=15)).collect(),
        above: (0..clusters)
            .map(|_| rng.random_bool(0.2).then(|| rng.random_range(0..=8)))
            .collect(),
        least: [0, 1, 5][rng.random_range(0..3)],
        grid: [0, 1, 5][rng.random_range(0..3)],
        submit_first: rng.random_bool(0.8),
    };
    let from = rng.random_range(0..period / 2);
    let window = (from, rng.random_range(from + 1..=period));
    let inside = |rng: &mut Rng| (0..clusters).map(|_| rng.random_bool(0.8)).collect();
    let mut rounds: Vec<Vec<bool>> = (0..rounds).map(|_| inside(&mut rng)).collect();
    // A few come later or leave earlier.
    let comes_and_goes = |_| {
        let first = if rng.random_bool(0.2) { rng.random_range(0..3) } else { 0 };
        let last = rng.random_bool(0.2).then(|| first + rng.random_range(0..3));
        Presence { first, last }
    };
    let presence: Vec<Presence> = (0..clusters).map(comes_and_goes).collect();
    for (round, inside) in (0..).zip(&mut rounds) {
        inside.iter_mut().zip(&presence).for_each(|(inside, one)| *inside &= one.has(round));
    }
    Grid { lists, setting, period, window, rounds, presence, continuing }
}

fn options(setting: &Setting) -> BalancerOptions {
    let (least, grid) = (setting.least as f64, setting.grid as f64);
    let unit = Some(1.0);
    match setting.kind {
        Kind::Averaging => BalancerOptions::Averaging(averaging::Options { unit, least, grid }),
        Kind::Bilb => {
            BalancerOptions::Bilb(bilb::Options { unit, least, grid, ..Default::default() })
        }
    }
}

/// Section 4.2: a job starts no later than max(L, L' + Phi), when the own jobs before it end and
/// when the load at the last balancing before it and the foreign work that then came are done. The
/// bound is computed from what balancings found and moved; a job is at most its work behind its
/// start, also where parts of it are done elsewhere.
fn starts_within_bounds(grid: &Grid, log: &Log) -> usize {
    let mut checked = 0;
    for cluster in 0..grid.lists.len() {
        let none = Vec::new();
        let mut balancings = log.received.get(&(cluster as u32)).unwrap_or(&none).iter().peekable();
        let mut end = at(0);
        for (number, submit, size) in grid.jobs(cluster) {
            let before = |now: Time| match grid.setting.submit_first {
                true => now < at(submit),
                false => now <= at(submit),
            };
            while let Some((now, load, foreign)) = balancings.next_if(|one| before(one.0)) {
                end = *now + *load + *foreign;
            }
            let start = end.max(at(submit));
            end = start + Span::units(size);
            if let Some((_, finish, _)) = log.done.get(&(cluster as u32, number)) {
                assert!(*finish <= end, "cluster {cluster}, job {number}: {finish} after {end}");
                checked += 1;
            }
        }
    }
    checked
}

#[test]
fn the_engine_agrees_with_a_literal_simulator() {
    let (mut sent, mut balancings, mut bounded) = (0, 0, 0);
    for number in 0..GRIDS {
        let grid = random(number);
        let setting = &grid.setting;
        let clusters = grid.lists.len();
        let season = Season {
            period: Span::units(grid.period),
            window: Span::units(grid.window.0)..Span::units(grid.window.1),
            rounds: if grid.continuing { Rounds::Continuing } else { Rounds::Independent },
        };
        let tail = Sends::Tail;
        let (presence, options) = (grid.presence.clone(), options(setting));
        let first = setting.submit_first;
        let mut pool = game_of(&grid.lists, presence, &options, season, first, tail);
        let mut jobs: Vec<(usize, i64, i64)> = Vec::new();
        let mut keys: Vec<(u32, u64)> = Vec::new();
        for cluster in 0..clusters {
            for (number, submit, size) in grid.jobs(cluster) {
                jobs.push((cluster, submit, size));
                keys.push((cluster as u32, number));
            }
        }
        let mut reference = Reference::new(setting.clone(), clusters, jobs.clone());
        for (round, inside) in grid.rounds.iter().enumerate() {
            let start = if grid.continuing { round as i64 * grid.period } else { 0 };
            let what = Round {
                start,
                from: start + grid.window.0,
                until: start + grid.window.1,
                end: grid.continuing.then_some(start + grid.period),
                inside: inside.clone(),
            };
            let figures = reference.play(&what);
            let act = |cluster: usize| {
                let above = setting.above[cluster].map(Span::units);
                let level = match setting.kind {
                    Kind::Averaging => None,
                    Kind::Bilb => Some(Span::units(setting.levels[cluster])),
                };
                if inside[cluster] { Act::In(Terms { level, above, lie: 0 }) } else { Act::Out }
            };
            let acts: Vec<Act> = (0..clusters).map(act).collect();
            pool.begin(round as u64, &acts, &vec![Wanted::default(); clusters]).unwrap();
            while pool.advance().unwrap() {}
            let mut outcome = Outcome::default();
            pool.outcome(&mut outcome).unwrap();
            for (cluster, (turn, figures)) in pool.turns().zip(&figures).enumerate() {
                let units = |ticks: i128| (ticks / 1_000_000) as i64;
                let ours = (
                    turn.jobs,
                    units(turn.flow),
                    units(turn.alone),
                    units(turn.sent),
                    units(turn.received),
                    turn.balancings,
                );
                let theirs = (
                    figures.jobs,
                    figures.flow,
                    figures.alone,
                    figures.sent,
                    figures.received,
                    figures.balancings,
                );
                assert_eq!(ours, theirs, "grid {number}, round {round}, cluster {cluster}");
                assert_eq!(outcome.payoffs[cluster], turn::score(turn.flow, turn.alone));
                sent += figures.sent;
            }
        }
        let ours: Vec<_> = pool
            .observer()
            .balancings
            .iter()
            .filter(|(_, loads, _)| loads.iter().any(|&load| load > Span::ZERO))
            .map(|(now, loads, _)| (*now, loads.clone()))
            .collect();
        let theirs: Vec<_> = reference
            .balancings
            .iter()
            .filter(|(_, loads)| loads.iter().any(|&load| load > 0))
            .map(|(now, loads)| (at(*now), loads.iter().map(|&load| Span::units(load)).collect()))
            .collect();
        assert_eq!(ours, theirs, "grid {number}");
        balancings += theirs.len();
        bounded += starts_within_bounds(&grid, pool.observer());
        for (index, key) in keys.iter().enumerate() {
            // Jobs that never counted have no record, or came when the other had stopped.
            let told = at(reference.promises[index]);
            if let Some(&(promise, ..)) = pool.observer().done.get(key).filter(|_| told > at(0)) {
                assert_eq!(promise, told, "grid {number}, job {index}");
            }
        }
    }
    assert!(sent > 50_000 && balancings > 10_000, "{sent} units sent, {balancings} balancings");
    assert!(bounded > 10_000, "{bounded} starts");
}
