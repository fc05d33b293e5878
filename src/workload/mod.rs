//! What arrives: lazy streams of jobs in the order of their submission.

pub mod arrivals;
mod decimal;
pub mod invalid;
pub mod jobs;
pub mod owners;
pub mod sizes;
pub mod swf;
pub mod synthetic;

use crate::kernel::rng::Streams;
use crate::kernel::state::State;
use crate::kernel::time::Time;
use crate::model::job::Job;

/// Something that arrives at a time.
pub trait Arrives {
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
