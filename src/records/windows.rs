//! `windows.hlog`: distributions by windows of simulated time, in HdrHistogram's log format.
//!
//! Each window in which jobs that count ended has one line per distribution: flow and waiting time
//! of the whole grid, and of each organization if they are few. Lines are written when a window
//! closes, so only one window is in memory. Tags are `rREPLICATION/ORGANIZATION/MEASURE`.
//!
//! In a coalition windows consist of whole rounds, each one period long, and only flow times are
//! recorded.

use std::io::{self, Write};
use std::time::Duration;

use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::Tag;

use super::histograms::{builder, tag};
use super::lines::{Lines, Out};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use sim::accounts::Counting;
use sim::observer::{Finished, Observer};
use sim::pool::{Done, PoolObserver};
use stats::distribution::{Detail, Distribution};

/// With more organizations than this, only the whole grid is recorded.
pub(crate) const MOST_ORGANIZATIONS: usize = 16;

/// Quantities recorded for jobs.
const MEASURES: [&str; 2] = ["flow", "wait"];

/// Writes the header of a log.
///
/// # Errors If `out` does.
pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    out.write_all(&header())
}

/// The header of a log.
///
/// # Panics
/// Never: memory takes it.
fn header() -> Vec<u8> {
    let mut out = Vec::new();
    let mut serializer = V2DeflateSerializer::new();
    let builder = builder("the tag is replication/organization/metric");
    drop(builder.begin_log_with(&mut out, &mut serializer).expect("memory takes the header"));
    out
}

/// Writes the lines of one replication, as an observer of its grid.
#[derive(Debug)]
pub struct Windows<W> {
    /// Destination of the lines.
    pub out: Lines<W>,
    width: i64,
    counting: Counting,
    /// Tags by row and measure; the rows are the organizations, if they are few, and then all.
    tags: Vec<Vec<String>>,
    open: Vec<Vec<Distribution>>,
    /// Start of the open window, in ticks.
    begun: i64,
}

impl<W: Out> Windows<W> {
    /// Windows of length `width` for a grid, without any jobs.
    pub fn new(
        out: W,
        width: Span,
        counting: Counting,
        organizations: &[String],
        replication: u32,
    ) -> Windows<W> {
        Windows::of(out, width, counting, organizations, replication, &MEASURES)
    }

    fn of(
        out: W,
        width: Span,
        counting: Counting,
        organizations: &[String],
        replication: u32,
        measures: &[&str],
    ) -> Windows<W> {
        let told = organizations.iter().filter(|_| organizations.len() <= MOST_ORGANIZATIONS);
        let tags_of = |name: &str| {
            let of = |measure: &&str| tag(&format!("r{replication}/{name}/{measure}"));
            measures.iter().map(of).collect::<Vec<_>>()
        };
        let names = told.map(String::as_str).chain(["*"]);
        let tags: Vec<Vec<String>> = names.map(tags_of).collect();
        // Built one by one: a clone would touch every page of the empty histograms.
        let empty = |tags: &Vec<String>| {
            tags.iter().map(|_| Distribution::new(Detail::Full)).collect::<Vec<_>>()
        };
        let width = width.ticks().max(1);
        let open = tags.iter().map(empty).collect();
        Windows { out: Lines::new(out), width, counting, open, tags, begun: 0 }
    }

    /// Advances to `now`, closing the open window if it is over.
    #[inline]
    fn reach(&mut self, now: Time) {
        if now.ticks() - self.begun >= self.width {
            self.close(self.begun + self.width);
            self.begun = now.ticks() - now.ticks().rem_euclid(self.width);
        }
    }

    #[inline]
    fn record(&mut self, organization: usize, amounts: &[u64]) {
        let last = self.open.len() - 1;
        if last > 0 {
            let own = &mut self.open[organization];
            own.iter_mut().zip(amounts).for_each(|(own, &amount)| own.record(amount));
        }
        let all = &mut self.open[last];
        all.iter_mut().zip(amounts).for_each(|(all, &amount)| all.record(amount));
    }

    /// Writes and empties the open window, which ends at `end`.
    #[cold]
    fn close(&mut self, end: i64) {
        if self.open.iter().all(|row| row[0].count() == 0) {
            return;
        }
        let lines = self.lines(end);
        self.out.put_bytes(&lines);
        let told = self.open.iter_mut().flatten().filter(|one| one.count() > 0);
        told.for_each(Distribution::clear);
    }

    fn lines(&self, end: i64) -> Vec<u8> {
        let micros = |ticks: i64| Duration::from_micros(ticks.max(0).cast_unsigned());
        let mut lines = Vec::new();
        let mut serializer = V2DeflateSerializer::new();
        let builder = builder("");
        let mut writer =
            builder.begin_log_with(&mut lines, &mut serializer).expect("memory takes the header");
        // The whole grid comes first, since that is the line most readers look for.
        let last = self.tags.len() - 1;
        let rows = std::iter::once(last).chain(0..last);
        let lines_of = |row: usize| self.tags[row].iter().zip(&self.open[row]);
        for (tag, distribution) in rows.flat_map(lines_of) {
            let Some(histogram) = distribution.histogram() else { continue };
            let tag = Tag::new(tag).expect("a tag without commas and blanks is valid");
            writer
                .write_histogram(
                    &*histogram,
                    micros(self.begun),
                    micros(end - self.begun),
                    Some(tag),
                )
                .expect("memory takes a histogram");
        }
        drop(writer);
        // The file already has a header.
        let mut header = Vec::new();
        let mut serializer = V2DeflateSerializer::new();
        drop(builder.begin_log_with(&mut header, &mut serializer).expect("memory takes it"));
        lines.split_off(header.len())
    }
}

impl<W: Out> Observer for Windows<W> {
    #[inline]
    fn finished(&mut self, finished: Finished<'_>) {
        let job = finished.job;
        if self.counting.from <= job.submit && job.submit < self.counting.until {
            self.reach(finished.finish);
            let amounts = [finished.flow(), finished.wait()].map(|span| span.ticks() as u64);
            self.record(job.organization.index(), &amounts);
        }
    }

    fn ended(&mut self, now: Time) {
        self.reach(now);
        self.close(now.ticks());
        self.out.flush();
    }
}

/// Lines already written are not part of the state; on resume the caller cuts the file.
impl<W: Out> State for Windows<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.begun, out);
        self.open.iter().flatten().for_each(|one| one.save(out));
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.begun = take(from)?;
        self.open.iter_mut().flatten().try_for_each(|one| one.load(from))
    }
}

/// Writes the lines of one replication of a coalition, as an observer of its pool.
///
/// A job belongs to the round in which it is scored; round n starts n periods after the start.
#[derive(Debug)]
pub struct RoundWindows<W> {
    /// The windows.
    pub windows: Windows<W>,
    period: Span,
    /// Number of rounds begun.
    rounds: u64,
}

impl<W: Out> RoundWindows<W> {
    /// Windows of length `width`, rounded up to whole periods, without any jobs.
    pub fn new(
        out: W,
        width: Span,
        period: Span,
        organizations: &[String],
        replication: u32,
    ) -> RoundWindows<W> {
        let period = period.max(Span::TICK);
        let rounds = width.ticks() / period.ticks();
        let is_whole = width.ticks() % period.ticks() == 0;
        let width = period * (rounds + i64::from(!is_whole)).max(1);
        let counting = Counting::default();
        let measures = &MEASURES[..1];
        let windows = Windows::of(out, width, counting, organizations, replication, measures);
        RoundWindows { windows, period, rounds: 0 }
    }

    /// Closes the last window.
    pub fn close(&mut self) {
        let end = self.begins(self.rounds);
        self.windows.close(end.ticks().min(self.windows.begun + self.windows.width));
    }

    fn begins(&self, round: u64) -> Time {
        Time::ZERO + self.period * i64::try_from(round).expect("rounds are counted in time")
    }
}

impl<W: Out> PoolObserver for RoundWindows<W> {
    fn began(&mut self, round: u64, _: Time) {
        self.rounds = round + 1;
        self.windows.reach(self.begins(round));
    }

    #[inline]
    fn finished(&mut self, cluster: u32, done: &Done) {
        if done.job.counts {
            self.windows.record(cluster as usize, &[done.flow().ticks() as u64]);
        }
    }
}

/// The jobs of a federation's grid, whose clock goes on.
impl<W: Out> Observer for RoundWindows<W> {
    fn finished(&mut self, finished: Finished<'_>) {
        let round = (finished.finish - Time::ZERO).ticks() / self.period.ticks();
        self.rounds = round as u64 + 1;
        self.windows.reach(finished.finish);
        let flow = finished.flow().ticks() as u64;
        self.windows.record(finished.job.organization.index(), &[flow]);
    }
}

impl<W: Out> State for RoundWindows<W> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.rounds, out);
        self.windows.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.rounds = take(from)?;
        self.windows.load(from)
    }
}

#[cfg(test)]
mod tests;
