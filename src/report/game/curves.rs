//! With which probabilities actions were played, round by round, in a bounded number of points.

use super::course::Course;
use super::{Frame, Played};
use crate::report::coalition::curves::{Measure, Point, Spread, middle, points};

/// The way of one player through one replication.
#[derive(Clone, Debug, PartialEq)]
pub struct Trail {
    choices: usize,
    /// By point, then by action: the sum of its probabilities.
    sums: Vec<f64>,
    /// By point, the rounds.
    rounds: Vec<u64>,
}

impl Trail {
    pub(super) fn new(rounds: u64, choices: usize) -> Trail {
        let points = points(rounds) as usize;
        Trail { choices, sums: vec![0.0; points * choices], rounds: vec![0; points] }
    }

    /// Adds a round; what was played stands for probabilities that are not known.
    pub(super) fn add(&mut self, round: u64, rounds: u64, action: u32, law: &[f64]) {
        let point = (round * points(rounds) / rounds) as usize;
        self.rounds[point] += 1;
        let sums = &mut self.sums[point * self.choices..][..self.choices];
        if law.is_empty() {
            sums[action as usize] += 1.0;
        }
        sums.iter_mut().zip(law).for_each(|(sum, probability)| *sum += probability);
    }
}

/// The curves of all replications.
#[derive(Clone, Debug)]
pub struct Curves {
    rounds: u64,
    /// By class, then by action, then by point.
    classes: Vec<Vec<Vec<Spread>>>,
}

impl Curves {
    pub(super) fn new(frame: &Frame) -> Curves {
        let points = points(frame.rounds) as usize;
        let class =
            |first: usize| vec![vec![Spread::default(); points]; frame.actions[first].len()];
        let classes = frame.classes.iter().map(|one| class(one.members.start)).collect();
        Curves { rounds: frame.rounds, classes }
    }

    pub(super) fn add(&mut self, frame: &Frame, course: &Course) {
        for (curves, class) in self.classes.iter_mut().zip(&frame.classes) {
            for player in &course.players[class.members.clone()] {
                let Trail { choices, sums, rounds } = &player.trail;
                for (at, &count) in rounds.iter().enumerate().filter(|(_, count)| **count > 0) {
                    for (action, curve) in curves.iter_mut().enumerate() {
                        let mean = sums[at * choices + action] / count as f64;
                        curve[at].add(mean, Measure::Probability);
                    }
                }
            }
        }
    }
}

impl Played {
    /// How probable an action was among a class.
    pub fn curve(&self, class: usize, action: usize) -> Vec<Point> {
        let spreads = self.curves.classes[class][action].iter().enumerate();
        let point = |(at, spread): (usize, &Spread)| {
            spread.point(middle(at, self.curves.rounds), Measure::Probability)
        };
        spreads.filter_map(point).collect()
    }
}
