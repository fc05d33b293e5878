//! The measure by which owners judge a round, and what it costs to take part.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::accounts::bounded_slowdown;
use super::super::observer::Finished;
use kernel::time::{Span, Time};
use model::bounds::{Bounds, parameters};

/// A cost in time.
const TIME: Bounds<'_> = Bounds::of("a time").unit("units of time").from(0.0).to(1e9);
/// A cost in score.
const SCORE: Bounds<'_> = Bounds::of("a score").from(0.0).to(1e3);

/// The measure of its scored jobs by which an owner judges a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// Flow times, summed.
    #[default]
    Flow,
    /// Waiting times, summed.
    Wait,
    /// Bounded slowdowns, summed: flow time over runtime at unit speed, both at least `output.tau`.
    BoundedSlowdown,
    /// Time from the start of the round to the last end.
    Makespan,
}

impl Score {
    /// True for the default.
    pub fn is_flow(&self) -> bool {
        *self == Score::Flow
    }

    /// The measure, as of a round.
    pub fn in_words(self) -> &'static str {
        match self {
            Score::Flow => "flow time",
            Score::Wait => "waiting time",
            Score::BoundedSlowdown => "bounded slowdown",
            Score::Makespan => "makespan",
        }
    }

    /// Adds a job to the measure of a round that began at a time. Slowdowns are in millionths.
    pub(super) fn add(self, sum: &mut i128, job: &Finished<'_>, begun: Time, tau: Span) {
        let ticks = |span: Span| i128::from(span.ticks());
        *sum = match self {
            Score::Flow => *sum + ticks(job.flow()),
            Score::Wait => *sum + ticks(job.wait()),
            Score::BoundedSlowdown => {
                let slowdown = bounded_slowdown(job.flow(), job.job.runtime, tau);
                *sum + i128::from(slowdown.unwrap_or(0))
            }
            Score::Makespan => (*sum).max(ticks(job.finish - begun)),
        };
    }
}

parameters! {
    /// Costs of taking part in a federation.
    #[derive(Copy)]
    #[serde(default)]
    pub struct Costs {
        /// Work that is added to a job that runs abroad, on another owner's cluster, in units of time.
        job: f64 as TIME = 0.0,
        /// Time that a job is under way to a cluster abroad, in units of time.
        delay: f64 as TIME = 0.0,
        /// Subtracted from the score of each round in which the organization is in.
        round: f64 as SCORE = 0.0,
    }
}

impl Costs {
    /// True if taking part costs nothing.
    pub fn is_nothing(&self) -> bool {
        *self == Costs::default()
    }

    /// Work that is added to a job abroad.
    pub fn of_job(&self) -> Span {
        Span::from_units(self.job).expect("the costs are valid")
    }

    /// Time that a job is under way to a cluster abroad.
    pub fn of_way(&self) -> Span {
        Span::from_units(self.delay).expect("the costs are valid")
    }
}

/// The choice of an owner of a federation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Plays {
    /// To pool its clusters with those of others, or to keep to them.
    #[default]
    Share,
    /// To follow the plan, or to run its own jobs first on its own clusters; others' jobs come after
    /// them.
    Follow,
}

impl Plays {
    /// True for the default.
    pub fn is_share(&self) -> bool {
        *self == Plays::Share
    }
}

/// The stakes of a federation's rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stakes {
    /// The choice of an owner.
    pub plays: Plays,
    /// The measure of a round.
    pub score: Score,
    /// Least runtime of bounded slowdowns.
    pub tau: Span,
    /// The costs of taking part.
    pub costs: Costs,
}
