//! Confidence intervals from independent sections of a sample: replications, or batches of one run.
//!
//! Sections have different numbers of jobs, and the figure that is told is the pooled mean, the sum
//! over all jobs divided by their number. Its variance is that of a ratio: of sections with sums
//! s and counts n around the pooled mean m it is
//!
//! ```text
//! sum of (s - m n)²  /  (R (R - 1) (mean of n)²)
//! ```
//!
//! with R - 1 degrees of freedom (Law, Simulation Modeling and Analysis, 2015, sections 4.5 and
//! 9.5; Asmussen and Glynn, Stochastic Simulation, 2007, chapters III and IV). With equal counts
//! this is the interval of Student that every textbook has.

use serde::{Deserialize, Serialize};

use super::student;

/// The probability with which an interval covers what it is an interval of.
pub const LEVEL: f64 = 0.95;

/// A difference that is a smaller share than this of what it is taken of is no difference: sums are
/// rounded to a share of 1e-16 for each section.
const ROUNDING: f64 = 1e-12;

/// A confidence interval of level [`LEVEL`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Around a figure.
    pub fn around(figure: f64, half_width: f64) -> Interval {
        Interval { low: figure - half_width, high: figure + half_width }
    }

    /// Half of its width.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// True where an amount lies in it.
    pub fn covers(&self, amount: f64) -> bool {
        self.low <= amount && amount <= self.high
    }
}

/// How far a pooled mean may be from the true one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Error {
    /// The standard error.
    pub standard: f64,
    /// Its degrees of freedom.
    pub freedom: u64,
}

impl Error {
    /// Half the width of the interval.
    pub fn half_width(&self) -> f64 {
        student::two_sided(LEVEL, self.freedom) * self.standard
    }
}

/// Sections of a sample, as running moments of their sums and counts: added in the order of their
/// numbers, they give the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sections {
    number: u64,
    /// Of these, with a count.
    filled: u64,
    sum: f64,
    count: f64,
    sum_sum: f64,
    sum_count: f64,
    count_count: f64,
}

impl Sections {
    /// Adds a section (Welford's update of the mean sum and count and of their second moments).
    pub fn add(&mut self, sum: f64, count: f64) {
        self.number += 1;
        self.filled += u64::from(count > 0.0);
        let number = self.number as f64;
        let (off_sum, off_count) = (sum - self.sum, count - self.count);
        self.sum += off_sum / number;
        self.count += off_count / number;
        self.sum_sum += off_sum * (sum - self.sum);
        self.sum_count += off_sum * (count - self.count);
        self.count_count += off_count * (count - self.count);
    }

    /// Sections with something in them.
    pub fn filled(&self) -> u64 {
        self.filled
    }

    /// The pooled mean of the sections.
    pub fn mean(&self) -> Option<f64> {
        (self.filled > 0).then(|| self.sum / self.count)
    }

    /// The error of the pooled mean; `None` with fewer than two sections that have a count.
    pub fn error(&self) -> Option<Error> {
        if self.filled < 2 {
            return None;
        }
        let (number, mean) = (self.number as f64, self.sum / self.count);
        // The residuals add up to zero, so their squares are those around the means.
        let (sums, counts) = (self.sum_sum, mean * mean * self.count_count);
        let squares = sums - 2.0 * mean * self.sum_count + counts;
        // Where jobs are all alike, what is left of large terms is only their rounding.
        let squares = if squares <= ROUNDING * (sums + counts) { 0.0 } else { squares };
        let variance = squares / (number * (number - 1.0) * self.count * self.count);
        Some(Error { standard: variance.sqrt(), freedom: self.filled - 1 })
    }
}

/// How like its neighbours each value of a sequence is: von Neumann's ratio (Fishman, Management
/// Science 24(5), 1978).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dependence {
    /// The correlation of neighbours that the ratio stands for.
    pub correlation: f64,
    /// The same in standard deviations of what it is among independent values.
    pub deviations: f64,
}

impl Dependence {
    /// Of these values; `None` for fewer than eight or where all are equal.
    pub fn of(values: &[f64]) -> Option<Dependence> {
        let number = values.len() as f64;
        let mean = values.iter().sum::<f64>() / number;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        if values.len() < 8 || squares <= ROUNDING * ROUNDING * number * mean * mean {
            return None;
        }
        let steps = values.windows(2).map(|pair| (pair[1] - pair[0]) * (pair[1] - pair[0]));
        let correlation = 1.0 - steps.sum::<f64>() / (2.0 * squares);
        let deviation = ((number - 2.0) / (number * number - 1.0)).sqrt();
        Some(Dependence { correlation, deviations: correlation / deviation })
    }

    /// Would independent values be so much alike with a probability below `level`?
    pub fn is_beyond(&self, level: f64) -> bool {
        self.deviations > student::normal_two_sided(1.0 - 2.0 * level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Montgomery-style arithmetic by hand: 3, 5, 7, 9 have mean 6, s² = 20/3 and t = 3.1824.
    #[test]
    fn equal_counts_give_the_interval_of_every_textbook() {
        let mut sections = Sections::default();
        for mean in [3.0, 5.0, 7.0, 9.0] {
            sections.add(mean * 100.0, 100.0);
        }
        let error = sections.error().unwrap();
        assert_eq!((sections.mean(), error.freedom), (Some(6.0), 3));
        assert!((error.standard - (20.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        assert!((error.half_width() - 3.182_446_305_3 * error.standard).abs() < 1e-9);
    }

    /// Against the formula itself, with counts that differ and one section that is empty.
    #[test]
    fn the_running_moments_give_the_variance_of_a_ratio() {
        let all = [(12.0, 4.0), (0.0, 0.0), (1e6, 3e5), (77.0, 11.0), (5e5, 1e5), (9.0, 9.0)];
        let mut sections = Sections::default();
        all.iter().for_each(|&(sum, count)| sections.add(sum, count));
        let (sum, count) = all.iter().fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
        let mean = sum / count;
        let squares: f64 = all.iter().map(|one| (one.0 - mean * one.1).powi(2)).sum();
        let number = all.len() as f64;
        let variance = squares / (number * (number - 1.0) * (count / number).powi(2));
        let error = sections.error().unwrap();
        assert!((sections.mean().unwrap() / mean - 1.0).abs() < 1e-14);
        assert!((error.standard / variance.sqrt() - 1.0).abs() < 1e-10);
        assert_eq!(error.freedom, 4);
    }

    #[test]
    fn one_section_tells_nothing_and_equal_ones_no_error() {
        let mut sections = Sections::default();
        assert_eq!((sections.mean(), sections.error()), (None, None));
        sections.add(5.0, 2.0);
        sections.add(0.0, 0.0);
        assert_eq!((sections.mean(), sections.error()), (Some(2.5), None));
        let mut alike = Sections::default();
        (0..9).for_each(|_| alike.add(0.3, 7.0));
        assert_eq!(alike.error().unwrap().standard, 0.0);
        // Jobs that are all alike, but not as many in each section.
        let mut alike = Sections::default();
        for jobs in [488.0, 501.0, 517.0, 470.0, 499.0] {
            alike.add(1_000_000.1 * jobs, jobs);
        }
        assert_eq!(alike.error().unwrap().standard, 0.0);
    }

    #[test]
    fn neighbours_that_resemble_each_other_are_noticed() {
        let wave = |length: f64| -> Vec<f64> {
            (0..24).map(|at| (std::f64::consts::TAU * f64::from(at) / length).sin()).collect()
        };
        let found = Dependence::of(&wave(12.0)).unwrap();
        assert!(found.correlation > 0.8 && found.is_beyond(0.01), "{found:?}");
        let found = Dependence::of(&wave(2.5)).unwrap();
        assert!(found.correlation < 0.0 && !found.is_beyond(0.01), "{found:?}");
        assert_eq!(Dependence::of(&[1.0; 20]), None);
        assert_eq!(Dependence::of(&[0.1 + 0.2, 0.3].repeat(10)), None);
        let two = Dependence { correlation: 0.4, deviations: 2.5 };
        assert!(two.is_beyond(0.01) && !two.is_beyond(0.005));
    }
}
