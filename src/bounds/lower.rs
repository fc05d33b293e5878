//! A lower bound of the makespan, job by job in memory that does not grow with their number.
//!
//! The makespan is no shorter than the processing of any one job, and the clusters that a job can
//! use must hold all work that only they can hold: Schwiegelshohn, Tchernykh & Yahyapour 2008,
//! "Online scheduling in grids", section 5, equation (1). Here each job counts from its release.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use kernel::order::InOrder as _;
use kernel::time::{Span, Time};

/// Lower bound of the makespan of the jobs added so far.
///
/// With `r`, `p` and `size` for release, length and processors, it is the largest of
///
/// - `r + p` of every job, and
/// - `rho + sum(p * size) / sum(processors)`, for every release `rho` and every class of clusters.
///   The upper sum is over the jobs released at `rho` or later that are wider than every cluster
///   below the class; the lower one is over the clusters of the class and above.
///
/// A class is the clusters of one size. For concurrent jobs this is equation (1). A job wider than
/// every cluster counts in every class, although no schedule of it exists.
///
/// Per class it keeps one sum, the bound times the processors `M`. A job raises it to `r * M`
/// where it is below, and then by `p * size`: either `rho` is the job's release, or the best `rho`
/// is that of the jobs before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LowerBound {
    /// The classes, by cluster size in ascending order.
    classes: Vec<Class>,
    /// The latest `release + length`.
    end: i128,
    /// Release of the job added last.
    release: Time,
}

/// Clusters of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Class {
    /// Processors of each of its clusters.
    size: u32,
    /// Processors of its clusters and of all larger ones.
    processors: u64,
    /// The bound of this class times `processors`, in processor-ticks.
    area: i128,
}

/// An exact number of ticks as a fraction. Fractions compare by value: 1/2 equals 2/4.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Fraction {
    /// Processor-ticks.
    pub numerator: i128,
    /// Processors, at least 1.
    pub denominator: u64,
}

impl LowerBound {
    /// Creates the bound for clusters of the given numbers of processors, in any order.
    pub fn new(clusters: &[u32]) -> LowerBound {
        let mut sizes: Vec<u32> = clusters.iter().copied().filter(|&size| size > 0).collect();
        sizes.order_by(|a, b| b.cmp(a));
        let mut classes: Vec<Class> = Vec::new();
        let mut processors = 0;
        for size in sizes {
            processors += u64::from(size);
            match classes.last_mut() {
                Some(class) if class.size == size => class.processors = processors,
                _ => classes.push(Class { size, processors, area: 0 }),
            }
        }
        classes.reverse();
        LowerBound { classes, end: 0, release: Time::ZERO }
    }

    /// Adds a job. Takes time O(classes up to the smallest that can run the job).
    ///
    /// # Panics
    /// If the job was released before the job added last.
    pub fn add(&mut self, processors: u32, length: Span, release: Time) {
        assert!(release >= self.release, "jobs are added in the order of their releases");
        self.release = release;
        let (start, length) = (i128::from(release.ticks()), i128::from(length.ticks()));
        self.end = self.end.max(start + length);
        let work = length * i128::from(processors);
        for class in &mut self.classes {
            class.area = class.area.max(start * i128::from(class.processors)) + work;
            if processors <= class.size {
                break;
            }
        }
    }

    /// Returns the bound on some of the clusters alone if all jobs were released at time zero, else that
    /// on all, which is no higher.
    #[must_use]
    pub fn within(&self, clusters: &[u32]) -> LowerBound {
        if self.release > Time::ZERO {
            return self.clone();
        }
        let mut within = LowerBound { end: self.end, ..LowerBound::new(clusters) };
        let mut below = 0;
        for class in &mut within.classes {
            // The jobs that are wider than every smaller cluster that is left.
            let wider = self.classes.iter().find(|one| one.size > below);
            (class.area, below) = (wider.map_or(0, |one| one.area), class.size);
        }
        within
    }

    /// Returns the bound, in ticks since time zero. Zero without jobs.
    pub fn value(&self) -> Fraction {
        self.classes
            .iter()
            .map(|class| Fraction { numerator: class.area, denominator: class.processors })
            .fold(Fraction { numerator: self.end, denominator: 1 }, Ord::max)
    }

    /// Returns the bound rounded up: all times are whole ticks, so it bounds the makespan too.
    pub fn ticks_up(&self) -> i128 {
        self.value().ceil()
    }
}

impl Fraction {
    /// Returns the least whole number of ticks that is not below the fraction.
    pub fn ceil(self) -> i128 {
        let (whole, rest) = self.split();
        whole + i128::from(rest > 0)
    }

    /// Returns the same value in lowest terms.
    #[must_use]
    pub(crate) fn reduced(self) -> Fraction {
        let divisor = common_divisor(self.numerator, i128::from(self.denominator));
        // A divisor of the denominator, so in its range.
        let denominator = self.denominator / divisor as u64;
        Fraction { numerator: self.numerator / divisor, denominator }
    }

    /// Returns the whole part and the remainder, which is at least 0.
    fn split(self) -> (i128, i128) {
        let denominator = i128::from(self.denominator);
        (self.numerator.div_euclid(denominator), self.numerator.rem_euclid(denominator))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        let ((whole, rest), (other_whole, other_rest)) = (self.split(), other.split());
        // Remainders are below 2^64, so these products do not overflow.
        let across = |rest: i128, denominator: u64| rest.unsigned_abs() * u128::from(denominator);
        whole.cmp(&other_whole).then_with(|| {
            across(rest, other.denominator).cmp(&across(other_rest, self.denominator))
        })
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Fraction) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Fraction {}

/// Shows lowest terms: `7/4`, or `2` for a whole number. In ticks.
impl fmt::Display for Fraction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fraction { numerator, denominator } = self.reduced();
        write!(out, "{numerator}")?;
        if denominator != 1 {
            write!(out, "/{denominator}")?;
        }
        Ok(())
    }
}

/// Returns the greatest common divisor of a number and a positive one.
fn common_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b);
    while a != 0 {
        (a, b) = (b % a, a);
    }
    b
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The definition, evaluated for every class and every release.
    fn by_definition(clusters: &[u32], jobs: &[(u32, i64, i64)]) -> Fraction {
        let mut best = Fraction { numerator: 0, denominator: 1 };
        for &(_, length, release) in jobs {
            best = best.max(Fraction { numerator: (release + length).into(), denominator: 1 });
        }
        for &from in clusters {
            let below = clusters.iter().copied().filter(|&size| size < from).max().unwrap_or(0);
            let processors: u64 =
                clusters.iter().filter(|&&size| size >= from).map(|&size| u64::from(size)).sum();
            for &(_, _, rho) in jobs {
                let work: i64 = jobs
                    .iter()
                    .filter(|&&(size, _, release)| release >= rho && size > below)
                    .map(|&(size, length, _)| i64::from(size) * length)
                    .sum();
                let numerator = i128::from(rho) * i128::from(processors) + i128::from(work);
                best = best.max(Fraction { numerator, denominator: processors });
            }
        }
        best
    }

    fn streamed(clusters: &[u32], jobs: &[(u32, i64, i64)]) -> LowerBound {
        let mut bound = LowerBound::new(clusters);
        for &(size, length, release) in jobs {
            bound.add(size, Span::from_ticks(length), Time::from_ticks(release));
        }
        bound
    }

    /// For jobs that come at once, the bound on some of the clusters is that of these alone; for others
    /// it stays that on all.
    #[test]
    fn some_of_the_clusters_bound_as_if_there_were_no_others() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for _ in 0..3000 {
            let all: Vec<u32> = (0..6).map(|_| rng.random_range(1..12)).collect();
            let some = &all[..rng.random_range(1..6)];
            let widest = some.iter().copied().max().unwrap();
            let jobs: Vec<(u32, i64, i64)> = (0..rng.random_range(1..20))
                .map(|_| (rng.random_range(1..=widest), rng.random_range(1..50), 0))
                .collect();
            assert_eq!(streamed(&all, &jobs).within(some).value(), by_definition(some, &jobs));
            let later = [&jobs[..], &[(1, 1, 9)]].concat();
            assert_eq!(streamed(&all, &later).within(some).value(), by_definition(&all, &later));
        }
    }

    #[test]
    fn streaming_equals_the_definition() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..3000 {
            let mut clusters: Vec<u32> =
                (0..rng.random_range(1..5)).map(|_| rng.random_range(1..12)).collect();
            let widest = clusters.iter().copied().max().unwrap();
            let latest = rng.random_range(0..20);
            let mut jobs: Vec<(u32, i64, i64)> = (0..rng.random_range(0..12))
                .map(|_| {
                    let length = rng.random_range(0..9);
                    (rng.random_range(1..=widest), length, rng.random_range(0..=latest))
                })
                .collect();
            jobs.sort_by_key(|job| job.2);
            let bound = streamed(&clusters, &jobs);
            assert_eq!(bound.value(), by_definition(&clusters, &jobs), "{clusters:?} {jobs:?}");
            clusters.reverse();
            assert_eq!(streamed(&clusters, &jobs), bound);
        }
    }

    #[test]
    fn fractions_compare_exactly() {
        let fraction = |numerator, denominator| Fraction { numerator, denominator };
        assert_eq!(fraction(2, 4), fraction(1, 2));
        assert_eq!(fraction(2, 4).to_string(), "1/2");
        assert_eq!(fraction(-6, 3).to_string(), "-2");
        assert!(fraction(-1, 3) < fraction(-1, 4));
        // One part in 10^37 apart: equal as floating-point numbers.
        let large = i128::from(u64::MAX) * i128::from(i64::MAX);
        assert!(fraction(large, u64::MAX) < fraction(large + 1, u64::MAX));
        assert!(fraction(large + 1, u64::MAX) < fraction(large + 1, u64::MAX - 1));
        assert_eq!(fraction(large, u64::MAX).ceil(), i64::MAX.into());
        assert_eq!(fraction(large + 1, u64::MAX).ceil(), i128::from(i64::MAX) + 1);
        assert_eq!(fraction(-1, 2).ceil(), 0);
    }

    #[test]
    fn largest_times_and_clusters_do_not_overflow() {
        let mut bound = LowerBound::new(&[u32::MAX; 1000]);
        for _ in 0..1000 {
            bound.add(u32::MAX, Span::MAX, Time::NEVER);
        }
        assert_eq!(bound.ticks_up(), 2 * i128::from(i64::MAX));
    }

    #[test]
    #[should_panic(expected = "in the order of their releases")]
    fn earlier_release_is_refused() {
        let mut bound = LowerBound::new(&[1]);
        bound.add(1, Span::TICK, Time::from_ticks(2));
        bound.add(1, Span::TICK, Time::from_ticks(1));
    }
}
