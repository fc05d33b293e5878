//! Reading scenario files: text with places, typed values, and errors that point at the spot.
//!
//! [`tree`] parses TOML into nodes that remember where they were written, [`de`] reads a node into
//! any serde type and reports every mistake it can find at once, [`raw`] holds the types that say
//! what the keys mean, [`resolve`] makes a [`plan`] of them, and [`diagnostics`] shows mistakes
//! with file, line, caret and remedy; [`schema`] and [`catalog`] tell what can be written. Only
//! here is TOML known.

pub mod catalog;
pub mod de;
pub mod diagnostics;
pub mod files;
pub mod parts;
pub mod path;
pub mod plan;
pub mod raw;
pub mod resolve;
pub mod schema;
pub mod tree;

use std::path::Path;

use diagnostics::Diagnostic;
use files::Files;
use plan::Plan;

/// What the command line says instead of the scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The master seed.
    pub seed: Option<u64>,
}

/// Reads a scenario file into a plan and its warnings. `files` keeps the texts that diagnostics
/// point into.
///
/// # Errors
/// All that is wrong with it.
pub fn load(
    file: &Path,
    overrides: &Overrides,
    files: &mut Files,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let id = files.read(file).map_err(|wrong| vec![*wrong])?;
    let tree = tree::parse(files, id)?;
    let (raw, mut wrong) = de::read::<raw::Scenario>(&tree);
    let Some(mut raw) = raw else { return Err(wrong) };
    if let Some(seed) = overrides.seed {
        raw.seed = seed;
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    match resolve::resolve(&raw, &tree, folder) {
        Ok((plan, warnings)) => {
            wrong.extend(warnings);
            Ok((plan, wrong))
        }
        Err(errors) => {
            wrong.extend(errors);
            Err(wrong)
        }
    }
}
