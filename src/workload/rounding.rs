//! Rounding to whole ticks and, if requested, to whole units.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use kernel::time::{LIMIT_TICKS, Span, TICKS_PER_UNIT, round_ties_even};

/// Direction in which a drawn time is rounded to whole units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// Round down.
    Floor,
    /// Round up.
    Ceil,
    /// Round to nearest, halves up.
    Nearest,
}

/// Times of a synthetic workload to round to whole units; the rest is rounded to ticks only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RoundingOptions {
    /// Rounding of submission times. The process itself continues unrounded, so its rate stays
    /// exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrivals: Option<Rounding>,
    /// Rounding of runtimes; if rounded down, a short job may run for no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<Rounding>,
}

impl RoundingOptions {
    /// Returns true if nothing is rounded.
    pub fn is_none(&self) -> bool {
        *self == RoundingOptions::default()
    }
}

impl Rounding {
    /// Rounds non-negative ticks to whole units, in ticks.
    #[inline]
    pub fn round(self, ticks: i64) -> i64 {
        let up = match self {
            Rounding::Floor => 0,
            Rounding::Ceil => TICKS_PER_UNIT - 1,
            Rounding::Nearest => TICKS_PER_UNIT / 2,
        };
        (ticks + up) / TICKS_PER_UNIT * TICKS_PER_UNIT
    }
}

/// Returns the span nearest to `ticks`, ties to even. `ticks` must not be negative; values beyond
/// the longest valid span are clamped to it.
#[inline]
pub fn nearest(ticks: f64) -> Span {
    Span::from_ticks((round_ties_even(ticks) as i64).min(LIMIT_TICKS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn units_are_whole() {
        let all = |ticks| {
            [Rounding::Floor, Rounding::Ceil, Rounding::Nearest].map(|how| how.round(ticks))
        };
        assert_eq!(all(0), [0; 3]);
        assert_eq!(all(1), [0, 1_000_000, 0]);
        assert_eq!(all(1_500_000), [1_000_000, 2_000_000, 2_000_000]);
        assert_eq!(all(2_000_000), [2_000_000; 3]);
    }

    #[test]
    fn what_is_too_long_is_cut() {
        for ticks in [1e19, 1e300, f64::INFINITY] {
            assert_eq!(nearest(ticks).ticks(), LIMIT_TICKS);
        }
    }

    proptest! {
        #[test]
        fn nearest_rounds_halves_to_even(exponent in 0_i32..60, mantissa in 0.0_f64..1.0) {
            for ticks in [mantissa * 2_f64.powi(exponent), (mantissa * 1000.0).round() / 2.0] {
                prop_assert_eq!(nearest(ticks).ticks() as f64, ticks.round_ties_even());
            }
        }
    }
}
