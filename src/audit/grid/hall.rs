//! The jobs of a replication that wait in the grid, replayed instant by instant for the checker.

use std::collections::BTreeMap;

use super::{Asking, Batches, Checker, GridRule, Literal, Site, Started};
use crate::report::{Check, Violation};
use crate::{Facts, JobFacts};
use kernel::time::Time;

/// A grid scheduler and what it is judged by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridFacts {
    /// Its name.
    pub name: String,
    /// Its rule; `None` if there is no checker for it, with the reason.
    pub rule: Result<GridRule, String>,
    /// True if jobs are handed over in batches.
    pub batches: bool,
    /// The clusters, in their order; those that have a scheduler of their own are in no group.
    pub sites: Vec<Site>,
    /// Clusters that the jobs of each group may use. Where a cluster takes others' jobs only while
    /// none of its owner's waits, the owner's jobs are a group of their own.
    pub groups: Vec<Vec<usize>>,
}

/// Events of an instant.
#[derive(Clone, Debug, Default)]
struct Instant {
    ended: Vec<(usize, usize, u32)>,
    submitted: Vec<Asking>,
    started: Vec<Started>,
}

/// Looks at clusters, over all events, after which a replication is judged no further: the literal
/// lists take time in proportion to them.
const MOST_LOOKS: u64 = 4_000_000;

/// The replay of a replication.
#[derive(Clone, Debug)]
pub struct Hall {
    checker: Checker,
    instants: BTreeMap<Time, Instant>,
    /// Numbers of the jobs, by rank.
    numbers: Vec<u64>,
    stopped: Time,
    looks: u64,
    sites: u64,
    replication: u32,
}

/// The check of the grid scheduler.
pub fn check(facts: &Facts) -> Option<Check> {
    let grid = facts.grid.as_ref()?;
    let mut check = Check::new(
        "grid scheduler",
        "each job starts when, and where, the definition of the grid scheduler says",
    );
    if let Err(why) = &grid.rule {
        check.note(format!("{}: {why}", grid.name));
    }
    Some(check)
}

impl Hall {
    /// The empty grid of a replication, if there is a checker for its scheduler.
    pub fn new(facts: &Facts, replication: u32) -> Option<Hall> {
        let grid = facts.grid.as_ref()?;
        let rule = *grid.rule.as_ref().ok()?;
        let (sites, groups) = (grid.sites.clone(), grid.groups.clone());
        let checker = match grid.batches {
            true => Checker::in_batches(Batches::new(rule, sites, groups)),
            false => Checker::new(Literal::new(rule, sites, groups)),
        };
        Some(Hall {
            checker,
            instants: BTreeMap::new(),
            numbers: Vec::new(),
            stopped: facts.settings.stopped.unwrap_or(Time::NEVER),
            looks: 0,
            sites: grid.sites.len() as u64,
            replication,
        })
    }

    /// Adds the next job in order of submission.
    pub fn add(&mut self, job: &JobFacts, facts: &Facts, check: &mut Check) {
        self.judge_before(job.submit, facts, check);
        let Some(group) = job.group.filter(|_| !job.is_rejected()) else { return };
        let id = self.numbers.len();
        self.numbers.push(job.number);
        let asking = Asking {
            id,
            processors: job.processors,
            expected: (job.expected_in_grid)
                .or_else(|| job.expectation(facts.settings.clairvoyance)),
            owner: job.organization as u32,
            group,
        };
        self.instants.entry(job.submit).or_default().submitted.push(asking);
        let (Some(site), Some(at)) = (job.cluster, job.sent.or(job.start)) else { return };
        let ends_now = job.finish == Some(at);
        self.instants.entry(at).or_default().started.push(Started { job: id, site, ends_now });
        if let Some(finish) = job.finish.filter(|_| !ends_now) {
            self.instants.entry(finish).or_default().ended.push((id, site, job.processors));
        }
    }

    /// Judges what is left.
    pub fn finish(mut self, facts: &Facts, check: &mut Check) {
        self.judge_before(Time::NEVER, facts, check);
    }

    fn judge_before(&mut self, end: Time, facts: &Facts, check: &mut Check) {
        let end = end.min(self.stopped);
        while let Some(entry) = self.instants.first_entry().filter(|one| *one.key() < end) {
            let (now, instant) = entry.remove_entry();
            if !self.checker.is_judging() || self.looks > MOST_LOOKS {
                continue;
            }
            let Instant { ended, submitted, started } = instant;
            let events = (ended.len() + submitted.len() + started.len()) as u64;
            self.looks += events * self.sites;
            check.looked_at += started.len() as u64;
            if self.looks > MOST_LOOKS {
                let (replication, jobs) = (self.replication, self.numbers.len());
                check.note(format!(
                    "replication {replication}: judged up to {now}, after {jobs} jobs; the literal \
                     lists of so many clusters take too long"
                ));
            }
            let deviation = self.checker.instant(now, &ended, &submitted, &started);
            let Some(deviation) = deviation else { continue };
            let name = |site: usize| facts.clusters[site].name.clone();
            let number = |id: usize| self.numbers[id];
            check.violated(|| Violation {
                replication: self.replication,
                round: None,
                cluster: Some(name(deviation.site)),
                jobs: [Some(deviation.job), deviation.other]
                    .into_iter()
                    .flatten()
                    .map(number)
                    .collect(),
                time: Some(now),
                text: deviation.text(|id| number(id).to_string(), name),
            });
        }
    }
}
