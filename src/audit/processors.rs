//! Named processors: none ever serves two jobs.

use std::collections::BTreeMap;

use super::facts::JobFacts;
use super::report::counted;
use super::report::{Check, Violation};
use super::scene::Scene;
use kernel::time::Time;
use model::interval_set::IntervalSet;

/// The check in its initial state.
pub(super) fn check() -> Check {
    Check::new(
        "named processors",
        "the processors named for a job are as many as it needs, its cluster has them, and no other \
         job holds them while it runs",
    )
}

/// Named processors held on a cluster. Nothing is checked if no job names any.
#[derive(Default)]
pub(super) struct Named {
    /// Intervals in use, by first processor: the last processor and the holder.
    busy: BTreeMap<u32, (u32, usize)>,
    /// Number of started jobs, and whether any of them names its processors.
    started: u64,
    is_used: bool,
    /// Number of jobs without named processors, and the first few of them.
    nameless: u64,
    told: Vec<Violation>,
}

/// More than any check reports.
const TOLD: usize = 8;

impl Named {
    /// Starts a job, which holds its processors if it lasts.
    pub fn start(
        &mut self,
        scene: &Scene<'_>,
        slot: usize,
        is_lasting: bool,
        now: Time,
        check: &mut Check,
    ) {
        let job = scene.alive.job(slot);
        self.started += 1;
        let Some(set) = &job.allocated else {
            self.nameless += 1;
            if self.told.len() < TOLD {
                let text = format!("job {} names no processors, as others here do", job.number);
                let violation = Violation::of_job(job, job.start, text);
                self.told.push(violation.at(&scene.cluster.name));
            }
            return;
        };
        self.is_used = true;
        if let Some(text) = wrong(job, set, scene.cluster.processors) {
            scene.violated(check, slot, None, now, || text);
        }
        if is_lasting {
            self.hold(scene, slot, set, now, check);
        }
    }

    fn hold(
        &mut self,
        scene: &Scene<'_>,
        slot: usize,
        set: &IntervalSet,
        now: Time,
        check: &mut Check,
    ) {
        let mut clash = None;
        for interval in set.intervals() {
            let (first, last) = interval.into_inner();
            match self.busy.range(..=last).next_back() {
                Some((&from, &(to, holder))) if to >= first => {
                    clash = clash.or(Some((from.max(first), holder)));
                }
                _ => {
                    self.busy.insert(first, (last, slot));
                }
            }
        }
        if let Some((processor, holder)) = clash {
            scene.violated(check, slot, Some(holder), now, || {
                format!(
                    "job {} started at {now} on processor {processor}, which job {} held",
                    scene.number(slot),
                    scene.number(holder)
                )
            });
        }
    }

    /// Ends a job.
    pub fn end(&mut self, slot: usize, job: &JobFacts) {
        for interval in job.allocated.iter().flat_map(IntervalSet::intervals) {
            let first = *interval.start();
            if self.busy.get(&first).is_some_and(|&(_, holder)| holder == slot) {
                self.busy.remove(&first);
            }
        }
    }

    /// Completes the check.
    pub fn finish(self, check: &mut Check) {
        if !self.is_used {
            return;
        }
        check.looked_at += self.started;
        let untold = self.nameless - self.told.len() as u64;
        self.told.into_iter().for_each(|violation| check.violated(|| violation));
        check.count += untold;
    }
}

/// The problem with a job's own set of processors, if any.
fn wrong(job: &JobFacts, set: &IntervalSet, processors: u32) -> Option<String> {
    if set.len() != u64::from(job.processors) {
        return Some(format!(
            "job {} needs {} and names {set}",
            job.number,
            counted(job.processors, "processor")
        ));
    }
    set.highest()
        .filter(|&last| last >= processors)
        .map(|_| format!("job {} names the processors {set}; there are {processors}", job.number))
}
