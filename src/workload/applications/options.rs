//! Parameters of drawn applications in a scenario.

use std::path::PathBuf;

use super::times::Times;
use crate::arrivals::Arrivals;
use crate::dealt::DrawnOwners;
use crate::draw::{below, fraction};
use kernel::rng::Rng;
use model::bounds::{Bounds, Inside, ONE_OR_MORE, PROBABILITY, parameters};
use model::invalid::Invalid;

/// Most applications of a replication.
const APPLICATIONS: Bounds<'_> =
    Bounds::of("a number of applications").unit("a whole number").from(1.0).to(1e6);
/// Most classes of an application.
const MOST_CLASSES: u64 = 10_000;
/// Most classes of a campaign.
const MOST_IN_ALL: u64 = 10_000_000;
/// Most tasks of a class.
const MOST_TASKS: u64 = 1_000_000_000_000;
/// An amount of storage or memory. Its millionths fit into 64 bits.
const AMOUNT: Bounds<'_> = Bounds::of("an amount").from(0.0).to(1e12);
/// A deadline, as a multiple of the least time.
const FACTOR: Bounds<'_> = Bounds::of("a factor").above(0.0).to(1e6);
/// Standard deviation of a logarithm.
const SIGMA: Bounds<'_> = Bounds::of("a standard deviation").above(0.0).to(3.0);

parameters! {
    /// Applications drawn at the beginning of a replication.
    pub struct Options {
        /// Number of applications.
        count: u64 as APPLICATIONS,
        /// Number of classes per application. Only a file of times says it too: without this key, an
        /// application has all classes of the file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        classes: Option<Whole> as Inside,
        /// Number of tasks per class.
        tasks: Whole as Inside,
        /// Probability that a class waits for another, earlier one of its application: independent
        /// for each pair. By default 0: all classes may run at once.
        #[serde(default)]
        edges: f64 as PROBABILITY,
        /// Expected times of a task, by class and site.
        times: Times as Inside,
        /// Storage that a running task holds, uniform by class; by default none. Sites tell theirs in
        /// the same unit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        storage: Option<Reals> as Inside,
        /// Memory that a running task holds, uniform by class; by default none. Sites tell theirs in
        /// the same unit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        memory: Option<Reals> as Inside,
        /// Deadline of an application: its submission plus this factor times the least time in which
        /// all sites together could do it alone. By default there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline: Option<f64> as FACTOR,
        /// Error of the expected times. The true time of a class on a site is its expected time times
        /// a lognormal factor of mean 1 whose logarithm has this standard deviation. By default the
        /// expected times are true.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<f64> as SIGMA,
        /// Distribution of the applications' owners.
        #[serde(default)]
        owners: DrawnOwners as Inside,
        /// Arrivals of applications. By default all are there at time 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arrivals: Option<Arrivals> as Inside,
    }
    where is_small_enough
}

parameters! {
    /// A whole number, of 1 or more.
    #[derive(Copy, Eq)]
    pub enum Whole {
        /// Always the same.
        Constant(count: u64 as ONE_OR_MORE),
        /// Uniform between two numbers.
        Uniform(range: WholeRange as Inside),
    }
}

parameters! {
    /// A range of whole numbers, both ends included.
    #[derive(Copy, Eq)]
    pub struct WholeRange {
        /// Minimum.
        min: u64 as ONE_OR_MORE,
        /// Maximum.
        max: u64 as ONE_OR_MORE,
    }
    where is_in_order
}

parameters! {
    /// A range of real numbers, drawn from uniformly.
    #[derive(Copy)]
    pub struct Reals {
        /// Lower bound.
        min: f64 as AMOUNT,
        /// Upper bound; the lower one makes it a constant.
        max: f64 as AMOUNT,
    }
    where is_in_order
}

impl Options {
    /// Checks the sizes that no schema can tell.
    fn is_small_enough(&self) -> Result<(), Invalid> {
        if self.tasks.most() > MOST_TASKS {
            return too_many("tasks", MOST_TASKS, "tasks in a class");
        }
        match &self.classes {
            Some(classes) => self.fits(classes),
            None => self.has_classes(),
        }
    }

    /// Checks that there are not too many classes.
    pub(super) fn fits(&self, classes: &Whole) -> Result<(), Invalid> {
        match classes.most() {
            most if most > MOST_CLASSES => too_many("classes", MOST_CLASSES, "per application"),
            most if most * self.count > MOST_IN_ALL => {
                too_many("count", MOST_IN_ALL, "classes in all")
            }
            _ => Ok(()),
        }
    }

    /// Checks that a file tells the number of classes if no key does.
    fn has_classes(&self) -> Result<(), Invalid> {
        if matches!(self.times, Times::File(_)) {
            return Ok(());
        }
        let message =
            "the number of classes per application is missing; add `classes.constant = 10`";
        Err(Invalid::new("classes", message))
    }

    /// Returns the ranges of what a running task holds, in the order of
    /// [`HOLDS`](model::campaign::HOLDS).
    pub fn held(&self) -> [Option<Reals>; model::campaign::HELD] {
        [self.storage, self.memory]
    }

    /// Returns the files that are read, each with its field.
    pub fn files_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut PathBuf)> {
        self.times.file_mut().map(|file| ("times.file.path", file)).into_iter()
    }
}

impl Whole {
    /// Returns the least number.
    pub fn least(&self) -> u64 {
        match self {
            Whole::Constant(count) => *count,
            Whole::Uniform(range) => range.min,
        }
    }

    /// Returns the greatest number.
    pub fn most(&self) -> u64 {
        match self {
            Whole::Constant(count) => *count,
            Whole::Uniform(range) => range.max,
        }
    }

    /// Draws a number; a constant takes no draw.
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        match self {
            Whole::Constant(count) => *count,
            Whole::Uniform(WholeRange { min, max }) => {
                min + below(rng, max.saturating_sub(*min).saturating_add(1))
            }
        }
    }
}

impl WholeRange {
    fn is_in_order(&self) -> Result<(), Invalid> {
        in_order(self.min <= self.max, &self.min, &self.max)
    }
}

impl Reals {
    fn is_in_order(&self) -> Result<(), Invalid> {
        in_order(self.min <= self.max, &self.min, &self.max)
    }

    /// Draws an amount, in millionths.
    pub(super) fn draw(&self, rng: &mut Rng) -> i64 {
        let amount = self.min + (self.max - self.min) * fraction(rng);
        millionths(amount)
    }

    /// Returns the greatest amount, in millionths.
    pub(super) fn most(&self) -> i64 {
        millionths(self.max)
    }
}

fn too_many(field: &str, most: u64, of: &str) -> Result<(), Invalid> {
    Err(Invalid::new(field, format!("there may be more than {most} {of}; give less")))
}

/// Converts a checked amount to the nearest millionth.
fn millionths(amount: f64) -> i64 {
    (amount * 1e6).round_ties_even() as i64
}

fn in_order(
    holds: bool,
    min: &dyn std::fmt::Display,
    max: &dyn std::fmt::Display,
) -> Result<(), Invalid> {
    if holds {
        return Ok(());
    }
    Err(Invalid::new("max", format!("the most, {max}, is less than the least, {min}")))
}
