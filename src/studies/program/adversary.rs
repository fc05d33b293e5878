//! `gridpact adversary`: searches bad instances of a grid scheduler.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::adversary::{self, Settings};
use bounds::instance::Instance;
use bounds::optimum::optimum;
use clap::{Args, ValueHint};
use kernel::time::Time;
use policy::grid::{GridOptions, REGISTRY};
use records::files::FileError;
use run::instance::makespan;
use scenario::diagnostics::{nearest, show};

use super::instance;
use cli::{Failure, Threads, print, progress, say};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Grid scheduler, by its name or with parameters, such as `grid_submission` or
    /// `grid_scheduler.list={order="largest"}`.
    scheduler: String,
    /// Number of clusters.
    #[arg(long, value_name = "N", default_value = "2")]
    clusters: usize,
    /// Maximum number of jobs. Beyond 12, many optima take long.
    #[arg(long, value_name = "N", default_value = "9",
          value_parser = clap::value_parser!(u32).range(1..=24))]
    jobs: u32,
    /// Jobs are submitted over time, not all at once.
    #[arg(long)]
    releases: bool,
    /// Maximum number of processors of a cluster.
    #[arg(long, value_name = "N", default_value = "24")]
    processors: u32,
    /// Maximum runtime, and latest submission, in units of time.
    #[arg(long, value_name = "UNITS", default_value = "8")]
    length: u32,
    /// Number of instances to schedule.
    #[arg(long, value_name = "N", default_value = "200000")]
    evaluations: u64,
    /// Number of independent searches, among which these are divided.
    #[arg(long, value_name = "N", default_value = "32")]
    restarts: u32,
    /// Seed of the search.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// File for the scenario [default: standard output].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Print only errors and warnings, and the scenario.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

/// Nodes after which an optimum is given up.
const MOST_NODES: u64 = 200_000;

pub(super) fn search(arguments: &Arguments) -> Result<(), Failure> {
    let scheduler = scheduler(&arguments.scheduler)?;
    if scheduler.needs_expected() {
        return Err(Failure::Input(format!(
            "`{}` in this order knows runtimes, and the search is about schedulers that do not\n\
             help: choose an order by processors or submission",
            scheduler.name()
        )));
    }
    let settings = Settings {
        clusters: arguments.clusters,
        jobs: arguments.jobs as usize,
        releases: arguments.releases,
        most_processors: arguments.processors,
        most_length: arguments.length,
        seed: arguments.seed,
        restarts: arguments.restarts,
        evaluations: arguments.evaluations,
        ..Settings::default()
    };
    let plays = |one: &Instance| makespan(&scheduler, one);
    let best =
        |one: &Instance| -> Option<Time> { optimum(one, MOST_NODES).ok()?.makespan.proved() };
    let done = AtomicU64::new(0);
    let share = || Some(done.load(Ordering::Relaxed) as f64 / arguments.evaluations.max(1) as f64);
    let told_of = || format!("{} instances", done.load(Ordering::Relaxed));
    let pool = arguments.threads.pool()?;
    let found = progress::shown_with(told_of, share, arguments.quiet, || {
        pool.install(|| {
            let found = adversary::search(&settings, &plays, &best, &mut |state| {
                done.store(state.evaluations, Ordering::Relaxed);
                ControlFlow::Continue(())
            })?;
            let simple = found.best.as_ref().map(|one| adversary::simplify(one, &plays, &best));
            Ok((found, simple))
        })
    });
    let (found, worst) = found.map_err(|message: String| Failure::Input(message))?;
    let Some(worst) = worst else {
        return Err(Failure::Input(
            "no optimum of an instance was proved\nhelp: allow fewer jobs".to_owned(),
        ));
    };
    let told = format!(
        "{} ends at {}, the optimum is {}: ratio {:.4}",
        scheduler.name(),
        worst.makespan,
        worst.optimum,
        worst.ratio()
    );
    let effort = format!(
        "the worst of {} instances, seed {}; {} exact optima, {} given up",
        found.evaluations, arguments.seed, found.solved, found.unproved
    );
    let name = format!("Bad case of {} (seed {})", scheduler.name(), arguments.seed);
    let comment = format!("{told}.\nFound by search: {effort}.\n");
    let text = instance::scenario(&name, &comment, &scheduler, &worst.instance);
    if !arguments.quiet {
        let size = format!(
            "{} jobs on {} clusters",
            worst.instance.tasks.len(),
            worst.instance.clusters.len()
        );
        say(&format!("{told}, with {size}; {effort}"));
    }
    match &arguments.output {
        None => print(&text),
        Some(path) => std::fs::write(path, text).map_err(|error| FileError::of(path)(error).into()),
    }
}

/// The scheduler of an argument.
fn scheduler(text: &str) -> Result<GridOptions, Failure> {
    let bare = text.trim().strip_prefix("grid_scheduler.").unwrap_or(text.trim());
    let (name, parameters) = bare.split_once('=').map_or((bare, "{}"), |(name, rest)| (name, rest));
    let name = name.trim();
    let known = || REGISTRY.iter().map(|entry| entry.name);
    if !known().any(|one| one == name) {
        let help = match nearest(name, known()).first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", known().collect::<Vec<_>>().join(", ")),
        };
        let name = show(name);
        return Err(Failure::Input(format!("there is no grid scheduler `{name}`\nhelp: {help}")));
    }
    let wrong = |message: String| {
        let help = "write parameters as in a scenario: `list={order=\"largest\"}`";
        Failure::Input(format!("`{}`: {message}\nhelp: {help}", show(text)))
    };
    let options: GridOptions = toml::from_str(&format!("{name} = {parameters}"))
        .map_err(|error| wrong(error.message().to_owned()))?;
    options.check().map_err(|invalid| wrong(invalid.to_string()))?;
    Ok(options)
}
