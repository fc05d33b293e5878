//! Instants at which jobs that wait in the grid are handed to what places them.

use super::bounds::{Bounds, parameters};
use kernel::time::{Span, Time};

/// Time between two instants.
const EVERY: Bounds<'_> = Bounds::of("a time").unit("units of time").from(1e-6).to(1e9);

parameters! {
    /// The instants at which jobs that were submitted are handed over.
    #[derive(Copy, Default)]
    pub enum Asked {
        /// At their submission.
        #[default]
        Arrival,
        /// In batches: all that came, once every job of the batch before has ended (Shmoys, Wein and
        /// Williamson 1995).
        Batch,
        /// Once: all that come at the first instant at which any comes. A job that comes later ends the
        /// run with an error.
        Once,
        /// At multiples of this time.
        Every(units: f64 as EVERY),
    }
}

impl Asked {
    /// Returns the first instant from `now` on that the clock tells; `None` if it tells none.
    pub fn next(&self, now: Time) -> Option<Time> {
        let Asked::Every(units) = *self else { return None };
        let every = Span::from_units(units).expect("checked with the scenario").ticks();
        let passed = now.ticks().div_euclid(every) + i64::from(now.ticks().rem_euclid(every) > 0);
        Some(Time::from_ticks(passed.saturating_mul(every)))
    }
}
