//! Draws the jobs of a scenario without running it, to summarize or export them.

mod export;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::progress::Progress;
use kernel::time::Time;
use model::job::Job;
use report::workload::Profile;
use scenario::parts::AnySource;
use scenario::plan::{Plan, Until};
use workload::{Ahead, SourceError};

pub use export::{Export, ExportError, Exported, Target, export, rounded};

/// Default limit on the number of jobs drawn.
pub const MOST_JOBS: u64 = 1_000_000;

/// All jobs of one replication of a plan, in the order in which a run takes them: by submission,
/// ties by the order of sources.
///
/// It ends where a run would take no more: at `until.time` or after `until.jobs`, with the first of
/// independent rounds or the last of continuing ones, otherwise with the sources; or at the
/// requested limit.
#[derive(Debug)]
pub struct Stream {
    sources: Vec<Ahead<AnySource>>,
    /// Submission of each source's next job.
    next: BinaryHeap<Reverse<(Time, usize)>>,
    /// First instant that is not run.
    end: Time,
    left: u64,
    /// True if a run also stops once `left` is 0.
    is_whole: bool,
}

impl Stream {
    /// Opens the stream.
    ///
    /// # Errors
    /// Fails if a source cannot be opened or read.
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
                (plan.coalition().map_or(Time::NEVER, |one| one.end(rounds)), most, false)
            }
        };
        Ok(Stream { next: next.collect(), sources, end, left, is_whole })
    }

    /// Draws the next job.
    ///
    /// # Errors
    /// Fails if the job after it cannot be read.
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

    /// True once the limit was reached although a run would take more.
    pub fn is_cut(&self) -> bool {
        let more = self.next.peek().is_some_and(|Reverse((at, _))| *at < self.end);
        self.left == 0 && more && !self.is_whole
    }
}

/// Draws the jobs of a replication, up to a limit, and summarizes them.
///
/// # Errors
/// Fails if a source cannot be opened or read.
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
