//! Points and durations of simulated time, counted in ticks.
//!
//! A tick is one millionth of the scenario's time unit (the second, in traces). Times are exact
//! integers, so sums do not depend on the order of their terms. Floating point appears only where a
//! number enters (a draw, a file) or leaves (a table). Sums over many jobs use `i128` ticks.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Ticks in one unit of scenario time.
pub const TICKS_PER_UNIT: i64 = 1_000_000;

/// Largest time or span valid in a workload or scenario: 2^60 ticks, about 36 500 years of seconds.
/// The rest of the `i64` range is headroom, so that `submit + wait + runtime` of admissible jobs is
/// checked once, where a job starts, and not at every addition.
pub const LIMIT_TICKS: i64 = 1 << 60;

/// A point in simulated time, in ticks since the start of the run.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(transparent)]
pub struct Time(i64);

/// A duration of simulated time, in ticks.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(transparent)]
pub struct Span(i64);

/// An error: the number of units is not finite, or beyond [`LIMIT_TICKS`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{} is not a time between 0 and {} units", plain(self.0), LIMIT_TICKS / TICKS_PER_UNIT)]
pub struct NotATime(pub f64);

/// Formats a number for people, very large ones as `1e300`.
pub fn plain(number: f64) -> String {
    if number.is_finite() && number.abs() >= 1e15 {
        format!("{number:e}")
    } else {
        number.to_string()
    }
}

impl Time {
    /// The start of the run.
    pub const ZERO: Time = Time(0);
    /// Later than every event: "never".
    pub const NEVER: Time = Time(i64::MAX);

    /// Creates the time `ticks` after the start of the run.
    #[inline]
    pub const fn from_ticks(ticks: i64) -> Time {
        Time(ticks)
    }

    /// Returns the ticks since the start of the run.
    #[inline]
    pub const fn ticks(self) -> i64 {
        self.0
    }

    /// Returns a number that orders this time and a number behind it as the pair of both would.
    /// Comparing two of them takes no branch.
    #[inline]
    pub const fn with(self, number: u64) -> i128 {
        (self.0 as i128) << 64 | number as i128
    }

    /// Returns the time of such a number.
    #[inline]
    pub const fn of(number: i128) -> Time {
        Time((number >> 64) as i64)
    }

    /// Creates the time nearest to `units` (ties to the even tick).
    ///
    /// # Errors
    /// A value of `units` that is negative, not finite or beyond [`LIMIT_TICKS`].
    pub fn from_units(units: f64) -> Result<Time, NotATime> {
        Span::from_units(units).map(|span| Time(span.0))
    }

    /// Returns this time in units; exact up to 2^53 ticks.
    #[inline]
    pub fn as_units(self) -> f64 {
        Span(self.0).as_units()
    }

    /// Returns `self + span`, or `None` if that is beyond the range of times.
    #[inline]
    pub const fn checked_add(self, span: Span) -> Option<Time> {
        match self.0.checked_add(span.0) {
            Some(ticks) => Some(Time(ticks)),
            None => None,
        }
    }

    /// Returns `self + span`, or [`Time::NEVER`] if that is beyond the range of times.
    #[inline]
    pub const fn saturating_add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl Span {
    /// The empty span.
    pub const ZERO: Span = Span(0);
    /// The shortest positive span.
    pub const TICK: Span = Span(1);
    /// One unit of scenario time.
    pub const UNIT: Span = Span(TICKS_PER_UNIT);
    /// The longest span.
    pub const MAX: Span = Span(i64::MAX);

    /// Creates a span of `ticks`.
    #[inline]
    pub const fn from_ticks(ticks: i64) -> Span {
        Span(ticks)
    }

    /// Creates a span of whole `units`.
    ///
    /// # Panics
    /// If the span is beyond the range of `i64` ticks.
    #[inline]
    pub const fn units(units: i64) -> Span {
        Span(units * TICKS_PER_UNIT)
    }

    /// Returns its length in ticks.
    #[inline]
    pub const fn ticks(self) -> i64 {
        self.0
    }

    /// Creates the span nearest to `units` (ties to the even tick).
    ///
    /// # Errors
    /// A value of `units` that is negative, not finite or beyond [`LIMIT_TICKS`].
    #[inline]
    pub fn from_units(units: f64) -> Result<Span, NotATime> {
        let ticks = round_ties_even(units * TICKS_PER_UNIT as f64);
        if (0.0..=LIMIT_TICKS as f64).contains(&ticks) {
            Ok(Span(ticks as i64))
        } else {
            Err(NotATime(units))
        }
    }

    /// Returns its length in units; exact up to 2^53 ticks.
    #[inline]
    pub fn as_units(self) -> f64 {
        self.0 as f64 / TICKS_PER_UNIT as f64
    }
}

/// Rounds to the nearest whole number, ties to even. Two additions replace the library call on
/// machines without an instruction for it.
#[inline]
pub fn round_ties_even(value: f64) -> f64 {
    /// Every larger `f64` is whole, and adding this leaves no bits for a fraction.
    const WHOLE: f64 = (1_u64 << 52) as f64;
    if (0.0..WHOLE).contains(&value) { (value + WHOLE) - WHOLE } else { value.round_ties_even() }
}

/// Converts a sum of ticks to units.
#[inline]
pub fn sum_as_units(ticks: i128) -> f64 {
    ticks as f64 / TICKS_PER_UNIT as f64
}

impl Add<Span> for Time {
    type Output = Time;
    #[inline]
    fn add(self, span: Span) -> Time {
        Time(self.0 + span.0)
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    #[inline]
    fn sub(self, span: Span) -> Time {
        Time(self.0 - span.0)
    }
}

impl Sub for Time {
    type Output = Span;
    #[inline]
    fn sub(self, earlier: Time) -> Span {
        Span(self.0 - earlier.0)
    }
}

impl AddAssign<Span> for Time {
    #[inline]
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Add for Span {
    type Output = Span;
    #[inline]
    fn add(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }
}

impl Sub for Span {
    type Output = Span;
    #[inline]
    fn sub(self, other: Span) -> Span {
        Span(self.0 - other.0)
    }
}

impl Neg for Span {
    type Output = Span;
    #[inline]
    fn neg(self) -> Span {
        Span(-self.0)
    }
}

impl AddAssign for Span {
    #[inline]
    fn add_assign(&mut self, other: Span) {
        *self = *self + other;
    }
}

impl SubAssign for Span {
    #[inline]
    fn sub_assign(&mut self, other: Span) {
        *self = *self - other;
    }
}

impl Mul<i64> for Span {
    type Output = Span;
    #[inline]
    fn mul(self, times: i64) -> Span {
        Span(self.0 * times)
    }
}

impl std::iter::Sum for Span {
    fn sum<I: Iterator<Item = Span>>(spans: I) -> Span {
        spans.fold(Span::ZERO, Add::add)
    }
}

/// A sum of ticks, shown in units as an exact decimal: `12`, `0.5`, `-3.000001`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units(pub i128);

impl fmt::Display for Units {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_unit = TICKS_PER_UNIT.unsigned_abs();
        if self.0 < 0 {
            out.write_str("-")?;
        }
        let part = match u64::try_from(self.0.unsigned_abs()) {
            Ok(ticks) => {
                write!(out, "{}", ticks / per_unit)?;
                ticks % per_unit
            }
            Err(_) => {
                let (ticks, per_unit) = (self.0.unsigned_abs(), u128::from(per_unit));
                write!(out, "{}", ticks / per_unit)?;
                (ticks % per_unit) as u64
            }
        };
        let (mut part, mut places) = (part, 6);
        if part == 0 {
            return Ok(());
        }
        while part % 10 == 0 {
            (part, places) = (part / 10, places - 1);
        }
        write!(out, ".{part:0places$}")
    }
}

impl fmt::Display for Time {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Time::NEVER {
            return out.write_str("never");
        }
        Units(self.0.into()).fmt(out)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Units(self.0.into()).fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_rounded_to_the_nearest_tick_and_halves_to_even() {
        let ticks = |units: f64| Span::from_units(units).map(Span::ticks);
        assert_eq!(ticks(1.5), Ok(1_500_000));
        assert_eq!(ticks(0.000_000_4), Ok(0));
        assert_eq!(ticks(0.000_002_5), Ok(2));
        assert_eq!(ticks(0.000_003_5), Ok(4));
        assert_eq!(ticks(-0.0), Ok(0));
    }

    #[test]
    fn rounding_by_addition_is_rounding() {
        for value in [0.0, 0.5, 1.5, 2.5, 0.499_999_999_999_999_94, 4.5e15, 4.6e15, -1.5, 1e300] {
            assert_eq!(round_ties_even(value), value.round_ties_even(), "{value}");
        }
    }

    #[test]
    fn what_is_not_a_time_is_refused() {
        for units in [-1.0, f64::NAN, f64::INFINITY, 2e12] {
            assert!(Span::from_units(units).is_err(), "{units}");
        }
        assert!(Span::from_units((LIMIT_TICKS / TICKS_PER_UNIT) as f64).is_ok());
    }

    #[test]
    fn decimals_are_exact() {
        let text = |ticks: i64| Span::from_ticks(ticks).to_string();
        assert_eq!(text(12_000_000), "12");
        assert_eq!(text(500_000), "0.5");
        assert_eq!(text(3_000_001), "3.000001");
        assert_eq!(text(-1_250_000), "-1.25");
        assert_eq!(Time::NEVER.to_string(), "never");
        assert_eq!(Units(-1).to_string(), "-0.000001");
        assert_eq!(Units(i128::from(i64::MAX) * 10).to_string(), "92233720368547.75807");
    }

    #[test]
    #[should_panic(expected = "overflow")]
    fn overflow_is_an_error_and_not_a_wrap() {
        let _ = Time::NEVER + Span::TICK;
    }

    #[test]
    fn numbers_order_as_the_pairs_that_they_hold() {
        let times = [i64::MIN, -1, 0, 1, i64::MAX].map(Time::from_ticks);
        let pairs =
            times.into_iter().flat_map(|time| [0, 7, u64::MAX].map(|behind| (time, behind)));
        let numbers: Vec<i128> = pairs.map(|(time, behind)| time.with(behind)).collect();
        assert!(numbers.is_sorted_by(|one, next| one < next));
        assert!(times.into_iter().all(|time| Time::of(time.with(u64::MAX)) == time));
    }
}
