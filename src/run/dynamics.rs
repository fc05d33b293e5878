//! Runs a game under dynamics that know the payoffs, without learners.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::folder::Claim;
use super::game::GameTiming;
use super::records::Leavings;
use super::{Progress, RunError, each};
use crate::game::dynamics::best_reply::{BestReply, End, take_turns};
use crate::game::dynamics::gradient::Gradient;
use crate::game::dynamics::log_linear::LogLinear;
use crate::game::dynamics::replicator::{Generations, Replicator};
use crate::game::dynamics::{Dynamics, Society};
use crate::game::payoffs::Payoffs;
use crate::kernel::rng::Streams;
use crate::report::enough::Goal;
use crate::report::game::dynamics::{self, Moved, Outcome, Way};
use crate::report::game::manifest::GameManifest;
use crate::scenario::plan::{DynamicsPlan, Flow, GamePlan, Motion};

/// Steps between two progress updates.
const TOLD: u64 = 1024;

/// Runs the dynamics of a plan. With a folder, its files are written there, the manifest last.
///
/// # Errors
/// See [`RunError`]; no file is left half-written.
pub fn run(
    plan: &GamePlan,
    dynamics: &DynamicsPlan,
    folder: Option<&Path>,
    threads: usize,
    read_seconds: f64,
    progress: &Progress,
) -> Result<(Moved, GameTiming), RunError> {
    let span = tracing::info_span!("dynamics", name = plan.name, seed = plan.seed);
    let _entered = span.enter();
    let begun = Instant::now();
    let threads = threads.clamp(1, plan.replications as usize);
    let mut moved = Moved::new(plan, dynamics);
    each(
        &mut Goal::fixed(plan.replications),
        threads,
        |number| Ok(way(plan, dynamics, number, progress)),
        |way, _| {
            moved.add(way);
            Ok(())
        },
    )?;
    let rounds = dynamics.steps * u64::from(plan.replications);
    let timing = GameTiming::new(rounds, read_seconds, begun, threads);
    if let Some(folder) = folder {
        let claim = Claim::of(folder)?;
        let mut leavings = Leavings::new(&claim);
        leavings.write("dynamics.csv", &dynamics::csv(&moved))?;
        leavings.write("learning.svg", &dynamics::picture(&plan.title(), &moved))?;
        leavings.write("summary.json", &dynamics::json(plan, dynamics, &moved))?;
        leavings.publish(&timing, |digests| GameManifest::new(plan, digests))?;
        claim.forget()?;
    }
    Ok((moved, timing))
}

/// Reports the progress of a replication.
struct Teller<'a> {
    progress: &'a Progress,
    steps: u64,
}

impl Teller<'_> {
    fn step(&mut self) {
        self.steps += 1;
        if self.steps.is_multiple_of(TOLD) {
            self.progress.rounds.fetch_add(TOLD, Ordering::Relaxed);
        }
    }
}

/// The trajectory of one replication.
fn way(plan: &GamePlan, dynamics: &DynamicsPlan, number: u32, progress: &Progress) -> Way {
    let (game, steps) = (&*plan.payoffs, dynamics.steps);
    let streams = Streams::new(plan.seed).in_replication(u64::from(number));
    let mut teller = Teller { progress, steps: 0 };
    match &dynamics.motion {
        Motion::Flow { flow, populations, from } => {
            let society = Society::new(game, *populations);
            let mut at = from.clone();
            let mut way = Way::new(steps, &at.concat());
            let mut moved = Mover { at: &mut at, way: &mut way, teller, step: dynamics.step };
            match *flow {
                Flow::Replicator => moved.by(&Replicator(society)),
                Flow::Generations { background } => {
                    moved.by(&Generations::new(society, background));
                }
                Flow::BestReply => moved.by(&BestReply(society)),
                Flow::Gradient { winning, losing } => {
                    moved.by(&Gradient::wolf(game, winning, losing));
                }
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
                teller.step();
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
                teller.step();
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
                    teller.step();
                }
            }
            way.rest();
            way
        }
    }
}

/// Moves shares by a rule and records their trajectory.
struct Mover<'a, 'p> {
    at: &'a mut [Vec<f64>],
    way: &'a mut Way,
    teller: Teller<'p>,
    step: f64,
}

impl Mover<'_, '_> {
    fn by(&mut self, rule: &impl Dynamics) {
        let steps = self.way.steps();
        let (way, teller) = (&mut *self.way, &mut self.teller);
        rule.run(self.at, self.step, steps, |_, at| {
            way.step(at.iter().flatten().copied());
            teller.step();
        });
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
    fn new(plan: &GamePlan, profile: &[u32]) -> Tallied {
        let game: &Payoffs = &plan.payoffs;
        let is_one = plan.payoffs_are_alike();
        let (mut begins, mut width) = (Vec::new(), 0);
        for player in 0..game.players() {
            begins.push(if is_one { 0 } else { width });
            width += if is_one && player > 0 { 0 } else { game.choices(player) as usize };
        }
        let size = if is_one { game.players() as f64 } else { 1.0 };
        let mut tallied = Tallied {
            profile: profile.to_vec(),
            begins,
            counts: vec![0; width],
            shares: vec![0.0; width],
            size,
        };
        for (player, &action) in profile.iter().enumerate() {
            tallied.counts[tallied.begins[player] + action as usize] += 1;
        }
        for (share, &count) in tallied.shares.iter_mut().zip(&tallied.counts) {
            *share = f64::from(count) / size;
        }
        tallied
    }

    /// Switches a player to an action.
    fn one(&mut self, player: usize, action: u32) {
        let before = std::mem::replace(&mut self.profile[player], action);
        for (action, by) in [(before, -1), (action, 1)] {
            let at = self.begins[player] + action as usize;
            self.counts[at] = self.counts[at].wrapping_add_signed(by);
            self.shares[at] = f64::from(self.counts[at]) / self.size;
        }
    }

    fn all(&mut self, profile: &[u32]) {
        profile.iter().enumerate().for_each(|(player, &action)| self.one(player, action));
    }
}
