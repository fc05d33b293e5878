//! Long-run play of finite populations, and of strategies that remember one round.

use super::stage::Stage;
use super::{Request, Tables};
use crate::table::{Cell, Column, Table};
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
    pub(super) fn populations(&self, tables: &mut Tables) {
        const NAME: &str = "alpha_rank";
        let Request { alpha, population, .. } = *self.request;
        let columns = ["populations", "profile"].map(Column::text);
        let columns = columns.into_iter().chain([Column::figure("share")]);
        let mut ranks = Table::new(NAME, columns);
        let mut rank = |kind: &str, names: Vec<Cell>, shares: Vec<f64>| {
            let mut order: Vec<usize> = (0..shares.len()).collect();
            order.order_by(|&a, &b| shares[b].total_cmp(&shares[a]));
            for at in order {
                ranks.row([kind.into(), names[at].clone(), shares[at].into()]);
            }
        };
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
        let mut fixations = None;
        match one {
            Some((Some(fixation), population)) => {
                let columns = ["residents", "mutant"].map(Column::text);
                let figures = ["probability", "log10", "over_neutral"].map(Column::figure);
                let mut table = Table::new("fixation", columns.into_iter().chain(figures));
                for (resident, row) in fixation.iter().enumerate() {
                    for (mutant, log) in row.iter().enumerate().filter(|&(to, _)| to != resident) {
                        table.row([
                            self.action(0, resident as u32),
                            self.action(0, mutant as u32),
                            libm::exp(*log).into(),
                            (log / std::f64::consts::LN_10).into(),
                            (libm::exp(*log) * f64::from(population)).into(),
                        ]);
                    }
                }
                table.note(format!(
                    "a single mutant takes over a population of {}, who imitate each other with \
                     intensity {alpha}; over neutral: against one that gets the same",
                    count(population.into())
                ));
                let names = (0..fixation.len()).map(|action| self.action(0, action as u32));
                rank("one", names.collect(), alpha_rank::one_population(fixation));
                fixations = Some(table);
            }
            Some((None, _)) => {
                let reason = "too many strategies or players in the population";
                tables.skip(NAME, reason);
                tables.skip("fixation", reason);
            }
            None => tables.skip("fixation", "the game is not symmetric"),
        }
        match matrix(self.payoffs, STATES as u64) {
            _ if self.frame.is_symmetric => {}
            Some(game) => {
                let names = game.profiles().map(|profile| self.frame.told(&profile).into());
                let shares = alpha_rank::populations(&game, population, alpha);
                rank("one a player", names.collect(), shares);
            }
            None => tables.skip(NAME, format!("more than {STATES} profiles")),
        }
        ranks.note("share of time where mutants are rare; in one population all play the same");
        if !ranks.is_empty() {
            tables.done.push(ranks);
        }
        tables.done.extend(fixations);
    }

    /// Lists the mean payoffs of memory-one strategies against each other.
    pub(super) fn memory_one(&self, tables: &mut Tables) {
        const NAME: &str = "memory_one";
        if self.payoffs.players() != 2 || (0..2).any(|player| self.payoffs.choices(player) != 2) {
            tables.skip(NAME, "it is for two players with two actions");
            return;
        }
        let columns = ["first", "second"].map(Column::text).into_iter();
        let figures = ["first_cooperates", "second_cooperates", "first_gets", "second_gets"];
        let mut table = Table::new(NAME, columns.chain(figures.map(Column::figure)));
        let strategies = &self.request.strategies;
        for (at, (first, one)) in strategies.iter().enumerate() {
            let from = if self.pairwise.is_some() { at } else { 0 };
            for (second, other) in &strategies[from..] {
                let meeting = Meeting::of(*one, *other, self.request.error);
                let [cooperates, gets] = match meeting {
                    Some(meeting) => [
                        meeting.cooperation(),
                        meeting.payoffs(self.payoffs).map(|one| self.amount(one)),
                    ]
                    .map(|two| two.map(Some)),
                    None => [[None; 2]; 2],
                };
                let figures = cooperates.into_iter().chain(gets).map(Cell::from);
                table.row(
                    [first.as_str().into(), second.as_str().into()].into_iter().chain(figures),
                );
            }
        }
        let error = self.request.error;
        table.note(format!(
            "to cooperate is the first action, {}; error probability {error}{}",
            self.frame.actions[0][0],
            if error > 0.0 { "" } else { "; -: it depends on the first round" }
        ));
        tables.done.push(table);
    }
}

/// The game as a table, unless it has more profiles than that.
fn matrix(payoffs: &Payoffs, most: u64) -> Option<Matrix> {
    let profiles = (0..payoffs.players())
        .fold(1_u64, |all, player| all.saturating_mul(payoffs.choices(player).into()));
    if profiles <= most { payoffs.to_matrix() } else { None }
}
