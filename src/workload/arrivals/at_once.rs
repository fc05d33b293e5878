//! All jobs at one instant.

use crate::model::bounds::parameters;
use crate::workload::draw::Constant;

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
