//! Arrival processes: the gaps between one job and the next.

use rand::RngExt as _;
use rand_distr::Exp1;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::invalid::Invalid;
use super::sizes::{LONGEST_MEAN, nearest};
use crate::kernel::rng::Rng;
use crate::kernel::time::{Span, TICKS_PER_UNIT};
use crate::model::entry::Entry;

/// Where the arrival processes come from.
pub const ENTRIES: &[Entry] =
    &[Entry::new("poisson", "Kleinrock, Queueing Systems, volume 1, 1975")];

/// When jobs come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Arrivals {
    /// A Poisson process: the gaps are exponential and independent.
    Poisson {
        /// Jobs per unit of time.
        #[schemars(range(min = 1e-9, max = 1e6))]
        rate: f64,
    },
}

impl Arrivals {
    /// Whether the parameters can be.
    ///
    /// # Errors
    /// The first field that cannot.
    pub fn validate(&self) -> Result<(), Invalid> {
        match *self {
            Arrivals::Poisson { rate } if rate.is_finite() && rate > 0.0 => {
                let gap = TICKS_PER_UNIT as f64 / rate;
                let message = match gap {
                    _ if gap > LONGEST_MEAN => "too few: one in 10^9 units is the least",
                    // Time would hardly go on.
                    _ if gap < 1.0 => "too many: one a tick, 10^6 a unit, is the most",
                    _ => return Ok(()),
                };
                let message = format!("{rate} jobs a unit are {message}");
                Err(Invalid::new("poisson.rate", message))
            }
            Arrivals::Poisson { rate } => {
                let message = format!("{rate} is not a rate; give jobs per unit of time, above 0");
                Err(Invalid::new("poisson.rate", message))
            }
        }
    }

    /// The gap to the next arrival, rounded to the nearest tick.
    #[inline]
    pub fn gap(&self, rng: &mut Rng) -> Span {
        match *self {
            Arrivals::Poisson { rate } => {
                let draw: f64 = rng.sample(Exp1);
                nearest(draw * (TICKS_PER_UNIT as f64 / rate))
            }
        }
    }
}
