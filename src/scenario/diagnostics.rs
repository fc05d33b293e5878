//! What is wrong with the input, and how it is shown: file, line, caret, remedy.
//!
//! A [`Diagnostic`] is a value that any layer can make from a place or from a path in the tree;
//! [`render`] shows a list of them as a compiler would. Whatever the texts hold, the output is
//! bounded and nothing panics.

use std::fmt;

use annotate_snippets::{
    Annotation, AnnotationKind, Level, Renderer, Snippet, normalize_untrusted_str,
};

use super::files::{FileId, Files, Place};
use super::path::{Path, Segment};
use super::tree::Node;

/// The most diagnostics that one step of reading reports; whoever mends these sees the others.
pub const MAX_DIAGNOSTICS: usize = 20;

/// The most diagnostics that are shown at once.
const MAX_SHOWN: usize = 50;
/// The most labels shown of one diagnostic.
const MAX_LABELS: usize = 8;
/// The longest message or label that is shown whole, in characters.
const MAX_MESSAGE: usize = 1000;
/// Names and values from the input are cut in messages beyond this many characters.
const MAX_NAME: usize = 40;
/// As many names of a kind are told to someone who gave another.
const MOST_TOLD: usize = 8;
/// The longest line that is shown whole, in bytes.
const MAX_LINE: usize = 160;
/// Labels further apart than this many lines are shown as separate pieces of text.
const MAX_LINES: usize = 40;
/// Of a longer line: characters shown before, in and after the place.
const AROUND: usize = 40;
/// Of a longer line: the column up to which the snippet tells it by itself.
const MAX_COLUMN: usize = 100_000;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// It can, but perhaps not as meant.
    Warning,
}

/// Who can mend it; the exit code of the program follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blame {
    /// What the input says is wrong.
    Input,
    /// A file could not be read or written.
    System,
}

/// A place with words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where the caret stands.
    pub place: Place,
    /// What is said beside it; may be empty.
    pub text: String,
    /// True of the place that is wrong, false of one that explains it.
    pub primary: bool,
}

/// One thing that is wrong with the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Who can mend it.
    pub blame: Blame,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The places that it is about; may be empty.
    pub labels: Vec<Label>,
    /// Why, or what else should be known.
    pub notes: Vec<String>,
    /// What to do, or to type instead.
    pub help: Vec<String>,
    /// The path of the value that it is about, where it is known; for programs, not shown.
    pub path: Option<Path>,
}

impl Diagnostic {
    /// An error without a place yet.
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

    /// A warning without a place yet.
    pub fn warning(message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message) }
    }

    /// An error about the value at a path: the caret stands at the value or, where there is none (a
    /// default, say), at the nearest table above it, whose label then names what is not there.
    pub fn at_path(tree: &Node, path: &Path, message: impl Into<String>) -> Self {
        let (node, steps) = tree.nearest(path);
        let rest = path.segments()[steps..].iter().cloned();
        // A choice written as a bare string has no tables below it: the string is the spot.
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

    /// Adds what to do, or to type instead.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Makes a warning of it.
    #[must_use]
    pub fn warn(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Adds why, or what else should be known.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Says which value it is about.
    #[must_use]
    pub fn about(mut self, path: Path) -> Self {
        self.path = Some(path);
        self
    }

    /// Says that not the input is to blame but the system, as for a file that is not there.
    #[must_use]
    pub fn by_system(mut self) -> Self {
        self.blame = Blame::System;
        self
    }

    /// The place that is wrong, if one is known.
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

/// A name or value from the input as it may stand in a message: on one line, and short.
pub fn show(name: &str) -> String {
    let mut shown = String::new();
    for (at, c) in name.chars().enumerate() {
        if at == MAX_NAME {
            shown.push_str("...");
            break;
        }
        match c {
            c if c.is_control() => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    shown
}

/// Names in quotes as a sentence lists them: "`a`, `b` or `c`".
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

/// All names of a kind, if they are few: "the clusters are `a` and `b`".
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

/// The known names that are most like a word: those at the least edit distance, if that is at most
/// a third of the word's length, else those that the word abbreviates or extends. Case and the kind
/// of dash do not count. At most three, in the order known.
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

/// Shows diagnostics as a compiler would, one after the other with a line between, ending with a
/// line break; in colour if the terminal takes it.
///
/// Time is linear in the length of the texts per diagnostic; the output is bounded: at most 50
/// diagnostics of 8 labels each, of long lines the part around the place, of ranges over several
/// lines the first.
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

/// Text from anywhere as it may be shown: bounded, and without control characters.
fn clean(text: &str) -> String {
    let mut cut: String = text.chars().take(MAX_MESSAGE).collect();
    if cut.len() < text.len() {
        cut.push_str("...");
    }
    without_c1(&normalize_untrusted_str(&cut))
}

/// The control characters that the renderer lets through, by which some terminals are commanded as
/// by an escape, become points; no byte moves.
fn without_c1(text: &str) -> String {
    text.chars().map(|c| if ('\u{80}'..='\u{9f}').contains(&c) { '\u{b7}' } else { c }).collect()
}

/// A label with what is needed to show it: its first line only.
struct Spot<'a> {
    label: &'a Label,
    text: &'a str,
    /// The place, within the text, on one line and between characters.
    start: usize,
    end: usize,
    /// The line's bytes, without its end.
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

    /// The number of its line, from 1.
    fn line(&self) -> usize {
        1 + self.text.as_bytes()[..self.line_start].iter().filter(|b| **b == b'\n').count()
    }

    fn annotation(&self, start: usize, end: usize, text: String) -> Annotation<'static> {
        let kind =
            if self.label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(start..end);
        if text.is_empty() { annotation } else { annotation.label(text) }
    }

    /// The part of a long line around the place, after as many spaces as characters are left out.
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

/// A blank for a control character, as their pictures would move the caret.
fn without_width(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// The nearest position at or before `at` that lies in the text and between characters.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The pieces of text for some labels: one per file where they lie close together, else one each.
fn snippets(labels: &[Label], files: &Files) -> Vec<Snippet<'static, Annotation<'static>>> {
    let mut shown: Vec<&Label> = labels.iter().take(MAX_LABELS).collect();
    shown.sort_by_key(|label| !label.primary);
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

/// One piece of text for all the spots of a file, if they are few lines apart and no line is long.
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

/// A file's name as it is shown; longer than other names, since it is to be found by it.
fn show_path(name: &str) -> String {
    clean(&name.replace(['\n', '\r'], " "))
}
