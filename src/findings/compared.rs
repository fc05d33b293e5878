//! Results of several runs on the same draws, side by side.

use super::contrast::{Contrast, contrasts, difference};
use super::measure::Measure;
use super::sample::Sample;
use super::stop::Hold;
use super::target::{Precision, Width};
use super::{Findings, unit};
use stats::interval::Interval;

/// Results of several runs, the first of which is the base.
#[derive(Debug)]
pub struct Compared<F> {
    /// The names of the runs.
    pub names: Vec<String>,
    /// The results of each.
    pub arms: Vec<F>,
    /// The measures that verdicts hold together for.
    pub judged: Vec<&'static Measure>,
    seed: u64,
    /// The number of replications, and what their end was.
    sample: Sample,
}

impl<F: Findings> Compared<F> {
    /// Runs without a replication so far.
    ///
    /// # Panics
    /// Panics if there is none.
    pub fn new(
        names: Vec<String>,
        arms: Vec<F>,
        seed: u64,
        judged: Vec<&'static Measure>,
    ) -> Compared<F> {
        let level = arms[0].sample().level();
        let sample = Sample::new(unit::units(&[], &[]), [], level, false);
        Compared { names, arms, judged, seed, sample }
    }

    /// The differences of every run from the base, by unit and measure.
    pub fn contrasts(&self) -> Vec<Contrast> {
        let arms: Vec<&dyn Findings> = self.arms.iter().map(|arm| arm as _).collect();
        contrasts(&arms, self.sample.level(), self.seed, |measure| self.judged.contains(&measure))
    }

    /// The measures that some replications of all runs can have, in the order of the base.
    pub fn measures(&self) -> Vec<&'static Measure> {
        let of = |arm: &F| {
            let figures = arm.figures_of(arm.sample().all(), arm.sample().level());
            figures.iter().map(|figure| figure.measure).collect::<Vec<_>>()
        };
        let mut common = of(&self.arms[0]);
        for arm in &self.arms[1..] {
            let theirs = of(arm);
            common.retain(|measure| theirs.contains(measure));
        }
        common
    }
}

impl<F: Findings> Findings for Compared<F> {
    crate::sample_at!(sample);

    fn close(&mut self) {
        self.arms.iter_mut().for_each(Findings::close);
    }

    /// The widest interval of a difference over all runs, for each measure: of the ratio to the base for
    /// a relative width, of the difference otherwise.
    fn intervals(&self, precision: &Precision) -> Vec<Option<Interval>> {
        let others = self.arms.len() - 1;
        let level = self.sample.level().of_each(precision.metrics.len() * others);
        let known = |arm: usize, measure: &'static Measure| {
            let pair: [&dyn Findings; 2] = [&self.arms[0], &self.arms[arm]];
            let tested = difference(pair, arm, unit::ALL, measure, level, self.seed)?.tested?;
            match precision.width {
                Width::Absolute(_) => Some(tested.difference),
                Width::Relative(_) => {
                    tested.relative.map(|one| Interval { low: 1.0 + one.low, high: 1.0 + one.high })
                }
            }
        };
        let widest = |measure: &&'static Measure| {
            let all = (1..=others).map(|arm| known(arm, measure));
            let all: Option<Vec<Interval>> = all.collect();
            let times = |one: &Interval| precision.width.times_too_wide(*one);
            all?.into_iter().max_by(|one, other| times(one).total_cmp(&times(other)))
        };
        precision.metrics.iter().map(widest).collect()
    }

    fn hold(&self) -> Hold {
        let holds = self.arms.iter().map(Findings::hold);
        holds.fold(Hold::default(), |all, one| Hold {
            is_short: all.is_short || one.is_short,
            held: all.held.or(one.held),
        })
    }
}
