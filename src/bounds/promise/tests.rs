//! The optimum under a promise, by hand, against enumeration and an integer program.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::instance::Task;
use crate::optimum::optimum;
use crate::optimum::tests::{end_by, enumerated};

/// Nodes that no instance below needs.
const ENOUGH: u64 = 10_000_000;

/// An owner for each cluster, in turn from 0; jobs are (owner, length, processors).
fn owned(clusters: &[u32], jobs: &[(u32, i64, u32)]) -> Owned {
    let task = |&(_, length, processors): &(u32, i64, u32)| Task {
        processors,
        length: Span::from_ticks(length),
        release: Time::ZERO,
    };
    Owned {
        instance: Instance { clusters: clusters.to_vec(), tasks: jobs.iter().map(task).collect() },
        of_cluster: (0..clusters.len() as u32).collect(),
        of_task: jobs.iter().map(|job| job.0).collect(),
    }
}

/// Due times by the definition.
fn due(owned: &Owned, twentieths: i64) -> Vec<Time> {
    let alone = owned.alone();
    let end = |owner: u32| {
        let own = owned.of_task.iter().zip(&owned.instance.tasks).zip(&alone);
        let ends = own.filter(|((one, _), _)| **one == owner).filter_map(|((_, task), place)| {
            place.map(|place| place.start.ticks() + task.length.ticks())
        });
        ends.max()
    };
    let due = |(owner, place): (&u32, &Option<Placement>)| match (place, end(*owner)) {
        (Some(_), Some(end)) => Time::from_ticks(end * twentieths / 20),
        _ => Time::NEVER,
    };
    owned.of_task.iter().zip(&alone).map(due).collect()
}

/// Finds the optimum and checks that its schedule keeps the promise.
fn solved(owned: &Owned, twentieths: i64) -> i64 {
    let found = optimum_under_promise(owned, twentieths as f64 / 20.0, ENOUGH).unwrap();
    let proved = found.makespan.proved().expect("within the limit of nodes");
    assert_eq!(owned.instance.makespan(&found.schedule), Ok(proved), "{owned:?}");
    let ends = found.schedule.iter().zip(&owned.instance.tasks);
    for ((place, task), due) in ends.zip(due(owned, twentieths)) {
        assert!(place.start + task.length <= due, "{owned:?}");
    }
    proved.ticks()
}

/// Draws an instance in which the first organizations have little to do, so that they lose easily.
fn draw(rng: &mut ChaCha8Rng, most_jobs: usize) -> Owned {
    let owners = rng.random_range(2..=3_u32);
    let widest = rng.random_range(1..=4_u32);
    let mut clusters: Vec<u32> =
        (0..owners).map(|_| rng.random_range(widest.div_ceil(2)..=widest)).collect();
    if rng.random_bool(0.7) {
        clusters.fill(widest);
    }
    clusters.sort_unstable();
    let most = clusters[clusters.len() - 1];
    let job = |rng: &mut ChaCha8Rng| {
        let owner = rng.random_range(0..owners).max(rng.random_range(0..owners));
        (owner, rng.random_range(1..=2 + i64::from(owner)), rng.random_range(1..=most))
    };
    let count = rng.random_range(2..=most_jobs);
    let jobs: Vec<_> = (0..count).map(|_| job(rng)).collect();
    owned(&clusters, &jobs)
}

#[test]
fn the_price_of_the_promise_is_that_of_figure_3() {
    let jobs = [(0, 1, 1), (0, 1, 1), (1, 2, 1), (1, 2, 1), (1, 2, 1)];
    let figure_3 = owned(&[2, 2], &jobs);
    let alone: Vec<i64> =
        figure_3.alone().iter().map(|place| place.unwrap().start.ticks()).collect();
    assert_eq!(alone, [0, 0, 0, 0, 2]);
    assert_eq!(optimum(&figure_3.instance, ENOUGH).unwrap().makespan.proved(), {
        Some(Time::from_ticks(2))
    });
    assert_eq!(solved(&figure_3, 20), 3);
    assert_eq!(solved(&figure_3, 39), 3);
    // Twice as late as alone, the first organization allows the optimum.
    assert_eq!(solved(&figure_3, 40), 2);
}

#[test]
fn cooperation_can_shorten_both_as_in_figure_2() {
    // Full width and a third; only the wide jobs of one fit beside the narrow ones of the other.
    let jobs = [(0, 1, 3), (0, 1, 3), (0, 1, 2), (1, 1, 1), (1, 3, 1), (1, 1, 4)];
    let both = owned(&[4, 4], &jobs);
    assert_eq!((due(&both, 20)[0].ticks(), due(&both, 20)[3].ticks()), (3, 4));
    assert_eq!(solved(&both, 20), 3);
}

#[test]
fn the_optimum_under_a_promise_equals_the_enumeration_of_all_orders() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let mut dearer = 0;
    for round in 0..1200 {
        let owned = draw(&mut rng, 6);
        let twentieths = [20, 20, 25, 30, 40][round % 5];
        let found = solved(&owned, twentieths);
        assert_eq!(found, enumerated(&owned.instance, &due(&owned, twentieths)), "{owned:?}");
        let free = optimum(&owned.instance, ENOUGH).unwrap().makespan.upper().ticks();
        assert!(free <= found);
        dearer += usize::from(free < found);
        assert!(solved(&owned, twentieths + 10) <= found, "{owned:?}");
    }
    assert!(dearer > 0);
}

/// Places the jobs in a random order on random clusters, each as early as those before it allow.
fn random_schedule(rng: &mut ChaCha8Rng, instance: &Instance) -> Vec<Placement> {
    let Instance { clusters, tasks } = instance;
    let total: i64 = tasks.iter().map(|task| task.length.ticks()).sum();
    let mut usage = vec![vec![0; 2 * total as usize]; clusters.len()];
    let mut places = vec![Placement::default(); tasks.len()];
    let mut left: Vec<usize> = (0..tasks.len()).collect();
    while !left.is_empty() {
        let j = left.swap_remove(rng.random_range(0..left.len()));
        let wide = (0..clusters.len()).filter(|&c| clusters[c] >= tasks[j].processors);
        let wide: Vec<usize> = wide.collect();
        let cluster = wide[rng.random_range(0..wide.len())];
        let (room, length) = (clusters[cluster] - tasks[j].processors, tasks[j].length.ticks());
        let of_cluster = &mut usage[cluster];
        let fits = |&start: &usize| {
            of_cluster[start..start + length as usize].iter().all(|&used| used <= room)
        };
        let start = (0..).find(fits).unwrap();
        let run = &mut of_cluster[start..start + length as usize];
        run.iter_mut().for_each(|used| *used += tasks[j].processors);
        places[j] = Placement { start: Time::from_ticks(start as i64), cluster };
    }
    places
}

#[test]
fn the_optimum_with_due_times_equals_the_enumeration_of_all_orders() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let mut dearer = 0;
    for _ in 0..1500 {
        let instance = draw(&mut rng, 6).instance;
        let start = random_schedule(&mut rng, &instance);
        let due = |(place, task): (&Placement, &Task)| match rng.random_range(0..3) {
            0 => Time::NEVER,
            more => place.start + task.length + Span::from_ticks(more - 1),
        };
        let due: Vec<Time> = start.iter().zip(&instance.tasks).map(due).collect();
        let found = optimum_by(&instance, &due, &start, ENOUGH).unwrap();
        let proved = found.makespan.proved().expect("within the limit of nodes");
        assert_eq!(instance.makespan(&found.schedule), Ok(proved));
        let ends = found.schedule.iter().zip(&instance.tasks).zip(&due);
        assert!(ends.into_iter().all(|((place, task), due)| place.start + task.length <= *due));
        assert_eq!(proved.ticks(), enumerated(&instance, &due), "{instance:?} {due:?}");
        let free = optimum(&instance, ENOUGH).unwrap().makespan.upper();
        dearer += usize::from(free < proved);
    }
    assert!(dearer > 20, "{dearer}");
}

#[test]
fn the_optimum_under_a_promise_equals_the_integer_program() {
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    for _ in 0..80 {
        let owned = draw(&mut rng, 6);
        let (found, due) = (solved(&owned, 20), due(&owned, 20));
        assert!(!end_by(&owned.instance, found - 1, &due), "{found}: {owned:?}");
        assert!(end_by(&owned.instance, found, &due), "{found}: {owned:?}");
    }
}

#[test]
fn jobs_that_are_too_wide_alone_are_due_at_no_time() {
    // The wide job of the first runs on the cluster of the second, behind its jobs.
    let wide = owned(&[1, 4], &[(0, 2, 3), (0, 1, 1), (1, 3, 2)]);
    let alone = wide.alone();
    assert_eq!((alone[0], alone[1].unwrap().cluster, alone[2].unwrap().cluster), (None, 0, 1));
    assert_eq!(solved(&wide, 20), 5);
    let refused = owned(&[1, 2], &[(0, 2, 3)]);
    let refused = optimum_under_promise(&refused, 1.0, ENOUGH).unwrap_err();
    assert_eq!(refused, Unsolvable::TooWide { task: 0 });
}

#[test]
fn an_organization_may_own_several_clusters_or_none() {
    let mut several = owned(&[2, 3], &[(0, 2, 3), (0, 2, 2), (0, 1, 1), (7, 1, 1)]);
    several.of_cluster = vec![0, 0];
    let alone: Vec<_> =
        several.alone().iter().map(|one| one.map(|one| (one.start.ticks(), one.cluster))).collect();
    assert_eq!(alone, [Some((0, 1)), Some((0, 0)), Some((2, 0)), None]);
    assert_eq!(solved(&several, 20), 3);
    assert_eq!(solved(&owned(&[2], &[]), 20), 0);
}

#[test]
#[should_panic(expected = "alone, organizations need all of their time")]
fn less_than_the_time_alone_is_no_promise() {
    let _ = optimum_under_promise(&owned(&[1], &[(0, 1, 1)]), 0.9, ENOUGH);
}
