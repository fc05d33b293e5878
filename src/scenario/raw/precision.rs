//! `run.until.precision`: a run that ends when a metric is known precisely enough.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{ABOVE_0, TWO_OR_MORE};
use crate::de::ONE_OR_SEVERAL;
pub use findings::measure::Metric;

/// Keyword of a derived schema: a choice of words, or a list of several.
pub(crate) const OR_SEVERAL: &str = "or-several";

tables! {
    /// `until.precision = { ... }`.
    pub struct Precision {
        /// Metric whose confidence interval is to become narrow enough, or a list of several that
        /// are all to be known.
        metric: Metrics,
        /// Target half-width of the interval relative to the metric, such as 0.01 for one percent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        relative: Option<f64> where { "exclusiveMinimum": 0, "exclusiveMaximum": 1 },
        /// Target half-width of the interval in the metric's own units, instead of a relative one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        absolute: Option<f64> as ABOVE_0,
        /// Organization whose metric is meant; by default the whole grid, or all members of a
        /// coalition.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        organization: Option<String>,
        /// End of each replication: replications are added until there are enough. Without it, one
        /// run continues until its batches suffice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        each: Option<Each>,
        /// Minimum number of replications before the first check of the interval, or of counted
        /// jobs where one run continues. Default 20 replications or 8192 jobs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_least: Option<u64> as TWO_OR_MORE,
        /// Maximum number of replications, or of submitted jobs where one run continues; there the
        /// run ends with a warning even if the interval is still too wide. Default 10000
        /// replications or 1e9 jobs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_most: Option<u64> as TWO_OR_MORE,
    }
}

/// Metrics whose confidence intervals end a run: one, or a list of several.
#[derive(Clone, Debug, PartialEq)]
pub struct Metrics(pub Vec<Metric>);

impl Serialize for Metrics {
    /// A single metric is written as its name, as before there could be several.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0[..] {
            [only] => only.serialize(serializer),
            several => several.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Metrics {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Metrics, D::Error> {
        struct OneOrSeveral;
        impl<'de> Visitor<'de> for OneOrSeveral {
            type Value = Vec<Metric>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a metric or a list of metrics")
            }
            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                one: D,
            ) -> Result<Vec<Metric>, D::Error> {
                Ok(vec![Metric::deserialize(one)?])
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Vec<Metric>, A::Error> {
                let mut metrics = Vec::new();
                while let Some(metric) = all.next_element()? {
                    metrics.push(metric);
                }
                Ok(metrics)
            }
        }
        deserializer.deserialize_newtype_struct(ONE_OR_SEVERAL, OneOrSeveral).map(Metrics)
    }
}

impl JsonSchema for Metrics {
    fn schema_name() -> Cow<'static, str> {
        Metric::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Metric::json_schema(generator);
        schema.insert(OR_SEVERAL.to_owned(), true.into());
        schema
    }
}

/// The end of each replication.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Each {
    /// The replication ends when all jobs have arrived and completed.
    Drained {},
    /// The replication ends at this time; jobs still waiting or running count as submitted only.
    Time(#[schemars(extend("exclusiveMinimum" = 0))] f64),
    /// The replication ends when this many jobs, over all organizations, were submitted and
    /// completed.
    Jobs(#[schemars(range(min = 1))] u64),
    /// The replication ends after this many rounds of a coalition.
    Rounds(#[schemars(range(min = 1))] u64),
}
