//! Parameters of the Lublin-Feitelson model in a scenario.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parameters::{INTERACTIVE_HIGH, MEDIUM_BELOW_HIGH, Sizes};
use crate::workload::estimates::{Estimates, is_exact};
use crate::workload::invalid::Invalid;
use crate::workload::parameters::end;

/// A workload of the Lublin-Feitelson model. A unit of time is a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LublinFeitelsonOptions {
    /// Size of the machine in processors; no job is larger.
    #[schemars(range(min = 1))]
    pub processors: u32,
    /// Job types.
    #[serde(default)]
    pub types: Types,
    /// Hour of the day at time 0.
    #[serde(default)]
    #[schemars(range(max = 23))]
    pub start_hour: u32,
    /// Clock that advances the arrivals.
    #[serde(default)]
    pub clock: Clock,
    /// User estimates of runtimes, which the model itself does not define.
    #[serde(default, skip_serializing_if = "is_exact")]
    pub estimates: Estimates,
    /// Offered load in the long run, as a share of the machine's processor time. Interarrival times
    /// are scaled to reach it. By default they are the model's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub load: Option<f64>,
    /// Number of jobs after which the stream ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub jobs: Option<u64>,
    /// Time, in units, from which on no job arrives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub until: Option<f64>,
}

/// Job types.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Types {
    /// Interactive and batch jobs, each type with its own arrivals, sizes and runtimes. Records
    /// list interactive jobs under user 1, batch jobs under user 2.
    Two(TwoTypes),
    /// A single type, with parameters fitted to both types together.
    One(SizeRange),
}

impl Default for Types {
    fn default() -> Types {
        Types::Two(TwoTypes::default())
    }
}

/// `two = { ... }`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TwoTypes {
    /// Sizes of batch jobs.
    pub batch: SizeRange,
    /// Sizes of interactive jobs, by default at most 45 processors.
    pub interactive: SizeRange,
}

/// Sizes of one job type, as base-2 logarithms of processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SizeRange {
    /// Upper end of the logarithm, `UHi` in the paper. Sizes are rounded, so the largest may be the
    /// next whole number or power of two. By default that of the machine, at most 5.5 for
    /// interactive jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub high: Option<f64>,
    /// Medium value below which most sizes lie, `UMed` in the paper. By default 2.5 below the upper
    /// end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub medium: Option<f64>,
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

impl LublinFeitelsonOptions {
    /// Creates the model of a machine, with defaults for all else.
    pub fn new(processors: u32) -> LublinFeitelsonOptions {
        LublinFeitelsonOptions {
            processors,
            types: Types::default(),
            start_hour: 0,
            clock: Clock::default(),
            estimates: Estimates::default(),
            load: None,
            jobs: None,
            until: None,
        }
    }

    /// Checks everything that can be checked without the model.
    pub(super) fn validate(&self) -> Result<(), Invalid> {
        let wrong = |field, message: String| Err(Invalid::new(field, message));
        if self.processors == 0 {
            return wrong("processors", "a machine has at least 1 processor".to_owned());
        }
        if self.start_hour > 23 {
            let message = format!("{} is no hour of a day; give 0 to 23", self.start_hour);
            return wrong("start_hour", message);
        }
        if let Some(load) = self.load {
            if !(load.is_finite() && load > 0.0) {
                let message = format!(
                    "{load} is not a load; give the share of processor time in use, above 0"
                );
                return wrong("load", message);
            }
            if self.clock == Clock::Truncated {
                let message = "a calibrated load needs the exact clock: the truncated one loses \
                               half a second a job, whatever the gaps; leave out one of `load` and \
                               `clock`";
                return wrong("load", message.to_owned());
            }
        }
        self.estimates.validate().map_err(|invalid| invalid.within("estimates"))?;
        end(self.until).map(drop)
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
