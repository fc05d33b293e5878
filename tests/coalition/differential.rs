//! Random small grids: engine and literal simulator agree on every job and every balancing.

use gridpact::game::stage::{Act, Outcome, StageGame, Terms, Wanted};
use gridpact::kernel::rng::{Rng, Streams};
use gridpact::kernel::time::Span;
use gridpact::policy::coalition::{BalancerOptions, averaging, bilb};
use gridpact::sim::pool::{Rounds, Season, Sends, turn};
use rand::RngExt;

use crate::common::{Lists, at, game};
use crate::reference::{Kind, Reference, Round, Setting};

const GRIDS: u64 = 4000;

struct Grid {
    lists: Lists,
    setting: Setting,
    period: i64,
    window: (i64, i64),
    rounds: Vec<Vec<bool>>,
    continuing: bool,
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
    let rounds = (0..rounds).map(|_| inside(&mut rng)).collect();
    Grid { lists, setting, period, window, rounds, continuing }
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

#[test]
fn the_engine_agrees_with_a_literal_simulator() {
    let (mut sent, mut balancings) = (0, 0);
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
        let mut pool = game(&grid.lists, &options(setting), season, setting.submit_first, tail);
        let mut jobs: Vec<(usize, i64, i64)> = Vec::new();
        for (cluster, list) in grid.lists.iter().enumerate() {
            jobs.extend(list.iter().map(|&(submit, size)| (cluster, submit, size)));
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
                if inside[cluster] { Act::In(Terms { level, above }) } else { Act::Out }
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
                );
                let theirs =
                    (figures.jobs, figures.flow, figures.alone, figures.sent, figures.received);
                assert_eq!(ours, theirs, "grid {number}, round {round}, cluster {cluster}");
                assert_eq!(outcome.payoffs[cluster], turn::score(turn.flow, turn.alone));
                sent += figures.sent;
            }
        }
        let ours: Vec<_> = pool
            .observer()
            .balancings
            .iter()
            .map(|(now, loads, _)| (*now, loads.clone()))
            .collect();
        let theirs: Vec<_> = reference
            .balancings
            .iter()
            .map(|(now, loads)| (at(*now), loads.iter().map(|&load| Span::units(load)).collect()))
            .collect();
        assert_eq!(ours, theirs, "grid {number}");
        balancings += theirs.len();
        let mut count = vec![0; clusters];
        for (index, &(cluster, ..)) in jobs.iter().enumerate() {
            let key = (cluster as u32, count[cluster]);
            count[cluster] += 1;
            // Jobs that never counted have no record, or came when the other had stopped.
            let told = at(reference.promises[index]);
            if let Some(&(promise, ..)) = pool.observer().done.get(&key).filter(|_| told > at(0)) {
                assert_eq!(promise, told, "grid {number}, job {index}");
            }
        }
    }
    assert!(sent > 50_000 && balancings > 10_000, "{sent} units sent, {balancings} balancings");
}
