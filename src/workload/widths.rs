//! How many processors jobs use.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::draw::{Draw as _, LogUniform, Moments, Table, UniformWhole};
use super::invalid::Invalid;
use super::parameters::probability;
use super::values::{self, Unit, ValuesError};
use crate::kernel::rng::Rng;
use crate::model::entry::Entry;

/// Where the distributions come from.
pub const ENTRIES: &[Entry] = &[
    Entry::new("log_uniform", "Downey, Cluster Computing 1(1), 1998"),
    Entry::new("powers_of_two", "Lublin and Feitelson, J. Parallel Distrib. Comput. 63(11), 2003"),
    Entry::new("empirical", "drawn as by Vose, IEEE Trans. Softw. Eng. 17(9), 1991"),
];

/// How many processors jobs use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Widths {
    /// All the same number.
    Constant(#[schemars(range(min = 1))] u32),
    /// Every number between two is equally likely.
    Uniform {
        /// The least.
        #[schemars(range(min = 1))]
        min: u32,
        /// The most.
        #[schemars(range(min = 1))]
        max: u32,
    },
    /// The logarithm is uniform, so that small numbers are likelier: k has a probability in
    /// proportion to ln((k + 1) / k).
    LogUniform {
        /// The least.
        #[schemars(range(min = 1))]
        min: u32,
        /// The most.
        #[schemars(range(min = 1))]
        max: u32,
    },
    /// Every power of two between two is equally likely.
    PowersOfTwo {
        /// The least, a power of two.
        #[schemars(range(min = 1))]
        min: u32,
        /// The most, a power of two.
        #[schemars(range(min = 1))]
        max: u32,
        /// The probability that a job takes 1 processor before a power is drawn.
        #[serde(default)]
        #[schemars(range(min = 0, max = 1))]
        serial: f64,
    },
    /// Numbers listed in a file, all equally likely or by weight.
    Empirical {
        /// A text of one number a line, or of `processors,weight` rows; `#` begins a comment.
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
    /// The distribution; files are read.
    ///
    /// # Errors
    /// The first field that cannot be, or what is wrong with a file.
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

    /// The file that numbers are read from, if any.
    pub fn file_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Widths::Empirical { file } => Some(file),
            _ => None,
        }
    }

    /// The field that says how wide jobs become, such as `uniform.max`.
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

/// Any distribution of numbers of processors.
#[derive(Clone, Debug, PartialEq)]
pub enum WidthDraw {
    /// Always the same.
    Constant(u32),
    /// Equally likely.
    Uniform(UniformWhole),
    /// Less likely the larger.
    LogUniform(LogUniform),
    /// By weight.
    Table(Table),
}

impl WidthDraw {
    /// A number; a constant one moves no stream.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u32 {
        match self {
            WidthDraw::Constant(processors) => *processors,
            WidthDraw::Uniform(draw) => draw.draw(rng),
            WidthDraw::LogUniform(draw) => draw.draw(rng),
            WidthDraw::Table(table) => table.value(rng) as u32,
        }
    }

    /// Mean and variance.
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

    /// The least and the most that a job may need.
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
