//! Reads what a finished run found back from its results folder, or from the `jobs.csv` of another
//! program.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::folder::MANIFEST;
use super::versus::week;
use findings::grid::comparable::by_week;
use findings::measure::{Measure, Metric};
use findings::sample::Sample;
use findings::unit::{ALL, Class};
use findings::{Comparable, Findings};
use kernel::time::{Span, Time};
use records::files::{FileError, read_regular};
use records::recorded::{RecordedError, Row, Rows};
use report::comparison::draws::Inputs;
use report::files::Manifest;
use sim::accounts::Counting;
use sim::weeks::Weeks;

/// Results of a finished run, replication by replication.
#[derive(Debug)]
pub struct FinishedRun {
    /// The world that ran.
    pub world: String,
    /// Its master seed.
    pub seed: u64,
    /// Its inputs, drawn or given.
    pub inputs: Inputs,
    /// The values of its replications.
    sample: Sample,
    /// The jobs that count, and the weeks of a single replication whose jobs are kept.
    counting: Counting,
    weeks: Option<Weeks>,
    /// The names of the organizations, in the order of the weeks'.
    organizations: Vec<String>,
}

impl Findings for FinishedRun {
    fn sample(&self) -> &Sample {
        &self.sample
    }

    fn sample_mut(&mut self) -> &mut Sample {
        &mut self.sample
    }

    /// Weeks, as far as their mean is the figure of the run.
    fn series(&self, unit: usize, measure: &Measure) -> Option<Comparable> {
        let by_week = || {
            let name = &self.sample.units()[unit].name;
            let of = match self.organizations.iter().position(|one| one == name) {
                None if name != ALL => return None,
                at => at.unwrap_or(self.organizations.len()),
            };
            let weeks = by_week(self.weeks.as_ref()?, of, measure.metric()?)?;
            let (sum, jobs) = (weeks.values.iter())
                .fold((0.0, 0.0), |all, [mean, jobs]| (all.0 + mean * jobs, all.1 + jobs));
            let mean = self.sample.mean(unit, measure)?;
            ((sum / jobs - mean).abs() <= 1e-6 * mean.abs()).then_some(weeks)
        };
        let of_replications = || {
            let values = self.sample.series(unit, measure)?;
            Some(Comparable::of_replications(values, None))
        };
        by_week().or_else(of_replications)
    }
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
    /// A file of jobs cannot be read.
    #[error(transparent)]
    Jobs(#[from] RecordedError),
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

/// Reads the results of a run. Jobs are told from others by their numbers and users; by their numbers
/// and processors if `is_bare`, as other programs know no users.
///
/// # Errors
/// See [`Unreadable`].
pub fn read(folder: &Path, is_bare: bool) -> Result<FinishedRun, Unreadable> {
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
    let window = manifest.counted.first();
    let mut counting = Counting::default();
    if let Some(window) = window {
        (counting.from, counting.until) = (window.from, window.until.unwrap_or(Time::NEVER));
    }
    let factor = manifest.workloads.iter().find_map(|one| Some(one.import.as_ref()?.compressed()));
    counting.weeks = Some(week(factor.unwrap_or(1.0)));
    let names = || manifest.files.keys().map(String::as_str);
    let keeps_jobs = names().any(|name| name.starts_with("jobs"));
    let weeks = match window {
        Some(_) if manifest.replications == 1 && keeps_jobs => {
            let jobs = jobs(Rows::named(folder, "jobs", names())?)?;
            Some(weeks(&jobs, &manifest.organizations, counting, is_bare))
        }
        _ => None,
    };
    Ok(FinishedRun {
        inputs: Inputs::of_run(&manifest),
        world: manifest.world,
        seed: manifest.seed,
        sample,
        counting,
        weeks,
        organizations: manifest.organizations,
    })
}

/// Reads the jobs of a schedule that another program made, in Batsim's columns, to compare it with a
/// run. The jobs that count are that run's.
///
/// # Errors
/// See [`Unreadable`].
pub fn read_jobs(file: &Path, like: Option<&FinishedRun>) -> Result<FinishedRun, Unreadable> {
    let jobs = jobs(Rows::of(vec![file.to_owned()])?)?;
    let (from, week) = (Counting::default(), Some(week(1.0)));
    let counting = like.map_or(Counting { weeks: week, ..from }, |run| run.counting);
    let level = like.map_or(counting.level, |run| run.sample.level());
    let all = Class { name: ALL.to_owned(), members: 0..1 };
    let metrics = [Metric::Flow, Metric::Wait, Metric::BoundedSlowdown];
    let measures = metrics.iter().chain([&Metric::Makespan]).map(|metric| metric.measure());
    let mut sample = Sample::new(vec![all], measures, level, true);
    let weeks = weeks(&jobs, &[ALL.to_owned()], counting, true);
    for (at, metric) in metrics.iter().enumerate() {
        let (sum, jobs) = weeks.of(0, at).fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
        sample.put(0, metric.measure(), kernel::time::sum_as_units(sum), jobs as f64);
    }
    let counted = || jobs.iter().filter(|job| counting.has(job.submit) && job.served.is_some());
    let first = counted().map(|job| job.submit).min();
    let last = counted().filter_map(|job| Some(job.submit + job.served?[0])).max();
    if let Some((first, last)) = first.zip(last) {
        sample.put(0, Metric::Makespan.measure(), (last - first).as_units(), 1.0);
    }
    sample.end_replication();
    Ok(FinishedRun {
        world: "grid".to_owned(),
        seed: like.map_or(1, |run| run.seed),
        inputs: like.map(|run| run.inputs.clone()).unwrap_or_default(),
        sample,
        counting,
        weeks: Some(weeks),
        organizations: vec![ALL.to_owned()],
    })
}

/// A job as its line tells it.
#[derive(Debug)]
struct Job {
    number: String,
    user: u32,
    processors: u32,
    organization: String,
    submit: Time,
    /// Flow time, waiting time and execution time, if it ended.
    served: Option<[Span; 3]>,
}

/// The jobs of some lines.
fn jobs(mut rows: Rows) -> Result<Vec<Job>, RecordedError> {
    let mut jobs = Vec::new();
    while let Some(row) = rows.read()? {
        let submit = time(&row, "submission_time")?.unwrap_or_default();
        let [start, finish] = [time(&row, "starting_time")?, time(&row, "finish_time")?];
        let number: &str = row.get("job_id")?;
        let organization: &str = row.get("organization").unwrap_or_default();
        jobs.push(Job {
            number: number.rsplit('!').next().unwrap_or_default().to_owned(),
            user: row.get("user").unwrap_or_default(),
            processors: row.get("requested_number_of_resources")?,
            organization: organization.to_owned(),
            submit,
            served: start
                .zip(finish)
                .map(|(start, finish)| [finish - submit, start - submit, finish - start]),
        });
    }
    Ok(jobs)
}

/// A time in units; `None` if there is none, or a negative one in its place.
fn time(row: &Row<'_>, column: &str) -> Result<Option<Time>, RecordedError> {
    let text: &str = row.get(column)?;
    match text.parse::<f64>() {
        _ if text.is_empty() => Ok(None),
        Ok(units) if units < 0.0 => Ok(None),
        Ok(units) => {
            Time::from_units(units).map(Some).map_err(|_| row.wrong(column, text, "a time"))
        }
        Err(_) => Err(row.wrong(column, text, "a time")),
    }
}

/// The weeks of some jobs; those of no known organization belong to the first.
fn weeks(jobs: &[Job], organizations: &[String], counting: Counting, is_bare: bool) -> Weeks {
    let mut weeks = Weeks::new(counting, counting.weeks.unwrap_or_default(), organizations.len());
    let places: FxHashMap<&str, usize> =
        organizations.iter().map(|name| &**name).zip(0..).collect();
    for job in jobs.iter().filter(|job| counting.has(job.submit)) {
        let at = places.get(&*job.organization).copied().unwrap_or(0);
        let kind = if is_bare { job.processors } else { job.user };
        weeks.came(job.submit, at, (&job.number, kind));
        if let Some(times) = job.served {
            weeks.served(job.submit, at, times);
        }
    }
    weeks
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
