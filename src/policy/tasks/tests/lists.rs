//! List heuristics against exact vectors, and against their definitions on random problems.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rand::{RngExt as _, SeedableRng as _};
use serde::Deserialize;

use super::naive::{self, Heuristic};
use super::random;
use crate::kernel::rng::Rng;
use crate::kernel::time::{Span, Time};
use crate::policy::tasks::sufferage::Second;
use crate::policy::tasks::*;

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    id: String,
    instance: Instance,
    heuristics: BTreeMap<String, Outcome>,
}

/// Processors of each site, time of a task by class and site, tasks and predecessors by class.
#[derive(Deserialize)]
struct Instance {
    procs: Vec<u64>,
    p: Vec<Vec<f64>>,
    n: Vec<u64>,
    preds: Vec<Vec<u32>>,
}

#[derive(Deserialize)]
struct Outcome {
    makespan: f64,
    completion: Vec<f64>,
    x: Vec<Vec<u64>>,
    jain_completion: f64,
}

/// The exact instances, if they lie beside the project.
fn vectors() -> Option<Vec<Vector>> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors/games.json");
    let given =
        std::env::var_os("GRIDPACT_VECTORS").map(|folder| PathBuf::from(folder).join("games.json"));
    let text = std::fs::read_to_string(given.unwrap_or(beside)).ok()?;
    let file: File = serde_json::from_str(&text).unwrap();
    Some(file.vectors)
}

/// Millionths, as the vectors count.
fn ticks(units: f64) -> i64 {
    (units * 1e6).round() as i64
}

/// The heuristics of the vectors, by their names there.
fn heuristics() -> Vec<(&'static str, Heuristic)> {
    vec![
        ("met", Heuristic::Met(Default::default())),
        ("mct", Heuristic::Mct(Default::default())),
        ("olb", Heuristic::Olb(Default::default())),
        ("minmin", Heuristic::MinMin(Default::default())),
        ("maxmin", Heuristic::MaxMin(Default::default())),
        ("suffsite", Heuristic::Sufferage(Default::default())),
        (
            "suff",
            Heuristic::Sufferage(sufferage::Options {
                second: Second::Processor,
                ..Default::default()
            }),
        ),
    ]
}

#[test]
fn vectors_are_met_exactly() {
    let Some(vectors) = vectors() else {
        println!("skipped: there are no vectors beside the project");
        return;
    };
    assert_eq!(vectors.len(), 25);
    for vector in &vectors {
        let Instance { procs, p, n, preds } = &vector.instance;
        let times: Vec<Vec<Span>> = p
            .iter()
            .map(|row| row.iter().map(|&time| Span::from_ticks(ticks(time))).collect())
            .collect();
        let mut problem = random::bag(procs, &times, n);
        for (class, before) in problem.classes.iter_mut().zip(preds) {
            class.after.clone_from(before);
        }
        assert_eq!(vector.heuristics.len(), heuristics().len());
        for (name, heuristic) in heuristics() {
            let expected = &vector.heuristics[name];
            let plan = heuristic.plan(&problem);
            let ends = naive::ends(&problem, &plan);
            let wanted: Vec<i64> = expected.completion.iter().map(|&end| ticks(end)).collect();
            assert_eq!(ends, wanted, "{} {name}", vector.id);
            assert_eq!(ends.iter().copied().max(), Some(ticks(expected.makespan)));
            let mut x = vec![vec![0; procs.len()]; n.len()];
            for lane in &plan.lanes {
                for run in &lane.runs {
                    x[run.class as usize][lane.site as usize] += run.tasks * lane.processors;
                }
            }
            assert_eq!(x, expected.x, "{} {name}", vector.id);
            let sum: f64 = expected.completion.iter().sum();
            let squares: f64 = expected.completion.iter().map(|end| end * end).sum();
            let jain = sum * sum / (expected.completion.len() as f64 * squares);
            assert!((jain - expected.jain_completion).abs() < 1e-12, "{} {name}", vector.id);
        }
    }
}

/// Number of random problems.
fn rounds() -> u64 {
    std::env::var("GRIDPACT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(300)
}

/// Compares the lanes of a plan with those of the definition, and checks what every plan keeps.
fn check(problem: &Problem<'_>, heuristic: &Heuristic, seed: u64) {
    let plan = heuristic.plan(problem);
    let expected = naive::plan(problem, heuristic);
    assert_eq!(naive::sorted(&plan), naive::sorted(&expected), "{seed} {heuristic:?} {problem:?}");
    naive::check_lanes(problem, &plan);
}

#[test]
fn plans_equal_their_definitions() {
    for seed in 0..rounds() {
        let mut rng = Rng::seed_from_u64(seed);
        let times = random::times(&mut rng);
        let problem = random::problem(&mut rng, &times);
        for heuristic in Heuristic::all() {
            check(&problem, &heuristic, seed);
        }
    }
}

#[test]
fn phases_of_min_min_equal_its_steps() {
    for seed in 0..rounds() {
        let mut rng = Rng::seed_from_u64(seed);
        let times = random::times(&mut rng);
        let mut problem = random::problem(&mut rng, &times);
        // Many more tasks than the definition could plan.
        for class in &mut problem.classes {
            class.tasks *= rng.random_range(1..200_u32) as f64;
        }
        let planner = min_min::MinMin::new(&min_min::Options::default());
        let (mut phases, mut steps) = (Plan::default(), Plan::default());
        planner.plan(&problem, &mut phases);
        planner.plan_by_steps(&problem, &mut steps);
        assert_eq!(naive::sorted(&phases), naive::sorted(&steps), "{seed} {problem:?}");
        naive::check_lanes(&problem, &phases);
    }
}

/// Classes one after the other are planned at once. A class that can run nowhere and never ends does not
/// change the plan, and as it is not eligible, nor does the way in which it is made.
#[test]
fn huge_problems_keep_all_tasks_in_few_lanes() {
    let mut rng = Rng::seed_from_u64(5);
    let mut time = || Span::from_ticks(1 << rng.random_range(0..34));
    let times: Vec<Vec<Span>> = (0..10).map(|_| (0..10).map(|_| time()).collect()).collect();
    let problem = random::bag(&[100_000; 10], &times, &[100_000_000; 10]);
    for heuristic in [
        Heuristic::Mct(Default::default()),
        Heuristic::Met(Default::default()),
        Heuristic::Olb(Default::default()),
        Heuristic::MinMin(Default::default()),
        Heuristic::Heft(Default::default()),
    ] {
        let plan = heuristic.plan(&problem);
        naive::check_lanes(&problem, &plan);
        assert!(plan.lanes.len() <= 20, "{}", plan.lanes.len());
    }
}

#[test]
fn plans_beyond_the_range_of_times_keep_all_tasks() {
    let long = Span::from_ticks(1 << 60);
    let times =
        vec![vec![long, Span::TICK, Span::MAX], vec![Span::UNIT, long, long], vec![long; 3]];
    let mut problem = random::bag(&[3, 1, 2], &times, &[50, 1000, 77]);
    problem.now = Time::from_ticks(1 << 60);
    problem.classes[2].after = vec![0];
    for heuristic in Heuristic::all() {
        naive::check_lanes(&problem, &heuristic.plan(&problem));
    }
    for class in &mut problem.classes {
        class.tasks = 1e15;
    }
    naive::check_lanes(&problem, &Heuristic::MinMin(Default::default()).plan(&problem));
    naive::check_lanes(&problem, &Heuristic::Mct(Default::default()).plan(&problem));
}

#[test]
fn problems_without_sites_processors_or_tasks_have_empty_plans() {
    let times = vec![vec![Span::UNIT]];
    for problem in [
        random::bag(&[], &[vec![]], &[3]),
        random::bag(&[0], &times, &[3]),
        random::bag(&[2], &times, &[0]),
        random::bag(&[2], &[], &[]),
    ] {
        for heuristic in Heuristic::all() {
            assert_eq!(heuristic.plan(&problem), Plan::default());
        }
    }
}
