//! Weighted values listed in a text file, from which jobs are drawn.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::decimal;
use super::draw::Table;
use super::invalid::Invalid;
use super::opened;
use super::parameters::LONGEST;
use kernel::time::TICKS_PER_UNIT;

/// Size of the longest file read, in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// The kind of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Times in units, converted to ticks.
    Time,
    /// Numbers of processors.
    Processors,
}

/// The reason why a distribution cannot be drawn from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValuesError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A line is invalid.
    #[error("{}: line {line}: {message}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line.
        line: usize,
        /// The problem and the expected value.
        message: String,
    },
    /// The file as a whole is invalid.
    #[error("{}: {message}", file.display())]
    Whole {
        /// The file.
        file: PathBuf,
        /// The problem with it.
        message: String,
    },
    /// A parameter is invalid.
    #[error(transparent)]
    Options(#[from] Invalid),
}

impl ValuesError {
    /// Prefixes the field with its enclosing table.
    #[must_use]
    pub fn within(self, table: &str) -> ValuesError {
        match self {
            ValuesError::Options(invalid) => ValuesError::Options(invalid.within(table)),
            other => other,
        }
    }

    /// Returns the file concerned.
    pub fn file(&self) -> Option<&PathBuf> {
        match self {
            ValuesError::Read { file, .. }
            | ValuesError::Line { file, .. }
            | ValuesError::Whole { file, .. } => Some(file),
            ValuesError::Options(_) => None,
        }
    }

    /// Returns true if the system could not read the file.
    pub fn is_unreadable(&self) -> bool {
        matches!(self, ValuesError::Read { .. })
    }
}

/// Reads the values of a file: one per line, or `value,weight`, with all lines alike. Empty lines
/// are ignored, `#` begins a comment, and the first line may be a header: `value`, `size` (for
/// times) or `processors` (for these), followed by `,weight` if there are weights.
///
/// # Errors
/// A file that cannot be read, an invalid line, or weights that are all zero.
pub fn read(file: &Path, unit: Unit) -> Result<Table, ValuesError> {
    let failed = |error| ValuesError::Read { file: file.to_owned(), error };
    let mut bytes = Vec::new();
    let opened = opened::open(file).map_err(failed)?;
    opened.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    let whole = |message: String| ValuesError::Whole { file: file.to_owned(), message };
    if bytes.len() as u64 > MOST_BYTES {
        return Err(whole(format!("it is longer than {} MB", MOST_BYTES >> 20)));
    }
    let rows = rows(&bytes, unit);
    let rows =
        rows.map_err(|(line, message)| ValuesError::Line { file: file.to_owned(), line, message })?;
    if rows.is_empty() {
        return Err(whole("there is no value in it".to_owned()));
    }
    Table::new(&rows)
        .ok_or_else(|| whole("all weights are 0, or their sum is too large".to_owned()))
}

/// Parses the rows of a text, or reports the first invalid line.
fn rows(text: &[u8], unit: Unit) -> Result<Vec<(i64, f64)>, (usize, String)> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut rows = Vec::new();
    let mut weighted = None;
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.split(|&byte| byte == b'#').next().unwrap_or_default().trim_ascii();
        if line.is_empty() {
            continue;
        }
        let comma = line.iter().position(|&byte| byte == b',');
        let (value, weight) = match comma {
            Some(comma) => (line[..comma].trim_ascii_end(), Some(line[comma + 1..].trim_ascii())),
            None => (line, None),
        };
        let wrong = |message: String| (index + 1, message);
        let was = *weighted.get_or_insert(weight.is_some());
        if was != weight.is_some() {
            let message = "either every line has a weight behind its value, or none has";
            return Err(wrong(message.to_owned()));
        }
        let is_named = value == b"value" || value == name(unit);
        if rows.is_empty() && is_named && weight.is_none_or(|weight| weight == b"weight") {
            continue;
        }
        let shown = |text: &[u8]| String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();
        let value = number(value, unit)
            .ok_or_else(|| wrong(format!("`{}` is not {}", shown(value), expected(unit))))?;
        let weight = match weight {
            None => 1.0,
            Some(text) => positive(text).ok_or_else(|| {
                wrong(format!("`{}` is not a weight; give a number of at least 0", shown(text)))
            })?,
        };
        rows.push((value, weight));
    }
    Ok(rows)
}

fn number(text: &[u8], unit: Unit) -> Option<i64> {
    let (value, range) = match unit {
        Unit::Time => (decimal::ticks(text), 0..=LONGEST as i64 * TICKS_PER_UNIT),
        Unit::Processors => (decimal::whole(text), 1..=i64::from(u32::MAX)),
    };
    value.ok().filter(|value| range.contains(value))
}

/// Returns the alternative to `value` in a header.
fn name(unit: Unit) -> &'static [u8] {
    match unit {
        Unit::Time => b"size",
        Unit::Processors => b"processors",
    }
}

fn positive(text: &[u8]) -> Option<f64> {
    let weight: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    (weight.is_finite() && weight >= 0.0).then_some(weight)
}

fn expected(unit: Unit) -> &'static str {
    match unit {
        Unit::Time => "a length of time from 0 to 10^9 units",
        Unit::Processors => "a number of processors: a whole number from 1 to 4294967295",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, unit: Unit) -> String {
        match rows(text.as_bytes(), unit) {
            Ok(rows) => format!("{rows:?}"),
            Err((line, message)) => format!("{line}: {message}"),
        }
    }

    #[test]
    fn values_and_weights_are_read_exactly() {
        let check = |text, unit, expected| assert_eq!(found(text, unit), expected, "{text:?}");
        check("1\n0.5\r\n", Unit::Time, "[(1000000, 1.0), (500000, 1.0)]");
        check(
            "# runs\nvalue,weight\n1, 2 # two\n\n3,0.5",
            Unit::Processors,
            "[(1, 2.0), (3, 0.5)]",
        );
        check("value\n7\n", Unit::Processors, "[(7, 1.0)]");
        check("size\n7\n", Unit::Time, "[(7000000, 1.0)]");
        check("processors,weight\n7,2\n", Unit::Processors, "[(7, 2.0)]");
        check("\u{feff}size, weight\r\n7,2\r\n", Unit::Time, "[(7000000, 2.0)]");
        check("\u{feff}7\n", Unit::Processors, "[(7, 1.0)]");
        check("\n", Unit::Time, "[]");
    }

    #[test]
    fn lines_that_do_not_fit_are_named() {
        let check = |text, unit, expected: &str| {
            let found = found(text, unit);
            assert!(found.starts_with(expected), "{text:?}: {found}");
        };
        check("1\n-1", Unit::Time, "2: `-1` is not a length of time");
        check("1e10", Unit::Time, "1: `1e10` is not a length of time");
        check("2.5", Unit::Processors, "1: `2.5` is not a number of processors");
        check("0", Unit::Processors, "1: `0` is not a number");
        check("1,-2", Unit::Time, "1: `-2` is not a weight");
        check("1,nan", Unit::Time, "1: `nan` is not a weight");
        check("1,2,3", Unit::Time, "1: `2,3` is not a weight");
        check("1,2\n3", Unit::Time, "2: either every line");
        check("1\nvalue", Unit::Time, "2: `value` is not a length");
        check("processors\n1", Unit::Time, "1: `processors` is not a length");
    }

    #[test]
    fn a_file_without_values_is_none() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let found = || read(file.path(), Unit::Time).unwrap_err().to_string();
        assert!(found().ends_with("there is no value in it"), "{}", found());
        std::fs::write(file.path(), "1,0\n2,0").unwrap();
        assert!(found().ends_with("all weights are 0, or their sum is too large"), "{}", found());
        let missing = read(Path::new("no/such/file"), Unit::Time).unwrap_err();
        assert!(missing.is_unreadable() && missing.to_string().starts_with("no/such/file: cannot"));
    }
}
