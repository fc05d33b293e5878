//! Tables of a results folder as typed columns.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCFunction, PyDict, PyList, PyTuple};
use records::field::Kind;
use records::recorded::{RecordedError, Rows};
use report::files::columns;

use crate::arrow::Stream;
use crate::column::{Column, Texts, Values};

/// A table.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: usize,
}

/// Reads a table of a folder: `table(folder, name, world)`, where `name` is that of its files without
/// `.csv`.
///
/// Returns the names and types of the columns, the number of rows, a function that returns the first
/// values of a column by its place and their number, and a function that returns the table as an Arrow stream.
pub(crate) fn of_folder(arguments: &Bound<'_, PyTuple>) -> PyResult<Py<PyTuple>> {
    let folder: PathBuf = arguments.get_item(0)?.extract()?;
    let name: String = arguments.get_item(1)?.extract()?;
    let world: String = arguments.get_item(2)?.extract()?;
    let mut files = columns::all();
    // A federation is a coalition whose jobs are a grid's.
    files.retain(|file| file.stem() == name);
    files.sort_by_key(|file| file.world != world);
    let kind = |name: &str| {
        let mut columns = files.iter().flat_map(|file| &file.columns);
        columns.find(|(one, ..)| one == name).map(|&(_, _, kind)| kind)
    };
    let read = arguments.py().detach(|| read(Rows::found(&folder, &name)?, kind));
    shown(arguments.py(), read)
}

/// Reads a table from a CSV text: `parsed(bytes)`; returns the same as [`of_folder`].
pub(crate) fn of_text(arguments: &Bound<'_, PyTuple>) -> PyResult<Py<PyTuple>> {
    let text: Vec<u8> = arguments.get_item(0)?.extract()?;
    shown(arguments.py(), Rows::of_text(text).and_then(|rows| read(rows, |_| None)))
}

fn read(mut rows: Rows, kind: impl Fn(&str) -> Option<Kind>) -> Result<Table, RecordedError> {
    let names: Vec<String> = rows.columns().iter().map(str::to_owned).collect();
    let mut fields: Vec<Texts> = names.iter().map(|_| Texts::default()).collect();
    let mut count = 0;
    while let Some(row) = rows.read()? {
        fields.iter_mut().zip(row.record).for_each(|(fields, field)| fields.push(field));
        count += 1;
    }
    let columns = names.into_iter().zip(fields);
    let columns = columns.map(|(name, fields)| {
        let kind = kind(&name);
        Column::new(name, kind, fields)
    });
    let columns = columns.collect();
    Ok(Table { columns, rows: count })
}

fn shown(py: Python<'_>, read: Result<Table, RecordedError>) -> PyResult<Py<PyTuple>> {
    let table = Arc::new(read.map_err(|error| match error {
        RecordedError::File(_) => PyOSError::new_err(error.to_string()),
        content @ RecordedError::Content { .. } => PyValueError::new_err(content.to_string()),
    })?);
    let named = |column: &Column| (column.name.clone(), word(column.kind()));
    let named: Vec<(String, &str)> = table.columns.iter().map(named).collect();
    let of = Arc::clone(&table);
    let column = move |arguments: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        let place: usize = arguments.get_item(0)?.extract()?;
        let count: usize = arguments.get_item(1)?.extract()?;
        let column = of.columns.get(place);
        let column = column.ok_or_else(|| PyValueError::new_err("there is no such column"))?;
        values(arguments.py(), column, count)
    };
    let column = PyCFunction::new_closure(py, Some(c"column"), None, column)?;
    let of = Arc::clone(&table);
    let stream = move |arguments: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        Stream::new(Arc::clone(&of)).capsule(arguments.py())
    };
    let stream = PyCFunction::new_closure(py, Some(c"stream"), None, stream)?;
    Ok((named, table.rows, column, stream).into_pyobject(py)?.unbind())
}

/// Names of types, as numpy calls them.
fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Flag => "bool",
        Kind::Whole => "int64",
        Kind::Number => "float64",
        Kind::Text => "str",
    }
}

/// The first values of a column, and a byte for each that is 0 if it is missing, or None if all are there.
///
/// The values are bytes as numpy holds them, or a list of texts.
fn values(py: Python<'_>, column: &Column, count: usize) -> PyResult<Py<PyAny>> {
    let bytes = |bytes: Vec<u8>| PyBytes::new(py, &bytes);
    let present = column.present.as_ref().map(|bits| bytes(bits.unpacked().take(count).collect()));
    let all = match &column.values {
        Values::Flag(flags) => bytes(flags.unpacked().take(count).collect()).into_any(),
        Values::Whole(all) => {
            bytes(all.iter().take(count).flat_map(|one| one.to_ne_bytes()).collect()).into_any()
        }
        Values::Number(all) => {
            bytes(all.iter().take(count).flat_map(|one| one.to_ne_bytes()).collect()).into_any()
        }
        Values::Text(texts) => {
            PyList::new(py, texts.iter().take(count).collect::<Vec<_>>())?.into_any()
        }
    };
    Ok((all, present).into_pyobject(py)?.into_any().unbind())
}
