//! Warnings for readers of a coalition's figures.

use crate::words::warnings::{few_batches, named, without_limit};
use findings::coalition::learned::{Learned, Unit};
use findings::growing::Grows;
use findings::known::Known;
use findings::measure::Metric;
use kernel::time::sum_as_units;
use scenario::plan::{Coalition, Rounds};
use stats::shown::{counted, figure};

/// The warnings, in sentences.
pub fn of(coalition: &Coalition, learned: &Learned) -> Vec<String> {
    let mut warnings = Vec::new();
    let idle: Vec<&str> = learned
        .organizations()
        .filter(|unit| unit.all.rounds > 0 && unit.all.jobs == 0)
        .map(|unit| &*unit.totals().name)
        .collect();
    if let Some(first) = idle.first() {
        warnings.push(format!(
            "{} no job that counts, such as {first}: their scores are 0",
            counted(idle.len() as u64, "organization has", "organizations have"),
        ));
    }
    let all = &learned.everyone().all;
    if learned.frame.names.len() > 1 && all.joined > 0 && all.sent == 0 {
        warnings.push(
            "no load was moved, although organizations took part: nobody gained or lost anything"
                .to_owned(),
        );
    }
    let is_infinite =
        |unit: &Unit<'_>| unit.mean(Metric::Score).is_some_and(|score| !score.is_finite());
    if let Some(unit) = learned.organizations().find(is_infinite) {
        warnings.push(format!(
            "a round of {} has an infinite score, since its flow time was 0 in the coalition or \
             alone; its mean scores are not shown",
            unit.name
        ));
    }
    if matches!(coalition.rounds, Rounds::Continuing) {
        growing(learned, &mut warnings);
    }
    let replications = learned.replications();
    if replications > 1 && replications < FEW {
        warnings.push(format!(
            "{replications} replications are few: the intervals are wide, and correct only if the \
             figures are roughly normal over replications"
        ));
    }
    if replications == 1 && learned.everyone().interval(Metric::Score).is_none() {
        warnings.push(format!(
            "{} {TOO_LITTLE}; increase `run.replications`",
            counted(learned.frame.rounds, "round", "rounds")
        ));
    }
    if replications == 1 {
        warnings.extend(few_batches(learned.everyone().interval(Metric::Score)));
    }
    warnings.extend(learned.sample.known.as_ref().and_then(Known::warning));
    warnings
}

/// Warns about queues that grow from round to round; only continuing rounds can have them.
fn growing(learned: &Learned, warnings: &mut Vec<String>) {
    let growing = learned.timelines.growing();
    let Some(most) = growing.iter().map(|(_, grows)| *grows).max_by_key(|one| one.replications)
    else {
        return;
    };
    let names: Vec<String> =
        growing.iter().map(|&(one, _)| format!("`{}`", learned.frame.names[one])).collect();
    let names = named(names.iter());
    let rate = growing.iter().map(|(_, grows)| grows.rate).sum();
    let limit = without_limit(&Grows { rate, ..most });
    let all = &learned.everyone().all;
    let time = sum_of_windows(learned);
    let load = if time > 0.0 { sum_as_units(all.brought) / time } else { 0.0 };
    let what = if growing.len() == 1 { "the queue" } else { "the queues" };
    let grow = if growing.len() == 1 { "grows" } else { "together grow" };
    let load = if load > 1.0 {
        format!(" (the total load is {}, above 1)", figure(load))
    } else {
        String::new()
    };
    warnings.push(format!("{what} of {names} {grow} {limit}{load}"));
}

/// Total length of the measurement windows, over all organizations, in units.
fn sum_of_windows(learned: &Learned) -> f64 {
    let all = &learned.everyone().all;
    all.rounds as f64 * learned.frame.window.as_units()
}

/// Below this number of replications, intervals are doubtful.
const FEW: u32 = 5;

/// Said of rounds without intervals.
pub const TOO_LITTLE: &str = "of one replication is too little for confidence intervals";
