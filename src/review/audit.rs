//! Audits a results folder: reads the facts from its files alone and judges them.

mod campaign;
mod grid;
mod jobs;
mod plans;
mod rounds;
mod spool;
mod table;
mod timeline;
mod workload;

use kernel::map::Map;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use jobs::Names;
use spool::Spool;
use table::{Table, read_table};
use workload::Against;

use audit::{
    self, Auditor, Check, ClusterFacts, Discipline, Facts, JobFacts, Kind, Order, Report, Settings,
    Sums, Tally, Totals, UNIT_SPEED, Violation,
};
use model::order;
use policy::local::easy::Backfill;
use records::files::{FileError, read_regular};
use records::jobs::Line;
use records::packed::name::{Name, PACKED};
use records::record::Record as _;
use records::recorded::{self, RecordedError, Row, Rows, is_damage, located, of_kind};
use report::files::{Manifest, Stop};
use report::grid::entry::ClusterEntry;
use run::folder::{MANIFEST, is_plain};
use scenario::diagnostics::show;
use sim::clairvoyance::Clairvoyance;
use sim::phase::PhaseOrder;
use stats::interval::Level;
use stats::student;

/// An error that keeps a folder from being audited.
pub type AuditError = RecordedError;

/// Result of auditing a folder.
#[derive(Debug)]
pub struct Audited {
    /// The run's manifest.
    pub manifest: Manifest,
    /// The checks of the rules.
    pub report: Report,
    /// Files whose digest differs from the one in the manifest.
    pub changed: Vec<String>,
    /// Files named in the manifest that do not exist.
    pub missing: Vec<String>,
}

impl Audited {
    /// True if every rule was kept and no file was changed or is missing.
    pub fn passed(&self) -> bool {
        self.report.passed() && self.changed.is_empty() && self.missing.is_empty()
    }
}

/// Progress of an audit, for a display on another thread.
#[derive(Debug, Default)]
pub struct Progress {
    read: AtomicU64,
    judged: AtomicU64,
}

impl Progress {
    /// Jobs read so far.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Jobs replayed so far. All jobs are read before the first one is replayed.
    pub fn judged(&self) -> u64 {
        self.judged.load(Ordering::Relaxed)
    }
}

/// Audits the results in a folder.
///
/// # Errors
/// Fails if its files are missing or are not what a run writes.
pub fn audit(folder: &Path) -> Result<Audited, AuditError> {
    audit_with(folder, &Progress::default())
}

/// The same as [`audit()`], updating `progress` along the way.
///
/// # Errors
/// See [`audit()`].
pub fn audit_with(folder: &Path, progress: &Progress) -> Result<Audited, AuditError> {
    let path = folder.join(MANIFEST);
    let text = read_regular(&path)?;
    let manifest: Manifest = Manifest::read(&text).map_err(|error| {
        let message = format!("not a manifest, or cut short: {error}; run the scenario again");
        AuditError::Content { path: path.clone(), message }
    })?;
    if let Some(why) = manifest.without_jobs() {
        return Err(AuditError::Content { path, message: why.to_owned() });
    }
    let files = changed(folder, &manifest)?;
    let touched = files[0].clone();
    judged(folder, manifest, files, progress).map_err(|error| said_of_changed(error, &touched))
}

/// Judges the content of the files.
fn judged(
    folder: &Path,
    manifest: Manifest,
    files: [Vec<String>; 2],
    progress: &Progress,
) -> Result<Audited, AuditError> {
    let report = match (&manifest.coalition, &manifest.campaign) {
        (Some(coalition), _) => rounds::audit(&manifest, coalition, folder),
        (_, Some(campaign)) => campaign::audit(&manifest, campaign, folder),
        (None, None) => replayed(&manifest, folder, progress),
    };
    let [changed, missing] = files;
    Ok(Audited { report: report?, manifest, changed, missing })
}

/// Reads the jobs, sums them and replays them in order of submission.
fn replayed(manifest: &Manifest, folder: &Path, progress: &Progress) -> Result<Report, AuditError> {
    needs(manifest, folder, "jobs", "jobs")?;
    let known = Names::of(manifest);
    let mut against = Against::new(folder, manifest);
    let groups = against.plan().map(grid::Membership::of);
    let world = Facts { grid: grid::facts(manifest, groups.as_ref()), ..world(manifest, &known) };
    let bins = folder.join("timeline.csv");
    let mut bins = (manifest.files.contains_key("timeline.csv") && bins.exists())
        .then(|| timeline::Lines::read(&world, &bins))
        .transpose()?;
    let mut tally = Tally::new(&world);
    let mut sections = Sections::new(&world);
    let mut derived = jobs::check();
    let mut spool = Spool::default();
    let mut rows = rows(manifest, folder, "jobs")?;
    while let Some(row) = rows.read()? {
        let line = Line::read(&row)?;
        let job = jobs::facts(&row, &line, &known)?;
        jobs::derived(row.line, &line, &job, manifest, &mut derived);
        let counted = manifest.counted.get(job.replication as usize);
        if counted.is_some_and(|counted| counted.counts(job.submit)) {
            // The accounts hold all replications together.
            tally.add(&job, 0);
            sections.add(&job);
        }
        if let Some(bins) = &mut bins {
            bins.add(&job);
        }
        spool.add(&job)?;
        progress.read.store(spool.jobs(), Ordering::Relaxed);
    }
    let path = folder.join("organizations.csv");
    let mut conservation = conservation(manifest, &world, tally, &sections, &path)?;
    if let Some(bins) = bins {
        bins.compare(&world, &mut conservation)?;
    }
    let mut planned = plans::Planned::of(manifest, &world);
    let mut auditor = Auditor::new(&world);
    spool.each(|job| {
        progress.judged.fetch_add(1, Ordering::Relaxed);
        let drawn = against.look(&job);
        let mut job = job.at_speed_of(&world.clusters, world.settings.clairvoyance);
        job.group = groups.as_ref().zip(drawn).and_then(|(groups, drawn)| groups.group(&drawn));
        if let Some(planned) = &mut planned {
            planned.ran(&job);
        }
        auditor.add(job);
        Ok::<_, AuditError>(())
    })?;
    let mut report = auditor.finish();
    report.checks.retain(|check| check.name != conservation.name);
    report.checks.extend([conservation, derived, against.finish()]);
    if let Some(planned) = planned {
        report.checks.extend(planned.read(manifest, folder, &known)?);
    }
    Ok(report)
}

/// Adds to the error of an unreadable file that the file was changed, if it was.
fn said_of_changed(error: AuditError, changed: &[String]) -> AuditError {
    let AuditError::Content { path, mut message } = error else { return error };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if changed.iter().any(|one| *one == name || name.strip_suffix(PACKED) == Some(one)) {
        message.push_str("; it is not the file that the run wrote");
    }
    AuditError::Content { path, message }
}

/// Lists the files changed since the run and those that are missing. Only content counts: packing
/// or unpacking a file changes nothing.
fn changed(folder: &Path, manifest: &Manifest) -> Result<[Vec<String>; 2], AuditError> {
    let (mut changed, mut missing) = (Vec::new(), Vec::new());
    for (name, digest) in &manifest.files {
        // Any other name could lead out of the folder.
        if !is_plain(name) {
            let message = format!("`files` names `{}`, which no run writes", show(name));
            return Err(AuditError::Content { path: folder.join(MANIFEST), message });
        }
        let path = match Name::of(name) {
            Some(_) => located(folder, name),
            None => folder.join(name),
        };
        match is_same(&path, digest)? {
            Some(true) => {}
            Some(false) => changed.push(name.clone()),
            None => missing.push(name.clone()),
        }
    }
    Ok([changed, missing])
}

/// True if a file has this digest; `None` if it is missing.
pub(super) fn is_same(path: &Path, digest: &str) -> Result<Option<bool>, FileError> {
    match recorded::digest(path) {
        Ok(found) => Ok(Some(found.is_some_and(|found| found.to_hex().as_str() == digest))),
        Err(error) if is_damage(&error) => Ok(Some(false)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::of(path)(error)),
    }
}

/// True if the manifest names files with this kind of records.
pub(super) fn has(manifest: &Manifest, kind: &str) -> bool {
    !of_kind(kind, manifest.files.keys().map(String::as_str)).is_empty()
}

/// Fails if the run wrote no records of this kind, which an output key asks for.
fn needs(manifest: &Manifest, folder: &Path, kind: &str, key: &str) -> Result<(), AuditError> {
    if has(manifest, kind) {
        return Ok(());
    }
    let message = format!("the run wrote no {kind}.csv; set `output.{key} = true` and run again");
    Err(AuditError::Content { path: folder.join(format!("{kind}.csv")), message })
}

/// The lines of a kind of records.
fn rows(manifest: &Manifest, folder: &Path, kind: &str) -> Result<Rows, AuditError> {
    Rows::named(folder, kind, manifest.files.keys().map(String::as_str))
}

/// Converts each line of a kind of records with `one`.
fn collect<T>(
    manifest: &Manifest,
    folder: &Path,
    kind: &str,
    mut one: impl FnMut(&Row<'_>) -> Result<T, AuditError>,
) -> Result<Vec<T>, AuditError> {
    let mut rows = rows(manifest, folder, kind)?;
    let mut found = Vec::new();
    while let Some(row) = rows.read()? {
        found.push(one(&row)?);
    }
    Ok(found)
}

/// The facts of the run, without its jobs.
fn world(manifest: &Manifest, known: &Names) -> Facts {
    let clusters = manifest.clusters.iter();
    Facts {
        organizations: manifest.organizations.clone(),
        clusters: clusters.map(|cluster| cluster_facts(cluster, &known.organizations)).collect(),
        jobs: Vec::new(),
        settings: settings(manifest),
        grid: None,
    }
}

fn settings(manifest: &Manifest) -> Settings {
    Settings {
        phase_order: match manifest.phase_order {
            PhaseOrder::Instant => audit::PhaseOrder::Instant,
            PhaseOrder::PerEvent => audit::PhaseOrder::PerEvent,
            PhaseOrder::PerEventFreeWhenDue => audit::PhaseOrder::PerEventFreeWhenDue,
        },
        clairvoyance: match manifest.clairvoyance {
            Clairvoyance::Runtime => audit::Clairvoyance::Runtime,
            Clairvoyance::Estimate => audit::Clairvoyance::Estimate,
            Clairvoyance::Predicted(_) => audit::Clairvoyance::Predicted,
            Clairvoyance::None => audit::Clairvoyance::None,
        },
        corrects: manifest.clairvoyance.corrects(),
        stopped: match manifest.until {
            Stop::Drained => None,
            Stop::Time(time) => Some(time),
        },
    }
}

fn cluster_facts(cluster: &ClusterEntry, organizations: &Map<String, usize>) -> ClusterFacts {
    let kind = match cluster.scheduler.as_deref() {
        None if cluster.is_bare => Kind::SpaceShared(Discipline::Grid),
        None => Kind::TimeShared,
        Some("fcfs") => Kind::SpaceShared(Discipline::Fcfs),
        Some("easy") if cluster.backfill == Some(Backfill::ShortestFirst) => {
            Kind::SpaceShared(Discipline::EasyShortestFirst)
        }
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
        speed: (cluster.speed.unwrap_or(1.0) * f64::from(UNIT_SPEED)).round().max(1.0) as u32,
    }
}

fn order(order: order::Order) -> Order {
    match order {
        order::Order::Submit => Order::Submit,
        order::Order::Shortest => Order::ShortestEstimate,
        order::Order::Longest => Order::LongestEstimate,
        order::Order::Smallest => Order::Smallest,
        order::Order::Largest => Order::Largest,
        order::Order::SmallestArea => Order::SmallestArea,
        order::Order::LargestArea => Order::LargestArea,
        order::Order::Random => Order::Random,
    }
}

/// Compares `organizations.csv` with the counted jobs.
fn conservation(
    manifest: &Manifest,
    world: &Facts,
    tally: Tally<'_>,
    sections: &Sections,
    path: &Path,
) -> Result<Check, AuditError> {
    let table = read_table(path)?;
    let mut totals = Totals::default();
    for row in table.lines() {
        let sums = Sums {
            submitted: row.get("submitted")?,
            started: row.get("started")?,
            finished: row.get("finished")?,
            rejected: row.get("rejected")?,
            flow: row.get("flow_sum")?,
            wait: row.get("wait_sum")?,
            area: row.get("area")?,
            for_others: row.get("work_for_others")?,
            by_others: row.get("work_by_others")?,
        };
        if row.get::<&str>("organization")? == "*" {
            totals.grid = sums;
        } else {
            totals.organizations.push(sums);
        }
    }
    let mut check = tally.compare(&[totals]);
    intervals(manifest, world, sections, &table, &mut check)?;
    Ok(check)
}

/// Counted, finished jobs of one replication, with their total flow time and waiting time in units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Section {
    jobs: f64,
    sums: [f64; 2],
}

/// Sections by organization (the whole grid last) and replication.
struct Sections(Vec<Map<u32, Section>>);

impl Sections {
    fn new(world: &Facts) -> Sections {
        Sections(vec![Map::new(); world.organizations.len() + 1])
    }

    /// Adds a counted job.
    fn add(&mut self, job: &JobFacts) {
        let (Some(start), Some(finish)) = (job.start, job.finish) else { return };
        for index in [job.organization, self.0.len() - 1] {
            let section = self.0[index].get_or_default(job.replication);
            section.jobs += 1.0;
            section.sums[0] += (finish - job.submit).as_units();
            section.sums[1] += (start - job.submit).as_units();
        }
    }
}

/// Compares the confidence intervals of mean flow and waiting time with the jobs. They are
/// recomputed by the formula for a ratio of sums.
fn intervals(
    manifest: &Manifest,
    world: &Facts,
    sections: &Sections,
    table: &Table,
    check: &mut Check,
) -> Result<(), AuditError> {
    let replications = manifest.counted.len() as f64;
    if replications < 2.0 {
        return Ok(());
    }
    let grid = world.organizations.len();
    for row in table.lines() {
        let name: &str = row.get("organization")?;
        let index = world.organizations.iter().position(|one| one == name).unwrap_or(grid);
        let sections: Vec<Section> = sections.0[index].values().copied().collect();
        for (metric, what) in ["flow", "wait"].into_iter().enumerate() {
            let found = interval(&sections, metric, replications, manifest.level);
            for (end, found) in ["low", "high"].into_iter().zip(found) {
                let column = format!("{what}_mean_{end}");
                let said: Option<f64> = row.get(&column)?;
                check.looked_at += 1;
                let agree = match (said, found) {
                    (Some(said), Some(found)) => {
                        (said - found).abs() <= 1e-6 * found.abs().max(1.0)
                    }
                    (None, None) => true,
                    // Identical replications say nothing about precision.
                    (None, Some(_)) => are_alike(&sections, manifest.counted.len()),
                    (Some(_), None) => false,
                };
                if !agree {
                    let [said, found] = [said, found].map(in_words);
                    let text = format!(
                        "{name}: {column} is {said} in the accounts and {found} over the jobs"
                    );
                    check.violated(|| Violation::new(0, text));
                }
            }
        }
    }
    Ok(())
}

/// True if every replication went exactly the same way.
fn are_alike(sections: &[Section], replications: usize) -> bool {
    sections.len() == replications && sections.windows(2).all(|pair| pair[0] == pair[1])
}

/// Text of a figure that may be missing.
fn in_words(figure: Option<f64>) -> String {
    figure.map_or("empty".to_owned(), |figure| figure.to_string())
}

/// The two ends of the confidence interval for the mean of a metric.
fn interval(
    sections: &[Section],
    metric: usize,
    replications: f64,
    level: Level,
) -> [Option<f64>; 2] {
    if sections.len() < 2 {
        return [None; 2];
    }
    let jobs: f64 = sections.iter().map(|section| section.jobs).sum();
    let mean = sections.iter().map(|section| section.sums[metric]).sum::<f64>() / jobs;
    let off = |section: &Section| section.sums[metric] - mean * section.jobs;
    let squares: f64 = sections.iter().map(|section| off(section) * off(section)).sum();
    let error = (squares * replications / (replications - 1.0)).sqrt() / jobs;
    let variance = squares / (replications - 1.0);
    let cubes: f64 = sections.iter().map(|section| off(section).powi(3)).sum();
    // If nothing but rounding error varies, the skewness means nothing and is taken as 0.
    let varies = replications > 2.0 && error > 1e-6 * mean.abs();
    let skewness = match varies {
        true => {
            let third = cubes * replications / ((replications - 1.0) * (replications - 2.0));
            third / variance.powf(1.5)
        }
        false => 0.0,
    };
    let t = student::two_sided(level.share(), sections.len() as u64 - 1);
    audit::rounds::ends_of(mean, error, skewness, replications, t).map(Some)
}
