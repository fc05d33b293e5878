//! Curves over the rounds: means of classes with their spread, and organizations one by one.

use std::ops::Range;

use super::binned::{Binned, middle, points};
use super::sum::Sum;
use crate::unit::Class;

/// Range of a curve's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// A share or a probability, from 0 to 1.
    Share,
    /// A positive amount, whose curves are compared by factors.
    Amount,
}

/// Number of histogram cells in a [`Spread`].
const CELLS: usize = 256;
/// Smallest and largest power of ten that the histogram of amounts covers.
const DECADES: (f64, f64) = (-2.0, 6.0);

/// A histogram with mean and range, in bounded memory.
#[derive(Clone, Debug, Default)]
pub struct Spread {
    /// Counts by cell; empty until the first value.
    cells: Vec<u32>,
    count: u64,
    sum: f64,
    least: f64,
    largest: f64,
    /// Number and sum of the values of those that end low, and of those that end high.
    halves: [(u64, f64); 2],
}

/// A point on a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Midpoint of the rounds that it averages.
    pub round: f64,
    /// Mean over members and replications.
    pub mean: f64,
    /// 10% and 90% quantile over members and replications, if there are several.
    pub band: Option<(f64, f64)>,
}

impl Spread {
    /// Adds a value on the given axis.
    pub fn add(&mut self, value: f64, axis: Axis) {
        if self.count == 0 {
            self.cells = vec![0; CELLS];
            (self.least, self.largest) = (value, value);
        }
        self.count += 1;
        self.sum += value;
        self.least = self.least.min(value);
        self.largest = self.largest.max(value);
        let share = match axis {
            Axis::Amount => {
                let (low, high) = DECADES;
                (libm::log10(value.max(1e-9)) - low) / (high - low)
            }
            Axis::Share => value,
        };
        self.cells[((share * CELLS as f64).max(0.0) as usize).min(CELLS - 1)] += 1;
    }

    /// Estimated quantile at `share`, with an error of at most one cell.
    fn quantile(&self, share: f64, axis: Axis) -> f64 {
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
        let value = match axis {
            Axis::Amount => libm::exp10(DECADES.0 + share * (DECADES.1 - DECADES.0)),
            Axis::Share => share,
        };
        value.clamp(self.least, self.largest)
    }

    /// Adds a value of one that ends low or high.
    fn add_half(&mut self, value: f64, is_high: bool) {
        let (count, sum) = &mut self.halves[usize::from(is_high)];
        *count += 1;
        *sum += value;
    }

    /// True if hardly any value is where the mean is: each end of the axis has some of them, and few
    /// are between.
    fn is_mixture(&self) -> bool {
        let between = &self.cells[CELLS / 4..3 * CELLS / 4];
        let between: u64 = between.iter().map(|&count| u64::from(count)).sum();
        let has_both = self.halves.iter().all(|&(count, _)| 20 * count >= self.count);
        has_both && 10 * between < self.count
    }

    /// The accumulated values as a point of a curve at this round.
    pub fn point(&self, round: f64, axis: Axis) -> Option<Point> {
        (self.count > 0).then(|| Point {
            round,
            mean: self.sum / self.count as f64,
            band: (self.count > 1).then(|| (self.quantile(0.1, axis), self.quantile(0.9, axis))),
        })
    }
}

/// Curves over all replications, by class, with several series each; those of the first replication
/// by organization.
#[derive(Clone, Debug)]
pub struct Curves {
    rounds: u64,
    classes: Vec<OfClass>,
    /// The first replication, by organization, series and point; empty if organizations are too
    /// many to draw.
    first: Vec<Vec<Vec<Option<f64>>>>,
    /// True once the first replication is known.
    begun: bool,
}

/// The series of a class.
#[derive(Clone, Debug)]
struct OfClass {
    members: Range<usize>,
    /// The axis of each series, and the spread at each of its points.
    series: Vec<(Axis, Vec<Spread>)>,
}

/// Maximum number of organizations that get a curve of their own.
const MOST_ALONE: usize = 16;

impl Curves {
    /// Curves without any replication; `axes` are the series of a class.
    pub fn new(rounds: u64, classes: &[Class], axes: impl Fn(&Class) -> Vec<Axis>) -> Curves {
        let spreads = |axis| (axis, vec![Spread::default(); points(rounds)]);
        let of_class = |class: &Class| OfClass {
            members: class.members.clone(),
            series: axes(class).into_iter().map(spreads).collect(),
        };
        let organizations = classes.iter().map(|class| class.members.len()).sum();
        let alone = if organizations > MOST_ALONE { 0 } else { organizations };
        Curves {
            rounds,
            classes: classes.iter().map(of_class).collect(),
            first: vec![Vec::new(); alone],
            begun: false,
        }
    }

    /// Adds a replication, given the trail of each organization; the first one comes first.
    pub fn add<'a, T: AsRef<[Sum]> + 'a>(&mut self, trail: impl Fn(usize) -> &'a Binned<T>) {
        let is_first = !std::mem::replace(&mut self.begun, true);
        for class in &mut self.classes {
            for member in class.members.clone() {
                let bins = trail(member).bins();
                let means = |at: usize| bins.iter().map(move |bin| bin.as_ref()[at].mean());
                for (at, (axis, spreads)) in class.series.iter_mut().enumerate() {
                    let is_high = means(at).flatten().last().is_some_and(|last| last >= 0.5);
                    for (spread, mean) in spreads.iter_mut().zip(means(at)) {
                        let Some(mean) = mean else { continue };
                        spread.add(mean, *axis);
                        spread.add_half(mean, is_high);
                    }
                }
                if let Some(first) = self.first.get_mut(member).filter(|_| is_first) {
                    *first = (0..class.series.len()).map(|at| means(at).collect()).collect();
                }
            }
        }
    }

    /// A curve of a class; points at which no member was present are left out.
    pub fn class(&self, class: usize, series: usize) -> Vec<Point> {
        let (axis, spreads) = &self.classes[class].series[series];
        let point = |(at, spread): (usize, &Spread)| spread.point(middle(at, self.rounds), *axis);
        spreads.iter().enumerate().filter_map(point).collect()
    }

    /// The curves of those that end low and of those that end high, where a share ends as a mixture:
    /// nobody is where the mean is.
    pub fn mixture(&self, class: usize, series: usize) -> Option<[Vec<Point>; 2]> {
        let (axis, spreads) = &self.classes[class].series[series];
        let last = spreads.iter().rev().find(|spread| spread.count > 0)?;
        let half = |half: usize| {
            let point = |(at, spread): (usize, &Spread)| {
                let (count, sum) = spread.halves[half];
                let round = middle(at, self.rounds);
                (count > 0).then(|| Point { round, mean: sum / count as f64, band: None })
            };
            spreads.iter().enumerate().filter_map(point).collect()
        };
        (*axis == Axis::Share && last.is_mixture()).then(|| [0, 1].map(half))
    }

    /// The curve of an organization in the first replication; empty if organizations are too many.
    pub fn first(&self, organization: usize, series: usize) -> Vec<(f64, f64)> {
        let means = self.first.get(organization).and_then(|first| first.get(series));
        let point = |(at, mean): (usize, &Option<f64>)| Some((middle(at, self.rounds), (*mean)?));
        means.into_iter().flatten().enumerate().filter_map(point).collect()
    }

    /// True if the series is known for some class and changes over the rounds.
    pub fn moves(&self, series: usize) -> bool {
        let spreads = self.classes.iter().flat_map(|class| {
            let known = class.series[series].1.iter().filter(|spread| spread.count > 0);
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

    /// Six runs go to 0 and four to 1, from a half: their mean of 0.4 is where none of them is.
    #[test]
    fn runs_that_end_apart_are_a_mixture() {
        let class = Class { name: "a".to_owned(), members: 0..1 };
        let ends = |ends: [f64; 10]| {
            let mut curves = Curves::new(2, std::slice::from_ref(&class), |_| vec![Axis::Share]);
            for end in ends {
                let mut trail: Binned<[Sum; 1]> = Binned::default();
                trail.at(0, Default::default)[0].add(0.5);
                trail.at(1, Default::default)[0].add(end);
                curves.add(|_| &trail);
            }
            let means = |half: Vec<Point>| half.iter().map(|point| point.mean).collect::<Vec<_>>();
            curves.mixture(0, 0).map(|halves| halves.map(means))
        };
        let apart = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        assert_eq!(ends(apart), Some([vec![0.5, 0.0], vec![0.5, 1.0]]));
        assert_eq!(ends([0.4; 10]), None);
        assert_eq!(ends([0.0; 10]), None);
    }

    #[test]
    fn quantiles_are_within_a_cell() {
        let mut spread = Spread::default();
        (0..=1000).for_each(|at| spread.add(f64::from(at) / 1000.0, Axis::Share));
        assert!((spread.quantile(0.1, Axis::Share) - 0.1).abs() < 1.0 / 256.0);
        assert!((spread.quantile(0.9, Axis::Share) - 0.9).abs() < 1.0 / 256.0);
        let mut spread = Spread::default();
        (1..=1000).for_each(|at| spread.add(f64::from(at), Axis::Amount));
        let ninety = spread.quantile(0.9, Axis::Amount);
        assert!((ninety / 900.0 - 1.0).abs() < 0.075, "{ninety}");
        let mut one = Spread::default();
        one.add(0.5, Axis::Share);
        assert_eq!(one.quantile(0.1, Axis::Share), 0.5);
    }
}
