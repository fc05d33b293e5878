//! The results folder: creates and recognizes it, and never overwrites it by accident.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::claim::{LIVE, LOCK, PARTS, SHARDS, names_in};
use super::kept;
use kernel::order::InOrder as _;
use records::files::{self, FileError, is_draft};
use records::packed::name::{Name, PACKED};

pub use super::claim::{Claim, FolderError, Identity, MANIFEST, STATE, TIMING};

/// Most bytes of a name that become the name of a folder; file systems take 255.
const LONGEST: usize = 200;

/// The identity as read from a manifest, for any kind of run.
#[derive(Debug, Deserialize)]
struct RunIdentity {
    gridpact: String,
    name: String,
    scenario_digest: String,
    seed: u64,
}

/// Default results folder of a plan.
pub fn default<'a>(plan: impl Into<Identity<'a>>) -> PathBuf {
    let name = plan.into().name.to_lowercase();
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words = words.collect::<Vec<_>>().join("-");
    if words.len() <= LONGEST {
        return Path::new("results").join(words);
    }
    // The digest keeps names apart that begin alike.
    let digest = &blake3::hash(words.as_bytes()).to_hex()[..8];
    Path::new("results").join(format!("{}-{digest}", &words[..words.floor_char_boundary(LONGEST)]))
}

/// Default results folder of several plans that are run together.
pub fn of_several<'a>(kind: &str, plan: impl Into<Identity<'a>>) -> PathBuf {
    let folder = default(plan);
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    folder.with_file_name(format!("{kind}-{name}"))
}

/// Creates the folder, or checks that it holds only an earlier run of the same plan. With `force`,
/// a run of any plan will do. Existing files stay until the new ones are complete. Unfinished files
/// of a killed run are removed.
///
/// # Errors
/// Fails if it holds unrelated files or a resumable run, if another process uses it, or if it
/// cannot be created.
pub fn prepare<'a>(
    folder: &Path,
    plan: impl Into<Identity<'a>>,
    force: bool,
) -> Result<Claim, FolderError> {
    let claim = claim(folder, plan, force)?;
    if !folder.join(MANIFEST).exists() {
        // A run that was killed while it published leaves files without a manifest.
        clear(folder)?;
    }
    claim.tidy()?;
    claim.forget()?;
    Ok(claim)
}

fn claim<'a>(
    folder: &Path,
    plan: impl Into<Identity<'a>>,
    force: bool,
) -> Result<Claim, FolderError> {
    if folder.is_file() {
        let error = io::Error::new(io::ErrorKind::NotADirectory, "this is a file, not a folder");
        return Err(FileError::of(folder)(error).into());
    }
    fs::create_dir_all(folder).map_err(FileError::of(folder))?;
    // List the files before locking, so that files of a concurrent run are not taken for foreign
    // ones.
    let foreign = first_foreign(folder)?;
    let state = folder.join(STATE);
    let had_state = state.exists();
    // An empty one is left by a process that died before locking it.
    let is_empty = fs::read_dir(&state).is_ok_and(|mut inside| inside.next().is_none());
    let is_ours = is_empty || state.join(LOCK).exists();
    if !is_ours && !force {
        let stray = had_state.then(|| STATE.to_owned());
        if let Some(first) = foreign.into_iter().chain(stray).min() {
            check_taken(folder, plan.into(), first)?;
        }
        return Claim::of(folder);
    }
    let claim = Claim::of(folder)?;
    if !force {
        if let Some(what) = kept::unfinished(&claim) {
            return Err(FolderError::Interrupted { folder: folder.to_owned(), what });
        }
        // Check again under the lock, since a run that just ended leaves its results.
        if let Some(first) = first_foreign(folder)? {
            check_taken(folder, plan.into(), first)?;
        }
    }
    Ok(claim)
}

/// The first file, by name, that is not a trace of a running or interrupted run.
fn first_foreign(folder: &Path) -> Result<Option<String>, FileError> {
    let mut first: Option<String> = None;
    for name in names_in(folder)? {
        // The live status of an earlier run is of no further use.
        if is_draft(&name) || name == LIVE || name == STATE || name == SHARDS {
            continue;
        }
        let name = name.to_string_lossy().into_owned();
        first = Some(first.map_or(name.clone(), |first| first.min(name)));
    }
    Ok(first)
}

/// Checks that the folder's content, `first` among it, may be replaced.
fn check_taken(folder: &Path, plan: Identity<'_>, first: String) -> Result<(), FolderError> {
    let path = folder.join(MANIFEST);
    let found = files::read_regular(&path)
        .ok()
        .and_then(|text| serde_json::from_slice::<RunIdentity>(&text).ok());
    let folder = folder.to_owned();
    let Some(found) = found else {
        return Err(FolderError::Foreign { folder, file: first });
    };
    let mut what = format!("results of `{}` (seed {})", found.name, found.seed);
    if found.gridpact != env!("CARGO_PKG_VERSION") {
        what.push_str(&format!(" by version {}", found.gridpact));
    } else if found.scenario_digest == plan.digest && found.seed == plan.seed {
        return Ok(());
    } else if found.name == plan.name && found.seed == plan.seed {
        what.push_str(" with other values or files");
    }
    Err(FolderError::Taken { folder, what })
}

/// Removes the files of an earlier run, the manifest first. Leftovers are thus never taken for
/// complete results.
///
/// # Errors
/// Fails if a file cannot be removed.
pub fn clear(folder: &Path) -> Result<(), FileError> {
    let known = published(folder);
    let names = names_in(folder)?.into_iter().filter_map(|name| name.into_string().ok());
    let mut found: Vec<String> = names.filter(|name| known.contains(name)).collect();
    found.order_by_key(|name| (name != MANIFEST, name.clone()));
    for path in found.iter().map(|name| folder.join(name)) {
        fs::remove_file(&path).map_err(FileError::of(&path))?;
        if path.ends_with(MANIFEST) {
            files::sync_folder(folder)?;
        }
    }
    Ok(())
}

/// Names of the files that a run has published in a folder, or was about to: those that its manifest
/// and its state tell, records both plain and packed.
fn published(folder: &Path) -> BTreeSet<String> {
    #[derive(Default, Deserialize)]
    struct Files {
        files: BTreeMap<String, IgnoredAny>,
    }
    let manifest = files::read_regular(&folder.join(MANIFEST)).ok();
    let manifest = manifest.and_then(|text| serde_json::from_slice::<Files>(&text).ok());
    let parts = files::read_regular(&folder.join(STATE).join(PARTS)).ok();
    let parts: Option<BTreeMap<String, IgnoredAny>> =
        parts.and_then(|text| serde_json::from_slice(&text).ok());
    let told = manifest.unwrap_or_default().files.into_keys();
    let told = told.chain(parts.unwrap_or_default().into_keys()).filter(|name| is_plain(name));
    let packed = |name: &String| Name::of(name).map(|_| format!("{name}{PACKED}"));
    let told = told.flat_map(|name| packed(&name).into_iter().chain([name]));
    told.chain([MANIFEST, TIMING, LIVE].map(str::to_owned)).collect()
}

/// True for the name of a file in the folder itself.
pub fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let is_one = matches!(parts.next(), Some(Component::Normal(_))) && parts.next().is_none();
    is_one && name != STATE && !name.contains(|one: char| one.is_control() || one == '\\')
}
