//! Grid Concurrent-Submission on two clusters: the larger one never helps the smaller one.

use super::plan::{Plan, at, rows};
use super::{Family, Known, Target, Worst, tiny_jobs, unit_over};
use kernel::time::{Span, Time};

/// Schwiegelshohn, Tchernykh and Yahyapour 2008, Example 5.5.
pub(super) const FAMILY: Family = Family {
    name: "example-5.5",
    summary: "Grid Over-Time-Submission takes 10 units where 4 + 1/n are the optimum.",
    citation: "Schwiegelshohn, Tchernykh and Yahyapour, Online scheduling in grids, IPDPS 2008, \
               Example 5.5",
    target: Target::GridSubmission,
    parameters: &[tiny_jobs(2)],
    construct,
};

fn construct(values: &[u64]) -> Result<Worst, String> {
    let tiny = unit_over(values[0])?;
    let (zero, after) = (Time::ZERO, |units: i64| Time::ZERO + Span::units(units));
    let mut plan = Plan::new(&[(1, 1), (1, 21)]);
    plan.add(6, (1, Span::UNIT), &mut rows(zero, Span::UNIT, (1, 1), 2));
    plan.add(1, (1, Span::units(4)), &mut at(zero, 0));
    plan.add(1, (11, Span::units(3)), &mut at(zero, 1));
    plan.add(1, (11, tiny), &mut at(after(4), 1));
    plan.add(1, (8, Span::units(3)), &mut at(zero, 1));
    plan.add(3, (7, Span::UNIT), &mut at(after(3), 1));
    plan.add(1, (8, tiny), &mut at(after(4), 1));
    // The area is more than 4 units of all processors, and all lengths are multiples of `tiny`.
    let optimum = Known::Exactly(after(4) + tiny);
    let note = "Large jobs are always waiting on the larger cluster, which is half idle, so the \
                sequential jobs run one after another on the smaller one, the longest last.";
    Ok(plan.finish(optimum, Some(after(10)), note.into()))
}
