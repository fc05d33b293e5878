//! The hyper-Erlang distribution of common order.

use super::mixture::{Branch, Mixture, branches};
use super::{Drawn, Gamma};
use crate::parameters::{BRANCHES, sum_to_one, ticks};
use model::bounds::{Bounds, parameters};
use model::invalid::Invalid;

/// An order.
const ORDER: Bounds<'_> = Bounds::of("an order").from(1.0).to(1000.0);

parameters! {
    /// Hyper-Erlang runtimes: a mixture of several Erlang distributions of the same order.
    pub struct Options {
        /// Order of all branches: each is a sum of this many equal exponentials; 1 makes them
        /// hyperexponential.
        order: u32 as ORDER = 2,
        /// Erlang branches, two or more.
        branches: Vec<Branch> as BRANCHES = branches(),
    }
    where sum_to_one
}

impl Options {
    fn sum_to_one(&self) -> Result<(), Invalid> {
        sum_to_one(self.branches.iter().map(|branch| branch.probability))
    }

    pub(super) fn draw(&self) -> Drawn<HyperErlang> {
        let order = f64::from(self.order);
        let branch = |one: &Branch| (one.probability, Gamma::new(order, ticks(one.mean) / order));
        let draw = Mixture::of(self.branches.iter().map(branch));
        Ok(draw.expect("probabilities that sum to 1 are weights"))
    }
}

/// A mixture of Erlang distributions of common order. Jann et al. 1997 fit two branches to the first
/// three moments of each class of jobs.
pub type HyperErlang = Mixture<Gamma>;
