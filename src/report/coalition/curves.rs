//! Where organizations stood, round by round, in a bounded number of points.

use serde::{Deserialize, Serialize};

use super::Frame;
use super::course::{Course, Sum};
use crate::policy::learn::Stance;

/// The most points of a curve: beyond so many rounds a point is the mean of 2, 4, 8 ... of them.
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

/// The rounds to a point of curves of so many rounds: a power of two, the least that will do.
pub fn stride(rounds: u64) -> u64 {
    rounds.div_ceil(POINTS).max(1).next_power_of_two()
}

/// How many points the curves of so many rounds have.
pub fn points(rounds: u64) -> usize {
    rounds.div_ceil(stride(rounds)) as usize
}

/// The middle of the rounds that a point stands for; the last may stand for fewer.
pub fn middle(point: usize, rounds: u64) -> f64 {
    let first = point as u64 * stride(rounds);
    let next = rounds.min(first + stride(rounds));
    (first + next - 1) as f64 / 2.0
}

/// Where a round falls among points that stand for `stride` rounds each. Where there would be too
/// many points the stride is doubled, and `merge` is told, as often as it takes.
pub(in crate::report) fn point(round: u64, stride: &mut u64, mut merge: impl FnMut()) -> usize {
    while round / *stride >= POINTS {
        *stride *= 2;
        merge();
    }
    (round / *stride) as usize
}

/// Makes one of every two neighbours; what has none stays alone.
pub(in crate::report) fn merge_pairs<T>(all: &mut Vec<T>, mut add: impl FnMut(&mut T, T)) {
    let mut merged = Vec::with_capacity(all.len().div_ceil(2));
    let mut rest = all.drain(..);
    while let Some(mut one) = rest.next() {
        if let Some(next) = rest.next() {
            add(&mut one, next);
        }
        merged.push(one);
    }
    drop(rest);
    *all = merged;
}

/// The way of one organization through one replication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trail {
    /// Rounds to a point.
    stride: u64,
    /// By measure, then by point.
    points: [Vec<Sum>; 3],
}

impl Default for Trail {
    fn default() -> Trail {
        Trail { stride: 1, points: Default::default() }
    }
}

impl Trail {
    /// A round came, whether the organization was there or not: the trails of all have the same
    /// points.
    pub(super) fn reach(&mut self, round: u64) {
        let all = &mut self.points;
        let at = point(round, &mut self.stride, || {
            all.iter_mut().for_each(|points| merge_pairs(points, |one, next| one.merge(next)));
        });
        all.iter_mut().filter(|points| points.len() <= at).for_each(|points| {
            points.resize(at + 1, Sum::default());
        });
    }

    /// Adds the last round that came.
    pub(super) fn add(&mut self, stance: &Stance, joined: bool) {
        let joined = Some(f64::from(u8::from(joined)));
        for (points, value) in
            self.points.iter_mut().zip([stance.probability, stance.level, joined])
        {
            let last = points.last_mut().zip(value.filter(|value| value.is_finite()));
            last.into_iter().for_each(|(point, value)| point.add(value));
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
        let points = points(frame.rounds);
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

    /// Whatever their number: the rounds of each point are told by brute force.
    #[test]
    fn points_are_the_means_of_a_power_of_two_of_rounds_and_stand_in_their_middle() {
        assert_eq!([1, 400, 401, 800, 801].map(stride), [1, 1, 2, 2, 4]);
        for rounds in [1, 7, 400, 401, 800, 801, 1000, 12_345] {
            let mut trail = Trail::default();
            for round in 0..rounds {
                trail.reach(round);
                // Away in every third round.
                if round % 3 != 1 {
                    let probability = Some(round as f64);
                    trail.add(&Stance { probability, ..Stance::default() }, round % 2 == 0);
                }
            }
            let mut of_point = vec![Vec::new(); points(rounds)];
            (0..rounds).for_each(|round| of_point[(round / stride(rounds)) as usize].push(round));
            let means: Vec<_> = trail.means(Measure::Probability).collect();
            assert_eq!(means.len(), of_point.len());
            assert!(means.len() <= 400 && (rounds <= 400 || means.len() >= 200), "{rounds}");
            for (point, rows) in of_point.iter().enumerate() {
                let mean = rows.iter().sum::<u64>() as f64 / rows.len() as f64;
                assert_eq!(middle(point, rounds), mean, "{point} of {rounds}");
                let there: Vec<u64> = rows.iter().copied().filter(|row| row % 3 != 1).collect();
                let sum: u64 = there.iter().sum();
                let expected = (!there.is_empty()).then(|| sum as f64 / there.len() as f64);
                assert_eq!(means[point], expected, "{point} of {rounds}");
            }
            assert!(trail.means(Measure::Level).all(|mean| mean.is_none()));
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
