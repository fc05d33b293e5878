//! Register of a paper's testable claims; every study must answer all of them.
//!
//! `claims.toml` in the folder of a paper has a line for each claim, and ten lines on its main results.

use serde::Deserialize;

/// Claims and main results of a paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Register {
    /// Its main results, each with the claims that it stands for.
    #[serde(default)]
    pub told: Vec<Told>,
    /// All its testable claims, in its own order.
    pub claims: Vec<Claim>,
}

impl Register {
    /// Reads the text of a `claims.toml`.
    ///
    /// # Panics
    /// If it is none, or a result names a claim that is not there.
    pub fn read(text: &str) -> Register {
        let register: Register = toml::from_str(text).expect("the claims of a paper are TOML");
        let is_claim = |id: &String| register.claims.iter().any(|claim| claim.id == *id);
        let mut named = register.told.iter().flat_map(|told| &told.claims);
        assert!(named.all(is_claim), "a result names a claim that is not there");
        register
    }
}

/// A main result of a paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// The result in our words.
    pub says: String,
    /// Identifiers of the claims that it stands for.
    pub claims: Vec<String>,
}

/// A claim of a paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Identifier, such as `LB-T2-01`.
    pub id: String,
    /// Section, table or figure that makes the claim.
    pub place: String,
    /// The claim in our words.
    pub says: String,
    /// Tests that check many more cases than the rows, which check small ones exactly.
    #[serde(default)]
    pub checked: Vec<String>,
    /// Missing feature, if there is no answer yet.
    pub later: Option<String>,
}

impl Claim {
    /// True if the claim has rows of its own.
    pub fn is_played(&self) -> bool {
        self.later.is_none()
    }
}
