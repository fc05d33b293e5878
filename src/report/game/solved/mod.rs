//! The solution of a game: equilibria, efficiency, long-run play, and shares of what a coalition earns.

mod evolved;
mod lines;
mod replies;
mod schedules;
mod shares;
mod stage;

use crate::table::Format;
use crate::words::prose::Prose;
use findings::game::ends::nothing;
use findings::game::frame::Frame;
use findings::game::solution::Solution;
use game::memory_one::MemoryOne;
use game::payoffs::Payoffs;
use scenario::plan::{GamePlan, Plan, Solvable, SolvedGame, World};

pub use lines::{Line, Solved};
pub(crate) use lines::{Put, columns};
use stage::Pure;

/// Names of all solvers, and of the table of those that are missing, with the reason.
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

/// The members of a coalition: `a + b`.
fn members(names: &[String], coalition: usize) -> String {
    let names = names.iter().enumerate().filter(|(at, _)| coalition >> at & 1 == 1);
    names.map(|(_, name)| &**name).collect::<Vec<&str>>().join(" + ")
}

/// Solves the game of a plan; another plan has no solution.
pub fn solve(plan: &Plan, request: &Request) -> Solved {
    let mut solved = Solved::default();
    match &plan.world {
        World::Game(game) => stage::solve(GamePlan { plan, game }, request, &mut solved),
        World::Solved(SolvedGame { players, game }) => match game {
            Solvable::Coalitional(game) => shares::solve(players, game, &mut solved),
            Solvable::Dedicated(game) => schedules::solve(players, game, &mut solved),
        },
        World::Grid | World::Coalition(_) | World::Campaign(_) => {}
    }
    solved
}

/// The pure equilibria and social optima of a small game; of a large one it is said that they are skipped.
pub(crate) fn put_small(frame: &Frame, payoffs: &Payoffs, solved: &mut Solved) {
    let Some(found) = Solution::of(frame, payoffs) else {
        return solved.skip("pure_equilibria", stage::TOO_MANY);
    };
    for (solver, profiles) in [("pure_equilibria", found.equilibria), ("optima", found.optima)] {
        let mut put = solved.solver(solver, "");
        for profile in profiles {
            Pure::of(payoffs, nothing(payoffs), profile).put(frame, &mut put);
        }
    }
}

/// The solution as a person reads it, a table for each solver under its name.
pub fn text(plan: &Plan, solved: &Solved, width: Option<usize>) -> String {
    let mut out = Prose::new(width);
    out.line(plan.title());
    let tables = solved.by_solver(true);
    for table in tables.iter().filter(|table| table.name() != "skipped") {
        let name = table.name().replace('_', " ");
        match table.is_empty() {
            true => out.line(format!("\n{name}: none")),
            false => {
                out.line(format!("\n{name}"));
                out.line(table.render(Format::Text, width).trim_end());
            }
        }
    }
    for (at, (name, reason)) in solved.skipped.iter().enumerate() {
        let gap = if at == 0 { "\n" } else { "" };
        out.line(format!("{gap}skipped: {}: {reason}", name.replace('_', " ")));
    }
    out.done()
}
