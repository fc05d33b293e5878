//! Workloads: lazy streams of jobs in order of submission.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

pub mod applications;
pub mod arrivals;
pub mod batches;
pub mod batsim;
pub mod bound;
pub mod dealt;
pub mod decimal;
pub mod draw;
pub mod estimates;
pub mod foreign;
pub mod jobs;
pub mod ledger;
pub mod lublin_feitelson;
pub mod modal;
pub mod opened;
pub mod owners;
pub mod packing;
mod parameters;
pub mod per_job;
pub mod profile;
pub mod rounding;
pub mod sacct;
pub mod scratch;
pub mod swf;
pub mod synthetic;
pub mod values;
pub mod widths;

pub use model::invalid;

use serde::Serialize;
use serde::de::DeserializeOwned;

use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::entry::Entry;
use model::ids::OrganizationId;
use model::job::Job;

/// Sources of the kinds of workloads of the whole grid.
pub const GRID_ENTRIES: &[Entry] = &[SWF];

/// Sources of the kinds of workloads of one organization, and of one stream of many owners.
pub const ENTRIES: &[Entry] = &[SWF, LUBLIN_FEITELSON];

const LUBLIN_FEITELSON: Entry = Entry::new(
    "lublin_feitelson",
    "Lublin and Feitelson, The workload on parallel supercomputers, JPDC 63(11), 2003",
);

const SWF: Entry = Entry::new(
    "swf",
    "Chapin et al., Benchmarks and standards for the evaluation of parallel job schedulers, JSSPP \
     1999; Feitelson, Tsafrir and Krakov, JPDC 74(10), 2014",
);

/// An arrival at some time.
pub trait Arrives: Clone + std::fmt::Debug + Serialize + DeserializeOwned {
    /// Returns the arrival time.
    fn at(&self) -> Time;

    /// Moves it to another time.
    fn move_to(&mut self, at: Time);
}

impl Arrives for Job {
    #[inline]
    fn at(&self) -> Time {
        self.submit
    }

    fn move_to(&mut self, at: Time) {
        self.submit = at;
    }
}

/// A stretch of a source that is played at another time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// First instant in the source.
    pub from: Time,
    /// Its length.
    pub length: Span,
    /// The time at which the first instant is played.
    pub at: Time,
}

/// A lazy stream of arrivals in time order.
///
/// Its state is the position in the stream, never the past arrivals.
pub trait Source: State {
    /// The type of the arrivals.
    type Load: Arrives;

    /// Returns the next arrival, or `None` at the end of the stream.
    ///
    /// # Errors
    /// A failure of the underlying input.
    fn next(&mut self) -> Result<Option<Self::Load>, SourceError>;

    /// The organization whose jobs they all are, if that is known.
    fn owner(&self) -> Option<OrganizationId> {
        None
    }

    /// Puts the next arrival in the place of an earlier one, or `None` at the end of the stream. A
    /// source that is asked often can write it there field by field.
    ///
    /// # Errors
    /// A failure of the underlying input.
    #[inline]
    fn replace(&mut self, place: &mut Option<Self::Load>) -> Result<(), SourceError> {
        *place = self.next()?;
        Ok(())
    }

    /// Passes the next arrivals on, at most this many: fewer only at the end of the stream.
    ///
    /// # Errors
    /// A failure of the underlying input; the arrivals before it have been passed on.
    #[inline]
    fn next_some(&mut self, most: usize, each: impl FnMut(Self::Load)) -> Result<(), SourceError> {
        one_by_one(self, most, each)
    }

    /// Restarts with the random streams of another replication or round.
    ///
    /// # Errors
    /// An underlying input that cannot be reopened.
    fn restart(&mut self, streams: &Streams) -> Result<(), SourceError>;
}

/// Passes the next arrivals on as they come.
#[inline]
fn one_by_one<S: Source + ?Sized>(
    source: &mut S,
    most: usize,
    mut each: impl FnMut(S::Load),
) -> Result<(), SourceError> {
    for _ in 0..most {
        let Some(load) = source.next()? else { break };
        each(load);
    }
    Ok(())
}

/// The reason why a stream cannot continue; the message names the file and line, if any.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SourceError(pub String);

/// A source with one arrival of look-ahead, so that a world knows the time of the next one.
#[derive(Clone, Debug)]
pub struct Ahead<S: Source> {
    source: S,
    next: Option<S::Load>,
    piece: Option<Piece>,
}

impl<S: Source> Ahead<S> {
    /// Wraps a source and reads its first arrival.
    ///
    /// # Errors
    /// A source that cannot be read.
    pub fn new(mut source: S) -> Result<Ahead<S>, SourceError> {
        let next = source.next()?;
        Ok(Ahead { source, next, piece: None })
    }

    /// Returns the time of the next arrival.
    #[inline]
    pub fn at(&self) -> Option<Time> {
        self.next.as_ref().map(Arrives::at)
    }

    /// Returns the next arrival.
    #[inline]
    pub fn peek(&self) -> Option<&S::Load> {
        self.next.as_ref()
    }

    /// Drops the next arrival and reads the one after it.
    ///
    /// # Errors
    /// The arrival after it cannot be read.
    #[inline]
    pub fn advance(&mut self) -> Result<(), SourceError> {
        self.source.replace(&mut self.next)?;
        if self.piece.is_some() {
            self.place();
        }
        Ok(())
    }

    /// The organization of all arrivals; see [`Source::owner`].
    pub fn owner(&self) -> Option<OrganizationId> {
        self.source.owner()
    }

    /// Ends the stream.
    pub fn close(&mut self) {
        self.next = None;
    }

    /// Restarts the source with a piece of it; see [`Source::restart`]. O(arrivals before it). The
    /// piece is no part of the saved state.
    ///
    /// # Errors
    /// A source that cannot be reopened or read.
    pub fn restart(&mut self, streams: &Streams, piece: Piece) -> Result<(), SourceError> {
        self.source.restart(streams)?;
        self.next = self.source.next()?;
        while self.at().is_some_and(|at| at < piece.from) {
            self.source.replace(&mut self.next)?;
        }
        self.piece = Some(piece);
        self.place();
        Ok(())
    }

    /// Puts the next arrival where its piece is played, and ends the stream with it.
    #[cold]
    fn place(&mut self) {
        let Some(Piece { from, length, at }) = self.piece else { return };
        match &mut self.next {
            Some(next) if next.at() - from < length => next.move_to(at + (next.at() - from)),
            next => *next = None,
        }
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
