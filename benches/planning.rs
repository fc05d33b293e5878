//! Cost of a plan of jobs that come at one instant, on a hundred clusters of a hundred owners.
//!
//! The baseline is `local`, list scheduling of each owner alone, which every planner makes first. So the
//! ratios say what sharing adds to it.

mod common;

use std::hint::black_box;

use common::*;
use gridpact::kernel::rng::Streams;
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::{ClusterId, JobId, OrganizationId};
use gridpact::model::speed::Speed;
use gridpact::model::view::{Blind, Expected};
use gridpact::policy::plan::{
    Known, Planner as _, PlannerOptions, Plans, Problem, Site, WithoutJobs,
};
use gridpact::workload::dealt::DrawnOwners;
use gridpact::workload::draw::UniformWhole;

/// Number of clusters, each of its own owner.
const CLUSTERS: u32 = 100;
/// Processors of each.
const PROCESSORS: u32 = 128;
/// Numbers of jobs.
const JOBS: [(&str, u32); 3] =
    [("1 000 jobs", 1_000), ("10 000 jobs", 10_000), ("100 000 jobs", 100_000)];

/// Uniform lengths and widths; owners after Zipf.
fn jobs(count: u32) -> Vec<Known> {
    let streams = Streams::new(1);
    let [mut lengths, mut widths, mut owners] =
        ["lengths", "widths", "owners"].map(|name| streams.stream(name));
    let table = DrawnOwners::default().table(CLUSTERS as usize).expect("there are owners");
    let job = |index| {
        let job = Blind {
            id: JobId(index),
            submit: Time::ZERO,
            processors: UniformWhole::new(1, PROCESSORS).draw(&mut widths),
            user: 0,
            organization: OrganizationId(table.draw(&mut owners) as u32),
        };
        let expected = Span::units(UniformWhole::new(1, 50).draw(&mut lengths).into());
        Known { job: Expected { job, expected }, uses: 0 }
    };
    (0..count).map(job).collect()
}

/// Makes a plan, with what every organization would do alone.
fn plan(planner: &PlannerOptions, jobs: Vec<Known>) -> Plans {
    let site =
        |owner| Site { owner: OrganizationId(owner), processors: PROCESSORS, speed: Speed::ONE };
    let sites = (0..CLUSTERS).map(site).collect();
    let uses = vec![(0..CLUSTERS).map(ClusterId).collect()];
    let problem = Problem::new(Time::ZERO, sites, uses, jobs, Vec::new(), WithoutJobs::Kept);
    let mut plans = Plans::default();
    planner.build().plan(&problem, &mut plans);
    plans
}

fn main() {
    let mut criterion = criterion();
    let planners = [
        PlannerOptions::Local(Default::default()),
        PlannerOptions::Molba(Default::default()),
        PlannerOptions::Ilba(Default::default()),
    ];
    let mut table = Table::new(&mut criterion, "planners", "job", planners[0].name());
    for (row, count) in JOBS {
        let drawn = jobs(count);
        for planner in &planners {
            let ready = || drawn.clone();
            table.measure(row, planner.name(), count.into(), ready, |jobs| {
                black_box(plan(planner, jobs))
            });
        }
    }
    table.finish();
    criterion.final_summary();
}
