//! Builds payoffs from the forms in which they can be written.

use super::{LARGEST, Resolver, path};
use crate::path::Path;
use crate::raw::{Bimatrix, CountsForm, PayoffsForm, TableForm};
use game::counts::Counts;
use game::matrix::Matrix;
use game::pairwise::Pairwise;
use game::payoffs::Payoffs;
use stats::shown::counted;

/// Maximum number of payoffs in a table.
const MOST: u64 = 1 << 24;

impl Resolver<'_> {
    /// Returns the payoffs for the given number of declared players, if they are valid.
    pub(super) fn payoffs(&mut self, players: usize) -> Option<Payoffs> {
        let at = path("game.payoffs").key(self.raw.game.payoffs.name());
        let before = self.errors.len();
        let payoffs = match &self.raw.game.payoffs {
            PayoffsForm::Symmetric(row) => {
                self.square(row, &at);
                self.are_many(players, 2, &at);
                self.of_two(before, row, |i, j| row[j][i])
            }
            PayoffsForm::ZeroSum(row) => {
                self.rectangle(row, &at);
                self.are_many(players, 2, &at);
                self.of_two(before, row, |i, j| 0.0 - row[i][j])
            }
            PayoffsForm::Bimatrix(Bimatrix { row, column }) => {
                self.rectangle(row, &at.clone().key("row"));
                self.rectangle(column, &at.clone().key("column"));
                self.are_many(players, 2, &at);
                if self.errors.len() == before {
                    self.alike(row, column, &at.clone().key("column"));
                }
                self.of_two(before, row, |i, j| column[i][j])
            }
            PayoffsForm::Counts(form) => self.counts(form, players, &at),
            PayoffsForm::Pairwise(row) => self.pairwise(row, players, &at),
            PayoffsForm::Table(form) => self.table(form, players, &at),
            PayoffsForm::Sizes(_) | PayoffsForm::Coalitions(_) | PayoffsForm::Dedicated(_) => None,
        };
        payoffs.filter(|_| self.errors.len() == before)
    }

    /// Returns a two-player game, if no mistake was found in it.
    fn of_two(
        &self,
        before: usize,
        row: &[Vec<f64>],
        column: impl Fn(usize, usize) -> f64,
    ) -> Option<Payoffs> {
        let choices = [row.len() as u32, row.first()?.len() as u32];
        (self.errors.len() == before).then(|| {
            Payoffs::Table(Matrix::new(&choices, |player, profile| {
                let (i, j) = (profile[0] as usize, profile[1] as usize);
                if player == 0 { row[i][j] } else { column(i, j) }
            }))
        })
    }

    fn counts(&mut self, form: &CountsForm, players: usize, at: &Path) -> Option<Payoffs> {
        let CountsForm { out, joined } = form;
        let before = self.errors.len();
        let [of_out, of_in] = ["out", "in"].map(|key| at.clone().key(key));
        self.numbers(out, &of_out);
        self.numbers(joined, &of_in);
        if out.len() != joined.len() {
            let message = format!("`out` has {} and `in` has {}", numbers(out.len()), joined.len());
            self.help(of_in, message, "give one for each number of others, from none to all");
            return None;
        }
        if out.len() < 2 {
            self.help(of_out, "a game has at least two players", "give one number a player");
            return None;
        }
        self.are_many(players, out.len(), at);
        if self.errors.len() > before {
            return None;
        }
        let pays = |own: u32, others: usize| if own == 1 { joined[others] } else { out[others] };
        Some(Payoffs::Counts(Counts::new(players, pays)))
    }

    fn pairwise(&mut self, row: &[Vec<f64>], players: usize, at: &Path) -> Option<Payoffs> {
        let before = self.errors.len();
        self.square(row, at);
        if players < 2 {
            self.too_few(players, at);
        }
        if self.errors.len() > before {
            return None;
        }
        Some(Payoffs::Pairwise(Pairwise::new(players, row.len() as u32, |own, other| {
            row[own as usize][other as usize]
        })))
    }

    fn table(&mut self, form: &TableForm, players: usize, at: &Path) -> Option<Payoffs> {
        let TableForm { choices, payoffs } = form;
        let of_choices = at.clone().key("choices");
        if choices.contains(&0) {
            return None;
        }
        if choices.len() < 2 {
            self.help(of_choices, "a game has at least two players", "give one number a player");
            return None;
        }
        self.are_many(players, choices.len(), at);
        if !self.is_small(choices, &of_choices) {
            return None;
        }
        let profiles: usize = choices.iter().map(|&count| count as usize).product();
        let of_payoffs = at.clone().key("payoffs");
        if payoffs.len() != profiles {
            let given = counted(payoffs.len() as u64, "list", "lists");
            let message = format!(
                "{given} of payoffs for {}",
                counted(profiles as u64, "profile", "profiles")
            );
            let help = "give a list for every profile, the last player's action running fastest";
            self.help(of_payoffs, message, help);
            return None;
        }
        for (index, list) in payoffs.iter().enumerate() {
            let at = of_payoffs.clone().index(index);
            self.numbers(list, &at);
            if list.len() != choices.len() {
                let players = counted(choices.len() as u64, "player", "players");
                let message = format!("for {players} there stand {}", numbers(list.len()));
                self.help(at, message, "give what the profile pays to each player");
            }
        }
        if !self.errors.is_empty() {
            return None;
        }
        let place = |profile: &[u32]| {
            let digits = profile.iter().zip(choices);
            digits.fold(0, |at, (&action, &count)| at * count as usize + action as usize)
        };
        Some(Payoffs::Table(Matrix::new(choices, |player, profile| {
            payoffs[place(profile)][player]
        })))
    }

    /// Checks that the number of players matches the payoffs.
    fn are_many(&mut self, players: usize, wanted: usize, at: &Path) {
        if players == wanted {
            return;
        }
        if players < 2 {
            self.too_few(players, at);
            return;
        }
        let message = format!("these payoffs are for {wanted} players, and there are {players}");
        let help = if wanted == 2 {
            "for more players write `payoffs.pairwise`, `payoffs.counts` or `payoffs.table`"
        } else {
            "change the payoffs, or a `count` of `[[player]]`"
        };
        self.help(at.clone(), message, help);
    }

    fn too_few(&mut self, players: usize, at: &Path) {
        let (at, message) = match players {
            0 => (at.clone(), "nobody plays this game"),
            _ => (path("player"), "one player alone plays no game"),
        };
        let help = "write a `[[player]]` with `name` and `learner` for each, or `count = 10`";
        self.help(at, message, help);
    }

    /// Checks that rows have equal length and payoffs are within range.
    fn rectangle(&mut self, rows: &[Vec<f64>], at: &Path) {
        let help = "give a list for each action of the first player, in it a number for each \
                    action of the other: `[[4, 0], [3, 2]]`";
        let Some(first) = rows.first().filter(|first| !first.is_empty()) else {
            self.help(at.clone(), "there are no payoffs", help);
            return;
        };
        for (index, row) in rows.iter().enumerate() {
            let at = at.clone().index(index);
            if row.len() != first.len() {
                let message =
                    format!("this row has {}, the first {}", numbers(row.len()), first.len());
                self.help(at, message, help);
            } else {
                self.numbers(row, &at);
            }
        }
    }

    fn square(&mut self, rows: &[Vec<f64>], at: &Path) {
        let before = self.errors.len();
        self.rectangle(rows, at);
        let columns = rows.first().map_or(0, Vec::len);
        if self.errors.len() == before && columns != rows.len() {
            let rows = counted(rows.len() as u64, "row", "rows");
            let message = format!("{rows} of {} are not for two alike", numbers(columns));
            let help = "give as many rows as columns, or write `payoffs.bimatrix` with `row` and \
                        `column`";
            self.help(at.clone(), message, help);
        }
    }

    /// Checks that the second player's payoffs have the shape of the first's.
    fn alike(&mut self, row: &[Vec<f64>], column: &[Vec<f64>], at: &Path) {
        let size = |rows: &[Vec<f64>]| (rows.len(), rows.first().map_or(0, Vec::len));
        let ((rows, columns), (other_rows, other_columns)) = (size(row), size(column));
        if (rows, columns) != (other_rows, other_columns) {
            let message = format!(
                "`column` is {other_rows} by {other_columns}, where `row` is {rows} by {columns}"
            );
            let help = "both have a row for each action of the first player and a column for each \
                        of the second";
            self.help(at.clone(), message, help);
        }
    }

    pub(super) fn numbers(&mut self, numbers: &[f64], at: &Path) {
        for (index, &number) in numbers.iter().enumerate() {
            self.number(number, at.clone().index(index));
        }
    }

    pub(super) fn number(&mut self, number: f64, at: Path) {
        if !number.is_finite() || number.abs() > LARGEST {
            let message = format!("{number:e} is no payoff");
            self.help(at, message, "give a number from -10^12 to 10^12");
        }
    }

    /// Checks that the table of payoffs is small enough to be written out.
    fn is_small(&mut self, choices: &[u32], at: &Path) -> bool {
        let profiles = choices.iter().fold(1_u64, |all, &count| all.saturating_mul(count.into()));
        let all = profiles.saturating_mul(choices.len() as u64);
        if all > MOST {
            let message = format!(
                "{} players have too many profiles: {MOST} payoffs is the most",
                choices.len()
            );
            self.help(at.clone(), message, "take fewer players or fewer actions");
        }
        all <= MOST
    }
}

/// Formats a count of numbers.
fn numbers(count: usize) -> String {
    counted(count as u64, "number", "numbers")
}
