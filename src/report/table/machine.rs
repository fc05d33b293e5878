//! Tables for programs: every digit, in the shortest form that reads back the same.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{Cell, Column, Table};

struct Row<'a> {
    columns: &'a [Column],
    cells: &'a [Cell],
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.cells.len()))?;
        for (column, cell) in self.columns.iter().zip(self.cells) {
            map.serialize_entry(&column.name, cell.value())?;
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
            Cell::Number(number) | Cell::Error(number) | Cell::Share(number) => {
                serializer.serialize_f64(*number)
            }
            Cell::Flag(flag) => serializer.serialize_bool(*flag),
        }
    }
}

/// Serializes as an array with an object for each row.
impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(self.rows.len()))?;
        for cells in &self.rows {
            rows.serialize_element(&Row { columns: &self.columns, cells })?;
        }
        rows.end()
    }
}

/// A JSON array with a line for each row, without a final newline.
fn array(table: &Table, indent: &str) -> String {
    let line = |cells: &Vec<Cell>| {
        let row = Row { columns: &table.columns, cells };
        let text = serde_json::to_string(&row).expect("plain values serialize into memory");
        format!("{indent}  {text}")
    };
    if table.is_empty() {
        return "[]".to_owned();
    }
    let lines: Vec<String> = table.rows.iter().map(line).collect();
    format!("[\n{}\n{indent}]", lines.join(",\n"))
}

pub(super) fn one_json(table: &Table) -> String {
    array(table, "") + "\n"
}

/// Several tables as one JSON object, each an array under its name.
pub fn json(tables: &[Table]) -> String {
    let entry = |table: &Table| format!("  \"{}\": {}", table.name, array(table, "  "));
    let entries: Vec<String> = tables.iter().map(entry).collect();
    format!("{{\n{}\n}}\n", entries.join(",\n"))
}

pub(super) fn csv(table: &Table) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = table.columns.iter().map(|column| &*column.name);
    writer.write_record(names).expect("memory takes a line");
    for row in &table.rows {
        writer.write_record(row.iter().map(field)).expect("memory takes a line");
    }
    let bytes = writer.into_inner().expect("memory is flushed");
    String::from_utf8(bytes).expect("the fields are texts")
}

fn field(cell: &Cell) -> String {
    match cell.value() {
        Cell::Missing => String::new(),
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Number(number) | Cell::Error(number) | Cell::Share(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
    }
}
