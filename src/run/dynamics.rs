//! A game as a world that moves by itself: dynamics that know the payoffs, without learners.
//!
//! A replication is computed in one step, so it is saved before it or after it.

use super::error::RunError;
use super::world::{NewReplication, Replica, RunContext, Runnable, Seen, Sheets};
use findings::game::dynamics::{Moved, Outcome, Way};
use game::dynamics::best_reply::{BestReply, End, take_turns};
use game::dynamics::gradient::Gradient;
use game::dynamics::log_linear::LogLinear;
use game::dynamics::replicator::{Generations, Replicator};
use game::dynamics::{Dynamics, Society};
use game::payoffs::Payoffs;
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use report::game::dynamics::{MovedReport, populations};
use report::game::frame;
use report::world::Report;
use scenario::plan::{DynamicsPlan, Flow, GamePlan, Motion};

/// The dynamics of a plan's game.
#[derive(Debug)]
pub struct DynamicsWorld<'a> {
    plan: GamePlan<'a>,
    dynamics: &'a DynamicsPlan,
}

impl<'a> DynamicsWorld<'a> {
    /// The dynamics of a plan's game.
    pub fn new(plan: GamePlan<'a>, dynamics: &'a DynamicsPlan) -> DynamicsWorld<'a> {
        DynamicsWorld { plan, dynamics }
    }
}

impl Runnable for DynamicsWorld<'_> {
    type Replica<'a>
        = DynamicsReplica<'a>
    where
        Self: 'a;
    /// The number of steps of the run.
    type Head = u64;
    type Outcome = Way;
    type Findings = Moved;

    fn begin<'a>(
        &'a self,
        new: NewReplication<'_>,
        _: Option<&u64>,
    ) -> Result<DynamicsReplica<'a>, RunError> {
        Ok(DynamicsReplica { of: self, number: new.number, way: None })
    }

    fn passes(&self, steps: &u64, _: u32, _: &RunContext<'_>) -> Result<bool, RunError> {
        Ok(*steps == self.dynamics.steps)
    }

    fn findings(&self) -> Moved {
        let DynamicsWorld { plan, dynamics } = *self;
        let populations = populations(plan, dynamics);
        Moved::new(frame(plan), populations, dynamics.steps, dynamics.step)
    }

    fn add(&self, moved: &mut Moved, way: Way) {
        moved.add(way);
    }

    fn name(&self) -> &'static str {
        "dynamics"
    }

    fn report<'a>(&'a self, moved: &'a Moved) -> Box<dyn Report + 'a> {
        Box::new(MovedReport { plan: self.plan, moved })
    }
}

/// A replication that is computed in one step.
#[derive(Debug)]
pub struct DynamicsReplica<'a> {
    of: &'a DynamicsWorld<'a>,
    number: u32,
    way: Option<Way>,
}

impl State for DynamicsReplica<'_> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.way, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.way = take(from)?;
        Ok(())
    }
}

impl Replica for DynamicsReplica<'_> {
    type Head = u64;
    type Outcome = Way;

    fn finish(self) -> Result<(Way, Sheets), RunError> {
        Ok((self.way.expect("it was computed"), Vec::new()))
    }

    fn head(&self) -> u64 {
        self.of.dynamics.steps
    }

    fn rank(steps: &u64) -> u64 {
        *steps
    }

    fn advance(&mut self, _: u64) -> Result<bool, RunError> {
        if self.way.is_none() {
            self.way = Some(way(self.of.plan, self.of.dynamics, self.number));
        }
        Ok(false)
    }

    fn seen(&self) -> Seen {
        let rounds = if self.way.is_some() { self.of.dynamics.steps } else { 0 };
        Seen { rounds, ..Seen::default() }
    }
}

/// The trajectory of one replication.
fn way(plan: GamePlan<'_>, dynamics: &DynamicsPlan, number: u32) -> Way {
    let (game, steps) = (&*plan.game.payoffs, dynamics.steps);
    let streams = Streams::new(plan.seed).in_replication(u64::from(number));
    match &dynamics.motion {
        Motion::Flow { flow, populations, from } => {
            let society = Society::new(game, *populations);
            let mut at = from.clone();
            let mut way = Way::new(steps, &at.concat());
            let rule: Box<dyn Dynamics + '_> = match *flow {
                Flow::Replicator => Box::new(Replicator(society)),
                Flow::Generations { background } => Box::new(Generations::new(society, background)),
                Flow::BestReply => Box::new(BestReply(society)),
                Flow::Gradient { winning, losing } => {
                    Box::new(Gradient::wolf(game, winning, losing))
                }
            };
            for _ in 0..steps {
                rule.advance(&mut at, dynamics.step);
                way.step(at.iter().flatten().copied());
            }
            way.outcome = Outcome::Gain(gain(society, &at));
            way
        }
        Motion::Turns { from } => {
            let mut profile = from.clone();
            let found = take_turns(game, &mut profile, steps);
            let mut tallied = Tallied::new(plan, from);
            let mut way = Way::new(steps, &tallied.shares);
            let mut now = from.clone();
            for _ in 0..found.turns {
                take_turns(game, &mut now, 1);
                tallied.all(&now);
                way.step(tallied.shares.iter().copied());
            }
            way.outcome = match found.end {
                End::Settled => Outcome::Settled(found.turns, profile),
                End::Cycles(turns) => Outcome::Cycles(turns),
                End::Unsettled => Outcome::Shares,
            };
            way.rest();
            way
        }
        Motion::LogLinear { temperature, from } => {
            let mut rng = streams.stream("log-linear");
            let mut play = LogLinear::new(game, *temperature, from.clone());
            let mut tallied = Tallied::new(plan, from);
            let mut way = Way::new(steps, &tallied.shares);
            for _ in 0..steps {
                let player = play.step(&mut rng);
                tallied.one(player, play.profile()[player]);
                way.step(tallied.shares.iter().copied());
            }
            way
        }
        Motion::Imitation { rule, game, from } => {
            let mut rng = streams.stream("imitation");
            let players = game.players();
            let shares = |taking: usize| {
                let second = taking as f64 / players as f64;
                [1.0 - second, second]
            };
            let mut taking = *from;
            let mut way = Way::new(steps, &shares(taking));
            for step in 0..=steps {
                if taking == 0 || taking == players {
                    way.outcome = Outcome::Fixed(step, taking > 0);
                    break;
                }
                if step < steps {
                    taking = rule.step(game, taking, &mut rng);
                    way.step(shares(taking).into_iter());
                }
            }
            way.rest();
            way
        }
    }
}

/// The largest gain from a best reply to the shares, over all populations.
fn gain(society: Society<'_>, at: &[Vec<f64>]) -> f64 {
    let pays = society.payoffs(at);
    let of = |(shares, pays): (&Vec<f64>, &Vec<f64>)| {
        let best = pays.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mean: f64 = shares.iter().zip(pays).map(|(share, pays)| share * pays).sum();
        (best - mean).max(0.0)
    };
    at.iter().zip(&pays).map(of).fold(0.0, f64::max)
}

/// Counts of players by action: pooled if all are alike, otherwise for each player.
struct Tallied {
    profile: Vec<u32>,
    /// Offset of each player's shares.
    begins: Vec<usize>,
    counts: Vec<u32>,
    shares: Vec<f64>,
    /// Number of players whose shares sum to one.
    size: f64,
}

impl Tallied {
    fn new(plan: GamePlan<'_>, profile: &[u32]) -> Tallied {
        let game: &Payoffs = &plan.game.payoffs;
        let is_one = plan.game.payoffs_are_alike();
        let (mut begins, mut width) = (Vec::new(), 0);
        for player in 0..game.players() {
            begins.push(if is_one { 0 } else { width });
            width += if is_one && player > 0 { 0 } else { game.choices(player) as usize };
        }
        let mut tallied = Tallied {
            profile: profile.to_vec(),
            begins,
            counts: vec![0; width],
            shares: vec![0.0; width],
            size: if is_one { game.players() as f64 } else { 1.0 },
        };
        for (player, &action) in profile.iter().enumerate() {
            tallied.count(player, action, 1);
        }
        tallied
    }

    /// Counts a player at an action, once more or less.
    fn count(&mut self, player: usize, action: u32, by: i32) {
        let at = self.begins[player] + action as usize;
        self.counts[at] = self.counts[at].wrapping_add_signed(by);
        self.shares[at] = f64::from(self.counts[at]) / self.size;
    }

    /// Switches a player to an action.
    fn one(&mut self, player: usize, action: u32) {
        let before = std::mem::replace(&mut self.profile[player], action);
        self.count(player, before, -1);
        self.count(player, action, 1);
    }

    fn all(&mut self, profile: &[u32]) {
        profile.iter().enumerate().for_each(|(player, &action)| self.one(player, action));
    }
}
