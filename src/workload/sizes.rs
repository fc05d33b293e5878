//! Distributions of runtimes.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::draw::{
    AnyDraw, BoundedPareto, Exponential, Gamma, HyperGamma, Hyperexponential, LogNormal, Uniform,
    Weibull,
};
use super::invalid::Invalid;
use super::parameters::{bounds, branches, length, mean, probability, shape, ticks};
use super::values::{self, Unit, ValuesError};
use crate::model::entry::Entry;

/// Sources of the distributions.
pub const ENTRIES: &[Entry] = &[
    Entry::new("exponential", "Kleinrock, Queueing Systems, volume 1, 1975"),
    Entry::new("constant", "Kleinrock, Queueing Systems, volume 1, 1975"),
    Entry::new("uniform", "Law, Simulation Modeling and Analysis, 5th edition, 2015"),
    Entry::new(
        "gamma",
        "Law, Simulation Modeling and Analysis, 5th edition, 2015; drawn as by Marsaglia and Tsang, \
         ACM Trans. Math. Softw. 26(3), 2000",
    ),
    Entry::new("lognormal", "Law, Simulation Modeling and Analysis, 5th edition, 2015"),
    Entry::new("weibull", "Law, Simulation Modeling and Analysis, 5th edition, 2015"),
    Entry::new(
        "bounded_pareto",
        "Harchol-Balter, Crovella and Murta, J. Parallel Distrib. Comput. 59(2), 1999",
    ),
    Entry::new("hyper_gamma", "Lublin and Feitelson, J. Parallel Distrib. Comput. 63(11), 2003"),
    Entry::new("hyperexponential", "Kleinrock, Queueing Systems, volume 1, 1975"),
    Entry::new("empirical", "drawn as by Vose, IEEE Trans. Softw. Eng. 17(9), 1991"),
];

/// Distribution of runtimes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Sizes {
    /// Exponential distribution.
    Exponential {
        /// Mean, in units of time.
        #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
        mean: f64,
    },
    /// Constant runtime, in units of time.
    Constant(#[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))] f64),
    /// Uniform distribution.
    Uniform {
        /// Lower bound, in units of time.
        #[schemars(range(min = 0, max = 1e9))]
        min: f64,
        /// Upper bound, in units of time, above the lower one.
        #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
        max: f64,
    },
    /// Gamma distribution.
    Gamma(GammaSizes),
    /// Lognormal distribution, given by its own mean rather than that of the logarithm.
    Lognormal {
        /// Mean, in units of time.
        #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
        mean: f64,
        /// Coefficient of variation: standard deviation / mean.
        #[schemars(range(max = 1000), extend("exclusiveMinimum" = 0))]
        variation: f64,
    },
    /// Weibull distribution.
    Weibull {
        /// Shape; below 1 the tail is heavier than exponential.
        #[schemars(range(min = 0.01, max = 1000))]
        shape: f64,
        /// Scale, in units of time: a share of 1 - 1/e of the runtimes is shorter. The mean is the
        /// scale times the gamma function at 1 + 1 / shape.
        #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
        scale: f64,
    },
    /// Pareto distribution between two bounds: the tail falls as x to the power of minus the shape.
    BoundedPareto {
        /// Shape; about 1 on many computers.
        #[schemars(range(min = 0.01, max = 1000))]
        shape: f64,
        /// Lower bound, in units of time; at least a tick.
        #[schemars(range(min = 1e-6, max = 1e9))]
        min: f64,
        /// Upper bound, in units of time, above the lower one.
        #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
        max: f64,
    },
    /// Mixture of two gamma distributions: many short jobs and a hump of long ones.
    HyperGamma {
        /// Probability of the first.
        #[schemars(range(min = 0, max = 1))]
        probability: f64,
        /// First gamma distribution.
        first: GammaSizes,
        /// Second gamma distribution.
        second: GammaSizes,
    },
    /// Mixture of several exponential distributions.
    Hyperexponential {
        /// Exponential branches, two or more.
        #[schemars(length(min = 2))]
        branches: Vec<MeanBranch>,
    },
    /// Runtimes listed in a file, equally likely or weighted.
    Empirical {
        /// A text with one runtime per line, in units of time, or with rows `size,weight`; `#`
        /// begins a comment. Relative to the scenario file.
        file: PathBuf,
    },
}

/// A gamma distribution of runtimes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GammaSizes {
    /// Shape; 1 is exponential, other whole numbers are Erlang.
    #[schemars(range(min = 0.01, max = 1000))]
    pub shape: f64,
    /// Scale, in units of time; the mean is shape times scale.
    #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
    pub scale: f64,
}

/// A branch of hyperexponential runtimes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeanBranch {
    /// Probability of the branch; all together sum to 1.
    #[schemars(range(min = 0, max = 1))]
    pub probability: f64,
    /// Mean of the branch, in units of time.
    #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
    pub mean: f64,
}

impl Sizes {
    /// Returns the distribution in ticks, reading files where needed.
    ///
    /// # Errors
    /// The first invalid field, or the problem with a file.
    pub fn sampler(&self) -> Result<AnyDraw, ValuesError> {
        Ok(match self {
            Sizes::Exponential { mean } => {
                length("exponential.mean", "mean", *mean)?;
                AnyDraw::Exponential(Exponential::new(ticks(*mean)))
            }
            Sizes::Constant(size) => {
                length("constant", "size", *size)?;
                AnyDraw::Constant(ticks(*size))
            }
            Sizes::Uniform { min, max } => {
                bounds("uniform", true, *min, *max)?;
                AnyDraw::Uniform(Uniform::new(ticks(*min), ticks(*max)))
            }
            Sizes::Gamma(gamma) => AnyDraw::Gamma(gamma.sampler("gamma")?),
            Sizes::Lognormal { mean, variation } => {
                length("lognormal.mean", "mean", *mean)?;
                if !(*variation > 0.0 && *variation <= MOST_VARIATION) {
                    let message = format!(
                        "{variation} is not a coefficient of variation; give a number above 0, at \
                         most {MOST_VARIATION}"
                    );
                    return Err(Invalid::new("lognormal.variation", message).into());
                }
                AnyDraw::LogNormal(LogNormal::new(ticks(*mean), *variation))
            }
            Sizes::Weibull { shape: k, scale } => {
                shape("weibull.shape", *k)?;
                length("weibull.scale", "scale", *scale)?;
                let draw = Weibull::new(*k, ticks(*scale));
                mean("weibull", &draw)?;
                AnyDraw::Weibull(draw)
            }
            Sizes::BoundedPareto { shape: a, min, max } => {
                shape("bounded_pareto.shape", *a)?;
                bounds("bounded_pareto", false, *min, *max)?;
                if ticks(*min) < 1.0 {
                    let message = format!("{min} units are less than a tick, 10^-6 units");
                    return Err(Invalid::new("bounded_pareto.min", message).into());
                }
                AnyDraw::BoundedPareto(BoundedPareto::new(*a, ticks(*min), ticks(*max)))
            }
            Sizes::HyperGamma { probability: first_is, first, second } => {
                probability("hyper_gamma.probability", *first_is)?;
                let first = first.sampler("hyper_gamma.first")?;
                let second = second.sampler("hyper_gamma.second")?;
                AnyDraw::HyperGamma(HyperGamma::new(*first_is, first, second))
            }
            Sizes::Hyperexponential { branches: all } => {
                branches("hyperexponential", all.iter().map(|branch| branch.probability))?;
                for (index, branch) in all.iter().enumerate() {
                    let field = format!("hyperexponential.branches[{index}].mean");
                    length(&field, "mean", branch.mean)?;
                }
                let all: Vec<_> =
                    all.iter().map(|one| (one.probability, ticks(one.mean))).collect();
                let draw = Hyperexponential::new(&all).map(AnyDraw::Hyperexponential);
                draw.expect("probabilities that sum to 1 are weights")
            }
            Sizes::Empirical { file } => AnyDraw::Table(values::read(file, Unit::Time)?),
        })
    }

    /// Returns the file that runtimes are read from, if any.
    pub fn file_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Sizes::Empirical { file } => Some(file),
            _ => None,
        }
    }
}

const MOST_VARIATION: f64 = 1000.0;

impl GammaSizes {
    fn sampler(&self, table: &str) -> Result<Gamma, Invalid> {
        shape(&format!("{table}.shape"), self.shape)?;
        length(&format!("{table}.scale"), "scale", self.scale)?;
        let draw = Gamma::new(self.shape, ticks(self.scale));
        mean(table, &draw)?;
        Ok(draw)
    }
}
