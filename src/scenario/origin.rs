//! What a scenario was read from, kept so that it can be read again: later, from elsewhere, and
//! whatever became of its files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::diagnostics::Diagnostic;
use super::files::Files;
use super::plan::Plan;
use super::{Input, Overrides};

/// The texts of a scenario and what the command line said beside them. Traces and lists of jobs
/// are not in it: the digest of the plan tells whether they are still the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The scenario; of one that was no file, where it would have stood.
    scenario: PathBuf,
    set: Vec<String>,
    seed: Option<u64>,
    texts: BTreeMap<PathBuf, String>,
}

impl Origin {
    /// Of a scenario that was read into `files` by a program that runs `here`.
    pub fn new(input: &Input<'_>, overrides: &Overrides, files: &Files, here: &Path) -> Origin {
        let read = files.read_from();
        let mut texts: BTreeMap<PathBuf, String> =
            read.map(|(path, text)| (here.join(path), text.to_owned())).collect();
        let scenario = match input {
            Input::File(path) => here.join(path),
            Input::Bytes { name, bytes } => {
                let path = here.join(name);
                texts.insert(path.clone(), String::from_utf8_lossy(bytes).into_owned());
                path
            }
        };
        Origin { scenario, set: overrides.set.clone(), seed: overrides.seed, texts }
    }

    /// The same with more settings, which are above those before.
    #[must_use]
    pub fn with(mut self, set: impl IntoIterator<Item = String>) -> Origin {
        for setting in set {
            let key = setting.split('=').next().unwrap_or_default().to_owned();
            self.set.retain(|old| old.split('=').next() != Some(&key));
            self.set.push(setting);
        }
        self
    }

    /// The scenario's path.
    pub fn scenario(&self) -> &Path {
        &self.scenario
    }

    /// Reads it again. `files` gives the texts that diagnostics point into.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn load(&self, files: &mut Files) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
        *files = Files::keeping(self.texts.clone());
        let overrides = Overrides { seed: self.seed, set: self.set.clone() };
        super::load(Input::File(&self.scenario), &overrides, files)
    }
}
