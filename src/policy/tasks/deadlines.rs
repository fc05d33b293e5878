//! Deadlines of classes, and the first phase of a plan that keeps them: Duan, Prodan and Li, Future
//! Generation Computer Systems, 2014, section 4.1.
//!
//! A class gets a deadline that leaves time for what waits for it. Deadlines cut time into phases, and
//! the tasks of a class are split among those before its deadline. A plan is for the phase that begins
//! now.

use super::Problem;
use super::players::{Players, tails};
use kernel::time::Time;
use model::bounds::parameters;

/// Classes without a deadline have this many times the time in which one processor of each site could do
/// everything.
const LONG: f64 = 1e6;

parameters! {
    /// Rule that derives the deadlines of classes from their application's.
    #[derive(Copy, Eq)]
    pub enum Deadlines {
        /// The time left is divided in proportion to the stand-alone times along the longest chain, and
        /// the tasks of a class in proportion to the lengths of its phases.
        Proportional,
        /// As in the paper: stand-alone times are subtracted from the end, and the tasks are divided
        /// evenly among the phases. A stand-alone time assumes that a class has the grid to itself, so
        /// late phases are too short if classes share the grid.
        Literal,
    }
}

/// A phase of a plan.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    /// The classes that are ready, with the tasks that the phase is for.
    pub players: Players,
    /// Its length in units of time, more than nothing.
    pub length: f64,
}

impl Deadlines {
    /// The phase that begins now. A class whose deadline cannot be kept gets the earliest that it could
    /// keep with the grid to itself.
    pub(super) fn phase(self, problem: &Problem<'_>) -> Phase {
        let mut players = Players::ready(problem);
        let deadlines = self.all(problem);
        let of = |&position: &u32| deadlines[position as usize];
        let own: Vec<f64> = players.positions.iter().map(of).collect();
        let length = own.iter().copied().fold(f64::INFINITY, f64::min);
        let mut ends: Vec<f64> = deadlines.into_iter().filter(|end| *end > 0.0).collect();
        ends.sort_unstable_by(f64::total_cmp);
        ends.dedup();
        for (tasks, end) in players.tasks.iter_mut().zip(&own) {
            match self {
                Deadlines::Proportional => *tasks *= length / end,
                Deadlines::Literal => {
                    let phases = ends.partition_point(|one| one <= end)
                        - ends.partition_point(|one| *one < length);
                    *tasks /= phases.max(1) as f64;
                }
            }
        }
        Phase { players, length }
    }

    /// Units of time until the deadline of each class by position; 0 for those that can run nowhere.
    fn all(self, problem: &Problem<'_>) -> Vec<f64> {
        let all = Players::all(problem);
        let tails = tails(problem);
        let mut longest = vec![0.0_f64; problem.applications.len()];
        let mut most = 0.0;
        for (class, &position) in all.positions.iter().enumerate() {
            let application = problem.classes[position as usize].application as usize;
            let chain = all.alone(class) + tails[position as usize];
            longest[application] = longest[application].max(chain);
            let slowest = all.row(class).iter().filter(|rate| **rate > 0.0);
            let rate = slowest.fold(f64::INFINITY, |slowest, &rate| slowest.min(rate));
            most += all.tasks[class] / rate;
        }
        let mut deadlines = vec![0.0; problem.classes.len()];
        for (class, &position) in all.positions.iter().enumerate() {
            let application = problem.classes[position as usize].application as usize;
            let left = match problem.applications[application].deadline {
                Time::NEVER => most * LONG,
                deadline if deadline > problem.now => (deadline - problem.now).as_units(),
                _ => 0.0,
            };
            let tail = tails[position as usize];
            let deadline = match self {
                Deadlines::Proportional => left * (1.0 - tail / longest[application]),
                Deadlines::Literal => left - tail,
            };
            deadlines[position as usize] = deadline.max(all.alone(class));
        }
        deadlines
    }
}
