//! Rules with lists for each site: passes over the sites, each of which starts jobs of its lists.

use super::Asking;
use super::chain::{Chain, Entry, is_big};
use super::sites::Sites;

/// Source of the jobs that a site starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lending {
    /// Its list `L_i`.
    Lists,
    /// Its queues, or those of the nearest smaller site with waiting jobs.
    Near,
    /// The same, but the jobs that need more than half of it come first.
    Big,
}

/// The lists of all groups.
#[derive(Clone, Debug)]
pub(super) struct Chains {
    lending: Lending,
    chains: Vec<Chain>,
    /// For each rank: the groups that may use that site, and its position in their chains.
    memberships: Vec<Vec<(usize, usize)>>,
    /// Groups with submissions since the last decision.
    submitted: Vec<bool>,
}

impl Chains {
    pub fn new(lending: Lending, sites: &Sites) -> Chains {
        let mut memberships = vec![Vec::new(); sites.len()];
        for (group, ranks) in sites.groups().iter().enumerate() {
            for (position, &rank) in ranks.iter().enumerate() {
                memberships[rank].push((group, position));
            }
        }
        let chain =
            |group: &Vec<usize>| Chain::new(group.iter().map(|&rank| sites.processors(rank)));
        let chains: Vec<Chain> = sites.groups().iter().map(chain).collect();
        let submitted = vec![false; chains.len()];
        Chains { lending, chains, memberships, submitted }
    }

    pub fn submit(&mut self, job: &Asking) {
        self.chains[job.group].submit(job);
        self.submitted[job.group] = true;
    }

    /// Algorithm Grid Concurrent-Submission (figure 4), in passes until one starts nothing: a start
    /// on a large site may refill the list of a smaller one.
    pub fn decide(&mut self, sites: &mut Sites) -> Vec<(usize, usize)> {
        self.restart();
        let mut starts = Vec::new();
        loop {
            let before = starts.len();
            for rank in 0..self.memberships.len() {
                while let Some((group, id)) = self.next(rank, sites) {
                    starts.push(sites.start(id, rank));
                    if self.chains[group].remove(id) && self.lending == Lending::Lists {
                        self.chains[group].update();
                    }
                }
            }
            if starts.len() == before {
                return starts;
            }
        }
    }

    /// Initializes the lists of each group that has submissions.
    fn restart(&mut self) {
        for (chain, submitted) in self.chains.iter_mut().zip(&mut self.submitted) {
            if std::mem::take(submitted) && self.lending == Lending::Lists {
                chain.restart();
            }
        }
    }

    /// The job that a site starts now, with its group: the first in order of submission that it
    /// can start, among the lists of all groups that may use it.
    fn next(&self, rank: usize, sites: &Sites) -> Option<(usize, usize)> {
        if sites.idle(rank) == 0 {
            return None;
        }
        let can = |job: &&Entry| sites.takes(rank, job.processors, job.owner);
        let firsts = self.memberships[rank].iter().filter_map(|&(group, position)| {
            self.on_offer(group, position).find(can).map(|job| (job.id, group))
        });
        firsts.min().map(|(id, group)| (group, id))
    }

    /// The jobs of a group that the site at a position of its chain may start, in order.
    fn on_offer(&self, group: usize, position: usize) -> impl Iterator<Item = &Entry> {
        let links = &self.chains[group].links;
        let (lower, link) = (&links[..position], &links[position]);
        let (jobs, is_only_big) = match self.lending {
            Lending::Lists => (&link.l[..], false),
            Lending::Near | Lending::Big if link.has_jobs() => (link.queue(), false),
            Lending::Near | Lending::Big => {
                match lower.iter().rev().find(|victim| victim.has_jobs()) {
                    None => (&[][..], false),
                    // Big jobs of a smaller site need more than half of that, too, and are in `A`.
                    Some(victim) if self.lending == Lending::Big => {
                        let has_big = victim.a.iter().any(|job| is_big(job, link.processors));
                        (victim.queue(), has_big)
                    }
                    Some(victim) => (victim.queue(), false),
                }
            }
        };
        let processors = link.processors;
        jobs.iter().filter(move |job| !is_only_big || is_big(job, processors))
    }

    /// The first job, in order of submission, of all that a site may start if it has processors;
    /// none if `id` is among them. For messages.
    pub fn instead_of(&self, id: usize, rank: usize) -> Option<usize> {
        let offered = self.memberships[rank]
            .iter()
            .flat_map(|&(group, position)| self.on_offer(group, position))
            .map(|job| job.id);
        let all: Vec<usize> = offered.collect();
        if all.contains(&id) { None } else { all.into_iter().min() }
    }

    /// The chain of each group.
    #[cfg(test)]
    pub fn chains(&self) -> &[Chain] {
        &self.chains
    }
}
