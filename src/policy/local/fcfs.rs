//! First come, first served: no job starts before one submitted earlier.

use std::collections::VecDeque;

use super::reason::expected_start;
use super::{LocalScheduler, Reason, Setup};
use kernel::state_of_fields;
use kernel::time::Time;
use model::bounds::parameters;
use model::ids::JobId;
use model::jobs::Running;
use model::view::{Blind, Submission};

parameters! {
    /// Parameters of first come, first served: none.
    #[serde(default)]
    pub struct Options {}
}

/// The scheduler. Constant time for each job.
#[derive(Clone, Debug, Default)]
pub struct Fcfs {
    waiting: VecDeque<(JobId, u32)>,
}

impl Fcfs {
    /// An empty queue.
    pub fn new(_: &Options, _: &Setup) -> Fcfs {
        Fcfs::default()
    }
}

state_of_fields!(Fcfs { waiting });

impl LocalScheduler for Fcfs {
    type Sees = Blind;

    #[inline]
    fn submit(&mut self, job: Blind, _: Time) {
        self.waiting.push_back((job.id, job.processors));
    }

    #[inline]
    fn finish(&mut self, _: Blind, _: Time, _: Time) {}

    fn withdraw(&mut self, job: JobId) {
        self.waiting.retain(|&(id, _)| id != job);
    }

    #[inline]
    fn decide(&mut self, _: Time, mut free: u32, _: Running<'_, Blind>, start: &mut Vec<JobId>) {
        while let Some(&(id, processors)) = self.waiting.front() {
            if processors > free {
                break;
            }
            self.waiting.pop_front();
            free -= processors;
            start.push(id);
        }
    }

    fn reasons(
        &self,
        now: Time,
        free: u32,
        running: Running<'_, Submission>,
        tell: &mut dyn FnMut(JobId, Reason),
    ) {
        let Some(&(first, needed)) = self.waiting.front() else { return };
        let found = expected_start(now, free, needed, running);
        let (start, after) = (found.map(|found| found.0), found.map(|found| found.1));
        tell(first, Reason::Processors { start, after });
        let pairs = self.waiting.iter().zip(self.waiting.iter().skip(1));
        pairs.for_each(|(&(job, _), &(id, _))| tell(id, Reason::Ahead { job }));
    }
}
