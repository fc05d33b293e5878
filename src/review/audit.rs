//! Audits a results folder: reads the facts from its files alone and judges them.

mod campaign;
mod compared;
mod figures;
mod game;
mod grid;
mod jobs;
mod measured;
mod plans;
mod printed;
mod rounds;
mod spool;
mod table;
mod timeline;
mod workload;

use kernel::map::Map;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use figures::Values;
use jobs::Names;
use measured::Measured;
use printed::Printed;
use spool::Spool;
use workload::Against;

use audit::{
    self, Auditor, Check, ClusterFacts, Discipline, Facts, Kind, Order, Report, Settings, Sums,
    Tally, Totals, UNIT_SPEED,
};
use model::foreign::Foreign;
use model::order;
use policy::local::easy::Backfill;
use records::files::{FileError, read_regular};
use records::jobs::{Line, state};
use records::packed::name::{Name, PACKED};
use records::record::Record as _;
use records::recorded::{self, RecordedError, Row, Rows, is_damage, located, of_kind};
use report::files::{Manifest, Stop};
use report::grid::entry::ClusterEntry;
use run::folder::{MANIFEST, is_plain};
use scenario::diagnostics::show;
use sim::clairvoyance::Clairvoyance;
use sim::phase::PhaseOrder;

pub use printed::Unchecked;

/// An error that keeps a folder from being audited.
pub type AuditError = RecordedError;

/// Result of auditing a folder.
#[derive(Debug)]
pub struct Audited {
    /// The run's manifest.
    pub manifest: Manifest,
    /// The checks of the rules.
    pub report: Report,
    /// The parts of files that no check looked at.
    pub unchecked: Vec<Unchecked>,
    /// Records that the run did not keep, in words, if it did not.
    pub not_kept: Option<String>,
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
    let files = changed(folder, &manifest)?;
    let touched = files[0].clone();
    judged(folder, manifest, files, progress).map_err(|error| said_of_changed(error, &touched))
}

/// Judges the content of the files.
fn judged(
    folder: &Path,
    manifest: Manifest,
    [changed, missing]: [Vec<String>; 2],
    progress: &Progress,
) -> Result<Audited, AuditError> {
    let mut printed = Printed::read(folder, &manifest)?;
    let not_kept = not_kept(&manifest);
    let (mut report, found) = match (&manifest.coalition, &manifest.campaign) {
        _ if !manifest.runs.is_empty() => {
            (Report { checks: compared::audit(&printed, &manifest) }, Values::new())
        }
        _ if manifest.game.is_some() => game::audit(&manifest, folder, &mut printed)?,
        _ if not_kept.is_some() => (Report { checks: Vec::new() }, Values::new()),
        (Some(coalition), _) => rounds::audit(&manifest, coalition, folder, &mut printed)?,
        (_, Some(campaign)) => campaign::audit(&manifest, campaign, folder, &mut printed)?,
        (None, None) => replayed(&manifest, folder, progress, &mut printed)?,
    };
    report.checks.extend(figures::values(&printed, &found));
    report.checks.extend(figures::figures(&printed, &manifest, &found));
    report.checks.push(figures::summary(&printed, &manifest));
    let unchecked = printed.unchecked(folder, &manifest)?;
    Ok(Audited { report, unchecked, not_kept, manifest, changed, missing })
}

/// The records that a run did not keep, in words: without them only its figures can be compared.
fn not_kept(manifest: &Manifest) -> Option<String> {
    if !manifest.runs.is_empty() {
        let one = if manifest.sweep.is_some() { "point" } else { "run" };
        let kept = "only the values of their replications, with which the figures are compared";
        return Some(format!("the {one}s kept no records, {kept}"));
    }
    let (kinds, key): (&[&str], &str) = match (&manifest.coalition, &manifest.campaign) {
        (Some(_), _) => (&["rounds"], "rounds"),
        (_, Some(_)) => (&["applications", "classes", "runs"], "jobs"),
        _ if manifest.game.is_some() => (&["rounds"], "rounds"),
        _ => (&["jobs"], "jobs"),
    };
    let missing = kinds.iter().find(|kind| !has(manifest, kind))?;
    Some(format!(
        "the run kept no {missing}.csv, so that only its figures are compared with each other; \
         `output.{key} = true` keeps it"
    ))
}

/// The columns of `organizations.csv` that are sums over the jobs.
const SUMS: [&str; 9] = [
    "submitted",
    "started",
    "finished",
    "rejected",
    "flow_sum",
    "wait_sum",
    "area",
    "work_for_others",
    "work_by_others",
];

/// The columns of `jobs.csv` that are checked without the scenario too. Which of the free processors a
/// job gets is no rule.
const JOBS: &str = "profile submission_time requested_number_of_resources success final_state starting_time \
    execution_time finish_time waiting_time turnaround_time stretch consumed_energy metadata \
    replication organization cluster expected_time arrival start_order";

/// Reads the jobs, sums them and replays them in order of submission; also returns the values of the
/// replications.
fn replayed(
    manifest: &Manifest,
    folder: &Path,
    progress: &Progress,
    printed: &mut Printed,
) -> Result<(Report, Values), AuditError> {
    let known = Names::of(manifest);
    let mut against = Against::new(folder, manifest);
    let groups = against.plan().map(grid::Membership::of);
    let world = Facts { grid: grid::facts(manifest, groups.as_ref()), ..world(manifest, &known) };
    let bins = folder.join("timeline.csv");
    let mut bins = (manifest.files.contains_key("timeline.csv") && bins.exists())
        .then(|| timeline::Lines::read(&world, &bins))
        .transpose()?;
    let mut tally = Tally::new(&world);
    let tau = against.plan().map(|plan| plan.counting.tau.ticks());
    let mut measured = Measured::new(manifest, &world, tau, printed);
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
        }
        measured.add(&job, line.final_state == state::KILLED);
        if let Some(bins) = &mut bins {
            bins.add(&job);
        }
        spool.add(&job)?;
        progress.read.store(spool.jobs(), Ordering::Relaxed);
    }
    let mut conservation = conservation(tally, printed)?;
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
    let workload = against.finish();
    printed.sees("jobs", JOBS);
    if workload.notes.is_empty() {
        printed.sees("jobs", "job_id workload_name requested_time user runtime");
    }
    printed.sees("timeline", timeline::COLUMNS);
    report.checks.extend([conservation, derived, workload]);
    if let Some(planned) = planned {
        report.checks.extend(planned.read(manifest, folder, &known)?);
        printed.sees("plans", plans::COLUMNS);
    }
    let values = measured.check(printed, &mut report.checks);
    Ok((report, values))
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
        Some(name @ ("easy" | "list")) if formula(name, cluster).is_some() => {
            let by = formula(name, cluster).unwrap_or_default();
            Kind::SpaceShared(Discipline::Ranked { by, is_easy: name == "easy" })
        }
        Some("easy") if cluster.order.as_ref().is_some_and(|by| *by != order::Order::Submit) => {
            Kind::SpaceShared(Discipline::Unknown("easy in this order".to_owned()))
        }
        Some("easy") if cluster.backfill == Some(Backfill::ShortestFirst) => {
            Kind::SpaceShared(Discipline::EasyShortestFirst)
        }
        Some("easy") => Kind::SpaceShared(Discipline::Easy),
        Some("conservative") => Kind::SpaceShared(Discipline::Conservative),
        Some("list") => Kind::SpaceShared(Discipline::List(order(cluster.order.as_ref()))),
        Some(other) => Kind::SpaceShared(Discipline::Unknown(other.to_owned())),
    };
    ClusterFacts {
        name: cluster.name.clone(),
        owner: organizations.get(&cluster.owner).copied(),
        processors: cluster.processors,
        kind,
        kill_at_estimate: cluster.kill_at_estimate,
        guards: cluster.foreign == Foreign::WhenNoneWaits && !cluster.is_bare,
        speed: (cluster.speed.unwrap_or(1.0) * f64::from(UNIT_SPEED)).round().max(1.0) as u32,
    }
}

/// The formula of an order that has one: of lists one that is written, of EASY any but that of submission, a
/// random one, or one beside another order of the jobs that are tried.
fn formula(scheduler: &str, cluster: &ClusterEntry) -> Option<String> {
    use order::Order::{Largest, LargestArea, Longest, Shortest, Smallest, SmallestArea};
    let by = match cluster.order.as_ref()? {
        order::Order::By(ranking) => ranking.clone().into(),
        _ if scheduler == "list" => return None,
        Shortest => "estimate".to_owned(),
        Longest => "-estimate".to_owned(),
        Smallest => "processors".to_owned(),
        Largest => "-processors".to_owned(),
        SmallestArea => "area".to_owned(),
        LargestArea => "-area".to_owned(),
        order::Order::Submit | order::Order::Random => return None,
    };
    (cluster.backfill != Some(Backfill::ShortestFirst)).then_some(by)
}

fn order(order: Option<&order::Order>) -> Order {
    match order.unwrap_or(&order::Order::Submit) {
        order::Order::Submit => Order::Submit,
        order::Order::Shortest => Order::ShortestEstimate,
        order::Order::Longest => Order::LongestEstimate,
        order::Order::Smallest => Order::Smallest,
        order::Order::Largest => Order::Largest,
        order::Order::SmallestArea => Order::SmallestArea,
        order::Order::LargestArea => Order::LargestArea,
        order::Order::Random | order::Order::By(_) => Order::Random,
    }
}

/// Compares `organizations.csv` with the counted jobs.
fn conservation(tally: Tally<'_>, printed: &Printed) -> Result<Check, AuditError> {
    let mut totals = Totals::default();
    let Some(table) = printed.table("organizations.csv") else { return Ok(tally.compare(&[])) };
    table.see_all(&SUMS);
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
    Ok(tally.compare(&[totals]))
}
