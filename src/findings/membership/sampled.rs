//! Shapley and Banzhaf values of more organizations than have all their coalitions played: from drawn orders
//! of joining.
//!
//! Whoever joins with k before it meets each coalition of k others alike, so its contributions by place give
//! the Banzhaf value too, weighted by how many coalitions have k members. A value has two errors, which are told apart: that of the jobs, over replications or rounds as in the
//! game of all coalitions, and that of the orders, over pairs of an order and its reverse.

use rustc_hash::FxHashMap;

use super::{Basis, Figure, of_rounds, ratio, weights};
use crate::measure::Metric;
use crate::sample::Sample;
use crate::unit::Class;
use game::orders::{Orders, passed};

/// Shapley values by orders.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// Organizations that are alike.
    pub classes: Vec<Class>,
    /// Number of orders; each has its reverse among them.
    pub orders: usize,
    /// Number of coalitions that they pass.
    pub coalitions: usize,
    /// Number of rounds, if batches of them stand for replications.
    pub rounds: Option<u64>,
    /// Flow time that all together save in a round.
    pub total: Figure,
    /// By class.
    pub shares: Vec<Share>,
}

/// The share of one of a class.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Flow time that it saves in a round, with all in.
    pub received: Figure,
    /// Its Shapley value, with the interval over replications or rounds.
    pub by_jobs: Figure,
    /// The same with the interval over orders.
    pub by_orders: Figure,
    /// Its Banzhaf value, by jobs and by orders.
    pub banzhaf: [Figure; 2],
}

impl Sampled {
    /// The values of these coalitions by the members of each class. `None` if they are not those that drawn
    /// orders pass, or if one has no finite worth.
    ///
    /// `rounds` is the number of rounds of a replication or batch.
    pub fn of(
        classes: Vec<Class>,
        points: &[(Vec<usize>, &Sample)],
        rounds: &[u64],
        basis: Basis,
    ) -> Option<Sampled> {
        let sizes: Vec<usize> = classes.iter().map(|class| class.members.len()).collect();
        let level = points.first()?.1.level();
        let sample_of = |all: bool| {
            points.iter().find(|(counts, _)| match all {
                true => *counts == sizes,
                false => counts.iter().all(|&count| count == 0),
            })
        };
        let (nobody, grand) = (sample_of(false)?.1, sample_of(true)?.1);
        let saved = |sample: &Sample, unit: usize| -> Option<Vec<f64>> {
            let alone = match basis.saves {
                true => of_rounds(nobody, unit, Metric::Flow, rounds)?,
                false => of_rounds(sample, unit, Metric::FlowAlone, rounds)?,
            };
            let flow = of_rounds(sample, unit, Metric::Flow, rounds)?;
            Some(alone.into_iter().zip(flow).map(|(alone, flow)| alone - flow).collect())
        };
        let sum = |sample: &Sample, units: &mut dyn Iterator<Item = usize>| -> Option<Vec<f64>> {
            let mut sums = vec![0.0; rounds.len()];
            for unit in units {
                sums.iter_mut().zip(saved(sample, unit)?).for_each(|(sum, one)| *sum += one);
            }
            sums.iter().all(|one| one.is_finite()).then_some(sums)
        };
        let mut worths: FxHashMap<&[usize], Vec<f64>> = FxHashMap::default();
        for (counts, sample) in points {
            let members = classes.iter().zip(counts);
            let mut members = members.flat_map(|(class, &count)| class.members.clone().take(count));
            worths.insert(counts, sum(sample, &mut members)?);
        }
        let weights = weights(rounds, basis.by_rounds);
        let all: f64 = weights.iter().sum();
        let mut left: FxHashMap<&[usize], ()> = worths.keys().map(|&counts| (counts, ())).collect();
        let mut pairs = Orders::new(&sizes);
        // Of both values: by class and section, and by pair and class.
        let mut by_section = [0, 1].map(|_| vec![vec![0.0; rounds.len()]; classes.len()]);
        let mut by_pair: [Vec<Vec<f64>>; 2] = Default::default();
        let at_place = at_place(sizes.iter().sum());
        while !left.is_empty() {
            let mut means = [0, 1].map(|_| vec![0.0; classes.len()]);
            for order in pairs.next().expect("there is no end") {
                let passed: Vec<Vec<usize>> = passed(&order, classes.len()).collect();
                passed.iter().for_each(|counts| _ = left.remove(&counts[..]));
                let places = order.iter().zip(passed.windows(2)).zip(&at_place);
                for ((&class, both), weight) in places {
                    let [before, after] = [worths.get(&both[0][..])?, worths.get(&both[1][..])?];
                    let share = 1.0 / (2 * sizes[class]) as f64;
                    for (at, (before, after)) in before.iter().zip(after).enumerate() {
                        for (value, share) in [share, share * weight].into_iter().enumerate() {
                            let own = (after - before) * share;
                            by_section[value][class][at] += own;
                            means[value][class] += own * weights[at] / all;
                        }
                    }
                }
            }
            by_pair.iter_mut().zip(means).for_each(|(all, means)| all.push(means));
        }
        let number = by_pair[0].len();
        let total = basis.by_rounds.then(|| rounds.iter().sum());
        let over =
            |values: &[f64], by: f64| ratio(level, &weights, total, |one| [values[one] / by, 1.0]);
        let mut shares = Vec::new();
        for (at, class) in classes.iter().enumerate() {
            let own = sum(grand, &mut class.members.clone())?;
            let [[by_jobs, by_orders], banzhaf] = [0, 1].map(|value| {
                let pairs = by_pair[value].iter().map(|one| [one[at], 1.0]);
                [over(&by_section[value][at], number as f64), Figure::of(level, pairs)]
            });
            let received = over(&own, sizes[at] as f64);
            shares.push(Share { received, by_jobs, by_orders, banzhaf });
        }
        Some(Sampled {
            total: over(&worths[&sizes[..]], 1.0),
            orders: 2 * number,
            coalitions: points.len(),
            rounds: total,
            classes,
            shares,
        })
    }
}

/// The weights of a player's contributions in its Banzhaf value, by the number of others before it. The mean
/// over orders has each number alike, while of all coalitions of the others C(n - 1, k) / 2^(n - 1) have k.
fn at_place(players: usize) -> Vec<f64> {
    let n = players as f64;
    let log = |k: f64| libm::lgamma(n) - libm::lgamma(k + 1.0) - libm::lgamma(n - k);
    let weight = |k: usize| n * libm::exp(log(k as f64) - (n - 1.0) * std::f64::consts::LN_2);
    (0..players).map(weight).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn places_weigh_as_coalitions_have_members() {
        let near = |one: f64, other: f64| (one - other).abs() < 1e-12;
        let weights = super::at_place(4);
        assert!(weights.iter().zip([0.5, 1.5, 1.5, 0.5]).all(|(&one, other)| near(one, other)));
        for players in [1, 30, 4000] {
            let mean = super::at_place(players).iter().sum::<f64>() / players as f64;
            assert!((mean - 1.0).abs() < 1e-9, "{players}: {mean}");
        }
    }
}
