//! The entries of a grid in the manifest: its clusters, what schedules them, and which jobs counted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::{Manifest, Stop};
use findings::grid::results::{self, Results};
use findings::known::Known;
use kernel::time::Time;
use model::foreign::Foreign;
use model::order::Order;
use model::speed::Speed;
use policy::grid::GridOptions;
use policy::local::LocalOptions;
use policy::plan::{PlannerOptions, Planning};
use scenario::plan::{Cluster, ClusterKind, Plan};

/// Measurement window of a replication: the submission times of jobs that counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counted {
    /// First tick of the window.
    pub from: Time,
    /// First tick after the window; `None` if it has no end.
    pub until: Option<Time>,
}

impl Counted {
    /// Converts a window.
    fn new(window: &results::Window) -> Counted {
        let until = (window.until != Time::NEVER).then_some(window.until);
        Counted { from: window.from, until }
    }

    /// True if a job submitted at this time counts.
    pub fn counts(&self, submit: Time) -> bool {
        self.from <= submit && self.until.is_none_or(|until| submit < until)
    }
}

/// A cluster in the manifest.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClusterEntry {
    /// Name of the cluster.
    pub name: String,
    /// Name of its owner.
    pub owner: String,
    /// Number of processors.
    pub processors: u32,
    /// Its terms for the jobs of organizations that do not own it.
    #[serde(default, skip_serializing_if = "Foreign::is_always")]
    pub foreign: Foreign,
    /// True if the grid scheduler starts its jobs.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_bare: bool,
    /// Name of its scheduler; `None` for a time-shared cluster.
    pub scheduler: Option<String>,
    /// Queue order of a list scheduler; of EASY, if it is not that of submission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// Order in which EASY backfills, if it is not that of submission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backfill: Option<policy::local::easy::Backfill>,
    /// True if jobs were killed at their estimate.
    pub kill_at_estimate: bool,
    /// Speed of its processors, if it is not unit speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
}

/// The grid scheduler in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GridEntry {
    /// Its name and parameters.
    pub scheduler: GridOptions,
}

/// The planner in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlannerEntry {
    /// Its name and parameters.
    pub planner: PlannerOptions,
    /// Events at which it was asked, and the way its plans were played.
    pub planning: Planning,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
fn is_false(truth: &bool) -> bool {
    !truth
}

impl Manifest {
    /// Adds what a grid's replications found: when they ended, and which jobs counted.
    pub fn of_grid(&mut self, results: &Results) {
        let windows = results.replications.iter().map(|replication| &replication.window);
        self.counted = windows.map(Counted::new).collect();
        // A single run may have been stopped at a time that was not known beforehand.
        if self.precision.as_ref().is_some_and(Known::is_stopped) {
            let end = results.replications.iter().map(|replication| replication.end).max();
            self.until = Stop::Time(end.unwrap_or_default());
        }
    }
}

impl ClusterEntry {
    /// The entry of a plan's cluster.
    pub fn new(plan: &Plan, cluster: &Cluster) -> ClusterEntry {
        let (scheduler, own) = match &cluster.kind {
            ClusterKind::TimeShared { .. } => (None, None),
            ClusterKind::Own { scheduler, .. } => (None, Some(scheduler.clone())),
            ClusterKind::SpaceShared { scheduler, .. } => (scheduler.as_ref(), None),
        };
        let order = match scheduler {
            Some(LocalOptions::List(options)) => Some(options.order.clone()),
            Some(LocalOptions::Easy(options)) => {
                Some(options.order.clone()).filter(|order| *order != Order::Submit)
            }
            _ => None,
        };
        let backfill = match scheduler {
            Some(LocalOptions::Easy(options)) => {
                Some(options.backfill).filter(|backfill| !backfill.is_in_order())
            }
            _ => None,
        };
        ClusterEntry {
            name: cluster.name.clone(),
            owner: plan.organizations[cluster.owner.index()].name.clone(),
            processors: cluster.processors(),
            foreign: cluster.foreign,
            is_bare: cluster.is_bare(),
            scheduler: scheduler.map(|scheduler| scheduler.name().to_owned()).or(own),
            order,
            backfill,
            kill_at_estimate: cluster.kills_at_estimate(),
            speed: Some(cluster.speed()).filter(|&speed| speed != Speed::ONE).map(Speed::value),
        }
    }
}
