//! Findings of a run: figures with confidence intervals, and when they are known well enough.
//!
//! Every world adds its replications to a [`Sample`], unit by unit and
//! [`measure`] by measure. Figures, `figures.csv`, `replications.csv`, `until.precision` and
//! comparisons are the same for all of them. No scenario is known here, so a world that is built in
//! code finds as much as one that is read from a file.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod campaign;
pub mod coalition;
pub mod compared;
pub mod contrast;
pub mod ended;
pub mod estimate;
pub mod game;
pub mod grid;
pub mod growing;
pub mod known;
pub mod measure;
pub mod membership;
pub mod rounds;
pub mod sample;
pub mod since;
pub mod stop;
pub mod swept;
pub mod target;
pub mod tournament;
pub mod unit;

use estimate::Estimate;
use measure::Measure;
use sample::{Figure, Sample};
use stop::Hold;
use target::Precision;

use stats::interval::{Interval, Level};
use stats::paired::Weighed;

/// Values by which two runs are compared, one a replication or a group of replications.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparable {
    /// Value and weight; a weight of 0 means that there is no value.
    pub values: Vec<Weighed>,
    /// The figure of the whole run, if it is not the mean of these values.
    pub whole: Option<f64>,
    /// The part of the run behind each value.
    pub of: Of,
    /// For weeks, digests of the jobs behind each value; empty otherwise.
    pub jobs: Vec<u64>,
}

impl Comparable {
    /// Values of replications, or of groups of them.
    pub fn of_replications(values: Vec<Weighed>, whole: Option<f64>) -> Comparable {
        Comparable { values, whole, of: Of::Replications, jobs: Vec::new() }
    }
}

/// The part of a run behind a value by which two runs are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// A replication, or a group of them: independent of the others.
    Replications,
    /// A week of a single run: it may resemble the week before it.
    Weeks,
}

/// The methods of [`Findings`] that give the sample, for findings that hold it in a field.
macro_rules! sample_at {
    ($($field:ident).+) => {
        fn sample(&self) -> &$crate::sample::Sample {
            &self.$($field).+
        }

        fn sample_mut(&mut self) -> &mut $crate::sample::Sample {
            &mut self.$($field).+
        }
    };
}
pub(crate) use sample_at;

/// Findings of the replications of a world.
pub trait Findings: Sync {
    /// The values of the replications.
    fn sample(&self) -> &Sample;

    /// The values of the replications, to be added to.
    fn sample_mut(&mut self) -> &mut Sample;

    /// Prepares what was added for reading. Everything can be read without it, but more slowly.
    fn close(&mut self) {}

    /// Figures of a unit, with intervals at this level.
    ///
    /// By default intervals are those over replications or, of a single one,
    /// [from its batches](Findings::batched).
    fn figures_of(&self, unit: usize, level: Level) -> Vec<Figure> {
        let mut figures = self.sample().figures_of(unit, level);
        for figure in figures.iter_mut().filter(|figure| figure.interval.is_none()) {
            let estimate = self.batched(unit, figure.measure, level);
            *figure = Figure::new(figure.measure, figure.mean, estimate, figure.n);
        }
        figures
    }

    /// The interval of a measure from the batches of a single replication; none by default.
    fn batched(&self, _unit: usize, _measure: &Measure, _level: Level) -> Option<Estimate> {
        None
    }

    /// The rounds of a single replication in batches; none by default.
    fn in_batches(&self) -> Option<rounds::InBatches> {
        None
    }

    /// Values of a unit's measure by which it can be compared with another run of the same draws, and
    /// what they are: by default those of every replication. `None` if they are not kept.
    fn series(&self, unit: usize, measure: &Measure) -> Option<Comparable> {
        let values = self.sample().series(unit, measure)?;
        Some(Comparable::of_replications(values, None))
    }

    /// The intervals that a target precision is about, one for each of its measures.
    fn intervals(&self, precision: &Precision) -> Vec<Option<Interval>> {
        stop::intervals(precision, self)
    }

    /// Reasons not to end a run although its intervals are narrow; none by default.
    fn hold(&self) -> Hold {
        Hold::default()
    }

    /// Number of jobs behind a unit's figures; 0 in a world without jobs.
    fn jobs_of(&self, _unit: usize) -> u64 {
        0
    }
}
