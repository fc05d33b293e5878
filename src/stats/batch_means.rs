//! The mean of one run with its error, from batches that may still be correlated.
//!
//! In a run that is too short, neighbouring batches are correlated and their variance is too small.
//! It is therefore multiplied by (1 + c) / (1 - c), where c is the lag-1 correlation of the
//! batches, if it is positive. This is the factor of a first-order autoregression, as in Skart
//! (Tafazzoli, Wilson, Lada and Steiger, INFORMS Journal on Computing 23(2), 2011).

use super::interval::{Dependence, Error, Sections};

/// Largest correlation corrected for; beyond it, the batches are not informative.
const MOST: f64 = 0.9;

/// Batches in order.
#[derive(Clone, Debug, Default)]
pub struct BatchMeans {
    sections: Sections,
    /// Means of the batches with a positive count.
    means: Vec<f64>,
}

impl BatchMeans {
    /// Adds the next batch.
    pub fn add(&mut self, sum: f64, count: f64) {
        self.sections.add(sum, count);
        if count > 0.0 {
            self.means.push(sum / count);
        }
    }

    /// Returns the batches as sections.
    pub fn sections(&self) -> &Sections {
        &self.sections
    }

    /// Returns the correlation between neighbouring batches.
    pub fn dependence(&self) -> Option<Dependence> {
        Dependence::of(&self.means)
    }

    /// Returns the error of the mean over a whole run of which the batches make up `share`. The
    /// rest, after the last full batch, makes the mean more precise.
    pub fn error(&self, share: f64) -> Option<Error> {
        let correlation = self.dependence().map_or(0.0, |one| one.correlation.clamp(0.0, MOST));
        let factor = (1.0 + correlation) / (1.0 - correlation);
        Some(self.sections.error()?.times(factor * share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_that_resemble_their_neighbours_have_a_larger_error() {
        let error = |values: &[f64]| {
            let mut batches = BatchMeans::default();
            values.iter().for_each(|value| batches.add(value * 10.0, 10.0));
            (batches.error(1.0).unwrap().standard, batches.sections().error().unwrap().standard)
        };
        // The squares are 16 around 0; seven steps are 0, one is 2: a correlation of 1 - 4 / 32.
        let (found, plain) = error(&[[1.0; 8], [-1.0; 8]].concat());
        assert!((found / plain - (1.875_f64 / 0.125).sqrt()).abs() < 1e-12, "{found} {plain}");
        let (found, plain) = error(&[1.0, -1.0].repeat(8));
        assert_eq!(found, plain);
        // Fewer than eight batches give no correlation.
        let (found, plain) = error(&[1.0, 1.0, 1.0, -1.0, -1.0, -1.0]);
        assert_eq!(found, plain);
    }
}
