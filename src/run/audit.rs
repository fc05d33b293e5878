//! Auditing a results folder: the facts are read from its files alone, and judged.

mod rounds;
mod timeline;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use csv::StringRecord;

use super::folder::MANIFEST;
use crate::audit::{
    self, Check, ClusterFacts, Discipline, Facts, JobFacts, Kind, Order, Report, Settings, Sums,
    Totals, Violation,
};
use crate::kernel::time::{Span, TICKS_PER_UNIT, Time};
use crate::policy::local::list;
use crate::report::files::FileError;
use crate::report::jobs::state;
use crate::report::json::{ClusterEntry, Manifest, Stop};
use crate::report::packed::name::{Name, PACKED};
use crate::report::recorded::{self, RecordedError, Rows, is_damage, located, of_kind};
use crate::sim::clairvoyance::Clairvoyance;
use crate::sim::phase::PhaseOrder;
use crate::stats::interval::LEVEL;
use crate::stats::student;

/// Why a folder could not be audited.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// A file is missing or cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file is not what a run writes.
    #[error("{}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

impl From<RecordedError> for AuditError {
    fn from(error: RecordedError) -> AuditError {
        match error {
            RecordedError::File(error) => AuditError::File(error),
            RecordedError::Content { path, message } => AuditError::Content { path, message },
        }
    }
}

/// What an audit of a folder found.
#[derive(Debug)]
pub struct Audited {
    /// What the run says of itself.
    pub manifest: Manifest,
    /// The checks of the rules.
    pub report: Report,
    /// Files whose content is not what the manifest says.
    pub changed: Vec<String>,
    /// Files that the manifest names and that are not there.
    pub missing: Vec<String>,
}

impl Audited {
    /// True where every rule was kept, and no file was changed or is missing.
    pub fn passed(&self) -> bool {
        self.report.passed() && self.changed.is_empty() && self.missing.is_empty()
    }
}

/// Audits the results in a folder.
///
/// # Errors
/// When its files are missing or are not what a run writes.
pub fn audit(folder: &Path) -> Result<Audited, AuditError> {
    let path = folder.join(MANIFEST);
    let text = fs::read(&path).map_err(FileError::of(&path))?;
    let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| {
        let known = serde_json::from_slice::<serde_json::Value>(&text);
        let message = if known.is_ok_and(|manifest| manifest.get("players").is_some()) {
            "these are the results of a game, which has no grid to audit".to_owned()
        } else {
            format!("not a manifest, or cut short: {error}; run the scenario again")
        };
        AuditError::Content { path: path.clone(), message }
    })?;
    let files = changed(folder, &manifest)?;
    let touched = files[0].clone();
    judged(folder, manifest, files).map_err(|error| said_of_changed(error, &touched))
}

/// Judges what the files say.
fn judged(
    folder: &Path,
    manifest: Manifest,
    files: [Vec<String>; 2],
) -> Result<Audited, AuditError> {
    if let Some(coalition) = manifest.coalition.clone() {
        return rounds::audit(manifest, &coalition, folder, files);
    }
    if !has(&manifest, "jobs") {
        let message =
            "the run wrote no jobs.csv; set `output.jobs = true` and run again".to_owned();
        return Err(AuditError::Content { path: folder.join("jobs.csv"), message });
    }
    let facts = facts(&manifest, folder)?;
    let mut report = audit::audit(&facts, &[]);
    let mut conservation = conservation(&manifest, &facts, &folder.join("organizations.csv"))?;
    let bins = folder.join("timeline.csv");
    if manifest.files.contains_key("timeline.csv") && bins.exists() {
        timeline::compare(&facts, &bins, &mut conservation)?;
    }
    match report.checks.iter_mut().find(|check| check.name == conservation.name) {
        Some(check) => *check = conservation,
        None => report.checks.push(conservation),
    }
    let [changed, missing] = files;
    Ok(Audited { manifest, report, changed, missing })
}

/// Says of a file that makes no sense that it was changed, where it was.
fn said_of_changed(error: AuditError, changed: &[String]) -> AuditError {
    let AuditError::Content { path, mut message } = error else { return error };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if changed.iter().any(|one| *one == name || name.strip_suffix(PACKED) == Some(one)) {
        message.push_str("; it is not the file that the run wrote");
    }
    AuditError::Content { path, message }
}

/// The files that were changed since the run, and those that are missing. What counts is their
/// content: packing or unpacking a file changes nothing.
fn changed(folder: &Path, manifest: &Manifest) -> Result<[Vec<String>; 2], AuditError> {
    let (mut changed, mut missing) = (Vec::new(), Vec::new());
    for (name, digest) in &manifest.files {
        let path = match Name::of(name) {
            Some(_) => located(folder, name),
            None => folder.join(name),
        };
        let mut hasher = blake3::Hasher::new();
        let read = recorded::open(&path).and_then(|file| hasher.update_reader(file).map(drop));
        match read {
            Ok(()) if hasher.finalize().to_hex().as_str() == digest => {}
            Ok(()) => changed.push(name.clone()),
            Err(error) if is_damage(&error) => changed.push(name.clone()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push(name.clone()),
            Err(error) => return Err(FileError::of(&path)(error).into()),
        }
    }
    Ok([changed, missing])
}

/// Does the manifest name files of a kind of records?
fn has(manifest: &Manifest, kind: &str) -> bool {
    !of_kind(kind, manifest.files.keys().map(String::as_str)).is_empty()
}

/// Makes something of every line of a kind of records, one by one.
fn collect<T>(
    manifest: &Manifest,
    folder: &Path,
    kind: &str,
    mut one: impl FnMut(&Row<'_>) -> Result<T, AuditError>,
) -> Result<Vec<T>, AuditError> {
    let mut rows = Rows::named(folder, kind, manifest.files.keys().map(String::as_str))?;
    let columns = columns_of(&rows);
    let mut found = Vec::new();
    while let Some(row) = rows.read()? {
        found.push(one(&Row { columns: &columns, row })?);
    }
    Ok(found)
}

fn columns_of(rows: &Rows) -> Columns {
    rows.columns().iter().map(str::to_owned).zip(0..).collect()
}

fn facts(manifest: &Manifest, folder: &Path) -> Result<Facts, AuditError> {
    let names =
        |names: &[String]| -> BTreeMap<String, usize> { names.iter().cloned().zip(0..).collect() };
    let organizations = names(&manifest.organizations);
    let cluster_names: Vec<String> =
        manifest.clusters.iter().map(|cluster| cluster.name.clone()).collect();
    let clusters = names(&cluster_names);
    let workloads: Vec<String> =
        manifest.workloads.iter().map(|workload| workload.name.clone()).collect();
    let workloads = names(&workloads);
    let jobs = collect(manifest, folder, "jobs", |row| {
        let start = row.optional_time("starting_time")?;
        let finish = row.optional_time("finish_time")?;
        let state = row.text("final_state")?;
        let cluster = match row.text("cluster")? {
            "" => None,
            name => Some(row.known("cluster", name, &clusters)?),
        };
        let allocated = match row.text("allocated_resources")? {
            "" => None,
            text => Some(
                text.parse().map_err(|_| row.wrong("allocated_resources", text, "processors"))?,
            ),
        };
        let source = row.known("workload_name", row.text("workload_name")?, &workloads)?;
        Ok(JobFacts {
            number: row.number("job_id")?,
            source: Some(source as u32),
            replication: row.number("replication")?,
            organization: row.known("organization", row.text("organization")?, &organizations)?,
            cluster,
            submit: Time::ZERO + row.span("submission_time")?,
            arrival: Some(row.number("arrival")?),
            start,
            finish,
            start_order: row.optional("start_order", |row, column| row.number(column))?,
            runtime: row.span("runtime")?,
            requested: row.span("requested_time")?,
            expected: row.optional("expected_time", |row, column| row.span(column))?,
            processors: row.number("requested_number_of_resources")?,
            allocated,
            user: row.number("user")?,
            success: state == state::COMPLETED,
        })
    })?;
    Ok(Facts {
        organizations: manifest.organizations.clone(),
        clusters: manifest
            .clusters
            .iter()
            .map(|cluster| cluster_facts(cluster, &organizations))
            .collect(),
        jobs,
        settings: settings(manifest),
    })
}

fn settings(manifest: &Manifest) -> Settings {
    Settings {
        phase_order: match manifest.phase_order {
            PhaseOrder::Instant => audit::PhaseOrder::Instant,
            PhaseOrder::PerEvent => audit::PhaseOrder::PerEvent,
        },
        clairvoyance: match manifest.clairvoyance {
            Clairvoyance::Runtime => audit::Clairvoyance::Runtime,
            Clairvoyance::Estimate => audit::Clairvoyance::Estimate,
            Clairvoyance::Predicted => audit::Clairvoyance::Predicted,
            Clairvoyance::None => audit::Clairvoyance::None,
        },
        stopped: match manifest.until {
            Stop::Drained => None,
            Stop::Time(time) => Some(time),
        },
    }
}

fn cluster_facts(cluster: &ClusterEntry, organizations: &BTreeMap<String, usize>) -> ClusterFacts {
    let kind = match cluster.scheduler.as_deref() {
        None => Kind::TimeShared,
        Some("fcfs") => Kind::SpaceShared(Discipline::Fcfs),
        Some("easy") => Kind::SpaceShared(Discipline::Easy),
        Some("conservative") => Kind::SpaceShared(Discipline::Conservative),
        Some("list") => {
            Kind::SpaceShared(Discipline::List(order(cluster.order.unwrap_or_default())))
        }
        Some(other) => Kind::SpaceShared(Discipline::Unknown(other.to_owned())),
    };
    ClusterFacts {
        name: cluster.name.clone(),
        owner: organizations.get(&cluster.owner).copied(),
        processors: cluster.processors,
        kind,
        kill_at_estimate: cluster.kill_at_estimate,
    }
}

fn order(order: list::Order) -> Order {
    match order {
        list::Order::Submit => Order::Submit,
        list::Order::Shortest => Order::ShortestEstimate,
        list::Order::Longest => Order::LongestEstimate,
        list::Order::Smallest => Order::Smallest,
        list::Order::Largest => Order::Largest,
        list::Order::SmallestArea => Order::SmallestArea,
        list::Order::LargestArea => Order::LargestArea,
        list::Order::Random => Order::Random,
    }
}

/// Compares `organizations.csv` with the jobs that count.
fn conservation(manifest: &Manifest, facts: &Facts, path: &Path) -> Result<Check, AuditError> {
    let counts = |job: &JobFacts| {
        let counted = manifest.counted.get(job.replication as usize);
        counted.is_some_and(|counted| counted.counts(job.submit))
    };
    let counted = Facts {
        // The accounts hold all replications together.
        jobs: (facts.jobs.iter().filter(|job| counts(job)).cloned())
            .map(|job| JobFacts { replication: 0, ..job })
            .collect(),
        organizations: facts.organizations.clone(),
        clusters: facts.clusters.clone(),
        settings: facts.settings,
    };
    let table = read_table(path)?;
    let mut totals = Totals::default();
    for row in table.lines() {
        let sum = |column: &str| row.sum(column);
        let sums = Sums {
            submitted: row.number("submitted")?,
            started: row.number("started")?,
            finished: row.number("finished")?,
            rejected: row.number("rejected")?,
            flow: sum("flow_sum")?,
            wait: sum("wait_sum")?,
            area: sum("area")?,
            for_others: sum("work_for_others")?,
            by_others: sum("work_by_others")?,
        };
        if row.text("organization")? == "*" {
            totals.grid = sums;
        } else {
            totals.organizations.push(sums);
        }
    }
    let mut check = audit::conservation(&counted, &[totals]);
    intervals(manifest, facts, &table, &mut check)?;
    Ok(check)
}

/// Of a replication the jobs that count and ended, their flow and their wait, in units.
#[derive(Clone, Copy, Debug, Default)]
struct Section {
    jobs: f64,
    sums: [f64; 2],
}

/// Compares the intervals of the mean flow and wait with those that follow from the jobs, by the
/// formula for a ratio of sums.
fn intervals(
    manifest: &Manifest,
    facts: &Facts,
    table: &Table,
    check: &mut Check,
) -> Result<(), AuditError> {
    let replications = manifest.counted.len() as f64;
    if replications < 2.0 {
        return Ok(());
    }
    // By organization, the grid last, and by replication.
    let grid = facts.organizations.len();
    let mut sections: Vec<BTreeMap<u32, Section>> = vec![BTreeMap::new(); grid + 1];
    for job in &facts.jobs {
        let counted = manifest.counted.get(job.replication as usize);
        let counts = counted.is_some_and(|counted| counted.counts(job.submit));
        let (Some(start), Some(finish), true) = (job.start, job.finish, counts) else { continue };
        for index in [job.organization, grid] {
            let section = sections[index].entry(job.replication).or_default();
            section.jobs += 1.0;
            section.sums[0] += (finish - job.submit).as_units();
            section.sums[1] += (start - job.submit).as_units();
        }
    }
    for row in table.lines() {
        let name = row.text("organization")?;
        let index = facts.organizations.iter().position(|one| one == name).unwrap_or(grid);
        let sections: Vec<Section> = sections[index].values().copied().collect();
        for (metric, what) in ["flow", "wait"].into_iter().enumerate() {
            let found = interval(&sections, metric, replications);
            for (end, found) in ["low", "high"].into_iter().zip(found) {
                let column = format!("{what}_mean_{end}");
                let said: Option<f64> = row.optional(&column, |row, column| row.number(column))?;
                check.looked_at += 1;
                let agree = match (said, found) {
                    (Some(said), Some(found)) => {
                        (said - found).abs() <= 1e-6 * found.abs().max(1.0)
                    }
                    (None, None) => true,
                    _ => false,
                };
                if !agree {
                    check.count += 1;
                    check.violations.push(Violation {
                        replication: 0,
                        round: None,
                        cluster: None,
                        jobs: Vec::new(),
                        time: None,
                        text: format!(
                            "{name}: {column} is {} in the accounts and {} over the jobs",
                            in_words(said),
                            in_words(found)
                        ),
                    });
                }
            }
        }
    }
    Ok(())
}

/// A figure that may be missing.
fn in_words(figure: Option<f64>) -> String {
    figure.map_or("empty".to_owned(), |figure| figure.to_string())
}

/// The ends of the interval of the mean of a metric.
fn interval(sections: &[Section], metric: usize, replications: f64) -> [Option<f64>; 2] {
    if sections.len() < 2 {
        return [None; 2];
    }
    let jobs: f64 = sections.iter().map(|section| section.jobs).sum();
    let mean = sections.iter().map(|section| section.sums[metric]).sum::<f64>() / jobs;
    let off = |section: &Section| section.sums[metric] - mean * section.jobs;
    let squares: f64 = sections.iter().map(|section| off(section) * off(section)).sum();
    let error = (squares * replications / (replications - 1.0)).sqrt() / jobs;
    let half_width = student::two_sided(LEVEL, sections.len() as u64 - 1) * error;
    [Some(mean - half_width), Some(mean + half_width)]
}

/// What sums are.
const DECIMAL: &str = "a number with at most six decimals";

/// The names of columns, with their places.
type Columns = BTreeMap<String, usize>;

/// A small CSV file in memory.
struct Table {
    path: PathBuf,
    columns: Columns,
    rows: Vec<StringRecord>,
}

fn read_table(path: &Path) -> Result<Table, AuditError> {
    let mut rows = Rows::of(vec![path.to_owned()])?;
    let columns = columns_of(&rows);
    let mut records = Vec::new();
    while let Some(row) = rows.read()? {
        records.push(row.record.clone());
    }
    Ok(Table { path: path.to_owned(), columns, rows: records })
}

impl Table {
    /// Its lines.
    fn lines(&self) -> impl Iterator<Item = Row<'_>> {
        let Table { path, columns, rows } = self;
        rows.iter().zip(2..).map(move |(record, line)| {
            let row = recorded::Row { record, path, line, number: line };
            Row { columns, row }
        })
    }
}

/// A line with the names of its columns.
struct Row<'a> {
    columns: &'a Columns,
    row: recorded::Row<'a>,
}

impl<'a> Row<'a> {
    fn wrong(&self, column: &str, found: &str, expected: &str) -> AuditError {
        AuditError::Content {
            path: self.row.path.to_owned(),
            message: format!("line {}: {column} is `{found}`, not {expected}", self.row.line),
        }
    }

    /// A sum of units, in ticks.
    fn sum(&self, column: &str) -> Result<i128, AuditError> {
        let text = self.text(column)?;
        decimal(text).ok_or_else(|| self.wrong(column, text, DECIMAL))
    }

    fn text(&self, column: &str) -> Result<&'a str, AuditError> {
        let index = self.columns.get(column).copied();
        index.and_then(|index| self.row.record.get(index)).ok_or_else(|| AuditError::Content {
            path: self.row.path.to_owned(),
            message: format!("there is no column `{column}`"),
        })
    }

    fn number<T: FromStr>(&self, column: &str) -> Result<T, AuditError> {
        let text = self.text(column)?;
        text.parse().map_err(|_| {
            let is_number = text.parse::<f64>().is_ok();
            let expected = if is_number { "a whole number in its range" } else { "a number" };
            self.wrong(column, text, expected)
        })
    }

    /// A time or a span: not negative and not "never", so that no difference of two is too large.
    fn span(&self, column: &str) -> Result<Span, AuditError> {
        let text = self.text(column)?;
        let ticks = decimal(text).and_then(|ticks| i64::try_from(ticks).ok());
        let ticks = ticks.filter(|ticks| (0..i64::MAX).contains(ticks));
        let expected = "a time: from 0 to 9223372036854, with at most six decimals";
        ticks.map(Span::from_ticks).ok_or_else(|| self.wrong(column, text, expected))
    }

    fn optional<T>(
        &self,
        column: &str,
        read: impl Fn(&Self, &str) -> Result<T, AuditError>,
    ) -> Result<Option<T>, AuditError> {
        if self.text(column)?.is_empty() { Ok(None) } else { read(self, column).map(Some) }
    }

    fn optional_time(&self, column: &str) -> Result<Option<Time>, AuditError> {
        self.optional(column, |row, column| Ok(Time::ZERO + row.span(column)?))
    }

    fn known(
        &self,
        column: &str,
        name: &str,
        names: &BTreeMap<String, usize>,
    ) -> Result<usize, AuditError> {
        let expected = "a name that manifest.json has";
        names.get(name).copied().ok_or_else(|| self.wrong(column, name, expected))
    }
}

/// An exact decimal of at most six places, in millionths.
fn decimal(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || part.len() > 6 || !plain(whole) || !plain(part) {
        return None;
    }
    let part: i128 = format!("{part:0<6}").parse().ok()?;
    let whole: i128 = whole.parse().ok()?;
    let sum = whole.checked_mul(i128::from(TICKS_PER_UNIT))?.checked_add(part)?;
    Some(if negative { -sum } else { sum })
}
