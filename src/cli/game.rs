//! `gridpact game`.

mod solve;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand, ValueHint};
use gridpact::report::game::{Played, dynamics as moves, players, summary, warnings};
use gridpact::report::table::Format;
use gridpact::run::Progress;
use gridpact::run::dynamics;
use gridpact::run::folder;
use gridpact::run::game::{self, GameTiming};
use gridpact::scenario::plan::GamePlan;

use super::{Failure, format, help, load, print, print_prose, progress, run, say};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    game: load::Game,
    /// Folder for the results [default: results/NAME OF THE GAME].
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "dry",
          value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
    /// Replace the results of another run.
    #[arg(long)]
    force: bool,
    /// Only print the summary, write no files.
    #[arg(long = "no-files")]
    dry: bool,
    /// Number of replications, instead of the file's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    replications: Option<u32>,
    /// Threads that play replications [default: one for each core]. Results do not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    choice: format::Choice,
    /// Print only errors and warnings.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Solve a game: equilibria, long-run play and fair shares.
    ///
    /// Nothing is played and no files are written.
    #[command(after_help = help::SHORT, after_long_help = help::GAME_SOLVE)]
    Solve(solve::Arguments),
}

pub(super) fn game(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(Command::Solve(arguments)) = &arguments.command {
        return solve::solve(arguments);
    }
    let begun = Instant::now();
    let set = arguments.replications.map(|number| format!("run.replications={number}"));
    let plan = arguments.game.load(set)?;
    let read_seconds = begun.elapsed().as_secs_f64();
    let folder =
        (!arguments.dry).then(|| arguments.out.clone().unwrap_or_else(|| folder::default(&plan)));
    if let Some(folder) = &folder {
        folder::prepare(folder, &plan, arguments.force).map_err(run::no_folder)?;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.unwrap_or(cores);
    let progress = Progress::default();
    let rounds = plan.rounds as f64 * f64::from(plan.replications);
    let share = || Some((progress.rounds() as f64 / rounds).min(1.0));
    if let Some(moving) = &plan.dynamics {
        let (moved, timing) = progress::shown(&progress, share, arguments.quiet, || {
            dynamics::run(&plan, moving, folder.as_deref(), threads, read_seconds, &progress)
        })?;
        let (format, width) = (arguments.choice.format, format::width());
        let (folder, seconds) = (folder.as_deref(), timing.run_seconds);
        return match arguments.quiet {
            true => Ok(()),
            false => shown(
                &moves::summary(&plan, moving, &moved, seconds, folder, format, width),
                format,
            ),
        };
    }
    let (played, timing) = progress::shown(&progress, share, arguments.quiet, || {
        game::run(&plan, folder.as_deref(), threads, read_seconds, &progress)
    })?;
    let format = arguments.choice.format;
    // The summary for people includes the warnings.
    if arguments.quiet || format != Format::Text {
        warnings::of(&played).iter().for_each(|one| say(&format!("warning: {one}")));
    }
    if !arguments.quiet {
        shown(&told(&plan, &played, &timing, folder.as_deref(), format), format)?;
    }
    Ok(())
}

/// Prints the output in its format.
fn shown(text: &str, format: Format) -> Result<(), Failure> {
    if format == Format::Text { print_prose(text) } else { print(text) }
}

/// Output at the end of a game.
fn told(
    plan: &GamePlan,
    played: &Played,
    timing: &GameTiming,
    folder: Option<&Path>,
    format: Format,
) -> String {
    let width = format::width();
    match format {
        Format::Text => summary::render(plan, played, timing.run_seconds, folder, width),
        Format::Markdown => players::summary(plan, played).render(format, width),
        Format::Json | Format::Csv => players::table(plan, played).render(format, width),
    }
}
