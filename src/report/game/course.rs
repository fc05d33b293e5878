//! The rounds of one replication, folded.

use super::curves::Trail;
use super::{Frame, Round};
use crate::game::payoffs::{Payoffs, Tally};
use crate::game::regret::Regret;
use crate::stats::batches::Batches;
use crate::stats::settling::{Band, Settling};
use crate::stats::track::Track;

/// A player over a stretch of the rounds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stretch {
    pub(super) rounds: u64,
    pub(super) payoff: f64,
    /// By action, how often it was played.
    pub(super) played: Vec<u64>,
}

impl Stretch {
    fn new(choices: usize) -> Stretch {
        Stretch { rounds: 0, payoff: 0.0, played: vec![0; choices] }
    }

    fn add(&mut self, action: u32, payoff: f64) {
        self.rounds += 1;
        self.payoff += payoff;
        self.played[action as usize] += 1;
    }

    pub(super) fn mean(&self) -> f64 {
        self.payoff / self.rounds.max(1) as f64
    }

    pub(super) fn share(&self, action: usize) -> f64 {
        self.played[action] as f64 / self.rounds.max(1) as f64
    }
}

/// Running sums of payoffs of a single replication.
#[derive(Clone, Debug, Default)]
pub(super) struct Batched {
    pub(super) rounds: u64,
    pub(super) payoff: f64,
    pub(super) batches: Batches<f64>,
}

impl Batched {
    fn add(&mut self, payoff: f64) {
        self.rounds += 1;
        self.payoff += payoff;
        if self.batches.count() {
            self.batches.mark(self.payoff);
        }
    }
}

/// What a player did in one replication.
#[derive(Clone, Debug)]
pub(super) struct PlayerCourse {
    pub(super) all: Stretch,
    pub(super) late: Stretch,
    regret: Regret,
    pub(super) trail: Trail,
    tracks: Vec<Track>,
    /// Of a single replication: all rounds, and the last quarter.
    pub(super) batched: Option<[Batched; 2]>,
    /// The probabilities at the end; the shares of the last quarter where they are not known.
    pub(super) law: Vec<f64>,
    /// What a best reply to the laws of the others would bring more than the own law does.
    pub(super) gain: f64,
}

impl PlayerCourse {
    /// What the best single action would have brought more in a round, the others doing what they
    /// did: below 0 where the player did better than any.
    pub(super) fn external_regret(&self) -> f64 {
        self.regret.per_round(self.regret.external())
    }

    /// The same where each action may be replaced by another of its own: never below 0.
    pub(super) fn swap_regret(&self) -> f64 {
        self.regret.per_round(self.regret.swap())
    }

    /// How the probabilities ended: settled when the last of them has; `None` where none moves, or
    /// there are too few rounds to tell.
    pub(super) fn settling(&self) -> Option<Settling> {
        let moves = |track: &&Track| track.points().windows(2).any(|pair| pair[0] != pair[1]);
        let moving = self.tracks.iter().filter(moves);
        moving.filter_map(|track| Settling::of(track, Band::PROBABILITY)).reduce(|one, other| {
            Settling {
                settled: one.settled.zip(other.settled).map(|(one, other)| one.max(other)),
                cycle: one.cycle.or(other.cycle),
                ..one
            }
        })
    }
}

/// What happened in one replication.
#[derive(Clone, Debug)]
pub struct Course {
    pub(super) players: Vec<PlayerCourse>,
    first_late: u64,
    profile: Vec<u32>,
    /// The first round from which the profile did not change any more.
    pub(super) since: u64,
    /// What all got together, over all rounds and over the last quarter.
    pub(super) welfare: [f64; 2],
    tally: Tally,
    brought: Vec<f64>,
}

/// The share of the last quarter in which an action is played by who has come to rest at it.
const AT_REST: f64 = 0.99;

impl Course {
    /// The rounds of one replication, none yet.
    pub fn new(frame: &Frame) -> Course {
        let player = |actions: &Vec<String>| {
            let choices = actions.len();
            PlayerCourse {
                all: Stretch::new(choices),
                late: Stretch::new(choices),
                regret: Regret::new(choices),
                trail: Trail::default(),
                tracks: vec![Track::default(); choices],
                batched: (frame.replications == 1).then(<[Batched; 2]>::default),
                law: Vec::new(),
                gain: 0.0,
            }
        };
        Course {
            players: frame.actions.iter().map(player).collect(),
            first_late: frame.late(),
            profile: Vec::new(),
            since: 0,
            welfare: [0.0; 2],
            tally: Tally::default(),
            brought: Vec::new(),
        }
    }

    /// Adds a round; `payoffs` without noise say what else could have been done.
    pub fn round(&mut self, round: &Round<'_>, payoffs: &Payoffs) {
        let is_late = round.round >= self.first_late;
        if self.profile != round.profile {
            self.since = round.round;
            self.profile.clear();
            self.profile.extend_from_slice(round.profile);
        }
        payoffs.count(round.profile, &mut self.tally);
        for (number, player) in self.players.iter_mut().enumerate() {
            let (action, payoff) = (round.profile[number], round.payoffs[number]);
            player.all.add(action, payoff);
            self.welfare[0] += payoff;
            if is_late {
                player.late.add(action, payoff);
                self.welfare[1] += payoff;
            }
            payoffs.instead_of(&self.tally, number, round.profile, &mut self.brought);
            let got = self.brought[action as usize];
            player.regret.add(action as usize, &self.brought, got);
            let law = &round.laws[number];
            let choices = self.brought.len();
            player.trail.add(round.round, action, law, choices);
            for (track, &probability) in player.tracks.iter_mut().zip(law) {
                track.add(probability);
            }
            for batched in
                player.batched.iter_mut().flat_map(|both| &mut both[..1 + usize::from(is_late)])
            {
                batched.add(payoff);
            }
        }
    }

    /// Ends the replication, the players standing at these laws (empty where they are not known).
    pub fn end(&mut self, laws: &[Vec<f64>], payoffs: &Payoffs) {
        let mixed: Vec<Vec<f64>> = laws
            .iter()
            .zip(&self.players)
            .map(|(law, player)| {
                let shares = || (0..player.late.played.len()).map(|a| player.late.share(a));
                if law.is_empty() { shares().collect() } else { law.clone() }
            })
            .collect();
        for (number, player) in self.players.iter_mut().enumerate() {
            payoffs.expected(number, &mixed, &mut self.brought);
            let best = self.brought.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let own: f64 = self.brought.iter().zip(&mixed[number]).map(|(one, p)| one * p).sum();
            player.gain = (best - own).max(0.0);
            player.law.clone_from(&mixed[number]);
        }
    }

    /// The pure profile that was played at last: what each player did in at least 99% of the last
    /// quarter; `None` where somebody did not come to rest.
    pub(super) fn ended(&self) -> Option<Vec<u32>> {
        let rest = |player: &PlayerCourse| {
            (0..player.late.played.len()).find(|&action| player.late.share(action) >= AT_REST)
        };
        self.players.iter().map(|player| rest(player).map(|action| action as u32)).collect()
    }

    /// The round from which nothing changed any more, where that was so for the last quarter.
    pub(super) fn absorbed(&self) -> Option<u64> {
        (self.since <= self.first_late).then_some(self.since)
    }
}
