//! The jobs that a scenario brings, drawn without running it: looked at, or exported.

mod export;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Progress;
use crate::kernel::time::Time;
use crate::model::job::Job;
use crate::report::workload::Profile;
use crate::scenario::parts::AnySource;
use crate::scenario::plan::{Plan, Until};
use crate::workload::{Ahead, SourceError};

pub use export::{Export, ExportError, Exported, Target, export};

/// The most jobs that are drawn unless more are asked for.
pub const MOST_JOBS: u64 = 1_000_000;

/// All jobs of one replication of a plan, in the order in which a run takes them: by submission,
/// of equal times those of the first source first.
///
/// It ends where a run would take no more: at `until.time` or after `until.jobs`, with the first of
/// independent rounds or the last of continuing ones, else with the sources; or after the most jobs
/// that were asked for.
#[derive(Debug)]
pub struct Stream {
    sources: Vec<Ahead<AnySource>>,
    /// When the next job of each source comes.
    next: BinaryHeap<Reverse<(Time, usize)>>,
    /// The first instant that is not run.
    end: Time,
    left: u64,
    /// Whether a run stops where `left` is 0.
    is_whole: bool,
}

impl Stream {
    /// The stream at its beginning.
    ///
    /// # Errors
    /// When a source cannot be opened or read.
    pub fn open(plan: &Plan, replication: u32, most: u64) -> Result<Stream, SourceError> {
        let sources = plan.sources(replication)?.into_iter().map(Ahead::new);
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        let firsts = sources.iter().enumerate();
        let next = firsts.filter_map(|(index, source)| Some(Reverse((source.at()?, index))));
        let (end, left, is_whole) = match plan.until {
            Until::Time(end) => (end, most, false),
            Until::Jobs(jobs) => (Time::NEVER, most.min(jobs), jobs <= most),
            Until::Drained => (Time::NEVER, most, false),
            Until::Rounds(rounds) => {
                (plan.coalition.as_ref().map_or(Time::NEVER, |one| one.end(rounds)), most, false)
            }
        };
        Ok(Stream { next: next.collect(), sources, end, left, is_whole })
    }

    /// The next job.
    ///
    /// # Errors
    /// When the one after it cannot be read.
    pub fn draw(&mut self) -> Result<Option<Job>, SourceError> {
        let Some(mut first) = self.next.peek_mut() else { return Ok(None) };
        let Reverse((at, index)) = *first;
        if self.left == 0 || at >= self.end {
            return Ok(None);
        }
        self.left -= 1;
        let source = &mut self.sources[index];
        let job = source.peek().copied();
        source.advance()?;
        match source.at() {
            Some(at) => *first = Reverse((at, index)),
            None => drop(std::collections::binary_heap::PeekMut::pop(first)),
        }
        Ok(job)
    }

    /// True once the most jobs were taken, where a run would take more.
    pub fn is_cut(&self) -> bool {
        let more = self.next.peek().is_some_and(|Reverse((at, _))| *at < self.end);
        self.left == 0 && more && !self.is_whole
    }
}

/// Draws the jobs of a replication, at most so many, and looks at them.
///
/// # Errors
/// When a source cannot be opened or read.
pub fn profile<'a>(
    plan: &'a Plan,
    replication: u32,
    most: u64,
    progress: &Progress,
) -> Result<Profile<'a>, SourceError> {
    let mut profile = Profile::new(plan, replication);
    let mut stream = Stream::open(plan, replication, most)?;
    let mut before = Time::ZERO;
    while let Some(job) = stream.draw()? {
        profile.add(&job);
        progress.drawn(&job, &mut before);
    }
    if stream.is_cut() {
        profile.cut();
    }
    Ok(profile)
}
