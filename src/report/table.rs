//! Tables for people and for other programs.
//!
//! A [`Table`] holds typed cells under named columns, and each [`Format`] writes them in its own
//! way: text and Markdown round the figures and carry notes; JSON and CSV give every digit, stable
//! column names, and nothing but the table.

mod machine;
mod person;

use std::borrow::Cow;
use std::str::FromStr;

use kernel::time::{Span, Time};

pub use machine::json;
pub use person::markdown;

/// Output format of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For a terminal: figures are rounded, and columns are dropped if it is too narrow.
    #[default]
    Text,
    /// JSON array with an object for each row.
    Json,
    /// Comma-separated values under a header line (RFC 4180).
    Csv,
    /// GitHub-flavoured Markdown table, with rounded figures.
    Markdown,
}

impl Format {
    /// Every format with its name.
    pub const ALL: [(&str, Format); 4] = [
        ("text", Format::Text),
        ("json", Format::Json),
        ("csv", Format::Csv),
        ("markdown", Format::Markdown),
    ];

    /// True for formats that people read.
    pub fn is_for_people(self) -> bool {
        matches!(self, Format::Text | Format::Markdown)
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Format, String> {
        let known = Format::ALL.iter().find(|(known, _)| *known == name);
        known.map(|&(_, format)| format).ok_or_else(|| format!("there is no format `{name}`"))
    }
}

/// A value in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value: `-` for people, `null` in JSON, empty in CSV.
    Missing,
    /// Any text.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A measured number; a non-finite one counts as missing.
    Number(f64),
    /// An error margin, shown to people with two digits.
    Error(f64),
    /// A share of 1, shown to people as a percentage.
    Share(f64),
    /// Yes or no.
    Flag(bool),
}

impl Cell {
    /// A share, or missing.
    pub fn share(share: Option<f64>) -> Cell {
        share.map_or(Cell::Missing, Cell::Share)
    }

    /// An error margin, or missing.
    pub fn error(error: Option<f64>) -> Cell {
        error.map_or(Cell::Missing, Cell::Error)
    }

    /// The cell, with non-finite numbers counted as missing.
    fn value(&self) -> &Cell {
        match self {
            Cell::Number(number) | Cell::Error(number) | Cell::Share(number)
                if !number.is_finite() =>
            {
                &Cell::Missing
            }
            other => other,
        }
    }
}

macro_rules! cell_from {
    ($($from:ty: $value:ident => $cell:expr;)*) => {$(
        impl From<$from> for Cell {
            fn from($value: $from) -> Cell {
                $cell
            }
        }
    )*};
}

cell_from! {
    &str: text => Cell::Text(text.to_owned());
    String: text => Cell::Text(text);
    u64: count => Cell::Count(count);
    u32: count => Cell::Count(count.into());
    usize: count => Cell::Count(count as u64);
    f64: number => Cell::Number(number);
    bool: flag => Cell::Flag(flag);
    Time: time => Cell::Number(time.as_units());
    Span: span => Cell::Number(span.as_units());
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Missing, Into::into)
    }
}

/// Kind of a column, which decides on alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Short texts, left-aligned.
    Text,
    /// Sentences, left-aligned and wrapped if the table is too wide.
    Prose,
    /// Figures, right-aligned.
    Figure,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    name: Cow<'static, str>,
    label: String,
    note: Option<String>,
    rank: u8,
    kind: Kind,
    is_margin: bool,
}

impl Column {
    fn new(name: Cow<'static, str>, kind: Kind) -> Column {
        let label = name.replace('_', " ");
        Column { name, label, note: None, rank: 0, kind, is_margin: false }
    }

    /// A column of short texts.
    ///
    /// Programs know it by its name, in `lower_case_with_underscores`; people read the name with
    /// blanks, unless [`called`](Column::called) sets another heading.
    pub fn text(name: impl Into<Cow<'static, str>>) -> Column {
        Column::new(name.into(), Kind::Text)
    }

    /// A column of sentences, which are wrapped on a narrow terminal.
    pub fn prose(name: impl Into<Cow<'static, str>>) -> Column {
        Column::new(name.into(), Kind::Prose)
    }

    /// A column of numbers, counts, shares or flags.
    pub fn figure(name: impl Into<Cow<'static, str>>) -> Column {
        Column::new(name.into(), Kind::Figure)
    }

    /// A column of error margins, with the heading `±`.
    ///
    /// The margins are those of the nearest figure to the left. A narrow terminal shows both columns
    /// or none of them: the rank is that of the figure.
    pub fn margin(name: impl Into<Cow<'static, str>>) -> Column {
        Column { is_margin: true, ..Column::figure(name).called("±") }
    }

    /// Sets the heading for people, with the unit if there is one: `run (s)`.
    #[must_use]
    pub fn called(mut self, label: impl Into<String>) -> Column {
        self.label = label.into();
        self
    }

    /// Name for programs.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True for a column of error margins.
    pub(crate) fn is_margin(&self) -> bool {
        self.is_margin
    }

    /// Sets a note that people see below a table with this column.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Column {
        self.note = Some(note.into());
        self
    }

    /// Sets the rank by which columns are dropped on a narrow terminal: highest first.
    ///
    /// Columns of rank 0, the default, are never dropped.
    #[must_use]
    pub fn rank(mut self, rank: u8) -> Column {
        self.rank = rank;
        self
    }
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    name: &'static str,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    notes: Vec<String>,
}

impl Table {
    /// A table without rows.
    ///
    /// Programs know it by its name, in `lower_case_with_underscores`; as a heading over several
    /// tables people read the name with blanks.
    ///
    /// # Panics If two columns have the same name.
    pub fn new(name: &'static str, columns: impl IntoIterator<Item = Column>) -> Table {
        let columns: Vec<Column> = columns.into_iter().collect();
        for (index, column) in columns.iter().enumerate() {
            let is_twin = |other: &Column| other.name == column.name;
            assert!(!columns[..index].iter().any(is_twin), "two columns called {}", column.name);
        }
        Table { name, columns, rows: Vec::new(), notes: Vec::new() }
    }

    /// A table of these rows, which columns are added to.
    pub fn of<R: Copy>(name: &'static str, rows: impl IntoIterator<Item = R>) -> TableOf<R> {
        let of: Vec<R> = rows.into_iter().collect();
        let rows = vec![Vec::new(); of.len()];
        TableOf { of, table: Table { rows, ..Table::new(name, []) } }
    }

    /// Name for programs.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row.
    ///
    /// # Panics If it does not have one cell for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "a cell for each column of {}", self.name);
        self.rows.push(cells);
    }

    /// Adds a line below the table, for people only.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Renders the table, ending in a newline.
    ///
    /// Text output drops columns and wraps prose to stay within `width` characters.
    pub fn render(&self, format: Format, width: Option<usize>) -> String {
        match format {
            Format::Text => person::text(self, width),
            Format::Markdown => person::one_markdown(self),
            Format::Json => machine::one_json(self),
            Format::Csv => machine::csv(self),
        }
    }
}

/// A table whose rows are known: each column is added with its cells.
#[derive(Debug)]
pub struct TableOf<R> {
    of: Vec<R>,
    table: Table,
}

impl<R: Copy> TableOf<R> {
    /// Adds a column, with its cell of a row.
    ///
    /// # Panics If there is one of this name.
    #[must_use]
    pub fn column<C: Into<Cell>>(mut self, column: Column, cell: impl Fn(R) -> C) -> TableOf<R> {
        let is_twin = self.table.columns.iter().any(|other| other.name == column.name);
        assert!(!is_twin, "two columns called {}", column.name);
        self.table.columns.push(column);
        let rows = self.of.iter().zip(&mut self.table.rows);
        rows.for_each(|(&one, row)| row.push(cell(one).into()));
        self
    }

    /// Adds a column of [short texts](Column::text).
    #[must_use]
    pub fn text<C: Into<Cell>>(self, name: &'static str, cell: impl Fn(R) -> C) -> TableOf<R> {
        self.column(Column::text(name), cell)
    }

    /// Adds a column of [figures](Column::figure).
    #[must_use]
    pub fn figure<C: Into<Cell>>(self, name: &'static str, cell: impl Fn(R) -> C) -> TableOf<R> {
        self.column(Column::figure(name), cell)
    }

    /// The table with all its columns.
    pub fn table(self) -> Table {
        self.table
    }
}

#[cfg(test)]
mod tests;
