//! Trajectories of game dynamics, and where they end.
//!
//! A [`Way`] is the trajectory of one replication, [`Moved`] holds all of them.

use serde::{Deserialize, Serialize};

use super::frame::Frame;
use crate::Findings;
use crate::estimate::Estimate;
use crate::measure::Metric;
use crate::rounds::binned::POINTS;
use crate::rounds::curves::{Axis, Point, Spread};
use crate::sample::Sample;
use crate::unit::units;
use stats::track::Track;

/// Trajectory of the population shares in one replication.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Way {
    steps: u64,
    taken: u64,
    /// Indexed by point, then by population and action.
    samples: Vec<f64>,
    /// Indexed by population and action, like the fields below.
    tracks: Vec<Track>,
    late: Vec<f64>,
    late_steps: u64,
    last: Vec<f64>,
    /// Outcome reported by the rule.
    pub outcome: Outcome,
}

/// Outcome of one replication.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// Only the shares are known.
    #[default]
    Shares,
    /// Gain of a best response over the final shares, for the player who gains most.
    Gain(f64),
    /// Nobody moved any more after this many turns, with the final profile.
    Settled(u64, Vec<u32>),
    /// Profiles repeated with this period, in turns.
    Cycles(u64),
    /// Fixation after this many steps: everybody plays the second action (true) or the first
    /// (false).
    Fixed(u64, bool),
}

impl Way {
    /// A trajectory of `steps` steps with its initial shares, before the first step.
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

    /// Records the shares after the next step.
    pub fn step(&mut self, shares: impl Iterator<Item = f64>) {
        self.taken += 1;
        for (last, share) in self.last.iter_mut().zip(shares) {
            *last = share;
        }
        self.note();
    }

    /// Total number of steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Fills the remaining steps with the last shares, as nothing moves any more.
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

    /// The largest movement of any share in the last half; `None` at rest.
    fn swing(&self) -> Option<Swing> {
        let moving = self.tracks.iter().filter_map(|track| Swing::of(track, self.steps));
        moving.max_by(|one, other| one.width.total_cmp(&other.width))
    }
}

/// Movement of a share in the last half of its trajectory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// Difference between its largest and its smallest value.
    pub width: f64,
    /// Period of the cycle in steps, if it cycles.
    pub period: Option<f64>,
}

/// A share that moves by less than this is at rest.
const STILL: f64 = 1e-3;
/// Tolerated deviation of the upcrossing intervals from their mean, for a share that cycles.
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
    /// Name of the population.
    pub name: String,
    /// Names of its actions.
    pub actions: Vec<String>,
}

/// Trajectories of the shares, over all replications.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The populations.
    pub populations: Vec<Population>,
    /// The players; none of them learns.
    pub frame: Frame,
    /// Time of one step.
    pub step: f64,
    /// Number of steps.
    pub steps: u64,
    /// The shares of every replication; the units are the actions of each population.
    pub sample: Sample,
    /// Indexed by point, then by population and action.
    spreads: Vec<Spread>,
    /// The largest movement of any share in the last half of the last replication.
    pub swing: Option<Swing>,
    /// Outcomes of the replications, in order.
    pub outcomes: Vec<Outcome>,
}

impl Moved {
    /// Results without any replication.
    ///
    /// There are `steps` steps, each of which takes `step` of time.
    pub fn new(frame: Frame, populations: Vec<Population>, steps: u64, step: f64) -> Moved {
        let named = |one: &Population| -> Vec<String> {
            one.actions.iter().map(|action| format!("{}/{action}", one.name)).collect()
        };
        let rows: Vec<String> = populations.iter().flat_map(named).collect();
        let width = rows.len();
        let metrics = [Metric::FinalShare, Metric::LastShare].map(Metric::measure);
        Moved {
            populations,
            sample: Sample::new(units(&rows, &[]), metrics, frame.level, true),
            frame,
            step,
            steps,
            spreads: vec![Spread::default(); (points(steps) as usize + 1) * width],
            swing: None,
            outcomes: Vec::new(),
        }
    }

    /// Adds a replication.
    pub fn add(&mut self, way: Way) {
        for (spread, &share) in self.spreads.iter_mut().zip(&way.samples) {
            spread.add(share, Axis::Share);
        }
        for (at, (late, last)) in way.late.iter().zip(&way.last).enumerate() {
            let late = late / way.late_steps.max(1) as f64;
            self.sample.put(at, Metric::FinalShare.measure(), late, 1.0);
            self.sample.put(at, Metric::LastShare.measure(), *last, 1.0);
        }
        self.sample.end_replication();
        self.swing = way.swing();
        self.outcomes.push(way.outcome);
    }

    /// Names of population and action, in the order of the shares.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &str)> {
        let of = |one: usize| {
            let Population { name, actions } = &self.populations[one];
            actions.iter().map(move |action| (&**name, &**action))
        };
        (0..self.populations.len()).flat_map(of)
    }

    /// The curve of a share over time.
    pub fn curve(&self, at: usize) -> Vec<Point> {
        let width = self.sample.all();
        let points = self.spreads[at..].iter().step_by(width).enumerate();
        let all = points_of(self.steps);
        points
            .filter_map(|(point, spread)| {
                spread.point(all(point as u64) as f64 * self.step, Axis::Share)
            })
            .collect()
    }

    /// Mean of a share over the last quarter of the steps, and at the end, with intervals.
    pub fn figures(&self, at: usize) -> [(f64, Option<Estimate>); 2] {
        [Metric::FinalShare, Metric::LastShare].map(|metric| {
            let measure = metric.measure();
            let mean = self.sample.mean(at, measure).unwrap_or_default();
            (mean, self.sample.estimate(at, measure))
        })
    }
}

impl Findings for Moved {
    crate::sample_at!(sample);
}

/// Number of points for `steps` steps, besides the first.
fn points(steps: u64) -> u64 {
    steps.min(POINTS)
}

/// Maps a point to its step: the first is at 0, the last at the end.
fn points_of(steps: u64) -> impl Fn(u64) -> u64 {
    let points = points(steps);
    move |point| (u128::from(point) * u128::from(steps)).div_ceil(u128::from(points)) as u64
}
