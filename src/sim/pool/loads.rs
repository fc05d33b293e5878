//! The divisible load that a source of jobs brings to one cluster.

use serde::{Deserialize, Serialize};

use crate::kernel::rng::Streams;
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::{Span, Time};
use crate::model::job::Job;
use crate::workload::{Source, SourceError};

/// A job as load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Load {
    /// Its number in its source.
    pub number: u64,
    /// When it is submitted.
    pub submit: Time,
    /// The time that the whole cluster works for it.
    pub size: Span,
}

/// How a rigid job becomes load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsLoad {
    /// The processors of the cluster, all of which work for one job at a time.
    pub processors: u32,
    /// Loads are whole multiples of this; what is between is rounded up.
    pub unit: Span,
}

impl AsLoad {
    /// The load of a job: its processors times its runtime over those of the cluster. `None` where
    /// that is beyond the longest span.
    #[inline]
    pub fn size(&self, job: &Job) -> Option<Span> {
        let unit = self.unit.ticks();
        if job.processors == self.processors && (unit == 1 || job.runtime.ticks() % unit == 0) {
            return Some(job.runtime);
        }
        let all = i128::from(self.processors) * i128::from(unit);
        let units = (job.area() + all - 1).div_euclid(all);
        i64::try_from(units * i128::from(unit)).ok().map(Span::from_ticks)
    }
}

/// Jobs that are read ahead at once. A cluster's generators then lie in the cache for a few jobs at
/// a time, which is what a pool of a thousand clusters lives on.
const BLOCK: usize = 16;

/// A source of jobs, read ahead, as load.
#[derive(Clone, Debug)]
pub struct Loads<S> {
    /// When the next one is submitted, `Time::NEVER` when nothing comes any more.
    at: Time,
    /// The next ones, the very next last.
    ready: Vec<Load>,
    source: S,
    kind: AsLoad,
}

impl<S: Source<Load = Job>> Loads<S> {
    /// The loads of a source's jobs; nothing is read before the first [`Loads::restart`].
    pub fn new(source: S, kind: AsLoad) -> Loads<S> {
        Loads { at: Time::NEVER, ready: Vec::with_capacity(BLOCK), source, kind }
    }

    /// When the next one is submitted; `Time::NEVER` when nothing comes any more.
    #[inline]
    pub fn at(&self) -> Time {
        self.at
    }

    /// Begins anew, with the streams of another replication or round.
    ///
    /// # Errors
    /// When the source cannot be opened or read.
    pub fn restart(&mut self, streams: &Streams) -> Result<(), SourceError> {
        self.source.restart(streams)?;
        self.ready.clear();
        self.read()
    }

    /// Nothing comes any more.
    pub fn close(&mut self) {
        self.ready.clear();
        self.at = Time::NEVER;
    }

    /// Takes the next one.
    ///
    /// # Errors
    /// When those behind it cannot be read.
    #[inline]
    pub fn take(&mut self) -> Result<Option<Load>, SourceError> {
        let load = self.ready.pop();
        match self.ready.last() {
            Some(next) => self.at = next.submit,
            None => self.read()?,
        }
        Ok(load)
    }

    #[cold]
    #[inline(never)]
    fn read(&mut self) -> Result<(), SourceError> {
        self.at = Time::NEVER;
        while self.ready.len() < BLOCK
            && let Some(job) = self.source.next()?
        {
            let size = self.kind.size(&job).ok_or_else(|| {
                SourceError(format!("job {} brings more work than can be counted", job.number))
            })?;
            self.ready.push(Load { number: job.number, submit: job.submit, size });
        }
        self.ready.reverse();
        if let Some(next) = self.ready.last() {
            self.at = next.submit;
        }
        Ok(())
    }
}

impl<S: Source<Load = Job>> State for Loads<S> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.at, &self.ready), out);
        self.source.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.at, self.ready) = take(from)?;
        self.source.load(from)
    }
}
