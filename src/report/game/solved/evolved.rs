//! Long-run play of finite populations, and of strategies that remember one round.

use super::stage::Stage;
use super::{Request, Tables};
use crate::table::{Column, Table, columns};
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
        let mut ranks = Vec::new();
        let mut rank = |kind: &'static str, names: Vec<String>, shares: Vec<f64>| {
            let mut order: Vec<_> = names.into_iter().zip(shares).collect();
            order.order_by(|one, other| other.1.total_cmp(&one.1));
            ranks.extend(order.into_iter().map(|(name, share)| (kind, name, share)));
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
                let rows = fixation.iter().enumerate().flat_map(|(resident, row)| {
                    let others = row.iter().enumerate().filter(move |&(to, _)| to != resident);
                    others.map(move |(mutant, log)| (resident, mutant, *log))
                });
                let columns = columns![|(resident, mutant, log): &(usize, usize, f64)|
                    Column::text("residents") => self.action(0, *resident as u32),
                    Column::text("mutant") => self.action(0, *mutant as u32),
                    Column::figure("probability") => libm::exp(*log),
                    Column::figure("log10") => log / std::f64::consts::LN_10,
                    Column::figure("over_neutral") => libm::exp(*log) * f64::from(population),
                ];
                let note = format!(
                    "a single mutant takes over a population of {}, who imitate each other with \
                     intensity {alpha}; over neutral: against one that gets the same",
                    count(population.into())
                );
                fixations = Some(Table::by_columns("fixation", rows, columns).with_note(note));
                let names = 0..fixation.len();
                let names = names.map(|action| self.action(0, action as u32).to_owned());
                rank("one", names.collect(), alpha_rank::one_population(fixation));
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
                let names = game.profiles().map(|profile| self.frame.told(&profile));
                let shares = alpha_rank::populations(&game, population, alpha);
                rank("one a player", names.collect(), shares);
            }
            None => tables.skip(NAME, format!("more than {STATES} profiles")),
        }
        if !ranks.is_empty() {
            let columns = columns![|(kind, profile, share): &(&str, String, f64)|
                Column::text("populations") => *kind,
                Column::text("profile") => &**profile,
                Column::figure("share") => *share,
            ];
            let note = "share of time where mutants are rare; in one population all play the same";
            tables.add(NAME, ranks, columns, note);
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
        let strategies = &self.request.strategies;
        let rows = strategies.iter().enumerate().flat_map(|(at, (first, one))| {
            let from = if self.pairwise.is_some() { at } else { 0 };
            strategies[from..].iter().map(move |(second, other)| {
                (first, second, Meeting::of(*one, *other, self.request.error))
            })
        });
        let named = match *self.cooperate {
            [Some(first), Some(second)] => Some([first, second]),
            _ => None,
        };
        let entries = named.unwrap_or([0, 0]);
        let gets = |meeting: &Option<Meeting>, at: usize| {
            meeting.as_ref().map(|one| self.amount(one.payoffs(self.payoffs, entries)[at]))
        };
        let columns = columns![|(first, second, meeting): &(&String, &String, Option<Meeting>)|
            Column::text("first") => first.as_str(),
            Column::text("second") => second.as_str(),
            Column::figure("first_cooperates") => meeting.as_ref().map(|one| one.cooperation()[0]),
            Column::figure("second_cooperates") => meeting.as_ref().map(|one| one.cooperation()[1]),
            Column::figure("first_gets") => gets(meeting, 0),
            Column::figure("second_gets") => gets(meeting, 1),
        ];
        let error = self.request.error;
        tables.add(
            NAME,
            rows,
            columns,
            format!(
                "to cooperate is {}{}; error probability {error}{}",
                self.frame.actions[0][entries[0] as usize],
                if named.is_some() { "" } else { ", the first action" },
                if error > 0.0 { "" } else { "; -: it depends on the first round" }
            ),
        );
    }
}

/// The game as a table, unless it has more profiles than that.
fn matrix(payoffs: &Payoffs, most: u64) -> Option<Matrix> {
    let profiles = (0..payoffs.players())
        .fold(1_u64, |all, player| all.saturating_mul(payoffs.choices(player).into()));
    if profiles <= most { payoffs.to_matrix() } else { None }
}
