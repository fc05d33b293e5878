//! Counterfactual payoffs: what organizations could have gained by other actions in the last
//! quarter.
//!
//! In some of these rounds the game reports the payoff of every entry of an organization's menu,
//! with the actions of all others held fixed. The external regret of these rounds is the gain from
//! always taking the best single action. The swap regret is the gain from replacing each action
//! taken by the best one in its place. If nobody has external regret, the play was a coarse
//! correlated equilibrium; if nobody has swap regret, a correlated equilibrium (Hart and
//! Mas-Colell, Econometrica 68(5), 2000). If, moreover, everybody always does the same, it is a
//! Nash equilibrium in pure strategies.

use serde::{Deserialize, Serialize};

use crate::rounds::mean::Mean;
use game::stage::{Act, Outcome};
use stats::interval::{Level, Sections};

/// Gains of one organization in one replication, by action taken and by alternative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gains {
    /// A row for each menu entry that was played; the last is for actions outside the menu.
    rows: Vec<Row>,
}

/// Rounds in which one action was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    rounds: u64,
    /// For each alternative on the menu: the sum of the gains, and each round as a section.
    gains: Vec<(f64, Sections)>,
}

impl Gains {
    /// No rounds yet, for an organization with this menu.
    pub fn new(menu: &[Act]) -> Gains {
        let row = Row { rounds: 0, gains: vec![(0.0, Sections::default()); menu.len()] };
        Gains { rows: if menu.is_empty() { Vec::new() } else { vec![row; menu.len() + 1] } }
    }

    /// Adds a round in which it was asked; rounds with an infinite score are left out.
    pub fn add(&mut self, menu: &[Act], outcome: &Outcome, me: usize) {
        let (act, payoff) = (outcome.acts[me], outcome.payoffs[me]);
        let instead = &outcome.instead[me];
        let is_finite = payoff.is_finite() && instead.iter().all(|payoff| payoff.is_finite());
        if menu.is_empty() || instead.len() != menu.len() || !is_finite {
            return;
        }
        let played = menu.iter().position(|&one| one == act).unwrap_or(menu.len());
        let row = &mut self.rows[played];
        row.rounds += 1;
        for ((sum, sections), other) in row.gains.iter_mut().zip(instead) {
            *sum += other - payoff;
            sections.add(other - payoff, 1.0);
        }
    }
}

/// Gains of an organization or a class over all replications.
#[derive(Clone, Debug, PartialEq)]
pub struct Instead {
    menu: Vec<Act>,
    /// A row for each menu entry played, and one for actions outside the menu.
    rows: Vec<Played>,
    /// Gains over all actions played, by alternative.
    whatever: Vec<Sections>,
    /// Confidence level of the intervals.
    level: Level,
}

/// Gains over the rounds in which one action was played.
#[derive(Clone, Debug, PartialEq)]
struct Played {
    rounds: u64,
    /// For each alternative: over these rounds, and over all rounds asked about.
    gains: Vec<[Sections; 2]>,
}

/// An action that was played, and an alternative to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The action taken; `None` if it is not on the menu.
    pub done: Option<Act>,
    /// Number of rounds in which it was.
    pub rounds: u64,
    /// Share of these among the rounds asked about.
    pub share: f64,
    /// The alternative.
    pub act: Act,
    /// Mean gain from the alternative in a round in which the action was taken.
    pub gain: Mean,
    /// The same in a round asked about: weighted by how often the action was taken.
    pub weighted: Mean,
}

impl Instead {
    /// No gains yet, for organizations with this menu.
    pub fn new(menu: &[Act], level: Level) -> Instead {
        let row = Played { rounds: 0, gains: vec![Default::default(); menu.len()] };
        let whatever = vec![Sections::default(); menu.len()];
        Instead { menu: menu.to_vec(), rows: vec![row; menu.len() + 1], whatever, level }
    }

    /// Adds the rounds of the members in one replication as one section.
    ///
    /// If it is the `only` replication and there is a single member, each round is a section.
    pub fn add(&mut self, members: &[&Gains], only: bool) {
        let members = || members.iter().filter(|gains| !gains.rows.is_empty());
        let asked: u64 = members().flat_map(|member| &member.rows).map(|row| row.rounds).sum();
        for (at, played) in self.rows.iter_mut().enumerate() {
            let here: u64 = members().map(|member| member.rows[at].rounds).sum();
            played.rounds += here;
            for (entry, [given, all]) in played.gains.iter_mut().enumerate() {
                match (members().next(), members().count()) {
                    (Some(one), 1) if only => {
                        *given = one.rows[at].gains[entry].1;
                        *all = *given;
                        (here..asked).for_each(|_| all.add(0.0, 1.0));
                    }
                    _ => {
                        let sum = members().map(|member| member.rows[at].gains[entry].0).sum();
                        given.add(sum, here as f64);
                        all.add(sum, asked as f64);
                    }
                }
            }
        }
        for (entry, sections) in self.whatever.iter_mut().enumerate() {
            let rows = || members().flat_map(|member| &member.rows);
            sections.add(rows().map(|row| row.gains[entry].0).sum(), asked as f64);
        }
    }

    /// Number of rounds asked about, over all members and replications.
    pub fn rounds(&self) -> u64 {
        self.rows.iter().map(|played| played.rounds).sum()
    }

    /// External regret a round: the best gain from always playing one action, or 0 if every one is
    /// worse. `None` if nothing was asked.
    pub fn regret(&self) -> Option<f64> {
        let means = self.whatever.iter().filter_map(Sections::mean);
        means.reduce(f64::max).map(|best| best.max(0.0))
    }

    /// Swap regret a round: the gain from replacing each action by its best alternative.
    pub fn swap_regret(&self) -> Option<f64> {
        let all = self.rounds();
        let best = |played: &Played| {
            let gains = played.gains.iter().filter_map(|[given, _]| given.mean());
            gains.fold(0.0, f64::max) * played.rounds as f64
        };
        (all > 0).then(|| self.rows.iter().map(best).sum::<f64>() / all as f64)
    }

    /// Number of [`Self::pairs`].
    pub fn count(&self) -> usize {
        self.pairs(1).count()
    }

    /// Each action played with each of its alternatives.
    ///
    /// All intervals hold together if `judged` of them are asked for in all (Bonferroni).
    pub fn pairs(&self, judged: usize) -> impl Iterator<Item = Pair> + '_ {
        let (all, level) = (self.rounds() as f64, self.level.of_each(judged.max(1)));
        let mean = move |sections: &Sections| {
            Some(Mean { mean: sections.mean()?, interval: sections.interval(level) })
        };
        let played = self.rows.iter().enumerate().filter(|(_, played)| played.rounds > 0);
        played.flat_map(move |(at, &Played { rounds, ref gains })| {
            let done = self.menu.get(at).copied();
            let share = rounds as f64 / all;
            let others = self.menu.iter().zip(gains).filter(move |&(&act, _)| Some(act) != done);
            others.filter_map(move |(&act, [given, whole])| {
                let (gain, weighted) = (mean(given)?, mean(whole)?);
                Some(Pair { done, rounds, share, act, gain, weighted })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::stage::Terms;

    const IN: Act = Act::In(Terms::ANY);

    fn round(act: Act, instead: [f64; 2]) -> Outcome {
        let payoff = if act == Act::Out { instead[0] } else { instead[1] };
        Outcome {
            acts: vec![act],
            payoffs: vec![payoff],
            instead: vec![instead.to_vec()],
            ..Outcome::default()
        }
    }

    /// Joining pays 1 in three rounds and -2 in one.
    ///
    /// Staying out gains .25 a round over being in; with hindsight for each action, more.
    #[test]
    fn regrets_are_those_of_hindsight() {
        let menu = [Act::Out, IN];
        let of = |rounds: &[(Act, f64)]| {
            let mut gains = Gains::new(&menu);
            for &(act, pays) in rounds {
                gains.add(&menu, &round(act, [0.0, pays]), 0);
            }
            gains
        };
        let one = of(&[(IN, 1.0), (IN, -2.0), (Act::Out, 1.0), (Act::Out, 1.0)]);
        let mut all = Instead::new(&menu, Level::default());
        all.add(&[&one], true);
        // Always in: 0 + 0 + 1 + 1 over 4 rounds; always out: -1 + 2 over 4.
        assert_eq!(all.regret(), Some(0.5));
        // Instead of in, out gains 1 over two rounds; instead of out, in gains 2.
        assert_eq!(all.swap_regret(), Some(0.75));
        let pairs: Vec<Pair> = all.pairs(1).collect();
        let told = |pair: &Pair| (pair.done, pair.share, pair.act, pair.gain.mean);
        let told: Vec<_> = pairs.iter().map(told).collect();
        assert_eq!(told, [(Some(Act::Out), 0.5, IN, 1.0), (Some(IN), 0.5, Act::Out, 0.5)]);
        // Staying out would have gained 2 in one of the rounds that were in, and lost 1 in the
        // other; over all four rounds that is 2, -1, 0 and 0.
        let high = |mean: Mean| mean.interval.expect("it has several rounds").high;
        let Pair { gain, weighted, .. } = pairs[1];
        assert!((high(gain) - (0.5 + 1.5 * 12.706_204_736)).abs() < 1e-6, "{gain:?}");
        let mut four = Sections::default();
        [2.0, -1.0, 0.0, 0.0].iter().for_each(|&one| four.add(one, 1.0));
        let by_hand = four.interval(Level::default()).expect("four rounds").high;
        assert!((high(weighted) - by_hand).abs() < 1e-9 && weighted.mean == 0.25, "{weighted:?}");
        // Ten statements that hold together take wider intervals.
        assert!(all.pairs(10).nth(1).is_some_and(|pair| high(pair.gain) > high(gain)));

        let mut several = Instead::new(&menu, Level::default());
        several.add(&[&one, &Gains::new(&[])], false);
        several.add(&[&one], false);
        assert_eq!((several.rounds(), several.regret()), (8, Some(0.5)));
        let mut infinite = Gains::new(&menu);
        infinite.add(&menu, &round(IN, [0.0, f64::INFINITY]), 0);
        assert_eq!(infinite, Gains::new(&menu));
    }
}
