//! Small CSV files in memory.

use std::path::{Path, PathBuf};

use csv::StringRecord;

use super::AuditError;
use records::recorded::{Layout, Row, Rows};

/// A small CSV file in memory.
pub(super) struct Table {
    path: PathBuf,
    columns: StringRecord,
    rows: Vec<StringRecord>,
    layout: Layout,
}

pub(super) fn read_table(path: &Path) -> Result<Table, AuditError> {
    let mut rows = Rows::of(vec![path.to_owned()])?;
    let columns = rows.columns().clone();
    let mut records = Vec::new();
    while let Some(row) = rows.read()? {
        records.push(row.record.clone());
    }
    Ok(Table { path: path.to_owned(), columns, rows: records, layout: Layout::default() })
}

impl Table {
    /// All lines.
    pub(super) fn lines(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.rows.len()).map(|place| self.line(place))
    }

    /// The line at an index, from 0.
    pub(super) fn line(&self, place: usize) -> Row<'_> {
        let Table { path, columns, rows, layout } = self;
        let (record, line) = (&rows[place], place as u64 + 2);
        Row { record, columns, path, line, number: line, layout }
    }
}
