//! Plans of the algorithms of the paper, played by the grid.

use serde::Deserialize;

use super::instances::{Point, instance};
use crate::StudyError;
use crate::lines::code::Asked as Asks;
use bounds::instance::{Instance, Placement};
use bounds::optimum::optimum;
use bounds::promise::Owned;
use kernel::time::Time;
use model::asked::Asked;
use policy::plan::{
    Planned, PlannerOptions, Planning, Plays, PlaysBy, Start, WithoutJobs, ilba, molba,
};
use run::instance::{PlayedPlan, plan};
use scenario::plan::Plan;

/// Nodes after which the search for an optimum gives up.
pub(super) const NODES: u64 = 400_000;

/// An algorithm of the experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Algorithm {
    Local,
    Molba,
    Ilba,
}

impl Algorithm {
    pub(super) const ALL: [Algorithm; 3] = [Algorithm::Local, Algorithm::Molba, Algorithm::Ilba];

    /// The planner. MOLBA is the meta-algorithm, as in the paper.
    pub(super) fn options(self) -> PlannerOptions {
        match self {
            Algorithm::Local => PlannerOptions::Local(Default::default()),
            Algorithm::Molba => PlannerOptions::Meta(Default::default()),
            Algorithm::Ilba => PlannerOptions::Ilba(Default::default()),
        }
    }
}

/// MOLBA(alpha).
pub(super) fn molba(alpha: u32) -> PlannerOptions {
    PlannerOptions::Molba(molba::Options { alpha })
}

/// ILBA from a plan.
pub(super) fn ilba(from: Start) -> PlannerOptions {
    PlannerOptions::Ilba(ilba::Options { from })
}

/// Plays an instance by the only plan of a planner, each job at its planned time.
pub(super) fn played(planner: PlannerOptions, owned: &Owned, without: WithoutJobs) -> PlayedPlan {
    let planning = Planning {
        asked: Asked::Batch,
        plays: Plays::First,
        plays_by: PlaysBy::Time,
        without_jobs: without,
    };
    plan(&Planned { planner, planning }, owned)
}

/// True if a schedule is not feasible, or is not that of the plan.
pub(super) fn is_broken(owned: &Owned, plan: &PlayedPlan) -> bool {
    let schedule: &[Placement] = &plan.played.schedule;
    owned.instance.makespan(schedule) != Ok(plan.played.makespan) || schedule != plan.planned
}

/// The least makespan, if it is proved.
pub(super) fn least(instance: &Instance) -> Option<Time> {
    optimum(instance, NODES).ok()?.makespan.proved()
}

/// Results on the instances of some settings, each drawn with a seed of its own, by sample and setting.
pub(super) fn each<T: Send>(
    asked: &Asks<'_>,
    points: &[Point],
    one: impl Fn(Owned) -> T + Sync,
) -> Result<Vec<Vec<T>>, StudyError> {
    let plans: Result<Vec<Plan>, StudyError> =
        (0..).zip(points).map(|(at, point)| point.plan(asked.seed + 1000 * at)).collect();
    let plans = plans?;
    asked.bench.each(asked.samples.into(), |sample| {
        plans.iter().map(|plan| Ok(one(instance(plan, sample)?))).collect()
    })
}

/// A mean over the settings, for each sample.
pub(super) fn means<T>(all: &[Vec<T>], of: impl Fn(&T) -> f64) -> Vec<f64> {
    let mean = |one: &Vec<T>| one.iter().map(&of).sum::<f64>() / one.len() as f64;
    all.iter().map(mean).collect()
}
