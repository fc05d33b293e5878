//! Game-quick, the game for a small makespan, of Duan, Prodan and Li, Future Generation Computer
//! Systems, 2014, algorithm 1.
//!
//! The classes that are ready divide all processors of the grid in a sequential game. They play again
//! whenever a class is done: a single game is no better than Min-min. Besides the budgets that follow
//! from the paper's weights there are two kinds that aim at the makespan itself.

use super::players::{Players, tails};
use super::stages::Game;
use super::{HELD, Plan, Problem, Share, Stage, TaskPlanner};
use model::bounds::{Bounds, Inside, ONE_OR_MORE, parameters};

/// A time, which may be below nothing.
const EPSILON: Bounds<'_> = Bounds::of("a time").unit("units of time");
/// A factor that may be nothing.
const FACTOR: Bounds<'_> = Bounds::of("a factor").from(0.0).to(1000.0);
/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;

parameters! {
    /// Parameters of Game-quick.
    #[serde(default)]
    pub struct Options {
        /// A game ends with the first stage, from the second on, in which the sum of all times falls by
        /// at most this much. The default is that of the paper. The number of stages then depends on
        /// rounding errors, which are the same on every machine, and the shares hardly do. Any other
        /// default would have to know how long the tasks are. A negative one lets the sum rise by that
        /// much, to see what comes after the paper's end.
        epsilon: f64 as EPSILON = 0.0,
        /// A game ends with this stage at the latest.
        stages: u32 as ONE_OR_MORE = 1000,
        /// The budgets with which classes bid.
        budgets: Budgets as INSIDE = Budgets::Weights,
        /// With `budgets = "critical_path"`, the longest chain of stand-alone times behind a class
        /// counts this many times.
        factor: f64 as FACTOR = 2.0,
        /// Treatment of classes that have one task left or less.
        sequential: Sequential as INSIDE = Sequential::Game,
    }
}

parameters! {
    /// The budgets with which classes bid.
    #[derive(Copy, Eq)]
    pub enum Budgets {
        /// From the paper's weights, fixed: the tasks of a class over the sum of its rates.
        Weights,
        /// Adapted in each stage until all classes end together.
        Adaptive,
        /// Adapted in each stage until all classes, with what waits for them, end together.
        CriticalPath,
    }
}

parameters! {
    /// Treatment of classes that have one task left or less.
    #[derive(Copy, Eq)]
    pub enum Sequential {
        /// They play like all others.
        Game,
        /// Each takes a processor of the fastest site that has one, in order of the classes, before the
        /// others play for the rest (section 2.2 of the paper). Those that find none wait.
        Fastest,
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct GameQuick {
    options: Options,
}

impl GameQuick {
    /// A planner with these parameters.
    pub fn new(options: &Options) -> GameQuick {
        GameQuick { options: options.clone() }
    }
}

impl Options {
    /// Plays with a repair of the processors after each division; returns the processors by class and
    /// site, and the stages.
    pub(super) fn play(
        &self,
        problem: &Problem<'_>,
        players: &Players,
        mut repair: impl FnMut(&Game<'_>, &mut [f64]),
    ) -> (Vec<f64>, Vec<Stage>) {
        if players.is_empty() {
            return Default::default();
        }
        let mut game = Game::new(players);
        match self.budgets {
            Budgets::Weights => game.play_all(self.epsilon, self.stages, &mut repair),
            Budgets::Adaptive => {
                game.play_adaptive(&vec![0.0; players.classes()], self.stages, &mut repair);
            }
            Budgets::CriticalPath => {
                let tails = tails(problem);
                let of = |&position: &u32| tails[position as usize] * self.factor;
                let tails: Vec<f64> = players.positions.iter().map(of).collect();
                game.play_adaptive(&tails, self.stages, &mut repair);
            }
        }
        (game.theta, game.stages)
    }

    /// The players of a problem, without the classes that take a processor each.
    pub(super) fn players(&self, problem: &Problem<'_>, out: &mut Plan) -> Players {
        match self.sequential {
            Sequential::Game => Players::ready(problem),
            Sequential::Fastest => on_demand(problem, out),
        }
    }
}

/// Gives the classes with one task a processor each; returns the others, with the processors that are
/// left.
fn on_demand(problem: &Problem<'_>, out: &mut Plan) -> Players {
    let all = Players::ready(problem);
    let mut left = all.processors.clone();
    let mut others = Players::none(problem);
    for (class, &position) in all.positions.iter().enumerate() {
        if all.tasks[class] > 1.0 {
            continue;
        }
        let mut fastest: Option<(usize, f64)> = None;
        for (site, &rate) in all.row(class).iter().enumerate() {
            let is_faster = fastest.is_none_or(|(_, most)| rate > most);
            let fits = (0..HELD).all(|held| all.needs[held][class] <= others.limits[held][site]);
            if left[site] >= 1.0 && rate > 0.0 && is_faster && fits {
                fastest = Some((site, rate));
            }
        }
        if let Some((site, _)) = fastest {
            left[site] -= 1.0;
            for (limits, needs) in others.limits.iter_mut().zip(&all.needs) {
                limits[site] -= needs[class];
            }
            let class = problem.classes[position as usize].number;
            out.shares.push(Share { class, site: site as u32, processors: 1.0 });
        }
    }
    others.processors = left;
    for (class, &position) in all.positions.iter().enumerate() {
        if all.tasks[class] > 1.0 {
            others.add(position, &problem.classes[position as usize]);
        }
    }
    others
}

impl TaskPlanner for GameQuick {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        let players = self.options.players(problem, out);
        let theta;
        (theta, out.stages) = self.options.play(problem, &players, |_, _| {});
        players.write(&theta, out);
    }
}
