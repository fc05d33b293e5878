//! `--set key=value`: one value of a scenario from the command line.
//!
//! A key is the path from the scenario's root, such as `run.replications`; an element of a list is
//! named (`organization.physics.count`), counted from 0 (`organization[0].count`) or all of them
//! are meant (`organization.*.count`). A path that cannot begin at the root is looked for where it
//! is written: `scheduler=fcfs` sets every scheduler. What is written nowhere goes to the
//! tables that can have it, if these are of one kind: `replications=10`, `import.load.factor=1.1`.
//! The value is TOML, or else text.

mod asked;
mod start;

use std::ops::Range;

use serde_json::{Map, Value as Json};

use self::asked::Asked;
use self::start::{Start, step_into};
use super::overlay::{self, overlay};
use crate::catalog;
use crate::diagnostics::{Diagnostic, all_of, listed, nearest, show};
use crate::files::{FileId, Files, Place};
use crate::root::Root;
use crate::schema::properties;
use crate::tree::{self, Node, Value};

const HELP: &str = "write `--set key=value`, such as `--set run.replications=10`";

/// Sets a value in a tree, as written in `setting`, a text that messages call `name`.
///
/// # Errors
/// A malformed setting, or one that matches no place or several of different kinds.
pub(super) fn set(
    files: &mut Files,
    tree: &mut Node,
    (name, setting): (&str, &str),
    layer: i32,
    (root, schema): (Root, &Map<String, Json>),
) -> Result<(), Vec<Diagnostic>> {
    let file = files.add(name, setting);
    let (steps, from) = steps(file, setting).map_err(|wrong| vec![*wrong])?;
    let value = value(files, file, setting, from, layer)?;
    let setter = Setter { file, value, root };
    let starts = setter.starts(tree, &steps, schema).map_err(|wrong| vec![*wrong])?;
    for Start { way, missing, .. } in starts {
        let node = way.iter().try_fold(&mut *tree, |node, &step| step_into(node, step));
        let Some(node) = node else { continue };
        let span = steps.first().map(|step| step.span.clone()).unwrap_or_default();
        let key = |key| Step { kind: Kind::Key(key), span: span.clone() };
        let steps: Vec<Step> = missing.into_iter().map(key).chain(steps.iter().cloned()).collect();
        setter.descend(node, &steps).map_err(|wrong| vec![*wrong])?;
    }
    Ok(())
}

/// One step of a setting's key, and its position in the text.
#[derive(Clone, Debug)]
struct Step {
    kind: Kind,
    span: Range<usize>,
}

#[derive(Clone, Debug)]
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

    /// Returns the tables from which the key continues: the root, or those that a shortened key
    /// means.
    fn starts(
        &self,
        tree: &Node,
        steps: &[Step],
        schema: &Map<String, Json>,
    ) -> Result<Vec<Start>, Box<Diagnostic>> {
        let Some(Step { kind: Kind::Key(first), .. }) = steps.first() else {
            return Ok(vec![Start::default()]);
        };
        let is_key = properties(schema).any(|(key, _)| key == first);
        if is_key && is_rooted(first, steps.get(1), self.root) {
            return Ok(vec![Start::default()]);
        }
        let asked = Asked { steps, first, place: self.place(&steps[0]), root: self.root };
        let written = start::written(tree, first);
        if is_key && start::paths(&written).iter().all(|path| path == first) {
            return Ok(vec![Start::default()]);
        }
        if !written.is_empty() {
            return match &start::paths(&written)[..] {
                [_] => Ok(written),
                several => Err(asked.in_unlike_places(several)),
            };
        }
        let possible = start::possible(tree, schema, steps);
        match &start::paths(&possible)[..] {
            [_] if !possible[0].is_alternative => Ok(possible),
            [] | [_] => match asked.missing_part() {
                Some(missing) => Ok(vec![Start { missing, ..Start::default() }]),
                None => Err(asked.unknown(tree)),
            },
            several => Err(asked.nowhere(several).unwrap_or_else(|| asked.unknown(tree))),
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
        if let Some((group, count)) = elements.iter().find_map(|one| overlay::copies(one, name)) {
            let group = show(group);
            return wrong
                .help(format!(
                    "it is one of the {count} that `{group}` stands for: write `{group}` to set them \
                     all, or give `{}` an entry of its own",
                    show(name)
                ))
                .into();
        }
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
