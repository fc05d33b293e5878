//! The description of a run from which another process can resume it.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::claim::{Claim, KEPT, MANIFEST, STATE};
use super::control::Every;
use super::session;
use super::sweep::Share;
use records::files::{self, FileError};
use scenario::origin::Origin;
use scenario::plan::Plan;

/// Description of a run that can be resumed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedRun {
    /// The gridpact version that started it.
    pub gridpact: String,
    /// Name of its scenario.
    pub name: String,
    /// Digest of its plan.
    pub scenario_digest: String,
    /// The seed.
    pub seed: u64,
    /// Interval between checkpoints.
    pub every: Every,
    /// The sources it was read from.
    pub origin: Origin,
    /// Relative path from the results to the scenario's folder, to find a project that was moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub way: Option<String>,
    /// The origin of the finished run in this folder, while it is being extended.
    pub before: Option<Origin>,
    /// The comparison, if the run is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// The part of a sweep, if the run is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Part>,
}

/// A part of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// All of it.
    Whole,
    /// One of its shares.
    Share(Share),
}

/// A comparison, as it was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The runs by name, the base first, with the sources each was read from.
    pub runs: Vec<(String, Origin)>,
    /// Number of replications asked for.
    pub replications: Option<u32>,
    /// Target precision of the differences, such as `relative=0.02`.
    pub until: Option<String>,
    /// Names of the measures that are judged.
    pub measures: Vec<String>,
}

/// A run with its checksum.
#[derive(Debug, Serialize, Deserialize)]
struct Sealed<T> {
    checksum: String,
    run: T,
}

/// The fields common to all versions.
#[derive(Debug, Deserialize)]
struct Version {
    gridpact: String,
}

/// An error that leaves nothing to resume.
#[derive(Debug, thiserror::Error)]
pub enum NotKept {
    /// There is no run, or it was stopped too early to be known.
    #[error("{0}: no run that could go on is here")]
    Nothing(String),
    /// The file is unreadable or damaged.
    #[error("{file}: this does not say what ran: {wrong}")]
    Damaged {
        /// The file.
        file: String,
        /// The reason.
        wrong: String,
    },
    /// The run was started by another version.
    #[error("version {found} began this run, and this is version {ours}")]
    Version {
        /// The version that started it.
        found: String,
        /// The running version.
        ours: &'static str,
    },
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

impl SavedRun {
    /// Describes a run of a plan read from `origin`, with its results in `folder`.
    pub fn new(plan: &Plan, origin: Origin, every: Every, folder: &Path) -> SavedRun {
        SavedRun {
            gridpact: env!("CARGO_PKG_VERSION").to_owned(),
            name: plan.name.clone(),
            scenario_digest: plan.digest.clone(),
            seed: plan.seed,
            every,
            way: origin.seen_from(folder),
            origin,
            before: None,
            comparison: None,
            sweep: None,
        }
    }

    /// Writes the description, replacing an earlier one.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn write(&self, claim: &Claim) -> Result<(), FileError> {
        let sealed = Sealed { checksum: self.checksum(), run: self };
        files::written(&claim.state().join(KEPT), &scenario::json::pretty(&sealed))?.publish()?;
        files::sync_folder(claim.state())
    }

    fn checksum(&self) -> String {
        blake3::hash(&scenario::json::pretty(self)).to_hex().to_string()
    }

    /// Reads the description from a results folder.
    ///
    /// # Errors
    /// See [`NotKept`].
    pub fn read(folder: &Path) -> Result<SavedRun, NotKept> {
        let file = folder.join(STATE).join(KEPT);
        let text = match files::read_regular(&file) {
            Err(wrong) if is_missing(&wrong.error) => {
                return Err(NotKept::Nothing(folder.display().to_string()));
            }
            text => text?,
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
        let Sealed { checksum, run }: Sealed<SavedRun> =
            serde_json::from_slice(&text).map_err(damaged)?;
        if run.checksum() != checksum {
            let wrong = "the checksum does not match".to_owned();
            return Err(NotKept::Damaged { file: file.display().to_string(), wrong });
        }
        Ok(run)
    }

    /// The same run, if the scenario's folder was moved together with the results.
    pub fn moved(&self, folder: &Path) -> Option<SavedRun> {
        let way = self.way.as_deref()?;
        let origin = self.origin.moved(way, folder)?;
        let before = self.before.as_ref().and_then(|before| before.moved(way, folder));
        (origin != self.origin).then(|| SavedRun { origin, before, ..self.clone() })
    }

    /// True if the results of this run are complete in the folder.
    pub fn is_finished(&self, folder: &Path) -> bool {
        #[derive(Deserialize)]
        struct Manifest {
            scenario_digest: String,
            seed: u64,
        }
        let text = files::read_regular(&folder.join(MANIFEST)).ok();
        let manifest = text.and_then(|text| serde_json::from_slice::<Manifest>(&text).ok());
        manifest.is_some_and(|manifest| {
            manifest.scenario_digest == self.scenario_digest && manifest.seed == self.seed
        })
    }
}

/// True if the file does not exist, or its parent is not a folder.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Describes the unfinished run in a folder, if there is one.
pub(super) fn unfinished(claim: &Claim) -> Option<String> {
    let kept = SavedRun::read(claim.folder()).ok()?;
    let has_state = session::has_state(claim);
    (has_state && !kept.is_finished(claim.folder()))
        .then(|| format!("a run of `{}` (seed {})", kept.name, kept.seed))
}
