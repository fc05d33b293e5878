//! Tables for people and for other programs.
//!
//! A table is a list of [`columns!`](crate::table::columns) over rows of one type: a line says a
//! column's name, heading, notes and what a row has in it. A [`Table`] holds the cells, and each
//! [`Format`] writes them in its own way: text, Markdown and LaTeX round the figures and carry notes; JSON
//! and CSV give every digit, stable column names, and nothing but the table.

mod brief;
mod column;
mod machine;
pub(crate) mod margin;
mod person;
pub(crate) mod settled;

use std::str::FromStr;

use kernel::time::{Span, Time};
use stats::shown::Times;

pub use crate::columns;
pub use brief::Brief;
pub(crate) use brief::Order;
pub use column::{Column, ColumnOf, Estimated, Figured, described};
pub(crate) use column::{HIGH, LOW};
use column::{Kind, Readers};
pub use machine::{csv, json};
pub use person::{Shown, several};

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
    /// LaTeX `tabular` in the style of booktabs, with rounded figures; notes are comments.
    Latex,
}

impl Format {
    /// Every format with its name.
    pub const ALL: [(&str, Format); 5] = [
        ("text", Format::Text),
        ("json", Format::Json),
        ("csv", Format::Csv),
        ("markdown", Format::Markdown),
        ("latex", Format::Latex),
    ];

    /// True for formats that people read.
    pub fn is_for_people(self) -> bool {
        matches!(self, Format::Text | Format::Markdown | Format::Latex)
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
    /// A time in units.
    Time(f64),
    /// An error margin, shown to people with two digits.
    Error(f64),
    /// The distances to both ends of an interval, instead of a margin.
    Ends(f64, f64),
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
            Cell::Number(number)
            | Cell::Time(number)
            | Cell::Error(number)
            | Cell::Share(number)
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
    Time: time => Cell::Time(time.as_units());
    Span: span => Cell::Time(span.as_units());
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Missing, Into::into)
    }
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    name: &'static str,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    notes: Vec<String>,
    times: Times,
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
            let is_twin =
                |other: &Column| other.name == column.name && other.shares_readers(column);
            assert!(!columns[..index].iter().any(is_twin), "two columns called {}", column.name);
        }
        Table { name, columns, rows: Vec::new(), notes: Vec::new(), times: Times::Units }
    }

    /// The same table, whose times people are told in this form.
    pub(crate) fn told_in(self, times: Times) -> Table {
        Table { times, ..self }
    }

    /// A table of these rows, which columns are added to.
    pub fn of<'a, R: Copy>(
        name: &'static str,
        rows: impl IntoIterator<Item = R>,
    ) -> TableOf<'a, R> {
        TableOf { name, rows: rows.into_iter().collect(), columns: Vec::new() }
    }

    /// A table of rows by its columns.
    ///
    /// Columns that no row has a value in are left out, if they may be. The legend of margins tells of
    /// lopsided intervals if there are any.
    ///
    /// # Panics If two columns have the same name.
    pub fn by_columns<'a, R>(
        name: &'static str,
        rows: impl IntoIterator<Item = R>,
        columns: impl IntoIterator<Item = ColumnOf<'a, R>>,
    ) -> Table {
        let (heads, cells): (Vec<_>, Vec<_>) =
            columns.into_iter().map(|one| (one.heads, one.cells)).unzip();
        let mut table = Table::new(name, heads.into_iter().flatten());
        for row in rows {
            let mut all = Vec::with_capacity(table.columns.len());
            cells.iter().for_each(|cells| cells(&row, &mut all));
            table.row(all);
        }
        let cells = |at: usize| table.rows.iter().map(move |row| row[at].value());
        let kept: Vec<bool> = (table.columns.iter().enumerate())
            .map(|(at, one)| {
                !one.is_left_out_if_empty || cells(at).any(|cell| *cell != Cell::Missing)
            })
            .collect();
        let margins = (0..kept.len()).filter(|&at| table.columns[at].is_shown_margin());
        let is_lopsided =
            margins.into_iter().any(|at| cells(at).any(|cell| matches!(cell, Cell::Ends(..))));
        keep(&kept, &mut table.columns);
        table.rows.iter_mut().for_each(|row| keep(&kept, row));
        if is_lopsided {
            table.columns.iter_mut().for_each(Column::tell_both_ends);
        }
        table
    }

    /// The places of the columns that people or programs read.
    fn read_by(&self, people: bool) -> Vec<usize> {
        let other = if people { Readers::Programs } else { Readers::People };
        (0..self.columns.len()).filter(|&at| self.columns[at].readers != other).collect()
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

    /// The table as a CSV file.
    pub fn csv(&self) -> Vec<u8> {
        machine::one_csv(self).into_bytes()
    }

    /// The table with a line below it, for people only.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Table {
        self.note(note);
        self
    }

    /// Renders the table, ending in a newline.
    ///
    /// Text output drops columns and wraps prose to stay within `width` characters.
    pub fn render(&self, format: Format, width: Option<usize>) -> String {
        match format {
            Format::Text => person::text(self, width),
            Format::Markdown => person::one_markdown(self),
            Format::Latex => person::one_latex(self),
            Format::Json => machine::one_json(self),
            Format::Csv => machine::one_csv(self),
        }
    }
}

/// A table whose rows are known: each column is added with its cells.
pub struct TableOf<'a, R> {
    name: &'static str,
    rows: Vec<R>,
    columns: Vec<ColumnOf<'a, R>>,
}

impl<'a, R: Copy + 'a> TableOf<'a, R> {
    /// Adds a column, with its cell of a row.
    #[must_use]
    pub fn column<C: Into<Cell>>(
        mut self,
        column: Column,
        cell: impl Fn(R) -> C + 'a,
    ) -> TableOf<'a, R> {
        self.columns.push(column.of(move |row: &R| cell(*row).into()));
        self
    }

    /// Adds a column of [short texts](Column::text).
    #[must_use]
    pub fn text<C: Into<Cell>>(self, name: &'static str, cell: impl Fn(R) -> C + 'a) -> Self {
        self.column(Column::text(name), cell)
    }

    /// Adds a column of [figures](Column::figure).
    #[must_use]
    pub fn figure<C: Into<Cell>>(self, name: &'static str, cell: impl Fn(R) -> C + 'a) -> Self {
        self.column(Column::figure(name), cell)
    }

    /// The table with all its columns.
    ///
    /// # Panics If two columns have the same name.
    pub fn table(self) -> Table {
        Table::by_columns(self.name, self.rows, self.columns)
    }
}

/// Keeps the values at the places that are true.
fn keep<T>(places: &[bool], values: &mut Vec<T>) {
    let mut places = places.iter();
    values.retain(|_| places.next().is_none_or(|&is_kept| is_kept));
}

#[cfg(test)]
mod tests;
