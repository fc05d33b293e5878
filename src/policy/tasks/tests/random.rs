//! Random problems of tasks.

use rand::RngExt as _;

use crate::tasks::*;
use kernel::rng::Rng;
use kernel::time::{Span, Time};

/// A problem at time 0 with sites of so many processors and classes of so many tasks.
pub(super) fn bag<'t>(processors: &[u64], times: &'t [Vec<Span>], tasks: &[u64]) -> Problem<'t> {
    let free = |processors| Free { at: Time::ZERO, processors, class: None, holds: [0; HELD] };
    let site = |&processors: &u64| Site {
        price: 1_000_000,
        limits: [UNLIMITED; HELD],
        free: vec![free(processors)],
    };
    let class = |(number, (times, &tasks)): (usize, (&'t Vec<Span>, &u64))| Class {
        number: number as u32,
        application: 0,
        tasks: tasks as f64,
        ready: Time::ZERO,
        after: Vec::new(),
        times,
        weights: &[],
        needs: [0; HELD],
    };
    Problem {
        now: Time::ZERO,
        sites: processors.iter().map(site).collect(),
        classes: times.iter().zip(tasks).enumerate().map(class).collect(),
        applications: vec![Application { deadline: Time::NEVER }],
        seed: 0,
    }
}

/// Times of which a few fill the range of times.
pub(super) fn long() -> Vec<Vec<Span>> {
    let long = Span::from_ticks(1 << 60);
    vec![vec![long, Span::TICK, Span::MAX], vec![Span::UNIT, long, long], vec![long; 3]]
}

/// A problem with these times that ends beyond that range.
pub(super) fn beyond(times: &[Vec<Span>]) -> Problem<'_> {
    let mut problem = bag(&[3, 1, 2], times, &[50, 1000, 77]);
    problem.now = Time::from_ticks(1 << 60);
    problem.classes[2].after = vec![0];
    problem
}

/// Times by class and site: few different ones, or many, or of all sizes; some are missing.
pub(super) fn times(rng: &mut Rng) -> Vec<Vec<Span>> {
    let (classes, sites) = (rng.random_range(1..7), rng.random_range(1..6));
    let kind = rng.random_range(0..4);
    let missing = if rng.random_bool(0.5) { 0.2 } else { 0.0 };
    let mut time = || match kind {
        _ if rng.random_bool(missing) => Span::MAX,
        0 => Span::from_ticks(rng.random_range(1..4)),
        1 => Span::from_ticks(rng.random_range(1..12) * 5),
        2 => Span::from_ticks(rng.random_range(1..1000)),
        _ => Span::from_ticks(rng.random_range(1..10) * 10_i64.pow(rng.random_range(0..10))),
    };
    (0..classes).map(|_| (0..sites).map(|_| time()).collect()).collect()
}

/// A problem with these times.
pub(super) fn problem<'t>(rng: &mut Rng, times: &'t [Vec<Span>]) -> Problem<'t> {
    let longest = times.iter().flatten().filter(|&&time| time != Span::MAX).max();
    let scale = longest.map_or(1, |time| time.ticks()).min(100);
    let now = rng.random_range(0..100);
    let later = |rng: &mut Rng| Time::from_ticks(now + rng.random_range(-50..3 * scale));
    let [is_free, is_ready, has_edges, has_limits] = std::array::from_fn(|_| rng.random_bool(0.5));
    let mut sites = Vec::new();
    for _ in 0..times[0].len() {
        let mut free: Vec<Free> = (0..rng.random_range(1..4))
            .map(|_| Free {
                at: if is_free { Time::from_ticks(now) } else { later(rng) },
                processors: rng.random_range(0..4),
                class: rng.random_bool(0.5).then_some(7),
                holds: [0; HELD],
            })
            .collect();
        free.sort_by_key(|free| free.at);
        let limit = if has_limits { rng.random_range(2..9) } else { UNLIMITED };
        let price = rng.random_range(0..4) * 1_000_000;
        sites.push(Site { price, limits: [UNLIMITED, limit], free });
    }
    let applications = (0..2)
        .map(|_| Application {
            deadline: if rng.random_bool(0.2) {
                Time::NEVER
            } else {
                later(rng) + Span::from_ticks(scale)
            },
        })
        .collect();
    let mut classes = Vec::new();
    for (index, times) in times.iter().enumerate() {
        let index = index as u32;
        let edges = if has_edges { 0.3 } else { 0.0 };
        classes.push(Class {
            number: 3 * index + 1,
            application: rng.random_range(0..2),
            tasks: if rng.random_bool(0.1) { 0.0 } else { f64::from(rng.random_range(1..15)) },
            ready: if is_ready { Time::from_ticks(now) } else { later(rng) },
            after: (0..index).filter(|_| rng.random_bool(edges)).collect(),
            times,
            weights: &[],
            needs: [5, rng.random_range(0..5)],
        });
    }
    Problem {
        now: Time::from_ticks(now),
        sites,
        classes,
        applications,
        seed: rng.random_range(0..99),
    }
}
