//! Miniature 6: a matrix game between learners with different information labels (`StageGame`,
//! `Learner`, the cut of an `Outcome`).
//!
//! The ratio rule (Rzadca, Trystram, "Promoting Cooperation in Selfish Computational Grids") needs
//! its payoff and what staying out would have brought; linear reward-inaction needs the payoff
//! only. The same table of players is then seated at the pool of miniature 3.

use gridpact::kernel::rng::{Rng, Streams};
use gridpact::kernel::state::{Corrupt, State, put, take};
use gridpact::state_of_fields;
use rand::RngExt;
use std::convert::Infallible;

use crate::pool_game::whole_units;
use crate::support::{load, saved};
use crate::traits::{
    Act, Actions, Info, Learner, Outcome, OwnAndOut, OwnPayoff, Player, Seen, StageGame, Wanted,
};

/// Two players, two actions, 0 is staying out: `payoffs[player][own action][other's action]`.
#[derive(Clone, Default)]
struct Table {
    payoffs: [[[f64; 2]; 2]; 2],
    acts: Vec<Act>,
    wanted: Vec<Wanted>,
}

state_of_fields!(Table { acts, wanted });

impl StageGame for Table {
    type Error = Infallible;

    fn players(&self) -> usize {
        2
    }
    fn actions(&self, _: usize) -> Actions {
        Actions::Menu { count: 2, out: Some(0) }
    }
    fn begin(&mut self, _: u64, acts: &[Act], wanted: &[Wanted]) -> Result<(), Infallible> {
        self.acts = acts.to_vec();
        self.wanted = wanted.to_vec();
        Ok(())
    }
    fn outcome(&mut self, out: &mut Outcome) -> Result<(), Infallible> {
        *out = Outcome { acts: self.acts.clone(), ..Outcome::default() };
        for (player, wanted) in self.wanted.iter().enumerate() {
            let [own, other] = [player, 1 - player].map(|player| chosen(self.acts[player]));
            let row = self.payoffs[player].map(|row| row[other]);
            out.payoffs.push(row[own]);
            out.stayed_out.push((wanted.stayed_out && own != 0).then_some(row[0]));
            out.instead.push(if wanted.instead { row.to_vec() } else { Vec::new() });
        }
        Ok(())
    }
}

fn chosen(act: Act) -> usize {
    match act {
        Act::Choose(entry) => entry as usize,
        Act::Level(_) => unreachable!("the menu has entries"),
    }
}

/// Section 4.2's rule for the probability to take part. With the score s, its clipped ratio comes
/// to `p <- (1 - rate) p + rate clip((1 + s) / 2, 0, 1)`, where it took part.
#[derive(Clone)]
struct Ratio {
    rate: f64,
    p: f64,
}

state_of_fields!(Ratio { p });

impl Learner for Ratio {
    type Sees = OwnAndOut;
    fn act(&mut self, _: Actions, rng: &mut Rng) -> Act {
        Act::Choose(u32::from(rng.random::<f64>() < self.p))
    }
    fn learn(&mut self, seen: Seen<'_, OwnAndOut>, _: &mut Rng) {
        if let Some(out) = seen.stayed_out() {
            let target = ((1.0 + seen.payoff() - out) / 2.0).clamp(0.0, 1.0);
            self.p = (1.0 - self.rate) * self.p + self.rate * target;
        }
    }
}

/// Linear reward-inaction (Cross): what was rewarded with u in [0, 1] becomes likelier by that
/// much.
#[derive(Clone)]
struct RewardInaction {
    rate: f64,
    /// The probability of entry 1 of two.
    x: f64,
}

state_of_fields!(RewardInaction { x });

impl Learner for RewardInaction {
    type Sees = OwnPayoff;
    fn act(&mut self, _: Actions, rng: &mut Rng) -> Act {
        Act::Choose(u32::from(rng.random::<f64>() < self.x))
    }
    fn learn(&mut self, seen: Seen<'_, OwnPayoff>, _: &mut Rng) {
        let played = chosen(seen.act()) as f64;
        self.x += self.rate * seen.payoff().clamp(0.0, 1.0) * (played - self.x);
    }
}

/// As the program has it: one enum of all learners.
#[derive(Clone)]
enum Brain {
    Ratio(Ratio),
    RewardInaction(RewardInaction),
}

macro_rules! each {
    ($brain:expr, $learner:ident => $what:expr) => {
        match $brain {
            Brain::Ratio($learner) => $what,
            Brain::RewardInaction($learner) => $what,
        }
    };
}

impl State for Brain {
    fn save(&self, out: &mut Vec<u8>) {
        each!(self, learner => learner.save(out));
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        each!(self, learner => learner.load(from))
    }
}

impl Player for Brain {
    fn wanted(&self) -> Wanted {
        each!(self, learner => learner.wanted())
    }
    fn decide(&mut self, actions: Actions, rng: &mut Rng) -> Act {
        each!(self, learner => learner.decide(actions, rng))
    }
    fn observe(&mut self, outcome: &Outcome, me: usize, rng: &mut Rng) {
        each!(self, learner => learner.observe(outcome, me, rng));
    }
}

/// The seam: decide, play, observe.
#[derive(Clone)]
struct Repeated<G, P> {
    game: G,
    players: Vec<P>,
    streams: Streams,
    round: u64,
    /// A round is under way.
    begun: bool,
    outcome: Outcome,
}

impl<G: StageGame, P: Player> Repeated<G, P> {
    fn new(game: G, players: Vec<P>, streams: Streams) -> Repeated<G, P> {
        let outcome = Outcome::default();
        Repeated { game, players, streams, round: 0, begun: false, outcome }
    }

    /// One stream a player, a round and a purpose: there is no generator to save.
    fn stream(&self, player: usize, purpose: &str) -> Rng {
        self.streams.in_round(self.round).stream(&format!("organization/{player}/{purpose}"))
    }

    /// Begins a round or plays on for an instant; false when the round is over and learnt from.
    fn advance(&mut self) -> Result<bool, G::Error> {
        if !self.begun {
            let (mut acts, mut wanted) = (Vec::new(), Vec::new());
            for player in 0..self.players.len() {
                let mut rng = self.stream(player, "decision");
                let actions = self.game.actions(player);
                wanted.push(self.players[player].wanted());
                acts.push(self.players[player].decide(actions, &mut rng));
            }
            self.game.begin(self.round, &acts, &wanted)?;
            self.begun = true;
        }
        if self.game.advance()? {
            return Ok(true);
        }
        self.game.outcome(&mut self.outcome)?;
        for player in 0..self.players.len() {
            let mut rng = self.stream(player, "learning");
            self.players[player].observe(&self.outcome, player, &mut rng);
        }
        self.round += 1;
        self.begun = false;
        Ok(false)
    }

    fn play(&mut self, rounds: u64) -> Result<(), G::Error> {
        while self.round < rounds {
            self.advance()?;
        }
        Ok(())
    }
}

impl<G: State, P: State> State for Repeated<G, P> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.round, self.begun), out);
        self.game.save(out);
        self.players.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.round, self.begun) = take(from)?;
        self.game.load(from)?;
        self.players.load(from)
    }
}

fn ratio(p: f64) -> Brain {
    Brain::Ratio(Ratio { rate: 0.1, p })
}

fn reward_inaction(x: f64, rate: f64) -> Brain {
    Brain::RewardInaction(RewardInaction { rate, x })
}

/// Taking part brings player 0 the score 0.3 whatever the other does, and player 1 0.8 against 0.2.
fn worth_it(seed: u64) -> Repeated<Table, Brain> {
    let table = Table { payoffs: [[[0.0; 2], [0.3; 2]], [[0.2; 2], [0.8; 2]]], ..Table::default() };
    let players = vec![ratio(0.5), reward_inaction(0.5, 0.05)];
    Repeated::new(table, players, Streams::new(seed))
}

fn probabilities(brains: &[Brain]) -> Vec<f64> {
    let probability = |brain: &Brain| match brain {
        Brain::Ratio(learner) => learner.p,
        Brain::RewardInaction(learner) => learner.x,
    };
    brains.iter().map(probability).collect()
}

#[test]
fn a_label_asks_for_what_it_knows_and_no_more() {
    assert_eq!(ratio(0.5).wanted(), OwnAndOut::WANTED);
    assert_eq!(reward_inaction(0.5, 0.1).wanted(), Wanted::default());
    let mut game = worth_it(1);
    game.players[0] = ratio(1.0);
    game.players[1] = reward_inaction(1.0, 0.05);
    game.play(1).unwrap();
    assert_eq!(game.outcome.payoffs, [0.3, 0.8]);
    assert_eq!(game.outcome.stayed_out, [Some(0.0), None], "nobody asked for player 1's");
    assert!(game.outcome.instead.iter().all(Vec::is_empty));
}

#[test]
fn two_learners_with_different_labels_end_where_they_must() {
    let mut game = worth_it(3);
    let (mut p, mut x): (f64, f64) = (0.5, 0.5);
    while game.round < 1000 {
        game.play(game.round + 1).unwrap();
        // The rules by hand, given what was played.
        let [first, second] = [0, 1].map(|player| chosen(game.outcome.acts[player]));
        p = if first == 1 { 0.9 * p + 0.1 * 0.65 } else { p };
        x = if second == 1 { x + 0.04 * (1.0 - x) } else { x - 0.01 * x };
        let found = probabilities(&game.players);
        assert!((found[0] - p).abs() < 1e-12 && (found[1] - x).abs() < 1e-12);
    }
    // The ratio rule matches, p = (1 + 0.3) / 2; reward-inaction optimizes.
    assert!((p - 0.65).abs() < 1e-12, "{p}");
    assert!(x > 1.0 - 1e-9, "{x}");
}

#[test]
fn saved_and_forked_games_go_on_alike() {
    let mut whole = worth_it(5);
    whole.play(40).unwrap();
    let mut fork = whole.clone();
    let bytes = saved(&whole);
    whole.play(100).unwrap();
    let mut rebuilt = worth_it(5);
    load(&mut rebuilt, &bytes);
    rebuilt.play(100).unwrap();
    assert_eq!(saved(&rebuilt), saved(&whole));
    // A fork where one player is another moves nobody else's draws.
    fork.players[1] = reward_inaction(0.0, 0.05);
    fork.play(100).unwrap();
    assert_eq!(probabilities(&fork.players)[0], probabilities(&whole.players)[0]);
    assert_eq!(probabilities(&fork.players)[1], 0.0);
}

/// Self-play of reward-inaction in the prisoner's dilemma (payoffs 3, 0, 5, 1 over 5): both defect.
#[test]
fn reward_inaction_defects_in_the_prisoners_dilemma() {
    let payoffs = [[[0.2, 1.0], [0.0, 0.6]]; 2];
    for seed in 0..20 {
        let players = vec![RewardInaction { rate: 0.02, x: 0.5 }; 2];
        let table = Table { payoffs, ..Table::default() };
        let mut game = Repeated::new(table, players, Streams::new(seed));
        game.play(6000).unwrap();
        assert!(game.players.iter().all(|player| player.x < 1e-3), "seed {seed}");
    }
}

/// The pool of miniature 3 is one more stage game: scores 40/37 - 1 and 20/17 - 1 to the members.
#[test]
fn the_same_players_play_the_pool_and_a_save_within_a_round_changes_nothing() {
    let table = || {
        let players = vec![ratio(1.0), reward_inaction(0.0, 0.1), ratio(1.0)];
        Repeated::new(whole_units(), players, Streams::new(1))
    };
    let mut whole = table();
    whole.play(1).unwrap();
    let expected = [40.0 / 37.0, 20.0 / 17.0].map(|q| 0.9 + 0.1 * (q / 2.0));
    assert_eq!(probabilities(&whole.players), [expected[0], 0.0, expected[1]]);

    let mut half = table();
    assert!(half.advance().unwrap() && half.advance().unwrap(), "the round is not over yet");
    let mut rebuilt = table();
    load(&mut rebuilt, &saved(&half));
    rebuilt.play(2).unwrap();
    whole.play(2).unwrap();
    assert_eq!(saved(&rebuilt), saved(&whole));
}
