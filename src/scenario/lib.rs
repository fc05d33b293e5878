//! Reads scenario files: text with places, typed values, and errors that point at the spot.
//!
//! [`tree`] parses TOML into nodes that remember where they were written. [`layers`] overlays a
//! scenario on the files it extends, and command-line settings on both. [`de`] reads a node into
//! any serde type and reports every mistake it can find at once. [`raw`] holds the types that
//! document the keys, [`resolve`] turns them into a [`plan`], and [`diagnostics`] shows mistakes
//! with file, line, caret and remedy. [`sweep`] makes the points of a parameter study. [`aliases`] has
//! the words of other fields. [`schema`] and [`catalog`] list what can be written. [`root`] tells a
//! file's subject by what is written in it. No other module knows TOML.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

mod advice;
pub mod aliases;
mod belongs;
mod bounded;
pub mod catalog;
pub mod de;
pub mod diagnostics;
pub mod drawn;
pub mod files;
mod foreign;
pub mod json;
mod kinds;
pub mod layers;
mod lengths;
mod mistaken;
mod moved;
mod nfg;
pub mod origin;
pub mod parts;
pub mod path;
mod payoffs_csv;
pub mod plan;
pub mod raw;
pub mod resolve;
pub mod root;
pub mod schema;
pub mod sweep;
mod title;
pub mod tree;

use std::path::Path;

use diagnostics::Diagnostic;
use files::{FileId, Files};
use layers::Part;
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
    load_known(&opened, overrides, files, (Root::Grid, Purpose::Play, Part::Whole))
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
    load_known(&opened, overrides, files, (Root::Game, Purpose::Play, Part::Whole))
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
    load_known(&opened, overrides, files, (Root::Game, Purpose::Solve, Part::Whole))
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
    load_part(input, overrides, files, (Purpose::Describe, Part::Whole))
}

/// Reads a part of a scenario or of a game, depending on the text.
fn load_part(
    input: Input<'_>,
    overrides: &Overrides,
    files: &mut Files,
    (purpose, part): (Purpose, Part),
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let opened = open(input, files)?;
    let root = root_of(&opened, files);
    load_known(&opened, overrides, files, (root, purpose, part))
}

/// Returns true if the file, or one that it extends, has a sweep.
pub fn is_sweep(input: Input<'_>, files: &mut Files) -> bool {
    let Ok(opened) = open(input, files) else { return false };
    let root = root_of(&opened, files);
    let tree = assemble(opened, &Overrides::default(), files, (root, Part::Sweep));
    tree.is_ok_and(|tree| tree.get(layers::SWEEP).is_some())
}

/// Reads the points of a sweep; `None` if the file is none.
///
/// # Errors
/// All mistakes in its points; those of the rest are found when a [point](load_point) is read.
pub fn load_sweep(
    input: Input<'_>,
    overrides: &Overrides,
    files: &mut Files,
) -> Result<Option<sweep::Design>, Vec<Diagnostic>> {
    #[derive(serde::Deserialize)]
    struct Only {
        sweep: raw::Sweep,
    }
    let opened = open(input, files)?;
    let root = root_of(&opened, files);
    let tree = assemble(opened, overrides, files, (root, Part::Sweep))?;
    if tree.get(layers::SWEEP).is_none() {
        return Ok(None);
    }
    let (only, wrong) = de::read::<Only>(&tree);
    let Some(Only { sweep: raw }) = only else { return Err(wrong) };
    let refused = bounded::refusals(&tree, root);
    if !refused.is_empty() {
        let told =
            |(path, message): (path::Path, String)| Diagnostic::at_path(&tree, &path, message);
        return Err(refused.into_iter().map(told).collect());
    }
    sweep::design(&raw, &tree, files).map(Some)
}

/// Reads a point of a sweep, whose settings are among the overrides.
///
/// # Errors
/// All mistakes in it.
pub fn load_point(
    input: Input<'_>,
    overrides: &Overrides,
    files: &mut Files,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    load_part(input, overrides, files, (Purpose::Play, Part::Point))
}

/// Refuses a sweep where one run is read.
fn no_sweep(tree: &tree::Node) -> Result<(), Vec<Diagnostic>> {
    let Some(sweep) = tree.get(layers::SWEEP) else { return Ok(()) };
    let place = sweep.key.as_ref().unwrap_or(&sweep.place).clone();
    let wrong = Diagnostic::error("this is a sweep: many runs, and not one")
        .at(place, "it varies the keys that are here");
    Err(vec![wrong.help(
        "`gridpact sweep FILE` runs all of its points, `gridpact sweep plan FILE` lists them",
    )])
}

/// The subject of a text: that of the first file that tells, of those it extends.
fn root_of(&(id, path): &Opened<'_>, files: &mut Files) -> Root {
    // Errors in the TOML are reported when it is read.
    let tree = tree::parse(files, id, 0).ok();
    if let Some((root, _)) = tree.as_ref().and_then(Root::of) {
        return root;
    }
    match layers::assemble(files, id, path, &[], (Root::Game, Part::Whole)) {
        Ok(tree) => Root::of(&tree).map_or(Root::Grid, |(root, _)| root),
        Err(_) => Root::Grid,
    }
}

/// A text, and its path if it is from a file.
type Opened<'a> = (FileId, Option<&'a Path>);

fn open<'a>(input: Input<'a>, files: &mut Files) -> Result<Opened<'a>, Vec<Diagnostic>> {
    let (id, path) = match input {
        Input::File(path) => (files.read(path), Some(path)),
        Input::Bytes { name, bytes } => (files.add_bytes(name, bytes), None),
    };
    let id = id.and_then(|id| foreign::as_toml(id, files)).map_err(|wrong| vec![*wrong])?;
    Ok((id, path))
}

/// Reads a text of which it is known whether it is a game.
fn load_known(
    opened: &Opened<'_>,
    overrides: &Overrides,
    files: &mut Files,
    (root, purpose, part): (Root, Purpose, Part),
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut tree = assemble(*opened, overrides, files, (root, part))?;
    no_sweep(&tree)?;
    let mut warnings = moved::moved(&mut tree);
    let (mut plan, more) = if root.is_game() {
        let mut raw: raw::Game = typed(raw::Game::read(&tree), &tree, root)?;
        raw.seed = overrides.seed.unwrap_or(raw.seed);
        resolve::game::resolve(&raw, &tree, files, purpose)?
    } else {
        let mut raw: raw::Scenario = typed(raw::Scenario::read(&tree), &tree, root)?;
        raw.seed = overrides.seed.unwrap_or(raw.seed);
        resolve::resolve(&raw, &tree, files)?
    };
    warnings.extend(more);
    plan.changes = title::changes(&overrides.set);
    Ok((plan, warnings))
}

/// Returns what was read, or the mistakes with advice. There are none beside a value.
fn typed<T>(
    (read, wrong): (Option<T>, Vec<Diagnostic>),
    tree: &tree::Node,
    root: Root,
) -> Result<T, Vec<Diagnostic>> {
    read.ok_or_else(|| advice::advise(by_key(wrong, tree, root), root))
}

/// A whole number beyond its type has the bounds of its key, which are narrower.
fn by_key(mut wrong: Vec<Diagnostic>, tree: &tree::Node, root: Root) -> Vec<Diagnostic> {
    if wrong.iter().any(|one| one.message.contains(de::BEYOND)) {
        for (path, refusal) in bounded::refusals(tree, root) {
            let same = |one: &&mut Diagnostic| one.path.as_ref() == Some(&path);
            if let Some(one) =
                wrong.iter_mut().filter(same).find(|one| one.message.contains(de::BEYOND))
            {
                *one = Diagnostic::at_path(tree, &path, refusal).about(path);
            }
        }
    }
    wrong
}

/// Reads the text with its layers. A file of another kind is reported as such.
fn assemble(
    (id, path): Opened<'_>,
    overrides: &Overrides,
    files: &mut Files,
    (root, part): (Root, Part),
) -> Result<tree::Node, Vec<Diagnostic>> {
    layers::assemble(files, id, path, &overrides.set, (root, part)).map_err(|wrong| {
        mistaken::instead(files, id, root).map_or(wrong, |mistaken| vec![mistaken])
    })
}
