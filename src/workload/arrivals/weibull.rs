//! Weibull interarrival times.

use std::f64::consts::LN_2;

use super::SHORTEST_GAP;
use crate::draw::{Draw as _, Weibull};
use crate::parameters::{SHAPE, length, mean, ticks};
use model::bounds::parameters;
use model::invalid::Invalid;

parameters! {
    /// Weibull interarrival times.
    #[derive(Copy)]
    pub struct Options {
        /// Shape.
        shape: f64 as SHAPE = 1.0,
        /// Scale, in units of time: a share of 1 - 1/e of the interarrival times is shorter. Their
        /// mean is the scale times the gamma function at 1 + 1 / shape.
        scale: f64 as (length("a scale")) = 1.0,
    }
    where are_long_enough
}

impl Options {
    /// Checks that interarrival times are long enough and not almost all zero. With a small shape, a
    /// few very long ones make up the mean, and time would hardly advance until one occurs.
    fn are_long_enough(&self) -> Result<(), Invalid> {
        let draw = Weibull::new(self.shape, self.scale);
        mean(draw.moments())?;
        let draw = self.draw();
        let median = ticks(self.scale) * libm::pow(LN_2, 1.0 / self.shape);
        let what = match (draw.moments().mean >= SHORTEST_GAP, median >= 1.0) {
            (false, _) => "under ten ticks, 10^-5 units, on average",
            (_, false) => "of which half are under a tick, 10^-6 units,",
            _ => return Ok(()),
        };
        Err(Invalid::new("", format!("gaps {what} are too short: they are rounded to ticks")))
    }

    pub(super) fn draw(&self) -> Weibull {
        Weibull::new(self.shape, ticks(self.scale))
    }
}
