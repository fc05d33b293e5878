//! Reads what a finished run found back from its results folder.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::folder::MANIFEST;
use findings::measure::{Measure, Metric};
use findings::sample::Sample;
use findings::unit::{ALL, Class};
use records::files::{FileError, read_regular};
use report::files::Manifest;

/// Results of a finished run, replication by replication.
#[derive(Debug)]
pub struct FinishedRun {
    /// The world that ran.
    pub world: String,
    /// Its master seed.
    pub seed: u64,
    /// The values of its replications.
    pub sample: Sample,
}

/// An error that makes a folder's results unreadable.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// There is no finished run.
    #[error("{}: no finished results are here\nhelp: `gridpact run` writes them; `gridpact resume` \
             finishes those that were interrupted", .0.display())]
    Nothing(PathBuf),
    /// It holds a comparison or a sweep, and not one run.
    #[error("{}: these are the results of a comparison or a sweep\nhelp: its comparison.csv has all \
             differences; folders of single runs can be compared", .0.display())]
    Comparison(PathBuf),
    /// A file is not what a run writes.
    #[error("{}: this is not what a run of this version writes: {wrong}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The reason.
        wrong: String,
    },
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A line of `replications.csv`.
#[derive(Debug, Deserialize)]
struct Line {
    replication: u32,
    unit: String,
    measure: String,
    value: f64,
    weight: f64,
}

/// Reads the results of a run.
///
/// # Errors
/// See [`Unreadable`].
pub fn read(folder: &Path) -> Result<FinishedRun, Unreadable> {
    let path = folder.join(MANIFEST);
    let text = match read_regular(&path) {
        Err(wrong) if wrong.error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Unreadable::Nothing(folder.to_owned()));
        }
        text => text?,
    };
    let damaged = |file: &Path, wrong: String| Unreadable::Damaged { file: file.to_owned(), wrong };
    let manifest: Manifest = Manifest::read(&text).map_err(|wrong| damaged(&path, wrong))?;
    if !manifest.runs.is_empty() {
        return Err(Unreadable::Comparison(folder.to_owned()));
    }
    let path = folder.join("replications.csv");
    let text = read_regular(&path)?;
    if manifest.files.get("replications.csv") != Some(&blake3::hash(&text).to_hex().to_string()) {
        return Err(damaged(&path, "its digest is not the one of the manifest".to_owned()));
    }
    let lines: Result<Vec<Line>, csv::Error> =
        csv::Reader::from_reader(&text[..]).deserialize().collect();
    let lines = lines.map_err(|wrong| damaged(&path, wrong.to_string()))?;
    let sample = sample(&manifest, &lines);
    Ok(FinishedRun { world: manifest.world, seed: manifest.seed, sample })
}

/// The sample that was written as these lines.
fn sample(manifest: &Manifest, lines: &[Line]) -> Sample {
    let (mut names, mut measures): (Vec<&str>, Vec<&'static Measure>) = (Vec::new(), Vec::new());
    for line in lines {
        if !names.contains(&&*line.unit) && line.unit != ALL {
            names.push(&line.unit);
        }
        let metric = Metric::ALL.iter().find(|metric| metric.name() == line.measure);
        if let Some(measure) = metric.map(|metric| metric.measure())
            && !measures.contains(&measure)
        {
            measures.push(measure);
        }
    }
    names.push(ALL);
    // The members of a class are not told here, and nothing asks for them.
    let units = names.iter().enumerate();
    let units = units.map(|(at, name)| Class { name: (*name).to_owned(), members: at..at + 1 });
    let mut sample = Sample::new(units.collect(), measures.iter().copied(), manifest.level, true);
    let mut lines = lines.iter().peekable();
    for number in 0..manifest.replications {
        while let Some(line) = lines.next_if(|line| line.replication == number) {
            let unit = names.iter().position(|name| *name == line.unit);
            let measure = measures.iter().find(|measure| measure.name == line.measure);
            if let (Some(unit), Some(measure)) = (unit, measure) {
                sample.put(unit, measure, line.value * line.weight, line.weight);
            }
        }
        sample.end_replication();
    }
    sample
}
