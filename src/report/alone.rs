//! Tables and sentences about every organization alone.

use schemars::JsonSchema;
use serde::Serialize;

use super::columns::with_interval;
use super::ends::estimated;
use super::json::interval::IntervalFigures;
use super::sharing::{self, Change};
use findings::grid::results::Results;
use findings::measure::{ALONE, Metric};
use scenario::plan::Plan;
use sim::alone::Service;
use stats::shown::counted;

/// The part of `summary.json` on an organization alone, or on all of them.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AloneFigures {
    jobs: u64,
    too_wide: u64,
    flow: MeanFigures,
    wait: MeanFigures,
    bounded_slowdown: MeanFigures,
    /// Share of the flow time alone that it saves with the others.
    gain: MeanFigures,
}

/// A mean with its interval.
#[derive(Debug, Serialize, JsonSchema)]
struct MeanFigures {
    mean: Option<f64>,
    interval: Option<IntervalFigures>,
}

impl AloneFigures {
    /// The figures of an organization; none if nobody was simulated alone.
    pub(super) fn new(results: &Results, index: usize) -> Option<AloneFigures> {
        let Service { jobs, too_wide, .. } = *results.alone.as_ref()?.of(index);
        let mean = |metric| {
            let (mean, estimate) = results.alone_mean(index, metric, results.sample.level());
            MeanFigures { mean, interval: IntervalFigures::new(estimate, None) }
        };
        let [flow, wait, bounded_slowdown] = ALONE.map(mean);
        Some(AloneFigures {
            jobs,
            too_wide,
            flow,
            wait,
            bounded_slowdown,
            gain: mean(Metric::Gain),
        })
    }
}

/// Column names in `organizations.csv`.
pub fn columns() -> Vec<String> {
    let counts = ["alone_jobs", "alone_too_wide"].map(str::to_owned).into_iter();
    let means = ALONE.map(|metric| format!("{}_mean", metric.name()));
    let estimated = means.into_iter().chain([Metric::Gain.name().to_owned()]);
    counts.chain(estimated.flat_map(|name| with_interval(&name))).collect()
}

/// The fields of [`columns`]; none if nobody was simulated alone.
pub(super) fn fields(results: &Results, index: usize) -> Vec<String> {
    let Some(alone) = &results.alone else { return Vec::new() };
    let Service { jobs, too_wide, .. } = alone.of(index);
    let mut fields = vec![jobs.to_string(), too_wide.to_string()];
    for metric in ALONE.into_iter().chain([Metric::Gain]) {
        let (mean, estimate) = results.alone_mean(index, metric, results.sample.level());
        fields.extend(estimated(mean, estimate.map(|one| one.interval)));
    }
    fields
}

/// Sentences that say who gains from sharing, who loses, and how much.
pub(super) fn shared(results: &Results, plan: &Plan) -> Vec<String> {
    let Some(alone) = &results.alone else { return Vec::new() };
    let change = |(index, organization): (usize, _)| {
        let (mean, estimate) = results.alone_mean(index, Metric::Gain, results.sample.level());
        Some(Change::new(organization, mean?, estimate.map(|one| one.interval)))
    };
    let names = plan.organizations.iter().map(|one| &*one.name);
    let changes: Vec<Change<'_>> = names.enumerate().filter_map(change).collect();
    let mut sentences = Vec::from_iter(sharing::sentence(&changes));
    let too_wide = alone.of(plan.organizations.len()).too_wide;
    if too_wide > 0 {
        sentences.push(format!(
            "not compared: {}",
            counted(
                too_wide,
                "job too wide for its organization's own clusters",
                "jobs too wide for their organizations' own clusters"
            )
        ));
    }
    sentences
}
