//! `gridpact workload`.

mod export;
mod import;
mod show;

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use records::files::FileError;
use scenario::plan::Plan;

use super::{Failure, help, load};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show demand by organization, job sizes and arrival patterns.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/workload-show.txt"))]
    Show(show::Arguments),
    /// Write the jobs as a list or as a trace.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/workload-export.txt"))]
    Export(export::Arguments),
    /// Convert the log of a batch system into jobs and a scenario.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/workload-import.txt"))]
    Import(import::Arguments),
}

/// Jobs of a scenario, selected on the command line.
#[derive(Debug, Args)]
struct Drawn {
    #[command(flatten)]
    scenario: load::Scenario,
    /// Maximum number of jobs to draw.
    #[arg(long, value_name = "N", default_value_t = run::workload::MOST_JOBS,
          value_parser = clap::value_parser!(u64).range(1..))]
    jobs: u64,
    /// Replication whose jobs are drawn, from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    replication: u32,
}

impl Drawn {
    fn load(&self) -> Result<Plan, Failure> {
        self.scenario.load()
    }
}

pub(super) fn workload(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Show(arguments) => show::show(arguments),
        Command::Export(arguments) => export::export(arguments),
        Command::Import(arguments) => import::import(arguments),
    }
}

/// Resolves the path of a file to be written, following links.
///
/// An existing file is only replaced on request; anything else is never replaced.
fn free(path: &Path, force: bool) -> Result<PathBuf, Failure> {
    let shown = path.display();
    let refuse = |message: &str| Err(Failure::Input(format!("{shown}{message}")));
    let Ok(itself) = fs::symlink_metadata(path) else { return Ok(path.to_owned()) };
    let Ok(found) = fs::metadata(path) else {
        return refuse(
            ": this is a link that leads nowhere\nhelp: give the file itself with `--output FILE`, \
             or remove the link",
        );
    };
    if found.is_dir() {
        return refuse(": this is a folder\nhelp: give `--output` the name of a file in it");
    }
    if !found.is_file() {
        return refuse(
            ": this is no ordinary file, and it would be replaced by one\nhelp: leave out \
             `--output` and redirect standard output to it with `> FILE`",
        );
    }
    if !force {
        return refuse(
            " is here already\nhelp: give another file with `--output FILE`, or replace it with \
             `--force`",
        );
    }
    if !itself.is_symlink() {
        return Ok(path.to_owned());
    }
    let target = fs::canonicalize(path);
    target.map_err(|error| Failure::System(FileError::of(path)(error).to_string()))
}
