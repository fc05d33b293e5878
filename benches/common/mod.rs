//! Shared code of the benches: traces in memory, grids built from them by hand, tables of ratios to
//! a baseline measured in the same run, and instruction counts.
#![allow(dead_code, missing_docs)]

pub mod averaging;
pub mod queues;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode};
use gridpact::kernel::engine::Engine;

use gridpact::kernel::rng::Streams;
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::{ClusterId, OrganizationId};
use gridpact::model::job::Job;
use gridpact::model::machine::Machine;
use gridpact::policy::coalition::{AnyBalancer, BalancerOptions};
use gridpact::policy::grid::GridOptions;
use gridpact::policy::local::{AnyLocal, LocalOptions, Setup, conservative, easy, fcfs, list};
use gridpact::scenario::parts::{AnyCluster, AnySource};
use gridpact::sim::accounts::{Accounts, Counting, Owned};
use gridpact::sim::cluster::{Bare, SpaceShared, TimeShared};
use gridpact::sim::grid::{Grid, Settings};
use gridpact::sim::observer::Observer;
use gridpact::sim::pool::{
    AsLoad, Balances, Balancing, Loads, PoolGame, PoolObserver, Presence, Rounds, Season, Sends,
};
use gridpact::workload::Source;
use gridpact::workload::arrivals::Arrivals;
use gridpact::workload::draw::Sizes;
use gridpact::workload::jobs::ListSource;
use gridpact::workload::owners::Assignment;
use gridpact::workload::swf::{self, SwfSource};
use gridpact::workload::synthetic::{Synthetic, SyntheticModel, SyntheticOptions};
use rand::RngExt as _;

/// The schedulers to compare, by their names in a scenario.
pub const SCHEDULERS: [&str; 3] = ["fcfs", "easy", "conservative"];

pub const ONE: OrganizationId = OrganizationId(0);

/// A trace of the Parallel Workloads Archive and the size of its machine.
#[derive(Clone, Copy)]
pub struct Trace {
    pub name: &'static str,
    file: &'static str,
    pub processors: u32,
}

pub const KTH: Trace =
    Trace { name: "KTH-SP2", file: "KTH-SP2-1996-2.1-cln.swf.gz", processors: 100 };
pub const CTC: Trace =
    Trace { name: "CTC-SP2", file: "CTC-SP2-1996-3.1-cln.swf.gz", processors: 338 };
pub const HPC2N: Trace =
    Trace { name: "HPC2N", file: "HPC2N-2002-2.2-cln.swf.gz", processors: 240 };

impl Trace {
    /// Its path: one trace is part of the project, the others are in the folder named by the
    /// environment variable `GRIDPACT_TRACES`.
    pub fn path(&self) -> Option<PathBuf> {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/traces");
        let more = std::env::var_os("GRIDPACT_TRACES").map(PathBuf::from);
        let folders = [Some(own), more].into_iter().flatten();
        folders.map(|folder| folder.join(self.file)).find(|path| path.exists())
    }

    /// Its jobs, all owned by organization 0.
    pub fn jobs(&self) -> Option<Vec<Job>> {
        let path = self.path()?;
        Some(parse(&path))
    }
}

/// The available ones of the three traces.
pub fn traces() -> Vec<Trace> {
    let (there, missing): (Vec<_>, Vec<_>) =
        [KTH, CTC, HPC2N].into_iter().partition(|trace| trace.path().is_some());
    for trace in missing {
        eprintln!("skipped: {} is not in the folder GRIDPACT_TRACES", trace.file);
    }
    there
}

/// Surveys and reads a trace.
pub fn parse(path: &Path) -> Vec<Job> {
    let survey = swf::survey(path, &swf::Options::default()).expect("the trace can be read");
    let mut source = SwfSource::new(&survey, Assignment::one("all"), 0, ONE);
    let next = || source.next().expect("the trace can be read again");
    std::iter::from_fn(next).collect()
}

/// Builds a scheduler by name.
pub fn scheduler(name: &str, processors: u32) -> AnyLocal {
    let streams = Streams::new(1);
    let options = match name {
        "fcfs" => LocalOptions::Fcfs(fcfs::Options::default()),
        "easy" => LocalOptions::Easy(easy::Options::default()),
        "conservative" => LocalOptions::Conservative(conservative::Options::default()),
        "list" => LocalOptions::List(list::Options::default()),
        other => panic!("no scheduler {other}"),
    };
    options.build(&Setup { name: "cluster", processors, streams: &streams })
}

/// A source of these jobs.
pub fn held(jobs: &[Job]) -> ListSource {
    ListSource::new(jobs.to_vec())
}

/// A grid of the types used by scenarios, ready to run.
pub type Ready<O> = Engine<Grid<AnyCluster, AnySource, O>>;

/// Jobs on one space-shared cluster, shared by several organizations.
pub fn space_shared<O: Observer>(
    jobs: ListSource,
    processors: u32,
    name: &str,
    organizations: u32,
    observer: O,
) -> Ready<O> {
    let mut grid = Grid::new(Settings::default(), observer);
    let cluster = SpaceShared::new(processors, scheduler(name, processors));
    let cluster = grid.add_cluster(AnyCluster::SpaceShared(cluster));
    for _ in 0..organizations {
        grid.add_organization(vec![cluster]);
    }
    grid.add_source(AnySource::List(jobs)).expect("jobs in memory can be read");
    grid.start()
}

/// Poisson arrivals at rate 0.8.
pub const ARRIVALS: Arrivals = Arrivals::poisson(0.8);
/// Exponential sizes of mean 1.
pub const SIZES: Sizes = Sizes::exponential(1.0);

/// Name of the random streams of one M/M/1 queue.
pub fn stream_name(queue: u32) -> String {
    format!("organization/{queue}")
}

/// Independent M/M/1 queues in one loop, each with its own organization and cluster; they share a
/// model, like the copies of a scenario's entry.
pub fn mm1<O: Observer>(queues: u32, customers_each: u64, observer: O) -> Ready<O> {
    let streams = Streams::new(1);
    let mut grid = Grid::new(Settings::default(), observer);
    let options =
        SyntheticOptions { jobs: Some(customers_each), ..SyntheticOptions::new(ARRIVALS, SIZES) };
    let model = Arc::new(SyntheticModel::new(options).expect("the parameters are valid"));
    for queue in 0..queues {
        let cluster = grid.add_cluster(AnyCluster::TimeShared(TimeShared::new()));
        let organization = grid.add_organization(vec![cluster]);
        let (model, name) = (Arc::clone(&model), stream_name(queue));
        let source = Synthetic::of(model, &name, queue, organization, &streams);
        grid.add_source(AnySource::Synthetic(Box::new(source))).expect("draws do not fail");
    }
    grid.start()
}

/// Runs a grid to its end.
pub fn run<O: Observer>(mut engine: Ready<O>) -> Ready<O> {
    engine.run().expect("nothing goes wrong");
    engine
}

/// Accounts of organizations that own `clusters` clusters of `processors`, assigned in turn.
pub fn accounts(organizations: u32, clusters: u32, processors: u32) -> Accounts {
    let owner = |cluster| OrganizationId(cluster % organizations);
    let clusters =
        (0..clusters).map(|cluster| Owned { owner: owner(cluster), processors }).collect();
    Accounts::new(organizations as usize, clusters, Counting::default())
}

/// Processors of the largest clusters, and of the widest jobs, of [`sizes`].
pub const WIDEST: u32 = 4000;

/// Processors of so many clusters of so many sizes, which are spread evenly up to [`WIDEST`] and come
/// in turn.
pub fn sizes(clusters: usize, sizes: u32) -> Vec<u32> {
    (1..=sizes).map(|size| WIDEST * size / sizes).cycle().take(clusters).collect()
}

/// Jobs at a load of these clusters, or all at once without a load.
///
/// Runtimes are uniform up to 2000 units. Widths are log-uniform, so that the jobs which only large
/// clusters can run are a smaller part of these clusters' load: at a load below one queues stay short.
/// Submissions are those of a Poisson process with so many events.
pub fn jobs_for(clusters: &[u32], load: Option<f64>, jobs: u32) -> Vec<Job> {
    let mut rng = Streams::new(1).stream("bench/placing");
    let widest = clusters.iter().copied().max().expect("there are clusters");
    let scale = f64::from(widest + 1).ln();
    let mut jobs: Vec<Job> = (0..jobs)
        .map(|_| {
            let width = (rng.random::<f64>() * scale).exp() as u32;
            let runtime = Span::from_ticks(rng.random_range(1..=2_000_000_000));
            Job {
                runtime,
                estimate: runtime,
                processors: width.clamp(1, widest),
                organization: ONE,
                ..Job::default()
            }
        })
        .collect();
    let mut submits = vec![0; jobs.len()];
    if let Some(load) = load {
        let area: i128 = jobs.iter().map(Job::area).sum();
        let processors: f64 = clusters.iter().copied().map(f64::from).sum();
        let span = (area as f64 / (load * processors)) as i64;
        submits.fill_with(|| rng.random_range(0..=span));
        submits.sort_unstable();
    }
    for ((job, submit), number) in jobs.iter_mut().zip(submits).zip(1..) {
        job.submit = Time::from_ticks(submit);
        job.number = number;
    }
    jobs
}

/// Jobs that a grid scheduler starts on clusters without schedulers, with accounts.
pub fn placed(scheduler: GridOptions, clusters: &[u32], jobs: ListSource) -> Ready<Accounts> {
    let owned = clusters.iter().map(|&processors| Owned { owner: ONE, processors });
    let accounts = Accounts::new(1, owned.collect(), Counting::default());
    let mut grid = Grid::new(Settings::default(), accounts);
    let bare = |&processors: &u32| AnyCluster::Bare(Bare(Machine::new(processors)));
    let clusters: Vec<ClusterId> =
        clusters.iter().map(|cluster| grid.add_cluster(bare(cluster))).collect();
    grid.add_organization(clusters);
    grid.schedule(scheduler);
    grid.add_source(AnySource::List(jobs)).expect("jobs in memory can be read");
    grid.start()
}

/// Settings with which all benches together take a few minutes.
pub fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(50))
        .measurement_time(Duration::from_millis(250))
        .without_plots()
        .configure_from_args()
}

/// Times of contestants (columns) in several settings (rows), and their ratios to one column.
///
/// Criterion reports each time with its spread; the ratios use the smallest times, which are least
/// affected by other processes.
pub struct Table<'a> {
    group: BenchmarkGroup<'a, WallTime>,
    title: &'static str,
    unit: &'static str,
    baseline: &'static str,
    rows: Vec<(String, String, f64)>,
}

impl<'a> Table<'a> {
    /// A table of times for each `unit`, compared with the column `baseline`.
    pub fn new(
        criterion: &'a mut Criterion,
        title: &'static str,
        unit: &'static str,
        baseline: &'static str,
    ) -> Table<'a> {
        let mut group = criterion.benchmark_group(title);
        group.sampling_mode(SamplingMode::Flat);
        Table { group, title, unit, baseline, rows: Vec::new() }
    }

    /// Times `run`, which does `units` of work, excluding `setup` and the drop of its result.
    pub fn measure<T, U>(
        &mut self,
        row: impl ToString,
        column: impl ToString,
        units: u64,
        setup: impl FnMut() -> T,
        run: impl FnMut(T) -> U,
    ) {
        let origin = Instant::now();
        self.measure_by(|| origin.elapsed(), row, column, units, setup, run);
    }

    /// Same as [`measure`](Self::measure), by another clock.
    pub fn measure_by<T, U>(
        &mut self,
        clock: impl Fn() -> Duration,
        row: impl ToString,
        column: impl ToString,
        units: u64,
        mut setup: impl FnMut() -> T,
        mut run: impl FnMut(T) -> U,
    ) {
        let (row, column) = (row.to_string(), column.to_string());
        let mut least = Duration::MAX;
        self.group.bench_function(format!("{column}/{row}"), |bencher| {
            bencher.iter_custom(|iterations| {
                let mut total = Duration::ZERO;
                for _ in 0..iterations {
                    let input = setup();
                    let begun = clock();
                    let output = run(black_box(input));
                    let took = clock() - begun;
                    drop(black_box(output));
                    least = least.min(took);
                    total += took;
                }
                total
            });
        });
        if least < Duration::MAX {
            self.rows.push((row, column, least.as_secs_f64() / units as f64));
        }
    }

    /// Prints the ratios.
    pub fn finish(self) {
        self.group.finish();
        if self.rows.is_empty() {
            return;
        }
        println!(
            "\n{}: least time a {}, and its ratio to `{}`",
            self.title, self.unit, self.baseline
        );
        let mut last = "";
        for (row, column, seconds) in &self.rows {
            if row != last {
                println!("  {row}");
                last = row;
            }
            let base = self.rows.iter().find(|(r, c, _)| r == row && c == self.baseline);
            let ratio = base.map_or(String::new(), |(.., base)| format!("x {:.2}", seconds / base));
            let (nanoseconds, millions) = (seconds * 1e9, 1e-6 / seconds);
            println!("    {column:<30} {nanoseconds:>12.1} ns {millions:>9.3} M/s {ratio:>10}");
        }
        println!();
    }
}

/// Processor time of this thread so far, in user and system mode; the time of day where the system
/// does not tell.
pub fn processor_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    let time_of_day = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    spent.map_or_else(time_of_day, Duration::from_nanos)
}

/// The code that is counted when a bench runs itself under callgrind.
#[inline(never)]
pub fn measured_section<T>(run: impl FnOnce() -> T) -> T {
    black_box(run())
}

/// Number of instructions that this program, run again with these arguments, executes in
/// [`measured_section`]; `None` without valgrind.
pub fn instructions(arguments: &[&str]) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=*measured_section*")
        .arg(program)
        .args(arguments)
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr);
    let (_, collected) = text.split_once("Collected :")?;
    collected.split_whitespace().next()?.parse().ok()
}

/// The arguments after `flag`, if present.
pub fn arguments_after(flag: &str) -> Option<Vec<String>> {
    let mut arguments = std::env::args().skip_while(|argument| argument != flag);
    arguments.next().map(|_| arguments.collect())
}

const WORKLOAD: &str = "arrivals.poisson = { rate = 0.2 }
size.gamma = { shape = 2.0, scale = 2.0 }
rounding = { arrivals = \"floor\", size = \"ceil\" }";

/// Job sources of typical clusters.
pub fn sources(clusters: usize) -> Vec<Synthetic> {
    let options = toml::from_str(WORKLOAD).expect("it is a workload");
    let model = Arc::new(SyntheticModel::new(options).expect("its parameters can be"));
    let source = |cluster: usize| {
        let (name, number) = (format!("organization/{cluster}"), cluster as u32);
        Synthetic::of(model.clone(), &name, number, OrganizationId(number), &Streams::new(1))
    };
    (0..clusters).map(source).collect()
}

pub type Game<O = ()> = PoolGame<Synthetic, AnyBalancer, O>;

/// A pool of typical clusters.
pub fn pool(clusters: usize, balancer: &BalancerOptions, rounds: Rounds) -> Game {
    observed_pool(clusters, balancer, rounds, ())
}

/// The same with an observer.
pub fn observed_pool<O: PoolObserver>(
    clusters: usize,
    balancer: &BalancerOptions,
    rounds: Rounds,
    observer: O,
) -> Game<O> {
    let as_load = AsLoad { processors: 1, unit: balancer.unit() };
    let loads = sources(clusters).into_iter().map(|source| Loads::new(source, as_load));
    let balancing = Balancing {
        unit: balancer.unit(),
        spacing: balancer.spacing(),
        sends: Sends::Tail,
        balances: Balances::default(),
    };
    let season =
        Season { period: Span::units(1000), window: Span::units(200)..Span::units(800), rounds };
    let (presence, streams) = (vec![Presence::default(); clusters], Streams::new(1));
    let balancer = balancer.build();
    let loads = loads.collect();
    let game = PoolGame::new(loads, presence, balancer, balancing, season, streams, observer);
    game.expect("jobs can be drawn")
}
