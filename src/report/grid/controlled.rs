//! Mean flow and waiting time with the luck of the drawn jobs taken out, for files and the summary.

use schemars::JsonSchema;
use serde::Serialize;

use findings::grid::precision::OfDistribution;
use findings::grid::results::Results;
use stats::control::Controlled;
use stats::interval::Level;
use stats::shown::{Times, percent};

/// The summary tells a controlled mean if its interval is narrower than the plain one by this
/// share.
const TOLD: f64 = 0.1;

/// A controlled mean for files.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ControlledFigures {
    /// The mean.
    mean: f64,
    /// Lower end of its interval.
    low: f64,
    /// Upper end of its interval.
    high: f64,
    /// Confidence level of the interval.
    level: f64,
    /// Method of the interval.
    method: &'static str,
    /// Replications behind it.
    replications: usize,
    /// Controls that were used.
    controls: usize,
    /// Width of the interval over that of the plain one.
    width_ratio: Option<f64>,
}

/// Controlled means of the whole grid.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct OfGrid {
    flow: ControlledFigures,
    wait: ControlledFigures,
}

/// The controlled means for files.
pub(super) fn figures(results: &Results) -> Option<OfGrid> {
    let level = results.accounts.level();
    let [flow, wait] = controlled(results)?.map(|(one, width_ratio)| {
        let interval = one.interval(level);
        ControlledFigures {
            mean: one.mean,
            low: interval.low,
            high: interval.high,
            level: level.share(),
            method: "regression on the mean area and the mean gap of the jobs drawn",
            replications: results.replications.len(),
            controls: one.controls,
            width_ratio,
        }
    });
    Some(OfGrid { flow, wait })
}

/// A line for the summary, if the interval of the mean flow is much narrower than the plain one.
pub(super) fn line(results: &Results, times: Times) -> Option<String> {
    let [(flow, ratio), (wait, _)] = controlled(results)?;
    let ratio = ratio.filter(|ratio| *ratio < 1.0 - TOLD)?;
    let told = |of: &Controlled, level: Level| {
        format!("{} ± {}", times.told(of.mean), times.margin(of.interval(level).half_width()))
    };
    let level = results.accounts.level();
    Some(format!(
        "with the luck of the drawn jobs taken out (control variates), mean flow {} and mean wait {}: \
         an interval {} narrower",
        told(&flow, level),
        told(&wait, level),
        percent(1.0 - ratio)
    ))
}

/// The controlled means with the widths of the plain ones.
fn controlled(results: &Results) -> Option<[(Controlled, Option<f64>); 2]> {
    let grid = results.accounts.grid();
    let precision = results.precision(results.accounts.organizations().len(), &grid);
    let [flow, wait, ..] = precision.distributions;
    let level = results.accounts.level();
    let ratio = |one: &Controlled, plain: OfDistribution| {
        let plain = plain.mean?.interval.half_width();
        (plain > 0.0).then(|| one.interval(level).half_width() / plain)
    };
    let (of_flow, of_wait) = (results.controlled_flow()?, results.controlled_wait()?);
    Some([(of_flow, ratio(&of_flow, flow)), (of_wait, ratio(&of_wait, wait))])
}
