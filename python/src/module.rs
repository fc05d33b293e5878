//! The module `gridpact._gridpact`, as Python loads it.
//!
//! PyO3's macros would write this; the reason to do without them is in `Cargo.toml`.

#![allow(unsafe_code, reason = "Python finds the module by a C function")]

use std::ffi::{CStr, c_int, c_void};
use std::ptr::{self, addr_of_mut};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple};

use crate::{call, policy, table};

/// A slot of a module's definition, which CPython only reads.
static mut SLOTS: [ffi::PyModuleDef_Slot; 2] = [
    ffi::PyModuleDef_Slot { slot: ffi::Py_mod_exec, value: fill as *mut c_void },
    ffi::PyModuleDef_Slot { slot: 0, value: ptr::null_mut() },
];

static mut DEFINITION: ffi::PyModuleDef = ffi::PyModuleDef {
    m_base: ffi::PyModuleDef_HEAD_INIT,
    m_name: c"_gridpact".as_ptr(),
    m_doc: ptr::null(),
    m_size: 0,
    m_methods: ptr::null_mut(),
    m_slots: addr_of_mut!(SLOTS).cast(),
    m_traverse: None,
    m_clear: None,
    m_free: None,
};

/// The module's definition, for Python's import.
///
/// # Safety
/// Python calls it, on a thread that is attached to the interpreter. Nobody else touches the
/// definition, which lives as long as the process.
#[unsafe(no_mangle)]
unsafe extern "C" fn PyInit__gridpact() -> *mut ffi::PyObject {
    // SAFETY: see above.
    unsafe { ffi::PyModuleDef_Init(addr_of_mut!(DEFINITION)) }
}

/// Puts the functions into a new module; Python calls it once for each interpreter.
unsafe extern "C" fn fill(module: *mut ffi::PyObject) -> c_int {
    let filled = Python::attach(|py| {
        // SAFETY: Python passes the module that it made, and keeps it while this runs.
        let module = unsafe { Bound::from_borrowed_ptr(py, module) }.cast_into::<PyModule>();
        let filled = module.map_err(PyErr::from).and_then(|module| functions(&module));
        filled.map_err(|error| error.restore(py))
    });
    if filled.is_ok() { 0 } else { -1 }
}

fn functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    add(module, c"call", call::call)?;
    add(module, c"program", call::program)?;
    add(module, c"provide", policy::provide)?;
    add(module, c"table", table::of_folder)?;
    add(module, c"parsed", table::of_text)
}

/// Adds a function of positional arguments.
fn add<F, R>(module: &Bound<'_, PyModule>, name: &'static CStr, function: F) -> PyResult<()>
where
    F: Fn(&Bound<'_, PyTuple>) -> PyResult<R> + Send + Sync + 'static,
    R: for<'py> IntoPyObject<'py>,
{
    let function = move |words: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| function(words);
    module.add_function(PyCFunction::new_closure(module.py(), Some(name), None, function)?)
}
