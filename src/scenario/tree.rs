//! TOML as a tree of nodes that remember where they were written.
//!
//! [`parse`] turns a text into a [`Node`] or into diagnostics, one per syntax error found. Tables
//! keep the order of the text. The tree does not know the meaning of keys.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::diagnostics::{Diagnostic, MAX_DIAGNOSTICS, show};
use super::files::{FileId, Files, Place};
use super::lengths::seconds;
use super::path::{Path, Segment};
use kernel::order::InOrder as _;

/// Deepest nesting of tables and arrays that is read.
pub(super) const MAX_DEPTH: usize = 100;

/// Longest text, in bytes, for which the parser is asked for all errors and not only the first. It
/// keeps a message per error, and ten megabytes of garbage contain millions.
const ALL_ERRORS_UP_TO: usize = 256 << 10;

/// A value with its place and the place of its key.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Place of the value: for a table under a header the header, for one made by dotted keys that
    /// part of the key, for the root the start of the text.
    pub place: Place,
    /// Place of the key; `None` for the root and for array elements.
    pub key: Option<Place>,
    /// Layer of the scenario that last wrote it: 0 for the scenario itself, negative for the files
    /// it extends, positive for the command line. Of two choices, the one in the higher layer
    /// counts.
    pub layer: i32,
}

/// The content of a [`Node`].
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number; TOML's have 64 bits with a sign, JSON's also 64 without.
    Integer(i128),
    /// Any other number; may be infinite or NaN, for which TOML has literals.
    Float(f64),
    /// A string, unescaped.
    String(String),
    /// A date, a time or both, as written.
    Datetime(String),
    /// An array, also of tables.
    Array(Vec<Node>),
    /// Keys and their nodes in the order of the text; a key occurs once.
    Table(Vec<(String, Node)>),
}

impl Value {
    /// Returns the kind of value with its article, for messages: "a string", "an array".
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Bool(true) => "`true`",
            Self::Bool(false) => "`false`",
            Self::Integer(_) => "a whole number",
            Self::Float(_) => "a decimal number",
            Self::String(_) => "a string",
            Self::Datetime(_) => "a date",
            Self::Array(_) => "an array",
            Self::Table(_) => "a table",
        }
    }
}

impl Node {
    /// Returns the node under a key, if this is a table with that key. Linear in the number of
    /// keys.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Table(entries) => {
                entries.iter().find(|(name, _)| name == key).map(|(_, node)| node)
            }
            _ => None,
        }
    }

    /// Returns the node one step further, if there is one.
    pub fn step(&self, segment: &Segment) -> Option<&Node> {
        match (segment, &self.value) {
            (Segment::Key(key), _) => self.get(key),
            (Segment::Index(index), Value::Array(elements)) => elements.get(*index),
            (Segment::Index(_), _) => None,
        }
    }

    /// Returns the node at a path such as `organization[2].cluster.space_shared.processors`. It is
    /// `None` if there is no such node or the text is not a path.
    pub fn find(&self, path: &str) -> Option<&Node> {
        self.lookup(&path.parse().ok()?)
    }

    /// Returns the node at a path, if there is one.
    pub(crate) fn lookup(&self, path: &Path) -> Option<&Node> {
        let (node, steps) = self.nearest(path);
        (steps == path.segments().len()).then_some(node)
    }

    /// Returns the last existing node on the way to a path, and the number of steps to it.
    pub fn nearest(&self, path: &Path) -> (&Node, usize) {
        let mut node = self;
        for (steps, segment) in path.segments().iter().enumerate() {
            match node.step(segment) {
                Some(next) => node = next,
                None => return (node, steps),
            }
        }
        (node, path.segments().len())
    }
}

/// Parses one of the texts as TOML, into nodes of a layer.
///
/// Linear in the length of the text, except for sorting the keys of each table.
///
/// # Errors
/// A diagnostic for each syntax error, at most [`MAX_DIAGNOSTICS`] (only the first if the text is
/// longer than 256 KiB), for each number that does not fit 64 bits, and for each value nested
/// deeper than 100 levels.
pub fn parse(files: &Files, file: FileId, layer: i32) -> Result<Node, Vec<Diagnostic>> {
    let text = files.text(file).unwrap_or_default();
    let (table, errors) = if text.len() <= ALL_ERRORS_UP_TO {
        DeTable::parse_recoverable(text)
    } else {
        match DeTable::parse(text) {
            Ok(table) => (table, Vec::new()),
            Err(error) => (Spanned::new(0..0, DeTable::new()), vec![error]),
        }
    };
    if !errors.is_empty() {
        return Err(syntax_errors(text, (file, 0), &errors));
    }
    let mut planting = Planting { text, from: (file, 0), layer, wrong: Vec::new() };
    let root = planting.table(table.into_inner(), 0);
    planting.done(Node { value: root, place: Place::new(file, 0..0), key: None, layer })
}

/// Parses a part of one of the texts as a single TOML value.
///
/// # Errors
/// Same as [`parse`].
pub(crate) fn parse_value(
    files: &Files,
    file: FileId,
    part: Range<usize>,
    layer: i32,
) -> Result<Node, Vec<Diagnostic>> {
    let from = (file, part.start);
    let text = files.text(file).and_then(|text| text.get(part)).unwrap_or_default();
    let value = DeValue::parse(text)
        .map_err(|error| syntax_errors(text, from, std::slice::from_ref(&error)))?;
    let mut planting = Planting { text, from, layer, wrong: Vec::new() };
    let node = planting.node(value, None, 0);
    planting.done(node)
}

/// Start of a text: the file, and the byte offset within it.
type From = (FileId, usize);

fn place((file, start): From, span: &Range<usize>) -> Place {
    Place::new(file, start + span.start..start + span.end)
}

/// Reports the parser's errors in the order of the text, without duplicates.
fn syntax_errors(text: &str, from: From, errors: &[toml::de::Error]) -> Vec<Diagnostic> {
    let mut found: Vec<_> =
        errors.iter().map(|error| (error.span().unwrap_or(0..0), error.message())).collect();
    found.order_by_key(|(span, _)| (span.start, span.end));
    found.dedup();
    let told = found.iter().take(MAX_DIAGNOSTICS);
    told.map(|(span, message)| {
        let written = text.get(span.clone()).unwrap_or_default();
        syntax_error(place(from, span), message, written)
    })
    .collect()
}

/// Reports one error of the parser, in plainer words where its own are misleading.
fn syntax_error(place: Place, message: &str, written: &str) -> Diagnostic {
    let written = written.trim();
    let (what, expected) = match message.split_once(", expected ") {
        Some((what, expected)) => (what, Some(expected).filter(|list| *list != "nothing")),
        None => (message, None),
    };
    match what {
        // The parser takes any word that starts like `true` or `false` for a misspelt boolean.
        "invalid boolean" | "string values must be quoted" if !written.is_empty() => {
            Diagnostic::error(format!("`{}` is not a value", show(written)))
                .at(place, "not a value")
                .help(meant(written))
        }
        "string values must be quoted" => {
            Diagnostic::error("a value is missing").at(place, "expected a value here")
        }
        "invalid basic string" | "invalid literal string" if expected.is_some() => {
            let label = format!("expected {} here at the latest", expected.unwrap_or_default());
            Diagnostic::error("the string does not end").at(place, label)
        }
        "duplicate key" => Diagnostic::error(format!("`{}` is given twice", show(written)))
            .at(place, "given before")
            .help("keep one; a list of tables is written with double brackets: `[[organization]]`"),
        "recursion limit" | "cannot recurse further; max recursion depth met" => too_deep(place),
        _ => {
            let label = expected.map_or(String::new(), |list| format!("expected {list}"));
            Diagnostic::error(what).at(place, label)
        }
    }
}

/// Suggests a replacement for a word that is not a value.
fn meant(written: &str) -> String {
    let shown = show(written);
    let is_value = |word: &str| word.parse::<f64>().is_ok() || matches!(word, "true" | "false");
    if let Some(seconds) = seconds(written) {
        return format!("numbers have no units; in seconds it is `{seconds}`");
    }
    match (written.to_lowercase().as_str(), written.split_once(char::is_whitespace)) {
        (word @ ("true" | "false"), _) => format!("write `{word}`"),
        (_, Some((value, next))) if is_value(value) => {
            format!("put a comma between `{}` and `{}`", show(value), show(next.trim()))
        }
        _ => format!("if it is text, put it in quotes: \"{shown}\""),
    }
}

fn too_deep(place: Place) -> Diagnostic {
    Diagnostic::error("tables and arrays are nested too deeply").at(place, "this goes too deep")
}

/// Converts the parser's values to nodes.
struct Planting<'i> {
    text: &'i str,
    from: From,
    layer: i32,
    wrong: Vec<Diagnostic>,
}

impl Planting<'_> {
    fn done(mut self, root: Node) -> Result<Node, Vec<Diagnostic>> {
        if self.wrong.is_empty() {
            return Ok(root);
        }
        self.wrong.order_by_key(|diagnostic| diagnostic.place().map(|place| place.span.start));
        Err(self.wrong)
    }

    fn refuse(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.wrong.len() < MAX_DIAGNOSTICS {
            self.wrong.push(diagnostic());
        }
    }

    fn table(&mut self, table: DeTable<'_>, depth: usize) -> Value {
        let mut entries: Vec<_> = table
            .into_iter()
            .map(|(key, value)| {
                let at = place(self.from, &key.span());
                (key.into_inner().into_owned(), self.node(value, Some(at), depth + 1))
            })
            .collect();
        entries.order_by_key(|(_, node)| node.key.as_ref().map(|key| key.span.start));
        Value::Table(entries)
    }

    fn node(&mut self, value: Spanned<DeValue<'_>>, key: Option<Place>, depth: usize) -> Node {
        let place = place(self.from, &value.span());
        let written = &self.text[value.span()];
        let value = match value.into_inner() {
            DeValue::Array(_) | DeValue::Table(_) if depth > MAX_DEPTH => {
                self.refuse(|| too_deep(place.clone()));
                Value::Bool(false)
            }
            DeValue::Array(elements) => Value::Array(
                elements.into_iter().map(|element| self.node(element, None, depth + 1)).collect(),
            ),
            DeValue::Table(table) => self.table(table, depth),
            DeValue::Boolean(value) => Value::Bool(value),
            DeValue::Datetime(_) => Value::Datetime(written.to_owned()),
            DeValue::String(value) => Value::String(value.into_owned()),
            DeValue::Integer(value) => self.integer(&value, &place),
            DeValue::Float(value) => self.float(value.as_str(), &place),
        };
        Node { value, place, key, layer: self.layer }
    }

    fn integer(&mut self, written: &DeInteger<'_>, place: &Place) -> Value {
        let value = i64::from_str_radix(written.as_str(), written.radix());
        if value.is_err() {
            self.refuse(|| {
                let end = if written.as_str().starts_with('-') { i64::MIN } else { i64::MAX };
                Diagnostic::error("the number is too large")
                    .at(place.clone(), format!("whole numbers end at {end}"))
                    .help("write it with a decimal point if it need not be exact")
            });
        }
        Value::Integer(value.unwrap_or_default().into())
    }

    fn float(&mut self, written: &str, place: &Place) -> Value {
        let value = written.parse().unwrap_or(f64::INFINITY);
        if f64::is_infinite(value) && !written.contains("inf") {
            self.refuse(|| {
                Diagnostic::error("the number is too large")
                    .at(place.clone(), format!("numbers go up to {:e}", f64::MAX))
            });
        }
        Value::Float(value)
    }
}
