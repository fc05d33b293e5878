//! Reads `tests/data/online.json`: instances with exact schedules, lower bounds and optima.
//!
//! They are of Schwiegelshohn, Tchernykh and Yahyapour, Online scheduling in grids (2008): their
//! examples, families with large ratios, and small cases.

use std::collections::BTreeMap;

use gridpact::bounds::instance::{Instance, Task};
use gridpact::kernel::time::{Span, Time};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    instances: Vec<Vector>,
}

/// An instance, and what is known of it. Times are in ticks.
#[derive(Deserialize)]
pub struct Vector {
    pub name: String,
    /// Processors of each cluster, ascending.
    pub machines: Vec<u32>,
    /// Processors, length and submission.
    pub jobs: Vec<(u32, i64, i64)>,
    /// Lower bound on the makespan, as a fraction.
    pub lower_bound: String,
    /// The smallest makespan, if it is known.
    pub optimum: Option<i64>,
    /// An upper bound on the smallest makespan, where that is not known.
    pub opt_upper: Option<i64>,
    /// Schedules by the name of the scheduler.
    pub expected: BTreeMap<String, Expected>,
}

/// The schedule of one scheduler.
#[derive(Deserialize)]
pub struct Expected {
    pub cmax: i64,
    pub start: Vec<i64>,
    pub machine: Vec<usize>,
}

/// Returns all vectors.
pub fn vectors() -> Vec<Vector> {
    let file: File = serde_json::from_str(include_str!("../data/online.json")).unwrap();
    assert_eq!(file.instances.len(), 20);
    file.instances
}

impl Vector {
    /// Returns the clusters and jobs.
    pub fn instance(&self) -> Instance {
        let task = |&(processors, length, release): &(u32, i64, i64)| Task {
            processors,
            length: Span::from_ticks(length),
            release: Time::from_ticks(release),
        };
        Instance { clusters: self.machines.clone(), tasks: self.jobs.iter().map(task).collect() }
    }
}

impl Expected {
    /// Returns start and cluster of every job.
    pub fn placements(&self) -> Vec<(i64, usize)> {
        self.start.iter().copied().zip(self.machine.iter().copied()).collect()
    }
}
