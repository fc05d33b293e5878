//! Long traces, from the file to the results, against a program written by hand.
//!
//! The trace is KTH-SP2 thirty-six times in a row, a million jobs in plain SWF. Columns: the program
//! by hand; gridpact with accounts and histograms, whose only files are the tables; and with all
//! files that a run leaves by default, `jobs.csv` among them. All three run in this process, on one
//! thread, and times are its processor time, so waiting for the disk does not count.
//!
//! The program by hand reads the same file in pieces, parses the eleven columns that it needs digit
//! by digit, applies the default rules of an import, and runs FCFS or EASY with a heap of ends, a
//! queue and, under EASY, a sorted list of expected ends. It adds up waiting time, flow time,
//! slowdown and bounded slowdown and records them in four histograms of `hdrhistogram` with the
//! bounds that gridpact uses. It leaves out what gridpact does besides: checks of whole lines, the
//! ledger and the digest of the workload, shares of users, batches and intervals, utilization, all
//! files, and every other scheduler, cluster and scenario.

mod common;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use common::*;
use gridpact::kernel::time::{Span, Time};
use gridpact::model::job::Job;
use gridpact::run::{self, Progress, folder};
use gridpact::scenario::files::Files;
use gridpact::scenario::{self, Input, Overrides};
use gridpact::workload::swf::{Header, SwfWriter};
use hdrhistogram::Histogram;

const BY_HAND: &str = "by hand";

/// Ticks in a second.
const SECOND: i64 = 1_000_000;

/// Number of repetitions of the trace.
const COPIES: i64 = 36;

/// Lines of a file, read in pieces.
struct Lines {
    file: File,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl Lines {
    fn next(&mut self) -> Option<&[u8]> {
        loop {
            let rest = &self.buffer[self.start..self.end];
            if let Some(length) = memchr::memchr(b'\n', rest) {
                let line = self.start..self.start + length;
                self.start = line.end + 1;
                return Some(&self.buffer[line]);
            }
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            let read = self.file.read(&mut self.buffer[self.end..]).expect("the file can be read");
            if read == 0 {
                return None;
            }
            self.end += read;
        }
    }
}

/// A job with what its scheduler needs, in ticks.
#[derive(Clone, Copy)]
struct Rigid {
    submit: i64,
    runtime: i64,
    estimate: i64,
    processors: u32,
}

/// The jobs of a trace under the default rules of an import.
struct Jobs {
    lines: Lines,
    first: Option<i64>,
}

impl Jobs {
    fn open(path: &Path) -> Jobs {
        let file = File::open(path).expect("the trace is there");
        Jobs { lines: Lines { file, buffer: vec![0; 1 << 18], start: 0, end: 0 }, first: None }
    }

    fn next(&mut self) -> Option<Rigid> {
        loop {
            let line = self.lines.next()?;
            let mut at = line.iter().position(|&byte| byte != b' ').unwrap_or(line.len());
            if line.get(at).is_none_or(|&byte| byte == b';') {
                continue;
            }
            let mut columns = [0_i64; 11];
            for column in &mut columns {
                while line[at] == b' ' {
                    at += 1;
                }
                let negative = line[at] == b'-';
                at += usize::from(negative);
                let mut value = 0_i64;
                while at < line.len() && line[at] != b' ' {
                    let digit = i64::from(line[at].wrapping_sub(b'0'));
                    value = value.wrapping_mul(10).wrapping_add(digit);
                    at += 1;
                }
                *column = if negative { -value } else { value };
            }
            let [_, submit, _, runtime, allocated, _, _, requested, estimate, _, status] = columns;
            let processors = if allocated > 0 { allocated } else { requested };
            if (2..=4).contains(&status) || submit < 0 || runtime <= 0 || processors <= 0 {
                continue;
            }
            let estimate = if estimate > 0 { estimate } else { runtime };
            let submit = submit - *self.first.get_or_insert(submit);
            return Some(Rigid {
                submit: submit * SECOND,
                runtime: runtime.min(estimate) * SECOND,
                estimate: estimate * SECOND,
                processors: processors as u32,
            });
        }
    }
}

/// Sums and histograms of the jobs that ended: flow, wait, slowdown, bounded slowdown.
struct Sums {
    jobs: u64,
    area: i128,
    sums: [i128; 4],
    histograms: [Histogram<u64>; 4],
}

impl Sums {
    fn new() -> Sums {
        let histogram =
            |_| Histogram::new_with_bounds(1, 1 << 60, 3).expect("the bounds are valid");
        Sums { jobs: 0, area: 0, sums: [0; 4], histograms: std::array::from_fn(histogram) }
    }

    fn ended(&mut self, job: &Rigid, start: i64, end: i64) {
        self.jobs += 1;
        self.area += i128::from(job.processors) * i128::from(job.runtime);
        let (flow, wait) = (end - job.submit, start - job.submit);
        let ratio =
            |over: i64, under: i64| (over as f64 / under as f64 * 1e6).round_ties_even() as u64;
        let bound = job.runtime.max(10 * SECOND);
        let values =
            [flow as u64, wait as u64, ratio(flow, job.runtime), ratio(flow.max(bound), bound)];
        for (at, value) in values.into_iter().enumerate() {
            self.sums[at] += i128::from(value);
            self.histograms[at].saturating_record(value);
        }
    }
}

/// A running job: its expected end, its processors and its slot.
type Expected = (i64, u32, u32);

/// The jobs that run.
struct Running {
    free: u32,
    /// Jobs with their starts.
    slots: Vec<(Rigid, i64)>,
    spare: Vec<u32>,
    ends: BinaryHeap<Reverse<(i64, u32)>>,
    /// Sorted; only under EASY.
    expected: Option<Vec<Expected>>,
}

impl Running {
    fn start(&mut self, job: Rigid, now: i64) {
        self.free -= job.processors;
        let slot = self.spare.pop().unwrap_or(self.slots.len() as u32);
        match self.slots.get_mut(slot as usize) {
            Some(place) => *place = (job, now),
            None => self.slots.push((job, now)),
        }
        self.ends.push(Reverse((now + job.runtime, slot)));
        if let Some(expected) = &mut self.expected {
            let at = now + job.estimate;
            let place = expected.partition_point(|other| other.0 <= at);
            expected.insert(place, (at, job.processors, slot));
        }
    }

    /// Ends a job that is due.
    fn end(&mut self, now: i64) -> Option<(Rigid, i64)> {
        let slot = self.ends.peek().filter(|end| end.0.0 == now)?.0.1;
        self.ends.pop();
        let (job, start) = self.slots[slot as usize];
        self.free += job.processors;
        self.spare.push(slot);
        if let Some(expected) = &mut self.expected {
            let at = start + job.estimate;
            let from = expected.partition_point(|other| other.0 < at);
            let place = expected[from..].iter().position(|other| other.2 == slot);
            expected.remove(from + place.expect("it ran"));
        }
        Some((job, start))
    }
}

/// Runs a trace under FCFS or EASY.
fn by_hand(path: &Path, processors: u32, is_easy: bool) -> Sums {
    let mut jobs = Jobs::open(path);
    let mut sums = Sums::new();
    let mut running = Running {
        free: processors,
        slots: Vec::new(),
        spare: Vec::new(),
        ends: BinaryHeap::new(),
        expected: is_easy.then(Vec::new),
    };
    let mut queue: VecDeque<Rigid> = VecDeque::new();
    let mut next = jobs.next();
    // When the first job in the queue starts at the latest, and what it leaves over then.
    let (mut shadow, mut extra) = (0, 0);
    loop {
        let submit = next.map_or(i64::MAX, |job| job.submit);
        let now = running.ends.peek().map_or(i64::MAX, |end| end.0.0).min(submit);
        if now == i64::MAX {
            return sums;
        }
        let mut from = queue.len();
        let mut is_void = from == 0;
        while let Some((job, start)) = running.end(now) {
            sums.ended(&job, start, now);
            is_void = true;
        }
        while let Some(job) = next.filter(|job| job.submit == now) {
            queue.push_back(job);
            next = jobs.next();
        }
        if is_void {
            while let Some(&job) = queue.front().filter(|job| job.processors <= running.free) {
                running.start(job, now);
                queue.pop_front();
            }
        }
        let (Some(expected), Some(first)) = (&running.expected, queue.front()) else { continue };
        if is_void {
            let mut ends = expected.iter().peekable();
            let mut released = running.free;
            while released < first.processors {
                let end = ends.next().expect("a job is no larger than its cluster");
                (released, shadow) = (released + end.1, end.0);
            }
            while let Some(end) = ends.next_if(|end| end.0 == shadow) {
                released += end.1;
            }
            (extra, from) = (released - first.processors, 1);
        }
        // Jobs that stay move up.
        let (mut kept, mut at) = (from, from);
        while at < queue.len() && running.free > 0 {
            let job = queue[at];
            let is_short = now + job.estimate <= shadow;
            if job.processors <= running.free && (is_short || job.processors <= extra) {
                extra -= if is_short { 0 } else { job.processors };
                running.start(job, now);
            } else {
                if kept < at {
                    queue[kept] = job;
                }
                kept += 1;
            }
            at += 1;
        }
        if kept < at {
            queue.drain(kept..at);
        }
    }
}

/// Writes the trace; returns its path and the number of its jobs.
fn write_trace(folder: &Path) -> (PathBuf, u64) {
    let jobs = KTH.jobs().expect("it is part of the project");
    let last = jobs.last().expect("it has jobs").submit;
    let period = last + Span::units(3600) - Time::ZERO;
    let path = folder.join("kth-sp2-36.swf");
    let header = Header::new().with("MaxProcs", KTH.processors);
    let mut writer = SwfWriter::create(&path, &header).expect("the trace can be written");
    let mut number = 0;
    for copy in 0..COPIES {
        for job in &jobs {
            number += 1;
            let submit = job.submit + Span::from_ticks(copy * period.ticks());
            writer.write(&Job { number, submit, ..*job }, None).expect("the trace can be written");
        }
    }
    writer.finish().expect("the trace can be written");
    (path, number)
}

/// Runs a scenario; returns the number of jobs, and the sums of flow and waiting times.
fn by_gridpact(file: &Path, results: &Path) -> (u64, [i128; 2]) {
    let (plan, _) = scenario::load(Input::File(file), &Overrides::default(), &mut Files::new())
        .expect("the scenario is right");
    drop(folder::prepare(results, &plan, true).expect("the folder can be written"));
    let outcome = run::run(&plan, Some(results), 1, 0.0, &Progress::default());
    let outcome = outcome.expect("nothing goes wrong");
    let jobs = outcome.timing.jobs;
    let grid = outcome.grid().expect("it is a grid").accounts.grid();
    (jobs, [grid.flow.sum(), grid.wait.sum()])
}

fn main() {
    let mut criterion = criterion();
    let folder = tempfile::tempdir().expect("a folder for the trace");
    let (trace, count) = write_trace(folder.path());
    let mut table = Table::new(&mut criterion, "long traces", "job", BY_HAND);
    for (scheduler, is_easy) in [("fcfs", false), ("easy", true)] {
        let row = format!("{} {scheduler}, {count} jobs", KTH.name);
        let hand = || by_hand(&trace, KTH.processors, is_easy);
        let sums = hand();
        table.measure_by(processor_time, &row, BY_HAND, count, || (), |()| hand());
        for (column, output) in [
            ("accounts and histograms", "output = { jobs = false, timeline = false }\n"),
            ("all default files", ""),
        ] {
            let file = folder.path().join(format!("{scheduler}.toml"));
            let text = format!(
                "name = \"bench\"\n{output}[[organization]]\nname = \"all\"\n\
                 cluster.space_shared = {{ processors = {}, scheduler.{scheduler} = {{}} }}\n\
                 workload.swf = {{ file = {trace:?} }}\n",
                KTH.processors
            );
            std::fs::write(&file, text).expect("the scenario can be written");
            let results = folder.path().join(format!("{scheduler}-{}", output.len()));
            let run = || by_gridpact(&file, &results);
            let expected = (sums.jobs, [sums.sums[0], sums.sums[1]]);
            assert_eq!(run(), expected, "both run the same jobs in the same way");
            table.measure_by(processor_time, &row, column, count, || (), |()| run());
        }
    }
    table.finish();
}
