//! `gridpact game`.

mod export;
mod solve;

use std::time::Instant;

use clap::{Args, Subcommand};

use super::{Failure, help, load, run};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    game: load::Game,
    /// Number of replications, instead of the file's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    replications: Option<u32>,
    #[command(flatten)]
    options: run::RunOptions,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Solve a game: equilibria, long-run play and fair shares.
    ///
    /// Nothing is played and no files are written.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/game-solve.txt"))]
    Solve(solve::Arguments),
    /// Write a game for other programs: Gambit, OpenSpiel, gameanalysis.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/game-export.txt"))]
    Export(export::Arguments),
}

pub(super) fn game(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Some(Command::Solve(arguments)) => return solve::solve(arguments),
        Some(Command::Export(arguments)) => return export::export(arguments),
        None => {}
    }
    let begun = Instant::now();
    let set = arguments.replications.map(|number| format!("run.replications={number}"));
    let (plan, origin) = arguments.game.load_kept(set)?;
    arguments.options.run(&plan, origin, begun)
}
