//! Scaling of the cost of a job.
//!
//! Five tables: by the length of the queue, which a closed loop keeps constant (each started job
//! is replaced a tick later); by the number of jobs of a stream at a load of 1.6, whose queue grows
//! to over a third of them; by the number of M/M/1 clusters in one loop, alone and with accounts
//! beside a loop written by hand; and by the number of organizations that share one cluster,
//! including accounts and histograms (64 organizations with full histograms, 4096 with coarse ones).
//! The baseline of each is its smallest setting, except beside the loop by hand. A sixth table gives
//! the memory of those accounts: the peak of a separate process, minus that of one without accounts.

mod common;

use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;

use common::queues::Queues;
use common::*;
use criterion::Criterion;
use gridpact::kernel::rng::{Rng, Streams};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::{ClusterId, JobId, OrganizationId};
use gridpact::model::job::Job;
use gridpact::model::jobs::Jobs;
use gridpact::policy::local::AnyLocal;
use gridpact::sim::accounts::{Accounts, Counting, Owned};
use gridpact::sim::cluster::{ClusterAgent as _, SpaceShared};
use gridpact::workload::Source as _;
use gridpact::workload::estimates::Estimates;
use gridpact::workload::lublin_feitelson::{LublinFeitelson, LublinFeitelsonOptions, Model};
use rand::RngExt as _;

/// A cluster with a constant number of waiting jobs.
struct ClosedLoop {
    cluster: SpaceShared<AnyLocal>,
    jobs: Jobs,
    rng: Rng,
    now: Time,
    missing: usize,
    number: u64,
    started: Vec<JobId>,
}

impl ClosedLoop {
    const PROCESSORS: u32 = 128;

    fn new(name: &str, waiting: usize) -> ClosedLoop {
        let cluster = SpaceShared::new(Self::PROCESSORS, scheduler(name, Self::PROCESSORS));
        let mut closed = ClosedLoop {
            cluster,
            jobs: Jobs::default(),
            rng: Streams::new(1).stream("bench/growth"),
            now: Time::ZERO,
            missing: waiting,
            number: 0,
            started: Vec::new(),
        };
        closed.advance(10);
        closed
    }

    /// Draws a job: width a power of two up to 64, runtime 1 to 10 000 s, estimate up to four times
    /// that.
    fn draw(&mut self) -> Job {
        self.number += 1;
        let runtime = self.rng.random_range(1..10_000);
        Job {
            number: self.number,
            source: 0,
            submit: self.now,
            runtime: Span::units(runtime),
            estimate: Span::units(runtime * self.rng.random_range(4..=16) / 4),
            processors: 1 << self.rng.random_range(0..=6),
            user: 0,
            organization: ONE,
            ..Job::default()
        }
    }

    fn settle(&mut self) {
        self.started.clear();
        let settled = self.cluster.settle(self.now, &mut self.jobs, &mut self.started);
        settled.expect("times stay in range");
        self.missing += self.started.len();
    }

    /// Continues until this many more jobs have finished.
    fn advance(&mut self, ends: usize) {
        let mut ended = 0;
        while ended < ends {
            if self.missing > 0 {
                self.now += Span::from_ticks(1);
            }
            for _ in 0..std::mem::take(&mut self.missing) {
                let job = self.draw();
                let id = self.jobs.insert(&job, Some(job.estimate), ClusterId(0));
                self.cluster.submit(id, &self.jobs, self.now);
            }
            self.settle();
            let (at, _) = self.cluster.next().expect("something runs");
            if self.missing > 0 && at > self.now + Span::from_ticks(1) {
                continue;
            }
            self.now = at;
            while let Some(end) = self.cluster.wake(at, &mut self.jobs) {
                self.jobs.remove(end.id);
                ended += 1;
            }
            self.settle();
        }
    }
}

fn queue_length(criterion: &mut Criterion) {
    let mut table = Table::new(criterion, "queue length", "job", "10 waiting");
    for name in ["fcfs", "easy", "list", "conservative"] {
        for waiting in [10, 100, 1000, 10_000, 100_000] {
            let ends = if name == "conservative" { (100_000 / waiting).max(10) } else { 2000 };
            let mut closed = ClosedLoop::new(name, waiting);
            let column = format!("{waiting} waiting");
            table.measure(name, column, ends as u64, || (), |()| closed.advance(ends));
        }
    }
    table.finish();
}

/// Jobs of the Lublin-Feitelson model at a load of 1.6.
fn overload(jobs: u64) -> Vec<Job> {
    let processors = ClosedLoop::PROCESSORS;
    let options = LublinFeitelsonOptions::new(processors);
    let estimates = Estimates::FModel { factor: 4.0 };
    let options =
        LublinFeitelsonOptions { load: Some(1.6), jobs: Some(jobs), estimates, ..options };
    let model = Model::new(options).expect("the parameters are valid");
    let mut stream =
        LublinFeitelson::new(Arc::new(model), "organization/all", 0, ONE, &Streams::new(1));
    std::iter::from_fn(|| stream.next().expect("draws do not fail")).collect()
}

fn growing_queues(criterion: &mut Criterion) {
    let mut table = Table::new(criterion, "growing queue", "job", "1000 jobs");
    for name in ["easy", "conservative"] {
        for jobs in [1000, 3000, 10_000, 30_000] {
            let source = held(&overload(jobs));
            let ready = || space_shared(source.clone(), ClosedLoop::PROCESSORS, name, 1, ());
            table.measure(name, format!("{jobs} jobs"), jobs, ready, run);
        }
    }
    table.finish();
}

fn clusters(criterion: &mut Criterion) {
    let mut table = Table::new(criterion, "clusters", "customer", "1 cluster");
    for clusters in [1, 2, 5, 10, 100, 1000, 10_000] {
        let column =
            if clusters == 1 { "1 cluster".into() } else { format!("{clusters} clusters") };
        // At least a hundred customers each, so that the start does not dominate.
        let customers = u64::from(clusters).max(1000) * 100;
        let ready = || mm1(clusters, customers / u64::from(clusters), ());
        table.measure("M/M/1 queues in one loop", column, customers, ready, run);
    }
    table.finish();
}

/// Accounts and quantiles of every organization, against a loop by hand that records the same.
fn clusters_with_accounts(criterion: &mut Criterion) {
    const BY_HAND: &str = "by hand, with four histograms";
    let mut table = Table::new(criterion, "clusters with accounts", "customer", BY_HAND);
    for clusters in [1, 10, 100, 1000, 10_000] {
        let each = u64::from(1000 / clusters.min(1000)) * 200;
        let customers = u64::from(clusters) * each;
        let ready = || mm1(clusters, each, accounts(clusters, clusters, 1));
        let grid = run(ready()).world().observer().grid();
        let totals = (grid.wait.sum(), grid.bounded_slowdown.sum(), customers);
        let by_hand = || Queues::new(clusters, each, true);
        assert_eq!(by_hand().run().totals(), totals, "both do the same work");
        let row = format!("{clusters} M/M/1 in one loop");
        table.measure(&row, BY_HAND, customers, by_hand, Queues::run);
        table.measure(&row, "simulated, with accounts", customers, ready, run);
    }
    table.finish();
}

/// Numbers of organizations that share a cluster.
const ORGANIZATIONS: [u32; 7] = [1, 10, 64, 100, 1000, 4096, 10_000];

/// Number of passes over the trace: enough to make the first use of accounts negligible.
const TIMES: u64 = 16;

/// The jobs of KTH-SP2, repeated `times` times, assigned to organizations in turn.
fn dealt(organizations: u32, times: u64) -> Vec<Job> {
    let jobs = KTH.jobs().expect("it is part of the project");
    let (count, last) = (jobs.len() as u64, jobs.last().expect("there are jobs").submit);
    let again = |time: u64| {
        let shift = Span::from_ticks(last.ticks() * time as i64);
        jobs.iter().map(move |job| {
            let number = count * time + job.number;
            let organization = OrganizationId((number % u64::from(organizations)) as u32);
            Job { number, organization, submit: job.submit + shift, ..*job }
        })
    };
    (0..times).flat_map(again).collect()
}

fn organizations(criterion: &mut Criterion) {
    let mut table = Table::new(criterion, "organizations", "job", "1");
    for (row, quantiles) in [("with quantiles", true), ("without quantiles", false)] {
        for organizations in ORGANIZATIONS {
            let jobs = dealt(organizations, TIMES);
            let source = held(&jobs);
            let ready = || {
                let counting = Counting { quantiles, ..Counting::default() };
                let owned = vec![Owned { owner: ONE, processors: KTH.processors }];
                let accounts = Accounts::new(organizations as usize, owned, counting);
                space_shared(source.clone(), KTH.processors, "fcfs", organizations, accounts)
            };
            table.measure(row, organizations, jobs.len() as u64, ready, run);
        }
    }
    table.finish();
}

const MEMORY: &str = "--memory-of-accounts";

/// Runs with the accounts of this many organizations, or with none; prints the peak memory.
fn hold(organizations: u32) {
    let source = held(&dealt(organizations.max(1), 1));
    let (processors, name) = (KTH.processors, "fcfs");
    if organizations == 0 {
        black_box(run(space_shared(source, processors, name, 1, ())));
    } else {
        let accounts = accounts(organizations, 1, processors);
        black_box(run(space_shared(source, processors, name, organizations, accounts)));
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!("{}", most.unwrap_or("").trim().trim_end_matches(" kB"));
}

/// The memory of the accounts, if the system reports it.
fn memory() {
    let kilobytes = |organizations: u32| -> Option<f64> {
        let mut program = Command::new(std::env::current_exe().ok()?);
        let output = program.args([MEMORY, &organizations.to_string()]).output().ok()?;
        String::from_utf8_lossy(&output.stdout).trim().parse().ok()
    };
    let Some(without) = kilobytes(0) else { return };
    println!("\nmemory of the accounts on KTH-SP2, beside {:.1} MB of all else", without / 1024.0);
    for organizations in ORGANIZATIONS {
        let more = kilobytes(organizations).unwrap_or(f64::NAN) - without;
        let each = more / f64::from(organizations);
        println!(
            "    {organizations:>6} organizations {:>9.1} MB {each:>9.1} kB each",
            more / 1024.0
        );
    }
}

fn main() {
    if let Some(arguments) = arguments_after(MEMORY) {
        return hold(arguments[0].parse().expect("a number of organizations"));
    }
    let mut criterion = criterion();
    queue_length(&mut criterion);
    growing_queues(&mut criterion);
    clusters(&mut criterion);
    clusters_with_accounts(&mut criterion);
    organizations(&mut criterion);
    memory();
    criterion.final_summary();
}
