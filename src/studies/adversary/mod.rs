//! A search for bad instances of a scheduler: hill climbing on makespan / optimum.
//!
//! Several restarts climb independently from random instances. Each accepts better and equal
//! instances, and worse ones with a tolerance that falls to zero, as in simulated annealing. The
//! scheduler and the exact optimum are given as functions, so any scheduler can be searched.
//! Nothing depends on the number of threads: every restart has its own random numbers.

use std::ops::ControlFlow;

use rayon::prelude::*;

use bounds::instance::Instance;
use kernel::time::{Span, Time};

mod chain;
mod draw;
mod moves;
mod simplify;

#[cfg(test)]
mod tests;

use chain::Chain;
pub use simplify::simplify;

/// Makespan of the scheduler on an instance.
pub type Makespan<'a> = &'a (dyn Fn(&Instance) -> Time + Sync);

/// Smallest makespan of an instance, or `None` if it was not proved.
pub type Optimum<'a> = &'a (dyn Fn(&Instance) -> Option<Time> + Sync);

/// The space and the effort of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Number of clusters.
    pub clusters: usize,
    /// Largest number of jobs.
    pub jobs: usize,
    /// True if jobs are submitted over time, false if all are submitted at time 0.
    pub releases: bool,
    /// Largest number of processors of a cluster.
    pub most_processors: u32,
    /// Greatest length of a job and latest release, in units of time.
    pub most_length: u32,
    /// Length of a tiny job, up to one unit. Releases may also be later than others by this.
    pub tiny: Span,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Number of independent restarts.
    pub restarts: u32,
    /// Number of instances that are scheduled, divided evenly among the restarts.
    pub evaluations: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            clusters: 2,
            jobs: 10,
            releases: false,
            most_processors: 24,
            most_length: 8,
            tiny: Span::from_ticks(Span::UNIT.ticks() / 1000),
            seed: 1,
            restarts: 32,
            evaluations: 200_000,
        }
    }
}

/// An instance with the makespan of the scheduler and the smallest possible one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadInstance {
    /// Clusters and jobs.
    pub instance: Instance,
    /// Makespan of the scheduler.
    pub makespan: Time,
    /// Smallest makespan.
    pub optimum: Time,
}

impl BadInstance {
    /// Returns true if its ratio is greater than that of `other`; the comparison is exact.
    pub fn is_worse_than(&self, other: &BadInstance) -> bool {
        let product =
            |one: Time, another: Time| i128::from(one.ticks()) * i128::from(another.ticks());
        product(self.makespan, other.optimum) > product(other.makespan, self.optimum)
    }

    /// Returns makespan / optimum.
    pub fn ratio(&self) -> f64 {
        self.makespan.as_units() / self.optimum.as_units()
    }
}

/// The state of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of instances scheduled.
    pub evaluations: u64,
    /// Number of these whose optimum was asked for.
    pub solved: u64,
    /// Number of these whose optimum was not proved.
    pub unproved: u64,
    /// The instance with the greatest ratio; of equal ones that of the first restart.
    pub best: Option<BadInstance>,
    /// Number of the restart that found it, from 0.
    pub restart: u32,
}

/// Ticks of a unit of time.
const UNIT: u64 = Span::UNIT.ticks().cast_unsigned();

/// Instances that a restart schedules between two reports of progress.
const ROUND: u64 = 250;

/// Searches for the instance with the greatest makespan / optimum.
///
/// `progress` is called after each round and can end the search. The result is the last state.
///
/// # Errors
/// A number of the settings is zero or very large.
pub fn search(
    settings: &Settings,
    makespan: Makespan<'_>,
    optimum: Optimum<'_>,
    progress: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Progress, String> {
    settings.check()?;
    let each = (settings.evaluations / u64::from(settings.restarts)).max(1);
    let mut chains: Vec<Chain> =
        (0..settings.restarts).map(|number| Chain::new(settings, number)).collect();
    let mut done = 0;
    loop {
        let round = ROUND.min(each - done);
        chains.par_iter_mut().for_each(|chain| {
            for step in done..done + round {
                chain.step(settings, (step, each), makespan, optimum);
            }
        });
        done += round;
        let state = state(&chains);
        if progress(&state).is_break() || done == each {
            return Ok(state);
        }
    }
}

/// Returns the sums and the best of all restarts.
fn state(chains: &[Chain]) -> Progress {
    let mut state = Progress { evaluations: 0, solved: 0, unproved: 0, best: None, restart: 0 };
    for (restart, chain) in (0..).zip(chains) {
        state.evaluations += chain.evaluations;
        state.solved += chain.solved;
        state.unproved += chain.unproved;
        let Some(found) = &chain.best else { continue };
        if state.best.as_ref().is_none_or(|best| found.is_worse_than(best)) {
            (state.best, state.restart) = (Some(found.clone()), restart);
        }
    }
    state
}

impl Settings {
    fn check(&self) -> Result<(), String> {
        let (jobs, clusters) = (self.jobs as u64, self.clusters as u64);
        let limits = [
            ("clusters", clusters, 1_000),
            ("jobs", jobs, 1_000),
            ("most_processors", self.most_processors.into(), 1 << 24),
            ("most_length", self.most_length.into(), 1_000_000),
            ("tiny, in ticks,", self.tiny.ticks().max(0).cast_unsigned(), UNIT),
            ("restarts", self.restarts.into(), 100_000),
            ("evaluations", self.evaluations, u64::MAX),
        ];
        for (name, value, most) in limits {
            if !(1..=most).contains(&value) {
                return Err(format!("{name} is {value}; it must be between 1 and {most}"));
            }
        }
        Ok(())
    }
}
