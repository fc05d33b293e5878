//! The Poisson process.

use super::{RATE, gap};
use crate::draw::Exponential;
use model::bounds::parameters;

parameters! {
    /// Poisson process: interarrival times are exponential.
    #[derive(Copy)]
    pub struct Options {
        /// Jobs per unit of time.
        rate: f64 as RATE = 1.0,
    }
}

impl Options {
    pub(super) fn draw(&self) -> Exponential {
        Exponential::new(gap(self.rate))
    }
}
