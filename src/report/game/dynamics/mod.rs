//! What is found where play moves by dynamics: the way of the shares, where it ends, in files and
//! in words.
//!
//! A [`Way`] is that of one replication, [`Moved`] that of all.

mod files;
mod told;

pub use files::{csv, json, picture};
pub use told::{summary, table, words};

use super::Frame;
use crate::report::coalition::curves::{Measure, POINTS, Point, Spread};
use crate::report::coalition::learned::around;
use crate::report::precision::Estimate;
use crate::scenario::plan::{DynamicsPlan, GamePlan, Motion};
use crate::stats::interval::Sections;
use crate::stats::track::Track;

/// How the shares of populations moved in one replication.
#[derive(Clone, Debug)]
pub struct Way {
    steps: u64,
    taken: u64,
    /// By point, then by population and action.
    samples: Vec<f64>,
    /// By population and action, as below.
    tracks: Vec<Track>,
    late: Vec<f64>,
    late_steps: u64,
    last: Vec<f64>,
    /// How it ended, as far as the rule tells.
    pub outcome: Outcome,
}

/// How a replication ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Outcome {
    /// Shares are all that there is.
    #[default]
    Shares,
    /// What a best reply would bring more than the shares do, to who gains most.
    Gain(f64),
    /// After so many turns nobody moved any more.
    Settled(u64, Vec<u32>),
    /// Profiles came again after so many turns.
    Cycles(u64),
    /// All did the same, the second action or the first, after so many steps.
    Fixed(u64, bool),
}

impl Way {
    /// Of so many steps, none taken yet.
    pub fn new(steps: u64, from: &[f64]) -> Way {
        Way {
            steps,
            taken: 0,
            samples: from.to_vec(),
            tracks: vec![Track::default(); from.len()],
            late: vec![0.0; from.len()],
            late_steps: 0,
            last: from.to_vec(),
            outcome: Outcome::default(),
        }
    }

    /// Where the next step leads.
    pub fn step(&mut self, shares: impl Iterator<Item = f64>) {
        self.taken += 1;
        for (last, share) in self.last.iter_mut().zip(shares) {
            *last = share;
        }
        self.note();
    }

    /// How many steps there are.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Nothing moves any more.
    pub fn rest(&mut self) {
        while self.taken < self.steps {
            self.taken += 1;
            self.note();
        }
    }

    fn note(&mut self) {
        let points = points(self.steps);
        let is_late = self.taken > self.steps - self.steps.div_ceil(4);
        self.late_steps += u64::from(is_late);
        for (at, &share) in self.last.iter().enumerate() {
            self.tracks[at].add(share);
            if is_late {
                self.late[at] += share;
            }
        }
        let point = |step: u64| u128::from(step) * u128::from(points) / u128::from(self.steps);
        if point(self.taken) > point(self.taken - 1) {
            self.samples.extend_from_slice(&self.last);
        }
    }

    /// How it moves in its last half: nothing where it rests.
    fn swing(&self) -> Option<Swing> {
        let moving = self.tracks.iter().filter_map(|track| Swing::of(track, self.steps));
        moving.max_by(|one, other| one.width.total_cmp(&other.width))
    }
}

/// How a share moves in the last half of its way.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Swing {
    /// From its least to its largest.
    width: f64,
    /// Steps after which it comes again, where it goes round.
    period: Option<f64>,
}

/// Shares that move by less have come to rest.
const STILL: f64 = 1e-3;
/// How far the times between two rises may be off their mean, of a share that goes round.
const EVEN: f64 = 0.1;

impl Swing {
    fn of(track: &Track, steps: u64) -> Option<Swing> {
        let points = track.points();
        let half = &points[points.len() / 2..];
        let ends = half.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &share| {
            (least.min(share), most.max(share))
        });
        let width = ends.1 - ends.0;
        if width.is_nan() || width < STILL {
            return None;
        }
        let middle = (ends.0 + ends.1) / 2.0;
        let mut rises = Vec::new();
        for (at, pair) in half.windows(2).enumerate() {
            if pair[0] < middle && pair[1] >= middle {
                rises.push(at as f64 + (middle - pair[0]) / (pair[1] - pair[0]));
            }
        }
        let gaps: Vec<f64> = rises.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len().max(1) as f64;
        let is_even = gaps.len() >= 2
            && gaps.iter().all(|gap| (gap - mean).abs() <= EVEN * mean + 1.0)
            && mean >= 4.0;
        let period = is_even.then(|| mean * track.length() as f64);
        Some(Swing { width, period: period.filter(|&period| period < steps as f64) })
    }
}

/// A population whose shares move, or all players together.
#[derive(Clone, Debug, PartialEq)]
pub struct Population {
    /// What it is called.
    pub name: String,
    /// The names of its actions.
    pub actions: Vec<String>,
}

/// The populations of a plan, in the order of the shares.
pub fn populations(plan: &GamePlan, dynamics: &DynamicsPlan) -> Vec<Population> {
    let is_one = match &dynamics.motion {
        Motion::Flow { from, .. } => from.len() == 1,
        Motion::Turns { .. } | Motion::LogLinear { .. } => plan.payoffs_are_alike(),
        Motion::Imitation { .. } => true,
    };
    let named = |name: String, player: usize| Population {
        name,
        actions: dynamics.actions[player].clone(),
    };
    match is_one {
        true => vec![named("all".to_owned(), 0)],
        false => (0..dynamics.actions.len())
            .map(|player| named(format!("player-{}", player + 1), player))
            .collect(),
    }
}

/// How the shares moved, over all replications.
#[derive(Clone, Debug)]
pub struct Moved {
    /// Who moves.
    pub populations: Vec<Population>,
    /// The players, of whom nobody learns.
    pub frame: Frame,
    /// The time of a step.
    step: f64,
    steps: u64,
    replications: u32,
    /// By point, then by population and action.
    spreads: Vec<Spread>,
    /// Of the means over the last quarter of the steps.
    late: Vec<Sections>,
    last: Vec<Sections>,
    swing: Option<Swing>,
    outcomes: Vec<Outcome>,
}

impl Moved {
    /// No replication yet.
    pub fn new(plan: &GamePlan, dynamics: &DynamicsPlan) -> Moved {
        let populations = populations(plan, dynamics);
        let width: usize = populations.iter().map(|one| one.actions.len()).sum();
        Moved {
            populations,
            frame: Frame::of_dynamics(plan, dynamics),
            step: dynamics.step,
            steps: dynamics.steps,
            replications: plan.replications,
            spreads: vec![Spread::default(); (points(dynamics.steps) as usize + 1) * width],
            late: vec![Sections::default(); width],
            last: vec![Sections::default(); width],
            swing: None,
            outcomes: Vec::new(),
        }
    }

    /// Adds a replication.
    pub fn add(&mut self, way: Way) {
        for (spread, &share) in self.spreads.iter_mut().zip(&way.samples) {
            spread.add(share, Measure::Probability);
        }
        for (at, (late, last)) in self.late.iter_mut().zip(&mut self.last).enumerate() {
            late.add(way.late[at] / way.late_steps.max(1) as f64, 1.0);
            last.add(way.last[at], 1.0);
        }
        self.swing = way.swing();
        self.outcomes.push(way.outcome);
    }

    /// By population and action, the names.
    fn rows(&self) -> impl Iterator<Item = (&str, &str)> {
        let of = |one: usize| {
            let Population { name, actions } = &self.populations[one];
            actions.iter().map(move |action| (&**name, &**action))
        };
        (0..self.populations.len()).flat_map(of)
    }

    /// The way of a share, in times.
    fn curve(&self, at: usize) -> Vec<Point> {
        let width = self.late.len();
        let points = self.spreads[at..].iter().step_by(width).enumerate();
        let all = points_of(self.steps);
        points
            .filter_map(|(point, spread)| {
                spread.point(all(point as u64) as f64 * self.step, Measure::Probability)
            })
            .collect()
    }

    /// The mean of a share over the last quarter of the steps, and at the end.
    fn figures(&self, at: usize) -> [(f64, Option<Estimate>); 2] {
        [&self.late[at], &self.last[at]].map(|sections| {
            let mean = sections.mean().unwrap_or_default();
            (mean, around(sections).filter(|_| self.replications > 1))
        })
    }
}

/// How many points so many steps have besides the first.
fn points(steps: u64) -> u64 {
    steps.min(POINTS)
}

/// The step at which each point stands: the first at 0, the last at the end.
fn points_of(steps: u64) -> impl Fn(u64) -> u64 {
    let points = points(steps);
    move |point| (u128::from(point) * u128::from(steps)).div_ceil(u128::from(points)) as u64
}
