//! Candidates of a planner, in one flat list: a planner may propose hundreds.

use kernel::time::Time;
use model::ids::ClusterId;

/// The place of one job in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The job, by its place in the problem.
    pub job: u32,
    /// Its cluster.
    pub cluster: ClusterId,
    /// Its start; [`Time::NEVER`] if that lies beyond the range of times.
    pub start: Time,
}

/// Candidate plans, each with a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plans {
    steps: Vec<Step>,
    ends: Vec<usize>,
    names: Vec<&'static str>,
}

impl Plans {
    /// Adds a step to the candidate that is being written.
    #[inline]
    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Ends the candidate that is being written, and names it.
    pub fn close(&mut self, name: &'static str) {
        self.ends.push(self.steps.len());
        self.names.push(name);
    }

    /// Returns the number of candidates.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there is no candidate.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the steps of a candidate.
    pub fn steps(&self, candidate: usize) -> &[Step] {
        let from = candidate.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.steps[from..self.ends[candidate]]
    }

    /// Returns the name of a candidate.
    pub fn name(&self, candidate: usize) -> &'static str {
        self.names[candidate]
    }
}
