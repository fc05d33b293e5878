//! Time-shared clusters: one job at a time, in the order of submission, and no rest while one
//! waits.

use super::facts::{Kind, Settings};
use super::replay::Run;
use super::report::Check;
use crate::kernel::time::Time;

/// Who is served when on the time-shared clusters. That they serve at unit speed is among the
/// times.
pub(super) fn discipline(runs: &[Run<'_>], settings: &Settings) -> Check {
    let mut check = Check::new(
        "time sharing",
        "a time-shared cluster serves one job at a time, in the order of submission, and never rests \
         while one waits",
    );
    for run in runs {
        if run.cluster.kind == Kind::TimeShared && !run.is_impossible(&mut check) {
            check.looked_at += run.jobs.len() as u64;
            serve(run, settings.stopped, &mut check);
        }
    }
    check
}

/// Compares each job's start with the end of those before it.
fn serve(run: &Run<'_>, stopped: Option<Time>, check: &mut Check) {
    let over = |time: Time| stopped.is_some_and(|stopped| time >= stopped);
    // When the cluster is done with all jobs so far, and the job it is done with last.
    let mut done = Time::ZERO;
    let mut last = None;
    for (place, job) in run.jobs.iter().enumerate() {
        let due = done.max(job.submit);
        let number = job.number;
        let before = last.map_or(0, |last: usize| run.jobs[last].number);
        match job.start {
            _ if over(job.submit) => return,
            Some(start) if start < due => run.violated(check, place, last, start, || {
                format!(
                    "job {number} started at {start} although job {before}, which came before it, \
                     was not done before {due}"
                )
            }),
            Some(start) if start > due && !over(due) => {
                run.violated(check, place, None, due, || {
                    format!("job {number} started at {start} although its turn was at {due}")
                })
            }
            None if !over(due) => run.violated(check, place, None, due, || {
                format!("job {number} never started although its turn was at {due}")
            }),
            _ => {}
        }
        let end = match (job.start, job.finish) {
            (_, Some(finish)) => finish,
            (Some(_), None) => Time::NEVER,
            (None, None) => continue,
        };
        if end >= done {
            (done, last) = (end, Some(place));
        }
    }
}
