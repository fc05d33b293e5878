//! Waiting times that traces and lists record, beside the simulated ones of the same jobs.
//!
//! They are those of the real machine with its own scheduler, policies and interruptions, so they
//! tell how far a simulation is from it, not which of the two is right. A trace whose load is scaled
//! has other jobs than the machine had: its recorded waits are left out.

use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Time, sum_as_units};
use model::job::Job;
use sim::accounts::{Counting, details};
use sim::observer::{Finished, Observer};
use stats::distribution::{Detail, Distribution};

/// Recorded waiting times of an organization's jobs, or of all.
#[derive(Clone, Debug)]
pub struct Waits {
    /// Recorded waiting times, in ticks.
    pub recorded: Distribution,
    /// Number of jobs of such traces and lists that have none.
    pub missing: u64,
    /// Simulated waits of the jobs with a recorded one, in ticks.
    simulated: i128,
}

impl Waits {
    fn new(detail: Detail) -> Waits {
        Waits { recorded: Distribution::new(detail), missing: 0, simulated: 0 }
    }

    #[inline]
    fn add(&mut self, job: &Job, finished: &Finished<'_>) {
        match job.recorded.wait() {
            None => self.missing += 1,
            Some(wait) => {
                self.recorded.record(wait.ticks() as u64);
                self.simulated += i128::from(finished.wait().ticks());
            }
        }
    }

    /// Mean simulated wait of the jobs with a recorded one, in units.
    pub fn simulated_mean(&self) -> Option<f64> {
        let jobs = self.recorded.count();
        (jobs > 0).then(|| sum_as_units(self.simulated) / jobs as f64)
    }

    fn merge(&mut self, other: &Waits) {
        self.recorded.merge(&other.recorded);
        self.missing += other.missing;
        self.simulated += other.simulated;
    }
}

/// Recorded waiting times of the jobs that count and ended; an [`Observer`].
#[derive(Clone, Debug)]
pub struct TraceWaits {
    counting: Counting,
    /// Workloads whose recorded waits are shown.
    is_shown: Vec<bool>,
    /// By organization, then for the grid; empty if no workload is shown.
    waits: Vec<Waits>,
    /// True if the grid's are made of the organizations' at the end, which have the same detail.
    is_sum: bool,
}

impl TraceWaits {
    /// No jobs yet; `is_shown` are the workloads whose recorded waits are shown.
    pub fn new(is_shown: Vec<bool>, organizations: usize, counting: Counting) -> TraceWaits {
        let (own, grid) = details(organizations, counting.quantiles);
        let all = std::iter::repeat_n(own, organizations).chain([grid]);
        let waits =
            if is_shown.contains(&true) { all.map(Waits::new).collect() } else { Vec::new() };
        TraceWaits { counting, is_shown, waits, is_sum: own == grid }
    }

    /// Adds the jobs of another replication.
    pub fn merge(&mut self, other: &TraceWaits) {
        for (all, one) in self.waits.iter_mut().zip(&other.waits) {
            all.merge(one);
        }
    }

    /// Waits of an organization, or of the grid for the number of organizations; `None` if no job
    /// of it has a recorded wait.
    pub fn of(&self, index: usize) -> Option<&Waits> {
        self.waits.get(index).filter(|waits| waits.recorded.count() > 0)
    }

    /// True if any recorded wait is known.
    pub fn is_any(&self) -> bool {
        self.of(self.waits.len().saturating_sub(1)).is_some()
    }

    #[inline]
    fn counts(&self, job: &Job) -> bool {
        self.is_shown.get(job.source as usize) == Some(&true)
            && (self.counting.from..self.counting.until).contains(&job.submit)
    }
}

impl Observer for TraceWaits {
    #[inline]
    fn finished(&mut self, finished: Finished<'_>) {
        let job = finished.job;
        if !self.counts(job) {
            return;
        }
        self.waits[job.organization.index()].add(job, &finished);
        if !self.is_sum {
            let grid = self.waits.len() - 1;
            self.waits[grid].add(job, &finished);
        }
    }

    fn ended(&mut self, _: Time) {
        self.waits.iter_mut().for_each(|waits| waits.recorded.close());
        if self.is_sum
            && let Some((grid, organizations)) = self.waits.split_last_mut()
        {
            let detail = details(organizations.len(), self.counting.quantiles).1;
            *grid = Waits::new(detail);
            organizations.iter().for_each(|one| grid.merge(one));
        }
    }
}

impl State for TraceWaits {
    fn save(&self, out: &mut Vec<u8>) {
        for waits in &self.waits {
            put(&(waits.missing, waits.simulated), out);
            waits.recorded.save(out);
        }
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        for waits in &mut self.waits {
            (waits.missing, waits.simulated) = take(from)?;
            waits.recorded.load(from)?;
        }
        Ok(())
    }
}
