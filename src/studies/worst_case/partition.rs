//! Two equal clusters and unit jobs: an optimal schedule solves the partition problem.

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::plan::{Plan, at};
use super::{Family, Known, Parameter, Target, Worst, limit_jobs};
use kernel::time::{Span, Time};

/// Schwiegelshohn, Tchernykh and Yahyapour 2008, Theorem 3.1.
pub(super) const FAMILY: Family = Family {
    name: "partition",
    summary: "Unit jobs that fill two equal clusters exactly: every scheduler that does not find \
              the partition takes 2 units instead of 1.",
    citation: "Schwiegelshohn, Tchernykh and Yahyapour, Online scheduling in grids, IPDPS 2008, \
               Theorem 3.1",
    target: Target::ListFcfs,
    parameters: &[
        Parameter {
            name: "processors",
            meaning: "processors of each cluster",
            default: 1000,
            least: 2,
            most: 2_000_000_000,
        },
        Parameter {
            name: "jobs",
            meaning: "number of jobs of each cluster in the optimum",
            default: 6,
            least: 1,
            most: 100_000_000,
        },
        Parameter {
            name: "seed",
            meaning: "seed of the sizes and of their order",
            default: 1,
            least: 0,
            most: u64::MAX,
        },
    ],
    construct,
};

fn construct(values: &[u64]) -> Result<Worst, String> {
    let (processors, jobs, seed) = (values[0] as u32, values[1], values[2]);
    limit_jobs(2 * u128::from(jobs), &format!("jobs = {jobs}"))?;
    if u64::from(processors) < jobs {
        return Err(format!("jobs is {jobs}; {processors} processors are not enough for so many"));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut placed: Vec<(u32, usize)> = Vec::new();
    for cluster in 0..2 {
        let sizes = composition(processors, jobs as usize, &mut rng);
        placed.extend(sizes.into_iter().map(|size| (size, cluster)));
    }
    placed.shuffle(&mut rng);

    let mut plan = Plan::new(&[(2, processors)]);
    for (size, cluster) in placed {
        plan.add(1, (size, Span::UNIT), &mut at(Time::ZERO, cluster));
    }
    // A job takes one unit.
    let optimum = Known::Exactly(Time::ZERO + Span::UNIT);
    let note = "The sizes sum to the processors of both clusters, so a job is late unless the \
                sizes are divided into two equal sums.";
    Ok(plan.finish(optimum, None, note.into()))
}

/// Draws `parts` positive numbers with the sum `total`, all such lists with the same probability.
fn composition(total: u32, parts: usize, rng: &mut ChaCha8Rng) -> Vec<u32> {
    // Cuts are a sample without replacement of the `total - 1` gaps (Floyd 1987).
    let gaps = total - 1;
    let mut cuts = std::collections::BTreeSet::new();
    for bound in gaps + 1 - (parts as u32 - 1)..=gaps {
        let cut = rng.random_range(1..=bound);
        if !cuts.insert(cut) {
            cuts.insert(bound);
        }
    }
    let mut sizes = Vec::with_capacity(parts);
    let mut before = 0;
    for cut in cuts.into_iter().chain([total]) {
        sizes.push(cut - before);
        before = cut;
    }
    sizes
}
