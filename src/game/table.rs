//! A stage game that is a table: what every profile of choices pays to each player.

use std::convert::Infallible;

use super::stage::{Act, Actions, Outcome, Presence, StageGame, Wanted};
use crate::kernel::state::{Corrupt, State, put, take};

/// A finite game in normal form. The first entry of each menu is staying out, which is also what an
/// absent player counts as.
#[derive(Clone, Debug)]
pub struct Table {
    entries: Vec<u32>,
    presence: Vec<Presence>,
    /// By profile (the last player's choice runs fastest), then by player.
    payoffs: Vec<f64>,
    round: u64,
    acts: Vec<Act>,
    wanted: Vec<Wanted>,
}

impl Table {
    /// A game of players with so many entries each; `payoff` of a player and a profile.
    ///
    /// # Panics
    /// When a menu is empty, or there are more than 2^24 payoffs.
    pub fn new(entries: &[u32], payoff: impl Fn(usize, &[u32]) -> f64) -> Table {
        assert!(entries.iter().all(|&count| count > 0), "a menu has an entry");
        let profiles = entries.iter().fold(1_u64, |all, &count| all.saturating_mul(count.into()));
        let all = profiles.saturating_mul(entries.len() as u64);
        assert!(all <= 1 << 24, "a table of {all} payoffs is too large");
        let mut payoffs = Vec::with_capacity(all as usize);
        let mut profile = vec![0; entries.len()];
        for number in 0..profiles {
            let mut rest = number;
            for (choice, &count) in profile.iter_mut().zip(entries).rev() {
                *choice = (rest % u64::from(count)) as u32;
                rest /= u64::from(count);
            }
            payoffs.extend((0..entries.len()).map(|player| payoff(player, &profile)));
        }
        Table {
            entries: entries.to_vec(),
            presence: vec![Presence::default(); entries.len()],
            payoffs,
            round: 0,
            acts: Vec::new(),
            wanted: Vec::new(),
        }
    }

    /// The same with a player that is there in some rounds only.
    #[must_use]
    pub fn with_presence(mut self, player: usize, presence: Presence) -> Table {
        self.presence[player] = presence;
        self
    }

    /// What a player gets where it plays `entry` and the others do what they did.
    fn payoff(&self, player: usize, entry: u32) -> f64 {
        let mut at = 0;
        for (other, &count) in self.entries.iter().enumerate() {
            let choice = if other == player { entry } else { chosen(self.acts[other]) };
            at = at * count as usize + choice as usize;
        }
        self.payoffs[at * self.entries.len() + player]
    }
}

/// The entry that was chosen; staying out is the first.
fn chosen(act: Act) -> u32 {
    match act {
        Act::Choose(entry) => entry,
        Act::Out | Act::In(_) => 0,
    }
}

impl StageGame for Table {
    type Error = Infallible;

    fn players(&self) -> usize {
        self.entries.len()
    }

    fn actions(&self, player: usize, round: u64) -> Actions {
        if self.presence[player].has(round) {
            Actions::Menu { count: self.entries[player] }
        } else {
            Actions::Absent
        }
    }

    fn begin(&mut self, round: u64, acts: &[Act], wanted: &[Wanted]) -> Result<(), Infallible> {
        self.round = round;
        acts.clone_into(&mut self.acts);
        wanted.clone_into(&mut self.wanted);
        Ok(())
    }

    fn outcome(&mut self, out: &mut Outcome) -> Result<(), Infallible> {
        let players = self.players();
        out.acts.clone_from(&self.acts);
        out.members = 0;
        out.payoffs.clear();
        out.stayed_out.clear();
        out.joined.clear();
        out.joined.resize(players, None);
        out.instead.resize(players, Vec::new());
        for player in 0..players {
            let here = self.presence[player].has(self.round);
            let (entry, wanted) = (chosen(self.acts[player]), self.wanted[player]);
            out.payoffs.push(if here { self.payoff(player, entry) } else { 0.0 });
            let stayed_out = wanted.stayed_out && entry != 0;
            out.stayed_out.push(stayed_out.then(|| self.payoff(player, 0)));
            out.instead[player].clear();
            if wanted.instead {
                let menu = 0..self.entries[player];
                out.instead[player].extend(menu.map(|entry| self.payoff(player, entry)));
            }
        }
        Ok(())
    }
}

impl State for Table {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.round, &self.acts, &self.wanted), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.round, self.acts, self.wanted) = take(from)?;
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
        let wanted = Wanted { stayed_out: true, instead: true };
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
