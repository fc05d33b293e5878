//! Where organizations stood, round by round, in a bounded number of points.

use serde::{Deserialize, Serialize};

use super::Frame;
use super::course::{Course, Sum};
use crate::policy::learn::Stance;

/// The most points of a curve: beyond so many rounds a point is the mean of several.
pub const POINTS: u64 = 400;

/// What a curve shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The probability of taking part.
    Probability,
    /// The participation level, in units.
    Level,
    /// The share of rounds in the coalition.
    Joined,
}

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 3] = [Measure::Probability, Measure::Level, Measure::Joined];
}

/// The way of one organization through one replication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trail {
    /// By measure, then by point.
    points: [Vec<Sum>; 3],
}

/// How many points the curves of so many rounds have.
pub fn points(rounds: u64) -> u64 {
    rounds.min(POINTS)
}

/// The middle of the rounds that a point stands for.
pub fn middle(point: usize, rounds: u64) -> f64 {
    let points = points(rounds);
    let first = |point: u64| (point * rounds).div_ceil(points);
    let (first, next) = (first(point as u64), first(point as u64 + 1));
    (first + next - 1) as f64 / 2.0
}

impl Trail {
    pub(super) fn new(rounds: u64) -> Trail {
        let empty = vec![Sum::default(); points(rounds) as usize];
        Trail { points: [empty.clone(), empty.clone(), empty] }
    }

    pub(super) fn add(&mut self, round: u64, rounds: u64, stance: &Stance, joined: bool) {
        let point = (round * points(rounds) / rounds) as usize;
        let joined = Some(f64::from(u8::from(joined)));
        for (points, value) in
            self.points.iter_mut().zip([stance.probability, stance.level, joined])
        {
            value
                .filter(|value| value.is_finite())
                .into_iter()
                .for_each(|value| points[point].add(value));
        }
    }

    /// The mean at each point.
    pub fn means(&self, measure: Measure) -> impl Iterator<Item = Option<f64>> + '_ {
        self.points[measure as usize].iter().map(Sum::mean)
    }
}

/// Cells of a [`Spread`] between its ends.
const CELLS: usize = 256;
/// Powers of ten that a spread of levels reaches from and to.
const DECADES: (f64, f64) = (-2.0, 6.0);

/// How values are spread, with bounded memory.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Spread {
    /// By cell; none until there is a value.
    cells: Vec<u32>,
    count: u64,
    sum: f64,
    least: f64,
    largest: f64,
}

impl Spread {
    /// Adds a value of what is measured.
    pub(in crate::report) fn add(&mut self, value: f64, measure: Measure) {
        if self.count == 0 {
            self.cells = vec![0; CELLS];
            (self.least, self.largest) = (value, value);
        }
        self.count += 1;
        self.sum += value;
        self.least = self.least.min(value);
        self.largest = self.largest.max(value);
        let share = match measure {
            Measure::Level => {
                let (low, high) = DECADES;
                (libm::log10(value.max(1e-9)) - low) / (high - low)
            }
            Measure::Probability | Measure::Joined => value,
        };
        self.cells[((share * CELLS as f64).max(0.0) as usize).min(CELLS - 1)] += 1;
    }

    /// The value that a share of the values does not exceed, to the width of a cell.
    fn quantile(&self, share: f64, measure: Measure) -> f64 {
        let wanted = share * self.count as f64;
        let mut below = 0.0;
        let mut at = CELLS as f64;
        for (cell, &count) in self.cells.iter().enumerate().filter(|(_, count)| **count > 0) {
            let count = f64::from(count);
            if below + count >= wanted {
                at = cell as f64 + (wanted - below) / count;
                break;
            }
            below += count;
        }
        let share = at / CELLS as f64;
        let value = match measure {
            Measure::Level => libm::exp10(DECADES.0 + share * (DECADES.1 - DECADES.0)),
            Measure::Probability | Measure::Joined => share,
        };
        value.clamp(self.least, self.largest)
    }
}

/// The curves of all replications, by class and by organization.
#[derive(Clone, Debug)]
pub struct Curves {
    rounds: u64,
    /// By class, measure and point.
    classes: Vec<[Vec<Spread>; 3]>,
    /// By organization, measure and point; none where there are too many to be drawn.
    organizations: Vec<[Vec<Sum>; 3]>,
    members: Vec<std::ops::Range<usize>>,
}

/// The most organizations of which each has a curve of its own.
const MOST_ALONE: usize = 16;

impl Spread {
    /// The point of a curve that the values are at a round.
    pub(in crate::report) fn point(&self, round: f64, measure: Measure) -> Option<Point> {
        (self.count > 0).then(|| Point {
            round,
            mean: self.sum / self.count as f64,
            band: (self.count > 1)
                .then(|| (self.quantile(0.1, measure), self.quantile(0.9, measure))),
        })
    }
}

/// A point of a class's curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The middle of the rounds that it stands for.
    pub round: f64,
    /// The mean over members and replications.
    pub mean: f64,
    /// Between what 80% of them lie, where there are several.
    pub band: Option<(f64, f64)>,
}

impl Curves {
    pub(super) fn new(frame: &Frame) -> Curves {
        let points = points(frame.rounds) as usize;
        let spreads = || vec![Spread::default(); points];
        let sums = || vec![Sum::default(); points];
        let alone = if frame.names.len() > MOST_ALONE { 0 } else { frame.names.len() };
        Curves {
            rounds: frame.rounds,
            classes: frame.classes.iter().map(|_| [spreads(), spreads(), spreads()]).collect(),
            organizations: (0..alone).map(|_| [sums(), sums(), sums()]).collect(),
            members: frame.classes.iter().map(|class| class.members.clone()).collect(),
        }
    }

    pub(super) fn add(&mut self, course: &Course) {
        for (class, members) in self.classes.iter_mut().zip(&self.members) {
            for index in members.clone() {
                for measure in Measure::ALL {
                    let means = course.trails[index].means(measure).enumerate();
                    for (point, mean) in means.filter_map(|(at, mean)| Some((at, mean?))) {
                        class[measure as usize][point].add(mean, measure);
                        if let Some(one) = self.organizations.get_mut(index) {
                            one[measure as usize][point].add(mean);
                        }
                    }
                }
            }
        }
    }

    /// The curve of a class: its points, those left out where nobody was there.
    pub fn class(&self, class: usize, measure: Measure) -> Vec<Point> {
        let spreads = self.classes[class][measure as usize].iter().enumerate();
        let point = |(at, spread): (usize, &Spread)| spread.point(middle(at, self.rounds), measure);
        spreads.filter_map(point).collect()
    }

    /// The curve of an organization over the replications, where there are few organizations.
    pub fn organization(&self, index: usize, measure: Measure) -> Vec<(f64, f64)> {
        let Some(organization) = self.organizations.get(index) else { return Vec::new() };
        let sums = organization[measure as usize].iter().enumerate();
        sums.filter_map(|(at, sum)| Some((middle(at, self.rounds), sum.mean()?))).collect()
    }

    /// True where a measure is known of somebody and does not stay what it was at first.
    pub fn moves(&self, measure: Measure) -> bool {
        let spreads = self.classes.iter().flat_map(|class| {
            let known = class[measure as usize].iter().filter(|spread| spread.count > 0);
            let mut known = known.map(|spread| (spread.least, spread.largest));
            let first = known.next();
            known.filter(move |spread| Some(*spread) != first)
        });
        spreads.count() > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_share_the_rounds_evenly_and_stand_in_their_middle() {
        assert_eq!(middle(0, 100), 0.0);
        assert_eq!(middle(99, 100), 99.0);
        assert_eq!(middle(0, 1000), 1.0);
        for rounds in [1, 7, 400, 401, 1000, 123_457] {
            let mut of_point = vec![Vec::new(); points(rounds) as usize];
            for round in 0..rounds {
                of_point[(round * points(rounds) / rounds) as usize].push(round);
            }
            for (point, rows) in of_point.iter().enumerate() {
                let mean = rows.iter().sum::<u64>() as f64 / rows.len() as f64;
                assert!((middle(point, rounds) - mean).abs() < 1e-9, "{point} of {rounds}");
            }
        }
    }

    #[test]
    fn quantiles_are_within_a_cell() {
        let mut spread = Spread::default();
        (0..=1000).for_each(|at| spread.add(f64::from(at) / 1000.0, Measure::Probability));
        assert!((spread.quantile(0.1, Measure::Probability) - 0.1).abs() < 1.0 / 256.0);
        assert!((spread.quantile(0.9, Measure::Probability) - 0.9).abs() < 1.0 / 256.0);
        let mut spread = Spread::default();
        (1..=1000).for_each(|at| spread.add(f64::from(at), Measure::Level));
        let ninety = spread.quantile(0.9, Measure::Level);
        assert!((ninety / 900.0 - 1.0).abs() < 0.075, "{ninety}");
        let mut one = Spread::default();
        one.add(0.5, Measure::Probability);
        assert_eq!(one.quantile(0.1, Measure::Probability), 0.5);
    }
}
