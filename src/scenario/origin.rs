//! The texts a scenario was read from, kept so that it can be read again: later, from elsewhere,
//! and whatever has become of its files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::diagnostics::Diagnostic;
use super::files::Files;
use super::plan::Plan;
use super::sweep::Design;
use super::{Input, Overrides};

/// The texts of a scenario and its command-line changes. Traces and job lists are not included: the
/// digest of the plan tells whether they have changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Path of the scenario; if it was not a file, the path it would have had.
    #[serde(serialize_with = "write_path", deserialize_with = "read_path")]
    scenario: PathBuf,
    set: Vec<String>,
    seed: Option<u64>,
    #[serde(serialize_with = "write_texts", deserialize_with = "read_texts")]
    texts: BTreeMap<PathBuf, String>,
}

/// Marks a path that is not UTF-8: each of its bytes follows as the character with that number. No
/// operating system allows this character in a path.
const BYTES: char = '\0';

fn text_of(path: &Path) -> String {
    let byte = |&byte: &u8| char::from(byte);
    path.to_str().map_or_else(
        || {
            std::iter::once(BYTES)
                .chain(path.as_os_str().as_encoded_bytes().iter().map(byte))
                .collect()
        },
        str::to_owned,
    )
}

fn path_of(text: String) -> PathBuf {
    #[cfg(unix)]
    if let Some(bytes) = text.strip_prefix(BYTES) {
        use std::os::unix::ffi::OsStringExt as _;
        let bytes = bytes.chars().map(|byte| byte as u8).collect();
        return std::ffi::OsString::from_vec(bytes).into();
    }
    text.into()
}

fn write_path<S: Serializer>(path: &Path, out: S) -> Result<S::Ok, S::Error> {
    text_of(path).serialize(out)
}

fn read_path<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    String::deserialize(from).map(path_of)
}

fn write_texts<S: Serializer>(
    texts: &BTreeMap<PathBuf, String>,
    out: S,
) -> Result<S::Ok, S::Error> {
    out.collect_map(texts.iter().map(|(path, text)| (text_of(path), text)))
}

fn read_texts<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<PathBuf, String>, D::Error> {
    let texts: BTreeMap<String, String> = BTreeMap::deserialize(from)?;
    Ok(texts.into_iter().map(|(path, text)| (path_of(path), text)).collect())
}

impl Origin {
    /// Records a scenario read into `files` by a program whose working directory is `here`.
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

    /// Adds settings, which override the earlier ones.
    #[must_use]
    pub fn with(mut self, set: impl IntoIterator<Item = String>) -> Origin {
        for setting in set {
            let key = setting.split('=').next().unwrap_or_default().to_owned();
            self.set.retain(|old| old.split('=').next() != Some(&key));
            self.set.push(setting);
        }
        self
    }

    /// Returns the scenario's path.
    pub fn scenario(&self) -> &Path {
        &self.scenario
    }

    /// Returns the relative path from `folder` to the scenario's folder. It is `None` unless both
    /// are within a folder that could move as a whole.
    pub fn seen_from(&self, folder: &Path) -> Option<String> {
        let here = self.scenario.parent()?.canonicalize().ok()?;
        let folder = folder.canonicalize().ok()?;
        let common = here.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
        // The file system's root does not move.
        if common < 2 {
            return None;
        }
        let up = folder.components().skip(common).map(|_| Path::new(".."));
        let down = here.components().skip(common);
        let way: PathBuf = up.chain(down.map(|part| Path::new(part.as_os_str()))).collect();
        Some(text_of(&way))
    }

    /// Relocates the scenario to a folder that has moved. `way` is its path relative to `folder`,
    /// as returned by [`Origin::seen_from`].
    #[must_use]
    pub fn moved(&self, way: &str, folder: &Path) -> Option<Origin> {
        let to = folder.canonicalize().ok()?.join(path_of(way.to_owned())).canonicalize().ok()?;
        let from = self.scenario.parent()?;
        let place = |path: &Path| match path.strip_prefix(from) {
            Ok(rest) => to.join(rest),
            Err(_) => path.to_owned(),
        };
        let texts = self.texts.iter().map(|(path, text)| (place(path), text.clone())).collect();
        Some(Origin { scenario: place(&self.scenario), texts, ..self.clone() })
    }

    /// Reads the points of a sweep again, like [`super::load_sweep`].
    ///
    /// # Errors
    /// All mistakes in them.
    pub fn sweep(&self, files: &mut Files) -> Result<Option<Design>, Vec<Diagnostic>> {
        *files = Files::keeping(self.texts.clone());
        let overrides = Overrides { seed: self.seed, set: self.set.clone() };
        super::load_sweep(Input::File(&self.scenario), &overrides, files)
    }

    /// Reads a point of a sweep with its settings.
    ///
    /// # Errors
    /// All mistakes in it.
    pub fn point(
        &self,
        settings: Vec<String>,
        files: &mut Files,
    ) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
        *files = Files::keeping(self.texts.clone());
        let set = self.set.iter().cloned().chain(settings).collect();
        let overrides = Overrides { seed: self.seed, set };
        super::load_point(Input::File(&self.scenario), &overrides, files)
    }

    /// Reads the scenario again. `files` receives the texts that diagnostics refer to.
    ///
    /// # Errors
    /// All mistakes in it.
    pub fn load(&self, files: &mut Files) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
        *files = Files::keeping(self.texts.clone());
        let overrides = Overrides { seed: self.seed, set: self.set.clone() };
        super::load_any(Input::File(&self.scenario), &overrides, files)
    }
}
