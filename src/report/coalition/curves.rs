//! Curves of what organizations did over the rounds, in a bounded number of points.

use serde::{Deserialize, Serialize};

use super::Frame;
use super::course::{Course, Sum};
use crate::policy::learn::Stance;

/// Maximum number of points of a curve; longer runs average 2, 4, 8 ... rounds into each point.
pub const POINTS: u64 = 400;

/// Quantity that a curve shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Probability of joining the coalition.
    Probability,
    /// Participation level, in units.
    Level,
    /// Share of rounds in the coalition.
    Joined,
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 3] = [Measure::Probability, Measure::Level, Measure::Joined];
}

/// Rounds per point of a curve over `rounds` rounds: the smallest power of two that suffices.
pub fn stride(rounds: u64) -> u64 {
    rounds.div_ceil(POINTS).max(1).next_power_of_two()
}

/// Number of points of a curve over `rounds` rounds.
pub fn points(rounds: u64) -> usize {
    rounds.div_ceil(stride(rounds)) as usize
}

/// Midpoint of the rounds that a point averages; the last point may cover fewer rounds.
pub fn middle(point: usize, rounds: u64) -> f64 {
    let first = point as u64 * stride(rounds);
    let next = rounds.min(first + stride(rounds));
    (first + next - 1) as f64 / 2.0
}

/// Index of the point that a round falls into, at `stride` rounds per point.
///
/// If that would give too many points, the stride is doubled as often as necessary, with one call
/// of `merge` for each doubling.
pub(in crate::report) fn point(round: u64, stride: &mut u64, mut merge: impl FnMut()) -> usize {
    while round / *stride >= POINTS {
        *stride *= 2;
        merge();
    }
    (round / *stride) as usize
}

/// Merges neighbours in pairs; an odd last element stays as it is.
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

/// Curves of one organization in one replication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trail {
    /// Rounds per point.
    stride: u64,
    /// Indexed by measure, then by point.
    points: [Vec<Sum>; 3],
}

impl Default for Trail {
    fn default() -> Trail {
        Trail { stride: 1, points: Default::default() }
    }
}

impl Trail {
    /// Extends the trail up to a round, whether or not the organization was present.
    ///
    /// So the trails of all organizations have the same points.
    pub(super) fn reach(&mut self, round: u64) {
        let all = &mut self.points;
        let at = point(round, &mut self.stride, || {
            all.iter_mut().for_each(|points| merge_pairs(points, |one, next| one.merge(next)));
        });
        all.iter_mut().filter(|points| points.len() <= at).for_each(|points| {
            points.resize(at + 1, Sum::default());
        });
    }

    /// Adds the values of the current round.
    pub(super) fn add(&mut self, stance: &Stance, joined: bool) {
        let joined = Some(f64::from(u8::from(joined)));
        for (points, value) in
            self.points.iter_mut().zip([stance.probability, stance.level, joined])
        {
            let last = points.last_mut().zip(value.filter(|value| value.is_finite()));
            last.into_iter().for_each(|(point, value)| point.add(value));
        }
    }

    /// Mean at each point.
    pub fn means(&self, measure: Measure) -> impl Iterator<Item = Option<f64>> + '_ {
        self.points[measure as usize].iter().map(Sum::mean)
    }
}

/// Number of histogram cells in a [`Spread`].
const CELLS: usize = 256;
/// Smallest and largest power of ten that the histogram of levels covers.
const DECADES: (f64, f64) = (-2.0, 6.0);

/// A histogram with mean and range, in bounded memory.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Spread {
    /// Counts by cell; empty until the first value.
    cells: Vec<u32>,
    count: u64,
    sum: f64,
    least: f64,
    largest: f64,
}

impl Spread {
    /// Adds a value of the given measure.
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

    /// Estimated quantile at `share`, with an error of at most one cell.
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

/// Curves over all replications, by class and by organization.
#[derive(Clone, Debug)]
pub struct Curves {
    rounds: u64,
    /// Indexed by class, measure and point.
    classes: Vec<[Vec<Spread>; 3]>,
    /// The first replication, by organization, measure and point; empty if organizations are too
    /// many to draw.
    first: Vec<[Vec<Option<f64>>; 3]>,
    /// True once the first replication is known.
    begun: bool,
    members: Vec<std::ops::Range<usize>>,
}

/// Maximum number of organizations that get a curve of their own.
const MOST_ALONE: usize = 16;

impl Spread {
    /// The accumulated values as a point of a curve at this round.
    pub(in crate::report) fn point(&self, round: f64, measure: Measure) -> Option<Point> {
        (self.count > 0).then(|| Point {
            round,
            mean: self.sum / self.count as f64,
            band: (self.count > 1)
                .then(|| (self.quantile(0.1, measure), self.quantile(0.9, measure))),
        })
    }
}

/// A point on the curve of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Midpoint of the rounds that it averages.
    pub round: f64,
    /// Mean over members and replications.
    pub mean: f64,
    /// 10% and 90% quantile over members and replications, if there are several.
    pub band: Option<(f64, f64)>,
}

impl Curves {
    pub(super) fn new(frame: &Frame) -> Curves {
        let points = points(frame.rounds);
        let spreads = || vec![Spread::default(); points];
        let alone = if frame.names.len() > MOST_ALONE { 0 } else { frame.names.len() };
        Curves {
            rounds: frame.rounds,
            classes: frame.classes.iter().map(|_| [spreads(), spreads(), spreads()]).collect(),
            first: vec![<[Vec<Option<f64>>; 3]>::default(); alone],
            begun: false,
            members: frame.classes.iter().map(|class| class.members.clone()).collect(),
        }
    }

    /// Adds a replication; the first one comes first.
    pub(super) fn add(&mut self, course: &Course) {
        if !std::mem::replace(&mut self.begun, true) {
            for (first, trail) in self.first.iter_mut().zip(&course.trails) {
                *first = Measure::ALL.map(|measure| trail.means(measure).collect());
            }
        }
        for (class, members) in self.classes.iter_mut().zip(&self.members) {
            for index in members.clone() {
                for measure in Measure::ALL {
                    let means = course.trails[index].means(measure).enumerate();
                    for (point, mean) in means.filter_map(|(at, mean)| Some((at, mean?))) {
                        class[measure as usize][point].add(mean, measure);
                    }
                }
            }
        }
    }

    /// The curve of a class; points at which no member was present are left out.
    pub fn class(&self, class: usize, measure: Measure) -> Vec<Point> {
        let spreads = self.classes[class][measure as usize].iter().enumerate();
        let point = |(at, spread): (usize, &Spread)| spread.point(middle(at, self.rounds), measure);
        spreads.filter_map(point).collect()
    }

    /// The curve of an organization in the first replication; empty if organizations are too many.
    pub fn first(&self, index: usize, measure: Measure) -> Vec<(f64, f64)> {
        let means = self.first.get(index).map_or(&[][..], |first| &first[measure as usize]);
        let point = |(at, mean): (usize, &Option<f64>)| Some((middle(at, self.rounds), (*mean)?));
        means.iter().enumerate().filter_map(point).collect()
    }

    /// True if the measure is known for some class and changes over the rounds.
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

    /// Compares the rounds of each point with a brute-force count, for several lengths of a run.
    #[test]
    fn points_are_the_means_of_a_power_of_two_of_rounds_and_stand_in_their_middle() {
        assert_eq!([1, 400, 401, 800, 801].map(stride), [1, 1, 2, 2, 4]);
        for rounds in [1, 7, 400, 401, 800, 801, 1000, 12_345] {
            let mut trail = Trail::default();
            for round in 0..rounds {
                trail.reach(round);
                // Absent in every third round.
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
