//! Waiting times that traces and lists record, beside the simulated ones of the same jobs.
//!
//! They are those of the real machine with its own scheduler, policies and interruptions, so they
//! tell how far a simulation is from it, not which of the two is right. A trace whose load is scaled
//! has other jobs than the machine had: its recorded waits are left out.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::sum_as_units;
use crate::model::job::Job;
use crate::scenario::plan::{Plan, WorkloadKind};
use crate::sim::accounts::{Counting, details};
use crate::sim::observer::{Finished, Observer};
use crate::stats::distribution::Distribution;
use crate::stats::shown::{count, counted};

/// Definition of the figures, for readers who have only the file.
pub const DEFINITION: &str = "waiting times on the real machine under its own scheduler and policies, \
    recorded in the trace (column 3) or in the column `wait` of the list of jobs, of the jobs that \
    count and have one; simulated_mean: mean wait of the same jobs in this run; missing: jobs of such \
    traces and lists that count and have none";

/// Heading note of the columns, for people.
pub const NOTE: &str = "recorded: on the real machine";

/// Recorded waiting times of an organization's jobs, or of all.
#[derive(Clone, Debug)]
pub struct Waits {
    /// Recorded waiting times, in ticks.
    pub recorded: Distribution,
    /// Number of jobs of such traces and lists that have none.
    pub missing: u64,
    /// Simulated waits of the jobs with a recorded one, in ticks.
    simulated: i128,
}

impl Waits {
    /// Mean simulated wait of the jobs with a recorded one, in units.
    pub fn simulated_mean(&self) -> Option<f64> {
        let jobs = self.recorded.count();
        (jobs > 0).then(|| sum_as_units(self.simulated) / jobs as f64)
    }

    fn merge(&mut self, other: &Waits) {
        self.recorded.merge(&other.recorded);
        self.missing += other.missing;
        self.simulated += other.simulated;
    }
}

/// Recorded waiting times of the jobs that count and ended; an [`Observer`].
#[derive(Clone, Debug)]
pub struct TraceWaits {
    counting: Counting,
    /// Workloads whose recorded waits are shown.
    is_shown: Vec<bool>,
    /// By organization, then for the grid; empty if no workload is shown.
    waits: Vec<Waits>,
}

/// True if a workload has recorded waits that compare with those of a run.
fn compares(kind: &WorkloadKind) -> bool {
    match kind {
        WorkloadKind::Swf { survey, .. } => {
            survey.waits > 0 && survey.options().load.is_none_or(|load| load.factor == 1.0)
        }
        WorkloadKind::List(list) => list.has_waits(),
        WorkloadKind::Drawn(..) | WorkloadKind::Shared { .. } => false,
    }
}

impl TraceWaits {
    /// No jobs yet.
    pub fn new(plan: &Plan, counting: Counting) -> TraceWaits {
        let kinds = plan.workloads.iter().map(|workload| &workload.kind);
        let is_shown: Vec<bool> = kinds.map(compares).collect();
        let organizations = plan.organizations.len();
        let (own, grid) = details(organizations, counting.quantiles);
        let all = std::iter::repeat_n(own, organizations).chain([grid]);
        let waits =
            |detail| Waits { recorded: Distribution::new(detail), missing: 0, simulated: 0 };
        let waits = if is_shown.contains(&true) { all.map(waits).collect() } else { Vec::new() };
        TraceWaits { counting, is_shown, waits }
    }

    /// Adds the jobs of another replication.
    pub fn merge(&mut self, other: &TraceWaits) {
        for (all, one) in self.waits.iter_mut().zip(&other.waits) {
            all.merge(one);
        }
    }

    /// Waits of an organization, or of the grid for the number of organizations; `None` if no job
    /// of it has a recorded wait.
    pub fn of(&self, index: usize) -> Option<&Waits> {
        self.waits.get(index).filter(|waits| waits.recorded.count() > 0)
    }

    /// True if any recorded wait is known.
    pub fn is_any(&self) -> bool {
        self.of(self.waits.len().saturating_sub(1)).is_some()
    }

    /// Lines for people: the origin of recorded waits, and the jobs and traces without any.
    pub fn lines(&self, plan: &Plan) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(waits) = self.waits.last().filter(|_| self.is_any()) {
            let jobs = counted(waits.missing + waits.recorded.count(), "job", "jobs");
            let missing = match waits.missing {
                0 => String::new(),
                1 => format!("; 1 of {jobs} has none"),
                more => format!("; {} of {jobs} have none", count(more)),
            };
            lines.push(format!(
                "recorded waits are those of the real machine under its own scheduler and policies{missing}"
            ));
        }
        for workload in &plan.workloads {
            let WorkloadKind::Swf { survey, .. } = &workload.kind else { continue };
            if survey.waits > 0
                && let Some(load) = survey.options().load.filter(|load| load.factor != 1.0)
            {
                lines.push(format!(
                    "recorded waits: those of {} are left out, since its load is scaled by {}",
                    survey.file.file_name().unwrap_or_default().to_string_lossy(),
                    load.factor
                ));
            }
        }
        // Copies of an organization share a trace.
        lines.dedup();
        lines
    }

    #[inline]
    fn counts(&self, job: &Job) -> bool {
        self.is_shown.get(job.source as usize) == Some(&true)
            && (self.counting.from..self.counting.until).contains(&job.submit)
    }
}

impl Observer for TraceWaits {
    #[inline]
    fn finished(&mut self, finished: Finished<'_>) {
        let job = finished.job;
        if !self.counts(job) {
            return;
        }
        let grid = self.waits.len() - 1;
        for index in [job.organization.index(), grid] {
            let waits = &mut self.waits[index];
            match job.recorded.wait() {
                None => waits.missing += 1,
                Some(wait) => {
                    waits.recorded.record(wait.ticks() as u64);
                    waits.simulated += i128::from(finished.wait().ticks());
                }
            }
        }
    }
}

impl State for TraceWaits {
    fn save(&self, out: &mut Vec<u8>) {
        for waits in &self.waits {
            put(&(waits.missing, waits.simulated), out);
            waits.recorded.save(out);
        }
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        for waits in &mut self.waits {
            (waits.missing, waits.simulated) = take(from)?;
            waits.recorded.load(from)?;
        }
        Ok(())
    }
}

/// Recorded waits in `summary.json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WaitFigures {
    jobs: u64,
    missing: u64,
    mean: Option<f64>,
    p50: Option<f64>,
    p95: Option<f64>,
    max: Option<f64>,
    simulated_mean: Option<f64>,
}

impl WaitFigures {
    pub fn new(waits: &Waits) -> WaitFigures {
        let recorded = &waits.recorded;
        WaitFigures {
            jobs: recorded.count(),
            missing: waits.missing,
            mean: recorded.mean(),
            p50: recorded.quantile(0.5),
            p95: recorded.quantile(0.95),
            max: recorded.largest(),
            simulated_mean: waits.simulated_mean(),
        }
    }
}
