//! Register of a paper's testable claims; every study must answer all of them.
//!
//! `claims.toml` in the folder of a paper has a line for each claim, and ten lines on its main results.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::StudyError;
use super::lines::Part;
use super::verdict::Rule;

/// Claims and main results of a paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Register {
    /// Its main results, each with the claims that it stands for.
    #[serde(default)]
    pub told: Vec<Told>,
    /// All its testable claims, in its own order.
    pub claims: Vec<Claim>,
    /// Mistakes of the paper that explain differences.
    #[serde(default)]
    errata: Vec<Erratum>,
    /// Settings that several tables share, by name.
    #[serde(default)]
    pub(super) settings: BTreeMap<String, Vec<String>>,
    /// Placeholders of instances that are independent: each of their values is played with another seed.
    #[serde(default)]
    pub(super) apart: Vec<String>,
    /// Tables, figures and statements that scenarios answer.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// Scenarios beside the claims, by name, as text.
    #[serde(skip)]
    scenarios: &'static [(&'static str, &'static str)],
    /// The rule by which its printed figures are judged.
    #[serde(skip)]
    rule: Option<Rule>,
}

/// A mistake of the paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Erratum {
    id: String,
    says: String,
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

    /// Adds the rule, and the scenarios that its parts name.
    #[must_use]
    pub fn played_by(
        self,
        rule: Rule,
        scenarios: &'static [(&'static str, &'static str)],
    ) -> Register {
        Register { scenarios, rule: Some(rule), ..self }
    }

    /// The rule by which printed figures are judged.
    ///
    /// # Panics
    /// If the paper has parts without a rule.
    pub(super) fn rule(&self) -> Rule {
        self.rule.expect("a paper with lines has a rule")
    }

    /// The text of a scenario beside the claims.
    ///
    /// # Errors If there is none of this name.
    pub(super) fn scenario(&self, name: &str) -> Result<&'static str, StudyError> {
        let found = self.scenarios.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| *text).ok_or_else(|| StudyError(format!("no scenario `{name}`")))
    }

    /// A mistake of the paper.
    ///
    /// # Errors If none has this identifier.
    pub(super) fn erratum(&self, id: &str) -> Result<&str, StudyError> {
        let found = self.errata.iter().find(|one| one.id == id);
        found.map(|one| &*one.says).ok_or_else(|| StudyError(format!("no erratum `{id}`")))
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
