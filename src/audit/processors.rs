//! No processor ever serves two jobs.

use std::collections::BTreeMap;

use super::replay::Run;
use super::report::{Check, Violation};
use crate::kernel::time::Time;
use crate::model::interval_set::IntervalSet;

/// Sweeps over the starts and ends of the jobs whose processors are named.
pub(super) fn named(runs: &[Run<'_>]) -> Check {
    let mut check = Check::new(
        "named processors",
        "the processors named for a job are as many as it needs, its cluster has them, and no other \
         job holds them while it runs",
    );
    for run in runs {
        let names = run.jobs.iter().any(|job| job.allocated.is_some());
        if names {
            sizes(run, &mut check);
            overlaps(run, &mut check);
        }
    }
    check
}

/// Each set by itself.
fn sizes(run: &Run<'_>, check: &mut Check) {
    for &job in run.jobs.iter().filter(|job| job.start.is_some()) {
        check.looked_at += 1;
        let text = match &job.allocated {
            None => format!("job {} names no processors, as others here do", job.number),
            Some(set) if set.len() != u64::from(job.processors) => {
                format!("job {} needs {} processors and names {set}", job.number, job.processors)
            }
            Some(set) if set.highest().is_some_and(|last| last >= run.cluster.processors) => {
                format!(
                    "job {} names the processors {set}; there are {}",
                    job.number, run.cluster.processors
                )
            }
            Some(_) => continue,
        };
        check.violated(|| Violation::of_job(job, job.start, text).at(run.name()));
    }
}

/// All sets against each other.
fn overlaps(run: &Run<'_>, check: &mut Check) {
    // (when, whether it is a start, who)
    let mut events: Vec<(Time, bool, usize)> = Vec::new();
    for (place, job) in run.jobs.iter().enumerate() {
        let Some(start) = job.start else { continue };
        let finish = job.finish.unwrap_or(Time::NEVER);
        if finish > start && job.allocated.is_some() {
            events.extend([(start, true, place), (finish, false, place)]);
        }
    }
    events.sort_unstable();
    let empty = IntervalSet::new();
    // The intervals in use, by their first processor: the last one and who holds them.
    let mut busy: BTreeMap<u32, (u32, usize)> = BTreeMap::new();
    for (time, is_start, place) in events {
        let job = run.jobs[place];
        let mut clash = None;
        for interval in job.allocated.as_ref().unwrap_or(&empty).intervals() {
            let (first, last) = interval.into_inner();
            if !is_start {
                if busy.get(&first).is_some_and(|&(_, holder)| holder == place) {
                    busy.remove(&first);
                }
                continue;
            }
            match busy.range(..=last).next_back() {
                Some((&from, &(to, holder))) if to >= first => {
                    clash = clash.or(Some((from.max(first), holder)));
                }
                _ => {
                    busy.insert(first, (last, place));
                }
            }
        }
        if let Some((processor, holder)) = clash {
            run.violated(check, place, Some(holder), time, || {
                format!(
                    "job {} started at {time} on processor {processor}, which job {} held",
                    job.number, run.jobs[holder].number
                )
            });
        }
    }
}
