//! Many coalitions instead of one: partitions of players, of which those of a class are equal.
//!
//! A coalition is a number, as in [`Coalitional`]. Each player cares for its own coalition alone (Dreze
//! and Greenberg, *Hedonic coalitions: optimality and stability*, Econometrica 48, 1980). Players move
//! one by one: to a coalition that pays more, or away to be alone, with open entry, or where no member
//! of the new coalition loses by it (Bogomolnaia and Jackson, *The stability of hedonic coalition
//! structures*, Games and Economic Behavior 38, 2002). Or whole coalitions merge or split where no
//! member loses and one gains (Apt and Witzel, *A generic approach to coalition formation*,
//! International Game Theory Review 11, 2009).

use rustc_hash::FxHashSet;

use crate::coalitional::Coalitional;

/// Maximum number of coalitions of which the best partition is found: 12 players that all differ.
pub const MOST_PARTED: usize = 4096;

/// Most moves until play is called endless.
const MOST_MOVES: usize = 10_000;

/// The rule by which a partition changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A player joins whom it likes.
    Open,
    /// A player joins those that do not lose by it.
    Consent,
    /// Coalitions merge and split where no member loses and one gains.
    MergeSplit,
}

/// The end of play from everybody alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The coalitions, largest number first.
    pub partition: Vec<usize>,
    /// Number of moves.
    pub moves: usize,
    /// True if nothing moves any more; else play came back to this partition, or made too many moves.
    pub rests: bool,
}

/// The partition of all players with the greatest worth, largest number first; `None` if there are more
/// than [`MOST_PARTED`] coalitions. One coalition is kept whole where it is as good.
pub fn best_partition(game: &Coalitional) -> Option<Vec<usize>> {
    let all = game.coalitions();
    (all <= MOST_PARTED).then_some(())?;
    let mut best: Vec<(f64, usize)> = vec![(0.0, 0)];
    for coalition in 1..all {
        let mut found = (game.worth(coalition), coalition);
        for part in parts(game, coalition) {
            let worth = game.worth(part) + best[coalition - part].0;
            if worth > found.0 {
                found = (worth, part);
            }
        }
        best.push(found);
    }
    let mut partition = Vec::new();
    let mut rest = all - 1;
    while rest > 0 {
        partition.push(best[rest].1);
        rest -= best[rest].1;
    }
    partition.sort_unstable_by(|one, other| other.cmp(one));
    Some(partition)
}

/// The proper, nonempty coalitions within another.
fn parts(game: &Coalitional, coalition: usize) -> Vec<usize> {
    let mut parts = vec![0];
    for (class, count) in game.counts(coalition).enumerate() {
        let step = game.step(class);
        let before = parts.len();
        for more in 1..=count {
            parts.extend_from_within(..before);
            let from = parts.len() - before;
            parts[from..].iter_mut().for_each(|part| *part += more * step);
        }
    }
    parts.retain(|&part| part != 0 && part != coalition);
    parts
}

/// Plays from everybody alone until nothing moves or play comes back; `pays` has the payoff of a member
/// of a class in a coalition. The first that can gain moves, to where it gains most.
pub fn settle(game: &Coalitional, rule: Rule, pays: impl Fn(usize, usize) -> f64) -> Settled {
    let sizes = game.sizes().iter().enumerate();
    let mut partition: Vec<usize> =
        sizes.flat_map(|(class, &size)| std::iter::repeat_n(game.step(class), size)).collect();
    let mut known = FxHashSet::default();
    for moves in 0..MOST_MOVES {
        partition.sort_unstable_by(|one, other| other.cmp(one));
        if !known.insert(partition.clone()) {
            return Settled { partition, moves, rests: false };
        }
        let next = match rule {
            Rule::MergeSplit => {
                merged(game, &partition, &pays).or_else(|| split(game, &partition, &pays))
            }
            Rule::Open | Rule::Consent => moved(game, &partition, rule == Rule::Consent, &pays),
        };
        match next {
            Some(next) => partition = next,
            None => return Settled { partition, moves, rests: true },
        }
    }
    Settled { partition, moves: MOST_MOVES, rests: false }
}

/// The classes that have members in a coalition.
fn present(game: &Coalitional, coalition: usize) -> impl Iterator<Item = usize> {
    game.counts(coalition).enumerate().filter(|(_, count)| *count > 0).map(|(class, _)| class)
}

/// The partition after a player's move, if one gains.
fn moved(
    game: &Coalitional,
    partition: &[usize],
    asks: bool,
    pays: &impl Fn(usize, usize) -> f64,
) -> Option<Vec<usize>> {
    for (from, &coalition) in partition.iter().enumerate() {
        for class in present(game, coalition) {
            let step = game.step(class);
            let agree = |to: usize| {
                !asks || present(game, to).all(|one| pays(to + step, one) >= pays(to, one))
            };
            let others = partition.iter().enumerate().filter(|(at, _)| *at != from);
            let alone = (coalition != step).then_some((partition.len(), 0));
            let targets = others.map(|(at, &to)| (at, to)).chain(alone);
            let better = targets
                .filter(|&(_, to)| pays(to + step, class) > pays(coalition, class) && agree(to));
            let best = better.max_by(|one, other| {
                pays(one.1 + step, class).total_cmp(&pays(other.1 + step, class))
            });
            if let Some((at, to)) = best {
                let mut next = partition.to_vec();
                next.push(0);
                next[from] -= step;
                next[at] = to + step;
                next.retain(|&one| one > 0);
                return Some(next);
            }
        }
    }
    None
}

/// True if one of these players gains by changing its coalition for another; `None` if one loses.
fn improves(
    game: &Coalitional,
    players: usize,
    [from, to]: [usize; 2],
    pays: &impl Fn(usize, usize) -> f64,
) -> Option<bool> {
    let gains = || present(game, players).map(|class| pays(to, class) - pays(from, class));
    gains().all(|gain| gain >= 0.0).then(|| gains().any(|gain| gain > 0.0))
}

/// The partition after two coalitions have merged, if they gain.
fn merged(
    game: &Coalitional,
    partition: &[usize],
    pays: &impl Fn(usize, usize) -> f64,
) -> Option<Vec<usize>> {
    let pairs = (0..partition.len()).flat_map(|one| (0..one).map(move |other| [one, other]));
    for pair in pairs {
        let whole: usize = pair.iter().map(|&at| partition[at]).sum();
        let gain = pair.map(|at| improves(game, partition[at], [partition[at], whole], pays));
        if matches!(gain, [Some(one), Some(other)] if one || other) {
            let others = partition.iter().enumerate().filter(|(at, _)| !pair.contains(at));
            return Some(others.map(|(_, &one)| one).chain([whole]).collect());
        }
    }
    None
}

/// The partition after a coalition has split in two, if they gain.
fn split(
    game: &Coalitional,
    partition: &[usize],
    pays: &impl Fn(usize, usize) -> f64,
) -> Option<Vec<usize>> {
    for (at, &coalition) in partition.iter().enumerate() {
        for part in parts(game, coalition) {
            let halves = [part, coalition - part];
            let gains = halves.map(|half| improves(game, half, [coalition, half], pays));
            if matches!(gains, [Some(one), Some(other)] if one || other) {
                let mut next = partition.to_vec();
                next.remove(at);
                next.extend(halves);
                return Some(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All partitions of up to so many players that all differ, by brute force.
    fn partitions(all: usize) -> Vec<Vec<usize>> {
        if all == 0 {
            return vec![Vec::new()];
        }
        let first = all & all.wrapping_neg();
        let rest = all - first;
        let within = (0..=rest).filter(|part| part & rest == *part);
        let with = |part: usize| {
            partitions(rest - part).into_iter().map(move |mut others| {
                others.push(part + first);
                others
            })
        };
        within.flat_map(with).collect()
    }

    #[test]
    fn the_best_partition_is_that_of_all_partitions() {
        for seed in 1..30_u32 {
            let worth = |s: u32| {
                f64::from(s.wrapping_mul(2_654_435_761_u32.wrapping_mul(seed)) >> 20 & 1023)
            };
            let game = Coalitional::new(5, |s| if s == 0 { 0.0 } else { worth(s) });
            let total = |parts: &[usize]| -> f64 { parts.iter().map(|&one| game.worth(one)).sum() };
            let most = partitions(31).iter().map(|one| total(one)).fold(0.0, f64::max);
            let found = best_partition(&game).expect("it is small");
            assert_eq!((total(&found), found.iter().sum::<usize>()), (most, 31));
        }
    }

    /// Two typical players gain together, an overloaded one gains from them and they lose by it: with
    /// open entry it chases them for ever, by consent it stays alone.
    #[test]
    fn who_is_not_wanted_chases_the_others_or_stays_alone() {
        let game = Coalitional::of_classes(&[2, 1], |_| 0.0);
        let pays = |coalition: usize, class: usize| {
            let counts: Vec<usize> = game.counts(coalition).collect();
            match (class, counts[0], counts[1]) {
                (0, 2, 0) => 0.5,
                (0, _, 1) => -1.0,
                (1, typical, _) => typical as f64,
                _ => 0.0,
            }
        };
        let open = settle(&game, Rule::Open, pays);
        assert!(!open.rests, "{open:?}");
        for rule in [Rule::Consent, Rule::MergeSplit] {
            let found = settle(&game, rule, pays);
            assert_eq!((found.partition, found.rests), (vec![3, 2], true), "{rule:?}");
        }
    }

    #[test]
    fn where_all_gain_all_come_together() {
        let game = Coalitional::of_classes(&[4], |s| (s * s) as f64);
        for rule in [Rule::Open, Rule::Consent, Rule::MergeSplit] {
            let found = settle(&game, rule, |coalition, _| coalition as f64);
            assert_eq!((found.partition, found.rests), (vec![4], true), "{rule:?}");
        }
    }
}
