//! Checks names, and finds what they name.

use rustc_hash::FxHashSet;

use super::{Resolver, organization, path};
use crate::diagnostics::show;
use crate::path::Path;
use crate::plan::Organization;
use model::ids::{ClusterId, OrganizationId};
use model::name::{is_control, is_formula};

/// Names that pandas reads as missing values in a CSV file; R does so with `NA`.
const MISSING: [&str; 18] = [
    "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>",
    "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
];

/// Expands an entry with a count into its names.
pub(super) fn numbered(name: &str, count: u32) -> impl Iterator<Item = String> {
    (1..=count).map(move |n| if count == 1 { name.to_owned() } else { format!("{name}-{n}") })
}

/// Returns the problem and remedy if a scenario's title is not valid.
pub(super) fn title_trouble(name: &str) -> Option<(&'static str, &'static str)> {
    let plain = |c: char| c.is_alphanumeric() || " -_.,:+()".contains(c);
    let has_word = name.chars().any(char::is_alphanumeric);
    let is_wrong = !has_word || !name.chars().all(plain) || name.starts_with('.');
    is_wrong.then_some((
        "a scenario's name also names its results directory",
        "use letters, digits, blanks and any of `-_.,:+()`, at least one letter or digit, and do \
         not begin with `.`",
    ))
}

/// Returns the problem and remedy if a name cannot appear in CSV files and tables. In these, `*`
/// means the whole grid. Returns `None` for a valid name.
pub fn name_trouble(name: &str) -> Option<(String, &'static str)> {
    let trouble = |c: char| is_control(c) || c == '"' || c == ',';
    if name.trim() != name || name.is_empty() || name == "*" || name.contains(trouble) {
        let help = "use letters, digits and signs, but no comma, quote, line break, blank at an end \
                    or character that is not seen, and not `*` alone";
        return Some((format!("`{}` is no name", show(name)), help));
    }
    if is_formula(name) {
        let help = "spreadsheets that open the CSV files would run it as a formula; begin with \
                    another character than `=`, `+`, `-` or `@`";
        return Some((format!("`{}` is no name", show(name)), help));
    }
    let help = "programs that read CSV files take it for a missing value; choose another";
    MISSING.contains(&name).then(|| (format!("`{name}` is no name"), help))
}

impl Resolver<'_> {
    pub(super) fn names(&mut self) {
        if let Some((message, help)) = title_trouble(&self.raw.name) {
            self.help(path("name"), message, help);
        }
        for (index, written) in self.raw.organization.iter().enumerate() {
            for name in numbered(&written.name, written.count) {
                self.add_organization(name, organization(index).key("name"));
                self.organizations.last_mut().expect("one was added").entry = Some(index);
            }
        }
    }

    pub(super) fn add_organization(&mut self, name: String, at: Path) {
        let id = OrganizationId(self.organizations.len() as u32);
        self.check_name(&name, &at);
        if self.by_name.insert(name.clone(), id).is_some() {
            self.twice(at, "organizations", &name);
        }
        self.organizations.push(Organization { name, ..Organization::default() });
    }

    pub(super) fn known_organization(&mut self, name: &str, at: Path) -> Option<OrganizationId> {
        if let Some(&id) = self.by_name.get(name) {
            return Some(id);
        }
        self.mistakes.unknown(at, "organization", name, self.by_name.keys());
        None
    }

    pub(super) fn known_clusters(&mut self, names: &[String], at: Path) -> Option<Vec<ClusterId>> {
        let mut ids = Vec::new();
        let mut named = FxHashSet::default();
        for (index, name) in names.iter().enumerate() {
            let at = at.clone().index(index);
            match self.cluster_by_name.get(name) {
                Some(&id) if named.insert(id) => ids.push(id),
                Some(_) => self.wrong(at, format!("`{}` is named twice", show(name))),
                None => self.mistakes.unknown(at, "cluster", name, self.cluster_by_name.keys()),
            }
        }
        Some(ids)
    }
}
