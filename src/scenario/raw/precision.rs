//! `run.until.precision`: a run that ends when a figure is known well enough.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `until.precision = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Precision {
    /// The figure of which the 95% interval is to be narrow enough.
    pub metric: Metric,
    /// Half of the interval as a share of the figure, such as 0.01 for one percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub relative: Option<f64>,
    /// Half of the interval in the figure's own units, instead of a share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub absolute: Option<f64>,
    /// The organization whose figure it is; the whole grid, or all members of a coalition, where
    /// nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<String>,
    /// How long each replication is: replications are added until they are enough. Where nothing is
    /// said, one run goes on until its batches are enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<Each>,
    /// Replications, or jobs that count where one run goes on, before the first look at the
    /// interval; 20 replications or 8192 jobs where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2))]
    pub at_least: Option<u64>,
    /// Replications, or jobs submitted where one run goes on, after which the run ends with a
    /// warning though the interval is too wide; 10000 replications or 1e9 jobs where nothing is
    /// said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2))]
    pub at_most: Option<u64>,
}

/// A figure whose interval is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// The mean flow time of a job.
    Flow,
    /// The mean wait of a job of a grid.
    Wait,
    /// The mean slowdown of a job of a grid.
    Slowdown,
    /// The mean bounded slowdown of a job of a grid.
    BoundedSlowdown,
    /// The mean makespan of a grid's replications.
    Makespan,
    /// The utilization of a grid's clusters over its replications.
    Utilization,
    /// The mean score of a coalition's rounds.
    Score,
    /// The share of a coalition's rounds in which its members took part.
    Joined,
    /// The mean score of the last quarter of a coalition's rounds.
    FinalScore,
    /// The same share of the last quarter of the rounds.
    FinalJoined,
    /// The mean probability of taking part in the last quarter of the rounds.
    FinalProbability,
    /// The mean participation level in the last quarter of the rounds.
    FinalLevel,
}

impl Metric {
    /// All of them.
    pub const ALL: [Metric; 12] = [
        Metric::Flow,
        Metric::Wait,
        Metric::Slowdown,
        Metric::BoundedSlowdown,
        Metric::Makespan,
        Metric::Utilization,
        Metric::Score,
        Metric::Joined,
        Metric::FinalScore,
        Metric::FinalJoined,
        Metric::FinalProbability,
        Metric::FinalLevel,
    ];

    /// Its name, in scenarios and in files.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Flow => "flow",
            Metric::Wait => "wait",
            Metric::Slowdown => "slowdown",
            Metric::BoundedSlowdown => "bounded_slowdown",
            Metric::Makespan => "makespan",
            Metric::Utilization => "utilization",
            Metric::Score => "score",
            Metric::Joined => "joined",
            Metric::FinalScore => "final_score",
            Metric::FinalJoined => "final_joined",
            Metric::FinalProbability => "final_probability",
            Metric::FinalLevel => "final_level",
        }
    }

    /// True of a mean over jobs, of which the batches of one run tell how sure it is.
    pub fn is_of_jobs(self) -> bool {
        matches!(self, Metric::Flow | Metric::Wait | Metric::Slowdown | Metric::BoundedSlowdown)
    }

    /// True of a figure that the rounds of a coalition have.
    pub fn is_of_rounds(self) -> bool {
        !matches!(
            self,
            Metric::Wait
                | Metric::Slowdown
                | Metric::BoundedSlowdown
                | Metric::Makespan
                | Metric::Utilization
        )
    }

    /// True of a figure that a grid without rounds has.
    pub fn is_of_grid(self) -> bool {
        self == Metric::Flow || !self.is_of_rounds()
    }
}

/// When each of the replications ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Each {
    /// When no job comes any more and all have ended.
    Drained {},
    /// At this time; jobs that still wait or run are counted as submitted only.
    Time(#[schemars(extend("exclusiveMinimum" = 0))] f64),
    /// When this many jobs of all organizations were submitted and have ended.
    Jobs(#[schemars(range(min = 1))] u64),
    /// After this many rounds of a coalition.
    Rounds(#[schemars(range(min = 1))] u64),
}
