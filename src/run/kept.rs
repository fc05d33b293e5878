//! What a run keeps of itself so that another process can go on with it.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::control::Every;
use super::folder::{Claim, MANIFEST, STATE};
use crate::report::files::{self, FileError};
use crate::report::json;
use crate::scenario::origin::Origin;
use crate::scenario::plan::Plan;

/// The file.
pub(super) const KEPT: &str = "run.json";

/// A run, as another process finds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// The version that began it.
    pub gridpact: String,
    /// What its scenario is called.
    pub name: String,
    /// The digest of its plan.
    pub scenario_digest: String,
    /// The seed.
    pub seed: u64,
    /// How often it is saved.
    pub every: Every,
    /// What it was read from.
    pub origin: Origin,
    /// What the run that is finished here was read from, while it is being extended.
    pub before: Option<Origin>,
}

/// The same with a checksum over it.
#[derive(Debug, Serialize, Deserialize)]
struct Sealed<T> {
    checksum: String,
    run: T,
}

/// As much as every version says.
#[derive(Debug, Deserialize)]
struct Version {
    gridpact: String,
}

/// Why there is nothing to go on with.
#[derive(Debug, thiserror::Error)]
pub enum NotKept {
    /// There is no run here, or it did not get far enough to be known.
    #[error("{0}: no run that could go on is here")]
    Nothing(String),
    /// It is not readable as one.
    #[error("{file}: this does not say what ran: {wrong}")]
    Damaged {
        /// The file.
        file: String,
        /// Why.
        wrong: String,
    },
    /// Another version began it.
    #[error("version {found} began this run, and this is version {ours}")]
    Version {
        /// The version that began it.
        found: String,
        /// This one.
        ours: &'static str,
    },
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Kept {
    /// Of a run of a plan that was read from `origin`.
    pub fn new(plan: &Plan, origin: Origin, every: Every) -> Kept {
        Kept {
            gridpact: env!("CARGO_PKG_VERSION").to_owned(),
            name: plan.name.clone(),
            scenario_digest: plan.digest.clone(),
            seed: plan.seed,
            every,
            origin,
            before: None,
        }
    }

    /// Writes it down, instead of what was kept before.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn write(&self, claim: &Claim) -> Result<(), FileError> {
        let sealed = Sealed { checksum: self.checksum(), run: self };
        files::written(&claim.state().join(KEPT), &json::pretty(&sealed))?.publish()?;
        files::sync_folder(claim.state())
    }

    fn checksum(&self) -> String {
        blake3::hash(&json::pretty(self)).to_hex().to_string()
    }

    /// What is kept in a results folder.
    ///
    /// # Errors
    /// See [`NotKept`].
    pub fn read(folder: &Path) -> Result<Kept, NotKept> {
        let file = folder.join(STATE).join(KEPT);
        let text = match fs::read(&file) {
            Err(error) if is_missing(&error) => {
                return Err(NotKept::Nothing(folder.display().to_string()));
            }
            text => text.map_err(FileError::of(&file))?,
        };
        let damaged = |wrong: serde_json::Error| NotKept::Damaged {
            file: file.display().to_string(),
            wrong: wrong.to_string(),
        };
        let Sealed { run, .. }: Sealed<Version> = serde_json::from_slice(&text).map_err(damaged)?;
        let ours = env!("CARGO_PKG_VERSION");
        if run.gridpact != ours {
            return Err(NotKept::Version { found: run.gridpact, ours });
        }
        let Sealed { checksum, run }: Sealed<Kept> =
            serde_json::from_slice(&text).map_err(damaged)?;
        if run.checksum() != checksum {
            let wrong = "the checksum does not match".to_owned();
            return Err(NotKept::Damaged { file: file.display().to_string(), wrong });
        }
        Ok(run)
    }

    /// True where the results of this run are complete in the folder.
    pub fn is_finished(&self, folder: &Path) -> bool {
        #[derive(Deserialize)]
        struct Manifest {
            scenario_digest: String,
            seed: u64,
        }
        let text = fs::read(folder.join(MANIFEST)).ok();
        let manifest = text.and_then(|text| serde_json::from_slice::<Manifest>(&text).ok());
        manifest.is_some_and(|manifest| {
            manifest.scenario_digest == self.scenario_digest && manifest.seed == self.seed
        })
    }
}

/// True where there is no such file, or what should hold it is no folder.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The run that is in a folder and has come some way but not to its end, in words.
pub(super) fn unfinished(claim: &Claim) -> Option<String> {
    let kept = Kept::read(claim.folder()).ok()?;
    let has_state = super::session::has_state(claim);
    (has_state && !kept.is_finished(claim.folder()))
        .then(|| format!("a run of `{}` (seed {})", kept.name, kept.seed))
}
