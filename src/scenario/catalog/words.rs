//! Schema contents in words.

use serde_json::Value;

use super::super::schema::{is_choice, properties, takes_several};
use super::Object;

/// Describes a value in words: `number above 0`, `one of fcfs, easy`.
pub(super) fn value(schema: &Object) -> String {
    if is_choice(schema) {
        let names: Vec<&str> = properties(schema).map(|(name, _)| name.as_str()).collect();
        return if let [only] = names[..] {
            format!("choice: {only}")
        } else {
            let several = if takes_several(schema) { "one or a list of" } else { "one of" };
            format!("{several} {}", names.join(", "))
        };
    }
    if let Some(word) = word_beside_number(schema) {
        return format!("{}, or {word}", bounded("whole number", schema));
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => "string".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("integer") => bounded("whole number", schema),
        Some("number") => bounded("number", schema),
        Some("array") => list(schema),
        _ if schema.get("additionalProperties").is_some_and(Value::is_object) => {
            "table of strings".to_owned()
        }
        _ if properties(schema).next().is_none() => "empty table".to_owned(),
        _ => "table".to_owned(),
    }
}

/// Returns the word that a key takes besides whole numbers, if there is one.
fn word_beside_number(schema: &Object) -> Option<&str> {
    let types = schema.get("type").and_then(Value::as_array)?;
    let takes = |name: &str| types.iter().any(|one| one == name);
    let pattern = schema.get("pattern").and_then(Value::as_str);
    let word = pattern?.strip_prefix('^')?.strip_suffix('$')?;
    (takes("integer") && takes("string")).then_some(word)
}

fn list(schema: &Object) -> String {
    let element = schema.get("items").and_then(Value::as_object);
    let elements = match element.and_then(|items| items.get("type")).and_then(Value::as_str) {
        Some("string") => "list of strings",
        Some("integer") => "list of whole numbers",
        Some("number") => "list of numbers",
        Some("array") => "list of lists",
        _ => "list of tables",
    };
    let count = |keyword: &str| schema.get(keyword).and_then(Value::as_u64);
    if let (Some(least), Some(most)) = (count("minItems"), count("maxItems"))
        && least == most
    {
        return elements.replacen("list of", &format!("list of {least}"), 1);
    }
    let least = if schema.contains_key("minItems") { ", not empty" } else { "" };
    format!("{elements}{least}")
}

fn bounded(what: &str, schema: &Object) -> String {
    let bound = |keyword: &str| schema.get(keyword).map(default);
    let most = bound("maximum").filter(|most| *most != u32::MAX.to_string());
    let least = match (bound("minimum"), bound("exclusiveMinimum")) {
        (Some(least), _) => Some(format!("at least {least}")),
        (None, Some(least)) => Some(format!("above {least}")),
        (None, None) => None,
    };
    let bounds = least.into_iter().chain(most.map(|most| format!("at most {most}")));
    let bounds: Vec<String> = bounds.collect();
    if bounds.is_empty() { what.to_owned() } else { format!("{what}, {}", bounds.join(", ")) }
}

/// Describes a default in words: a choice by its name.
pub(super) fn default(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(choice) => match choice.iter().next() {
            Some((name, Value::Object(_))) => name.clone(),
            Some((name, value)) => format!("{name} = {value}"),
            None => "{}".to_owned(),
        },
        Value::Number(number) if number.is_f64() => {
            number.as_f64().map_or_else(String::new, |number| number.to_string())
        }
        other => other.to_string(),
    }
}

/// Returns the description of a key or choice.
pub(super) fn meaning(schema: &Object) -> String {
    let text = schema.get("description").and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

/// Returns true for a choice of plain words, without parameters.
pub(super) fn is_plain(schema: &Object) -> bool {
    let has_keys = |schema: &Object| properties(schema).next().is_some();
    let is_word = |schema: &Object| schema.get("type") == Some(&"object".into());
    is_choice(schema) && properties(schema).all(|(_, inside)| is_word(inside) && !has_keys(inside))
}
