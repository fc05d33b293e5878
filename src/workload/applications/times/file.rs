//! Expected times listed in a CSV file with the columns `class`, `site` and `time`.
//!
//! Each class has a row for each site; the time `never` says that it cannot run there. Classes are
//! those of an application, in the order of their first rows: all applications have the same.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::Rows;
use crate::decimal;
use crate::opened::{self, Lines};
use crate::values::ValuesError;
use kernel::time::Span;
use model::bounds::parameters;

/// Size of the longest file read, in bytes.
const MOST_BYTES: u64 = 256 << 20;
/// Longest time, in ticks: 10^9 units.
const LONGEST: i64 = 1_000_000_000_000_000;
/// The time of a class on a site where it cannot run.
const NEVER: &str = "never";
/// The columns.
const COLUMNS: [&str; 3] = ["class", "site", "time"];

parameters! {
    /// Times listed in a file.
    #[derive(Eq)]
    pub struct Options {
        /// A CSV file with the columns `class`, `site` and `time`, in units or `never`. Relative to
        /// the scenario file.
        path: PathBuf = PathBuf::new(),
    }
}

/// The times of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Names of the classes.
    classes: Vec<String>,
    /// Times by class and site; [`Span::MAX`] for never.
    times: Vec<Span>,
    sites: usize,
    digest: blake3::Hash,
}

impl Table {
    /// Returns the names of the classes.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Returns the digest of the file.
    pub fn digest(&self) -> blake3::Hash {
        self.digest
    }

    pub(super) fn begin(&self, sites: usize) -> Listed<'_> {
        Listed { table: self, sites }
    }
}

/// The matrix of one replication, row by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'a> {
    table: &'a Table,
    sites: usize,
}

impl Rows for Listed<'_> {
    fn row(&mut self, place: usize, times: &mut Vec<Span>) {
        let end = times.len() + self.sites;
        let row = self.table.times.chunks_exact(self.table.sites.max(1)).nth(place);
        times.extend(row.unwrap_or_default().iter().take(self.sites));
        times.resize(end, Span::MAX);
    }
}

/// Reads the times of a file; `sites` are the names that it may give to sites.
///
/// # Errors
/// A file that cannot be read, an invalid row or one given twice, a missing row, or a class that can
/// run nowhere.
pub fn read(file: &Path, sites: &[&str]) -> Result<Table, ValuesError> {
    let failed = |error| ValuesError::Read { file: file.to_owned(), error };
    let mut bytes = Vec::new();
    let opened = opened::open(file).map_err(failed)?;
    opened.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    let parsed = if bytes.len() as u64 > MOST_BYTES {
        Err((0, format!("it is longer than {} MB", MOST_BYTES >> 20)))
    } else {
        parse(&bytes, sites)
    };
    let digest = blake3::hash(&bytes);
    match parsed {
        Ok((classes, times)) => Ok(Table { classes, times, sites: sites.len(), digest }),
        Err((0, message)) => Err(ValuesError::Whole { file: file.to_owned(), message }),
        Err((line, message)) => Err(ValuesError::Line { file: file.to_owned(), line, message }),
    }
}

/// The problem with a text, and its line; 0 for the whole of it.
type Wrong = (usize, String);

/// Parses the rows of a text.
fn parse(bytes: &[u8], sites: &[&str]) -> Result<(Vec<String>, Vec<Span>), Wrong> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut builder = csv::ReaderBuilder::new();
    let builder = builder.trim(csv::Trim::All).comment(Some(b'#'));
    let mut reader = builder.from_reader(Lines::of(bytes));
    let header = reader.headers().map_err(|_| unreadable(1))?.clone();
    let mut places = [0; 3];
    for (place, name) in places.iter_mut().zip(COLUMNS) {
        *place = header.iter().position(|column| column == name).ok_or_else(|| {
            (1, format!("there is no column `{name}`; the first line is `class,site,time`"))
        })?;
    }
    let mut classes: Vec<String> = Vec::new();
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    let mut times: Vec<Option<Span>> = Vec::new();
    let mut record = csv::StringRecord::new();
    loop {
        let read = reader.read_record(&mut record);
        let line = opened::line(&reader, record.as_byte_record()) as usize;
        if !read.map_err(|_| unreadable(line))? {
            break;
        }
        let [class, site, time] = places.map(|place| record.get(place).unwrap_or_default());
        let wrong = |message: String| (line, message);
        if class.is_empty() {
            return Err(wrong("the class has no name".to_owned()));
        }
        let site = sites.iter().position(|&name| name == site).ok_or_else(|| {
            wrong(format!("there is no site `{site}`; they are {}", sites.join(", ")))
        })?;
        let class = *numbers.entry(class.to_owned()).or_insert_with(|| {
            classes.push(class.to_owned());
            times.resize(classes.len() * sites.len(), None);
            classes.len() - 1
        });
        let place = &mut times[class * sites.len() + site];
        if place.is_some() {
            let (class, site) = (&classes[class], sites[site]);
            return Err(wrong(format!("class `{class}` has two times on site `{site}`")));
        }
        *place = Some(time_of(time).map_err(wrong)?);
    }
    complete(classes, &times, sites)
}

/// Parses a time.
fn time_of(text: &str) -> Result<Span, String> {
    if text == NEVER {
        return Ok(Span::MAX);
    }
    match decimal::ticks(text.as_bytes()) {
        Ok(ticks @ 1..=LONGEST) => Ok(Span::from_ticks(ticks)),
        _ => Err(format!("`{text}` is not a time; give units from 10^-6 to 10^9, or `{NEVER}`")),
    }
}

/// Checks that each class has a time on each site and can run on one.
fn complete(
    classes: Vec<String>,
    times: &[Option<Span>],
    sites: &[&str],
) -> Result<(Vec<String>, Vec<Span>), Wrong> {
    if classes.is_empty() {
        return Err((0, "there is no time in it".to_owned()));
    }
    let mut all = Vec::with_capacity(times.len());
    for (class, row) in classes.iter().zip(times.chunks_exact(sites.len().max(1))) {
        for (time, site) in row.iter().zip(sites) {
            let missing = || {
                let message = format!("class `{class}` has no time on site `{site}`");
                (0, format!("{message}; write `{NEVER}` if it cannot run there"))
            };
            all.push(time.ok_or_else(missing)?);
        }
        if all[all.len() - row.len()..].iter().all(|&time| time == Span::MAX) {
            return Err((0, format!("class `{class}` can run nowhere")));
        }
    }
    Ok((classes, all))
}

fn unreadable(line: usize) -> Wrong {
    (line, "this is not a row of three columns in UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITES: [&str; 2] = ["tower", "farm"];

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = match parse(text.as_bytes(), &SITES) {
            Ok((classes, times)) => {
                let times = times.iter().map(|&time| match time {
                    Span::MAX => NEVER.to_owned(),
                    time => time.to_string(),
                });
                format!("{} {}", classes.join(" "), times.collect::<Vec<_>>().join(" "))
            }
            Err((line, message)) => format!("{line}: {message}"),
        };
        assert!(found.starts_with(expected), "{found}");
    }

    #[test]
    fn times_are_read_exactly_in_any_order() {
        check("class,site,time\na,tower,2\na,farm,0.5\n", "a 2 0.5");
        let text = "# measured\ntime, class, site\n1,b,farm\nnever,a,tower\n3,a,farm\n7,b,tower\n";
        check(text, "b a 7 1 never 3");
    }

    #[test]
    fn rows_that_do_not_fit_are_named() {
        let row = |row: &str| format!("class,site,time\na,tower,2\n{row}\n");
        check(&row("a,farm"), "3: this is not a row");
        check(&row("\na,farm").replace('\n', "\r\n"), "4: this is not a row");
        check(&row("a,moon,1"), "3: there is no site `moon`; they are tower, farm");
        check(&row("a,tower,1"), "3: class `a` has two times on site `tower`");
        check(&row("a,farm,0"), "3: `0` is not a time");
        check(&row("a,farm,-1"), "3: `-1` is not a time");
        check(&row("a,farm,1e10"), "3: `1e10` is not a time");
        check(&row(",farm,1"), "3: the class has no name");
        check("class,time\na,1\n", "1: there is no column `site`");
        check("class,site,time\n", "0: there is no time in it");
        check("", "1: there is no column `class`");
        check("class,site,time\na,tower,1\n", "0: class `a` has no time on site `farm`");
        check("class,site,time\na,tower,never\na,farm,never\n", "0: class `a` can run nowhere");
    }

    #[test]
    fn a_file_that_is_missing_is_unreadable() {
        let missing = read(Path::new("no/such/file"), &SITES).unwrap_err();
        assert!(missing.is_unreadable());
    }
}
