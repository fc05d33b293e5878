//! Lower bounds and optima of the vectors of online grids.

use gridpact::bounds::instance::{Instance, Task};
use gridpact::bounds::lower::LowerBound;
use gridpact::bounds::optimum::optimum;
use gridpact::kernel::time::{Span, Time};
use serde_json::Value;

/// Reads name, instance and the whole entry of each vector.
fn vectors() -> Vec<(String, Instance, Value)> {
    let mut file: Value = serde_json::from_str(include_str!("../data/online.json")).unwrap();
    let Value::Array(entries) = file["instances"].take() else { panic!("a list of instances") };
    let numbers = |list: &Value| -> Vec<i64> {
        list.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect()
    };
    let read = |entry: Value| {
        let job = |job: &Value| {
            let [processors, length, release] = numbers(job)[..] else { panic!("three numbers") };
            Task {
                processors: processors.try_into().unwrap(),
                length: Span::from_ticks(length),
                release: Time::from_ticks(release),
            }
        };
        let clusters = numbers(&entry["machines"]).iter().map(|&m| m.try_into().unwrap()).collect();
        let tasks = entry["jobs"].as_array().unwrap().iter().map(job).collect();
        (entry["name"].as_str().unwrap().to_owned(), Instance { clusters, tasks }, entry)
    };
    entries.into_iter().map(read).collect()
}

fn lower_bound(instance: &Instance) -> LowerBound {
    let mut bound = LowerBound::new(&instance.clusters);
    for task in &instance.tasks {
        bound.add(task.processors, task.length, task.release);
    }
    bound
}

#[test]
fn lower_bounds_are_those_of_the_vectors() {
    let all = vectors();
    for (name, instance, entry) in &all {
        let bound = lower_bound(instance);
        assert_eq!(bound.value().to_string(), entry["lower_bound"].as_str().unwrap(), "{name}");
        let text = serde_json::to_string(&bound).unwrap();
        assert_eq!(serde_json::from_str::<LowerBound>(&text).unwrap(), bound);
    }
    assert_eq!(all.len(), 20);
}

#[test]
fn optima_are_those_of_the_vectors() {
    let mut compared = 0;
    for (name, instance, entry) in vectors() {
        let found = optimum(&instance, 200_000).unwrap();
        assert_eq!(instance.makespan(&found.schedule), Ok(found.makespan.upper()), "{name}");
        if let Some(optimum) = entry["optimum"].as_i64() {
            assert_eq!(found.makespan.proved(), Some(Time::from_ticks(optimum)), "{name}");
            compared += 1;
        }
        let upper = entry["opt_upper"].as_i64().or(entry["optimum"].as_i64()).unwrap();
        assert!(found.makespan.lower().ticks() <= upper, "{name}");
    }
    assert_eq!(compared, 12);
}
