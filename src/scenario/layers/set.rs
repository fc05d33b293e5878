//! `--set key=value`: one value of a scenario from the command line.
//!
//! A key is the path from the scenario's root, such as `run.replications`; an element of a list is
//! named (`organization.physics.count`), counted from 0 (`organization[0].count`) or all of them
//! are meant (`organization.*.count`). A path that cannot begin at the root is looked for where it
//! is written: `scheduler=fcfs` sets every scheduler. What is written nowhere may be the
//! end of the one path that has it and leads into no list: `replications=10`. The value is TOML, or
//! else text.

use std::ops::Range;

use super::overlay::{self, overlay};
use crate::scenario::aliases;
use crate::scenario::catalog;
use crate::scenario::diagnostics::{Diagnostic, all_of, listed, nearest, show};
use crate::scenario::files::{FileId, Files, Place};
use crate::scenario::root::Root;
use crate::scenario::tree::{self, Node, Value};

/// Name of the settings' texts in messages.
const NAME: &str = "--set";
const HELP: &str = "write `--set key=value`, such as `--set run.replications=10`";

/// Sets a value in a tree, as written in `setting`.
///
/// # Errors
/// A malformed setting, or one that matches no place or several of different kinds.
pub(super) fn set(
    files: &mut Files,
    tree: &mut Node,
    setting: &str,
    layer: i32,
    root: Root,
) -> Result<(), Vec<Diagnostic>> {
    let file = files.add(NAME, setting);
    let (mut steps, from) = steps(file, setting).map_err(|wrong| vec![*wrong])?;
    let value = value(files, file, setting, from, layer)?;
    let setter = Setter { file, value, root };
    let starts = setter.starts(tree, &mut steps).map_err(|wrong| vec![*wrong])?;
    for start in starts {
        let node = start.iter().try_fold(&mut *tree, |node, &step| step_into(node, step));
        let Some(node) = node else { continue };
        setter.descend(node, &steps).map_err(|wrong| vec![*wrong])?;
    }
    Ok(())
}

/// One step of a setting's key, and its position in the text.
struct Step {
    kind: Kind,
    span: Range<usize>,
}

enum Kind {
    Key(String),
    Index(usize),
    All,
}

/// Parses a setting up to its `=`; returns the steps of its key and the start of its value.
fn steps(file: FileId, setting: &str) -> Result<(Vec<Step>, usize), Box<Diagnostic>> {
    let mut steps = Vec::new();
    let mut at = 0;
    loop {
        let rest = &setting[at..];
        let blank = rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        at += blank;
        let first = steps.is_empty();
        let wrong = |what: &str| {
            let end = at + rest.chars().next().map_or(0, char::len_utf8);
            let wrong = Diagnostic::error(format!("this setting cannot be read: {what}"));
            Box::new(wrong.at(Place::new(file, at..end), "").help(HELP))
        };
        let (step, taken) = match rest.chars().next() {
            None => return Err(wrong("there is no `=`")),
            Some('=') if first => return Err(wrong("there is no key")),
            Some('=') => return Ok((steps, at + 1)),
            Some('[') if !first => index(rest).ok_or_else(|| wrong("brackets hold a number"))?,
            Some('.') if !first => {
                let (kind, taken) = key(&rest[1..]).ok_or_else(|| wrong("a key is missing"))?;
                (kind, taken + 1)
            }
            Some(_) if first => key(rest).ok_or_else(|| wrong("this is no key"))?,
            Some(_) => return Err(wrong("expected `.`, `[` or `=`")),
        };
        let dot = usize::from(rest.starts_with('.'));
        if steps.len() == tree::MAX_DEPTH {
            return Err(wrong("the key is too long"));
        }
        steps.push(Step { kind: step, span: at + dot..at + taken });
        at += taken;
    }
}

/// Parses a leading index in brackets; returns it with its length.
fn index(text: &str) -> Option<(Kind, usize)> {
    let (digits, _) = text.strip_prefix('[')?.split_once(']')?;
    Some((Kind::Index(digits.trim().parse().ok()?), digits.len() + 2))
}

/// Parses a leading key or star; returns it with its length.
fn key(text: &str) -> Option<(Kind, usize)> {
    if text.starts_with('*') {
        return Some((Kind::All, 1));
    }
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let inside = &text[1..];
        let end = inside.find(quote)?;
        return Some((Kind::Key(inside[..end].to_owned()), end + 2));
    }
    let is_bare = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let end = text.find(|c| !is_bare(c)).unwrap_or(text.len());
    (end > 0).then(|| (Kind::Key(text[..end].to_owned()), end))
}

/// Parses the value that begins at `from`: TOML, or plain text taken literally.
fn value(
    files: &Files,
    file: FileId,
    setting: &str,
    from: usize,
    layer: i32,
) -> Result<Node, Vec<Diagnostic>> {
    let rest = &setting[from..];
    let start = from + rest.len() - rest.trim_start().len();
    let text = rest.trim();
    if text.is_empty() {
        let missing = Diagnostic::error("a value is missing");
        return Err(vec![missing.at(Place::new(file, from..from), "expected a value").help(HELP)]);
    }
    let part = start..start + text.len();
    // Accept numbers as other programs do (`.5`, `5.`); too large ones remain errors of TOML.
    let number: Option<f64> = text.parse().ok().filter(|_| text.contains(char::is_numeric));
    let is_whole = !text.contains(['.', 'e', 'E']);
    let is_too_large = number.is_some_and(|number| is_whole || number.is_infinite());
    let is_toml = is_too_large || text.starts_with(['"', '\'', '{', '[']);
    let plain = Node {
        value: number.map_or_else(|| Value::String(text.to_owned()), Value::Float),
        place: Place::new(file, part.clone()),
        key: None,
        layer,
    };
    tree::parse_value(files, file, part, layer)
        .or_else(|wrong| if is_toml { Err(wrong) } else { Ok(plain) })
}

struct Setter {
    file: FileId,
    value: Node,
    root: Root,
}

impl Setter {
    fn place(&self, step: &Step) -> Place {
        Place::new(self.file, step.span.clone())
    }

    /// Returns the tables from which the key continues, each as the positions on the way to it. If
    /// that is the root, a shortened key is completed.
    fn starts(
        &self,
        tree: &Node,
        steps: &mut Vec<Step>,
    ) -> Result<Vec<Vec<usize>>, Box<Diagnostic>> {
        let root = || Ok(vec![Vec::new()]);
        let Some(Step { kind: Kind::Key(first), span }) = steps.first() else { return root() };
        let is_key = self.root.keys().contains(&first.as_str());
        if is_key && is_rooted(first, steps.get(1), self.root) {
            return root();
        }
        let mut search =
            Search { key: first, way: Vec::new(), path: Vec::new(), found: Vec::new() };
        search.look(tree);
        let mut paths: Vec<&str> = search.found.iter().map(|(_, path)| path.as_str()).collect();
        paths.sort_unstable();
        paths.dedup();
        if is_key && paths.iter().all(|path| path == first) {
            return root();
        }
        let place = self.place(&steps[0]);
        match paths[..] {
            [] => {
                let Some(prefix) = missing_part(steps, self.root) else {
                    return Err(unknown(steps, first, self.root, tree, place));
                };
                let key = |key: &str| Step { kind: Kind::Key(key.to_owned()), span: span.clone() };
                let prefix: Vec<Step> = prefix.split('.').map(key).collect();
                steps.splice(..0, prefix);
                root()
            }
            [_] => Ok(search.found.into_iter().map(|(way, _)| way).collect()),
            _ => {
                let message = format!("`{}` is written in unlike places", show(first));
                let wrong = Diagnostic::error(message).at(place, "which one is meant?");
                Err(wrong.help(format!("write more of the path: {}", typed(&paths))).into())
            }
        }
    }

    /// Sets the values that the rest of the key leads to.
    fn descend(&self, node: &mut Node, steps: &[Step]) -> Result<(), Box<Diagnostic>> {
        node.layer = self.value.layer;
        let Some((step, rest)) = steps.split_first() else {
            let key = node.key.clone();
            let below = std::mem::replace(node, self.value.clone());
            *node = overlay(below, self.value.clone());
            node.key = key;
            return Ok(());
        };
        let has_keys = matches!(node.value, Value::Array(_) | Value::Table(_));
        if matches!(step.kind, Kind::Key(_)) && !has_keys {
            // A choice by its bare name, or a mistake that the reader will find.
            node.value = Value::Table(Vec::new());
            node.place = self.place(step);
        }
        match (&step.kind, &mut node.value) {
            (Kind::All, Value::Array(elements)) => {
                elements.iter_mut().try_for_each(|element| self.descend(element, rest))
            }
            (Kind::Index(index), Value::Array(elements)) => {
                let count = elements.len();
                match elements.get_mut(*index) {
                    Some(element) => self.descend(element, rest),
                    None => Err(Diagnostic::error(format!("there is no element {index}"))
                        .at(self.place(step), format!("there are {count}, counted from 0"))
                        .into()),
                }
            }
            (Kind::Key(name), Value::Array(elements)) => {
                let found = elements.iter().position(|one| overlay::name(one) == Some(name));
                match found {
                    Some(at) => self.descend(&mut elements[at], rest),
                    None => Err(self.nameless(step, name, elements)),
                }
            }
            (Kind::Key(key), Value::Table(entries)) => {
                self.descend(self.entry(entries, key, step), rest)
            }
            (_, value) => {
                let label = format!("expected a list, found {}", value.kind());
                let wrong = Diagnostic::error("only a list has elements");
                Err(wrong.at(self.place(step), label).into())
            }
        }
    }

    /// Returns the node under a key of a table, creating a table if there is none.
    fn entry<'n>(
        &self,
        entries: &'n mut Vec<(String, Node)>,
        key: &str,
        step: &Step,
    ) -> &'n mut Node {
        let place = self.place(step);
        let at = entries.iter().position(|(name, _)| name == key).unwrap_or_else(|| {
            let value = Value::Table(Vec::new());
            let layer = self.value.layer;
            let table = Node { value, place: place.clone(), key: None, layer };
            entries.push((key.to_owned(), table));
            entries.len() - 1
        });
        let found = &mut entries[at].1;
        found.key = Some(place);
        found
    }

    fn nameless(&self, step: &Step, name: &str, elements: &[Node]) -> Box<Diagnostic> {
        let names: Vec<&str> = elements.iter().filter_map(overlay::name).collect();
        let near = nearest(name, names.iter().copied());
        let label = match &near[..] {
            [] => "no element has this name".to_owned(),
            near => format!("did you mean {}?", listed(near, "or")),
        };
        let wrong = Diagnostic::error(format!("there is none called `{}`", show(name)))
            .at(self.place(step), label);
        let all = if near.is_empty() { all_of("element", &names) } else { None };
        all.into_iter()
            .fold(wrong, Diagnostic::help)
            .help("an element is named, counted from 0 as in `[0]`, or all are meant: `*`")
            .into()
    }
}

/// True if a key of the root can be followed by this step.
fn is_rooted(first: &str, second: Option<&Step>, root: Root) -> bool {
    let Some(Step { kind: Kind::Key(second), .. }) = second else { return true };
    // A list's elements have names; a table has the keys of the catalog.
    let begins = |path: &str, key: &str| {
        let rest = path.strip_prefix(key);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let both = format!("{first}.{second}");
    let mut paths = catalog::keys_in(root).iter().map(|key| key.key.as_str());
    paths.any(|path| begins(path, &both) || path.starts_with(&format!("{first}[]")))
}

/// Returns every possible path of a scenario that ends in this key.
fn paths_to(steps: &[Step], root: Root) -> Vec<String> {
    let keys = steps.iter().map_while(|step| match &step.kind {
        Kind::Key(key) => Some(&**key),
        _ => None,
    });
    let end = format!(".{}", keys.collect::<Vec<_>>().join("."));
    let paths = catalog::keys_in(root).iter().map(|key| &key.key);
    paths.filter(|path| path.ends_with(&end)).cloned().collect()
}

/// Returns the missing start of a key, if exactly one path ends in it and leads through no list.
fn missing_part(steps: &[Step], root: Root) -> Option<String> {
    let paths = paths_to(steps, root);
    let [path] = &paths[..] else { return None };
    let Step { kind: Kind::Key(first), .. } = steps.first()? else { return None };
    let at = path.find(&format!(".{first}"))?;
    Some(path[..at].to_owned()).filter(|prefix| !prefix.contains("[]"))
}

/// Lists paths as the user would type them.
fn typed<S: AsRef<str>>(paths: &[S]) -> String {
    let typed = |path: &S| format!("`{}`", path.as_ref().replace("[]", ".*"));
    paths.iter().take(8).map(typed).collect::<Vec<_>>().join(" or ")
}

fn unknown(steps: &[Step], first: &str, root: Root, tree: &Node, place: Place) -> Box<Diagnostic> {
    let message = format!("`{}` is written nowhere in the scenario", show(first));
    let paths = paths_to(steps, root);
    if !paths.is_empty() {
        let wrong = Diagnostic::error(message).at(place, "not known by its end alone");
        return wrong.help(format!("write more of the path: {}", typed(&paths))).into();
    }
    let possible = catalog::keys_in(root).iter().filter_map(|key| key.key.rsplit('.').next());
    let mut keys: Vec<&str> = root.keys().iter().copied().chain(possible).collect();
    all_keys(tree, &mut keys);
    keys.sort_unstable();
    keys.dedup();
    let message = format!("no key of a scenario is called `{}`", show(first));
    let mut meanings = aliases::keys(first).peekable();
    let (mut near, mut sentences) = (Vec::new(), Vec::new());
    if meanings.peek().is_none() {
        near = nearest(first, keys);
    } else {
        // Names that the scenario or its kind has; written ones first.
        for alias in meanings {
            let mut names = alias.names();
            names.retain(|name| keys.contains(name));
            if names.is_empty() != alias.ours.is_empty() {
                continue;
            }
            sentences.extend(alias.sentence(first, &names));
            near.extend(names);
        }
        near.dedup();
        near.truncate(3);
    }
    let label = match &near[..] {
        [] => "no key of a scenario".to_owned(),
        near => format!("did you mean {}?", listed(near, "or")),
    };
    let wrong = Diagnostic::error(message).at(place, label);
    let wrong = sentences.into_iter().take(3).fold(wrong, Diagnostic::help);
    if let Some(list) = list_with(tree, first) {
        let first = show(first);
        return wrong.help(format!("`{first}` is a name: write `{list}.{first}.KEY=VALUE`")).into();
    }
    wrong.help("`gridpact list keys` tells all of them").into()
}

/// Returns the root's list that has an element of this name.
fn list_with<'t>(tree: &'t Node, name: &str) -> Option<&'t str> {
    let Value::Table(entries) = &tree.value else { return None };
    let has_it = |(_, node): &&(String, Node)| match &node.value {
        Value::Array(elements) => elements.iter().any(|one| overlay::name(one) == Some(name)),
        _ => false,
    };
    entries.iter().find(has_it).map(|(key, _)| key.as_str())
}

/// Searches for a key at any depth.
struct Search<'k> {
    key: &'k str,
    /// Positions from the root to the current node.
    way: Vec<usize>,
    /// The same path in words: `organization[].cluster`.
    path: Vec<String>,
    /// Tables that contain the key, each with the positions to it and the path of the key.
    found: Vec<(Vec<usize>, String)>,
}

impl Search<'_> {
    fn look(&mut self, node: &Node) {
        match &node.value {
            Value::Table(entries) => {
                for (at, (key, node)) in entries.iter().enumerate() {
                    if key == self.key {
                        let path: String = self.path.concat() + &show(key);
                        self.found.push((self.way.clone(), path));
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

/// Returns the node at a position of a table or list.
fn step_into(node: &mut Node, at: usize) -> Option<&mut Node> {
    match &mut node.value {
        Value::Table(entries) => entries.get_mut(at).map(|(_, node)| node),
        Value::Array(elements) => elements.get_mut(at),
        _ => None,
    }
}

/// Collects every key that appears anywhere.
fn all_keys<'t>(node: &'t Node, keys: &mut Vec<&'t str>) {
    match &node.value {
        Value::Table(entries) => {
            for (key, node) in entries {
                keys.push(key);
                all_keys(node, keys);
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| all_keys(element, keys)),
        _ => {}
    }
}
