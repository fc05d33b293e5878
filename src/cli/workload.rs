//! `gridpact workload`.

mod export;
mod show;

use clap::{Args, Subcommand};
use gridpact::scenario::plan::Plan;

use super::{Failure, help, load};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show who brings how much, how long and wide jobs are, and when they come.
    #[command(after_help = help::SHORT, after_long_help = help::WORKLOAD_SHOW)]
    Show(show::Arguments),
    /// Write the jobs as a list or as a trace.
    #[command(after_help = help::SHORT, after_long_help = help::WORKLOAD_EXPORT)]
    Export(export::Arguments),
}

/// Which jobs of a scenario.
#[derive(Debug, Args)]
struct Drawn {
    #[command(flatten)]
    scenario: load::Scenario,
    /// Draw at most so many jobs.
    #[arg(long, value_name = "N", default_value_t = gridpact::run::workload::MOST_JOBS,
          value_parser = clap::value_parser!(u64).range(1..))]
    jobs: u64,
    /// The replication whose jobs are drawn, from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    replication: u32,
}

impl Drawn {
    fn load(&self, quiet: bool) -> Result<Plan, Failure> {
        self.scenario.load(quiet)
    }
}

pub(super) fn workload(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Show(arguments) => show::show(arguments),
        Command::Export(arguments) => export::export(arguments),
    }
}
