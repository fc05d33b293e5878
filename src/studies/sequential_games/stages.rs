//! Steps of planning, queues of a class, and classes that share their fastest sites.

use serde::Deserialize;

use super::drawn::{Instance, Shape};
use super::letter::Letter;
use super::played::{planned, player};
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use policy::tasks::game_quick::{GameQuick, Options};
use policy::tasks::{Plan, Problem, TaskPlanner, replay};

/// Stages of the game behind the first plan.
pub(super) fn stages(problem: &Problem<'_>, planner: &impl TaskPlanner) -> f64 {
    let mut plan = Plan::default();
    planner.plan(problem, &mut plan);
    let placed = plan.stages.iter().filter(|stage| stage.makespan.is_none()).count();
    (plan.stages.len() - placed) as f64
}

/// Steps of planning in those of Game-quick, as times would depend on the machine: one activity after the
/// other by the paper's own orders of growth, and by groups of what is alike.
pub(super) fn steps(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    asked.each(1, |sample| {
        let instance = shape.draw(asked.seed, sample)?;
        let problem = instance.problem();
        let quick = GameQuick::new(&Options::default());
        let games = replay(&problem, &quick).plans as f64;
        let game = games
            * stages(&problem, &quick)
            * (instance.sites.len() * instance.work.classes.len()) as f64;
        let entries = |key: &str| {
            let mut plan = Plan::default();
            player(key).build().plan(&problem, &mut plan);
            plan.lanes.iter().map(|lane| lane.runs.len()).sum::<usize>() as f64 / game
        };
        let (n, m) = (instance.work.tasks() as f64, instance.processors() as f64);
        let groups = entries("min_min={}");
        Ok(vec![
            ("activities", n / game),
            ("m N", n * m / game),
            ("m N^2", n * n * m / game),
            ("MET by groups", entries("met={}")),
            ("MCT by groups", entries("mct={}")),
            ("Min-min by groups", groups),
            ("one by one in groups", n * n * m / game / groups),
        ])
    })
}

/// Difference of the times at which the queues of a class end, in parts.
pub(super) fn queues(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    asked.each(1, |sample| {
        let letter = Letter::of(&shape.draw(asked.seed, sample)?);
        let mut spread = 0.0_f64;
        letter.play(20, |_, now| {
            for (k, end) in now.times.iter().enumerate() {
                for (i, theta) in
                    now.theta[k].iter().enumerate().filter(|(_, theta)| **theta > 1e-9)
                {
                    let own = now.delta[k][i] * letter.times[k][i] / theta;
                    spread = spread.max((own / end - 1.0).abs());
                }
            }
            false
        });
        Ok(vec![("spread", spread)])
    })
}

/// Number of sites that are the fastest of some of eight classes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fastest {
    distinct: u64,
}

/// Makespan of MET in that of OLB, where classes share their fastest sites.
pub(super) fn own_sites(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Fastest { distinct } = asked.options()?;
    let time = |class: u64, site: u64| if class % distinct == site { 4.0 } else { 9.0 };
    let times: Vec<Vec<f64>> =
        (0..8).map(|class| (0..8).map(|site| time(class, site)).collect()).collect();
    let rows: Vec<&[f64]> = times.iter().map(Vec::as_slice).collect();
    let instance = Instance::bag(&[8; 8], &[400; 8], &rows);
    let of = |key: &str| planned(&instance, &player(key));
    Ok(exact([("ratio", of("met={}") / of("olb={}"))]))
}
