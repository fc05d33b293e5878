//! Arrival processes: distributions of interarrival times, one per file.
//!
//! To add one: copy the smallest neighbour (`poisson.rs`) and add its line to the registry below.

pub mod at_once;
pub mod deterministic;
pub mod gamma;
pub mod hyperexponential;
pub mod poisson;
pub mod weibull;

use super::draw::AnyDraw;
use kernel::time::TICKS_PER_UNIT;
use model::bounds::Bounds;
use model::invalid::Invalid;
use model::registry::registry;

registry! {
    /// Renewal processes: interarrival times are independent and identically distributed.
    options Arrivals;

    each each;

    Poisson, poisson,
        "Poisson process: interarrival times are exponential.",
        "Kleinrock, Queueing Systems, volume 1, 1975";
    Deterministic, deterministic,
        "Constant interarrival times.",
        "Kleinrock, Queueing Systems, volume 1, 1975";
    Gamma, gamma,
        "Gamma interarrival times: more regular than a Poisson process if the shape is above 1 (Erlang if it is whole), burstier if below.",
        "Kleinrock, Queueing Systems, volume 1, 1975; drawn as by Marsaglia and Tsang, ACM Trans. Math. Softw. 26(3), 2000";
    Weibull, weibull,
        "Weibull interarrival times: burstier than a Poisson process if the shape is below 1, more regular if above.",
        "Law, Simulation Modeling and Analysis, 5th edition, 2015";
    Hyperexponential, hyperexponential,
        "Hyperexponential interarrival times, a mixture of exponentials: burstier than a Poisson process.",
        "Kleinrock, Queueing Systems, volume 1, 1975";
    AtOnce, at_once,
        "All jobs at time 0.",
        "Pascual, Rzadca and Trystram, Concurrency Computat.: Pract. Exper. 21(7), 2009";
}

impl Arrivals {
    /// A Poisson process with this rate, in jobs per unit of time.
    pub const fn poisson(rate: f64) -> Arrivals {
        Arrivals::Poisson(poisson::Options { rate })
    }

    /// Returns the distribution of interarrival times, in ticks.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn sampler(&self) -> Result<AnyDraw, Invalid> {
        self.check()?;
        Ok(each!(self, options => options.draw().into()))
    }
}

/// A rate: from a job in the longest gap to one in the shortest mean one.
const RATE: Bounds<'_> = Bounds::of("a rate").unit("jobs per unit of time").from(1e-9).to(1e5);
/// Shortest mean interarrival time, in ticks. Rounding to ticks makes exponential times of ten
/// ticks 0.04% shorter on average, those of one tick 4%.
const SHORTEST_GAP: f64 = 10.0;

/// The mean interarrival time at a rate, in ticks.
fn gap(rate: f64) -> f64 {
    TICKS_PER_UNIT as f64 / rate
}
