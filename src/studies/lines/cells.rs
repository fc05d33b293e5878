//! Cells of tables: each figure of each row, with the scenario that answers it.

use super::super::StudyError;
use super::{Against, Line, Statistic, Table};

/// A scenario with its settings; equal ones are played once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Play {
    pub scenario: String,
    pub set: Vec<String>,
    /// Most replications; none if as many as are asked for.
    pub samples: Option<u32>,
}

/// A figure that a play answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub play: Play,
    pub of: String,
    pub measure: String,
}

/// A figure of a row.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub line: &'static Line,
    pub place: String,
    pub what: String,
    pub source: Source,
    pub against: Option<Source>,
    pub statistic: Statistic,
    pub printed: Option<Digits>,
    /// Printed standard deviation of the samples behind the printed value.
    pub spread: Option<Digits>,
}

/// A printed number with the unit of its last digit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Digits {
    pub value: f64,
    pub unit: f64,
}

impl Digits {
    /// Reads a printed number; `=2` is exact.
    fn read(text: &str) -> Option<Digits> {
        let exact = text.strip_prefix('=');
        let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
        let value = exact.unwrap_or(text).parse().ok()?;
        let unit = if exact.is_some() { 0.0 } else { libm::exp10(-(digits as f64)) };
        Some(Digits { value, unit })
    }
}

/// Values of the columns in a row.
pub(super) struct Values<'a> {
    columns: &'a [String],
    row: &'a [String],
}

impl<'a> Values<'a> {
    /// The rows of a table; one without columns if it has none.
    pub fn of(table: &'a Table) -> Vec<Values<'a>> {
        let rows = table.rows.iter().map(Vec::as_slice);
        let none: Option<&[String]> = table.rows.is_empty().then_some(&[]);
        rows.chain(none).map(|row| Values { columns: &table.columns, row }).collect()
    }

    /// The value of a column.
    pub fn column(&self, name: &str) -> Option<&'a str> {
        let at = self.columns.iter().position(|column| column == name)?;
        self.row.get(at).map(String::as_str)
    }

    /// A text with the values of columns for `<n>` and `<n-1>`.
    pub fn filled(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        for (column, value) in self.columns.iter().zip(self.row) {
            filled = filled.replace(&format!("<{column}>"), value);
            if let Ok(number) = value.parse::<i64>() {
                filled = filled.replace(&format!("<{column}-1>"), &(number - 1).to_string());
            }
        }
        filled
    }
}

/// The cells of a table under further settings, by row and line.
///
/// # Errors A row with too few columns, or a number that is none.
pub(super) fn cells(
    table: &'static Table,
    is_quick: bool,
    more: &[String],
) -> Result<Vec<Vec<Cell>>, StudyError> {
    let wrong = |what: &str, text: &str| StudyError(format!("{}: {what} `{text}`", table.place));
    let row = |values: Values<'static>| {
        let quick: &[String] = if is_quick { &table.quick } else { &[] };
        let set = |own: &[String]| -> Vec<String> {
            let all = table.set.iter().chain(own).chain(more).chain(quick);
            all.map(|one| values.filled(one)).collect()
        };
        let source = |line: &Line, against: Option<&Against>| {
            let scenario = against.and_then(|one| one.scenario.as_ref());
            let play = Play {
                scenario: scenario.unwrap_or(&table.scenario).clone(),
                set: set(against.map_or(&line.set, |one| &one.set)),
                samples: table.samples,
            };
            let of = against.and_then(|one| one.of.as_ref()).unwrap_or(&line.of);
            let measure = against.and_then(|one| one.measure.as_ref()).unwrap_or(&line.measure);
            Source { play, of: values.filled(of), measure: measure.clone() }
        };
        let digits = |name: &String| {
            let text = values.column(name).unwrap_or(name);
            Digits::read(text).ok_or_else(|| wrong("no number or column", text))
        };
        let cells = |line: &'static Line| -> Result<Vec<Cell>, StudyError> {
            let cell = Cell {
                line,
                place: values.filled(line.place.as_ref().unwrap_or(&table.place)),
                what: values.filled(&line.what),
                source: source(line, None),
                against: line.against.as_ref().map(|one| source(line, Some(one))),
                statistic: line.statistic,
                printed: line.printed.as_ref().map(digits).transpose()?,
                spread: None,
            };
            let Some([mean, deviation]) = &line.moments else { return Ok(vec![cell]) };
            let spread = Some(digits(deviation)?);
            let moment = |name: &str, statistic, printed| Cell {
                what: format!("{}: {name}", cell.what),
                statistic,
                printed,
                spread,
                ..cell.clone()
            };
            Ok(vec![
                moment("mean", Statistic::Mean, Some(digits(mean)?)),
                moment("standard deviation", Statistic::Deviation, spread),
            ])
        };
        if values.row.len() != table.columns.len() {
            return Err(wrong("columns of", &values.row.join(" ")));
        }
        let all: Result<Vec<Vec<Cell>>, StudyError> = table.lines.iter().map(cells).collect();
        Ok(all?.into_iter().flatten().collect())
    };
    Values::of(table).into_iter().map(row).collect()
}

impl Cell {
    /// The plays that answer it.
    pub fn plays(&self) -> impl Iterator<Item = &Play> {
        [&self.source].into_iter().chain(&self.against).map(|source| &source.play)
    }
}
