//! One tree laid over another.

use rustc_hash::FxHashMap;

use crate::scenario::tree::{Node, Value};

/// Lays `top` over `base`: tables key by key, lists whose elements have names element by element;
/// any other value of `top` hides that of `base`, also an empty list. Where both hold something the
/// result stands at `top`'s place. Linear in the size of both.
pub(super) fn overlay(base: Node, top: Node) -> Node {
    let value = match (base.value, top.value) {
        (Value::Table(under), Value::Table(over)) => Value::Table(tables(under, over)),
        (Value::Array(under), Value::Array(over)) if named(&under) && named(&over) => {
            Value::Array(elements(under, over))
        }
        (_, over) => over,
    };
    Node { value, ..top }
}

fn tables(under: Vec<(String, Node)>, over: Vec<(String, Node)>) -> Vec<(String, Node)> {
    let mut over: Vec<Option<(String, Node)>> = over.into_iter().map(Some).collect();
    let index: FxHashMap<String, usize> = over
        .iter()
        .enumerate()
        .filter_map(|(at, entry)| Some((entry.as_ref()?.0.clone(), at)))
        .collect();
    let mut entries = Vec::with_capacity(under.len() + over.len());
    for (key, below) in under {
        let above = index.get(&key).and_then(|&at| over[at].take());
        let node = match above {
            Some((_, above)) => overlay(below, above),
            None => below,
        };
        entries.push((key, node));
    }
    entries.extend(over.into_iter().flatten());
    entries
}

/// The name of an element of a list, if it has one.
pub(super) fn name(element: &Node) -> Option<&str> {
    match &element.get("name")?.value {
        Value::String(name) => Some(name),
        _ => None,
    }
}

/// True of a list whose elements can be told apart by name.
fn named(elements: &[Node]) -> bool {
    !elements.is_empty() && elements.iter().all(|element| name(element).is_some())
}

/// Elements of the same name are laid over each other; others follow at the end. Of several in
/// `over` with one name the first is laid over, that a mistake is still seen.
fn elements(under: Vec<Node>, over: Vec<Node>) -> Vec<Node> {
    let mut index: FxHashMap<String, usize> = FxHashMap::default();
    for (at, element) in under.iter().enumerate() {
        if let Some(name) = name(element) {
            index.entry(name.to_owned()).or_insert(at);
        }
    }
    let mut elements: Vec<Option<Node>> = under.into_iter().map(Some).collect();
    for above in over {
        let at = name(&above).and_then(|name| index.remove(name));
        match at {
            Some(at) => elements[at] = elements[at].take().map(|below| overlay(below, above)),
            None => elements.push(Some(above)),
        }
    }
    elements.into_iter().flatten().collect()
}
