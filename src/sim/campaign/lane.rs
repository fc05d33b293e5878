//! A lane: processors of a site that do the same at the same times, and the run that they are at.

use serde::{Deserialize, Serialize};

use kernel::time::{Span, Time};
use policy::tasks::Run;

/// A run under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Running {
    /// Number of the class.
    pub class: u32,
    /// Tasks of each processor, one after the other.
    pub tasks: u64,
    /// Start of the first.
    pub start: Time,
    /// Length of a task.
    pub time: Span,
    /// End of the last.
    pub end: Time,
}

impl Running {
    pub(super) fn new(class: u32, tasks: u64, start: Time, time: Span) -> Running {
        let ticks = i64::try_from(tasks).unwrap_or(i64::MAX).saturating_mul(time.ticks());
        Running { class, tasks, start, time, end: start.saturating_add(Span::from_ticks(ticks)) }
    }

    /// Number of its tasks that have ended by a time.
    pub(super) fn finished(&self, now: Time) -> u64 {
        ((now - self.start).ticks() / self.time.ticks()).clamp(0, self.tasks as i64) as u64
    }

    /// Cuts it behind the tasks that have started before a time, and returns the tasks that are cut off.
    pub(super) fn cut(&mut self, now: Time) -> u64 {
        let passed = (now - self.start).ticks();
        let started =
            (passed / self.time.ticks() + i64::from(passed % self.time.ticks() > 0)) as u64;
        let left = self.tasks.saturating_sub(started);
        *self = Running::new(self.class, self.tasks - left, self.start, self.time);
        left
    }
}

/// Processors that do the same at the same times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lane {
    /// Number of processors.
    pub processors: u64,
    /// The class for which they worked last.
    pub class: Option<u32>,
    /// Their current run.
    pub now: Option<Running>,
    /// Their next runs; the last entry comes first.
    pub then: Vec<(u32, u64)>,
    /// Since when they wait for their next run.
    pub asked: Time,
}

impl Lane {
    pub(super) fn idle(processors: u64, now: Time) -> Lane {
        Lane { processors, class: None, now: None, then: Vec::new(), asked: now }
    }

    /// Gives it what it does from now on.
    pub(super) fn set(&mut self, runs: &[Run]) {
        self.then = runs.iter().rev().map(|run| (run.class, run.tasks)).collect();
    }
}
