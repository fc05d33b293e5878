//! `gridpact run`.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, ValueHint};
use report::page::PAGE;
use report::table::{Format, Table};
use report::words::screen::View;
use report::world;
use run::any::AnyWorld;
use run::conduct::conduct;
use run::control::{Control, Every, Span, Watch};
use run::folder::{self, Claim, FolderError};
use run::kept::SavedRun;
use run::live::{Live, State};
use run::world::Runnable;
use run::{Progress, RunError, RunSettings};
use scenario::origin::Origin;
use scenario::plan::Plan;

use super::{Failure, STOPPED, format, host, load, print_lines, progress, say, shell, signals};
use stats::shown::{Times, counted};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    scenario: load::Scenario,
    #[command(flatten)]
    options: RunOptions,
}

/// Options of everything that is run into a results folder: scenarios, games, comparisons.
#[derive(Clone, Debug, Args)]
pub(super) struct RunOptions {
    /// Folder for the results [default: results/ and the title in lower case].
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "dry",
          value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
    /// Replace the results of another run.
    #[arg(long)]
    pub(super) force: bool,
    /// Only print the summary, write no files.
    #[arg(long = "no-files")]
    dry: bool,
    #[command(flatten)]
    pub(super) execution: Execution,
}

/// Execution and display options, of new and of resumed runs.
#[derive(Clone, Debug, Args)]
pub(super) struct Execution {
    /// Threads that run replications [default: one for each core]. Results do not depend on it.
    /// With fewer replications, records are written on a thread of their own.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Interval between checkpoints of a replication: a time, a number of jobs or of rounds, or
    /// `never` [default: 10m].
    ///
    /// Examples: `10m`, `1h30m`, `1e8 jobs`, `500 rounds`. The last two checkpoints are kept, and
    /// `gridpact resume` continues from the latest. Results do not depend on it.
    #[arg(long, value_name = "INTERVAL", hide_short_help = true)]
    pub(super) checkpoint_every: Option<Every>,
    /// Stop after this wall-clock time, such as `2h`, with a checkpoint for `gridpact resume`; the
    /// exit code is 75.
    #[arg(long, value_name = "TIME")]
    wall_clock: Option<Span>,
    /// Take the answers of programs that decide from an earlier run, and do not start them: its results
    /// folder, or the file processes.tsv in it.
    #[arg(long, value_name = "FOLDER", hide_short_help = true, value_hint = ValueHint::AnyPath)]
    replay: Option<PathBuf>,
    /// Write the progress of the run to live.json in the results, every second.
    #[arg(long, hide_short_help = true)]
    live: bool,
    /// Show the run as a screen, as `gridpact watch` does; this writes live.json too.
    #[arg(long, hide_short_help = true, conflicts_with = "quiet")]
    watch: bool,
    /// Open the page of the results in a browser.
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    choice: format::Choice,
    /// Print the whole summary: every row, column, sentence and warning.
    ///
    /// Without it text has at most 25 lines of 80 columns: the organizations with the most work, those of
    /// one `count` in one row, the first sentences and warnings, and the numbers of what is left out.
    #[arg(long)]
    pub(super) all: bool,
    /// Form of times in text, where a unit is a second: `1 h 47 min`, or raw seconds.
    #[arg(long, value_name = "FORM", default_value = "human", hide_short_help = true,
          value_parser = format::words([
              ("human", Some("days, hours, minutes and seconds"), Times::Clock),
              ("raw", Some("numbers"), Times::Units),
          ]))]
    units: Times,
    /// Print only errors and warnings.
    #[arg(short, long, conflicts_with = "verbose")]
    pub(super) quiet: bool,
}

impl Execution {
    /// A run of this plan that is ready to start or to resume; it was being read since `begun`.
    pub(super) fn prepared<'a>(
        &'a self,
        plan: &'a Plan,
        claim: Option<Claim>,
        every: Every,
        begun: Instant,
    ) -> PreparedRun<'a> {
        let read_seconds = begun.elapsed().as_secs_f64();
        PreparedRun { plan, claim, every, execution: self, read_seconds, begun }
    }

    /// Prints a report, and its warnings where its text does not have them.
    pub(super) fn print(
        &self,
        warnings: &[String],
        text: impl FnOnce(View) -> String,
        table: impl FnOnce(Format) -> Table,
    ) -> Result<(), Failure> {
        let format = self.choice.format;
        if self.quiet || format != Format::Text {
            warnings.iter().for_each(|one| say(&format!("warning: {one}")));
        }
        match format {
            _ if self.quiet => Ok(()),
            Format::Text => {
                let (columns, is_whole, times) = (format::width(), self.all, self.units);
                print_lines(&text(View { columns, is_whole, times }))
            }
            _ => self.choice.print(&table(format)),
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let begun = Instant::now();
    let (plan, origin) = arguments.scenario.load_kept()?;
    arguments.options.run(&plan, origin, begun)
}

/// Claims a folder; it is told whether to replace what is there.
type Prepare<'a> = &'a dyn Fn(&Path, bool) -> Result<Claim, FolderError>;

impl RunOptions {
    /// Runs a plan that was read since `begun`.
    pub(super) fn run(&self, plan: &Plan, origin: Origin, begun: Instant) -> Result<(), Failure> {
        let kept = |every, folder: &Path| SavedRun::new(plan, origin, every, folder);
        let world = AnyWorld::of(plan)?;
        self.ready(plan, folder::default(plan), None, kept, begun)?.go(&world, &Progress::default())
    }

    /// Claims the folder of a plan, `default` if none is given, and describes the run in it.
    pub(super) fn ready<'a>(
        &'a self,
        plan: &'a Plan,
        default: PathBuf,
        prepare: Option<Prepare<'_>>,
        kept: impl FnOnce(Every, &Path) -> SavedRun,
        begun: Instant,
    ) -> Result<PreparedRun<'a>, Failure> {
        let needs = |option: &str, what: &str| {
            Err(Failure::Input(format!(
                "{option} needs a folder to {what}\nhelp: leave `--no-files` out"
            )))
        };
        let Execution { checkpoint_every, live, open, watch, .. } = &self.execution;
        if self.dry && checkpoint_every.is_some() {
            return needs("--checkpoint-every", "save to");
        }
        if self.dry && (*live || *watch) {
            return needs(if *live { "--live" } else { "--watch" }, "write to");
        }
        if self.dry && *open {
            return needs("--open", "put a page into");
        }
        if *open && !plan.output.page {
            return Err(Failure::Input(
                "--open: the scenario has `output.page = false`, so there is no page\nhelp: add `--set \
                 output.page=true`"
                    .to_owned(),
            ));
        }
        let every = checkpoint_every.unwrap_or_default();
        if self.dry {
            return Ok(self.execution.prepared(plan, None, every, begun));
        }
        let folder = self.out.as_ref().unwrap_or(&default);
        let claim = match prepare {
            Some(prepare) => prepare(folder, self.force),
            None => folder::prepare(folder, plan, self.force),
        };
        let claim = claim.map_err(no_folder)?;
        kept(every, folder).write(&claim)?;
        Ok(self.execution.prepared(plan, Some(claim), every, begun))
    }

    /// The folder that is given, or the default; there must be one.
    pub(super) fn folder_or(&self, default: PathBuf) -> Result<PathBuf, Failure> {
        match self.dry {
            false => Ok(self.out.clone().unwrap_or(default)),
            true => {
                Err(Failure::Input("a merge writes files\nhelp: leave `--no-files` out".to_owned()))
            }
        }
    }

    /// True if a folder is given.
    pub(super) fn has_folder(&self) -> bool {
        self.out.is_some()
    }
}

/// A run that is ready to start or to resume.
pub(super) struct PreparedRun<'a> {
    plan: &'a Plan,
    pub(super) claim: Option<Claim>,
    every: Every,
    pub(super) execution: &'a Execution,
    read_seconds: f64,
    begun: Instant,
}

impl PreparedRun<'_> {
    /// Runs a world and prints its report, or how to resume it.
    pub(super) fn go(&self, world: &impl Runnable, progress: &Progress) -> Result<(), Failure> {
        let (found, timing) = self.watch(progress, |way| conduct(world, self.plan, way))?;
        let (report, folder) = (&*world.report(&found), self.claim.as_ref().map(Claim::folder));
        self.execution.print(
            &report.warnings(),
            |view| world::text(self.plan, report, &timing, folder, view),
            |format| report.table(format),
        )?;
        match folder.filter(|_| self.execution.open) {
            Some(folder) => super::page::open(&folder.join(PAGE)),
            None => Ok(()),
        }
    }

    /// Does what `run` does, shows its progress, and tells how to resume it.
    pub(super) fn watch<T>(
        &self,
        progress: &Progress,
        run: impl FnOnce(&RunSettings<'_>) -> Result<T, RunError>,
    ) -> Result<T, Failure> {
        let PreparedRun { plan, claim, execution, .. } = self;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let stop = host::stop();
        let is_hosted = host::is_there();
        // Without a folder there is nothing to save, so the default signal handling ends the
        // program.
        if claim.is_some() && !is_hosted {
            signals::listen(&stop)?;
        }
        let mut control = Control::new(stop);
        if let Some(Span(time)) = execution.wall_clock {
            control = control.until(self.begun + time);
        }
        let folder = claim.as_ref().map(Claim::folder);
        if folder.is_some() && !is_hosted {
            end_the_deaf(control.watch(), resume(folder))?;
        }
        let replay = execution.replay.as_deref().map(|given| match given.is_dir() {
            true => given.join(policy::peer::RECORD),
            false => given.to_owned(),
        });
        let way = RunSettings {
            claim: claim.as_ref(),
            every: claim.is_some().then_some(self.every),
            threads: execution.threads.unwrap_or(cores),
            read_seconds: self.read_seconds,
            progress,
            control: &control,
            replay: replay.as_deref(),
        };
        let live = claim.as_ref().filter(|_| execution.live || execution.watch);
        let live = live.map(|claim| Live::new(claim.folder(), *plan));
        let screen = match folder.filter(|_| execution.watch) {
            Some(folder) => progress::Screen::of(folder),
            None => progress::Screen::new(execution.quiet),
        };
        let ran = progress::watched((progress, plan), live.as_ref(), screen, || run(&way));
        let state = match ran {
            Ok(_) => State::Done,
            Err(RunError::Interrupted) => State::Stopped,
            Err(_) => State::Failed,
        };
        progress::ended((progress, plan), live.as_ref(), state);
        for note in control.notes() {
            say(&format!("note: {note}"));
        }
        match ran {
            Err(RunError::Interrupted) => {
                Err(self.stopped(folder, progress, control.is_out_of_time()))
            }
            Err(RunError::File(error)) if folder.is_some() => Err(Failure::System(format!(
                "{error}\nhelp: the saved state is safe: once files can be written again, continue with \
                 {}",
                resume(folder)
            ))),
            ran => Ok(ran?),
        }
    }

    /// Explains how to resume the run.
    fn stopped(&self, folder: Option<&Path>, progress: &Progress, is_late: bool) -> Failure {
        let share = progress.share(self.plan).map(|share| format!("{:.0}%", share * 100.0));
        let done = share.unwrap_or_else(|| counted(progress.jobs(), "job", "jobs"));
        let why =
            if is_late { "the wall-clock limit was reached" } else { "a signal was received" };
        let saved = match folder {
            None => "nothing was saved, because no files are written".to_owned(),
            Some(_) => format!("the state is saved\nhelp: continue with {}", resume(folder)),
        };
        Failure::Stopped(format!("stopped after {done}: {why}; {saved}"))
    }
}

/// Time limit for a replication that was asked to stop, within one indivisible step.
///
/// An example is a decision about millions of waiting jobs.
const PATIENCE: Duration = Duration::from_secs(10);

/// Ends the program if a replication does not respond; that loses no more than a kill would.
fn end_the_deaf(watch: Watch, resume: String) -> Result<(), Failure> {
    let look = move || {
        let mut since = None;
        loop {
            thread::sleep(Duration::from_millis(200));
            if !watch.is_deaf() {
                since = None;
            } else if since.get_or_insert_with(Instant::now).elapsed() >= PATIENCE {
                say(&format!(
                    "stopped in the middle of a long step; the state saved before it is kept\n\
                     help: continue with {resume}"
                ));
                std::process::exit(STOPPED.into());
            }
        }
    };
    let started = thread::Builder::new().name("watch".to_owned()).spawn(look);
    started.map(drop).map_err(|error| Failure::System(format!("a thread: {error}")))
}

/// The command that resumes the run.
fn resume(folder: Option<&Path>) -> String {
    format!("`gridpact resume {}`", shell::word(folder.unwrap_or(Path::new("."))))
}

/// Help for a results folder that cannot be used.
pub(super) fn no_folder(error: FolderError) -> Failure {
    match error {
        FolderError::File(error) => Failure::System(format!(
            "{error}\nhelp: the results need a folder that can be created and written; give \
             another with `--out FOLDER`"
        )),
        busy @ FolderError::Busy { .. } => Failure::Input(format!(
            "{busy}\nhelp: wait until it ends, or give another folder with `--out FOLDER`"
        )),
        FolderError::Interrupted { folder, what } => Failure::Input(format!(
            "{}: {what} was interrupted here and can be resumed\nhelp: continue with {}, or start \
             over with `--force`",
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
