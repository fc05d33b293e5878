//! Mean flow and waiting time with the luck of the drawn jobs taken out.
//!
//! The models that jobs are drawn from tell their mean area and mean interarrival time. By how much
//! the jobs of a replication are larger, and come closer together, than that is a control of its
//! flow and waiting times ([`crate::stats::control`]). The result stands beside the plain mean and
//! never replaces it. Whether there is one depends on the plan and on numbers of jobs only.

use schemars::JsonSchema;
use serde::Serialize;

use super::results::Results;
use super::typical::Typical;
use crate::kernel::time::sum_as_units as units;
use crate::sim::accounts::Account;
use crate::stats::control::{CONTROLS, Controlled, Row};
use crate::stats::interval::Level;
use crate::stats::shown::{figure, percent, rough};

/// The summary tells a controlled mean if its interval is narrower than the plain one by this
/// share.
const TOLD: f64 = 0.1;

/// Sums of the replications for the whole grid, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Controls {
    /// Flow time, waiting time, number of jobs that count.
    sums: Vec<[f64; 3]>,
    controls: Vec<[f64; CONTROLS]>,
    /// Expected area of a replication's jobs.
    scale: f64,
    /// Number of jobs by workload in the first replication.
    jobs: Vec<u64>,
    /// True if models are not known, or replications have different numbers of jobs. What came up
    /// to a time is no sample of a fixed size, and its mean interarrival time is biased.
    is_unfit: bool,
}

impl Controls {
    /// Adds the account of the whole grid in a replication.
    pub(super) fn add(&mut self, grid: &Account) {
        let sums = [grid.flow.sum(), grid.wait.sum()].map(units);
        self.sums.push([sums[0], sums[1], grid.flow.count() as f64]);
    }

    /// Adds the jobs of the same replication.
    pub(super) fn add_jobs(&mut self, typical: &Typical) {
        let Some((deviations, scale)) = typical.deviations() else {
            self.is_unfit = true;
            return;
        };
        let jobs = typical.jobs();
        if self.controls.is_empty() {
            (self.jobs, self.scale) = (jobs, scale);
        } else {
            self.is_unfit |= self.jobs != jobs;
        }
        self.controls.push(deviations);
    }

    fn of(&self, which: usize) -> Option<Controlled> {
        if self.is_unfit || self.controls.len() != self.sums.len() {
            return None;
        }
        let rows: Vec<Row> = (self.sums.iter().zip(&self.controls))
            .map(|(sums, &controls)| Row { sum: sums[which], count: sums[2], controls })
            .collect();
        Controlled::new(&rows, self.scale)
    }
}

/// A controlled mean for files.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ControlledFigures {
    mean: f64,
    low: f64,
    high: f64,
    level: f64,
    method: &'static str,
    replications: usize,
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

impl Results {
    /// Mean flow time of the whole grid, controlled by the drawn jobs; `None` if there are fewer
    /// than 20 replications, they differ in their numbers of jobs, or no model is known.
    pub fn controlled_flow(&self) -> Option<Controlled> {
        self.controls.of(0)
    }

    /// Mean waiting time, as [`controlled_flow`](Results::controlled_flow).
    pub fn controlled_wait(&self) -> Option<Controlled> {
        self.controls.of(1)
    }

    /// The controlled means with the widths of the plain ones.
    fn controlled(&self) -> Option<[(Controlled, Option<f64>); 2]> {
        let grid = self.accounts.grid();
        let precision = self.precision(self.accounts.organizations().len(), &grid);
        let [flow, wait, ..] = precision.distributions;
        let level = self.accounts.level();
        let ratio = |one: &Controlled, plain: super::precision::OfDistribution| {
            let plain = plain.mean?.interval.half_width();
            (plain > 0.0).then(|| one.interval(level).half_width() / plain)
        };
        let (of_flow, of_wait) = (self.controlled_flow()?, self.controlled_wait()?);
        Some([(of_flow, ratio(&of_flow, flow)), (of_wait, ratio(&of_wait, wait))])
    }
}

/// The controlled means for files.
pub(super) fn figures(results: &Results) -> Option<OfGrid> {
    let level = results.accounts.level();
    let [flow, wait] = results.controlled()?.map(|(one, width_ratio)| {
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
pub(super) fn line(results: &Results) -> Option<String> {
    let [(flow, ratio), (wait, _)] = results.controlled()?;
    let ratio = ratio.filter(|ratio| *ratio < 1.0 - TOLD)?;
    let told = |of: &Controlled, level: Level| {
        format!("{} ± {}", figure(of.mean), rough(of.interval(level).half_width()))
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
