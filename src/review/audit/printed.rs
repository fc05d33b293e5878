//! The tables and the summary of a run in memory, and the list of what no check looked at.
//!
//! Every cell of every file and every number of `summary.json` is either seen by a check or named as
//! unchecked, so that nothing can be forgotten silently.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::figures::is_quantile;
use super::table::{Compared, Table, read_table};
use super::{AuditError, rows};
use records::files::read_regular;
use records::packed::name::Name;
use report::files::Manifest;

/// The records that are read line by line. What checks see of their columns is the same in every line.
const RECORDS: [&str; 10] = [
    "applications",
    "classes",
    "decisions",
    "jobs",
    "moves",
    "plans",
    "rounds",
    "runs",
    "stages",
    "timeline",
];
const SUMMARY: &str = "summary.json";
/// Bytes up to which a summary is compared; that of very many organizations is not.
const LONGEST: u64 = 1 << 25;

/// A part of a file that no check looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unchecked {
    /// The file.
    pub file: String,
    /// A column, or a key of a JSON file; `None` if it is the whole file.
    pub part: Option<String>,
    /// The lines in which the column was not looked at; `None` if it was in none.
    pub lines: Option<Vec<u64>>,
    /// Which lines these are, in words.
    of: String,
}

impl Unchecked {
    fn whole(file: &str) -> Unchecked {
        Unchecked { file: file.to_owned(), part: None, lines: None, of: String::new() }
    }

    fn part(file: &str, part: &str) -> Unchecked {
        Unchecked { part: Some(part.to_owned()), ..Unchecked::whole(file) }
    }

    /// True if it names a place: a line and column of a table, or a key of a JSON file, in which
    /// `[]` stands for any entry of a list.
    pub fn names(&self, file: &str, part: &str, line: u64) -> bool {
        let is_within = |key: &str| {
            part.strip_prefix(key)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.file == file
            && self.part.as_deref().is_none_or(is_within)
            && self.lines.as_ref().is_none_or(|lines| lines.contains(&line))
    }

    /// A line for each file: its name, and which parts of it were not looked at.
    pub fn told(all: &[Unchecked]) -> Vec<(&str, String)> {
        let mut files: BTreeMap<&str, Vec<(&str, Vec<&str>)>> = BTreeMap::new();
        for Unchecked { file, part, of, .. } in all {
            let groups = files.entry(file).or_default();
            let part = part.as_deref().unwrap_or("all of it");
            match groups.iter_mut().find(|group| group.0 == of) {
                Some(group) => group.1.push(part),
                None => groups.push((of, vec![part])),
            }
        }
        let told = files.into_iter().map(|(file, groups)| {
            let groups = groups.iter().map(|(of, parts)| format!("{}{of}", parts.join(", ")));
            (file, groups.collect::<Vec<_>>().join("; "))
        });
        told.collect()
    }
}

/// A value of `summary.json`.
struct Leaf {
    path: String,
    value: Value,
    seen: Cell<bool>,
}

/// The tables and the summary of a run.
pub(super) struct Printed {
    tables: Vec<Table>,
    summary: Vec<Leaf>,
    places: FxHashMap<String, usize>,
    /// The columns of records that checks look at, by kind.
    columns: Vec<(&'static str, &'static str)>,
}

impl Printed {
    /// Reads what a manifest lists and the folder has.
    pub fn read(folder: &Path, manifest: &Manifest) -> Result<Printed, AuditError> {
        let is_table = |name: &&String| {
            let kind = Name::of(name).map(|name| name.kind);
            name.ends_with(".csv")
                && !kind.is_some_and(|kind| RECORDS.contains(&&*kind))
                && folder.join(name).exists()
        };
        let names = manifest.files.keys().filter(is_table);
        let tables: Result<_, _> = names.map(|name| read_table(&folder.join(name))).collect();
        let mut printed = Printed {
            tables: tables?,
            summary: Vec::new(),
            places: FxHashMap::default(),
            columns: Vec::new(),
        };
        let path = folder.join(SUMMARY);
        let length = std::fs::metadata(&path).map_or(u64::MAX, |data| data.len());
        if manifest.files.contains_key(SUMMARY) && length <= LONGEST {
            let value = serde_json::from_slice(&read_regular(&path)?)
                .map_err(|error| AuditError::Content { path, message: error.to_string() })?;
            printed.leaf(String::new(), value);
        }
        Ok(printed)
    }

    fn leaf(&mut self, path: String, value: Value) {
        match value {
            Value::Object(keys) => keys.into_iter().for_each(|(key, value)| {
                let path = if path.is_empty() { key } else { format!("{path}.{key}") };
                self.leaf(path, value);
            }),
            Value::Array(values) => values
                .into_iter()
                .enumerate()
                .for_each(|(at, value)| self.leaf(format!("{path}[{at}]"), value)),
            value => {
                self.places.insert(path.clone(), self.summary.len());
                self.summary.push(Leaf { path, value, seen: Cell::new(false) });
            }
        }
    }

    /// A table by the name of its file.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name() == name)
    }

    /// Notes that checks look at these columns of a kind of records, with blanks between them.
    pub fn sees(&mut self, kind: &'static str, columns: &'static str) {
        self.columns.push((kind, columns));
    }

    /// The number at a path of the summary.
    pub fn number(&self, path: &str) -> Option<f64> {
        self.summary[*self.places.get(path)?].value.as_f64()
    }

    /// The text at a path of the summary; empty if there is none.
    pub fn text(&self, path: &str) -> &str {
        let place = self.places.get(path);
        place.and_then(|&place| self.summary[place].value.as_str()).unwrap_or_default()
    }

    /// The paths of the summary, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.summary.iter().map(|leaf| &*leaf.path)
    }

    /// Compares a value of the summary with what it is elsewhere, in words as in a table.
    pub fn compare(&self, check: &mut Compared, path: &str, found: &str) {
        let Some(&place) = self.places.get(path) else { return };
        let Leaf { value, seen, .. } = &self.summary[place];
        seen.set(true);
        check.check.looked_at += 1;
        let is_right = match value {
            Value::Null => found.is_empty(),
            Value::Bool(yes) => found == yes.to_string() || found == u8::from(*yes).to_string(),
            Value::Number(number) => number.as_f64() == found.parse().ok(),
            Value::String(text) => text == found,
            Value::Array(_) | Value::Object(_) => false,
        };
        if !is_right {
            let (by, found) = (check.by, if found.is_empty() { "empty" } else { found });
            check.wrong(format!("{path} is {value}, but {found} {by} (summary.json)"));
        }
    }

    /// Compares a number of the summary, with an error of at most `error`.
    pub fn near(&self, check: &mut Compared, path: &str, found: Option<f64>, error: f64) {
        let told = self.number(path);
        let is_near = told.zip(found).is_some_and(|(told, found)| (told - found).abs() <= error);
        let found = if is_near { told } else { found };
        self.compare(check, path, &found.map_or(String::new(), |found| found.to_string()));
    }

    /// Notes that what another check finds depends on a value of the summary.
    pub fn see(&self, path: &str) {
        if let Some(&place) = self.places.get(path) {
            self.summary[place].seen.set(true);
        }
    }

    /// Lists the parts that no check looked at. Records are looked at in every line or in none.
    pub fn unchecked(
        &self,
        folder: &Path,
        manifest: &Manifest,
    ) -> Result<Vec<Unchecked>, AuditError> {
        let mut all = vec![Unchecked::whole("manifest.json")];
        let mut kinds = BTreeSet::new();
        for file in manifest.files.keys() {
            let kind = Name::of(file).map(|name| name.kind);
            match (self.table(file), kind.filter(|kind| RECORDS.contains(&&**kind))) {
                (Some(table), _) => all.extend(of_table(file, table)),
                (None, Some(kind)) => {
                    if kinds.insert(kind.clone()) {
                        all.extend(self.of_records(&kind, folder, manifest)?);
                    }
                }
                (None, None) if file == SUMMARY && !self.summary.is_empty() => {
                    all.extend(self.of_summary());
                }
                (None, None) => all.push(Unchecked::whole(file)),
            }
        }
        all.push(Unchecked::whole("timing.json"));
        Ok(all)
    }

    fn of_records(
        &self,
        kind: &str,
        folder: &Path,
        manifest: &Manifest,
    ) -> Result<Vec<Unchecked>, AuditError> {
        let file = format!("{kind}.csv");
        let seen = self.columns.iter().filter(|one| one.0 == kind);
        let seen: BTreeSet<&str> = seen.flat_map(|one| one.1.split_whitespace()).collect();
        let rows = rows(manifest, folder, kind)?;
        let left = rows.columns().iter().filter(|column| !seen.contains(column));
        Ok(match seen.is_empty() {
            true => vec![Unchecked::whole(&file)],
            false => left.map(|column| Unchecked::part(&file, column)).collect(),
        })
    }

    /// The keys that were not looked at: a whole part of the summary by its name alone.
    fn of_summary(&self) -> Vec<Unchecked> {
        let first = |path: &str| path.split(['.', '[']).next().unwrap_or_default().to_owned();
        let seen = self.summary.iter().filter(|leaf| leaf.seen.get());
        let touched: BTreeSet<String> = seen.map(|leaf| first(&leaf.path)).collect();
        let mut named = BTreeSet::new();
        let unseen = self.summary.iter().filter(|leaf| !leaf.seen.get()).filter_map(|leaf| {
            let part = first(&leaf.path);
            let part = if touched.contains(&part) { general(&leaf.path) } else { part };
            named.insert(part.clone()).then(|| Unchecked::part(SUMMARY, &part))
        });
        unseen.collect()
    }
}

/// A path without the places in lists: `figures[3].mean` is `figures[].mean`.
fn general(path: &str) -> String {
    let mut parts = path.split('[');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("[]");
        text.push_str(part.split_once(']').map_or("", |part| part.1));
    }
    text
}

fn of_table(file: &str, table: &Table) -> Vec<Unchecked> {
    let columns: Vec<String> = table.columns().map(str::to_owned).collect();
    let mut all = Vec::new();
    for column in columns {
        let lines = table.unseen(&column);
        if lines.is_empty() {
            continue;
        }
        let mut one = Unchecked::part(file, &column);
        if lines.len() < table.len() {
            one.of = in_words(table, &lines);
            one.lines = Some(lines);
        }
        all.push(one);
    }
    // All columns in all lines are the file itself.
    match all.len() == table.columns().count() && all.iter().all(|one| one.lines.is_none()) {
        true => vec![Unchecked::whole(file)],
        false => all,
    }
}

/// Lines by the measures that they are of, if they are all lines of these.
fn in_words(table: &Table, lines: &[u64]) -> String {
    let measure = |line: usize| table.text(line, "measure");
    let named: BTreeSet<&str> = lines.iter().map(|&line| measure(line as usize - 2)).collect();
    let of_these = (0..table.len()).filter(|&line| named.contains(measure(line))).count();
    let word = |measure| if is_quantile(measure) { "quantiles" } else { measure };
    match table.has("measure") && of_these == lines.len() {
        true => {
            let words: BTreeSet<&str> = named.into_iter().map(word).collect();
            format!(" of {}", words.into_iter().collect::<Vec<_>>().join(", "))
        }
        false => format!(" in {} of {} lines", lines.len(), table.len()),
    }
}
