//! A stage game defined by its payoffs.

use std::convert::Infallible;
use std::sync::Arc;

use super::matrix::Matrix;
use super::noise::Noise;
use super::payoffs::{Payoffs, Tally};
use super::stage::{Act, Actions, Outcome, Presence, StageGame, Wanted};
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};

/// Name of the random stream for noise.
const NOISE: &str = "game/noise";

/// A finite game. In each menu the second entry is taking part, unless it is said otherwise; an absent
/// player plays staying out, and is paid for it. A round takes O(n) if players are identical.
#[derive(Clone, Debug)]
pub struct Table {
    payoffs: Arc<Payoffs>,
    presence: Vec<Presence>,
    /// The menu of each player.
    menus: Vec<Actions>,
    noise: Option<(Noise, Streams)>,
    /// Smallest and largest payoff, if there is noise.
    range: (f64, f64),
    round: u64,
    acts: Vec<Act>,
    wanted: Vec<Wanted>,
    /// The actions as menu entries.
    profile: Vec<u32>,
    tally: Tally,
}

impl Table {
    /// A game with these menu sizes; `payoff` takes a player and a profile.
    ///
    /// # Panics
    /// Panics if a menu is empty, or there are more than 2^24 payoffs.
    pub fn new(entries: &[u32], payoff: impl Fn(usize, &[u32]) -> f64) -> Table {
        Table::of(Payoffs::Table(Matrix::new(entries, payoff)))
    }

    /// A game with these payoffs and all players always present.
    pub fn of(payoffs: Payoffs) -> Table {
        let players = payoffs.players();
        let menus = (0..players).map(|player| Actions::menu(payoffs.choices(player)));
        Table {
            menus: menus.collect(),
            payoffs: Arc::new(payoffs),
            presence: vec![Presence::default(); players],
            noise: None,
            range: (0.0, 0.0),
            round: 0,
            acts: Vec::new(),
            wanted: Vec::new(),
            profile: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// Adds noise to the payoffs, drawn from a separate stream in each round. A player's draw is
    /// the same for its action and its counterfactuals, and does not depend on anybody's choice or
    /// presence; the rules of the game are reported without noise.
    #[must_use]
    pub fn with_noise(mut self, noise: Noise, streams: Streams) -> Table {
        self.noise = Some((noise, streams));
        self.range = self.payoffs.range();
        self
    }

    /// Limits the presence of a player to some rounds.
    #[must_use]
    pub fn with_presence(mut self, player: usize, presence: Presence) -> Table {
        self.presence[player] = presence;
        self
    }

    /// Says by player which entry is taking part.
    #[must_use]
    pub fn with_cooperation(mut self, entries: &[Option<u32>]) -> Table {
        for (menu, &entry) in self.menus.iter_mut().zip(entries) {
            if let (Actions::Menu { cooperate, .. }, Some(entry)) = (menu, entry) {
                *cooperate = entry;
            }
        }
        self
    }

    /// The payoffs of the profiles.
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
        if self.presence[player].has(round) { self.menus[player] } else { Actions::Absent }
    }

    fn begin(&mut self, round: u64, acts: &[Act], wanted: &[Wanted]) -> Result<(), Infallible> {
        self.round = round;
        acts.clone_into(&mut self.acts);
        self.profile.clear();
        self.profile.extend(acts.iter().zip(&self.menus).map(|(act, menu)| match act {
            Act::Choose(entry) => *entry,
            Act::Out | Act::In(_) => menu.staying_out().entry(),
        }));
        wanted.clone_into(&mut self.wanted);
        self.payoffs.count(&self.profile, &mut self.tally);
        Ok(())
    }

    fn outcome(&mut self, out: &mut Outcome) -> Result<(), Infallible> {
        let players = self.players();
        out.acts.clear();
        out.acts.extend(self.profile.iter().map(|&entry| Act::Choose(entry)));
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
        let streams = self.noise.map(|(noise, streams)| (noise, streams.in_round(self.round)));
        let mut noise = streams.map(|(noise, streams)| (noise, streams.stream(NOISE)));
        for player in 0..players {
            let here = self.presence[player].has(self.round);
            let (entry, wanted) = (self.profile[player], self.wanted[player]);
            let drawn = noise.as_mut().map(|(noise, rng)| noise.draw(rng));
            let of = |entry: u32| {
                let pays = self.payoffs.payoff_of(&self.tally, player, &self.profile, entry);
                drawn.map_or(pays, |drawn| drawn.on(pays, self.range))
            };
            let instead = &mut out.instead[player];
            instead.clear();
            if wanted.instead || !here {
                instead.extend((0..self.payoffs.choices(player)).map(of));
            }
            out.payoffs.push(of(entry));
            let stays = self.menus[player].staying_out().entry();
            out.stayed_out.push((wanted.stayed_out && entry != stays).then(|| of(stays)));
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
        if acts.is_empty() && wanted.is_empty() {
            // No round was begun.
            self.round = round;
            return Ok(());
        }
        let is_of_these = acts.len() == self.players() && wanted.len() == acts.len();
        let mut entries = acts.iter().map(|act| act.entry()).enumerate();
        if !is_of_these || entries.any(|(player, entry)| entry >= self.payoffs.choices(player)) {
            return Err(Corrupt::Content("a round of another game".to_owned()));
        }
        let Ok(()) = self.begin(round, &acts, &wanted);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Counts;

    /// Three players with 2, 3 and 2 entries; the payoff encodes the player and the profile.
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
    fn who_is_absent_plays_out_and_is_paid_for_it() {
        let mut table = told().with_presence(1, Presence { first: 2, last: Some(3) });
        let allowed: Vec<bool> =
            (0..6).map(|round| table.actions(1, round) != Actions::Absent).collect();
        assert_eq!(allowed, [false, false, true, true, false, false]);
        let acts = [Act::Choose(1), Act::Out, Act::Choose(1)];
        let outcome = play(&mut table, 0, acts, Wanted::default());
        assert_eq!(outcome.payoffs, [101.0, 1101.0, 2101.0]);
        assert_eq!(outcome.acts, [1, 0, 1].map(Act::Choose));
        assert_eq!(outcome.instead[1], [1101.0, 1111.0, 1121.0]);
    }

    /// The means stay within 3.29 standard errors (99.9 %) of the game's payoffs.
    #[test]
    fn noise_keeps_the_mean_and_is_the_same_for_all_that_a_player_could_do() {
        const ROUNDS: u64 = 4000;
        let pays = [[3.0, 0.0], [5.0, 1.0]];
        let game = || {
            Table::new(&[2, 2], |player, profile| {
                pays[profile[player] as usize][profile[1 - player] as usize]
            })
        };
        let wanted = Wanted { stayed_out: true, instead: true, rules: false };
        let play = |table: &mut Table, round: u64, acts: [u32; 2]| {
            let mut outcome = Outcome::default();
            table.begin(round, &acts.map(Act::Choose), &[wanted; 2]).unwrap();
            table.outcome(&mut outcome).unwrap();
            outcome
        };
        let deviation = 0.5;
        for noise in [Noise::Normal { deviation }, Noise::Coin] {
            let noisy = || game().with_noise(noise, Streams::new(1));
            let (mut table, mut again) = (noisy(), noisy());
            let mut sums = [0.0; 2];
            for round in 0..ROUNDS {
                let outcome = play(&mut table, round, [0, 1]);
                for (player, entry) in [0, 1].into_iter().enumerate() {
                    let instead = &outcome.instead[player];
                    assert_eq!(outcome.payoffs[player], instead[entry], "what was done is in it");
                    match noise {
                        Noise::Normal { .. } => {
                            let apart = pays[1][1 - entry] - pays[0][1 - entry];
                            assert!((instead[1] - instead[0] - apart).abs() < 1e-12);
                        }
                        Noise::Coin => {
                            assert!(instead.iter().all(|&pays| pays == 0.0 || pays == 5.0));
                            assert!(instead[0] <= instead[1], "one draw for both");
                        }
                    }
                    sums[player] += instead[0];
                }
                // The other player's choice does not affect a player's draw.
                let other = play(&mut again, round, [0, 0]);
                if let Noise::Normal { .. } = noise {
                    assert!((other.payoffs[0] - 3.0 - outcome.payoffs[0]).abs() < 1e-12);
                }
            }
            // Entry 0 pays 0 against 1 and 3 against 0. A coin with mean 3 in [0, 5] has variance 3
            // x 2.
            for (sum, mean) in sums.into_iter().zip([0.0, 3.0]) {
                let variance = match noise {
                    Noise::Normal { .. } => deviation * deviation,
                    Noise::Coin => mean * (5.0 - mean),
                };
                let error = (variance / ROUNDS as f64).sqrt();
                let measured = sum / ROUNDS as f64;
                assert!((measured - mean).abs() <= 3.29 * error, "{noise:?} {measured} {mean}");
            }
        }
    }

    /// This would take minutes if every player counted the others.
    #[test]
    fn ten_thousand_players_are_counted_once_a_round() {
        const PLAYERS: usize = 10_000;
        let pays = |own: u32, others: usize| f64::from(own) * others as f64;
        let mut table = Table::of(Payoffs::Counts(Counts::new(PLAYERS, pays)));
        let acts: Vec<Act> = (0..PLAYERS as u32).map(|player| Act::Choose(player % 2)).collect();
        let wanted = vec![Wanted { stayed_out: true, instead: true, rules: false }; PLAYERS];
        let mut outcome = Outcome::default();
        for round in 0..100 {
            table.begin(round, &acts, &wanted).unwrap();
            table.outcome(&mut outcome).unwrap();
        }
        assert_eq!((outcome.payoffs[0], outcome.payoffs[1]), (0.0, 4999.0));
        assert_eq!((outcome.instead[0][1], outcome.instead[1][0]), (5000.0, 0.0));
    }

    #[test]
    fn a_saved_round_is_loaded_with_its_counts_and_one_of_another_game_is_refused() {
        let game = |players| {
            let pays = |own: u32, others: usize| f64::from(own) * others as f64;
            Table::of(Payoffs::Counts(Counts::new(players, pays)))
                .with_noise(Noise::Normal { deviation: 1.0 }, Streams::new(3))
        };
        let (mut table, mut rebuilt) = (game(3), game(3));
        let (mut bytes, mut here, mut there) = (Vec::new(), Outcome::default(), Outcome::default());
        let acts = [1, 0, 1].map(Act::Choose);
        table.begin(8, &acts, &[Wanted { instead: true, ..Wanted::default() }; 3]).unwrap();
        table.save(&mut bytes);
        rebuilt.load(&mut bytes.as_slice()).unwrap();
        table.outcome(&mut here).unwrap();
        rebuilt.outcome(&mut there).unwrap();
        assert_eq!(here, there);
        assert!(game(4).load(&mut bytes.as_slice()).is_err());
        let mut fresh = Vec::new();
        game(3).save(&mut fresh);
        game(3).load(&mut fresh.as_slice()).unwrap();
    }
}
