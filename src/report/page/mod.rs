//! The page of a run: `report.json`, which keeps what it shows, and `report.html`, which shows it.
//!
//! A [`Page`] is made from a report when a run ends, or by a study; `gridpact report` and `gridpact plot`
//! read it again, so nothing is computed twice. [`html`] renders it with its pictures as SVG and, as
//! data, once more: `page.ts` beside this file makes them live in a browser.

mod figures;
pub mod html;
pub mod jobs;

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::files::{FORMAT, Manifest};
use crate::picture::Picture;
use crate::table::{Format, Shown};
use crate::world::Report;
use records::files::{FileError, read_regular, written};
use records::recorded::RecordedError;
use scenario::plan::Plan;
use stats::shown::{Times, counted};

/// Name of the file that keeps what the page shows.
pub const KEPT: &str = "report.json";

/// Name of the page.
pub const PAGE: &str = "report.html";

/// A page, from top to bottom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// Version of the shape of this file.
    pub format: u32,
    /// The title.
    pub title: String,
    /// Lines on what was run.
    pub about: Vec<String>,
    /// The findings in sentences, the most important first.
    pub answer: Vec<String>,
    /// Warnings that a reader needs before trusting the figures.
    pub warnings: Vec<String>,
    /// Tables.
    pub tables: Vec<Shown>,
    /// Pictures.
    pub pictures: Vec<Named>,
    /// Lines on where the jobs came from, and what else is to be noted.
    pub notes: Vec<String>,
    /// Names and values of what identifies the run.
    pub facts: Vec<(String, String)>,
    /// The clock of its jobs.
    pub clock: Clock,
}

/// A picture with its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    /// Its name: that of its file, if it has one.
    pub name: String,
    /// The picture.
    pub picture: Picture,
}

/// The clock that the times of jobs are told by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Clock {
    /// True if a unit of time is a second.
    pub counts_seconds: bool,
    /// Time 0 in seconds since 1970, if it has a date.
    pub start: Option<i64>,
}

impl Page {
    /// The page of a run.
    pub fn new(plan: &Plan, report: &dyn Report, pictures: Vec<(&str, Picture)>) -> Page {
        let findings = report.findings();
        let sample = findings.sample();
        let replications = counted(sample.replications().into(), "replication", "replications");
        // As on a screen: by the clock where a unit is a second.
        let times = if plan.counts_seconds() { Times::Clock } else { Times::Units };
        let table = report.table(Format::Text).told_in(times);
        let waits = figures::waits(plan, findings);
        let pictures = pictures.into_iter().map(|(name, picture)| (name.to_owned(), picture));
        let facts = [
            ("confidence level", sample.level().to_string()),
            ("scenario (BLAKE3)", plan.digest.clone()),
            ("gridpact", env!("CARGO_PKG_VERSION").to_owned()),
        ];
        Page {
            format: FORMAT,
            title: plan.title(),
            about: [format!("seed {}, {replications}", plan.seed)]
                .into_iter()
                .chain(report.head(times))
                .collect(),
            answer: waits.into_iter().chain(report.statements(times)).collect(),
            warnings: report.warnings(),
            tables: vec![table.shown()],
            pictures: (figures::pictures(plan, findings).into_iter().chain(pictures))
                .map(|(name, picture)| Named { name, picture: picture.kept() })
                .collect(),
            notes: report.imports(plan).into_iter().chain(report.notes(true)).collect(),
            facts: facts.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            clock: Clock { counts_seconds: plan.counts_seconds(), start: plan.start() },
        }
    }

    /// Reads what was kept.
    ///
    /// # Errors
    /// Fails if it is not what a run writes.
    pub fn read(text: &[u8]) -> Result<Page, String> {
        scenario::json::read(text)
    }

    /// The page as it is kept.
    ///
    /// # Panics
    /// Never: a page is written into memory.
    pub fn kept(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec(self).expect("memory takes a page");
        text.push(b'\n');
        text
    }
}

/// An error that leaves a folder without a page.
#[derive(Debug, thiserror::Error)]
pub enum NoPage {
    /// Nothing was kept for one.
    #[error("{}: these results keep no page\nhelp: they were written with `output.page = false` or by an \
             older version; run them again", .0.display())]
    Nothing(PathBuf),
    /// A file is not what a run writes.
    #[error("{}: this is not what a run of this version writes: {wrong}", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The reason.
        wrong: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The jobs cannot be read.
    #[error(transparent)]
    Jobs(#[from] RecordedError),
}

/// Reads what a results folder keeps for its page.
///
/// # Errors
/// See [`NoPage`].
pub fn read(folder: &Path) -> Result<Page, NoPage> {
    let file = folder.join(KEPT);
    let text = match read_regular(&file) {
        Err(wrong) if wrong.error.kind() == std::io::ErrorKind::NotFound => {
            return Err(NoPage::Nothing(folder.to_owned()));
        }
        text => text?,
    };
    Page::read(&text).map_err(|wrong| NoPage::Damaged { file, wrong })
}

/// Writes the page of a results folder, with at most so many of its jobs, and tells where it is. The
/// manifest is that of the folder, unless it is not there yet and is given.
///
/// # Errors
/// See [`NoPage`].
pub fn write(
    folder: &Path,
    manifest: Option<&Manifest>,
    most_jobs: usize,
) -> Result<PathBuf, NoPage> {
    let page = read(folder)?;
    let read_manifest = || -> Result<Manifest, NoPage> {
        let file = folder.join("manifest.json");
        Manifest::read(&read_regular(&file)?).map_err(|wrong| NoPage::Damaged { file, wrong })
    };
    let jobs = match manifest {
        Some(manifest) => jobs::read(folder, manifest, page.clock, most_jobs)?,
        None => jobs::read(folder, &read_manifest()?, page.clock, most_jobs)?,
    };
    let path = folder.join(PAGE);
    written(&path, &html::render(&page, jobs.as_ref()))?.publish()?;
    Ok(path)
}
