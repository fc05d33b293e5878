//! Conditional regret matching: leaves its last action for another in proportion to the regret of
//! not having played that one whenever the last one was played.
//!
//! D(j, k) is the sum of u(k) - u(j) over the rounds in which j was played, divided by the number t
//! of all rounds. After j, each other action k has probability max(0, D(j, k)) / mu, and j has the
//! rest. The larger mu, the greater the inertia; as utilities are within [0, 1], mu = K - 1 is the
//! least value for which the rest cannot be negative. All D tend to 0 or below (no swap regret),
//! and the empirical play of such players tends to the set of correlated equilibria. O(K) for each
//! round, K^2 numbers.
//!
//! Hart and Mas-Colell, Econometrica 68(5), 2000, section 2, whose mu exceeds 2 M (K - 1) with
//! utilities within [-M, M]: for a width of 1, M is 1/2. So their theorem requires an `inertia`
//! above 1; at 1 the last action may have probability 0.

use super::choose::{Chooser, Round};
use game::stage::OwnEach;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{Bounds, parameters};

parameters! {
    /// Parameters of conditional regret matching.
    #[serde(default)]
    pub struct Options {
        /// Inertia, as a multiple of the smallest possible mu: mu / (K - 1).
        inertia: f64 as (Bounds::of("an inertia").from(1.0).to(1e6)) = 2.0,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    inertia: f64,
    first: Vec<f64>,
    /// Rounds learned from.
    rounds: u64,
    /// The last action.
    last: usize,
    /// Sum of u(k) - u(j), by action j that was played, then by action k.
    sums: Vec<f64>,
}

/// The learner.
pub type ConditionalRegret = Chooser<Rule>;

state_of_fields!(Rule { rounds, last, sums });

impl super::choose::Rule for Rule {
    type Sees = OwnEach;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let inertia = options.inertia;
        Rule { inertia, first: Vec::new(), rounds: 0, last: 0, sums: Vec::new() }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
        self.sums = vec![0.0; first.len() * first.len()];
    }

    fn learn(&mut self, round: &Round<'_, OwnEach>, _: &mut Draws<'_>) {
        let count = round.choices();
        self.last = round.played();
        self.rounds += 1;
        let got = round.instead(self.last);
        let sums = &mut self.sums[self.last * count..][..count];
        for (choice, sum) in sums.iter_mut().enumerate() {
            *sum += round.instead(choice) - got;
        }
    }

    fn law(&self, law: &mut [f64]) -> bool {
        if self.rounds == 0 {
            law.copy_from_slice(&self.first);
            return true;
        }
        let count = law.len();
        let mu = self.inertia * count.saturating_sub(1).max(1) as f64;
        let mut rest = 1.0;
        for (x, sum) in law.iter_mut().zip(&self.sums[self.last * count..]) {
            *x = sum.max(0.0) / (mu * self.rounds as f64);
            rest -= *x;
        }
        law[self.last] = rest.max(0.0);
        true
    }
}
