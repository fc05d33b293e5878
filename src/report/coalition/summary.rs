//! Summary that a person reads after a coalition's run.

use std::path::Path;

use super::learned::Learned;
use super::{Rounds, learning, verdicts, warnings};
use crate::policy::learn::Player as _;
use crate::policy::learn::choose::SCORES;
use crate::report::enough::Known;
use crate::report::figure::{count, counted, figure, rough, seconds};
use crate::report::json::Timing;
use crate::report::prose::Prose;
use crate::report::summary::imports;
use crate::scenario::plan::{Coalition, Plan};

/// Renders the summary; `folder` holds the files, if any were written.
///
/// The table drops columns to stay within `width` characters, if a width is given.
pub fn render(
    plan: &Plan,
    coalition: &Coalition,
    Rounds { learned, flows }: &Rounds,
    timing: &Timing,
    folder: Option<&Path>,
    width: Option<usize>,
) -> String {
    let frame = &learned.frame;
    let mut out = Prose::new(width);
    out.line(format!(
        "{}  (seed {}, {})",
        plan.title(),
        plan.seed,
        counted(learned.replications.into(), "replication", "replications")
    ));
    out.line(format!(
        "{}, {} of {} units, balancer {}; {} counted",
        counted(frame.names.len() as u64, "organization", "organizations"),
        counted(frame.rounds, "round", "rounds"),
        frame.period,
        coalition.balancer.name(),
        counted(learned.everyone().all.jobs, "job", "jobs"),
    ));
    if let Some(conversion) = coalition.conversion() {
        out.line(conversion);
    }
    readings(coalition).iter().for_each(|reading| out.line(reading));
    let mut sentences: Vec<String> = learned.known.iter().map(Known::line).collect();
    sentences.extend(outcomes(learned));
    sentences.extend(verdicts::of(learned));
    out.table(&learning::summary(learned), learning::margin(learned).as_deref(), &sentences);
    sentences.iter().for_each(|sentence| out.line(sentence));
    for warning in warnings::of(coalition, learned) {
        out.line(format!("warning: {warning}"));
    }
    imports(plan).iter().for_each(|line| out.line(line));
    let rounds = frame.rounds * u64::from(learned.replications);
    out.line(format!(
        "simulated {} with {} in {} ({} rounds per second)",
        counted(rounds, "round", "rounds"),
        counted(flows.jobs(), "job", "jobs"),
        seconds(timing.run_seconds),
        count((rounds as f64 / timing.run_seconds.max(1e-9)) as u64),
    ));
    out.results(folder);
    out.done()
}

/// Score ranges that learners scale to utilities from 0 to 1, in words and without repetition.
pub(super) fn readings(coalition: &Coalition) -> Vec<String> {
    let mut readings: Vec<[f64; 2]> = Vec::new();
    for seat in &coalition.seats {
        let learner = seat.learner.build();
        let range = learner.choices().map(|choices| choices.payoffs.unwrap_or(SCORES));
        readings.extend(range.filter(|range| !readings.contains(range)));
    }
    let told = |[least, most]: &[f64; 2]| {
        format!(
            "learners see scores from {least} to {most} as utilities from 0 to 1; scores beyond are \
             clipped"
        )
    };
    readings.iter().map(told).collect()
}

/// The mean flow time of each outcome in a sentence.
fn outcomes(learned: &Learned) -> Option<String> {
    let told = learned.social.outcomes().into_iter().map(|(name, mean, interval)| {
        let error = interval.map_or(String::new(), |one| format!(" ± {}", rough(one.half_width())));
        let outcome = match name {
            "as_learned" => "as learned",
            "everyone_alone" => "if everyone stayed alone",
            _ => "if everyone joined",
        };
        format!("{}{error} {outcome}", figure(mean))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty())
        .then(|| format!("mean flow time in the last quarter of the rounds: {}", told.join(", ")))
}
