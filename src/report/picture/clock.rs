//! Units of time for axes: days, hours or minutes, where a unit of the scenario is a second.

use stats::shown::{counted, figure};

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// Its names for one and for several of it.
    names: [&'static str; 2],
    /// Its length in units of the scenario.
    length: f64,
}

/// Units of time by decreasing length in seconds.
const CLOCKS: [Clock; 4] = [
    Clock { names: ["day", "days"], length: 86_400.0 },
    Clock { names: ["hour", "hours"], length: 3_600.0 },
    Clock { names: ["minute", "minutes"], length: 60.0 },
    Clock { names: ["second", "seconds"], length: 1.0 },
];

/// A span must be at least so many times as long as the unit that it is told in.
const FEWEST: f64 = 3.0;

impl Clock {
    /// The unit in which to tell times up to `span`, in units of the scenario.
    ///
    /// `counts_seconds` says that these are known to be seconds.
    pub fn of(counts_seconds: bool, span: f64) -> Clock {
        if !counts_seconds {
            return Clock { names: ["unit", "units"], length: 1.0 };
        }
        let [.., second] = CLOCKS;
        CLOCKS.into_iter().find(|clock| span >= FEWEST * clock.length).unwrap_or(second)
    }

    /// A span in words, in the unit that suits it.
    pub fn told(counts_seconds: bool, span: f64) -> String {
        let clock = Clock::of(counts_seconds, span);
        let amount = clock.amount(span);
        if amount == libm::trunc(amount) && amount.abs() < 1e15 {
            return counted(amount as u64, clock.names[0], clock.names[1]);
        }
        format!("{} {}", figure(amount), clock.name())
    }

    /// Name for several of it.
    pub fn name(self) -> &'static str {
        self.names[1]
    }

    /// Converts from units of the scenario.
    pub fn amount(self, units: f64) -> f64 {
        units / self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_told_in_what_suits_them_and_units_as_they_are() {
        let told = |span| Clock::told(true, span);
        assert_eq!(told(2_592_000.0), "30 days");
        assert_eq!(told(131_072.0), "36.41 hours");
        assert_eq!(told(10_800.0), "3 hours");
        assert_eq!(told(600.0), "10 minutes");
        assert_eq!([told(1.0), told(90.5)], ["1 second", "90.50 seconds"]);
        assert_eq!(Clock::told(false, 131_072.0), "131 072 units");
        assert_eq!(Clock::told(false, 0.25), "0.2500 units");
    }

    #[test]
    fn the_unit_of_an_axis_follows_from_its_length() {
        let name = |span| Clock::of(true, span).name();
        assert_eq!(
            [3e7, 1e5, 5e3, 100.0, 0.0].map(name),
            ["days", "hours", "minutes", "seconds", "seconds"]
        );
        assert_eq!(Clock::of(true, 3e7).amount(86_400.0), 1.0);
        assert_eq!(Clock::of(false, 3e7), Clock { names: ["unit", "units"], length: 1.0 });
    }
}
