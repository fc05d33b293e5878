//! Action probabilities round by round, in a bounded number of points.

use serde::{Deserialize, Serialize};

use super::course::Course;
use super::{Frame, Played};
use crate::report::coalition::curves::{
    Measure, Point, Spread, merge_pairs, middle, point, points,
};

/// Curves of one player in one replication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trail {
    /// Rounds per point.
    stride: u64,
    /// Indexed by point.
    points: Vec<Rounds>,
}

/// Rounds that a point averages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Rounds {
    rounds: u64,
    /// Sum of the probabilities, by action.
    sums: Vec<f64>,
}

impl Rounds {
    fn merge(&mut self, other: Rounds) {
        self.rounds += other.rounds;
        self.sums.iter_mut().zip(other.sums).for_each(|(all, one)| *all += one);
    }
}

impl Default for Trail {
    fn default() -> Trail {
        Trail { stride: 1, points: Vec::new() }
    }
}

impl Trail {
    /// Adds a round with the probabilities `law` over `choices` actions.
    ///
    /// If they are not known, the action played gets probability 1.
    pub(super) fn add(&mut self, round: u64, action: u32, law: &[f64], choices: usize) {
        let points = &mut self.points;
        let at = point(round, &mut self.stride, || merge_pairs(points, Rounds::merge));
        if points.len() <= at {
            points.resize(at + 1, Rounds { rounds: 0, sums: vec![0.0; choices] });
        }
        let Rounds { rounds, sums } = &mut points[at];
        *rounds += 1;
        if law.is_empty() {
            sums[action as usize] += 1.0;
        }
        sums.iter_mut().zip(law).for_each(|(sum, probability)| *sum += probability);
    }
}

/// Curves over all replications.
#[derive(Clone, Debug)]
pub struct Curves {
    rounds: u64,
    /// Indexed by class, then by action, then by point.
    classes: Vec<Vec<Vec<Spread>>>,
}

impl Curves {
    pub(super) fn new(frame: &Frame) -> Curves {
        let points = points(frame.rounds);
        let class =
            |first: usize| vec![vec![Spread::default(); points]; frame.actions[first].len()];
        let classes = frame.classes.iter().map(|one| class(one.members.start)).collect();
        Curves { rounds: frame.rounds, classes }
    }

    pub(super) fn add(&mut self, frame: &Frame, course: &Course) {
        for (curves, class) in self.classes.iter_mut().zip(&frame.classes) {
            for player in &course.players[class.members.clone()] {
                for (at, Rounds { rounds, sums }) in player.trail.points.iter().enumerate() {
                    for (curve, sum) in curves.iter_mut().zip(sums) {
                        curve[at].add(sum / *rounds as f64, Measure::Probability);
                    }
                }
            }
        }
    }
}

impl Played {
    /// Probability of an action in a class, as a curve.
    pub fn curve(&self, class: usize, action: usize) -> Vec<Point> {
        let spreads = self.curves.classes[class][action].iter().enumerate();
        let point = |(at, spread): (usize, &Spread)| {
            spread.point(middle(at, self.curves.rounds), Measure::Probability)
        };
        spreads.filter_map(point).collect()
    }
}
