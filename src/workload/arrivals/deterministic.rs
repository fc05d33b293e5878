//! Arrivals at constant distances.

use crate::draw::Constant;
use crate::parameters::{ticks, whole_ticks};
use model::bounds::parameters;

parameters! {
    /// Constant interarrival times.
    #[derive(Copy)]
    pub struct Options {
        /// Interarrival time in units; rounded to ticks, as all are.
        interval: f64 as (whole_ticks("a gap")) = 1.0,
    }
}

impl Options {
    pub(super) fn draw(&self) -> Constant {
        Constant(ticks(self.interval))
    }
}
