//! Traces in the Standard Workload Format.
//!
//! The first [`HEAD`] bytes of an input are the options; the rest is the trace.

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use gridpact::kernel::time::Span;
use gridpact::model::ids::OrganizationId;
use gridpact::model::job::Job;
use gridpact::model::recorded::Recorded;
use gridpact::workload::Source as _;
use gridpact::workload::owners::{Assignment, Owners};
use gridpact::workload::swf::{
    Header, Load, LoadBy, Malformed, NoEstimate, NoProcessors, NoRuntime, NoSubmit, Options,
    OverEstimate, Partial, Processors, Status, Survey, SwfError, SwfSource, SwfWriter,
    TraceArrivals, Unsorted, survey_bytes,
};

use super::draws::Draws;

/// Bytes that say what the options are.
const HEAD: usize = 24;

/// The longest line that is looked at once more with blanks behind it.
const PADDED: usize = 60_000;

/// Options as the bytes say; all 0 are the defaults, but that malformed lines are left out.
fn options(draws: &mut Draws<'_>) -> Options {
    use Processors::{Allocated, AllocatedThenRequested, Requested, RequestedThenAllocated};
    let processors = [AllocatedThenRequested, RequestedThenAllocated, Allocated, Requested];
    let list = |draws: &mut Draws<'_>| match draws.below(4) {
        2 => Some(vec![1, -1, 7]),
        3 => Some(vec![i64::from(draws.byte()) - 1]),
        _ => None,
    };
    let time = |draws: &mut Draws<'_>| match draws.below(8) {
        6 => Some(f64::from(draws.byte()) / 8.0),
        7 => Some(f64::from(draws.byte()) * 1e4),
        _ => None,
    };
    Options {
        processors: *draws.of(&processors),
        no_processors: *draws.of(&[NoProcessors::Drop, NoProcessors::One, NoProcessors::Error]),
        no_runtime: *draws.of(&[NoRuntime::Drop, NoRuntime::Zero, NoRuntime::Error]),
        no_estimate: *draws.of(&[NoEstimate::Runtime, NoEstimate::Drop, NoEstimate::Error]),
        over_estimate: *draws.of(&[
            OverEstimate::Cut,
            OverEstimate::Raise,
            OverEstimate::Keep,
            OverEstimate::Drop,
        ]),
        no_submit: *draws.of(&[NoSubmit::Drop, NoSubmit::Error]),
        unsorted: *draws.of(&[Unsorted::Sort, Unsorted::Clamp, Unsorted::Drop, Unsorted::Error]),
        malformed: *draws.of(&[Malformed::Drop, Malformed::Error]),
        partial: *draws.of(&[Partial::Drop, Partial::Keep]),
        status: *draws.of(&[Status::All, Status::Completed]),
        shift_to_zero: draws.below(2) == 0,
        first: (draws.below(4) == 3).then(|| draws.below(20) as u64),
        from: time(draws),
        until: time(draws),
        queues: list(draws),
        partitions: list(draws),
        users: list(draws),
        groups: list(draws),
        load: (draws.below(4) == 3).then(|| Load {
            factor: *draws.of(&[1.0, 0.5, 1.2, 3.0, 1e-9, 1e9, 1e-300, 0.0, f64::NAN]),
            by: *draws.of(&[LoadBy::Arrivals, LoadBy::Runtimes, LoadBy::Processors]),
        }),
        arrivals: *draws.of(&[TraceArrivals::Recorded, TraceArrivals::AtOnce]),
        skip: if draws.below(4) == 3 { draws.below(20) as u64 } else { 0 },
    }
}

fn survey(bytes: &[u8], options: &Options) -> Result<Survey, SwfError> {
    survey_bytes(Path::new("fuzzed.swf"), bytes, options)
}

/// Two ways to read a trace found the same.
#[track_caller]
fn same(one: &Result<Survey, SwfError>, other: &Result<Survey, SwfError>) {
    match (one, other) {
        (Ok(one), Ok(other)) => {
            assert_eq!((&one.ledger, &one.header), (&other.ledger, &other.header));
            assert_eq!((&one.digest, one.shift), (&other.digest, other.shift));
            assert_eq!((&one.users, &one.groups), (&other.users, &other.groups));
        }
        (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
        (one, other) => panic!("{one:?} and {other:?}"),
    }
}

fn source(survey: &Survey) -> SwfSource {
    SwfSource::new(survey, Assignment::one("all"), 0, OrganizationId(0))
}

fn jobs(source: &mut SwfSource) -> Vec<Job> {
    std::iter::from_fn(|| source.next().expect("it was surveyed")).collect()
}

/// Surveys a trace, plain and packed, with its lines short and long, and streams its jobs, held and
/// read again; writes them and reads them back; gives them to organizations.
pub fn check(bytes: &[u8]) {
    let (head, trace) = bytes.split_at(bytes.len().min(HEAD));
    let mut draws = Draws(head);
    // What costs more is tried for some inputs only.
    let side = draws.below(8);
    let options = options(&mut draws);
    let found = survey(trace, &options);
    if let Err(error) = &found {
        let of_options = matches!(error, SwfError::Options(_));
        assert!(of_options || error.to_string().starts_with("fuzzed.swf: "));
    }
    let is_gzip = trace.starts_with(b"\x1f\x8b");
    if !is_gzip && trace.split(|&byte| byte == b'\n').all(|line| line.len() < PADDED) {
        same(&survey(&padded(trace), &options), &found);
        if side == 7 {
            same(&survey(&gzip(trace), &options), &found);
        }
    }
    if let Ok(survey) = found {
        let held = jobs(&mut source(&survey));
        holds(&survey, &held, &options);
        if side == 6 {
            written_is_read_back(&held);
        }
        if side == 5 && survey.jobs > 0 {
            given_to_organizations(&survey);
        }
    }
}

/// Blanks behind every line make it too long for the fast reading.
fn padded(trace: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = trace.split(|&byte| byte == b'\n').collect();
    let mut padded = Vec::with_capacity(trace.len() + lines.len() * 129);
    for (index, line) in lines.iter().enumerate() {
        padded.extend_from_slice(line);
        // Behind the last newline there is no line.
        if index + 1 < lines.len() || !line.is_empty() {
            padded.extend_from_slice(&[b' '; 128]);
            padded.push(b'\n');
        }
    }
    padded
}

fn gzip(trace: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(trace).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// Asserts the invariants of every survey and its jobs.
fn holds(survey: &Survey, held: &[Job], options: &Options) {
    let again = survey.clone().without_jobs();
    assert_eq!(jobs(&mut source(&again)), held);
    let ledger = &survey.ledger;
    assert_eq!((ledger.kept, ledger.read), (survey.jobs, survey.jobs + ledger.dropped()));
    assert_eq!(held.len() as u64, survey.jobs);
    assert!(ledger.rows().all(|row| row.first_line > 0));
    assert!(held.windows(2).all(|pair| pair[0].submit <= pair[1].submit));
    assert_eq!(held.first().map(|job| job.submit), survey.first_submit);
    assert_eq!(held.last().map(|job| job.submit), survey.last_submit);
    assert_eq!(held.iter().map(Job::area).sum::<i128>(), survey.area);
    assert_eq!(held.iter().map(|job| job.processors).max().unwrap_or(0), survey.max_processors);
    assert!(options.first.is_none_or(|first| survey.jobs <= first));
    let mut shares = survey.users.values().chain(survey.groups.values()).collect::<Vec<_>>();
    shares.retain(|share| share.jobs == 0);
    assert!(shares.is_empty(), "nobody is named who brings nothing");
}

/// But for an estimate of 0, which SWF cannot tell from none.
fn written_is_read_back(held: &[Job]) {
    let mut held = held.to_vec();
    for job in &mut held {
        job.organization = OrganizationId(0);
        // Each is written as started at its arrival.
        job.recorded = Recorded::new(Some(Span::ZERO), None);
        if job.estimate == Span::ZERO {
            job.estimate = job.runtime;
        }
    }
    let header = Header::new().with("MaxJobs", held.len());
    let name = Path::new("written.swf");
    let mut writer = SwfWriter::new(name, Vec::new(), &header).expect("memory takes it");
    for job in &held {
        writer.write(job, Some(job.submit)).expect("memory takes it");
    }
    let written = writer.finish().expect("memory takes it");
    let survey = survey(&written, &Options::verbatim()).expect("just written");
    assert_eq!(jobs(&mut source(&survey)), held);
}

fn given_to_organizations(survey: &Survey) {
    for owners in [Owners::PerUser {}, Owners::PerGroup {}, Owners::Balanced { parts: 2 }] {
        let Ok(assignment) = owners.assign(survey, "") else {
            assert!(matches!(owners, Owners::Balanced { .. }) && survey.users.len() < 2);
            continue;
        };
        let count = assignment.names().len();
        let mut source = SwfSource::new(survey, assignment, 0, OrganizationId(5));
        let mut has = vec![false; count];
        while let Some(job) = source.next().expect("it was surveyed") {
            has[job.organization.index() - 5] = true;
        }
        assert!(has.iter().all(|&has| has), "every organization has a job");
    }
}
