//! Register of a paper's testable claims; every study must answer all of them.

/// A claim of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Identifier, such as `LB-T2-01`.
    pub id: &'static str,
    /// Section, table or figure that makes the claim.
    pub place: &'static str,
    /// The claim in our words.
    pub text: &'static str,
    /// Kind of answer.
    pub answer: Answer,
}

impl Claim {
    /// True if the claim has rows of its own.
    pub fn is_played(&self) -> bool {
        !matches!(self.answer, Answer::Later(_))
    }
}

/// Kind of answer to a claim.
#[derive(Clone, Copy, Debug)]
pub enum Answer {
    /// Rows of the study.
    Rows,
    /// Rows that check small cases exactly, and the named tests that check many more.
    Checked(&'static [&'static str]),
    /// No answer yet; holds the missing feature.
    Later(&'static str),
}

/// Claims as lines of a table: identifier, place, answer, text.
macro_rules! claims {
    ($($id:literal $place:literal $answer:expr => $text:literal;)*) => {
        &[$(Claim { id: $id, place: $place, text: $text, answer: $answer }),*]
    };
}

pub(super) use claims;
