//! Reads records back from a results folder, in any form.
//!
//! A kind of records is in one file or in many, plain or compressed; [`Rows`] yields their lines
//! one by one as if they were in one file. Nothing is kept of lines already read.

use std::cell::Cell;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::vec;

use csv::StringRecord;
use flate2::bufread::MultiGzDecoder;

use super::field::Field;
use super::files::{FileError, open_regular};
use super::packed::name::{Name, PACKED};
use super::packed::unpacked::is_as_packed;

/// First bytes of a gzip file.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Error when reading records.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// A file is missing or cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The content is not what a run writes.
    #[error("{}: {message}", path.display())]
    Content {
        /// Path of the file.
        path: PathBuf,
        /// Description of the problem.
        message: String,
    },
}

/// Opens a file; its first bytes tell if it is compressed.
///
/// # Errors If it cannot be opened or read.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    let mut file = BufReader::with_capacity(1 << 16, open_regular(path)?);
    Ok(if file.fill_buf()?.starts_with(GZIP) {
        Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
}

/// BLAKE3 digest of a file's content.
///
/// `None` if it is compressed in a way that neither a run nor `gzip` does it.
///
/// # Errors If it cannot be opened or read, or is damaged.
pub fn digest(path: &Path) -> io::Result<Option<blake3::Hash>> {
    let mut hasher = blake3::Hasher::new();
    let mut file = BufReader::with_capacity(1 << 16, open_regular(path)?);
    if file.fill_buf()?.starts_with(GZIP) {
        let is_right = is_as_packed(file, |lines| {
            hasher.update(lines);
        })?;
        return Ok(is_right.then(|| hasher.finalize()));
    }
    hasher.update_reader(file)?;
    Ok(Some(hasher.finalize()))
}

/// True if the error means that a compressed file is damaged.
pub fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

/// Path of the file with this content: the plain name, or the compressed file if only that exists.
pub fn located(folder: &Path, name: &str) -> PathBuf {
    let (plain, packed) = (folder.join(name), folder.join(format!("{name}{PACKED}")));
    if !plain.exists() && packed.exists() { packed } else { plain }
}

/// Names that belong to a kind of records, in the order of their lines.
pub fn of_kind<'a>(kind: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<Name> {
    let names = names.into_iter().filter_map(Name::of).filter(|name| name.kind == kind);
    let mut names: Vec<Name> = names.collect();
    names.sort();
    names.dedup();
    names
}

/// A boxed reader is fine: reads are large, so dynamic dispatch costs nothing.
type Reader = csv::Reader<Box<dyn BufRead + Send>>;

/// Rows of several files, one file after the other.
pub struct Rows {
    files: vec::IntoIter<PathBuf>,
    path: PathBuf,
    reader: Reader,
    columns: StringRecord,
    layout: Layout,
    record: StringRecord,
    line: u64,
    number: u64,
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Fields of the row.
    pub record: &'a StringRecord,
    /// Column names.
    pub columns: &'a StringRecord,
    /// File that it is in.
    pub path: &'a Path,
    /// Line number in the file; the header is line 1.
    pub line: u64,
    /// Line number if all files were one, with one header.
    pub number: u64,
    /// Tells if the columns are those last asked for.
    pub layout: &'a Layout,
}

/// Names of columns, by their address, and whether the columns of a file begin with them. Saves
/// comparing the names for each row.
#[derive(Debug, Default)]
pub struct Layout(Cell<(usize, bool)>);

impl Rows {
    /// Rows of a kind of records, in the files of a folder that a manifest lists.
    ///
    /// If `names` has none of this kind, the file with the kind's own name is tried.
    ///
    /// # Errors If the first file cannot be read or has no header.
    pub fn named<'a>(
        folder: &Path,
        kind: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Rows, RecordedError> {
        let mut names = of_kind(kind, names);
        if names.is_empty() {
            names.push(Name::single(kind));
        }
        let files = names.iter().map(|name| located(folder, &name.to_string()));
        Rows::of(files.collect())
    }

    /// Rows of a kind of records, in the files that exist in a folder.
    ///
    /// # Errors As above, and if the folder cannot be read.
    pub fn found(folder: &Path, kind: &str) -> Result<Rows, RecordedError> {
        let entries = fs::read_dir(folder).map_err(FileError::of(folder))?;
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let names: io::Result<Vec<String>> = names.collect();
        let names = names.map_err(FileError::of(folder))?;
        Rows::named(folder, kind, names.iter().map(String::as_str))
    }

    /// Rows of these files, of which there must be at least one.
    ///
    /// # Errors If the first cannot be read or has no header.
    pub fn of(files: Vec<PathBuf>) -> Result<Rows, RecordedError> {
        let mut files = files.into_iter();
        let path = files.next().unwrap_or_default();
        let begun = begin(&path)?;
        Ok(Rows::begun(files, path, begun))
    }

    /// Rows of a CSV text.
    ///
    /// # Errors If it has no header.
    pub fn of_text(text: Vec<u8>) -> Result<Rows, RecordedError> {
        let path = PathBuf::from("text");
        let begun = header(&path, Box::new(io::Cursor::new(text)))?;
        Ok(Rows::begun(Vec::new().into_iter(), path, begun))
    }

    fn begun(
        files: vec::IntoIter<PathBuf>,
        path: PathBuf,
        (reader, columns): (Reader, StringRecord),
    ) -> Rows {
        let (record, layout) = (StringRecord::new(), Layout::default());
        Rows { files, path, reader, columns, layout, record, line: 1, number: 1 }
    }

    /// Column names.
    pub fn columns(&self) -> &StringRecord {
        &self.columns
    }

    /// The next row; `None` at the end of the last file.
    ///
    /// # Errors If it cannot be read, or if a file has other columns than the first.
    pub fn read(&mut self) -> Result<Option<Row<'_>>, RecordedError> {
        while !self.reader.read_record(&mut self.record).map_err(wrong(&self.path))? {
            let Some(path) = self.files.next() else { return Ok(None) };
            let (reader, columns) = begin(&path)?;
            if columns != self.columns {
                let first = self.path.file_name().unwrap_or_default().display();
                let message = format!("its columns are not those of {first}");
                return Err(RecordedError::Content { path, message });
            }
            (self.path, self.reader, self.line) = (path, reader, 1);
        }
        self.line += 1;
        self.number += 1;
        let Rows { record, columns, path, line, number, layout, .. } = self;
        Ok(Some(Row { record, columns, path, line: *line, number: *number, layout }))
    }
}

impl<'a> Row<'a> {
    /// The value in a column.
    ///
    /// # Errors
    /// If there is no such column, or if it has something else in it.
    pub fn get<T: Field<'a>>(&self, column: &str) -> Result<T, RecordedError> {
        self.field(0, column)
    }

    /// True if there is such a column.
    pub(super) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|name| name == column)
    }

    /// True if the columns begin with these.
    pub fn begins(&self, names: &'static [&'static str]) -> bool {
        let address = names.as_ptr() as usize;
        let (known, begins) = self.layout.0.get();
        if known == address {
            return begins;
        }
        let begins = names.iter().zip(self.columns).filter(|(one, other)| *one == other).count();
        self.layout.0.set((address, begins == names.len()));
        begins == names.len()
    }

    /// The same as [`get`](Row::get), where the column is at this place if `is_there`.
    #[inline]
    pub fn field_at<T: Field<'a>>(
        &self,
        is_there: bool,
        place: usize,
        column: &str,
    ) -> Result<T, RecordedError> {
        match self.record.get(place).filter(|_| is_there).and_then(T::parse) {
            Some(value) => Ok(value),
            None => self.field(place, column),
        }
    }

    /// The same, where the column is probably at this place.
    pub(super) fn field<T: Field<'a>>(
        &self,
        place: usize,
        column: &str,
    ) -> Result<T, RecordedError> {
        let place = match self.columns.get(place) {
            Some(name) if name == column => Some(place),
            _ => self.columns.iter().position(|name| name == column),
        };
        let text = place.and_then(|place| self.record.get(place));
        let text = text.ok_or_else(|| RecordedError::Content {
            path: self.path.to_owned(),
            message: format!("there is no column `{column}`"),
        })?;
        T::parse(text).ok_or_else(|| self.wrong(column, text, T::FORM))
    }

    /// The error that a column has `found` in it, and not what is expected.
    pub fn wrong(&self, column: &str, found: &str, expected: &str) -> RecordedError {
        let message = format!("line {}: {column} is `{found}`, not {expected}", self.line);
        RecordedError::Content { path: self.path.to_owned(), message }
    }
}

fn begin(path: &Path) -> Result<(Reader, StringRecord), RecordedError> {
    header(path, open(path).map_err(FileError::of(path))?)
}

fn header(
    path: &Path,
    text: Box<dyn BufRead + Send>,
) -> Result<(Reader, StringRecord), RecordedError> {
    let mut reader = csv::Reader::from_reader(text);
    let columns = reader.headers().map_err(wrong(path))?.clone();
    Ok((reader, columns))
}

fn wrong(path: &Path) -> impl FnOnce(csv::Error) -> RecordedError {
    let path = path.to_owned();
    move |error| {
        let message = format!("not the CSV file that a run writes: {error}");
        RecordedError::Content { path, message }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn packed(text: &str) -> Vec<u8> {
        // Two gzip members.
        let halves = text.split_at(text.len() / 2);
        let mut bytes = Vec::new();
        for half in [halves.0, halves.1] {
            let mut packer = flate2::write::GzEncoder::new(&mut bytes, Default::default());
            packer.write_all(half.as_bytes()).unwrap();
        }
        bytes
    }

    fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        folder
    }

    fn read(mut rows: Rows) -> Result<Vec<String>, RecordedError> {
        let mut found = Vec::new();
        while let Some(row) = rows.read()? {
            let file = row.path.file_name().unwrap().display();
            let fields: Vec<&str> = row.record.iter().collect();
            found.push(format!("{file} {} {}: {}", row.line, row.number, fields.join(" ")));
        }
        Ok(found)
    }

    #[test]
    fn lines_of_many_files_come_in_their_order() {
        let folder = folder(&[
            ("jobs-r0001-000001.csv.gz", &packed("a,b\n5,6\n")),
            ("jobs-r0000-000002.csv", b"a,b\n3,4\n"),
            ("jobs-r0000-000010.csv", b"a,b\n"),
            ("jobs-r0000-000001.csv.gz", &packed("a,b\n1,2\n\"x\ny\",2\n")),
            ("jobs.txt", b"not one of them"),
            ("jobs-2026.csv", b"neither is this"),
            ("rounds-r0000-000001.csv", b"a,b\n9,9\n"),
        ]);
        let rows = Rows::found(folder.path(), "jobs").unwrap();
        assert_eq!(rows.columns(), vec!["a", "b"]);
        let wanted = [
            "jobs-r0000-000001.csv.gz 2 2: 1 2",
            "jobs-r0000-000001.csv.gz 3 3: x\ny 2",
            "jobs-r0000-000002.csv 2 4: 3 4",
            "jobs-r0001-000001.csv.gz 2 5: 5 6",
        ];
        assert_eq!(read(rows).unwrap(), wanted);
    }

    #[test]
    fn a_file_that_was_unpacked_stands_for_the_packed_one() {
        let folder = folder(&[("jobs.csv.gz", &packed("a\n1\n"))]);
        let rows = || Rows::named(folder.path(), "jobs", ["jobs.csv", "summary.json"]).unwrap();
        assert_eq!(read(rows()).unwrap(), ["jobs.csv.gz 2 2: 1"]);
        fs::write(folder.path().join("jobs.csv"), "a\n1\n").unwrap();
        assert_eq!(read(rows()).unwrap(), ["jobs.csv 2 2: 1"]);
    }

    #[test]
    fn what_is_damaged_or_missing_is_said() {
        let whole = packed("a\n1\n2\n");
        let folder = folder(&[
            ("jobs.csv.gz", &whole[..whole.len() - 3]),
            ("moves-r0000-000001.csv", b"a,b\n1,2\n"),
            ("moves-r0000-000002.csv", b"a,c\n1,2\n"),
        ]);
        let said = |kind| {
            let found = Rows::found(folder.path(), kind).and_then(read);
            found.unwrap_err().to_string().replace(&*folder.path().to_string_lossy(), "")
        };
        assert!(said("jobs").starts_with("/jobs.csv.gz: not the CSV file that a run writes: "));
        let columns =
            "/moves-r0000-000002.csv: its columns are not those of moves-r0000-000001.csv";
        assert_eq!(said("moves"), columns);
        assert!(said("rounds").starts_with("/rounds.csv: No such file"), "{}", said("rounds"));
    }
}
