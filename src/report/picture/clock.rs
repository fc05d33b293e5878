//! Units of time for axes: days, hours or minutes, where a unit of the scenario is a second.

use stats::shown::{counted, figure};
use workload::sacct::{moment, written};

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

    /// The unit that axes call so.
    pub(super) fn named(name: &str) -> Option<Clock> {
        CLOCKS.into_iter().find(|clock| clock.names[1] == name)
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

    /// Tick marks at round moments of the calendar, with their labels, for an axis from `low` to `high` in
    /// this unit that begins at a moment in seconds since 1970; at most `most` of them.
    pub fn dates(self, start: i64, (low, high): (f64, f64), most: usize) -> Vec<(f64, String)> {
        let at = |units: f64| start as f64 + units * self.length;
        let (first, last) = (at(low), at(high));
        let every = |step: i64| {
            let from = libm::ceil(first / step as f64) as i64;
            (from..=libm::floor(last / step as f64) as i64).map(move |mark| mark * step)
        };
        let few = |step: &i64| every(*step).size_hint().0 <= most;
        let moments: Vec<i64> = match STEPS.into_iter().find(few) {
            Some(step) => every(step).collect(),
            None => months(first, last, most),
        };
        let shown = |moment: i64| {
            let text = written(moment);
            let (date, time) = text.split_once('T').unwrap_or((&text, ""));
            match time {
                "00:00:00" => date.to_owned(),
                _ => format!("{} {}", &date[5..], time.strip_suffix(":00").unwrap_or(time)),
            }
        };
        moments.into_iter().map(|one| ((one - start) as f64 / self.length, shown(one))).collect()
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

/// Steps between moments of the calendar that tick marks may have, in seconds.
const STEPS: [i64; 14] = [
    1, 10, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400, 172_800, 345_600, 604_800,
    1_209_600,
];

/// Beginnings of months, every so many that there are at most `most`.
fn months(first: f64, last: f64, most: usize) -> Vec<i64> {
    let begins = |month: i64| {
        let date =
            format!("{:04}-{:02}-01T00:00:00", month.div_euclid(12), month.rem_euclid(12) + 1);
        moment(&date).unwrap_or(i64::MAX)
    };
    let year = |moment: f64| written(moment as i64)[..4].parse::<i64>().unwrap_or(9999);
    let all = 12 * year(first)..=12 * year(last) + 11;
    let is_shown = |&month: &i64| (first..=last).contains(&(begins(month) as f64));
    let shown: Vec<i64> = all.filter(is_shown).collect();
    let steps = [1, 2, 3, 6, 12, 24, 60, 120, 600, 1200];
    let few = |step: &&i64| shown.iter().filter(|month| *month % **step == 0).count() <= most;
    let step = steps.iter().find(few).unwrap_or(&12_000);
    shown.iter().filter(|month| *month % step == 0).map(|&month| begins(month)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_round_in_the_calendar() {
        let start = moment("2026-03-01T12:34:56").unwrap();
        let marks = |days: f64| Clock::of(true, 86_400.0 * days).dates(start, (0.0, days), 6);
        let shown = |days: f64| marks(days).into_iter().map(|mark| mark.1).collect::<Vec<_>>();
        assert_eq!(marks(5.0)[0].0, (11.0 * 3600.0 + 25.0 * 60.0 + 4.0) / 86_400.0);
        let days: Vec<String> = (2..=6).map(|day| format!("2026-03-0{day}")).collect();
        assert_eq!(shown(5.0), days);
        assert_eq!(shown(150.0), ["04", "05", "06", "07"].map(|month| format!("2026-{month}-01")));
        assert_eq!(
            shown(1000.0),
            ["2026-07-01", "2027-01-01", "2027-07-01", "2028-01-01", "2028-07-01"]
        );
        let hours = Clock::of(true, 18_000.0).dates(start, (0.0, 5.0), 6);
        let told: Vec<&str> = hours.iter().map(|mark| &*mark.1).collect();
        assert_eq!(
            told,
            ["03-01 13:00", "03-01 14:00", "03-01 15:00", "03-01 16:00", "03-01 17:00"]
        );
        assert_eq!(hours[0].0, (25.0 * 60.0 + 4.0) / 3600.0);
    }

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
