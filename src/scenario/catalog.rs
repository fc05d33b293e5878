//! The catalog: every choice that a scenario offers, and every key of one, as data.
//!
//! Names, meanings, parameters and defaults come from the [schema](super::schema), sources from the
//! `ENTRIES` of the modules that the choices live in; nothing is written twice. To add a kind, add
//! its line to `kinds`; a choice of the schema that belongs to no kind fails the tests.

mod words;

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::Value;

use super::kinds::{Declared, KINDS};
use super::root::Root;
use super::schema::{described, is_choice, properties, requires};

/// A kind of choice that a scenario offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kind {
    /// Its singular: `scheduler`.
    pub name: &'static str,
    /// Its plural: `schedulers`.
    pub plural: &'static str,
    /// One-line description of the choice.
    pub meaning: &'static str,
    /// The keys at which such a choice is written: `cluster[].kind`.
    pub keys: Vec<String>,
    /// The options, in order of declaration.
    pub choices: Vec<Choice>,
}

/// One option of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// Its name in a scenario: `easy`. The name of an import rule is prefixed by its key.
    pub name: String,
    /// Its description.
    pub summary: String,
    /// The (first) key at which it is written:
    /// `organization[].cluster.space_shared.scheduler.easy`.
    pub key: String,
    /// The kind of value written there: `table`, `number above 0`.
    pub value: String,
    /// Its parameters, if it is a table.
    pub parameters: Vec<Key>,
    /// The source it is taken from, if any.
    pub citation: Option<&'static str>,
}

/// A key of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Key {
    /// Its path, with `[]` behind a list: `organization[].count`. For a parameter of a choice, only
    /// its name.
    pub key: String,
    /// The kind of value, in words.
    pub value: String,
    /// True if the key must be given.
    pub required: bool,
    /// The value used if the key is absent, unless it is simply left out.
    pub default: Option<String>,
    /// Its description.
    pub meaning: String,
}

impl Key {
    /// Returns `required`, the default, or an empty string, as a table shows it.
    pub fn default_or_required(&self) -> &str {
        if self.required { "required" } else { self.default.as_deref().unwrap_or_default() }
    }

    fn new(key: &str, table: &Object, name: &str, schema: &Object) -> Key {
        Key {
            key: key.to_owned(),
            value: words::value(schema),
            required: requires(table, name),
            default: schema.get("default").map(words::default),
            meaning: words::meaning(schema),
        }
    }
}

type Object = serde_json::Map<String, Value>;

/// Returns every kind of choice with its options.
pub fn catalog() -> Vec<Kind> {
    let (grid, game) = (described(Root::Grid), described(Root::Game));
    let mut found: Vec<(String, &Object)> = Vec::new();
    choices(grid, "", &mut found);
    choices(game, "", &mut found);
    KINDS.iter().map(|kind| declared(kind, &found)).collect()
}

/// Returns every key of a scenario, each table before its contents. Choices of plain words have no
/// keys of their own; the value of their key lists them.
pub fn keys() -> &'static [Key] {
    keys_in(Root::Grid)
}

/// Returns every key of a scenario or of a game.
pub fn keys_in(root: Root) -> &'static [Key] {
    static GRID: LazyLock<Vec<Key>> = LazyLock::new(|| all_keys(Root::Grid));
    static GAME: LazyLock<Vec<Key>> = LazyLock::new(|| all_keys(Root::Game));
    if root.is_game() { &GAME } else { &GRID }
}

fn all_keys(root: Root) -> Vec<Key> {
    let mut keys = Vec::new();
    keys_of(described(root), "", &mut keys);
    keys
}

/// Returns the kind with this singular or plural name; case and the kind of dash do not matter.
pub fn kind(name: &str) -> Option<Kind> {
    let plain = name.to_lowercase().replace(['_', ' '], "-");
    catalog().into_iter().find(|kind| kind.name == plain || kind.plural == plain)
}

/// Returns the path and schema of a key's contents: those of the elements, if it is a list.
fn inside<'a>(path: &str, schema: &'a Object) -> (String, &'a Object) {
    match schema.get("items").and_then(Value::as_object) {
        Some(items) => (format!("{path}[]"), items),
        None => (path.to_owned(), schema),
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Collects all choices in a schema, with their keys.
fn choices<'a>(schema: &'a Object, path: &str, found: &mut Vec<(String, &'a Object)>) {
    if is_choice(schema) {
        found.push((path.to_owned(), schema));
    }
    for (key, value) in properties(schema) {
        let (path, value) = inside(&join(path, key), value);
        choices(value, &path, found);
    }
}

fn keys_of(schema: &Object, path: &str, keys: &mut Vec<Key>) {
    for (name, value) in properties(schema) {
        let (below, element) = inside(&join(path, name), value);
        let is_table = properties(element).next().is_some();
        let key = if is_table { below.clone() } else { join(path, name) };
        keys.push(Key::new(&key, schema, name, value));
        if !words::is_plain(element) {
            keys_of(element, &below, keys);
        }
    }
}

fn declared(kind: &Declared, found: &[(String, &Object)]) -> Kind {
    let mut keys: Vec<String> = Vec::new();
    let mut listed: Vec<Choice> = Vec::new();
    for (at, schema) in found.iter().filter(|(at, _)| kind.is_at(at)) {
        if !keys.contains(at) {
            keys.push(at.clone());
        }
        for (variant, value) in properties(schema) {
            let name = kind.name_of(at, variant);
            if listed.iter().any(|choice| choice.name == name) {
                continue;
            }
            listed.push(Choice {
                summary: words::meaning(value),
                key: join(at, variant),
                value: words::value(value),
                parameters: parameters(value),
                citation: kind.citation(&name),
                name,
            });
        }
    }
    Kind { name: kind.name, plural: kind.plural, meaning: kind.meaning, keys, choices: listed }
}

fn parameters(schema: &Object) -> Vec<Key> {
    if is_choice(schema) {
        return Vec::new();
    }
    properties(schema).map(|(name, value)| Key::new(name, schema, name, value)).collect()
}
