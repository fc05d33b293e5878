use microlp::{ComparisonOp, Error, OptimizationDirection, Problem, Variable};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::instance::Task;
use crate::lower::LowerBound;
use kernel::time::Span;

/// Nodes that no instance below needs.
const ENOUGH: u64 = 10_000_000;

fn instance(clusters: &[u32], jobs: &[(u32, i64, i64)]) -> Instance {
    let task = |&(processors, length, release): &(u32, i64, i64)| Task {
        processors,
        length: Span::from_ticks(length),
        release: Time::from_ticks(release),
    };
    Instance { clusters: clusters.to_vec(), tasks: jobs.iter().map(task).collect() }
}

/// Draws an instance. Every other one has concurrent jobs; some have many identical jobs.
fn draw(rng: &mut ChaCha8Rng, jobs: usize, most_clusters: usize, longest: i64) -> Instance {
    let widest: u32 = rng.random_range(1..=10);
    let mut clusters: Vec<u32> = (0..rng.random_range(1..=most_clusters))
        .map(|_| rng.random_range(widest.div_ceil(2)..=widest))
        .collect();
    clusters.sort_unstable();
    let latest = rng.random_range(0..=1) * rng.random_range(0..=2 * longest);
    let largest = clusters[clusters.len() - 1];
    let longest = rng.random_range(1..=longest);
    let mut drawn: Vec<(u32, i64, i64)> = Vec::new();
    for _ in 0..jobs {
        let length = rng.random_range(1..=longest);
        drawn.push((rng.random_range(1..=largest), length, rng.random_range(0..=latest)));
    }
    if rng.random_bool(0.3) {
        for j in 1..jobs {
            drawn[j] = drawn[rng.random_range(0..=j)];
        }
    }
    drawn.sort_by_key(|job| job.2);
    instance(&clusters, &drawn)
}

/// Finds the optimum, and checks the schedule and the bound on the way.
fn solved(instance: &Instance) -> i64 {
    let found = optimum(instance, ENOUGH).unwrap();
    let proved = found.makespan.proved().expect("within the limit of nodes");
    assert_eq!(instance.makespan(&found.schedule), Ok(proved), "{instance:?}");
    let mut bound = LowerBound::new(&instance.clusters);
    for task in &instance.tasks {
        bound.add(task.processors, task.length, task.release);
    }
    assert!(bound.ticks_up() <= proved.ticks().into(), "{instance:?}");
    proved.ticks()
}

/// The optimum by trying all orders and clusters; each job starts as early as those placed before
/// it allow. Usage is kept tick by tick.
fn by_enumeration(instance: &Instance) -> i64 {
    enumerated(instance, &vec![Time::NEVER; instance.tasks.len()])
}

/// The same among the schedules in which each job has ended by its due time.
pub(crate) fn enumerated(instance: &Instance, due: &[Time]) -> i64 {
    fn place(
        (instance, due): (&Instance, &[Time]),
        usage: &mut [Vec<u32>],
        left: u32,
        end: i64,
        best: &mut i64,
    ) {
        if end >= *best {
            return;
        }
        if left == 0 {
            *best = end;
            return;
        }
        for (j, task) in instance.tasks.iter().enumerate().filter(|(j, _)| left >> j & 1 == 1) {
            let length = task.length.ticks() as usize;
            for (c, &processors) in instance.clusters.iter().enumerate() {
                if task.processors > processors {
                    continue;
                }
                let room = processors - task.processors;
                let start = (task.release.ticks() as usize..)
                    .find(|&start| usage[c][start..start + length].iter().all(|&u| u <= room))
                    .unwrap();
                let run = start..start + length;
                if run.end as i64 > due[j].ticks() {
                    continue;
                }
                usage[c][run.clone()].iter_mut().for_each(|used| *used += task.processors);
                place((instance, due), usage, left & !(1 << j), end.max(run.end as i64), best);
                usage[c][run].iter_mut().for_each(|used| *used -= task.processors);
            }
        }
    }
    let total: i64 = instance.tasks.iter().map(|task| task.length.ticks()).sum();
    let last = instance.tasks.iter().map(|task| task.release.ticks()).max().unwrap_or(0);
    let mut usage = vec![vec![0; 2 * (total + last) as usize]; instance.clusters.len()];
    let mut best = total + last + 1;
    place((instance, due), &mut usage, (1 << instance.tasks.len()) - 1, 0, &mut best);
    best
}

/// Decides with a time-indexed integer program whether a schedule ends by the deadline: one
/// variable for each job, cluster and start.
fn ends_by(instance: &Instance, deadline: i64) -> bool {
    end_by(instance, deadline, &vec![Time::NEVER; instance.tasks.len()])
}

/// The same among the schedules in which each job has ended by its due time.
pub(crate) fn end_by(instance: &Instance, deadline: i64, due: &[Time]) -> bool {
    let mut program = Problem::new(OptimizationDirection::Minimize);
    let mut usage: Vec<Vec<Vec<(Variable, f64)>>> =
        vec![vec![Vec::new(); deadline.max(0) as usize]; instance.clusters.len()];
    for (task, due) in instance.tasks.iter().zip(due) {
        let mut choices = Vec::new();
        for (c, _) in instance.clusters.iter().enumerate().filter(|c| *c.1 >= task.processors) {
            for start in task.release.ticks()..=deadline.min(due.ticks()) - task.length.ticks() {
                let variable = program.add_binary_var(0.0);
                choices.push((variable, 1.0));
                for time in start..start + task.length.ticks() {
                    usage[c][time as usize].push((variable, task.processors.into()));
                }
            }
        }
        if choices.is_empty() {
            return false;
        }
        program.add_constraint(&choices, ComparisonOp::Eq, 1.0);
    }
    for (c, usage) in usage.iter().enumerate() {
        for used in usage.iter().filter(|used| !used.is_empty()) {
            program.add_constraint(used, ComparisonOp::Le, instance.clusters[c].into());
        }
    }
    match program.solve() {
        Ok(outcome) => outcome.into_solution().is_ok(),
        Err(Error::Infeasible) => false,
        Err(error) => panic!("{error}: {instance:?}"),
    }
}

fn compare_with_enumeration(seed: u64, count: usize, more: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for round in 0..count {
        let most_clusters = round % 3 + 1;
        let jobs = rng.random_range(1..=7 - most_clusters + more);
        let instance = draw(&mut rng, jobs, most_clusters, 7);
        assert_eq!(solved(&instance), by_enumeration(&instance), "{instance:?}");
    }
}

fn compare_with_integer_program(seed: u64, count: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut compared = 0;
    while compared < count {
        let jobs = rng.random_range(2..=6);
        let instance = draw(&mut rng, jobs, 3, 5);
        let makespan = solved(&instance);
        if makespan <= 20 {
            assert!(!ends_by(&instance, makespan - 1), "{makespan}: {instance:?}");
            assert!(ends_by(&instance, makespan), "{makespan}: {instance:?}");
            compared += 1;
        }
    }
}

#[test]
fn optimum_equals_the_enumeration_of_all_orders() {
    compare_with_enumeration(1, 1500, 1);
}

#[test]
fn optimum_equals_the_integer_program() {
    compare_with_integer_program(2, 150);
}

#[test]
#[ignore = "takes minutes: 10 000 instances, enumerated"]
fn optimum_equals_the_enumeration_of_many_instances() {
    compare_with_enumeration(3, 10_000, 3);
}

#[test]
#[ignore = "takes minutes: 10 000 integer programs"]
fn optimum_equals_many_integer_programs() {
    compare_with_integer_program(4, 10_000);
}

#[test]
fn other_units_orders_and_larger_idle_clusters_do_not_matter() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..200 {
        let jobs = rng.random_range(5..=9);
        let plain = draw(&mut rng, jobs, 3, 9);
        let makespan = solved(&plain);
        let mut changed = plain.clone();
        for task in &mut changed.tasks {
            task.length = task.length * 1_000_000_007;
            task.release = Time::from_ticks(task.release.ticks() * 1_000_000_007);
            task.processors *= 1000;
        }
        changed.clusters.iter_mut().for_each(|size| *size = *size * 1000 + 999);
        changed.clusters.reverse();
        let found = optimum(&changed, ENOUGH).unwrap();
        assert_eq!(found.makespan.proved(), changed.makespan(&found.schedule).ok());
        assert_eq!(found.makespan.upper().ticks(), makespan * 1_000_000_007, "{plain:?}");
    }
}

#[test]
fn one_more_job_or_later_releases_never_shorten_the_optimum() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..200 {
        let plain = draw(&mut rng, 9, 3, 40);
        let makespan = solved(&plain);
        let mut fewer = plain.clone();
        fewer.tasks.remove(rng.random_range(0..9));
        assert!(solved(&fewer) <= makespan, "{plain:?}");
        let mut later = plain.clone();
        later.tasks[8].release += Span::from_ticks(3);
        assert!((makespan..=makespan + 3).contains(&solved(&later)), "{plain:?}");
    }
}

/// Instances that need the exact form of a rule: found by comparing the search with others in which
/// a cut set ignored ends or was one tick too late, or the middle of the schedule was rounded down.
#[test]
fn optima_on_the_edge_of_a_rule_are_found() {
    let same = |optimum: i64, cluster: u32, jobs: &[(u32, i64, i64)]| {
        let instance = instance(&[cluster], jobs);
        assert_eq!((solved(&instance), by_enumeration(&instance)), (optimum, optimum));
    };
    let ends = [(2, 7), (2, 8), (6, 8), (5, 6), (3, 5), (10, 2), (4, 3), (4, 7)];
    same(20, 10, &ends.map(|(size, length)| (size, length, 0)));
    let [a, b, c] = [(4, 1, 0), (2, 3, 1), (1, 3, 1)];
    same(9, 4, &[a, b, c, (2, 2, 1), (1, 3, 2), (2, 2, 2), (4, 2, 2), (1, 2, 3)]);
    let middle = [(4, 4), (3, 8), (2, 22), (4, 2), (2, 16), (1, 4), (1, 20)];
    same(30, 5, &middle.map(|(size, length)| (size, length, 0)));
}

#[test]
fn known_packings_are_found() {
    // A cluster of 21 processors is filled but for the last tick.
    let tight = |long: i64| {
        let mut jobs = vec![(1, long, 0); 6];
        jobs.extend([(1, 4 * long, 0), (11, 3 * long, 0), (11, 1, 0), (8, 3 * long, 0)]);
        jobs.extend([(7, long, 0), (7, long, 0), (7, long, 0), (8, 1, 0)]);
        solved(&instance(&[1, 21], &jobs))
    };
    assert_eq!(tight(10), 41);
    assert_eq!(tight(1000), 4001);
    // Partition: 12 jobs of one processor on two clusters, of total length 2 * 309.
    let lengths = [97, 89, 83, 79, 73, 61, 53, 41, 23, 11, 5, 3];
    let jobs = lengths.map(|length| (1, length, 0));
    assert_eq!(solved(&instance(&[1, 1], &jobs)), 309);
    // Jobs wider than half of a cluster run one after the other.
    assert_eq!(solved(&instance(&[7, 7], &[(4, 5, 0); 5])), 15);
    // Waiting for a wide job can be optimal: the long job must be first.
    assert_eq!(solved(&instance(&[2], &[(1, 3, 0), (2, 5, 1)])), 8);
    assert_eq!(solved(&instance(&[2], &[(1, 3, 0), (2, 2, 1), (1, 9, 3)])), 12);
}

#[test]
fn jobs_without_length_or_processors_are_never_in_the_way() {
    let all = instance(&[1, 4], &[(4, 3, 0), (4, 0, 1), (0, 9, 2), (2, 0, 30)]);
    assert_eq!(solved(&all), 30);
    assert_eq!(solved(&instance(&[2], &[])), 0);
    assert_eq!(solved(&instance(&[], &[])), 0);
    assert_eq!(solved(&instance(&[2], &[(0, 0, 0)])), 0);
}

#[test]
fn instances_without_a_schedule_are_refused() {
    let refused = |clusters: &[u32], jobs: &[(u32, i64, i64)]| {
        optimum(&instance(clusters, jobs), ENOUGH).unwrap_err()
    };
    assert_eq!(refused(&[2, 3], &[(3, 1, 0), (4, 1, 0)]), Unsolvable::TooWide { task: 1 });
    assert_eq!(refused(&[], &[(0, 1, 0)]), Unsolvable::TooWide { task: 0 });
    assert_eq!(refused(&[2], &[(1, -1, 0)]), Unsolvable::Negative { task: 0 });
    assert_eq!(refused(&[2], &[(1, 1, -1)]), Unsolvable::Negative { task: 0 });
    assert_eq!(refused(&[2], &[(1, i64::MAX, 0), (1, 1, 0)]), Unsolvable::TooLong);
    assert_eq!(refused(&[2], &[(1, 1, i64::MAX)]), Unsolvable::TooLong);
    assert_eq!(
        solved(&instance(&[2], &[(2, 7, 0), (1, i64::MAX / 3, i64::MAX / 3)])),
        i64::MAX / 3 * 2
    );
}

#[test]
fn a_spent_budget_leaves_bounds_and_a_schedule() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut stopped = 0;
    for _ in 0..100 {
        let instance = draw(&mut rng, 9, 3, 100);
        let makespan = Time::from_ticks(solved(&instance));
        for limit in [0, 1, 10, 100] {
            let found = optimum(&instance, limit).unwrap();
            assert!(found.nodes <= limit);
            assert!(found.makespan.lower() <= makespan && makespan <= found.makespan.upper());
            assert_eq!(instance.makespan(&found.schedule), Ok(found.makespan.upper()));
            stopped += usize::from(found.makespan.proved().is_none());
        }
    }
    assert!(stopped > 20, "{stopped}");
}

#[test]
fn more_jobs_than_are_searched_have_bounds() {
    let jobs: Vec<(u32, i64, i64)> = (0..200).map(|j| (j % 5 + 1, j.into(), 0)).collect();
    let many = instance(&[5, 7], &jobs);
    let found = optimum(&many, ENOUGH).unwrap();
    assert_eq!((found.nodes, found.makespan.proved()), (0, None));
    assert_eq!(many.makespan(&found.schedule), Ok(found.makespan.upper()));
    let units = instance(&[64], &[(1, 1, 0); 128]);
    assert_eq!(solved(&units), 2);
}

#[test]
fn as_many_identical_jobs_as_fit_in_a_set_are_searched() {
    assert_eq!(solved(&instance(&[3], &[(2, 1, 0); 64])), 64);
    assert_eq!(solved(&instance(&[3, 3, 5], &[(2, 3, 0); 64])), 48);
    assert_eq!(solved(&instance(&[3, 5], &[(2, 3, 7); 64])), 7 + 3 * 22);
}
