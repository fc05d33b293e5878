//! Distributions of run times.

use rand::RngExt as _;
use rand_distr::Exp1;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::invalid::Invalid;
use crate::kernel::rng::Rng;
use crate::kernel::time::{Span, TICKS_PER_UNIT, round_ties_even};
use crate::model::entry::Entry;

/// Where the distributions come from.
pub const ENTRIES: &[Entry] =
    &[Entry::new("exponential", "Kleinrock, Queueing Systems, volume 1, 1975")];

/// How long jobs run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Sizes {
    /// An exponential distribution.
    Exponential {
        /// The mean, in units of time.
        #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
        mean: f64,
    },
}

/// The longest mean of a gap or size, in ticks: no draw of it comes near the limit of times.
pub(super) const LONGEST_MEAN: f64 = 1e15;

impl Sizes {
    /// Whether the parameters can be.
    ///
    /// # Errors
    /// The first field that cannot.
    pub fn validate(&self) -> Result<(), Invalid> {
        match *self {
            Sizes::Exponential { mean } if mean.is_finite() && mean > 0.0 => {
                if mean * TICKS_PER_UNIT as f64 <= LONGEST_MEAN {
                    return Ok(());
                }
                let message = format!("a mean of {mean} units is too long: 10^9 is the most");
                Err(Invalid::new("exponential.mean", message))
            }
            Sizes::Exponential { mean } => {
                let message = format!("{mean} is not a mean; give units of time, above 0");
                Err(Invalid::new("exponential.mean", message))
            }
        }
    }

    /// A run time, rounded to the nearest tick. It is 0 where the draw is under half a tick.
    #[inline]
    pub fn size(&self, rng: &mut Rng) -> Span {
        match *self {
            Sizes::Exponential { mean } => {
                let draw: f64 = rng.sample(Exp1);
                nearest(draw * (mean * TICKS_PER_UNIT as f64))
            }
        }
    }
}

/// The span nearest to `ticks`, halves to the even tick; `ticks` is not negative.
#[inline]
pub(super) fn nearest(ticks: f64) -> Span {
    Span::from_ticks(round_ties_even(ticks) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nearest_rounds_halves_to_even(exponent in 0_i32..60, mantissa in 0.0_f64..2.0) {
            for ticks in [mantissa * 2_f64.powi(exponent), (mantissa * 1000.0).round() / 2.0] {
                prop_assert_eq!(nearest(ticks).ticks() as f64, ticks.round_ties_even());
            }
        }
    }
}
