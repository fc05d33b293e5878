//! Shares of a study that are run apart, on other machines perhaps, and merged.
//!
//! A share has a folder of its own with the final states of its cells. Merging copies these into the
//! folder of the results; the run that follows finds all of its cells ended. So the results are those
//! of a run in one piece, byte by byte.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::claim::{Claim, FolderError, SHARDS, names_in};
use super::conduct::conduct_some;
use super::control::{Control, Every};
use super::error::RunError;
use super::kept::{NotKept, SavedRun};
use super::session::{Key, Store, key_of};
use super::settings::RunSettings;
use super::sweep::{Share, Sweep};
use super::world::Runnable as _;
use kernel::order::InOrder as _;
use records::files::FileError;
use scenario::plan::Plan;

/// An error that makes shares impossible to merge.
#[derive(Debug, thiserror::Error)]
pub enum NotMerged {
    /// A folder holds no share.
    #[error(transparent)]
    Kept(#[from] NotKept),
    /// A folder is in use.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Two shares have a cell with different results.
    #[error(
        "{}: {cell} has other results here than in the merged ones or a share before it, and both cannot be \
         right",
        folder.display()
    )]
    Differs {
        /// The second folder.
        folder: PathBuf,
        /// The cell.
        cell: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Share {
    /// Name of its folder: `3-of-7`.
    pub fn name(self) -> String {
        format!("{}-of-{}", self.number, self.of)
    }

    /// Its folder below that of the results.
    pub fn folder(self, results: &Path) -> PathBuf {
        results.join(SHARDS).join(self.name())
    }
}

impl FromStr for Share {
    type Err = String;

    /// Reads `3/7`.
    fn from_str(text: &str) -> Result<Share, String> {
        let wrong =
            || format!("`{text}` is no share: give its number and how many there are: `3/7`");
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let read = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
        let share = Share { number: read(number)?, of: read(of)? };
        (1..=share.of).contains(&share.number).then_some(share).ok_or_else(wrong)
    }
}

/// Runs the cells of a share that have not ended, and keeps their final states.
///
/// # Errors
/// See [`RunError`]; what was interrupted goes on when the share is run again.
pub fn run(
    sweep: Sweep<'_>,
    joint: &Plan,
    share: Share,
    settings: &RunSettings<'_>,
) -> Result<(), RunError> {
    let cells = sweep.of_share(share);
    conduct_some(&sweep.within(share), joint, settings, &cells)
}

/// The folders of shares below that of a study's results, by name.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn folders(results: &Path) -> Result<Vec<PathBuf>, FileError> {
    let shards = results.join(SHARDS);
    if !shards.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for name in names_in(&shards)? {
        let path = shards.join(name);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && name.contains("-of-") {
            found.push(path);
        }
    }
    // As people count: 2-of-12 before 10-of-12.
    let number = |path: &PathBuf| {
        let name = path.file_name()?.to_str()?.split_once('-')?;
        name.0.parse::<u64>().ok()
    };
    found.order_by_key(|path| (number(path), path.clone()));
    Ok(found)
}

/// The cells whose final states a folder has; all false without a folder.
///
/// # Errors
/// Fails if its log cannot be read.
pub fn ended(sweep: &Sweep<'_>, joint: &Plan, folder: &Path) -> Result<Vec<bool>, FileError> {
    let all = 0..sweep.cells();
    let Some(ended) = Store::keys_of(folder)? else { return Ok(all.map(|_| false).collect()) };
    let key = |cell: u32| {
        let (plan, replication) = sweep.saved_as(cell).unwrap_or((joint, cell));
        key_of(plan, replication)
    };
    Ok(all.map(|cell| ended.contains(&key(cell))).collect())
}

/// Copies the final states of shares into the folder of the results.
///
/// # Errors
/// See [`NotMerged`]; nothing is copied unless all shares agree.
pub fn merge(
    sweep: &Sweep<'_>,
    claim: &Claim,
    folders: &[PathBuf],
    control: &Control,
) -> Result<(), NotMerged> {
    let ours = Store::open(claim, Every::Never, true, control)?;
    let mut known = ours.digests()?;
    // One by one, as there may be more shares than files that can be open.
    for folder in folders {
        SavedRun::read(folder)?;
        let theirs = Claim::of(folder)?;
        for (key, digest) in Store::open(&theirs, Every::Never, true, control)?.digests()? {
            if *known.get_or_insert_with(key, || digest) != digest {
                return Err(NotMerged::Differs {
                    folder: folder.clone(),
                    cell: name_of(sweep, key),
                });
            }
        }
    }
    for folder in folders {
        let theirs = Claim::of(folder)?;
        ours.take_over(&Store::open(&theirs, Every::Never, true, control)?)?;
    }
    Ok(())
}

/// The cell of a key, in words.
fn name_of(sweep: &Sweep<'_>, key: Key) -> String {
    let is_it = |cell: &u32| {
        let saved = sweep.saved_as(*cell);
        saved.is_some_and(|(plan, number)| key_of(plan, number) == key)
    };
    let cell = (0..sweep.cells()).find(is_it).map(|cell| sweep.at(cell));
    cell.map_or("a cell of another study".to_owned(), |(point, replication)| {
        format!("replication {replication} of point {point}")
    })
}
