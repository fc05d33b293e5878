//! Tables as Parquet files (Apache Parquet format, version 1): groups of rows, a page of each column in a
//! group, packed with gzip, and the places of all at the end, in Thrift's compact protocol.
//!
//! The crate `parquet` takes nearly a minute of processor time to build; of the format this needs one kind of
//! page and four structures.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::field::Kind;

/// Most rows of a group, which are in memory together.
const GROUP: usize = 1 << 16;

/// The number of a kind's physical type.
fn code(kind: Kind) -> i64 {
    match kind {
        Kind::Flag => 0,
        Kind::Whole => 2,
        Kind::Number => 5,
        Kind::Text => 6,
    }
}

/// Bits, eight to a byte, the first one lowest.
fn packed(bits: &[bool]) -> impl Iterator<Item = u8> {
    bits.chunks(8).map(|eight| eight.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit)))
}

/// A column of the group that is being filled.
#[derive(Debug)]
struct Column {
    name: String,
    kind: Kind,
    /// True for each row that has a value.
    has: Vec<bool>,
    values: Vec<u8>,
    flags: Vec<bool>,
}

/// A page that was written.
#[derive(Debug)]
struct Page {
    place: u64,
    rows: usize,
    /// Sizes before and after packing, with the head.
    sizes: [usize; 2],
}

/// A Parquet file that is being written.
#[derive(Debug)]
pub struct Parquet<W> {
    out: W,
    columns: Vec<Column>,
    /// Pages by group.
    groups: Vec<Vec<Page>>,
    place: u64,
}

impl<W: Write> Parquet<W> {
    /// A file without rows, of columns with their names and types.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn begin(
        mut out: W,
        columns: impl IntoIterator<Item = (String, Kind)>,
    ) -> io::Result<Parquet<W>> {
        out.write_all(b"PAR1")?;
        let column = |(name, kind)| Column {
            name,
            kind,
            has: Vec::new(),
            values: Vec::new(),
            flags: Vec::new(),
        };
        let columns = columns.into_iter().map(column).collect();
        Ok(Parquet { out, columns, groups: Vec::new(), place: 4 })
    }

    /// Adds a row, a cell for each column.
    ///
    /// # Errors
    /// What cannot be written, and a cell that is not of its column's type.
    pub fn row<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) -> io::Result<()> {
        let wrong = |cell: &str| io::Error::other(format!("`{cell}` is not of its column's type"));
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.has.push(!cell.is_empty());
            match column.kind {
                _ if cell.is_empty() => {}
                Kind::Flag => match cell {
                    "1" | "true" => column.flags.push(true),
                    "0" | "false" => column.flags.push(false),
                    _ => return Err(wrong(cell)),
                },
                Kind::Whole => {
                    let value: i64 = cell.parse().map_err(|_| wrong(cell))?;
                    column.values.extend(value.to_le_bytes());
                }
                Kind::Number => {
                    let value: f64 = cell.parse().map_err(|_| wrong(cell))?;
                    column.values.extend(value.to_le_bytes());
                }
                Kind::Text => {
                    column.values.extend((cell.len() as u32).to_le_bytes());
                    column.values.extend(cell.as_bytes());
                }
            }
        }
        let is_full = self.columns.first().is_some_and(|column| column.has.len() >= GROUP);
        if is_full { self.group() } else { Ok(()) }
    }

    /// Writes the rows that are in memory as a group.
    fn group(&mut self) -> io::Result<()> {
        let mut pages = Vec::new();
        for column in &mut self.columns {
            // Which rows have a value: one run of bits, eight to a byte, behind its length.
            let mut bits = thrift::varint((column.has.len().div_ceil(8) as u64) << 1 | 1);
            bits.extend(packed(&column.has));
            let mut page = (bits.len() as u32).to_le_bytes().to_vec();
            page.extend(bits);
            page.append(&mut column.values);
            page.extend(packed(&column.flags));
            column.flags.clear();
            let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
            gzip.write_all(&page)?;
            let packed = gzip.finish()?;
            let rows = column.has.len();
            let data = thrift::structure([(1, whole(rows)), (2, int(0)), (3, int(3)), (4, int(3))]);
            let fields = [(1, int(0)), (2, whole(page.len())), (3, whole(packed.len())), (5, data)];
            let head = thrift::structure(fields).1;
            self.out.write_all(&head)?;
            self.out.write_all(&packed)?;
            let sizes = [page.len() + head.len(), packed.len() + head.len()];
            pages.push(Page { place: self.place, rows, sizes });
            self.place += sizes[1] as u64;
            column.has.clear();
        }
        self.groups.push(pages);
        Ok(())
    }

    /// Writes the last group and the places of all.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn end(mut self) -> io::Result<()> {
        if self.columns.iter().any(|column| !column.has.is_empty()) {
            self.group()?;
        }
        let root = thrift::structure([(4, text("table")), (5, whole(self.columns.len()))]);
        let schema = self.columns.iter().map(|column| {
            let is_text = column.kind == Kind::Text;
            let utf8 = is_text.then(|| (6, int(0)));
            let fields = [(1, int(code(column.kind))), (3, int(1)), (4, text(&column.name))];
            thrift::structure(fields.into_iter().chain(utf8))
        });
        let schema = thrift::list(std::iter::once(root).chain(schema).collect());
        let chunk = |(page, column): (&Page, &Column)| {
            let place = thrift::long(page.place as i64);
            let [plain, packed] = page.sizes.map(|size| thrift::long(size as i64));
            let data = thrift::structure([
                (1, int(code(column.kind))),
                (2, thrift::list(vec![int(0), int(3)])),
                (3, thrift::list(vec![text(&column.name)])),
                (4, int(2)),
                (5, thrift::long(page.rows as i64)),
                (6, plain),
                (7, packed),
                (9, place.clone()),
            ]);
            thrift::structure([(2, place), (3, data)])
        };
        let group = |pages: &Vec<Page>| {
            let size: usize = pages.iter().map(|page| page.sizes[0]).sum();
            let chunks = pages.iter().zip(&self.columns).map(chunk).collect();
            let rows = pages.first().map_or(0, |page| page.rows);
            let [size, rows] = [size, rows].map(|one| thrift::long(one as i64));
            thrift::structure([(1, thrift::list(chunks)), (2, size), (3, rows)])
        };
        let rows = self.groups.iter().filter_map(|pages| Some(pages.first()?.rows as i64)).sum();
        let groups = thrift::list(self.groups.iter().map(group).collect());
        let by = concat!("gridpact ", env!("CARGO_PKG_VERSION"));
        let foot = thrift::structure([
            (1, int(1)),
            (2, schema),
            (3, thrift::long(rows)),
            (4, groups),
            (6, text(by)),
        ]);
        self.out.write_all(&foot.1)?;
        self.out.write_all(&(foot.1.len() as u32).to_le_bytes())?;
        self.out.write_all(b"PAR1")?;
        self.out.flush()
    }
}

fn int(value: i64) -> thrift::Value {
    thrift::int(value)
}

fn whole(value: usize) -> thrift::Value {
    thrift::int(value as i64)
}

fn text(value: &str) -> thrift::Value {
    thrift::text(value)
}

/// Thrift's compact protocol.
mod thrift {
    /// A value: the number of its type, and its bytes.
    pub(super) type Value = (u8, Vec<u8>);

    /// An unsigned number, seven bits to a byte, the lowest first.
    pub(super) fn varint(mut value: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    }

    /// A number whose sign is its lowest bit.
    fn zigzag(value: i64) -> Vec<u8> {
        varint((value << 1 ^ value >> 63) as u64)
    }

    /// A number of 32 bits.
    pub(super) fn int(value: i64) -> Value {
        (5, zigzag(value))
    }

    /// A number of 64 bits.
    pub(super) fn long(value: i64) -> Value {
        (6, zigzag(value))
    }

    pub(super) fn text(value: &str) -> Value {
        (8, [varint(value.len() as u64), value.as_bytes().to_vec()].concat())
    }

    /// Values of one type.
    pub(super) fn list(values: Vec<Value>) -> Value {
        let kind = values.first().map_or(12, |one| one.0);
        let mut bytes = match values.len() {
            few @ 0..15 => vec![(few as u8) << 4 | kind],
            many => [vec![0xf0 | kind], varint(many as u64)].concat(),
        };
        values.into_iter().for_each(|(_, value)| bytes.extend(value));
        (9, bytes)
    }

    /// Fields with their numbers, rising by less than 16.
    pub(super) fn structure(fields: impl IntoIterator<Item = (u8, Value)>) -> Value {
        let (mut bytes, mut last) = (Vec::new(), 0);
        for (number, (kind, value)) in fields {
            bytes.push((number - last) << 4 | kind);
            bytes.extend(value);
            last = number;
        }
        bytes.push(0);
        (12, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the protocol's own description: 300 is `ac 02`, and -1 is 1.
    #[test]
    fn numbers_are_as_the_protocol_has_them() {
        assert_eq!(thrift::varint(300), [0xac, 0x02]);
        assert_eq!(thrift::int(-1), (5, vec![1]));
        assert_eq!(thrift::int(1), (5, vec![2]));
        assert_eq!(
            thrift::structure([(1, thrift::int(1)), (4, thrift::text("a"))]).1,
            [0x15, 2, 0x38, 1, b'a', 0]
        );
    }

    /// A cell that its column cannot have is an error, and the places of the end are behind the pages.
    #[test]
    fn a_file_begins_and_ends_with_its_name() {
        let mut file = Vec::new();
        let columns = [("id".to_owned(), Kind::Whole), ("name".to_owned(), Kind::Text)];
        let mut parquet = Parquet::begin(&mut file, columns).unwrap();
        parquet.row(["1", "a"]).unwrap();
        parquet.row(["", "b"]).unwrap();
        assert!(parquet.row(["x", "c"]).is_err());
        assert_eq!(packed(&[true, false, true]).collect::<Vec<_>>(), [0b101]);
        let mut file = Vec::new();
        Parquet::begin(&mut file, [("id".to_owned(), Kind::Whole)]).unwrap().end().unwrap();
        assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
        let length = u32::from_le_bytes(file[file.len() - 8..][..4].try_into().unwrap());
        assert_eq!(length as usize, file.len() - 12);
    }
}
