//! Distributions of the number of processors.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::draw::{Draw as _, LogUniform, Moments, Table, UniformWhole};
use super::invalid::Invalid;
use super::parameters::probability;
use super::values::{self, Unit, ValuesError};
use crate::kernel::rng::Rng;
use crate::model::entry::Entry;

/// Sources of the distributions.
pub const ENTRIES: &[Entry] = &[
    Entry::new("log_uniform", "Downey, Cluster Computing 1(1), 1998"),
    Entry::new("powers_of_two", "Lublin and Feitelson, J. Parallel Distrib. Comput. 63(11), 2003"),
    Entry::new("empirical", "drawn as by Vose, IEEE Trans. Softw. Eng. 17(9), 1991"),
];

/// Distribution of the number of processors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Widths {
    /// A constant number.
    Constant(#[schemars(range(min = 1))] u32),
    /// Uniform between two numbers.
    Uniform {
        /// Minimum.
        #[schemars(range(min = 1))]
        min: u32,
        /// Maximum.
        #[schemars(range(min = 1))]
        max: u32,
    },
    /// Log-uniform, so that small numbers are more likely: k has a probability proportional to
    /// ln((k + 1) / k).
    LogUniform {
        /// Minimum.
        #[schemars(range(min = 1))]
        min: u32,
        /// Maximum.
        #[schemars(range(min = 1))]
        max: u32,
    },
    /// Uniform over the powers of two in a range.
    PowersOfTwo {
        /// Minimum, a power of two.
        #[schemars(range(min = 1))]
        min: u32,
        /// Maximum, a power of two.
        #[schemars(range(min = 1))]
        max: u32,
        /// Probability of a serial job, which uses 1 processor, before a power of two is drawn.
        #[serde(default)]
        #[schemars(range(min = 0, max = 1))]
        serial: f64,
    },
    /// Numbers listed in a file, equally likely or weighted.
    Empirical {
        /// A text with one number per line, or with rows `processors,weight`; `#` begins a comment.
        /// Relative to the scenario file.
        file: PathBuf,
    },
}

impl Default for Widths {
    fn default() -> Widths {
        Widths::Constant(1)
    }
}

impl Widths {
    /// Returns the distribution, reading files where needed.
    ///
    /// # Errors
    /// The first invalid field, or the problem with a file.
    pub fn sampler(&self) -> Result<WidthDraw, ValuesError> {
        Ok(match self {
            Widths::Constant(processors) => {
                at_least_one("constant", *processors)?;
                WidthDraw::Constant(*processors)
            }
            Widths::Uniform { min, max } => {
                in_order("uniform", *min, *max)?;
                WidthDraw::Uniform(UniformWhole::new(*min, *max))
            }
            Widths::LogUniform { min, max } => {
                in_order("log_uniform", *min, *max)?;
                WidthDraw::LogUniform(LogUniform::new(*min, *max))
            }
            Widths::PowersOfTwo { min, max, serial } => {
                in_order("powers_of_two", *min, *max)?;
                for (key, number) in [("min", *min), ("max", *max)] {
                    if !number.is_power_of_two() {
                        let message = format!("{number} is not a power of two");
                        return Err(Invalid::new(&format!("powers_of_two.{key}"), message).into());
                    }
                }
                probability("powers_of_two.serial", *serial)?;
                let powers = min.trailing_zeros()..=max.trailing_zeros();
                let each =
                    (1.0 - serial) / f64::from(max.trailing_zeros() - min.trailing_zeros() + 1);
                let mut rows: Vec<(i64, f64)> = powers.map(|power| (1 << power, each)).collect();
                rows.push((1, *serial));
                let table = Table::new(&rows);
                WidthDraw::Table(table.expect("probabilities that sum to 1 are weights"))
            }
            Widths::Empirical { file } => WidthDraw::Table(values::read(file, Unit::Processors)?),
        })
    }

    /// Returns the file that numbers are read from, if any.
    pub fn file_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Widths::Empirical { file } => Some(file),
            _ => None,
        }
    }

    /// Returns the field that limits the width of jobs, such as `uniform.max`.
    pub fn field_of_most(&self) -> &'static str {
        match self {
            Widths::Constant(_) => "constant",
            Widths::Uniform { .. } => "uniform.max",
            Widths::LogUniform { .. } => "log_uniform.max",
            Widths::PowersOfTwo { .. } => "powers_of_two.max",
            Widths::Empirical { .. } => "empirical.file",
        }
    }
}

fn at_least_one(field: &str, processors: u32) -> Result<(), Invalid> {
    if processors >= 1 {
        return Ok(());
    }
    Err(Invalid::new(field, "a job of 0 processors cannot run; give at least 1"))
}

fn in_order(table: &str, min: u32, max: u32) -> Result<(), Invalid> {
    at_least_one(&format!("{table}.min"), min)?;
    at_least_one(&format!("{table}.max"), max)?;
    if max >= min {
        return Ok(());
    }
    let message = format!("the most, {max}, is less than the least, {min}");
    Err(Invalid::new(&format!("{table}.max"), message))
}

/// Any distribution of the number of processors.
#[derive(Clone, Debug, PartialEq)]
pub enum WidthDraw {
    /// A constant number.
    Constant(u32),
    /// Uniform.
    Uniform(UniformWhole),
    /// Log-uniform.
    LogUniform(LogUniform),
    /// A weighted table.
    Table(Table),
}

impl WidthDraw {
    /// Draws a number; a constant one uses no random number.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u32 {
        match self {
            WidthDraw::Constant(processors) => *processors,
            WidthDraw::Uniform(draw) => draw.draw(rng),
            WidthDraw::LogUniform(draw) => draw.draw(rng),
            WidthDraw::Table(table) => table.value(rng) as u32,
        }
    }

    /// Returns the mean and variance.
    pub fn moments(&self) -> Moments {
        match self {
            WidthDraw::Constant(processors) => {
                Moments { mean: f64::from(*processors), variance: 0.0 }
            }
            WidthDraw::Uniform(draw) => draw.moments(),
            WidthDraw::LogUniform(draw) => draw.moments(),
            WidthDraw::Table(table) => table.moments(),
        }
    }

    /// Returns the fewest and the most processors that a job may need.
    pub fn range(&self) -> (u32, u32) {
        match self {
            WidthDraw::Constant(processors) => (*processors, *processors),
            WidthDraw::Uniform(draw) => draw.range(),
            WidthDraw::LogUniform(draw) => draw.range(),
            WidthDraw::Table(table) => {
                let (least, most) = table.range();
                (least as u32, most as u32)
            }
        }
    }
}
