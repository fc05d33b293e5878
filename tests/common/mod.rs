//! Shared by several tests: random small grids, and observers that write down what happened.
//!
//! A random grid is a pure function of its seed; schedulers, clairvoyance and the like are put on
//! top of it, so that two variants of one seed get the same jobs.

// Each test file is a crate of its own and uses only a part of this.
#![allow(dead_code)]

use std::path::{Path, PathBuf};

use gridpact::audit::JobFacts;
use gridpact::kernel::calendar::Phase;
use gridpact::kernel::engine::Engine;
use gridpact::kernel::rng::{Rng, Streams};
use gridpact::kernel::state::put;
use gridpact::kernel::time::{Span, Time};
use gridpact::model::asked::Asked;
use gridpact::model::foreign::Foreign;
use gridpact::model::ids::{ClusterId, JobId, OrganizationId};
use gridpact::model::job::Job;
use gridpact::model::machine::Machine;
use gridpact::model::order::Order;
use gridpact::policy::grid::fair::{self, By};
use gridpact::policy::grid::stealing::{self, First};
use gridpact::policy::grid::{self, GridOptions};
use gridpact::policy::local::{LocalOptions, easy, list};
use gridpact::policy::plan::{
    Planned, PlannerOptions, Planning, Plays, PlaysBy, Start, WithoutJobs, ilba, molba,
};
use gridpact::scenario::plan::{
    Cluster, ClusterKind, Organization, Plan, PlannedGrid, Until, Workload, WorkloadKind,
};
use gridpact::sim::accounts::Counting;
use gridpact::sim::clairvoyance::{Clairvoyance, Correction, Predicted};
use gridpact::sim::grid::Settings;
use gridpact::sim::observer::{Finished, Observer, Started, Submitted, Unfinished};
use gridpact::sim::phase::PhaseOrder;
use gridpact::state_of_fields;
use gridpact::workload::jobs::ListSource;
use rand::Rng as _;
use serde::Serialize;

/// A file beside the checkout, if it is there.
pub fn beside(folder: &str, name: &str) -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("shared");
    let file = shared.join(folder).join(name);
    if !file.exists() {
        eprintln!("skipped: {name} is not here");
        return None;
    }
    Some(file)
}

/// A trace that the project holds.
pub fn trace_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/traces").join(name)
}

/// All orders of list scheduling.
pub const ORDERS: [Order; 8] = [
    Order::Submit,
    Order::Shortest,
    Order::Longest,
    Order::Smallest,
    Order::Largest,
    Order::SmallestArea,
    Order::LargestArea,
    Order::Random,
];

/// Predictions that are corrected when they expire.
pub const PREDICTED: Clairvoyance =
    Clairvoyance::Predicted(Predicted { correction: Correction::Gradual });
/// Predictions that are not.
pub const UNCORRECTED: Clairvoyance =
    Clairvoyance::Predicted(Predicted { correction: Correction::None });

/// Settings of a grid and its clusters.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// `None` for time-shared clusters.
    pub scheduler: Option<LocalOptions>,
    /// With one that starts jobs, clusters have no scheduler of their own.
    pub grid: Option<GridOptions>,
    /// Its clusters have no scheduler of their own.
    pub planned: Option<Planned>,
    pub clairvoyance: Clairvoyance,
    pub phase_order: PhaseOrder,
    pub kill_at_estimate: bool,
}

/// Every registered scheduler, every order of a list, and `None` for time-shared clusters.
pub fn schedulers() -> Vec<Option<LocalOptions>> {
    let mut all = LocalOptions::defaults();
    let backfill = easy::Backfill::ShortestFirst;
    all.push(LocalOptions::Easy(easy::Options { backfill, ..Default::default() }));
    for order in ORDERS {
        let list = LocalOptions::List(list::Options { order });
        if !all.contains(&list) {
            all.push(list);
        }
    }
    all.into_iter().map(Some).chain([None]).collect()
}

/// Every registered grid scheduler, with parameters that make it another.
pub fn grid_schedulers() -> Vec<GridOptions> {
    let mut all = GridOptions::defaults();
    for asked in [Asked::Batch, Asked::Every(3.0)] {
        let options = grid::grid_submission::Options { asked, shuffled: false };
        all.push(GridOptions::GridSubmission(options));
    }
    let shuffled = grid::grid_submission::Options { asked: Asked::Arrival, shuffled: true };
    all.push(GridOptions::GridSubmission(shuffled));
    for first in [First::Near, First::Big] {
        all.push(GridOptions::Stealing(stealing::Options { first, delay: 2.0 }));
    }
    for order in [Order::Longest, Order::LargestArea, Order::Random] {
        all.push(GridOptions::List(grid::list::Options { order }));
    }
    for (by, orders) in [(By::Contribution, 0), (By::Shapley, 3)] {
        all.push(GridOptions::Fair(fair::Options { by, orders }));
    }
    all.push(GridOptions::LeastDemand(grid::least_demand::Options { delay: 3.0 }));
    all.push(GridOptions::Random(grid::random::Options { delay: 0.000_001 }));
    all
}

/// Every grid scheduler in settings that it can work in.
pub fn grid_variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for grid in grid_schedulers() {
        let scheduler = (!grid.starts()).then(|| LocalOptions::Easy(Default::default()));
        for phase_order in [PhaseOrder::Instant, PhaseOrder::PerEvent] {
            for (clairvoyance, kill_at_estimate) in
                [(Clairvoyance::Estimate, true), (PREDICTED, false)]
            {
                let (scheduler, grid) = (scheduler.clone(), Some(grid.clone()));
                all.push(Variant {
                    scheduler,
                    grid,
                    planned: None,
                    clairvoyance,
                    phase_order,
                    kill_at_estimate,
                });
            }
        }
    }
    all
}

/// Every scheduler in every setting that it can work in.
pub fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for scheduler in schedulers() {
        for clairvoyance in [
            Clairvoyance::Runtime,
            Clairvoyance::Estimate,
            PREDICTED,
            UNCORRECTED,
            Clairvoyance::None,
        ] {
            let needs = scheduler.as_ref().is_some_and(LocalOptions::needs_expected);
            if needs && clairvoyance == Clairvoyance::None {
                continue;
            }
            let orders =
                [PhaseOrder::Instant, PhaseOrder::PerEvent, PhaseOrder::PerEventFreeWhenDue];
            for phase_order in orders {
                for kill_at_estimate in [false, true] {
                    let scheduler = scheduler.clone();
                    let (grid, planned) = (None, None);
                    all.push(Variant {
                        scheduler,
                        grid,
                        planned,
                        clairvoyance,
                        phase_order,
                        kill_at_estimate,
                    });
                }
            }
        }
    }
    all
}

/// Every registered planner, with parameters that make it another.
pub fn planners() -> Vec<PlannerOptions> {
    let mut all = PlannerOptions::defaults();
    all.push(PlannerOptions::Molba(molba::Options { alpha: 3 }));
    for from in [Start::Local(Default::default()), Start::OwnFirst(Default::default())] {
        all.push(PlannerOptions::Ilba(ilba::Options { from }));
    }
    all
}

/// Every planner, asked and played in different ways.
pub fn plan_variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for planner in planners() {
        for asked in [Asked::Batch, Asked::Arrival, Asked::Every(3.0)] {
            for plays_by in [PlaysBy::Order, PlaysBy::Time] {
                let turn = all.len() % 3;
                let planning = Planning {
                    asked,
                    plays_by,
                    plays: [Plays::First, Plays::LeastMakespan, Plays::LeastFlow][turn],
                    without_jobs: [WithoutJobs::Kept, WithoutJobs::LeftOut][all.len() / 2 % 2],
                };
                all.push(Variant {
                    scheduler: None,
                    grid: None,
                    planned: Some(Planned { planner: planner.clone(), planning }),
                    clairvoyance: [Clairvoyance::Estimate, Clairvoyance::Runtime, PREDICTED][turn],
                    phase_order: PhaseOrder::Instant,
                    kill_at_estimate: turn == 0,
                });
            }
        }
    }
    all
}

/// The variants of grids with and without a grid scheduler or planner.
pub fn all_variants() -> Vec<Variant> {
    variants().into_iter().chain(grid_variants()).chain(plan_variants()).collect()
}

/// Random draws that are found by name.
pub fn draws(seed: u64, name: &str) -> Rng {
    Streams::new(seed).stream(name)
}

/// A number below `limit`.
pub fn below(rng: &mut Rng, limit: u64) -> u64 {
    rng.next_u64() % limit
}

/// Size limits of a random grid.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub clusters: u64,
    pub processors: u64,
    pub jobs: u64,
}

/// A random small grid: one to three organizations that share clusters, one to three sources, jobs
/// submitted at the same instants, jobs of length zero, estimates below and above the runtime, jobs
/// too large for every cluster, now and then a run that is stopped, and a warm-up.
///
/// Times are small multiples of a tick, of a unit or of something in between, so instants coincide.
pub fn random_plan(seed: u64, size: Size, variant: &Variant) -> Plan {
    let rng = &mut draws(seed, "grid");
    let terms = &mut draws(seed, "terms");
    // Corrections are multiples of a minute, so they meet other events, or fall between them.
    let units = match variant.clairvoyance {
        PREDICTED => [1, 17_000_001, 60_000_000],
        _ => [1, 700_001, 1_000_000],
    };
    let unit = units[below(rng, 3) as usize];
    let clusters = 1 + below(rng, size.clusters);
    let organizations = 1 + below(rng, 3);
    let sources = 1 + below(rng, 3);
    let until = match below(rng, 6) {
        0 => Until::Time(Time::from_ticks(unit * below(rng, 80) as i64)),
        1 => Until::Jobs(1 + below(rng, size.jobs)),
        _ => Until::Drained,
    };
    let from = Time::from_ticks(unit * below(rng, 20) as i64);
    Plan {
        until,
        grid_scheduler: variant.grid.clone(),
        planned: variant.planned.clone(),
        settings: Settings {
            clairvoyance: variant.clairvoyance,
            phase_order: variant.phase_order,
            most_jobs: if let Until::Jobs(most) = until { Some(most) } else { None },
        },
        counting: Counting { from, quantiles: false, batches: true, ..Counting::default() },
        clusters: (0..clusters)
            .map(|index| Cluster {
                name: format!("cluster-{index}"),
                owner: OrganizationId(below(rng, organizations) as u32),
                kind: kind(variant, 1 + below(rng, size.processors) as u32),
                foreign: match variant.grid {
                    Some(_) if below(terms, 3) == 0 => Foreign::WhenNoneWaits,
                    _ => Foreign::Always,
                },
            })
            .collect(),
        organizations: (0..organizations)
            .map(|index| Organization {
                name: format!("organization-{index}"),
                uses: some_of(rng, clusters).map(|cluster| ClusterId(cluster as u32)).collect(),
                ..Organization::default()
            })
            .collect(),
        workloads: (0..sources)
            .map(|source| Workload {
                name: format!("source-{source}"),
                kind: WorkloadKind::List(random_jobs(
                    rng,
                    source as u32,
                    unit,
                    size,
                    organizations,
                )),
            })
            .collect(),
        ..empty_plan()
    }
}

/// The kind of cluster that a variant wants.
pub fn kind(variant: &Variant, processors: u32) -> ClusterKind {
    let kill_at_estimate = variant.kill_at_estimate;
    let machine = Machine { kill_at_estimate, ..Machine::new(processors) };
    match variant.scheduler.clone() {
        None if variant.grid.is_none() && variant.planned.is_none() => {
            ClusterKind::TimeShared { processors: 1 }
        }
        scheduler => ClusterKind::SpaceShared { machine, scheduler },
    }
}

/// Some of the numbers below `limit`, at least one.
fn some_of(rng: &mut Rng, limit: u64) -> impl Iterator<Item = u64> + use<> {
    let (one, others) = (below(rng, limit), rng.next_u64());
    (0..limit).filter(move |&number| number == one || others >> number & 1 == 1)
}

fn random_jobs(
    rng: &mut Rng,
    source: u32,
    unit: i64,
    size: Size,
    organizations: u64,
) -> ListSource {
    let (spread, longest) = (1 + below(rng, 60), 1 + below(rng, 20));
    let times = |rng: &mut Rng, limit| Span::from_ticks(unit * below(rng, limit) as i64);
    let jobs = (1..=1 + below(rng, size.jobs)).map(|number| {
        let submit = Time::ZERO + times(rng, spread);
        let runtime = times(rng, longest);
        let estimate = match below(rng, 4) {
            0 => runtime,
            1 => runtime + times(rng, longest),
            _ => times(rng, longest),
        };
        let widest = 1 + below(rng, size.processors + 1);
        Job {
            number,
            source,
            submit,
            runtime,
            estimate,
            processors: 1 + below(rng, widest) as u32,
            user: below(rng, 3) as u32,
            organization: OrganizationId(below(rng, organizations) as u32),
            ..Job::default()
        }
    });
    ListSource::new(jobs.collect())
}

/// A plan without anything in it.
pub fn empty_plan() -> Plan {
    Plan { counting: Counting::default(), ..Plan::new("test") }
}

/// One organization whose jobs go to one cluster of its own.
pub fn one_cluster(kind: ClusterKind, workload: WorkloadKind) -> Plan {
    let owner = OrganizationId(0);
    Plan {
        organizations: vec![Organization {
            name: "all".into(),
            uses: [ClusterId(0)].into(),
            ..Organization::default()
        }],
        clusters: vec![Cluster { name: "tower".into(), owner, kind, foreign: Foreign::Always }],
        workloads: vec![Workload { name: "all".into(), kind: workload }],
        ..empty_plan()
    }
}

/// The end that a plan sets to a run: nothing from this instant on happens.
pub fn limit(plan: &Plan) -> Time {
    if let Until::Time(time) = plan.until { time } else { Time::NEVER }
}

/// The engine of a plan's replication.
pub fn start<O: Observer>(plan: &Plan, replication: u32, observer: O) -> Engine<PlannedGrid<O>> {
    plan.build(replication, observer).expect("the sources open").start()
}

/// Runs a plan to its end and gives the observer back. The grid is compiled once for all observers.
pub fn run<O: Observer>(plan: &Plan, replication: u32, mut observer: O) -> O {
    let told: &mut dyn Observer = &mut observer;
    finish(plan, start(plan, replication, told));
    observer
}

/// Runs what is left of a plan.
pub fn finish<O: Observer>(plan: &Plan, mut engine: Engine<PlannedGrid<O>>) -> O {
    engine.run_before((limit(plan), Phase::FIRST)).expect("nothing fails");
    let end = if limit(plan) == Time::NEVER { engine.now() } else { limit(plan) };
    engine.into_world().finish(end)
}

/// A digest of everything that is told to an observer, in the order in which it is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    hash: [u8; 32],
    pub events: u64,
}

state_of_fields!(Digest { hash, events });

impl Digest {
    fn tell(&mut self, what: &impl Serialize) {
        let mut text = self.hash.to_vec();
        put(what, &mut text);
        self.hash = *blake3::hash(&text).as_bytes();
        self.events += 1;
    }
}

impl Observer for Digest {
    fn submitted(&mut self, Submitted { id, job, now, .. }: Submitted<'_>) {
        self.tell(&("submitted", id, job, now));
    }
    fn rejected(&mut self, job: &Job, now: Time) {
        self.tell(&("rejected", job, now));
    }
    fn started(&mut self, Started { id, job, cluster, start }: Started<'_>) {
        self.tell(&("started", id, job, cluster, start));
    }
    fn finished(&mut self, ended: Finished<'_>) {
        let Finished { id, job, expected, cluster, start, finish, killed } = ended;
        self.tell(&("finished", id, job, expected, cluster, start, finish, killed));
    }
    fn unfinished(&mut self, left: Unfinished<'_>) {
        let Unfinished { id, job, expected, cluster, start, is_under_way: _ } = left;
        self.tell(&("unfinished", id, job, expected, cluster, start));
    }
    fn ended(&mut self, now: Time) {
        self.tell(&("ended", now));
    }
}

/// The jobs that come, rejected ones among them, in the order in which they come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Submissions {
    pub jobs: Vec<Job>,
}

state_of_fields!(Submissions { jobs });

impl Observer for Submissions {
    fn submitted(&mut self, Submitted { job, .. }: Submitted<'_>) {
        self.jobs.push(*job);
    }
    fn rejected(&mut self, job: &Job, _: Time) {
        self.jobs.push(*job);
    }
}

/// Writes down each job as an auditor wants to read it, in the order of submission.
#[derive(Clone, Debug, Default)]
pub struct Scribe {
    pub jobs: Vec<JobFacts>,
    /// By slot, the place in `jobs`.
    places: Vec<usize>,
    /// By cluster, how many jobs have started there.
    starts: Vec<u64>,
}

// It is only used in unbroken runs.
state_of_fields!(Scribe {});

impl Scribe {
    fn submit(&mut self, job: &Job) {
        let mut facts = JobFacts::new(job.number, job.submit, job.runtime, job.processors);
        facts.source = Some(job.source);
        facts.organization = job.organization.index();
        facts.arrival = Some(self.jobs.len() as u64);
        facts.requested = job.estimate;
        facts.user = job.user;
        self.jobs.push(facts);
    }

    fn job(&mut self, id: JobId) -> &mut JobFacts {
        &mut self.jobs[self.places[id.index()]]
    }
}

impl Observer for Scribe {
    fn submitted(&mut self, Submitted { id, job, .. }: Submitted<'_>) {
        if self.places.len() <= id.index() {
            self.places.resize(id.index() + 1, usize::MAX);
        }
        self.places[id.index()] = self.jobs.len();
        self.submit(job);
    }
    fn rejected(&mut self, job: &Job, _: Time) {
        self.submit(job);
    }
    fn started(&mut self, started: Started<'_>) {
        let cluster = started.cluster.index();
        if self.starts.len() <= cluster {
            self.starts.resize(cluster + 1, 0);
        }
        let order = self.starts[cluster];
        self.starts[cluster] += 1;
        self.job(started.id).start_order = Some(order);
    }
    fn finished(&mut self, finished: Finished<'_>) {
        let job = self.job(finished.id);
        job.cluster = Some(finished.cluster.index());
        job.expected = finished.expected;
        (job.start, job.finish) = (Some(finished.start), Some(finished.finish));
        job.success = !finished.killed;
    }
    fn unfinished(&mut self, unfinished: Unfinished<'_>) {
        let job = self.job(unfinished.id);
        job.cluster = unfinished.cluster.map(ClusterId::index);
        job.waits_in_grid = job.cluster.is_none();
        job.expected = unfinished.expected;
        job.start = unfinished.start;
    }
}
