//! The program `gridpact-studies`: the commands of `gridpact` that only studies need.
//!
//! `gridpact` starts it with its own arguments, so its help pages name that program.

mod adversary;
mod contest;
mod experiment;
mod federation;
mod fingerprint;
mod help;
mod instance;
mod reproduce;
mod study;
mod worst_case;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Reproduces papers, and searches bad cases of grid schedulers.
///
/// `gridpact` starts it for the subcommands below.
#[derive(Debug, Parser)]
#[command(name = "gridpact-studies", bin_name = "gridpact", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    log: cli::Log,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search bad instances of a grid scheduler.
    ///
    /// Hill climbing on its makespan, divided by the exact optimum. The worst instance that was found is
    /// written as a scenario that `gridpact run` takes.
    #[command(after_help = cli::help::SHORT, after_long_help = help::ADVERSARY)]
    Adversary(adversary::Arguments),
    /// Reproduce the claims of a paper, and compare the results.
    ///
    /// Without an argument, the available papers are listed.
    #[command(after_help = cli::help::SHORT, after_long_help = help::REPRODUCE)]
    Reproduce(reproduce::Arguments),
    /// Run a study that belongs to no paper.
    ///
    /// Without an argument, the studies are listed.
    #[command(after_help = cli::help::SHORT, after_long_help = help::STUDY)]
    Study(study::Arguments),
    /// Print a bad case of a grid scheduler; `gridpact new worst-case` starts it.
    #[command(hide = true)]
    WorstCase(worst_case::Arguments),
}

/// Definition of the program's arguments.
fn command() -> clap::Command {
    Arguments::command()
}

/// Runs the program.
pub fn main() -> ExitCode {
    cli::program(
        |arguments: &Arguments| &arguments.log,
        |arguments| match &arguments.command {
            Command::Adversary(arguments) => adversary::search(arguments),
            Command::Reproduce(arguments) => reproduce::reproduce(arguments),
            Command::Study(arguments) => study::study(arguments),
            Command::WorstCase(arguments) => worst_case::print(arguments),
        },
    )
}
