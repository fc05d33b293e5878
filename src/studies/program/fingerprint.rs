//! `gridpact study fingerprints`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, ValueHint};
use policy::learn::LearnerOptions;
use report::page::Named;

use super::study::{Answered, registered, writable};
use crate::fingerprint::{Effort, Fingerprint, fingerprints, map, points, table, told};
use cli::{Failure, Threads, format, progress};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A registered learner; may be repeated [default: all].
    #[arg(long, value_name = "NAME")]
    learner: Vec<String>,
    /// Rounds of a run.
    #[arg(long, value_name = "N", default_value = "400",
        value_parser = clap::value_parser!(u64).range(4..=1_000_000))]
    rounds: u64,
    /// Runs of each point.
    #[arg(long, value_name = "N", default_value = "20",
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// Master seed of all random draws.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Also write all points to this file, as CSV, or a page of maps if its name ends in `.html`.
    ///
    /// It replaces one that is there.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    #[command(flatten)]
    choice: format::Choice,
    /// Print no progress.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

pub(super) fn play(arguments: &Arguments) -> Result<(), Failure> {
    let [learners, out] = learners(&arguments.learner)?;
    let Arguments { rounds, runs, seed, .. } = *arguments;
    let effort = Effort { rounds, runs, seed };
    writable(arguments.output.as_deref())?;
    let (pool, at) = (arguments.threads.pool()?, AtomicUsize::new(0));
    let all = points() * learners.len();
    let message = || format!("{} of {all} points", at.load(Ordering::Relaxed));
    let share = || Some(at.load(Ordering::Relaxed) as f64 / all as f64);
    let work = || pool.install(|| fingerprints(&learners, effort, &at));
    let found = progress::shown_with(message, share, arguments.quiet, work);
    let named = |one: &Fingerprint| Named { name: one.learner.to_owned(), picture: map(one) };
    let answered = Answered {
        title: "Fingerprints of learners".to_owned(),
        plain: table(&found),
        shown: told(&found, effort),
        sentences: out.iter().map(left_out).collect(),
        pictures: found.iter().map(named).collect(),
    };
    if let Some(file) = &arguments.output {
        answered.write(file)?;
    }
    answered.print(arguments.choice.format)
}

/// The learners of these names, with their default parameters, and those that are left out.
fn learners(names: &[String]) -> Result<[Vec<LearnerOptions>; 2], Failure> {
    registered(names)?;
    let mut asked = LearnerOptions::defaults();
    asked.retain(|one| names.is_empty() || names.iter().any(|name| name == one.name()));
    let (out, asked): (Vec<_>, Vec<_>) = asked.into_iter().partition(|one| one.wanted().rules);
    match (&out[..], names.is_empty()) {
        ([one, ..], false) => Err(Failure::Input(left_out(one))),
        _ => Ok([asked, out]),
    }
}

fn left_out(one: &LearnerOptions) -> String {
    format!(
        "`{}` asks for the payoffs of the whole game, which a lone coalition does not have",
        one.name()
    )
}
