//! `--format`, for every table that the program prints.

use std::io::{stderr, stdout};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use report::table::Format;
use terminal_size::terminal_size_of;

/// The format that a command was asked for.
#[derive(Debug, Args)]
pub struct Choice {
    /// Output format of the table; json and csv print every digit and nothing but the table.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = parser())]
    pub format: Format,
}

fn parser() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(|(name, _)| name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}

/// Maximum width of a table: that of the terminal, or `COLUMNS` if output is not a terminal.
pub fn width() -> Option<usize> {
    let terminal = terminal_size_of(stdout()).map(|(width, _)| width.0.into());
    terminal.or_else(columns)
}

/// Maximum width of lines on standard error.
pub(super) fn width_of_errors() -> Option<usize> {
    let terminal = terminal_size_of(stderr()).map(|(width, _)| width.0.into());
    terminal.or_else(columns)
}

fn columns() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.parse().ok()
}
