//! Exact schedules of list scheduling, Grid Over-Time-Submission and stealing: the paper's
//! examples, families with large ratios, and small cases.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::tests::{Case, Row, literal, open};
use super::{GridRule, ListOrder};

#[derive(Deserialize)]
struct File {
    instances: Vec<Instance>,
}

#[derive(Deserialize)]
struct Instance {
    name: String,
    /// Processors of each site, ascending.
    machines: Vec<u32>,
    /// Processors, length and submission of each job.
    jobs: Vec<(u32, i64, i64)>,
    expected: BTreeMap<String, Expected>,
}

#[derive(Deserialize)]
struct Expected {
    cmax: i64,
    start: Vec<i64>,
    machine: Vec<usize>,
}

fn rule(name: &str) -> GridRule {
    match name {
        "list-fcfs" => GridRule::List(ListOrder::Submit),
        "list-asc" => GridRule::List(ListOrder::Smallest),
        "list-desc" => GridRule::List(ListOrder::Largest),
        "gots" => GridRule::Submission,
        "steal" => GridRule::StealNear,
        _ => panic!("no rule is called {name}"),
    }
}

#[test]
fn schedules_are_those_of_the_vectors() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/online.json");
    let text = std::fs::read_to_string(file).expect("the vectors are part of the project");
    let file: File = serde_json::from_str(&text).expect("a list of instances");
    let mut compared = 0;
    for Instance { name, machines, jobs, expected } in &file.instances {
        let row = |&(processors, length, release): &(u32, i64, i64)| Row {
            processors,
            length,
            release,
            owner: 0,
            group: 0,
        };
        let case = Case {
            sites: machines.iter().map(|&processors| open(processors)).collect(),
            groups: vec![(0..machines.len()).collect()],
            rows: jobs.iter().map(row).collect(),
        };
        for (algorithm, Expected { cmax, start, machine }) in expected {
            let starts = literal(rule(algorithm), &case);
            let pairs = start.iter().copied().zip(machine.iter().copied());
            let expected: Vec<Option<(i64, usize)>> = pairs.map(Some).collect();
            assert_eq!(starts, expected, "{algorithm} on {name}");
            let ends = start.iter().zip(&case.rows).map(|(start, row)| start + row.length);
            assert_eq!(ends.max(), Some(*cmax), "{algorithm} on {name}");
            compared += 1;
        }
    }
    assert!(compared >= 5 * 20, "{compared}");
}
