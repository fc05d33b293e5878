//! No balancing: the baseline for coalitions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Balancer, Member, Move, Spacing, span, valid_spacing};
use crate::kernel::time::{Span, Time};
use crate::model::invalid::Invalid;
use crate::state_of_fields;

/// Parameters of no balancing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Interval at which nothing is done, in units of time.
    #[schemars(range(min = 0, max = 1e9))]
    pub least: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { least: 5.0 }
    }
}

impl Options {
    pub(super) fn validate(&self) -> Result<(), Invalid> {
        valid_spacing(self.least, 0.0)
    }

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
