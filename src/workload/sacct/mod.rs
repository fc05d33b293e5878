//! Slurm's accounting log: the output of `sacct --parsable2`, plain or gzip.
//!
//! Each line is a job, an element of a job array, a component of a heterogeneous job or a step of
//! one of these. [`read`] keeps everything that held processors as a job of its own. It drops
//! steps, which their job's line already covers, and accounts for every other line in the import
//! [`Ledger`]. Accounts, partitions, users or clusters become organizations.
//!
//! Logs may be given one by one or joined: a header line that comes again is skipped, and so is a run
//! that another log has told already.
//!
//! A trace in the Grid Workloads Format is read by the same rules (`gwf`).
//!
//! `sacct` prints local times without a time zone. A daylight-saving change would shift jobs, so
//! take the log with `TZ=UTC sacct ...`. Changes that jobs show are mended if they are clear (`clocks`),
//! else told.

mod clocks;
mod columns;
mod error;
mod gwf;
mod held;
mod log;
mod names;
mod record;
mod rules;
mod value;

use std::borrow::Cow;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;

use rustc_hash::FxHashMap;

pub use error::SacctError;
pub use held::{Early, Party};
pub(crate) use log::unpacked;
pub use log::{Log, STANDARD_INPUT};
pub use record::Fault;
pub use rules::{Form, Malformed, Options, OverLimit, Owner, States, Unit};
pub use value::{moment, written};

use super::jobs::Tags;
use super::ledger::{Kind, Ledger};
use super::opened::{self, Lines};
use clocks::{HOUR, Times};
use columns::Columns;
use held::{Held, early, parties, peak};
use kernel::order::InOrder as _;
use kernel::time::{LIMIT_TICKS, Span, TICKS_PER_UNIT, Time};
use model::ids::{ClusterId, OrganizationId};
use model::job::Job;
use model::recorded::Recorded;
use names::Names;
use record::Record;
use rules::Rule;
use stats::shown::counted;

/// A log converted to jobs.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The jobs in order of submission, the first at time 0; their numbers are their positions,
    /// from 1. Each has its wait in the log.
    pub jobs: Vec<Job>,
    /// Their accounts, partitions and JobIDs in the log, such as `4211_3`.
    pub tags: Tags,
    /// The owners by decreasing processor time; their positions are the organization numbers of the
    /// jobs.
    pub parties: Vec<Party>,
    /// The partitions of the clusters, each with the position of its owner, if clusters are the owners
    /// and one of them has several. Then their positions are the clusters of the jobs.
    pub partitions: Vec<(Party, u32)>,
    /// Names of the users, by the numbers used in jobs, from 0.
    pub users: Vec<String>,
    /// Time 0, the first submission, in seconds since 1970 or of the local time of the log.
    pub start: i64,
    /// Peak number of processors in use by all jobs together.
    pub peak: u64,
    /// The first jobs, if they came long before all others.
    pub early: Option<Early>,
    /// The effects of all rules.
    pub ledger: Ledger,
}

/// Reads logs as if they were one; each has a header. The file `-` is standard input. The ledger
/// counts lines through all of them.
///
/// # Errors
/// A file that cannot be read or is not such a log, the first malformed line unless the options
/// drop these, or no job left.
pub fn read(logs: &[Log], options: &Options) -> Result<Imported, SacctError> {
    let mut import = Import::new(options);
    for Log { file, center } in logs {
        import.add(file, center.as_deref(), log::open(file)?)?;
    }
    import.finish(&log::named(logs))
}

/// [`read`] for an open reader, or one in memory; messages call it `file`.
///
/// # Errors
/// Same as [`read`].
pub fn read_from(
    file: &Path,
    content: impl Read,
    options: &Options,
) -> Result<Imported, SacctError> {
    let mut import = Import::new(options);
    import.add(file, None, content)?;
    import.finish(file)
}

/// A line that ends the import.
enum Wrong {
    /// Its owner is not listed in the file of owners.
    Unlisted,
    /// Its log is of another center than the one before.
    Centers,
}

/// The runs of a job.
#[derive(Default)]
struct Runs {
    user: u32,
    log: usize,
    /// Submissions and starts.
    times: Vec<(i64, i64)>,
}

/// A name in a center.
fn within<'a>(center: Option<&str>, name: &'a str) -> Cow<'a, str> {
    center.map_or(Cow::Borrowed(name), |center| Cow::Owned(format!("{center}/{name}")))
}

/// The import in progress.
struct Import<'a> {
    options: &'a Options,
    ledger: Ledger,
    held: Vec<Held>,
    owners: Names,
    users: Names,
    /// Accounts, partitions and nodes.
    words: Names,
    /// Partitions of owners, and the owner of each.
    pools: Names,
    owner_of: Vec<u32>,
    /// By cluster and identifier.
    runs: FxHashMap<(u32, String), Runs>,
    clusters: Names,
    centers: Names,
    logs: usize,
    /// Number of lines of the logs before this one.
    lines: u64,
    first_fault: Option<(u64, Fault)>,
}

impl Import<'_> {
    fn new(options: &Options) -> Import<'_> {
        Import {
            options,
            ledger: rules::ledger(options),
            held: Vec::new(),
            owners: Names::default(),
            users: Names::default(),
            words: Names::default(),
            pools: Names::default(),
            owner_of: Vec::new(),
            runs: FxHashMap::default(),
            clusters: Names::default(),
            centers: Names::default(),
            logs: 0,
            lines: 0,
            first_fault: None,
        }
    }

    /// Adds the lines of a log.
    fn add(
        &mut self,
        file: &Path,
        center: Option<&str>,
        content: impl Read,
    ) -> Result<(), SacctError> {
        self.logs += 1;
        if self.options.form == Form::Gwf {
            return self.add_gwf(file, center, content);
        }
        let broke_off = |error| SacctError::Read { file: file.to_owned(), error };
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(self.options.delimiter)
            .quoting(false)
            .flexible(true)
            .has_headers(false)
            .trim(csv::Trim::All)
            .from_reader(Lines::of(content));
        let mut bytes = csv::ByteRecord::new();
        let header = if let Some(columns) = &self.options.columns {
            columns.split(',').map(str::trim).collect()
        } else if reader.read_byte_record(&mut bytes).map_err(broke_off)? {
            csv::StringRecord::from_byte_record_lossy(bytes.clone())
        } else {
            let command = columns::command(self.options);
            return Err(SacctError::Empty { file: file.to_owned(), command });
        };
        let columns = Columns::of(&header, self.options, center.is_some()).map_err(|message| {
            let command = columns::command(self.options);
            SacctError::Header { file: file.to_owned(), message, command }
        })?;
        let mut line = 1;
        while reader.read_byte_record(&mut bytes).map_err(broke_off)? {
            // Names are of any encoding, and most columns are not read at all.
            let record = csv::StringRecord::from_byte_record_lossy(bytes);
            line = opened::line(&reader, record.as_byte_record());
            self.ledger.read += 1;
            if record == header {
                self.ledger.note(Rule::Header, self.lines + line);
                bytes = record.into_byte_record();
                continue;
            }
            self.take(file, center, line, Record::of(&record, &columns))?;
            bytes = record.into_byte_record();
        }
        self.lines += line;
        Ok(())
    }

    /// Adds the lines of a trace in the Grid Workloads Format.
    fn add_gwf(
        &mut self,
        file: &Path,
        center: Option<&str>,
        content: impl Read,
    ) -> Result<(), SacctError> {
        let mut reader = BufReader::with_capacity(1 << 16, Lines::of(content));
        let broke_off =
            |error: io::Error| SacctError::Read { file: file.to_owned(), error: error.into() };
        let mut bytes = Vec::new();
        let mut line = opened::skip_blank(&mut reader).map_err(broke_off)?;
        while reader.read_until(b'\n', &mut bytes).map_err(broke_off)? > 0 {
            line += 1;
            let text = String::from_utf8_lossy(&bytes);
            if let Some(read) = gwf::record(&text, self.options.owner).transpose() {
                self.ledger.read += 1;
                self.take(file, center, line, read)?;
            }
            bytes.clear();
            line += opened::skip_blank(&mut reader).map_err(broke_off)?;
        }
        self.lines += line;
        Ok(())
    }

    /// Admits what a line says, or treats it as malformed.
    fn take(
        &mut self,
        file: &Path,
        center: Option<&str>,
        line: u64,
        read: Result<Record<'_>, Fault>,
    ) -> Result<(), SacctError> {
        match read {
            Ok(read) => {
                let admitted = self.admit(self.lines + line, center, &read);
                let file = || file.to_owned();
                admitted.map_err(|wrong| match wrong {
                    Wrong::Unlisted => {
                        let owner = within(center, read.owner).into_owned();
                        SacctError::Unlisted { file: file(), line, owner }
                    }
                    Wrong::Centers => {
                        SacctError::Centers { file: file(), line, id: read.id.to_owned() }
                    }
                })
            }
            Err(fault) if self.options.malformed == Malformed::Drop => {
                self.ledger.drop(Rule::Malformed, self.lines + line, None);
                self.first_fault.get_or_insert((self.lines + line, fault));
                Ok(())
            }
            Err(fault) => Err(SacctError::Malformed { file: file.to_owned(), line, fault }),
        }
    }

    /// Adds a run of a job. Returns the rule that tells of runs before it, if there are any.
    fn run(
        &mut self,
        record: &Record<'_>,
        center: Option<&str>,
        user: u32,
        run: (i64, i64),
    ) -> Result<Option<Rule>, Wrong> {
        let is_apart = center.is_some() || !record.cluster.is_empty();
        let job = (self.clusters.number(&within(center, record.cluster)), record.id.to_owned());
        let runs = self.runs.entry(job).or_default();
        let is_other = !runs.times.is_empty() && user != runs.user;
        if !is_other && runs.times.contains(&run) {
            return Ok(Some(Rule::Repeated));
        }
        let is_first = runs.times.is_empty();
        let log_before = std::mem::replace(&mut runs.log, self.logs);
        runs.user = user;
        runs.times.push(run);
        match is_other {
            _ if is_first => Ok(None),
            false => Ok(Some(Rule::Requeued)),
            true if !is_apart && log_before != self.logs => Err(Wrong::Centers),
            true => Ok(Some(Rule::Renumbered)),
        }
    }

    /// Applies the rules to a line, in order.
    fn admit(&mut self, line: u64, center: Option<&str>, record: &Record<'_>) -> Result<(), Wrong> {
        let work = self.work(record);
        match self.left_out(record) {
            // A step's work is that of its job.
            Some(rule @ (Rule::Step | Rule::Array | Rule::NotStarted)) => {
                self.ledger.note(rule, line)
            }
            Some(rule) => {
                self.ledger.add(work);
                self.ledger.drop(rule, line, work);
            }
            None => return self.keep(line, center, record, work),
        }
        Ok(())
    }

    /// Returns the work of a line in processor-ticks, if it is known.
    fn work(&self, record: &Record<'_>) -> Option<i128> {
        let none = (self.options.unit == Unit::Gpus || record.elapsed == 0).then_some(0);
        let processors = record.processors.or(none)?;
        Some(i128::from(processors) * i128::from(record.elapsed) * i128::from(TICKS_PER_UNIT))
    }

    /// Adds the job of a line, unless it was added before.
    fn keep(
        &mut self,
        line: u64,
        center: Option<&str>,
        record: &Record<'_>,
        work: Option<i128>,
    ) -> Result<(), Wrong> {
        let (Some(submit), Some(start), Some(processors)) =
            (record.submit, record.start, record.processors)
        else {
            unreachable!("a job without them is left out")
        };
        let center_of_user = center.filter(|_| !record.user.is_empty());
        let user = self.users.number(&within(center_of_user, record.user));
        let again = self.run(record, center, user, (submit, start))?;
        if again == Some(Rule::Repeated) {
            self.ledger.note(Rule::Repeated, line);
            return Ok(());
        }
        self.ledger.add(work);
        let (mut runtime, mut limit) = (record.elapsed, record.limit.unwrap_or(record.elapsed));
        if record.limit.is_none() {
            let is_of_partition = record.has_partition_limit;
            let rule = if is_of_partition { Rule::PartitionLimit } else { Rule::NoLimit };
            self.ledger.note(rule, line);
        }
        if runtime > limit {
            self.ledger.note(Rule::OverLimit, line);
            match self.options.over_limit {
                OverLimit::Cut => runtime = limit,
                OverLimit::Raise => limit = runtime,
                OverLimit::Keep => {}
            }
        }
        if start < submit {
            self.ledger.note(Rule::EarlyStart, line);
        }
        if record.is_component {
            self.ledger.note(Rule::Component, line);
        } else if let Some(rule) = again {
            self.ledger.note(rule, line);
        }
        let over = record.end.map_or(0, |end| end - start - record.elapsed);
        if over.abs() == HOUR {
            self.ledger.note(Rule::Clocks, line);
        }
        if record.has_unknown_wait {
            self.ledger.note(Rule::UnknownWait, line);
        }
        if record.is_rounded {
            self.ledger.note(Rule::Rounded, line);
        }
        if [record.owner, record.user].iter().any(|name| name.contains(char::REPLACEMENT_CHARACTER))
        {
            self.ledger.note(Rule::NotText, line);
        }
        if !record.has_known_state {
            self.ledger.note(Rule::UnknownState, line);
        }
        let is_of_center = center.is_some() && self.options.owner == Owner::Cluster;
        let name = within(center, record.owner);
        let owner = match &self.options.organizations {
            Some(listed) => listed.organization(&name).ok_or(Wrong::Unlisted)?.into(),
            None if record.owner.is_empty() && is_of_center => center.unwrap_or_default().into(),
            None if record.owner.is_empty() => {
                self.ledger.note(Rule::NoOwner, line);
                within(center, rules::NO_OWNER)
            }
            None => name,
        };
        let pool = match record.partition {
            "" => owner.clone(),
            partition => within(Some(&*owner), partition),
        };
        let (owner, pool) = (self.owners.number(&owner), self.pools.number(&pool));
        self.owner_of.resize(self.pools.names.len(), owner);
        let [account, partition, nodes] =
            [record.account, record.partition, record.nodes].map(|word| self.words.number(word));
        let id = record.id.into();
        self.held.push(Held {
            id,
            submit,
            start,
            end: record.end,
            over,
            clock: 2 * self.centers.number(center.unwrap_or_default()) + u32::from(record.is_local),
            runtime,
            limit,
            processors,
            owner,
            user,
            account,
            partition,
            pool,
            nodes,
        });
        Ok(())
    }

    /// Returns the first rule that drops a line.
    fn left_out(&self, record: &Record<'_>) -> Option<Rule> {
        if record.is_step {
            Some(Rule::Step)
        } else if record.is_array {
            Some(Rule::Array)
        } else if record.is_running {
            Some(Rule::Running)
        } else if record.start.is_none() || record.is_waiting {
            Some(Rule::NotStarted)
        } else if self.options.states == States::Completed && !record.is_completed {
            Some(Rule::State)
        } else if record.submit.is_none() {
            Some(Rule::NoSubmit)
        } else if record.submit < self.options.since {
            Some(Rule::Since)
        } else if record.processors.is_none() {
            Some(Rule::NoProcessors)
        } else if record.elapsed == 0 {
            Some(Rule::NoRuntime)
        } else {
            None
        }
    }

    /// Checks that jobs did not share nodes, as far as the log tells: by those of a single node.
    fn check_nodes(&mut self, file: &Path) -> Result<(), SacctError> {
        let has_node = |held: &&Held| !self.words.names[held.nodes as usize].is_empty();
        let mut held: Vec<&Held> =
            self.held.iter().filter(has_node).filter(|held| held.processors == 1).collect();
        if held.is_empty() {
            let effect = "kept as whole nodes, though the log does not tell whether jobs shared \
                          them; the column `NodeList` does";
            self.ledger.note_all(Rule::Nodes, effect.to_owned(), 2);
            return Ok(());
        }
        held.order_by_key(|held| (held.nodes, held.start));
        // Clocks that go back make an hour come twice.
        let slack = if self.ledger.count(Rule::Clocks) > 0 { HOUR } else { 0 };
        let both = held.windows(2).find(|pair| {
            pair[0].nodes == pair[1].nodes
                && pair[0].start + pair[0].runtime > pair[1].start + slack
        });
        both.map_or(Ok(()), |pair| {
            let [one, other] = [0, 1].map(|place| pair[place].id.to_string());
            let node = self.words.names[pair[0].nodes as usize].clone();
            Err(SacctError::SharedNodes { file: file.to_owned(), one, other, node })
        })
    }

    /// Puts local times back on the clock before the first change of clocks, if all changes are clear.
    fn mend_clocks(&mut self) {
        let (mut mended, mut moments) = (Vec::new(), Vec::new());
        for clock in 0..2 * self.centers.names.len() as u32 {
            let own = self.held.iter().enumerate().filter(|(_, held)| held.clock == clock);
            let (places, mut times): (Vec<usize>, Vec<Times>) =
                own.map(|(at, held)| (at, held.times())).unzip();
            let Some(changes) = clocks::mend(&mut times) else { return };
            moments.extend(changes);
            mended.extend(places.into_iter().zip(times));
        }
        let (mut moved, mut unclear) = (0, 0);
        for (at, times) in mended {
            let held = &mut self.held[at];
            moved += u64::from(held.start != times.start);
            unclear += u64::from(times.is_unclear);
            (held.submit, held.start) = (times.submit, times.start);
        }
        moments.sort_unstable();
        moments.dedup();
        let moments: Vec<String> = moments.into_iter().map(value::written).collect();
        let twice = match unclear {
            0 => String::new(),
            n => format!(
                "; {} in an hour that came twice by the shorter wait",
                counted(n, "job", "jobs")
            ),
        };
        let effect = format!(
            "ran over a change of clocks, as their ends show ({}): the starts of {} after it are told by \
             the clock before{twice}",
            moments.join(", "),
            counted(moved, "job", "jobs"),
        );
        self.ledger.tell(Rule::Clocks, Kind::Changed, effect);
    }

    fn finish(mut self, file: &Path) -> Result<Imported, SacctError> {
        self.ledger.kept = self.held.len() as u64;
        self.ledger.weigh();
        if self.held.is_empty() {
            return Err(SacctError::NoJobs {
                file: file.to_owned(),
                ledger: Box::new(self.ledger),
                fault: self.first_fault,
            });
        }
        if self.ledger.count(Rule::Clocks) > 0 {
            self.mend_clocks();
        }
        // Ties keep the order of the log.
        self.held.order_by_key(|held| held.submit);
        let first = self.held[0].submit;
        let effect = format!("submitted {first} s earlier: the first job comes at time 0");
        self.ledger.note_all(Rule::ShiftToZero, effect, 2);
        let most = LIMIT_TICKS / TICKS_PER_UNIT;
        let far = |held: &Held| {
            held.submit - first > most || held.limit.max(held.runtime).max(held.wait()) > most
        };
        if self.held.iter().any(far) {
            return Err(SacctError::TooLong { file: file.to_owned() });
        }
        if self.options.unit == Unit::Nodes {
            self.check_nodes(file)?;
        }
        let early = early(&self.held);
        let (owners, place) = parties(&self.held, &self.owners.names, |held| held.owner);
        let (pools, pool) = parties(&self.held, &self.pools.names, |held| held.pool);
        let is_divided = self.options.owner == Owner::Cluster && pools.len() > owners.len();
        let jobs = self.held.iter().zip(1..).map(|(held, number)| Job {
            number,
            source: 0,
            submit: Time::ZERO + Span::units(held.submit - first),
            runtime: Span::units(held.runtime),
            estimate: Span::units(held.limit),
            processors: held.processors,
            user: held.user,
            organization: OrganizationId(place[held.owner as usize]),
            recorded: Recorded::new(
                Some(Span::units(held.wait())),
                is_divided.then(|| ClusterId(pool[held.pool as usize])),
            ),
        });
        let jobs = jobs.collect();
        let mut tags = Tags::default();
        for (held, number) in self.held.iter().zip(1..) {
            let [account, partition] =
                [held.account, held.partition].map(|word| &*self.words.names[word as usize]);
            tags.insert(number, [account, partition, &*held.id]);
        }
        let mut partitions: Vec<(Party, u32)> = Vec::new();
        if is_divided {
            let mut owner_of = vec![0; pools.len()];
            for (&at, &owner) in pool.iter().zip(&self.owner_of) {
                owner_of[at as usize] = place[owner as usize];
            }
            partitions = pools.into_iter().zip(owner_of).collect();
        }
        let peak = peak(self.held.iter());
        let (users, ledger) = (self.users.names, self.ledger);
        let start = first;
        Ok(Imported { jobs, tags, parties: owners, partitions, users, start, peak, early, ledger })
    }
}

#[cfg(test)]
mod tests;
