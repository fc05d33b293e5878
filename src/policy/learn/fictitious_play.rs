//! Fictitious play: the best reply to the empirical frequencies of the others' actions.
//!
//! The belief about another player is that it draws independently, action k with probability (w /
//! K + n(k)) / (w + t): n(k) of its t actions so far were k, and w is the weight of the prior,
//! which is uniform over all K. The learner plays the first of the actions with the highest
//! expected payoff against the product of the beliefs (expectations that differ by no more than
//! 10^-12 of the largest payoff are equal, to absorb rounding). With a `temperature` tau it plays
//! action a with probability proportional to exp(u(a) / tau), where u is the utility of that
//! expected payoff. The first round is drawn as by any other rule.
//!
//! Beliefs converge to an equilibrium in two-by-two games that are not degenerate, in zero-sum games and
//! in games of common interest (in a degenerate two-by-two game it depends on the rule for ties:
//! Monderer and Sela, Games and Economic Behavior 14, 1996); in Shapley's game they cycle forever, ever
//! more slowly. The smooth form rests at the logit equilibrium. A round costs as much as the expected
//! payoffs: for a table, its size.
//!
//! Brown, "Iterative solution of games by fictitious play", Activity Analysis of Production and
//! Allocation, Wiley 1951; Shapley, "Some topics in two-person games", Princeton 1964; Fudenberg
//! and Levine, Journal of Economic Dynamics and Control 19(5), 1995 (smooth).

use super::choose::{Chooser, Round};
use game::stage::Rules;
use kernel::rng::Draws;
use kernel::state_of_fields;
use model::bounds::{Bounds, parameters};

parameters! {
    /// Parameters of fictitious play.
    #[serde(default)]
    pub struct Options {
        /// w, the weight of the uniform prior belief, in rounds.
        prior: f64 as (Bounds::of("a weight").from(0.0).to(1e9)) = 1.0,
        /// tau, the temperature of a logit reply, in utilities; 0 for the best reply.
        temperature: f64 as (Bounds::of("a temperature").from(0.0).to(1e6)) = 0.0,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    prior: f64,
    temperature: f64,
    first: Vec<f64>,
    /// Number of times each player made each choice.
    counts: Vec<Vec<u64>>,
    /// Expected payoff of each own action, in utilities if there is a temperature; empty before the
    /// end of the first round, and if payoffs are not known.
    replies: Vec<f64>,
    /// Largest absolute payoff, the scale of rounding errors; 1 for utilities.
    scale: f64,
    /// Beliefs by player, as probabilities; scratch space.
    beliefs: Vec<Vec<f64>>,
}

/// The learner.
pub type FictitiousPlay = Chooser<Rule>;

state_of_fields!(Rule { counts, replies, scale, beliefs });

impl Rule {
    /// Beliefs about each player, itself included.
    pub fn beliefs(&self) -> &[Vec<f64>] {
        &self.beliefs
    }

    fn believe(&mut self) {
        self.beliefs.resize(self.counts.len(), Vec::new());
        for (belief, counts) in self.beliefs.iter_mut().zip(&self.counts) {
            let sum = self.prior + counts.iter().sum::<u64>() as f64;
            let prior = self.prior / counts.len() as f64;
            belief.clear();
            belief.extend(counts.iter().map(|&count| (prior + count as f64) / sum));
        }
    }
}

impl super::choose::Rule for Rule {
    type Sees = Rules;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        let Options { prior, temperature, .. } = *options;
        Rule {
            prior,
            temperature,
            first: Vec::new(),
            counts: Vec::new(),
            replies: Vec::new(),
            scale: 1.0,
            beliefs: Vec::new(),
        }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, Rules>, _: &mut Draws<'_>) {
        let Some(rules) = round.rules() else { return };
        if self.counts.is_empty() {
            let choices = |player| vec![0; rules.choices(player) as usize];
            self.counts = (0..rules.players()).map(choices).collect();
            let (least, most) = rules.range();
            self.scale = least.abs().max(most.abs());
        }
        for (counts, act) in self.counts.iter_mut().zip(round.acts()) {
            counts[act.entry() as usize] += 1;
        }
        self.believe();
        rules.expected(round.me(), &self.beliefs, &mut self.replies);
        if self.temperature > 0.0 {
            self.scale = 1.0;
            // Infinite payoffs of both signs have no mean; use one half.
            let utility = |payoff: f64| if payoff.is_nan() { 0.5 } else { round.scaled(payoff) };
            self.replies.iter_mut().for_each(|payoff| *payoff = utility(*payoff));
        }
    }

    fn law(&self, law: &mut [f64]) -> bool {
        // If a payoff is infinite, the finite means set the scale.
        let finite = self.replies.iter().map(|reply| reply.abs()).filter(|one| one.is_finite());
        let scale = if self.scale.is_finite() { self.scale } else { finite.fold(0.0, f64::max) };
        match super::support::largest(self.replies.iter().copied(), scale) {
            None => law.copy_from_slice(&self.first),
            Some(_) if self.temperature > 0.0 => {
                super::support::softmax(&self.replies, self.temperature, law);
            }
            Some(best) => super::support::surely(best, law),
        }
        true
    }
}
