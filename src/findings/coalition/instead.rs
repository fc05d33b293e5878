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
    /// Rounds and gains by alternative, for each menu entry played and for actions outside it.
    rows: Vec<(u64, Vec<Sections>)>,
    /// Gains over all actions played, by alternative.
    whatever: Vec<Sections>,
    /// Confidence level of the intervals.
    level: Level,
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
    /// Mean gain a round from the alternative.
    pub gain: Option<Mean>,
}

impl Instead {
    /// No gains yet, for organizations with this menu.
    pub fn new(menu: &[Act], level: Level) -> Instead {
        let none = vec![Sections::default(); menu.len()];
        let rows = vec![(0, none.clone()); menu.len() + 1];
        Instead { menu: menu.to_vec(), rows, whatever: none, level }
    }

    /// Adds the rounds of the members in one replication as one section.
    ///
    /// If it is the `only` replication and there is a single member, each round is a section.
    pub fn add(&mut self, members: &[&Gains], only: bool) {
        let members = || members.iter().filter(|gains| !gains.rows.is_empty());
        for (at, (rounds, gains)) in self.rows.iter_mut().enumerate() {
            let here: u64 = members().map(|member| member.rows[at].rounds).sum();
            *rounds += here;
            for (entry, sections) in gains.iter_mut().enumerate() {
                match (members().next(), members().count()) {
                    (Some(one), 1) if only => *sections = one.rows[at].gains[entry].1,
                    _ => {
                        let sum = members().map(|member| member.rows[at].gains[entry].0).sum();
                        sections.add(sum, here as f64);
                    }
                }
            }
        }
        for (entry, sections) in self.whatever.iter_mut().enumerate() {
            let rows = || members().flat_map(|member| &member.rows);
            let sum = rows().map(|row| row.gains[entry].0).sum();
            sections.add(sum, rows().map(|row| row.rounds).sum::<u64>() as f64);
        }
    }

    /// Number of rounds asked about, over all members and replications.
    pub fn rounds(&self) -> u64 {
        self.rows.iter().map(|(rounds, _)| rounds).sum()
    }

    /// The single action that gains most if always played, and its mean gain a round.
    ///
    /// `None` if nothing was asked.
    pub fn best(&self) -> Option<(Act, Mean)> {
        let means = self.menu.iter().zip(&self.whatever);
        let means = means.filter_map(|(&act, sections)| Some((act, self.mean(sections)?)));
        means.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))
    }

    /// External regret a round: the best gain, or 0 if every other action is worse.
    pub fn regret(&self) -> Option<f64> {
        self.best().map(|(_, gain)| gain.mean.max(0.0))
    }

    /// Swap regret a round: the gain from replacing each action by its best alternative.
    pub fn swap_regret(&self) -> Option<f64> {
        let all = self.rounds();
        let best = |(rounds, gains): &(u64, Vec<Sections>)| {
            let gains = gains.iter().filter_map(Sections::mean);
            gains.fold(0.0, f64::max) * *rounds as f64
        };
        (all > 0).then(|| self.rows.iter().map(best).sum::<f64>() / all as f64)
    }

    /// Actions played in at least `share` of the rounds, with their best alternatives.
    ///
    /// Each item is the action, its share of the rounds, the alternative and its gain.
    pub fn done(&self, share: f64) -> impl Iterator<Item = (Option<Act>, f64, Act, Mean)> {
        let all = self.rounds() as f64;
        let rows = self.rows.iter().enumerate();
        rows.filter(move |(_, (rounds, _))| *rounds > 0 && *rounds as f64 >= share * all)
            .filter_map(move |(at, (rounds, gains))| {
                let done = self.menu.get(at).copied();
                let others = self.menu.iter().zip(gains).filter(|&(&act, _)| Some(act) != done);
                let means = others.filter_map(|(&act, gains)| Some((act, self.mean(gains)?)));
                let (act, gain) = means.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))?;
                Some((done, *rounds as f64 / all, act, gain))
            })
    }

    /// The alternative with the highest upper end of its confidence interval.
    ///
    /// Looks only at actions played in at least `share` of the rounds. A gain without an interval
    /// counts as the highest.
    pub fn most(&self, share: f64) -> Option<(Act, Mean)> {
        let all = self.rounds() as f64;
        let often = self.rows.iter().enumerate();
        let often = often.filter(|(_, (rounds, _))| *rounds > 0 && *rounds as f64 >= share * all);
        let gains = often.flat_map(|(at, (_, gains))| {
            let others =
                self.menu.iter().enumerate().zip(gains).filter(move |&((entry, _), _)| entry != at);
            others.filter_map(|((_, &act), gains)| Some((act, self.mean(gains)?)))
        });
        gains.max_by(|a, b| a.1.highest().total_cmp(&b.1.highest()))
    }

    /// Each action played with each of its alternatives.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> + '_ {
        let all = self.rounds() as f64;
        let played = self.rows.iter().enumerate().filter(|(_, (rounds, _))| *rounds > 0);
        played.flat_map(move |(at, (rounds, gains))| {
            let done = self.menu.get(at).copied();
            let others = self.menu.iter().zip(gains).filter(move |&(&act, _)| Some(act) != done);
            others.map(move |(&act, gains)| Pair {
                done,
                rounds: *rounds,
                share: *rounds as f64 / all,
                act,
                gain: self.mean(gains),
            })
        })
    }

    fn mean(&self, sections: &Sections) -> Option<Mean> {
        Some(Mean { mean: sections.mean()?, interval: sections.interval(self.level) })
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
        let (act, gain) = all.best().expect("it was asked");
        assert_eq!((act, gain.mean), (IN, 0.5));
        assert_eq!(all.regret(), Some(0.5));
        // Instead of in, out gains 1 over two rounds; instead of out, in gains 2.
        assert_eq!(all.swap_regret(), Some(0.75));
        let done: Vec<_> =
            all.done(0.1).map(|(did, share, act, gain)| (did, share, act, gain.mean)).collect();
        assert_eq!(done, [(Some(Act::Out), 0.5, IN, 1.0), (Some(IN), 0.5, Act::Out, 0.5)]);
        assert_eq!(all.pairs().count(), 2);

        // Staying out would have gained 2 in one of the rounds that were in, and lost 1 in the
        // other.
        let (act, gain) = all.most(0.1).expect("it was asked");
        assert_eq!((act, gain.mean), (Act::Out, 0.5));
        assert!((gain.highest() - (0.5 + 1.5 * 12.706_204_736)).abs() < 1e-6, "{gain:?}");

        let mut several = Instead::new(&menu, Level::default());
        several.add(&[&one, &Gains::new(&[])], false);
        several.add(&[&one], false);
        assert_eq!((several.rounds(), several.regret()), (8, Some(0.5)));
        let mut infinite = Gains::new(&menu);
        infinite.add(&menu, &round(IN, [0.0, f64::INFINITY]), 0);
        assert_eq!(infinite, Gains::new(&menu));
    }
}
