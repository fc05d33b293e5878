//! Explains the job of a federation: where it ran, and who was in while it waited.

use std::collections::BTreeMap;
use std::path::Path;

use super::words::{listed, long, when};
use super::{ExplainError, Near, WhichJob, question};
use crate::audit::has;
use kernel::time::Time;
use records::coalition::rounds;
use records::jobs;
use records::record::Record as _;
use records::recorded::Rows;
use report::coalition::entry::CoalitionEntry;
use report::files::Manifest;
use report::table::Table;
use sim::federation::stakes::Plays;
use stats::shown::count;

/// Most rounds that are told.
const SHOWN: (&str, usize) = ("  ", 8);

/// A job of a federation, from its line.
#[derive(Clone, Debug)]
pub struct PooledJob {
    /// Replication, from 0.
    pub replication: u32,
    /// The organization that owns it.
    pub organization: String,
    /// Its number.
    pub number: u64,
    /// Submission time.
    pub submit: Time,
    /// Cluster on which it ran, and that cluster's owner; `None` if it got none.
    pub cluster: Option<(String, String)>,
    /// Start time.
    pub start: Option<Time>,
    /// Finish time.
    pub finish: Option<Time>,
}

/// A round through which the job waited, or in which it started.
#[derive(Clone, Debug)]
pub struct PooledRound {
    /// Its number.
    pub round: u64,
    /// The organizations that took part.
    pub members: Vec<String>,
}

/// The way of a federation's job.
#[derive(Clone, Debug)]
pub struct Pooled {
    /// The job.
    pub job: PooledJob,
    /// Its rounds, in order.
    pub rounds: Vec<PooledRound>,
    /// True if to be in is to follow a plan, which others' jobs may use one's clusters without.
    pub follows: bool,
}

/// Explains the job of a federation.
///
/// # Errors
/// Fails if files are missing or are not what a run writes, or if no job or more than one job
/// matches.
pub fn why_pooled(
    folder: &Path,
    manifest: &Manifest,
    coalition: &CoalitionEntry,
    which: &WhichJob,
) -> Result<Pooled, ExplainError> {
    for kind in ["jobs", "rounds"] {
        if !has(manifest, kind) {
            let help = "set `output.jobs = true` and `output.rounds = true` and run again";
            return Err(question(format!("the run wrote no {kind}.csv"), help));
        }
    }
    which.check(manifest)?;
    let round_of = |at: Time| {
        let period = coalition.period.ticks().max(1);
        ((at - Time::ZERO).ticks() / period) as u64
    };
    let mut near = Near::new(which.number);
    let mut rows = Rows::found(folder, "jobs")?;
    while let Some(row) = rows.read()? {
        let line = jobs::Line::read(&row)?;
        if which.organization.as_ref().is_none_or(|name| name == line.organization)
            && which.workload.as_ref().is_none_or(|name| name == line.workload_name)
            && which.replication.is_none_or(|one| one == line.replication)
            && which.round.is_none_or(|one| one == round_of(line.submission_time))
        {
            near.add(line.job_id, || PooledJob::of(&line, manifest));
        }
    }
    let last = coalition.rounds.max(1) - 1;
    let none = || format!("no job is there at all; rounds are 0 to {last}");
    let job = near.only(none, |found| {
        let PooledJob { organization, replication, submit, .. } = &found[found.len().min(2) - 1];
        format!(
            "say which one is meant, such as `--organization '{organization}' --replication {replication} \
             --round {}`",
            round_of(*submit)
        )
    })?;
    // Independent rounds are played until their jobs have ended.
    let first = round_of(job.submit);
    let last = if coalition.continuing { job.start.map_or(last, round_of) } else { first };
    let mut members: BTreeMap<u64, Vec<String>> = (first..=last).map(|at| (at, vec![])).collect();
    let mut rows = Rows::found(folder, "rounds")?;
    while let Some(row) = rows.read()? {
        let line = rounds::Line::read(&row)?;
        let is_it = line.replication == job.replication && line.joined;
        if let Some(members) = members.get_mut(&line.round).filter(|_| is_it) {
            members.push(line.organization.to_owned());
        }
    }
    let rounds = members.into_iter().map(|(round, members)| PooledRound { round, members });
    let follows = coalition.plays == Plays::Follow;
    Ok(Pooled { job, rounds: rounds.collect(), follows })
}

impl PooledJob {
    fn of(line: &jobs::Line<'_>, manifest: &Manifest) -> PooledJob {
        let cluster = manifest.clusters.iter().find(|cluster| cluster.name == line.cluster);
        PooledJob {
            replication: line.replication,
            organization: line.organization.to_owned(),
            number: line.job_id,
            submit: line.submission_time,
            cluster: cluster.map(|cluster| (cluster.name.clone(), cluster.owner.clone())),
            start: line.starting_time,
            finish: line.finish_time,
        }
    }
}

impl Pooled {
    /// The explanation in words.
    pub fn text(&self) -> String {
        let job = &self.job;
        let place = match &job.cluster {
            Some((cluster, owner)) if *owner == job.organization => format!("its own `{cluster}`"),
            Some((cluster, owner)) => format!("`{cluster}` of `{owner}`"),
            None => "no cluster".to_owned(),
        };
        let ran = match (job.start, job.finish) {
            (Some(start), finish) => format!(
                "It started at {} on {place}, {} after it came, and {}.",
                when(start),
                long(start - job.submit),
                finish.map_or("still ran at the end".to_owned(), |at| format!(
                    "ended at {}",
                    when(at)
                ))
            ),
            (None, _) => "It had not started at the end of the run.".to_owned(),
        };
        let rounds = listed(SHOWN, "rounds", &self.rounds, |round| self.told(round));
        let came = when(job.submit);
        format!("Job {} of `{}` came at {came}.\n{ran}\n\n{rounds}", job.number, job.organization)
    }

    /// The members of a round, and where the job could run then.
    fn told(&self, PooledRound { round, members }: &PooledRound) -> String {
        let own = &self.job.organization;
        let others: Vec<String> =
            members.iter().filter(|&one| one != own).map(|one| format!("`{one}`")).collect();
        let (round, others) = (count(*round), others.join(", "));
        let only = match self.follows {
            true => "it played its own jobs first on its own clusters",
            false => "its jobs ran on its own clusters alone",
        };
        match (members.contains(own), others.is_empty()) {
            (true, true) if self.follows => format!("round {round}: `{own}` was in, and no other"),
            (true, true) => {
                format!("round {round}: `{own}` was in, with nobody to pool with: {only}")
            }
            (true, false) => format!("round {round}: `{own}` was in, with {others}"),
            (false, true) => format!("round {round}: `{own}` was out, as were all others: {only}"),
            (false, false) => format!("round {round}: `{own}` was out: {only}; {others} in"),
        }
    }

    /// All tables; the rounds come last.
    pub fn tables(&self) -> Vec<Table> {
        vec![
            Table::of("job", [&self.job])
                .figure("replication", |job| job.replication)
                .text("organization", |job| &*job.organization)
                .figure("job_id", |job| job.number)
                .figure("submission_time", |job| job.submit)
                .text("cluster", |job| job.cluster.as_ref().map(|(name, _)| &**name))
                .text("owner", |job| job.cluster.as_ref().map(|(_, owner)| &**owner))
                .figure("starting_time", |job| job.start)
                .figure("waiting_time", |job| Some(job.start? - job.submit))
                .figure("finish_time", |job| job.finish)
                .table(),
            Table::of("rounds", &self.rounds)
                .figure("round", |round| round.round)
                .figure("joined", |round| u64::from(round.members.contains(&self.job.organization)))
                .text("members", |round| round.members.join(" "))
                .table(),
        ]
    }
}
