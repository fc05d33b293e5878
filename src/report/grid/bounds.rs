//! The makespan beside the least that any schedule could have, promises and messages, in sentences.

use findings::grid::results::Results;
use findings::measure::Metric;
use scenario::plan::Plan;
use stats::shown::{counted, figure, percent};

/// The sentences about the bounds of the makespan, the promises of plans and messages, as far as a run
/// keeps them.
pub(super) fn lines(results: &Results, plan: &Plan) -> Vec<String> {
    let grid = results.accounts.organizations().len();
    let mean = |metric: Metric| results.sample.mean(grid, metric.measure());
    let on = if plan.leaves_out() { " on the clusters of organizations with jobs" } else { "" };
    let on_average = if results.replications.len() > 1 { " on average" } else { "" };
    let mut lines = Vec::new();
    match (mean(Metric::MakespanOverOptimum), mean(Metric::MakespanOverBound)) {
        (Some(optimum), _) => lines.push(format!(
            "the makespan is {} times the least possible{on}{on_average}",
            figure(optimum)
        )),
        (None, Some(bound)) => lines.push(format!(
            "the makespan is at most {} times the least possible{on}{on_average}, by a lower bound for any \
             schedule",
            figure(bound)
        )),
        (None, None) => {}
    }
    if let Some(broken) = mean(Metric::BrokenPromises) {
        lines.push(match broken {
            0.0 => "no plan that was played made an organization end later than alone".to_owned(),
            _ => format!(
                "{} of the times that a plan promised an organization to end no later than alone, it \
                 ended later",
                percent(broken)
            ),
        });
    }
    if let Some(messages) = mean(Metric::Messages) {
        lines.push(format!(
            "clusters exchanged {}{on_average} to take jobs from each other",
            counted(messages.round() as u64, "message", "messages")
        ));
    }
    lines
}
