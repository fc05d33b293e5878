//! Table 4: what its ranges give, and measures of fairness that the paper names and does not measure.

use super::STUDY;
use super::drawn::{Kind, Shape};
use super::fairness::{self, Unfairness};
use super::played::{Algorithm, play};
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Measured, Printed};
use crate::{Bench, StudyError};
use policy::tasks::{Order, sufferage::Second};

/// The four settings.
pub(super) const SETTINGS: [(&str, [f64; 2]); 4] = [
    ("HiHi", [1000.0, 100.0]),
    ("HiLo", [1000.0, 10.0]),
    ("LoHi", [10.0, 100.0]),
    ("LoLo", [10.0, 10.0]),
];

/// Probability that a class waits for an earlier one, in the paper.
pub(super) const EDGES: f64 = 0.1;

/// Figures of the paper's one instance; ours have the spread of one.
pub(super) fn of_one(value: f64, unit: f64, ours: &Measured, samples: usize) -> Printed {
    let one = ours.half_width * (samples as f64).sqrt();
    Printed { value, unit, sampling: one, telling: STUDY.rule.telling }
}

/// SG-R-02 and SG-T4.
pub(super) fn fairness_and_sizes(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = sizes(bench)?;
    for kind in [Kind::Consistent, Kind::Inconsistent] {
        for (name, heterogeneity) in SETTINGS {
            let shape = Shape::of(kind, heterogeneity, EDGES).quick(bench.effort.quick);
            let setting = format!("{} {name}, graphs", kind.name());
            bench.log(Record::drawn(&setting, bench, bench.effort.samples));
            let seed = bench.effort.seed;
            let all = bench.each(bench.effort.samples.into(), |sample| {
                let instance = shape.draw(seed, sample)?;
                let of = |algorithm: Algorithm| {
                    let player = algorithm.player(Order::Random, Second::Site);
                    Ok(Unfairness::of(&instance, &play(&instance, &player, seed ^ sample)?))
                };
                Ok([of(Algorithm::GameQuick)?, of(Algorithm::MinMin)?])
            })?;
            rows.extend(fairness::rows(&setting, all.iter()));
        }
    }
    Ok(rows)
}

/// SG-T4: what the ranges give, whatever the effort.
fn sizes(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let shape = Shape::of(Kind::Inconsistent, SETTINGS[0].1, EDGES);
    let seed = bench.effort.seed;
    let drawn = bench.each(bench.effort.samples.into(), |sample| {
        let instance = shape.draw(seed, sample)?;
        let edges: usize = instance.work.classes.iter().map(|class| class.after.len()).sum();
        Ok([instance.processors() as f64, instance.work.tasks() as f64, edges as f64])
    })?;
    // Means of the eight instances of the table, and 45 pairs.
    let printed = [("processors", 967.0), ("tasks", 153_899.375), ("pairs that depend", 4.5)];
    let rows = printed.iter().enumerate().map(|(at, &(what, paper))| {
        let ours = mean(drawn.iter().map(|one| one[at]));
        let one = of_one(paper, 0.0, &ours, drawn.len());
        // Eight instances, not one.
        let printed = Printed { sampling: one.sampling / 8.0_f64.sqrt(), ..one };
        Row::new("SG-T4", "Table 4", format!("{what}, mean of an instance")).compared(printed, ours)
    });
    Ok(rows.collect())
}
