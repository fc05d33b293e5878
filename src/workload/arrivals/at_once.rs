//! All jobs at one instant.

use crate::draw::Constant;
use model::bounds::parameters;

parameters! {
    /// All jobs come at time 0: none of a stream's interarrival times. `jobs` says how many.
    #[derive(Copy)]
    #[serde(default)]
    pub struct Options {}
}

impl Options {
    pub(super) fn draw(&self) -> Constant {
        Constant(0.0)
    }
}
