//! `gridpact sweep`.

mod parts;
mod plot;
mod submit;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use findings::unit::goes_by;
use run::folder::{self, Claim, FolderError};
use run::kept::{Part, SavedRun};
use run::sweep::{self, NotAStudy, Share, Sweep};
use run::{Progress, shards};
use scenario::diagnostics::show;
use scenario::origin::Origin;
use scenario::plan::Plan;
use scenario::sweep::Study;
use stats::shown::counted;

use super::run::{PreparedRun, RunOptions};
use super::{Failure, help, load, say};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    of: SweepFile,
    #[command(flatten)]
    options: RunOptions,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the points of a sweep, and run nothing.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/sweep-plan.txt"))]
    Plan(parts::Plan),
    /// Run one of several shares of a sweep; started again, it goes on.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/sweep-run.txt"))]
    Run(parts::Run),
    /// Show how far each share of a sweep is.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/sweep-status.txt"))]
    Status(parts::Status),
    /// List the shares that have not ended, as `3,5-7`.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/sweep-missing.txt"))]
    Missing(parts::Missing),
    /// Put the shares of a sweep together, and write its results.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/sweep-merge.txt"))]
    Merge(parts::Merge),
    /// Write a script that runs a sweep as a job array, and submit it.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/sweep-submit.txt"))]
    Submit(submit::Arguments),
    /// Draw a picture of a finished sweep.
    #[command(after_help = help::SHORT, after_long_help = help::page!("help/sweep-plot.txt"))]
    Plot(plot::Arguments),
}

pub(super) fn sweep(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Some(Command::Plan(arguments)) => parts::plan(arguments),
        Some(Command::Run(arguments)) => parts::run(arguments),
        Some(Command::Status(arguments)) => parts::status(arguments),
        Some(Command::Missing(arguments)) => parts::missing(arguments),
        Some(Command::Merge(arguments)) => parts::merge(arguments),
        Some(Command::Submit(arguments)) => submit::submit(arguments),
        Some(Command::Plot(arguments)) => plot::plot(arguments),
        None => whole(arguments),
    }
}

/// Runs a sweep in one piece.
fn whole(arguments: &Arguments) -> Result<(), Failure> {
    let begun = Instant::now();
    let ready = arguments.of.read(false)?;
    ready.go(&ready.whole(&arguments.options, begun)?)
}

/// Arguments of `gridpact lab`.
#[derive(Debug, Args)]
pub(super) struct Lab {
    #[command(flatten)]
    of: SweepFile,
    /// Double the orders until each Shapley value is known within this flow time in a round, by orders.
    #[arg(
        long,
        value_name = "TIME",
        requires = "orders",
        hide_short_help = true,
        value_parser = positive
    )]
    orders_within: Option<f64>,
    /// Add replications, up to so many, until every equilibrium is told, or who invades whom.
    ///
    /// Each stage has from a quarter more to four times as many. Each is another chance to be wrong, so try another seed
    /// where much hangs on a verdict.
    #[arg(
        long,
        value_name = "REPLICATIONS",
        conflicts_with = "orders",
        hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(2..=1_000_000)
    )]
    until_told: Option<u32>,
    #[command(flatten)]
    options: RunOptions,
}

/// Measures the game of joining a coalition.
pub(super) fn lab(arguments: &Lab) -> Result<(), Failure> {
    let begun = Instant::now();
    // Its sentences are what was asked for.
    let mut options = arguments.options.clone();
    options.execution.all = true;
    let mut of = arguments.of.clone();
    if let Some((within, orders)) = arguments.orders_within.zip(of.sweep.orders) {
        let stages =
            (0..).map(|stage| orders << stage).take_while(|&more| more <= load::MOST_ORDERS);
        for more in stages {
            of.sweep.orders = Some(more);
            let error =
                stage(&of.read(true)?, &mut options, begun, |world| world.error_by_orders())?;
            if error.is_none_or(|error| error <= within) {
                break;
            }
        }
    }
    if let Some(most) = arguments.until_told {
        loop {
            let ready = of.read(true)?;
            let now = ready.study.plans.iter().map(|plan| plan.replications).max().unwrap_or(0);
            if now < 2 {
                let told = "`--until-told` adds replications, and there is only one: its rounds are the \
                            sample\nhelp: take more of them, or a shorter `coalition.period`";
                return Err(Failure::Input(told.to_owned()));
            }
            let open = stage(&ready, &mut options, begun, |world| world.undecided())?;
            let Some(needed) = open.filter(|_| now < most) else { break };
            let needed = needed.and_then(|needed| u32::try_from(needed).ok());
            let least = now.saturating_add(now / 4 + 1);
            // What few replications say of how many would do is rough.
            let more = needed.unwrap_or(0).clamp(least, now.saturating_mul(4));
            of.replications = Some(more.min(most));
        }
    }
    let ready = of.read(true)?;
    ready.go(&ready.whole(&options, begun)?)
}

/// Plays a stage of a lab without a word. What was played stays for the next one, and for the summary.
fn stage<T>(
    ready: &Ready,
    options: &mut RunOptions,
    begun: Instant,
    told: impl FnOnce(&Sweep<'_>) -> T,
) -> Result<T, Failure> {
    let mut quiet = options.clone();
    quiet.execution.quiet = true;
    let run = ready.whole(&quiet, begun)?;
    let world = ready.world()?;
    run.go(&world, &Progress::of_cells(world.cells()))?;
    options.force = false;
    Ok(told(&world))
}

/// A number above 0.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 => Ok(number),
        _ => Err("it is a number above 0, in units of time".to_owned()),
    }
}

/// A sweep, and how often its points are run.
#[derive(Clone, Debug, Args)]
struct SweepFile {
    #[command(flatten)]
    sweep: load::Sweep,
    /// Number of replications of every point, instead of the file's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    replications: Option<u32>,
}

impl SweepFile {
    fn read(&self, members: bool) -> Result<Ready, Failure> {
        let set = self.replications.map(|number| format!("run.replications={number}"));
        Ready::of(self.sweep.load(set, members)?)
    }

    /// Its options besides the file, as a shell takes them, each after a blank.
    fn options(&self) -> String {
        let number = self.replications.map(|number| format!(" --replications {number}"));
        self.sweep.options() + &number.unwrap_or_default()
    }
}

/// A sweep that is ready to run.
pub(super) struct Ready {
    study: Study,
    pub(super) joint: Plan,
    origin: Origin,
}

impl Ready {
    /// The sweep of these points.
    pub(super) fn of((mut study, origin): (Study, Origin)) -> Result<Ready, Failure> {
        let joint = sweep::joint(&mut study).map_err(not_a_study)?;
        let ready = Ready { study, joint, origin };
        let world = ready.world()?;
        let (measures, units) = (world.measures(), world.units());
        drop(world);
        let unit = &ready.study.design.unit;
        if !units.iter().any(|one| goes_by(one, unit)) {
            return Err(Failure::Input(format!(
                "`sweep.unit`: there is no `{}`\nhelp: there are {}",
                show(unit),
                units.join(", ")
            )));
        }
        let shown = ready.study.shown;
        if !measures.contains(&shown) {
            let names: Vec<&str> = measures.iter().map(|measure| measure.name).collect();
            return Err(Failure::Input(format!(
                "`sweep.measure`: these runs have no `{}`\nhelp: they have {}",
                show(shown.name),
                names.join(", ")
            )));
        }
        Ok(ready)
    }

    /// The sweep that a folder was begun with, read again.
    pub(super) fn again(origin: Origin) -> Result<Ready, Failure> {
        Ready::of((load::study_again(&origin)?, origin))
    }

    fn world(&self) -> Result<Sweep<'_>, Failure> {
        Ok(Sweep::new(&self.study, &self.joint)?)
    }

    /// The default folder of its results.
    fn folder(&self) -> PathBuf {
        folder::of_several("sweep", &self.joint)
    }

    /// Describes a part of it.
    pub(super) fn kept(&self, part: Part, every: run::control::Every, folder: &Path) -> SavedRun {
        let origin = self.origin.clone();
        SavedRun { sweep: Some(part), ..SavedRun::new(&self.joint, origin, every, folder) }
    }

    /// Claims the folder of its results, and takes up what an earlier run of the sweep left there.
    fn whole<'a>(
        &'a self,
        options: &'a RunOptions,
        begun: Instant,
    ) -> Result<PreparedRun<'a>, Failure> {
        let prepare = |folder: &Path, force: bool| self.prepare(folder, force);
        let kept = |every, folder: &Path| self.kept(Part::Whole, every, folder);
        options.ready(&self.joint, self.folder(), Some(&prepare), kept, begun)
    }

    fn prepare(&self, folder: &Path, force: bool) -> Result<Claim, FolderError> {
        let is_ours = SavedRun::read(folder).is_ok_and(|kept| self.goes_on(&kept, folder));
        if !is_ours || force {
            return folder::prepare(folder, &self.joint, force);
        }
        let claim = Claim::of(folder)?;
        claim.tidy()?;
        Ok(claim)
    }

    /// True if a folder holds this sweep, or one that has cells in common with it. Cells are known by
    /// all they depend on, so the others do no harm.
    fn goes_on(&self, kept: &SavedRun, folder: &Path) -> bool {
        let is_same = kept.scenario_digest == self.joint.digest && kept.seed == self.joint.seed;
        let has_some = || {
            let ended = self.world().map(|world| shards::ended(&world, &self.joint, folder));
            matches!(ended, Ok(Ok(ended)) if ended.contains(&true))
        };
        kept.sweep == Some(Part::Whole) && (is_same || has_some())
    }

    /// Runs all of it.
    pub(super) fn go(&self, run: &PreparedRun<'_>) -> Result<(), Failure> {
        let world = self.world()?;
        run.go(&world, &Progress::of_cells(world.cells()))
    }

    /// Runs a share of it.
    pub(super) fn go_share(&self, share: Share, run: &PreparedRun<'_>) -> Result<(), Failure> {
        let world = self.world()?;
        let cells = world.of_share(share).len();
        let progress = Progress::of_cells(cells as u32);
        run.watch(&progress, |way| shards::run(world, &self.joint, share, way))?;
        if !run.execution.quiet {
            let cells = counted(cells as u64, "cell has", "cells have");
            say(&format!("share {} of {}: {cells} ended", share.number, share.of));
        }
        Ok(())
    }

    /// `9 points, 180 cells`.
    fn size(&self) -> String {
        let points = counted(self.study.plans.len() as u64, "point", "points");
        let all = counted(self.joint.replications.into(), "replication", "replications");
        format!("{points}, {all} in all")
    }
}

/// Describes a sweep, for `gridpact check`.
pub(super) fn described(study: Study, origin: Origin) -> Result<String, Failure> {
    let ready = Ready::of((study, origin))?;
    let design = &ready.study.design;
    let keys: Vec<&str> = (0..design.keys.len()).map(|key| design.short(key)).collect();
    Ok(format!(
        "{}: this sweep is valid\n{} over {}\n`gridpact sweep plan FILE` lists the points, `gridpact sweep \
         FILE` runs them\n",
        ready.joint.title(),
        ready.size(),
        keys.join(", ")
    ))
}

/// Plans that are no study, with what to do.
fn not_a_study(wrong: NotAStudy) -> Failure {
    let help = match &wrong {
        NotAStudy::Precision(_) => "give `run.replications` and a length in `run.until`",
        NotAStudy::Cells(_) => "leave points out, or replications",
        NotAStudy::Alike(..) => "leave one of them out",
    };
    Failure::Input(format!("{wrong}\nhelp: {help}"))
}

/// Goes on with a sweep or with a share of it.
pub(super) fn resume(part: Part, ready: &Ready, run: &PreparedRun<'_>) -> Result<(), Failure> {
    match part {
        Part::Whole => ready.go(run),
        Part::Share(share) => ready.go_share(share, run),
    }
}
