//! Sizes that the ranges of table 4 give, and measures of fairness beside Jain's index, which section 6.2
//! of the paper names: max-min fairness, similar slowdowns, and fair waiting times.
//!
//! The paper measures none of them, so rows only show them.

use super::drawn::{Instance, Shape};
use super::played::{Outcome, play, player};
use crate::StudyError;
use crate::lines::code::{Asked, Figures};

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

/// Processors, tasks and pairs that depend, and unfairness under Game-quick and Min-min.
pub(super) fn fairness(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let (shape, seed): (Shape, u64) = (asked.options()?, asked.seed);
    asked.each(1, |sample| {
        let instance = shape.draw(seed, sample)?;
        let edges: usize = instance.work.classes.iter().map(|class| class.after.len()).sum();
        let mut all = vec![
            ("processors".to_owned(), instance.processors() as f64),
            ("tasks".to_owned(), instance.work.tasks() as f64),
            ("pairs".to_owned(), edges as f64),
        ];
        for (name, key) in [("Game-quick", "game_quick={}"), ("Min-min", "min_min={}")] {
            let outcome = play(&instance, &player(key), seed ^ sample)?;
            let Unfairness { ends, slowdowns, waits } = Unfairness::of(&instance, &outcome);
            let figures = [("ends", ends), ("slowdowns", slowdowns), ("waits", waits)];
            all.extend(figures.map(|(figure, value)| (format!("{figure} {name}"), value)));
        }
        Ok(all)
    })
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
