//! Plans in which no organization ends later than beta times alone, the relaxed constraint that Pascual,
//! Rzadca and Trystram (2009), section 8, leave for later.
//!
//! The candidates are the plans that keep it among: the local schedules, what ILBA and balancing from
//! the most loaded cluster make of them and of the meta-algorithm's plan, and lists over all clusters
//! that ignore owners, in several orders. Where such a list makes organizations end later than alone, it
//! is made again with their jobs in front, up to a number of times; the shortest that keeps the
//! constraint counts.
//!
//! The candidates come in order of their last ends, the earliest first. With a larger beta there are
//! more, so the first one never ends later. The local schedules are always among them.

use std::cmp::Reverse;

use super::schedule::Schedule;
use super::{Known, Planner, Plans, Problem, heaviest_first, ilba, local, meta};
use kernel::state_of_fields;
use kernel::time::{Span, Time};
use model::bounds::{Bounds, parameters};
use model::ids::OrganizationId;

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

    /// True if no organization ends later than it may.
    fn keeps(&self, schedule: &Schedule<'_>) -> bool {
        late(schedule, self.beta).is_empty()
    }

    /// The shortest list over all clusters, with the jobs in an order, that keeps the constraint. The
    /// lists that are tried are the same for every beta.
    fn list<'p, K: Ord>(
        &self,
        problem: &'p Problem,
        key: impl Fn(&Known) -> K,
    ) -> Option<Schedule<'p>> {
        let mut first: Vec<OrganizationId> = Vec::new();
        let mut best: Option<Schedule<'p>> = None;
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
            let known = first.len();
            first.extend(late(&schedule, PARTS as i128));
            first.sort_unstable();
            first.dedup();
            let is_shorter = best.as_ref().is_none_or(|best| schedule.makespan() < best.makespan());
            if is_shorter && self.keeps(&schedule) {
                best = Some(schedule);
            }
            if first.len() == known {
                break;
            }
        }
        best
    }
}

/// Returns the organizations that end later than so many millionths of their time alone.
fn late(schedule: &Schedule<'_>, beta: i128) -> Vec<OrganizationId> {
    let problem = schedule.problem;
    let passed = |end: Time| i128::from((end - problem.now).ticks());
    let ends = problem.ends_by_owner(|job| schedule.get(job));
    let pairs = ends.into_iter().zip(problem.ends_alone());
    let late =
        pairs.filter(|((_, end), (_, alone))| passed(*end) * PARTS as i128 > beta * passed(*alone));
    late.map(|((owner, _), _)| owner).collect()
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
        all.retain(|(one, _)| one.as_ref().is_some_and(|one| self.keeps(one)));
        all.sort_by_cached_key(|(one, _)| one.as_ref().map(Schedule::makespan));
        for (schedule, name) in all {
            schedule.expect("those without are not retained").write(name, out);
        }
    }
}

state_of_fields!(Relaxed {});
