//! Cells of tables: each figure of each row, with the scenario that answers it.

use std::collections::BTreeMap;

use super::super::StudyError;
use super::super::claim::{Register, unknown};
use super::{Against, Line, Statistic, Table};

/// A scenario with its settings; equal ones are played once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Play {
    pub scenario: String,
    pub set: Vec<String>,
    /// Most replications; none if as many as are asked for.
    pub samples: Option<u32>,
    /// Number that is added to the seed.
    pub seed: u64,
    /// True if its figures are what the audit of its results finds.
    pub is_audited: bool,
}

/// A figure that a play answers, or the mean of several.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Source {
    pub plays: Vec<Play>,
    pub of: String,
    pub measure: String,
    /// The values count as 1 up to this, and as 0 beyond.
    pub at_most: Option<f64>,
}

/// A figure of a row.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub line: &'static Line,
    pub place: String,
    pub what: String,
    pub source: Source,
    /// Figures that it is compared with; several for a lead or a lag.
    pub against: Vec<Source>,
    pub statistic: Statistic,
    pub per: f64,
    /// Words for the paper's side, and a note.
    pub says: Option<String>,
    pub note: Option<String>,
    pub printed: Option<Digits>,
    /// Printed standard deviation of the samples behind the printed value.
    pub spread: Option<Digits>,
}

/// A printed number with the unit of its last digit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Digits {
    pub value: f64,
    pub unit: f64,
    /// Samples that it counts or is the mean of, if it says so.
    pub of: Option<u64>,
}

impl Digits {
    /// Reads a printed number; `=2` is exact, `16 of 100` a count or a mean.
    fn read(text: &str) -> Option<Digits> {
        let (text, of) = match text.split_once(" of ") {
            Some((text, of)) => (text, Some(of.parse().ok()?)),
            None => (text, None),
        };
        let exact = text.strip_prefix('=');
        let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
        let value = exact.unwrap_or(text).parse().ok()?;
        let unit = if exact.is_some() { 0.0 } else { libm::exp10(-(digits as f64)) };
        Some(Digits { value, unit, of })
    }
}

/// Values of placeholders, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Values(Vec<(String, String)>);

impl Values {
    /// The rows of a table; one without columns if it has none.
    pub fn of(table: &Table) -> Vec<Values> {
        let row = |row: &Vec<String>| {
            Values(table.columns.iter().cloned().zip(row.iter().cloned()).collect())
        };
        match table.rows.is_empty() {
            true => vec![Values::default()],
            false => table.rows.iter().map(row).collect(),
        }
    }

    /// The value of a column.
    pub fn column(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(column, _)| column == name).map(|(_, value)| value.as_str())
    }

    /// A text with the values of columns for `<n>` and `<n-1>`.
    pub fn filled(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        for (column, value) in &self.0 {
            filled = filled.replace(&format!("<{column}>"), value);
            if let Ok(number) = value.parse::<i64>() {
                filled = filled.replace(&format!("<{column}-1>"), &(number - 1).to_string());
            }
        }
        filled
    }

    /// These with every combination of others.
    fn combined(&self, over: &BTreeMap<&String, &Vec<String>>) -> Vec<Values> {
        let mut all = vec![self.clone()];
        for (&name, &values) in over {
            let with = |one: Values| {
                values.iter().map(move |value| {
                    let value = (name.clone(), one.filled(value));
                    Values([one.0.clone(), vec![value]].concat())
                })
            };
            all = all.into_iter().flat_map(with).collect();
        }
        all
    }

    /// Number that is added to the seed: another for each combination of these values.
    fn seed(&self, of: &[String]) -> u64 {
        let known = of.iter().filter_map(|name| self.column(name));
        let text = known.fold(String::new(), |text, value| format!("{text}/{value}"));
        let mixed = |sum: u64, byte: u8| (sum * 257 + u64::from(byte)) % 1_000_003;
        text.bytes().fold(0, mixed)
    }

    /// Settings with these values; a setting `<name>` stands for all that are named so.
    fn settings<'t>(&self, all: impl Iterator<Item = &'t String>, named: &'t Named) -> Vec<String> {
        let of = |one: &String| {
            let filled = self.filled(one);
            let name = filled.strip_prefix('<').and_then(|one| one.strip_suffix('>'));
            match name.and_then(|name| named.get(name)) {
                Some(several) => self.settings(several.iter(), named),
                None => vec![filled],
            }
        };
        all.flat_map(of).collect()
    }
}

/// Settings that several tables share, by name.
type Named = BTreeMap<String, Vec<String>>;

/// The cells of a table under further settings, by row and line.
///
/// # Errors A row with too few columns, or a number that is none.
pub(super) fn cells(
    table: &'static Table,
    is_quick: bool,
    more: &[String],
    register: &Register,
) -> Result<Vec<Vec<Cell>>, StudyError> {
    if let Some(row) = table.rows.iter().find(|row| row.len() != table.columns.len()) {
        let (values, columns) = (row.join(" "), table.columns.join(" "));
        let first = row.first().map_or_else(|| "rows".to_owned(), |one| format!("[\"{one}\""));
        let wrong =
            StudyError(format!("the values `{values}` are not one for each of `{columns}`"));
        return Err(register.located(&first, wrong));
    }
    let row = |values: Values| {
        let quick: &[String] = if is_quick { &table.quick } else { &[] };
        let source = |line: &Line, other: Option<&Against>, set: &[String]| {
            let scenario = other.and_then(|one| one.scenario.as_ref()).unwrap_or(&table.scenario);
            let own = other.map_or(&line.set, |one| &one.set);
            let set = || table.set.iter().chain(own).chain(set).chain(more).chain(quick);
            let all = [Some(&table.over), Some(&line.over), other.map(|one| &one.over)];
            let play = |values: &Values| Play {
                scenario: scenario.clone(),
                set: values.settings(set(), &register.settings),
                samples: table.samples,
                seed: values.seed(&register.apart),
                is_audited: line.statistic == Statistic::Violations,
            };
            let plays = values.combined(&all.into_iter().flatten().flatten().collect());
            let of = other.and_then(|one| one.of.as_ref()).unwrap_or(&line.of);
            let measure = other.and_then(|one| one.measure.as_ref()).unwrap_or(&line.measure);
            Source {
                plays: plays.iter().map(play).collect(),
                of: values.filled(of),
                measure: values.filled(measure),
                at_most: line.at_most,
            }
        };
        let others = |line: &Line| -> Vec<Source> {
            let Some(other) = &line.against else { return Vec::new() };
            match other.sets.is_empty() {
                true => vec![source(line, Some(other), &[])],
                false => other.sets.iter().map(|set| source(line, Some(other), set)).collect(),
            }
        };
        let digits = |name: &String| {
            let text = values.column(name).unwrap_or(name);
            let known = table.columns.iter().map(String::as_str);
            Digits::read(text).ok_or_else(|| unknown("number or column", text, known))
        };
        let cells = |line: &'static Line| -> Result<Vec<Cell>, StudyError> {
            let cell = Cell {
                line,
                place: values.filled(line.place.as_ref().unwrap_or(&table.place)),
                what: values.filled(&line.what),
                source: source(line, None, &[]),
                against: others(line),
                statistic: line.statistic,
                per: line.per.as_ref().map(digits).transpose()?.map_or(1.0, |per| per.value),
                says: line.says.as_ref().map(|says| values.filled(says)),
                note: line.note.as_ref().map(|note| values.filled(note)),
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
        let at = |line| cells(line).map_err(|wrong| register.located(&line.what, wrong));
        let all: Result<Vec<Vec<Cell>>, StudyError> = table.lines.iter().map(at).collect();
        Ok(all?.into_iter().flatten().collect())
    };
    let most = table.quick_rows.filter(|_| is_quick).unwrap_or(usize::MAX);
    Values::of(table).into_iter().take(most).map(row).collect()
}

impl Cell {
    /// The plays that answer it.
    pub fn plays(&self) -> impl Iterator<Item = &Play> {
        [&self.source].into_iter().chain(&self.against).flat_map(|source| &source.plays)
    }
}
