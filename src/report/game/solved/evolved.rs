//! Long-run play of finite populations, and of strategies that remember one round.

use super::stage::Stage;
use super::{Request, Solved};
use game::alpha_rank;
use game::matrix::Matrix;
use game::memory_one::Meeting;
use game::payoffs::Payoffs;
use kernel::order::InOrder as _;
use stats::shown::count;

/// Maximum number of states of a population, and of multiplications to find their fixation.
const STATES: usize = 300;
const STEPS: u64 = 20_000_000;

impl Stage<'_> {
    /// Lists what finite populations play, and how likely mutants take over.
    pub(super) fn populations(&self, solved: &mut Solved) {
        const NAME: &str = "alpha_rank";
        let Request { alpha, population, .. } = *self.request;
        let one = match (&self.pairwise, &self.counts) {
            (Some(game), _) => {
                let choices = u64::from(game.choices());
                let is_small = choices as usize <= STATES
                    && choices.saturating_pow(2).saturating_mul(population.into()) <= STEPS;
                let all = is_small.then(|| alpha_rank::fixation(game, population, alpha));
                Some((all, population))
            }
            (None, Some(game)) => {
                Some((Some(alpha_rank::fixation_in(game, alpha)), game.players() as u32))
            }
            (None, None) => None,
        };
        let fixation = match one {
            Some((Some(fixation), population)) => Some((fixation, population)),
            Some((None, _)) => {
                let reason = "too many strategies or players in the population";
                solved.skip(NAME, reason);
                solved.skip("fixation", reason);
                None
            }
            None => {
                solved.skip("fixation", "the game is not symmetric");
                None
            }
        };
        let mut ranks: Vec<(Option<&str>, String, f64)> = Vec::new();
        let mut rank = |of: Option<&'static str>, names: Vec<String>, shares: Vec<f64>| {
            let mut order: Vec<_> = names.into_iter().zip(shares).collect();
            order.order_by(|one, other| other.1.total_cmp(&one.1));
            ranks.extend(order.into_iter().map(|(name, share)| (of, name, share)));
        };
        if let Some((fixation, _)) = &fixation {
            let names = (0..fixation.len()).map(|action| self.action(0, action as u32).to_owned());
            rank(Some("all"), names.collect(), alpha_rank::one_population(fixation.clone()));
        }
        match matrix(self.payoffs, STATES as u64) {
            _ if self.frame.is_symmetric => {}
            Some(game) => {
                let names = game.profiles().map(|profile| self.frame.told(&profile));
                rank(None, names.collect(), alpha_rank::populations(&game, population, alpha));
            }
            None => solved.skip(NAME, format!("more than {STATES} profiles")),
        }
        if !ranks.is_empty() {
            let note = "share of time where mutants are rare; all: in one population, where all play the \
                        same, else in one a player";
            let mut put = solved.solver(NAME, note);
            for (of, profile, share) in ranks {
                put.profile(profile);
                of.into_iter().for_each(|all| _ = put.player(all));
                put.put("share", share);
            }
        }
        let Some((fixation, population)) = fixation else { return };
        let note = format!(
            "a single mutant, which takes the action, takes over a population of {}, who imitate each \
             other with intensity {alpha}; over neutral: against one that gets the same",
            count(population.into())
        );
        let mut put = solved.solver("fixation", note);
        for (resident, row) in fixation.iter().enumerate() {
            put.profile(self.action(0, resident as u32));
            for (mutant, log) in row.iter().enumerate().filter(|&(mutant, _)| mutant != resident) {
                let put = put.action(self.action(0, mutant as u32));
                put.put("probability", libm::exp(*log));
                put.put("log10", log / std::f64::consts::LN_10);
                put.put("over_neutral", libm::exp(*log) * f64::from(population));
            }
        }
    }

    /// Lists the mean payoffs of memory-one strategies against each other.
    pub(super) fn memory_one(&self, solved: &mut Solved) {
        const NAME: &str = "memory_one";
        if self.payoffs.players() != 2 || (0..2).any(|player| self.payoffs.choices(player) != 2) {
            solved.skip(NAME, "it is for two players with two actions");
            return;
        }
        let named = match *self.cooperate {
            [Some(first), Some(second)] => Some([first, second]),
            _ => None,
        };
        let entries = named.unwrap_or([0, 0]);
        let error = self.request.error;
        let note = format!(
            "to cooperate is {}{}; error probability {error}{}",
            self.frame.actions[0][entries[0] as usize],
            if named.is_some() { "" } else { ", the first action" },
            if error > 0.0 { "" } else { "; -: it depends on the first round" }
        );
        let mut put = solved.solver(NAME, note);
        let strategies = &self.request.strategies;
        for (at, (first, one)) in strategies.iter().enumerate() {
            let from = if self.pairwise.is_some() { at } else { 0 };
            for (second, other) in &strategies[from..] {
                let meeting = Meeting::of(*one, *other, error);
                let put = put.profile(format!("({first}, {second})"));
                for (player, name) in self.shown() {
                    let of = |pair: [f64; 2]| pair[player];
                    let meeting = meeting.as_ref();
                    put.player(name)
                        .put("cooperation", meeting.map(|one| of(one.cooperation())))
                        .put(
                            "payoff",
                            meeting.map(|one| self.amount(of(one.payoffs(self.payoffs, entries)))),
                        );
                }
            }
        }
    }
}

/// The game as a table, unless it has more profiles than that.
fn matrix(payoffs: &Payoffs, most: u64) -> Option<Matrix> {
    let profiles = (0..payoffs.players())
        .fold(1_u64, |all, player| all.saturating_mul(payoffs.choices(player).into()));
    if profiles <= most { payoffs.to_matrix() } else { None }
}
