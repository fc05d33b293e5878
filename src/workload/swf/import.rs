//! Applies the import rules: lines in, jobs and a ledger out.

use std::path::Path;

use super::canonical::Canonical;
use super::error::SwfError;
use super::fast;
use super::header::Header;
use super::input::{Input, LONGEST, Trace};
use super::ledger::{Rule, ledger};
use super::line::{Described, Parsed, Record, parse};
use super::options::*;
use crate::ledger::Ledger;
use kernel::time::{LIMIT_TICKS, Span, Time};
use model::job::Job;

/// Number of malformed lines without any job, after which a file is not considered a trace.
const PATIENCE: u64 = 16;

/// The UTF-8 byte order mark, with which input may begin.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The jobs of a trace in file order, after the rules that need neither all jobs nor the first one.
/// The others are `sort`, `skip`, `first`, `shift_to_zero`,
/// `arrivals` and `load`.
pub(super) struct Import {
    input: Input,
    rules: Rules,
    /// A line that was read to know that a job in parts has no more of them.
    ahead: Option<(u64, Record)>,
    pub header: Header,
}

impl Import {
    /// Opens a trace at its beginning; with `ahead`, gzip is unpacked on another thread.
    pub fn open(trace: &Trace, options: &Options, ahead: bool) -> Result<Import, SwfError> {
        let input = Input::open(trace, ahead)?;
        Ok(Import { input, rules: Rules::new(options), ahead: None, header: Header::new() })
    }

    /// Returns the ledger so far.
    pub fn ledger(&mut self) -> &mut Ledger {
        &mut self.rules.ledger
    }

    pub fn file(&self) -> &Path {
        self.input.name()
    }

    /// Returns the next job and its line.
    #[inline]
    pub fn next(&mut self) -> Result<Option<(u64, Canonical)>, SwfError> {
        loop {
            let read = match self.ahead.take() {
                Some(ahead) => Some(ahead),
                None => self.record()?,
            };
            let Some((line, mut record)) = read else { return self.at_end() };
            if self.rules.is_in_parts(line, &record) {
                self.join(&mut record)?;
            }
            match self.rules.admit(line, &record) {
                Ok(Some(job)) => return Ok(Some((line, job))),
                Ok(None) => {}
                Err(error) => return Err(self.refused(error)),
            }
        }
    }

    /// Adds to the first part of a job those that follow it. By the format, the parts of a job stand
    /// one below the other, and the last of them tells its end.
    #[cold]
    fn join(&mut self, first: &mut Record) -> Result<(), SwfError> {
        let mut last = first.status;
        while last == 2 {
            self.ahead = self.record()?;
            let is_next = |(_, next): &(u64, Record)| {
                next.is_part() && (next.number, next.allocated) == (first.number, first.allocated)
            };
            let Some((line, part)) = self.ahead.take_if(|next| is_next(next)) else { break };
            self.rules.add_part(line, first, &part);
            last = part.status;
        }
        first.status = i64::from(last == 3);
        Ok(())
    }

    /// Returns the next line that is a job or a part of one.
    #[inline]
    fn record(&mut self) -> Result<Option<(u64, Record)>, SwfError> {
        loop {
            if let Some(read) = self.input.next_by(fast::usual) {
                return Ok(Some(read));
            }
            let Some(line) = self.input.next()? else { return Ok(None) };
            let number = line.number;
            let Some(mut text) = line.text else {
                let reason =
                    || format!("the line is longer than {LONGEST} bytes; each must end with LF");
                if let Err(error) = self.rules.malformed(number, reason) {
                    return Err(self.refused(error));
                }
                continue;
            };
            if number == 1 {
                text = text.strip_prefix(MARK).unwrap_or(text);
            }
            match parse(text) {
                Ok(Parsed::Job(record)) => return Ok(Some((number, record))),
                Ok(Parsed::Blank) => self.input.skip_blank(),
                Ok(Parsed::Comment) => self.header.comment(text),
                Err(fault) => {
                    let reason = || Described(fault, text).to_string();
                    if let Err(error) = self.rules.malformed(number, reason) {
                        return Err(self.refused(error));
                    }
                }
            }
        }
    }

    /// Returns a rule's objection to a line, or the damage to the file, if that explains it.
    #[cold]
    fn refused(&mut self, error: Refused) -> SwfError {
        self.input.damage().unwrap_or_else(|| error.in_file(self.input.name()))
    }

    fn at_end(&mut self) -> Result<Option<(u64, Canonical)>, SwfError> {
        match self.rules.not_a_trace(1) {
            Some(error) => Err(error.in_file(self.file())),
            None => Ok(None),
        }
    }
}

/// A rule that drops a job, or aborts the import; the file's name is added by the caller.
enum Refused {
    Dropped(Rule),
    NotATrace { line: u64, reason: String },
    Malformed { line: u64, reason: String },
    Rule { line: u64, found: &'static str, remedy: &'static str },
}

impl Refused {
    fn in_file(self, file: &Path) -> SwfError {
        let file = file.to_owned();
        match self {
            Refused::Dropped(_) => unreachable!("a dropped job aborts nothing"),
            Refused::NotATrace { line, reason } => SwfError::NotATrace { file, line, reason },
            Refused::Malformed { line, reason } => SwfError::Malformed { file, line, reason },
            Refused::Rule { line, found, remedy } => SwfError::Rule { file, line, found, remedy },
        }
    }
}

/// The set of job numbers seen, one bit each up to [`Numbers::KEPT`]. Among larger ones only the
/// largest is known.
#[derive(Default)]
struct Numbers {
    bits: Vec<u64>,
    /// Largest number plus one.
    beyond: u64,
}

impl Numbers {
    /// Numbers below this are tracked individually, in at most 8 MB.
    const KEPT: u64 = 1 << 26;

    /// Returns true if the number may be there.
    fn contains(&self, number: u64) -> bool {
        let word = || self.bits.get((number / 64) as usize).copied().unwrap_or(0);
        if number >= Numbers::KEPT {
            number < self.beyond
        } else {
            word() >> (number % 64) & 1 != 0
        }
    }

    /// Returns true if the number may be a duplicate, and adds it. A large one is if it is not the
    /// largest so far.
    #[inline]
    fn has(&mut self, number: u64) -> bool {
        if number >= Numbers::KEPT {
            let has = number < self.beyond;
            self.beyond = self.beyond.max(number.saturating_add(1));
            return has;
        }
        let (word, bit) = ((number / 64) as usize, 1 << (number % 64));
        if word >= self.bits.len() {
            self.bits.resize((word + 1).next_power_of_two(), 0);
        }
        let has = self.bits[word] & bit != 0;
        self.bits[word] |= bit;
        has
    }
}

struct Rules {
    options: Options,
    window: std::ops::Range<i64>,
    queues: Option<Vec<i64>>,
    partitions: Option<Vec<i64>>,
    users: Option<Vec<i64>>,
    groups: Option<Vec<i64>>,
    ledger: Ledger,
    /// The first malformed line with its reason, while no job has been read.
    suspicion: Option<(u64, String)>,
    /// Job numbers so far.
    numbers: Numbers,
    /// Numbers of all whole jobs above, dropped or not.
    wholes: Numbers,
    /// Latest submission time of a job that reached the order check.
    latest: i64,
}

impl Rules {
    fn new(options: &Options) -> Rules {
        let ticks = |units: Option<f64>, default: i64| {
            units.and_then(|units| Span::from_units(units).ok()).map_or(default, Span::ticks)
        };
        let sorted = |list: &Option<Vec<i64>>| {
            let mut list = list.clone();
            list.iter_mut().for_each(|list| list.sort_unstable());
            list
        };
        Rules {
            window: ticks(options.from, 0)..ticks(options.until, i64::MAX),
            queues: sorted(&options.queues),
            partitions: sorted(&options.partitions),
            users: sorted(&options.users),
            groups: sorted(&options.groups),
            ledger: ledger(options),
            options: options.clone(),
            suspicion: None,
            numbers: Numbers::default(),
            wholes: Numbers::default(),
            latest: 0,
        }
    }

    /// Returns true if a line is the first part of a job that is not listed as a whole.
    #[inline]
    fn is_in_parts(&mut self, line: u64, record: &Record) -> bool {
        if !record.is_part() {
            self.wholes.has(record.number);
            return false;
        }
        let is_first =
            self.options.partial == Partial::Drop && !self.wholes.contains(record.number);
        if is_first {
            self.ledger.note(Rule::Joined, line);
        }
        is_first
    }

    /// Adds a part to the first one of its job.
    fn add_part(&mut self, line: u64, first: &mut Record, part: &Record) {
        self.ledger.read += 1;
        self.ledger.note(Rule::Piece, line);
        first.runtime = match (first.runtime, part.runtime) {
            (one, other) if one > 0 && other > 0 => one.saturating_add(other).min(LIMIT_TICKS),
            (one, other) => one.max(other),
        };
    }

    #[cold]
    fn malformed(&mut self, line: u64, reason: impl Fn() -> String) -> Result<(), Refused> {
        self.ledger.read += 1;
        self.ledger.drop(Rule::Malformed, line, None);
        if self.ledger.read == 1 {
            self.suspicion = Some((line, reason()));
        }
        let patience = if self.options.malformed == Malformed::Error { 1 } else { PATIENCE };
        match self.not_a_trace(patience) {
            Some(error) => Err(error),
            None if self.options.malformed == Malformed::Error => {
                Err(Refused::Malformed { line, reason: reason() })
            }
            None => Ok(()),
        }
    }

    /// Reports that at least `patience` lines were read and none is a job.
    fn not_a_trace(&self, patience: u64) -> Option<Refused> {
        let all = self.ledger.count(Rule::Malformed) == self.ledger.read;
        let (line, reason) = self.suspicion.clone()?;
        (all && self.ledger.read >= patience).then_some(Refused::NotATrace { line, reason })
    }

    /// Applies the rules to a line; returns its job, if any.
    #[inline]
    fn admit(&mut self, line: u64, record: &Record) -> Result<Option<Canonical>, Refused> {
        self.ledger.read += 1;
        // The work of a part is that of the whole.
        let work = self.work(record);
        match self.job(line, record) {
            Ok(job) => {
                self.ledger.add(work);
                Ok(Some(job))
            }
            Err(Refused::Dropped(Rule::Partial)) => {
                self.ledger.note(Rule::Partial, line);
                Ok(None)
            }
            Err(Refused::Dropped(rule)) => {
                self.ledger.add(work);
                self.ledger.drop(rule, line, work);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the work of a line in processor-ticks, if it tells its processors and its run time.
    #[inline]
    fn work(&self, record: &Record) -> Option<i128> {
        let (first, then) = self.columns(record);
        let processors = if first > 0 { first } else { then };
        let is_known = record.runtime == 0 || record.runtime > 0 && processors > 0;
        is_known.then(|| i128::from(processors) * i128::from(record.runtime))
    }

    #[inline]
    fn job(&mut self, line: u64, record: &Record) -> Result<Canonical, Refused> {
        if let Some(rule) = self.left_out(record) {
            return Err(Refused::Dropped(rule));
        }
        if record.submit < 0 {
            return match self.options.no_submit {
                NoSubmit::Drop => Err(Refused::Dropped(Rule::NoSubmit)),
                NoSubmit::Error => refuse(
                    line,
                    "the job has no submit time",
                    "no_submit = \"drop\" leaves such jobs out",
                ),
            };
        }
        if !self.window.contains(&record.submit) {
            return Err(Refused::Dropped(Rule::Window));
        }
        let processors = self.processors(line, record)?;
        let (runtime, estimate) = self.times(line, record)?;
        let submit = self.in_order(line, record.submit)?;
        let noted = [
            (Rule::Number, self.numbers.has(record.number)),
            (Rule::Follows, record.follows),
            (Rule::HasMore, record.has_more),
        ];
        noted.iter().filter(|note| note.1).for_each(|&(rule, _)| self.ledger.note(rule, line));
        let (user, group) = (record.user.max(0) as u32, record.group.max(0) as u32);
        let number = record.number;
        let wait = record.wait.max(-1);
        // Partitions beyond 32 bits keep their sign, and are not told apart.
        let partition = record.partition.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        Ok(Canonical {
            number,
            submit,
            runtime,
            estimate,
            processors,
            user,
            group,
            partition,
            wait,
        })
    }

    /// Returns the first selection that drops a job.
    #[inline]
    fn left_out(&self, record: &Record) -> Option<Rule> {
        let out = |list: &Option<Vec<i64>>, value: i64| match list {
            None => false,
            Some(list) => list.binary_search(&value).is_err(),
        };
        if self.options.partial == Partial::Drop && record.is_part() {
            Some(Rule::Partial)
        } else if self.options.status == Status::Completed && record.status != 1 {
            Some(Rule::Status)
        } else if out(&self.queues, record.queue) {
            Some(Rule::Queues)
        } else if out(&self.partitions, record.partition) {
            Some(Rule::Partitions)
        } else if out(&self.users, record.user) {
            Some(Rule::Users)
        } else if out(&self.groups, record.group) {
            Some(Rule::Groups)
        } else {
            None
        }
    }

    /// Returns the columns of processors, in the order in which they count.
    #[inline]
    fn columns(&self, record: &Record) -> (i64, i64) {
        match self.options.processors {
            Processors::AllocatedThenRequested => (record.allocated, record.requested),
            Processors::RequestedThenAllocated => (record.requested, record.allocated),
            Processors::Allocated => (record.allocated, 0),
            Processors::Requested => (record.requested, 0),
        }
    }

    #[inline]
    fn processors(&mut self, line: u64, record: &Record) -> Result<u32, Refused> {
        let (first, then) = self.columns(record);
        if first > 0 {
            return Ok(first as u32);
        }
        if then > 0 {
            self.ledger.note(Rule::OtherProcessors, line);
            return Ok(then as u32);
        }
        match self.options.no_processors {
            NoProcessors::Drop => Err(Refused::Dropped(Rule::NoProcessors)),
            NoProcessors::One => {
                self.ledger.note(Rule::NoProcessors, line);
                Ok(1)
            }
            NoProcessors::Error => refuse(
                line,
                "the job has no processors",
                "no_processors = \"drop\" or \"one\" admits the trace",
            ),
        }
    }

    /// Returns the runtime and estimate.
    #[inline]
    fn times(&mut self, line: u64, record: &Record) -> Result<(i64, i64), Refused> {
        let Record { mut runtime, mut estimate, .. } = *record;
        if runtime <= 0 {
            match self.options.no_runtime {
                NoRuntime::Zero if runtime == 0 => self.ledger.note(Rule::ZeroRuntime, line),
                NoRuntime::Error => {
                    return refuse(
                        line,
                        "the job did not run",
                        "no_runtime = \"drop\" leaves such jobs out",
                    );
                }
                NoRuntime::Drop | NoRuntime::Zero => return Err(Refused::Dropped(Rule::NoRuntime)),
            }
        }
        if estimate <= 0 {
            match self.options.no_estimate {
                NoEstimate::Runtime => {
                    self.ledger.note(Rule::NoEstimate, line);
                    estimate = runtime;
                }
                NoEstimate::Drop => return Err(Refused::Dropped(Rule::NoEstimate)),
                NoEstimate::Error => {
                    return refuse(
                        line,
                        "the job has no estimate",
                        "no_estimate = \"runtime\" takes its run time",
                    );
                }
            }
        }
        if runtime > estimate {
            if self.options.over_estimate == OverEstimate::Drop {
                return Err(Refused::Dropped(Rule::OverEstimate));
            }
            self.ledger.note(Rule::OverEstimate, line);
            match self.options.over_estimate {
                OverEstimate::Cut => runtime = estimate,
                OverEstimate::Raise => estimate = runtime,
                OverEstimate::Keep | OverEstimate::Drop => {}
            }
        }
        Ok((runtime, estimate))
    }

    /// Returns the submission time; under `sort`, jobs out of order pass and are only noted.
    #[inline]
    fn in_order(&mut self, line: u64, submit: i64) -> Result<i64, Refused> {
        if submit >= self.latest {
            self.latest = submit;
            return Ok(submit);
        }
        if self.options.unsorted == Unsorted::Drop {
            return Err(Refused::Dropped(Rule::Unsorted));
        }
        self.ledger.note(Rule::Unsorted, line);
        match self.options.unsorted {
            Unsorted::Sort | Unsorted::Drop => Ok(submit),
            Unsorted::Clamp => Ok(self.latest),
            Unsorted::Error => refuse(
                line,
                "the job is submitted before one above it",
                "unsorted = \"sort\" puts jobs in order",
            ),
        }
    }
}

#[cold]
fn refuse<T>(line: u64, found: &'static str, remedy: &'static str) -> Result<T, Refused> {
    Err(Refused::Rule { line, found, remedy })
}

/// The last rules, applied once the first job is known: the shift, the arrivals and the load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placing {
    /// Ticks by which jobs are submitted earlier than in the trace.
    pub shift: i64,
    /// True if all jobs come at time 0.
    pub at_once: bool,
    load: Option<Load>,
}

impl Placing {
    /// Creates the rules for a workload whose first job is submitted at `first` in the trace.
    pub fn new(options: &Options, first: i64) -> Placing {
        let at_once = options.arrivals == TraceArrivals::AtOnce;
        let shift = if options.shift_to_zero && !at_once { first } else { 0 };
        Placing { shift, at_once, load: options.load }
    }

    /// Applies them. The error is the name of the field that becomes too large.
    #[inline]
    pub fn place(&self, job: &mut Canonical) -> Result<(), &'static str> {
        job.submit -= self.shift;
        if self.at_once {
            (job.submit, job.wait) = (0, -1);
        }
        match self.load {
            None => Ok(()),
            Some(load) => scale(job, load),
        }
    }

    /// Same as [`place`](Placing::place), for a job of a list.
    pub fn place_job(&self, job: &Job) -> Result<Job, &'static str> {
        let mut placed = Canonical {
            submit: job.submit.ticks(),
            runtime: job.runtime.ticks(),
            estimate: job.estimate.ticks(),
            processors: job.processors,
            ..Canonical::default()
        };
        self.place(&mut placed)?;
        Ok(Job {
            submit: Time::from_ticks(placed.submit),
            runtime: Span::from_ticks(placed.runtime),
            estimate: Span::from_ticks(placed.estimate),
            processors: placed.processors,
            ..*job
        })
    }

    /// Same as [`place`](Placing::place), with an error message for users.
    #[inline]
    pub fn place_in(&self, file: &Path, line: u64, job: &mut Canonical) -> Result<(), SwfError> {
        self.place(job).map_err(|field| {
            let factor = self.load.map_or(1.0, |load| load.factor);
            SwfError::Scaled { file: file.to_owned(), line, factor, field }
        })
    }

    /// Returns the ledger's description of the load scaling.
    pub fn load_effect(&self) -> Option<String> {
        self.load.map(|Load { factor, by }| match by {
            LoadBy::Arrivals => format!("with submit times divided by {factor}"),
            LoadBy::Runtimes => format!("with run times and estimates multiplied by {factor}"),
            LoadBy::Processors => format!("with processors multiplied by {factor}"),
        })
    }
}

fn scale(job: &mut Canonical, load: Load) -> Result<(), &'static str> {
    let ticks = |scaled: f64, field| match scaled.round_ties_even() {
        rounded if rounded <= LIMIT_TICKS as f64 => Ok(rounded as i64),
        _ => Err(field),
    };
    match load.by {
        LoadBy::Arrivals => job.submit = ticks(job.submit as f64 / load.factor, "submit time")?,
        LoadBy::Runtimes => {
            job.runtime = ticks(job.runtime as f64 * load.factor, "run time")?;
            job.estimate = ticks(job.estimate as f64 * load.factor, "estimate")?;
        }
        LoadBy::Processors => {
            let scaled = (f64::from(job.processors) * load.factor).round_ties_even().max(1.0);
            if scaled > f64::from(u32::MAX) {
                return Err("number of processors");
            }
            job.processors = scaled as u32;
        }
    }
    Ok(())
}
