//! Tables from which a shortened key of `--set` continues.
//!
//! `scheduler=fcfs` continues from every table that has a `scheduler` written in it
//! ([`written`]). `import.load.factor=1.1` may be written nowhere yet: it continues from every table
//! of the scenario that could have it ([`possible`]).

use serde_json::{Map, Value as Json};

use super::{Kind, Step};
use crate::diagnostics::show;
use crate::schema::{is_choice, properties};
use crate::tree::{Node, Value};

type Schema = Map<String, Json>;

/// A table from which a shortened key continues.
#[derive(Clone, Debug, Default)]
pub(super) struct Start {
    /// Positions from the root to the innermost table that is written.
    pub way: Vec<usize>,
    /// Keys of the tables below it, which are not written.
    pub missing: Vec<String>,
    /// Path of the shortened key's first step: `organization[].cluster`.
    pub path: String,
    /// True if that step is an alternative of a choice that is not written.
    pub is_alternative: bool,
}

/// Returns the tables in which this key is written, at any depth.
pub(super) fn written(tree: &Node, key: &str) -> Vec<Start> {
    let mut search = Search { key, way: Vec::new(), path: Vec::new(), found: Vec::new() };
    search.look(tree);
    search.found
}

/// Returns the tables that can have a key which begins with these steps, as far as they are known:
/// of all tables, those that know the most of them. Those within an alternative of a choice or an
/// element of a list must be written; others need not.
pub(super) fn possible(tree: &Node, schema: &Schema, steps: &[Step]) -> Vec<Start> {
    let mut walk = Walk { steps, now: Start::default(), most: 1, found: Vec::new() };
    walk.look(Some(tree), schema);
    walk.found
}

/// Returns the number of the leading steps that a table knows.
fn depth(table: &Schema, steps: &[Step]) -> usize {
    let mut schema = Some(table);
    let mut depth = 0;
    for step in steps {
        let inside = |key: &str| schema.and_then(|it| it.get(key)).and_then(Json::as_object);
        let next = match (inside("items"), &step.kind) {
            (Some(items), _) => Some(items),
            (None, Kind::Key(key)) => {
                inside("properties").and_then(|keys| keys.get(key)).and_then(Json::as_object)
            }
            (None, _) => None,
        };
        if next.is_none() {
            break;
        }
        (schema, depth) = (next, depth + 1);
    }
    depth
}

/// Searches for a key at any depth.
struct Search<'k> {
    key: &'k str,
    /// Positions from the root to the current node.
    way: Vec<usize>,
    /// The same path in words: `organization[].cluster`.
    path: Vec<String>,
    found: Vec<Start>,
}

impl Search<'_> {
    fn look(&mut self, node: &Node) {
        match &node.value {
            Value::Table(entries) => {
                for (at, (key, node)) in entries.iter().enumerate() {
                    if key == self.key {
                        let path: String = self.path.concat() + &show(key);
                        self.found.push(Start { way: self.way.clone(), path, ..Start::default() });
                        // Keys below it belong to it.
                        continue;
                    }
                    self.way.push(at);
                    let dot = if matches!(node.value, Value::Array(_)) { "[]." } else { "." };
                    self.path.push(format!("{}{dot}", show(key)));
                    self.look(node);
                    self.path.pop();
                    self.way.pop();
                }
            }
            Value::Array(elements) => {
                for (at, element) in elements.iter().enumerate() {
                    self.way.push(at);
                    self.look(element);
                    self.way.pop();
                }
            }
            _ => {}
        }
    }
}

/// Walks through the tables that are written or that could be.
struct Walk<'k> {
    steps: &'k [Step],
    /// The current table; its path ends in a dot.
    now: Start,
    /// Number of steps that the tables found know.
    most: usize,
    found: Vec<Start>,
}

impl Walk<'_> {
    /// `node` is `None` for a table that is not written.
    fn look(&mut self, node: Option<&Node>, schema: &Schema) {
        let depth = depth(schema, self.steps);
        if depth > self.most {
            (self.most, self.found) = (depth, Vec::new());
        }
        if depth == self.most {
            let first = match &self.steps[0].kind {
                Kind::Key(key) => show(key),
                Kind::Index(_) | Kind::All => String::new(),
            };
            let path = format!("{}{first}", self.now.path);
            let is_alternative = is_choice(schema);
            self.found.push(Start { path, is_alternative, ..self.now.clone() });
        }
        for (key, below) in properties(schema) {
            let child = node.and_then(|node| position(node, key));
            let bare =
                || matches!(node.map(|node| &node.value), Some(Value::String(name)) if name == key);
            if child.is_none() && is_choice(schema) && !bare() {
                continue;
            }
            self.below(key, below, child);
        }
    }

    /// Walks into a key of the current table.
    fn below(&mut self, key: &str, schema: &Schema, child: Option<(usize, &Node)>) {
        let path = self.now.path.len();
        match (schema.get("items").and_then(Json::as_object), child) {
            (Some(items), Some((at, Node { value: Value::Array(elements), .. }))) => {
                self.now.path.extend([key, "[]."]);
                self.now.way.push(at);
                for (at, element) in elements.iter().enumerate() {
                    self.now.way.push(at);
                    self.look(Some(element), items);
                    self.now.way.pop();
                }
                self.now.way.pop();
            }
            (Some(_), _) => {}
            (None, Some((at, node))) => {
                self.now.path.extend([key, "."]);
                self.now.way.push(at);
                self.look(Some(node), schema);
                self.now.way.pop();
            }
            (None, None) => {
                self.now.path.extend([key, "."]);
                self.now.missing.push(key.to_owned());
                self.look(None, schema);
                self.now.missing.pop();
            }
        }
        self.now.path.truncate(path);
    }
}

/// Returns a key's value and its position in a table.
fn position<'n>(node: &'n Node, key: &str) -> Option<(usize, &'n Node)> {
    let Value::Table(entries) = &node.value else { return None };
    let at = entries.iter().position(|(name, _)| name == key)?;
    Some((at, &entries[at].1))
}

/// Returns the node at a position of a table or list.
pub(super) fn step_into(node: &mut Node, at: usize) -> Option<&mut Node> {
    match &mut node.value {
        Value::Table(entries) => entries.get_mut(at).map(|(_, node)| node),
        Value::Array(elements) => elements.get_mut(at),
        _ => None,
    }
}

/// Returns the different paths at which a shortened key begins.
pub(super) fn paths(starts: &[Start]) -> Vec<String> {
    let mut paths: Vec<String> = starts.iter().map(|start| start.path.clone()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}
