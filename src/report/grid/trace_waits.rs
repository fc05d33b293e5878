//! Waiting times that traces and lists record, in files and words.

use findings::grid::trace_waits::TraceWaits;
use scenario::plan::{Plan, WorkloadKind};
use sim::accounts::Counting;
use stats::shown::{count, counted};

/// Definition of the figures, for readers who have only the file.
pub(crate) const DEFINITION: &str = "waiting times on the real machine under its own scheduler and policies, \
    recorded in the trace (column 3) or in the column `wait` of the list of jobs, of the jobs that \
    count and have one; simulated_mean: mean wait of the same jobs in this run; missing: jobs of such \
    traces and lists that count and have none";

/// Heading note of the columns, for people.
pub const NOTE: &str = "recorded: on the real machine";

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

/// The waits of a plan's workloads, without any jobs.
pub fn of(plan: &Plan, counting: Counting) -> TraceWaits {
    let kinds = plan.workloads.iter().map(|workload| compares(&workload.kind));
    TraceWaits::new(kinds.collect(), plan.organizations.len(), counting)
}

/// Lines for people: the origin of recorded waits, and the jobs and traces without any.
pub fn lines(trace_waits: &TraceWaits, plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(waits) = trace_waits.of(plan.organizations.len()) {
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
