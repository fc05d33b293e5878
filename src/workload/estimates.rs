//! User estimates of the runtimes of drawn jobs.

use super::draw::fraction;
use super::modal::ModalOptions;
use super::rounding::nearest;
use kernel::rng::Rng;
use kernel::time::Span;
use model::bounds::{Bounds, Inside, parameters};
use model::entry::Entry;

/// Sources of the models.
pub const ENTRIES: &[Entry] = &[
    Entry::new("f_model", "Mu'alem and Feitelson, IEEE Trans. Parallel Distrib. Syst. 12(6), 2001"),
    Entry::new(
        "modal",
        "Tsafrir, Etsion and Feitelson, Modeling user runtime estimates, JSSPP 2005",
    ),
];

/// The multiple of a runtime up to which estimates go.
const FACTOR: Bounds<'_> = Bounds::of("a factor").from(1.0).to(1e6);

parameters! {
    /// User estimates of runtimes, drawn from a random stream of their own.
    pub enum Estimates {
        /// The true runtime.
        Exact {},
        /// Uniform between the runtime and a multiple of it.
        FModel {
            /// The multiple; equals 1 plus the factor f of the source.
            factor: f64 as FACTOR,
        },
        /// Few round values, with the longest allowed one most frequent: the model of Tsafrir,
        /// Etsion and Feitelson. The unit of time is the second.
        Modal(options: ModalOptions as Inside),
        /// No estimates: a scheduler that needs expected runtimes must get them elsewhere
        /// (`run.clairvoyance = "runtime"`), and records show the runtime.
        None {},
    }
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
