//! List schedules: each job in turn is placed where and when it ends first.

use super::Job;

/// Busy processors of one cluster over time.
#[derive(Clone, Debug)]
pub(super) struct Timeline {
    /// Times at which the number may change, ascending, and the number from each time on. The
    /// first is the beginning of time, and the last number is 0.
    steps: Vec<(i64, i64)>,
}

impl Default for Timeline {
    fn default() -> Timeline {
        Timeline { steps: vec![(i64::MIN, 0)] }
    }
}

impl Timeline {
    /// Removes all jobs.
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.steps.push((i64::MIN, 0));
    }

    /// Adds a job that starts at `start`. Takes time O(jobs placed).
    pub(super) fn place(&mut self, job: &Job, start: i64) {
        let first = self.split(start);
        let end = self.split(start + job.length);
        for (_, busy) in &mut self.steps[first..end] {
            *busy += job.size;
        }
    }

    /// Returns the earliest start of `job` beside the jobs placed, on a cluster of `capacity`
    /// processors, which are at least the job's. Gaps between jobs are used. Takes time O(jobs
    /// placed).
    pub(super) fn earliest(&self, job: &Job, capacity: i64) -> i64 {
        let mut start = job.release;
        for (step, &(from, busy)) in self.steps.iter().enumerate() {
            if from >= start + job.length {
                break;
            }
            if busy + job.size > capacity {
                // Not the last step, at which no processor is busy.
                start = start.max(self.steps[step + 1].0);
            }
        }
        start
    }

    /// Returns the index of the step at `time`, which is inserted if there is none.
    fn split(&mut self, time: i64) -> usize {
        let at = self.steps.partition_point(|&(from, _)| from < time);
        if self.steps.get(at).is_none_or(|&(from, _)| from != time) {
            let busy = self.steps[at - 1].1;
            self.steps.insert(at, (time, busy));
        }
        at
    }
}

/// Starts and clusters of jobs, in the order of the jobs.
#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    /// Latest end.
    pub(super) makespan: i64,
    /// Start and cluster of each job.
    pub(super) places: Vec<(i64, usize)>,
}

impl Schedule {
    /// No schedule: longer than any.
    pub(super) fn none() -> Schedule {
        Schedule { makespan: i64::MAX, places: Vec::new() }
    }
}

/// Jobs of larger keys come first.
type Key = fn(&Job) -> (i128, i64);

/// Returns the shortest of `start` and of several list schedules that meet the due times. Every job
/// fits on some cluster; if jobs have due times, `start` is a schedule that meets them.
///
/// The lists are by size, length and work (size times length), with the largest or longest first,
/// over all jobs and release by release. Stops at a schedule as short as `lower`.
pub(super) fn best_list_schedule(
    jobs: &[Job],
    clusters: &[i64],
    lower: i64,
    start: Schedule,
) -> Schedule {
    let keys: [Key; 3] = [
        |job| (job.area(), job.length),
        |job| (job.length.into(), job.size),
        |job| (job.size.into(), job.length),
    ];
    let concurrent = jobs.windows(2).all(|pair| pair[0].release == pair[1].release);
    let mut best = start;
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    for by_release in [true, false] {
        for key in keys {
            order.sort_by_key(|&j| {
                let (first, second) = key(&jobs[j]);
                (if by_release { jobs[j].release } else { 0 }, -first, -second, j)
            });
            let found = list_schedule(jobs, clusters, &order);
            let mut placed = jobs.iter().zip(&found.places);
            let is_kept = placed.all(|(job, place)| place.0 + job.length <= job.due);
            if is_kept && found.makespan < best.makespan {
                best = found;
            }
            if best.makespan <= lower {
                return best;
            }
        }
        if concurrent {
            break;
        }
    }
    best
}

/// Places the jobs in the given order, each on the cluster where it ends first; of several, on the
/// first.
fn list_schedule(jobs: &[Job], clusters: &[i64], order: &[usize]) -> Schedule {
    let mut timelines = vec![Timeline::default(); clusters.len()];
    let mut schedule = Schedule { makespan: 0, places: vec![(0, 0); jobs.len()] };
    for &j in order {
        let job = &jobs[j];
        let wide_enough = (0..clusters.len()).filter(|&c| clusters[c] >= job.size);
        let (start, cluster) = wide_enough
            .map(|c| (timelines[c].earliest(job, clusters[c]), c))
            .min()
            .expect("each job fits on some cluster");
        timelines[cluster].place(job, start);
        schedule.places[j] = (start, cluster);
        schedule.makespan = schedule.makespan.max(start + job.length);
    }
    schedule
}
