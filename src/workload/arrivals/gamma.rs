//! Gamma interarrival times.

use super::{RATE, gap};
use crate::draw::Gamma;
use crate::parameters::SHAPE;
use model::bounds::parameters;

parameters! {
    /// Gamma interarrival times.
    #[derive(Copy)]
    pub struct Options {
        /// Shape: the squared ratio of mean to standard deviation.
        shape: f64 as SHAPE = 2.0,
        /// Jobs per unit of time: one over the mean interarrival time, for any shape.
        rate: f64 as RATE = 1.0,
    }
}

impl Options {
    pub(super) fn draw(&self) -> Gamma {
        Gamma::new(self.shape, gap(self.rate) / self.shape)
    }
}
