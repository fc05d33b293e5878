//! Results of a parameter study, point by point.

use rustc_hash::FxHashMap;

use super::estimate::Estimate;
use super::measure::Measure;
use super::rounds::InBatches;
use super::sample::{Figure, Sample};
use super::unit;
use super::{Comparable, Findings};
use kernel::parallel;
use stats::interval::Level;

/// Results of one point of a study: figures, and the values of its replications. What a world keeps
/// besides, such as histograms, is gone.
#[derive(Clone, Debug)]
pub struct AtPoint {
    sample: Sample,
    /// Figures by unit, at the level of the sample.
    figures: Vec<Vec<Figure>>,
    /// Values to compare by, where they are not those of the replications; by unit and measure.
    comparable: FxHashMap<(usize, &'static str), Option<Comparable>>,
    /// The rounds of a single replication, if they were asked for.
    pub batches: Option<InBatches>,
    /// Warnings about the point.
    pub warnings: Vec<String>,
}

impl AtPoint {
    /// The remains of a finished point; `compares` keeps what it can be compared by, `batches` its rounds.
    pub fn of(
        found: &dyn Findings,
        warnings: Vec<String>,
        compares: bool,
        batches: bool,
    ) -> AtPoint {
        let sample = found.sample().clone();
        let units = 0..sample.units().len();
        let figures_of = |unit| found.figures_of(unit, sample.level());
        // On the threads of the run, if it has several; intervals take longer than many a replication.
        let mut figures: Vec<Vec<Figure>> = match rayon::current_thread_index() {
            Some(_) => parallel::map(units.len(), figures_of),
            None => units.clone().map(figures_of).collect(),
        };
        let mut comparable = FxHashMap::default();
        for unit in units.filter(|_| compares) {
            for figure in &figures[unit] {
                let measure = figure.measure;
                if measure.is_quantile() || sample.replications() == 1 {
                    comparable.insert((unit, measure.name), found.series(unit, measure));
                }
            }
        }
        let batches = batches.then(|| found.in_batches()).flatten();
        if let Some(batches) = &batches {
            for (unit, figures) in figures.iter_mut().enumerate() {
                figures.iter_mut().for_each(|one| batches.fill(unit, one, sample.level()));
            }
        }
        AtPoint { sample, figures, comparable, batches, warnings }
    }

    /// The figure of the unit that goes by this name.
    pub fn figure(&self, unit: &str, measure: &Measure) -> Option<&Figure> {
        self.figures[self.unit(unit)?].iter().find(|figure| figure.measure == measure)
    }

    /// Means of the replications that end low and high, as [`Sample::halves`].
    pub fn halves(&self, unit: &str, measure: &Measure) -> Option<[f64; 2]> {
        self.sample.halves(self.unit(unit)?, measure)
    }

    fn unit(&self, name: &str) -> Option<usize> {
        self.sample.units().iter().position(|one| unit::goes_by(&one.name, name))
    }
}

impl Findings for AtPoint {
    crate::sample_at!(sample);

    fn figures_of(&self, unit: usize, _level: Level) -> Vec<Figure> {
        self.figures[unit].clone()
    }

    fn batched(&self, _unit: usize, _measure: &Measure, _level: Level) -> Option<Estimate> {
        None
    }

    fn series(&self, unit: usize, measure: &Measure) -> Option<Comparable> {
        if let Some(known) = self.comparable.get(&(unit, measure.name)) {
            return known.clone();
        }
        let values = self.sample.series(unit, measure)?;
        Some(Comparable::of_replications(values, None))
    }
}

/// Results of a parameter study.
#[derive(Debug)]
pub struct Swept {
    /// The points that have ended, in their order.
    pub points: Vec<AtPoint>,
    /// The number of cells: replications of points.
    sample: Sample,
}

impl Swept {
    /// A study of which nothing has ended.
    pub fn new(level: Level) -> Swept {
        Swept { points: Vec::new(), sample: Sample::new(unit::units(&[], &[]), [], level, false) }
    }
}

impl Findings for Swept {
    crate::sample_at!(sample);
}
