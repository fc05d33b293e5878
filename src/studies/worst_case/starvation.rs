//! Grid Over-Time-Submission: a stream of jobs of more than half a cluster starves a smaller job.

use super::plan::{Plan, at};
use super::{Family, Known, Parameter, Target, Worst, limit_jobs};
use kernel::time::{Span, Time};

/// Constructed for gridpact.
pub(super) const FAMILY: Family = Family {
    name: "starvation",
    summary: "Grid Over-Time-Submission delays a job of half a cluster behind all jobs of more \
              than half that ever come; the makespan is the optimum, the waiting time unbounded.",
    citation: "constructed for gridpact",
    target: Target::GridSubmission,
    parameters: &[Parameter {
        name: "jobs",
        meaning: "number of jobs of more than half a cluster, one a unit",
        default: 12,
        least: 1,
        most: 100_000_000,
    }],
    construct,
};

fn construct(values: &[u64]) -> Result<Worst, String> {
    let jobs = values[0];
    limit_jobs(u128::from(jobs) + 1, &format!("jobs = {jobs}"))?;
    let after = |units: i64| Time::ZERO + Span::units(units);
    let jobs = jobs.cast_signed();
    let mut plan = Plan::new(&[(1, 1), (1, 10)]);
    plan.add(1, (5, Span::UNIT), &mut at(Time::ZERO, 1));
    for job in 0..jobs {
        plan.release(after(job));
        plan.add(1, (6, Span::units(2)), &mut at(after(2 * job + 1), 1));
    }
    // No two jobs fit side by side.
    let end = after(2 * jobs + 1);
    let note = format!(
        "The job of 5 processors is submitted first and starts at time {} instead of 0, after all \
         jobs of 6 processors.",
        2 * jobs
    );
    Ok(plan.finish(Known::Exactly(end), Some(end), note))
}
