//! Numbers of stages: table 3 and figure 5; what planning takes; and how results change with the size.

use serde::Deserialize;

use super::drawn::{Instance, Kind, Shape};
use super::letter::Letter;
use super::played::{Algorithm, planned, play};
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use crate::picture::{Curve, Picture};
use policy::tasks::game_quick::{GameQuick, Options};
use policy::tasks::{Order, Plan, TaskPlanner, replay, sufferage::Second};
use report::picture::Scale;

/// Stages until the sum of times falls by no more than an epsilon, from the second stage on.
pub(super) fn stages(letter: &Letter, epsilons: [f64; 2]) -> [f64; 2] {
    let mut found = [1000.0; 2];
    let mut is_over = [false; 2];
    let mut before = f64::INFINITY;
    letter.play(1000, |stage, now| {
        let sum = now.sum();
        for at in 0..2 {
            if stage >= 2 && !is_over[at] && before - sum <= epsilons[at] {
                (is_over[at], found[at]) = (true, f64::from(stage));
            }
        }
        before = sum;
        is_over == [true; 2]
    });
    found
}

/// Numbers of stages with an epsilon of 0 and of 0.001.
pub(super) fn numbers(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    asked.each(1, |sample| {
        let [none, some] = stages(&Letter::of(&shape.draw(asked.seed, sample)?), [0.0, 1e-3]);
        let endless = f64::from(u8::from(none >= 1000.0));
        Ok(vec![("epsilon 0", none), ("epsilon 0.001", some), ("endless", endless)])
    })
}

/// Figure 5: the sum of times over the stages, in five instances of each kind.
pub(super) fn figure_5(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    let (mut all, mut curves) = (Figures::new(), Vec::new());
    for (kind, name) in [(Kind::Inconsistent, "inconsistent"), (Kind::Consistent, "consistent")] {
        let shape = Shape { kind, ..shape };
        let sums = asked.bench.each(5, |sample| {
            let letter = Letter::of(&shape.draw(asked.seed, sample)?);
            let mut sums = Vec::new();
            letter.play(shape.stages, |_, now| {
                sums.push(now.sum());
                false
            });
            Ok(sums)
        })?;
        let part = |sums: &[f64], at: usize| {
            let (first, last) = (sums[0], sums[sums.len() - 1]);
            (first - sums[at]) / (first - last)
        };
        let done = |sums: &Vec<f64>| {
            let found = (0..sums.len()).find(|&at| part(sums, at) >= 0.9);
            found.map_or(f64::from(shape.stages), |at| at as f64 + 1.0)
        };
        all.insert(name.to_owned(), sums.iter().map(done).collect());
        let points =
            |sums: &Vec<f64>| (0..sums.len()).map(|at| (at as f64 + 1.0, part(sums, at))).collect();
        let parts =
            sums.iter().enumerate().map(|(at, sums)| (format!("{name} {}", at + 1), points(sums)));
        curves.push(Curve::mean(name, parts.collect()));
    }
    asked.bench.draw(Picture {
        name: "5",
        title: "convergence of Game-quick".to_owned(),
        caption: format!("five instances of {} sites and classes of each kind", shape.sites),
        axes: ["stage", "part of the gain in the sum of times"],
        scale: Scale::Linear(0.0, 1.0),
        curves,
        paper: vec![vec![(30.0, 0.9), (40.0, 0.9)]],
    });
    Ok(all)
}

/// Steps of planning in those of Game-quick, as times would depend on the machine: one activity after the
/// other by the paper's own orders of growth, and by groups of what is alike.
pub(super) fn steps(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    asked.each(1, |sample| {
        let instance = shape.draw(asked.seed, sample)?;
        let problem = instance.problem();
        let games = replay(&problem, &GameQuick::new(&Options::default())).plans as f64;
        let first = stages(&Letter::of(&instance), [0.0, 0.0])[0];
        let game = games * first * (instance.sites.len() * instance.work.classes.len()) as f64;
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
