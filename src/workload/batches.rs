//! Batch arrivals: several jobs at one instant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::draw::{Geometric, Moments, UniformWhole};
use super::invalid::Invalid;
use crate::kernel::rng::Rng;
use crate::model::entry::Entry;

/// Sources of the batch-size distributions.
pub const ENTRIES: &[Entry] =
    &[Entry::new("geometric", "Kleinrock, Queueing Systems, volume 1, 1975 (bulk arrivals)")];

/// Maximum number of jobs that may arrive at one instant.
const MOST: u32 = 1_000_000;

/// The number of jobs that arrive at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Batches {
    /// A constant number.
    Constant(#[schemars(range(min = 1, max = 1_000_000))] u32),
    /// Uniform between two numbers.
    Uniform {
        /// Minimum.
        #[schemars(range(min = 1, max = 1_000_000))]
        min: u32,
        /// Maximum.
        #[schemars(range(min = 1, max = 1_000_000))]
        max: u32,
    },
    /// Geometric from 1: after every job another one follows with the same probability.
    Geometric {
        /// Mean.
        #[schemars(range(min = 1, max = 1_000_000))]
        mean: f64,
    },
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
        Ok(match *self {
            Batches::Constant(jobs) => {
                valid("constant", jobs)?;
                BatchDraw::Constant(jobs)
            }
            Batches::Uniform { min, max } => {
                valid("uniform.min", min)?;
                valid("uniform.max", max)?;
                if max < min {
                    let message = format!("the most, {max}, is less than the least, {min}");
                    return Err(Invalid::new("uniform.max", message));
                }
                BatchDraw::Uniform(UniformWhole::new(min, max))
            }
            Batches::Geometric { mean } => {
                if !(1.0..=f64::from(MOST)).contains(&mean) {
                    let message = format!("{mean} is not a mean; give a number from 1 to {MOST}");
                    return Err(Invalid::new("geometric.mean", message));
                }
                BatchDraw::Geometric(Geometric::new(mean))
            }
        })
    }
}

fn valid(field: &str, jobs: u32) -> Result<(), Invalid> {
    if (1..=MOST).contains(&jobs) {
        return Ok(());
    }
    Err(Invalid::new(field, format!("{jobs} jobs are no batch; give a number from 1 to {MOST}")))
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
