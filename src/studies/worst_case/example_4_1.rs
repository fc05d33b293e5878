//! List scheduling, smallest job first: the large clusters take small jobs one layer after another.

use super::plan::{Plan, rows};
use super::{Family, Known, Parameter, Target, Worst, limit_jobs};
use kernel::time::{Span, Time};

/// Schwiegelshohn, Tchernykh and Yahyapour 2008, Example 4.1.
pub(super) const FAMILY: Family = Family {
    name: "example-4.1",
    summary: "List scheduling, smallest job first, takes k + 1 units where 2 are enough.",
    citation: "Schwiegelshohn, Tchernykh and Yahyapour, Online scheduling in grids, IPDPS 2008, \
               Example 4.1",
    target: Target::ListAscending,
    parameters: &[Parameter {
        name: "k",
        meaning: "the largest cluster has 2^k processors",
        default: 4,
        least: 2,
        most: 60,
    }],
    construct,
};

/// The number of jobs of size 2^`power`, which is also twice the number of their clusters.
fn jobs(k: u32, power: u32) -> usize {
    1 << (2 * (k - power))
}

fn construct(values: &[u64]) -> Result<Worst, String> {
    let k = values[0];
    limit_jobs(((1_u128 << (2 * k + 2)) - 1) / 3, &format!("k = {k}"))?;
    let k = k as u32;

    let clusters: Vec<(usize, u32)> =
        (0..=k).map(|power| (jobs(k, power).div_ceil(2), 1 << power)).collect();
    let mut plan = Plan::new(&clusters);
    let mut first = 0;
    for &(count, processors) in &clusters {
        let two_each = &mut rows(Time::ZERO, Span::UNIT, (first, count), 1);
        plan.add(jobs(k, processors.ilog2()), (processors, Span::UNIT), two_each);
        first += count;
    }
    // The area is more than one unit of all processors, and all lengths are one unit.
    let optimum = Known::Exactly(Time::ZERO + Span::units(2));
    let makespan = Time::ZERO + Span::units(i64::from(k) + 1);
    let note = format!(
        "Jobs of one size fill the whole grid for a unit, so the {} sizes run one after another. \
         Two jobs for each cluster of just their size would do.",
        k + 1
    );
    Ok(plan.finish(optimum, Some(makespan), note))
}
