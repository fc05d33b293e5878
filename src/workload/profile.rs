//! Arrival rates that vary over the day or week, on top of any arrival process.
//!
//! The process runs on its own clock, and its arrivals are mapped to the time of the grid by the
//! inverse of the cumulative rate (Çinlar 1975; for renewal processes Gerhardt and Nelson 2009).
//! This needs no random draws. The weights are whole numbers, so the clocks never drift apart: they
//! agree at the end of every cycle, and the mean rate is exactly the requested one.

use super::invalid::Invalid;
use kernel::time::{TICKS_PER_UNIT, Time};
use model::bounds::{Bounds, Inside, Many, parameters};
use model::entry::Entry;

/// Sources of the method.
pub const ENTRIES: &[Entry] = &[
    Entry::new("daily", TIME_CHANGE),
    Entry::new("weekly", TIME_CHANGE),
    Entry::new("days_and_hours", TIME_CHANGE),
];

const TIME_CHANGE: &str = "Gerhardt and Nelson, INFORMS J. Comput. 21(4), 2009";

/// Ticks per hour; the unit of time is the second.
const HOUR: u64 = 3600 * TICKS_PER_UNIT as u64;

/// A relative rate.
const WEIGHT: Bounds<'_> = Bounds::of("a relative rate").from(0.0).to(1e9);
/// A rate for each hour of a day.
const DAY: Many<Bounds<'_>> = Many::new(24, 24, WEIGHT);
/// A rate for each day of a week.
const DAYS: Many<Bounds<'_>> = Many::new(7, 7, WEIGHT);
/// A rate for each hour of a week, day by day.
const WEEK: Many<Many<Bounds<'_>>> = Many::new(7, 7, DAY);

parameters! {
    /// Relative rates by hour. Their sum does not matter: the mean rate remains that of the arrivals.
    /// Time is in seconds, and time 0 is midnight (from Sunday to Monday).
    pub enum Profile {
        /// 24 relative rates, starting at midnight.
        Daily(hours: Vec<f64> as DAY),
        /// 24 relative rates for each of 7 days, from Monday to Sunday.
        Weekly(days: Vec<Vec<f64>> as WEEK),
        /// Each hour of the week has the product of its day's weight and its hour's weight.
        DaysAndHours(week: DaysAndHours as Inside),
    }
}

parameters! {
    /// A week whose days have the same shape and different weights.
    pub struct DaysAndHours {
        /// 7 relative rates, from Monday to Sunday.
        days: Vec<f64> as DAYS,
        /// 24 relative rates, starting at midnight.
        hours: Vec<f64> as DAY,
    }
}

impl Profile {
    /// Returns the hours of a cycle as a change of time.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn time_change(&self) -> Result<TimeChange, Invalid> {
        self.check()?;
        let (field, weights) = match self {
            Profile::Daily(hours) => ("daily", hours.clone()),
            Profile::Weekly(days) => ("weekly", days.concat()),
            Profile::DaysAndHours(DaysAndHours { days, hours }) => {
                let week = days.iter().flat_map(|day| hours.iter().map(move |hour| day * hour));
                ("days_and_hours", week.collect())
            }
        };
        TimeChange::new(&weights).ok_or_else(|| {
            Invalid::new(field, "all rates are 0, so nothing would ever come; give one above 0")
        })
    }
}

/// A map from the clock of a constant-rate process to a clock with weighted hours.
///
/// All numbers are whole: weights are relative to the largest, in units of 2^-32; a weight above 0
/// stays above 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeChange {
    /// Hours with a positive weight.
    hours: Vec<Hour>,
    /// Ticks of a cycle, on either clock.
    cycle: u64,
    /// Sum of all weights.
    sum: u64,
}

/// An hour of the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hour {
    /// First tick of this hour on the process's clock, since the start of a cycle.
    from: u64,
    /// Start of the hour, in ticks since the start of a cycle.
    begin: u64,
    /// `cycle` times the weights of all hours before it.
    before: u128,
    /// Its weight times the number of hours.
    slope: u64,
}

impl TimeChange {
    /// Creates it for a cycle of hours with these weights, at most 2^20. Returns `None` if all are
    /// 0 or any is invalid.
    pub fn new(weights: &[f64]) -> Option<TimeChange> {
        const ONE: f64 = (1_u64 << 32) as f64;
        let most = weights.iter().copied().fold(0.0, f64::max);
        let is_weight = |weight: &f64| weight.is_finite() && *weight >= 0.0;
        if !weights.iter().all(is_weight) || most <= 0.0 || weights.len() > 1 << 20 {
            return None;
        }
        let whole = |weight: &f64| match (weight / most * ONE) as u64 {
            0 => u64::from(*weight > 0.0),
            whole => whole,
        };
        let whole: Vec<u64> = weights.iter().map(whole).collect();
        let (count, sum) = (whole.len() as u64, whole.iter().sum::<u64>());
        let cycle = count * HOUR;
        let mut hours = Vec::new();
        let mut before = 0;
        for (begin, weight) in (0..).step_by(HOUR as usize).zip(whole) {
            if weight > 0 {
                let from = before_to_process(before, sum);
                hours.push(Hour { from, begin, before, slope: weight * count });
            }
            before += u128::from(cycle) * u128::from(weight);
        }
        Some(TimeChange { hours, cycle, sum })
    }

    /// Returns the grid time at which the process's clock shows `process`: there the cumulative
    /// rate is reached, rounded down to a tick. The map is monotone.
    #[inline]
    pub fn at(&self, process: Time) -> Time {
        let ticks = process.ticks().unsigned_abs();
        let (cycles, rest) = (ticks / self.cycle, ticks % self.cycle);
        let index = self.hours.partition_point(|hour| hour.from <= rest) - 1;
        let Hour { begin, before, slope, .. } = self.hours[index];
        let into = (u128::from(rest) * u128::from(self.sum) - before) / u128::from(slope);
        Time::from_ticks((cycles * self.cycle + begin + into as u64) as i64)
    }
}

/// Returns the first tick of the process's clock at which the cumulative weight is reached.
fn before_to_process(before: u128, sum: u64) -> u64 {
    before.div_ceil(u128::from(sum)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(change: &TimeChange, ticks: u64) -> u64 {
        change.at(Time::from_ticks(ticks as i64)).ticks() as u64
    }

    #[test]
    fn equal_weights_change_nothing() {
        let change = Profile::Daily(vec![0.7; 24]).time_change().unwrap();
        for ticks in [0, 1, HOUR - 1, HOUR, 5 * HOUR + 7, 24 * HOUR, 1 << 59] {
            assert_eq!(at(&change, ticks), ticks);
        }
    }

    #[test]
    fn an_hour_of_thrice_the_weight_takes_thrice_the_time() {
        let change = TimeChange::new(&[1.0, 0.0, 3.0, 0.0]).unwrap();
        assert_eq!(at(&change, 0), 0);
        assert_eq!(at(&change, HOUR - 1), HOUR - 1);
        // A quarter of the cycle of 4 hours has passed on the process's clock after the first hour.
        assert_eq!(at(&change, HOUR), 2 * HOUR, "nothing comes in hours without weight");
        assert_eq!(at(&change, HOUR + 3 * 1000), 2 * HOUR + 1000);
        assert_eq!(at(&change, 4 * HOUR - 3), 3 * HOUR - 1);
        assert_eq!(at(&change, 4 * HOUR), 4 * HOUR);
    }

    #[test]
    fn what_cannot_be_is_named() {
        let wrong = |profile: Profile| profile.time_change().unwrap_err().to_string();
        let hours = |first| [vec![first], vec![1.0; 23]].concat();
        assert_eq!(wrong(Profile::Daily(vec![1.0; 7])), "daily: this list has 7; give 24");
        assert!(wrong(Profile::Daily(hours(-1.0))).starts_with("daily[0]: -1 is not a relative"));
        assert!(wrong(Profile::Daily(hours(f64::NAN))).starts_with("daily[0]: NaN is not"));
        assert!(wrong(Profile::Daily(vec![0.0; 24])).starts_with("daily: all rates are 0"));
        assert!(
            wrong(Profile::Weekly(vec![hours(1.0)])).starts_with("weekly: this list has 1; give 7")
        );
        let mut week = vec![hours(1.0); 7];
        week[3].pop();
        assert_eq!(wrong(Profile::Weekly(week)), "weekly[3]: this list has 23; give 24");
        let both = DaysAndHours { days: vec![0.0; 7], hours: hours(1.0) };
        assert!(wrong(Profile::DaysAndHours(both)).starts_with("days_and_hours: all rates"));
    }

    proptest! {
        /// Against the definition: the cumulative rate at the returned time, and one tick later.
        #[test]
        fn the_cumulative_rate_is_inverted_exactly(
            weights in prop::collection::vec(prop_oneof![Just(0.0), 1e-12_f64..1.0], 24),
            process in 0_u64..1 << 60,
        ) {
            let Some(change) = TimeChange::new(&weights) else { return Ok(()) };
            let found = at(&change, process);
            // The cumulative rate times `sum`, summed hour by hour.
            let cumulative = |ticks: u64| {
                let rest = ticks % change.cycle;
                let inside: u128 = (change.hours.iter())
                    .map(|hour| {
                        let into = rest.saturating_sub(hour.begin).min(HOUR);
                        u128::from(into) * u128::from(hour.slope)
                    })
                    .sum();
                let cycles = u128::from(ticks / change.cycle);
                cycles * u128::from(change.cycle) * u128::from(change.sum) + inside
            };
            let wanted = u128::from(process) * u128::from(change.sum);
            prop_assert!(cumulative(found) <= wanted);
            prop_assert!(cumulative(found + 1) > wanted);
            prop_assert!(at(&change, process + 1) >= found);
        }
    }
}
