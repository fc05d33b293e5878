//! Checks that the measured jobs are a sample of the steady state.
//!
//! Warns about warm-ups whose end was not found, flow times that still grow within replications,
//! and jobs that are not typical yet.

use findings::ended::Why;
use findings::grid::results::Results;
use kernel::time::TICKS_PER_UNIT;
use scenario::plan::Plan;
use stats::course::Grows;
use stats::mser::{self, Doubt};
use stats::shown::{counted, figure};

/// The growth in words, with the means.
pub fn growth(grows: Grows) -> String {
    let (from, to) = match grows.part {
        2 => ("first half", "second"),
        4 => ("first quarter", "last"),
        _ => ("first eighth", "last"),
    };
    let units = |ticks: f64| figure(ticks / TICKS_PER_UNIT as f64);
    format!(
        "flow times still grow from the {from} of the counted time to the {to} ({} to {}), so means \
         are too low, and the intervals do not show it",
        units(grows.early),
        units(grows.late)
    )
}

/// The warnings, in sentences.
pub(super) fn warnings(plan: &Plan, results: &Results) -> Vec<String> {
    let mut warnings = Vec::new();
    let doubt = results.replications.first().and_then(|replication| replication.window.doubt);
    warnings.extend(doubt.map(|doubt| of_cut(doubt, plan.scouted())));
    let why = results.sample.known.as_ref().map(|known| known.ended.why);
    if let Some(grows) = results.grows().filter(|_| why != Some(Why::TooShort)) {
        warnings.push(format!(
            "the replications are too short: {}; use longer ones, a longer `output.warm_up`, or one \
             long run",
            growth(grows)
        ));
    }
    warnings.extend(results.typical.departure().map(|departure| {
        format!("{}; run more jobs", departure.words(&plan.workloads[departure.workload].name))
    }));
    warnings
}

/// Warns about a doubtful end of the warm-up, found in the mean of `scouted` replications.
fn of_cut(doubt: Doubt, scouted: u32) -> String {
    match (doubt, scouted) {
        (Doubt::Late, 1) => {
            "no steady state was found, and half of the run was removed; run longer".to_owned()
        }
        (Doubt::Late, _) => format!(
            "no steady state was found in the mean of {}, and half of the shortest was removed; \
             run longer",
            counted(scouted.into(), "replication", "replications")
        ),
        (Doubt::Short, _) => format!(
            "no warm-up was removed: fewer than {} jobs finished{}, too few for MSER-5; run longer",
            mser::FEWEST,
            if scouted > 1 { " in the shortest replication" } else { "" }
        ),
    }
}
