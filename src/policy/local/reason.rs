//! The reason why a job waits, according to its scheduler.
//!
//! A reason holds from the decision after which it was reported until the next decision on the same
//! cluster. Schedulers compute reasons only on request and from their regular state, so a run that
//! records reasons starts the same jobs as any other.

use kernel::order::InOrder as _;
use kernel::time::{Span, Time};
use model::ids::JobId;
use model::jobs::Running;
use model::view::Submission;

/// The reason why a waiting job does not start now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Jobs start strictly in order, and it is not the first in the queue.
    Ahead {
        /// The job directly before it.
        job: JobId,
    },
    /// It needs more processors than are free.
    Processors {
        /// Its expected start, if it is promised or can be computed.
        start: Option<Time>,
        /// The job whose expected end releases the last of its processors.
        after: Option<JobId>,
    },
    /// Enough processors are free, but it would hold them for too long.
    Reservation {
        /// The job for which they are reserved. `None` if the job only has a later reservation of
        /// its own, which is not reconsidered before a job finishes.
        holder: Option<Reserved>,
        /// Its own expected start, if it has a reservation.
        start: Option<Time>,
        /// Processors that may be used beyond the holder's start, if counted.
        extra: Option<u32>,
    },
    /// Its time has come, but an overdue job is still running. No reservation holds until the next
    /// submission or completion.
    Overdue {
        /// The running job.
        job: JobId,
        /// Its expected end.
        due: Time,
    },
}

/// A reservation that prevents a job from starting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// The waiting job that holds it.
    pub job: JobId,
    /// Its reserved start.
    pub due: Time,
}

/// Time at which `needed` processors are expected to be free if nobody else takes them. Also
/// returns the job whose end releases the last of them; `None` without clairvoyance. An overdue job
/// is expected to end in one tick. Linear in the running jobs, plus sorting them.
pub(super) fn expected_start(
    now: Time,
    free: u32,
    needed: u32,
    running: Running<'_, Submission>,
) -> Option<(Time, JobId)> {
    let end = |(job, started): (Submission, Time)| {
        let at = started.saturating_add(job.expected?).max(now + Span::TICK);
        Some((at, job.job.id, job.job.processors))
    };
    let mut ends: Vec<(Time, JobId, u32)> = running.iter().map(end).collect::<Option<_>>()?;
    // A stable sort: equal ends keep the order of their starts.
    ends.order_by_key(|&(at, ..)| at);
    let mut released = free;
    let enough = ends.into_iter().find(|&(_, _, processors)| {
        released += processors;
        released >= needed
    });
    enough.map(|(at, id, _)| (at, id))
}
