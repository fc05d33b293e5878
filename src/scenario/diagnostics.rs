//! Diagnostics of the input, shown with file, line, caret and remedy.
//!
//! A [`Diagnostic`] is a value that any layer can make from a place or from a path in the tree;
//! [`render`] shows a list of them as a compiler would. Whatever the texts contain, the output is
//! bounded and nothing panics.

use std::fmt;

use annotate_snippets::{
    Annotation, AnnotationKind, Level, Renderer, Snippet, normalize_untrusted_str,
};

use super::files::{FileId, Files, Place};
use super::path::{Path, Segment};
use super::tree::Node;
use kernel::order::InOrder as _;
use model::name::is_control;

/// Maximum number of diagnostics per reading step; fixing these reveals the rest.
pub const MAX_DIAGNOSTICS: usize = 20;

/// Maximum number of diagnostics shown at once.
const MAX_SHOWN: usize = 50;
/// Maximum number of labels shown per diagnostic.
pub(super) const MAX_LABELS: usize = 8;
/// Longest message or label shown whole, in characters.
const MAX_MESSAGE: usize = 1000;
/// Longest name or value from the input shown whole in a message, in characters.
const MAX_NAME: usize = 40;
/// Maximum number of valid names listed after an unknown one.
const MOST_TOLD: usize = 8;
/// Longest line shown whole, in bytes.
const MAX_LINE: usize = 160;
/// Labels further apart than this many lines are shown as separate snippets.
const MAX_LINES: usize = 40;
/// Characters shown before, in and after the place, for longer lines.
const AROUND: usize = 40;
/// Last column that the snippet can number by itself, for longer lines.
const MAX_COLUMN: usize = 100_000;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but perhaps not as meant.
    Warning,
}

/// The party that can fix a problem; it determines the program's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blame {
    /// The content of the input is wrong.
    Input,
    /// A file could not be read or written.
    System,
}

/// A place with an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Position of the caret.
    pub place: Place,
    /// Annotation beside it; may be empty.
    pub text: String,
    /// True for the place that is wrong, false for one that explains it.
    pub primary: bool,
}

/// One problem with the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// The party that can fix it.
    pub blame: Blame,
    /// The problem, in one sentence without a full stop.
    pub message: String,
    /// The places concerned; may be empty.
    pub labels: Vec<Label>,
    /// Reasons and background.
    pub notes: Vec<String>,
    /// Remedies: what to do, or to type instead.
    pub help: Vec<String>,
    /// Path of the value concerned, if known; for programs, not shown.
    pub path: Option<Path>,
}

impl Diagnostic {
    /// Creates an error without a place yet.
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            blame: Blame::Input,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            path: None,
        }
    }

    /// Creates a warning without a place yet.
    pub fn warning(message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message) }
    }

    /// Creates an error about the value at a path. The caret marks the value or, if it is absent (a
    /// default, say), the nearest enclosing table, whose label then names the absent key.
    pub fn at_path(tree: &Node, path: &Path, message: impl Into<String>) -> Self {
        let (node, steps) = tree.nearest(path);
        let rest = path.segments()[steps..].iter().cloned();
        // A choice written as a bare string has no tables below it: mark the string.
        let bare = matches!(&node.value, super::tree::Value::String(_));
        let label = match path.segments().get(steps) {
            Some(Segment::Key(_)) if !bare => {
                format!("`{}` is not given here", show(&rest.collect::<Path>().to_string()))
            }
            _ => String::new(),
        };
        let mut diagnostic = Self::error(message).at(node.place.clone(), label);
        diagnostic.path = Some(path.clone());
        diagnostic
    }

    /// Adds a place that is wrong.
    #[must_use]
    pub fn at(self, place: Place, text: impl Into<String>) -> Self {
        self.label(place, text.into(), true)
    }

    /// Adds a place that explains.
    #[must_use]
    pub fn also(self, place: Place, text: impl Into<String>) -> Self {
        self.label(place, text.into(), false)
    }

    fn label(mut self, place: Place, text: String, primary: bool) -> Self {
        self.labels.push(Label { place, text, primary });
        self
    }

    /// Adds a remedy: what to do, or to type instead.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Turns the diagnostic into a warning.
    #[must_use]
    pub fn warn(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Adds a reason or background.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Sets the path of the value concerned.
    #[must_use]
    pub fn about(mut self, path: Path) -> Self {
        self.path = Some(path);
        self
    }

    /// Blames the system rather than the input, as for a missing file.
    #[must_use]
    pub(crate) fn by_system(mut self) -> Self {
        self.blame = Blame::System;
        self
    }

    /// Returns the place that is wrong, if one is known.
    pub fn place(&self) -> Option<&Place> {
        let primary = self.labels.iter().find(|label| label.primary);
        primary.or(self.labels.first()).map(|label| &label.place)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// Shortens a name or value from the input to one line that fits a message.
pub fn show(name: &str) -> String {
    let mut shown = String::new();
    for (at, c) in name.chars().enumerate() {
        if at == MAX_NAME {
            shown.push_str("...");
            break;
        }
        match c {
            c if is_control(c) => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    shown
}

/// Lists names in quotes as in a sentence: "`a`, `b` or `c`".
pub fn listed<S: AsRef<str>>(names: &[S], word: &str) -> String {
    let quoted = |name: &S| format!("`{}`", show(name.as_ref()));
    match names {
        [] => String::new(),
        [one] => quoted(one),
        [some @ .., last] => {
            let some: Vec<_> = some.iter().map(quoted).collect();
            format!("{} {word} {}", some.join(", "), quoted(last))
        }
    }
}

/// Lists all names of a kind, if they are few: "the clusters are `a` and `b`".
pub fn all_of(what: &str, known: &[&str]) -> Option<String> {
    match *known {
        [] => None,
        [only] => Some(format!("the only {what} is `{}`", show(only))),
        _ => {
            let told = known.len() <= MOST_TOLD;
            told.then(|| format!("the {what}s are {}", listed(known, "and")))
        }
    }
}

/// Returns the known names closest to a word. These are the ones at the least edit distance, if
/// that is at most a third of the word's length, else those that the word abbreviates or extends.
/// Case and the kind of dash do not matter. At most three, in the order of `known`.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if word.len() > 2 * MAX_NAME {
        return Vec::new();
    }
    let plain = |name: &str| name.to_lowercase().replace(['-', ' '], "_");
    let word = plain(word);
    let limit = word.chars().count().max(3) / 3;
    let mut best = (limit, Vec::new());
    let mut related = Vec::new();
    for name in known {
        let other = plain(name);
        let distance = strsim::damerau_levenshtein(&word, &other);
        if distance < best.0 {
            best = (distance, Vec::new());
        }
        if distance == best.0 {
            best.1.push(name);
        }
        let long = word.len().min(other.len()) >= 3;
        if long && (word.starts_with(&other) || other.starts_with(&word)) {
            related.push(name);
        }
    }
    let mut names = if best.1.is_empty() { related } else { best.1 };
    names.truncate(3);
    names
}

/// Renders diagnostics as a compiler would, in colour if `color`. A blank line separates them, and
/// the text ends with a line break.
///
/// Time is linear in the length of the texts per diagnostic. The output is bounded: at most 50
/// diagnostics of 8 labels each; of long lines only the part around the place, of ranges over
/// several lines only the first line.
pub fn render(diagnostics: &[Diagnostic], files: &Files, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut shown = Vec::new();
    for diagnostic in diagnostics.iter().take(MAX_SHOWN) {
        shown.push(render_one(diagnostic, files, &renderer));
    }
    if diagnostics.len() > MAX_SHOWN {
        shown.push(format!("and {} more", diagnostics.len() - MAX_SHOWN));
    }
    let mut text = shown.join("\n\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn render_one(diagnostic: &Diagnostic, files: &Files, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(clean(&diagnostic.message));
    let notes = diagnostic.notes.iter().map(|text| Level::NOTE.message(clean(text)));
    let help = diagnostic.help.iter().map(|text| Level::HELP.message(clean(text)));
    let group = title.elements(snippets(&diagnostic.labels, files)).elements(notes).elements(help);
    let lines = renderer.render(&[group]);
    // An empty source line leaves a space behind the gutter.
    lines.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Bounds any text and removes its control characters, so that it is safe to show.
fn clean(text: &str) -> String {
    let mut cut: String = text.chars().take(MAX_MESSAGE).collect();
    if cut.len() < text.len() {
        cut.push_str("...");
    }
    without_c1(&normalize_untrusted_str(&cut))
}

/// Replaces the control characters that the renderer lets through by points, since some terminals
/// obey them like escapes. No byte offset changes.
fn without_c1(text: &str) -> String {
    text.chars().map(|c| if ('\u{80}'..='\u{9f}').contains(&c) { '\u{b7}' } else { c }).collect()
}

/// A label prepared for display: its first line only.
struct Spot<'a> {
    label: &'a Label,
    text: &'a str,
    /// The place within the text, on one line and at character boundaries.
    start: usize,
    end: usize,
    /// The line's byte range, without its line break.
    line_start: usize,
    line_end: usize,
}

impl<'a> Spot<'a> {
    fn new(label: &'a Label, text: &'a str) -> Self {
        let start = boundary(text, label.place.span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let mut line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        if line_end > start && text[..line_end].ends_with('\r') {
            line_end -= 1;
        }
        let end = boundary(text, label.place.span.end).clamp(start, line_end.max(start));
        Self { label, text, start, end, line_start, line_end }
    }

    /// Returns its line number, from 1.
    fn line(&self) -> usize {
        1 + self.text.as_bytes()[..self.line_start].iter().filter(|b| **b == b'\n').count()
    }

    fn annotation(&self, start: usize, end: usize, text: String) -> Annotation<'static> {
        let kind =
            if self.label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(start..end);
        if text.is_empty() { annotation } else { annotation.label(text) }
    }

    /// Cuts a long line to the part around the place, behind as many spaces as characters left out.
    fn clipped(&self, name: &str) -> Snippet<'static, Annotation<'static>> {
        let before = &self.text[self.line_start..self.start];
        let column = before.chars().count();
        let lead: String =
            before.chars().skip(column.saturating_sub(AROUND)).map(without_width).collect();
        let left_out = column.saturating_sub(AROUND).min(MAX_COLUMN);
        let inside: String = self.text[self.start..self.end].chars().take(AROUND).collect();
        let after = &self.text[self.start + inside.len()..self.line_end];
        let mut source = " ".repeat(left_out) + &lead;
        let start = source.len();
        source.push_str(&inside);
        let end = source.len();
        source.extend(after.chars().take(AROUND));
        let mut source = without_c1(&source);
        if after.chars().nth(AROUND).is_some() {
            source.push_str(" ...");
        }
        let mut text = clean(&self.label.text);
        if column > left_out + AROUND {
            let space = if text.is_empty() { "" } else { " " };
            text += &format!("{space}(at column {})", column + 1);
        }
        Snippet::source(source)
            .path(name.to_owned())
            .line_start(self.line())
            .annotation(self.annotation(start, end, text))
    }
}

/// Replaces a control character by a blank, since its picture would shift the caret.
fn without_width(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// Returns the nearest position at or before `at` within the text and at a character boundary.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Cuts the snippets for some labels: one per file where they are close together, else one each.
fn snippets(labels: &[Label], files: &Files) -> Vec<Snippet<'static, Annotation<'static>>> {
    let mut shown: Vec<&Label> = labels.iter().take(MAX_LABELS).collect();
    shown.order_by_key(|label| !label.primary);
    let mut order: Vec<FileId> = Vec::new();
    for label in &shown {
        if !order.contains(&label.place.file) {
            order.push(label.place.file);
        }
    }
    let mut snippets = Vec::new();
    for file in order {
        let (Some(name), Some(text)) = (files.name(file), files.text(file)) else { continue };
        let name = show_path(name);
        let here = shown.iter().filter(|label| label.place.file == file);
        let spots: Vec<_> = here.map(|label| Spot::new(label, text)).collect();
        match together(&spots, &name) {
            Some(snippet) => snippets.push(snippet),
            None => snippets.extend(spots.iter().map(|spot| spot.clipped(&name))),
        }
    }
    snippets
}

/// Makes one snippet of all places in a file, if they are few lines apart and no line is long.
fn together(spots: &[Spot<'_>], name: &str) -> Option<Snippet<'static, Annotation<'static>>> {
    let first = spots.iter().min_by_key(|spot| spot.line_start)?;
    let end = spots.iter().map(|spot| spot.line_end).max()?;
    let from = first.line_start;
    if end - from > MAX_LINE * MAX_LINES {
        return None;
    }
    let source = &first.text[from..end];
    if source.lines().count() > MAX_LINES || source.lines().any(|line| line.len() > MAX_LINE) {
        return None;
    }
    let annotations = spots
        .iter()
        .map(|spot| spot.annotation(spot.start - from, spot.end - from, clean(&spot.label.text)));
    Some(
        Snippet::source(without_c1(source))
            .path(name.to_owned())
            .line_start(first.line())
            .annotations(annotations),
    )
}

/// Prepares a file name for display; it may be longer than other names, as users search by it.
fn show_path(name: &str) -> String {
    clean(&name.replace(['\n', '\r'], " "))
}
