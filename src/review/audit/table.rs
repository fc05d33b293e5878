//! Small CSV files in memory, which remember the cells that a check looked at.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use csv::StringRecord;
use rustc_hash::FxHashMap;

use super::AuditError;
use audit::{Check, Violation};
use kernel::time::TICKS_PER_UNIT;
use records::recorded::{Layout, Row, Rows};

/// A small CSV file in memory.
pub(super) struct Table {
    path: PathBuf,
    columns: StringRecord,
    places: FxHashMap<String, usize>,
    rows: Vec<StringRecord>,
    layout: Layout,
    /// By row, then by column: true once a check has looked at the cell.
    seen: Vec<Cell<bool>>,
}

pub(super) fn read_table(path: &Path) -> Result<Table, AuditError> {
    let mut rows = Rows::of(vec![path.to_owned()])?;
    let columns = rows.columns().clone();
    let mut records = Vec::new();
    while let Some(row) = rows.read()? {
        records.push(row.record.clone());
    }
    let seen = vec![Cell::new(false); records.len() * columns.len()];
    let places = columns.iter().map(str::to_owned).zip(0..).collect();
    let (path, layout) = (path.to_owned(), Layout::default());
    Ok(Table { path, columns, places, rows: records, layout, seen })
}

impl Table {
    /// All lines.
    pub(super) fn lines(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.rows.len()).map(|place| self.line(place))
    }

    /// The line at an index, from 0.
    pub(super) fn line(&self, place: usize) -> Row<'_> {
        let Table { path, columns, rows, layout, .. } = self;
        let (record, line) = (&rows[place], place as u64 + 2);
        Row { record, columns, path, line, number: line, layout }
    }

    /// Its name, without the folder.
    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Number of lines.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The names of its columns.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter()
    }

    /// True if it has a column of this name.
    pub(super) fn has(&self, column: &str) -> bool {
        self.place(column).is_some()
    }

    fn place(&self, column: &str) -> Option<usize> {
        self.places.get(column).copied()
    }

    /// The text in a column of a line; empty if there is no such column.
    pub(super) fn text(&self, line: usize, column: &str) -> &str {
        self.place(column).map_or("", |place| &self.rows[line][place])
    }

    /// The number in a column of a line, if there is one.
    pub(super) fn number(&self, line: usize, column: &str) -> Option<f64> {
        self.text(line, column).parse().ok()
    }

    /// Notes that a check has looked at a column of a line.
    pub(super) fn see(&self, line: usize, column: &str) {
        if let Some(place) = self.place(column) {
            self.seen[line * self.columns.len() + place].set(true);
        }
    }

    /// Notes that a check has looked at these columns of a line.
    pub(super) fn see_line(&self, line: usize, columns: &[&str]) {
        columns.iter().for_each(|column| self.see(line, column));
    }

    /// Notes that a check has looked at these columns in every line.
    pub(super) fn see_all(&self, columns: &[&str]) {
        (0..self.len()).for_each(|line| self.see_line(line, columns));
    }

    /// The lines in which no check has looked at a column.
    pub(super) fn unseen(&self, column: &str) -> Vec<u64> {
        let lines = self.place(column).into_iter().flat_map(|place| {
            (0..self.len()).filter(move |line| !self.seen[line * self.columns.len() + place].get())
        });
        lines.map(|line| line as u64 + 2).collect()
    }
}

/// A check of printed figures against figures that were recomputed.
pub(super) struct Compared {
    pub check: Check,
    /// Source of the recomputed figures, in words: `by the rounds`.
    pub by: &'static str,
}

impl Compared {
    /// A check without comparisons.
    pub fn new(name: &'static str, means: &'static str, by: &'static str) -> Compared {
        Compared { check: Check::new(name, means), by }
    }

    /// Compares a number, with an error of at most `error`; `None` stands for an empty cell.
    pub fn near(&mut self, at: (&Table, usize), column: &str, found: Option<f64>, error: f64) {
        let (table, line) = at;
        let told = table.number(line, column);
        // Tables leave out infinite figures.
        let found = found.filter(|found| found.is_finite());
        let is_right = match (told, found) {
            (Some(told), Some(found)) => (told - found).abs() <= error,
            (None, None) => table.text(line, column).is_empty(),
            _ => false,
        };
        let found = || found.map_or("empty".to_owned(), |found| found.to_string());
        self.judge(at, column, is_right, found);
    }

    /// Compares a number that is the same up to rounding.
    pub fn close(&mut self, at: (&Table, usize), column: &str, found: Option<f64>) {
        self.near(at, column, found, found.map_or(0.0, |found| 1e-9 * found.abs()));
    }

    /// Compares a quantile, which is told with this relative error, with one in ticks.
    pub fn quantile(&mut self, at: (&Table, usize), column: &str, ticks: Option<f64>, error: f64) {
        let found = ticks.map(|ticks| ticks / TICKS_PER_UNIT as f64);
        let error = found.map_or(0.0, |found| found * (error + 1.0 / 4096.0) + 2e-6);
        self.near(at, column, found, error);
    }

    /// Compares a text, or a number by its digits.
    pub fn same(&mut self, at: (&Table, usize), column: &str, found: &str) {
        let is_right = at.0.text(at.1, column) == found;
        self.judge(at, column, is_right, || found.to_owned());
    }

    /// Counts a comparison, and says what is wrong.
    pub fn judge(
        &mut self,
        (table, line): (&Table, usize),
        column: &str,
        is_right: bool,
        found: impl FnOnce() -> String,
    ) {
        if !table.has(column) {
            return;
        }
        table.see(line, column);
        self.check.looked_at += 1;
        if !is_right {
            let told = Some(table.text(line, column)).filter(|told| !told.is_empty());
            let who = match table.has("unit") {
                true => format!("{} of {}", table.text(line, "measure"), table.text(line, "unit")),
                false => table.rows[line][0].to_owned(),
            };
            let (told, by) = (told.unwrap_or("empty"), self.by);
            let (file, number, found) = (table.name(), line + 2, found());
            self.wrong(format!(
                "{who}: {column} is {told}, but {found} {by} ({file}, line {number})"
            ));
        }
    }

    /// Says what is wrong with no single figure.
    pub fn wrong(&mut self, text: String) {
        self.check.violated(|| Violation::new(0, text));
    }
}
