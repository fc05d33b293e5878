//! What a paper claims that a program can check: the register that every study answers in full.

/// A claim.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Its name, such as `LB-T2-01`.
    pub id: &'static str,
    /// Where it stands: a section, a table or a figure.
    pub place: &'static str,
    /// What is claimed, in our words.
    pub text: &'static str,
    /// Where it is answered.
    pub answer: Answer,
}

/// Where a claim is answered.
#[derive(Clone, Copy, Debug)]
pub enum Answer {
    /// In rows of the study.
    Rows,
    /// In tests of these names.
    Tests(&'static [&'static str]),
    /// Nowhere yet; what it needs.
    Later(&'static str),
}
