//! Accumulates the rounds of one replication.

use serde::{Deserialize, Serialize};

use super::frame::{Frame, Round};
use crate::coalition::absorbed::{FEWEST, LUCK};
use crate::rounds::batched::Batched;
use crate::rounds::binned::Binned;
use crate::rounds::sum::Sum;
use game::payoffs::{Payoffs, Tally};
use game::regret::Regret;
use kernel::state::{Corrupt, State, put, take};
use stats::repeats::Repeats;
use stats::settling::{Band, Settling};
use stats::track::Track;

/// Totals of one player over a stretch of rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    pub(crate) rounds: u64,
    pub(crate) payoff: f64,
    /// Number of rounds in which each action was played.
    pub played: Vec<u64>,
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

    pub(crate) fn mean(&self) -> f64 {
        self.payoff / self.rounds.max(1) as f64
    }

    pub(crate) fn share(&self, action: usize) -> f64 {
        self.played[action] as f64 / self.rounds.max(1) as f64
    }
}

/// Running sums of a player's payoffs.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Paid {
    pub rounds: u64,
    pub payoff: f64,
}

/// Totals of one player in one replication.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlayerCourse {
    pub all: Stretch,
    pub late: Stretch,
    regret: Regret,
    /// Probability of each action; 1 for the action played if probabilities are not known.
    pub trail: Binned<Vec<Sum>>,
    tracks: Vec<Track>,
    /// Its actions, to detect cycles.
    repeats: Repeats,
    /// True if it reported at the end that it was still searching.
    is_searching: bool,
    /// True if in the last quarter it mixed, or its probabilities are not known.
    mixes: bool,
    /// Batches over all rounds and over the last quarter, for a single replication.
    pub batched: Option<[Batched<Paid>; 2]>,
    /// Probabilities at the end; shares of the last quarter if they are not known.
    pub law: Vec<f64>,
    /// Gain of a best response to the others' mixed strategies over its own.
    pub gain: f64,
}

impl PlayerCourse {
    /// External regret a round: gain from the best single action, the others' play held fixed.
    ///
    /// Negative if the player did better than any single action.
    pub fn external_regret(&self) -> f64 {
        self.regret.per_round(self.regret.external())
    }

    /// Swap regret a round: gain from replacing each action by its best alternative; never below 0.
    pub fn swap_regret(&self) -> f64 {
        self.regret.per_round(self.regret.swap())
    }

    /// Number of its probabilities that can move apart: they add up to 1.
    pub(crate) fn series(&self) -> usize {
        (self.tracks.len() - 1).max(1)
    }

    /// Convergence of the probabilities: they have settled when the last of them has.
    ///
    /// `None` if none of them moves and the actions do not cycle, or if there are too few rounds to
    /// tell.
    pub fn settling(&self) -> Option<Settling> {
        let moves = |track: &&Track| track.points().windows(2).any(|pair| pair[0] != pair[1]);
        let moving = self.tracks.iter().filter(moves);
        let all = moving.filter_map(|track| Settling::of(track, Band::PROBABILITY, self.series()));
        let settling = all.reduce(|one, other| Settling {
            settled: one.settled.zip(other.settled).map(|(one, other)| one.max(other)),
            drifts: one.drifts || other.drifts,
            cycle: one.cycle.or(other.cycle),
            ..one
        });
        let settling = settling.map(|one| match one.drifts || one.cycle.is_some() {
            true => Settling { settled: None, ..one },
            false => one,
        });
        // Actions are categories, so they have no mean.
        let settling = Settling::with_acts(settling, &self.repeats, || f64::NAN);
        settling.map(|one| if self.is_searching { one.searching() } else { one })
    }
}

fn least_common_multiple(one: u64, other: u64) -> u64 {
    let (mut a, mut b) = (one, other);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    (one / a).saturating_mul(other)
}

/// The accumulated rounds of one replication.
#[derive(Clone, Debug)]
pub struct Course {
    pub(crate) players: Vec<PlayerCourse>,
    first_late: u64,
    profile: Vec<u32>,
    /// First round since which the profile has not changed.
    pub since: u64,
    /// Sum of all payoffs, over all rounds and over the last quarter.
    pub welfare: [f64; 2],
    tally: Tally,
    brought: Vec<f64>,
}

/// Share of the last quarter, and probability at the end, at which an action counts as the player's
/// final one.
const AT_REST: f64 = 0.99;

impl Course {
    /// An empty course.
    pub fn new(frame: &Frame) -> Course {
        let player = |actions: &Vec<String>| {
            let choices = actions.len();
            PlayerCourse {
                all: Stretch::new(choices),
                late: Stretch::new(choices),
                regret: Regret::new(choices),
                trail: Binned::default(),
                tracks: vec![Track::default(); choices],
                repeats: Repeats::default(),
                is_searching: false,
                mixes: false,
                batched: (frame.replications == 1).then(<[Batched<Paid>; 2]>::default),
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

    /// Also keeps batches, which a run of a single replication needs.
    #[must_use]
    pub fn with_batches(mut self) -> Course {
        for player in &mut self.players {
            player.batched.get_or_insert_default();
        }
        self
    }

    /// Drops the batches, which only a run of a single replication has.
    pub fn forget_batches(&mut self) {
        self.players.iter_mut().for_each(|player| player.batched = None);
    }

    /// True if batches are kept.
    pub fn is_batched(&self) -> bool {
        self.players.iter().any(|player| player.batched.is_some())
    }

    /// Drops the sums over the last quarter, since in a longer run it begins later.
    pub fn forget_late(&mut self) {
        self.welfare[1] = 0.0;
        for player in &mut self.players {
            player.late = Stretch::new(player.late.played.len());
            player.mixes = false;
            if let Some([_, late]) = &mut player.batched {
                *late = Batched::default();
            }
        }
    }

    /// Adds a round; `payoffs` are noise-free and give the counterfactuals.
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
            player.repeats.add(action.into());
            player.mixes |= is_late && !law.iter().any(|&probability| probability >= 1.0);
            let sums = player.trail.at(round.round, || vec![Sum::default(); choices]);
            match law.is_empty() {
                true => {
                    (0..).zip(sums).for_each(|(at, sum)| sum.add(f64::from(u8::from(at == action))))
                }
                false => sums.iter_mut().zip(law).for_each(|(sum, &chance)| sum.add(chance)),
            }
            for (track, &probability) in player.tracks.iter_mut().zip(law) {
                track.add(probability);
            }
            for batched in
                player.batched.iter_mut().flat_map(|both| &mut both[..1 + usize::from(is_late)])
            {
                batched.add(|paid| {
                    paid.rounds += 1;
                    paid.payoff += payoff;
                    true
                });
            }
        }
    }

    /// Ends the replication.
    ///
    /// `laws` are the players' mixed strategies at the end (empty if not known); `searching` tells
    /// for each player if it still searches.
    pub fn end(
        &mut self,
        laws: &[Vec<f64>],
        searching: impl IntoIterator<Item = bool>,
        payoffs: &Payoffs,
    ) {
        for (player, is_searching) in self.players.iter_mut().zip(searching) {
            player.is_searching = is_searching;
        }
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

    /// The final pure profile: the action that each player played in at least 99% of the last
    /// quarter, and would go on playing.
    ///
    /// `None` if some player did not come to rest.
    pub fn ended(&self) -> Option<Vec<u32>> {
        let rest = |player: &PlayerCourse| {
            let rests =
                |&action: &usize| player.late.share(action).min(player.law[action]) >= AT_REST;
            (0..player.late.played.len()).find(rests)
        };
        self.players.iter().map(|player| rest(player).map(|action| action as u32)).collect()
    }

    /// Period of the joint actions in rounds, if they repeat exactly and nobody searches.
    pub fn cycle(&self) -> Option<u64> {
        if self.players.iter().any(|player| player.is_searching) {
            return None;
        }
        let periods = self.players.iter().map(|player| player.repeats.period());
        let joint = periods.reduce(|one, other| Some(least_common_multiple(one?, other?)))??;
        (joint > 1).then_some(joint)
    }

    /// True if some player mixed to the end.
    pub(crate) fn is_mixing(&self) -> bool {
        self.players.iter().any(|player| player.mixes)
    }

    /// True if the last quarter is too short to tell where play ends.
    pub fn is_short(&self) -> bool {
        self.players.iter().any(|player| player.late.rounds < FEWEST)
    }

    /// First round since which nothing changed, if that covers the last quarter and is not luck.
    pub fn absorbed(&self) -> Option<u64> {
        let changes = |(player, &action): (&PlayerCourse, &u32)| {
            player.late.rounds as f64 * (1.0 - player.law[action as usize])
        };
        let changes: f64 = self.players.iter().zip(&self.profile).map(changes).sum();
        (self.since <= self.first_late && changes <= LUCK).then_some(self.since)
    }
}

/// The saved state depends neither on the length of the run nor on the start of its last quarter.
impl State for Course {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(&self.players, &self.profile, self.since, self.welfare), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let choices = |players: &[PlayerCourse]| -> Vec<usize> {
            players.iter().map(|player| player.all.played.len()).collect()
        };
        let before = choices(&self.players);
        (self.players, self.profile, self.since, self.welfare) = take(from)?;
        match choices(&self.players) == before {
            true => Ok(()),
            false => Err(Corrupt::Content("rounds of other players".to_owned())),
        }
    }
}
