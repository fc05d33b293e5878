//! The parameters that a scenario gives.

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
    /// The processors of the machine whose jobs these are; no job is larger.
    #[schemars(range(min = 1))]
    pub processors: u32,
    /// Which types of jobs there are.
    #[serde(default)]
    pub types: Types,
    /// The hour of the day at time 0.
    #[serde(default)]
    #[schemars(range(max = 23))]
    pub start_hour: u32,
    /// How the clock of arrivals goes.
    #[serde(default)]
    pub clock: Clock,
    /// How long users say that their jobs run; the model does not tell.
    #[serde(default, skip_serializing_if = "is_exact")]
    pub estimates: Estimates,
    /// The share of all processor time of the machine that the jobs ask for in the long run: gaps
    /// are multiplied by the factor that makes it so. Where nothing is said, gaps are the model's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub load: Option<f64>,
    /// Nothing comes after this many jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub jobs: Option<u64>,
    /// Nothing comes at this time (in units) or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub until: Option<f64>,
}

/// Which types of jobs there are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Types {
    /// Interactive and batch jobs, each with arrivals, sizes and run times of its own. Records show
    /// interactive jobs as those of user 1, batch jobs as those of user 2.
    Two(TwoTypes),
    /// All jobs alike, with the parameters fitted to both types together.
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
    /// The sizes of batch jobs.
    pub batch: SizeRange,
    /// The sizes of interactive jobs; the largest has 45 processors unless said otherwise.
    pub interactive: SizeRange,
}

/// The sizes of the jobs of a type, as base-2 logarithms of processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SizeRange {
    /// The upper end of the logarithm, `UHi` in the paper: sizes are rounded, so that the largest
    /// may be the next whole number or power of two. That of the machine where nothing is said, at
    /// most 5.5 for interactive jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub high: Option<f64>,
    /// The one that most jobs are below, `UMed` in the paper; 2.5 below the upper end where nothing
    /// is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub medium: Option<f64>,
}

/// How the clock of arrivals goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// As the model is published: arrivals to the tick, and the daily cycle stays where it is.
    #[default]
    Exact,
    /// As the authors' program has it: each gap is cut to whole seconds, so that jobs come about
    /// half a second early each and the daily cycle drifts against the clock. For comparisons with
    /// that program only.
    Truncated,
}

impl LublinFeitelsonOptions {
    /// The model on a machine, with nothing else said.
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

    /// What can be checked without the model.
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
    /// The sizes on a machine; `most` is the largest logarithm where nothing is said.
    pub(super) fn on(self, processors: u32, most: f64) -> Result<Sizes, Invalid> {
        let machine = libm::log2(f64::from(processors));
        let high = self.high.unwrap_or(machine.min(most));
        // An `high` that was computed elsewhere may be off by its last digits.
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
    /// The sizes of batch and of interactive jobs.
    pub(super) fn on(self, processors: u32) -> Result<(Sizes, Sizes), Invalid> {
        let within = |name| move |invalid: Invalid| invalid.within(name);
        let batch = self.batch.on(processors, f64::INFINITY).map_err(within("batch"))?;
        let interactive = self.interactive.on(processors, INTERACTIVE_HIGH);
        Ok((batch, interactive.map_err(within("interactive"))?))
    }
}
