//! Comparison of the starts of a rule with those that were, in words.

use super::{Replay, Rule, Verdict};
use crate::report::{Check, counted, left};
use crate::scene::{Instant, Scene};
use crate::waiting::Wanted;
use kernel::time::Time;

impl Replay {
    /// Compares the jobs that must start with those that did.
    pub(super) fn compare(
        &mut self,
        scene: &Scene<'_>,
        instant: &Instant,
        verdict: &Verdict,
        before: i64,
        check: &mut Check,
    ) {
        for &job in &instant.started {
            if self.known[job].ruled != self.instants {
                let head = verdict.head.filter(|&head| head != job);
                let text = || self.why_not(scene, job, instant, verdict);
                scene.violated(check, job, head, instant.time, text);
            }
        }
        let released: i64 = instant.completed.iter().map(|&job| self.known[job].size).sum();
        for &job in &verdict.starts {
            let known = &mut self.known[job];
            if known.did != self.instants && !std::mem::replace(&mut known.is_told, true) {
                let size = known.size;
                scene.violated(check, job, None, instant.time, || {
                    format!(
                        "job {} ({}) did not start at {} although {} starts it then ({} free)",
                        scene.number(job),
                        counted(size, "processor"),
                        instant.time,
                        self.rule.name(),
                        before + released,
                    )
                });
            }
        }
    }

    /// Compares the order of the right starts with the rule's, if it is recorded.
    pub(super) fn compare_order(
        &self,
        scene: &Scene<'_>,
        instant: &Instant,
        verdict: &Verdict,
        check: &mut Check,
    ) {
        let is_recorded = |&job: &usize| scene.alive.job(job).start_order.is_some();
        if instant.started == verdict.starts || !instant.started.iter().all(is_recorded) {
            return;
        }
        let pairs = instant.started.iter().zip(&verdict.starts);
        let Some((&did, &ruled)) = pairs.into_iter().find(|(did, ruled)| did != ruled) else {
            return;
        };
        scene.violated(check, did, Some(ruled), instant.time, || {
            format!(
                "by start_order, job {} started before job {} at {}; {} starts them the other way \
                 round",
                scene.number(did),
                scene.number(ruled),
                instant.time,
                self.rule.name()
            )
        });
    }

    /// Explains why the rule does not start a job that did start.
    fn why_not(
        &self,
        scene: &Scene<'_>,
        job: usize,
        instant: &Instant,
        verdict: &Verdict,
    ) -> String {
        let (now, size) = (instant.time, self.known[job].size);
        let started = format!("job {} started at {now}", scene.number(job));
        if instant.is_idle() {
            return format!("{started}, when nothing was submitted and nothing ended");
        }
        if let Some(head) = verdict.head.filter(|&head| head != job) {
            let head = scene.number(head);
            if self.rule == Rule::Fcfs {
                return format!(
                    "{started} although job {head}, which came before it, still waited"
                );
            }
            if size <= verdict.free {
                let end = now.saturating_add(self.known[job].expected);
                return format!(
                    "{started} although its {} until {end} would delay job {head}, promised {} with \
                     {} to spare",
                    counted(size, "processor"),
                    verdict.shadow,
                    verdict.extra,
                );
            }
        }
        format!("{started} although only {} left for its {size}", left(verdict.free),)
    }

    /// Random order: in any order, no fitting job is left waiting.
    pub(super) fn compare_idle(&mut self, scene: &Scene<'_>, now: Time, check: &mut Check) {
        let free = self.free;
        let mut behind = None;
        while let Some(job) = self.waiting.find(behind, &Wanted::fits(free)) {
            behind = Some(job.key);
            if !std::mem::replace(&mut self.known[job.slot].is_told, true) {
                scene.violated(check, job.slot, None, now, || {
                    format!(
                        "job {} ({}) waits at {now} although {free} are free",
                        scene.number(job.slot),
                        counted(job.size, "processor"),
                    )
                });
            }
        }
    }
}
