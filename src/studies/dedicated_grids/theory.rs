//! The paper's statements about schedules and equity, on examples and on random instances.

use serde::Deserialize;

use super::drawn::{Shape, fronts, wrong};
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use game::dedicated::{Dedicated, Order, Schedule, multiset, of_multiset};
use game::equity::{
    Points, cumulate, equitable_front, equitably_dominates, pareto_dominates, pareto_front,
};

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

/// Violations of the paper's statements in one instance, of which all schedules are enumerated.
fn broken(instance: &Dedicated) -> Result<Vec<(&'static str, f64)>, StudyError> {
    let [mut off, mut switched, mut codes, mut worse, mut own_order] = [0; 5];
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
            off += u64::from(left.iter().any(|left| !left.is_empty()));
        }
        off += u64::from(by_job != *sums);
        switched += switches(instance, schedule, sums);
    }
    for processor in instance.processors() {
        let (owner, other) = (processor.owner(), 1 - processor.owner());
        let local = processor.sizes(owner).len() as u32;
        let mut known: Vec<Vec<u32>> = Vec::new();
        for order in processor.all_orders() {
            let code = multiset(&order, owner);
            codes += u64::from(of_multiset(&code, owner, other, local) != order);
            known.push(code);
        }
        known.sort_unstable();
        known.dedup();
        let foreign = processor.sizes(other).len() as u64;
        let places = u64::from(local) + foreign;
        let count = (1..=foreign).fold(1, |all, one| all * (places - foreign + one) / one);
        codes += u64::from(known.len() as u64 != count);
        worse += u64::from(!is_best_alone(processor.sizes(owner)));
        own_order += out_of_order(processor.sizes(owner), processor.sizes(other));
    }
    let nothing = vec![0; instance.owners()];
    let found = fronts(instance)?.equitable(&nothing).map_err(wrong)?;
    let pareto = pareto_front(points.clone());
    let expected = equitable_front(&points, &nothing).sorted();
    let is_inside = expected.iter().all(|sums| pareto.holds(sums));
    let least = points.iter().map(|sums| sums.iter().sum::<i64>()).min();
    let spt = instance.sums(&instance.shortest_first());
    let walk = instance.equitable_walk(&nothing, usize::MAX);
    let mut visited: Vec<Schedule> =
        (0..walk.sums.len()).map(|index| walk.schedule(instance, index)).collect();
    visited.sort_unstable();
    let is_twice = visited.windows(2).any(|pair| pair[0] == pair[1]);
    let found = [
        ("sums", off),
        ("alone", worse),
        ("own order", own_order),
        ("switches", switched),
        ("codes", codes),
        ("fronts", u64::from(found != expected || !is_inside)),
        ("least sum", u64::from(least != Some(spt.iter().sum()))),
        ("walk", u64::from(is_twice)),
    ];
    Ok(found.map(|(name, times)| (name, times as f64)).into())
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
fn out_of_order(local: &[i64], foreign: &[i64]) -> u64 {
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

/// Violations in random instances.
pub(super) fn schedules(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let shape: Shape = asked.options()?;
    asked.each(shape.times, |sample| broken(&shape.instance(asked.seed, sample)))
}

/// Number of jobs of each of two owners on a processor.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Jobs {
    jobs: u32,
}

/// Outcomes of a processor's front, with jobs of sizes 1, 2, 4, and so on.
pub(super) fn growth(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Jobs { jobs } = asked.options()?;
    let sizes: Vec<i64> = (0..jobs).map(|one| 1 << one).collect();
    let one = Dedicated::new(2, vec![(0, vec![sizes.clone(), sizes])]);
    let one = one.map_err(|_| wrong("sizes are positive"))?;
    Ok(exact([("outcomes", fronts(&one)?.processors()[0].len() as f64)]))
}

/// The axioms and the relation, by the paper's vectors; and the deterioration of a switch of jobs of sizes
/// 3 and 4.
pub(super) fn axioms(_: &Asked<'_>) -> Result<Figures, StudyError> {
    let is_better = |better: [i64; 3], other: [i64; 3]| equitably_dominates(&better, &other);
    let equal = !is_better([4, 2, 0], [0, 2, 4]) && !is_better([0, 2, 4], [4, 2, 0]);
    let mut sums = Vec::new();
    cumulate(&[0, 4, 2], &mut sums);
    let switch = Dedicated::new(2, vec![(0, vec![vec![3], vec![4]])]);
    let switch = switch.map_err(|_| wrong("sizes are positive"))?;
    let total = |order| switch.sums(&[order]).iter().sum::<i64>();
    let flag = |is: bool| f64::from(u8::from(is));
    Ok(exact([
        ("anonymous", flag(equal)),
        ("monotone", flag(is_better([3, 2, 0], [4, 2, 0]))),
        ("transfer", flag(is_better([3, 2, 1], [4, 2, 0]))),
        ("literal", flag(pareto_dominates(&[3, 2, 1], &[4, 2, 0]))),
        ("first", sums[0] as f64),
        ("second", sums[1] as f64),
        ("third", sums[2] as f64),
        ("deterioration", (total(vec![1, 0]) - total(vec![0, 1])) as f64),
    ]))
}
