//! Branch and bound over the clusters of the jobs.
//!
//! The jobs are assigned one by one. A branch ends as soon as the jobs of one cluster cannot meet
//! the deadline, one tick less than the best schedule so far; [`OneCluster`] decides that exactly,
//! and its answers are remembered by cluster size and set of jobs. A branch also ends if narrow
//! jobs on wide clusters leave too little area for the wide jobs.
//!
//! Two symmetries are broken: of clusters of one size with equal jobs only the first takes the next
//! job, and identical jobs go to clusters in ascending order. Among the assignments that differ by
//! such exchanges only, the first in lexicographic order keeps both rules: breaking one of them
//! shows an exchange that gives an earlier assignment. So an optimal one remains.

use rustc_hash::FxHashMap;

use super::list::Schedule;
use super::one_cluster::{Answer, OneCluster, members};
use super::{Budget, Job};

/// The search and the best schedule so far.
#[derive(Debug)]
pub(super) struct Assignment<'a> {
    jobs: &'a [Job],
    /// Processors of the clusters, ascending.
    clusters: &'a [i64],
    /// Class of each cluster: clusters of one size form a class, numbered by size.
    class: Vec<usize>,
    /// Processors of the clusters of each class and above.
    processors: Vec<i64>,
    /// Smallest class that can run each job.
    own: Vec<usize>,
    /// Groups of identical jobs: their set, and the first of them.
    groups: Vec<(u64, u32)>,
    /// Jobs that are identical to the job before them.
    twins: u64,
    /// Distinct releases, ascending.
    releases: Vec<i64>,
    /// For each class and release: area of the jobs of this release or later that must be on the
    /// class or above, or were put there.
    area: Vec<Vec<i128>>,
    /// Jobs assigned to each cluster, and cluster of each job assigned.
    content: Vec<u64>,
    cluster: Vec<usize>,
    /// Answers of `one_cluster` by cluster size and set of jobs.
    known: FxHashMap<(i64, u64), Known>,
    /// Starts of the schedules in `known`, in the order of their sets.
    starts: Vec<i64>,
    one_cluster: OneCluster,
    /// No schedule is shorter than this.
    lower: i64,
    /// The shortest schedule found.
    best: Schedule,
    budget: Budget,
}

/// Facts about a set of jobs on a cluster size.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// No schedule is this short.
    impossible: i64,
    /// Makespan of the schedule found, or the largest number if there is none.
    makespan: i64,
    /// Index of its first start in [`Assignment::starts`].
    first: usize,
}

/// Tells how a search went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    /// The branch is finished.
    Back,
    /// The whole search ends: the best schedule is optimal, or the budget is spent.
    End,
}

impl<'a> Assignment<'a> {
    /// Prepares the search. At most 64 jobs, identical ones side by side, each of which fits on
    /// some cluster; `best` is any schedule.
    pub(super) fn new(
        jobs: &'a [Job],
        clusters: &'a [i64],
        lower: i64,
        best: Schedule,
        budget: Budget,
    ) -> Assignment<'a> {
        let mut sizes = clusters.to_vec();
        sizes.dedup();
        let class = clusters.iter().map(|&size| sizes.partition_point(|&s| s < size)).collect();
        let processors: Vec<i64> = sizes
            .iter()
            .map(|&least| clusters.iter().filter(|&&size| size >= least).sum())
            .collect();
        let own: Vec<usize> =
            jobs.iter().map(|job| sizes.partition_point(|&size| size < job.size)).collect();
        let mut twins = 0;
        let mut groups: Vec<(u64, u32)> = Vec::new();
        for j in 1..jobs.len() {
            if jobs[j] == jobs[j - 1] {
                if twins >> (j - 1) & 1 == 0 {
                    groups.push((1 << (j - 1), j as u32 - 1));
                }
                twins |= 1 << j;
                if let Some((set, _)) = groups.last_mut() {
                    *set |= 1 << j;
                }
            }
        }
        let mut releases: Vec<i64> = jobs.iter().map(|job| job.release).collect();
        releases.sort_unstable();
        releases.dedup();
        let mut area = vec![vec![0; releases.len()]; sizes.len()];
        for (job, &own) in jobs.iter().zip(&own) {
            for of_class in &mut area[..=own] {
                add_area(of_class, job, &releases);
            }
        }
        Assignment {
            jobs,
            clusters,
            class,
            processors,
            own,
            groups,
            twins,
            releases,
            area,
            content: vec![0; clusters.len()],
            cluster: vec![0; jobs.len()],
            known: FxHashMap::default(),
            starts: Vec::new(),
            one_cluster: OneCluster::default(),
            lower,
            best,
            budget,
        }
    }

    /// Runs the search. Returns the best schedule, whether it is optimal, and the nodes visited.
    pub(super) fn run(mut self) -> (Schedule, bool, u64) {
        let flow = self.assign(0);
        let optimal = flow == Flow::Back || self.best.makespan <= self.lower;
        (self.best, optimal, self.budget.nodes)
    }

    /// Assigns job `j` and those after it in every way.
    fn assign(&mut self, j: usize) -> Flow {
        if j == self.jobs.len() {
            return self.complete();
        }
        if !self.budget.spend() {
            return Flow::End;
        }
        let mut makespan = self.best.makespan;
        let first = if self.twins >> j & 1 == 1 { self.cluster[j - 1] } else { 0 };
        for c in first..self.clusters.len() {
            if self.clusters[c] < self.jobs[j].size || self.is_repeated(c) {
                continue;
            }
            // A shorter schedule may have made the jobs assigned so far late.
            if self.best.makespan < makespan {
                makespan = self.best.makespan;
                match self.all_in_time() {
                    Some(true) => {}
                    Some(false) => return Flow::Back,
                    None => return Flow::End,
                }
            }
            let before = self.content[c];
            self.content[c] |= 1 << j;
            self.cluster[j] = c;
            let mut flow = Flow::Back;
            if self.put_area(j, c) {
                flow = match self.in_time(c) {
                    Some(true) => self.assign(j + 1),
                    Some(false) => Flow::Back,
                    None => Flow::End,
                };
            }
            self.take_area(j, c);
            self.content[c] = before;
            if flow == Flow::End {
                return flow;
            }
        }
        Flow::Back
    }

    /// Takes the schedules of a complete assignment as the best ones, as long as there are shorter
    /// ones.
    fn complete(&mut self) -> Flow {
        loop {
            match self.all_in_time() {
                Some(true) => self.record(),
                Some(false) => return Flow::Back,
                None => return Flow::End,
            }
            if self.best.makespan <= self.lower {
                return Flow::End;
            }
        }
    }

    /// Copies the schedules found for the clusters to the best schedule.
    fn record(&mut self) {
        self.best.makespan = 0;
        for (c, &set) in self.content.iter().enumerate().filter(|&(_, &set)| set != 0) {
            let canonical = self.canonical(set);
            let known = self.known[&(self.clusters[c], canonical)];
            self.best.makespan = self.best.makespan.max(known.makespan);
            // Members of both sets are the same jobs one by one, but for identical ones.
            for (j, start) in members(set).zip(&self.starts[known.first..]) {
                self.best.places[j] = (*start, c);
            }
        }
    }

    /// Returns whether a cluster before `c` has the same size and the same jobs.
    fn is_repeated(&self, c: usize) -> bool {
        let same_class = (0..c).rev().take_while(|&b| self.class[b] == self.class[c]);
        let content = self.canonical(self.content[c]);
        same_class.into_iter().any(|b| self.canonical(self.content[b]) == content)
    }

    /// Returns the set with each job replaced by the first of the identical ones.
    fn canonical(&self, set: u64) -> u64 {
        self.groups.iter().fold(set, |set, &(group, first)| {
            let count = (set & group).count_ones();
            set & !group | u64::MAX.checked_shr(64 - count).unwrap_or(0) << first
        })
    }

    /// Adds the area of job `j` to the classes up to that of cluster `c` that do not have it.
    /// Returns whether the area fits before the deadline.
    fn put_area(&mut self, j: usize, c: usize) -> bool {
        let deadline = self.best.makespan - 1;
        let mut kept = true;
        for class in self.own[j] + 1..=self.class[c] {
            add_area(&mut self.area[class], &self.jobs[j], &self.releases);
            let processors = i128::from(self.processors[class]);
            kept &= (self.releases.iter().zip(&self.area[class]))
                .all(|(&rho, &area)| area <= processors * i128::from(deadline - rho));
        }
        kept
    }

    /// Undoes [`Assignment::put_area`].
    fn take_area(&mut self, j: usize, c: usize) {
        let job = Job { length: -self.jobs[j].length, ..self.jobs[j] };
        for class in self.own[j] + 1..=self.class[c] {
            add_area(&mut self.area[class], &job, &self.releases);
        }
    }

    fn all_in_time(&mut self) -> Option<bool> {
        for c in 0..self.clusters.len() {
            if self.content[c] != 0 && !self.in_time(c)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns whether the jobs of cluster `c` can end before the best makespan; `None` if the
    /// budget is spent.
    fn in_time(&mut self, c: usize) -> Option<bool> {
        let deadline = self.best.makespan - 1;
        let set = self.canonical(self.content[c]);
        let key = (self.clusters[c], set);
        let none = Known { impossible: i64::MIN, makespan: i64::MAX, first: 0 };
        let mut known = self.known.get(&key).copied().unwrap_or(none);
        if known.makespan <= deadline {
            return Some(true);
        }
        if deadline <= known.impossible {
            return Some(false);
        }
        let found =
            self.one_cluster.search(self.jobs, set, self.clusters[c], deadline, &mut self.budget);
        match found {
            Answer::Stopped => return None,
            Answer::Impossible => known.impossible = deadline,
            Answer::Schedule(makespan) => {
                known.makespan = makespan;
                known.first = self.starts.len();
                self.starts.resize(known.first + set.count_ones() as usize, 0);
                for (j, start) in self.one_cluster.schedule() {
                    let rank = (set & ((1 << j) - 1)).count_ones() as usize;
                    self.starts[known.first + rank] = start;
                }
            }
        }
        self.known.insert(key, known);
        Some(found != Answer::Impossible)
    }
}

/// Adds the area of a job to that of each release up to its own.
fn add_area(area: &mut [i128], job: &Job, releases: &[i64]) {
    for (area, _) in area.iter_mut().zip(releases).take_while(|&(_, &rho)| rho <= job.release) {
        *area += job.area();
    }
}
