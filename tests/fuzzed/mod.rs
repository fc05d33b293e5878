//! Targets of the fuzzer, and what must hold for any bytes. `fuzz/` drives these
//! functions with a fuzzer, `tests/fuzzed.rs` with the inputs that are kept.

pub mod draws;
pub mod jobs_csv;
pub mod scenario;
pub mod structured;
pub mod swf;

use std::path::Path;
use std::sync::Once;

/// A way to read bytes; it panics where something does not hold.
pub type Target = fn(&[u8]);

/// All of them, by the names that the fuzzer knows them by.
pub const TARGETS: [(&str, Target); 4] = [
    ("scenario", |bytes| _ = scenario::read(bytes)),
    ("scenario_structured", |bytes| _ = structured::read(bytes)),
    ("swf", swf::check),
    ("jobs_csv", jobs_csv::check),
];

/// Goes to the folder of the small traces, lists and scenarios that fuzzed scenarios may name.
pub fn go_there() {
    static GONE: Once = Once::new();
    GONE.call_once(|| {
        let roots = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        let mut folders = roots.map(|root| root.join("tests/fuzzed/files"));
        let folder = folders.find(|folder| folder.is_dir()).expect("it stands beside this file");
        std::env::set_current_dir(folder).expect("one can go there");
    });
}
