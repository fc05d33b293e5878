//! Throughput of a whole simulation, in jobs per second.
//!
//! Three columns: jobs in memory without observers; the same with accounts and histograms; and
//! everything, from the gzip file through survey and parsing to the results, but without writing
//! files. The baseline is a minimal hand-written loop: FCFS on the same jobs with a heap of ends
//! and a queue, and for M/M/1 the Lindley recursion over the same draws; both only sum the waiting
//! times. CTC-SP2 and HPC2N, from the Parallel Workloads Archive, run if the environment variable
//! `GRIDPACT_TRACES` names their folder.
//!
//! Another table has many short replications, with what few jobs must share: histograms and
//! timelines. The baseline is the same runs without them.

mod common;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::path::Path;

use common::queues::Queues;
use common::*;
use criterion::Criterion;
use gridpact::kernel::rng::Streams;
use gridpact::kernel::time::Time;
use gridpact::model::job::Job;
use gridpact::run::{self, Progress};
use gridpact::scenario::files::Files;
use gridpact::scenario::{self, Input, Overrides};
use gridpact::workload::draw::Draw as _;
use gridpact::workload::rounding::nearest;

const BY_HAND: &str = "FCFS by hand";

/// Total waiting time under FCFS, in ticks.
fn fcfs_by_hand(jobs: &[Job], processors: u32) -> i128 {
    let mut ends: BinaryHeap<Reverse<(Time, u32)>> = BinaryHeap::new();
    let mut queue: VecDeque<&Job> = VecDeque::new();
    let mut coming = jobs.iter().peekable();
    let (mut free, mut waits) = (processors, 0);
    loop {
        let submit = coming.peek().map(|job| job.submit);
        let end = ends.peek().map(|end| end.0.0);
        let Some(now) = submit.into_iter().chain(end).min() else {
            return waits;
        };
        while let Some(Reverse((_, freed))) = ends.peek().filter(|end| end.0.0 == now) {
            free += freed;
            ends.pop();
        }
        while let Some(job) = coming.next_if(|job| job.submit == now) {
            queue.push_back(job);
        }
        while let Some(job) = queue.front().filter(|job| job.processors <= free) {
            free -= job.processors;
            waits += i128::from((now - job.submit).ticks());
            ends.push(Reverse((now + job.runtime, job.processors)));
            queue.pop_front();
        }
    }
}

/// Total waiting time in M/M/1, in ticks: Lindley 1952, W' = max(0, W + S - A).
fn lindley(customers: u64) -> i128 {
    let streams = Streams::new(1);
    let name = stream_name(0);
    let mut arrivals = streams.stream(&format!("{name}/arrivals"));
    let mut sizes = streams.stream(&format!("{name}/sizes"));
    let (mut wait, mut waits) = (0, 0);
    let gap = ARRIVALS.sampler().expect("the rate is one");
    let size = SIZES.sampler().expect("the mean is one");
    let mut draw =
        || (nearest(size.draw(&mut sizes)).ticks(), nearest(gap.draw(&mut arrivals)).ticks());
    let (mut size, _) = draw();
    for _ in 0..customers {
        waits += i128::from(wait);
        let (next, gap) = draw();
        wait = (wait + std::mem::replace(&mut size, next) - gap).max(0);
    }
    waits
}

/// Reads a scenario file and runs it; returns the number of jobs.
fn everything(file: &Path) -> u64 {
    let (plan, _) = scenario::load(Input::File(file), &Overrides::default(), &mut Files::new())
        .expect("the scenario is right");
    let outcome = run::run(&plan, None, 1, 0.0, &Progress::default()).expect("nothing goes wrong");
    outcome.timing.jobs
}

fn traces_end_to_end(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for the scenarios");
    let mut table = Table::new(criterion, "traces", "job", BY_HAND);
    for trace in traces() {
        let (path, jobs) = (trace.path().expect("it is there"), trace.jobs().expect("it is there"));
        let jobs: Vec<Job> =
            jobs.into_iter().filter(|job| job.processors <= trace.processors).collect();
        let (processors, count) = (trace.processors, jobs.len() as u64);
        let source = held(&jobs);
        let watched =
            run(space_shared(source.clone(), processors, "fcfs", 1, accounts(1, 1, processors)));
        let waits = watched.world().observer().grid().wait.sum();
        assert_eq!(waits, fcfs_by_hand(&jobs, processors), "both do the same work");
        for name in SCHEDULERS {
            let row = format!("{} {name}, {count} jobs", trace.name);
            table.measure(&row, BY_HAND, count, || (), |()| fcfs_by_hand(&jobs, processors));
            let ready = || space_shared(source.clone(), processors, name, 1, ());
            table.measure(&row, "in memory", count, ready, run);
            let ready =
                || space_shared(source.clone(), processors, name, 1, accounts(1, 1, processors));
            table.measure(&row, "in memory, with accounts", count, ready, run);
            let file = folder.path().join(format!("{}-{name}.toml", trace.name));
            let text = format!(
                "name = \"bench\"\n[[organization]]\nname = \"all\"\n\
                 cluster.space_shared = {{ processors = {processors}, scheduler.{name} = {{}} }}\n\
                 workload.swf = {{ file = {:?} }}\n",
                path.canonicalize().expect("it is there")
            );
            std::fs::write(&file, text).expect("the scenario can be written");
            table.measure(&row, "everything from gzip on", count, || (), |()| everything(&file));
        }
    }
    table.finish();
}

fn mm1_end_to_end(criterion: &mut Criterion) {
    const CUSTOMERS: u64 = 200_000;
    const BY_HAND: &str = "Lindley by hand";
    let watched = run(mm1(1, CUSTOMERS, accounts(1, 1, 1)));
    let waits = watched.world().observer().grid().wait.sum();
    assert_eq!(waits, lindley(CUSTOMERS), "both do the same work");
    let mut table = Table::new(criterion, "M/M/1", "customer", BY_HAND);
    let row = format!("{CUSTOMERS} customers at load 0.8");
    table.measure(&row, BY_HAND, CUSTOMERS, || (), |()| lindley(CUSTOMERS));
    table.measure(&row, "simulated", CUSTOMERS, || mm1(1, CUSTOMERS, ()), run);
    let ready = || mm1(1, CUSTOMERS, accounts(1, 1, 1));
    table.measure(&row, "simulated, with accounts", CUSTOMERS, ready, run);
    table.finish();
}

/// With the same sums and histograms on both sides. By hand, the events are those of the simulation;
/// Lindley's recursion has none.
fn mm1_with_histograms(criterion: &mut Criterion) {
    const CUSTOMERS: u64 = 200_000;
    const BY_HAND: &str = "by hand, with four histograms";
    let grid = run(mm1(1, CUSTOMERS, accounts(1, 1, 1))).world().observer().grid();
    let totals = (grid.wait.sum(), grid.bounded_slowdown.sum(), CUSTOMERS);
    assert_eq!(Queues::new(1, CUSTOMERS, true).run().totals(), totals, "both do the same work");
    assert_eq!(queues::lindley(CUSTOMERS, true).0[1].sum, totals.0, "all do the same work");
    let mut table = Table::new(criterion, "M/M/1 with histograms", "customer", BY_HAND);
    let row = format!("{CUSTOMERS} customers at load 0.8");
    let ready = || Queues::new(1, CUSTOMERS, true);
    table.measure(&row, BY_HAND, CUSTOMERS, ready, Queues::run);
    let recursion = |()| queues::lindley(CUSTOMERS, true);
    table.measure(&row, "Lindley, with four histograms", CUSTOMERS, || (), recursion);
    let ready = || mm1(1, CUSTOMERS, accounts(1, 1, 1));
    table.measure(&row, "simulated, with accounts", CUSTOMERS, ready, run);
    table.finish();
}

/// Five clusters under EASY, in replications of a hundred jobs each.
const SHORT: &str = "name = \"bench\"
run = { until.jobs = 100, replications = 480 }
[[organization]]
name = \"site\"
count = 5
cluster.space_shared = { processors = 16, scheduler.easy = {} }
[organization.workload.synthetic]
arrivals.poisson.rate = 0.0366
size.exponential.mean = 100.0
processors.powers_of_two = { min = 1, max = 8, serial = 0.25 }
";

fn short_replications(criterion: &mut Criterion) {
    const WITHOUT: &str = "without";
    const REPLICATIONS: u64 = 480;
    let folder = tempfile::tempdir().expect("a folder for the scenarios");
    let mut table = Table::new(criterion, "short replications", "replication", WITHOUT);
    for (column, output) in [
        (WITHOUT, "output = { histograms = false, timeline = false }\n"),
        ("with timelines", "output.histograms = false\n"),
        ("with histograms", "output.timeline = false\n"),
        ("with both", ""),
    ] {
        let file = folder.path().join("short.toml");
        std::fs::write(&file, output.to_owned() + SHORT).expect("the scenario can be written");
        table.measure(
            "100 jobs on 5 clusters",
            column,
            REPLICATIONS,
            || (),
            |()| {
                assert_eq!(everything(&file), 100 * REPLICATIONS);
            },
        );
    }
    table.finish();
}

fn main() {
    let mut criterion = criterion();
    mm1_end_to_end(&mut criterion);
    mm1_with_histograms(&mut criterion);
    short_replications(&mut criterion);
    traces_end_to_end(&mut criterion);
    criterion.final_summary();
}
