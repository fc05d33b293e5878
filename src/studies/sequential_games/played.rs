//! Instances played by the engine under a planner, and the planners that the paper compares.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::drawn::Instance;
use super::letter::Matrix;
use crate::StudyError;
use kernel::engine::Engine;
use kernel::rng::Streams;
use kernel::time::{Span, Time, sum_as_units};
use policy::tasks::{
    Chooses, Lane, Leftovers, Order, Plan, Problem, Replans, TaskPlanner, WholeProcessors,
    WholeTasks, game_quick, max_min, mct, met, min_min, olb, sufferage,
};
use sim::campaign::{Campaign, Ran, Settings, Told};

/// Units of time to the last end of a plan of whole tasks that wait for nothing.
pub(super) fn planned(instance: &Instance, planner: &impl TaskPlanner) -> f64 {
    let mut plan = Plan::default();
    planner.plan(&instance.problem(), &mut plan);
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

/// Any planner, with the times at which it is asked.
#[derive(Clone)]
pub(super) struct Player {
    planner: Arc<dyn TaskPlanner + Send + Sync>,
    replans: Replans,
}

impl Player {
    /// A planner of whole tasks that is asked once.
    pub(super) fn once(planner: impl TaskPlanner + Send + Sync + 'static) -> Player {
        Player { planner: Arc::new(planner), replans: Replans::Arrivals }
    }

    /// A planner of shares, which are rounded to processors; it is asked whenever a class is done.
    pub(super) fn game(planner: impl TaskPlanner + Send + Sync + 'static) -> Player {
        let planner = Arc::new(WholeProcessors::new(planner));
        Player { planner, replans: Replans::Classes }
    }

    /// A planner of shares within deadlines, which are rounded to the cheapest tasks that keep them, as
    /// scenarios do by default.
    pub(super) fn cheapest(planner: impl TaskPlanner + Send + Sync + 'static) -> Player {
        Player::once(WholeTasks::new(planner, Leftovers::Cheapest))
    }
}

impl TaskPlanner for Player {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        self.planner.plan(problem, out);
    }
}

/// Parameters of list heuristics; each takes those that it has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Listing {
    pub(super) order: Order,
    pub(super) second: sufferage::Second,
    pub(super) chooses: Chooses,
    pub(super) deadline: bool,
    pub(super) storage: bool,
}

/// The algorithms of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Algorithm {
    GameQuick,
    Met,
    Olb,
    Mct,
    MinMin,
    MaxMin,
    Sufferage,
}

impl Algorithm {
    pub(super) fn name(self) -> &'static str {
        match self {
            Algorithm::GameQuick => "Game-quick",
            Algorithm::Met => "MET",
            Algorithm::Olb => "OLB",
            Algorithm::Mct => "MCT",
            Algorithm::MinMin => "Min-min",
            Algorithm::MaxMin => "Max-min",
            Algorithm::Sufferage => "Sufferage",
        }
    }

    /// The planner, by completion and without deadlines.
    pub(super) fn player(self, order: Order, second: sufferage::Second) -> Player {
        self.with(Listing { order, second, ..Listing::default() })
    }

    /// The planner with these parameters.
    pub(super) fn with(self, listing: Listing) -> Player {
        let Listing { order, second, chooses, deadline, storage } = listing;
        match self {
            Algorithm::GameQuick => Player::game(game_quick::GameQuick::new(&Default::default())),
            Algorithm::Met => {
                Player::once(met::Met::new(&met::Options { order, chooses, deadline, storage }))
            }
            Algorithm::Olb => {
                Player::once(olb::Olb::new(&olb::Options { order, deadline, storage }))
            }
            Algorithm::Mct => {
                Player::once(mct::Mct::new(&mct::Options { order, chooses, deadline, storage }))
            }
            Algorithm::MinMin => {
                Player::once(min_min::MinMin::new(&min_min::Options { chooses, deadline, storage }))
            }
            Algorithm::MaxMin => {
                Player::once(max_min::MaxMin::new(&max_min::Options { chooses, deadline, storage }))
            }
            Algorithm::Sufferage => Player::once(sufferage::Sufferage::new(&sufferage::Options {
                second,
                chooses,
                deadline,
                storage,
            })),
        }
    }
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
pub(super) fn play(instance: &Instance, player: &Player, seed: u64) -> Result<Outcome, StudyError> {
    watch(instance, player, seed, |_| ())
}

/// Plays an instance, and shows each run of tasks.
pub(super) fn watch(
    instance: &Instance,
    player: &Player,
    seed: u64,
    mut look: impl FnMut(&Ran),
) -> Result<Outcome, StudyError> {
    let work = &instance.work;
    let settings = Settings::new(player.replans, Streams::new(seed));
    let sites = Arc::clone(&instance.sites);
    let world = Campaign::new(Arc::clone(work), sites, player.clone(), settings);
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
