//! Finished results that are compared.

use std::path::Path;

use findings::compared::Compared;
use findings::measure::JUDGED;
use findings::sample::Sample;
use report::comparison::Finished;
use run::finished::{self, FinishedRun, Unreadable};

use super::arms::names_of;
use super::{Arguments, measures};
use crate::Failure;

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
    let read = |folder: &Path| {
        finished::read(folder).map_err(|wrong| match wrong {
            Unreadable::File(wrong) => wrong.into(),
            wrong => Failure::Input(wrong.to_string()),
        })
    };
    let all: Vec<FinishedRun> =
        files.iter().map(|folder| read(folder)).collect::<Result<_, Failure>>()?;
    let [base, others @ ..] = &all[..] else { unreachable!("the parser asks for one") };
    if others.is_empty() {
        return Err(Failure::Input(
            "there is nothing to compare\nhelp: give two folders or more".to_owned(),
        ));
    }
    for (other, folder) in others.iter().zip(&files[1..]) {
        let wrong = if other.seed != base.seed {
            Some(format!("it has seed {}, and the base has {}", other.seed, base.seed))
        } else if other.sample.replications() != base.sample.replications() {
            Some(format!(
                "it has {} replications, and the base has {}",
                other.sample.replications(),
                base.sample.replications()
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
    let samples: Vec<Sample> = all.into_iter().map(|one| one.sample).collect();
    let found = Compared::new(names, samples, seed, judged);
    let report = Finished::new(&found);
    let text = |width| report.text(width);
    options.execution.print(&report.warnings(), text, |format| report.table(format))
}
