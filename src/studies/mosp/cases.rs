//! The experiments of section 6: every instance under local scheduling, MOLBA(2) and ILBA, played
//! by the grid.
//!
//! A sample is one instance of each setting, so samples are independent and alike.

use super::instances::{Point, Sources, points};
use super::laws::{self, Broken, Size};
use crate::played::Record;
use crate::sample::Sample;
use crate::{Bench, StudyError};
use bounds::instance::Placement;
use bounds::promise::Owned;
use kernel::time::Time;
use model::asked::Asked;
use policy::plan::{
    Planned, PlannerOptions, Planning, Plays, PlaysBy, Start, WithoutJobs, ilba, molba,
};
use run::instance::{PlayedPlan, plan};

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

/// Results of all algorithms on one instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    /// Makespan over lower bound, by [`Algorithm::ALL`].
    pub(super) scores: [f64; 3],
    /// True if the makespan is the lower bound.
    pub(super) is_optimal: [bool; 3],
    /// True if a makespan is above three times the lower bound.
    pub(super) is_above_three: [bool; 3],
    /// Schedules that are not feasible, or not played as planned.
    pub(super) broken: u64,
    /// Organizations that end later than alone under MOLBA and under ILBA.
    pub(super) later: u64,
    /// Jobs that ILBA delays.
    pub(super) delayed: u64,
    /// True if MOLBA(3) was taken.
    pub(super) fell_back: bool,
    /// Organizations that have jobs.
    pub(super) organizations: u32,
    /// Jobs of the first organization.
    pub(super) of_the_first: u32,
    /// Mean length of the jobs in units of time, and mean width as a share of a cluster.
    pub(super) means: [f64; 2],
    /// True if "later than three times the bounds" names other organizations than the threshold.
    pub(super) names_others: bool,
    /// Statements that do not hold.
    pub(super) laws: Broken,
}

impl Case {
    fn of(owned: &Owned, point: Point) -> Case {
        let size = Size::of(owned, true);
        let all = Algorithm::ALL.map(|one| played(one.options(), owned, WithoutJobs::LeftOut));
        let schedules = all.each_ref().map(|one| &one.played.schedule[..]);
        let [local, molba, ilba] = schedules;
        let makespans = all.each_ref().map(|one| one.played.makespan);
        let jobs = f64::from(point.jobs);
        let tasks = &owned.instance.tasks;
        let lengths: f64 = tasks.iter().map(|task| task.length.as_units()).sum();
        let widths: f64 = tasks.iter().map(|task| f64::from(task.processors)).sum();
        let late = laws::late(owned, &size, 2, local);
        let ends = laws::ends(owned, local);
        let is_beyond = |&end: &Time| size.scaled(end) > 3 * size.bound();
        Case {
            scores: makespans.map(|one| size.score(one)),
            is_optimal: makespans.map(|one| size.scaled(one) == size.bound()),
            is_above_three: makespans.map(|one| size.scaled(one) > 3 * size.bound()),
            broken: all.iter().filter(|one| is_broken(owned, one)).count() as u64,
            later: laws::later(owned, molba, local) + laws::later(owned, ilba, local),
            delayed: laws::delayed(ilba, molba),
            fell_back: all[1].name == "molba_3",
            organizations: laws::have_jobs(owned).into_iter().filter(|&has| has).count() as u32,
            of_the_first: owned.of_task.iter().filter(|&&owner| owner == 0).count() as u32,
            means: [lengths / jobs, widths / jobs / f64::from(point.processors)],
            names_others: !late.iter().copied().eq(ends.iter().map(is_beyond)),
            laws: laws::broken(owned, &size, true, local, molba),
        }
    }

    pub(super) fn score(&self, algorithm: Algorithm) -> f64 {
        self.scores[algorithm as usize]
    }
}

/// True if a schedule is not feasible, or is not that of the plan.
pub(super) fn is_broken(owned: &Owned, plan: &PlayedPlan) -> bool {
    let schedule: &[Placement] = &plan.played.schedule;
    owned.instance.makespan(schedule) != Ok(plan.played.makespan) || schedule != plan.planned
}

/// The cases of all samples.
#[derive(Debug)]
pub(super) struct Cases {
    /// The settings.
    pub(super) points: Vec<Point>,
    /// By sample, then by setting.
    pub(super) all: Vec<Vec<Case>>,
}

impl Cases {
    /// Number of samples.
    pub(super) fn samples(&self) -> usize {
        self.all.len()
    }

    /// Places of some settings.
    pub(super) fn places(&self, is: impl Fn(&Point) -> bool) -> Vec<usize> {
        (0..self.points.len()).filter(|&place| is(&self.points[place])).collect()
    }

    /// A figure of each instance of some settings.
    pub(super) fn sample(&self, places: &[usize], of: impl Fn(&Case) -> f64) -> Sample {
        let values = self.all.iter().flat_map(|one| places.iter().map(|&place| of(&one[place])));
        Sample::new(places.len(), values.collect())
    }

    /// Each instance of some settings, with its sample and the place of its setting.
    pub(super) fn of<'a>(
        &'a self,
        places: &'a [usize],
    ) -> impl Iterator<Item = (u64, usize, &'a Case)> {
        let samples = (0..).zip(&self.all);
        samples.flat_map(move |(sample, one)| {
            places.iter().map(move |&place| (sample, place, &one[place]))
        })
    }
}

/// Plays all instances, each after a change.
pub(super) fn play(
    bench: &Bench,
    how: &str,
    change: impl Fn(&mut Owned) + Sync,
) -> Result<Cases, StudyError> {
    let points = points();
    bench.log(Record::drawn(how, bench, bench.effort.samples * points.len() as u32));
    let (sources, seed) = (Sources::new()?, bench.effort.seed);
    let all = bench.each(bench.effort.samples.into(), |sample| {
        let case = |&point: &Point| {
            let mut owned = sources.instance(point, seed, sample)?;
            change(&mut owned);
            Ok(Case::of(&owned, point))
        };
        points.iter().map(case).collect()
    })?;
    Ok(Cases { points, all })
}
