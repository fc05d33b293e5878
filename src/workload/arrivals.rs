//! Arrival processes: distributions of interarrival times.

use std::f64::consts::LN_2;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::draw::{AnyDraw, Constant, Draw as _, Exponential, Gamma, Hyperexponential, Weibull};
use super::invalid::Invalid;
use super::parameters::{branches, length, mean, shape, ticks};
use crate::kernel::time::TICKS_PER_UNIT;
use crate::model::entry::Entry;
use crate::stats::law::Law;

/// Sources of the arrival processes.
pub const ENTRIES: &[Entry] = &[
    Entry::new("poisson", "Kleinrock, Queueing Systems, volume 1, 1975"),
    Entry::new("deterministic", "Kleinrock, Queueing Systems, volume 1, 1975"),
    Entry::new(
        "gamma",
        "Kleinrock, Queueing Systems, volume 1, 1975; drawn as by Marsaglia and Tsang, ACM Trans. \
         Math. Softw. 26(3), 2000",
    ),
    Entry::new("weibull", "Law, Simulation Modeling and Analysis, 5th edition, 2015"),
    Entry::new("hyperexponential", "Kleinrock, Queueing Systems, volume 1, 1975"),
];

/// Renewal processes: interarrival times are independent and identically distributed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Arrivals {
    /// Poisson process: interarrival times are exponential.
    Poisson {
        /// Jobs per unit of time.
        #[schemars(range(min = 1e-9, max = 1e5))]
        rate: f64,
    },
    /// Constant interarrival times.
    Deterministic {
        /// Interarrival time in units; rounded to ticks, as all are.
        #[schemars(range(min = 1e-6, max = 1e9))]
        interval: f64,
    },
    /// Gamma interarrival times: more regular than a Poisson process if the shape is above 1
    /// (Erlang if it is whole), burstier if below.
    Gamma {
        /// Shape: the squared ratio of mean to standard deviation.
        #[schemars(range(min = 0.01, max = 1000))]
        shape: f64,
        /// Jobs per unit of time: one over the mean interarrival time, for any shape.
        #[schemars(range(min = 1e-9, max = 1e5))]
        rate: f64,
    },
    /// Weibull interarrival times: burstier than a Poisson process if the shape is below 1, more
    /// regular if above.
    Weibull {
        /// Shape.
        #[schemars(range(min = 0.01, max = 1000))]
        shape: f64,
        /// Scale, in units of time: a share of 1 - 1/e of the interarrival times is shorter. Their
        /// mean is the scale times the gamma function at 1 + 1 / shape.
        #[schemars(range(max = 1e9), extend("exclusiveMinimum" = 0))]
        scale: f64,
    },
    /// Hyperexponential interarrival times, a mixture of exponentials: burstier than a Poisson
    /// process.
    Hyperexponential {
        /// Exponential branches, two or more.
        #[schemars(length(min = 2))]
        branches: Vec<RateBranch>,
    },
}

/// A branch of hyperexponential interarrival times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RateBranch {
    /// Probability of the branch; all together sum to 1.
    #[schemars(range(min = 0, max = 1))]
    pub probability: f64,
    /// Jobs per unit of time within this branch.
    #[schemars(range(min = 1e-9, max = 1e5))]
    pub rate: f64,
}

impl Arrivals {
    /// Checks the parameters.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn validate(&self) -> Result<(), Invalid> {
        self.sampler().map(drop)
    }

    /// Returns the distribution of interarrival times, in ticks.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn sampler(&self) -> Result<AnyDraw, Invalid> {
        Ok(match self {
            Arrivals::Poisson { rate } => {
                valid_rate("poisson.rate", *rate)?;
                Exponential::new(TICKS_PER_UNIT as f64 / rate).into()
            }
            Arrivals::Deterministic { interval } => {
                length("deterministic.interval", "gap", *interval)?;
                if ticks(*interval) < 1.0 {
                    let message = "gaps under a tick, 10^-6 units, are too short: time would \
                                   hardly go on";
                    return Err(Invalid::new("deterministic.interval", message));
                }
                Constant(ticks(*interval)).into()
            }
            Arrivals::Gamma { shape: k, rate } => {
                shape("gamma.shape", *k)?;
                valid_rate("gamma.rate", *rate)?;
                Gamma::new(*k, TICKS_PER_UNIT as f64 / rate / k).into()
            }
            Arrivals::Weibull { shape: k, scale } => {
                shape("weibull.shape", *k)?;
                length("weibull.scale", "scale", *scale)?;
                weibull(*k, ticks(*scale)).map_err(|wrong| wrong.within("weibull"))?.into()
            }
            Arrivals::Hyperexponential { branches: all } => {
                branches(all.iter().map(|branch| branch.probability))
                    .map_err(|wrong| wrong.within("hyperexponential"))?;
                for (index, branch) in all.iter().enumerate() {
                    let field = format!("hyperexponential.branches[{index}].rate");
                    valid_rate(&field, branch.rate)?;
                }
                let gap = |branch: &RateBranch| TICKS_PER_UNIT as f64 / branch.rate;
                let all: Vec<_> = all.iter().map(|one| (one.probability, gap(one))).collect();
                let draw = Hyperexponential::new(&all);
                draw.expect("probabilities that sum to 1 are weights").into()
            }
        })
    }
}

impl Arrivals {
    /// Returns the distribution of interarrival times, in units, for theory; assumes valid
    /// parameters.
    pub fn law(&self) -> Law {
        match self {
            Arrivals::Poisson { rate } => Law::Exponential { mean: 1.0 / rate },
            Arrivals::Deterministic { interval } => Law::Constant(*interval),
            Arrivals::Gamma { shape, rate } => {
                Law::Gamma { shape: *shape, scale: 1.0 / rate / shape }
            }
            Arrivals::Weibull { shape, scale } => Law::Weibull { shape: *shape, scale: *scale },
            Arrivals::Hyperexponential { branches } => Law::Hyperexponential {
                branches: branches
                    .iter()
                    .map(|branch| (branch.probability, 1.0 / branch.rate))
                    .collect(),
            },
        }
    }
}

fn valid_rate(field: &str, rate: f64) -> Result<(), Invalid> {
    if !(rate.is_finite() && rate > 0.0) {
        let message = format!("{rate} is not a rate; give jobs per unit of time, above 0");
        return Err(Invalid::new(field, message));
    }
    let gap = TICKS_PER_UNIT as f64 / rate;
    let message = match gap {
        _ if gap > LONGEST_GAP => "too few: one in 10^9 units is the least",
        _ if gap < SHORTEST_GAP => "too many: one in ten ticks, 10^5 a unit, is the most",
        _ => return Ok(()),
    };
    Err(Invalid::new(field, format!("{rate} jobs a unit are {message}")))
}

const LONGEST_GAP: f64 = 1e15;
/// Shortest mean interarrival time, in ticks. Rounding to ticks makes exponential times of ten
/// ticks 0.04% shorter on average, those of one tick 4%.
const SHORTEST_GAP: f64 = 10.0;

/// Checks that interarrival times are long enough and not almost all zero. With a small shape, a
/// few very long ones make up the mean, and time would hardly advance until one occurs.
fn weibull(shape: f64, scale: f64) -> Result<Weibull, Invalid> {
    let draw = Weibull::new(shape, scale);
    mean(&draw)?;
    let median = scale * libm::pow(LN_2, 1.0 / shape);
    let what = match (draw.moments().mean >= SHORTEST_GAP, median >= 1.0) {
        (false, _) => "under ten ticks, 10^-5 units, on average",
        (_, false) => "of which half are under a tick, 10^-6 units,",
        _ => return Ok(draw),
    };
    Err(Invalid::new("", format!("gaps {what} are too short: they are rounded to ticks")))
}
