//! Files of dynamics: `dynamics.csv`, `learning.svg`, `summary.json`.

use schemars::JsonSchema;
use serde::Serialize;

use super::populations;
use crate::game::json::OfGame;
use crate::game::picture::panels;
use crate::picture::{Chart, Line, svg};
use crate::table::{self, Column, ColumnOf, Table, columns};
use findings::game::dynamics::{Moved, Outcome};
use findings::rounds::curves::Point;
use scenario::plan::{DynamicsPlan, GamePlan};
use stats::interval::Level;
use stats::shown::counted;

/// The columns of `dynamics.csv`.
pub(crate) fn columns<'a>() -> Vec<ColumnOf<'a, (&'a str, &'a str, &'a Point)>> {
    columns![|(population, action, point): &(&'a str, &'a str, &'a Point)|
        Column::figure("time").told("steps, or the time of these where the dynamics are in continuous time")
            => point.round,
        Column::text("population").told("`all` where there is one, else `player-1`, `player-2`, ...")
            => *population,
        Column::text("action").told("an action") => *action,
        Column::figure("share").told("how many of the population play it, the mean over replications")
            => point.mean,
        Column::figure("low").told("what 10% of the replications do not exceed, to 1/256; empty for a single one")
            => point.band.map(|band| band.0),
        Column::figure("high").told("what 90% of them do not exceed") => point.band.map(|band| band.1),
    ]
}

/// `dynamics.csv`: the shares at up to 401 times, as mean and 10% and 90% quantile over
/// replications.
pub fn csv(moved: &Moved) -> Vec<u8> {
    let curves: Vec<_> = (0..moved.sample.all()).map(|at| moved.curve(at)).collect();
    let points = 0..curves.first().map_or(0, Vec::len);
    let rows = points
        .flat_map(|at| moved.rows().zip(&curves).map(move |(row, one)| (row.0, row.1, &one[at])));
    table::csv(rows, columns())
}

/// `learning.svg`: a panel for each population, a line for each action.
pub fn picture(title: &str, moved: &Moved) -> Vec<u8> {
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
    svg::render(&Chart {
        title: title.to_owned(),
        subtitle,
        x: if moved.step == 1.0 { "step" } else { "time" }.to_owned(),
        range: (0.0, moved.steps as f64 * moved.step),
        panels,
        series,
    })
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
    game: Option<OfGame>,
    /// Shares of every action of every population in the last quarter and at the end.
    populations: Table,
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
    populations: String,
    rests: &'static str,
    gain: &'static str,
    game: &'static str,
}

fn definitions(level: Level) -> Definitions {
    Definitions {
        populations: format!(
            "final_share: over the last quarter of the steps, with a {level} interval \
                  over replications; last: at the end"
        ),
        rests: "of the last replication: in the last half no share moves by 0.001; period: the time \
            between two rises of the share that moves most, where these are even",
        gain: "what a best reply to the shares at the end would bring more than they do, to who gains \
           most; null where players move one by one",
        game: "equilibria: the pure profiles that nobody would leave alone; optima: those that pay \
           most to all together; null of large games",
    }
}

/// The part of `summary.json` on dynamics.
pub(super) fn json<'a>(
    plan: GamePlan<'_>,
    dynamics: &'a DynamicsPlan,
    moved: &Moved,
) -> Summary<'a> {
    Summary {
        definitions: definitions(plan.counting.level),
        dynamics: dynamics.form.name(),
        steps: dynamics.steps,
        step: dynamics.step,
        game: OfGame::new(&moved.frame, &plan.game.payoffs),
        populations: populations::table(moved),
        period: moved.swing.and_then(|swing| swing.period).map(|period| period * dynamics.step),
        rests: moved.swing.is_none(),
        gain: moved.outcomes.first().and_then(|outcome| match outcome {
            Outcome::Gain(gain) => Some(*gain),
            _ => None,
        }),
    }
}
