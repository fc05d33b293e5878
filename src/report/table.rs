//! A table that is shown to a person or handed to another program.
//!
//! A [`Table`] holds typed cells under named columns, and each [`Format`] writes them its own way:
//! text and Markdown round the figures and carry notes; JSON and CSV give every digit, stable names
//! of columns, and nothing but the table.

mod machine;
mod person;

use std::str::FromStr;

pub use machine::json;
pub use person::markdown;

/// How a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For a terminal: figures rounded, columns left out where it is too narrow.
    #[default]
    Text,
    /// An array with an object for each row.
    Json,
    /// Values separated by commas under a line of names (RFC 4180).
    Csv,
    /// A table as GitHub shows it, figures rounded.
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

    /// True where a person is to read it.
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
    /// There is none: `-` for a person, `null` in JSON, nothing in CSV.
    Missing,
    /// Any text.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A measured number; what is not finite counts as missing.
    Number(f64),
    /// How far a number may be off, which a person reads with two digits.
    Error(f64),
    /// A share of 1, which a person reads as a percentage.
    Share(f64),
    /// Yes or no.
    Flag(bool),
}

impl Cell {
    /// A share, where there is one.
    pub fn share(share: Option<f64>) -> Cell {
        share.map_or(Cell::Missing, Cell::Share)
    }

    /// How far a number may be off, where that is known.
    pub fn error(error: Option<f64>) -> Cell {
        error.map_or(Cell::Missing, Cell::Error)
    }

    /// The same, with numbers that are none taken as missing.
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
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Missing, Into::into)
    }
}

/// What a column holds, which says how it is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Short texts, flush left.
    Text,
    /// Sentences, flush left, broken over lines where the table is too wide.
    Prose,
    /// Figures, flush right.
    Figure,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    name: &'static str,
    label: String,
    note: Option<String>,
    rank: u8,
    kind: Kind,
}

impl Column {
    fn new(name: &'static str, kind: Kind) -> Column {
        Column { name, label: name.replace('_', " "), note: None, rank: 0, kind }
    }

    /// A column of short texts. Programs know it by its name, `lower_case_with_underscores`; people
    /// read the name with blanks, unless [`called`](Column::called) says otherwise.
    pub fn text(name: &'static str) -> Column {
        Column::new(name, Kind::Text)
    }

    /// A column of sentences, which are broken over lines where a terminal is narrow.
    pub fn prose(name: &'static str) -> Column {
        Column::new(name, Kind::Prose)
    }

    /// A column of numbers, counts, shares or flags.
    pub fn figure(name: &'static str) -> Column {
        Column::new(name, Kind::Figure)
    }

    /// What people read over it, with its unit if it has one: `run (s)`.
    #[must_use]
    pub fn called(mut self, label: impl Into<String>) -> Column {
        self.label = label.into();
        self
    }

    /// What programs call it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What people read over it.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// What is told below a table in which it is shown, to people only.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Column {
        self.note = Some(note.into());
        self
    }

    /// Where a terminal is too narrow, the columns of the highest rank are left out first; those of
    /// rank 0, which is the rank unless something else is said, never.
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
    /// A table without rows. Programs know it by its name, `lower_case_with_underscores`; over
    /// several tables people read the name with blanks.
    ///
    /// # Panics
    /// When two columns have the same name.
    pub fn new(name: &'static str, columns: impl IntoIterator<Item = Column>) -> Table {
        let columns: Vec<Column> = columns.into_iter().collect();
        for (index, column) in columns.iter().enumerate() {
            let is_twin = |other: &Column| other.name == column.name;
            assert!(!columns[..index].iter().any(is_twin), "two columns called {}", column.name);
        }
        Table { name, columns, rows: Vec::new(), notes: Vec::new() }
    }

    /// What programs call it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True where it has no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row.
    ///
    /// # Panics
    /// When it has not a cell for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "a cell for each column of {}", self.name);
        self.rows.push(cells);
    }

    /// Adds a line below the table, for people only.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// The table in a format, the last line ended. A text leaves out columns and breaks prose
    /// rather than be wider than `width`, in characters.
    pub fn render(&self, format: Format, width: Option<usize>) -> String {
        match format {
            Format::Text => person::text(self, width),
            Format::Markdown => person::one_markdown(self),
            Format::Json => machine::one_json(self),
            Format::Csv => machine::csv(self),
        }
    }
}

#[cfg(test)]
mod tests;
