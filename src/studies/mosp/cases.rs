//! Plans of the algorithms of the paper, played by the grid.

use super::instances::{Point, instance};
use crate::played::Record;
use crate::{Bench, StudyError};
use bounds::instance::Placement;
use bounds::promise::Owned;
use model::asked::Asked;
use policy::plan::{
    Planned, PlannerOptions, Planning, Plays, PlaysBy, Start, WithoutJobs, ilba, molba,
};
use run::instance::{PlayedPlan, plan};
use scenario::plan::Plan;

/// An algorithm of the experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    Local,
    Molba,
    Ilba,
}

impl Algorithm {
    pub(super) const ALL: [Algorithm; 3] = [Algorithm::Local, Algorithm::Molba, Algorithm::Ilba];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Algorithm::Local => "local",
            Algorithm::Molba => "MOLBA(2)",
            Algorithm::Ilba => "ILBA",
        }
    }

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

/// Results on the instances of some settings, each drawn with a seed of its own, by sample and setting.
pub(super) fn each<T: Send>(
    bench: &Bench,
    how: &str,
    points: &[Point],
    one: impl Fn(Owned) -> T + Sync,
) -> Result<Vec<Vec<T>>, StudyError> {
    bench.log(Record::drawn(how, bench, bench.effort.samples * points.len() as u32));
    let plans: Result<Vec<Plan>, StudyError> =
        (0..).zip(points).map(|(at, point)| point.plan(bench.effort.seed + 1000 * at)).collect();
    let plans = plans?;
    bench.each(bench.effort.samples.into(), |sample| {
        plans.iter().map(|plan| Ok(one(instance(plan, sample)?))).collect()
    })
}
