//! A genetic algorithm beside Min-min, for what section 3.5 says of related work.
//!
//! The paper refers to Braun et al. (JPDC 61(6), 2001), so instances have their shape: 512 tasks on 16
//! machines, in their ranges. A task is a class of one, and a machine a site of one processor.

use super::drawn::{Instance, Kind, Shape};
use super::genetic::{Times, search};
use super::played::Algorithm;
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::{Bench, StudyError};
use kernel::rng::Streams;
use policy::tasks::{Order, Plan, TaskPlanner, sufferage::Second};

const TASKS: u64 = 512;
const MACHINES: usize = 16;
/// Heterogeneity of tasks and machines, in Braun et al.'s ranges.
const SETTINGS: [(&str, [f64; 2]); 4] = [
    ("HiHi", [3000.0, 1000.0]),
    ("HiLo", [3000.0, 10.0]),
    ("LoHi", [100.0, 1000.0]),
    ("LoLo", [100.0, 10.0]),
];
const KINDS: [Kind; 3] = [Kind::Consistent, Kind::Partly, Kind::Inconsistent];

/// Results on one instance.
#[derive(Clone, Copy, Debug)]
struct Case {
    /// Percentage that the genetic algorithm is shorter than Min-min.
    saved: f64,
    /// Schedules that it evaluates.
    evaluations: f64,
    /// Times of a task on a machine that it adds up, in those that Min-min compares.
    steps: f64,
}

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

fn case(shape: &Shape, seed: u64, sample: u64) -> Result<Case, StudyError> {
    let instance = shape.draw(seed, sample)?;
    let classes = 0..instance.work.classes.len() as u32;
    let ticks = classes.flat_map(|class| instance.work.times(class).iter().map(|one| one.ticks()));
    let times = Times::new(instance.sites.len(), ticks.collect());
    let first = min_min(&instance);
    let rng = &mut Streams::new(seed).in_replication(sample).stream("sequential-games/genetic");
    let found = search(&times, &first, rng);
    let tasks = times.tasks() as u64;
    // Min-min compares all waiting tasks on all machines before each step.
    let compared = tasks * (tasks + 1) / 2 * times.machines() as u64;
    Ok(Case {
        saved: 100.0 * (1.0 - found.makespan as f64 / times.makespan(&first) as f64),
        evaluations: found.evaluations as f64,
        steps: (found.evaluations * tasks) as f64 / compared as f64,
    })
}

/// SG-C-02: a genetic algorithm improves on Min-min by 5 to 10%, at a far higher cost.
pub(super) fn genetic(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    let settings = if bench.effort.quick { &SETTINGS[..1] } else { &SETTINGS };
    let mut rows = Vec::new();
    let mut all: Vec<Vec<Case>> = Vec::new();
    for kind in KINDS {
        for &(name, heterogeneity) in settings {
            let shape = Shape {
                sites: MACHINES,
                processors: (1, 1),
                classes: TASKS,
                tasks: (1, 1),
                ..Shape::of(kind, heterogeneity, 0.0)
            };
            let how = format!("{TASKS} tasks on {MACHINES} machines, {} {name}", kind.name());
            bench.log(Record::drawn(&how, bench, samples));
            let cases = bench.each(samples.into(), |sample| case(&shape, seed, sample))?;
            let saved = mean(cases.iter().map(|one| one.saved));
            let what = format!("{how}: % that a genetic algorithm is shorter than Min-min");
            let row = Row::new("SG-C-02", "3.5", what);
            let row = row.found("5 to 10", saved, saved.between(5.0, 10.0));
            rows.push(row.because(
                "the paper quotes related work, which gives no instance; it depends on the setting: see the others, \
                 and the mean of all",
            ));
            all.push(cases);
        }
    }
    // Settings share streams, so the means of a sample over all settings are what is independent.
    let over = |of: &dyn Fn(&Case) -> f64| {
        let of_sample = |sample: usize| all.iter().map(|cases| of(&cases[sample])).sum::<f64>();
        mean((0..samples as usize).map(|sample| of_sample(sample) / all.len() as f64))
    };
    let row =
        |what: &str| Row::new("SG-C-02", "3.5", format!("{TASKS} tasks, all of these: {what}"));
    let saved = over(&|one| one.saved);
    let new = row("% that a genetic algorithm is shorter than Min-min");
    rows.push(new.found("5 to 10", saved, saved.between(5.0, 10.0)));
    let evaluations = over(&|one| one.evaluations);
    rows.push(row("schedules that the genetic algorithm evaluates").shown(evaluations));
    let steps = over(&|one| one.steps);
    let new = row("times of a task on a machine that it adds up, in those that Min-min compares");
    let note = "counted, as times depend on the machine; both task by task";
    rows.push(new.found("far above 1", steps, steps.above(1.0)).note(note));
    Ok(rows)
}
