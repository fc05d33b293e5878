//! `gridpact resume`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueHint};
use run::Progress;
use run::any::AnyWorld;
use run::control::Every;
use run::folder::{Claim, FolderError};
use run::kept::{Comparison, NotKept, Part, SavedRun};
use scenario::diagnostics::Diagnostic;
use scenario::files::Files;
use scenario::origin::Origin;
use scenario::plan::Plan;

use super::run::{Execution, PreparedRun, no_folder};
use super::{Failure, compare, load, say, sweep};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Results folder of the run.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    folder: PathBuf,
    /// New end of the run, such as `rounds=3000`, `time=1e6` or `jobs=1e9`; also for a finished
    /// run.
    #[arg(long, value_name = "RULE=END")]
    until: Option<String>,
    /// Total number of replications; existing ones stay as they are.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    replications: Option<u32>,
    #[command(flatten)]
    execution: Execution,
}

pub(super) fn resume(arguments: &Arguments) -> Result<(), Failure> {
    let begun = Instant::now();
    let folder = &arguments.folder;
    // Read before the folder is claimed, so that nothing is left in a folder of something else.
    SavedRun::read(folder).map_err(|error| nothing(folder, error))?;
    let claim = Claim::of(folder).map_err(|error| not_ours(error, folder))?;
    let kept = SavedRun::read(folder).map_err(|error| nothing(folder, error))?;
    let every = arguments.execution.checkpoint_every.unwrap_or(kept.every);
    let saved = Saved { arguments, folder, claim, every, begun };
    match (kept.comparison.clone(), kept.sweep) {
        (Some(asked), _) => saved.comparison(&kept, asked),
        (None, Some(part)) => saved.sweep(&kept, part),
        (None, None) => saved.run(kept),
    }
}

/// A run that is saved in a folder.
struct Saved<'a> {
    arguments: &'a Arguments,
    folder: &'a Path,
    claim: Claim,
    every: Every,
    begun: Instant,
}

impl<'a> Saved<'a> {
    /// Resumes a single run, or extends it.
    fn run(self, mut kept: SavedRun) -> Result<(), Failure> {
        let Saved { arguments, folder, every, .. } = self;
        let moved = || found_again(kept.moved(folder)?);
        let begun_with = match load(&kept) {
            Ok(plan) if plan.digest == kept.scenario_digest => Ok(plan),
            other => match moved() {
                Some((plan, found)) => {
                    kept = found;
                    Ok(plan)
                }
                None => other,
            },
        };
        let begun_with = begun_with.map_err(|(wrong, files)| told(&wrong, &files, folder))?;
        if begun_with.digest != kept.scenario_digest {
            return Err(changed(&kept.origin, "run"));
        }
        let is_finished = kept.is_finished(folder);
        let settings = settings(arguments)?;
        // A finished run cannot be shortened; the end of an unfinished one may change freely.
        let before = if is_finished { Some(kept.origin.clone()) } else { kept.before.take() };
        let plan = if settings.is_empty() {
            begun_with
        } else {
            kept.origin = kept.origin.with(settings);
            let longer = read(&kept.origin, folder)?;
            if let Some(before) = &before {
                further(&read(before, folder)?, &longer)?;
            }
            longer
        };
        let begun = SavedRun { before, ..SavedRun::new(&plan, kept.origin, every, folder) };
        if begun.is_finished(folder) {
            if !is_finished {
                begun.write(&self.claim)?;
            }
            return self.finished("run is finished; `--until` or `--replications` extends it");
        }
        let world = AnyWorld::of(&plan)?;
        self.go_on(&begun, &plan)?.go(&world, &Progress::default())
    }

    /// Tidies up after a finished run, and says that there is nothing to do.
    fn finished(&self, what: &str) -> Result<(), Failure> {
        // This run, or a new one started over it, may have been killed before it cleaned up.
        self.claim.tidy()?;
        let kept = SavedRun::read(self.folder).ok();
        run::close(&self.claim, kept.is_some_and(|kept| kept.sweep.is_some()))?;
        if !self.arguments.execution.quiet {
            say(&format!("{}: this {what}", self.folder.display()));
        }
        Ok(())
    }

    /// Describes the run as it goes on.
    fn go_on(self, kept: &SavedRun, plan: &'a Plan) -> Result<PreparedRun<'a>, Failure> {
        kept.write(&self.claim)?;
        self.claim.tidy()?;
        Ok(self.arguments.execution.prepared(plan, Some(self.claim), self.every, self.begun))
    }

    /// Resumes a comparison, or adds replications to it.
    fn comparison(self, kept: &SavedRun, mut asked: Comparison) -> Result<(), Failure> {
        let Saved { arguments, folder, every, .. } = self;
        let before = compare::ready(&asked)?;
        if before.joint.digest != kept.scenario_digest {
            return Err(changed(&kept.origin, "compare"));
        }
        asked.replications = arguments.replications.or(asked.replications);
        asked.until = arguments.until.clone().or(asked.until);
        let ready = compare::ready(&asked)?;
        let (number, had) = (ready.joint.replications, before.joint.replications);
        if number < had {
            let what = format!("--replications {number}: the comparison has {had} already");
            return Err(Failure::Input(what));
        }
        if kept.is_finished(folder) && ready.joint.digest == kept.scenario_digest {
            return self
                .finished("comparison is finished; `--replications` or `--until` extends it");
        }
        let kept = SavedRun::new(&ready.joint, kept.origin.clone(), every, folder);
        let kept = SavedRun { comparison: Some(asked), ..kept };
        ready.go(&self.go_on(&kept, &ready.joint)?)
    }

    /// Resumes a sweep or a share of one, or adds replications to it.
    fn sweep(self, kept: &SavedRun, part: Part) -> Result<(), Failure> {
        let Saved { arguments, folder, every, .. } = self;
        let mut ready = sweep::Ready::again(kept.origin.clone())?;
        if ready.joint.digest != kept.scenario_digest {
            return Err(changed(&kept.origin, "sweep"));
        }
        let settings = settings(arguments)?;
        if !settings.is_empty() {
            ready = sweep::Ready::again(kept.origin.clone().with(settings))?;
        }
        let is_same = ready.joint.digest == kept.scenario_digest;
        if part == Part::Whole && is_same && kept.is_finished(folder) {
            return self.finished("sweep is finished; `--replications` or `--until` extends it");
        }
        let kept = ready.kept(part, every, folder);
        sweep::resume(part, &ready, &self.go_on(&kept, &ready.joint)?)
    }
}

/// The failure of a run whose input files have changed since it began.
fn changed(origin: &Origin, command: &str) -> Failure {
    Failure::Input(format!(
        "{}: the traces or lists of jobs that it names are not what they were when the run began\n\
         help: put them back as they were, or begin anew with `gridpact {command}`",
        origin.scenario().display()
    ))
}

fn nothing(folder: &Path, error: NotKept) -> Failure {
    match error {
        NotKept::File(error) => Failure::System(error.to_string()),
        NotKept::Nothing(_) if !folder.is_dir() => {
            Failure::Input(format!("{}: there is no such folder", folder.display()))
        }
        NotKept::Version { .. } => Failure::Input(format!(
            "{}: {error}\nhelp: use that version, or start over with `gridpact run`",
            folder.display()
        )),
        error => Failure::Input(format!(
            "{error}\nhelp: `gridpact run` begins one; what it saves goes into the folder of its \
             results"
        )),
    }
}

fn not_ours(error: FolderError, folder: &Path) -> Failure {
    match error {
        FolderError::Busy { .. } => Failure::Input(format!(
            "{error}\nhelp: it may be this very run; wait for its end, or stop it by a signal"
        )),
        FolderError::File(error) => Failure::System(format!(
            "{error}\nhelp: to go on, files must be written in {}",
            folder.display()
        )),
        other => no_folder(other),
    }
}

/// Loads the plan that a run was read from, or its errors.
fn load(kept: &SavedRun) -> Result<Plan, (Vec<Diagnostic>, Files)> {
    let mut files = Files::new();
    match kept.origin.load(&mut files) {
        Ok((plan, _)) => Ok(plan),
        Err(wrong) => Err((wrong, files)),
    }
}

/// The plan as read from another folder, if it is the same plan.
fn found_again(kept: SavedRun) -> Option<(Plan, SavedRun)> {
    let plan = load(&kept).ok().filter(|plan| plan.digest == kept.scenario_digest)?;
    Some((plan, kept))
}

/// Reads the plan of a run again.
fn read(origin: &Origin, folder: &Path) -> Result<Plan, Failure> {
    let mut files = Files::new();
    let read = origin.load(&mut files).map(|(plan, _)| plan);
    read.map_err(|wrong| told(&wrong, &files, folder))
}

fn told(wrong: &[Diagnostic], files: &Files, folder: &Path) -> Failure {
    load::refused(wrong, files, &format!("{}: the run cannot go on", folder.display()))
}

/// Settings made by the arguments.
fn settings(arguments: &Arguments) -> Result<Vec<String>, Failure> {
    let mut settings = Vec::new();
    if let Some(until) = &arguments.until {
        let wrong = || {
            Failure::Input(format!(
                "--until {until}: this is not an end of a run\nhelp: give one such as `rounds=3000`, \
                 `time=1e6` or `jobs=1000000`, or, for a run with a target precision, `relative=0.005`"
            ))
        };
        let (rule, end) = until.split_once('=').ok_or_else(wrong)?;
        let (rule, end) = (rule.trim(), end.trim().replace('_', ""));
        let number: f64 = end.parse().map_err(|_| wrong())?;
        let end = match rule {
            "relative" | "absolute" => {
                settings.push(format!("run.until.precision.{rule}={number:?}"));
                String::new()
            }
            "time" => format!("{number:?}"),
            "jobs" | "rounds" if number.fract() == 0.0 && (1.0..1e18).contains(&number) => {
                format!("{}", number as u64)
            }
            _ => return Err(wrong()),
        };
        if !end.is_empty() {
            settings.push(format!("run.until={{ {rule} = {end} }}"));
        }
    }
    if let Some(replications) = arguments.replications {
        settings.push(format!("run.replications={replications}"));
    }
    Ok(settings)
}

/// Checks that a run is extended and not shortened.
fn further(plan: &Plan, longer: &Plan) -> Result<(), Failure> {
    use scenario::plan::Until::{Drained, Jobs, Rounds, Time};
    if longer.replications < plan.replications {
        return Err(Failure::Input(format!(
            "--replications {}: the run has {} already",
            longer.replications, plan.replications
        )));
    }
    match (&plan.precision, &longer.precision) {
        (Some(old), Some(new)) if new.is_finer(old) => return Ok(()),
        (None, None) => {}
        (Some(old), Some(new)) if new == old => {}
        (Some(_), Some(_)) => {
            return Err(Failure::Input(
                "--until: the run already has this precision; give a narrower width".to_owned(),
            ));
        }
        _ => {
            return Err(Failure::Input(
                "--until: this run ends at its target precision, and cannot end otherwise\nhelp: \
                 `--until relative=...` asks for a narrower interval"
                    .to_owned(),
            ));
        }
    }
    let is_shorter = match (plan.until, longer.until) {
        (Jobs(old), Jobs(new)) | (Rounds(old), Rounds(new)) => new < old,
        (Time(old), Time(new)) => new < old,
        (Drained, Drained) => false,
        (old, _) => {
            let rule = match old {
                Jobs(_) => "after a number of jobs: extend it by `--until jobs=...`",
                Rounds(_) => "after a number of rounds: extend it by `--until rounds=...`",
                Time(_) => "at a time: extend it by `--until time=...`",
                Drained => "when all its jobs have ended, and there are no more",
            };
            return Err(Failure::Input(format!(
                "--until: the rule cannot change, as it is unknown which end would come first; this run \
                 ends {rule}"
            )));
        }
    };
    if is_shorter {
        return Err(Failure::Input(
            "--until: the run already goes further; it can be extended, but not shortened"
                .to_owned(),
        ));
    }
    Ok(())
}
