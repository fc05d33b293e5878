//! Plans of dedicated processors: the order of the jobs of each cluster, and the candidates of fair
//! planners beside each other.
//!
//! The definitions are those of Rzadca, Trystram and Wierzbicki, Fair Game-Theoretic Resource Management
//! in Dedicated Grids, carried over to clusters: a job counts by its share, its expected runtime times
//! its processors over those of the cluster, rounded up.
//!
//! 1. Jobs of a cluster start in order, each as soon as its processors are free. `shortest_first` orders
//!    them by share, `my_jobs_first` puts the owner's in front; equal shares are in the order of the
//!    organizations, then of submission. Other planners may mix organizations as they like, but of each
//!    the shorter job comes first.
//! 2. No candidate of a fair planner equitably dominates another: sorted with the largest in front, its
//!    costs, the sum of the two largest, and so on are nowhere larger and somewhere smaller. Costs are
//!    sums of flow times, or what these are above those of `my_jobs_first`. This is checked where every
//!    job fills its cluster and all clusters are idle, for there shares are runtimes.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Candidate, Held, PlannedJob};
use crate::facts::{ClusterFacts, JobFacts};
use crate::report::Check;
use kernel::time::Time;

/// A claim about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    Shortest,
    OwnersFirst,
    /// Fair: in flow times, or in gains over `my_jobs_first`.
    Fair {
        payoffs: bool,
    },
}

impl Claim {
    fn of(name: &str) -> Option<Claim> {
        match name {
            "shortest_first" => Some(Claim::Shortest),
            "my_jobs_first" => Some(Claim::OwnersFirst),
            "equitable_walk" | "equitable_walk by local knowledge" | "equitable_local_search" => {
                Some(Claim::Fair { payoffs: false })
            }
            "equitable_walk on payoffs"
            | "equitable_walk by local knowledge on payoffs"
            | "equitable_local_search on payoffs" => Some(Claim::Fair { payoffs: true }),
            _ => None,
        }
    }
}

/// A candidate whose costs are compared: its rank in the plan, and its costs, cumulated from the
/// largest on.
type Scored = (usize, Vec<i128>);

/// Checks the candidates of a run.
#[derive(Debug)]
pub(super) struct Orders {
    /// By replication, source and number: when each job was submitted.
    submitted: BTreeMap<(u32, u32, u64), Time>,
    /// Replication and number of the plan whose candidates come.
    plan: Option<(u32, u64)>,
    /// Number of its candidates so far.
    candidates: usize,
    scored: Vec<Scored>,
    order: Check,
    fair: Check,
}

impl Orders {
    pub fn new() -> Orders {
        Orders {
            submitted: BTreeMap::new(),
            plan: None,
            candidates: 0,
            scored: Vec::new(),
            order: Check::new(
                "order of processors",
                "planned jobs start in the order of their planner, each as soon as its processors are \
                 free",
            ),
            fair: Check::new(
                "fair candidates",
                "no candidate of a fair planner equitably dominates another of the plan",
            ),
        }
    }

    /// Adds a job of the run.
    pub fn came(&mut self, job: &JobFacts) {
        let key = (job.replication, job.source.unwrap_or(0), job.number);
        self.submitted.insert(key, job.submit);
    }

    /// Checks a candidate, given what runs.
    pub fn add(&mut self, candidate: &Candidate, clusters: &[ClusterFacts], held: &[Held]) {
        let Some(claim) = Claim::of(&candidate.name) else { return };
        if self.plan.replace((candidate.replication, candidate.plan))
            != Some((candidate.replication, candidate.plan))
        {
            (self.candidates, self.scored) = (0, Vec::new());
        }
        self.candidates += 1;
        let jobs = &candidate.jobs;
        if jobs.iter().any(|job| job.start == Time::NEVER) {
            self.order.note("plans that go beyond the range of times".to_owned());
            return;
        }
        for (index, cluster) in clusters.iter().enumerate() {
            let here = |job: &usize| jobs[*job].cluster == index;
            let mut order: Vec<usize> = (0..jobs.len()).filter(here).collect();
            match claim {
                Claim::Fair { .. } => {
                    order.sort_by_key(|&job| (jobs[job].start, Reverse(jobs[job].processors)));
                    self.check_own(candidate, cluster, &order);
                }
                _ => sort(&mut order, jobs, cluster, claim == Claim::OwnersFirst),
            }
            self.check_starts(
                candidate,
                cluster,
                &order,
                &starts(candidate, index, cluster, &order, held),
            );
        }
        if let Claim::Fair { payoffs } = claim {
            self.check_fair(candidate, clusters, held, payoffs);
        }
    }

    /// Returns the checks, if there was something to check.
    pub fn finish(self) -> Vec<Check> {
        match self.plan {
            Some(_) => vec![self.order, self.fair],
            None => Vec::new(),
        }
    }

    /// Checks that an organization's jobs stand shortest first.
    fn check_own(&mut self, candidate: &Candidate, cluster: &ClusterFacts, order: &[usize]) {
        let jobs = &candidate.jobs;
        // By owner: the longest share so far, its job, and its start.
        let mut last: BTreeMap<usize, (i128, usize)> = BTreeMap::new();
        for &job in order {
            let (own, share) = (&jobs[job], share(&jobs[job], cluster));
            let longest = last.entry(own.owner).or_insert((share, job));
            let (before, other) = *longest;
            if share < before && jobs[other].start < own.start {
                let text = format!(
                    "the longer job {} of the same organization starts before job {}",
                    jobs[other].number, own.number
                );
                let violation = candidate.violation(Some(own.number), own.start, text);
                self.order.violated(|| violation.at(&cluster.name));
            }
            if share >= before {
                *longest = (share, job);
            }
        }
    }

    fn check_starts(
        &mut self,
        candidate: &Candidate,
        cluster: &ClusterFacts,
        order: &[usize],
        starts: &[Time],
    ) {
        for (&job, &literal) in order.iter().zip(starts) {
            self.order.looked_at += 1;
            let job = &candidate.jobs[job];
            if job.start != literal {
                let text = format!(
                    "in this order job {} starts at {literal}, not at {}",
                    job.number, job.start
                );
                let violation = candidate.violation(Some(job.number), job.start, text);
                self.order.violated(|| violation.at(&cluster.name));
            }
        }
    }

    fn check_fair(
        &mut self,
        candidate: &Candidate,
        clusters: &[ClusterFacts],
        held: &[Held],
        payoffs: bool,
    ) {
        let jobs = &candidate.jobs;
        let fills = |job: &PlannedJob| job.processors == clusters[job.cluster].processors;
        if !held.is_empty() || !jobs.iter().all(fills) {
            let note = "candidates where jobs do not fill their clusters, or clusters are busy";
            self.fair.note(note.to_owned());
            return;
        }
        let mut own = vec![Time::ZERO; jobs.len()];
        for (index, cluster) in clusters.iter().enumerate() {
            let here = |job: &usize| jobs[*job].cluster == index;
            let mut order: Vec<usize> = (0..jobs.len()).filter(here).collect();
            sort(&mut order, jobs, cluster, true);
            let starts = starts(candidate, index, cluster, &order, held);
            order.iter().zip(starts).for_each(|(&job, start)| own[job] = start);
        }
        let mut costs: BTreeMap<usize, i128> = BTreeMap::new();
        for (job, own) in jobs.iter().zip(own) {
            let key = (candidate.replication, job.source, job.number);
            let since = match (payoffs, self.submitted.get(&key)) {
                (true, _) => own,
                (false, Some(&submit)) => submit - clusters[job.cluster].takes(job.length),
                (false, None) => {
                    self.fair.note("jobs that the records do not have".to_owned());
                    return;
                }
            };
            *costs.entry(job.owner).or_default() +=
                i128::from(job.start.ticks()) - i128::from(since.ticks());
        }
        self.fair.looked_at += 1;
        let mut sums: Vec<i128> = costs.into_values().collect();
        sums.sort_unstable_by_key(|&cost| Reverse(cost));
        for place in 1..sums.len() {
            sums[place] += sums[place - 1];
        }
        let dominates = |one: &[i128], other: &[i128]| {
            one != other && one.iter().zip(other).all(|(a, b)| a <= b)
        };
        for (rank, other) in &self.scored {
            if dominates(other, &sums) || dominates(&sums, other) {
                let text =
                    format!("of candidates {rank} and {}, one is fairer to all", self.candidates);
                self.fair.violated(|| candidate.violation(None, candidate.asked, text));
            }
        }
        self.scored.push((self.candidates, sums));
    }
}

/// The share of a cluster that a job takes, as a time in ticks.
fn share(job: &PlannedJob, cluster: &ClusterFacts) -> i128 {
    let area = i128::from(cluster.takes(job.length).ticks()) * i128::from(job.processors);
    let over = i128::from(cluster.processors);
    (area + over - 1) / over
}

/// Sorts jobs of a cluster by share, perhaps its owner's in front; jobs are in order of submission.
fn sort(order: &mut [usize], jobs: &[PlannedJob], cluster: &ClusterFacts, owners_first: bool) {
    order.sort_by_key(|&index| {
        let job = &jobs[index];
        let is_other = owners_first && cluster.owner != Some(job.owner);
        (is_other, share(job, cluster), job.owner, index)
    });
}

/// Returns the starts of jobs in an order, each as soon as the jobs before it have started and its
/// processors are free. It is the definition, step by step.
fn starts(
    candidate: &Candidate,
    index: usize,
    cluster: &ClusterFacts,
    order: &[usize],
    held: &[Held],
) -> Vec<Time> {
    let held = held.iter().filter(|held| held.cluster == index);
    let mut busy: Vec<(Time, u32)> = held.map(|held| (held.end, held.processors)).collect();
    let mut now = candidate.asked;
    let mut starts = Vec::new();
    for &job in order {
        let job = &candidate.jobs[job];
        loop {
            busy.retain(|&(end, _)| end > now);
            let used: u32 = busy.iter().map(|&(_, processors)| processors).sum();
            if used + job.processors <= cluster.processors {
                break;
            }
            let Some(next) = busy.iter().map(|&(end, _)| end).min() else { break };
            now = next;
        }
        starts.push(now);
        busy.push((now.saturating_add(cluster.takes(job.length)), job.processors));
    }
    starts
}

#[cfg(test)]
mod tests;
