//! The catalog: every choice that a scenario offers, and every key of one, as data.
//!
//! Names, meanings, parameters and defaults come from the [schema](super::schema), sources from the
//! `ENTRIES` of the modules that the choices live in; nothing is written twice. To add a kind, add
//! its line to the list below; a choice of the schema that belongs to no kind fails the tests.

mod dynamics;
mod kinds;
mod words;

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::Value;

use super::root::Root;
use super::schema::{described, is_choice, properties, requires};
use kinds::{Declared, KINDS};

/// A kind of choice that a scenario offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kind {
    /// What one of them is called: `scheduler`.
    pub name: &'static str,
    /// What several of them are called: `schedulers`.
    pub plural: &'static str,
    /// What is chosen, in a line.
    pub meaning: &'static str,
    /// The keys that such a choice is written at: `cluster[].kind`.
    pub keys: Vec<String>,
    /// What can be chosen, in the order of declaration.
    pub choices: Vec<Choice>,
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// Its name in a scenario: `easy`. That of an import rule has its key in front.
    pub name: String,
    /// What it is.
    pub summary: String,
    /// The (first) key that it is written at:
    /// `organization[].cluster.space_shared.scheduler.easy`.
    pub key: String,
    /// What is written there: `table`, `number above 0`.
    pub value: String,
    /// What can be said of it, where it is a table.
    pub parameters: Vec<Key>,
    /// Where it comes from, if it has a source.
    pub citation: Option<&'static str>,
}

/// A key of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Key {
    /// Its path, with `[]` behind a list: `organization[].count`. For a parameter of a choice, only
    /// its name.
    pub key: String,
    /// What is written there, in words.
    pub value: String,
    /// True if it must be given.
    pub required: bool,
    /// What is taken where it is not given, if it is not simply left out.
    pub default: Option<String>,
    /// What it means.
    pub meaning: String,
}

impl Key {
    /// `required`, the default or nothing, as a table shows it.
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

/// Every kind of choice, with what can be chosen.
pub fn catalog() -> Vec<Kind> {
    let (grid, game) = (described(Root::Grid), described(Root::Game));
    let mut found: Vec<(String, &Object)> = Vec::new();
    choices(&grid, "", &mut found);
    choices(&game, "", &mut found);
    KINDS.iter().map(|kind| declared(kind, &found)).collect()
}

/// Every key of a scenario, each table before what is in it. What a choice of plain words offers is
/// in the words of its key.
pub fn keys() -> &'static [Key] {
    keys_in(Root::Grid)
}

/// Every key of a scenario or of a game.
pub fn keys_in(root: Root) -> &'static [Key] {
    static GRID: LazyLock<Vec<Key>> = LazyLock::new(|| all_keys(Root::Grid));
    static GAME: LazyLock<Vec<Key>> = LazyLock::new(|| all_keys(Root::Game));
    match root {
        Root::Grid => &GRID,
        Root::Game => &GAME,
    }
}

fn all_keys(root: Root) -> Vec<Key> {
    let mut keys = Vec::new();
    keys_of(&described(root), "", &mut keys);
    keys
}

/// The kind of this name, in singular or plural; capitals and the kind of dash do not count.
pub fn kind(name: &str) -> Option<Kind> {
    let plain = name.to_lowercase().replace(['_', ' '], "-");
    catalog().into_iter().find(|kind| kind.name == plain || kind.plural == plain)
}

/// The path of what is below a key: of each element, if it is a list.
fn inside<'a>(path: &str, schema: &'a Object) -> (String, &'a Object) {
    match schema.get("items").and_then(Value::as_object) {
        Some(items) => (format!("{path}[]"), items),
        None => (path.to_owned(), schema),
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// All choices of a schema, with their keys.
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
