//! Jobs that ended, until their lines are formatted together.

use std::borrow::Cow;
use std::mem;
use std::sync::Arc;

use super::{Line, Names, state};
use crate::lines::{Batch, Block};
use kernel::time::{Span, Time};
use model::ids::ClusterId;
use model::interval_set::IntervalSet;
use model::job::Job;

/// Number of jobs in a full block.
const FULL: usize = 256;

/// The facts of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    pub(super) job: Job,
    pub(super) cluster: Option<ClusterId>,
    pub(super) expected: Option<Span>,
    pub(super) state: &'static str,
    pub(super) start: Option<Time>,
    pub(super) finish: Option<Time>,
    pub(super) arrival: u64,
    /// Rank among the starts on its cluster; then its processors are told, too.
    pub(super) start_order: Option<u64>,
    pub(super) sent: Option<Option<Time>>,
}

/// Ended jobs, in the order of their lines.
#[derive(Debug)]
pub struct Jobs {
    names: Arc<Names>,
    replication: u32,
    ended: Vec<Ended>,
    /// Processors of each; the sets behind them are room for more.
    processors: Vec<IntervalSet>,
}

impl Jobs {
    pub(super) fn new(names: Arc<Names>, replication: u32) -> Jobs {
        Jobs { names, replication, ended: Vec::new(), processors: Vec::new() }
    }

    /// Adds a job. Its processors are taken out of the set.
    #[inline]
    pub(super) fn push(&mut self, ended: Ended, processors: &mut IntervalSet) {
        let place = self.ended.len();
        if place == self.processors.len() {
            self.processors.push(IntervalSet::new());
        }
        mem::swap(&mut self.processors[place], processors);
        processors.clear();
        self.ended.push(ended);
    }
}

impl Block for Jobs {
    fn fresh(&self) -> Jobs {
        Jobs::new(Arc::clone(&self.names), self.replication)
    }

    fn is_empty(&self) -> bool {
        self.ended.is_empty()
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.ended.len() >= FULL
    }

    fn lines<'a>(&'a self, room: &'a mut Batch) -> &'a Batch {
        room.clear();
        for (ended, processors) in self.ended.iter().zip(&self.processors) {
            room.put(&ended.line(processors, &self.names, self.replication));
        }
        room
    }

    fn clear(&mut self) {
        self.ended.clear();
    }
}

impl Ended {
    #[inline]
    fn line<'a>(
        &self,
        processors: &'a IntervalSet,
        names: &'a Names,
        replication: u32,
    ) -> Line<'a> {
        let &Ended { ref job, start, finish, .. } = self;
        let ticks = |from: Time, until: Time| (until - from).ticks();
        let ran = start.zip(finish).map(|(start, finish)| ticks(start, finish));
        let flow = finish.map(|finish| ticks(job.submit, finish));
        let stretch = flow.zip(ran.filter(|&ran| ran > 0));
        Line {
            job_id: job.number,
            workload_name: &names.workloads[job.source as usize],
            profile: "rigid",
            submission_time: job.submit,
            requested_number_of_resources: job.processors,
            requested_time: job.estimate,
            success: self.state == state::COMPLETED,
            final_state: self.state,
            starting_time: start,
            execution_time: ran.map(i128::from),
            finish_time: finish,
            waiting_time: start.map(|start| ticks(job.submit, start).into()),
            turnaround_time: flow.map(i128::from),
            stretch: stretch.map(|(flow, ran)| flow as f64 / ran as f64),
            allocated_resources: self.start_order.map(|_| Cow::Borrowed(processors)),
            consumed_energy: "",
            metadata: match (names.tags.get(job.source as usize), job.recorded.partition()) {
                (Some(Some(tags)), _) => tags.text(job.number).into(),
                (_, Some(partition)) => format!("partition={partition}").into(),
                _ => Cow::Borrowed(""),
            },
            replication,
            organization: &names.organizations[job.organization.index()],
            cluster: self.cluster.map_or("", |cluster| &names.clusters[cluster.index()].0),
            user: job.user,
            runtime: job.runtime,
            expected_time: self.expected,
            arrival: self.arrival,
            start_order: self.start_order,
            sent_time: self.sent,
        }
    }
}
