//! What must hold of each job by itself.

use std::collections::BTreeMap;

use super::facts::{Clairvoyance, Facts, JobFacts};
use super::report::{Check, Violation};
use crate::kernel::time::Span;

/// No job is there twice.
pub(super) fn identities(facts: &Facts) -> Check {
    let mut check = Check::new(
        "identities",
        "no job of a replication is there twice: with the same number in the same source and, where \
         that is recorded, the same place among the arrivals",
    );
    // Where no source is told, the organization stands for it. Traces may repeat a number, so the
    // place among the arrivals belongs to the identity.
    type Identity = (u32, Result<u32, usize>, u64, Option<u64>);
    let mut seen: BTreeMap<Identity, u64> = BTreeMap::new();
    for job in &facts.jobs {
        check.looked_at += 1;
        let source = job.source.ok_or(job.organization);
        let identity = (job.replication, source, job.number, job.arrival);
        let times = seen.entry(identity).or_default();
        *times += 1;
        if *times > 1 {
            check.violated(|| {
                let from = match source {
                    Ok(source) => format!("source {source}"),
                    Err(organization) => facts.organizations[organization].clone(),
                };
                let text = format!("job {} of {from} is there {times} times", job.number);
                Violation::of_job(job, Some(job.submit), text)
            });
        }
    }
    check
}

/// Submitted, started, run, ended: in this order and for as long as it takes.
pub(super) fn times(facts: &Facts) -> Check {
    let mut check = Check::new(
        "times",
        "a job starts when it is submitted or later, runs for exactly its runtime (its estimate, where \
         that is shorter and jobs are killed at it), and a rejected one never starts",
    );
    for job in &facts.jobs {
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
    check
}

/// What is wrong with a job's times, if anything.
fn impossible(facts: &Facts, job: &JobFacts) -> Option<String> {
    let (number, submit) = (job.number, job.submit);
    let Some(cluster) = job.cluster.map(|cluster| &facts.clusters[cluster]) else {
        let ran = job.start.is_some() || job.finish.is_some() || job.success;
        return ran.then(|| format!("job {number} was rejected and yet is said to have run"));
    };
    if job.success && job.finish.is_none() {
        return Some(format!("job {number} never ended and is called a success"));
    }
    let Some(start) = job.start else {
        return job
            .finish
            .map(|finish| format!("job {number} ended at {finish} and never started"));
    };
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

/// What schedulers were told follows from the run's clairvoyance.
pub(super) fn expectations(facts: &Facts) -> Check {
    let mut check = Check::new(
        "expected lengths",
        "schedulers were told of a job's length what the run's clairvoyance allows, and no more",
    );
    for job in &facts.jobs {
        let Some(expected) = job.expected else { continue };
        check.looked_at += 1;
        let allowed = match facts.settings.clairvoyance {
            Clairvoyance::Runtime => {
                expected == job.runtime || Some(expected) == killed_at(facts, job)
            }
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
    check
}

/// How long a job runs where jobs are killed at their estimates.
fn killed_at(facts: &Facts, job: &JobFacts) -> Option<Span> {
    job.cluster.map(|cluster| job.execution(&facts.clusters[cluster]))
}

/// A run that went on until no job was left leaves none.
pub(super) fn nobody_forgotten(facts: &Facts) -> Check {
    let mut check = Check::new(
        "nobody forgotten",
        "when a run went on until no job was left, every job that was not rejected has ended",
    );
    if let Some(stopped) = facts.settings.stopped {
        check.note(format!("the run was stopped at {stopped}, so jobs may be waiting or running"));
        return check;
    }
    for job in &facts.jobs {
        check.looked_at += 1;
        let (Some(cluster), None) = (job.cluster, job.finish) else { continue };
        check.violated(|| {
            let text = match job.start {
                Some(start) => format!("job {}, started at {start}, never ended", job.number),
                None => format!("job {}, submitted at {}, never started", job.number, job.submit),
            };
            Violation::of_job(job, job.start, text).at(&facts.clusters[cluster].name)
        });
    }
    check
}
