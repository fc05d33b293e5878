//! The proven statements, judged on one instance from its schedules alone. All comparisons are
//! exact.

use bounds::instance::{Placement, Task};
use bounds::promise::Owned;
use kernel::time::Time;

/// Work, processors and longest job of an instance, in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// Work of all jobs, W in the paper.
    pub(super) work: i128,
    /// Processors of all clusters that are used, N m in the paper.
    pub(super) processors: i128,
    /// Length of the longest job.
    pub(super) longest: i128,
}

impl Size {
    /// The size, with the clusters of owners without jobs or without them.
    pub(super) fn of(owned: &Owned, are_left_out: bool) -> Size {
        let tasks = &owned.instance.tasks;
        let lengths = tasks.iter().map(|task| i128::from(task.length.ticks()));
        let area = |(length, task): (i128, &Task)| length * i128::from(task.processors);
        let have_jobs = have_jobs(owned);
        let used = owned.of_cluster.iter().zip(&owned.instance.clusters);
        let used = used.filter(|(owner, _)| !are_left_out || have_jobs[**owner as usize]);
        Size {
            work: lengths.clone().zip(tasks).map(area).sum(),
            processors: used.map(|(_, &processors)| i128::from(processors)).sum(),
            longest: lengths.max().unwrap_or(0),
        }
    }

    /// The lower bound of the makespan, times the number of processors.
    pub(super) fn bound(&self) -> i128 {
        self.work.max(self.processors * self.longest)
    }

    /// A time, times the number of processors.
    pub(super) fn scaled(&self, at: Time) -> i128 {
        self.processors * i128::from(at.ticks())
    }

    /// A makespan over the lower bound.
    pub(super) fn score(&self, makespan: Time) -> f64 {
        self.scaled(makespan) as f64 / self.bound() as f64
    }
}

/// Time at which a job ends.
pub(super) fn end(owned: &Owned, schedule: &[Placement], job: usize) -> Time {
    schedule[job].start + owned.instance.tasks[job].length
}

/// Last end of a schedule.
pub(super) fn makespan(owned: &Owned, schedule: &[Placement]) -> Time {
    (0..schedule.len()).map(|job| end(owned, schedule, job)).max().unwrap_or(Time::ZERO)
}

/// By organization: true if it has jobs.
pub(super) fn have_jobs(owned: &Owned) -> Vec<bool> {
    let mut have_jobs = vec![false; organizations(owned)];
    owned.of_task.iter().for_each(|&owner| have_jobs[owner as usize] = true);
    have_jobs
}

fn organizations(owned: &Owned) -> usize {
    owned.of_cluster.iter().map(|&owner| owner as usize + 1).max().unwrap_or(0)
}

/// Last end of each organization; 0 for one without jobs.
pub(super) fn ends(owned: &Owned, schedule: &[Placement]) -> Vec<Time> {
    let mut ends = vec![Time::ZERO; organizations(owned)];
    for (job, &owner) in owned.of_task.iter().enumerate() {
        let last = &mut ends[owner as usize];
        *last = (*last).max(end(owned, schedule, job));
    }
    ends
}

/// Last end of the jobs on each cluster.
pub(super) fn ends_of_clusters(owned: &Owned, schedule: &[Placement]) -> Vec<Time> {
    let mut ends = vec![Time::ZERO; owned.of_cluster.len()];
    for (job, place) in schedule.iter().enumerate() {
        ends[place.cluster] = ends[place.cluster].max(end(owned, schedule, job));
    }
    ends
}

/// Number of organizations that end later in a schedule than in another.
pub(super) fn later(owned: &Owned, schedule: &[Placement], than: &[Placement]) -> u64 {
    let pairs = ends(owned, schedule).into_iter().zip(ends(owned, than));
    pairs.filter(|(end, than)| end > than).count() as u64
}

/// Number of jobs that start later in a schedule than in another.
pub(super) fn delayed(schedule: &[Placement], than: &[Placement]) -> u64 {
    schedule.iter().zip(than).filter(|(one, than)| one.start > than.start).count() as u64
}

/// A time in which the number of busy processors of a cluster does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) busy: i64,
}

/// The stretches of each cluster, from 0 to its last end.
pub(super) fn stretches(owned: &Owned, schedule: &[Placement]) -> Vec<Vec<Stretch>> {
    let mut changes: Vec<Vec<(i64, i64)>> = vec![Vec::new(); owned.of_cluster.len()];
    for (job, place) in schedule.iter().enumerate() {
        let width = i64::from(owned.instance.tasks[job].processors);
        changes[place.cluster].push((place.start.ticks(), width));
        changes[place.cluster].push((end(owned, schedule, job).ticks(), -width));
    }
    let stretched = |mut changes: Vec<(i64, i64)>| {
        changes.sort_unstable();
        let (mut from, mut busy) = (0, 0);
        let mut all = Vec::new();
        for (at, change) in changes {
            if at > from {
                all.push(Stretch { from, to: at, busy });
                from = at;
            }
            busy += change;
        }
        all
    };
    changes.into_iter().map(stretched).collect()
}

/// The low zone of a cluster: from the first time at which at most half of it is busy to the last
/// time at which this is so while some processor is; and how long in all some, but at most half are
/// busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    pub(super) start: i64,
    pub(super) end: Option<i64>,
    pub(super) low: i64,
}

/// The low zone of a cluster of so many processors.
pub(super) fn zone(stretches: &[Stretch], processors: u32) -> Zone {
    let is_low = |one: &&Stretch| 2 * one.busy <= i64::from(processors);
    let last = stretches.last().map_or(0, |last| last.to);
    let in_use = stretches.iter().filter(is_low).filter(|one| one.busy > 0);
    Zone {
        start: stretches.iter().find(is_low).map_or(last, |first| first.from),
        end: in_use.clone().next_back().map(|last| last.to),
        low: in_use.map(|one| one.to - one.from).sum(),
    }
}

/// Statements of the paper that an instance breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Broken {
    /// Proposition 1: after a time of low use, a local schedule has high use again.
    pub(super) proposition_1: bool,
    /// Section 4.1: a job that MOLBA(2) is to leave where it is has moved.
    pub(super) stays: bool,
    /// Lemma 1: the low zone of a cluster is longer than the longest job.
    pub(super) lemma_1: bool,
    /// The same for the time in which at most half of the cluster, but not none of it, is busy.
    pub(super) lemma_1_in_all: bool,
    /// Lemma 2: more than half of every cluster is busy at twice the average work.
    pub(super) lemma_2: bool,
    /// Proposition 3: the last job is low, and ends later than the longest job after twice the
    /// average work.
    pub(super) proposition_3: bool,
}

/// Judges the local schedules and the schedule of MOLBA(2). Clusters are of one size.
pub(super) fn broken(
    owned: &Owned,
    size: &Size,
    are_left_out: bool,
    local: &[Placement],
    molba: &[Placement],
) -> Broken {
    let processors = owned.instance.clusters.first().copied().unwrap_or(0);
    let is_high = |busy: i64| 2 * busy > i64::from(processors);
    let falls = |all: &Vec<Stretch>| all.is_sorted_by_key(|one| !is_high(one.busy));
    let have_jobs = have_jobs(owned);
    let used = stretches(owned, molba).into_iter().zip(&owned.of_cluster);
    let used = used.filter(|(_, owner)| !are_left_out || have_jobs[**owner as usize]);
    let zones: Vec<Zone> = used.map(|(all, _)| zone(&all, processors)).collect();
    let is_long =
        |zone: &Zone| zone.end.is_some_and(|end| i128::from(end - zone.start) > size.longest);
    let is_half_idle = |zone: &Zone| size.processors * i128::from(zone.start) <= 2 * size.work;
    let last = makespan(owned, molba);
    let low_is_last = (0..molba.len()).any(|job| {
        !is_high(owned.instance.tasks[job].processors.into()) && end(owned, molba, job) == last
    });
    let limit = 2 * size.work + size.processors * size.longest;
    let leaves = given(owned, size, 2, local);
    Broken {
        proposition_1: !stretches(owned, local).iter().all(falls),
        stays: (0..molba.len()).any(|job| !leaves[job] && molba[job] != local[job]),
        lemma_1: zones.iter().any(is_long),
        lemma_1_in_all: zones.iter().any(|zone| i128::from(zone.low) > size.longest),
        lemma_2: !zones.iter().any(is_half_idle),
        proposition_3: low_is_last && size.scaled(last) > limit,
    }
}

/// Organizations that end at alpha times the average work plus the longest job or later.
pub(super) fn late(owned: &Owned, size: &Size, alpha: i128, local: &[Placement]) -> Vec<bool> {
    let threshold = alpha * size.work + size.processors * size.longest;
    let have_jobs = have_jobs(owned);
    let is_late = |(&has_jobs, &end): (&bool, &Time)| has_jobs && size.scaled(end) >= threshold;
    have_jobs.iter().zip(&ends(owned, local)).map(is_late).collect()
}

/// By job: true if MOLBA(alpha) takes it away, as its organization is late and it starts after twice the
/// average work.
pub(super) fn given(owned: &Owned, size: &Size, alpha: i128, local: &[Placement]) -> Vec<bool> {
    let late = late(owned, size, alpha, local);
    let gives = |job: usize| {
        late[owned.of_task[job] as usize] && size.scaled(local[job].start) > 2 * size.work
    };
    (0..local.len()).map(gives).collect()
}
