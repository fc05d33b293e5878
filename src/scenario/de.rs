//! Deserializes a tree of nodes into any serde type, reporting every mistake at once.
//!
//! [`read`] drives serde's derived code over a [`Node`] and continues after a mistake. An
//! unreadable value is noted with its place and replaced by a *stand-in* that fits any type, so
//! that the rest is still checked; a value that contains stand-ins is never returned. Every struct
//! rejects unknown keys. Choices are externally tagged enums: a table of exactly one key, or a bare
//! string.

mod access;
mod choices;
mod findings;
pub(super) mod trail;

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, DeserializeOwned, DeserializeSeed, Visitor};

use super::aliases;
use super::diagnostics::{Diagnostic, MAX_DIAGNOSTICS, listed, nearest, show};
use super::files::Place;
use super::lengths::seconds;
use super::tree::{Node, Value};
use access::Entries;
use findings::{Findings, Lacking};
use trail::{Step, Trail};

/// Maximum number of restarts after mistakes that serde's derived code cannot recover from.
const MAX_PASSES: usize = 20;
/// Maximum number of stand-ins per pass, so that a recursive type cannot loop for ever.
const MAX_STAND_INS: usize = 10_000;
/// Maximum nesting of stand-ins, for the same reason.
const MAX_STAND_IN_DEPTH: usize = 32;
/// Words of the message on a whole number that its type does not hold.
pub(super) const BEYOND: &str = " must be at ";
/// Longest list of valid keys that is shown whole; no table of a scenario has more.
const MAX_KEYS: usize = 24;

/// Name of a newtype that is written as one value or as a list of values. Its visitor takes a
/// newtype for one value and a sequence for several.
pub(crate) const ONE_OR_SEVERAL: &str = "one or several";

/// Reads a value of type `T`, or reports everything that is wrong, in the order of the text.
///
/// The value is returned only if there is no error. At most [`MAX_DIAGNOSTICS`] errors are
/// reported. A type whose own checks (`try_from`, a hand-written `Deserialize`) reject a stand-in
/// ends the search early. `T` must not use `flatten`, internally tagged or untagged enums: these
/// read into a buffer that has no places. Tables read into maps accept any key; structs reject
/// unknown ones.
pub fn read<T: DeserializeOwned>(node: &Node) -> (Option<T>, Vec<Diagnostic>) {
    read_with(node, Findings::default())
}

/// The same, but keys that are not known are passed over.
pub(crate) fn read_known<T: DeserializeOwned>(node: &Node) -> (Option<T>, Vec<Diagnostic>) {
    read_with(node, Findings { takes_unknown_keys: true, ..Findings::default() })
}

fn read_with<T: DeserializeOwned>(node: &Node, findings: Findings) -> (Option<T>, Vec<Diagnostic>) {
    let root = Trail { up: None, step: Step::Root };
    let mut value = None;
    for _ in 0..=MAX_PASSES {
        findings.start_pass();
        match Reader::new(node, &root, &findings).value(PhantomData::<T>) {
            Ok(read) => value = Some(read),
            Err(Halt::Noted) => continue,
            Err(_) => {}
        }
        break;
    }
    let mut diagnostics = findings.into_diagnostics();
    if value.is_none() && diagnostics.is_empty() {
        let message = format!("{} cannot be read", root.name());
        diagnostics.push(Diagnostic::error(message).at(node.place.clone(), ""));
    }
    (value.filter(|_| diagnostics.is_empty()), diagnostics)
}

/// The reason why reading stopped.
#[derive(Debug)]
enum Halt {
    /// A struct lacks this key; not yet noted.
    Missing(&'static str),
    /// A type rejected its value with this message; not yet noted.
    Said(String),
    /// The mistake is noted, and the next pass will get past it.
    Noted,
    /// A stand-in was rejected: nothing more can be found.
    GaveUp,
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => write!(f, "missing key `{field}`"),
            Self::Said(text) => f.write_str(text),
            Self::Noted | Self::GaveUp => f.write_str("the input is wrong"),
        }
    }
}

impl std::error::Error for Halt {}

impl de::Error for Halt {
    fn custom<M: fmt::Display>(message: M) -> Self {
        Self::Said(message.to_string())
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::Said(format!("expected {expected}, found {found}"))
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::Said(format!("expected {expected}, found {found}"))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }
}

/// The input of a [`Reader`].
#[derive(Clone, Copy)]
enum What<'t> {
    /// A value as written.
    Node(&'t Node),
    /// The parameters of a choice written as a bare string here: none.
    Bare(&'t Node),
    /// A stand-in for any type.
    Anything {
        /// Nesting depth within the outermost stand-in.
        depth: usize,
    },
}

impl<'t> What<'t> {
    /// A value as written, or a stand-in for one that was refused before.
    fn of(node: &'t Node, findings: &Findings) -> What<'t> {
        let refused = findings.inner.borrow().refused.contains(&std::ptr::from_ref(node));
        if refused { What::Anything { depth: 0 } } else { What::Node(node) }
    }
}

/// Serde's view of a value.
struct Reader<'t> {
    what: What<'t>,
    trail: &'t Trail<'t>,
    findings: &'t Findings,
}

impl<'t> Reader<'t> {
    fn new(node: &'t Node, trail: &'t Trail<'t>, findings: &'t Findings) -> Self {
        Self { what: What::of(node, findings), trail, findings }
    }

    fn with(&self, what: What<'t>) -> Self {
        Self { what, trail: self.trail, findings: self.findings }
    }

    /// Returns a stand-in for the expected value.
    fn stand_in(&self) -> Self {
        let depth = if let What::Anything { depth } = self.what { depth } else { 0 };
        self.with(What::Anything { depth })
    }

    /// Notes a mistake at a place and continues.
    fn note(
        &self,
        place: &Place,
        message: String,
        label: String,
        help: impl IntoIterator<Item = String>,
    ) {
        self.findings.note(|| {
            let diagnostic = Diagnostic::error(message).at(place.clone(), label);
            help.into_iter().fold(diagnostic, Diagnostic::help).about(self.trail.path())
        });
    }

    /// Notes that something else was expected here.
    fn wrong(&self, expected: &str, help: Option<String>) {
        let name = self.trail.name();
        match self.what {
            What::Node(node) => {
                let kind = node.value.kind();
                let message = format!("expected {expected} for {name}, found {kind}");
                self.note(&node.place, message, format!("expected {expected}"), help);
            }
            What::Bare(node) => {
                let message = format!("{name} needs a value");
                let label = format!("expected {expected} with {name}");
                let help = format!("write `{} = ...`", self.trail.typed());
                self.note(&node.place, message, label, Some(help));
            }
            What::Anything { .. } => {}
        }
    }

    /// Reads a value; also notes an error of its type's own checks after reading, such as
    /// `try_from`.
    fn value<'de, S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Halt> {
        self.settle(seed.deserialize(self.with(self.what)))
    }

    /// Notes an error raised by a type's own code, so that the next pass gets past it.
    fn settle<T>(&self, result: Result<T, Halt>) -> Result<T, Halt> {
        match result {
            Ok(value) => Ok(value),
            Err(halt) => Err(self.noted(halt)),
        }
    }

    /// Notes an error that is not yet noted.
    #[inline(never)]
    fn noted(&self, halt: Halt) -> Halt {
        let (What::Node(node) | What::Bare(node)) = self.what else { return Halt::GaveUp };
        match halt {
            Halt::Missing(field) => self.lacks(node, field),
            Halt::Said(text) => self.refused(node, &text),
            Halt::Noted | Halt::GaveUp => halt,
        }
    }

    fn lacks(&self, node: &Node, field: &'static str) -> Halt {
        let mut found = self.findings.inner.borrow_mut();
        let table = std::ptr::from_ref(node);
        if let Some(lacking) = found.lacking.iter_mut().find(|lacking| lacking.table == table) {
            if lacking.fields.contains(&field) {
                return Halt::GaveUp;
            }
            lacking.fields.push(field);
            return Halt::Noted;
        }
        let bare = matches!(self.what, What::Bare(_));
        found.lacking.push(Lacking {
            table,
            place: node.place.clone(),
            path: self.trail.path(),
            name: self.trail.name(),
            implied: bare.then(|| self.trail.typed()),
            fields: vec![field],
        });
        Halt::Noted
    }

    fn refused(&self, node: &Node, text: &str) -> Halt {
        let mut found = self.findings.inner.borrow_mut();
        let address = std::ptr::from_ref(node);
        if found.refused.contains(&address) {
            return Halt::GaveUp;
        }
        found.refused.push(address);
        found.halting.push(
            Diagnostic::error(format!("{}: {text}", self.trail.name()))
                .at(node.place.clone(), "")
                .about(self.trail.path()),
        );
        Halt::Noted
    }

    /// Reads a whole number within bounds; for a stand-in or after a mistake, returns one that
    /// fits.
    fn whole(&self, low: i128, high: i128) -> i128 {
        let fits = 1.clamp(low, high);
        let What::Node(node) = self.what else {
            self.wrong("a whole number", None);
            return fits;
        };
        match &node.value {
            Value::Integer(value) => {
                let value = *value;
                if (low..=high).contains(&value) {
                    return value;
                }
                let (bound, limit) = if value < low { ("least", low) } else { ("most", high) };
                let message =
                    format!("{}{BEYOND}{bound} {limit}, but is {value}", self.trail.name());
                self.note(&node.place, message, format!("must be at {bound} {limit}"), None);
            }
            Value::Float(value) if value.fract() == 0.0 && value.abs() < 1e15 => {
                self.wrong("a whole number", Some(format!("write `{value:.0}`")));
            }
            value => self.wrong("a whole number", without_unit::<i64>(value)),
        }
        fits
    }

    /// Reads a finite number.
    fn number(&self) -> f64 {
        let What::Node(node) = self.what else {
            self.wrong("a number", None);
            return 1.0;
        };
        match &node.value {
            #[expect(clippy::cast_precision_loss, reason = "as TOML's own floats are rounded")]
            Value::Integer(value) => return *value as f64,
            Value::Float(value) if value.is_finite() => return *value,
            Value::Float(value) => {
                let message = format!("{} must be a finite number, not {value}", self.trail.name());
                self.note(&node.place, message, "must be a finite number".to_owned(), None);
            }
            value => self.wrong("a number", without_unit::<f64>(value)),
        }
        1.0
    }

    fn bool(&self) -> bool {
        match self.what {
            What::Node(Node { value: Value::Bool(value), .. }) => return *value,
            What::Node(node) => self.wrong("`true` or `false`", unquoted::<bool>(&node.value)),
            _ => self.wrong("`true` or `false`", None),
        }
        false
    }

    fn string(&self) -> &'t str {
        match self.what {
            What::Node(Node { value: Value::String(text), .. }) => return text,
            What::Node(node) => {
                let quotable = !matches!(node.value, Value::Array(_) | Value::Table(_));
                let help = quotable.then(|| "put it in quotes".to_owned());
                self.wrong("a string", help);
            }
            _ => self.wrong("a string", None),
        }
        ""
    }

    /// Reads a table; without one, a stand-in with every one of the keys.
    fn table<'de, V: Visitor<'de>>(
        self,
        fields: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value, Halt> {
        let (accepted, stand_ins, what) = self.entries(fields);
        let reader = &self.with(what);
        let (entries, stand_ins) = (accepted.into_iter(), stand_ins.into_iter());
        let mut entries = Entries { entries, value: None, stand_ins, reader };
        match visitor.visit_map(&mut entries) {
            Ok(value) => Ok(value),
            Err(halt) => Err(reader.noted(halt)),
        }
    }

    /// Returns the entries of a table, the keys of its stand-ins, and the input that these are of. It is
    /// apart from [`table`](Self::table), which is compiled for every type.
    #[inline(never)]
    fn entries(
        &self,
        fields: Option<&'static [&'static str]>,
    ) -> (Vec<Entry<'t>>, Vec<&'static str>, What<'t>) {
        let stand_in =
            |reader: &Self| (Vec::new(), fields.unwrap_or_default().to_vec(), reader.what);
        let entries = match self.what {
            What::Node(Node { value: Value::Table(entries), .. }) => &entries[..],
            What::Node(node) => {
                let typed = self.trail.typed();
                let help = match (fields, typed_value(&node.value)) {
                    (Some([only]), Some(value)) => format!("write `{typed}.{only} = {value}`"),
                    _ => format!("write `[{typed}]` or `{typed} = {{ ... }}`"),
                };
                self.wrong("a table", Some(help).filter(|_| !typed.is_empty()));
                return stand_in(&self.stand_in());
            }
            What::Bare(_) => &[],
            What::Anything { .. } => return stand_in(self),
        };
        let mut accepted: Vec<Entry<'_>> = Vec::with_capacity(entries.len());
        match fields {
            None => accepted
                .extend(entries.iter().map(|(key, node)| (key.as_str(), key.as_str(), node))),
            Some(fields) => {
                for (key, node) in entries {
                    if fields.contains(&key.as_str()) {
                        accepted.push((key, key, node));
                    } else if let Some(meant) = self.unknown_key(key, node, fields, entries) {
                        // Read it as the key it probably is: then nothing is missing.
                        if !accepted.iter().any(|(name, ..)| *name == meant) {
                            accepted.push((meant, key, node));
                        }
                    }
                }
            }
        }
        let names = self.keys_to_stand_in(&accepted);
        (accepted, names, self.what)
    }

    /// Returns the keys that an earlier pass found missing in this table.
    fn keys_to_stand_in(&self, given: &[Entry<'_>]) -> Vec<&'static str> {
        let (What::Node(node) | What::Bare(node)) = self.what else { return Vec::new() };
        let found = self.findings.inner.borrow();
        let table = std::ptr::from_ref(node);
        let lacking = found.lacking.iter().find(|lacking| lacking.table == table);
        let names = lacking.map(|lacking| lacking.fields.clone()).unwrap_or_default();
        names.into_iter().filter(|name| !given.iter().any(|(key, ..)| key == name)).collect()
    }

    /// Notes an unknown key and returns the key that was probably meant. The search stops once
    /// enough mistakes are noted, since each takes time proportional to the table.
    fn unknown_key(
        &self,
        key: &str,
        node: &Node,
        fields: &'static [&'static str],
        entries: &[(String, Node)],
    ) -> Option<&'static str> {
        let is_enough = self.findings.inner.borrow().passing.len() >= MAX_DIAGNOSTICS;
        if is_enough || self.findings.takes_unknown_keys {
            return None;
        }
        // This key may have been meant to override one from a lower layer.
        let taken = |field| entries.iter().any(|(k, n)| k == field && n.layer >= node.layer);
        let free = fields.iter().copied().filter(|field| !taken(*field));
        let mut near = nearest(key, free);
        let mut is_free = !near.is_empty();
        if !is_free {
            near = nearest(key, fields.iter().copied());
        }
        // A word of another field means what it means there, not what it looks like.
        if let Some((here, is_same)) = aliases::of_table(key, &self.trail.path().plain(), fields)
            && (!here.is_empty() || !near.iter().any(|near| is_one_letter_off(key, near)))
        {
            near = here;
            is_free = is_same && near.iter().any(|field| !taken(*field));
        }
        let label = if near.is_empty() {
            format!("not a key of {}", self.trail.name())
        } else {
            format!("did you mean {}?", listed(&near, "or"))
        };
        let place = node.key.as_ref().unwrap_or(&node.place);
        let message = format!("unknown key `{}` in {}", show(key), self.trail.name());
        let below = self.trail.below(Step::Key(key));
        let about = Reader { trail: &below, ..self.with(self.what) };
        about.note(place, message, label, [valid("key", fields, MAX_KEYS)]);
        let given = |field: &str| entries.iter().any(|(key, _)| key == field);
        match near[..] {
            [meant] if is_free => Some(meant).filter(|meant| !given(meant)),
            _ => None,
        }
    }
}

/// Returns a remedy if a string holds a value that should have no quotes.
fn unquoted<T: std::str::FromStr>(value: &Value) -> Option<String> {
    let Value::String(text) = value else { return None };
    let is_value = text.parse::<T>().is_ok() && toml::de::DeValue::parse(text).is_ok();
    is_value.then(|| format!("write it without quotes: `{}`", show(text)))
}

/// Returns a remedy for text in place of a number: it may have quotes, or a unit.
fn without_unit<T: std::str::FromStr>(value: &Value) -> Option<String> {
    let Value::String(text) = value else { return None };
    let told = |seconds| format!("numbers have no units; in seconds it is `{seconds}`");
    unquoted::<T>(value).or_else(|| seconds(text).map(told))
}

/// Returns a one-word value as typed, if it is short.
fn typed_value(value: &Value) -> Option<String> {
    match value {
        Value::Bool(value) => Some(value.to_string()),
        Value::Integer(value) => Some(value.to_string()),
        Value::Float(value) => Some(format!("{value:?}")),
        Value::String(text) if show(text) == *text && !text.contains(['"', '\\']) => {
            Some(format!("\"{text}\""))
        }
        _ => None,
    }
}

/// Returns a help line with the valid names, at most so many.
fn valid(noun: &str, all: &[&str], most: usize) -> String {
    match all {
        [] => format!("no {noun} is taken here"),
        [only] => format!("the only {noun} here is `{only}`"),
        _ if all.len() <= most => format!("the {noun}s here are {}", listed(all, "and")),
        _ => format!("{} {noun}s are taken here", all.len()),
    }
}

/// Returns true for a typing mistake of one letter.
fn is_one_letter_off(word: &str, name: &str) -> bool {
    strsim::damerau_levenshtein(&word.to_lowercase(), name) <= 1
}

/// The key as serde sees it, the key as written, and its value.
type Entry<'t> = (&'t str, &'t str, &'t Node);
