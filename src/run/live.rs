//! `live.json`: the status of a run, written to its folder every second while it runs.
//!
//! It is meant for onlookers; like `timing.json` it contains wall-clock times and is no result. It
//! is replaced atomically (written under a fixed temporary name and renamed), but not synced to
//! disk.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::claim::Identity;
use super::glance::Glance;
use super::progress::Progress;
use super::usage::rounded;
use records::files::FileError;
use scenario::json::pretty;

pub use super::claim::LIVE;

/// Temporary name while the file is written.
const DRAFT: &str = ".gridpact-live.json.tmp";
/// Interval between two updates.
pub const EVERY: Duration = Duration::from_secs(1);

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Running, as long as its process lives.
    Running,
    /// Interrupted; it can be resumed.
    Stopped,
    /// Ended by an error.
    Failed,
    /// Finished; its results are complete.
    Done,
}

impl State {
    /// Its word in the file.
    pub fn word(self) -> &'static str {
        match self {
            State::Running => "running",
            State::Stopped => "stopped",
            State::Failed => "failed",
            State::Done => "done",
        }
    }
}

/// Content of the file.
#[derive(Debug, Serialize, Deserialize)]
pub struct Status<'a> {
    /// Version of the program.
    pub gridpact: Cow<'a, str>,
    /// Name of the scenario.
    pub name: Cow<'a, str>,
    /// Digest of the scenario.
    pub scenario_digest: Cow<'a, str>,
    /// Master seed.
    pub seed: u64,
    /// Number of the process.
    pub pid: u32,
    /// State of the run.
    pub state: State,
    /// Start time of the process.
    pub started: String,
    /// Time of this update.
    pub written: String,
    /// Seconds since the start.
    pub seconds: f64,
    /// Progress, speed and results so far.
    #[serde(flatten)]
    pub glance: Cow<'a, Glance>,
    /// Time of the last checkpoint, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_checkpoint: Option<String>,
    /// Number of checkpoints so far.
    pub checkpoints: u64,
}

/// Writes the file of one run.
#[derive(Debug)]
pub struct Live<'a> {
    path: PathBuf,
    draft: PathBuf,
    identity: Identity<'a>,
    started: SystemTime,
    begun: Instant,
}

impl<'a> Live<'a> {
    /// For a run that starts now.
    pub fn new(folder: &Path, identity: impl Into<Identity<'a>>) -> Live<'a> {
        Live {
            path: folder.join(LIVE),
            draft: folder.join(DRAFT),
            identity: identity.into(),
            started: SystemTime::now(),
            begun: Instant::now(),
        }
    }

    /// Writes the current status.
    ///
    /// # Errors
    /// Fails if the file cannot be written; the previous one then remains.
    pub fn write(
        &self,
        state: State,
        glance: &Glance,
        progress: &Progress,
    ) -> Result<(), FileError> {
        let checkpoint = progress.board().read().checkpoint;
        let content = pretty(&Status {
            gridpact: env!("CARGO_PKG_VERSION").into(),
            name: self.identity.name.into(),
            scenario_digest: self.identity.digest.into(),
            seed: self.identity.seed,
            pid: std::process::id(),
            state,
            started: utc(self.started),
            written: utc(SystemTime::now()),
            seconds: rounded(self.begun.elapsed().as_secs_f64()),
            glance: Cow::Borrowed(glance),
            last_checkpoint: checkpoint.map(|checkpoint| utc(checkpoint.at)),
            checkpoints: checkpoint.map_or(0, |checkpoint| checkpoint.number),
        });
        fs::write(&self.draft, content)
            .and_then(|()| fs::rename(&self.draft, &self.path))
            .map_err(FileError::of(&self.path))
    }
}

/// Formats a time as ISO 8601 in UTC, to the second.
fn utc(at: SystemTime) -> String {
    let seconds = at.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (mut days, second) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values from `date -u -d @SECONDS`.
    #[test]
    fn moments_are_those_of_the_calendar() {
        let told = [0, 951_782_399, 951_782_400, 951_868_800, 1_735_689_599, 1_763_790_000];
        let told = told.map(|seconds| utc(UNIX_EPOCH + Duration::from_secs(seconds)));
        assert_eq!(
            told,
            [
                "1970-01-01T00:00:00Z",
                "2000-02-28T23:59:59Z",
                "2000-02-29T00:00:00Z",
                "2000-03-01T00:00:00Z",
                "2024-12-31T23:59:59Z",
                "2025-11-22T05:40:00Z",
            ]
        );
    }
}
