//! Reports mistakes at their places, each of them once.

use std::path::{Path as FilePath, PathBuf};

use super::Resolver;
use crate::diagnostics::{Diagnostic, Label, MAX_DIAGNOSTICS, MAX_LABELS, all_of, nearest, show};
use crate::files::similar;
use crate::path::Path;
use workload::invalid::Invalid;

/// Maximum number of names searched for the one that was meant.
const MOST_NAMES: usize = 400_000;

impl Resolver<'_> {
    /// Reports a mistake, once per place: the copies of an entry with a count share its mistakes, and
    /// so do the entries that one `--set` changes.
    pub(super) fn tell(
        &mut self,
        at: Path,
        message: impl Into<String>,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        let diagnostic = Diagnostic::at_path(self.tree, &at, message);
        let place = diagnostic.place().cloned();
        let is_new = self.shown.insert((place, diagnostic.message.clone()));
        if self.told.insert(at) && is_new {
            self.errors.push(more(diagnostic));
        }
    }

    pub(super) fn wrong(&mut self, at: Path, message: impl Into<String>) {
        self.tell(at, message, |wrong| wrong);
    }

    pub(super) fn help(&mut self, at: Path, message: impl Into<String>, help: impl Into<String>) {
        self.tell(at, message, |wrong| wrong.help(help));
    }

    /// Reports an unknown name, and suggests the one that was perhaps meant. A name that is written
    /// in several places is reported once, with all of them.
    pub(super) fn unknown(&mut self, at: Path, what: &str, name: &str) {
        let message = format!("there is no {what} called `{}`", show(name));
        if let Some(&index) = self.unknown.get(&message) {
            let place = Diagnostic::at_path(self.tree, &at, "").place().cloned();
            let known = &mut self.errors[index];
            if let Some(place) = place
                && self.told.insert(at)
                && known.labels.iter().all(|label| label.place != place)
                && known.labels.len() < MAX_LABELS
            {
                known.labels.push(Label { place, text: "and here".to_owned(), primary: false });
            }
            return;
        }
        let names = self.by_name.len().max(self.cluster_by_name.len());
        self.looked_at += names;
        // Each search takes time proportional to the number of names; a few suggestions are enough.
        let enough = self.errors.len() >= MAX_DIAGNOSTICS || self.looked_at > MOST_NAMES;
        let known: Vec<&str> = match what {
            _ if enough => Vec::new(),
            "cluster" => self.cluster_by_name.keys().map(String::as_str).collect(),
            _ => self.by_name.keys().map(String::as_str).collect(),
        };
        let near = nearest(name, known.iter().copied());
        let help = match near.first() {
            Some(near) => Some(format!("did you mean `{}`?", show(near))),
            None => all_of(what, &known),
        };
        let index = self.errors.len();
        self.tell(at, message.clone(), |mut wrong| {
            wrong.help.extend(help);
            wrong
        });
        if self.errors.len() > index {
            self.unknown.insert(message, index);
        }
    }

    /// Returns the file named at a path, relative to the file in which that is written.
    pub(super) fn file(&self, at: &Path, named: &FilePath) -> PathBuf {
        let (node, _) = self.tree.nearest(at);
        self.files.folder(node.place.file).join(named)
    }

    /// Reports a problem with a file that the scenario names, and where such files can be found.
    pub(super) fn wrong_file(
        &mut self,
        at: Path,
        file: &FilePath,
        message: String,
        unreadable: bool,
        source: Option<&str>,
    ) {
        let written = self.tree.nearest(&at).0.place.file;
        let relative = self.files.relative(written);
        self.tell(at, message, |wrong| {
            if !unreadable {
                return wrong;
            }
            let wrong = wrong.by_system();
            match similar(file) {
                Some(similar) => wrong.help(similar),
                None => source.into_iter().fold(wrong.help(relative), Diagnostic::help),
            }
        });
    }

    /// Reports two values that contradict each other.
    pub(super) fn contradiction(
        &mut self,
        at: Path,
        message: impl Into<String>,
        other: &Path,
        help: impl Into<String>,
    ) {
        let place = Diagnostic::at_path(self.tree, other, "").place().cloned();
        self.tell(at, message, |wrong| match place {
            Some(place) => wrong.also(place, "this contradicts it").help(help),
            None => wrong.help(help),
        });
    }

    pub(super) fn invalid(&mut self, at: Path, invalid: &Invalid) {
        let field = invalid.field.parse().unwrap_or_default();
        self.wrong(at.join(&field), invalid.message.clone());
    }
}
