//! User estimates of the runtimes of drawn jobs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::draw::fraction;
use super::invalid::Invalid;
use super::modal::ModalOptions;
use super::rounding::nearest;
use crate::kernel::rng::Rng;
use crate::kernel::time::Span;
use crate::model::entry::Entry;

/// Sources of the models.
pub const ENTRIES: &[Entry] = &[
    Entry::new("f_model", "Mu'alem and Feitelson, IEEE Trans. Parallel Distrib. Syst. 12(6), 2001"),
    Entry::new(
        "modal",
        "Tsafrir, Etsion and Feitelson, Modeling user runtime estimates, JSSPP 2005",
    ),
];

/// User estimates of runtimes, drawn from a random stream of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Estimates {
    /// The true runtime.
    Exact {},
    /// Uniform between the runtime and a multiple of it.
    FModel {
        /// The multiple; equals 1 plus the factor f of the source.
        #[schemars(range(min = 1, max = 1e6))]
        factor: f64,
    },
    /// Few round values, with the longest allowed one most frequent: the model of Tsafrir, Etsion
    /// and Feitelson. The unit of time is the second.
    Modal(ModalOptions),
    /// No estimates: a scheduler that needs expected runtimes must get them elsewhere
    /// (`run.clairvoyance = "runtime"`), and records show the runtime.
    None {},
}

pub(super) fn is_exact(estimates: &Estimates) -> bool {
    matches!(estimates, Estimates::Exact {})
}

impl Default for Estimates {
    fn default() -> Estimates {
        Estimates::Exact {}
    }
}

impl Estimates {
    /// Checks the parameters.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn validate(&self) -> Result<(), Invalid> {
        match self {
            Estimates::FModel { factor } if !(1.0..=1e6).contains(factor) => {
                let message = format!("{factor} is not a factor; give a number from 1 to 10^6");
                Err(Invalid::new("f_model.factor", message))
            }
            Estimates::Modal(modal) => modal.validate().map_err(|invalid| invalid.within("modal")),
            _ => Ok(()),
        }
    }

    /// Returns true if it uses its random stream.
    pub fn draws(&self) -> bool {
        matches!(self, Estimates::FModel { .. })
    }

    /// Returns the modal model that assigns estimates once the jobs are drawn, if that is used.
    pub fn modal(&self) -> Option<&ModalOptions> {
        match self {
            Estimates::Modal(modal) => Some(modal),
            _ => None,
        }
    }

    /// Draws the estimate of a job with this runtime; modal ones are assigned later.
    #[inline]
    pub fn draw(&self, runtime: Span, rng: &mut Rng) -> Span {
        match self {
            Estimates::Exact {} | Estimates::Modal(_) | Estimates::None {} => runtime,
            Estimates::FModel { factor } => {
                let more = (factor - 1.0) * fraction(rng) * runtime.ticks() as f64;
                nearest((runtime + nearest(more)).ticks() as f64)
            }
        }
    }
}
