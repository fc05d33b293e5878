//! Register of a paper's testable claims; every study must answer all of them.
//!
//! `claims.toml` in the folder of a paper has a line for each claim, and ten lines on its main results.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::StudyError;
use super::lines::Part;
use super::lines::code::Code;
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
    /// Functions that answer what no scenario says, by name.
    #[serde(skip)]
    code: &'static [(&'static str, Code)],
    /// The rule by which its printed figures are judged.
    #[serde(skip)]
    rule: Option<Rule>,
    /// Its file and the text of it.
    #[serde(skip)]
    source: (&'static str, String),
}

/// A mistake of the paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Erratum {
    id: String,
    says: String,
}

impl Register {
    /// Reads the text of a `claims.toml`, named for errors.
    ///
    /// # Panics
    /// If it is none, or a result or a line names a claim that is not there.
    pub fn read(file: &'static str, text: &str) -> Register {
        Register::parse(file, text).unwrap_or_else(|wrong| panic!("{wrong}"))
    }

    /// The same for a text that may be wrong.
    ///
    /// # Errors
    /// The mistake, its line, and what was expected there.
    pub fn parse(file: &'static str, text: &str) -> Result<Register, StudyError> {
        let register = toml::from_str(text).map_err(|wrong| StudyError(format!("{file}: {wrong}")));
        let register = Register { source: (file, text.to_owned()), ..register? };
        let told = register.told.iter().flat_map(|told| told.claims.iter().map(String::as_str));
        let lines = register.parts.iter().flat_map(Part::claims);
        let is_known = |id: &str| register.claims.iter().any(|claim| claim.id == id);
        match told.chain(lines).find(|id| !is_known(id)) {
            None => Ok(register),
            Some(id) => {
                let wrong = StudyError(format!("no claim `{id}`; add it to `claims`"));
                Err(register.located(&format!("\"{id}\""), wrong))
            }
        }
    }

    /// An error with the file and the line that has a text.
    pub(super) fn located(&self, text: &str, StudyError(wrong): StudyError) -> StudyError {
        let (file, all) = &self.source;
        let line = all.lines().position(|line| line.contains(text)).map_or(1, |at| at + 1);
        StudyError(format!("{file}, line {line}: {wrong}"))
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

    /// Adds the functions that answer what no scenario says.
    #[must_use]
    pub fn counted_by(self, code: &'static [(&'static str, Code)]) -> Register {
        Register { code, ..self }
    }

    /// The function of a name.
    pub(super) fn code(&self, name: &str) -> Option<Code> {
        self.code.iter().find(|(known, _)| *known == name).map(|(_, code)| *code)
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
        let (scenarios, code) = (self.scenarios.iter(), self.code.iter());
        let known = scenarios.map(|one| one.0).chain(code.map(|one| one.0));
        found.map(|(_, text)| *text).ok_or_else(|| unknown("scenario or code", name, known))
    }

    /// A mistake of the paper.
    ///
    /// # Errors If none has this identifier.
    pub(super) fn erratum(&self, id: &str) -> Result<&str, StudyError> {
        let found = self.errata.iter().find(|one| one.id == id);
        let known = self.errata.iter().map(|one| &*one.id);
        found.map(|one| &*one.says).ok_or_else(|| unknown("erratum", id, known))
    }
}

/// An error of a name that is not among others.
pub(super) fn unknown<'a>(
    kind: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> StudyError {
    let known: Vec<String> = known.map(|one| format!("`{one}`")).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    StudyError(format!("there is no {kind} `{name}`; known: {known}"))
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
}
