//! Jobs that were submitted and are not handed over yet.

use std::collections::VecDeque;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::asked::Asked;
use kernel::time::Time;

/// Jobs that wait for the instant at which they are handed over.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "J: Serialize + DeserializeOwned")]
pub struct Handed<J> {
    asked: Asked,
    held: VecDeque<J>,
    /// The instant that the clock tells for them.
    at: Option<Time>,
    /// True if nothing more is handed over.
    is_closed: bool,
}

impl<J> Handed<J> {
    /// No jobs.
    pub fn new(asked: Asked) -> Handed<J> {
        Handed { asked, held: VecDeque::new(), at: None, is_closed: false }
    }

    /// Returns true if jobs are never held.
    #[inline]
    pub fn is_direct(&self) -> bool {
        self.asked == Asked::Arrival
    }

    /// Returns true if jobs that come now are never handed over.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Holds a job.
    pub fn hold(&mut self, job: J, now: Time) {
        if self.held.is_empty() {
            self.at = self.asked.next(now);
        }
        self.held.push_back(job);
    }

    /// Returns the jobs to hand over now, in order of submission. `is_over` tells whether all that were
    /// handed over before have ended.
    pub fn due(&mut self, now: Time, is_over: bool) -> impl Iterator<Item = J> {
        let is_due = match self.asked {
            Asked::Arrival => true,
            Asked::Batch => is_over,
            Asked::Once => !self.is_closed,
            Asked::Every(_) => self.at.is_some_and(|at| at <= now),
        };
        if is_due {
            self.at = None;
            self.is_closed = self.asked == Asked::Once && !self.held.is_empty();
        }
        let due = if is_due { self.held.len() } else { 0 };
        self.held.drain(..due)
    }

    /// Time at which jobs are handed over next, if the clock tells it.
    #[inline]
    pub fn wake(&self) -> Option<Time> {
        self.at
    }
}
