//! A shortened key of `--set` that does not say enough, and what to write instead.

use super::super::overlay;
use super::{Kind, Step};
use crate::aliases;
use crate::catalog;
use crate::diagnostics::{Diagnostic, listed, nearest, show};
use crate::files::Place;
use crate::root::Root;
use crate::tree::{Node, Value};

/// Maximum number of paths in a remedy.
const MOST_PATHS: usize = 8;

/// A key that does not begin at the root.
pub(super) struct Asked<'k> {
    pub steps: &'k [Step],
    /// The first step.
    pub first: &'k str,
    /// Place of the first step.
    pub place: Place,
    pub root: Root,
}

impl Asked<'_> {
    /// Returns the leading steps that are keys.
    fn keys(&self) -> Vec<&str> {
        let keys = self.steps.iter().map_while(|step| match &step.kind {
            Kind::Key(key) => Some(&**key),
            Kind::Index(_) | Kind::All => None,
        });
        keys.collect()
    }

    /// Returns every path of a scenario that ends in this key.
    fn paths(&self) -> Vec<String> {
        let end = format!(".{}", self.keys().join("."));
        let paths = catalog::keys_in(self.root).iter().map(|key| &key.key);
        paths.filter(|path| path.ends_with(&end)).cloned().collect()
    }

    /// Returns the missing start, if exactly one path ends in this key and leads through no list.
    pub(super) fn missing_part(&self) -> Option<Vec<String>> {
        let paths = self.paths();
        let [path] = &paths[..] else { return None };
        let before = &path[..path.find(&format!(".{}", self.first))?];
        (!before.contains("[]")).then(|| before.split('.').map(str::to_owned).collect())
    }

    /// Reports a key that is written at several paths.
    pub(super) fn in_unlike_places(&self, paths: &[String]) -> Box<Diagnostic> {
        let message = format!("`{}` is written in unlike places", show(self.first));
        let wrong = Diagnostic::error(message).at(self.place.clone(), "which one is meant?");
        wrong.help(more_of(paths)).into()
    }

    /// Reports a key that is written nowhere and may begin at several paths. `None` if no scenario
    /// has such a key.
    pub(super) fn nowhere(&self, begins: &[String]) -> Option<Box<Diagnostic>> {
        let mut paths = self.paths();
        paths
            .retain(|path| begins.is_empty() || begins.iter().any(|begin| path.starts_with(begin)));
        if paths.is_empty() {
            return None;
        }
        let message = format!("`{}` is written nowhere in the scenario", show(self.first));
        let wrong = Diagnostic::error(message).at(self.place.clone(), "not known by its end alone");
        Some(wrong.help(more_of(&paths)).into())
    }

    /// Reports a key that is not in the table which the steps before it lead to. `None` if they lead
    /// to none.
    fn not_in_its_table(&self) -> Option<Box<Diagnostic>> {
        let steps = self.keys();
        let all = catalog::keys_in(self.root);
        let (known, tables) = (1..steps.len()).rev().find_map(|known| {
            let end = format!(".{}", steps[..known].join("."));
            let is_it = |key: &&str| key.trim_end_matches("[]").ends_with(&end);
            let tables: Vec<&str> = all.iter().map(|key| &*key.key).filter(is_it).collect();
            (!tables.is_empty()).then_some((known, tables))
        })?;
        let inside = |table: &str, key: &'static str| {
            let key = key.strip_prefix(table)?.strip_prefix('.')?;
            key.split('.').next()
        };
        let mut keys: Vec<&str> = Vec::new();
        for key in all.iter().flat_map(|key| tables.iter().map(|table| inside(table, &key.key))) {
            keys.extend(key.filter(|key| !keys.contains(key)));
        }
        let (table, key) = (show(steps[known - 1]), steps[known]);
        let near = nearest(key, keys.iter().copied());
        let label = match &near[..] {
            [] => "no key of this table".to_owned(),
            near => format!("did you mean {}?", listed(near, "or")),
        };
        let message = format!("`{table}` has no key `{}`", show(key));
        let place = Place::new(self.place.file, self.steps[known].span.clone());
        let wrong = Diagnostic::error(message).at(place, label);
        Some(match &near[..] {
            [] if keys.is_empty() => wrong.into(),
            [] => wrong.help(format!("the keys here are {}", listed(&keys, "and"))).into(),
            near => {
                let full = |table: &&str| Some(format!("{table}.{}", near.first()?));
                let mut paths: Vec<String> = tables.iter().filter_map(full).collect();
                paths.retain(|path| all.iter().any(|key| key.key.starts_with(path)));
                wrong.help(more_of(&paths)).into()
            }
        })
    }

    /// Reports a key that no table of the scenario can have.
    pub(super) fn unknown(&self, tree: &Node) -> Box<Diagnostic> {
        let first = self.first;
        if let Some(wrong) = self.nowhere(&[]).or_else(|| self.not_in_its_table()) {
            return wrong;
        }
        let possible = catalog::keys_in(self.root).iter();
        let possible = possible.filter_map(|key| key.key.trim_end_matches("[]").rsplit('.').next());
        let mut keys: Vec<&str> = possible.collect();
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
        let wrong = Diagnostic::error(message).at(self.place.clone(), label);
        let wrong = sentences.into_iter().take(3).fold(wrong, Diagnostic::help);
        if let Some(list) = list_with(tree, first) {
            let first = show(first);
            return wrong
                .help(format!("`{first}` is a name: write `{list}.{first}.KEY=VALUE`"))
                .into();
        }
        wrong.help("`gridpact list keys` tells all of them").into()
    }
}

/// Lists paths as the user would type them.
fn more_of(paths: &[String]) -> String {
    let typed = |path: &String| format!("`{}`", path.replace("[]", ".*"));
    let typed: Vec<String> = paths.iter().take(MOST_PATHS).map(typed).collect();
    format!("write more of the path: {}", typed.join(" or "))
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

/// Returns the root's list that has an element of this name.
fn list_with<'t>(tree: &'t Node, name: &str) -> Option<&'t str> {
    let Value::Table(entries) = &tree.value else { return None };
    let has_it = |(_, node): &&(String, Node)| match &node.value {
        Value::Array(elements) => elements.iter().any(|one| overlay::name(one) == Some(name)),
        _ => false,
    };
    entries.iter().find(has_it).map(|(key, _)| key.as_str())
}
