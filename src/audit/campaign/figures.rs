//! Figures of a campaign, from its runs.

use super::facts::{CampaignFacts, Figures};
use super::found::Found;
use super::{Check, violation};
use crate::estimates::jain;
use kernel::time::{Span, TICKS_PER_UNIT};

/// Relative tolerance for figures.
const TOLERANCE: f64 = 1e-9;

/// Computes the figures.
pub(super) fn figures(facts: &CampaignFacts, found: &Found) -> Figures {
    let ticks = |time: kernel::time::Time| i128::from(time.ticks());
    let first = facts.applications.iter().map(|one| one.submit).min();
    let last: Option<Vec<_>> = found.finishes.iter().copied().collect();
    let last = last.and_then(|finishes| finishes.into_iter().max());
    let makespan = first.zip(last).map(|(first, last)| ticks(last) - ticks(first));
    let flows: Vec<f64> = facts
        .applications
        .iter()
        .zip(&found.finishes)
        .filter_map(|(one, finish)| finish.map(|finish| (ticks(finish) - ticks(one.submit)) as f64))
        .collect();
    let completions: Vec<f64> = facts
        .classes
        .iter()
        .zip(&found.classes)
        .filter_map(|(class, found)| {
            let submit = facts.applications[class.application].submit;
            found.finish.map(|finish| (ticks(finish) - ticks(submit)) as f64)
        })
        .collect();
    let (mut off, mut expected) = (0, 0);
    for (class, found) in facts.classes.iter().zip(&found.classes) {
        if let (Some(finish), Some(then)) = (found.finish, class.expected) {
            off += (ticks(finish) - ticks(then)).abs();
            // It could begin when all that it waits for was expected to be over.
            let mut begin = ticks(facts.applications[class.application].submit);
            for &before in &class.after {
                if let Some(end) = facts.classes[before].expected {
                    begin = begin.max(ticks(end));
                }
            }
            expected += (ticks(then) - begin).max(0);
        }
    }
    let is_late = |number: &usize| {
        let application = &facts.applications[*number];
        let Some(deadline) = application.deadline else { return false };
        match found.finishes[*number] {
            Some(finish) => finish > deadline && facts.end.is_none_or(|end| deadline < end),
            None => facts.end.is_none_or(|end| deadline < end),
        }
    };
    Figures {
        makespan: makespan.map(|ticks| Span::from_ticks(ticks.clamp(0, i64::MAX.into()) as i64)),
        mean_flow: mean(&flows).map(|mean| mean / TICKS_PER_UNIT as f64),
        fairness: jain(&completions),
        prediction_error: (expected > 0).then(|| off as f64 / expected as f64),
        late: (0..facts.applications.len()).filter(is_late).count() as u64,
        footprint: 0,
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The check of stated figures, before any.
pub(super) fn check() -> Check {
    Check::new(
        "figures",
        "makespan, mean flow time, fairness, error of prediction and the number of late applications are those \
         of the runs",
    )
}

/// Compares stated figures with computed ones.
pub(super) fn compare(facts: &CampaignFacts, own: &Figures, check: &mut Check) {
    let Some(stated) = &facts.figures else { return };
    let show = |value: Option<f64>| value.map_or("none".to_owned(), |value| value.to_string());
    let span = |span: Option<Span>| span.map_or("none".to_owned(), |span| span.to_string());
    let mut line = |name: &str, agrees: bool, [stated, own]: [String; 2]| {
        check.looked_at += 1;
        if !agrees {
            let text = format!("{name} is given as {stated} and is {own} by the runs");
            check.violated(|| violation(facts, None, None, text));
        }
    };
    let makespans = [stated.makespan, own.makespan];
    line("the makespan", makespans[0] == makespans[1], makespans.map(span));
    let reals = [
        ("the mean flow time", stated.mean_flow, own.mean_flow),
        ("Jain's index", stated.fairness, own.fairness),
        ("the error of prediction", stated.prediction_error, own.prediction_error),
    ];
    for (name, stated, own) in reals {
        let agrees = match (stated, own) {
            (Some(stated), Some(own)) => (stated - own).abs() <= TOLERANCE * own.abs(),
            (stated, own) => stated.is_none() && own.is_none(),
        };
        line(name, agrees, [stated, own].map(show));
    }
    if facts.end.is_none() {
        // Tasks of a run that had not ended are not known.
        let units = |amount: i128| (amount as f64 / 1e6).to_string();
        let footprints = [stated.footprint, own.footprint];
        line("the footprint of files", footprints[0] == footprints[1], footprints.map(units));
    }
    let late = [stated.late, own.late];
    line("the number of late applications", late[0] == late[1], late.map(|late| late.to_string()));
}
