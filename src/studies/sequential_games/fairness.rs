//! Measures of fairness beside Jain's index, which section 6.2 of the paper names: max-min fairness,
//! similar slowdowns, and fair waiting times.
//!
//! The paper measures none of them, so rows only show them.

use super::drawn::Instance;
use super::played::Outcome;
use crate::row::Row;
use crate::sample::mean;

/// Unfairness of an outcome by three measures; 1 or 0 is fair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unfairness {
    /// The last end of a class over the first one; 1 if all end together.
    ends: f64,
    /// The largest slowdown of a class over the smallest one. A slowdown is the time from ready to the
    /// end over that with all processors of the grid.
    slowdowns: f64,
    /// The longest wait of a class, from ready to its first start, in the makespan.
    waits: f64,
}

/// Measures with their names.
type Measure = (&'static str, fn(&Unfairness) -> f64);
const MEASURES: [Measure; 3] = [
    ("last end of a class over the first", |one| one.ends),
    ("largest slowdown of a class over the smallest", |one| one.slowdowns),
    ("longest wait of a class in the makespan", |one| one.waits),
];

impl Unfairness {
    pub(super) fn of(instance: &Instance, outcome: &Outcome) -> Unfairness {
        let spread = |values: &[f64]| {
            let (least, most) = values
                .iter()
                .fold((f64::INFINITY, 0.0), |(least, most), one| (one.min(least), one.max(most)));
            most / least
        };
        let classes = 0..instance.work.classes.len();
        let slowdown =
            |class: usize| (outcome.ends[class] - outcome.readies[class]) / alone(instance, class);
        let slowdowns: Vec<f64> = classes.clone().map(slowdown).collect();
        let wait = |class: usize| outcome.starts[class] - outcome.readies[class];
        Unfairness {
            ends: spread(&outcome.ends),
            slowdowns: spread(&slowdowns),
            waits: classes.map(wait).fold(0.0, f64::max) / outcome.makespan(),
        }
    }
}

/// Units of time in which all processors of the grid do the tasks of a class.
fn alone(instance: &Instance, class: usize) -> f64 {
    let times = instance.work.times(class as u32).iter();
    let rate = times.zip(&*instance.sites);
    let rate: f64 = rate.map(|(time, site)| f64::from(site.processors) / time.as_units()).sum();
    instance.work.classes[class].tasks as f64 / rate
}

/// SG-R-02: all measures on a setting, of Game-quick and Min-min on each instance.
pub(super) fn rows<'a>(
    setting: &str,
    all: impl Iterator<Item = &'a [Unfairness; 2]> + Clone,
) -> Vec<Row> {
    let row = |(name, of): Measure, player: usize| {
        let who = ["Game-quick", "Min-min"][player];
        let ours = mean(all.clone().map(|one| of(&one[player])));
        Row::new("SG-R-02", "6.2", format!("{setting}: {name}, {who}")).shown(ours)
    };
    MEASURES.into_iter().flat_map(|one| [row(one, 0), row(one, 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Alone, the first class takes 8 / (1/2 + 1/4 + 1/4) = 8 units and the second 4 / (1/4 + 2/2) =
    /// 3.2.
    #[test]
    fn measures_are_those_computed_by_hand() {
        let instance = Instance::bag(&[1, 2], &[8, 4], &[&[2.0, 4.0], &[4.0, 2.0]]);
        let outcome = Outcome {
            ends: vec![16.0, 8.0],
            starts: vec![4.0, 1.6],
            readies: vec![0.0, 1.6],
            ..Outcome::default()
        };
        let found = Unfairness::of(&instance, &outcome);
        assert_eq!((found.ends, found.waits), (2.0, 0.25));
        assert!((found.slowdowns - 1.0).abs() < 1e-9, "{found:?}");
    }
}
