//! Values of measures in every replication, and the figures that follow from them.

use super::Findings;
use super::ended::Ended;
use super::estimate::{Estimate, Method};
use super::known::Known;
use super::measure::Measure;
use super::target::Precision;
use super::unit::Class;
use stats::interval::{Interval, Level, Sections};
use stats::mixture;
use stats::paired::Weighed;

/// Up to this many organizations, every replication's values of each of them are kept.
pub const KEPT_ORGANIZATIONS: usize = 64;

/// A figure of a unit: the mean or quantile of a measure, with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Its measure.
    pub measure: &'static Measure,
    /// Its value; `None` if no replication has one.
    pub mean: Option<f64>,
    /// Its confidence interval, if there is one. The upper end is infinite where the sample does
    /// not tell it.
    pub interval: Option<Interval>,
    /// The method that the interval comes from.
    pub method: Option<Method>,
    /// Number of replications or batches behind the interval; without one, number of replications
    /// that have a value.
    pub n: u64,
}

impl Figure {
    /// A figure with the interval of an estimate.
    pub fn new(
        measure: &'static Measure,
        mean: Option<f64>,
        estimate: Option<Estimate>,
        filled: u64,
    ) -> Figure {
        let estimate = estimate.filter(|_| mean.is_some()).map(|one| one.within(measure));
        Figure {
            measure,
            mean,
            interval: estimate.map(|one| one.interval),
            method: estimate.map(|one| one.method),
            n: estimate.map_or(filled, |one| one.method.sections()),
        }
    }
}

/// A unit's value of a measure in one replication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// Its replication, from 0.
    pub replication: u32,
    /// Index of the unit.
    pub unit: usize,
    /// Its measure.
    pub measure: &'static Measure,
    /// The value: for ratios the sum divided by the weight.
    pub value: f64,
    /// The number of jobs, or the length, that it is a mean over; 1 for plain means.
    pub weight: f64,
}

/// The values of a run's replications, by unit and measure.
///
/// Values are put in for one replication at a time, in the order of their numbers. Memory: some
/// 100 bytes a unit and measure, and 16 more a replication for units that are kept.
#[derive(Clone, Debug)]
pub struct Sample {
    units: Vec<Class>,
    measures: Vec<&'static Measure>,
    level: Level,
    /// By unit, then by measure.
    sections: Vec<Sections>,
    /// Sum and weight in the replication that is being added.
    open: Vec<[f64; 2]>,
    /// The units whose values are kept, in order.
    kept: Vec<usize>,
    /// Value and weight by replication, kept unit and measure.
    values: Vec<[f64; 2]>,
    replications: u32,
    /// Reason why a single run ended at its target precision, if it did.
    pub ended: Option<Ended>,
    /// Precision reached for the target figure, if the run had one.
    pub known: Option<Known>,
}

impl Sample {
    /// A sample without replications.
    ///
    /// Values of single replications are kept of up to [`KEPT_ORGANIZATIONS`] organizations, and of
    /// classes always; `keeps_all` keeps them of all.
    pub fn new(
        units: Vec<Class>,
        measures: impl IntoIterator<Item = &'static Measure>,
        level: Level,
        keeps_all: bool,
    ) -> Sample {
        let measures: Vec<&'static Measure> = measures.into_iter().collect();
        let singles = units.iter().filter(|unit| unit.is_single()).count();
        let keeps = |unit: &Class| {
            keeps_all
                || singles <= KEPT_ORGANIZATIONS
                || unit.name == super::unit::ALL
                || !unit.is_single()
        };
        let size = units.len() * measures.len();
        Sample {
            kept: (0..units.len()).filter(|&at| keeps(&units[at])).collect(),
            units,
            measures,
            level,
            sections: vec![Sections::default(); size],
            open: vec![[0.0; 2]; size],
            values: Vec::new(),
            replications: 0,
            ended: None,
            known: None,
        }
    }

    fn at(&self, unit: usize, measure: &Measure) -> Option<usize> {
        let at = self.measures.iter().position(|one| *one == measure)?;
        Some(unit * self.measures.len() + at)
    }

    /// Puts a unit's sum and weight of a measure into the open replication.
    ///
    /// # Panics
    /// Panics if the sample does not have the measure.
    pub fn put(&mut self, unit: usize, measure: &Measure, sum: f64, weight: f64) {
        let at = self.at(unit, measure).expect("a measure of this sample");
        self.open[at] = [sum, weight];
    }

    /// Puts a plain mean into the open replication, if there is one.
    pub(crate) fn put_mean(&mut self, unit: usize, measure: &Measure, mean: Option<f64>) {
        if let Some(mean) = mean {
            self.put(unit, measure, mean, 1.0);
        }
    }

    /// Ends the open replication; what was not put in has no value.
    pub fn end_replication(&mut self) {
        let width = self.measures.len();
        for &unit in &self.kept {
            let values = self.open[unit * width..][..width].iter();
            self.values.extend(values.map(|&[sum, weight]| [sum / weight, weight]));
        }
        for (sections, open) in self.sections.iter_mut().zip(&mut self.open) {
            sections.add(open[0], open[1]);
            *open = [0.0; 2];
        }
        self.replications += 1;
    }

    /// Number of replications.
    pub fn replications(&self) -> u32 {
        self.replications
    }

    /// The units: organizations, classes of several, all together.
    pub fn units(&self) -> &[Class] {
        &self.units
    }

    /// Indices of the units of which every replication's values are kept.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Index of the smallest unit that contains these organizations; of all, if none does.
    pub(crate) fn unit_of(&self, members: &std::ops::Range<usize>) -> usize {
        let has_all =
            |unit: &Class| unit.members.start <= members.start && members.end <= unit.members.end;
        let units = self.units.iter().enumerate().filter(|(_, unit)| has_all(unit));
        units.min_by_key(|(_, unit)| unit.members.len()).map_or(self.all(), |(at, _)| at)
    }

    /// Index of the unit that the figures of a target belong to.
    ///
    /// If the organizations of an entry are not a class by themselves, it is the class that contains
    /// them.
    pub fn target(&self, precision: &Precision) -> usize {
        precision.organizations.as_ref().map_or(self.all(), |members| self.unit_of(members))
    }

    /// Index of the unit of all organizations.
    pub fn all(&self) -> usize {
        self.units.len() - 1
    }

    /// Confidence level of the intervals.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The replications as sections of a unit's values of a measure; empty if it has none.
    pub fn sections(&self, unit: usize, measure: &Measure) -> Sections {
        self.at(unit, measure).map_or_else(Sections::default, |at| self.sections[at])
    }

    /// Mean over all replications.
    pub fn mean(&self, unit: usize, measure: &Measure) -> Option<f64> {
        self.sections(unit, measure).mean()
    }

    /// Mean with its interval over the replications, at the level of the sample; `None` with fewer
    /// than two replications.
    pub fn estimate(&self, unit: usize, measure: &Measure) -> Option<Estimate> {
        let estimate = Estimate::of_replications(&self.sections(unit, measure), self.level);
        estimate.map(|one| one.within(measure))
    }

    /// The figures of a unit with intervals over the replications.
    pub fn figures_of(&self, unit: usize, level: Level) -> Vec<Figure> {
        let figure = |measure: &&'static Measure| {
            let sections = self.sections(unit, measure);
            let estimate = Estimate::of_replications(&sections, level);
            Figure::new(measure, sections.mean(), estimate, sections.filled())
        };
        self.measures.iter().map(figure).collect()
    }

    /// Value and weight of a unit's measure in every replication; a weight of 0 means that it has none.
    /// `None` if those of the unit are not kept, or there is no such measure.
    pub fn series(&self, unit: usize, measure: &Measure) -> Option<Vec<Weighed>> {
        let width = self.measures.len();
        let column = self.measures.iter().position(|one| *one == measure)?;
        let row = self.kept.binary_search(&unit).ok()?;
        let all = self.values.iter().skip(row * width + column).step_by(self.kept.len() * width);
        Some(all.copied().collect())
    }

    /// Means of the replications that end low and of those that end high, where they end as a mixture.
    pub fn halves(&self, unit: usize, measure: &Measure) -> Option<[f64; 2]> {
        let series = self.series(unit, measure)?.into_iter();
        let values: Vec<f64> = series.filter(|one| one[1] > 0.0).map(|one| one[0]).collect();
        mixture::halves(&values)
    }

    /// Index of the unit of this name.
    pub(crate) fn unit_called(&self, name: &str) -> Option<usize> {
        self.units.iter().position(|unit| unit.name == name)
    }

    /// The values of single replications, in their order, then by unit and measure.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        let width = self.measures.len();
        let row = (self.kept.len() * width).max(1);
        self.values.iter().enumerate().filter(|(_, [_, weight])| *weight > 0.0).map(
            move |(at, &[value, weight])| Value {
                replication: (at / row) as u32,
                unit: self.kept[at % row / width],
                measure: self.measures[at % width],
                value,
                weight,
            },
        )
    }
}

impl Findings for Sample {
    fn sample(&self) -> &Sample {
        self
    }

    fn sample_mut(&mut self) -> &mut Sample {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Metric;
    use crate::unit::units;

    /// By hand: 30 over 3 jobs and 10 over 1 job are 10 a job; 1 and 3 are 2 on average.
    #[test]
    fn ratios_weigh_jobs_and_means_weigh_replications() {
        let names = ["a".to_owned(), "b".to_owned()];
        let (flow, score) = (Metric::Flow.measure(), Metric::Score.measure());
        let units = units(&names, &[]);
        let mut sample = Sample::new(units, [flow, score], Level::default(), false);
        for (sum, jobs, mean) in [(30.0, 3.0, Some(1.0)), (10.0, 1.0, Some(3.0))] {
            sample.put(0, flow, sum, jobs);
            sample.put_mean(2, score, mean);
            sample.end_replication();
        }
        assert_eq!((sample.mean(0, flow), sample.mean(2, score)), (Some(10.0), Some(2.0)));
        assert_eq!((sample.mean(1, flow), sample.replications()), (None, 2));
        let values: Vec<_> = sample.values().map(|one| (one.unit, one.value, one.weight)).collect();
        assert_eq!(values, [(0, 10.0, 3.0), (2, 1.0, 1.0), (0, 10.0, 1.0), (2, 3.0, 1.0)]);
        let figures = sample.figures_of(2, Level::default());
        assert_eq!((figures[0].mean, figures[0].n), (None, 0));
        // Student's t with one degree of freedom: 12.706 standard errors of 1.
        assert!((figures[1].interval.unwrap().half_width() - 12.706_2).abs() < 1e-3);
        assert_eq!([0..1, 1..2, 0..2].map(|members| sample.unit_of(&members)), [0, 1, 2]);
    }

    /// A share of .02, .03 and .2 has a lower end below 0, and times of 1, 2 and 20 too: they are cut off
    /// in the figures and in the estimate alike. A score may be below 0.
    #[test]
    fn intervals_end_where_values_do() {
        let measures = [Metric::Joined, Metric::Flow, Metric::Score].map(Metric::measure);
        let units = units(&["a".to_owned()], &[]);
        let mut sample = Sample::new(units, measures, Level::default(), false);
        for value in [0.02, 0.03, 0.2] {
            measures.iter().for_each(|measure| sample.put_mean(0, measure, Some(value)));
            sample.end_replication();
        }
        let figures = sample.figures_of(0, Level::default());
        for (figure, measure) in figures.iter().zip(measures) {
            let low = figure.interval.expect("there are three").low;
            assert_eq!(sample.estimate(0, measure).map(|one| one.interval.low), Some(low));
            assert_eq!(low == 0.0, measure != Metric::Score.measure(), "{low}");
        }
        assert!(figures[2].interval.is_some_and(|one| one.low < 0.0));
    }

    #[test]
    fn of_many_organizations_only_all_together_are_kept() {
        let names: Vec<String> = (0..70).map(|number| format!("x{number}")).collect();
        let flow = Metric::Flow.measure();
        let sample = |keeps_all| {
            let mut sample = Sample::new(units(&names, &[]), [flow], Level::default(), keeps_all);
            (0..=70).for_each(|unit| sample.put(unit, flow, 1.0, 1.0));
            sample.end_replication();
            sample.values().map(|one| one.unit).collect::<Vec<_>>()
        };
        assert_eq!(sample(false), [70]);
        assert_eq!(sample(true).len(), 71);
    }
}
