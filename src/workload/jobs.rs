//! Explicit jobs: a list in memory, or a CSV file of a small, hand-made instance.

mod error;
mod import;
mod tags;
#[cfg(test)]
mod tests;
mod writer;

use kernel::map::Set;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::bufread::MultiGzDecoder;
use rustc_hash::FxHashMap;

use super::decimal::{self, Unfit};
use super::ledger::Ledger;
use super::opened::{self, Lines};
use super::packing;
use super::{Source, SourceError};
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::ids::OrganizationId;
use model::job::Job;
use model::recorded::Recorded;

pub use error::JobsError;
pub use import::ListOptions;
pub use tags::Tags;
pub use writer::{JobsWriter, MoreColumns, NamedLists};

/// Jobs listed one by one, in order of submission; ties keep the given order. Clones share the
/// list. Its state is the number of jobs already delivered.
#[derive(Clone, Debug)]
pub struct ListSource {
    jobs: Arc<[Job]>,
    next: usize,
    about: Arc<About>,
}

/// The facts of a list besides its jobs.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The file; empty if there is none.
    pub file: PathBuf,
    /// Accounts, partitions and labels of the jobs.
    pub tags: Arc<Tags>,
    /// The effects of import rules, if there are any.
    pub ledger: Option<Ledger>,
    /// Time 0 in seconds since 1970, if units of time are known to be seconds.
    pub start: Option<i64>,
}

impl ListSource {
    /// Sorts the jobs by submission.
    pub fn new(mut jobs: Vec<Job>) -> ListSource {
        jobs.sort_by_key(|job| job.submit);
        ListSource { jobs: jobs.into(), next: 0, about: Arc::default() }
    }

    /// Sets the facts of the list.
    #[must_use]
    pub fn with(self, about: Arc<About>) -> ListSource {
        ListSource { about, ..self }
    }

    /// Returns the facts of the list.
    pub fn about(&self) -> &Arc<About> {
        &self.about
    }

    /// Returns all jobs, in order.
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// Returns true if any job is bound to clusters of its own.
    pub fn is_bound(&self) -> bool {
        let names = |job: &Job| job.recorded.cluster().is_some() || job.recorded.list().is_some();
        self.jobs.iter().any(names)
    }

    /// Returns true if any job has a recorded wait.
    pub fn has_waits(&self) -> bool {
        self.jobs.iter().any(|job| job.recorded.wait().is_some())
    }

    /// Returns the BLAKE3 digest over all fields of all jobs in order, in hexadecimal. Recorded
    /// waits, the clusters that jobs name, and accounts, partitions and labels count only if there are
    /// any.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let (has_waits, is_bound) = (self.has_waits(), self.is_bound());
        for job in &*self.jobs {
            let times = [job.submit.ticks(), job.runtime.ticks(), job.estimate.ticks()];
            hasher.update(&job.number.to_le_bytes());
            for time in times {
                hasher.update(&time.to_le_bytes());
            }
            for number in [job.processors, job.user, job.organization.0] {
                hasher.update(&number.to_le_bytes());
            }
            if has_waits {
                let wait = job.recorded.wait().map_or(-1, Span::ticks);
                hasher.update(&wait.to_le_bytes());
            }
            if is_bound {
                let cluster = job.recorded.cluster().map_or(u32::MAX, |cluster| cluster.0);
                hasher.update(&cluster.to_le_bytes());
                hasher.update(&job.recorded.list().unwrap_or(u32::MAX).to_le_bytes());
            }
            if !self.about.tags.is_empty() {
                hasher.update(self.about.tags.text(job.number).as_bytes());
                hasher.update(b"\0");
            }
        }
        hasher.finalize().to_hex().to_string()
    }
}

impl Source for ListSource {
    type Load = Job;

    #[inline]
    fn next(&mut self) -> Result<Option<Job>, SourceError> {
        let job = self.jobs.get(self.next).copied();
        self.next += usize::from(job.is_some());
        Ok(job)
    }

    fn restart(&mut self, _: &Streams) -> Result<(), SourceError> {
        self.next = 0;
        Ok(())
    }
}

impl State for ListSource {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.next as u64), out);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let next: u64 = take(from)?;
        self.next = usize::try_from(next).unwrap_or(usize::MAX);
        if self.next > self.jobs.len() {
            return Err(Corrupt::Content(format!("job {next} of a list of {}", self.jobs.len())));
        }
        Ok(())
    }
}

/// Settings for importing the jobs of a CSV file.
#[derive(Clone, Copy, Debug)]
pub struct JobsOptions<'a> {
    /// Number of the source within the scenario.
    pub source: u32,
    /// Organizations of the scenario, by number; the column `organization` names one of them.
    pub organizations: &'a [String],
    /// Owner of jobs that name none; `None` if every job must.
    pub owner: Option<OrganizationId>,
}

/// The last ones, [`TAGS`], are for people.
const COLUMNS: [&str; 12] = [
    "id",
    "organization",
    "submit",
    "runtime",
    "processors",
    "estimate",
    "user",
    "wait",
    "uses",
    "account",
    "partition",
    "label",
];
const REQUIRED: [usize; 3] = [SUBMIT, RUNTIME, PROCESSORS];
const ID: usize = 0;
const ORGANIZATION: usize = 1;
const SUBMIT: usize = 2;
const RUNTIME: usize = 3;
const PROCESSORS: usize = 4;
const ESTIMATE: usize = 5;
const USER: usize = 6;
const WAIT: usize = 7;
const USES: usize = 8;
const TAG: [usize; 3] = [9, 10, 11];

/// The jobs of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// The jobs, in the order of the rows.
    pub jobs: Vec<Job>,
    /// The rows that name clusters, in the same order.
    pub uses: Vec<Named>,
    /// Accounts, partitions and labels.
    pub tags: Tags,
    /// The lines of the jobs.
    pub lines: Vec<u64>,
}

/// The clusters that a row names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Number of the job.
    pub number: u64,
    /// Line of the file.
    pub line: u64,
    /// Names of clusters, at least one.
    pub clusters: Vec<String>,
}

impl Named {
    /// The error of a row whose clusters cannot be used.
    pub fn refuse(&self, file: &Path, expected: impl Into<String>) -> JobsError {
        JobsError::Value {
            file: file.to_owned(),
            line: self.line,
            column: COLUMNS[USES],
            found: self.clusters.join(","),
            expected: expected.into(),
        }
    }
}

/// Reads a CSV file of jobs. Its header has `submit`, `runtime`, `processors` and optionally `id`,
/// `organization`, `estimate`, `user`, `wait`, `uses`, `account`, `partition`, `label`, in any order.
/// Times are decimals in units, exact to the tick. A missing id is the number of the row, from 1; a
/// missing estimate the runtime; a missing user 0. A `wait` is the recorded one; a missing wait is
/// unknown. Users are numbers; if one of them is a name, all are names, numbered from 1 in the order of
/// first appearance. `uses` names the clusters that the job may use, with commas between several; a
/// missing one leaves it to its organization. By `account`, `partition` and `label` people know a job
/// elsewhere. Lines that begin with `#` are comments. Gzip is recognized by its first bytes.
///
/// # Errors
/// A file that cannot be read, or else its first invalid line, column and value.
pub fn read_jobs(file: &Path, options: JobsOptions<'_>) -> Result<Listed, JobsError> {
    let open = opened::open(file).map_err(|error| unreadable(file, error))?;
    read_jobs_from(file, open, options)
}

fn unreadable(file: &Path, error: io::Error) -> JobsError {
    JobsError::Read { file: file.to_owned(), error: error.into() }
}

/// [`read_jobs`] for an open reader, or one in memory; messages call it `file`.
///
/// # Errors
/// Same as [`read_jobs`].
pub fn read_jobs_from(
    file: &Path,
    content: impl Read,
    options: JobsOptions<'_>,
) -> Result<Listed, JobsError> {
    let read = |error| JobsError::Read { file: file.to_owned(), error };
    let mut content = BufReader::with_capacity(1 << 16, content);
    let first = content.fill_buf().map_err(|error| unreadable(file, error))?;
    let is_gzip = packing::gzip(first, file).map_err(|error| unreadable(file, error))?;
    let content: Box<dyn Read + '_> =
        if is_gzip { Box::new(MultiGzDecoder::new(content)) } else { Box::new(content) };
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.trim(csv::Trim::All).comment(Some(b'#')).flexible(true);
    let mut reader = reader.from_reader(Lines::of(content));
    let header = reader.byte_headers().map_err(read)?.clone();
    let places =
        places(&header).map_err(|message| JobsError::Header { file: file.to_owned(), message })?;
    let mut jobs = Vec::new();
    let mut uses = Vec::new();
    let mut tags = Tags::default();
    let mut lines = Vec::new();
    let mut ids = Set::new();
    let mut users = Users::default();
    let mut by_name = FxHashMap::default();
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(read)? {
        let line = opened::line(&reader, &record);
        let (found, expected) = (record.len(), header.len());
        if found != expected {
            return Err(JobsError::Columns { file: file.to_owned(), line, found, expected });
        }
        let row = Row { file, places: &places, line, record: &record };
        if by_name.is_empty() && row.text(ORGANIZATION).is_some() {
            // For duplicate names, the first counts.
            let named = options.organizations.iter().enumerate().rev();
            by_name.extend(named.map(|(place, name)| (name.as_bytes(), place as u32)));
        }
        let mut job = row.job(jobs.len() as u64 + 1, options, &by_name)?;
        job.user = row
            .text(USER)
            .map_or(Ok(0), |user| users.number(user))
            .map_err(|()| row.refuse(USER, "a name, or a whole number from 0 to 4294967295"))?;
        if !ids.insert(job.number) {
            return Err(
                row.refuse(ID, "an id that no other job has (rows without one count from 1)")
            );
        }
        if let Some(clusters) = row.text(USES) {
            let clusters = String::from_utf8_lossy(clusters);
            let clusters = clusters.split(',').map(|name| name.trim().to_owned()).collect();
            uses.push(Named { number: job.number, line, clusters });
        }
        let tag = TAG.map(|column| String::from_utf8_lossy(row.text(column).unwrap_or_default()));
        tags.insert(job.number, [&*tag[0], &*tag[1], &*tag[2]]);
        jobs.push(job);
        lines.push(line);
    }
    if let Some(numbers) = users.all_numbers() {
        let number = |user: u32| user.checked_sub(1).map_or(0, |place| numbers[place as usize]);
        jobs.iter_mut().for_each(|job| job.user = number(job.user));
    }
    Ok(Listed { jobs, uses, tags, lines })
}

/// Users of a list as written, numbered from 1 in the order of first appearance.
#[derive(Default)]
struct Users {
    numbers: FxHashMap<Vec<u8>, u32>,
    /// The numbers that they are written as, as long as all of them are.
    written: Option<Vec<u32>>,
}

impl Users {
    /// Returns the number of a user, unless it looks like a number and is none of a user.
    fn number(&mut self, user: &[u8]) -> Result<u32, ()> {
        if let Some(&number) = self.numbers.get(user) {
            return Ok(number);
        }
        let written = user_number(user)?;
        if self.numbers.is_empty() {
            self.written = Some(Vec::new());
        }
        match (&mut self.written, written) {
            (Some(all), Some(written)) => all.push(written),
            (all, _) => *all = None,
        }
        let number = u32::try_from(self.numbers.len() + 1).map_err(|_| ())?;
        self.numbers.insert(user.to_owned(), number);
        Ok(number)
    }

    /// Returns the numbers that all users are written as, or `None` if one of them is a name.
    fn all_numbers(self) -> Option<Vec<u32>> {
        self.written
    }
}

/// Returns the number that a user is written as, or `None` for a name.
///
/// # Errors
/// Another number, such as -1 or 1.5.
fn user_number(user: &[u8]) -> Result<Option<u32>, ()> {
    if let Ok(number) = decimal::whole(user)
        && let Ok(number) = u32::try_from(number)
    {
        return Ok(Some(number));
    }
    let number = std::str::from_utf8(user).ok().and_then(|text| text.parse::<f64>().ok());
    if number.is_some_and(f64::is_finite) { Err(()) } else { Ok(None) }
}

/// Returns true if [`read_jobs`] takes this text for a user.
pub fn is_user(text: &str) -> bool {
    user_number(text.trim().as_bytes()).is_ok()
}

/// The numbers of organizations by name.
type ByName<'a> = FxHashMap<&'a [u8], u32>;

/// The position of each column.
type Places = [Option<usize>; COLUMNS.len()];

fn places(headers: &csv::ByteRecord) -> Result<Places, String> {
    let mut places = [None; COLUMNS.len()];
    for (place, name) in headers.iter().enumerate() {
        let name = String::from_utf8_lossy(name);
        let Some(column) = COLUMNS.iter().position(|&column| column == name) else {
            let comma =
                if name.contains([';', '\t']) { " (a comma separates columns)" } else { "" };
            return Err(format!("there is no column `{name}`{comma}"));
        };
        if places[column].replace(place).is_some() {
            return Err(format!("the column `{name}` is there twice"));
        }
    }
    match REQUIRED.iter().find(|&&column| places[column].is_none()) {
        Some(&column) => Err(format!("the column `{}` is missing", COLUMNS[column])),
        None => Ok(places),
    }
}

struct Row<'a> {
    file: &'a Path,
    places: &'a Places,
    line: u64,
    record: &'a csv::ByteRecord,
}

impl Row<'_> {
    fn job(
        &self,
        row: u64,
        options: JobsOptions<'_>,
        by_name: &ByName<'_>,
    ) -> Result<Job, JobsError> {
        let runtime = self.time(RUNTIME)?;
        let runtime = runtime.ok_or_else(|| self.refuse(RUNTIME, TIME))?;
        let submit = self.time(SUBMIT)?.ok_or_else(|| self.refuse(SUBMIT, TIME))?;
        let processors = "a whole number from 1 to 4294967295";
        Ok(Job {
            number: self.whole(ID, 0, i64::MAX, "a whole number of at least 0")?.unwrap_or(row),
            source: options.source,
            submit: Time::ZERO + submit,
            runtime,
            estimate: self.time(ESTIMATE)?.unwrap_or(runtime),
            processors: self
                .whole(PROCESSORS, 1, u32::MAX.into(), processors)?
                .ok_or_else(|| self.refuse(PROCESSORS, processors))? as u32,
            user: 0,
            organization: self.organization(options, by_name)?,
            recorded: Recorded::new(self.time(WAIT)?, None),
        })
    }

    /// Returns the text in a column, if any.
    fn text(&self, column: usize) -> Option<&[u8]> {
        self.record.get(self.places[column]?).filter(|text| !text.is_empty())
    }

    fn time(&self, column: usize) -> Result<Option<Span>, JobsError> {
        match self.text(column).map(decimal::ticks) {
            None => Ok(None),
            Some(Ok(ticks)) if ticks >= 0 => Ok(Some(Span::from_ticks(ticks))),
            Some(Ok(_) | Err(_)) => Err(self.refuse(column, TIME)),
        }
    }

    fn whole(
        &self,
        column: usize,
        least: i64,
        most: i64,
        expected: &str,
    ) -> Result<Option<u64>, JobsError> {
        let value = self.text(column).map(|text| {
            let value = decimal::whole(text)?;
            if (least..=most).contains(&value) { Ok(value as u64) } else { Err(Unfit::TooLarge) }
        });
        value.transpose().map_err(|_| self.refuse(column, expected))
    }

    fn organization(
        &self,
        options: JobsOptions<'_>,
        by_name: &ByName<'_>,
    ) -> Result<OrganizationId, JobsError> {
        let refuse = || {
            let known: Vec<&str> =
                options.organizations.iter().take(8).map(String::as_str).collect();
            let more = if options.organizations.len() > 8 { ", ..." } else { "" };
            self.refuse(ORGANIZATION, &format!("an organization: {}{more}", known.join(", ")))
        };
        let Some(name) = self.text(ORGANIZATION) else {
            return options.owner.ok_or_else(refuse);
        };
        by_name.get(name).map(|&place| OrganizationId(place)).ok_or_else(refuse)
    }

    fn refuse(&self, column: usize, expected: &str) -> JobsError {
        JobsError::Value {
            file: self.file.to_owned(),
            line: self.line,
            column: COLUMNS[column],
            found: String::from_utf8_lossy(self.text(column).unwrap_or_default()).into_owned(),
            expected: expected.to_owned(),
        }
    }
}

const TIME: &str = "a time of at least 0 units, such as 12 or 0.5";
