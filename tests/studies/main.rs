//! The studies, the search for bad cases, and the program that plays them.

mod adversary;
mod program;
mod reproduce;
mod toy_paper;
mod unison;
mod worst_cases;

/// The program that these tests run.
fn tested() -> std::path::PathBuf {
    assert_cmd::cargo::cargo_bin!("gridpact-studies").to_owned()
}
