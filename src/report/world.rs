//! The report of a world, and the files and summary that every run writes from it.
//!
//! A [`Report`] gives the parts that differ from world to world. Everything has a default, so a world
//! from outside gets its summary, tables and files from its figures alone.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::files::figures::{self, FigureRow, Part};
use super::files::{FORMAT, Manifest, Timing};
use super::page::{self, Page};
use super::picture::Picture;
use super::picture::svg::Size;
use super::table::{Brief, Format, Table};
use super::words::imports::imports;
use super::words::prose::results;
use super::words::screen::{Screen, View};
use findings::Findings;
use findings::known::Known;
use scenario::json::pretty;
use scenario::plan::Plan;
use stats::shown::{Times, count, counted, figure, seconds};

/// The report of a world on its findings.
pub trait Report {
    /// Its findings.
    fn findings(&self) -> &dyn Findings;

    /// Name of the world in files: `grid`, `coalition`, `game`.
    fn world(&self) -> &'static str;

    /// Lines of the summary before its table.
    fn head(&self, _times: Times) -> Vec<String> {
        Vec::new()
    }

    /// The main table, for programs or for people; in text with as many rows as a page shows.
    fn table(&self, _format: Format) -> Table {
        figures::table(self.findings())
    }

    /// Legend of `±` in the sentences after the table, if the table has none.
    fn margin(&self) -> Option<String> {
        None
    }

    /// The table of a short summary, whose rows go by their importance.
    fn brief(&self) -> Brief {
        self.table(Format::Markdown).into()
    }

    /// The findings in sentences, the most important first.
    fn statements(&self, _times: Times) -> Vec<String> {
        self.findings().sample().known.iter().map(Known::line).collect()
    }

    /// Warnings that a reader needs before trusting the figures.
    fn warnings(&self) -> Vec<String> {
        self.findings().sample().known.iter().filter_map(Known::warning).collect()
    }

    /// Lines of the summary after the warnings.
    fn notes(&self, _has_files: bool) -> Vec<String> {
        Vec::new()
    }

    /// Lines of the summary on the traces that were read.
    fn imports(&self, plan: &Plan) -> Vec<String> {
        imports(plan)
    }

    /// The noun for what arrives, for one and for several.
    fn noun(&self) -> (&'static str, &'static str) {
        ("job", "jobs")
    }

    /// The cost of the run in words.
    fn cost(&self, timing: &Timing) -> String {
        cost(timing, self.noun())
    }

    /// Contents of `figures.csv` and `replications.csv`: names of the leading columns, and findings
    /// with their values in them. By default all that was found, without leading columns.
    fn parts(&self) -> (Vec<String>, Vec<Part<'_>>) {
        (Vec::new(), vec![Part { lead: Vec::new(), findings: self.findings() }])
    }

    /// Files of this world alone.
    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        Vec::new()
    }

    /// Pictures, each with its name; files are called like it.
    fn pictures(&self) -> Vec<(&'static str, Picture)> {
        Vec::new()
    }

    /// Renders `summary.json`: what all worlds have, and what this world adds to it.
    fn summary(&self, common: Common<'_>) -> Vec<u8> {
        common.with(Nothing {})
    }

    /// Adds to the manifest what an auditor needs of this world.
    fn describe(&self, _manifest: &mut Manifest) {}
}

/// The report of a world that has nothing to add to its figures.
#[derive(Debug)]
pub struct Plain<'a, F> {
    /// Name of the world in files.
    pub world: &'static str,
    /// Its findings.
    pub findings: &'a F,
}

impl<F: Findings> Report for Plain<'_, F> {
    fn findings(&self) -> &dyn Findings {
        self.findings
    }
    fn world(&self) -> &'static str {
        self.world
    }
}

/// Nothing to add to `summary.json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Nothing {}

/// The part of `summary.json` that all worlds share.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Common<'a> {
    /// Version of the shape of this file.
    pub format: u32,
    /// The world: `grid`, `coalition`, `game` or another.
    pub world: &'static str,
    /// Title of the scenario.
    pub name: &'a str,
    /// Changes to it, as `key=value`.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub changes: &'a [String],
    /// Master seed.
    pub seed: u64,
    /// Number of replications.
    pub replications: u32,
    /// Confidence level of the intervals.
    pub level: f64,
    /// Precision reached for the target figure, if the run had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<&'a Known>,
    /// The findings in sentences, the most important first.
    pub statements: Vec<String>,
    /// Warnings that a reader needs before trusting the figures.
    pub warnings: Vec<String>,
    /// Figures of up to 64 organizations, of classes and of all together; `figures.csv` has all.
    pub figures: Vec<FigureRow<'a>>,
}

impl<'a> Common<'a> {
    fn new(plan: &'a Plan, report: &'a dyn Report) -> Common<'a> {
        let sample = report.findings().sample();
        Common {
            format: FORMAT,
            world: report.world(),
            name: &plan.name,
            changes: &plan.changes,
            seed: plan.seed,
            replications: sample.replications(),
            level: sample.level().share(),
            precision: sample.known.as_ref(),
            statements: report.statements(Times::Units),
            warnings: report.warnings(),
            figures: (sample.kept().iter())
                .flat_map(|&unit| figures::rows_of(report.findings(), unit))
                .collect(),
        }
    }

    /// Renders the file with what a world adds, which must be a struct or a map.
    pub fn with(self, own: impl Serialize) -> Vec<u8> {
        #[derive(Serialize)]
        struct Whole<'a, T> {
            #[serde(flatten)]
            common: Common<'a>,
            #[serde(flatten)]
            own: T,
        }
        pretty(&Whole { common: self, own })
    }
}

/// The files of a run besides its records, timing and manifest.
pub fn files(plan: &Plan, report: &dyn Report) -> Vec<(String, Vec<u8>)> {
    let named = |(name, content): (&str, Vec<u8>)| (name.to_owned(), content);
    let mut files: Vec<(String, Vec<u8>)> = report.files().into_iter().map(named).collect();
    let pictures = report.pictures().into_iter().map(|(name, one)| (name, one.kept()));
    let pictures: Vec<(&str, Picture)> = pictures.collect();
    files.extend(pictures.iter().map(|(name, one)| (format!("{name}.svg"), one.svg(Size::Screen))));
    let (lead, parts) = report.parts();
    let mut common = vec![
        ("figures.csv", figures::figures(&lead, &parts)),
        ("replications.csv", figures::replications(&lead, &parts)),
        ("summary.json", report.summary(Common::new(plan, report))),
    ];
    if plan.output.page {
        common.push((page::KEPT, Page::new(plan, report, pictures).kept()));
    }
    files.extend(common.into_iter().map(named));
    files
}

/// The manifest of a run; `files` are the digests of the files written.
pub fn manifest(plan: &Plan, report: &dyn Report, files: BTreeMap<String, String>) -> Manifest {
    let mut manifest = Manifest::new(plan, report.world(), files);
    let sample = report.findings().sample();
    manifest.replications = sample.replications();
    manifest.precision.clone_from(&sample.known);
    report.describe(&mut manifest);
    manifest
}

/// Renders the summary that a person reads; `folder` holds the files, if any were written.
pub fn text(
    plan: &Plan,
    report: &dyn Report,
    timing: &Timing,
    folder: Option<&Path>,
    view: View,
) -> String {
    let times = if plan.counts_seconds() { view.times } else { Times::Units };
    let replications = report.findings().sample().replications();
    let replications = counted(replications.into(), "replication", "replications");
    let mut notes = report.imports(plan);
    notes.extend(report.notes(folder.is_some()));
    let screen = Screen {
        title: format!("{}  (seed {}, {replications})", plan.title(), plan.seed),
        head: report.head(times).iter().flat_map(|one| one.lines().map(str::to_owned)).collect(),
        table: match view.is_whole {
            true => report.table(Format::Markdown).into(),
            false => report.brief(),
        },
        legend: report.margin(),
        statements: report.statements(times),
        warnings: report.warnings(),
        notes,
        end: std::iter::once(report.cost(timing)).chain(results(folder)).collect(),
    };
    screen.text(view, times)
}

/// The cost of a run in words: what was simulated, how long it took, and how fast that is.
fn cost(timing: &Timing, (one, several): (&'static str, &'static str)) -> String {
    let jobs = counted(timing.jobs, one, several);
    let took = seconds(timing.run_seconds);
    let Some(rounds) = timing.rounds else {
        return format!(
            "simulated {jobs} in {took} ({} per second)",
            figure(timing.jobs_per_second.round())
        );
    };
    let rate = count((rounds as f64 / timing.run_seconds.max(1e-9)) as u64);
    let rounds = counted(rounds, "round", "rounds");
    match timing.jobs {
        0 => format!("played {rounds} in {took} ({rate} rounds per second)"),
        _ => format!("simulated {rounds} with {jobs} in {took} ({rate} rounds per second)"),
    }
}
