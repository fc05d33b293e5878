//! Reads windows back with HdrHistogram's own reader and adds them up to the whole distribution.

use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};

use super::*;
use crate::lines::Block;
use model::ids::{ClusterId, JobId, OrganizationId};
use model::job::Job;

/// A line: its tag, start and end of its window, and the histogram.
type Told = (String, f64, f64, Histogram<u64>);

fn read(log: &[u8]) -> Vec<Told> {
    let mut told = Vec::new();
    for entry in IntervalLogIterator::new(log) {
        let LogEntry::Interval(interval) = entry.unwrap() else { continue };
        let bytes = base64(interval.encoded_histogram());
        let histogram: Histogram<u64> =
            Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap();
        let tag = interval.tag().unwrap().as_str().to_owned();
        // The log's own maximum is in units, as a decimal with three digits.
        assert!((interval.max() - histogram.max() as f64 / 1e6).abs() < 1e-3);
        let start = interval.start_timestamp().as_secs_f64();
        told.push((tag, start, start + interval.duration().as_secs_f64(), histogram));
    }
    told
}

/// Decodes base 64 (RFC 4648).
fn base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| -> u32 {
        let at = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        u32::from(at)
    };
    let digits = text.trim_end_matches('=').as_bytes();
    let group = |group: &[u8]| {
        let bits = group.iter().fold(0, |bits, &byte| bits << 6 | digit(byte));
        let bits = bits << (6 * (4 - group.len()));
        bits.to_be_bytes()[1..group.len()].to_vec()
    };
    digits.chunks(4).flat_map(group).collect()
}

fn job(organization: u32, submit: i64, runtime: i64) -> Job {
    Job {
        number: 1,
        source: 0,
        submit: Time::from_ticks(submit),
        runtime: Span::from_ticks(runtime),
        estimate: Span::from_ticks(runtime),
        processors: 1,
        user: 0,
        organization: OrganizationId(organization),
        ..Job::default()
    }
}

fn finish(windows: &mut Windows<Vec<u8>>, job: &Job, start: i64) {
    let start = Time::from_ticks(start);
    windows.finished(Finished {
        id: JobId(0),
        job,
        expected: None,
        cluster: ClusterId(0),
        start,
        finish: start + job.runtime,
        killed: false,
    });
}

const UNIT: i64 = 1_000_000;

/// Saves and loads at every hundredth job, too.
#[test]
fn windows_add_up_to_the_whole_and_hold_the_jobs_that_end_in_them() {
    let names = ["a b".to_owned(), "c,d".to_owned()];
    let counting = Counting { from: Time::from_ticks(5 * UNIT), ..Counting::default() };
    let new = |out| Windows::new(out, Span::units(10), counting, &names, 3);
    let mut windows = new(header());
    let mut whole = [Distribution::new(Detail::Full), Distribution::new(Detail::Full)];
    let mut ends = Vec::new();
    for number in 0..2000_i64 {
        // Nothing happens between 100 and 400.
        let submit = number * UNIT / 20 + if number >= 1800 { 300 * UNIT } else { 0 };
        let start = submit + number % 7 * UNIT;
        let one = job(u32::from(number % 3 == 0), submit, UNIT + number % 11 * 1000);
        let finish = (start + one.runtime.ticks(), number, one, start);
        ends.push(finish);
    }
    ends.sort_by_key(|&(end, number, ..)| (end, number));
    for (number, (end, _, one, start)) in ends.iter().enumerate() {
        finish(&mut windows, one, *start);
        if one.submit >= counting.from {
            whole[0].record((end - one.submit.ticks()) as u64);
            whole[1].record((start - one.submit.ticks()) as u64);
        }
        if number % 100 == 0 {
            let mut bytes = Vec::new();
            windows.save(&mut bytes);
            windows = new(windows.out.into_inner());
            windows.load(&mut bytes.as_slice()).unwrap();
        }
    }
    let end = ends.last().unwrap().0;
    windows.ended(Time::from_ticks(end));
    assert!(windows.out.trouble().is_none());
    let told = read(&windows.out.into_inner());
    for (measure, whole) in MEASURES.iter().zip(&whole) {
        let mut together = Histogram::new_from(&*whole.histogram().unwrap());
        let mut apart = together.clone();
        for (tag, from, until, histogram) in &told {
            assert!(*from >= 0.0 && from % 10.0 == 0.0 && *until <= from + 10.0);
            let expected = ends.iter().filter(|(at, _, one, _)| {
                let at = *at as f64 / 1e6;
                let is_last = *until < from + 10.0;
                let is_own = match &**tag {
                    "r3/*/flow" | "r3/*/wait" => true,
                    "r3/a_b/flow" | "r3/a_b/wait" => one.organization.0 == 0,
                    _ => one.organization.0 == 1,
                };
                let is_in = *from <= at && (at < *until || is_last);
                is_in && is_own && one.submit >= counting.from
            });
            assert_eq!(histogram.len(), expected.count() as u64, "{tag} {from} to {until}");
            if *tag == format!("r3/*/{measure}") {
                together.add(histogram).unwrap();
            } else if tag.ends_with(measure) {
                apart.add(histogram).unwrap();
            }
        }
        assert_eq!(together, *whole.histogram().unwrap());
        assert_eq!(apart, *whole.histogram().unwrap());
    }
    let of = |name: &str| told.iter().filter(|(tag, ..)| tag == name).count();
    assert_eq!((of("r3/c_d/wait"), of("r3/a_b/wait")), (12, 12));
    let last = told.last().unwrap().2;
    assert!((last - end as f64 / 1e6).abs() < 1e-3, "{last}");
}

/// Takes no lines.
#[derive(Debug)]
struct Full;

impl Out for Full {
    fn take<B: Block>(&mut self, _: &mut B) -> io::Result<()> {
        Err(io::ErrorKind::StorageFull.into())
    }
}

#[test]
fn many_organizations_are_told_together_and_errors_are_kept() {
    let names: Vec<String> = (0..=MOST_ORGANIZATIONS).map(|at| format!("o{at}")).collect();
    let new = || Windows::new(header(), Span::units(1), Counting::default(), &names, 0);
    let mut windows = new();
    finish(&mut windows, &job(16, 0, UNIT), 0);
    windows.ended(Time::from_ticks(UNIT));
    let told = read(windows.out.out_mut().as_slice());
    let lines: Vec<_> = told.iter().map(|(tag, from, until, _)| (&**tag, *from, *until)).collect();
    assert_eq!(lines, [("r0/*/flow", 1.0, 1.0), ("r0/*/wait", 1.0, 1.0)]);
    let mut windows = Windows::new(Full, Span::units(1), Counting::default(), &names, 0);
    windows.finished(Finished {
        id: JobId(0),
        job: &job(0, 0, 1),
        expected: None,
        cluster: ClusterId(0),
        start: Time::ZERO,
        finish: Time::from_ticks(1),
        killed: false,
    });
    windows.ended(Time::from_ticks(2));
    assert_eq!(windows.out.trouble().unwrap().kind(), io::ErrorKind::StorageFull);
}
