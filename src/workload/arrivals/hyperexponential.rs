//! Hyperexponential interarrival times.

use super::{RATE, gap};
use crate::draw::Hyperexponential;
use crate::parameters::{BRANCHES, sum_to_one};
use model::bounds::{PROBABILITY, parameters};
use model::invalid::Invalid;

parameters! {
    /// Hyperexponential interarrival times, a mixture of exponentials.
    pub struct Options {
        /// Exponential branches, two or more.
        branches: Vec<Branch> as BRANCHES = vec![
            Branch { probability: 0.5, rate: 2.0 },
            Branch { probability: 0.5, rate: 0.5 },
        ],
    }
    where sum_to_one
}

parameters! {
    /// A branch of hyperexponential interarrival times.
    #[derive(Copy)]
    pub struct Branch {
        /// Probability of the branch; all together sum to 1.
        probability: f64 as PROBABILITY,
        /// Jobs per unit of time within this branch.
        rate: f64 as RATE,
    }
}

impl Options {
    fn sum_to_one(&self) -> Result<(), Invalid> {
        sum_to_one(self.branches.iter().map(|branch| branch.probability))
    }

    pub(super) fn draw(&self) -> Hyperexponential {
        let all: Vec<_> =
            self.branches.iter().map(|branch| (branch.probability, gap(branch.rate))).collect();
        Hyperexponential::new(&all).expect("probabilities that sum to 1 are weights")
    }
}
