//! Keys of older files that have moved: they are read where they were, with a warning that shows the new
//! form.
//!
//! Until version 0.2 every rule that chooses among actions had the keys of [`Choices`] inside, as in
//! `learner.hedge.levels`; they are beside the learner now, in `choices`.
//!
//! [`Choices`]: policy::learn::choose::Choices

use super::diagnostics::{Diagnostic, listed};
use super::tree::{Node, Value};
use policy::learn::LearnerOptions;

/// The keys of the choices until 0.2; a key that is new since was never inside of a rule.
const CHOICES: [&str; 6] = ["initial", "first", "level", "levels", "out", "payoffs"];

/// Moves the keys and returns the warnings.
pub(super) fn moved(tree: &mut Node) -> Vec<Diagnostic> {
    let lists = ["organization", "player"].iter().filter_map(|list| position(tree, list));
    let lists: Vec<usize> = lists.collect();
    let mut warnings = Vec::new();
    for at in lists {
        let Value::Table(root) = &mut tree.value else { break };
        let Value::Array(entries) = &mut root[at].1.value else { continue };
        warnings.extend(entries.iter_mut().filter_map(beside_the_learner));
    }
    warnings
}

fn position(table: &Node, key: &str) -> Option<usize> {
    let Value::Table(entries) = &table.value else { return None };
    entries.iter().position(|(name, _)| name == key)
}

/// Moves the keys of an organization's or a player's choices out of its rule.
fn beside_the_learner(entry: &mut Node) -> Option<Diagnostic> {
    let (learner, choices) = (position(entry, "learner")?, position(entry, "choices"));
    let Value::Table(keys) = &mut entry.value else { return None };
    let is_free = |key: &str| {
        choices.is_none_or(|at| position(&keys[at].1, key).is_none()) && CHOICES.contains(&key)
    };
    let Value::Table(rules) = &keys[learner].1.value else { return None };
    let (at, (rule, inside)) = rules.iter().enumerate().find(|(_, (_, inside))| {
        let Value::Table(inside) = &inside.value else { return false };
        inside.iter().any(|(key, _)| is_free(key))
    })?;
    let Value::Table(inside) = &inside.value else { return None };
    let known = LearnerOptions::defaults().into_iter().find(|known| known.name() == rule)?;
    if !known.takes_choices() {
        return None;
    }
    let taken: Vec<(String, Node)> =
        inside.iter().filter(|(key, _)| is_free(key)).cloned().collect();
    let names: Vec<&str> = taken.iter().map(|(key, _)| key.as_str()).collect();
    let first = &taken[0].1;
    let place = first.key.as_ref().unwrap_or(&first.place).clone();
    let written: Vec<String> = names.iter().map(|name| format!("{name} = ...")).collect();
    let is = if names.len() == 1 { "is" } else { "are" };
    let warning =
        Diagnostic::error(format!("{} {is} written beside the learner now", listed(&names, "and")))
            .at(place, format!("`{rule}` still takes it here"))
            .warn()
            .help(format!("write `choices = {{ {} }}` beside `learner`", written.join(", ")));
    let layer = taken.iter().map(|(_, node)| node.layer).max().unwrap_or_default();
    let made = Node {
        value: Value::Table(Vec::new()),
        key: first.key.clone(),
        place: first.place.clone(),
        layer,
    };
    if let Value::Table(rules) = &mut keys[learner].1.value
        && let Value::Table(inside) = &mut rules[at].1.value
    {
        inside.retain(|(key, _)| !names.contains(&key.as_str()));
    }
    let at = choices.unwrap_or_else(|| {
        keys.push(("choices".to_owned(), made));
        keys.len() - 1
    });
    if let Value::Table(choices) = &mut keys[at].1.value {
        choices.extend(taken.iter().cloned());
    }
    Some(warning)
}
