//! Files of dynamics: `dynamics.csv`, `learning.svg`, `summary.json`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::game::json::SOLUTION;
use crate::game::picture::panels;
use crate::game::solved::{Solved, put_small};
use crate::picture::{Chart, Line, Scale};
use crate::table::Table;
use findings::game::dynamics::{Moved, Outcome};
use findings::rounds::curves::Point;
use scenario::plan::{DynamicsPlan, GamePlan};
use stats::interval::Level;
use stats::shown::counted;

/// `dynamics.csv`: the shares at up to 401 times, as mean and 10% and 90% quantile over
/// replications.
pub fn csv(dynamics: &DynamicsPlan, moved: &Moved) -> Vec<u8> {
    let curves: Vec<_> = (0..moved.sample.all()).map(|at| moved.curve(at)).collect();
    let mut solved = Solved::default();
    let mut put = solved.solver(dynamics.form.name(), "");
    for at in 0..curves.first().map_or(0, Vec::len) {
        for ((population, action), curve) in moved.rows().zip(&curves) {
            let Point { round, mean, band, .. } = curve[at];
            put.profile(round).player(population).action(action).range("share", mean, band);
        }
    }
    solved.table().csv()
}

/// The shares in the last quarter and at the end.
pub(super) fn ends(dynamics: &DynamicsPlan, moved: &Moved) -> Solved {
    let mut solved = Solved::default();
    let interval = match moved.sample.replications() {
        1 => String::new(),
        _ => format!(", with a {} interval over replications", moved.frame.level),
    };
    let note = format!("final share: in the last quarter of the steps{interval}; last: at the end");
    let mut put = solved.solver(dynamics.form.name(), note);
    for (at, (population, action)) in moved.rows().enumerate() {
        let [(late, estimate), (last, _)] = moved.figures(at);
        let ends = estimate.map(|one| (one.interval.low, one.interval.high));
        put.player(population).action(action).range("final_share", late, ends).put("last", last);
    }
    solved
}

/// `learning.svg`: a panel for each population, a line for each action.
pub fn chart(title: &str, moved: &Moved) -> Chart {
    let first = moved.populations.iter().scan(0, |next, population| {
        let first = *next;
        *next += population.actions.len();
        Some(first)
    });
    let groups = moved.populations.iter().zip(first).map(|(population, first)| {
        let curve = move |series, action| vec![Line::of(series, &moved.curve(first + action))];
        (format!("share, {}", population.name), &*population.actions, curve)
    });
    let (panels, series, _) = panels(groups);
    let replications = counted(moved.sample.replications().into(), "replication", "replications");
    let subtitle = match moved.sample.replications() {
        1 => "shares of the actions".to_owned(),
        _ => format!("means over {replications}; bands: from 10% to 90% of these"),
    };
    Chart {
        title: title.to_owned(),
        subtitle,
        x: if moved.step == 1.0 { "step" } else { "time" }.to_owned(),
        range: Scale::Linear(0.0, moved.steps as f64 * moved.step),
        dates: Vec::new(),
        panels,
        series,
    }
}

/// The part of `summary.json` on dynamics.
#[derive(Serialize, JsonSchema)]
pub struct Summary<'a> {
    definitions: Definitions,
    /// Name of the dynamics.
    dynamics: &'a str,
    /// Steps of a replication.
    steps: u64,
    /// Time of one step.
    step: f64,
    /// Shares of every action of every population in the last quarter and at the end, and pure equilibria
    /// and social optima of a small game, with the columns of `dynamics.csv`.
    solution: Table,
    /// Period of the cycle in time, if the shares cycle.
    period: Option<f64>,
    /// True if no share moves any more.
    rests: bool,
    /// Gain of a best response over the final shares, if it was computed.
    gain: Option<f64>,
}

/// Definitions of terms, for readers who have only this file.
#[derive(Serialize, JsonSchema)]
struct Definitions {
    solution: String,
    rests: &'static str,
    gain: &'static str,
}

fn definitions(level: Level) -> Definitions {
    Definitions {
        solution: format!(
            "final_share: over the last quarter of the steps, with a {level} interval over replications; \
             last: at the end; {SOLUTION}"
        ),
        rests: "of the last replication: in the last half no share moves by 0.001; period: the time \
            between two rises of the share that moves most, where these are even",
        gain: "what a best reply to the shares at the end would bring more than they do, to who gains \
           most; null where players move one by one",
    }
}

/// The part of `summary.json` on dynamics.
pub(super) fn json<'a>(
    plan: GamePlan<'_>,
    dynamics: &'a DynamicsPlan,
    moved: &Moved,
) -> Summary<'a> {
    let mut solved = ends(dynamics, moved);
    put_small(&moved.frame, &plan.game.payoffs, &mut solved);
    Summary {
        definitions: definitions(plan.counting.level),
        dynamics: dynamics.form.name(),
        steps: dynamics.steps,
        step: dynamics.step,
        solution: solved.table(),
        period: moved.swing.and_then(|swing| swing.period).map(|period| period * dynamics.step),
        rests: moved.swing.is_none(),
        gain: moved.outcomes.first().and_then(|outcome| match outcome {
            Outcome::Gain(gain) => Some(*gain),
            _ => None,
        }),
    }
}
