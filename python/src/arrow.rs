//! Tables by Arrow's C data interface, which hands memory over without a copy.
//!
//! The three structs are those of the Arrow specification, "The Arrow C data interface" and "The Arrow
//! C stream interface". A stream has one batch. Names, buffers and the table are owned by the private
//! data of each struct until its consumer calls `release`, on whatever thread.

#![allow(unsafe_code, reason = "a consumer written in C reads the memory and gives it back")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use records::field::Kind;

use crate::column::{Column, Values};
use crate::table::Table;

/// Flag of a field that may have missing values.
const NULLABLE: i64 = 2;

#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// The end of a stream: an array that is released already.
const END: Array = Array {
    length: 0,
    null_count: 0,
    offset: 0,
    n_buffers: 0,
    n_children: 0,
    buffers: ptr::null_mut(),
    children: ptr::null_mut(),
    dictionary: ptr::null_mut(),
    release: None,
    private_data: ptr::null_mut(),
};

/// An Arrow stream; dropping it releases it, unless a consumer has moved it out.
#[repr(C)]
pub(crate) struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

// SAFETY: the private data is a `Source`, which is `Send`, and nothing else is pointed to.
unsafe impl Send for Stream {}

/// Private data of a stream.
struct Source {
    table: Arc<Table>,
    is_read: bool,
}

/// Private data of a schema.
struct Named {
    _texts: [CString; 2],
    children: Vec<*mut Schema>,
}

/// Private data of an array.
struct Owned {
    _table: Arc<Table>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

impl Stream {
    pub(crate) fn new(table: Arc<Table>) -> Stream {
        let source = Box::new(Source { table, is_read: false });
        Stream {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: Box::into_raw(source).cast(),
        }
    }

    /// The capsule that `__arrow_c_stream__` returns.
    pub(crate) fn capsule(self, py: Python<'_>) -> PyResult<Py<PyCapsule>> {
        Ok(PyCapsule::new_with_value(py, self, c"arrow_array_stream")?.unbind())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it has not been released, and nobody else has it.
            unsafe { release(self) }
        }
    }
}

/// # Safety
/// By the specification: `stream` was not released, and `out` may be written.
unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: the private data of a stream that was not released is a `Source`.
    unsafe {
        let source = &*(*stream).private_data.cast::<Source>();
        let children = source.table.columns.iter().map(field).collect();
        out.write(schema(c"+s", "", children));
    }
    0
}

/// # Safety
/// As for [`get_schema`]; no two threads call it at once.
unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: the private data of a stream that was not released is a `Source`.
    unsafe {
        let source = &mut *(*stream).private_data.cast::<Source>();
        out.write(match std::mem::replace(&mut source.is_read, true) {
            true => END,
            false => batch(&source.table),
        });
    }
    0
}

/// # Safety
/// Reads nothing.
unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    ptr::null()
}

/// # Safety
/// By the specification it is called once.
unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: the private data was made from a box in `Stream::new`, and is given back once.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Source>()));
        (*stream).release = None;
    }
}

fn schema(format: &std::ffi::CStr, name: &str, children: Vec<Schema>) -> Schema {
    // Names come from files, whose texts may hold anything.
    let name = CString::new(name.replace('\0', "")).unwrap_or_default();
    let texts = [format.to_owned(), name];
    let [format, name] = [texts[0].as_ptr(), texts[1].as_ptr()];
    let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let mut named = Box::new(Named { _texts: texts, children });
    Schema {
        format,
        name,
        metadata: ptr::null(),
        flags: NULLABLE,
        n_children: named.children.len() as i64,
        children: named.children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(named).cast(),
    }
}

fn field(column: &Column) -> Schema {
    let format = match column.kind() {
        Kind::Flag => c"b",
        Kind::Whole => c"l",
        Kind::Number => c"g",
        Kind::Text => c"U",
    };
    schema(format, &column.name, Vec::new())
}

/// # Safety
/// By the specification it is called once, for a struct whose children were not freed.
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: `schema` made the private data and the children from boxes. A child that a consumer has
    // moved out has no `release` left.
    unsafe {
        let named = Box::from_raw((*schema).private_data.cast::<Named>());
        for &child in &named.children {
            let mut child = Box::from_raw(child);
            if let Some(release) = child.release {
                release(&mut *child);
            }
        }
        (*schema).release = None;
    }
}

/// All rows of a table.
fn batch(table: &Arc<Table>) -> Array {
    let children = table.columns.iter().map(|column| {
        let present = column.present.as_ref();
        let present = present.map_or(ptr::null(), |bits| bits.bytes.as_ptr().cast());
        let mut buffers = vec![present];
        match &column.values {
            Values::Flag(flags) => buffers.push(flags.bytes.as_ptr().cast()),
            Values::Whole(values) => buffers.push(values.as_ptr().cast()),
            Values::Number(values) => buffers.push(values.as_ptr().cast()),
            Values::Text(texts) => {
                buffers.extend([texts.ends.as_ptr().cast(), texts.text.as_ptr().cast()]);
            }
        }
        array(table, column.missing, buffers, Vec::new())
    });
    let children = children.collect();
    array(table, 0, vec![ptr::null()], children)
}

/// An array with these buffers, which lie in the table.
fn array(
    table: &Arc<Table>,
    missing: usize,
    buffers: Vec<*const c_void>,
    children: Vec<Array>,
) -> Array {
    let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let mut owned = Box::new(Owned { _table: Arc::clone(table), buffers, children });
    Array {
        length: table.rows as i64,
        null_count: missing as i64,
        offset: 0,
        n_buffers: owned.buffers.len() as i64,
        n_children: owned.children.len() as i64,
        buffers: owned.buffers.as_mut_ptr(),
        children: owned.children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_array),
        private_data: Box::into_raw(owned).cast(),
    }
}

/// # Safety
/// By the specification it is called once, for a struct whose children were not freed.
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: `array` made the private data and the children from boxes. A child that a consumer has
    // moved out has no `release` left. The table is only read, by whoever has an `Arc` of it.
    unsafe {
        let owned = Box::from_raw((*array).private_data.cast::<Owned>());
        for &child in &owned.children {
            let mut child = Box::from_raw(child);
            if let Some(release) = child.release {
                release(&mut *child);
            }
        }
        (*array).release = None;
    }
}
