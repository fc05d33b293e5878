//! The solution of a game as tables: equilibria, efficiency, long-run play, and shares of what a
//! coalition earns.

mod evolved;
mod replies;
mod schedules;
mod shares;
mod stage;

use crate::table::{Column, ColumnOf, Format, Table, columns};
use crate::words::prose::Prose;
use game::memory_one::MemoryOne;
use scenario::plan::{GamePlan, Plan, Solvable, SolvedGame, World};

/// Names of all tables. The last one lists the others that are missing, with the reason.
pub const NAMES: [&str; 16] = [
    "pure_equilibria",
    "mixed_equilibria",
    "efficiency",
    "dominance",
    "logit_equilibria",
    "alpha_rank",
    "fixation",
    "memory_one",
    "allocations",
    "core",
    "schedules",
    "fronts",
    "equitable_front",
    "control",
    "core_without_payments",
    "skipped",
];

/// Parameters of the solution concepts.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Precisions of logit equilibria, not negative.
    pub logit: Vec<f64>,
    /// Intensity of selection in finite populations, not negative.
    pub alpha: f64,
    /// Size of a population, at least 2.
    pub population: u32,
    /// Memory-one strategies with their names.
    pub strategies: Vec<(String, MemoryOne)>,
    /// Probability that a memory-one strategy errs.
    pub error: f64,
}

/// Tables of a game, and what is missing.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// The tables.
    pub done: Vec<Table>,
    /// Tables that are missing or cut short, with the reason.
    pub skipped: Vec<(&'static str, String)>,
}

impl Tables {
    fn skip(&mut self, name: &'static str, reason: impl Into<String>) {
        self.skipped.push((name, reason.into()));
    }

    /// Adds a table of rows by their columns, with a note if there is one.
    fn add<'a, R>(
        &mut self,
        name: &'static str,
        rows: impl IntoIterator<Item = R>,
        columns: impl IntoIterator<Item = ColumnOf<'a, R>>,
        note: impl Into<String>,
    ) {
        self.done.push(Table::by_columns(name, rows, columns).with_note(note));
    }

    /// All tables, the last of which says what is missing.
    pub fn all(&self) -> Vec<Table> {
        let columns = columns![|(name, reason): &(&str, &str)|
            Column::text("table") => *name,
            Column::prose("reason") => *reason,
        ];
        let rows = self.skipped.iter().map(|(name, reason)| (*name, &**reason));
        self.done.iter().cloned().chain([Table::by_columns("skipped", rows, columns)]).collect()
    }
}

/// The members of a coalition: `a + b`.
fn members(names: &[String], coalition: u32) -> String {
    let names = names.iter().enumerate().filter(|(at, _)| coalition >> at & 1 == 1);
    names.map(|(_, name)| &**name).collect::<Vec<&str>>().join(" + ")
}

/// Solves the game of a plan; another plan has no tables.
pub fn tables(plan: &Plan, request: &Request) -> Tables {
    let mut tables = Tables::default();
    match &plan.world {
        World::Game(game) => stage::solve(GamePlan { plan, game }, request, &mut tables),
        World::Solved(SolvedGame { players, game }) => match game {
            Solvable::Coalitional(game) => shares::solve(players, game, &mut tables),
            Solvable::Dedicated(game) => schedules::solve(players, game, &mut tables),
        },
        World::Grid | World::Coalition(_) | World::Campaign(_) => {}
    }
    tables
}

/// The tables as a person reads them, each under its name.
pub fn text(plan: &Plan, tables: &Tables, width: Option<usize>) -> String {
    let mut out = Prose::new(width);
    out.line(plan.title());
    for table in &tables.done {
        let name = table.name().replace('_', " ");
        match table.is_empty() {
            true => out.line(format!("\n{name}: none")),
            false => {
                out.line(format!("\n{name}"));
                out.line(table.render(Format::Text, width).trim_end());
            }
        }
    }
    for (at, (name, reason)) in tables.skipped.iter().enumerate() {
        let gap = if at == 0 { "\n" } else { "" };
        out.line(format!("{gap}skipped: {}: {reason}", name.replace('_', " ")));
    }
    out.done()
}
