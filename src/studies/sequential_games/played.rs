//! Instances played by the engine under a planner.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize as _;

use super::drawn::Instance;
use super::letter::Matrix;
use crate::StudyError;
use kernel::engine::Engine;
use kernel::rng::Streams;
use kernel::time::{Span, Time, sum_as_units};
use policy::tasks::{Lane, Plan, Problem, TaskPlanned, TaskPlanner, TaskPlannerOptions};
use sim::campaign::{Campaign, Ran, Settings, Told};

/// Units of time to the last end of a plan of whole tasks that wait for nothing.
pub(super) fn planned(instance: &Instance, player: &TaskPlanned) -> f64 {
    let mut plan = Plan::default();
    player.build().plan(&instance.problem(), &mut plan);
    let length = |lane: &Lane| -> i64 {
        let time = |class: u32| instance.work.times(class)[lane.site as usize].ticks();
        lane.runs.iter().map(|run| run.tasks as i64 * time(run.class)).sum()
    };
    Span::from_ticks(plan.lanes.iter().map(length).max().unwrap_or(0)).as_units()
}

/// The shares of a plan, by class and site.
pub(super) fn shared(problem: &Problem<'_>, planner: &impl TaskPlanner) -> Matrix {
    let mut plan = Plan::default();
    planner.plan(problem, &mut plan);
    let mut theta = vec![vec![0.0; problem.sites.len()]; problem.classes.len()];
    for share in plan.shares {
        theta[share.class as usize][share.site as usize] += share.processors;
    }
    theta
}

/// The planner that a scenario calls so, with its parameters, such as `min_min={deadline=true}`; asked and
/// rounded as there.
pub(super) fn player(text: &str) -> TaskPlanned {
    let table: toml::Table = text.parse().expect("planners are written in code");
    TaskPlanned::new(TaskPlannerOptions::deserialize(table).expect("planners are known"))
}

/// Result of an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Outcome {
    /// Units of time to the end of each class.
    pub(super) ends: Vec<f64>,
    /// Time at which the first task of each class started.
    pub(super) starts: Vec<f64>,
    /// Time at which each class was ready.
    pub(super) readies: Vec<f64>,
    /// Price of all tasks.
    pub(super) cost: f64,
    /// Share of the tasks that ended behind the deadline of their application.
    pub(super) late: f64,
    /// Tasks by class and site.
    pub(super) tasks: Vec<Vec<f64>>,
    /// Changes of the class on a processor, over all processors.
    pub(super) switches: f64,
}

impl Outcome {
    /// Units of time to the last end.
    pub(super) fn makespan(&self) -> f64 {
        self.ends.iter().copied().fold(0.0, f64::max)
    }
}

/// Plays an instance; `seed` is for planners that draw.
pub(super) fn play(
    instance: &Instance,
    player: &TaskPlanned,
    seed: u64,
) -> Result<Outcome, StudyError> {
    watch(instance, player, seed, |_| ())
}

/// Plays an instance, and shows each run of tasks.
pub(super) fn watch(
    instance: &Instance,
    player: &TaskPlanned,
    seed: u64,
    mut look: impl FnMut(&Ran),
) -> Result<Outcome, StudyError> {
    let work = &instance.work;
    let settings = Settings::new(player.replans(), Streams::new(seed));
    let sites = Arc::clone(&instance.sites);
    let world = Campaign::new(Arc::clone(work), sites, player.build(), settings);
    let mut engine = Engine::new(world);
    let mut told = Vec::new();
    let mut count = Counted::new(instance);
    while engine.step().map_err(|wrong| StudyError(wrong.to_string()))?.is_some() {
        engine.watched().take_told(&mut told);
        for told in told.drain(..) {
            if let Told::Ran(ran) = told {
                count.add(instance, &ran);
                look(&ran);
            }
        }
    }
    let world = engine.world();
    let units = |time: Option<Time>| time.map(Time::as_units);
    let (mut starts, mut ends, mut readies) = (Vec::new(), Vec::new(), Vec::new());
    for class in 0..work.classes.len() as u32 {
        let [ready, start, end, _] = world.class(class);
        let end = units(end).ok_or_else(|| StudyError(format!("class {class} never ends")))?;
        ends.push(end);
        starts.push(units(start).unwrap_or(0.0));
        readies.push(units(ready).unwrap_or(0.0));
    }
    let cost: i128 = (0..work.applications.len()).map(|one| world.cost(one)).sum();
    let all: f64 = count.tasks.iter().flatten().sum();
    Ok(Outcome {
        ends,
        starts,
        readies,
        cost: sum_as_units(cost) / 1e6,
        late: count.late / all.max(1.0),
        tasks: count.tasks,
        switches: count.switches / instance.processors() as f64,
    })
}

/// Counters.
struct Counted {
    tasks: Vec<Vec<f64>>,
    late: f64,
    /// Lanes tell their runs in order; a run that continues its class is no change.
    switches: f64,
    /// Processors of each site that ended with each class at a time.
    last: Vec<BTreeMap<(Time, u32), f64>>,
}

impl Counted {
    fn new(instance: &Instance) -> Counted {
        let sites = instance.sites.len();
        Counted {
            tasks: vec![vec![0.0; sites]; instance.work.classes.len()],
            late: 0.0,
            switches: 0.0,
            last: vec![BTreeMap::new(); sites],
        }
    }

    fn add(&mut self, instance: &Instance, ran: &Ran) {
        let (class, site) = (ran.class as usize, ran.site as usize);
        self.tasks[class][site] += ran.tasks;
        let application = instance.work.classes[class].application as usize;
        let deadline = instance.work.applications[application].deadline;
        if ran.finish > deadline {
            let time = instance.work.times(ran.class)[site].ticks().max(1);
            let each = (ran.tasks / ran.processors).round() as i64;
            let behind = (ran.finish.ticks() - deadline.ticks() - 1) / time + 1;
            self.late += behind.min(each) as f64 * ran.processors;
        }
        // Processors that go on where others of the same class ended; the rest changed, or began.
        let before = &mut self.last[site];
        let same = before.get_mut(&(ran.start, ran.class));
        let kept = same.map_or(0.0, |same| {
            let kept = same.min(ran.processors);
            *same -= kept;
            kept
        });
        self.switches += ran.processors - kept;
        *before.entry((ran.finish, ran.class)).or_default() += ran.processors;
    }
}
