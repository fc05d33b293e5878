//! `gridpact resume`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueHint};
use gridpact::run::folder::Claim;
use gridpact::run::kept::{Kept, NotKept};
use gridpact::scenario::diagnostics::Blame;
use gridpact::scenario::files::Files;
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
    let claim = Claim::of(folder).map_err(no_folder)?;
    let mut kept = Kept::read(folder).map_err(|error| nothing(folder, error))?;
    let plan = read(&kept, folder)?;
    if plan.digest != kept.scenario_digest {
        return Err(Failure::Input(format!(
            "{}: the traces or lists of jobs that it names are not what they were when the run \
             began\nhelp: put them back as they were, or begin anew with `gridpact run`",
            kept.origin.scenario().display()
        )));
    }
    let settings = settings(arguments, &plan)?;
    let is_extended = !settings.is_empty();
    let every = arguments.keeping.every().unwrap_or(kept.every);
    let plan = if is_extended {
        kept.origin = kept.origin.with(settings);
        let longer = read(&kept, folder)?;
        further(&plan, &longer)?;
        longer
    } else {
        plan
    };
    if kept.is_finished(folder) && !is_extended {
        if !arguments.quiet {
            say(&format!(
                "{}: this run is finished; `--until` or `--replications` extends it",
                folder.display()
            ));
        }
        return Ok(());
    }
    if is_extended || every != kept.every {
        kept = Kept::new(&plan, kept.origin, every);
        kept.write(&claim)?;
    }
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

/// The plan that a run was begun with.
fn read(kept: &Kept, folder: &Path) -> Result<Plan, Failure> {
    let mut files = Files::new();
    kept.origin.load(&mut files).map(|(plan, _)| plan).map_err(|wrong| {
        load::tell(&wrong, &files);
        say(&format!("{}: the run cannot go on", folder.display()));
        let system = wrong.iter().any(|wrong| wrong.blame == Blame::System);
        Failure::Said(if system { 4 } else { 2 })
    })
}

/// What the arguments set.
fn settings(arguments: &Arguments, plan: &Plan) -> Result<Vec<String>, Failure> {
    let mut settings = Vec::new();
    if let Some(until) = &arguments.until {
        let wrong = || {
            Failure::Input(format!(
                "--until {until}: this is no end of a run\nhelp: give one such as `rounds=3000`, \
                 `time=1e6` or `jobs=1000000`"
            ))
        };
        let (rule, end) = until.split_once('=').ok_or_else(wrong)?;
        let (rule, end) = (rule.trim(), end.trim().replace('_', ""));
        let number: f64 = end.parse().map_err(|_| wrong())?;
        let end = match rule {
            "time" => format!("{number:?}"),
            "jobs" | "rounds" if number.fract() == 0.0 && (1.0..1e18).contains(&number) => {
                format!("{}", number as u64)
            }
            _ => return Err(wrong()),
        };
        settings.push(format!("run.until={{ {rule} = {end} }}"));
    }
    if let Some(replications) = arguments.replications.filter(|&all| all != plan.replications) {
        settings.push(format!("run.replications={replications}"));
    }
    Ok(settings)
}

/// A run is extended, and not cut.
fn further(plan: &Plan, longer: &Plan) -> Result<(), Failure> {
    use gridpact::scenario::plan::Until::{Jobs, Rounds, Time};
    if longer.replications < plan.replications {
        return Err(Failure::Input(format!(
            "--replications {}: the run has {} already",
            longer.replications, plan.replications
        )));
    }
    let is_shorter = match (plan.until, longer.until) {
        (Jobs(old), Jobs(new)) | (Rounds(old), Rounds(new)) => new < old,
        (Time(old), Time(new)) => new < old,
        _ => false,
    };
    if is_shorter {
        return Err(Failure::Input(
            "--until: the run goes further already; it can be extended, but not cut".to_owned(),
        ));
    }
    Ok(())
}
