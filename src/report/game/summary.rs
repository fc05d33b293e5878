//! What a person reads at the end of a game.

use std::fmt::Write as _;
use std::path::Path;

use super::described::scale;
use super::solution::Solution;
use super::words::words;
use super::{Played, players};
use crate::report::figure::{count, counted, seconds};
use crate::report::table::Format;
use crate::scenario::plan::{GamePlan, MOST_LINES};

/// The whole summary; `folder` is where the files are, if any were written. With a `width`, in
/// characters, the table leaves out columns rather than be wider.
pub fn render(
    plan: &GamePlan,
    played: &Played,
    run_seconds: f64,
    folder: Option<&Path>,
    width: Option<usize>,
) -> String {
    let frame = &played.frame;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}  (seed {}, {})",
        plan.name,
        plan.seed,
        counted(frame.replications.into(), "replication", "replications")
    );
    let _ = writeln!(
        out,
        "{} in {}; {}",
        counted(frame.names.len() as u64, "player", "players"),
        counted(frame.rounds, "round", "rounds"),
        scale(plan)
    );
    let _ = writeln!(out, "{}", players::summary(plan, played).render(Format::Text, width));
    let solution = Solution::of(frame, &plan.payoffs);
    for sentence in words(plan, played, solution.as_ref()) {
        let _ = writeln!(out, "{sentence}");
    }
    if folder.is_some() && plan.rounds_are_too_many {
        let _ = writeln!(
            out,
            "rounds.csv is not written, as it would have more than {} lines; `--set \
             output.rounds=true` writes it",
            count(MOST_LINES)
        );
    }
    let rounds = frame.rounds * u64::from(frame.replications);
    let _ = writeln!(
        out,
        "{} played in {} ({} rounds a second)",
        counted(rounds, "round", "rounds"),
        seconds(run_seconds),
        count((rounds as f64 / run_seconds.max(1e-9)) as u64),
    );
    if let Some(folder) = folder {
        let _ = writeln!(out, "results: {}", folder.display());
    }
    out
}
