//! Choices: a table of exactly one key, or a bare string, and what is said of a wrong one.

use super::trail::Step;
use super::{Halt, Reader, What, typed_value, valid};
use crate::aliases::{self, Meant};
use crate::diagnostics::{Diagnostic, listed, show};
use crate::files::Place;
use crate::kinds;
use crate::tree::{Node, Value};
use kernel::order::InOrder as _;

/// Longest list of valid choices that is shown whole.
const MAX_CHOICES: usize = 12;
/// Number of choices shown of a longer list: those nearest to the wrong one.
const NEAREST: usize = 5;

impl<'t> Reader<'t> {
    /// Returns the choice made by a table or string, and the input for its parameters.
    pub(super) fn choice(
        &self,
        variants: &'static [&'static str],
    ) -> Result<(&'static str, What<'t>), Halt> {
        let any = variants.first().copied().ok_or(Halt::GaveUp)?;
        let stand_in = (any, self.stand_in().what);
        let entries = match self.what {
            What::Anything { .. } => return Ok(stand_in),
            What::Node(node @ Node { value: Value::String(text), .. }) => {
                let known = variants.iter().find(|variant| *variant == text);
                let known = known.copied().or_else(|| {
                    self.unknown_choice(text, &node.place, self.trail.name(), variants)
                });
                return Ok(known.map_or(stand_in, |variant| (variant, What::Bare(node))));
            }
            What::Node(Node { value: Value::Table(entries), .. }) => entries,
            What::Bare(node) => {
                self.no_choice(&node.place, variants);
                return Ok(stand_in);
            }
            What::Node(node) => {
                let value = typed_value(&node.value).filter(|_| variants.len() == 1);
                let value = value.as_deref().unwrap_or("...");
                let typed = self.trail.below(Step::Key(any)).typed();
                let help = format!("write `{typed} = {value}`");
                let help = self.with_list(help, variants);
                self.wrong(&format!("a choice of {}", names(variants)), Some(help));
                return Ok(stand_in);
            }
        };
        // When several layers make a choice, the highest one counts.
        let top = entries.iter().map(|(_, node)| node.layer).max();
        let entries: Vec<_> = entries.iter().filter(|(_, node)| Some(node.layer) == top).collect();
        let known: Vec<_> = entries
            .iter()
            .filter_map(|(key, node)| {
                variants.iter().find(|variant| *variant == key).map(|variant| (*variant, node))
            })
            .collect();
        match (&known[..], &entries[..]) {
            ([], []) => {
                if let What::Node(node) = self.what {
                    self.no_choice(&node.place, variants);
                }
                Ok(stand_in)
            }
            ([], [(key, node), ..]) => {
                let place = node.key.as_ref().unwrap_or(&node.place);
                let below = self.trail.below(Step::Key(key));
                let about = Reader { trail: &below, ..self.with(self.what) };
                let meant = about.unknown_choice(key, place, self.trail.name(), variants);
                Ok(meant.map_or(stand_in, |variant| (variant, What::Node(node))))
            }
            ([(variant, node)], _) => {
                for (key, other) in entries.iter().filter(|(key, _)| key != variant) {
                    self.beside_choice(key, other, variant, node);
                }
                Ok((*variant, What::Node(node)))
            }
            ([(variant, node), ..], _) => {
                self.two_choices(&known);
                Ok((*variant, What::Node(node)))
            }
        }
    }

    fn no_choice(&self, place: &Place, variants: &'static [&'static str]) {
        let message = format!("nothing is chosen for {}", self.trail.name());
        let label = format!("choose one of {}", names(variants));
        let help = variants.first().map(|any| {
            let typed = self.trail.below(Step::Key(any)).typed();
            self.with_list(format!("write for example `{typed} = ...`"), variants)
        });
        self.note(place, message, label, help);
    }

    /// Notes an unknown choice and returns the one that was probably meant.
    fn unknown_choice(
        &self,
        word: &str,
        place: &Place,
        name: String,
        variants: &'static [&'static str],
    ) -> Option<&'static str> {
        let Meant { names: near, why, is_same } = aliases::choice_meant(word, variants);
        let label = if near.is_empty() {
            "not one of the choices".to_owned()
        } else {
            format!("did you mean {}?", listed(&near, "or"))
        };
        let message = format!("unknown choice `{}` for {name}", show(word));
        let all = match self.list_command(variants) {
            None => valid("choice", variants, variants.len()),
            Some(command) if near.is_empty() => {
                let most = closest(word, variants, NEAREST);
                let count = variants.len();
                format!(
                    "the nearest of the {count} choices are {}; {command} has them all",
                    listed(&most, "and")
                )
            }
            Some(command) => format!("{command} has all {} choices", variants.len()),
        };
        self.note(place, message, label, why.into_iter().chain([all]));
        if let ([meant], true) = (&near[..], is_same) { Some(meant) } else { None }
    }

    /// Returns the command that lists the choices here, if they are too many for a message.
    fn list_command(&self, variants: &[&str]) -> Option<String> {
        if variants.len() <= MAX_CHOICES {
            return None;
        }
        // The choice is this value, or the table around it.
        let path = self.trail.path().plain();
        let around = path.rsplit_once('.').map_or("", |(around, _)| around);
        let kind = kinds::plural_at(&path).or_else(|| kinds::plural_at(around))?;
        Some(format!("`gridpact list {kind}`"))
    }

    /// Adds the command that lists the choices here, if they are too many for a message.
    fn with_list(&self, help: String, variants: &[&str]) -> String {
        match self.list_command(variants) {
            Some(command) => format!("{help}; {command} has all {} choices", variants.len()),
            None => help,
        }
    }

    /// Notes a key beside the one that makes the choice.
    fn beside_choice(&self, key: &str, node: &Node, variant: &str, chosen: &Node) {
        self.findings.note(|| {
            let (name, key) = (self.trail.name(), show(key));
            let place = |node: &Node| node.key.as_ref().unwrap_or(&node.place).clone();
            let inside = self.trail.below(Step::Key(variant)).typed();
            Diagnostic::error(format!("unknown key `{key}` beside the choice for {name}"))
                .at(place(node), "not one of the choices")
                .also(place(chosen), format!("`{variant}` is chosen here"))
                .help(format!(
                    "a parameter of the choice goes inside: `{inside} = {{ {key} = ... }}`"
                ))
                .about(self.trail.path().key(key))
        });
    }

    fn two_choices(&self, known: &[(&'static str, &Node)]) {
        self.findings.note(|| {
            let variants: Vec<_> = known.iter().map(|(variant, _)| *variant).collect();
            let count = if known.len() == 2 { "two".to_owned() } else { known.len().to_string() };
            let (name, all) = (self.trail.name(), listed(&variants, "and"));
            let mut diagnostic =
                Diagnostic::error(format!("{count} choices at once for {name}: {all}"));
            for (at, (variant, node)) in known.iter().enumerate() {
                let place = node.key.as_ref().unwrap_or(&node.place).clone();
                diagnostic = if at == 0 {
                    diagnostic.also(place, format!("`{variant}` is chosen here"))
                } else {
                    diagnostic.at(place, format!("and `{variant}` here"))
                };
            }
            diagnostic.help("keep one of them").about(self.trail.path())
        });
    }
}

/// Lists choices in a label, or counts them.
fn names(all: &[&str]) -> String {
    if all.len() <= MAX_CHOICES { listed(all, "or") } else { format!("{} names", all.len()) }
}

/// Returns the names most like a word by their letters, the most alike first.
fn closest<'k>(word: &str, names: &[&'k str], most: usize) -> Vec<&'k str> {
    let likeness = |name: &str| strsim::jaro_winkler(&word.to_lowercase(), name);
    let mut names: Vec<(f64, &str)> = names.iter().map(|name| (likeness(name), *name)).collect();
    names.order_by(|one, other| other.0.total_cmp(&one.0));
    names.into_iter().take(most).map(|(_, name)| name).collect()
}
