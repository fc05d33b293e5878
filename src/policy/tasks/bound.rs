//! Linear programs over tasks that may be divided: the smallest makespan, which bounds that of every
//! plan, and the smallest cost within a deadline.
//!
//! All processors count as free from the start, and precedence is left out, so these are bounds from
//! below. Variables are parts of classes and the makespan counts in multiples of an upper bound, so that
//! coefficients are of the order of 1 whatever the unit of time.

use microlp::{ComparisonOp, OptimizationDirection, Variable};

use super::players::{Players, tails};
use super::{HELD, Problem};

/// A solution of a linear program.
#[derive(Clone, Debug, PartialEq)]
pub struct Fractional {
    /// The smallest makespan in units of time, or the smallest cost.
    pub value: f64,
    /// Tasks by position of the class and site.
    pub tasks: Vec<Vec<f64>>,
}

/// The part of each class that each site does: a variable for each pair that can be.
struct Program<'p> {
    problem: &'p Problem<'p>,
    players: Players,
    lp: microlp::Problem,
    parts: Vec<Option<Variable>>,
}

impl<'p> Program<'p> {
    /// All tasks of each class are done; a part of a class at a site costs `cost`.
    fn new(problem: &'p Problem<'p>, cost: impl Fn(&Players, usize) -> f64) -> Program<'p> {
        let players = Players::all(problem);
        let mut lp = microlp::Problem::new(OptimizationDirection::Minimize);
        let mut parts = Vec::with_capacity(players.rates.len());
        for (at, &rate) in players.rates.iter().enumerate() {
            let can = rate > 0.0;
            parts.push(can.then(|| lp.add_var(cost(&players, at), (0.0, f64::INFINITY))));
        }
        for row in parts.chunks(players.sites().max(1)) {
            let row: Vec<(Variable, f64)> = row.iter().flatten().map(|&part| (part, 1.0)).collect();
            lp.add_constraint(row.as_slice(), ComparisonOp::Eq, 1.0);
        }
        Program { problem, players, lp, parts }
    }

    /// Bounds the time of the processors at each site by a length of time, and what they hold over that
    /// time if `limited`. The length is `unit` times the variable, or `unit`.
    fn within(&mut self, unit: f64, variable: Option<Variable>, limited: bool) {
        let players = &self.players;
        let sites = players.sites();
        for site in 0..sites {
            for held in 0..if limited { 1 + HELD } else { 1 } {
                let limit = match held {
                    0 => players.processors[site],
                    thing => players.limits[thing - 1][site],
                };
                if !limit.is_finite() || limit <= 0.0 {
                    continue;
                }
                let mut row = Vec::new();
                for class in 0..players.classes() {
                    let at = class * sites + site;
                    let takes = if held == 0 { 1.0 } else { players.needs[held - 1][class] };
                    if let Some(part) = self.parts[at].filter(|_| takes > 0.0) {
                        let time = players.tasks[class] / players.rates[at];
                        row.push((part, time / unit * (takes / limit)));
                    }
                }
                let most = match variable {
                    Some(variable) => {
                        row.push((variable, -1.0));
                        0.0
                    }
                    None => 1.0,
                };
                self.lp.add_constraint(row.as_slice(), ComparisonOp::Le, most);
            }
        }
    }

    /// Solves it.
    fn solve(&self, scale: f64) -> Option<Fractional> {
        let outcome = self.lp.solve().ok()?;
        let solution = outcome.solution()?;
        let sites = self.players.sites();
        let mut tasks = vec![vec![0.0; sites]; self.problem.classes.len()];
        for (class, &position) in self.players.positions.iter().enumerate() {
            let row = &mut tasks[position as usize];
            for (site, tasks) in row.iter_mut().enumerate() {
                if let Some(part) = self.parts[class * sites + site] {
                    *tasks = solution.var_value(part).max(0.0) * self.players.tasks[class];
                }
            }
        }
        Some(Fractional { value: solution.objective() * scale, tasks })
    }
}

/// The smallest makespan of tasks that may be divided, in units of time from now. Classes that can run
/// nowhere are left out; `limited` counts storage and memory. `None` if the solver gives up.
pub fn least_makespan(problem: &Problem<'_>, limited: bool) -> Option<Fractional> {
    let mut program = Program::new(problem, |_, _| 0.0);
    if program.players.is_empty() {
        let tasks = vec![vec![0.0; problem.sites.len()]; problem.classes.len()];
        return Some(Fractional { value: 0.0, tasks });
    }
    // One after the other, with the grid to itself each.
    let players = &program.players;
    let unit: f64 = (0..players.classes()).map(|class| players.alone(class)).sum();
    let makespan = program.lp.add_var(1.0, (0.0, f64::INFINITY));
    program.within(unit, Some(makespan), limited);
    program.solve(unit)
}

/// A bound from below on the makespan of any plan, in units of time from now: the linear program, or the
/// longest chain of stand-alone times if that is more. The bound is weak if many classes wait for
/// others.
pub fn least_end(problem: &Problem<'_>, limited: bool) -> f64 {
    let program = least_makespan(problem, limited).map_or(0.0, |solution| solution.value);
    let all = Players::all(problem);
    let tails = tails(problem);
    let mut longest = program;
    for (class, &position) in all.positions.iter().enumerate() {
        let ready = problem.classes[position as usize].ready.max(problem.now) - problem.now;
        let chain = ready.as_units() + all.alone(class) + tails[position as usize];
        longest = longest.max(chain);
    }
    longest
}

/// The smallest cost of doing all tasks, which may be divided, in a length of time, given in units.
/// `None` if that is too short, or the solver gives up.
pub fn least_cost(problem: &Problem<'_>, length: f64, limited: bool) -> Option<Fractional> {
    let cost = |players: &Players, at: usize| {
        let (class, site) = (at / players.sites(), at % players.sites());
        players.tasks[class] / players.rates[at] * players.prices[site]
    };
    let all = Players::all(problem);
    let costs = all.rates.iter().enumerate().filter(|(_, rate)| **rate > 0.0);
    let scale = costs.map(|(at, _)| cost(&all, at)).fold(0.0, f64::max);
    let scale = if scale > 0.0 { scale } else { 1.0 };
    let mut program = Program::new(problem, |players, at| cost(players, at) / scale);
    program.within(length, None, limited);
    program.solve(scale)
}
