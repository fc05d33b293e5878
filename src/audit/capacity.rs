//! No cluster ever runs more than it has.

use super::facts::Kind;
use super::replay::Run;
use super::report::{Check, Violation};
use crate::kernel::time::Time;

/// Sweeps over each space-shared cluster's starts and ends; at one instant the ends come first.
/// A job that ends the instant it starts holds nothing.
pub(super) fn capacity(runs: &[Run<'_>]) -> Check {
    let mut check = Check::new(
        "capacity",
        "no space-shared cluster uses more processors than it has, and what is larger never starts",
    );
    for run in runs {
        if matches!(run.cluster.kind, Kind::SpaceShared(_)) {
            sweep(run, &mut check);
        }
    }
    check
}

fn sweep(run: &Run<'_>, check: &mut Check) {
    let has = i64::from(run.cluster.processors);
    check.looked_at += (run.jobs.len() + run.oversized.len()) as u64;
    for &job in run.oversized.iter().filter(|job| job.start.is_some()) {
        check.violated(|| {
            let text = format!(
                "job {} started with {} processors; there are {has}",
                job.number, job.processors
            );
            Violation::of_job(job, job.start, text).at(run.name())
        });
    }
    // (when, whether it is a start, who)
    let mut events: Vec<(Time, bool, usize)> = Vec::new();
    for (place, job) in run.jobs.iter().enumerate() {
        let Some(start) = job.start else { continue };
        let finish = job.finish.unwrap_or(Time::NEVER);
        if finish > start {
            events.extend([(start, true, place), (finish, false, place)]);
        }
    }
    events.sort_unstable();
    let mut free = has;
    for (time, is_start, place) in events {
        let size = i64::from(run.jobs[place].processors);
        if !is_start {
            free += size;
            continue;
        }
        if size > free {
            run.violated(check, place, None, time, || {
                format!(
                    "job {} started at {time} with {size} processors when {} of {has} were free",
                    run.jobs[place].number,
                    free.max(0)
                )
            });
        }
        free -= size;
    }
}
