//! What arrives: lazy streams of jobs in the order of their submission.

pub mod arrivals;
pub mod batches;
pub mod dealt;
mod decimal;
pub mod draw;
pub mod estimates;
pub mod jobs;
pub mod lublin_feitelson;
pub mod modal;
pub mod owners;
mod parameters;
pub mod profile;
pub mod rounding;
pub mod sizes;
pub mod swf;
pub mod synthetic;
pub mod values;
pub mod widths;

pub use crate::model::invalid;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::kernel::rng::Streams;
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::Time;
use crate::model::entry::Entry;
use crate::model::job::Job;

/// Where the kinds of workloads of the whole grid come from.
pub const GRID_ENTRIES: &[Entry] = &[SWF];

/// Where the kinds of workloads of an organization come from.
pub const ENTRIES: &[Entry] = &[SWF, LUBLIN_FEITELSON];

/// Where the models that jobs of many owners are drawn from come from.
pub const DRAWN_ENTRIES: &[Entry] = &[LUBLIN_FEITELSON];

const LUBLIN_FEITELSON: Entry = Entry::new(
    "lublin_feitelson",
    "Lublin and Feitelson, The workload on parallel supercomputers, JPDC 63(11), 2003",
);

const SWF: Entry = Entry::new(
    "swf",
    "Chapin et al., Benchmarks and standards for the evaluation of parallel job schedulers, JSSPP \
     1999; Feitelson, Tsafrir and Krakov, JPDC 74(10), 2014",
);

/// Something that arrives at a time.
pub trait Arrives: Clone + std::fmt::Debug + Serialize + DeserializeOwned {
    /// When it arrives.
    fn at(&self) -> Time;
}

impl Arrives for Job {
    #[inline]
    fn at(&self) -> Time {
        self.submit
    }
}

/// A lazy stream of arrivals, never earlier than the one before.
///
/// Its state is the place in the stream, never what has passed.
pub trait Source: State {
    /// What arrives.
    type Load: Arrives;

    /// The next arrival; `None` when nothing comes any more.
    ///
    /// # Errors
    /// When what the stream reads from fails.
    fn next(&mut self) -> Result<Option<Self::Load>, SourceError>;

    /// Begins anew, with the streams of another replication or round.
    ///
    /// # Errors
    /// When what the stream reads from cannot be opened again.
    fn restart(&mut self, streams: &Streams) -> Result<(), SourceError>;
}

/// Why a stream cannot go on; the message names the file and the line where there is one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SourceError(pub String);

/// A source and its next arrival: a world needs to know when something comes before it takes it.
#[derive(Clone, Debug)]
pub struct Ahead<S: Source> {
    source: S,
    next: Option<S::Load>,
}

impl<S: Source> Ahead<S> {
    /// The source, with its first arrival read.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn new(mut source: S) -> Result<Ahead<S>, SourceError> {
        let next = source.next()?;
        Ok(Ahead { source, next })
    }

    /// When the next arrival comes.
    #[inline]
    pub fn at(&self) -> Option<Time> {
        self.next.as_ref().map(Arrives::at)
    }

    /// The next arrival.
    #[inline]
    pub fn peek(&self) -> Option<&S::Load> {
        self.next.as_ref()
    }

    /// Drops the next arrival and reads the one after it.
    ///
    /// # Errors
    /// When the one after it cannot be read.
    #[inline]
    pub fn advance(&mut self) -> Result<(), SourceError> {
        self.next = self.source.next()?;
        Ok(())
    }

    /// Nothing comes any more.
    pub fn close(&mut self) {
        self.next = None;
    }

    /// Begins anew; see [`Source::restart`].
    ///
    /// # Errors
    /// When the source cannot be opened or read.
    pub fn restart(&mut self, streams: &Streams) -> Result<(), SourceError> {
        self.source.restart(streams)?;
        self.next = self.source.next()?;
        Ok(())
    }
}

impl<S: Source> State for Ahead<S> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.next, out);
        self.source.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.next = take(from)?;
        self.source.load(from)
    }
}
