//! Time-shared clusters: one job at a time, in order of submission, never idle while a job waits.

use super::facts::{ClusterFacts, JobFacts};
use super::report::{Check, Violation};
use kernel::time::Time;

/// The check in its initial state.
pub(super) fn check() -> Check {
    Check::new(
        "time sharing",
        "a time-shared cluster serves one job at a time, in the order of submission, and never rests \
         while one waits",
    )
}

/// A time-shared cluster. Its unit speed is checked with the times.
pub(super) struct Server {
    stopped: Option<Time>,
    /// Time at which all jobs so far are done, and the number of the last one.
    done: Time,
    last: Option<u64>,
}

impl Server {
    pub fn new(stopped: Option<Time>) -> Server {
        Server { stopped, done: Time::ZERO, last: None }
    }

    /// Compares a job's start with the end of the jobs before it.
    pub fn serve(&mut self, job: &JobFacts, cluster: &ClusterFacts, check: &mut Check) {
        check.looked_at += 1;
        let over = |time: Time| self.stopped.is_some_and(|stopped| time >= stopped);
        if over(job.submit) {
            return;
        }
        let (number, due) = (job.number, self.done.max(job.submit));
        let wrong = match job.start {
            Some(start) if start < due => {
                let before = self.last.unwrap_or_default();
                let text = format!(
                    "job {number} started at {start} although job {before}, which came before it, \
                     was not done before {due}"
                );
                Some((start, self.last, text))
            }
            Some(start) if start > due && !over(due) => {
                let text =
                    format!("job {number} started at {start} although its turn was at {due}");
                Some((due, None, text))
            }
            None if !over(due) => Some((
                due,
                None,
                format!("job {number} never started although its turn was at {due}"),
            )),
            _ => None,
        };
        if let Some((time, other, text)) = wrong {
            check.violated(|| {
                Violation::of_job(job, Some(time), text).at(&cluster.name).with(other)
            });
        }
        let end = match (job.start, job.finish) {
            (_, Some(finish)) => finish,
            (Some(_), None) => Time::NEVER,
            (None, None) => return,
        };
        if end >= self.done {
            (self.done, self.last) = (end, Some(number));
        }
    }
}
