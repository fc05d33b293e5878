//! Bounds of a file's values, told all at once: they are those of the schema.

use std::sync::LazyLock;

use serde_json::{Map, Value as Json};

use super::de::trail::{Step, Trail};
use super::diagnostics::MAX_DIAGNOSTICS;
use super::path::Path;
use super::root::Root;
use super::tree::{Node, Value};
use model::bounds::{Bounds, count_refusal};

type Object = Map<String, Json>;

/// Returns the values that are out of bounds and why, for a text that was read without mistakes.
pub(super) fn refusals(tree: &Node, of: Root) -> Vec<(Path, String)> {
    // As it was derived, each type once: bringing it into the form for editors takes ten times as long.
    static GRID: LazyLock<Json> = LazyLock::new(|| Root::Grid.parts());
    static GAME: LazyLock<Json> = LazyLock::new(|| Root::Game.parts());
    let whole = if of.is_game() { &GAME } else { &GRID };
    let mut walk = Walk { parts: whole.get("$defs").and_then(Json::as_object), found: Vec::new() };
    walk.visit(tree, whole, &Trail { up: None, step: Step::Root });
    walk.found
}

/// A walk over a text beside its schema.
struct Walk<'s> {
    /// The types that the schema refers to.
    parts: Option<&'s Object>,
    found: Vec<(Path, String)>,
}

impl<'s> Walk<'s> {
    /// A schema with what it refers to, the nearest first; null is left out, as texts have none.
    fn layers(&self, schema: &'s Json) -> Vec<&'s Object> {
        let mut layers = Vec::new();
        let mut next = schema.as_object();
        while let Some(layer) = next {
            layers.push(layer);
            let name = layer.get("$ref").and_then(Json::as_str);
            let part = name.and_then(|name| self.parts?.get(name.strip_prefix("#/$defs/")?));
            let either = layer.get("anyOf").and_then(Json::as_array).into_iter().flatten();
            let some = either.into_iter().find(|one| one.get("type") != Some(&"null".into()));
            next = part.or(some).and_then(Json::as_object);
        }
        layers
    }

    fn visit(&mut self, node: &Node, schema: &'s Json, at: &Trail<'_>) {
        if self.found.len() >= MAX_DIAGNOSTICS {
            return;
        }
        let layers = self.layers(schema);
        let keyword = |keyword: &str| layers.iter().find_map(|layer| layer.get(keyword));
        let variants = keyword("oneOf").and_then(Json::as_array);
        let refusal = match &node.value {
            Value::Table(entries) => {
                // Of a choice that several layers make, the highest one counts.
                let top = entries.iter().map(|(_, inside)| inside.layer).max();
                let is_hidden = |inside: &Node| variants.is_some() && Some(inside.layer) != top;
                let tables = variants.into_iter().flatten().filter_map(|one| one.get("properties"));
                let tables: Vec<&Json> = tables.chain(keyword("properties")).collect();
                for (key, inside) in entries.iter().filter(|(_, inside)| !is_hidden(inside)) {
                    if let Some(schema) = tables.iter().find_map(|table| table.get(key)) {
                        self.visit(inside, schema, &at.below(Step::Key(key)));
                    }
                }
                None
            }
            Value::Array(elements) => {
                let elements_are = keyword("items");
                for (index, element) in elements.iter().enumerate() {
                    if let Some(schema) = elements_are {
                        self.visit(element, schema, &at.below(Step::Index(index)));
                    }
                }
                let count = |name| keyword(name).and_then(Json::as_u64).map(|n| n as usize);
                let least = count("minItems").unwrap_or(0);
                count_refusal(elements.len(), least, count("maxItems").unwrap_or(usize::MAX))
            }
            Value::Integer(number) => Bounds::of_schema(keyword).refusal(*number as f64),
            Value::Float(number) => Bounds::of_schema(keyword).refusal(*number),
            _ => None,
        };
        self.found.extend(refusal.map(|refusal| (at.path(), named(at, refusal))));
    }
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
