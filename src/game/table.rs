//! A stage game that is known by its payoffs.

use std::convert::Infallible;
use std::sync::Arc;

use super::matrix::Matrix;
use super::payoffs::Payoffs;
use super::stage::{Act, Actions, Outcome, Presence, StageGame, Wanted};
use crate::kernel::state::{Corrupt, State, put, take};

/// A finite game. The first entry of each menu is staying out, which is also what an absent player
/// counts as.
#[derive(Clone, Debug)]
pub struct Table {
    payoffs: Arc<Payoffs>,
    presence: Vec<Presence>,
    round: u64,
    acts: Vec<Act>,
    /// The same as entries.
    profile: Vec<u32>,
    wanted: Vec<Wanted>,
}

impl Table {
    /// A game of players with so many entries each; `payoff` of a player and a profile.
    ///
    /// # Panics
    /// When a menu is empty, or there are more than 2^24 payoffs.
    pub fn new(entries: &[u32], payoff: impl Fn(usize, &[u32]) -> f64) -> Table {
        Table::of(Payoffs::Table(Matrix::new(entries, payoff)))
    }

    /// A game with these payoffs, all players always there.
    pub fn of(payoffs: Payoffs) -> Table {
        let players = payoffs.players();
        Table {
            payoffs: Arc::new(payoffs),
            presence: vec![Presence::default(); players],
            round: 0,
            acts: Vec::new(),
            profile: Vec::new(),
            wanted: Vec::new(),
        }
    }

    /// The same with a player that is there in some rounds only.
    #[must_use]
    pub fn with_presence(mut self, player: usize, presence: Presence) -> Table {
        self.presence[player] = presence;
        self
    }

    /// What the profiles pay.
    pub fn payoffs(&self) -> &Payoffs {
        &self.payoffs
    }
}

impl StageGame for Table {
    type Error = Infallible;

    fn players(&self) -> usize {
        self.presence.len()
    }

    fn actions(&self, player: usize, round: u64) -> Actions {
        if self.presence[player].has(round) {
            Actions::Menu { count: self.payoffs.choices(player) }
        } else {
            Actions::Absent
        }
    }

    fn begin(&mut self, round: u64, acts: &[Act], wanted: &[Wanted]) -> Result<(), Infallible> {
        self.round = round;
        acts.clone_into(&mut self.acts);
        self.profile.clear();
        self.profile.extend(acts.iter().map(|act| act.entry()));
        wanted.clone_into(&mut self.wanted);
        Ok(())
    }

    fn outcome(&mut self, out: &mut Outcome) -> Result<(), Infallible> {
        let players = self.players();
        out.acts.clone_from(&self.acts);
        out.members = 0;
        out.payoffs.clear();
        out.stayed_out.clear();
        out.instead.resize(players, Vec::new());
        let knows = self.wanted.iter().any(|wanted| wanted.rules);
        match (&out.rules, knows) {
            (Some(_), true) | (None, false) => {}
            (None, true) => out.rules = Some(Arc::clone(&self.payoffs)),
            (Some(_), false) => out.rules = None,
        }
        for player in 0..players {
            let here = self.presence[player].has(self.round);
            let (entry, wanted) = (self.profile[player], self.wanted[player]);
            out.instead[player].clear();
            if wanted.instead {
                self.payoffs.instead(player, &self.profile, &mut out.instead[player]);
            }
            let of = |entry: u32| match out.instead[player].get(entry as usize) {
                Some(&payoff) => payoff,
                None => self.payoffs.payoff_instead(player, &self.profile, entry),
            };
            out.payoffs.push(if here { of(entry) } else { 0.0 });
            out.stayed_out.push((wanted.stayed_out && entry != 0).then(|| of(0)));
        }
        Ok(())
    }
}

impl State for Table {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.round, &self.acts, &self.wanted), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let (round, acts, wanted): (u64, Vec<Act>, Vec<Wanted>) = take(from)?;
        let Ok(()) = self.begin(round, &acts, &wanted);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three players with 2, 3 and 2 entries; the payoff tells the player and the profile.
    fn told() -> Table {
        Table::new(&[2, 3, 2], |player, profile| {
            let [a, b, c] = [profile[0], profile[1], profile[2]].map(f64::from);
            1000.0 * player as f64 + 100.0 * a + 10.0 * b + c
        })
    }

    fn play(table: &mut Table, round: u64, acts: [Act; 3], wanted: Wanted) -> Outcome {
        let mut outcome = Outcome::default();
        table.begin(round, &acts, &[wanted; 3]).unwrap();
        assert!(!table.advance().unwrap(), "a table has nothing to play");
        table.outcome(&mut outcome).unwrap();
        outcome
    }

    #[test]
    fn every_profile_pays_what_the_table_says() {
        let mut table = told();
        for (a, b, c) in [(0, 0, 0), (1, 2, 0), (0, 1, 1), (1, 2, 1)] {
            let acts = [a, b, c].map(Act::Choose);
            let outcome = play(&mut table, 0, acts, Wanted::default());
            let base = f64::from(100 * a + 10 * b + c);
            assert_eq!(outcome.payoffs, [base, 1000.0 + base, 2000.0 + base]);
            assert_eq!(outcome.stayed_out, [None; 3]);
            assert!(outcome.instead.iter().all(Vec::is_empty));
        }
    }

    #[test]
    fn what_is_wanted_is_told() {
        let wanted = Wanted { stayed_out: true, instead: true, rules: false };
        let outcome = play(&mut told(), 0, [1, 2, 0].map(Act::Choose), wanted);
        assert_eq!(outcome.stayed_out, [Some(20.0), Some(1100.0), None]);
        assert_eq!(outcome.instead[0], [20.0, 120.0]);
        assert_eq!(outcome.instead[1], [1100.0, 1110.0, 1120.0]);
        assert_eq!(outcome.instead[2], [2120.0, 2121.0]);
    }

    #[test]
    fn who_is_absent_counts_as_out_and_gets_nothing() {
        let mut table = told().with_presence(1, Presence { first: 2, last: Some(3) });
        let allowed: Vec<bool> =
            (0..6).map(|round| table.actions(1, round) != Actions::Absent).collect();
        assert_eq!(allowed, [false, false, true, true, false, false]);
        let acts = [Act::Choose(1), Act::Out, Act::Choose(1)];
        let outcome = play(&mut table, 0, acts, Wanted::default());
        assert_eq!(outcome.payoffs, [101.0, 0.0, 2101.0]);
    }
}
