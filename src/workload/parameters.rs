//! Bounds and relations of parameters that several distributions have.

use super::draw::Moments;
use super::invalid::Invalid;
use kernel::time::{TICKS_PER_UNIT, Time, plain};
use model::bounds::{Bounds, Inside, Many};

/// Longest gap, size or mean of these that may be requested, in units. No draw near the mean then
/// comes near the limit of times.
pub(super) const LONGEST: f64 = 1e9;
/// Converts units to ticks.
pub(super) fn ticks(units: f64) -> f64 {
    units * TICKS_PER_UNIT as f64
}

/// The time from which nothing arrives.
pub(super) const END: Bounds<'_> = Bounds::of("a time").unit("units of time").above(0.0);

/// Returns the first instant from which nothing arrives; `Time::NEVER` if there is no limit.
pub(super) fn end(until: Option<f64>) -> Result<Time, Invalid> {
    let Some(units) = until else { return Ok(Time::NEVER) };
    match Time::from_units(units) {
        Ok(Time::ZERO) => Err(Invalid::new("until", "nothing comes until then; give a later time")),
        Ok(until) => Ok(until),
        Err(error) => Err(Invalid::new("until", error.to_string())),
    }
}

/// A length of time above 0: a scale, a mean or a bound, with its article.
pub(super) const fn length(what: &str) -> Bounds<'_> {
    Bounds::of(what).unit("units of time").above(0.0).to(LONGEST)
}

/// A length of time of at least a tick.
pub(super) const fn whole_ticks(what: &str) -> Bounds<'_> {
    Bounds::of(what).unit("units of time").from(1e-6).to(LONGEST)
}

/// A shape of a distribution.
pub(super) const SHAPE: Bounds<'_> = Bounds::of("a shape").from(0.01).to(1000.0);

/// A number of processors.
pub(super) const PROCESSORS: Bounds<'_> =
    Bounds::of("a number of processors").unit("a whole number").from(1.0);

/// Checks that the upper bound, `max`, is above the lower one.
pub(super) fn is_above(min: f64, max: f64) -> Result<(), Invalid> {
    if max > min {
        return Ok(());
    }
    let message = format!("the upper bound {max} is not above the lower one, {min}");
    Err(Invalid::new("max", message))
}

/// Checks that the most, `max`, is not less than the least.
pub(super) fn in_order(min: u32, max: u32) -> Result<(), Invalid> {
    if max >= min {
        return Ok(());
    }
    Err(Invalid::new("max", format!("the most, {max}, is less than the least, {min}")))
}

/// The branches of a mixture: two or more.
pub(super) const BRANCHES: Many<Inside> = Many::new(2, usize::MAX, Inside);

/// Checks that the probabilities of branches sum to 1.
pub(super) fn sum_to_one(probabilities: impl Iterator<Item = f64>) -> Result<(), Invalid> {
    let sum: f64 = probabilities.sum();
    if (sum - 1.0).abs() <= 1e-9 {
        return Ok(());
    }
    Err(Invalid::new("branches", format!("the probabilities sum to {sum}, not to 1")))
}

/// Checks that the resulting mean, in units, is not too long; the table as a whole is invalid.
pub(super) fn mean(Moments { mean, .. }: Moments) -> Result<(), Invalid> {
    if mean <= LONGEST {
        return Ok(());
    }
    let mean = plain(mean);
    let message = format!("the mean would be {mean} units, which is too long: 10^9 is the most");
    Err(Invalid::new("", message))
}
