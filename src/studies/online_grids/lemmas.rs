//! Properties of schedules and of sets of jobs, checked by the letter of the paper.

use bounds::instance::{Instance, Placement, Task};
use kernel::rng::Streams;
use kernel::time::Time;
use policy::grid::GridOptions;
use run::instance::{Played, play};

/// Returns the changes of busy processors on a cluster, in order of time; ends come first.
fn changes(instance: &Instance, schedule: &[Placement], cluster: usize) -> Vec<(Time, i64)> {
    let mut changes = Vec::new();
    for (task, place) in instance.tasks.iter().zip(schedule) {
        if place.cluster == cluster {
            let processors = i64::from(task.processors);
            changes.push((place.start, processors));
            changes.push((place.start + task.length, -processors));
        }
    }
    changes.sort_unstable();
    changes
}

/// Returns busy processors over time, as (from, busy), one entry an instant.
pub(super) fn busy(
    instance: &Instance,
    schedule: &[Placement],
    cluster: usize,
) -> Vec<(Time, i64)> {
    let mut steps: Vec<(Time, i64)> = vec![(Time::ZERO, 0)];
    let mut now = 0;
    for (time, change) in changes(instance, schedule, cluster) {
        now += change;
        match steps.last_mut() {
            Some(last) if last.0 == time => last.1 = now,
            _ => steps.push((time, now)),
        }
    }
    steps
}

/// Start of the last job on a cluster.
fn last_start(schedule: &[Placement], cluster: usize) -> Option<Time> {
    schedule.iter().filter(|place| place.cluster == cluster).map(|place| place.start).max()
}

/// Returns an instant in [from, until) at which half of a cluster or more is idle.
fn half_idle(
    instance: &Instance,
    schedule: &[Placement],
    cluster: usize,
    (from, until): (Time, Time),
) -> Option<Time> {
    let half = i64::from(instance.clusters[cluster]);
    let steps = busy(instance, schedule, cluster);
    let ends = steps.iter().skip(1).map(|step| step.0).chain([Time::NEVER]);
    steps.iter().zip(ends).find_map(|(&(begin, busy), end)| {
        let at = begin.max(from);
        (2 * busy <= half && at < end && at < until).then_some(at)
    })
}

/// Lemma 5.2: more than half of each cluster is busy from `from` until its last job starts.
pub(super) fn is_half_busy(instance: &Instance, schedule: &[Placement], from: Time) -> bool {
    (0..instance.clusters.len()).all(|cluster| {
        let Some(until) = last_start(schedule, cluster) else { return true };
        half_idle(instance, schedule, cluster, (from, until)).is_none()
    })
}

/// Number of the first cluster in ascending order that is large enough: a(j) of the paper.
fn class(clusters: &[u32], task: &Task) -> usize {
    clusters.partition_point(|&processors| processors < task.processors)
}

/// Checks of lemma 5.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Dropped {
    /// Instances that fulfil its condition, for a last job and a cluster.
    pub(super) cases: u64,
    /// Those in which the makespan changes.
    pub(super) changed: u64,
}

/// Lemma 5.3: where half of a cluster below the class of the last job is idle before that job starts,
/// all jobs of that cluster's class and below are removed and the rest is scheduled again. The makespan
/// must be the same.
pub(super) fn drop_below(instance: &Instance, played: &Played, of: &GridOptions) -> Dropped {
    let Instance { clusters, tasks } = instance;
    let mut found = Dropped::default();
    // Of several last jobs, one is enough for the condition.
    let last = tasks.iter().zip(&played.schedule);
    let last = last.filter(|(task, place)| place.start + task.length == played.makespan);
    let mut below = vec![false; clusters.len()];
    for (task, place) in last {
        for (cluster, is_met) in below.iter_mut().enumerate().take(class(clusters, task)) {
            let until = (Time::ZERO, place.start);
            *is_met |= half_idle(instance, &played.schedule, cluster, until).is_some();
        }
    }
    for cluster in (0..clusters.len()).filter(|&cluster| below[cluster]) {
        let tasks = tasks.iter().filter(|task| class(clusters, task) > cluster).copied().collect();
        let rest = Instance { clusters: clusters.clone(), tasks };
        found.cases += 1;
        let again = play(of, &rest, &Streams::new(1)).makespan;
        found.changed += u64::from(again != played.makespan);
    }
    found
}

/// Sets of jobs by definition 5.1, for all clusters in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct Sets {
    /// Jobs that fit on no smaller cluster and need more than half of this one.
    pub(super) a: Vec<usize>,
    /// Jobs that fit on no smaller cluster and need at most half of this one.
    pub(super) b: Vec<usize>,
    /// Jobs that fit on a smaller cluster and need more than half of this one.
    pub(super) h: Vec<usize>,
}

/// Returns the sets of an instance's jobs.
pub(super) fn sets(instance: &Instance) -> Vec<Sets> {
    let mut below = 0;
    let of = |&processors: &u32| {
        let mut sets = Sets::default();
        for (job, task) in instance.tasks.iter().enumerate() {
            let size = task.processors;
            let is_big = 2 * u64::from(size) > u64::from(processors);
            match (size <= below, is_big) {
                _ if size > processors => {}
                (false, true) => sets.a.push(job),
                (false, false) => sets.b.push(job),
                (true, true) => sets.h.push(job),
                (true, false) => {}
            }
        }
        below = processors;
        sets
    };
    instance.clusters.iter().map(of).collect()
}

/// True if each job is in exactly one A or B, and B or H of each cluster is empty.
pub(super) fn sets_are_apart(instance: &Instance) -> bool {
    let sets = sets(instance);
    let each_once = (0..instance.tasks.len()).all(|job| {
        let homes = sets.iter().flat_map(|one| one.a.iter().chain(&one.b));
        homes.filter(|&&other| other == job).count() == 1
    });
    each_once && sets.iter().all(|one| one.b.is_empty() || one.h.is_empty())
}

/// True if each job of H is in A or H of the cluster before, and an H that meets the H before contains
/// the A before.
pub(super) fn sets_nest(instance: &Instance) -> bool {
    let sets = sets(instance);
    let first_has_none = sets.first().is_none_or(|one| one.h.is_empty());
    let passed_on = sets.windows(2).all(|pair| {
        let [before, own] = pair else { return true };
        let comes = own.h.iter().all(|job| before.a.contains(job) || before.h.contains(job));
        let meets = own.h.iter().any(|job| before.h.contains(job));
        comes && (!meets || before.a.iter().all(|job| own.h.contains(job)))
    });
    first_has_none && passed_on
}
