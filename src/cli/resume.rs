//! `gridpact resume`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueHint};
use gridpact::run::folder::{Claim, FolderError};
use gridpact::run::kept::{Kept, NotKept};
use gridpact::scenario::diagnostics::Blame;
use gridpact::scenario::files::Files;
use gridpact::scenario::origin::Origin;
use gridpact::scenario::plan::Plan;

use super::run::{Going, Keeping, no_folder};
use super::{Failure, format, load, say};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The results folder of the run.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    folder: PathBuf,
    /// Run until there instead, such as `rounds=3000`, `time=1e6` or `jobs=1e9`; also a run that
    /// was finished.
    #[arg(long, value_name = "RULE=END")]
    until: Option<String>,
    /// Run so many replications in all; those that are there stay as they are.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    replications: Option<u32>,
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

pub(super) fn resume(arguments: &Arguments) -> Result<(), Failure> {
    let begun = Instant::now();
    let folder = &arguments.folder;
    // Looked at before it is claimed, so that nothing is left in a folder that is something else.
    Kept::read(folder).map_err(|error| nothing(folder, error))?;
    let claim = Claim::of(folder).map_err(|error| not_ours(error, folder))?;
    let mut kept = Kept::read(folder).map_err(|error| nothing(folder, error))?;
    let begun_with = read(&kept.origin, folder)?;
    if begun_with.digest != kept.scenario_digest {
        return Err(Failure::Input(format!(
            "{}: the traces or lists of jobs that it names are not what they were when the run \
             began\nhelp: put them back as they were, or begin anew with `gridpact run`",
            kept.origin.scenario().display()
        )));
    }
    let is_finished = kept.is_finished(folder);
    let settings = settings(arguments)?;
    let every = arguments.keeping.every().unwrap_or(kept.every);
    // What is finished is not cut; how far one under way was to go may be changed.
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
    kept = Kept { before, ..Kept::new(&plan, kept.origin, every) };
    if kept.is_finished(folder) {
        if !is_finished {
            kept.write(&claim)?;
        }
        // It may have been ended before it did so itself.
        gridpact::run::close(&claim)?;
        if !arguments.quiet {
            say(&format!(
                "{}: this run is finished; `--until` or `--replications` extends it",
                folder.display()
            ));
        }
        return Ok(());
    }
    kept.write(&claim)?;
    claim.tidy()?;
    let going = Going {
        plan: &plan,
        claim: Some(claim),
        every,
        threads: arguments.threads,
        wall_clock: arguments.keeping.wall_clock(),
        live: arguments.keeping.live(),
        read_seconds: begun.elapsed().as_secs_f64(),
        begun,
        quiet: arguments.quiet,
        format: arguments.choice.format,
    };
    going.go()
}

fn nothing(folder: &Path, error: NotKept) -> Failure {
    match error {
        NotKept::File(error) => Failure::System(error.to_string()),
        NotKept::Nothing(_) if !folder.is_dir() => {
            Failure::Input(format!("{}: there is no such folder", folder.display()))
        }
        NotKept::Version { .. } => Failure::Input(format!(
            "{}: {error}\nhelp: go on with that version, or begin anew with `gridpact run`",
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

/// The plan that a run was read from.
fn read(origin: &Origin, folder: &Path) -> Result<Plan, Failure> {
    let mut files = Files::new();
    origin.load(&mut files).map(|(plan, _)| plan).map_err(|wrong| {
        load::tell(&wrong, &files);
        say(&format!("{}: the run cannot go on", folder.display()));
        let system = wrong.iter().any(|wrong| wrong.blame == Blame::System);
        Failure::Said(if system { 4 } else { 2 })
    })
}

/// What the arguments set.
fn settings(arguments: &Arguments) -> Result<Vec<String>, Failure> {
    let mut settings = Vec::new();
    if let Some(until) = &arguments.until {
        let wrong = || {
            Failure::Input(format!(
                "--until {until}: this is no end of a run\nhelp: give one such as `rounds=3000`, \
                 `time=1e6` or `jobs=1000000`, or of a run for precision `relative=0.005`"
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

/// A run is extended, and not cut.
fn further(plan: &Plan, longer: &Plan) -> Result<(), Failure> {
    use gridpact::scenario::plan::Until::{Drained, Jobs, Rounds, Time};
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
                "--until: the run is as precise already; give a narrower width".to_owned(),
            ));
        }
        _ => {
            return Err(Failure::Input(
                "--until: this run ends when it is precise, and cannot end otherwise\nhelp: \
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
                "--until: which end comes first cannot be told beforehand; this run ends {rule}"
            )));
        }
    };
    if is_shorter {
        return Err(Failure::Input(
            "--until: the run goes further already; it can be extended, but not cut".to_owned(),
        ));
    }
    Ok(())
}
