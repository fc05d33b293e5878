//! Overlays one tree on another.

use rustc_hash::FxHashMap;

use crate::tree::{Node, Value};

/// Overlays `top` on `base`: tables key by key, lists with named elements element by element. Any
/// other value of `top` hides that of `base`, even an empty list. Where both have a value the
/// result has `top`'s place. Linear in the size of both.
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

/// Returns the name of a list element, if it has one.
pub(super) fn name(element: &Node) -> Option<&str> {
    match &element.get("name")?.value {
        Value::String(name) => Some(name),
        _ => None,
    }
}

/// Returns the name and the count of an element, if one of its copies has this name: `a-2`.
pub(super) fn copies<'e>(element: &'e Node, copy: &str) -> Option<(&'e str, i64)> {
    let group = name(element)?;
    let Value::Integer(count) = element.get("count")?.value else { return None };
    let count = i64::try_from(count).ok()?;
    let number = copy.strip_prefix(group)?.strip_prefix('-')?;
    let is_one = number.parse().is_ok_and(|number| (1..=count).contains(&number));
    (is_one && count > 1).then_some((group, count))
}

/// Returns true for a list whose elements all have names.
fn named(elements: &[Node]) -> bool {
    !elements.is_empty() && elements.iter().all(|element| name(element).is_some())
}

/// Merges elements of the same name; others follow at the end. If several in `over` share a name,
/// only the first is merged, so that the mistake stays visible.
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
