//! Control variates: what a sample shows by chance of quantities whose mean is known is taken out of
//! the mean that is estimated.
//!
//! Replications have sums s and counts n of the figure, with the pooled mean m, and controls c whose
//! expected value is 0. The residuals s - m n are regressed on the controls by least squares, with
//! slopes b, and
//!
//! ```text
//! m - (b · mean of c) / (mean of n)
//! ```
//!
//! is the controlled mean. For q controls its variance is that of the residuals of the regression,
//! with R - q - 1 degrees of freedom, times 1 / R + (mean of c)' S⁻¹ (mean of c), where S are the
//! sums of squares of the controls around their means (Lavenberg and Welch, A perspective on the use
//! of control variables to increase the efficiency of Monte Carlo simulations, Management Science
//! 27(3), 1981). Slopes are estimates themselves, which widens the interval on average by the factor
//! (R - 2) / (R - q - 2) of the variance. The ends are corrected for skewness as all others.

use super::interval::{Error, Interval, Level};

/// Number of controls of a replication.
pub const CONTROLS: usize = 2;
/// Minimum number of replications: with fewer, the slopes cost too much.
pub const FEWEST: usize = 20;
/// A control is constant if it varies by less than this share of its scale: what remains is the
/// rounding to ticks.
const CONSTANT: f64 = 1e-6;

/// A replication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Sum of the figure.
    pub sum: f64,
    /// Number of jobs summed over.
    pub count: f64,
    /// Controls, of expected value 0.
    pub controls: [f64; CONTROLS],
}

/// A mean with the effect of the controls taken out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Controlled {
    /// The controlled mean.
    pub mean: f64,
    /// Its error.
    pub error: Error,
    /// Number of controls that vary.
    pub controls: usize,
}

impl Controlled {
    /// Computes it; `scale` is the size of a replication's controls, below a share of which they do
    /// not vary. `None` with fewer than [`FEWEST`] rows, or if no control varies. O(rows).
    pub fn new(rows: &[Row], scale: f64) -> Option<Controlled> {
        if rows.len() < FEWEST {
            return None;
        }
        let number = rows.len() as f64;
        let total = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).sum::<f64>();
        let (sum, count) = (total(&|row| row.sum), total(&|row| row.count));
        if count <= 0.0 {
            return None;
        }
        let mean = sum / count;
        let mut residuals: Vec<f64> = rows.iter().map(|row| row.sum - mean * row.count).collect();
        // Controls are made orthogonal one after the other, each with its own mean.
        let mut used: Vec<(Vec<f64>, f64, f64)> = Vec::new();
        for at in 0..CONTROLS {
            let mut off = total(&|row| row.controls[at]) / number;
            let mut control: Vec<f64> = rows.iter().map(|row| row.controls[at] - off).collect();
            for (other, other_off, squares) in &used {
                let slope = dot(&control, other) / squares;
                control.iter_mut().zip(other).for_each(|(one, other)| *one -= slope * other);
                off -= slope * other_off;
            }
            let squares = dot(&control, &control);
            if (squares / number).sqrt() > CONSTANT * scale {
                used.push((control, off, squares));
            }
        }
        let (mut taken, mut factor) = (0.0, 1.0 / number);
        for (control, off, squares) in &used {
            let slope = dot(&residuals, control) / squares;
            residuals.iter_mut().zip(control).for_each(|(one, control)| *one -= slope * control);
            taken += slope * off;
            factor += off * off / squares;
        }
        let (controls, of_each) = (used.len(), count / number);
        let freedom = (rows.len() - 1 - controls) as u64;
        let variance = dot(&residuals, &residuals) / freedom as f64;
        let cubes: f64 = residuals.iter().map(|one| one * one * one).sum();
        let third = cubes * number / ((number - 1.0) * (number - 2.0));
        let skewness = if variance > 0.0 { third / variance.powf(1.5) } else { 0.0 };
        let error = Error {
            standard: (variance * factor).sqrt() / of_each,
            freedom,
            skewness: skewness / number.sqrt(),
        };
        (controls > 0).then_some(Controlled { mean: mean - taken / of_each, error, controls })
    }

    /// The interval of the mean.
    pub fn interval(&self, level: Level) -> Interval {
        self.error.interval(self.mean, level)
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;
    use rand::RngExt as _;
    use rand_distr::StandardNormal;

    fn rows(seed: u64, number: usize, noise: f64) -> Vec<Row> {
        let mut rng = Streams::new(seed).stream("rows");
        let mut draw = || rng.sample::<f64, _>(StandardNormal);
        let all = (0..number).map(|_| {
            let controls = [draw(), draw()];
            let controls = [controls[0], controls[1] + 0.5 * controls[0]];
            let value = 7.0 + 2.0 * controls[0] - 3.0 * controls[1] + noise * draw();
            Row { sum: value * 100.0, count: 100.0, controls }
        });
        all.collect()
    }

    /// Without noise, the mean is exact.
    #[test]
    fn what_the_controls_explain_is_taken_out() {
        let found = Controlled::new(&rows(1, 20, 0.0), 1.0).expect("there are enough");
        assert!((found.mean - 7.0).abs() < 1e-12, "{found:?}");
        assert!(found.error.standard < 1e-12, "{found:?}");
        assert_eq!((found.error.freedom, found.controls), (17, 2));
        assert_eq!(Controlled::new(&rows(1, 19, 0.0), 1.0), None);
    }

    /// Ordinary least squares by the normal equations: the intercept and its standard error.
    #[test]
    fn the_mean_is_the_intercept_of_the_regression() {
        let rows = rows(2, 30, 4.0);
        let found = Controlled::new(&rows, 1.0).expect("there are enough");
        // X'X and X'y for the columns 1, c1, c2, solved by Cramer's rule.
        let columns = |row: &Row| [1.0, row.controls[0], row.controls[1]];
        let (mut normal, mut right, mut squares) = ([[0.0; 3]; 3], [0.0; 3], 0.0);
        for row in &rows {
            let (x, y) = (columns(row), row.sum / row.count);
            for at in 0..3 {
                right[at] += x[at] * y;
                (0..3).for_each(|to| normal[at][to] += x[at] * x[to]);
            }
            squares += y * y;
        }
        let determinant = |m: &[[f64; 3]; 3]| {
            m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
        };
        let whole = determinant(&normal);
        let slopes = [0, 1, 2].map(|at| {
            let mut with = normal;
            (0..3).for_each(|row| with[row][at] = right[row]);
            determinant(&with) / whole
        });
        let explained: f64 = slopes.iter().zip(right).map(|(slope, right)| slope * right).sum();
        let inverse = (normal[1][1] * normal[2][2] - normal[1][2] * normal[2][1]) / whole;
        let standard = ((squares - explained) / 27.0 * inverse).sqrt();
        assert!((found.mean - slopes[0]).abs() < 1e-9, "{found:?} {slopes:?}");
        assert!((found.error.standard / standard - 1.0).abs() < 1e-9, "{found:?} {standard}");
    }

    #[test]
    fn constant_and_repeated_controls_are_left_out() {
        let mut all = rows(3, 25, 1.0);
        all.iter_mut().for_each(|row| row.controls[1] = 3.0 * row.controls[0]);
        assert_eq!(Controlled::new(&all, 1.0).map(|found| found.controls), Some(1));
        all.iter_mut().for_each(|row| row.controls = [1e-9 * row.controls[0], 0.0]);
        assert_eq!(Controlled::new(&all, 1.0), None);
    }

    /// With slopes that are estimated, 95% of the intervals cover.
    #[test]
    fn normal_samples_are_covered() {
        let covered = (0..1000).filter(|&seed| {
            let found = Controlled::new(&rows(seed, 20, 4.0), 1.0).expect("there are enough");
            found.interval(Level::default()).covers(7.0)
        });
        let covered = covered.count();
        // Three standard errors.
        assert!((929..=971).contains(&covered), "{covered}");
    }
}
