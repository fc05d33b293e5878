//! What users say about the run times of drawn jobs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::draw::fraction;
use super::invalid::Invalid;
use super::modal::ModalOptions;
use super::rounding::nearest;
use crate::kernel::rng::Rng;
use crate::kernel::time::Span;
use crate::model::entry::Entry;

/// Where the models come from.
pub const ENTRIES: &[Entry] = &[
    Entry::new("f_model", "Mu'alem and Feitelson, IEEE Trans. Parallel Distrib. Syst. 12(6), 2001"),
    Entry::new(
        "modal",
        "Tsafrir, Etsion and Feitelson, Modeling user runtime estimates, JSSPP 2005",
    ),
];

/// How long users say that their jobs run. Draws have a random stream of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Estimates {
    /// The run time.
    Exact {},
    /// Any time from the run time to a multiple of it, all equally likely.
    FModel {
        /// The multiple; the source's factor f is this less 1.
        #[schemars(range(min = 1, max = 1e6))]
        factor: f64,
    },
    /// Few round times, the longest one that is allowed most often: the model of Tsafrir, Etsion
    /// and Feitelson. The unit of time is the second.
    Modal(ModalOptions),
    /// Nothing is said: a scheduler that needs expected run times must get them elsewhere
    /// (`run.clairvoyance = "runtime"`), and records show the run time.
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
    /// Whether the parameters can be.
    ///
    /// # Errors
    /// The first field that cannot.
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

    /// Does it draw from its stream?
    pub fn draws(&self) -> bool {
        matches!(self, Estimates::FModel { .. })
    }

    /// What the jobs are dealt modal estimates by, after they were drawn.
    pub fn modal(&self) -> Option<&ModalOptions> {
        match self {
            Estimates::Modal(modal) => Some(modal),
            _ => None,
        }
    }

    /// The estimate of a job of this run time; modal ones are dealt later.
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
