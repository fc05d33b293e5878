//! Parameter checks shared by several distributions, each with its message.

use super::draw::{Draw, Moments};
use super::invalid::Invalid;
use crate::kernel::time::{TICKS_PER_UNIT, Time, plain};

/// Longest gap, size or mean of these that may be requested, in units. No draw near the mean then
/// comes near the limit of times.
pub(super) const LONGEST: f64 = 1e9;
/// The same limit in ticks.
const LONGEST_TICKS: f64 = LONGEST * TICKS_PER_UNIT as f64;
/// Valid shapes of distributions.
const SHAPES: std::ops::RangeInclusive<f64> = 0.01..=1000.0;

/// Converts units to ticks.
pub(super) fn ticks(units: f64) -> f64 {
    units * TICKS_PER_UNIT as f64
}

/// Returns the first instant from which nothing arrives; `Time::NEVER` if there is no limit.
pub(super) fn end(until: Option<f64>) -> Result<Time, Invalid> {
    let Some(units) = until else { return Ok(Time::NEVER) };
    match Time::from_units(units) {
        Ok(Time::ZERO) => Err(Invalid::new("until", "nothing comes until then; give a later time")),
        Ok(until) => Ok(until),
        Err(error) => Err(Invalid::new("until", error.to_string())),
    }
}

/// Checks a length of time above 0: a scale, a mean or a bound.
pub(super) fn length(field: &str, what: &str, units: f64) -> Result<(), Invalid> {
    if !(units.is_finite() && units > 0.0) {
        let message = format!("{units} is not a {what}; give units of time, above 0");
        return Err(Invalid::new(field, message));
    }
    if ticks(units) > LONGEST_TICKS {
        let message = format!("a {what} of {} units is too long: 10^9 is the most", plain(units));
        return Err(Invalid::new(field, message));
    }
    Ok(())
}

/// Checks that bounds are in order. `min` may be 0 if `from_zero`.
pub(super) fn bounds(from_zero: bool, min: f64, max: f64) -> Result<(), Invalid> {
    if from_zero && !(min.is_finite() && min >= 0.0) {
        let message = format!("{min} is not a bound; give units of time, at least 0");
        return Err(Invalid::new("min", message));
    }
    if !(from_zero && min == 0.0) {
        length("min", "bound", min)?;
    }
    length("max", "bound", max)?;
    if max <= min {
        let message = format!("the upper bound {max} is not above the lower one, {min}");
        return Err(Invalid::new("max", message));
    }
    Ok(())
}

/// Checks a shape.
pub(super) fn shape(field: &str, shape: f64) -> Result<(), Invalid> {
    if SHAPES.contains(&shape) {
        return Ok(());
    }
    let message = format!("{shape} is not a shape; give a number from 0.01 to 1000");
    Err(Invalid::new(field, message))
}

/// Checks a probability.
pub(super) fn probability(field: &str, probability: f64) -> Result<(), Invalid> {
    if (0.0..=1.0).contains(&probability) {
        return Ok(());
    }
    let message = format!("{probability} is not a probability; give a number from 0 to 1");
    Err(Invalid::new(field, message))
}

/// Checks the probabilities of two or more branches, which must sum to 1.
pub(super) fn branches(probabilities: impl ExactSizeIterator<Item = f64>) -> Result<(), Invalid> {
    if probabilities.len() < 2 {
        let message = "give two branches or more, each with its probability";
        return Err(Invalid::new("branches", message));
    }
    let mut sum = 0.0;
    for (index, one) in probabilities.enumerate() {
        probability(&format!("branches[{index}].probability"), one)?;
        sum += one;
    }
    if (sum - 1.0_f64).abs() > 1e-9 {
        let message = format!("the probabilities sum to {sum}, not to 1");
        return Err(Invalid::new("branches", message));
    }
    Ok(())
}

/// Checks that the resulting mean, in ticks, is not too long; the table as a whole is invalid.
pub(super) fn mean(draw: &impl Draw) -> Result<(), Invalid> {
    let Moments { mean, .. } = draw.moments();
    if mean <= LONGEST_TICKS {
        return Ok(());
    }
    let mean = mean / TICKS_PER_UNIT as f64;
    let mean = plain(mean);
    let message = format!("the mean would be {mean} units, which is too long: 10^9 is the most");
    Err(Invalid::new("", message))
}
