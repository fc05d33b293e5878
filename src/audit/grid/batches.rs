//! Submission in batches, by Shmoys, Wein and Williamson, "Scheduling parallel machines on-line"
//! (1995).

use super::{Asking, GridRule, Literal, Site};

/// A grid under a rule that gets its jobs in batches: those submitted are held until no job of the
/// batch before waits or runs, and are then all submitted together. Held jobs do not wait, so a
/// site that prefers its owner's jobs does not see them.
///
/// With [`GridRule::Submission`] this is Grid Concurrent-Submission, applied to jobs submitted over
/// time (section 6 of the paper).
#[derive(Clone, Debug)]
pub struct Batches {
    grid: Literal,
    held: Vec<Asking>,
    /// Number of jobs of the current batch that wait or run.
    unfinished: usize,
}

impl Batches {
    /// An idle grid; see [`Literal::new`].
    ///
    /// # Panics
    /// If a group names a site that does not exist.
    pub fn new(rule: GridRule, sites: Vec<Site>, groups: Vec<Vec<usize>>) -> Batches {
        Batches { grid: Literal::new(rule, sites, groups), held: Vec::new(), unfinished: 0 }
    }

    /// Adds a job to the next batch.
    pub fn submit(&mut self, job: Asking) {
        self.held.push(job);
    }

    /// Ends one job, which gives its processors back to its site.
    ///
    /// # Panics
    /// If the site does not exist.
    pub fn freed(&mut self, site: usize, processors: u32) {
        self.unfinished = self.unfinished.saturating_sub(1);
        self.grid.freed(site, processors);
    }

    /// Submits the next batch if the one before has ended, and starts jobs until the rule starts no
    /// more; returns their ids and sites, in order.
    ///
    /// # Panics
    /// If the group of a held job does not exist.
    pub fn decide(&mut self) -> Vec<(usize, usize)> {
        if self.unfinished == 0 {
            self.held.drain(..).for_each(|job| self.grid.submit(job));
            self.unfinished = self.grid.all_waiting().count();
        }
        self.grid.decide()
    }

    /// The grid itself.
    pub fn grid(&self) -> &Literal {
        &self.grid
    }
}
