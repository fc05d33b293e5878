//! The optimum under a promise: no organization ends later than alone, or than a multiple of that.
//!
//! Clusters and jobs have owners. Alone, an organization runs its jobs by list scheduling on its own
//! clusters, widest first (highest first: Pascual, Rzadca and Trystram, Cooperation in
//! multi-organization scheduling, 2009, section 3.2; there each owns one cluster). Its last end is
//! then the due time of all its jobs, so the search is that of [`optimum`](super::optimum) with due
//! times. Jobs wider than every own cluster cannot run alone: they have no due time, and their ends
//! do not count for their owner.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::instance::{Instance, Placement};
use super::optimum::{Optimum, Unsolvable, optimum_by};
use kernel::order::InOrder as _;
use kernel::time::{Span, Time};

/// Parts in which the factor of the promise is counted.
const PARTS: f64 = 1e6;

/// An instance whose clusters and jobs have owners.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owned {
    /// The instance.
    pub instance: Instance,
    /// The owner of each cluster, by a number.
    pub of_cluster: Vec<u32>,
    /// The owner of each job.
    pub of_task: Vec<u32>,
}

/// Finds a shortest schedule in which no organization ends later than `beta` times its last end alone,
/// counted from time zero; `beta`, at least 1, is rounded to a millionth. It visits at most `limit`
/// nodes; see [`optimum`](super::optimum::optimum).
///
/// # Errors
/// A job that fits on no cluster, or times that are negative or too large.
///
/// # Panics
/// If `beta` is less than 1 or not a number, or a cluster or job has no owner.
pub fn optimum_under_promise(owned: &Owned, beta: f64, limit: u64) -> Result<Optimum, Unsolvable> {
    assert!(beta >= 1.0, "alone, organizations need all of their time");
    let alone = owned.alone();
    let last = owned.ends(&alone);
    let parts = (beta * PARTS).round() as i128;
    let due = |(owner, alone): (&u32, &Option<Placement>)| match (alone, last.get(owner)) {
        (Some(_), Some(&end)) => {
            let due = i128::from(end.ticks()) * parts / PARTS as i128;
            Time::from_ticks(i64::try_from(due).unwrap_or(i64::MAX))
        }
        _ => Time::NEVER,
    };
    let due: Vec<Time> = owned.of_task.iter().zip(&alone).map(due).collect();
    optimum_by(&owned.instance, &due, &owned.with_others(alone)?, limit)
}

impl Owned {
    /// Returns the schedule of each organization alone: at every release and end, the first job of its
    /// list that fits starts on the smallest own cluster where it fits. Equal widths are in the order
    /// of the instance. `None` for a job that is wider than all of them.
    ///
    /// Takes time O(jobs² log jobs).
    pub fn alone(&self) -> Vec<Option<Placement>> {
        let Instance { clusters, tasks } = &self.instance;
        let own = |owner: u32| {
            let own = (0..clusters.len()).filter(move |&c| self.of_cluster[c] == owner);
            let mut own: Vec<usize> = own.collect();
            own.order_by_key(|&c| clusters[c]);
            own
        };
        let mut places = vec![None; tasks.len()];
        let mut owners = self.of_task.clone();
        owners.sort_unstable();
        owners.dedup();
        for owner in owners {
            let own = own(owner);
            let widest = own.last().map_or(0, |&c| clusters[c]);
            let fits = |&j: &usize| self.of_task[j] == owner && tasks[j].processors <= widest;
            let mut list: Vec<usize> = (0..tasks.len()).filter(fits).collect();
            list.order_by_key(|&j| Reverse(tasks[j].processors));
            let mut free = clusters.clone();
            // Ends to come: time, cluster, processors.
            let mut ends: Vec<(Time, usize, u32)> = Vec::new();
            let mut now = Time::ZERO;
            while !list.is_empty() {
                list.retain(|&j| {
                    let task = &tasks[j];
                    let room = own.iter().copied().find(|&c| free[c] >= task.processors);
                    let Some(cluster) = room.filter(|_| task.release <= now) else { return true };
                    places[j] = Some(Placement { start: now, cluster });
                    if task.length > Span::ZERO {
                        free[cluster] -= task.processors;
                        ends.push((now.saturating_add(task.length), cluster, task.processors));
                    }
                    false
                });
                let releases = list.iter().map(|&j| tasks[j].release).filter(|&at| at > now);
                let next = ends.iter().map(|end| end.0).chain(releases).min();
                let Some(next) = next else { break };
                now = next;
                ends.retain(|&(end, cluster, processors)| {
                    let is_over = end <= now;
                    free[cluster] += if is_over { processors } else { 0 };
                    !is_over
                });
            }
        }
        places
    }

    /// Returns the last end of each organization's jobs in such a schedule.
    fn ends(&self, places: &[Option<Placement>]) -> BTreeMap<u32, Time> {
        let mut ends = BTreeMap::new();
        for ((owner, task), place) in self.of_task.iter().zip(&self.instance.tasks).zip(places) {
            if let Some(place) = place {
                let end = ends.entry(*owner).or_insert(Time::ZERO);
                *end = (*end).max(place.start.saturating_add(task.length));
            }
        }
        ends
    }

    /// Returns the schedules of all alone, with the jobs that have no place one by one behind them.
    fn with_others(&self, alone: Vec<Option<Placement>>) -> Result<Vec<Placement>, Unsolvable> {
        let Instance { clusters, tasks } = &self.instance;
        let mut now = self.ends(&alone).into_values().max().unwrap_or(Time::ZERO);
        let mut places = Vec::with_capacity(alone.len());
        for (index, (task, place)) in tasks.iter().zip(alone).enumerate() {
            places.push(match place {
                Some(place) => place,
                None => {
                    let room = clusters.iter().position(|&size| size >= task.processors);
                    let cluster = room.ok_or(Unsolvable::TooWide { task: index })?;
                    let start = now.max(task.release);
                    now = start.saturating_add(task.length);
                    Placement { start, cluster }
                }
            });
        }
        Ok(places)
    }
}

#[cfg(test)]
mod tests;
