//! List scheduling, largest job first: tiny large jobs let sequential jobs in one by one.

use super::plan::{Plan, at};
use super::{Family, Known, Parameter, Target, Worst};
use kernel::time::{Span, Time};

/// Schwiegelshohn, Tchernykh and Yahyapour 2008, Example 4.2.
pub(super) const FAMILY: Family = Family {
    name: "example-4.2",
    summary: "List scheduling, largest job first, runs its last large job beside many sequential \
              ones; a part of example-4.3, not a bad ratio by itself.",
    citation: "Schwiegelshohn, Tchernykh and Yahyapour, Online scheduling in grids, IPDPS 2008, \
               Example 4.2",
    target: Target::ListDescending,
    parameters: &[
        Parameter {
            name: "mu",
            meaning: "processors of the smaller cluster",
            default: 2,
            least: 1,
            most: 998,
        },
        Parameter {
            name: "processors",
            meaning: "processors of the larger cluster",
            default: 8,
            least: 3,
            most: 1000,
        },
    ],
    construct,
};

/// Length of a large job; the sequential jobs are a thousand times longer.
const TINY: Span = Span::from_ticks(Span::UNIT.ticks() / 1000);

fn construct(values: &[u64]) -> Result<Worst, String> {
    let (mu, processors) = (values[0], values[1]);
    if processors < mu + 2 {
        let least = mu + 2;
        return Err(format!("processors is {processors}; with mu = {mu}, {least} is the least"));
    }
    let mut plan = Plan::new(&[(1, mu as u32), (1, processors as u32)]);
    // Sequential job number i has this length, so no two of them end within a tiny job.
    let length = |i: u64| Span::UNIT + TINY * (2 * i.cast_signed());

    // In the reference, all sequential jobs start at once, the `mu` shortest ones on the smaller
    // cluster. The large jobs follow in ascending order, each when one more sequential job ends.
    for size in (mu + 1..processors).rev() {
        let start = if size == mu + 1 { Span::ZERO } else { length(size - 2) };
        plan.add(1, (size as u32, TINY), &mut at(Time::ZERO + start, 1));
    }
    for i in 0..processors - 1 {
        plan.add(1, (1, length(i)), &mut at(Time::ZERO, usize::from(i >= mu)));
    }
    // The longest job is the lower bound.
    let longest = Time::ZERO + length(processors - 2);
    let late = TINY * (processors - 2 - mu).cast_signed();
    let note = format!(
        "After {} tiny jobs one of {} processors runs beside {} sequential jobs, which end one by \
         one: two large jobs never run together.",
        processors - 2 - mu,
        mu + 1,
        processors - 1 - mu
    );
    Ok(plan.finish(Known::Exactly(longest), Some(longest + late), note))
}
