//! What a scheduler sees of a job: nonclairvoyance by type.
//!
//! A scheduler names the view it needs. [`Blind`] has no length at all; [`Expected`] adds what the
//! run's clairvoyance setting says a scheduler may expect. No view holds the runtime, so a
//! scheduler cannot peek.

use serde::{Deserialize, Serialize};

use super::ids::{JobId, OrganizationId};
use crate::kernel::time::{Span, Time};

/// A job without any hint at its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blind {
    /// The job.
    pub id: JobId,
    /// When it was submitted.
    pub submit: Time,
    /// How many processors it needs.
    pub processors: u32,
    /// The user's number in its source.
    pub user: u32,
    /// Whose it is.
    pub organization: OrganizationId,
}

/// A job with the length that its scheduler is to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// The rest of what is known.
    pub job: Blind,
    /// The expected runtime: by the run's setting the true one, the user's estimate or a
    /// prediction.
    pub expected: Span,
}

/// What the world hands out; a scheduler gets the cut of it that it asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// What every scheduler sees.
    pub job: Blind,
    /// What an `Expected` scheduler sees besides; `None` in a run without clairvoyance.
    pub expected: Option<Span>,
}

/// A view of a job.
pub trait View: Copy {
    /// True where the view needs an expected length.
    const NEEDS_EXPECTED: bool;

    /// Cuts a submission down to this view.
    ///
    /// # Panics
    /// When the view needs an expected length and there is none; a scenario that would come to that
    /// is refused when it is checked.
    fn cut(submission: &Submission) -> Self;

    /// The part that every view has.
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
