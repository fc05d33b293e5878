//! Tables for programs: every digit, in the shortest form that reads back the same.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::column::Readers;
use super::{Cell, Column, ColumnOf, Table, described};

struct Row<'a> {
    columns: &'a [Column],
    /// Places of the columns that programs read.
    read: &'a [usize],
    cells: &'a [Cell],
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.read.len()))?;
        for &at in self.read {
            map.serialize_entry(&self.columns[at].name, self.cells[at].value())?;
        }
        map.end()
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Missing => serializer.serialize_none(),
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Count(count) => serializer.serialize_u64(*count),
            Cell::Number(number)
            | Cell::Time(number)
            | Cell::Error(number)
            | Cell::Share(number) => serializer.serialize_f64(*number),
            Cell::Ends(below, above) => [below, above].serialize(serializer),
            Cell::Flag(flag) => serializer.serialize_bool(*flag),
        }
    }
}

/// Serializes as an array with an object for each row.
impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.rows.len()))?;
        let read = &self.read_by(false);
        for cells in &self.rows {
            rows.serialize_element(&Row { columns: &self.columns, read, cells })?;
        }
        rows.end()
    }
}

/// A JSON array with a line for each row, without a final newline.
fn array(table: &Table, indent: &str) -> String {
    let read = &table.read_by(false);
    let line = |cells: &Vec<Cell>| {
        let row = Row { columns: &table.columns, read, cells };
        let text = serde_json::to_string(&row).expect("plain values serialize into memory");
        format!("{indent}  {text}")
    };
    if table.is_empty() {
        return "[]".to_owned();
    }
    let lines: Vec<String> = table.rows.iter().map(line).collect();
    format!("[\n{}\n{indent}]", lines.join(",\n"))
}

pub(crate) fn one_json(table: &Table) -> String {
    array(table, "") + "\n"
}

/// Several tables as one JSON object, each an array under its name.
pub fn json(tables: &[Table]) -> String {
    let entry = |table: &Table| format!("  \"{}\": {}", table.name, array(table, "  "));
    let entries: Vec<String> = tables.iter().map(entry).collect();
    format!("{{\n{}\n}}\n", entries.join(",\n"))
}

pub(crate) fn one_csv(table: &Table) -> String {
    let read = table.read_by(false);
    let names = read.iter().map(|&at| &*table.columns[at].name);
    let rows = table.rows.iter().map(|row| read.iter().map(|&at| field(&row[at])));
    String::from_utf8(written(names, rows)).expect("the fields are texts")
}

/// A CSV file of rows by their columns, of which none may be left out. Rows are written as they come,
/// and not kept.
pub fn csv<'a, R>(
    rows: impl IntoIterator<Item = R>,
    columns: impl IntoIterator<Item = ColumnOf<'a, R>>,
) -> Vec<u8> {
    let columns: Vec<ColumnOf<'_, R>> = columns.into_iter().collect();
    let heads = columns.iter().flat_map(|one| &one.heads);
    let read: Vec<bool> = heads.map(|one| one.readers != Readers::People).collect();
    let rows = rows.into_iter().map(|row| {
        let mut cells = Vec::with_capacity(read.len());
        columns.iter().for_each(|one| (one.cells)(&row, &mut cells));
        cells
            .iter()
            .zip(&read)
            .filter(|(_, read)| **read)
            .map(|(cell, _)| field(cell))
            .collect::<Vec<_>>()
    });
    written(described(&columns).iter().map(|(name, ..)| &**name), rows)
}

fn written<'a, F: IntoIterator<Item = String>>(
    names: impl IntoIterator<Item = &'a str>,
    rows: impl IntoIterator<Item = F>,
) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(names).expect("memory takes a line");
    for row in rows {
        writer.write_record(row).expect("memory takes a line");
    }
    writer.into_inner().expect("memory is flushed")
}

fn field(cell: &Cell) -> String {
    match cell.value() {
        Cell::Missing => String::new(),
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Number(number) | Cell::Time(number) | Cell::Error(number) | Cell::Share(number) => {
            number.to_string()
        }
        Cell::Ends(below, above) => format!("-{below} +{above}"),
        Cell::Flag(flag) => flag.to_string(),
    }
}
