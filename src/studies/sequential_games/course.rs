//! The course of Game-cost: figure 11, and equation 19 in the planner and by the letter.

use super::drawn::{Instance, Shape, span};
use super::letter::{Letter, peaks, settled};
use super::played::{Algorithm, planned};
use crate::StudyError;
use crate::lines::code::{Asked, Figures};
use crate::picture::{Curve, Picture};
use policy::tasks::{Order, sufferage::Second};
use report::picture::Scale;

/// Most stages of a game.
const STAGES: u32 = 100;
/// An instance with a deadline in the makespan of Min-min, and that deadline.
fn due(instance: &Instance, factor: f64) -> (Instance, f64) {
    let min_min = Algorithm::MinMin.player(Order::Classes, Second::Site);
    let deadline = span(factor * planned(instance, &min_min)).as_units();
    (instance.due(deadline), deadline)
}

/// Deadlines of figure 11 in makespans of Min-min, which the paper does not tell.
const DRAWN: [f64; 3] = [1.1, 1.5, 3.0];

/// Figure 11: the cost by stage of five instances of its size, with each deadline.
pub(super) fn figure_11(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    let (mut found, mut curves) = (Figures::new(), Vec::new());
    for factor in DRAWN {
        let all = asked.bench.each(5, |sample| {
            let (instance, deadline) = due(&shape.draw(asked.seed, sample)?, factor);
            Ok(Letter::of(&instance).play_cost(deadline, STAGES, |_| ()).costs)
        })?;
        type Figure = fn(&[f64]) -> f64;
        let figures: [(&str, Figure); 3] = [
            ("stages", |costs| costs.len() as f64 - 1.0),
            ("settled", settled),
            ("peaks", |costs| peaks(costs) as f64),
        ];
        for (name, of) in figures {
            found.insert(format!("{name} {factor}"), all.iter().map(|costs| of(costs)).collect());
        }
        // In the cost of the first distribution, which is the cheapest there is and fits no site.
        let points = |costs: &[f64]| {
            (0..).map(f64::from).zip(costs.iter().map(|cost| cost / costs[0])).collect()
        };
        let name = format!("deadline {factor}");
        let parts = (1..).zip(&all);
        let parts = parts.map(|(at, costs)| (format!("{name}, instance {at}"), points(costs)));
        curves.push(Curve::mean(&*name, parts.collect()));
    }
    let costs = curves.iter().flat_map(|curve| curve.parts.iter().flat_map(|part| &part.1));
    let most = costs.map(|point| point.1).fold(1.0, f64::max);
    asked.bench.draw(Picture {
        name: "11",
        title: "convergence of Game-cost".to_owned(),
        caption: format!(
            "five instances of {} sites and classes; deadlines in makespans of Min-min",
            shape.sites
        ),
        axes: ["stage", "cost in that of the first distribution"],
        scale: Scale::Linear(1.0, (10.0 * most).ceil() / 10.0),
        curves,
        paper: Vec::new(),
    });
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequential_games::letter::Matrix;
    use policy::tasks::game_cost::{GameCost, Options};

    /// Most difference of what is computed in two ways, in parts.
    const SAME: f64 = 1e-9;

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

    /// The stages of the planner are those of equations 13, 14 and 19.
    #[test]
    fn stages_of_the_planner_are_those_of_the_equations() {
        let shape = Shape { eighth: true, heterogeneity: [10.0, 10.0], ..Shape::default() };
        for factor in [1.1, 1.25, 1.5, 2.0, 3.0, 5.0] {
            for sample in 0..4 {
                let (instance, deadline) = due(&shape.draw(1, sample).unwrap(), factor);
                let off = off(&instance, deadline);
                assert!(off.costs <= SAME && off.tasks <= SAME, "{factor}, {sample}: {off:?}");
                assert_eq!(off.stages, 0, "{factor}, {sample}");
            }
        }
    }
}
