//! Speed of a cluster's processors.

use serde::{Deserialize, Serialize};

use kernel::time::Span;

/// Parts of a unit of speed.
const PARTS: u32 = 1_000_000;

/// Speed of processors, to a millionth: a job runs for its runtime divided by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Speed(u32);

impl Speed {
    /// Unit speed: jobs run for their runtimes.
    pub const ONE: Speed = Speed(PARTS);
    /// The least speed.
    pub const LEAST: f64 = 0.001;
    /// The greatest speed.
    pub const GREATEST: f64 = 1000.0;

    /// A speed, rounded to a millionth; `None` outside [`LEAST`](Self::LEAST) to
    /// [`GREATEST`](Self::GREATEST).
    pub fn new(speed: f64) -> Option<Speed> {
        let is_speed = (Speed::LEAST..=Speed::GREATEST).contains(&speed);
        is_speed.then(|| Speed((speed * f64::from(PARTS)).round() as u32))
    }

    /// Returns it as a number.
    pub fn value(self) -> f64 {
        f64::from(self.0) / f64::from(PARTS)
    }

    /// Returns how long a job runs at this speed, given its runtime at unit speed: rounded up to a tick.
    /// The longest span if it is beyond.
    #[inline]
    pub fn runs(self, runtime: Span) -> Span {
        if self == Speed::ONE { runtime } else { self.divided(runtime) }
    }

    #[cold]
    fn divided(self, runtime: Span) -> Span {
        let work = i128::from(runtime.ticks()) * i128::from(PARTS);
        let speed = i128::from(self.0);
        let ticks = work.div_euclid(speed) + i128::from(work.rem_euclid(speed) != 0);
        Span::from_ticks(i64::try_from(ticks).unwrap_or(i64::MAX))
    }

    /// Returns the runtime at unit speed of a job that runs so long at this one: rounded to the nearest
    /// tick, and up if there are two. The longest span if it is beyond.
    #[inline]
    pub fn runtime(self, ran: Span) -> Span {
        if self == Speed::ONE {
            return ran;
        }
        let work = i128::from(ran.ticks()) * i128::from(self.0);
        let ticks = (work + i128::from(PARTS / 2)).div_euclid(i128::from(PARTS));
        Span::from_ticks(i64::try_from(ticks).unwrap_or(i64::MAX))
    }
}

/// Unit speed.
impl Default for Speed {
    fn default() -> Speed {
        Speed::ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_divided_and_rounded_up() {
        let runs =
            |speed: f64, ticks| Speed::new(speed).unwrap().runs(Span::from_ticks(ticks)).ticks();
        assert_eq!((runs(1.0, 7), runs(2.0, 8), runs(2.0, 7), runs(0.5, 7)), (7, 4, 4, 14));
        assert_eq!((runs(3.0, 1), runs(3.0, 0), runs(0.3, 3), runs(1.5, 3)), (1, 0, 10, 2));
        assert_eq!(runs(0.001, i64::MAX / 2), i64::MAX);
    }

    #[test]
    fn what_ran_tells_the_runtime_to_a_tick_of_the_slower() {
        for speed in [0.001, 0.3, 0.5, 1.0, 1.5, 2.0, 1000.0] {
            let speed = Speed::new(speed).unwrap();
            for ticks in [0, 1, 2, 3, 1000, 1_000_003] {
                let found = speed.runtime(speed.runs(Span::from_ticks(ticks))).ticks();
                let most = speed.value().ceil() as i64;
                assert!((ticks..=ticks + most).contains(&found), "{speed:?}: {ticks}, {found}");
            }
        }
    }

    #[test]
    fn only_speeds_are_speeds() {
        assert_eq!([0.0, -1.0, f64::NAN, 1001.0, f64::INFINITY].map(Speed::new), [None; 5]);
        assert_eq!(Speed::new(1.0 / 3.0).unwrap().value(), 0.333333);
    }
}
