//! Bounds of a file's values, told all at once: they are those of the schema.

use std::sync::LazyLock;

use serde_json::{Map, Value as Json};

use super::de::trail::{Step, Trail};
use super::diagnostics::MAX_DIAGNOSTICS;
use super::path::Path;
use super::root::Root;
use super::schema::{described, is_choice};
use super::tree::{Node, Value};
use crate::model::bounds::{Bounds, count_refusal};

type Object = Map<String, Json>;

/// Returns the values that are out of bounds and why, for a text that was read without mistakes.
pub(super) fn refusals(tree: &Node, of: Root) -> Vec<(Path, String)> {
    static GRID: LazyLock<Object> = LazyLock::new(|| described(Root::Grid));
    static GAME: LazyLock<Object> = LazyLock::new(|| described(Root::Game));
    let schema = match of {
        Root::Grid => &GRID,
        Root::Game => &GAME,
    };
    let mut found = Vec::new();
    visit(tree, schema, &Trail { up: None, step: Step::Root }, &mut found);
    found
}

fn visit(node: &Node, schema: &Object, at: &Trail<'_>, found: &mut Vec<(Path, String)>) {
    if found.len() >= MAX_DIAGNOSTICS {
        return;
    }
    let refusal = match &node.value {
        Value::Table(entries) => {
            // Of a choice that several layers make, the highest one counts.
            let top = entries.iter().map(|(_, inside)| inside.layer).max();
            let is_hidden = |inside: &Node| is_choice(schema) && Some(inside.layer) != top;
            let keys = schema.get("properties");
            for (key, inside) in entries.iter().filter(|(_, inside)| !is_hidden(inside)) {
                if let Some(schema) = keys.and_then(|keys| keys.get(key)?.as_object()) {
                    visit(inside, schema, &at.below(Step::Key(key)), found);
                }
            }
            None
        }
        Value::Array(elements) => {
            let elements_are = schema.get("items").and_then(Json::as_object);
            for (index, element) in elements.iter().enumerate() {
                if let Some(schema) = elements_are {
                    visit(element, schema, &at.below(Step::Index(index)), found);
                }
            }
            let count = |keyword| schema.get(keyword).and_then(Json::as_u64).map(|n| n as usize);
            let least = count("minItems").filter(|_| !is_choice(schema)).unwrap_or(0);
            count_refusal(elements.len(), least, count("maxItems").unwrap_or(usize::MAX))
        }
        Value::Integer(number) => Bounds::of_schema(schema).refusal(*number as f64),
        Value::Float(number) => Bounds::of_schema(schema).refusal(*number),
        _ => None,
    };
    found.extend(refusal.map(|refusal| (at.path(), named(at, refusal))));
}

/// A refusal that does not say what it is about begins with the key.
fn named(mut at: &Trail<'_>, refusal: String) -> String {
    let is_bare = refusal.contains(" is too ") || refusal.starts_with("this list");
    loop {
        match (at.step, at.up) {
            (Step::Key(key), _) if is_bare => return format!("`{key}`: {refusal}"),
            (Step::Index(_), Some(up)) if is_bare => at = up,
            _ => return refusal,
        }
    }
}
