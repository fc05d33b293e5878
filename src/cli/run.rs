//! `gridpact run`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::{Args, ValueHint};
use gridpact::report::coalition::{self, learning};
use gridpact::report::summary;
use gridpact::report::table::Format;
use gridpact::run::control::{Control, Every, Span};
use gridpact::run::folder::{self, Claim, FolderError};
use gridpact::run::kept::Kept;
use gridpact::run::live::{Live, State};
use gridpact::run::{self, Found, Outcome, Progress, RunError, Way};
use gridpact::scenario::plan::Plan;

use super::{Failure, format, load, print, progress, say, signals};

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
    #[command(flatten)]
    keeping: Keeping,
    #[command(flatten)]
    choice: format::Choice,
    /// Print nothing but errors.
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

/// How a run is kept, for `run` and `resume`.
#[derive(Debug, Args)]
pub(super) struct Keeping {
    /// How often the state of a replication is saved: a time, a number of jobs or of rounds, or
    /// `never` [default: 10m].
    ///
    /// Such as `10m`, `1h30m`, `1e8 jobs` or `500 rounds`. The last two states are kept, and
    /// `gridpact resume` goes on from the latest. It changes no result.
    #[arg(long, value_name = "INTERVAL")]
    checkpoint_every: Option<Every>,
    /// Stop after so much time on the wall, such as `2h`: the state is saved, `gridpact resume`
    /// goes on, and the exit code is 75.
    #[arg(long, value_name = "TIME")]
    wall_clock: Option<Span>,
    /// Say in the file live.json of the results, every second, how far the run is.
    #[arg(long)]
    live: bool,
}

impl Keeping {
    /// How often it is saved, if it is said.
    pub(super) fn every(&self) -> Option<Every> {
        self.checkpoint_every
    }

    /// Whether it says how far it is.
    pub(super) fn live(&self) -> bool {
        self.live
    }

    /// How long this process may take, if it is said.
    pub(super) fn wall_clock(&self) -> Option<Span> {
        self.wall_clock
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let begun = Instant::now();
    let (plan, origin) = arguments.scenario.load_kept(arguments.quiet)?;
    let read_seconds = begun.elapsed().as_secs_f64();
    if arguments.dry && arguments.keeping.checkpoint_every.is_some() {
        return Err(Failure::Input(
            "--checkpoint-every needs a folder to save to\nhelp: leave `--no-files` out".to_owned(),
        ));
    }
    if arguments.dry && arguments.keeping.live {
        return Err(Failure::Input(
            "--live needs a folder to write to\nhelp: leave `--no-files` out".to_owned(),
        ));
    }
    let folder =
        (!arguments.dry).then(|| arguments.out.clone().unwrap_or_else(|| folder::default(&plan)));
    let every = arguments.keeping.checkpoint_every.unwrap_or_default();
    let claim = folder.as_deref().map(|folder| {
        let claim = folder::prepare(folder, &plan, arguments.force).map_err(no_folder)?;
        Kept::new(&plan, origin, every).write(&claim)?;
        Ok::<_, Failure>(claim)
    });
    let going = Going {
        plan: &plan,
        claim: claim.transpose()?,
        every,
        threads: arguments.threads,
        wall_clock: arguments.keeping.wall_clock,
        live: arguments.keeping.live,
        read_seconds,
        begun,
        quiet: arguments.quiet,
        format: arguments.choice.format,
    };
    going.go()
}

/// A run that is ready to begin or to go on.
pub(super) struct Going<'a> {
    pub(super) plan: &'a Plan,
    pub(super) claim: Option<Claim>,
    pub(super) every: Every,
    pub(super) threads: Option<usize>,
    pub(super) wall_clock: Option<Span>,
    pub(super) live: bool,
    pub(super) read_seconds: f64,
    pub(super) begun: Instant,
    pub(super) quiet: bool,
    pub(super) format: Format,
}

impl Going<'_> {
    /// Runs it and prints what it found, or how to go on with it.
    pub(super) fn go(&self) -> Result<(), Failure> {
        let Going { plan, claim, quiet, .. } = self;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let progress = Progress::default();
        let stop = Arc::new(AtomicBool::new(false));
        // Without a folder there is nothing to save, and the system ends the program.
        if claim.is_some() {
            signals::listen(&stop)?;
        }
        let mut control = Control::new(stop);
        if let Some(Span(time)) = self.wall_clock {
            control = control.until(self.begun + time);
        }
        let way = Way {
            claim: claim.as_ref(),
            every: claim.is_some().then_some(self.every),
            threads: self.threads.unwrap_or(cores),
            read_seconds: self.read_seconds,
            progress: &progress,
            control: &control,
        };
        let live = claim.as_ref().filter(|_| self.live);
        let live = live.map(|claim| Live::new(claim.folder(), *plan));
        let run = || run::run_kept(plan, &way);
        let ran = progress::watched((&progress, plan), live.as_ref(), *quiet, run);
        let state = match ran {
            Ok(_) => State::Done,
            Err(RunError::Interrupted) => State::Stopped,
            Err(_) => State::Failed,
        };
        progress::ended((&progress, plan), live.as_ref(), state);
        for note in control.notes() {
            say(&format!("note: {note}"));
        }
        let folder = claim.as_ref().map(Claim::folder);
        let outcome = match ran {
            Err(RunError::Interrupted) => {
                return Err(self.stopped(folder, &progress, control.is_out_of_time()));
            }
            Err(RunError::File(error)) if folder.is_some() => {
                return Err(Failure::System(format!(
                    "{error}\nhelp: what was saved is safe: once files can be written again, go \
                     on with {}",
                    resume(folder)
                )));
            }
            ran => ran?,
        };
        if !quiet {
            print(&told(plan, &outcome, folder, self.format))?;
        }
        Ok(())
    }

    /// Says how to go on.
    fn stopped(&self, folder: Option<&Path>, progress: &Progress, is_late: bool) -> Failure {
        let share = progress.share(self.plan).map(|share| format!(" {:.0}%", share * 100.0));
        let done = share.unwrap_or_else(|| format!(" {} jobs", progress.jobs()));
        let why = if is_late { "its time on the wall is over" } else { "a signal asked for it" };
        let text = match folder {
            None => {
                format!("stopped after{done}: {why}; nothing was saved, as no files are written")
            }
            Some(_) => format!(
                "stopped after{done}: {why}; the state is saved\nhelp: go on with {}",
                resume(folder)
            ),
        };
        Failure::Stopped(text)
    }
}

/// The command that goes on.
fn resume(folder: Option<&Path>) -> String {
    let folder = folder.unwrap_or(Path::new(".")).display().to_string();
    match folder.contains(|c: char| !(c.is_alphanumeric() || "/._-".contains(c))) {
        true => format!("`gridpact resume '{folder}'`"),
        false => format!("`gridpact resume {folder}`"),
    }
}

/// What to do about a folder that cannot be used.
pub(super) fn no_folder(error: FolderError) -> Failure {
    match error {
        FolderError::File(error) => Failure::System(format!(
            "{error}\nhelp: the results need a folder that can be made and written to; give \
             another with `--out FOLDER`"
        )),
        busy @ FolderError::Busy { .. } => Failure::Input(format!(
            "{busy}\nhelp: wait for its end, or give another folder with `--out FOLDER`"
        )),
        FolderError::Interrupted { folder, what } => Failure::Input(format!(
            "{}: {what} was interrupted here and can go on\nhelp: go on with {}, or begin anew \
             with `--force`",
            folder.display(),
            resume(Some(&folder))
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
