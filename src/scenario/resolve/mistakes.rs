//! The mistakes of a file, each reported once at its place.

use rustc_hash::{FxHashMap, FxHashSet};

use super::name_trouble;
use crate::diagnostics::{Diagnostic, Label, MAX_DIAGNOSTICS, MAX_LABELS, all_of, nearest, show};
use crate::files::Place;
use crate::path::Path;
use crate::root::Root;
use crate::tree::Node;
use crate::{belongs, bounded};
use kernel::time::{NotATime, Span, Time};
use workload::invalid::Invalid;

/// The mistakes found so far in a file that was read.
pub(super) struct Mistakes<'a> {
    pub tree: &'a Node,
    /// The subject of the file.
    pub root: Root,
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
    /// Paths that already have a diagnostic.
    pub told: FxHashSet<Path>,
    /// Diagnostics so far: the same place may be the value of several paths.
    shown: FxHashSet<(Option<Place>, String)>,
    /// Index of the error about each unknown name, by its message.
    unknown: FxHashMap<String, usize>,
    /// Number of names that unknown ones were compared with.
    looked_at: usize,
}

/// Maximum number of names searched for the one that was meant.
const MOST_NAMES: usize = 400_000;

impl<'a> Mistakes<'a> {
    /// Begins with the values that are out of bounds.
    pub fn new(tree: &'a Node, otherwise: Root) -> Mistakes<'a> {
        let root = Root::of(tree).map_or(otherwise, |(root, _)| root);
        let mut mistakes = Mistakes {
            tree,
            root,
            errors: Vec::new(),
            warnings: Vec::new(),
            told: FxHashSet::default(),
            shown: FxHashSet::default(),
            unknown: FxHashMap::default(),
            looked_at: 0,
        };
        for (at, refusal) in bounded::refusals(tree, root) {
            mistakes.wrong(at, refusal);
        }
        mistakes
    }

    /// Reports a mistake, once per place: the copies of an entry with a count share its mistakes, and
    /// so do the entries that one `--set` changes.
    pub fn tell(
        &mut self,
        at: Path,
        message: impl Into<String>,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        let diagnostic = Diagnostic::at_path(self.tree, &at, message);
        self.add(at, more(diagnostic));
    }

    fn add(&mut self, at: Path, diagnostic: Diagnostic) {
        let place = diagnostic.place().cloned();
        let is_new = self.shown.insert((place, diagnostic.message.clone()));
        if self.told.insert(at) && is_new {
            self.errors.push(diagnostic);
        }
    }

    pub fn wrong(&mut self, at: Path, message: impl Into<String>) {
        self.tell(at, message, |wrong| wrong);
    }

    pub fn help(&mut self, at: Path, message: impl Into<String>, help: impl Into<String>) {
        self.tell(at, message, |wrong| wrong.help(help));
    }

    /// Adds a warning, once per place.
    pub fn warn(&mut self, at: Path, message: impl Into<String>, note: impl Into<String>) {
        let warning = Diagnostic::at_path(self.tree, &at, message).warn().note(note);
        if self.told.insert(at) {
            self.warnings.push(warning);
        }
    }

    /// Reports two values that contradict each other.
    pub fn contradiction(
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

    pub fn invalid(&mut self, at: Path, invalid: &Invalid) {
        let field = invalid.field.parse().unwrap_or_default();
        self.wrong(at.join(&field), invalid.message.clone());
    }

    /// Returns what was checked, or reports its invalid field.
    pub fn valid<T>(&mut self, at: Path, checked: Result<T, Invalid>) -> Option<T> {
        checked.map_err(|invalid| self.invalid(at, &invalid)).ok()
    }

    /// Checks a name that is written in tables.
    pub fn check_name(&mut self, name: &str, at: &Path) {
        if let Some((message, help)) = name_trouble(name) {
            self.help(at.clone(), message, help);
        }
    }

    /// Checks that a name is not that of a class of several.
    pub fn check_single(&mut self, name: &str, at: Path) {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let ends = name.rsplit_once('-').and_then(|(_, end)| end.split_once(".."));
        if ends.is_some_and(|(first, last)| is_number(first) && is_number(last)) {
            let message = format!("`{}` is what several are called", show(name));
            let help = "`a-1..9` stands for `a-1` to `a-9`: choose another name";
            self.help(at, message, help);
        }
    }

    /// Checks names in a list, of which no two are the same.
    pub fn check_names(&mut self, names: &[String], several: &str, at: &Path) {
        let mut seen = FxHashSet::default();
        for (index, name) in names.iter().enumerate() {
            let at = at.clone().index(index);
            self.check_name(name, &at);
            if !seen.insert(name) {
                self.twice(at, several, name);
            }
        }
    }

    /// Reports a second one of this name.
    pub fn twice(&mut self, at: Path, several: &str, name: &str) {
        let message = format!("there are two {several} called `{}`", show(name));
        self.help(at, message, "give one of them another name");
    }

    /// Reports an unknown name, and suggests the one that was perhaps meant. A name that is written
    /// in several places is reported once, with all of them.
    pub fn unknown<'n>(
        &mut self,
        at: Path,
        what: &str,
        name: &str,
        known: impl ExactSizeIterator<Item = &'n String>,
    ) {
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
        self.looked_at += known.len();
        // Each search takes time proportional to the number of names; a few suggestions are enough.
        let enough = self.errors.len() >= MAX_DIAGNOSTICS || self.looked_at > MOST_NAMES;
        let known: Vec<&str> = known.filter(|_| !enough).map(String::as_str).collect();
        let near = nearest(name, known.iter().copied());
        let help = match near.first() {
            Some(near) => Some(format!("did you mean `{}`?", show(near))),
            None => all_of(what, &known),
        };
        let index = self.errors.len();
        self.tell(at, message.clone(), |wrong| help.into_iter().fold(wrong, Diagnostic::help));
        if self.errors.len() > index {
            self.unknown.insert(message, index);
        }
    }

    /// Returns true if a number is small enough, and reports it if not.
    pub fn at_most(&mut self, most: u64, number: u64, what: &str, at: Path, help: &str) -> bool {
        if number > most {
            self.help(at, format!("{number} {what} are too many: {most} is the most"), help);
        }
        number <= most
    }

    /// Reports the keys that belong to other subjects.
    pub fn belonging_elsewhere(&mut self) {
        for (at, refusal) in belongs::refusals(self.tree, self.root) {
            self.add(at, refusal);
        }
    }

    /// Returns true if the file itself contains the key, even with its default value.
    pub fn is_written(&self, at: &Path) -> bool {
        self.tree.lookup(at).is_some()
    }

    /// Returns a length of time; 0 after a mistake.
    pub fn span(&mut self, units: f64, at: Path) -> Span {
        self.counted(Span::from_units(units), at)
    }

    /// Returns a length of time above 0; the least one after a mistake.
    pub fn length(&mut self, units: f64, at: Path) -> Span {
        let span = self.span(units, at.clone());
        if span == Span::ZERO {
            let message =
                "time is counted in millionths of a unit, and this is less than half of one";
            self.help(at, message, "give 1e-6 or more");
        }
        span.max(Span::TICK)
    }

    /// Returns a moment; 0 after a mistake.
    pub fn time(&mut self, units: f64, at: Path) -> Time {
        self.counted(Time::from_units(units), at)
    }

    fn counted<T: Default>(&mut self, ticks: Result<T, NotATime>, at: Path) -> T {
        ticks.unwrap_or_else(|error| {
            self.wrong(at, error.to_string());
            T::default()
        })
    }
}
