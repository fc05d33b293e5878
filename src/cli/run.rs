//! `gridpact run`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueHint};
use gridpact::report::coalition::{self, learning};
use gridpact::report::summary;
use gridpact::report::table::Format;
use gridpact::run::folder::{self, FolderError};
use gridpact::run::live::{Live, State};
use gridpact::run::{self, Found, Outcome, Progress};
use gridpact::scenario::plan::Plan;

use super::{Failure, format, load, print, progress};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    scenario: load::Scenario,
    /// The folder for the results [default: results/NAME OF THE SCENARIO].
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "dry",
          value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
    /// Replace the results of another run.
    #[arg(long)]
    force: bool,
    /// Write no files, only print the summary.
    #[arg(long = "no-files")]
    dry: bool,
    /// How many threads run replications [default: one for each core]. It changes no result.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Say in the file live.json of the results, every second, how far the run is.
    #[arg(long, conflicts_with = "dry")]
    live: bool,
    #[command(flatten)]
    choice: format::Choice,
    /// Print nothing but errors.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let begun = Instant::now();
    let plan = arguments.scenario.load(arguments.quiet)?;
    let read_seconds = begun.elapsed().as_secs_f64();
    let folder =
        (!arguments.dry).then(|| arguments.out.clone().unwrap_or_else(|| folder::default(&plan)));
    if let Some(folder) = &folder {
        folder::prepare(folder, &plan, arguments.force).map_err(no_folder)?;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.unwrap_or(cores);
    let progress = Progress::default();
    let live = folder.as_deref().filter(|_| arguments.live).map(|folder| Live::new(folder, &plan));
    let run = || run::run(&plan, folder.as_deref(), threads, read_seconds, &progress);
    let outcome = progress::watched((&progress, &plan), live.as_ref(), arguments.quiet, run);
    let state = if outcome.is_ok() { State::Done } else { State::Failed };
    progress::ended((&progress, &plan), live.as_ref(), state);
    let outcome = outcome?;
    if !arguments.quiet {
        print(&told(&plan, &outcome, folder.as_deref(), arguments.choice.format))?;
    }
    Ok(())
}

/// What to do about a folder that cannot be used.
pub(super) fn no_folder(error: FolderError) -> Failure {
    match error {
        FolderError::File(error) => Failure::System(format!(
            "{error}\nhelp: the results need a folder that can be made and written to; give \
             another with `--out FOLDER`"
        )),
        taken @ FolderError::Taken { .. } => Failure::Input(format!(
            "{taken}\nhelp: give another folder with `--out FOLDER`, or replace them with \
             `--force`"
        )),
        foreign @ FolderError::Foreign { .. } => Failure::Input(format!(
            "{foreign}\nhelp: give another folder with `--out FOLDER`; with `--force` the results \
             go among them, over files that are called like a result"
        )),
    }
}

/// What is printed at the end.
fn told(plan: &Plan, outcome: &Outcome, folder: Option<&Path>, format: Format) -> String {
    let (width, timing) = (format::width(), &outcome.timing);
    let is_text = format == Format::Text;
    match (&outcome.found, &plan.coalition) {
        (Found::Rounds(found), Some(rules)) if is_text => {
            coalition::summary::render(plan, rules, found, timing, folder, width)
        }
        (Found::Rounds(found), _) => {
            let table = match format {
                Format::Markdown => learning::summary(&found.learned),
                _ => learning::table(&found.learned),
            };
            table.render(format, width)
        }
        (Found::Grid(results), _) if is_text => {
            summary::render(plan, results, timing, folder, width)
        }
        (Found::Grid(results), _) => {
            summary::organizations(plan, results, format).render(format, width)
        }
    }
}
