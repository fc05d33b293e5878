//! Rounding to processors and to tasks.

use super::super::game_quick::{GameQuick, Options};
use super::super::{Leftovers, Plan, TaskPlanner, WholeProcessors, WholeTasks};
use super::executor::{execute, makespan, play};
use super::support::{instance, vectors};

fn game_quick() -> GameQuick {
    GameQuick::new(&Options::default())
}

#[test]
fn rounded_tasks_reach_the_makespans_of_the_cases() {
    for vector in vectors() {
        let Some(expected) = vector.get("e3_informative") else { continue };
        let instance = instance(&vector);
        let mut plan = Plan::default();
        WholeTasks::new(game_quick(), Leftovers::Earliest).plan(&instance.problem(), &mut plan);
        let got = makespan(&play(&instance.problem(), &plan));
        let expected = expected["makespan"].as_f64().unwrap();
        println!("{} {got} {expected} {}", vector["id"], (got - expected).abs() < 1e-6);
    }
}

#[test]
fn rounded_processors_reach_the_makespans_of_the_cases() {
    for vector in vectors() {
        let instance = instance(&vector);
        let played = execute(&instance.problem(), &WholeProcessors::new(game_quick()));
        let expected = &vector["exec_informative"];
        let mut tasks = vec![vec![0_u64; instance.processors.len()]; instance.tasks.len()];
        played.iter().for_each(|task| tasks[task.class][task.site] += 1);
        let got = makespan(&played);
        let is_same = serde_json::json!(tasks) == expected["x"];
        let expected = expected["makespan"].as_f64().unwrap();
        println!("{} {got} {expected} {is_same} {}", vector["id"], (got - expected).abs() < 1e-6);
    }
}
