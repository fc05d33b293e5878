//! Cost of a plan of classes of identical tasks, and of playing it.
//!
//! The baseline is Min-min as it is defined: of all classes and processors the pair that ends first,
//! once for every task. It is measured where it can be, on few processors; there the closed form stands
//! beside it. The larger sizes have Min-min's closed form as their base, so that the ratios say what the
//! other planners cost, and how the cost grows while tasks grow a thousandfold.

mod common;

use std::hint::black_box;
use std::sync::Arc;

use common::*;
use gridpact::kernel::engine::Engine;
use gridpact::kernel::rng::Streams;
use gridpact::kernel::time::Time;
use gridpact::model::campaign::{Campaign as Work, HELD, Site, UNLIMITED};
use gridpact::model::ids::OrganizationId;
use gridpact::policy::tasks::{
    self, Application, Class, Free, Plan, Problem, TaskPlanned, TaskPlanner as _,
    TaskPlannerOptions,
};
use gridpact::sim::campaign::{Campaign, Settings};
use gridpact::workload::applications::{ApplicationsModel, Options};

/// Rows: name, sites and classes of each, tasks and processors of all.
const SIZES: [(&str, u64, u64, u32); 3] = [
    ("1e5 tasks, 1e3 processors", 10, 100_000, 1_000),
    ("1e6 tasks, 1e4 processors", 100, 1_000_000, 10_000),
    ("1e9 tasks, 1e6 processors", 10, 1_000_000_000, 1_000_000),
];
/// The size that the definition itself can plan.
const SMALL: (&str, u64, u64, u32) = ("2e3 tasks, 40 processors", 10, 2_000, 40);

/// Draws a bag of classes, and the sites.
fn drawn((_, width, tasks, processors): (&str, u64, u64, u32)) -> (Work, Vec<Site>) {
    let options: Options = toml::from_str(&format!(
        "count = 1\nclasses.constant = {width}\ntasks.constant = {}\n\
         times.braun = {{ tasks = 10, machines = 10, kind = \"inconsistent\" }}\n",
        tasks / width
    ))
    .expect("these are parameters");
    let names: Vec<String> = (0..width).map(|number| format!("s{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let site = Site { processors: processors / width as u32, price: 1, limits: [UNLIMITED; HELD] };
    let sites = vec![site; width as usize];
    let model = ApplicationsModel::new(options, &names).expect("they are valid");
    (model.draw(&sites, &Streams::new(1), |_| OrganizationId(0)), sites)
}

/// The problem at the start.
fn problem<'a>(work: &'a Work, sites: &[Site]) -> Problem<'a> {
    let site = |site: &Site| tasks::Site {
        price: site.price,
        limits: site.limits,
        free: vec![Free {
            at: Time::ZERO,
            processors: site.processors.into(),
            class: None,
            holds: [0; HELD],
        }],
    };
    let class = |number: usize| Class {
        number: number as u32,
        application: 0,
        tasks: work.classes[number].tasks as f64,
        ready: Time::ZERO,
        after: Vec::new(),
        times: work.expected(number as u32),
        weights: &[],
        needs: [0; HELD],
    };
    Problem {
        now: Time::ZERO,
        sites: sites.iter().map(site).collect(),
        classes: (0..work.classes.len()).map(class).collect(),
        applications: vec![Application { deadline: Time::NEVER }],
        seed: 1,
    }
}

/// Min-min as it is defined; returns the makespan in ticks.
fn by_definition(work: &Work, sites: &[Site]) -> i64 {
    let mut left: Vec<u64> = work.classes.iter().map(|class| class.tasks).collect();
    let processors = sites.iter().enumerate();
    let mut free: Vec<(usize, i64)> = processors
        .flat_map(|(at, site)| std::iter::repeat_n((at, 0), site.processors as usize))
        .collect();
    let mut makespan = 0;
    loop {
        let mut best: Option<(i64, usize, usize)> = None;
        for class in (0..left.len()).filter(|&class| left[class] > 0) {
            for (place, &(site, at)) in free.iter().enumerate() {
                let end = at + work.times(class as u32)[site].ticks();
                best = Some(best.map_or((end, class, place), |best| best.min((end, class, place))));
            }
        }
        let Some((end, class, place)) = best else { return makespan };
        left[class] -= 1;
        free[place].1 = end;
        makespan = makespan.max(end);
    }
}

fn plan(planner: &TaskPlannerOptions, problem: &Problem<'_>) -> Plan {
    let mut plan = Plan::default();
    planner.build().plan(problem, &mut plan);
    plan
}

/// Plans and plays a whole campaign.
fn played(work: &Arc<Work>, sites: &[Site], planner: &TaskPlannerOptions) -> Time {
    let planned = TaskPlanned::new(planner.clone());
    let settings = Settings::new(planned.replans(), Streams::new(1));
    let campaign =
        Campaign::new(Arc::clone(work), sites.to_vec().into(), planned.build(), settings);
    let mut engine = Engine::new(campaign);
    engine.run().expect("it ends in time");
    engine.now()
}

fn named(name: &str) -> TaskPlannerOptions {
    let all = TaskPlannerOptions::defaults();
    all.into_iter().find(|one| one.name() == name).expect("it is a planner")
}

fn main() {
    let mut criterion = criterion();
    let (work, sites) = drawn(SMALL);
    let min_min = named("min_min");
    // Both end at the same tick, or the ratio would mean nothing.
    assert_eq!(
        by_definition(&work, &sites),
        (played(&Arc::new(work.clone()), &sites, &min_min) - Time::ZERO).ticks()
    );
    let mut table = Table::new(&mut criterion, "definition", "task", "by definition");
    let count = work.tasks();
    table.measure(
        SMALL.0,
        "by definition",
        count,
        || (),
        |()| black_box(by_definition(&work, &sites)),
    );
    let asked = problem(&work, &sites);
    table.measure(SMALL.0, "min_min", count, || (), |()| black_box(plan(&min_min, &asked)));
    table.finish();

    let mut table = Table::new(&mut criterion, "tasks", "plan", "min_min");
    for size in SIZES {
        let (work, sites) = drawn(size);
        let asked = problem(&work, &sites);
        for name in ["min_min", "mct", "max_min", "sufferage", "game_quick", "lp_rounding"] {
            let planner = named(name);
            table.measure(size.0, name, 1, || (), |()| black_box(plan(&planner, &asked)));
        }
        let work = Arc::new(work);
        for name in ["min_min", "game_quick"] {
            let planner = named(name);
            table.measure(
                size.0,
                format!("{name}, played"),
                1,
                || (),
                |()| black_box(played(&work, &sites, &planner)),
            );
        }
    }
    table.finish();
    criterion.final_summary();
}
