//! Steps of planning, and how results change with the size.

use serde::Deserialize;

use super::drawn::{Instance, Shape};
use super::letter::Letter;
use super::played::{Algorithm, planned, play};
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use policy::tasks::game_quick::{GameQuick, Options};
use policy::tasks::{Order, Plan, Problem, TaskPlanner, replay, sufferage::Second};

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
        let entries = |one: Algorithm| {
            let mut plan = Plan::default();
            one.player(Order::Classes, Second::Site).plan(&problem, &mut plan);
            plan.lanes.iter().map(|lane| lane.runs.len()).sum::<usize>() as f64 / game
        };
        let (n, m) = (instance.work.tasks() as f64, instance.processors() as f64);
        let groups = entries(Algorithm::MinMin);
        Ok(vec![
            ("activities", n / game),
            ("m N", n * m / game),
            ("m N^2", n * n * m / game),
            ("MET by groups", entries(Algorithm::Met)),
            ("MCT by groups", entries(Algorithm::Mct)),
            ("Min-min by groups", groups),
            ("one by one in groups", n * n * m / game / groups),
        ])
    })
}

/// Makespan of Game-quick in that of Min-min.
pub(super) fn lead(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let (shape, seed): (Shape, u64) = (asked.options()?, asked.seed);
    asked.each(1, |sample| {
        let instance = shape.draw(seed, sample)?;
        let [game, list] = [Algorithm::GameQuick, Algorithm::MinMin].map(|one| {
            Ok::<f64, StudyError>(
                play(&instance, &one.player(Order::Random, Second::Site), seed)?.makespan(),
            )
        });
        Ok(vec![("ratio", game? / list?)])
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
    let of = |one: Algorithm| planned(&instance, &one.player(Order::Classes, Second::Site));
    Ok(exact([("ratio", of(Algorithm::Met) / of(Algorithm::Olb))]))
}
