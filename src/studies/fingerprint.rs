//! Fingerprints of learners: how often each takes part, by what that brings on average and by how much
//! it varies.
//!
//! A learner faces a coalition whose other member always takes part. Taking part brings a normal number
//! with a mean and a standard deviation, drawn anew in each round; staying out brings 0. All learners
//! meet the same draws at all means and deviations, run by run. After Ashlock and Kim, "Fingerprinting:
//! visualization and automatic analysis of prisoner's dilemma strategies", IEEE Transactions on
//! Evolutionary Computation 12(5), 2008, whose map is over the mixes of two opponents.

use std::sync::atomic::{AtomicUsize, Ordering};

use kernel::parallel;
use kernel::rng::Streams;
use policy::learn::{LearnerOptions, Player as _};
use rand_distr::{Distribution as _, StandardNormal};
use report::picture::{Heat, Picture};
use report::table::{Column, Table, columns};

use game::stage::{Act, Actions, Outcome, Terms, Wanted};

/// Rounds and runs of each point, and the master seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Rounds of a run; the last quarter counts.
    pub rounds: u64,
    /// Runs of a point.
    pub runs: u32,
    /// Master seed.
    pub seed: u64,
}

/// A learner's map.
#[derive(Clone, Debug, PartialEq)]
pub struct Fingerprint {
    /// The learner's name.
    pub learner: &'static str,
    /// Share of the last quarter of the rounds in which it took part: by deviation as in
    /// [`deviations`], the largest first, and mean as in [`means`].
    pub joined: Vec<Vec<f64>>,
}

/// Mean gains by taking part, in units of the score.
pub fn means() -> impl DoubleEndedIterator<Item = f64> {
    (-10..=10).map(|fifths| f64::from(fifths) / 5.0)
}

/// Standard deviations of the gain, the largest first.
pub fn deviations() -> impl Iterator<Item = f64> {
    (0..=20).rev().map(|fifths| f64::from(fifths) / 5.0)
}

/// Number of points of a map.
pub fn points() -> usize {
    means().count() * deviations().count()
}

/// The maps of learners, none of which asks for the payoffs of a whole game; counts the points that were
/// played.
pub fn fingerprints(
    learners: &[LearnerOptions],
    effort: Effort,
    played: &AtomicUsize,
) -> Vec<Fingerprint> {
    let streams = Streams::new(effort.seed);
    let draws = parallel::map(effort.runs as usize, |run| {
        let mut rng = streams.stream(&format!("gains/{run}"));
        (0..effort.rounds).map(|_| StandardNormal.sample(&mut rng)).collect::<Vec<f64>>()
    });
    let points: Vec<(f64, f64)> =
        deviations().flat_map(|deviation| means().map(move |mean| (mean, deviation))).collect();
    let joined = parallel::map(learners.len() * points.len(), |at| {
        let (options, point) = (&learners[at / points.len()], points[at % points.len()]);
        let runs = draws.iter().enumerate();
        let runs = runs.map(|(run, draws)| joins(options, point, draws, effort.seed, run));
        let joined = runs.sum::<f64>() / f64::from(effort.runs);
        played.fetch_add(1, Ordering::Relaxed);
        joined
    });
    let rows = |at: usize| joined[at * points.len()..][..points.len()].chunks(means().count());
    let map = |(at, options): (usize, &LearnerOptions)| Fingerprint {
        learner: options.name(),
        joined: rows(at).map(<[f64]>::to_vec).collect(),
    };
    learners.iter().enumerate().map(map).collect()
}

/// Share of the last quarter of the rounds in which a learner takes part.
fn joins(options: &LearnerOptions, point: (f64, f64), draws: &[f64], seed: u64, run: usize) -> f64 {
    let ((mean, deviation), streams) = (point, Streams::new(seed));
    let [act, learn] = ["act", "learn"].map(|what| format!("learner/{run}/{what}"));
    let mut learner = options.build();
    let wanted = [learner.wanted(), Wanted::default()];
    let menus = [const { [Act::Out, Act::In(Terms::ANY)] }; 2].map(Vec::from);
    let (mut outcome, mut joined) = (Outcome::default(), 0);
    let counts = draws.len().div_ceil(4);
    for (round, draw) in draws.iter().enumerate() {
        let (gain, own) = (mean + deviation * draw, streams.in_round(round as u64));
        learner.meet(Actions::Coalition, &act, &streams);
        let acts = [learner.decide(Actions::Coalition, &mut own.draws(&act)), Act::In(Terms::ANY)];
        let scores = acts.iter().map(|act| if act.is_in() { gain } else { 0.0 });
        outcome.score(&acts, &wanted, &menus, scores);
        // Also of who stayed out, and asks.
        outcome.instead[0].iter_mut().skip(1).for_each(|joining| *joining = gain);
        learner.observe(&outcome, 0, &mut own.draws(&learn));
        joined += usize::from(acts[0].is_in() && round + counts >= draws.len());
    }
    joined as f64 / counts as f64
}

/// A row for each point of each map.
pub fn table(found: &[Fingerprint]) -> Table {
    let points = found.iter().flat_map(|one| {
        one.joined.iter().zip(deviations()).flat_map(move |(row, deviation)| {
            row.iter()
                .zip(means())
                .map(move |(&joined, mean)| (one.learner, mean, deviation, joined))
        })
    });
    let columns = columns![|point: &(&str, f64, f64, f64)|
        Column::text("learner") => point.0,
        Column::figure("mean_gain") => point.1,
        Column::figure("deviation") => point.2,
        Column::figure("joined") => point.3,
    ];
    Table::by_columns("fingerprints", points, columns)
}

/// A row for each learner, for people: how often it takes part at some points.
pub fn told(found: &[Fingerprint], effort: Effort) -> Table {
    // A lone deviation, and means on either side of 0.
    let at = |mean: f64, deviation: f64| {
        let column = means().position(|one| (one - mean).abs() < 1e-9);
        let row = deviations().position(|one| (one - deviation).abs() < 1e-9);
        move |one: &Fingerprint| one.joined[row.unwrap_or(0)][column.unwrap_or(0)]
    };
    let columns = columns![|one: &&Fingerprint|
        Column::text("learner") => one.learner,
        Column::figure("-1 ± 0") => at(-1.0, 0.0)(one),
        Column::figure("1 ± 0") => at(1.0, 0.0)(one),
        Column::figure("-1 ± 2") => at(-1.0, 2.0)(one),
        Column::figure("-0.2 ± 2") => at(-0.2, 2.0)(one),
        Column::figure("0.2 ± 2") => at(0.2, 2.0)(one),
        Column::figure("1 ± 2") => at(1.0, 2.0)(one),
    ];
    let mut table = Table::by_columns("fingerprints", found.iter(), columns);
    let Effort { rounds, runs, seed } = effort;
    table.note(format!(
        "share of the last quarter of {rounds} rounds in which it takes part, {runs} runs, seed {seed}; \
         columns: mean gain by taking part ± standard deviation, against 0 for staying out"
    ));
    table
}

/// The map of a learner.
pub fn map(one: &Fingerprint) -> Picture {
    Picture::Heat(Heat {
        title: one.learner.to_owned(),
        subtitle: "share of the last quarter of the rounds in which it takes part".to_owned(),
        x: "mean gain by taking part".to_owned(),
        y: "standard deviation of the gain".to_owned(),
        columns: means().map(|mean| format!("{mean:.1}")).collect(),
        rows: deviations().map(|deviation| format!("{deviation:.1}")).collect(),
        cells: one.joined.iter().map(|row| row.iter().copied().map(Some).collect()).collect(),
        intervals: Vec::new(),
        ends: Some((0.0, 1.0)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Fingerprint {
        let mut all = LearnerOptions::defaults().into_iter();
        let options = all.find(|one| one.name() == name).expect("it is registered");
        let effort = Effort { rounds: 400, runs: 10, seed: 1 };
        fingerprints(&[options], effort, &AtomicUsize::new(0)).remove(0)
    }

    /// The ratio rule: where a gain m is sure, its wish is q = (1 + m) / 2, cut, and p moves towards it by a
    /// tenth in the rounds in which it takes part. To first order dp/dt = p (q - p) / 10, from 1/2.
    #[test]
    fn the_ratio_rule_joins_by_what_it_gains_on_average() {
        let sure = of("ratio").joined.pop().expect("the deviation 0 is last");
        for (mean, joined) in means().zip(sure) {
            let q = f64::clamp((1.0 + mean) / 2.0, 1e-9, 1.0);
            let p = |round: f64| q / (1.0 - (1.0 - 2.0 * q) * libm::exp(-q * round / 10.0));
            let expected = (300..400).map(|round| p(f64::from(round))).sum::<f64>() / 100.0;
            // Coins of 100 rounds of 10 runs; and what p has still to go, which differs by a third.
            let error = libm::hypot(
                libm::sqrt(expected * (1.0 - expected) / 1000.0),
                (expected - q) / 3.0 / libm::sqrt(10.0),
            );
            assert!((joined - expected).abs() < 4.0 * error, "{mean}: {joined} for {expected}");
        }
    }

    #[test]
    fn those_who_never_learn_have_flat_maps_and_the_best_reply_a_step() {
        assert!(of("always").joined.iter().flatten().all(|&joined| joined == 1.0));
        assert!(of("never").joined.iter().flatten().all(|&joined| joined == 0.0));
        let step = of("best_reply").joined.pop().expect("the deviation 0 is last");
        for (mean, joined) in means().zip(step).filter(|(mean, _)| *mean != 0.0) {
            assert_eq!(joined, f64::from(u8::from(mean > 0.0)), "{mean}");
        }
    }
}
