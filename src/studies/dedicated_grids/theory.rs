//! The paper's statements about schedules and equity, on examples and on random instances.

use super::drawn::{Shape, never};
use crate::row::Row;
use crate::verdict::{Measured, Printed, Verdict};
use crate::{Bench, StudyError};
use game::dedicated::{Dedicated, Fronts, Limit, Order, Schedule, multiset, of_multiset};
use game::equity::{
    Points, cumulate, equitable_front, equitably_dominates, pareto_dominates, pareto_front,
};

/// Instances that are enumerated.
const SMALL: Shape = Shape::of(2, 3, 10);

/// All schedules of a small instance.
fn all(instance: &Dedicated) -> Vec<Schedule> {
    let mut all: Vec<Schedule> = vec![Vec::new()];
    for processor in instance.processors() {
        let orders: Vec<Order> = processor.all_orders().collect();
        let longer = |schedule: &Schedule| {
            let with = |order: &Order| [&schedule[..], std::slice::from_ref(order)].concat();
            orders.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Violations found in one instance, by claim.
#[derive(Clone, Copy, Debug, Default)]
struct Broken {
    sums: u64,
    alone: u64,
    own_order: u64,
    switches: u64,
    codes: u64,
    fronts: u64,
    least: u64,
    walk: u64,
}

fn broken(instance: &Dedicated) -> Result<Broken, StudyError> {
    let mut broken = Broken::default();
    let schedules = all(instance);
    let sums: Vec<Vec<i64>> = schedules.iter().map(|one| instance.sums(one)).collect();
    let points = Points::of(instance.owners(), sums.iter().map(|one| &one[..]));
    // Jobs one by one: no two at once on a processor, and none waits while it is idle.
    for (schedule, sums) in schedules.iter().zip(&sums) {
        let mut by_job = vec![0; instance.owners()];
        for (processor, order) in instance.processors().iter().zip(schedule) {
            let mut left: Vec<Vec<i64>> = (0..instance.owners() as u32)
                .map(|owner| processor.sizes(owner).to_vec())
                .collect();
            let mut now = 0;
            for &owner in order {
                now += left[owner as usize].remove(0);
                by_job[owner as usize] += now;
            }
            broken.sums += u64::from(left.iter().any(|left| !left.is_empty()));
        }
        broken.sums += u64::from(by_job != *sums);
        broken.switches += switches(instance, schedule, sums);
    }
    for processor in instance.processors() {
        let (owner, other) = (processor.owner(), 1 - processor.owner());
        let local = processor.sizes(owner).len() as u32;
        let mut codes: Vec<Vec<u32>> = Vec::new();
        for order in processor.all_orders() {
            let code = multiset(&order, owner);
            broken.codes += u64::from(of_multiset(&code, owner, other, local) != order);
            codes.push(code);
        }
        codes.sort_unstable();
        codes.dedup();
        let foreign = processor.sizes(other).len() as u64;
        let places = u64::from(local) + foreign;
        let count = (1..=foreign).fold(1, |all, one| all * (places - foreign + one) / one);
        broken.codes += u64::from(codes.len() as u64 != count);
        broken.alone += u64::from(!is_best_alone(processor.sizes(owner)));
        broken.own_order += own_order(processor.sizes(owner), processor.sizes(other));
    }
    let fronts = Fronts::of(instance, Limit::default());
    let fronts = fronts.map_err(|wrong| StudyError(wrong.to_string()))?;
    let nothing = vec![0; instance.owners()];
    let found = fronts.equitable(&nothing).map_err(|wrong| StudyError(wrong.to_string()))?;
    let pareto = pareto_front(points.clone());
    let expected = equitable_front(&points, &nothing).sorted();
    let is_inside = expected.iter().all(|sums| pareto.holds(sums));
    broken.fronts += u64::from(found != expected || !is_inside);
    let least = points.iter().map(|sums| sums.iter().sum::<i64>()).min();
    let spt = instance.sums(&instance.shortest_first());
    broken.least += u64::from(least != Some(spt.iter().sum()));
    let walk = instance.equitable_walk(&nothing, usize::MAX);
    let mut visited: Vec<Schedule> =
        (0..walk.sums.len()).map(|index| walk.schedule(instance, index)).collect();
    visited.sort_unstable();
    broken.walk += u64::from(visited.windows(2).any(|pair| pair[0] == pair[1]));
    Ok(broken)
}

/// Switches of neighbours of two owners after which one schedule dominates the other.
fn switches(instance: &Dedicated, schedule: &Schedule, sums: &[i64]) -> u64 {
    let mut broken = 0;
    for (at, order) in schedule.iter().enumerate() {
        for place in 1..order.len() {
            if order[place] == order[place - 1] {
                continue;
            }
            let mut next = schedule.clone();
            next[at].swap(place - 1, place);
            let after = instance.sums(&next);
            let is_broken = pareto_dominates(&after, sums) || pareto_dominates(sums, &after);
            broken += u64::from(is_broken);
        }
    }
    broken
}

/// Each job by itself: an instance whose owners are the jobs.
fn apart(sizes: &[i64]) -> Dedicated {
    let of = sizes.iter().map(|&size| vec![size]).collect();
    Dedicated::new(sizes.len(), vec![(0, of)]).expect("sizes are small and positive")
}

/// True if no order of one owner's jobs has a smaller sum than the shortest first.
fn is_best_alone(sizes: &[i64]) -> bool {
    let jobs = apart(sizes);
    let sum = |order: &Order| jobs.sums(std::slice::from_ref(order)).iter().sum::<i64>();
    let least = jobs.processors()[0].all_orders().map(|order| sum(&order)).min();
    least == Some(sum(&jobs.processors()[0].shortest_first()))
}

/// Orders of all jobs, own ones out of order, that the same with own jobs shortest first does not
/// dominate.
fn own_order(local: &[i64], foreign: &[i64]) -> u64 {
    let sizes: Vec<i64> = local.iter().chain(foreign).copied().collect();
    let jobs = apart(&sizes);
    let owner = |job: u32| u32::from(job as usize >= local.len());
    let of = vec![local.to_vec(), foreign.to_vec()];
    let owners = Dedicated::new(2, vec![(0, of)]).expect("sizes are small and positive");
    let mut broken = 0;
    for order in jobs.processors()[0].all_orders() {
        let by_job = jobs.sums(std::slice::from_ref(&order));
        let mut sums = [0, 0];
        (0..).zip(&by_job).for_each(|(job, sum)| sums[owner(job) as usize] += sum);
        let sorted = owners.sums(&[order.iter().map(|&job| owner(job)).collect()]);
        broken += u64::from(sums[..] != sorted[..] && !pareto_dominates(&sorted, &sums));
    }
    broken
}

/// Schedules: counts, orders, fronts.
pub(super) fn schedules(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let seed = bench.effort.seed;
    let samples = u64::from(bench.effort.samples);
    let all = bench.each(samples, |sample| broken(&SMALL.instance(seed, sample)))?;
    let of = format!("{samples} instances, {}, all schedules", SMALL.words());
    let row = |claim, place, what, broken: fn(&Broken) -> u64| {
        never(claim, place, what, all.iter().map(broken).sum(), &of)
    };
    let mut rows = vec![
        row("DG-M-01", "2.1", "sums that are not those of its jobs one by one", |one| one.sums),
        row("DG-T-SPT", "2.1", "owners with a better order than shortest first", |one| one.alone),
        row(
            "DG-P-1",
            "Proposition 1",
            "orders with own jobs out of order that are not dominated",
            |one| one.own_order,
        ),
        row("DG-P-1b", "2.3", "switches of two owners' jobs that dominate", |one| one.switches),
        row("DG-N-01", "2.3", "orders whose code is wrong, or wrong counts", |one| one.codes),
        row("DG-C-1", "Corollary 1", "fronts that are not those of all schedules", |one| {
            one.fronts
        }),
        row("DG-T-SPT2", "3.2", "smaller sums than that of shortest first", |one| one.least),
        row("DG-A-02", "3.2", "walks that visit a schedule twice", |one| one.walk),
    ];
    // Figure 1: 7 jobs of the first owner, 3 of them in queues, and 5 of the second.
    let figure = Dedicated::square(&[
        vec![vec![2, 3, 1, 2], vec![2, 1, 4]],
        vec![vec![2, 1], vec![3, 2, 1]],
    ])
    .expect("sizes are small and positive");
    let told = format!(
        "shortest first {:?}, my jobs first {:?}",
        figure.sums(&figure.shortest_first()),
        figure.sums(&figure.own_first())
    );
    let row = Row::new("DG-F1", "Figure 1", "sums of a grid of this shape, with sizes of ours");
    rows.push(row.shown(told));
    let mut growth = Vec::new();
    for jobs in [2, 4, 6, 8, 10] {
        let sizes: Vec<i64> = (0..jobs).map(|one| 1 << one).collect();
        let one = Dedicated::new(2, vec![(0, vec![sizes.clone(), sizes])]);
        let one = one.expect("sizes are small and positive");
        let fronts = Fronts::of(&one, Limit::default());
        let fronts = fronts.map_err(|wrong| StudyError(wrong.to_string()))?;
        growth.push(fronts.processors()[0].len());
    }
    let told: Vec<String> = growth.iter().map(usize::to_string).collect();
    let what = "outcomes of a processor's front, with 2, 4, 6, 8 and 10 jobs of each owner, of sizes \
                1, 2, 4, ...";
    let is_exponential = growth.windows(2).all(|pair| pair[1] >= 2 * pair[0]);
    let row = Row::new("DG-N-02", "2.3", what);
    rows.push(row.found("exponential", told.join(", "), Verdict::of(is_exponential)));
    let switch = Dedicated::new(2, vec![(0, vec![vec![3], vec![4]])]);
    let switch = switch.expect("sizes are small and positive");
    let (before, after) = (switch.sums(&[vec![0, 1]]), switch.sums(&[vec![1, 0]]));
    let deterioration = (after.iter().sum::<i64>() - before.iter().sum::<i64>()) as f64;
    let printed = Printed::calculated(1.0, 0.0);
    rows.push(
        Row::new("DG-A-01", "3.2", "deterioration of switching jobs of sizes 3 and 4")
            .compared(printed, Measured::exact(deterioration))
            .note("the definition is printed with the roles of the owners reversed"),
    );
    Ok(rows)
}

/// The axioms and the relation.
pub(super) fn equity(_: &Bench) -> Result<Vec<Row>, StudyError> {
    let is_better = |better: [i64; 3], other: [i64; 3]| equitably_dominates(&better, &other);
    let equal = !is_better([4, 2, 0], [0, 2, 4]) && !is_better([0, 2, 4], [4, 2, 0]);
    let mut sums = Vec::new();
    cumulate(&[0, 4, 2], &mut sums);
    let transfer = is_better([3, 2, 1], [4, 2, 0]);
    let literal = pareto_dominates(&[3, 2, 1], &[4, 2, 0]);
    Ok(vec![
        Row::new("DG-E-01", "3.1", "(4, 2, 0) and (0, 2, 4) are equally good").holds(equal),
        Row::new("DG-E-01", "3.1", "(3, 2, 0) is better than (4, 2, 0)")
            .holds(is_better([3, 2, 0], [4, 2, 0])),
        Row::new("DG-E-01", "3.1", "(3, 2, 1) is better than (4, 2, 0)").holds(transfer),
        Row::new("DG-E-01", "3.1", "a relation of preference is transitive and").found(
            "symmetric",
            "reflexive",
            Verdict::Errs("a symmetric relation prefers nothing"),
        ),
        Row::new("DG-E-02", "3.1", "cumulative ordered outcomes of (0, 4, 2)").found(
            "4, 6, 6",
            sums.iter().map(i64::to_string).collect::<Vec<_>>().join(", "),
            Verdict::of(sums == [4, 6, 6]),
        ),
        Row::new("DG-T-1", "Theorem 1", "it prefers a transfer, cumulated").holds(transfer),
        Row::new("DG-T-1", "Theorem 1", "it prefers a transfer, as printed")
            .holds(literal)
            .or(Verdict::Errs("the bar over theta is missing: the cumulative outcomes are meant")),
    ])
}
