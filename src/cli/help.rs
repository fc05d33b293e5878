//! Text of `--help` below the options: examples, exit codes, environment.
//!
//! The texts are in `help/`. Their examples are shell commands, and a test runs them.

/// Appends the common end of every help page to a file's text.
#[macro_export]
macro_rules! page {
    ($file:literal) => {
        concat!(
            include_str!($file),
            "
Exit codes:
  0   done
  1   an audit found a violation
  2   the input is invalid; a message says where, why and how to fix it
  3   a bug of gridpact
  4   a file could not be read or written
  75  stopped early by a signal or `--wall-clock`; `gridpact resume` continues

Environment:
  GRIDPACT_LOG   log filter for standard error, such as gridpact=debug; takes precedence over -v
  COLUMNS        width of the output in characters, if it is not a terminal
  NO_COLOR       no colors, if it is set
  CLICOLOR_FORCE colors even if the output is not a terminal"
        )
    };
}

pub use page;

/// The last line of a short help page.
pub const SHORT: &str = "`--help` shows examples, exit codes and environment.";

/// The line that installs what the program does not have.
pub(super) const INSTALL_STUDIES: &str =
    "in gridpact's folder, `cargo install --path src/studies --locked` builds and installs it";

pub(super) const ELSEWHERE: &str = "\
A command of the program gridpact-studies. In gridpact's folder, this builds and installs it:
  cargo install --path src/studies --locked";
