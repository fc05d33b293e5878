//! Finished results that are compared.

use std::path::PathBuf;

use findings::Findings as _;
use findings::compared::Compared;
use findings::measure::JUDGED;
use report::comparison::Finished;
use run::finished::{self, FinishedRun, Unreadable};

use super::arms::names_of;
use super::{Arguments, measures};
use crate::Failure;
use stats::shown::counted;

/// Compares finished results, replication by replication.
pub(super) fn compare(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { files, vary, set, seed, replications, until, options, .. } = arguments;
    let has_settings = !vary.is_empty() || !set.is_empty() || seed.is_some();
    if has_settings || replications.is_some() || until.is_some() || options.has_folder() {
        return Err(Failure::Input(
            "these are finished results: nothing can be set, varied or added\nhelp: compare their \
             scenarios instead, or leave the options out"
                .to_owned(),
        ));
    }
    let refused = |wrong| match wrong {
        Unreadable::File(wrong) => wrong.into(),
        wrong => Failure::Input(wrong.to_string()),
    };
    // Schedules of other programs are counted as a run is.
    let has_others = files.iter().any(|file| !file.is_dir());
    let read = |file: &PathBuf| finished::read(file, has_others).map_err(refused);
    let folder = |file: &PathBuf| file.is_dir().then(|| read(file)).transpose();
    let runs: Vec<Option<FinishedRun>> =
        files.iter().map(folder).collect::<Result<_, Failure>>()?;
    let first = runs.iter().flatten().next();
    let schedule = |file: &PathBuf| match file.is_dir() {
        true => Ok(None),
        false => finished::read_jobs(file, first).map(Some).map_err(refused),
    };
    let schedules: Vec<_> = files.iter().map(schedule).collect::<Result<_, Failure>>()?;
    let all: Vec<FinishedRun> =
        runs.into_iter().zip(schedules).filter_map(|(run, schedule)| run.or(schedule)).collect();
    let [base, others @ ..] = &all[..] else { unreachable!("the parser asks for one") };
    if others.is_empty() {
        return Err(Failure::Input(
            "there is nothing to compare\nhelp: give two folders or more".to_owned(),
        ));
    }
    for (other, folder) in others.iter().zip(&files[1..]) {
        let wrong = if other.seed != base.seed {
            Some(format!("it has seed {}, and the base has {}", other.seed, base.seed))
        } else if other.sample().replications() != base.sample().replications() {
            Some(format!(
                "it has {}, and the base has {}",
                counted(other.sample().replications().into(), "replication", "replications"),
                base.sample().replications()
            ))
        } else {
            (other.world != base.world)
                .then(|| format!("it is of a {}, not a {}", other.world, base.world))
        };
        if let Some(wrong) = wrong {
            return Err(Failure::Input(format!(
                "{}: these results cannot be paired with the others: {wrong}\nhelp: run both with the \
                 same seed and number of replications, or let `gridpact compare` run their scenarios",
                folder.display()
            )));
        }
    }
    let judged = match measures(&arguments.measure)? {
        none if none.is_empty() => JUDGED.iter().map(|metric| metric.measure()).collect(),
        some => some,
    };
    let (seed, names) = (base.seed, names_of(files));
    let found = Compared::new(names, all, seed, judged);
    let inputs: Vec<_> = found.arms.iter().map(|run| &run.inputs).collect();
    let report = Finished::new(&found, &inputs);
    let text = |view| report.text(view);
    options.execution.print(&report.warnings(), text, |format| report.table(format))
}
