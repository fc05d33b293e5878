//! The recursion, the search and the games against enumeration.

mod games;
mod walks;

use super::*;
use crate::equity::{Points, cumulated, equitable_front, pareto_dominates, pareto_front};
use crate::matrix::{Dominance, Matrix};
use kernel::rng::Streams;
use rand::RngExt as _;

/// A random instance with up to `jobs` jobs of an owner on a processor and sizes up to `size`.
/// Processors may be more or fewer than owners.
fn drawn(number: u64, (owners, processors): (usize, usize), jobs: usize, size: i64) -> Dedicated {
    let mut rng = Streams::new(7).in_replication(number).stream("dedicated");
    let mut processor = |_| {
        let owner = rng.random_range(0..owners as u32);
        let mut cell = || -> Vec<i64> {
            let jobs = rng.random_range(0..=jobs);
            (0..jobs).map(|_| rng.random_range(1..=size)).collect()
        };
        (owner, (0..owners).map(|_| cell()).collect())
    };
    let processors = (0..processors).map(&mut processor).collect();
    Dedicated::new(owners, processors).expect("sizes are small")
}

/// Shapes of instances that are enumerated: owners and processors, jobs of a cell, largest size.
const SHAPES: [((usize, usize), usize, i64); 8] = [
    ((1, 1), 3, 5),
    ((2, 2), 3, 4),
    ((2, 2), 3, 50),
    ((2, 1), 4, 9),
    ((2, 3), 2, 6),
    ((3, 3), 1, 9),
    ((3, 2), 2, 5),
    ((4, 3), 1, 6),
];

fn instances(each: u64) -> impl Iterator<Item = Dedicated> {
    let of = move |(shape, jobs, size)| (0..each).map(move |one| drawn(one, shape, jobs, size));
    SHAPES.into_iter().flat_map(of)
}

/// All schedules; an instance without processors has one.
fn schedules(instance: &Dedicated) -> Vec<Schedule> {
    let mut all: Vec<Schedule> = vec![Vec::new()];
    for processor in instance.processors() {
        let longer = |schedule: &Schedule| {
            let schedule = schedule.clone();
            processor.all_orders().map(move |order| {
                let mut schedule = schedule.clone();
                schedule.push(order);
                schedule
            })
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn all_sums(instance: &Dedicated) -> Points {
    let sums: Vec<Vec<i64>> = schedules(instance).iter().map(|one| instance.sums(one)).collect();
    Points::of(instance.owners(), sums.iter().map(|one| &one[..]))
}

#[test]
fn fronts_are_those_of_all_schedules() {
    for instance in instances(25) {
        let all = all_sums(&instance);
        let fronts = Fronts::of(&instance, Limit::default()).expect("it is small");
        let pareto = pareto_front(all.clone());
        assert_eq!(fronts.pareto().as_ref(), Ok(&pareto), "{instance:?}");
        for offset in [vec![0; instance.owners()], instance.payoff_offset()] {
            let expected = equitable_front(&pareto, &offset);
            assert_eq!(equitable_front(&all, &offset).sorted(), expected.sorted(), "{instance:?}");
            assert_eq!(fronts.equitable(&offset), Ok(expected.sorted()), "{instance:?}");
        }
        for target in [instance.sums(&instance.own_first()), all.at(0).to_vec()] {
            let some = all.iter().any(|sums| pareto_dominates(sums, &target));
            assert_eq!(fronts.some_dominates(&target), Ok(some), "{instance:?}");
        }
        let effort = Effort::of(&instance);
        let made: usize = fronts.processors().iter().map(Points::len).sum();
        assert!(effort.points >= made as f64, "{instance:?} {effort:?}");
    }
}

/// Fronts of more points than fit in one piece, and added in an array or pair by pair.
#[test]
fn larger_fronts_by_two_ways() {
    let instance = drawn(3, (2, 2), 24, 40);
    // The same with a third owner who has nothing: no array, no staircases.
    let wider = instance.processors().iter().map(|one| {
        let sizes = (0..3).map(|owner| one.sizes.get(owner).cloned().unwrap_or_default());
        (one.owner(), sizes.collect())
    });
    let wider = Dedicated::new(3, wider.collect()).expect("sizes are small");
    let [two, three] =
        [&instance, &wider].map(|one| Fronts::of(one, Limit::default()).expect("it is no trouble"));
    let [pareto, other] = [&two, &three].map(|fronts| fronts.pareto().expect("it is no trouble"));
    assert!(pareto.len() > 500, "{}", pareto.len());
    assert!(pareto.iter().eq(other.iter().map(|sums| &sums[..2])));
    let expected = equitable_front(&pareto, &[0, 0]).sorted();
    assert_eq!(two.equitable(&[0, 0]), Ok(expected));
}

#[test]
fn too_large_is_said_before_it_starts() {
    let sizes = |seed: i64| (0..300).map(|one| 1 + (one * 7919 + seed) % 1_000_003).collect();
    let two = Dedicated::square(&[vec![sizes(1), sizes(2)], vec![sizes(3), sizes(4)]]);
    let two = two.expect("sizes are in range");
    let refused = Fronts::of(&two, Limit::default()).expect_err("it is large");
    assert!(matches!(refused, TooLarge::Before { .. }), "{refused}");
    let small = drawn(1, (2, 2), 5, 9);
    let limit = Limit { points: 1 };
    assert!(matches!(Fronts::of(&small, limit), Err(TooLarge::Before { .. })));
    // Adding fronts is limited while it is done.
    let mut fronts = Fronts::of(&small, Limit::default()).expect("it is small");
    fronts.limit = limit;
    assert_eq!(fronts.pareto(), Err(TooLarge::During { limit: 1 }));
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let one = |size| Dedicated::square(&[vec![vec![size]]]);
    assert_eq!(one(0), Err(Refused::NoSize(0)));
    assert_eq!(one(i64::MAX), Err(Refused::TooLong));
    assert!(one(i64::MAX / 8).is_ok());
}

/// The number of orders, and section 2.3's code of two owners.
#[test]
fn orders_are_counted_and_coded() {
    for instance in instances(10) {
        for processor in instance.processors() {
            let all: Vec<Order> = processor.all_orders().collect();
            assert_eq!(all.len() as u128, processor.orders());
            assert!(all.is_sorted_by(|a, b| a < b));
            if instance.owners() == 2 {
                let (owner, other) = (processor.owner(), 1 - processor.owner());
                let local = processor.sizes(owner).len() as u32;
                for order in &all {
                    let places = multiset(order, owner);
                    assert!(
                        places.is_sorted()
                            && places.iter().all(|one| (1..=local + 1).contains(one))
                    );
                    assert_eq!(of_multiset(&places, owner, other, local), *order);
                }
            }
        }
    }
}

/// Shortest first has the least sum over all owners, also against own jobs in any order.
#[test]
fn shortest_first_has_the_least_sum() {
    for instance in instances(10) {
        let least = instance.sums(&instance.shortest_first()).iter().sum::<i64>();
        let all = all_sums(&instance);
        assert_eq!(all.iter().map(|sums| sums.iter().sum::<i64>()).min(), Some(least));
    }
}

/// Proposition 1: an order with an owner's jobs not shortest first is dominated by one with them so.
#[test]
fn own_jobs_out_of_order_are_dominated() {
    let sizes = [(3, 0), (1, 0), (2, 1), (1, 1), (2, 0)];
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..sizes.len() {
        orders = orders
            .iter()
            .flat_map(|order| {
                let rest = (0..sizes.len()).filter(|one| !order.contains(one));
                rest.map(|one| [&order[..], &[one]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    let mut checked = 0;
    for order in orders {
        let sums = |order: &[usize]| {
            let (mut now, mut sums) = (0, [0, 0]);
            for &one in order {
                now += sizes[one].0;
                sums[sizes[one].1] += now;
            }
            sums
        };
        let owners: Vec<u32> = order.iter().map(|&one| sizes[one].1 as u32).collect();
        let sorted = Dedicated::new(2, vec![(0, vec![vec![1, 2, 3], vec![1, 2]])]).expect("small");
        let better = sorted.sums(&[owners]);
        let own = sums(&order);
        let is_sorted = order
            .is_sorted_by(|&a, &b| sizes[a].1 != sizes[b].1 || sizes[a] <= sizes[b])
            && own[..] == better[..];
        assert!(is_sorted || own[..] == better[..] || pareto_dominates(&better, &own));
        checked += usize::from(own[..] != better[..]);
    }
    assert!(checked > 50, "{checked}");
}
