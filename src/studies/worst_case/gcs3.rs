//! Grid Concurrent-Submission: the ratio of 3 of Theorem 5.4 is approached.

use super::plan::{Plan, at, rows};
use super::{Family, Known, Parameter, Target, Worst, limit_jobs, tiny_jobs, unit_over};
use kernel::time::{Span, Time};

/// Constructed for gridpact, with the idea of Example 5.5 of Schwiegelshohn, Tchernykh and
/// Yahyapour 2008.
pub(super) const FAMILY: Family = Family {
    name: "gcs3",
    summary: "Grid Over-Time-Submission takes 3 - 2/k times the optimum, though all jobs are \
              submitted at once.",
    citation: "constructed for gridpact; it shows that the factor 3 of Theorem 5.4 of \
               Schwiegelshohn, Tchernykh and Yahyapour 2008 cannot be improved",
    target: Target::GridSubmission,
    parameters: &[
        Parameter {
            name: "k",
            meaning: "number of large clusters",
            default: 4,
            least: 2,
            most: 100_000,
        },
        tiny_jobs(10),
    ],
    construct,
};

fn construct(values: &[u64]) -> Result<Worst, String> {
    let (k, tiny) = (values[0], unit_over(values[1])?);
    let each = u128::from(k);
    limit_jobs(2 * (each - 1) + 1 + 2 * (each - 1) * each + 4 * each, &format!("k = {k}"))?;
    let half = (3 * k as u32 + 8).div_ceil(2);
    let all = k as usize;
    let long = Span::units(k.cast_signed());

    // The reference runs two jobs of about half a cluster side by side on all large clusters but
    // the last, which takes the blockers and the short sequential jobs. Tiny jobs come at the end.
    let (zero, end) = (Time::ZERO, Time::ZERO + long);
    let mut wide = rows(zero, Span::UNIT, (1, all - 1), 1);
    let mut narrow = rows(zero, Span::UNIT, (1, all - 1), 1);
    let mut giants = rows(end, tiny, (1, all), 1);
    let mut fillers = rows(end + tiny, tiny, (1, all), 1);
    let mut guards = rows(end + tiny, tiny, (1, all), 1);

    let mut plan = Plan::new(&[(1, 1), (all, 2 * half)]);
    plan.add(2 * (all - 1), (1, Span::UNIT), &mut rows(zero, Span::UNIT, (all, 1), 2));
    plan.add(1, (1, long), &mut at(zero, 0));
    plan.add((all - 1) * all, (half + 1, Span::UNIT), &mut wide);
    plan.add(all, (2 * half, tiny), &mut giants);
    for _ in 0..all {
        plan.add(1, (3, long), &mut at(zero, all));
        plan.add(1, (half - 1, Span::UNIT), &mut narrow);
        plan.add(1, (half - 2, tiny), &mut fillers);
    }
    plan.add((all - 2) * all, (half - 1, Span::UNIT), &mut narrow);
    plan.add(all, (half - 1, tiny), &mut guards);

    let optimum = Known::AtMost(end + tiny * 2);
    let makespan = zero + Span::units(3 * k.cast_signed() - 2);
    let note = format!(
        "The {k} large clusters run the jobs of more than half a cluster one after another, then \
         those of less than half one after another, each beside a narrow long job. Meanwhile all \
         sequential jobs wait for the small cluster, the longest last."
    );
    Ok(plan.finish(optimum, Some(makespan), note))
}
