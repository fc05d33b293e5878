//! What the fuzzer feeds with bytes, and what must hold for any of them. `fuzz/` drives these
//! functions with a fuzzer, `tests/fuzzed.rs` with the inputs that are kept.

pub mod draws;
pub mod jobs_csv;
pub mod scenario;
pub mod structured;
pub mod swf;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A way to read bytes; it panics where something does not hold.
pub type Target = fn(&[u8]);

/// All of them, by the names that the fuzzer knows them by.
pub const TARGETS: [(&str, Target); 4] = [
    ("scenario", |bytes| scenario::check(bytes, folder())),
    ("scenario_structured", |bytes| structured::check(bytes, folder())),
    ("swf", swf::check),
    ("jobs_csv", jobs_csv::check),
];

/// The small traces and lists that fuzzed scenarios may name.
pub fn folder() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let roots = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        let mut folders = roots.map(|root| root.join("tests/fuzzed/files"));
        folders.find(|folder| folder.is_dir()).expect("it stands beside this file")
    });
    &FOLDER
}
