//! Progress of a run, told to whoever watches it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::pulse::Board;
use kernel::time::Time;
use model::job::Job;
use scenario::plan::{Plan, Until};

/// Progress of a replication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Jobs submitted so far.
    pub jobs: u64,
    /// Jobs that are over: finished, rejected or dropped.
    pub over: u64,
    /// Finished rounds.
    pub rounds: u64,
    /// Simulated time, in ticks.
    pub ticks: u64,
    /// Steps of work: wakes of agents, or balancings.
    pub wakes: u64,
}

/// Progress of a run, for a display on another thread.
#[derive(Debug, Default)]
pub struct Progress {
    jobs: AtomicU64,
    /// Jobs that are over.
    over: AtomicU64,
    /// Simulated time over all replications, in ticks.
    ticks: AtomicU64,
    /// Finished rounds of a coalition.
    rounds: AtomicU64,
    /// Number of runs in each replication, less one.
    beside: AtomicU32,
    /// Number of replications that are run, where they differ in length; 0 where they do not.
    cells: AtomicU32,
    board: Board,
}

impl Progress {
    /// Jobs submitted so far in all replications, including first (pilot) runs.
    pub fn jobs(&self) -> u64 {
        self.jobs.load(Ordering::Relaxed)
    }

    /// Finished rounds of a coalition so far, in all replications.
    pub fn rounds(&self) -> u64 {
        self.rounds.load(Ordering::Relaxed)
    }

    /// The progress of a comparison, which plays every replication once for each of its runs.
    pub fn of_several(runs: usize) -> Progress {
        Progress { beside: AtomicU32::new(runs.saturating_sub(1) as u32), ..Progress::default() }
    }

    /// The progress of this many replications of different length.
    pub fn of_cells(cells: u32) -> Progress {
        Progress { cells: AtomicU32::new(cells), ..Progress::default() }
    }

    /// The board on which replications publish their pulses.
    pub(crate) fn board(&self) -> &Board {
        &self.board
    }

    /// The fraction of the run that is done, if known.
    pub fn share(&self, plan: &Plan) -> Option<f64> {
        if plan.precision.is_some() {
            return None;
        }
        let cells = self.cells.load(Ordering::Relaxed);
        if cells > 0 {
            return Some((f64::from(self.board.read().ended) / f64::from(cells)).min(1.0));
        }
        let each = if plan.output.alone { 2.0 } else { 1.0 };
        let runs = f64::from(1 + self.beside.load(Ordering::Relaxed));
        let replications =
            runs * (f64::from(plan.replications) * each + f64::from(plan.first_runs()));
        let (done, all) = match (plan.until, plan.jobs()) {
            (Until::Time(time), _) => {
                (self.ticks.load(Ordering::Relaxed) as f64, time.ticks() as f64)
            }
            (Until::Rounds(rounds), _) => {
                let on_average = plan.goes_on.map(|probability| 1.0 / (1.0 - probability));
                (self.rounds() as f64, on_average.unwrap_or(rounds as f64))
            }
            // The work goes on after the last submission, for as long as jobs wait.
            (_, Some(jobs)) => (self.over.load(Ordering::Relaxed) as f64, jobs as f64),
            _ => return None,
        };
        Some((done / (all * replications).max(1.0)).min(1.0))
    }

    /// The fraction done of `passes` passes over the jobs of one replication, at most `most` each.
    pub fn share_drawn(&self, plan: &Plan, most: u64, passes: u32) -> f64 {
        let jobs = plan.jobs().map_or(most, |jobs| jobs.min(most));
        let passes = f64::from(passes);
        let by_jobs = self.jobs() as f64 / (jobs as f64 * passes).max(1.0);
        let share = match plan.until {
            Until::Time(time) => {
                let ticks = self.ticks.load(Ordering::Relaxed) as f64;
                by_jobs.max(ticks / (time.ticks() as f64 * passes))
            }
            Until::Drained | Until::Jobs(_) | Until::Rounds(_) => by_jobs,
        };
        share.min(1.0)
    }

    /// Adds what a replication has done since it was last told.
    pub(super) fn tell(&self, told: &mut Seen, seen: Seen) {
        self.jobs.fetch_add(seen.jobs - told.jobs, Ordering::Relaxed);
        self.over.fetch_add(seen.over - told.over, Ordering::Relaxed);
        self.rounds.fetch_add(seen.rounds - told.rounds, Ordering::Relaxed);
        self.ticks.fetch_add(seen.ticks.saturating_sub(told.ticks), Ordering::Relaxed);
        *told = seen;
    }

    /// Counts a finished round.
    pub(super) fn played(&self) {
        self.rounds.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a job that was drawn after one submitted at `before`.
    pub(super) fn drawn(&self, job: &Job, before: &mut Time) {
        let passed = (job.submit - *before).ticks() as u64;
        self.jobs.fetch_add(1, Ordering::Relaxed);
        self.ticks.fetch_add(passed, Ordering::Relaxed);
        *before = job.submit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::files::Files;
    use scenario::{Input, Overrides};

    /// Before, a run whose jobs were all submitted was "100.0% done" while a million of them waited.
    #[test]
    fn a_run_is_done_when_its_jobs_are() {
        let text = "name = \"p\"\nrun.until.jobs = 100\n[[organization]]\nname = \"a\"\n\
                    cluster.space_shared = { processors = 1, scheduler.fcfs = {} }\nworkload.synthetic = \
                    { arrivals.poisson.rate = 1.0, size.exponential.mean = 1.0 }\n";
        let input = Input::Bytes { name: "p", bytes: text.into() };
        let plan = scenario::load(input, &Overrides::default(), &mut Files::default());
        let plan = plan.expect("it is a scenario").0;
        let (progress, mut told) = (Progress::default(), Seen::default());
        progress.tell(&mut told, Seen { jobs: 100, over: 10, ..Seen::default() });
        assert_eq!((progress.jobs(), progress.share(&plan)), (100, Some(0.1)));
        progress.tell(&mut told, Seen { jobs: 100, over: 100, ..Seen::default() });
        assert_eq!(progress.share(&plan), Some(1.0));
    }
}
