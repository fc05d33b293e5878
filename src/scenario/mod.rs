//! Reads scenario files: text with places, typed values, and errors that point at the spot.
//!
//! [`tree`] parses TOML into nodes that remember where they were written. [`layers`] overlays a
//! scenario on the files it extends, and command-line settings on both. [`de`] reads a node into
//! any serde type and reports every mistake it can find at once. [`raw`] holds the types that
//! document the keys, [`resolve`] turns them into a [`plan`], and [`diagnostics`] shows mistakes
//! with file, line, caret and remedy. [`aliases`] has the words of other fields. [`schema`] and [`catalog`] list what can be written. A file
//! describes a grid or a game ([`root`]). No other module knows TOML.

mod advice;
pub mod aliases;
mod bounded;
pub mod catalog;
pub mod de;
pub mod diagnostics;
pub mod drawn;
pub mod files;
pub mod layers;
mod lengths;
mod mistaken;
pub mod origin;
pub mod parts;
pub mod path;
pub mod plan;
pub mod raw;
pub mod resolve;
pub mod root;
pub mod schema;
mod title;
pub mod tree;

use std::path::Path;

use diagnostics::Diagnostic;
use files::{FileId, Files};
use plan::Plan;
use resolve::game::Purpose;
use root::Root;

/// The source of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input<'a> {
    /// A file.
    File(&'a Path),
    /// Bytes from elsewhere, such as standard input; their paths are relative to the working
    /// directory.
    Bytes {
        /// Name in messages.
        name: &'a str,
        /// The whole content.
        bytes: Vec<u8>,
    },
}

/// Command-line changes to a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The master seed, which overrides any other.
    pub seed: Option<u64>,
    /// Settings `key=value`, see [`layers`]; later ones override earlier ones.
    pub set: Vec<String>,
}

/// Reads a scenario into a plan and its warnings. `files` keeps the texts that diagnostics refer
/// to.
///
/// # Errors
/// All mistakes in it.
pub fn load(
    input: Input<'_>,
    overrides: &Overrides,
    files: &mut Files,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let opened = open(input, files)?;
    load_grid(&opened, overrides, files)
}

/// Reads a game file, like [`load`].
///
/// # Errors
/// All mistakes in it.
pub fn load_game(
    input: Input<'_>,
    overrides: &Overrides,
    files: &mut Files,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let opened = open(input, files)?;
    load_any_game(&opened, overrides, files, Purpose::Play)
}

/// Reads a game file to solve it: nobody needs to play, and coalitional games are read too.
///
/// # Errors
/// All mistakes in it.
pub fn load_to_solve(
    input: Input<'_>,
    overrides: &Overrides,
    files: &mut Files,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let opened = open(input, files)?;
    load_any_game(&opened, overrides, files, Purpose::Solve)
}

/// Reads a scenario or a game, depending on the text.
///
/// # Errors
/// All mistakes in it.
pub fn load_any(
    input: Input<'_>,
    overrides: &Overrides,
    files: &mut Files,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let opened = open(input, files)?;
    // Errors in the TOML are reported below.
    let tree = tree::parse(files, opened.0, 0).ok();
    match tree.as_ref().and_then(Root::of) {
        Some((Root::Game, _)) => load_any_game(&opened, overrides, files, Purpose::Describe),
        _ => load_grid(&opened, overrides, files),
    }
}

/// A text, and its path if it is from a file.
type Opened<'a> = (FileId, Option<&'a Path>);

fn open<'a>(input: Input<'a>, files: &mut Files) -> Result<Opened<'a>, Vec<Diagnostic>> {
    let (id, path) = match input {
        Input::File(path) => (files.read(path), Some(path)),
        Input::Bytes { name, bytes } => (files.add_bytes(name, bytes), None),
    };
    Ok((id.map_err(|wrong| vec![*wrong])?, path))
}

fn load_grid(
    &(id, path): &Opened<'_>,
    overrides: &Overrides,
    files: &mut Files,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let tree = assemble((id, path), overrides, files, Root::Grid)?;
    let (raw, mut wrong) = de::read::<raw::Scenario>(&tree);
    let Some(mut raw) = raw else { return Err(advice::advise(wrong, Root::Grid)) };
    if let Some(seed) = overrides.seed {
        raw.seed = seed;
    }
    match resolve::resolve(&raw, &tree, files) {
        Ok((mut plan, warnings)) => {
            plan.changes = title::changes(&overrides.set);
            wrong.extend(warnings);
            Ok((plan, wrong))
        }
        Err(errors) => {
            wrong.extend(errors);
            Err(wrong)
        }
    }
}

fn load_any_game(
    &(id, path): &Opened<'_>,
    overrides: &Overrides,
    files: &mut Files,
    purpose: Purpose,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let tree = assemble((id, path), overrides, files, Root::Game)?;
    let (raw, wrong) = de::read::<raw::Game>(&tree);
    let Some(mut raw) = raw else { return Err(advice::advise(wrong, Root::Game)) };
    if let Some(seed) = overrides.seed {
        raw.seed = seed;
    }
    let (mut plan, warnings) = resolve::game::resolve(&raw, &tree, purpose)?;
    plan.changes = title::changes(&overrides.set);
    Ok((plan, warnings))
}

/// Reads the text with its layers. A file of another kind is reported as such.
fn assemble(
    (id, path): Opened<'_>,
    overrides: &Overrides,
    files: &mut Files,
    root: Root,
) -> Result<tree::Node, Vec<Diagnostic>> {
    layers::assemble(files, id, path, &overrides.set, root).map_err(|wrong| {
        mistaken::instead(files, id, root).map_or(wrong, |mistaken| vec![mistaken])
    })
}
