//! A choice made in one layer discards the alternatives chosen in lower ones.

use serde_json::{Map, Value as Json};

use crate::schema::is_choice;
use crate::tree::{Node, Value};

/// Keeps only the alternatives of the highest layer at every choice. A layer that returns to an
/// alternative then finds nothing that was written for it before another was chosen.
pub(super) fn settle(node: &mut Node, schema: &Map<String, Json>) {
    let inside = |keyword: &str| schema.get(keyword).and_then(Json::as_object);
    match &mut node.value {
        Value::Table(entries) => {
            if is_choice(schema) {
                let highest = entries.iter().map(|(_, node)| node.layer).max();
                entries.retain(|(_, node)| Some(node.layer) == highest);
            }
            let Some(keys) = inside("properties") else { return };
            for (key, node) in entries {
                if let Some(schema) = keys.get(key).and_then(Json::as_object) {
                    settle(node, schema);
                }
            }
        }
        Value::Array(elements) => {
            let Some(schema) = inside("items") else { return };
            elements.iter_mut().for_each(|element| settle(element, schema));
        }
        _ => {}
    }
}
