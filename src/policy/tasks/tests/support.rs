//! Instances for tests.

use serde_json::Value;

use super::super::{Application, Class, Free, HELD, Problem, Site, UNLIMITED};
use kernel::time::{Span, Time};

/// The numbers of an instance, from which a problem borrows.
#[derive(Clone, Debug)]
pub struct Instance {
    pub processors: Vec<u64>,
    /// By class and site; `None` where a class cannot run.
    pub times: Vec<Vec<Span>>,
    pub weights: Vec<Vec<f64>>,
    pub tasks: Vec<f64>,
    pub after: Vec<Vec<u32>>,
    pub prices: Vec<i64>,
    pub needs: Vec<[i64; HELD]>,
    pub limits: Vec<[i64; HELD]>,
    pub deadline: Time,
}

impl Instance {
    /// Independent classes without limits, prices or a deadline.
    pub fn new(processors: &[u64], times: &[Vec<f64>], tasks: &[f64]) -> Instance {
        let span = |&time: &f64| Span::from_units(time).unwrap();
        Instance {
            processors: processors.to_vec(),
            times: times.iter().map(|row| row.iter().map(span).collect()).collect(),
            weights: vec![Vec::new(); tasks.len()],
            tasks: tasks.to_vec(),
            after: vec![Vec::new(); tasks.len()],
            prices: vec![1_000_000; processors.len()],
            needs: vec![[0; HELD]; tasks.len()],
            limits: vec![[UNLIMITED; HELD]; processors.len()],
            deadline: Time::NEVER,
        }
    }

    /// The problem at time 0, with all processors free and all classes of one application.
    pub fn problem(&self) -> Problem<'_> {
        let sites = self.processors.iter().zip(&self.limits).zip(&self.prices);
        let site = |((&processors, &limits), &price)| Site {
            price,
            limits,
            free: vec![Free { at: Time::ZERO, processors, class: None, holds: [0; HELD] }],
        };
        let class = |class: usize| Class {
            number: class as u32,
            application: 0,
            tasks: self.tasks[class],
            ready: Time::ZERO,
            after: self.after[class].clone(),
            times: &self.times[class],
            weights: &self.weights[class],
            needs: self.needs[class],
        };
        Problem {
            now: Time::ZERO,
            sites: sites.map(site).collect(),
            classes: (0..self.tasks.len()).map(class).collect(),
            applications: vec![Application { deadline: self.deadline }],
            seed: 1,
        }
    }
}

/// The exact cases.
pub fn vectors() -> Vec<Value> {
    let text = include_str!("../../../../tests/data/games.json");
    let all: Value = serde_json::from_str(text).unwrap();
    all["vectors"].as_array().unwrap().clone()
}

/// The instance of an exact case.
pub fn instance(vector: &Value) -> Instance {
    let given = &vector["instance"];
    let processors: Vec<u64> = given["procs"].as_array().unwrap().iter().map(whole).collect();
    let mut instance = Instance::new(&processors, &matrix(&given["p"]), &row(&given["n"]));
    let after =
        |list: &Value| list.as_array().unwrap().iter().map(|one| whole(one) as u32).collect();
    instance.after = given["preds"].as_array().unwrap().iter().map(after).collect();
    instance
}

fn whole(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

/// A list of numbers.
pub fn row(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect()
}

/// A list of lists of numbers.
pub fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(row).collect()
}

/// Asserts that numbers are as expected, to a tolerance that is relative for large ones.
pub fn assert_close(got: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(got.len(), expected.len(), "{what}");
    for (got, expected) in got.iter().zip(expected) {
        let is_close = (got - expected).abs() <= tolerance * expected.abs().max(1.0);
        assert!(is_close, "{what}: {got} is not {expected}");
    }
}

/// Random numbers that are the same everywhere.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number from 0 to 1, without 1.
    pub fn part(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number from `least` to `most`.
    pub fn whole(&mut self, least: u64, most: u64) -> u64 {
        least + (self.part() * (most - least + 1) as f64) as u64
    }
}

/// A random bag of independent classes with inconsistent times.
pub fn random_bag(random: &mut Random, classes: usize, sites: usize, most_tasks: u64) -> Instance {
    let processors: Vec<u64> = (0..sites).map(|_| random.whole(1, 20)).collect();
    let mut times = Vec::new();
    for _ in 0..classes {
        let size = 1.0 + 99.0 * random.part();
        let cents = |time: f64| (time * 100.0).round() / 100.0;
        times.push((0..sites).map(|_| cents(size * (1.0 + 9.0 * random.part()))).collect());
    }
    let tasks: Vec<f64> = (0..classes).map(|_| random.whole(1, most_tasks) as f64).collect();
    Instance::new(&processors, &times, &tasks)
}
