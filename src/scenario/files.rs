//! Source texts of a scenario, and places in them.
//!
//! A scenario may be assembled from several files and command-line arguments. Each text gets a
//! [`FileId`] in one [`Files`], so a [`Place`] identifies the origin of a value for as long as the
//! texts are kept. Texts are bounded by [`MAX_BYTES`].

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::diagnostics::{Diagnostic, nearest, show};
use workload::{opened, packing};

/// Longest text read, in bytes: three times a scenario of 1e5 organizations.
pub const MAX_BYTES: usize = 64 << 20;

/// Maximum number of files of a folder searched for the one that was meant.
const MOST_LOOKED_AT: usize = 10_000;

/// Names of standard input in the file system, from which a scenario may also be read.
const STDIN: [&str; 3] = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

fn open(path: &Path) -> io::Result<fs::File> {
    if STDIN.iter().any(|stdin| path == Path::new(stdin)) {
        return fs::File::open(path);
    }
    opened::open(path)
}

/// Bytes after the first invalid one that are kept of a non-text file, to show the spot.
const SHOWN_OF_GARBAGE: usize = 64;

/// The number of a text within its [`Files`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(
    /// The index, in order of addition.
    pub u32,
);

/// Suggests a file in the same folder, for a path to a file that does not exist.
pub fn similar(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent()?;
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // The path exists, if only as a dangling link.
    if path.symlink_metadata().is_ok() {
        return None;
    }
    let names = fs::read_dir(here).ok()?.take(MOST_LOOKED_AT);
    let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    // A shared extension does not make two names alike.
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let alike = |name: &String| !nearest(&stem(wanted), [&*stem(name)]).is_empty();
    let mut names: Vec<String> = names.filter(alike).collect();
    names.sort_unstable();
    let near = nearest(wanted, names.iter().map(String::as_str));
    near.first().map(|name| format!("did you mean `{}`, in the same folder?", show(name)))
}

/// A range of bytes in one of the texts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The text.
    pub file: FileId,
    /// Bytes from the start of the text; may be empty (a point).
    pub span: Range<usize>,
}

impl Place {
    /// Returns the place of these bytes in this text.
    pub fn new(file: FileId, span: Range<usize>) -> Self {
        Self { file, span }
    }
}

/// A named text.
#[derive(Clone, Debug)]
struct File {
    name: String,
    text: String,
    /// `None` for a text that is not from a file.
    folder: Option<PathBuf>,
    /// The file that it was read from.
    path: Option<PathBuf>,
}

/// All texts that a scenario was read from.
#[derive(Clone, Debug, Default)]
pub struct Files {
    files: Vec<File>,
    /// Stored texts read in place of files, whatever those contain by now.
    kept: BTreeMap<PathBuf, String>,
}

impl Files {
    /// Creates an empty set of texts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty set of texts that reads stored copies in place of the files in `kept`.
    pub fn keeping(kept: BTreeMap<PathBuf, String>) -> Self {
        Files { files: Vec::new(), kept }
    }

    /// Adds a text under a name for messages: a path, `<stdin>`, `--set`.
    ///
    /// # Panics
    /// If there are more than 2^32 texts.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.push(name.into(), text.into(), None)
    }

    /// Adds a text as if it were a file in this folder, to which its paths are relative.
    ///
    /// # Panics
    /// Same as [`Files::add`].
    pub fn add_in(
        &mut self,
        folder: impl Into<PathBuf>,
        name: impl Into<String>,
        text: impl Into<String>,
    ) -> FileId {
        self.push(name.into(), text.into(), Some(folder.into()))
    }

    fn push(&mut self, name: String, text: String, folder: Option<PathBuf>) -> FileId {
        let id = u32::try_from(self.files.len()).expect("a scenario has fewer than 2^32 texts");
        self.files.push(File { name, text, folder, path: None });
        FileId(id)
    }

    /// Reads a file and adds it under its path.
    ///
    /// # Errors
    /// A diagnostic if the system cannot read the file ([`Blame::System`]), or if it is too long or
    /// not UTF-8 ([`Blame::Input`]). In the last case the text up to the first invalid byte is
    /// kept, so that the diagnostic can show it.
    ///
    /// [`Blame::System`]: super::diagnostics::Blame::System
    /// [`Blame::Input`]: super::diagnostics::Blame::Input
    pub fn read(&mut self, path: &Path) -> Result<FileId, Box<Diagnostic>> {
        let name = path.display().to_string();
        let mut bytes = Vec::new();
        let read = match self.kept.get(path) {
            Some(text) => {
                bytes.extend_from_slice(text.as_bytes());
                Ok(bytes.len())
            }
            None => {
                open(path).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
            }
        };
        read.map_err(|error| {
            let message = format!("cannot read `{}`: {error}", show(&name));
            let wrong = Diagnostic::error(message).by_system();
            similar(path).into_iter().fold(wrong, Diagnostic::help)
        })?;
        let id = self.add_bytes(name, bytes)?;
        let file = &mut self.files[id.0 as usize];
        file.folder = Some(path.parent().map(Path::to_owned).unwrap_or_default());
        file.path = Some(path.to_owned());
        Ok(id)
    }

    /// Adds bytes read from elsewhere, such as standard input, under a name.
    ///
    /// # Errors
    /// Same as [`Files::read`], except that nothing is read from the file system.
    pub fn add_bytes(
        &mut self,
        name: impl Into<String>,
        bytes: Vec<u8>,
    ) -> Result<FileId, Box<Diagnostic>> {
        let name = name.into();
        if bytes.len() > MAX_BYTES {
            let message = format!("`{}` is longer than {} MB", show(&name), MAX_BYTES / (1 << 20));
            let help = "a scenario is a TOML text; a trace is named in it by `workload.swf`";
            return Err(Diagnostic::error(message).help(help).into());
        }
        let error = match String::from_utf8(bytes) {
            Ok(text) => return Ok(self.add(name, text)),
            Err(error) => error,
        };
        let from = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let packed = packing::foreign(bytes, Path::new(&name));
        let message = format!("`{}` is not a text in UTF-8", show(&name));
        let label = format!("the byte 0x{:02x} does not belong here", bytes[from]);
        let shown = &bytes[..bytes.len().min(from + SHOWN_OF_GARBAGE)];
        let text = String::from_utf8_lossy(shown).into_owned();
        let end = from + text[from..].chars().next().map_or(0, char::len_utf8);
        let is_gzip = packing::is_gzip(bytes);
        let file = self.add(name, text);
        let plain =
            "a scenario is a plain TOML text; for a trace, `gridpact new trace FILE` writes one";
        let help = match packed {
            Some((packing, command)) => {
                format!("the file is compressed by {packing}: unpack it, `{command}`; {plain}")
            }
            None if is_gzip => format!("the file is compressed: {plain}"),
            None => "a scenario is a TOML text: save the file as UTF-8".to_owned(),
        };
        Err(Diagnostic::error(message).at(Place::new(file, from..end), label).help(help).into())
    }

    /// Returns the name of a text, or `None` for an unknown id.
    pub fn name(&self, file: FileId) -> Option<&str> {
        self.files.get(file.0 as usize).map(|file| file.name.as_str())
    }

    /// Returns the texts that were read from files, each with its path.
    pub fn read_from(&self) -> impl Iterator<Item = (&Path, &str)> {
        self.files.iter().filter_map(|file| Some((file.path.as_deref()?, file.text.as_str())))
    }

    /// Returns the folder that paths in a text are relative to: the folder of its file. A text that
    /// is not from a file gets the empty path, which is where the program runs.
    pub fn folder(&self, file: FileId) -> &Path {
        let file = self.files.get(file.0 as usize);
        file.and_then(|file| file.folder.as_deref()).unwrap_or(Path::new(""))
    }

    /// Returns the default remedy for a path in a text to a file that does not exist.
    pub fn relative(&self, file: FileId) -> &'static str {
        match self.files.get(file.0 as usize) {
            Some(File { folder: None, .. }) => "paths are relative to where the program runs",
            _ => "paths are relative to the scenario file",
        }
    }

    /// Returns a text, or `None` for an unknown id.
    pub fn text(&self, file: FileId) -> Option<&str> {
        self.files.get(file.0 as usize).map(|file| file.text.as_str())
    }
}
