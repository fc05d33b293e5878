//! `--format`, for every table that the program prints.

use std::io::{stderr, stdout};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use report::table::{self, Format, Table};
use terminal_size::terminal_size_of;

use super::{Failure, print};

/// The format that a command was asked for.
#[derive(Clone, Debug, Args)]
pub struct Choice {
    /// Output format of the table; json and csv print every digit and nothing but the table.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = parser())]
    pub format: Format,
}

impl Choice {
    /// Prints a table.
    pub(super) fn print(&self, table: &Table) -> Result<(), Failure> {
        print(&table.render(self.format, width()))
    }

    /// Prints one of several tables, or all of them in a format that can hold several. CSV holds the
    /// `usual` one unless another is wanted; `text` prints the words for people.
    pub(super) fn print_tables(
        &self,
        wanted: Option<&str>,
        usual: &str,
        tables: impl FnOnce() -> Vec<Table>,
        text: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match (wanted.or((self.format == Format::Csv).then_some(usual)), self.format) {
            (Some(name), _) => {
                let tables = tables();
                if let Some(table) = tables.iter().find(|table| table.name() == name) {
                    return self.print(table);
                }
                let names = tables.iter().map(|table| format!("`{}`", table.name()));
                let names = names.collect::<Vec<_>>().join(", ");
                let what = format!("this has no table `{name}`\nhelp: there are {names}");
                Err(Failure::Input(what))
            }
            (None, Format::Json) => print(&table::json(&tables())),
            (None, format @ (Format::Markdown | Format::Latex)) => {
                print(&table::several(&tables(), format))
            }
            (None, Format::Text | Format::Csv) => text(),
        }
    }
}

/// A word of an option, its help and its value.
pub(super) type Word<T> = (&'static str, Option<&'static str>, T);

/// A parser of words.
pub(super) fn words<T: Copy + Send + Sync + 'static, const N: usize>(
    words: [Word<T>; N],
) -> impl TypedValueParser<Value = T> {
    let known = words.map(|(name, help, _)| match help {
        Some(help) => PossibleValue::new(name).help(help),
        None => PossibleValue::new(name),
    });
    PossibleValuesParser::new(known).map(move |word| {
        let found = words.iter().find(|(name, ..)| *name == word);
        found.expect("the parser knows these words").2
    })
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
