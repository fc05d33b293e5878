//! The form of an instance that the search works on, and the way back.

use super::list::Schedule;
use super::{Job, Unsolvable};
use crate::instance::{Instance, Placement, Task};
use crate::lower::LowerBound;
use kernel::time::Time;

/// An instance without what does not matter: times are in multiples of their greatest common
/// divisor, and only the largest clusters are left, as many as there are jobs.
///
/// A job of no length or no processors is never in the way. It starts at its release, and the
/// search does not see it.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// The jobs, by the smallest cluster size that can run them and by work, largest first.
    /// Identical jobs are side by side.
    pub(super) jobs: Vec<Job>,
    /// Processors of the clusters, ascending.
    pub(super) clusters: Vec<i64>,
    /// Lower bound of the makespan of the whole instance.
    pub(super) lower: i64,
    /// Index of each job in the instance.
    tasks: Vec<usize>,
    /// Index of each cluster in the instance.
    cluster_index: Vec<usize>,
    /// Ticks in one unit of the times above.
    unit: i64,
}

impl Prepared {
    pub(super) fn new(instance: &Instance) -> Result<Prepared, Unsolvable> {
        Prepared::of(instance, None)
    }

    /// The same, with the due time of each job, [`Time::NEVER`] if there is none. All clusters are
    /// left.
    pub(super) fn with_due_times(
        instance: &Instance,
        due: &[Time],
    ) -> Result<Prepared, Unsolvable> {
        Prepared::of(instance, Some(due))
    }

    fn of(instance: &Instance, due: Option<&[Time]>) -> Result<Prepared, Unsolvable> {
        check(instance)?;
        let unit = instance.tasks.iter().fold(0, |unit, task| {
            common_divisor(common_divisor(unit, task.length.ticks()), task.release.ticks())
        });
        let unit = unit.max(1);
        let job = |(index, task): (usize, &Task)| {
            let due = due.map_or(Time::NEVER, |due| due[index]);
            let job = Job {
                size: i64::from(task.processors),
                length: task.length.ticks() / unit,
                release: task.release.ticks() / unit,
                // Ends are multiples of the unit.
                due: if due == Time::NEVER { i64::MAX } else { due.ticks() / unit },
            };
            (index, job)
        };
        let mut placed: Vec<(usize, Job)> = (instance.tasks.iter().enumerate().map(job))
            .filter(|(_, job)| job.size > 0 && job.length > 0)
            .collect();
        let mut cluster_index: Vec<usize> = (0..instance.clusters.len()).collect();
        cluster_index.sort_by_key(|&c| instance.clusters[c]);
        // Each cluster in use can be exchanged for a larger one that is idle.
        let spare = match due {
            None => cluster_index.len().saturating_sub(placed.len()),
            Some(_) => 0,
        };
        cluster_index.drain(..spare);
        let clusters: Vec<i64> =
            cluster_index.iter().map(|&c| i64::from(instance.clusters[c])).collect();
        placed.sort_by_key(|&(task, job)| {
            let own_class = clusters.partition_point(|&size| size < job.size);
            (-clusters[own_class], -job.area(), -job.size, job.release, job.due, task)
        });
        let (tasks, jobs) = placed.into_iter().unzip();
        let lower = lower_bound(instance, unit);
        Ok(Prepared { jobs, clusters, lower, tasks, cluster_index, unit })
    }

    /// Returns a schedule of the instance in the form of the search. All clusters are left.
    pub(super) fn schedule(&self, places: &[Placement]) -> Schedule {
        let place = |&task: &usize| {
            let Placement { start, cluster } = places[task];
            let cluster = self.cluster_index.iter().position(|&index| index == cluster);
            (start.ticks() / self.unit, cluster.expect("all clusters are left"))
        };
        let places: Vec<(i64, usize)> = self.tasks.iter().map(place).collect();
        let ends = self.jobs.iter().zip(&places).map(|(job, place)| place.0 + job.length);
        Schedule { makespan: ends.max().unwrap_or(0), places }
    }

    /// Returns a time of the search in ticks.
    pub(super) fn time(&self, time: i64) -> Time {
        Time::from_ticks(time * self.unit)
    }

    /// Returns the schedule of all jobs of `instance`.
    pub(super) fn placements(&self, instance: &Instance, schedule: &Schedule) -> Vec<Placement> {
        let first_wide_enough = |task: &Task| {
            let wide_enough = |&processors: &u32| processors >= task.processors;
            let cluster = instance.clusters.iter().position(wide_enough);
            cluster.expect("each job fits on some cluster")
        };
        let mut places: Vec<Option<Placement>> = vec![None; instance.tasks.len()];
        for (&task, &(start, c)) in self.tasks.iter().zip(&schedule.places) {
            let cluster = self.cluster_index[c];
            places[task] = Some(Placement { start: self.time(start), cluster });
        }
        let place = |(task, place): (&Task, Option<Placement>)| {
            place.unwrap_or_else(|| Placement {
                start: task.release,
                cluster: first_wide_enough(task),
            })
        };
        instance.tasks.iter().zip(places).map(place).collect()
    }
}

/// Returns the lower bound in multiples of `unit`, which divides all times.
fn lower_bound(instance: &Instance, unit: i64) -> i64 {
    let mut by_release: Vec<&Task> = instance.tasks.iter().collect();
    by_release.sort_by_key(|task| task.release);
    let mut bound = LowerBound::new(&instance.clusters);
    for task in by_release {
        bound.add(task.processors, task.length, task.release);
    }
    let units = (bound.ticks_up() - 1).div_euclid(i128::from(unit)) + 1;
    i64::try_from(units).expect("not above the end of the jobs one after the other")
}

fn check(instance: &Instance) -> Result<(), Unsolvable> {
    let widest = instance.clusters.iter().copied().max().unwrap_or(0);
    let (mut last_release, mut total) = (0, Some(0_i64));
    for (task, job) in instance.tasks.iter().enumerate() {
        let (length, release) = (job.length.ticks(), job.release.ticks());
        if job.processors.max(1) > widest {
            return Err(Unsolvable::TooWide { task });
        }
        if length < 0 || release < 0 {
            return Err(Unsolvable::Negative { task });
        }
        last_release = release.max(last_release);
        total = total.and_then(|total| total.checked_add(length));
    }
    match total.and_then(|total| total.checked_add(last_release)) {
        Some(_) => Ok(()),
        None => Err(Unsolvable::TooLong),
    }
}

/// Returns the greatest common divisor of two numbers that are not negative.
fn common_divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
