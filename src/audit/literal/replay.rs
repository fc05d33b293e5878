//! The facts of one cluster in one replication, divided into instants.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::correction;
use crate::facts::{Clairvoyance, ClusterFacts, Facts, JobFacts, Kind};
use crate::report::{Check, Violation};
use kernel::time::{Span, Time};

/// One cluster in one replication.
pub(super) struct Run<'a> {
    pub cluster: &'a ClusterFacts,
    /// Jobs sent to it that fit on it, in order of submission.
    pub jobs: Vec<&'a JobFacts>,
    /// Jobs that can never run on it. They block no other job.
    pub oversized: Vec<&'a JobFacts>,
}

/// Events on a cluster at one instant. Jobs are indices into [`Run::jobs`].
pub(super) struct Instant {
    pub time: Time,
    pub submitted: Range<usize>,
    /// Jobs that started earlier and finished now, in order of start if that is recorded.
    pub completed: Vec<usize>,
    pub started: Vec<usize>,
    /// True if expectations of running jobs were corrected.
    pub corrects: bool,
}

/// Groups the jobs of all replications by cluster. Rejected jobs belong to none.
pub(super) fn runs(facts: &Facts) -> Vec<Run<'_>> {
    let mut runs: BTreeMap<(u32, usize), Run<'_>> = BTreeMap::new();
    for job in &facts.jobs {
        let Some(cluster) = job.cluster else { continue };
        let run = runs.entry((job.replication, cluster)).or_insert_with(|| Run {
            cluster: &facts.clusters[cluster],
            jobs: Vec::new(),
            oversized: Vec::new(),
        });
        let shared = matches!(run.cluster.kind, Kind::SpaceShared(_));
        if shared && job.processors > run.cluster.processors {
            run.oversized.push(job);
        } else {
            run.jobs.push(job);
        }
    }
    let mut runs: Vec<Run<'_>> = runs.into_values().collect();
    for run in &mut runs {
        run.jobs.sort_by_key(|job| {
            let arrival = job.arrival.unwrap_or(u64::MAX);
            (job.submit, arrival, job.source, job.number, job.organization)
        });
    }
    runs
}

impl<'a> Run<'a> {
    /// The cluster's name.
    pub fn name(&self) -> &'a str {
        &self.cluster.name
    }

    /// True if the jobs' times contradict each other, so that no instant can be replayed; noted in
    /// `check`. The check of the times reports the job.
    pub(crate) fn is_impossible(&self, check: &mut Check) -> bool {
        let impossible = |job: &&JobFacts| {
            job.start.is_some_and(|start| start < job.submit)
                || job.finish.is_some_and(|finish| job.start.is_none_or(|start| finish < start))
        };
        let Some(job) = self.jobs.iter().copied().find(impossible) else { return false };
        check.note(format!(
            "{}: the times of job {} cannot be, so its queue cannot be replayed",
            self.name(),
            job.number
        ));
        true
    }

    /// Records a violation on this cluster by `job`.
    pub(crate) fn violated(
        &self,
        check: &mut Check,
        job: usize,
        other: Option<usize>,
        time: Time,
        text: impl FnOnce() -> String,
    ) {
        check.violated(|| {
            Violation::of_job(self.jobs[job], Some(time), text())
                .at(self.name())
                .with(other.map(|other| self.jobs[other].number))
        });
    }

    /// All instants before `stopped` with a submission, start, completion or correction of
    /// expectations, given in order.
    pub fn instants(
        &self,
        stopped: Option<Time>,
        corrections: Vec<Time>,
    ) -> impl Iterator<Item = Instant> + use<'_, 'a> {
        let mut corrections = corrections.into_iter().peekable();
        let by_start_order = |job: usize| (self.jobs[job].start_order.unwrap_or(u64::MAX), job);
        let mut starts: Vec<(Time, usize)> = Vec::new();
        let mut ends: Vec<(Time, usize)> = Vec::new();
        for (place, job) in self.jobs.iter().enumerate() {
            starts.extend(job.start.map(|start| (start, place)));
            if job.finish != job.start {
                ends.extend(job.finish.map(|finish| (finish, place)));
            }
        }
        starts.sort_by_key(|&(time, job)| (time, by_start_order(job)));
        ends.sort_by_key(|&(time, job)| (time, by_start_order(job)));

        let (mut submitted, mut started, mut ended) = (0, 0, 0);
        std::iter::from_fn(move || {
            let next = [
                self.jobs.get(submitted).map(|job| job.submit),
                starts.get(started).map(|&(time, _)| time),
                ends.get(ended).map(|&(time, _)| time),
                corrections.peek().copied(),
            ];
            let time = next.into_iter().flatten().min()?;
            let first = submitted;
            while self.jobs.get(submitted).is_some_and(|job| job.submit == time) {
                submitted += 1;
            }
            Some(Instant {
                time,
                submitted: first..submitted,
                completed: take_while_at(&ends, &mut ended, time),
                started: take_while_at(&starts, &mut started, time),
                corrects: corrections.next_if_eq(&time).is_some(),
            })
        })
        .take_while(move |instant| stopped.is_none_or(|stopped| instant.time < stopped))
    }
}

/// The jobs of `events` at `time`, from index `from` on, which moves past them.
fn take_while_at(events: &[(Time, usize)], from: &mut usize, time: Time) -> Vec<usize> {
    let now = events[*from..].iter().take_while(|event| event.0 == time);
    let jobs: Vec<usize> = now.map(|&(_, job)| job).collect();
    *from += jobs.len();
    jobs
}

/// Times at which expectations of jobs on a cluster are corrected, in order.
pub(super) fn corrections(run: &Run<'_>, expected: &[Span]) -> Vec<Time> {
    let mut all = Vec::new();
    for (job, &predicted) in run.jobs.iter().zip(expected) {
        let Some(start) = job.start else { continue };
        all.extend(correction::expiries(job, start, predicted));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Expected runtimes of all jobs of a cluster, if known; otherwise notes that they are not.
pub(super) fn expectations(
    run: &Run<'_>,
    clairvoyance: Clairvoyance,
    check: &mut Check,
) -> Option<Vec<Span>> {
    let mut lengths = Vec::with_capacity(run.jobs.len());
    for job in &run.jobs {
        let Some(length) = job.expectation(clairvoyance) else {
            let (name, number) = (run.name(), job.number);
            check
                .note(format!("{name}: how long job {number} was expected to run is not recorded"));
            return None;
        };
        lengths.push(length);
    }
    Some(lengths)
}
