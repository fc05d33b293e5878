//! Equitable dominance: which outcomes every impartial judge prefers.
//!
//! Outcomes are costs, one a party, and less is better. A preference is *equitable* if it ignores
//! names (symmetry), prefers less for one at no cost to others (monotony), and prefers a transfer
//! from a party to one that is worse off (the principle of transfers). All such preferences agree
//! that `a` is better than `b` exactly if the *cumulative ordered outcomes* of `a` (the largest
//! cost, the sum of the two largest, ...) are nowhere larger than those of `b`, and somewhere
//! smaller (Kostreva, Ogryczak and Wierzbicki, *Equitable aggregations and multiple criteria
//! analysis*, European Journal of Operational Research 158, 2004, theorem 1 in the form of Rzadca,
//! Trystram and Wierzbicki, *Fair Game-Theoretic Resource Management in Dedicated Grids*, section
//! 3.1, whose print leaves out that the outcomes are cumulated).

mod pareto;
mod points;

use std::ops::{Add, Sub};

pub use pareto::pareto_front;
pub use points::Points;

/// An exact amount: an integer wide enough for the sums of all parties.
pub trait Amount: Copy + Ord + Default + Add<Output = Self> + Sub<Output = Self> {}

impl<N: Copy + Ord + Default + Add<Output = N> + Sub<Output = N>> Amount for N {}

/// Writes the cumulative ordered outcomes into `out`: the largest outcome, the sum of the two
/// largest, and so on.
///
/// ```
/// let mut out = Vec::new();
/// gridpact_game::equity::cumulate(&[2, 0, 4], &mut out);
/// assert_eq!(out, [4, 6, 6]);
/// ```
pub fn cumulate<N: Amount>(outcomes: &[N], out: &mut Vec<N>) {
    out.clear();
    out.extend_from_slice(outcomes);
    out.sort_unstable_by(|a, b| b.cmp(a));
    let mut sum = N::default();
    for outcome in out {
        sum = sum + *outcome;
        *outcome = sum;
    }
}

/// True if `better` is nowhere larger than `other` and somewhere smaller.
pub fn pareto_dominates<N: Amount>(better: &[N], other: &[N]) -> bool {
    better != other && better.iter().zip(other).all(|(a, b)| a <= b)
}

/// True if every equitable preference prefers `better` to `other`. O(n log n).
pub fn equitably_dominates<N: Amount>(better: &[N], other: &[N]) -> bool {
    let [mut better_sums, mut other_sums] = [Vec::new(), Vec::new()];
    cumulate(better, &mut better_sums);
    cumulate(other, &mut other_sums);
    pareto_dominates(&better_sums, &other_sums)
}

/// The cumulative ordered outcomes of each point, after `offset` was added to it.
pub fn cumulated<N: Amount>(points: &Points<N>, offset: &[N]) -> Points<N> {
    let mut all = Points::new(points.width());
    let (mut shifted, mut sums) = (Vec::new(), Vec::new());
    for point in points.iter() {
        shifted.clear();
        shifted.extend(point.iter().zip(offset).map(|(&one, &more)| one + more));
        cumulate(&shifted, &mut sums);
        all.push(&sums);
    }
    all
}

/// The points that no other one equitably dominates, in the given order, each once.
///
/// Points are compared after `offset` was added to each. Points with equal cumulative ordered
/// outcomes, such as (1, 2) and (2, 1), are all kept.
pub fn equitable_front<N: Amount>(points: &Points<N>, offset: &[N]) -> Points<N> {
    let sums = cumulated(points, offset);
    let best = pareto_front(sums.clone());
    let mut kept = Points::new(points.width());
    let mut seen = std::collections::BTreeSet::new();
    for (point, sums) in points.iter().zip(sums.iter()) {
        if best.holds(sums) && seen.insert(point) {
            kept.push(point);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Small numbers, so that ties and dominance are frequent.
    fn outcomes(parties: usize) -> impl Strategy<Value = Vec<i64>> {
        proptest::collection::vec(-6..6_i64, parties)
    }

    /// True if transfers, renaming and improvements lead from `worse` to `better`: the axioms, by
    /// search. Costs are between the least and the largest of both.
    fn axioms_prefer(better: &[i64], worse: &[i64]) -> bool {
        let ordered = |outcomes: &[i64]| {
            let mut ordered = outcomes.to_vec();
            ordered.sort_unstable();
            ordered
        };
        let (goal, start) = (ordered(better), ordered(worse));
        let least = *goal.first().unwrap().min(start.first().unwrap());
        let mut open = vec![start.clone()];
        let mut seen = std::collections::BTreeSet::from([start.clone()]);
        while let Some(at) = open.pop() {
            for from in 0..at.len() {
                // One unit less for one party.
                let mut next = at.clone();
                next[from] -= 1;
                // Or one unit from it to a party that is better off, by a difference above one: a
                // transfer of a small amount does not reverse the two.
                let transfers = (0..at.len()).filter(|&to| at[from] - at[to] > 1).map(|to| {
                    let mut next = at.clone();
                    next[from] -= 1;
                    next[to] += 1;
                    next
                });
                for next in transfers.chain([next.clone()]) {
                    let next = ordered(&next);
                    if next[0] >= least && seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
        goal != start && seen.contains(&goal)
    }

    #[test]
    fn the_examples_of_the_axioms() {
        assert!(!equitably_dominates(&[4, 2, 0], &[0, 2, 4]));
        assert!(!equitably_dominates(&[0, 2, 4], &[4, 2, 0]));
        assert!(equitably_dominates(&[3, 2, 0], &[4, 2, 0]));
        assert!(equitably_dominates(&[3, 2, 1], &[4, 2, 0]));
        // Without cumulating, as theorem 1 is printed, the transfer would not be preferred.
        assert!(!pareto_dominates(&[3, 2, 1], &[4, 2, 0]));
    }

    proptest! {
        #[test]
        fn names_do_not_matter(a in outcomes(4), b in outcomes(4), by in 0..4_usize) {
            let mut turned = a.clone();
            turned.rotate_left(by);
            prop_assert!(!equitably_dominates(&a, &turned));
            prop_assert_eq!(equitably_dominates(&a, &b), equitably_dominates(&turned, &b));
            prop_assert_eq!(equitably_dominates(&b, &a), equitably_dominates(&b, &turned));
        }

        #[test]
        fn less_for_one_is_better(a in outcomes(4), who in 0..4_usize, less in 1..5_i64) {
            let mut better = a.clone();
            better[who] -= less;
            prop_assert!(equitably_dominates(&better, &a) && pareto_dominates(&better, &a));
            prop_assert!(!equitably_dominates(&a, &better));
        }

        #[test]
        fn a_transfer_to_the_better_off_is_better(
            mut a in outcomes(4), from in 0..4_usize, by in 1..4_usize,
            amount in 1..6_i64, left in 1..6_i64,
        ) {
            let to = (from + by) % 4;
            a[from] = a[to] + amount + left;
            let mut better = a.clone();
            better[from] -= amount;
            better[to] += amount;
            prop_assert!(equitably_dominates(&better, &a));
        }

        #[test]
        fn it_is_a_strict_order(a in outcomes(3), b in outcomes(3), c in outcomes(3)) {
            prop_assert!(!equitably_dominates(&a, &a));
            prop_assert!(!(equitably_dominates(&a, &b) && equitably_dominates(&b, &a)));
            if equitably_dominates(&a, &b) && equitably_dominates(&b, &c) {
                prop_assert!(equitably_dominates(&a, &c));
            }
            if pareto_dominates(&a, &b) {
                prop_assert!(equitably_dominates(&a, &b));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        /// Theorem 1: cumulative outcomes say what the axioms say, and nothing else.
        #[test]
        fn it_is_the_relation_of_the_axioms(a in outcomes(3), b in outcomes(3)) {
            prop_assert_eq!(equitably_dominates(&a, &b), axioms_prefer(&a, &b));
        }
    }

    proptest! {
        /// Corollary 1, and that the front lies in the Pareto front.
        #[test]
        fn the_front_is_what_nothing_dominates(
            all in proptest::collection::vec(outcomes(3), 1..40), offset in outcomes(3),
        ) {
            let points = Points::of(3, all.iter().map(|one| &one[..]));
            let front = equitable_front(&points, &offset);
            let moved = |one: &[i64]| -> Vec<i64> {
                one.iter().zip(&offset).map(|(a, b)| a + b).collect()
            };
            for one in &all {
                let is_dominated =
                    all.iter().any(|other| equitably_dominates(&moved(other), &moved(one)));
                prop_assert_eq!(front.iter().any(|kept| kept == one), !is_dominated);
            }
            let distinct: std::collections::BTreeSet<_> = front.iter().collect();
            prop_assert_eq!(distinct.len(), front.len());
            let pareto = pareto_front(points);
            prop_assert!(front.iter().all(|kept| pareto.holds(kept)));
        }
    }
}
