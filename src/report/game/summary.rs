//! Summary that a person reads after a game.

use std::path::Path;

use super::described::scale;
use super::solution::Solution;
use super::words::words;
use super::{Played, players, warnings};
use crate::report::figure::{count, counted, seconds};
use crate::report::prose::Prose;
use crate::scenario::plan::{GamePlan, MOST_LINES};

/// Renders the summary; `folder` holds the files, if any were written.
///
/// The table drops columns to stay within `width` characters, if a width is given.
pub fn render(
    plan: &GamePlan,
    played: &Played,
    run_seconds: f64,
    folder: Option<&Path>,
    width: Option<usize>,
) -> String {
    let frame = &played.frame;
    let mut out = Prose::new(width);
    out.line(format!(
        "{}  (seed {}, {})",
        plan.title(),
        plan.seed,
        counted(frame.replications.into(), "replication", "replications")
    ));
    out.line(format!(
        "{}, {}; {}",
        counted(frame.names.len() as u64, "player", "players"),
        counted(frame.rounds, "round", "rounds"),
        scale(plan)
    ));
    let solution = Solution::of(frame, &plan.payoffs);
    let sentences = words(plan, played, solution.as_ref());
    out.table(&players::summary(plan, played), players::margin(played).as_deref(), &sentences);
    sentences.iter().for_each(|sentence| out.line(sentence));
    for warning in warnings::of(played) {
        out.line(format!("warning: {warning}"));
    }
    if folder.is_some() && plan.rounds_are_too_many {
        out.line(format!(
            "rounds.csv was not written, as it would have more than {} lines; `--set \
             output.rounds=true` writes it",
            count(MOST_LINES)
        ));
    }
    let rounds = frame.rounds * u64::from(frame.replications);
    out.line(format!(
        "played {} in {} ({} rounds per second)",
        counted(rounds, "round", "rounds"),
        seconds(run_seconds),
        count((rounds as f64 / run_seconds.max(1e-9)) as u64),
    ));
    out.results(folder);
    out.done()
}
