//! Reading a tree of nodes into any serde type, with every mistake told at once.
//!
//! [`read`] drives serde's derived code over a [`Node`] and keeps going after a mistake: what
//! cannot be read is noted with its place and replaced by a *stand-in* that fits any type, so that
//! the rest is still checked; a value with stand-ins in it is never handed out. Unknown keys are
//! refused for every struct. Choices are externally tagged enums: a table of exactly one key, or a
//! bare string.

mod access;

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, DeserializeOwned, DeserializeSeed, Visitor};

use super::diagnostics::{Diagnostic, MAX_DIAGNOSTICS, listed, nearest, show};
use super::files::Place;
use super::lengths::seconds;
use super::path::{Path, Segment};
use super::tree::{Node, Value};
use access::Entries;

/// How often reading starts again after a mistake that serde's derived code cannot go on from.
const MAX_PASSES: usize = 20;
/// How many stand-ins are made in a pass, lest a type that contains itself goes on for ever.
const MAX_STAND_INS: usize = 10_000;
/// How deep stand-ins are nested, for the same reason.
const MAX_STAND_IN_DEPTH: usize = 32;
/// Lists of valid names are given whole up to this length.
const MAX_NAMES: usize = 12;

/// Reads a value of type `T`, or says everything that is wrong, in the order of the text.
///
/// The value is there only if there is no error. At most [`MAX_DIAGNOSTICS`] errors are told. A
/// type whose own checks (`try_from`, a hand-written `Deserialize`) refuse a stand-in ends the
/// search early. `T` must not use `flatten`, internally tagged or untagged enums: these read into
/// a buffer that has no places. Tables read into maps take any key; structs refuse unknown ones.
pub fn read<T: DeserializeOwned>(node: &Node) -> (Option<T>, Vec<Diagnostic>) {
    let findings = Findings::default();
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

/// Why reading stopped.
#[derive(Debug)]
enum Halt {
    /// A struct lacks this key; not yet noted.
    Missing(&'static str),
    /// A type refused its value with these words; not yet noted.
    Said(String),
    /// The mistake is noted, and the next pass will get past it.
    Noted,
    /// A stand-in was refused: nothing more can be found.
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

/// The way down to the value being read, kept on the stack.
struct Trail<'t> {
    up: Option<&'t Trail<'t>>,
    step: Step<'t>,
}

#[derive(Clone, Copy)]
enum Step<'t> {
    Root,
    Key(&'t str),
    Index(usize),
}

impl<'t> Trail<'t> {
    fn below(&'t self, step: Step<'t>) -> Trail<'t> {
        Trail { up: Some(self), step }
    }

    fn path(&self) -> Path {
        let mut segments = Vec::new();
        let mut at = Some(self);
        while let Some(trail) = at {
            match trail.step {
                Step::Root => {}
                Step::Key(key) => segments.push(Segment::Key(key.to_owned())),
                Step::Index(index) => segments.push(Segment::Index(index)),
            }
            at = trail.up;
        }
        segments.into_iter().rev().collect()
    }

    /// What a message calls the value: its key in quotes, with the indices below it.
    fn name(&self) -> String {
        let mut indices = String::new();
        let mut at = Some(self);
        while let Some(trail) = at {
            match trail.step {
                Step::Root => break,
                Step::Key(key) => return format!("`{}{indices}`", show(key)),
                Step::Index(index) => indices = format!("[{index}]{indices}"),
            }
            at = trail.up;
        }
        "the scenario".to_owned()
    }

    /// The path as it would be typed in front of ` = `.
    fn typed(&self) -> String {
        let path = self.path();
        let keys = path.segments().iter().rev();
        let mut keys: Vec<_> = keys
            .map_while(|s| if let Segment::Key(k) = s { Some(show(k)) } else { None })
            .collect();
        keys.truncate(2);
        keys.reverse();
        keys.join(".")
    }
}

/// Keys that a table lacks.
struct Lacking {
    table: *const Node,
    place: Place,
    path: Path,
    name: String,
    /// How the table is typed, if it was only implied by a choice's bare string.
    implied: Option<String>,
    fields: Vec<&'static str>,
}

/// What was found so far, over all passes.
#[derive(Default)]
struct Findings {
    inner: RefCell<Found>,
}

#[derive(Default)]
struct Found {
    /// Mistakes that reading goes on from within a pass; found again in each.
    passing: Vec<Diagnostic>,
    /// Mistakes that ended a pass.
    halting: Vec<Diagnostic>,
    /// Values that a type refused: from the next pass on stand-ins take their place. Told apart by
    /// their address, as the tree stays where it is; never followed.
    refused: Vec<*const Node>,
    /// Tables that lack keys: from the next pass on stand-ins are found under these.
    lacking: Vec<Lacking>,
    stand_ins: usize,
}

impl Findings {
    fn start_pass(&self) {
        let mut found = self.inner.borrow_mut();
        found.passing.clear();
        found.stand_ins = 0;
    }

    fn note(&self, diagnostic: impl FnOnce() -> Diagnostic) {
        let mut found = self.inner.borrow_mut();
        if found.passing.len() < MAX_DIAGNOSTICS {
            let diagnostic = diagnostic();
            // What one setting puts into several tables is told once.
            let is_known = |known: &Diagnostic| {
                known.labels == diagnostic.labels && known.message == diagnostic.message
            };
            if diagnostic.labels.is_empty() || !found.passing.iter().any(is_known) {
                found.passing.push(diagnostic);
            }
        }
    }

    fn into_diagnostics(self) -> Vec<Diagnostic> {
        let found = self.inner.into_inner();
        let mut all = found.passing;
        all.extend(found.halting);
        all.extend(found.lacking.into_iter().map(Lacking::into_diagnostic));
        all.sort_by_key(|diagnostic| {
            diagnostic.place().map(|place| (place.file, place.span.start, place.span.end))
        });
        all.truncate(MAX_DIAGNOSTICS);
        all
    }
}

impl Lacking {
    fn into_diagnostic(self) -> Diagnostic {
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

/// What a [`Reader`] reads.
#[derive(Clone, Copy)]
enum What<'t> {
    /// A value as written.
    Node(&'t Node),
    /// The parameters of a choice that was written as a bare string, here: none.
    Bare(&'t Node),
    /// A stand-in: whatever is asked for.
    Anything {
        /// How deep within the outermost stand-in.
        depth: usize,
    },
}

/// Serde's view of a value.
struct Reader<'t> {
    what: What<'t>,
    trail: &'t Trail<'t>,
    findings: &'t Findings,
}

impl<'t> Reader<'t> {
    fn new(node: &'t Node, trail: &'t Trail<'t>, findings: &'t Findings) -> Self {
        let refused = findings.inner.borrow().refused.contains(&std::ptr::from_ref(node));
        let what = if refused { What::Anything { depth: 0 } } else { What::Node(node) };
        Self { what, trail, findings }
    }

    fn with(&self, what: What<'t>) -> Self {
        Self { what, trail: self.trail, findings: self.findings }
    }

    /// A stand-in for what should be here.
    fn stand_in(&self) -> Self {
        let depth = if let What::Anything { depth } = self.what { depth } else { 0 };
        self.with(What::Anything { depth })
    }

    /// Notes a mistake at a place and goes on.
    fn note(&self, place: &Place, message: String, label: String, help: Option<String>) {
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

    /// Reads a value; what its type refuses after reading it, as by `try_from`, is told here too.
    fn value<'de, S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Halt> {
        self.settle(seed.deserialize(self.with(self.what)))
    }

    /// Notes what a type's own code complained of, so that the next pass gets past it.
    fn settle<T>(&self, result: Result<T, Halt>) -> Result<T, Halt> {
        let halt = match result {
            Ok(value) => return Ok(value),
            Err(halt) => halt,
        };
        let (What::Node(node) | What::Bare(node)) = self.what else { return Err(Halt::GaveUp) };
        match halt {
            Halt::Missing(field) => Err(self.lacks(node, field)),
            Halt::Said(text) => Err(self.refused(node, &text)),
            Halt::Noted | Halt::GaveUp => Err(halt),
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

    /// A whole number within bounds; of a stand-in, or after a mistake, one that fits.
    fn whole(&self, low: i128, high: i128) -> i128 {
        let fits = 1.clamp(low, high);
        let What::Node(node) = self.what else {
            self.wrong("a whole number", None);
            return fits;
        };
        match &node.value {
            Value::Integer(value) => {
                let value = i128::from(*value);
                if (low..=high).contains(&value) {
                    return value;
                }
                let (bound, limit) =
                    if value < low { ("at least", low) } else { ("at most", high) };
                let message =
                    format!("{} must be {bound} {limit}, but is {value}", self.trail.name());
                self.note(&node.place, message, format!("must be {bound} {limit}"), None);
            }
            Value::Float(value) if value.fract() == 0.0 && value.abs() < 1e15 => {
                self.wrong("a whole number", Some(format!("write `{value:.0}`")));
            }
            value => self.wrong("a whole number", without_unit::<i64>(value)),
        }
        fits
    }

    /// A finite number.
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

    /// Reads a table or, where there is none, a stand-in with every one of the keys.
    fn table<'de, V: Visitor<'de>>(
        self,
        fields: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value, Halt> {
        let entries = match self.what {
            What::Node(Node { value: Value::Table(entries), .. }) => &entries[..],
            What::Node(node) => {
                let typed = self.trail.typed();
                let help = match (fields, typed_value(&node.value)) {
                    (Some([only]), Some(value)) => format!("write `{typed}.{only} = {value}`"),
                    _ => format!("write `[{typed}]` or `{typed} = {{ ... }}`"),
                };
                self.wrong("a table", Some(help).filter(|_| !typed.is_empty()));
                return self.stand_in().table(fields, visitor);
            }
            What::Bare(_) => &[],
            What::Anything { .. } => {
                let names = fields.unwrap_or_default().to_vec();
                return self.settle(visitor.visit_map(Entries::stand_ins(&self, names)));
            }
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
                        // Read as what it probably is: nothing is missing then.
                        if !accepted.iter().any(|(name, ..)| *name == meant) {
                            accepted.push((meant, key, node));
                        }
                    }
                }
            }
        }
        let names = self.keys_to_stand_in(&accepted);
        self.settle(visitor.visit_map(Entries {
            entries: accepted.into_iter(),
            value: None,
            stand_ins: names.into_iter(),
            reader: &self,
        }))
    }

    /// The keys that an earlier pass found missing in this table.
    fn keys_to_stand_in(&self, given: &[Entry<'_>]) -> Vec<&'static str> {
        let (What::Node(node) | What::Bare(node)) = self.what else { return Vec::new() };
        let found = self.findings.inner.borrow();
        let table = std::ptr::from_ref(node);
        let lacking = found.lacking.iter().find(|lacking| lacking.table == table);
        let names = lacking.map(|lacking| lacking.fields.clone()).unwrap_or_default();
        names.into_iter().filter(|name| !given.iter().any(|(key, ..)| key == name)).collect()
    }

    /// Notes an unknown key; the key that was meant, if there is one that it could be. Nothing more
    /// is looked for when enough is told: each look takes time in proportion to the table.
    fn unknown_key(
        &self,
        key: &str,
        node: &Node,
        fields: &'static [&'static str],
        entries: &[(String, Node)],
    ) -> Option<&'static str> {
        if self.findings.inner.borrow().passing.len() >= MAX_DIAGNOSTICS {
            return None;
        }
        // What a lower layer gives may well be what this key should have been.
        let taken = |field| entries.iter().any(|(k, n)| k == field && n.layer >= node.layer);
        let free = fields.iter().copied().filter(|field| !taken(*field));
        let mut near = nearest(key, free);
        let is_free = !near.is_empty();
        if !is_free {
            near = nearest(key, fields.iter().copied());
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
        about.note(place, message, label, Some(valid("key", fields)));
        let given = |field: &str| entries.iter().any(|(key, _)| key == field);
        match near[..] {
            [meant] if is_free => Some(meant).filter(|meant| !given(meant)),
            _ => None,
        }
    }

    /// The choice that a table or string makes, and the reader of its parameters.
    fn choice(&self, variants: &'static [&'static str]) -> Result<(&'static str, What<'t>), Halt> {
        let any = variants.first().copied().ok_or(Halt::GaveUp)?;
        let stand_in = (any, self.stand_in().what);
        let entries = match self.what {
            What::Anything { .. } => return Ok(stand_in),
            What::Node(node @ Node { value: Value::String(text), .. }) => {
                let known = variants.iter().find(|variant| *variant == text);
                let known = known.copied().or_else(|| {
                    self.unknown_choice(text, &node.place, self.trail.name(), variants)
                });
                return Ok(known.map_or(stand_in, |variant| (variant, What::Bare(node))));
            }
            What::Node(Node { value: Value::Table(entries), .. }) => entries,
            What::Bare(node) => {
                self.no_choice(&node.place, variants);
                return Ok(stand_in);
            }
            What::Node(node) => {
                let value = typed_value(&node.value).filter(|_| variants.len() == 1);
                let value = value.as_deref().unwrap_or("...");
                let typed = self.trail.below(Step::Key(any)).typed();
                let help = format!("write `{typed} = {value}`");
                self.wrong(&format!("a choice of {}", names(variants, "or")), Some(help));
                return Ok(stand_in);
            }
        };
        // Of several layers' choices the highest one's counts.
        let top = entries.iter().map(|(_, node)| node.layer).max();
        let entries: Vec<_> = entries.iter().filter(|(_, node)| Some(node.layer) == top).collect();
        let known: Vec<_> = entries
            .iter()
            .filter_map(|(key, node)| {
                variants.iter().find(|variant| *variant == key).map(|variant| (*variant, node))
            })
            .collect();
        match (&known[..], &entries[..]) {
            ([], []) => {
                if let What::Node(node) = self.what {
                    self.no_choice(&node.place, variants);
                }
                Ok(stand_in)
            }
            ([], [(key, node), ..]) => {
                let place = node.key.as_ref().unwrap_or(&node.place);
                let below = self.trail.below(Step::Key(key));
                let about = Reader { trail: &below, ..self.with(self.what) };
                let meant = about.unknown_choice(key, place, self.trail.name(), variants);
                Ok(meant.map_or(stand_in, |variant| (variant, What::Node(node))))
            }
            ([(variant, node)], _) => {
                for (key, other) in entries.iter().filter(|(key, _)| key != variant) {
                    self.beside_choice(key, other, variant, node);
                }
                Ok((*variant, What::Node(node)))
            }
            ([(variant, node), ..], _) => {
                self.two_choices(&known);
                Ok((*variant, What::Node(node)))
            }
        }
    }

    fn no_choice(&self, place: &Place, variants: &'static [&'static str]) {
        let message = format!("nothing is chosen for {}", self.trail.name());
        let label = format!("choose one of {}", names(variants, "or"));
        let help = variants.first().map(|any| {
            format!("write for example `{} = ...`", self.trail.below(Step::Key(any)).typed())
        });
        self.note(place, message, label, help);
    }

    /// Notes an unknown choice; the one that was meant, if there is one that it could be.
    fn unknown_choice(
        &self,
        word: &str,
        place: &Place,
        name: String,
        variants: &'static [&'static str],
    ) -> Option<&'static str> {
        let near = nearest(word, variants.iter().copied());
        let label = if near.is_empty() {
            "not one of the choices".to_owned()
        } else {
            format!("did you mean {}?", listed(&near, "or"))
        };
        let message = format!("unknown choice `{}` for {name}", show(word));
        self.note(place, message, label, Some(valid("choice", variants)));
        if let [meant] = near[..] { Some(meant) } else { None }
    }

    /// Notes a key beside the one that makes the choice.
    fn beside_choice(&self, key: &str, node: &Node, variant: &str, chosen: &Node) {
        self.findings.note(|| {
            let (name, key) = (self.trail.name(), show(key));
            let place = |node: &Node| node.key.as_ref().unwrap_or(&node.place).clone();
            let inside = self.trail.below(Step::Key(variant)).typed();
            Diagnostic::error(format!("unknown key `{key}` beside the choice for {name}"))
                .at(place(node), "not one of the choices")
                .also(place(chosen), format!("`{variant}` is chosen here"))
                .help(format!(
                    "a parameter of the choice goes inside: `{inside} = {{ {key} = ... }}`"
                ))
                .about(self.trail.path().key(key))
        });
    }

    fn two_choices(&self, known: &[(&'static str, &Node)]) {
        self.findings.note(|| {
            let variants: Vec<_> = known.iter().map(|(variant, _)| *variant).collect();
            let count = if known.len() == 2 { "two".to_owned() } else { known.len().to_string() };
            let (name, all) = (self.trail.name(), listed(&variants, "and"));
            let mut diagnostic =
                Diagnostic::error(format!("{count} choices at once for {name}: {all}"));
            for (at, (variant, node)) in known.iter().enumerate() {
                let place = node.key.as_ref().unwrap_or(&node.place).clone();
                diagnostic = if at == 0 {
                    diagnostic.also(place, format!("`{variant}` is chosen here"))
                } else {
                    diagnostic.at(place, format!("and `{variant}` here"))
                };
            }
            diagnostic.help("keep one of them").about(self.trail.path())
        });
    }
}

/// What to say if a string holds what should stand without quotes.
fn unquoted<T: std::str::FromStr>(value: &Value) -> Option<String> {
    let Value::String(text) = value else { return None };
    let is_value = text.parse::<T>().is_ok() && toml::de::DeValue::parse(text).is_ok();
    is_value.then(|| format!("write it without quotes: `{}`", show(text)))
}

/// What to say of text where a number should be: perhaps it has quotes, perhaps a unit.
fn without_unit<T: std::str::FromStr>(value: &Value) -> Option<String> {
    let Value::String(text) = value else { return None };
    let told = |seconds| format!("numbers have no units; in seconds it is `{seconds}`");
    unquoted::<T>(value).or_else(|| seconds(text).map(told))
}

/// A value of one word as it would be typed, if that is short.
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

/// A list of names, cut if it is long.
fn names(all: &[&str], word: &str) -> String {
    if all.len() <= MAX_NAMES {
        return listed(all, word);
    }
    let some = &all[..MAX_NAMES];
    format!("{} and {} more", listed(some, ",").replace(" , ", ", "), all.len() - some.len())
}

/// A help line with the valid names.
fn valid(noun: &str, all: &[&str]) -> String {
    match all {
        [] => format!("no {noun} is taken here"),
        [only] => format!("the only {noun} here is `{only}`"),
        _ => format!("the {noun}s here are {}", names(all, "and")),
    }
}

/// The key as serde shall see it, the key as written, and its value.
type Entry<'t> = (&'t str, &'t str, &'t Node);
