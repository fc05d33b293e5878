//! The parts of a study that have ended, kept in its folder until the results are there: who starts an
//! interrupted study again gets them from there.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::StudyError;
use super::picture::Drawing;
use super::played::Record;
use super::row::Row;
use records::files;

/// Folder, below that of the results, of the parts of all studies.
pub(super) const PARTS: &str = "parts";

/// Where parts are kept, if anywhere.
#[derive(Debug, Default)]
pub struct Parts {
    /// The folder of this study, and what its results are stamped with: a part of another effort or
    /// version is not taken.
    kept: Option<(PathBuf, String)>,
}

/// Findings of a part.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(super) struct Ended {
    pub rows: Vec<Row>,
    pub pictures: Vec<Drawing>,
    pub played: Vec<Record>,
    /// Samples that it took.
    pub samples: u64,
}

/// A part as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept<T, S> {
    stamp: S,
    ended: T,
}

impl Parts {
    /// Keeps the parts of a study below the folder of its results.
    pub fn of(folder: &Path, study: &str, stamp: &str) -> Parts {
        Parts { kept: Some((folder.join(PARTS).join(study), stamp.to_owned())) }
    }

    /// Takes a part that has ended, or plays it and keeps it. A file that cannot be read or written
    /// only costs the time to play the part again.
    pub(super) fn ended(
        &self,
        (seed, part): (u32, usize),
        play: impl FnOnce() -> Result<Ended, StudyError>,
    ) -> Result<Ended, StudyError> {
        let Some((folder, stamp)) = &self.kept else { return play() };
        let file = folder.join(format!("{part}-{seed}.json"));
        let read = files::read_regular(&file).ok().and_then(|text| String::from_utf8(text).ok());
        if let Some(text) = read {
            // Names in it are borrowed for as long as the program runs, as those of the papers are.
            let text: &'static str = Box::leak(text.into_boxed_str());
            if let Ok(Kept::<Ended, String> { stamp: own, ended }) = serde_json::from_str(text)
                && own == *stamp
            {
                return Ok(ended);
            }
        }
        let ended = play()?;
        let kept = Kept { stamp, ended: &ended };
        if let Ok(text) = serde_json::to_vec(&kept) {
            let _ = fs::create_dir_all(folder);
            let _ = files::written(&file, &text).and_then(|draft| draft.publish());
        }
        Ok(ended)
    }

    /// Removes the parts, now that the results are written.
    pub fn clear(&self) {
        if let Some((folder, _)) = &self.kept {
            let _ = fs::remove_dir_all(folder);
            let _ = folder.parent().map(fs::remove_dir);
        }
    }
}
