//! Rules by which a grid asks its planner and plays the plans.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Plans, Problem};
use model::asked::Asked;
use model::bounds::{Inside, parameters};

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;

parameters! {
    /// When the planner is asked, and how its plans are played.
    #[serde(default)]
    pub struct Planning {
        /// The instants at which the planner is asked. Each plan is for all jobs that wait then: those
        /// that came since the last one, and those of earlier plans that have not started.
        asked: Asked as INSIDE = Asked::Batch,
        /// The candidate that is played, if the planner proposes several.
        plays: Plays = Plays::default(),
        /// The instant at which a planned job starts.
        plays_by: PlaysBy = PlaysBy::default(),
        /// The clusters of organizations of which no job is planned.
        without_jobs: WithoutJobs = WithoutJobs::default(),
    }
}

/// The candidate that is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Plays {
    /// The first one.
    #[default]
    First,
    /// The last one.
    Last,
    /// The one whose last job ends first; of several the first.
    LeastMakespan,
    /// The one with the smallest sum of flow times; of several the first.
    LeastFlow,
}

impl Plays {
    /// Returns the candidate that is played.
    ///
    /// # Panics
    /// If there is none.
    pub fn choose(self, problem: &Problem, plans: &Plans) -> usize {
        let all = 0..plans.len();
        let chosen = match self {
            Plays::First => Some(0).filter(|first| all.contains(first)),
            Plays::Last => all.last(),
            Plays::LeastMakespan => all.min_by_key(|&one| problem.makespan(plans.steps(one))),
            Plays::LeastFlow => all.min_by_key(|&one| problem.flow(plans.steps(one))),
        };
        chosen.expect("a planner proposes a candidate")
    }
}

/// The instant at which a planned job starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlaysBy {
    /// Each cluster starts its jobs in the planned order, each as soon as its processors are free.
    /// If no job outruns its expected runtime, none starts later than planned.
    #[default]
    Order,
    /// A job starts at its planned time; later, in the planned order, if those before it ended later
    /// than expected.
    Time,
}

/// The clusters of organizations of which no job is planned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WithoutJobs {
    /// They take the jobs of others.
    #[default]
    Kept,
    /// They are not used, and do not count in bounds; unless some job could run nowhere else. The
    /// experiments of Pascual, Rzadca and Trystram (2009) leave them out.
    LeftOut,
}
