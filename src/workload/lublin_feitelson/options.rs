//! Parameters of the Lublin-Feitelson model in a scenario.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parameters::{INTERACTIVE_HIGH, MEDIUM_BELOW_HIGH, Sizes};
use crate::estimates::{Estimates, is_exact};
use crate::invalid::Invalid;
use crate::parameters::{END, PROCESSORS};
use model::bounds::{Bounds, Inside, ONE_OR_MORE, parameters};

/// An hour of a day.
const HOUR: Bounds<'_> = Bounds::of("an hour of a day").from(0.0).to(23.0);
/// An offered load.
const LOAD: Bounds<'_> =
    Bounds::of("a load").unit("the share of processor time in use,").above(0.0);
/// The base-2 logarithm of a size.
const SIZE: Bounds<'_> = Bounds::of("the base-2 logarithm of a size").from(0.0);

parameters! {
    /// A workload of the Lublin-Feitelson model. A unit of time is a second.
    pub struct LublinFeitelsonOptions {
        /// Size of the machine in processors; no job is larger.
        processors: u32 as PROCESSORS,
        /// Job types.
        #[serde(default)]
        types: Types as Inside,
        /// Hour of the day at time 0.
        #[serde(default)]
        start_hour: u32 as HOUR,
        /// Clock that advances the arrivals.
        #[serde(default)]
        clock: Clock,
        /// Submission times of the jobs.
        #[serde(default, skip_serializing_if = "Arrivals::is_by_model")]
        arrivals: Arrivals,
        /// User estimates of runtimes, which the model itself does not define.
        #[serde(default, skip_serializing_if = "is_exact")]
        estimates: Estimates as Inside,
        /// Offered load in the long run, as a share of the machine's processor time. Interarrival
        /// times are scaled to reach it. By default they are the model's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        load: Option<f64> as LOAD,
        /// Number of jobs after which the stream ends.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        jobs: Option<u64> as ONE_OR_MORE,
        /// Time, in units, from which on no job arrives.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<f64> as END,
    }
    where relations_hold
}

parameters! {
    /// Job types.
    #[derive(Copy)]
    pub enum Types {
        /// Interactive and batch jobs, each type with its own arrivals, sizes and runtimes. Records
        /// list interactive jobs under user 1, batch jobs under user 2.
        Two(both: TwoTypes as Inside),
        /// A single type, with parameters fitted to both types together.
        One(sizes: SizeRange as Inside),
    }
}

impl Default for Types {
    fn default() -> Types {
        Types::Two(TwoTypes::default())
    }
}

parameters! {
    /// `two = { ... }`.
    #[derive(Copy)]
    #[serde(default)]
    pub struct TwoTypes {
        /// Sizes of batch jobs.
        batch: SizeRange as Inside = SizeRange::default(),
        /// Sizes of interactive jobs, by default at most 45 processors.
        interactive: SizeRange as Inside = SizeRange::default(),
    }
}

parameters! {
    /// Sizes of one job type, as base-2 logarithms of processors.
    #[derive(Copy)]
    #[serde(default)]
    pub struct SizeRange {
        /// Upper end of the logarithm, `UHi` in the paper. Sizes are rounded, so the largest may be
        /// the next whole number or power of two. By default that of the machine, at most 5.5 for
        /// interactive jobs.
        #[serde(skip_serializing_if = "Option::is_none")]
        high: Option<f64> as SIZE = None,
        /// Medium value below which most sizes lie, `UMed` in the paper. By default 2.5 below the
        /// upper end.
        #[serde(skip_serializing_if = "Option::is_none")]
        medium: Option<f64> as SIZE = None,
    }
}

/// Clock that advances the arrivals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// The model as published: arrivals are exact to the tick, and the daily cycle does not drift.
    #[default]
    Exact,
    /// The authors' program: each interarrival time is truncated to whole seconds, so that jobs
    /// arrive about half a second early each and the daily cycle drifts against the clock. Only for
    /// comparisons with that program.
    Truncated,
}

/// Submission times of the jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// Those of the model, with its daily cycle.
    #[default]
    Model,
    /// All jobs at time 0: the stream, from its start to `jobs` or `until`, without its arrivals.
    /// The jobs are those that the model would submit.
    AtOnce,
}

impl Arrivals {
    #[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
    fn is_by_model(&self) -> bool {
        *self == Arrivals::Model
    }
}

impl LublinFeitelsonOptions {
    /// Creates the model of a machine, with defaults for all else.
    pub fn new(processors: u32) -> LublinFeitelsonOptions {
        LublinFeitelsonOptions {
            processors,
            types: Types::default(),
            start_hour: 0,
            clock: Clock::default(),
            arrivals: Arrivals::default(),
            estimates: Estimates::default(),
            load: None,
            jobs: None,
            until: None,
        }
    }

    /// Checks that a load is calibrated with the clock that it needs, and that what comes at once ends.
    fn relations_hold(&self) -> Result<(), Invalid> {
        if self.arrivals == Arrivals::AtOnce && self.jobs.is_none() && self.until.is_none() {
            let message =
                "all jobs come at one instant, and the stream has no end; add `jobs = ...`";
            return Err(Invalid::new("arrivals", message));
        }
        if self.load.is_none() || self.clock == Clock::Exact {
            return Ok(());
        }
        let message = "a calibrated load needs the exact clock: the truncated one loses half a \
                       second a job, whatever the gaps; leave out one of `load` and `clock`";
        Err(Invalid::new("load", message))
    }
}

impl SizeRange {
    /// Returns the sizes on a machine; `most` is the default for the largest logarithm.
    pub(super) fn on(self, processors: u32, most: f64) -> Result<Sizes, Invalid> {
        let machine = libm::log2(f64::from(processors));
        let high = self.high.unwrap_or(machine.min(most));
        // Allow for rounding, since `high` may have been computed elsewhere.
        if !(0.0..=machine + 1e-9).contains(&high) {
            let message = format!(
                "{high} is not the base-2 logarithm of a size on {processors} processors; give 0 \
                 to {machine:.4}"
            );
            return Err(Invalid::new("high", message));
        }
        let medium = self.medium.unwrap_or(high - MEDIUM_BELOW_HIGH);
        if self.medium.is_some() && !(0.0..=high).contains(&medium) {
            let message = format!(
                "{medium} is not between 0 and {high:.4}, the base-2 logarithm of the largest size"
            );
            return Err(Invalid::new("medium", message));
        }
        Ok(Sizes { medium, high, processors })
    }
}

impl TwoTypes {
    /// Returns the sizes of batch and of interactive jobs.
    pub(super) fn on(self, processors: u32) -> Result<(Sizes, Sizes), Invalid> {
        let within = |name| move |invalid: Invalid| invalid.within(name);
        let batch = self.batch.on(processors, f64::INFINITY).map_err(within("batch"))?;
        let interactive = self.interactive.on(processors, INTERACTIVE_HIGH);
        Ok((batch, interactive.map_err(within("interactive"))?))
    }
}
