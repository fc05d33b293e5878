//! Grid Concurrent-Submission on two clusters: the worst ratio known, 8/3.

use super::plan::{Plan, at, rows};
use super::{Family, Known, Parameter, Target, Worst, tiny_jobs, unit_over};
use kernel::time::{Span, Time};

/// Found by gridpact's hill climbing.
pub(super) const FAMILY: Family = Family {
    name: "two-clusters-8/3",
    summary: "Grid Over-Time-Submission takes 40 units where 15 + 2/n are enough, on two clusters \
              and with all jobs submitted at once.",
    citation: "found by search for gridpact; Schwiegelshohn, Tchernykh and Yahyapour, Online \
               scheduling in grids, IPDPS 2008, section 5, mention a case of 21/8",
    target: Target::GridSubmission,
    parameters: &[
        Parameter {
            name: "g",
            meaning: "the larger cluster has 21 g + 4 processors",
            default: 1000,
            least: 5,
            most: 100_000_000,
        },
        tiny_jobs(2),
    ],
    construct,
};

fn construct(values: &[u64]) -> Result<Worst, String> {
    let (g, tiny) = (values[0] as u32, unit_over(values[1])?);
    let after = |units: i64| Time::ZERO + Span::units(units);
    let mut plan = Plan::new(&[(1, 1), (1, 21 * g + 4)]);
    plan.add(25, (1, Span::UNIT), &mut rows(Time::ZERO, Span::UNIT, (1, 1), 2));
    plan.add(1, (1, Span::units(15)), &mut at(Time::ZERO, 0));
    let mut large = |count: usize, size: u32, length: Span, start: Time| {
        plan.add(count, (size, length), &mut at(start, 1));
    };
    large(1, 11 * g, Span::units(7), after(0));
    large(1, 11 * g, Span::units(8), after(7));
    large(1, 21 * g + 4, tiny, after(15));
    large(1, 4 * g, Span::units(3), after(5));
    large(2, 4 * g, Span::units(2), after(11));
    large(1, 7 * g, Span::units(3), after(8));
    large(1, 3 * g, Span::units(8), after(0));
    large(1, 7 * g, Span::units(5), after(0));
    large(1, 10 * g, Span::units(2), after(13));
    large(1, 2 * g, Span::units(8), after(5));
    large(1, 10 * g, tiny, after(15) + tiny);

    let optimum = Known::AtMost(after(15) + tiny * 2);
    let note = "The larger cluster runs its jobs of more than half its processors one after \
                another, then eight others that hardly fit together. It is busy for 25 units, in \
                which the sequential jobs wait for the smaller cluster, the longest last.";
    Ok(plan.finish(optimum, Some(after(40)), note.into()))
}
