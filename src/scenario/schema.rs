//! The JSON Schema of scenarios, for editors that complete and check as the user types.
//!
//! It is derived from the types that the [reader](super::de) fills, and brought into the form the
//! reader accepts: unknown keys are rejected everywhere, and a choice is a table of one key or,
//! without parameters, its bare name. It covers only what can be checked from the text alone; names
//! that must exist, files, and jobs that must fit are left to [`resolve`](super::resolve).
//!
//! Keywords are those that drafts 7 and 2020-12 both understand. References are not used, since
//! editors differ in their support.

use std::sync::LazyLock;

use serde::Serialize as _;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Map, Value, json};

use super::raw::OR_SEVERAL;
use super::root::Root;
use model::bounds::WORDS;

/// Returns the title and description of each kind of file.
fn titled(root: Root) -> (&'static str, &'static str) {
    match root.is_game() {
        false => (
            "A gridpact scenario",
            "A grid whose clusters belong to different organizations: who owns what, which jobs \
             arrive, how they are scheduled, and how long to run.",
        ),
        true => (
            "A gridpact game",
            "A game that learners play again and again: who plays, what each profile of actions \
             pays, and how long.",
        ),
    }
}
const AS_TABLE: &str = "A table of one key: the choice, with its parameters.";

type Object = Map<String, Value>;

/// The JSON Schema of a scenario file (draft 2020-12).
///
/// A file that `extends` another may omit the other's keys, so keys are required only in files
/// without `extends`.
pub fn schema() -> Value {
    schema_of(Root::Grid)
}

/// Returns the JSON Schema of a scenario file or of a game file.
pub fn schema_of(of: Root) -> Value {
    let whole = described(of);
    let mut root = Object::new();
    root.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    root.insert("title".into(), json!(titled(of).0));
    root.extend(without_required(whole));
    root.insert("if".into(), json!({ "required": ["extends"] }));
    root.insert("then".into(), json!(true));
    root.insert("else".into(), only_required(whole).into());
    Value::Object(root)
}

/// Returns the JSON Schema of a scenario file or of a game file as text. It is written out without
/// references and so nests deep: a level is one blank, as two would make a quarter of the text.
///
/// # Panics
/// Never: it is plain data.
pub fn text_of(of: Root) -> String {
    let mut text = Vec::new();
    let format = PrettyFormatter::with_indent(b" ");
    let written = schema_of(of).serialize(&mut Serializer::with_formatter(&mut text, format));
    written.expect("plain data serializes into memory");
    String::from_utf8(text).expect("JSON is UTF-8") + "\n"
}

/// Returns the schema of a file without `extends`; each key tells whether it is required.
pub(super) fn described(of: Root) -> &'static Object {
    static GRID: LazyLock<Object> = LazyLock::new(|| describe(Root::Grid));
    static GAME: LazyLock<Object> = LazyLock::new(|| describe(Root::Game));
    if of.is_game() { &GAME } else { &GRID }
}

fn describe(of: Root) -> Object {
    let Value::Object(derived) = of.derived() else { return Object::new() };
    let mut whole = plain(derived);
    whole.insert("description".into(), json!(titled(of).1));
    whole
}

/// Lists the keys of a table with their schemas.
pub(super) fn properties(schema: &Object) -> impl Iterator<Item = (&String, &Object)> {
    let keys = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    keys.filter_map(|(key, value)| Some((key, value.as_object()?)))
}

/// Returns true if the key is required.
pub(super) fn requires(schema: &Object, key: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|required| required.iter().any(|name| name == key))
}

/// Returns true if the schema is a choice of one among several.
pub(super) fn is_choice(schema: &Object) -> bool {
    schema.contains_key("maxProperties")
}

/// Converts a derived schema, with its parts, to the form of the reader.
fn plain(mut derived: Object) -> Object {
    unwrap_option(&mut derived);
    let mut schema = Object::new();
    if let Some(text) = derived.get("description").and_then(Value::as_str) {
        schema.insert("description".into(), json!(unwrapped(text)));
    }
    let default = derived.remove("default");
    if let Some(Value::Array(variants)) = derived.remove("oneOf") {
        schema.extend(choice(variants));
        if derived.contains_key(OR_SEVERAL) {
            or_several(&mut schema);
        }
        let default = default.filter(|default| !default.is_null());
        schema.extend(default.map(|default| ("default".into(), default)));
        return schema;
    }
    // The default of a whole table or list is stated by the defaults of its keys.
    let default = default.filter(|value| !value.is_object() && !value.is_array());
    schema.extend(default.filter(|value| !value.is_null()).map(|value| ("default".into(), value)));
    if derived.get("format") == Some(&json!("uint32")) && !derived.contains_key("maximum") {
        derived.insert("maximum".into(), json!(u32::MAX));
    }
    for (keyword, value) in derived {
        let value = match (&*keyword, value) {
            // Editors do not know such formats, or misinterpret them.
            ("description" | "title" | "format" | "$schema", _) => continue,
            ("properties", Value::Object(keys)) => {
                keys.into_iter().map(|(key, value)| (key, below(value))).collect()
            }
            ("items", value) => below(value),
            (_, value) => value,
        };
        schema.insert(keyword, value);
    }
    if schema.get("type") == Some(&json!("object")) && !schema.contains_key("additionalProperties")
    {
        schema.insert("additionalProperties".into(), json!(false));
    }
    schema
}

fn below(schema: Value) -> Value {
    match schema {
        Value::Object(schema) => plain(schema).into(),
        other => other,
    }
}

/// Drops null from a schema: TOML has no null, and optional keys are simply omitted.
fn unwrap_option(derived: &mut Object) {
    if let Some(Value::Array(types)) = derived.get_mut("type") {
        types.retain(|name| name != "null");
        if let [one] = &types[..] {
            let one = one.clone();
            derived.insert("type".into(), one);
        }
    }
    if let Some(Value::Array(either)) = derived.remove("anyOf") {
        let some = either.into_iter().find(|one| one.get("type") != Some(&json!("null")));
        for (keyword, value) in some.as_ref().and_then(Value::as_object).into_iter().flatten() {
            derived.entry(keyword).or_insert_with(|| value.clone());
        }
    }
}

/// Joins the lines of each paragraph into one.
fn unwrapped(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|lines| lines.replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// Builds a choice of variants: a table with one of them, or a bare name. The table's keys are
/// listed beside the alternatives and not within them, so that mistakes inside are reported there.
fn choice(variants: Vec<Value>) -> Object {
    let mut names = Vec::new();
    let mut keys = Object::new();
    for variant in variants {
        let Value::Object(variant) = variant else { continue };
        let (name, mut inside) = match (variant.get("const"), variant.get("properties")) {
            (Some(Value::String(name)), _) => {
                (name.clone(), plain(json_object(json!({ "type": "object" }))))
            }
            (_, Some(Value::Object(only))) => match only.iter().next() {
                Some((name, Value::Object(inside))) => (name.clone(), plain(inside.clone())),
                _ => continue,
            },
            _ => continue,
        };
        if let Some(text) = variant.get("description").and_then(Value::as_str) {
            inside.remove("description");
            let described = ("description".to_owned(), json!(unwrapped(text)));
            inside = std::iter::once(described).chain(inside).collect();
        }
        if takes_nothing(&inside) {
            let description = inside.get("description").cloned().unwrap_or_default();
            names.push(json!({ "description": description, "const": name }));
        }
        keys.insert(name, inside.into());
    }
    let mut schema = Object::new();
    if names.is_empty() {
        schema.insert("type".into(), json!("object"));
    } else {
        names.push(json!({ "description": AS_TABLE, "type": "object" }));
        schema.insert("oneOf".into(), names.into());
    }
    schema.insert("properties".into(), keys.into());
    schema.insert("additionalProperties".into(), json!(false));
    schema.insert("minProperties".into(), json!(1));
    schema.insert("maxProperties".into(), json!(1));
    schema
}

/// Lets a choice of words also be a list of several.
fn or_several(choice: &mut Object) {
    let names: Vec<&String> = properties(choice).map(|(name, _)| name).collect();
    let list = json!({
        "description": "Several of them.",
        "type": "array",
        "items": { "enum": names }
    });
    // Bounds of lists only; here they are told by themselves.
    choice.insert("minItems".into(), json!(1));
    choice.insert("uniqueItems".into(), json!(true));
    if let Some(Value::Array(either)) = choice.get_mut("oneOf") {
        either.push(list);
    }
}

/// Returns true if a list of several choices may be written in place of one.
pub(super) fn takes_several(choice: &Object) -> bool {
    let either = choice.get("oneOf").and_then(Value::as_array).into_iter().flatten();
    either.into_iter().any(|one| one.get("type") == Some(&json!("array")))
}

fn json_object(value: Value) -> Object {
    if let Value::Object(object) = value { object } else { Object::new() }
}

/// Returns true if an empty table is valid.
fn takes_nothing(schema: &Object) -> bool {
    let is_table = schema.get("type") == Some(&json!("object"));
    is_table && !schema.contains_key("required") && !is_choice(schema)
}

fn without_required(schema: &Object) -> Object {
    let kept = schema.iter().filter(|(keyword, _)| !["required", WORDS].contains(&&***keyword));
    kept.map(|(keyword, value)| {
        let value = match (&**keyword, value) {
            ("properties", Value::Object(keys)) => {
                let keys = keys.iter().map(|(key, value)| {
                    let inside = value.as_object().map(without_required);
                    (key.clone(), inside.map_or_else(|| value.clone(), Value::Object))
                });
                keys.collect()
            }
            ("items", Value::Object(inside)) => without_required(inside).into(),
            _ => value.clone(),
        };
        (keyword.clone(), value)
    })
    .collect()
}

/// Reduces a schema to its required keys.
fn only_required(schema: &Object) -> Object {
    let mut only = Object::new();
    only.extend(schema.get("required").map(|names| ("required".into(), names.clone())));
    let keys = properties(schema).map(|(key, value)| (key.clone(), only_required(value)));
    let keys: Object =
        keys.filter(|(_, inside)| !inside.is_empty()).map(|(key, v)| (key, v.into())).collect();
    if !keys.is_empty() {
        only.insert("properties".into(), keys.into());
    }
    let items = schema.get("items").and_then(Value::as_object).map(only_required);
    only.extend(items.filter(|items| !items.is_empty()).map(|v| ("items".into(), v.into())));
    only
}
