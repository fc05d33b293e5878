//! Small CSV files in memory, and the values of their rows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use csv::StringRecord;

use super::AuditError;
use crate::kernel::time::{Span, TICKS_PER_UNIT, Time};
use crate::report::recorded::{self, Rows};

/// Expected format of a sum, for error messages.
const DECIMAL: &str = "a number with at most six decimals";

/// Column indices by name.
pub(super) type Columns = BTreeMap<String, usize>;

/// Indexes the columns of rows.
pub(super) fn columns_of(rows: &Rows) -> Columns {
    rows.columns().iter().map(str::to_owned).zip(0..).collect()
}

/// A small CSV file in memory.
pub(super) struct Table {
    path: PathBuf,
    columns: Columns,
    rows: Vec<StringRecord>,
}

pub(super) fn read_table(path: &Path) -> Result<Table, AuditError> {
    let mut rows = Rows::of(vec![path.to_owned()])?;
    let columns = columns_of(&rows);
    let mut records = Vec::new();
    while let Some(row) = rows.read()? {
        records.push(row.record.clone());
    }
    Ok(Table { path: path.to_owned(), columns, rows: records })
}

impl Table {
    /// All lines.
    pub(super) fn lines(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.rows.len()).map(|place| self.line(place))
    }

    /// The line at an index, from 0.
    pub(super) fn line(&self, place: usize) -> Row<'_> {
        let Table { path, columns, rows } = self;
        let (record, line) = (&rows[place], place as u64 + 2);
        Row { columns, row: recorded::Row { record, path, line, number: line } }
    }
}

/// A line together with its column names.
pub(super) struct Row<'a> {
    pub(super) columns: &'a Columns,
    pub(super) row: recorded::Row<'a>,
}

impl<'a> Row<'a> {
    pub(super) fn wrong(&self, column: &str, found: &str, expected: &str) -> AuditError {
        AuditError::Content {
            path: self.row.path.to_owned(),
            message: format!("line {}: {column} is `{found}`, not {expected}", self.row.line),
        }
    }

    /// Reads a sum in units, as ticks.
    pub(super) fn sum(&self, column: &str) -> Result<i128, AuditError> {
        let text = self.text(column)?;
        decimal(text).ok_or_else(|| self.wrong(column, text, DECIMAL))
    }

    /// The same for a column that may be empty.
    pub(super) fn optional_sum(&self, column: &str) -> Result<Option<i128>, AuditError> {
        self.optional(column, |row, column| row.sum(column))
    }

    pub(super) fn text(&self, column: &str) -> Result<&'a str, AuditError> {
        let index = self.columns.get(column).copied();
        index.and_then(|index| self.row.record.get(index)).ok_or_else(|| AuditError::Content {
            path: self.row.path.to_owned(),
            message: format!("there is no column `{column}`"),
        })
    }

    pub(super) fn number<T: FromStr>(&self, column: &str) -> Result<T, AuditError> {
        let text = self.text(column)?;
        text.parse().map_err(|_| {
            let is_number = text.parse::<f64>().is_ok();
            let expected = if is_number { "a whole number in its range" } else { "a number" };
            self.wrong(column, text, expected)
        })
    }

    /// Reads a time or span: neither negative nor "never", so differences cannot overflow.
    pub(super) fn span(&self, column: &str) -> Result<Span, AuditError> {
        let text = self.text(column)?;
        let ticks = decimal(text).and_then(|ticks| i64::try_from(ticks).ok());
        let ticks = ticks.filter(|ticks| (0..i64::MAX).contains(ticks));
        let expected = "a time: from 0 to 9223372036854, with at most six decimals";
        ticks.map(Span::from_ticks).ok_or_else(|| self.wrong(column, text, expected))
    }

    pub(super) fn optional<T>(
        &self,
        column: &str,
        read: impl Fn(&Self, &str) -> Result<T, AuditError>,
    ) -> Result<Option<T>, AuditError> {
        if self.text(column)?.is_empty() { Ok(None) } else { read(self, column).map(Some) }
    }

    pub(super) fn optional_time(&self, column: &str) -> Result<Option<Time>, AuditError> {
        self.optional(column, |row, column| Ok(Time::ZERO + row.span(column)?))
    }

    pub(super) fn known(
        &self,
        column: &str,
        name: &str,
        names: &BTreeMap<String, usize>,
    ) -> Result<usize, AuditError> {
        let expected = "a name that manifest.json has";
        names.get(name).copied().ok_or_else(|| self.wrong(column, name, expected))
    }
}

/// Parses an exact decimal with at most six places, in millionths.
fn decimal(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || part.len() > 6 || !plain(whole) || !plain(part) {
        return None;
    }
    let scale = 10_i128.pow(6 - part.len() as u32);
    let part = if part.is_empty() { 0 } else { part.parse::<i128>().ok()? * scale };
    // Fast path: nearly all numbers are short.
    let whole = match whole.len() {
        ..=18 => i128::from(whole.parse::<i64>().ok()?),
        _ => whole.parse().ok()?,
    };
    let sum = whole.checked_mul(i128::from(TICKS_PER_UNIT))?.checked_add(part)?;
    Some(if negative { -sum } else { sum })
}
