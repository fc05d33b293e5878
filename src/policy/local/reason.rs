//! Why a job waits, as its scheduler sees it.
//!
//! A reason holds from the decision after which it was told until the next one of the same cluster.
//! Schedulers tell reasons when they are asked and never before: what they keep for their decisions
//! says it all, so a run whose reasons are recorded starts the same jobs as any other.

use crate::kernel::time::{Span, Time};
use crate::model::ids::JobId;
use crate::model::jobs::Running;
use crate::model::view::Submission;

/// Why a waiting job does not start now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Jobs start strictly in an order, and it is not the first that waits.
    Ahead {
        /// Who stands directly before it.
        job: JobId,
    },
    /// It needs more processors than are free.
    Processors {
        /// When it is expected to start, where something was promised to it or can be told.
        start: Option<Time>,
        /// Whose expected end gives it the last of its processors then.
        after: Option<JobId>,
    },
    /// Enough processors are free, but it would hold them longer than they are.
    Reservation {
        /// For whom they are reserved. Nobody where the job only has a later reservation of its
        /// own, which is not looked at again before a job ends.
        holder: Option<Reserved>,
        /// When it is expected to start itself, where it has a reservation.
        start: Option<Time>,
        /// How many processors may be held beyond the holder's start, where that is counted.
        extra: Option<u32>,
    },
    /// Its time has come, but a job that was expected to be over still runs, so no reservation
    /// holds until a job comes or ends.
    Overdue {
        /// The running job.
        job: JobId,
        /// When it should have ended.
        due: Time,
    },
}

/// Whose reservation stands against starting a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// The waiting job that has it.
    pub job: JobId,
    /// When it is to start.
    pub due: Time,
}

/// When `needed` processors are expected to be free if nobody else takes them, and whose end it is
/// that gives the last of them: nothing without clairvoyance. A job that should have ended is
/// expected to end in a tick. Linear in the running jobs, but for sorting them.
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
    ends.sort_by_key(|&(at, ..)| at);
    let mut released = free;
    let enough = ends.into_iter().find(|&(_, _, processors)| {
        released += processors;
        released >= needed
    });
    enough.map(|(at, id, _)| (at, id))
}
