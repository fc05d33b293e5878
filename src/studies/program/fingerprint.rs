//! `gridpact study fingerprints`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use policy::learn::LearnerOptions;
use report::page::Named;
use scenario::aliases::choice_meant;
use scenario::diagnostics::show;

use super::study::Answered;
use crate::fingerprint::{Effort, Fingerprint, fingerprints, map, table, told};
use cli::{Failure, Threads, format};

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
}

pub(super) fn play(arguments: &Arguments) -> Result<(), Failure> {
    let learners = learners(&arguments.learner)?;
    let Arguments { rounds, runs, seed, .. } = *arguments;
    let effort = Effort { rounds, runs, seed };
    let found = arguments.threads.pool()?.install(|| fingerprints(&learners, effort));
    let named = |one: &Fingerprint| Named { name: one.learner.to_owned(), picture: map(one) };
    let answered = Answered {
        title: "Fingerprints of learners".to_owned(),
        plain: table(&found),
        shown: told(&found, effort),
        sentences: Vec::new(),
        pictures: found.iter().map(named).collect(),
    };
    if let Some(file) = &arguments.output {
        answered.write(file)?;
    }
    answered.print(arguments.choice.format)
}

/// The learners of these names, with their default parameters.
fn learners(names: &[String]) -> Result<Vec<LearnerOptions>, Failure> {
    let all = LearnerOptions::defaults();
    let known: Vec<&str> = all.iter().map(LearnerOptions::name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        let help = choice_meant(name, &known).help();
        let help = help.unwrap_or_else(|| "`gridpact list learners` names them".to_owned());
        let name = show(name);
        return Err(Failure::Input(format!("there is no learner called `{name}`\nhelp: {help}")));
    }
    let is_asked =
        |one: &LearnerOptions| names.is_empty() || names.iter().any(|name| name == one.name());
    let asked: Vec<LearnerOptions> = all.into_iter().filter(is_asked).collect();
    if let [one] = &asked[..]
        && one.wanted().rules
    {
        return Err(Failure::Input(format!(
            "`{}` asks for the payoffs of the whole game, which a lone coalition does not have",
            one.name()
        )));
    }
    Ok(asked)
}
