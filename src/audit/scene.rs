//! One instant of a cluster, its live jobs, and the checks that look at them.

use super::facts::{ClusterFacts, JobFacts};
use super::report::{Check, Violation};
use kernel::time::Time;

/// The checks that need a replay.
pub(super) struct Replayed {
    pub capacity: Check,
    pub processors: Check,
    pub queue: Check,
    pub sharing: Check,
    pub numbering: Check,
}

/// Events on a cluster at one instant. Jobs are slots in [`Alive`].
#[derive(Default)]
pub(super) struct Instant {
    pub time: Time,
    /// Jobs submitted now, in order.
    pub submitted: Vec<usize>,
    /// Jobs that started earlier and finished now, in order of start if that is recorded.
    pub completed: Vec<usize>,
    /// Jobs started now, in order if that is recorded.
    pub started: Vec<usize>,
    /// True if expectations of running jobs are corrected.
    pub corrects: bool,
}

impl Instant {
    /// True if no event lets a scheduler decide.
    pub fn is_idle(&self) -> bool {
        self.submitted.is_empty() && self.completed.is_empty() && !self.corrects
    }
}

/// Live jobs (waiting or running), by slot; slots are reused.
#[derive(Default)]
pub(super) struct Alive {
    jobs: Vec<(JobFacts, u64)>,
    free: Vec<usize>,
    count: u64,
}

impl Alive {
    pub fn add(&mut self, job: JobFacts) -> usize {
        let place = self.count;
        self.count += 1;
        match self.free.pop() {
            Some(slot) => {
                self.jobs[slot] = (job, place);
                slot
            }
            None => {
                self.jobs.push((job, place));
                self.jobs.len() - 1
            }
        }
    }

    /// Takes back the slots of jobs that are no longer alive.
    pub fn remove(&mut self, slots: &[usize]) {
        self.free.extend(slots);
    }

    pub fn job(&self, slot: usize) -> &JobFacts {
        &self.jobs[slot].0
    }

    /// Its rank in order of submission.
    pub fn place(&self, slot: usize) -> u64 {
        self.jobs[slot].1
    }

    pub fn size(&self, slot: usize) -> i64 {
        i64::from(self.jobs[slot].0.processors)
    }

    /// True if it finishes at the instant it starts.
    pub(crate) fn is_instantaneous(&self, slot: usize) -> bool {
        let job = self.job(slot);
        job.finish.is_some() && job.finish == job.start
    }
}

/// Context for recording violations on a cluster.
pub(super) struct Scene<'a> {
    pub cluster: &'a ClusterFacts,
    pub alive: &'a Alive,
}

impl Scene<'_> {
    /// Records a violation by `job`.
    pub(crate) fn violated(
        &self,
        check: &mut Check,
        job: usize,
        other: Option<usize>,
        time: Time,
        text: impl FnOnce() -> String,
    ) {
        check.violated(|| {
            Violation::of_job(self.alive.job(job), Some(time), text())
                .at(&self.cluster.name)
                .with(other.map(|other| self.alive.job(other).number))
        });
    }

    pub fn number(&self, slot: usize) -> u64 {
        self.alive.job(slot).number
    }
}
