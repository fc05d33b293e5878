//! What a plan says of a coalition.

use std::ops::Range;

use super::WorkloadKind;
use crate::kernel::time::{Span, Time};
use crate::model::ids::ClusterId;
use crate::policy::coalition::BalancerOptions;
use crate::policy::learn::LearnerOptions;
pub use crate::scenario::raw::Rounds;
use crate::sim::pool::{self, AsLoad, Balancing, Presence, Season, Sends};

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
    /// Which own work a cluster sends first.
    pub sends: Sends,
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
    /// The rounds in which it is there.
    pub fn presence(&self) -> Presence {
        Presence { first: self.first, last: self.last }
    }

    /// How its jobs become load of whole multiples of `unit`: a rigid job that runs for p on q of
    /// m processors is p q / m of work that all of them do together.
    pub fn as_load(&self, unit: Span) -> AsLoad {
        AsLoad { processors: self.processors, unit }
    }
}

impl Coalition {
    /// How rounds follow each other, as the pool has it.
    pub fn season(&self) -> Season {
        let rounds = match self.rounds {
            Rounds::Independent => pool::Rounds::Independent,
            Rounds::Continuing => pool::Rounds::Continuing,
        };
        Season { period: self.period, window: self.window.clone(), rounds }
    }

    /// How balancings follow each other, as the pool has it.
    pub fn balancing(&self) -> Balancing {
        Balancing {
            unit: self.balancer.unit(),
            spacing: self.balancer.spacing(),
            sends: self.sends,
            submit_first: true,
        }
    }

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
