//! A scheduler's view of a job: nonclairvoyance enforced by types.
//!
//! A scheduler names the view it needs. [`Blind`] has no runtime at all; [`Expected`] adds the
//! runtime that a scheduler may expect under the run's clairvoyance setting. No view holds the true
//! runtime, so a scheduler cannot peek.

use serde::{Deserialize, Serialize};

use super::ids::{JobId, OrganizationId};
use kernel::time::{Span, Time};

/// A job without any indication of its runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blind {
    /// The job.
    pub id: JobId,
    /// Submission time.
    pub submit: Time,
    /// Number of processors it needs.
    pub processors: u32,
    /// Number of the user within the source.
    pub user: u32,
    /// Organization that owns the job.
    pub organization: OrganizationId,
}

/// A job with its expected runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// The other properties.
    pub job: Blind,
    /// Expected runtime: the true one, the user's estimate or a prediction, depending on the run's
    /// setting.
    pub expected: Span,
}

/// The data passed to a scheduler, which receives the view it asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// The part visible to every scheduler.
    pub job: Blind,
    /// The additional part for an `Expected` scheduler; `None` in a run without clairvoyance.
    pub expected: Option<Span>,
}

/// A view of a job.
pub trait View: Copy {
    /// True if the view needs an expected runtime.
    const NEEDS_EXPECTED: bool;

    /// Reduces a submission to this view.
    ///
    /// # Panics
    /// If the view needs an expected runtime and there is none; such a scenario is rejected when it
    /// is checked.
    fn cut(submission: &Submission) -> Self;

    /// Returns the part common to all views.
    fn job(&self) -> &Blind;
}

impl View for Blind {
    const NEEDS_EXPECTED: bool = false;
    #[inline]
    fn cut(submission: &Submission) -> Blind {
        submission.job
    }
    #[inline]
    fn job(&self) -> &Blind {
        self
    }
}

impl View for Expected {
    const NEEDS_EXPECTED: bool = true;
    #[inline]
    fn cut(submission: &Submission) -> Expected {
        let expected = submission.expected.expect("a clairvoyant run gives every job a length");
        Expected { job: submission.job, expected }
    }
    #[inline]
    fn job(&self) -> &Blind {
        &self.job
    }
}

impl View for Submission {
    const NEEDS_EXPECTED: bool = false;
    #[inline]
    fn cut(submission: &Submission) -> Submission {
        *submission
    }
    #[inline]
    fn job(&self) -> &Blind {
        &self.job
    }
}
