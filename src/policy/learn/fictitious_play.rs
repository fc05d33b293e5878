//! Fictitious play: the best reply to how often each of the others did what so far.
//!
//! The belief about another player is that it draws by itself, k with the probability
//! (w / K + n(k)) / (w + t): n(k) of its t acts so far were k, and w is the weight of what is
//! believed before anything was seen, that all K are equally likely. Played is the first of the
//! actions that pay most in the mean against the product of the beliefs; with a `temperature` tau,
//! the action a with a probability in proportion to exp(u(a) / tau), u the utility of that mean
//! payoff. The first round is drawn as by any other rule.
//!
//! Beliefs converge to an equilibrium in games of two with two actions each, in those of opposite
//! interests and in those of common ones; on Shapley's game they run in circles for ever, ever
//! more slowly. The smooth form rests at the logit equilibrium. A round costs what the mean payoffs
//! do: of a table, its size.
//!
//! Brown, "Iterative solution of games by fictitious play", Activity Analysis of Production and
//! Allocation, Wiley 1951; Shapley, "Some topics in two-person games", Princeton 1964; Fudenberg
//! and Levine, Journal of Economic Dynamics and Control 19(5), 1995 (smooth).

use super::choose::{Chooser, Round, options};
use crate::game::stage::Rules;
use crate::kernel::rng::Draws;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

options! {
    /// Parameters of fictitious play.
    {
        /// w, how many rounds the belief that all is equally likely weighs.
        #[schemars(range(min = 0, max = 1e9))]
        prior: f64 = 1.0,
        /// tau, the temperature of a logit reply, in utilities; 0 replies best.
        #[schemars(range(min = 0, max = 1e6))]
        temperature: f64 = 0.0,
    }
}

impl Options {
    fn check_rule(&self) -> Result<(), Invalid> {
        if !(0.0..=1e9).contains(&self.prior) {
            let message = format!("{} is no weight; give one from 0 to 10^9", self.prior);
            return Err(Invalid::new("prior", message));
        }
        if !(0.0..=1e6).contains(&self.temperature) {
            let message = format!(
                "{} is no temperature; give 0 for best replies, or up to 10^6",
                self.temperature
            );
            return Err(Invalid::new("temperature", message));
        }
        Ok(())
    }
}

/// The rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    prior: f64,
    temperature: f64,
    first: Vec<f64>,
    /// By player, then by choice: how often it did that.
    counts: Vec<Vec<u64>>,
    /// By own action, what it is to pay in the mean, in utilities with a temperature; empty before
    /// the first round is over, and where payoffs are not known.
    replies: Vec<f64>,
    /// The same by player as probabilities, for the computation only.
    beliefs: Vec<Vec<f64>>,
}

/// The rule at a table.
pub type FictitiousPlay = Chooser<Rule>;

state_of_fields!(Rule { counts, replies, beliefs });

impl Rule {
    /// What is believed of each player, itself included.
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
        }
        for (counts, act) in self.counts.iter_mut().zip(round.acts()) {
            counts[act.entry() as usize] += 1;
        }
        self.believe();
        rules.expected(round.me(), &self.beliefs, &mut self.replies);
        if self.temperature > 0.0 {
            // Infinite payoffs of both signs have no mean; it is read as a half.
            let utility = |payoff: f64| if payoff.is_nan() { 0.5 } else { round.scaled(payoff) };
            self.replies.iter_mut().for_each(|payoff| *payoff = utility(*payoff));
        }
    }

    fn law(&self, law: &mut [f64]) -> bool {
        match super::support::largest(self.replies.iter().copied()) {
            None => law.copy_from_slice(&self.first),
            Some(_) if self.temperature > 0.0 => {
                super::support::softmax(&self.replies, self.temperature, law);
            }
            Some(best) => super::support::surely(best, law),
        }
        true
    }
}
