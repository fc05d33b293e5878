//! Mean flow and waiting time with the luck of the drawn jobs taken out.
//!
//! The models that jobs are drawn from tell their mean area and mean interarrival time. By how much
//! the jobs of a replication are larger, and come closer together, than that is a control of its
//! flow and waiting times ([`stats::control`]). The result stands beside the plain mean and
//! never replaces it. Whether there is one depends on the plan and on numbers of jobs only.

use super::typical::Typical;
use kernel::time::sum_as_units as units;
use sim::accounts::Account;
use stats::control::{CONTROLS, Controlled, Row};

/// Sums of the replications for the whole grid, in their order.
#[derive(Clone, Debug, Default)]
pub struct Controls {
    /// Flow time, waiting time, number of jobs that count.
    sums: Vec<[f64; 3]>,
    controls: Vec<[f64; CONTROLS]>,
    /// Expected area of a replication's jobs.
    scale: f64,
    /// Number of jobs by workload in the first replication.
    jobs: Vec<u64>,
    /// True if models are not known, or replications have different numbers of jobs. What came up
    /// to a time is no sample of a fixed size, and its mean interarrival time is biased.
    is_unfit: bool,
}

impl Controls {
    /// Adds the account of the whole grid in a replication.
    pub fn add(&mut self, grid: &Account) {
        let sums = [grid.flow.sum(), grid.wait.sum()].map(units);
        self.sums.push([sums[0], sums[1], grid.flow.count() as f64]);
    }

    /// Adds the jobs of the same replication.
    pub(crate) fn add_jobs(&mut self, typical: &Typical) {
        let Some((deviations, scale)) = typical.deviations() else {
            self.is_unfit = true;
            return;
        };
        let jobs = typical.jobs();
        if self.controls.is_empty() {
            (self.jobs, self.scale) = (jobs, scale);
        } else {
            self.is_unfit |= self.jobs != jobs;
        }
        self.controls.push(deviations);
    }

    /// A controlled mean: of flow times (0) or waiting times (1).
    pub fn of(&self, which: usize) -> Option<Controlled> {
        if self.is_unfit || self.controls.len() != self.sums.len() {
            return None;
        }
        let rows: Vec<Row> = (self.sums.iter().zip(&self.controls))
            .map(|(sums, &controls)| Row { sum: sums[which], count: sums[2], controls })
            .collect();
        Controlled::new(&rows, self.scale)
    }
}
