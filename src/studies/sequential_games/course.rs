//! The course of Game-cost: equation 19 stage by stage, in the planner and by the letter, and figure 11.

use super::cost::FACTORS;
use super::drawn::span;
use super::drawn::{Instance, Kind, Shape};
use super::letter::{Letter, Matrix, peaks, settled};
use super::played::{Algorithm, planned};
use crate::picture::{Curve, Picture};
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::Verdict;
use crate::{Bench, StudyError};
use policy::tasks::game_cost::{GameCost, Options};
use policy::tasks::{Order, sufferage::Second};
use report::picture::Scale;

/// Most stages of a game.
const STAGES: u32 = 100;
/// Most difference of what is computed in two ways, in parts.
const SAME: f64 = 1e-9;

/// An instance with a deadline in the makespan of Min-min, and that deadline.
fn due(instance: &Instance, factor: f64) -> (Instance, f64) {
    let min_min = Algorithm::MinMin.player(Order::Classes, Second::Site);
    let deadline = span(factor * planned(instance, &min_min)).as_units();
    (instance.due(deadline), deadline)
}

/// Largest relative differences between the planner and the equations in any stage.
#[derive(Clone, Copy, Debug, Default)]
struct Off {
    costs: f64,
    /// Difference of the activities by class and site, relative to the class.
    tasks: f64,
    /// Stages that one has more than the other.
    stages: u32,
}

fn off(instance: &Instance, deadline: f64) -> Off {
    let letter = Letter::of(instance);
    let mut deltas: Vec<Matrix> = Vec::new();
    letter.play_cost(deadline, STAGES, |delta| deltas.push(delta.clone()));
    let planner = GameCost::new(&Options::default());
    let problem = instance.problem();
    let mut off = Off::default();
    for (stage, delta) in (0..).zip(&deltas) {
        let (own, _) = planner.placed(&problem, stage);
        off.costs = off.costs.max((letter.cost(&own) / letter.cost(delta) - 1.0).abs());
        for (class, (own, other)) in own.iter().zip(delta).enumerate() {
            let pairs = own.iter().zip(other);
            let part = |(own, other): (&f64, &f64)| (own - other).abs() / letter.tasks[class];
            off.tasks = pairs.map(part).fold(off.tasks, f64::max);
        }
    }
    let played = planner.placed(&problem, STAGES).1;
    off.stages = played.abs_diff(deltas.len() as u32 - 1);
    off
}

/// SG-A-03: the stages of the planner are those of equations 13, 14 and 19.
fn equation_19(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let shape = super::cost::shape(bench);
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    let mut rows = Vec::new();
    for factor in super::cost::factors(bench) {
        let all = bench.each(samples.into(), |sample| {
            let (instance, deadline) = due(&shape.draw(seed, sample)?, factor);
            Ok(off(&instance, deadline))
        })?;
        let row = |what: &str| {
            let what = format!("deadline {factor}: {what}");
            Row::new("SG-A-03", "equation 19", what)
        };
        let largest = |of: &dyn Fn(&Off) -> f64| all.iter().map(of).fold(0.0, f64::max);
        let exact = |what: &str, off: f64| row(what).found(0.0, off, Verdict::of(off <= SAME));
        rows.push(exact(
            "cost in any stage, planner less equations, in parts",
            largest(&|one| one.costs),
        ));
        rows.push(exact(
            "activities of a class at a site in any stage, planner less equations, in parts",
            largest(&|one| one.tasks),
        ));
        let stages = all.iter().filter(|one| one.stages > 0).count() as u64;
        rows.push(row("games of the planner that end in another stage").never(stages));
    }
    Ok(rows)
}

/// Deadlines of figure 11, which the paper does not tell.
const DRAWN: [f64; 3] = [FACTORS[0], FACTORS[2], FACTORS[4]];

/// Figure 11: the cost by stage of five instances of its size.
fn figure_11(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (size, tasks) = if bench.effort.quick { (20, 1000) } else { (100, 10_000) };
    let shape = Shape {
        sites: size,
        processors: (100, 100),
        classes: size as u64,
        tasks: (tasks, tasks),
        ..Shape::of(Kind::Inconsistent, [10.0, 10.0], 0.0)
    };
    let how = format!("five bags of figure 11, {size} sites of 100, {size} classes of {tasks}");
    bench.log(Record::drawn(&how, bench, 5));
    let seed = bench.effort.seed;
    let mut rows = Vec::new();
    let mut curves = Vec::new();
    for factor in DRAWN {
        let all = bench.each(5, |sample| {
            let (instance, deadline) = due(&shape.draw(seed, sample)?, factor);
            Ok(Letter::of(&instance).play_cost(deadline, STAGES, |_| ()))
        })?;
        let row = |what: &str| {
            let what = format!("{size} sites and classes, deadline {factor}: {what}");
            Row::new("SG-F11", "Figure 11", what)
        };
        let stages = mean(all.iter().map(|one| one.costs.len() as f64 - 1.0));
        rows.push(row("stages").shown(stages).note("about 50; the deadline is not told"));
        let settled = mean(all.iter().map(|one| settled(&one.costs)));
        let note = "20 to 30; the deadline is not told";
        rows.push(row("stages until a tenth of the changes is left").shown(settled).note(note));
        let peaks = mean(all.iter().map(|one| peaks(&one.costs) as f64));
        rows.push(row("peaks of the cost").found("some", peaks, peaks.above(0.0)));
        // In the cost of the first distribution, which is the cheapest there is and fits no site.
        let points = |costs: &[f64]| {
            (0..).map(f64::from).zip(costs.iter().map(|cost| cost / costs[0])).collect()
        };
        let name = format!("deadline {factor}");
        let parts = all.iter().enumerate();
        let parts = parts
            .map(|(at, one)| (format!("{name}, instance {}", at + 1), points(&one.costs)))
            .collect();
        curves.push(Curve::mean(name, parts));
    }
    let costs = curves.iter().flat_map(|curve| curve.parts.iter().flat_map(|part| &part.1));
    let most = costs.map(|point| point.1).fold(1.0, f64::max);
    bench.draw(Picture {
        name: "11",
        title: "convergence of Game-cost".to_owned(),
        caption: format!(
            "five instances of {size} sites and classes; deadlines in makespans of Min-min"
        ),
        axes: ["stage", "cost in that of the first distribution"],
        scale: Scale::Linear(1.0, (10.0 * most).ceil() / 10.0),
        curves,
        paper: Vec::new(),
    });
    Ok(rows)
}

/// Equation 19 and figure 11.
pub(super) fn course(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = equation_19(bench)?;
    rows.extend(figure_11(bench)?);
    Ok(rows)
}
