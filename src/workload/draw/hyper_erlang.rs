//! The hyper-Erlang distribution of common order.

use super::{Alias, Draw, Drawn, Gamma, Moments};
use crate::kernel::rng::Rng;
use crate::model::bounds::{Bounds, PROBABILITY, parameters};
use crate::model::invalid::Invalid;
use crate::workload::parameters::{BRANCHES, length, sum_to_one, ticks};

/// An order.
const ORDER: Bounds<'_> = Bounds::of("an order").from(1.0).to(1000.0);

parameters! {
    /// Hyper-Erlang runtimes: a mixture of several Erlang distributions of the same order.
    pub struct Options {
        /// Order of all branches: each is a sum of this many equal exponentials; 1 makes them
        /// hyperexponential.
        order: u32 as ORDER = 2,
        /// Erlang branches, two or more.
        branches: Vec<Branch> as BRANCHES = vec![
            Branch { probability: 0.9, mean: 0.5 },
            Branch { probability: 0.1, mean: 5.5 },
        ],
    }
    where sum_to_one
}

parameters! {
    /// A branch of hyper-Erlang runtimes.
    #[derive(Copy)]
    pub struct Branch {
        /// Probability of the branch; all together sum to 1.
        probability: f64 as PROBABILITY,
        /// Mean of the branch, in units of time: the order over the rate of its exponentials.
        mean: f64 as (length("a mean")),
    }
}

impl Options {
    fn sum_to_one(&self) -> Result<(), Invalid> {
        sum_to_one(self.branches.iter().map(|branch| branch.probability))
    }

    pub(super) fn draw(&self) -> Drawn<HyperErlang> {
        let weights: Vec<f64> = self.branches.iter().map(|branch| branch.probability).collect();
        let order = f64::from(self.order);
        let branch = |one: &Branch| Gamma::new(order, ticks(one.mean) / order);
        let branches: Vec<Gamma> = self.branches.iter().map(branch).collect();
        let parts = weights.iter().copied().zip(branches.iter().map(Draw::moments));
        let moments = Moments::mixture(parts);
        let alias = Alias::new(&weights).expect("probabilities that sum to 1 are weights");
        Ok(HyperErlang { alias, branches, moments })
    }
}

/// A mixture of Erlang distributions of common order. Jann et al. 1997 fit two branches to the first
/// three moments of each class of jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct HyperErlang {
    alias: Alias,
    branches: Vec<Gamma>,
    moments: Moments,
}

impl Draw for HyperErlang {
    #[inline]
    fn draw(&self, rng: &mut Rng) -> f64 {
        self.branches[self.alias.draw(rng)].draw(rng)
    }

    fn moments(&self) -> Moments {
        self.moments
    }
}
