//! Plans in which no organization ends later than beta times alone, the relaxed constraint that Pascual,
//! Rzadca and Trystram (2009), section 8, leave for later.
//!
//! The candidates are the plans that keep it among: the local schedules, what ILBA and balancing from
//! the most loaded cluster make of them and of the meta-algorithm's plan, and lists over all clusters
//! that ignore owners, in several orders. Where such a list breaks the constraint, it is made again with
//! the jobs of the organizations that ended too late in front, up to a number of times.
//!
//! The candidates come in order of their last ends, the earliest first. With a larger beta there are
//! more, so the first one never ends later. The local schedules are always among them.

use std::cmp::Reverse;

use super::schedule::Schedule;
use super::{Known, Planner, Plans, Problem, heaviest_first, ilba, local, meta};
use crate::kernel::time::{Span, Time};
use crate::model::bounds::{Bounds, parameters};
use crate::model::ids::OrganizationId;
use crate::state_of_fields;

/// The factor of the constraint.
const BETA: Bounds<'_> = Bounds::of("a factor").from(1.0).to(1000.0);
/// Number of times that a list is made again.
const AGAIN: usize = 8;
/// Parts in which beta is told exactly.
const PARTS: f64 = 1e6;

parameters! {
    /// Parameters of plans under a relaxed constraint.
    #[serde(default)]
    pub struct Options {
        /// No organization ends later than this many times its time alone, counted from the plan on and
        /// rounded to a millionth.
        beta: f64 as BETA = 1.0,
    }
}

/// The planner.
#[derive(Clone, Debug)]
pub struct Relaxed {
    /// In millionths.
    beta: i128,
}

impl Relaxed {
    /// A planner without memory.
    pub fn new(options: &Options) -> Relaxed {
        Relaxed { beta: (options.beta * PARTS).round() as i128 }
    }

    /// Returns the organizations that end too late.
    fn late(&self, schedule: &Schedule<'_>) -> Vec<OrganizationId> {
        let problem = schedule.problem;
        let passed = |end: Time| i128::from((end - problem.now).ticks());
        let ends = problem.ends_by_owner(|job| schedule.get(job));
        let pairs = ends.into_iter().zip(problem.ends_alone());
        let late = pairs.filter(|((_, end), (_, alone))| {
            passed(*end) * PARTS as i128 > self.beta * passed(*alone)
        });
        late.map(|((owner, _), _)| owner).collect()
    }

    /// A list over all clusters in an order of the jobs that keeps the constraint, if one is found.
    fn list<'p, K: Ord>(
        &self,
        problem: &'p Problem,
        key: impl Fn(&Known) -> K,
    ) -> Option<Schedule<'p>> {
        let mut first: Vec<OrganizationId> = Vec::new();
        for _ in 0..AGAIN {
            let mut jobs: Vec<u32> = (0..problem.jobs.len() as u32).collect();
            jobs.sort_by_key(|&job| {
                let job = &problem.jobs[job as usize];
                (!first.contains(&job.owner()), key(job))
            });
            let mut schedule = Schedule::new(problem);
            for job in jobs {
                schedule.place_first(job, problem.clusters(job).iter().copied());
            }
            let late = self.late(&schedule);
            if late.is_empty() {
                return Some(schedule);
            }
            let known = first.len();
            first.extend(late);
            first.sort_unstable();
            first.dedup();
            if first.len() == known {
                return None;
            }
        }
        None
    }
}

impl Planner for Relaxed {
    fn plan(&mut self, problem: &Problem, out: &mut Plans) {
        let (local, meta) = (local::schedule(problem), meta::schedule(problem).0);
        let length = |job: &Known| job.job.expected;
        let alone = problem.ends_alone();
        let alone = |job: &Known| -> Option<Span> {
            let place = alone.binary_search_by_key(&job.owner(), |one| one.0).ok()?;
            Some(alone[place].1 - problem.now)
        };
        let wide = |job: &Known| Reverse((job.processors(), length(job)));
        let mut all = vec![
            (Some(ilba::improve(&meta)), "ilba"),
            (Some(ilba::improve(&local)), "ilba_of_local"),
            (Some(heaviest_first::improve(meta)), "heaviest_first"),
            (self.list(problem, wide), "widest_first"),
            (self.list(problem, |job| Reverse(length(job))), "longest_first"),
            (self.list(problem, |job| Reverse(job.area())), "largest_area_first"),
            (self.list(problem, |job| (alone(job), wide(job))), "earliest_alone_first"),
            (Some(local), "local"),
        ];
        all.retain(|(one, _)| one.as_ref().is_some_and(|one| self.late(one).is_empty()));
        all.sort_by_cached_key(|(one, _)| one.as_ref().map(Schedule::makespan));
        for (schedule, name) in all {
            schedule.expect("those without are not retained").write(name, out);
        }
    }
}

state_of_fields!(Relaxed {});
