//! `run.until.precision`: a run that ends when a metric is known precisely enough.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::scenario::de::ONE_OR_SEVERAL;
use crate::scenario::schema::OR_SEVERAL;
use crate::stats::distribution::QUANTILES;

/// `until.precision = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Precision {
    /// Metric whose confidence interval is to become narrow enough, or a list of several that are
    /// all to be known.
    pub metric: Metrics,
    /// Target half-width of the interval relative to the metric, such as 0.01 for one percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub relative: Option<f64>,
    /// Target half-width of the interval in the metric's own units, instead of a relative one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub absolute: Option<f64>,
    /// Organization whose metric is meant; by default the whole grid, or all members of a
    /// coalition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<String>,
    /// End of each replication: replications are added until there are enough. Without it, one run
    /// continues until its batches suffice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<Each>,
    /// Minimum number of replications before the first check of the interval, or of counted jobs
    /// where one run continues. Default 20 replications or 8192 jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2))]
    pub at_least: Option<u64>,
    /// Maximum number of replications, or of submitted jobs where one run continues; there the run
    /// ends with a warning even if the interval is still too wide. Default 10000 replications or
    /// 1e9 jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2))]
    pub at_most: Option<u64>,
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

/// Declares the metrics: each variant with its name in scenarios and files, and its description.
macro_rules! metrics {
    ($($variant:ident $name:literal $meaning:literal,)*) => {
        /// A metric whose confidence interval can end a run.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub enum Metric {
            $(#[doc = $meaning] #[serde(rename = $name)] $variant,)*
        }

        impl Metric {
            /// All metrics.
            pub const ALL: &[Metric] = &[$(Metric::$variant),*];

            /// Returns the name in scenarios and files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Metric::$variant => $name,)*
                }
            }
        }
    };
}

metrics! {
    Flow "flow" "Mean flow time (turnaround) of a job.",
    Wait "wait" "Mean waiting time of a job, in a grid.",
    Slowdown "slowdown" "Mean slowdown of a job, in a grid.",
    BoundedSlowdown "bounded_slowdown" "Mean bounded slowdown of a job, in a grid.",
    Makespan "makespan" "Mean makespan over the replications of a grid.",
    Utilization "utilization" "Utilization of a grid's clusters over the replications.",
    Score "score" "Mean score over the rounds of a coalition.",
    Joined "joined" "Share of a coalition's rounds in which its members took part.",
    FinalScore "final_score" "Mean score over the last quarter of a coalition's rounds.",
    FinalJoined "final_joined"
        "Share of the last quarter of the rounds in which members took part.",
    FinalProbability "final_probability"
        "Mean probability of taking part, over the last quarter of the rounds.",
    FinalLevel "final_level" "Mean participation level over the last quarter of the rounds.",
    FlowP50 "flow_p50" "Flow time that 50% of the jobs do not exceed, in a grid.",
    FlowP90 "flow_p90" "Flow time that 90% of the jobs do not exceed, in a grid.",
    FlowP95 "flow_p95" "Flow time that 95% of the jobs do not exceed, in a grid.",
    FlowP99 "flow_p99" "Flow time that 99% of the jobs do not exceed, in a grid.",
    FlowP999 "flow_p99.9" "Flow time that 99.9% of the jobs do not exceed, in a grid.",
    WaitP50 "wait_p50" "Waiting time that 50% of the jobs do not exceed, in a grid.",
    WaitP90 "wait_p90" "Waiting time that 90% of the jobs do not exceed, in a grid.",
    WaitP95 "wait_p95" "Waiting time that 95% of the jobs do not exceed, in a grid.",
    WaitP99 "wait_p99" "Waiting time that 99% of the jobs do not exceed, in a grid.",
    WaitP999 "wait_p99.9" "Waiting time that 99.9% of the jobs do not exceed, in a grid.",
    SlowdownP50 "slowdown_p50" "Slowdown that 50% of the jobs do not exceed, in a grid.",
    SlowdownP90 "slowdown_p90" "Slowdown that 90% of the jobs do not exceed, in a grid.",
    SlowdownP95 "slowdown_p95" "Slowdown that 95% of the jobs do not exceed, in a grid.",
    SlowdownP99 "slowdown_p99" "Slowdown that 99% of the jobs do not exceed, in a grid.",
    SlowdownP999 "slowdown_p99.9" "Slowdown that 99.9% of the jobs do not exceed, in a grid.",
    BoundedSlowdownP50 "bounded_slowdown_p50" "Bounded slowdown that 50% of the jobs do not exceed, in a grid.",
    BoundedSlowdownP90 "bounded_slowdown_p90" "Bounded slowdown that 90% of the jobs do not exceed, in a grid.",
    BoundedSlowdownP95 "bounded_slowdown_p95" "Bounded slowdown that 95% of the jobs do not exceed, in a grid.",
    BoundedSlowdownP99 "bounded_slowdown_p99" "Bounded slowdown that 99% of the jobs do not exceed, in a grid.",
    BoundedSlowdownP999 "bounded_slowdown_p99.9" "Bounded slowdown that 99.9% of the jobs do not exceed, in a grid.",
}

/// A distribution over the jobs of a grid, in the order of an account's distributions.
const DISTRIBUTIONS: [Metric; 4] =
    [Metric::Flow, Metric::Wait, Metric::Slowdown, Metric::BoundedSlowdown];

impl Metric {
    /// Returns the mean of the distribution that a mean or a quantile over jobs belongs to, and its
    /// index among an account's distributions; `None` for other metrics.
    pub fn distribution(self) -> Option<(usize, Metric)> {
        let is_of = |mean: &Metric| {
            let rest = self.name().strip_prefix(mean.name());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("_p"))
        };
        let index = DISTRIBUTIONS.iter().position(is_of)?;
        Some((index, DISTRIBUTIONS[index]))
    }

    /// Returns the name in words: `wait p95`.
    pub fn words(self) -> String {
        self.name().replace('_', " ")
    }

    /// Returns the index among [`QUANTILES`] for a quantile, `None` for other metrics.
    pub fn quantile(self) -> Option<usize> {
        let (_, mean) = self.distribution()?;
        let part = self.name().strip_prefix(mean.name())?.strip_prefix('_')?;
        QUANTILES.iter().position(|(name, _)| *name == part)
    }

    /// Returns true for a mean or a quantile over jobs, whose precision follows from the batches of
    /// a single run.
    pub fn is_of_jobs(self) -> bool {
        self.distribution().is_some()
    }

    /// Returns true if the rounds of a coalition have this metric.
    pub fn is_of_rounds(self) -> bool {
        self == Metric::Flow || !self.is_of_grid()
    }

    /// Returns true if a grid without rounds has this metric.
    pub fn is_of_grid(self) -> bool {
        self.is_of_jobs() || matches!(self, Metric::Makespan | Metric::Utilization)
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
