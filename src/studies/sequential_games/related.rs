//! A genetic algorithm beside Min-min, for what section 3.5 says of related work.
//!
//! The paper refers to Braun et al. (JPDC 61(6), 2001), so instances have their shape: 512 tasks on 16
//! machines, in their ranges. A task is a class of one, and a machine a site of one processor.

use super::drawn::{Instance, Shape};
use super::genetic::{Times, search};
use super::played::Algorithm;
use crate::StudyError;
use crate::lines::code::{Asked, Figures};
use kernel::rng::Streams;
use policy::tasks::{Order, Plan, TaskPlanner, sufferage::Second};

/// The machine of each task under Min-min.
fn min_min(instance: &Instance) -> Vec<u16> {
    let mut plan = Plan::default();
    let planner = Algorithm::MinMin.player(Order::Classes, Second::Site);
    planner.plan(&instance.problem(), &mut plan);
    let mut machines = vec![0; instance.work.classes.len()];
    for lane in plan.lanes {
        lane.runs.iter().for_each(|run| machines[run.class as usize] = lane.site as u16);
    }
    machines
}

/// Percentage that the genetic algorithm is shorter than Min-min, schedules that it evaluates, and times of
/// a task on a machine that it adds up, in those that Min-min compares.
pub(super) fn genetic(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let (shape, seed): (Shape, u64) = (asked.options()?, asked.seed);
    asked.each(1, |sample| {
        let instance = shape.draw(seed, sample)?;
        let classes = 0..instance.work.classes.len() as u32;
        let ticks =
            classes.flat_map(|class| instance.work.times(class).iter().map(|one| one.ticks()));
        let times = Times::new(instance.sites.len(), ticks.collect());
        let first = min_min(&instance);
        let rng = &mut Streams::new(seed).in_replication(sample).stream("sequential-games/genetic");
        let found = search(&times, &first, rng);
        let tasks = times.tasks() as u64;
        // Min-min compares all waiting tasks on all machines before each step.
        let compared = tasks * (tasks + 1) / 2 * times.machines() as u64;
        let saved = 100.0 * (1.0 - found.makespan as f64 / times.makespan(&first) as f64);
        let steps = (found.evaluations * tasks) as f64 / compared as f64;
        Ok(vec![("saved", saved), ("evaluations", found.evaluations as f64), ("steps", steps)])
    })
}
