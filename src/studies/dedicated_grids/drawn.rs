//! Random instances, and what is known of each.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::played::Record;
use crate::row::Row;
use crate::verdict::{Measured, Verdict};
use crate::{Bench, StudyError};
use game::dedicated::{Dedicated, Fronts, Limit, Walk};
use game::equity::{Points, cumulate, cumulated, pareto_dominates};
use kernel::rng::Streams;
use stats::interval::Level;
use stats::student;
use workload::draw::below;

/// Instances for each sample that is asked for.
const TIMES: u32 = 50;

/// Limits within which instances are drawn: every cell has 1 to `jobs` jobs of size 1 to `size`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape {
    pub(super) owners: usize,
    pub(super) jobs: u64,
    pub(super) size: u64,
    /// True if all sizes of an instance are different.
    pub(super) apart: bool,
    /// Speed of the last owner's processor, in that of the others.
    pub(super) faster: i64,
}

impl Shape {
    pub(super) const fn of(owners: usize, jobs: u64, size: u64) -> Shape {
        Shape { owners, jobs, size, apart: false, faster: 1 }
    }

    pub(super) fn words(&self) -> String {
        let Shape { owners, jobs, size, apart, faster } = self;
        let apart = if *apart { ", all different" } else { "" };
        let faster = match faster {
            1 => String::new(),
            times => format!(", the last processor {times} times as fast"),
        };
        format!("{owners} owners, up to {jobs} jobs a cell, sizes up to {size}{apart}{faster}")
    }

    /// The instance of a sample.
    pub(super) fn instance(&self, seed: u64, sample: u64) -> Dedicated {
        let Shape { owners, jobs, size, apart, faster } = *self;
        let name = format!("dedicated-grids/{owners}/{jobs}/{size}");
        let rng = &mut Streams::new(seed).in_replication(sample).stream(&name);
        let mut sizes = vec![vec![Vec::new(); owners]; owners];
        for cell in sizes.iter_mut().flatten() {
            let count = 1 + below(rng, jobs);
            cell.extend((0..count).map(|_| 1 + below(rng, size) as i64));
        }
        if apart {
            // Sizes keep their order; equal ones are told apart in the order of the cells.
            let mut all: Vec<(i64, usize)> =
                sizes.iter().flatten().flatten().copied().zip(0..).collect();
            all.sort_unstable();
            let mut rank = vec![0; all.len()];
            all.iter().enumerate().for_each(|(place, &(_, job))| rank[job] = place as i64);
            let count = all.len() as i64;
            let jobs = sizes.iter_mut().flatten().flatten();
            jobs.zip(rank).for_each(|(size, rank)| *size = *size * count + rank);
        }
        // In the time that the fastest processor takes for a unit of work.
        let slow = sizes.iter_mut().flat_map(|cells| cells[..owners - 1].iter_mut());
        slow.flatten().for_each(|size| *size *= faster);
        Dedicated::square(&sizes).expect("sizes are small and positive")
    }
}

/// A walk, judged by the exact front.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Judged {
    /// True if a schedule of the cleaned list is dominated.
    pub(super) is_dominated: bool,
    /// True if the first schedule of the list is dominated.
    pub(super) first: bool,
    /// True if the second one is dominated; none if there is no second.
    pub(super) second: Option<bool>,
    /// Share of the front's cumulative outcomes that the list holds.
    pub(super) covered: f64,
    /// Schedules of the list.
    pub(super) visited: usize,
}

/// Results on one instance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Case {
    /// The walks on sums and on payoffs.
    pub(super) walks: [Judged; 2],
    /// True if a schedule of the walk on payoffs dominates my jobs first.
    pub(super) is_improved: bool,
    /// True if some schedule dominates my jobs first.
    pub(super) can_improve: bool,
    /// True if no owner loses by shortest first.
    pub(super) spt_is_feasible: bool,
}

impl Case {
    /// The paper's last column: my jobs first is dominated, or cannot be.
    pub(super) fn is_feasible(&self) -> bool {
        self.is_improved || !self.can_improve
    }
}

fn judged(walk: &Walk, fronts: &Fronts, offset: &[i64]) -> Result<Judged, StudyError> {
    let front = fronts.equitable(offset).map_err(|wrong| StudyError(wrong.to_string()))?;
    let best = cumulated(&front, offset).sorted();
    let costs = cumulated(&walk.sums, offset);
    let is_out = |index: usize| !best.holds(costs.at(index));
    let mut met = Points::new(best.width());
    costs.iter().filter(|costs| best.holds(costs)).for_each(|costs| met.push(costs));
    Ok(Judged {
        is_dominated: walk.cleaned(offset).into_iter().any(is_out),
        first: is_out(0),
        second: (costs.len() > 1).then(|| is_out(1)),
        covered: met.sorted().len() as f64 / best.len() as f64,
        visited: costs.len(),
    })
}

fn case(instance: &Dedicated) -> Result<Case, StudyError> {
    let fronts = Fronts::of(instance, Limit::default());
    let fronts = fronts.map_err(|wrong| StudyError(wrong.to_string()))?;
    let offsets = [vec![0; instance.owners()], instance.payoff_offset()];
    let walks = offsets.each_ref().map(|offset| instance.equitable_walk(offset, usize::MAX));
    let alone = instance.sums(&instance.own_first());
    let below = fronts.some_dominates(&alone).map_err(|wrong| StudyError(wrong.to_string()))?;
    let spt = instance.sums(&instance.shortest_first());
    Ok(Case {
        walks: [judged(&walks[0], &fronts, &offsets[0])?, judged(&walks[1], &fronts, &offsets[1])?],
        is_improved: walks[1].sums.iter().any(|sums| pareto_dominates(sums, &alone)),
        can_improve: below,
        spt_is_feasible: spt.iter().zip(&alone).all(|(spt, alone)| spt <= alone),
    })
}

/// Cases of all samples of a shape.
pub(super) type Cases = Arc<Vec<Case>>;

#[derive(Debug, Default)]
struct Shelf(Mutex<BTreeMap<Shape, Cases>>);

/// The cases of a shape; `few` if each takes long.
pub(super) fn cases(bench: &Bench, shape: &Shape, few: bool) -> Result<Cases, StudyError> {
    let samples = bench.effort.samples * if few { 1 } else { TIMES };
    bench.log(Record::drawn(&format!("random instances, {}", shape.words()), bench, samples));
    let shelf = bench.shelf::<Shelf>();
    if let Some(known) = shelf.0.lock().expect("nobody panics with it").get(shape) {
        return Ok(Arc::clone(known));
    }
    let seed = bench.effort.seed;
    let all = bench.each(samples.into(), |sample| case(&shape.instance(seed, sample)))?;
    let all = Arc::new(all);
    shelf.0.lock().expect("nobody panics with it").insert(*shape, Arc::clone(&all));
    Ok(all)
}

/// A share in percent with its 95% interval (Agresti and Coull 1998, which holds near 0 and 1 too).
pub(super) fn share(hits: usize, of: usize) -> Measured {
    let z = student::normal_two_sided(Level::default().share());
    let count = of as f64 + z * z;
    let middle = (hits as f64 + z * z / 2.0) / count;
    let half_width = z * (middle * (1.0 - middle) / count).sqrt();
    Measured { value: 100.0 * hits as f64 / of.max(1) as f64, half_width: 100.0 * half_width }
}

/// A row of a claim on every instance: how many break it.
pub(super) fn never(claim: &'static str, place: &str, what: &str, broken: u64, of: &str) -> Row {
    Row::new(claim, place, what)
        .found(0.0, broken as f64, Verdict::of(broken == 0))
        .note(format!("of {of}"))
}

/// The largest cost, which equity looks at first.
pub(super) fn largest(costs: &[i64]) -> i64 {
    let mut sums = Vec::new();
    cumulate(costs, &mut sums);
    sums[0]
}
