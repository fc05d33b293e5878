//! Layers of a scenario: the files it extends, the file itself, the command-line settings.
//!
//! [`assemble`] reads them into one tree, in which every node remembers its text and its layer.
//! Tables are merged key by key, lists with named elements element by element; any other value
//! hides the one below. Among the alternatives of a choice, which the schema knows, only those of
//! the highest layer remain.

mod choices;
mod overlay;
mod set;

use std::path::{Path, PathBuf};

use super::diagnostics::{Diagnostic, show};
use super::files::{FileId, Files, Place};
use super::foreign;
use super::root::Root;
use super::schema;
use super::tree::{self, Node, Value};

/// The key by which a scenario names the file it extends.
const EXTENDS: &str = "extends";
/// Longest chain of scenarios that extend each other.
const MOST_BASES: usize = 32;

/// The key of a sweep.
pub(super) const SWEEP: &str = "sweep";

/// The part of a file that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// All but the sweep: one of its points.
    Point,
    /// The sweep alone.
    Sweep,
}

impl Part {
    /// True if a setting belongs to the part.
    fn has(self, setting: &str) -> bool {
        let rest = setting.trim_start().strip_prefix(SWEEP);
        let is_of_sweep = rest.is_some_and(|rest| rest.trim_start().starts_with(['.', '=']));
        match self {
            Part::Whole => true,
            Part::Point => !is_of_sweep,
            Part::Sweep => is_of_sweep,
        }
    }

    /// Name of the settings in messages.
    fn settings(self) -> &'static str {
        match self {
            Part::Whole | Part::Sweep => "--set",
            Part::Point => "[sweep] or --set",
        }
    }

    /// Leaves only the part.
    fn cut(self, tree: &mut Node) {
        if let Value::Table(entries) = &mut tree.value
            && self != Part::Whole
        {
            entries.retain(|(key, _)| (key == SWEEP) == (self == Part::Sweep));
        }
    }
}

/// Reads the scenario and its bases, and overlays them with the command-line settings. Settings are
/// `key=value`; later ones override earlier ones. `path` is the scenario's own, if it is from a
/// file.
///
/// # Errors
/// Invalid TOML in any of the texts, a scenario of the wrong kind (a grid or a game), a base that
/// cannot be read or that closes a cycle, a setting that matches no place.
pub fn assemble(
    files: &mut Files,
    scenario: FileId,
    path: Option<&Path>,
    settings: &[String],
    (root, part): (Root, Part),
) -> Result<Node, Vec<Diagnostic>> {
    let mut tree = tree::parse(files, scenario, 0)?;
    if let Some(wrong) = root.mismatch(&tree) {
        return Err(vec![wrong]);
    }
    let bases = bases(files, &mut tree, path)?;
    if let Some(wrong) = bases.iter().find_map(|base| root.mismatch(base)) {
        return Err(vec![wrong]);
    }
    let settings: Vec<&String> = settings.iter().filter(|setting| part.has(setting)).collect();
    if bases.is_empty() && settings.is_empty() {
        part.cut(&mut tree);
        return Ok(tree);
    }
    let schema = schema::described(root);
    let lay = |base, top| {
        let mut tree = overlay::overlay(base, top);
        choices::settle(&mut tree, schema);
        tree
    };
    if let Some(base) = bases.into_iter().rev().reduce(lay) {
        tree = lay(base, tree);
    }
    part.cut(&mut tree);
    let mut wrong = Vec::new();
    for (setting, layer) in settings.into_iter().zip(1..) {
        wrong.extend(
            set::set(files, &mut tree, (part.settings(), setting), layer, (root, schema))
                .err()
                .into_iter()
                .flatten(),
        );
        choices::settle(&mut tree, schema);
    }
    wrong.extend(tree.get(EXTENDS).filter(|node| node.layer > 0).map(comes_too_late));
    if wrong.is_empty() { Ok(tree) } else { Err(wrong) }
}

/// Reports a setting of `extends`, which is read before all settings.
fn comes_too_late(node: &Node) -> Diagnostic {
    Diagnostic::error("what a scenario extends cannot be set from the command line")
        .at(node.key.as_ref().unwrap_or(&node.place).clone(), "settings come after it was read")
        .help("write `extends` into a scenario of your own")
}

/// One scenario of the chain: the place that names it, and its file.
struct Link {
    /// The place where the previous scenario names it; `None` for the first.
    named: Option<Place>,
    /// The file's name in messages.
    name: String,
    /// The canonical path of the file.
    file: Option<PathBuf>,
}

/// Reads the file a scenario extends, the file that one extends, and so on.
fn bases(
    files: &mut Files,
    scenario: &mut Node,
    path: Option<&Path>,
) -> Result<Vec<Node>, Vec<Diagnostic>> {
    let mut chain = vec![Link {
        named: None,
        name: path.map(|path| path.display().to_string()).unwrap_or_default(),
        file: path.and_then(|path| path.canonicalize().ok()),
    }];
    let mut bases: Vec<Node> = Vec::new();
    while let Some((named, place)) = take_extends(bases.last_mut().unwrap_or(scenario)) {
        let path = files.folder(place.file).join(named);
        let file = path.canonicalize().ok();
        let back = file
            .as_ref()
            .and_then(|file| chain.iter().position(|link| link.file.as_ref() == Some(file)));
        chain.push(Link { named: Some(place.clone()), name: path.display().to_string(), file });
        if let Some(back) = back {
            return Err(vec![cyclic(&chain[back..])]);
        }
        if chain.len() > MOST_BASES {
            let message = format!("more than {MOST_BASES} scenarios extend each other");
            return Err(vec![Diagnostic::error(message).at(place, "this is one too many")]);
        }
        let id = files.read(&path).and_then(|id| foreign::as_toml(id, files));
        let id = id.map_err(|wrong| vec![unreadable(files, *wrong, place)])?;
        bases.push(tree::parse(files, id, -(chain.len() as i32 - 1))?);
    }
    Ok(bases)
}

/// Takes `extends` out of a scenario. A value that is not a string stays, for the reader to reject.
fn take_extends(tree: &mut Node) -> Option<(String, Place)> {
    let Value::Table(entries) = &mut tree.value else { return None };
    let at = entries.iter().position(|(key, _)| key == EXTENDS)?;
    match &entries[at].1.value {
        Value::String(name) => {
            let found = (name.clone(), entries[at].1.place.clone());
            entries.remove(at);
            Some(found)
        }
        _ => None,
    }
}

/// Reports a cycle: the first and the last link are the same file.
fn cyclic(chain: &[Link]) -> Diagnostic {
    let name = show(&chain[0].name);
    let steps = chain.windows(2).filter_map(|pair| Some((pair[1].named.clone()?, pair)));
    let last = chain.len() - 2;
    let start = Diagnostic::error(format!("`{name}` extends itself"));
    let diagnostic = steps.enumerate().fold(start, |diagnostic, (step, (place, pair))| {
        let (from, to) = (show(&pair[0].name), show(&pair[1].name));
        if step == last {
            diagnostic.at(place, "this leads back to it")
        } else {
            diagnostic.also(place, format!("`{from}` extends `{to}`"))
        }
    });
    diagnostic.help("remove one `extends`: a scenario builds on one that is complete without it")
}

/// Reports an unreadable base at the place that names it.
fn unreadable(files: &Files, wrong: Diagnostic, place: Place) -> Diagnostic {
    if wrong.labels.is_empty() {
        let help = wrong.help.is_empty().then(|| files.relative(place.file));
        help.into_iter().fold(wrong.at(place, ""), Diagnostic::help)
    } else {
        wrong.also(place, "it is named here")
    }
}
