//! The recursion, the search and the games against enumeration.

use super::*;
use crate::game::equity::{Points, cumulated, equitable_front, pareto_dominates, pareto_front};
use crate::game::matrix::{Dominance, Matrix};
use crate::kernel::rng::Streams;
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

/// The game as a table of all strategies: an owner's are the orders of all its processors.
fn in_normal_form(instance: &Dedicated) -> (Vec<Vec<Vec<Order>>>, Matrix) {
    let of = |owner: u32| -> Vec<Vec<Order>> {
        let own = instance.processors().iter().filter(|one| one.owner() == owner);
        let own: Vec<Processor> = own.cloned().collect();
        schedules(&Dedicated { owners: instance.owners(), processors: own })
    };
    let strategies: Vec<_> = (0..instance.owners() as u32).map(of).collect();
    let choices: Vec<u32> = strategies.iter().map(|all| all.len() as u32).collect();
    let game = OneShot::new(instance);
    let matrix = Matrix::new(&choices, |player, profile| {
        game.payoffs(&schedule_of(instance, &strategies, profile))[player] as f64
    });
    (strategies, matrix)
}

fn schedule_of(instance: &Dedicated, all: &[Vec<Vec<Order>>], profile: &[u32]) -> Schedule {
    let mut taken = vec![0; instance.owners()];
    let order = |processor: &Processor| {
        let owner = processor.owner() as usize;
        taken[owner] += 1;
        all[owner][profile[owner] as usize][taken[owner] - 1].clone()
    };
    instance.processors().iter().map(order).collect()
}

#[test]
fn equilibria_are_those_of_the_table() {
    let (mut unique, mut several) = (0, 0);
    for instance in instances(8).filter(|one| one.owners() > 1) {
        let (strategies, matrix) = in_normal_form(&instance);
        let game = OneShot::new(&instance);
        let mut sums = Vec::new();
        for profile in matrix.profiles() {
            let schedule = schedule_of(&instance, &strategies, &profile);
            let is_one = matrix.is_equilibrium(&profile);
            assert_eq!(game.is_equilibrium(&schedule), is_one, "{instance:?} {schedule:?}");
            if is_one {
                sums.push(instance.sums(&schedule).iter().sum::<i64>());
            }
        }
        let found = game.equilibria().expect("it is small");
        assert_eq!(found.count, sums.len() as u128, "{instance:?}");
        assert_eq!(Some(found.best), sums.iter().copied().min());
        assert_eq!(Some(found.worst), sums.iter().copied().max());
        assert!(found.price_of_anarchy() >= found.price_of_stability());
        let two = instance.owners() == 2;
        assert!(!two || found.count == 1, "two owners have one equilibrium: {instance:?}");
        (unique, several) = (unique + u32::from(two), several + u32::from(found.count > 1));
        // My jobs first is dominant for each owner, if only weakly against other foreign orders.
        for (owner, all) in strategies.iter().enumerate() {
            let own = |one: &&Processor| one.owner() as usize == owner;
            let mine: Vec<Order> =
                instance.processors().iter().filter(own).map(Processor::own_first).collect();
            let mine = all.iter().position(|one| *one == mine).expect("it is one");
            for other in (0..all.len()).filter(|&other| other != mine) {
                let how = matrix.dominates(owner, mine as u32, other as u32);
                let is_beaten = matrix.dominates(owner, other as u32, mine as u32).is_some();
                assert!(!is_beaten && how != Some(Dominance::Weak), "{instance:?}");
            }
        }
    }
    assert!(unique > 10 && several > 5, "{unique} {several}");
}

/// Figure 2: a large local job and n small foreign ones on each of two processors.
#[test]
fn the_price_of_anarchy_tends_to_n_plus_one() {
    for jobs in [1, 2, 5, 10_i64] {
        let (large, small) = (1_000_000, 1);
        let foreign = vec![small; jobs as usize];
        let sizes = [vec![vec![large], foreign.clone()], vec![foreign, vec![large]]];
        let instance = Dedicated::square(&sizes).expect("sizes are in range");
        let one = (jobs + 1) * large + small * jobs * (jobs + 1) / 2;
        assert_eq!(instance.sums(&instance.own_first()), [one, one]);
        let best = small * jobs * (jobs + 1) / 2 + jobs * small + large;
        assert_eq!(instance.sums(&instance.shortest_first()), [best, best]);
        let found = OneShot::new(&instance).equilibria().expect("it is small");
        let n = jobs as f64;
        let price = found.price_of_anarchy();
        // (n + 1) p + e over p + e': below n + 1 by less than (n + 1) e' / p.
        assert!(
            price <= n + 1.0 && n + 1.0 - price < (n + 1.0) * (n + 2.0).powi(2) / 1e6,
            "{price}"
        );
        assert_eq!(found.price_of_stability(), price);
    }
}

/// A single owner reaches 0, all together reach the payoffs of the Pareto front, and those who serve
/// each other first can block.
#[test]
fn coalitions_reach_what_they_reach_by_enumeration() {
    for instance in instances(6).filter(|one| one.owners() > 1) {
        let game = instance.cooperation(Limit::default()).expect("it is small");
        let alone = instance.sums(&instance.own_first());
        for coalition in 1..1_u32 << instance.owners() {
            let is_in = |owner: u32| coalition >> owner & 1 == 1;
            let members: Vec<usize> =
                (0..instance.owners()).filter(|&one| is_in(one as u32)).collect();
            let mut payoffs = Vec::new();
            for schedule in schedules(&instance) {
                let follows = instance.processors().iter().zip(&schedule).all(|(one, order)| {
                    match is_in(one.owner()) {
                        // Members' jobs stand before all others, which are shortest first.
                        true => {
                            let outside: Vec<u32> =
                                order.iter().copied().filter(|&owner| !is_in(owner)).collect();
                            let rest = one.served_first(is_in);
                            rest.ends_with(&outside) && order.ends_with(&outside)
                        }
                        false => *order == one.own_first(),
                    }
                });
                if follows {
                    let sums = instance.sums(&schedule);
                    payoffs.push(
                        members.iter().map(|&one| sums[one] - alone[one]).collect::<Vec<_>>(),
                    );
                }
            }
            // As costs: the gain with the other sign.
            let all = Points::of(members.len(), payoffs.iter().map(|one| &one[..]));
            let costs: Vec<Vec<i64>> = game
                .reach(coalition)
                .iter()
                .map(|one| one.iter().map(|gain| -gain).collect())
                .collect();
            let reached = Points::of(members.len(), costs.iter().map(|one| &one[..]));
            assert_eq!(reached.sorted(), pareto_front(all), "{instance:?} {coalition:b}");
        }
    }
}

/// Every choice of owners, against the schedule in which just they are controlled.
#[test]
fn control_is_what_every_choice_of_owners_brings() {
    for instance in instances(10) {
        let sum = |schedule: &[Order]| instance.sums(schedule).iter().sum::<i64>() as f64;
        let optimum = sum(&instance.shortest_first());
        let found = instance.control();
        assert_eq!(found.len(), instance.owners() + 1);
        for row in found {
            let choices = (0..1_u32 << instance.owners())
                .filter(|choice| choice.count_ones() as usize == row.controlled);
            let prices: Vec<f64> = choices
                .map(|choice| instance.controlled(|owner| choice >> owner & 1 == 1))
                .map(|schedule| if optimum == 0.0 { 1.0 } else { sum(&schedule) / optimum })
                .collect();
            let mean = prices.iter().sum::<f64>() / prices.len() as f64;
            let least = prices.iter().copied().fold(f64::INFINITY, f64::min);
            let most = prices.iter().copied().fold(0.0, f64::max);
            for (ours, expected) in [(row.least, least), (row.mean, mean), (row.most, most)] {
                assert!((ours - expected).abs() < 1e-9, "{instance:?} {row:?} {expected}");
            }
        }
    }
}

/// The walk by its letter: whole schedules are kept and compared.
fn literal_walk(instance: &Dedicated, offset: &[i64]) -> Vec<Schedule> {
    let costs = |schedule: &[Order]| -> Vec<i64> {
        instance.sums(schedule).iter().zip(offset).map(|(a, b)| a + b).collect()
    };
    let mut all = vec![instance.shortest_first()];
    loop {
        let now = all.last().expect("there is the first").clone();
        let before = costs(&now);
        let most = before.iter().max().expect("there is an owner");
        let helps = before.iter().position(|cost| cost == most).expect("it is one") as u32;
        let mut best = None;
        for (at, order) in now.iter().enumerate() {
            for place in 1..order.len() {
                if order[place] != helps || order[place - 1] == helps {
                    continue;
                }
                let mut next = now.clone();
                next[at].swap(place - 1, place);
                if all.contains(&next) {
                    continue;
                }
                let after = costs(&next);
                let deterioration = after.iter().sum::<i64>() - before.iter().sum::<i64>();
                let mut descending = after.clone();
                descending.sort_unstable_by(|a, b| b.cmp(a));
                let key = (deterioration, descending, at, place);
                if best.as_ref().is_none_or(|(least, _)| key < *least) {
                    best = Some((key, next));
                }
            }
        }
        match best {
            Some((_, next)) => all.push(next),
            None => return all,
        }
    }
}

#[test]
fn the_walk_is_its_definition() {
    let mut moves = 0;
    for instance in instances(25) {
        for offset in [vec![0; instance.owners()], instance.payoff_offset()] {
            let expected = literal_walk(&instance, &offset);
            let walk = instance.equitable_walk(&offset, usize::MAX);
            let found: Vec<Schedule> =
                (0..walk.sums.len()).map(|index| walk.schedule(&instance, index)).collect();
            assert_eq!(found, expected, "{instance:?}");
            for (index, schedule) in found.iter().enumerate() {
                assert_eq!(walk.sums.at(index), instance.sums(schedule), "{instance:?}");
            }
            moves += walk.moves.len();
            let short = instance.equitable_walk(&offset, 3);
            assert!(walk.moves.starts_with(&short.moves) && short.moves.len() <= 3);
        }
    }
    assert!(moves > 1000, "{moves}");
}

/// The walk with local knowledge by its letter: the schedules announced, from whole orders and costs
/// that each processor keeps and compares.
fn literal_local_walk(instance: &Dedicated, offset: &[i64], acting: Acting) -> Vec<Schedule> {
    let costs = |schedule: &[Order]| -> Vec<i64> {
        instance.sums(schedule).iter().zip(offset).map(|(a, b)| a + b).collect()
    };
    let mut all = vec![instance.shortest_first()];
    let mut seen: Vec<Vec<(Order, Vec<i64>)>> = vec![Vec::new(); all[0].len()];
    let mut token = 0;
    loop {
        let now = all.last().expect("there is the first").clone();
        let announced = costs(&now);
        for (seen, order) in seen.iter_mut().zip(&now) {
            seen.push((order.clone(), announced.clone()));
        }
        let most = announced.iter().max().expect("there is an owner");
        let helps = announced.iter().position(|cost| cost == most).expect("it is one") as u32;
        let mut after = now.clone();
        for turn in 0..now.len() {
            let at = (token + turn) % now.len();
            let mut choices = Vec::new();
            for place in 1..now[at].len() {
                if now[at][place] == helps && now[at][place - 1] != helps {
                    // As if nobody else did anything.
                    let mut alone = now.clone();
                    alone[at].swap(place - 1, place);
                    let expected = costs(&alone);
                    let pair = (alone[at].clone(), expected.clone());
                    if !seen[at].contains(&pair) {
                        let sum = expected.iter().sum::<i64>();
                        let mut descending = expected;
                        descending.sort_unstable_by(|a, b| b.cmp(a));
                        choices.push((sum, descending, place, pair));
                    }
                }
            }
            if let Some((_, _, _, pair)) = choices.into_iter().min() {
                after[at] = pair.0.clone();
                seen[at].push(pair);
                if acting == Acting::One {
                    token = (at + 1) % now.len();
                    break;
                }
            }
        }
        if after == now {
            return all;
        }
        all.push(after);
    }
}

#[test]
fn the_walk_with_local_knowledge_is_its_definition() {
    let (mut turns, mut moves) = ([0; 2], [0; 2]);
    let kinds = [Acting::One, Acting::All];
    for instance in instances(25) {
        let offsets = [vec![0; instance.owners()], instance.payoff_offset()];
        for (offset, (kind, acting)) in offsets
            .iter()
            .flat_map(|one| kinds.into_iter().enumerate().map(move |kind| (one, kind)))
        {
            let expected = literal_local_walk(&instance, offset, acting);
            let walk = instance.local_equitable_walk(offset, usize::MAX, acting);
            let found: Vec<Schedule> =
                (0..walk.sums.len()).map(|index| walk.schedule(&instance, index)).collect();
            assert_eq!(found, expected, "{instance:?}");
            for (index, schedule) in found.iter().enumerate() {
                assert_eq!(walk.sums.at(index), instance.sums(schedule), "{instance:?}");
            }
            let short = instance.local_equitable_walk(offset, 2, acting);
            assert!(walk.turns.starts_with(&short.turns) && short.turns.len() <= 2);
            if acting == Acting::One {
                let mut different = found.clone();
                different.sort();
                different.dedup();
                assert_eq!(different.len(), found.len(), "no schedule comes twice: {instance:?}");
            }
            turns[kind] += walk.turns.len();
            moves[kind] += walk.turns.iter().map(Vec::len).sum::<usize>();
            // On one processor nothing is hidden.
            if instance.processors().len() == 1 {
                let global = instance.equitable_walk(offset, usize::MAX);
                assert_eq!(walk.sums, global.sums, "{instance:?}");
                assert_eq!(walk.turns.concat(), global.moves, "{instance:?}");
                assert_eq!(walk.cleaned(offset), global.cleaned(offset), "{instance:?}");
            }
        }
    }
    let [one, all] = [0, 1].map(|kind| (turns[kind], moves[kind]));
    assert!(one.0 > 1000 && one.0 == one.1, "{one:?}");
    assert!(all.0 > 500 && all.1 > all.0 + 100, "{all:?}");
}

/// Nobody to help and nothing to switch: owners without jobs, one owner, no processors.
#[test]
fn walks_of_little_end_where_they_began() {
    let one = |owners, processors| Dedicated::new(owners, processors).expect("sizes are small");
    for instance in [
        one(1, vec![(0, vec![vec![3, 1, 2]]), (0, vec![vec![]])]),
        one(3, Vec::new()),
        one(3, vec![(1, vec![vec![2, 2], vec![], vec![]]), (0, vec![vec![], vec![7], vec![]])]),
    ] {
        for offset in [vec![0; instance.owners()], instance.payoff_offset()] {
            let global = instance.equitable_walk(&offset, usize::MAX);
            let local = instance.local_equitable_walk(&offset, usize::MAX, Acting::All);
            assert_eq!((global.moves.len(), local.turns.len()), (0, 0), "{instance:?}");
            assert_eq!(local, instance.local_equitable_walk(&offset, usize::MAX, Acting::One));
            assert_eq!((global.cleaned(&offset), local.cleaned(&offset)), (vec![0], vec![0]));
            // The front is one point, and both start there.
            let fronts = Fronts::of(&instance, Limit::default()).expect("it is small");
            assert_eq!(fronts.pareto(), Ok(global.sums.clone()), "{instance:?}");
            assert_eq!(fronts.equitable(&offset), Ok(local.sums), "{instance:?}");
        }
    }
}

/// Sums of the schedules that a local search keeps, and its budget, origins and list.
fn searched(instance: &Dedicated, offset: &[i64], moves: usize) -> Points {
    let found = instance.equitable_local_search(offset, moves);
    assert!(found.sums.len() <= moves.saturating_add(1), "{instance:?}");
    assert_eq!(found, instance.equitable_local_search(offset, moves), "{instance:?}");
    assert_eq!(found.schedule(0), instance.shortest_first());
    let mut visited = std::collections::BTreeSet::new();
    for (index, sums) in found.sums.iter().enumerate() {
        let schedule = found.schedule(index);
        // Sums are refused where an order has too many jobs of an owner.
        assert_eq!(instance.sums(&schedule), sums, "{instance:?}");
        assert!(visited.insert(schedule), "{instance:?} {index} was visited before");
    }
    let kept = found.sums.chosen(&found.kept);
    assert!(found.kept.is_sorted_by(|a, b| a < b));
    // One for each of the cumulative costs that no other visited schedule dominates.
    let best = pareto_front(cumulated(&found.sums, offset));
    assert_eq!(kept.len(), best.len(), "{instance:?}");
    assert_eq!(cumulated(&kept, offset).sorted(), best, "{instance:?}");
    kept
}

#[test]
fn a_local_search_with_moves_enough_finds_the_front() {
    for instance in instances(12) {
        let count: u128 = instance.processors().iter().map(Processor::orders).product();
        if count > 2000 {
            continue;
        }
        for offset in [vec![0; instance.owners()], instance.payoff_offset()] {
            let kept = searched(&instance, &offset, usize::MAX);
            let visited = instance.equitable_local_search(&offset, usize::MAX).sums.len();
            assert_eq!(visited as u128, count, "{instance:?}");
            let front = equitable_front(&all_sums(&instance), &offset);
            let expected = cumulated(&front, &offset).sorted();
            assert_eq!(cumulated(&kept, &offset).sorted(), expected, "{instance:?}");
        }
    }
}

#[test]
fn a_local_search_keeps_to_its_moves() {
    for (shape, jobs, size) in [((3, 3), 4, 20), ((5, 4), 3, 9), ((4, 1), 6, 3)] {
        for number in 0..6 {
            let instance = drawn(number, shape, jobs, size);
            for moves in [0, 1, 2, 7, 40, 300] {
                let offset = instance.payoff_offset();
                searched(&instance, &vec![0; instance.owners()], moves);
                let kept = searched(&instance, &offset, moves);
                // My jobs first is among the starts, so there is one by which no owner loses.
                let loses_nobody = |sums: &[i64]| sums.iter().zip(&offset).all(|(a, b)| a + b <= 0);
                assert!(moves == 0 || kept.iter().any(loses_nobody), "{instance:?} {moves}");
            }
        }
    }
}

/// Owners without jobs, processors without jobs, one owner, and none of the processors.
#[test]
fn a_local_search_of_little() {
    let one = |owners, processors| Dedicated::new(owners, processors).expect("sizes are small");
    let alone = one(1, vec![(0, vec![vec![3, 1, 2]]), (0, vec![vec![]])]);
    assert_eq!(searched(&alone, &[5], 100), Points::of(1, [&[10][..]]));
    let nothing = one(3, Vec::new());
    assert_eq!(searched(&nothing, &[1, -2, 3], 100), Points::of(3, [&[0, 0, 0][..]]));
    // The second owner has nothing to run, and is worst off by its offset, or best off.
    for offset in [1_000_000, -1_000_000] {
        let two = one(3, vec![(1, vec![vec![2, 2], vec![], vec![3]])]);
        let offset = [0, offset, 0];
        let kept = searched(&two, &offset, 100);
        let front = equitable_front(&all_sums(&two), &offset);
        assert_eq!(cumulated(&kept, &offset).sorted(), cumulated(&front, &offset).sorted());
    }
}

/// With 40 moves it holds most of the front, and more than the walk, which is often stuck early.
#[test]
fn a_local_search_covers_more_than_the_walk() {
    let offset = [0; 4];
    let (mut walked, mut found, mut all) = (0, 0, 0);
    for number in 0..30 {
        // Each owner has at most a job on a processor.
        let instance = drawn(number, (4, 5), 1, 20);
        let fronts = Fronts::of(&instance, Limit::default()).expect("it is small");
        let front = fronts.equitable(&offset).expect("it is small");
        let best = cumulated(&front, &offset).sorted();
        let held = |list: &Points| {
            pareto_front(cumulated(list, &offset)).iter().filter(|one| best.holds(one)).count()
        };
        let walk = instance.equitable_walk(&offset, usize::MAX);
        walked += held(&walk.sums);
        found += held(&instance.equitable_local_search(&offset, 40).sums);
        all += best.len();
    }
    assert!(walked < found && 10 * found > 8 * all, "{walked} {found} {all}");
}
