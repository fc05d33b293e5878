//! Dominant actions, and logit equilibria: how players reply who are sure, and who err.

use super::Solved;
use super::stage::{Pure, Stage};
use game::logit;
use game::matrix::{Dominance, Matrix};
use game::mixed::{standings, sure};
use game::payoffs::Payoffs;

/// Maximum effort to compare all actions of all players.
const COMPARED: u64 = 20_000_000;
/// Maximum number of pure equilibria from which the search for logit equilibria starts.
const STARTS: usize = 20;
/// Weights of the damped iteration that are tried in turn.
const WEIGHTS: [f64; 4] = [0.5, 0.1, 0.02, 0.004];
/// Largest distance of a logit equilibrium from its logit replies.
const RESIDUAL: f64 = 1e-9;
/// Products of payoffs and probabilities that all searches for logit equilibria may take.
const EFFORT: f64 = 2e7;

impl Stage<'_> {
    /// Lists the dominant actions.
    pub(super) fn dominance(&self, solved: &mut Solved) {
        const NAME: &str = "dominance";
        // Of identical players one stands for all, and its own game has the same dominance.
        let alone = self.frame.is_symmetric;
        let (counts, pairwise) = (self.counts.as_ref(), self.pairwise.as_ref());
        let sizes: Vec<u32> = match (counts.filter(|_| alone), pairwise.filter(|_| alone)) {
            (Some(game), _) => vec![2, game.players() as u32],
            (None, Some(game)) => vec![game.choices(); 2],
            _ => (0..self.payoffs.players()).map(|player| self.payoffs.choices(player)).collect(),
        };
        // Each action may be compared with all others of the player in every profile.
        let widest = u64::from(
            sizes.iter().take(if alone { 1 } else { sizes.len() }).copied().max().unwrap_or(1),
        );
        let all = sizes.iter().fold((sizes.len() as u64).pow(2) * widest, |all, &size| {
            all.saturating_mul(size.into())
        });
        if all > COMPARED {
            solved.skip(NAME, "the game has too many profiles to compare all actions");
            return;
        }
        let own = Matrix::new(&sizes, |player, at| match (counts, pairwise) {
            (Some(game), _) if alone => game.payoff(at[0], at[1] as usize),
            (None, Some(game)) if alone => game.meeting(at[0], at[1]),
            _ => self.payoffs.payoff(player, at),
        });
        let mut put = solved.solver(NAME, "");
        for (player, name) in self.shown().filter(|&(player, _)| own.choices(player) > 1) {
            let Some((action, how)) = own.dominant(player) else { continue };
            put.player(name)
                .action(self.action(player, action))
                .put("strict", how == Dominance::Strict);
        }
    }

    /// Lists the logit equilibria that the search finds.
    pub(super) fn logit(&self, pure: &[Pure], solved: &mut Solved) {
        const NAME: &str = "logit_equilibria";
        let payoffs = self.payoffs;
        let (players, choices) = (payoffs.players() as f64, f64::from(payoffs.choices(0)));
        let replies = match payoffs {
            Payoffs::Table(game) => {
                let choices = (0..game.players()).map(|player| f64::from(game.choices(player)));
                players * players * choices.product::<f64>()
            }
            Payoffs::Counts(_) => players * players,
            Payoffs::Pairwise(_) => players * choices + choices * choices,
        };
        let two = self.pairwise.as_ref().filter(|game| players == 2.0 && game.choices() == 2);
        let even = || -> Vec<Vec<f64>> {
            let count = |player| payoffs.choices(player) as usize;
            (0..payoffs.players()).map(|at| vec![1.0 / count(at) as f64; count(at)]).collect()
        };
        let is_shown = |one: &&Pure| {
            !self.frame.is_symmetric || one.profile.windows(2).all(|two| two[0] == two[1])
        };
        let sure: Vec<Vec<Vec<f64>>> = (pure.iter().filter(is_shown).take(STARTS))
            .map(|one| sure(payoffs, &one.profile))
            .collect();
        let searches = self.request.logit.len() * (1 + sure.len()) * WEIGHTS.len();
        let steps = EFFORT / replies / searches as f64;
        if steps < 100.0 {
            solved.skip(NAME, "the game is too large to search for them");
            return;
        }
        let note = match two {
            Some(_) => {
                "all symmetric ones, and those found from pure equilibria; gain: of a best reply"
            }
            None => {
                "found from even probabilities and from pure equilibria, so there may be others; \
                 gain: of a best reply"
            }
        };
        let mut number = 0_u32;
        let mut unsettled = Vec::new();
        let mut put = solved.solver(NAME, note);
        for &precision in &self.request.logit {
            let temperature = 1.0 / precision;
            let starts = match two {
                Some(game) => {
                    let pays = [0, 1].map(|own| [0, 1].map(|other| game.meeting(own, other)));
                    let points = logit::symmetric(pays, temperature);
                    points.into_iter().map(|first| vec![vec![first, 1.0 - first]; 2]).collect()
                }
                None => vec![even()],
            };
            let mut found: Vec<Vec<Vec<f64>>> = Vec::new();
            for start in starts.into_iter().chain(sure.iter().cloned()) {
                let rest = settled(payoffs, temperature, start, steps as u64);
                found.extend(rest.filter(|rest| found.iter().all(|known| are_apart(known, rest))));
            }
            if found.is_empty() {
                unsettled.push(precision);
            }
            for mixed in &found {
                number += 1;
                let all = standings(payoffs, mixed);
                let put = put.profile(number).put("precision", precision);
                self.put_mixed(put, mixed, |put, player| {
                    put.put("payoff", self.amount(all[player].payoff));
                    put.put("gain", self.amount(all[player].gain()));
                });
            }
        }
        for precision in unsettled {
            solved.skip(NAME, format!("the search did not settle at precision {precision}"));
        }
    }
}

/// A logit equilibrium near a start, if the search settles.
fn settled(
    payoffs: &Payoffs,
    temperature: f64,
    start: Vec<Vec<f64>>,
    steps: u64,
) -> Option<Vec<Vec<f64>>> {
    let mut mixed = start;
    for weight in WEIGHTS {
        let rest = logit::rest(payoffs, temperature, mixed, weight, RESIDUAL * 1e-3, steps);
        if rest.residual <= RESIDUAL {
            return Some(rest.mixed);
        }
        mixed = rest.mixed;
    }
    None
}

fn are_apart(one: &[Vec<f64>], other: &[Vec<f64>]) -> bool {
    let pairs = one.iter().flatten().zip(other.iter().flatten());
    pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max) > 1e-6
}
