//! The walks and the local search, against their definitions and the exact fronts.

use super::*;

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
