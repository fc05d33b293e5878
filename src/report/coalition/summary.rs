//! What a person reads at the end of a coalition's run.

use std::fmt::Write as _;
use std::path::Path;

use super::learned::Learned;
use super::{Rounds, learning, verdicts, warnings};
use crate::policy::learn::Player as _;
use crate::policy::learn::choose::SCORES;
use crate::report::figure::{count, counted, figure, rough, seconds};
use crate::report::json::Timing;
use crate::report::summary::imports;
use crate::report::table::Format;
use crate::scenario::plan::{Coalition, Plan};

/// The whole summary; `folder` is where the files are, if any were written. With a `width`, in
/// characters, the table leaves out columns rather than be wider.
pub fn render(
    plan: &Plan,
    coalition: &Coalition,
    Rounds { learned, flows }: &Rounds,
    timing: &Timing,
    folder: Option<&Path>,
    width: Option<usize>,
) -> String {
    let frame = &learned.frame;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}  (seed {}, {})",
        plan.name,
        plan.seed,
        counted(learned.replications.into(), "replication", "replications")
    );
    let _ = writeln!(
        out,
        "{} in {} of {} units, balancer {}; {} counted",
        counted(frame.names.len() as u64, "organization", "organizations"),
        counted(frame.rounds, "round", "rounds"),
        frame.period,
        coalition.balancer.name(),
        counted(learned.everyone().all.jobs, "job", "jobs"),
    );
    if let Some(conversion) = coalition.conversion() {
        let _ = writeln!(out, "{conversion}");
    }
    for reading in readings(coalition) {
        let _ = writeln!(out, "{reading}");
    }
    let _ = writeln!(out, "{}", learning::summary(learned).render(Format::Text, width));
    if let Some(known) = &learned.known {
        let _ = writeln!(out, "{}", known.line());
    }
    outcomes(&mut out, learned);
    for sentence in verdicts::of(learned) {
        let _ = writeln!(out, "{sentence}");
    }
    for warning in warnings::of(coalition, learned) {
        let _ = writeln!(out, "warning: {warning}");
    }
    imports(&mut out, plan);
    let rounds = frame.rounds * u64::from(learned.replications);
    let _ = writeln!(
        out,
        "{} with {} simulated in {} ({} rounds a second)",
        counted(rounds, "round", "rounds"),
        counted(flows.jobs(), "job", "jobs"),
        seconds(timing.run_seconds),
        count((rounds as f64 / timing.run_seconds.max(1e-9)) as u64),
    );
    if let Some(folder) = folder {
        let _ = writeln!(out, "results: {}", folder.display());
    }
    out
}

/// How those that choose among actions read scores, each way once.
pub(super) fn readings(coalition: &Coalition) -> Vec<String> {
    let mut readings: Vec<[f64; 2]> = Vec::new();
    for seat in &coalition.seats {
        let learner = seat.learner.build();
        let range = learner.choices().map(|choices| choices.payoffs.unwrap_or(SCORES));
        readings.extend(range.filter(|range| !readings.contains(range)));
    }
    let told = |[least, most]: &[f64; 2]| {
        format!("learners read scores from {least} to {most} as utilities from 0 to 1, cut beyond")
    };
    readings.iter().map(told).collect()
}

/// What it was to all together.
fn outcomes(out: &mut String, learned: &Learned) {
    let outcomes = learned.social.outcomes();
    if outcomes.is_empty() {
        return;
    }
    let told = outcomes.iter().map(|(name, mean, interval)| {
        let error = interval.map_or(String::new(), |one| format!(" ± {}", rough(one.half_width())));
        format!("{}{error} {}", figure(*mean), name.replace('_', " "))
    });
    let told: Vec<String> = told.collect();
    let _ = writeln!(out, "mean flow time of all jobs at last: {}", told.join(", "));
}
