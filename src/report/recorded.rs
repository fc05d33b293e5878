//! Records read back from a results folder, in whatever form they were written.
//!
//! A kind of records is one file or many, plain or packed; [`Rows`] gives their lines one by one as
//! if they stood in one file. Nothing is kept of a line that was read.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::vec;

use csv::StringRecord;
use flate2::bufread::MultiGzDecoder;

use super::files::FileError;
use super::packed::name::{Name, PACKED};

/// What a packed file begins with.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Why records could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// A file is missing or cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file is not what a run writes.
    #[error("{}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

/// The content of a file; whether it is packed is seen from its first bytes.
///
/// # Errors
/// When it cannot be opened or read.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    Ok(if file.fill_buf()?.starts_with(GZIP) {
        Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
}

/// True of an error that says of a packed file that it was damaged.
pub fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

/// Where the file with this content is: under its name, or else packed, if that is there.
pub fn located(folder: &Path, name: &str) -> PathBuf {
    let (plain, packed) = (folder.join(name), folder.join(format!("{name}{PACKED}")));
    if !plain.exists() && packed.exists() { packed } else { plain }
}

/// Those of some names that are files of a kind of records, in the order of their lines.
pub fn of_kind<'a>(kind: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<Name> {
    let names = names.into_iter().filter_map(Name::of).filter(|name| name.kind == kind);
    let mut names: Vec<Name> = names.collect();
    names.sort();
    names.dedup();
    names
}

/// Large reads only: a call through a pointer costs nothing.
type Reader = csv::Reader<Box<dyn BufRead + Send>>;

/// The lines of some files, one behind the other.
pub struct Rows {
    files: vec::IntoIter<PathBuf>,
    path: PathBuf,
    reader: Reader,
    columns: StringRecord,
    record: StringRecord,
    line: u64,
    number: u64,
}

/// A line.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Its fields.
    pub record: &'a StringRecord,
    /// The file in which it stands.
    pub path: &'a Path,
    /// The line of the file; the header is line 1.
    pub line: u64,
    /// The same if all files were one, with one header.
    pub number: u64,
}

impl Rows {
    /// The lines of a kind of records that a manifest's `names` say are in a folder. Without any,
    /// it is looked for under its own name.
    ///
    /// # Errors
    /// When the first file cannot be read, or has no header.
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

    /// The lines of a kind of records, by the names of the files that are in a folder.
    ///
    /// # Errors
    /// As above, and when the folder cannot be read.
    pub fn found(folder: &Path, kind: &str) -> Result<Rows, RecordedError> {
        let entries = fs::read_dir(folder).map_err(FileError::of(folder))?;
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        let names: io::Result<Vec<String>> = names.collect();
        let names = names.map_err(FileError::of(folder))?;
        Rows::named(folder, kind, names.iter().map(String::as_str))
    }

    /// The lines of some files, of which there is at least one.
    ///
    /// # Errors
    /// When the first cannot be read, or has no header.
    pub fn of(files: Vec<PathBuf>) -> Result<Rows, RecordedError> {
        let mut files = files.into_iter();
        let path = files.next().unwrap_or_default();
        let (reader, columns) = begin(&path)?;
        let record = StringRecord::new();
        Ok(Rows { files, path, reader, columns, record, line: 1, number: 1 })
    }

    /// The names of the columns.
    pub fn columns(&self) -> &StringRecord {
        &self.columns
    }

    /// The next line; none at the end of the last file.
    ///
    /// # Errors
    /// When it cannot be read, or a file has other columns than the first.
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
        let Rows { record, path, line, number, .. } = self;
        Ok(Some(Row { record, path, line: *line, number: *number }))
    }
}

fn begin(path: &Path) -> Result<(Reader, StringRecord), RecordedError> {
    let mut reader = csv::Reader::from_reader(open(path).map_err(FileError::of(path))?);
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
        // Two members.
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
