//! The program as its users meet it: command line, book, crashes; and the rules of the house.

mod book;
mod cli;
mod planted;
mod shapes;
mod survival;
mod tidy;

/// The program that these tests run.
fn tested() -> std::path::PathBuf {
    assert_cmd::cargo::cargo_bin!("gridpact").to_owned()
}
