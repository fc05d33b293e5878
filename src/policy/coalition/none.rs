//! No balancing: the baseline for coalitions.

use super::{Balancer, Member, Move, Spacing, TIME, span};
use kernel::state_of_fields;
use kernel::time::{Span, Time};
use model::bounds::parameters;

parameters! {
    /// Parameters of no balancing.
    #[serde(default)]
    pub struct Options {
        /// Interval at which nothing is done, in units of time.
        least: f64 as TIME = 5.0,
    }
}

impl Options {
    pub(super) fn unit(&self) -> Span {
        Span::TICK
    }

    pub(super) fn spacing(&self) -> Spacing {
        Spacing { least: span(self.least), grid: Span::ZERO }
    }
}

/// The balancer. Constant time.
#[derive(Clone, Debug, Default)]
pub struct Nothing;

impl Nothing {
    /// Creates the balancer.
    pub fn new(_: &Options) -> Nothing {
        Nothing
    }
}

state_of_fields!(Nothing {});

impl Balancer for Nothing {
    #[inline]
    fn balance(&mut self, _: Time, _: Span, _: &[Member], _: &mut Vec<Move>) -> Span {
        Span::ZERO
    }
}
