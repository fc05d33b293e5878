//! Mistakes found so far, over all passes.

use std::cell::RefCell;

use crate::diagnostics::{Diagnostic, MAX_DIAGNOSTICS, listed};
use crate::files::Place;
use crate::path::Path;
use crate::tree::Node;
use kernel::order::InOrder as _;

/// Keys missing from a table.
pub(super) struct Lacking {
    pub(super) table: *const Node,
    pub(super) place: Place,
    pub(super) path: Path,
    pub(super) name: String,
    /// The table as typed, if a choice's bare string only implied it.
    pub(super) implied: Option<String>,
    pub(super) fields: Vec<&'static str>,
}

/// The findings so far, over all passes.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) inner: RefCell<Found>,
    /// True if unknown keys are no mistakes.
    pub(super) takes_unknown_keys: bool,
}

#[derive(Default)]
pub(super) struct Found {
    /// Mistakes that a pass recovers from; each pass finds them again.
    pub(super) passing: Vec<Diagnostic>,
    /// Mistakes that ended a pass.
    pub(super) halting: Vec<Diagnostic>,
    /// Values that a type rejected; stand-ins replace them from the next pass on. They are
    /// identified by address, since the tree does not move; the pointers are never dereferenced.
    pub(super) refused: Vec<*const Node>,
    /// Tables with missing keys, for which the next passes supply stand-ins.
    pub(super) lacking: Vec<Lacking>,
    pub(super) stand_ins: usize,
}

impl Findings {
    pub(super) fn start_pass(&self) {
        let mut found = self.inner.borrow_mut();
        found.passing.clear();
        found.stand_ins = 0;
    }

    pub(super) fn note(&self, diagnostic: impl FnOnce() -> Diagnostic) {
        let mut found = self.inner.borrow_mut();
        if found.passing.len() < MAX_DIAGNOSTICS {
            let diagnostic = diagnostic();
            // A mistake that one setting puts into several tables is reported once.
            let is_known = |known: &Diagnostic| {
                known.labels == diagnostic.labels && known.message == diagnostic.message
            };
            if diagnostic.labels.is_empty() || !found.passing.iter().any(is_known) {
                found.passing.push(diagnostic);
            }
        }
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let found = self.inner.into_inner();
        let mut all = found.passing;
        all.extend(found.halting);
        all.extend(found.lacking.into_iter().map(Lacking::into_diagnostic));
        all.order_by_key(|diagnostic| {
            diagnostic.place().map(|place| (place.file, place.span.start, place.span.end))
        });
        all.truncate(MAX_DIAGNOSTICS);
        all
    }
}

impl Lacking {
    pub(super) fn into_diagnostic(self) -> Diagnostic {
        let keys = if self.fields.len() == 1 { "key" } else { "keys" };
        let names = listed(&self.fields, "and");
        let typed: Vec<_> = self.fields.iter().map(|field| format!("{field} = ...")).collect();
        let message = format!("missing {keys} {names} in {}", self.name);
        let diagnostic = match self.implied {
            Some(table) => Diagnostic::error(message)
                .at(self.place, "it cannot be chosen by its name alone")
                .help(format!("write `{table} = {{ {} }}`", typed.join(", "))),
            None => Diagnostic::error(message)
                .at(self.place, format!("needs {names}"))
                .help(format!("add `{}`", typed.join("` and `"))),
        };
        diagnostic.about(self.path)
    }
}
