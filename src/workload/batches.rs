//! Batch arrivals: several jobs at one instant.

use super::draw::{Geometric, Moments, UniformWhole};
use super::invalid::Invalid;
use super::parameters::in_order;
use kernel::rng::Rng;
use model::bounds::{Bounds, parameters};
use model::entry::Entry;

/// Sources of the batch-size distributions.
pub const ENTRIES: &[Entry] =
    &[Entry::new("geometric", "Kleinrock, Queueing Systems, volume 1, 1975 (bulk arrivals)")];

/// A number of jobs that arrive at one instant.
const JOBS: Bounds<'_> = Bounds::of("a number of jobs").from(1.0).to(1e6);
/// A mean number of them.
const MEAN: Bounds<'_> = Bounds::of("a mean").from(1.0).to(1e6);

parameters! {
    /// The number of jobs that arrive at one instant.
    #[derive(Copy)]
    pub enum Batches {
        /// A constant number.
        Constant(jobs: u32 as JOBS),
        /// Uniform between two numbers.
        Uniform {
            /// Minimum.
            min: u32 as JOBS,
            /// Maximum.
            max: u32 as JOBS,
        },
        /// Geometric from 1: after every job another one follows with the same probability.
        Geometric {
            /// Mean.
            mean: f64 as MEAN,
        },
    }
}

/// A batch-size distribution ready to draw from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BatchDraw {
    /// A constant number.
    Constant(u32),
    /// Uniform.
    Uniform(UniformWhole),
    /// Geometric.
    Geometric(Geometric),
}

impl Batches {
    /// Returns the distribution.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn sampler(&self) -> Result<BatchDraw, Invalid> {
        self.check()?;
        Ok(match *self {
            Batches::Constant(jobs) => BatchDraw::Constant(jobs),
            Batches::Uniform { min, max } => {
                in_order(min, max).map_err(|wrong| wrong.within("uniform"))?;
                BatchDraw::Uniform(UniformWhole::new(min, max))
            }
            Batches::Geometric { mean } => BatchDraw::Geometric(Geometric::new(mean)),
        })
    }
}

impl BatchDraw {
    /// Draws a number of jobs, at least 1; a constant one uses no random number.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u64 {
        match self {
            BatchDraw::Constant(jobs) => u64::from(*jobs),
            BatchDraw::Uniform(draw) => u64::from(draw.draw(rng)),
            BatchDraw::Geometric(draw) => draw.draw(rng),
        }
    }

    /// Returns the mean and variance.
    pub fn moments(&self) -> Moments {
        match self {
            BatchDraw::Constant(jobs) => Moments { mean: f64::from(*jobs), variance: 0.0 },
            BatchDraw::Uniform(draw) => draw.moments(),
            BatchDraw::Geometric(draw) => draw.moments(),
        }
    }
}
