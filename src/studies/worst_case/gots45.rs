//! Grid Over-Time-Submission: a ratio of 4.5 is approached.

use super::plan::{Plan, at, rows};
use super::{Family, Known, Parameter, Target, Worst, limit_jobs, tiny_jobs, unit_over};
use kernel::time::{Span, Time};

/// Constructed for gridpact; the paper mentions such a case without giving it.
pub(super) const FAMILY: Family = Family {
    name: "gots45",
    summary: "Grid Over-Time-Submission takes 4.5 - 1/k times the optimum.",
    citation: "constructed for gridpact; Schwiegelshohn, Tchernykh and Yahyapour, Online \
               scheduling in grids, IPDPS 2008, section 6, mention a lower bound close to 4.5",
    target: Target::GridSubmission,
    parameters: &[
        Parameter {
            name: "k",
            meaning: "number of large clusters, even",
            default: 4,
            least: 4,
            most: 100_000,
        },
        Parameter { meaning: "the tiny jobs run for 1/n or 2/n of a unit", ..tiny_jobs(10) },
    ],
    construct,
};

fn construct(values: &[u64]) -> Result<Worst, String> {
    let (k, tiny) = (values[0], unit_over(values[1])?);
    if !k.is_multiple_of(2) {
        return Err(format!("k is {k}; it must be even"));
    }
    let each = u128::from(k);
    let sequential = 7 * each / 2;
    limit_jobs(sequential + 2 * each * (each - 1) + 12 * each, &format!("k = {k}"))?;
    let all = k as usize;
    let (half, long) = (4 * k as u32, Span::units(k.cast_signed()));
    let (zero, end) = (Time::ZERO, Time::ZERO + long);

    // In the reference, the last cluster runs the narrow long jobs and the short sequential ones.
    // The others run everything else in pairs. The jobs of a whole cluster come last.
    let (others, both) = ((1, all - 1), tiny * 2);
    let mut pairs = rows(zero, both, others, 2)
        .take(4 * all - 4)
        .chain(rows(end + both, both, (all, 1), 2).take(4));
    let mut halves = rows(zero + both * 2, Span::UNIT, others, 2);
    let mut rest = rows(end + both * 2, tiny, others, 2);
    let mut giants = rows(end + both * 3, tiny, (1, all), 1);

    let mut plan = Plan::new(&[(1, 1), (all, 2 * half)]);
    let mut released = zero;
    let mut drain = |plan: &mut Plan, released: Time| {
        for _ in 0..all {
            plan.add(1, (2, long), &mut at(released, all));
            plan.add(1, (half, both), &mut pairs);
            plan.add(1, (half - 2, both), &mut pairs);
        }
    };
    drain(&mut plan, released);
    plan.add(7 * all / 2 - 1, (1, Span::UNIT), &mut rows(zero, Span::UNIT, (all, 1), 4));
    plan.add(1, (1, long), &mut at(zero, 0));
    released += tiny;
    plan.release(released);
    plan.add(all, (2 * half, tiny), &mut giants);
    drain(&mut plan, released);
    for _ in 0..all {
        plan.add(1, (2, long), &mut at(released, all));
        plan.add(1, (half, Span::UNIT), &mut halves);
        plan.add(1, (half - 2, tiny), &mut rest);
    }
    plan.add(2 * all * (all - 1) - all, (half, Span::UNIT), &mut halves);
    plan.add(2 * all, (half, tiny), &mut rest);
    plan.release(end + both);
    plan.add(all, (2 * half, tiny), &mut giants);

    let optimum = Known::AtMost(end + tiny * 8);
    let makespan = end + Span::units(7 * k.cast_signed() / 2 - 1);
    let note = format!(
        "Twice the {k} large clusters stay nearly idle for {k} units: a tiny job of a whole \
         cluster waits for a narrow long one, and everything else waits behind it. Then jobs of \
         half a cluster run one after another beside narrow long ones. Meanwhile all sequential \
         jobs wait for the small cluster, the longest last."
    );
    Ok(plan.finish(optimum, Some(makespan), note))
}
