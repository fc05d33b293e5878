//! Distributions of the number of processors, one per file.
//!
//! To add one: copy the smallest neighbour (`uniform.rs`) and add its line to the registry below.

pub mod constant;
pub mod empirical;
pub mod log_uniform;
pub mod powers_of_two;
pub mod uniform;

use std::path::PathBuf;

use super::draw::{Draw as _, LogUniform, Moments, Table, UniformWhole};
use super::values::ValuesError;
use kernel::rng::Rng;
use model::registry::registry;

registry! {
    /// Distribution of the number of processors.
    options Widths;

    each each;

    Constant, constant,
        "A constant number.";
    Uniform, uniform,
        "Uniform between two numbers.";
    LogUniform, log_uniform,
        "Log-uniform, so that small numbers are more likely: k has a probability proportional to ln((k + 1) / k).",
        "Downey, Cluster Computing 1(1), 1998";
    PowersOfTwo, powers_of_two,
        "Uniform over the powers of two in a range.",
        "Lublin and Feitelson, J. Parallel Distrib. Comput. 63(11), 2003";
    Empirical, empirical,
        "Numbers listed in a file, equally likely or weighted.",
        "drawn as by Vose, IEEE Trans. Softw. Eng. 17(9), 1991";
}

impl Default for Widths {
    fn default() -> Widths {
        Widths::constant(1)
    }
}

impl Widths {
    /// The same number for all jobs.
    pub const fn constant(processors: u32) -> Widths {
        Widths::Constant(constant::Options(processors))
    }

    /// Returns the distribution, reading files where needed.
    ///
    /// # Errors
    /// The first invalid field, or the problem with a file.
    pub fn sampler(&self) -> Result<WidthDraw, ValuesError> {
        self.check()?;
        each!(self, options => options.draw())
    }

    /// Returns the file that numbers are read from, if any.
    pub fn file_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Widths::Empirical(options) => Some(&mut options.file),
            _ => None,
        }
    }

    /// Returns the field that limits the width of jobs, such as `uniform.max`.
    pub fn field_of_most(&self) -> String {
        let key = match self {
            Widths::Constant(_) => "",
            Widths::Empirical(_) => ".file",
            _ => ".max",
        };
        format!("{}{key}", self.name())
    }
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
