//! The schedulers, written for tests word by word and without any index.

use crate::bounds::instance::{Instance, Placement};
use crate::kernel::time::{Span, Time};

/// A scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// List scheduling in order of submission.
    Fcfs,
    /// List scheduling, smallest job first.
    Ascending,
    /// List scheduling, largest job first.
    Descending,
    /// Grid Over-Time-Submission.
    OverTime,
}

/// Returns the placements of all jobs.
pub fn schedule(instance: &Instance, rule: Rule) -> Vec<Placement> {
    let tasks = &instance.tasks;
    let mut idle = instance.clusters.clone();
    let mut placed: Vec<Option<Placement>> = vec![None; tasks.len()];
    let mut ends: Vec<(Time, usize, u32)> = Vec::new();
    let mut waiting: Vec<usize> = Vec::new();
    let (mut now, mut submitted) = (Time::ZERO, 0);
    loop {
        ends.retain(|&(end, cluster, processors)| {
            if end == now {
                idle[cluster] += processors;
            }
            end != now
        });
        while submitted < tasks.len() && tasks[submitted].release <= now {
            waiting.push(submitted);
            submitted += 1;
        }
        match rule {
            Rule::Fcfs | Rule::OverTime => {}
            Rule::Ascending => waiting.sort_by_key(|&job| (tasks[job].processors, job)),
            Rule::Descending => {
                waiting.sort_by_key(|&job| (std::cmp::Reverse(tasks[job].processors), job));
            }
        }
        let mut start =
            |place: usize, cluster: usize, waiting: &mut Vec<usize>, idle: &mut [u32]| {
                let job = waiting.remove(place);
                idle[cluster] -= tasks[job].processors;
                ends.push((now + tasks[job].length, cluster, tasks[job].processors));
                placed[job] = Some(Placement { start: now, cluster });
            };
        if rule == Rule::OverTime {
            // Passes over the clusters, until one of them starts nothing.
            let mut before = usize::MAX;
            while before != waiting.len() {
                before = waiting.len();
                for i in 0..idle.len() {
                    while let Some(place) = over_time(instance, &waiting, i, idle[i]) {
                        start(place, i, &mut waiting, &mut idle);
                    }
                }
            }
        } else {
            while let Some((place, cluster)) = list(instance, &waiting, &idle) {
                start(place, cluster, &mut waiting, &mut idle);
            }
        }
        let next = ends.iter().map(|end| end.0).chain(tasks.get(submitted).map(|job| job.release));
        match next.min() {
            Some(next) => now = next,
            None => break,
        }
    }
    placed.into_iter().map(|place| place.expect("every job is started")).collect()
}

/// Returns the makespan.
pub fn makespan(instance: &Instance, rule: Rule) -> Time {
    let placed = schedule(instance, rule);
    let ends = instance.tasks.iter().zip(placed).map(|(task, place)| place.start + task.length);
    ends.max().unwrap_or(Time::ZERO)
}

fn list(instance: &Instance, waiting: &[usize], idle: &[u32]) -> Option<(usize, usize)> {
    let most = idle.iter().copied().max()?;
    let place = waiting.iter().position(|&job| instance.tasks[job].processors <= most)?;
    let size = instance.tasks[waiting[place]].processors;
    Some((place, idle.iter().position(|&idle| idle >= size)?))
}

/// Returns the first job of the list of cluster `i` that fits. The list is an interval of sizes
/// that depends on the waiting jobs alone.
fn over_time(instance: &Instance, waiting: &[usize], i: usize, idle: u32) -> Option<usize> {
    let m = &instance.clusters;
    let size = |job: usize| instance.tasks[job].processors;
    let largest = waiting.iter().map(|&job| size(job)).filter(|&size| size <= m[i]).max()?;
    let k = m.iter().position(|&m| m >= largest)?;
    let below = if k == 0 { 0 } else { m[k - 1] };
    let big = (0..=i).rev().find(|&q| u64::from(m[q]) < 2 * u64::from(largest));
    let (low, high) = match big.filter(|&q| q >= k) {
        Some(q) => ((m[q] / 2).max(below), m[k]),
        None => (below, m[k] / 2),
    };
    waiting.iter().position(|&job| low < size(job) && size(job) <= high.min(idle))
}

/// Returns the smallest makespan, by trying every order of starts. For up to seven jobs or so.
pub fn optimum(instance: &Instance) -> Time {
    let mut trial = Trial {
        instance,
        placed: Vec::new(),
        best: instance.tasks.iter().fold(Time::ZERO, |end, task| end.max(task.release))
            + instance.tasks.iter().map(|task| task.length).sum::<Span>(),
    };
    trial.place_next(&mut (0..instance.tasks.len()).collect(), Time::ZERO);
    trial.best
}

struct Trial<'a> {
    instance: &'a Instance,
    /// Cluster, end and processors of the jobs placed.
    placed: Vec<(usize, Time, u32)>,
    best: Time,
}

impl Trial<'_> {
    /// Places one more job, not before the one placed last, which started at `last`.
    fn place_next(&mut self, left: &mut Vec<usize>, last: Time) {
        if left.is_empty() {
            let end = self.placed.iter().map(|place| place.1).max();
            self.best = self.best.min(end.unwrap_or(Time::ZERO));
        }
        for at in 0..left.len() {
            let job = left.remove(at);
            let task = self.instance.tasks[job];
            for cluster in 0..self.instance.clusters.len() {
                let Some(start) = self.earliest(cluster, task.processors, last.max(task.release))
                else {
                    continue;
                };
                if start + task.length < self.best {
                    self.placed.push((cluster, start + task.length, task.processors));
                    self.place_next(left, start);
                    self.placed.pop();
                }
            }
            left.insert(at, job);
        }
    }

    /// Returns the earliest time from `from` on when the processors are idle. No job placed starts
    /// later than `from`.
    fn earliest(&self, cluster: usize, processors: u32, from: Time) -> Option<Time> {
        let here = || self.placed.iter().filter(|place| place.0 == cluster);
        let fits = |&time: &Time| {
            let used: u32 = here().filter(|place| place.1 > time).map(|place| place.2).sum();
            used + processors <= self.instance.clusters[cluster]
        };
        let ends = here().map(|place| place.1).filter(|&end| end > from);
        std::iter::once(from).chain(ends).filter(fits).min()
    }
}
