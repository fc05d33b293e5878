//! Audits the jobs of a federation: who is out keeps to itself, processors are not held twice, and what
//! a round counts are its jobs.
//!
//! Everything follows from the lines of the jobs and of the rounds alone.

use std::collections::BTreeMap;

use super::facts::JobFacts;
use super::report::{Check, Violation};
use super::rounds::{RoundsFacts, TurnFacts};
use kernel::time::{Span, Time, Units};

/// A federation beside its rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FederationFacts {
    /// Name, owner and processors of each cluster.
    pub clusters: Vec<(String, usize, u32)>,
    /// Length of a round.
    pub period: Span,
    /// Start and end of the window within a round; jobs submitted in it are scored.
    pub window: [Span; 2],
    /// Jobs in order of their lines.
    pub jobs: Vec<JobFacts>,
}

impl FederationFacts {
    /// Round and time into it.
    fn round(&self, at: Time) -> (u64, Span) {
        let period = self.period.ticks().max(1);
        let ticks = (at - Time::ZERO).ticks();
        ((ticks / period) as u64, Span::from_ticks(ticks % period))
    }

    fn violation(&self, job: &JobFacts, text: String) -> Violation {
        let violation = Violation::of_job(job, None, text);
        match job.cluster {
            Some(cluster) => violation.at(&self.clusters[cluster].0),
            None => violation,
        }
    }
}

type Turns<'a> = BTreeMap<(u32, u64, usize), &'a TurnFacts>;

/// Checks every rule of a federation's jobs.
pub fn audit(rounds: &RoundsFacts, facts: &FederationFacts) -> Vec<Check> {
    let turns: Turns<'_> = (rounds.turns.iter())
        .map(|turn| ((turn.replication, turn.round, turn.organization), turn))
        .collect();
    vec![members(rounds, facts, &turns), processors(facts), scored(rounds, facts, &turns)]
}

/// Nobody starts a job abroad in a round in which it, or the owner of the cluster, is out.
fn members(rounds: &RoundsFacts, facts: &FederationFacts, turns: &Turns<'_>) -> Check {
    let means = "a job starts on another's cluster only while both owners are in";
    let mut check = Check::new("members only", means);
    for job in &facts.jobs {
        let (Some(cluster), Some(start)) = (job.cluster, job.start) else { continue };
        check.looked_at += 1;
        let (_, owner, _) = facts.clusters[cluster];
        if owner == job.organization {
            continue;
        }
        let (round, _) = facts.round(start);
        let out = [job.organization, owner].into_iter().find(|&one| {
            !turns.get(&(job.replication, round, one)).is_some_and(|turn| turn.joined)
        });
        if let Some(out) = out {
            let name = &rounds.organizations[out];
            let text = format!(
                "job {} starts abroad in round {round}, in which {name} is out",
                job.number
            );
            check.violated(|| facts.violation(job, text));
        }
    }
    check
}

/// No more processors are held than a cluster has.
fn processors(facts: &FederationFacts) -> Check {
    let means = "the jobs of a cluster hold no more processors than it has, from start to finish";
    let mut check = Check::new("processors", means);
    // At one instant jobs end before others start.
    let mut events: Vec<(u32, usize, Time, bool, usize)> = Vec::new();
    for (index, job) in facts.jobs.iter().enumerate() {
        let (Some(cluster), Some(start)) = (job.cluster, job.start) else { continue };
        events.push((job.replication, cluster, start, true, index));
        if let Some(finish) = job.finish {
            events.push((job.replication, cluster, finish, false, index));
        }
    }
    events.sort_unstable();
    for own in events.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
        let (name, _, most) = &facts.clusters[own[0].1];
        let mut held = 0_u64;
        for &(_, _, at, starts, index) in own {
            let job = &facts.jobs[index];
            check.looked_at += 1;
            // A job without length ends when it starts.
            let is_short = job.start == job.finish;
            match (starts, is_short) {
                (true, false) => held += u64::from(job.processors),
                (false, false) => held = held.saturating_sub(job.processors.into()),
                (_, true) => {}
            }
            let now = held + if is_short { u64::from(job.processors) } else { 0 };
            if starts && now > u64::from(*most) {
                let text =
                    format!("at {at} {now} processors of `{name}` are held, and it has {most}");
                check.violated(|| facts.violation(job, text));
            }
        }
    }
    check
}

/// The jobs of a round are those submitted in its window that their owner could run alone; their flow
/// time is that of the jobs, where all of them end with the round.
fn scored(rounds: &RoundsFacts, facts: &FederationFacts, turns: &Turns<'_>) -> Check {
    let means = "a round counts the jobs submitted in it that their owner could run alone, with their \
                 flow times";
    let mut check = Check::new("scored jobs", means);
    let widest = |organization: usize| {
        let own = facts.clusters.iter().filter(|(_, owner, _)| *owner == organization);
        own.map(|one| one.2).max().unwrap_or(0)
    };
    let widest: Vec<u32> = (0..rounds.organizations.len()).map(widest).collect();
    // Number, flow of those that ended with their round, and whether all did.
    let mut sums: BTreeMap<(u32, u64, usize), (u64, i128, bool)> = BTreeMap::new();
    for job in &facts.jobs {
        let (round, into) = facts.round(job.submit);
        let [from, until] = facts.window;
        if !(from..until).contains(&into) || job.processors > widest[job.organization] {
            continue;
        }
        let sum = sums.entry((job.replication, round, job.organization)).or_insert((0, 0, true));
        sum.0 += 1;
        match job.finish.filter(|&finish| facts.round(finish).0 == round) {
            Some(finish) => sum.1 += i128::from((finish - job.submit).ticks()),
            None => sum.2 = false,
        }
    }
    let mut settled = 0_u64;
    for (at, turn) in turns {
        check.looked_at += 1;
        let (jobs, flow, all) = sums.get(at).copied().unwrap_or((0, 0, true));
        let agrees = match all {
            true => turn.flow == flow,
            false => turn.flow >= flow,
        };
        settled += u64::from(!all);
        if turn.jobs != jobs || !agrees {
            let units = |ticks: i128| Units(ticks).to_string();
            let text = format!(
                "{} jobs with a flow time of {} are counted, and jobs.csv has {jobs} with {}{}",
                turn.jobs,
                units(turn.flow),
                units(flow),
                if all { "" } else { " or more" }
            );
            check.violated(|| rounds.broken(turn, &text));
        }
    }
    if settled > 0 {
        check.note(
            "where jobs went on beyond their round, their flow time is that of a copy of the world, of \
             which no record is kept: it is only known to be long enough"
                .to_owned(),
        );
    }
    check
}
