//! What a plan says of a coalition.

use std::ops::Range;

use super::WorkloadKind;
use crate::kernel::time::{LIMIT_TICKS, Span, Time};
use crate::model::ids::ClusterId;
use crate::model::job::Job;
use crate::scenario::placeholder::{BalancerOptions, LearnerOptions};
pub use crate::scenario::raw::Rounds;

/// A coalition: a plan that has one is played in rounds.
#[derive(Clone, Debug)]
pub struct Coalition {
    /// How long a round is.
    pub period: Span,
    /// Jobs that are submitted so long after the beginning of a round count.
    pub window: Range<Span>,
    /// What a round begins with.
    pub rounds: Rounds,
    /// How load is moved.
    pub balancer: BalancerOptions,
    /// The indivisible amount of load: a tick, or a whole unit of time.
    pub unit: Span,
    /// The organizations, in their order.
    pub seats: Vec<Seat>,
}

/// An organization's seat in a coalition.
#[derive(Clone, Debug)]
pub struct Seat {
    /// Its cluster.
    pub cluster: ClusterId,
    /// The number of the workload that brings its jobs, all of which are its own; none where it
    /// brings no jobs.
    pub workload: Option<usize>,
    /// How it decides whether and how far to take part.
    pub learner: LearnerOptions,
    /// The first round in which it is there, from 0.
    pub first: u64,
    /// The last round in which it is there; none where it stays.
    pub last: Option<u64>,
    /// The processors of its cluster.
    pub processors: u32,
}

impl Seat {
    /// True in the rounds in which it is there.
    pub fn is_there(&self, round: u64) -> bool {
        round >= self.first && self.last.is_none_or(|last| round <= last)
    }

    /// The load that a job is on its cluster: a rigid job that runs for p on q of m processors is
    /// p q / m of work that all of them can do, rounded up to the indivisible amount.
    #[inline]
    pub fn load(&self, job: &Job, unit: Span) -> Span {
        let (unit, m) = (i128::from(unit.ticks()), i128::from(self.processors));
        let work = i128::from(job.runtime.ticks()) * i128::from(job.processors);
        let load = (work + unit * m - 1) / (unit * m) * unit;
        // A job is no wider than its cluster, so only rounding up the longest run can be beyond.
        Span::from_ticks(i64::try_from(load).unwrap_or(LIMIT_TICKS))
    }
}

impl Coalition {
    /// The time at which no job comes any more: the clock goes on through continuing rounds, and
    /// begins again in independent ones.
    pub fn end(&self, rounds: u64) -> Time {
        let rounds = match self.rounds {
            Rounds::Independent => 1,
            Rounds::Continuing => i64::try_from(rounds).unwrap_or(i64::MAX),
        };
        Time::from_ticks(self.period.ticks().saturating_mul(rounds))
    }

    /// What becomes of rigid jobs on the clusters, in a sentence; none where every cluster has one
    /// processor, and a job is the load that it says.
    pub fn conversion(&self) -> Option<String> {
        let processors = || self.seats.iter().map(|seat| seat.processors);
        let (least, most) = (processors().min()?, processors().max()?);
        let m = match (least, most) {
            (_, 1) => return None,
            (least, most) if least == most => format!("m = {most}"),
            (least, most) => format!("m from {least} to {most}"),
        };
        Some(format!(
            "a rigid job that runs for p on q processors becomes a load of p q / m on a cluster of \
             m processors, which can be divided at will; {m}"
        ))
    }
}

impl WorkloadKind {
    /// True of jobs that are given and the same every time they are read.
    pub fn is_given(&self) -> bool {
        matches!(self, WorkloadKind::Swf { .. } | WorkloadKind::List(_))
    }
}
