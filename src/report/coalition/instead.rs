//! What organizations did in the last quarter of the rounds, and what else they could have done
//! there while all others did what they did.
//!
//! The game tells, in some of these rounds, what every entry of an organization's menu would have
//! brought. What is gained by always doing the best one thing is the external regret of these
//! rounds, and by doing for each thing done the best instead of it the swap regret: where nobody
//! has any, what was played is a coarse correlated and a correlated equilibrium (Hart and
//! Mas-Colell, Econometrica 68(5), 2000). With what everybody does always the same it is one in
//! pure strategies (Nash).

use serde::{Deserialize, Serialize};

use super::acts::told;
use super::deviations::Mean;
use crate::game::stage::{Act, Outcome};
use crate::report::table::{Cell, Column, Table};
use crate::sim::repeated::Asked;
use crate::stats::interval::{Interval, Sections};

/// Of whom it is asked what else they could have done, and when.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asking {
    /// The organizations and the rounds.
    pub asked: Asked,
    /// By organization, what it could do; empty of who is not asked.
    pub menus: Vec<Vec<Act>>,
}

impl Asking {
    /// The most organizations of whom it is asked.
    pub const MOST: usize = 20;
}

/// Of one organization in one replication: gains by what it did and by what it could have done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Gains {
    /// By entry of its menu, and last of what is not in it.
    rows: Vec<Row>,
}

/// The rounds in which it did one thing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    rounds: u64,
    /// By entry of its menu, the sum of the gains, and each round as a section.
    gains: Vec<(f64, Sections)>,
}

impl Gains {
    pub(super) fn new(menu: &[Act]) -> Gains {
        let row = Row { rounds: 0, gains: vec![(0.0, Sections::default()); menu.len()] };
        Gains { rows: if menu.is_empty() { Vec::new() } else { vec![row; menu.len() + 1] } }
    }

    /// Adds a round in which it was asked. One with an infinite score is left out.
    pub(super) fn add(&mut self, menu: &[Act], outcome: &Outcome, me: usize) {
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

/// The same of an organization or a class over all replications.
#[derive(Clone, Debug, PartialEq)]
pub struct Instead {
    menu: Vec<Act>,
    /// By entry of the menu, and last of what is not in it: rounds, and gains by entry.
    rows: Vec<(u64, Vec<Sections>)>,
    /// Over all that was done, gains by entry.
    whatever: Vec<Sections>,
}

impl Instead {
    /// Of those with this menu.
    pub(super) fn new(menu: &[Act]) -> Instead {
        let none = vec![Sections::default(); menu.len()];
        let rows = vec![(0, none.clone()); menu.len() + 1];
        Instead { menu: menu.to_vec(), rows, whatever: none }
    }

    /// Adds what the members did in a replication: a section of all its rounds, or where it is the
    /// `only` one, those of a single member, round by round.
    pub(super) fn add(&mut self, members: &[&Gains], only: bool) {
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

    /// Rounds in which was asked, of all members and replications.
    pub fn rounds(&self) -> u64 {
        self.rows.iter().map(|(rounds, _)| rounds).sum()
    }

    /// What is gained by always doing the one thing that gains most, and that thing; `None` where
    /// nothing was asked.
    pub fn best(&self) -> Option<(Act, Mean)> {
        let means = self.menu.iter().zip(&self.whatever);
        let means = means.filter_map(|(&act, sections)| Some((act, mean(sections)?)));
        means.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))
    }

    /// External regret, a round: the best gain, or 0 where every other thing is worse.
    pub fn regret(&self) -> Option<f64> {
        self.best().map(|(_, gain)| gain.mean.max(0.0))
    }

    /// Swap regret, a round: for each thing that was done the best gain instead of it.
    pub fn swap_regret(&self) -> Option<f64> {
        let all = self.rounds();
        let best = |(rounds, gains): &(u64, Vec<Sections>)| {
            let gains = gains.iter().filter_map(Sections::mean);
            gains.fold(0.0, f64::max) * *rounds as f64
        };
        (all > 0).then(|| self.rows.iter().map(best).sum::<f64>() / all as f64)
    }

    /// What was done in at least a share of the rounds, with this share and the best instead of
    /// it.
    pub fn done(&self, share: f64) -> impl Iterator<Item = (Option<Act>, f64, Act, Mean)> {
        let all = self.rounds() as f64;
        let rows = self.rows.iter().enumerate();
        rows.filter(move |(_, (rounds, _))| *rounds > 0 && *rounds as f64 >= share * all)
            .filter_map(move |(at, (rounds, gains))| {
                let done = self.menu.get(at).copied();
                let others = self.menu.iter().zip(gains).filter(|&(&act, _)| Some(act) != done);
                let means = others.filter_map(|(&act, gains)| Some((act, mean(gains)?)));
                let (act, gain) = means.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))?;
                Some((done, *rounds as f64 / all, act, gain))
            })
    }

    /// What could have gained most, as far as can be told, by the upper end of its interval, over
    /// all that was done in at least a share of the rounds; no end at all is the highest.
    pub fn most(&self, share: f64) -> Option<(Act, Mean)> {
        let all = self.rounds() as f64;
        let often = self.rows.iter().enumerate();
        let often = often.filter(|(_, (rounds, _))| *rounds > 0 && *rounds as f64 >= share * all);
        let gains = often.flat_map(|(at, (_, gains))| {
            let others =
                self.menu.iter().enumerate().zip(gains).filter(move |&((entry, _), _)| entry != at);
            others.filter_map(|((_, &act), gains)| Some((act, mean(gains)?)))
        });
        gains.max_by(|a, b| a.1.highest().total_cmp(&b.1.highest()))
    }

    /// A row for each thing that was done and each that could have been done instead.
    fn rows(&self, name: &str, table: &mut Table) {
        let all = self.rounds();
        for (at, (rounds, gains)) in self.rows.iter().enumerate().filter(|(_, row)| row.0 > 0) {
            let done = self.menu.get(at).copied();
            for (&act, gains) in self.menu.iter().zip(gains) {
                if Some(act) == done {
                    continue;
                }
                let gain = mean(gains);
                let ends = gain.and_then(|gain| gain.interval);
                table.row([
                    name.into(),
                    done.map_or_else(|| "another".to_owned(), told).into(),
                    (*rounds as f64 / all as f64).into(),
                    told(act).into(),
                    Cell::from(*rounds),
                    gain.map(|gain| gain.mean).into(),
                    ends.map(|ends| ends.low).into(),
                    ends.map(|ends| ends.high).into(),
                ]);
            }
        }
    }
}

fn mean(sections: &Sections) -> Option<Mean> {
    let mean = sections.mean()?;
    let interval = sections.error().map(|error| Interval::around(mean, error.half_width()));
    Some(Mean { mean, interval })
}

/// `alternatives.csv`: of organizations or classes, by name, what they did and could have done.
pub fn table<'a>(units: impl IntoIterator<Item = (&'a str, &'a Instead)>) -> Table {
    let columns = [
        Column::text("organization"),
        Column::text("did"),
        Column::figure("share"),
        Column::text("instead"),
        Column::figure("rounds"),
        Column::figure("gain"),
        Column::figure("gain_low"),
        Column::figure("gain_high"),
    ];
    let mut table = Table::new("alternatives", columns);
    units.into_iter().for_each(|(name, instead)| instead.rows(name, &mut table));
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::stage::Terms;

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

    /// In pays 1 in three rounds and -2 in one: staying out gains .25 a round over being in, but
    /// with hindsight for each round's act more.
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
        let mut all = Instead::new(&menu);
        all.add(&[&one], true);
        // Always in: 0 + 0 + 1 + 1 over 4; always out: -1 + 2 over 4.
        let (act, gain) = all.best().expect("it was asked");
        assert_eq!((act, gain.mean), (IN, 0.5));
        assert_eq!(all.regret(), Some(0.5));
        // In: out gains 1 over two rounds; out: in gains 2.
        assert_eq!(all.swap_regret(), Some(0.75));
        let done: Vec<_> =
            all.done(0.1).map(|(did, share, act, gain)| (did, share, act, gain.mean)).collect();
        assert_eq!(done, [(Some(Act::Out), 0.5, IN, 1.0), (Some(IN), 0.5, Act::Out, 0.5)]);
        assert_eq!(table([("a", &all)]).len(), 2);

        // Of one round that was in, out would have gained 2, and of the other it would have lost 1.
        let (act, gain) = all.most(0.1).expect("it was asked");
        assert_eq!((act, gain.mean), (Act::Out, 0.5));
        assert!((gain.highest() - (0.5 + 1.5 * 12.706_204_736)).abs() < 1e-6, "{gain:?}");

        let mut several = Instead::new(&menu);
        several.add(&[&one, &Gains::new(&[])], false);
        several.add(&[&one], false);
        assert_eq!((several.rounds(), several.regret()), (8, Some(0.5)));
        let mut infinite = Gains::new(&menu);
        infinite.add(&menu, &round(IN, [0.0, f64::INFINITY]), 0);
        assert_eq!(infinite, Gains::new(&menu));
    }
}
