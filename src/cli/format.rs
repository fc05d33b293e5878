//! `--format`, for every table that the program prints.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use gridpact::report::table::Format;

#[derive(Debug, Args)]
pub(super) struct Choice {
    /// How the table is printed; json and csv hold every digit, and nothing else is printed.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = parser())]
    pub(super) format: Format,
}

fn parser() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(|(name, _)| name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}

/// How wide a table may be: as the terminal; where standard output is none, as `COLUMNS` says.
pub(super) fn width() -> Option<usize> {
    let terminal = comfy_table::Table::new().width().map(usize::from);
    terminal.or_else(|| std::env::var("COLUMNS").ok()?.parse().ok())
}
