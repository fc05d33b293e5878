//! The functions that the fuzzer calls; the ordinary test suite replays kept inputs with them.

#[path = "../../tests/fuzzed/mod.rs"]
mod fuzzed;

pub use fuzzed::TARGETS;

/// Calls the target of this name.
///
/// # Panics
/// When there is none, or when the target finds that something does not hold.
pub fn check(name: &str, bytes: &[u8]) {
    fuzzed::go_there();
    let found = TARGETS.iter().find(|target| target.0 == name);
    found.expect("fuzz_targets and TARGETS have the same names").1(bytes);
}
