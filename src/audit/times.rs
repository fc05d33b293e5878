//! Checks of single jobs.

use std::collections::BTreeSet;

use super::facts::{Clairvoyance, Facts, JobFacts};
use super::report::{Check, Violation};
use kernel::time::Span;

/// Replication, source (or organization, if sources are unknown), number and arrival rank of a job.
/// Traces may repeat a number, so the rank belongs to the identity.
type Identity = (u32, Result<u32, usize>, u64, Option<u64>);

/// Checks that no job appears twice.
pub(super) struct Identities {
    pub check: Check,
    /// Jobs of a replication without a recorded arrival rank.
    seen: BTreeSet<Identity>,
    /// The previous job, if its rank is recorded: equal ones are adjacent.
    last: Option<Identity>,
    times: u64,
}

impl Identities {
    pub fn new() -> Identities {
        let check = Check::new(
            "identities",
            "no job of a replication is there twice: with the same number in the same source and, \
             where that is recorded, the same place among the arrivals",
        );
        Identities { check, seen: BTreeSet::new(), last: None, times: 0 }
    }

    /// Begins another replication.
    pub fn begin(&mut self) {
        self.seen.clear();
    }

    pub fn look(&mut self, facts: &Facts, job: &JobFacts) {
        self.check.looked_at += 1;
        let source = job.source.ok_or(job.organization);
        let identity = (job.replication, source, job.number, job.arrival);
        let is_new = match job.arrival {
            Some(_) => self.last != Some(identity),
            None => self.seen.insert(identity),
        };
        self.last = Some(identity);
        self.times = if is_new { 1 } else { self.times.max(1) + 1 };
        if is_new {
            return;
        }
        let times = self.times;
        self.check.violated(|| {
            let from = match source {
                Ok(source) => format!("source {source}"),
                Err(organization) => facts.organizations[organization].clone(),
            };
            let text = format!("job {} of {from} is there {times} times", job.number);
            Violation::of_job(job, Some(job.submit), text)
        });
    }
}

/// Checks the recorded arrival ranks, if any: they must count the jobs of a replication.
pub(super) fn count_arrival(job: &JobFacts, expected: &mut u64, check: &mut Check) {
    let Some(arrival) = job.arrival else { return };
    check.looked_at += 1;
    if arrival != *expected {
        check.violated(|| {
            let text = format!(
                "job {}, submitted at {}, has arrival {arrival}; by the submissions it is {expected}",
                job.number, job.submit
            );
            Violation::of_job(job, Some(job.submit), text)
        });
    }
    *expected = arrival.saturating_add(1);
}

/// The check of submission, start, runtime and finish.
pub(super) fn times() -> Check {
    Check::new(
        "times",
        "a job starts when it is submitted or later, runs for exactly its runtime (its estimate, where \
         that is shorter and jobs are killed at it), and a rejected one never starts",
    )
}

pub(super) fn look_at_times(facts: &Facts, job: &JobFacts, check: &mut Check) {
    check.looked_at += 1;
    if let Some(text) = impossible(facts, job) {
        check.violated(|| {
            let violation = Violation::of_job(job, job.start, text);
            match job.cluster {
                Some(cluster) => violation.at(&facts.clusters[cluster].name),
                None => violation,
            }
        });
    }
}

/// The problem with a job's times, if any.
fn impossible(facts: &Facts, job: &JobFacts) -> Option<String> {
    let (number, submit) = (job.number, job.submit);
    let Some(cluster) = job.cluster.map(|cluster| &facts.clusters[cluster]) else {
        let ran = job.start.is_some() || job.finish.is_some() || job.success;
        let was = if job.waits_in_grid { "never got a cluster" } else { "was rejected" };
        return ran.then(|| format!("job {number} {was} and yet is said to have run"));
    };
    if job.success && job.finish.is_none() {
        return Some(format!("job {number} never ended and is called a success"));
    }
    let Some(start) = job.start else {
        return job
            .finish
            .map(|finish| format!("job {number} ended at {finish} and never started"));
    };
    if let Some(sent) = job.sent.filter(|&sent| sent < submit || start < sent) {
        return Some(format!(
            "job {number} got its cluster at {sent}, submitted at {submit} and started at {start}"
        ));
    }
    if start < submit {
        return Some(format!("job {number} started at {start}, submitted at {submit}"));
    }
    let finish = job.finish?;
    let execution = job.execution(cluster);
    if finish < start {
        return Some(format!("job {number} ended at {finish}, started at {start}"));
    }
    if finish - start != execution {
        let ran = finish - start;
        return Some(format!("job {number} ran for {ran} from {start} on and needs {execution}"));
    }
    let killed = execution < job.runtime;
    (killed == job.success).then(|| {
        let (was, said) = if killed { ("was", "success") } else { ("was not", "failure") };
        format!("job {number} {was} killed at its estimate and is called a {said}")
    })
}

/// The check of expected runtimes against the run's clairvoyance.
pub(super) fn expectations() -> Check {
    Check::new(
        "expected lengths",
        "schedulers were told of a job's length what the run's clairvoyance allows, and no more",
    )
}

pub(super) fn look_at_expectation(facts: &Facts, job: &JobFacts, check: &mut Check) {
    let Some(expected) = job.expected else { return };
    check.looked_at += 1;
    let allowed = match facts.settings.clairvoyance {
        Clairvoyance::Runtime => expected == job.runtime || Some(expected) == killed_at(facts, job),
        Clairvoyance::Estimate => expected == job.requested,
        Clairvoyance::Predicted => expected <= job.requested,
        Clairvoyance::None => false,
    };
    if !allowed {
        check.violated(|| {
            let text = format!(
                "job {} was expected to run for {expected}; its runtime is {}, its estimate {}",
                job.number, job.runtime, job.requested
            );
            Violation::of_job(job, Some(job.submit), text)
        });
    }
}

/// Runtime of a job if jobs are killed at their estimates.
fn killed_at(facts: &Facts, job: &JobFacts) -> Option<Span> {
    job.cluster.map(|cluster| job.execution(&facts.clusters[cluster]))
}

/// The check that a run until no job is left leaves none.
pub(super) fn nobody_forgotten(facts: &Facts) -> Check {
    let mut check = Check::new(
        "nobody forgotten",
        "when a run went on until no job was left, every job that was not rejected has ended",
    );
    if let Some(stopped) = facts.settings.stopped {
        check.note(format!("the run was stopped at {stopped}, so jobs may be waiting or running"));
    }
    check
}

pub(super) fn look_for_forgotten(facts: &Facts, job: &JobFacts, check: &mut Check) {
    if facts.settings.stopped.is_some() {
        return;
    }
    check.looked_at += 1;
    if job.finish.is_some() || job.is_rejected() {
        return;
    }
    check.violated(|| {
        let (number, submit) = (job.number, job.submit);
        let text = match (job.cluster, job.start) {
            (None, _) => format!("job {number}, submitted at {submit}, still waits in the grid"),
            (Some(_), None) => format!("job {number}, submitted at {submit}, never started"),
            (Some(_), Some(start)) => format!("job {number}, started at {start}, never ended"),
        };
        let violation = Violation::of_job(job, job.start, text);
        match job.cluster {
            Some(cluster) => violation.at(&facts.clusters[cluster].name),
            None => violation,
        }
    });
}
