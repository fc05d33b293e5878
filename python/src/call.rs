//! Commands of gridpact in the process of Python.

use std::ffi::OsString;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use cli::host::{self, Host, Problem};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

/// Time between two looks at Python's signals and at the progress.
const BETWEEN: Duration = Duration::from_millis(100);
/// Stack of the thread that runs a command, in bytes: that of a program's first thread.
const STACK: usize = 8 << 20;

/// Runs a command: `call(words, texts, progress)`.
///
/// `texts` are scenarios by name, `progress` is called with the share that is done, or None, and a
/// line of text. Returns the exit code, standard output, standard error, the problems, and the
/// exception that interrupted it, or None. A first interruption stops a run, which saves its state; a
/// second one leaves the command alone and is raised.
pub(crate) fn call(arguments: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
    let py = arguments.py();
    let words: Vec<OsString> = arguments.get_item(0)?.extract()?;
    let texts: Vec<(String, Vec<u8>)> = arguments.get_item(1)?.extract()?;
    let progress = Some(arguments.get_item(2)?).filter(|progress| !progress.is_none());
    let host = Arc::new(Host::new(texts));
    let (done, ended) = mpsc::channel();
    let work = {
        let host = Arc::clone(&host);
        move || {
            let code = host::call(&words, &host);
            // Nobody hears of the end if the command was left alone.
            let _ = done.send(code);
        }
    };
    let worker = thread::Builder::new().name("gridpact".to_owned()).stack_size(STACK);
    worker.spawn(work).map_err(|error| PyOSError::new_err(format!("a thread: {error}")))?;
    let ended = Mutex::new(ended);
    let mut interrupted: Option<PyErr> = None;
    let code = loop {
        let wait = || ended.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(BETWEEN);
        match py.detach(wait) {
            Ok(code) => break code,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("gridpact ended without a result"));
            }
        }
        let seen = py.check_signals().and_then(|()| match &progress {
            Some(progress) if interrupted.is_none() => {
                let (share, status) = {
                    let heard = host.heard();
                    (heard.share, heard.status.clone())
                };
                progress.call1((share, status)).map(drop)
            }
            _ => Ok(()),
        });
        if let Err(signal) = seen {
            if interrupted.is_some() {
                return Err(signal);
            }
            host.stop();
            interrupted = Some(signal);
        }
    };
    let heard = host.heard();
    let problems = heard.problems.iter().map(|one| told(py, one));
    let problems: Vec<Bound<'_, PyDict>> = problems.collect::<PyResult<_>>()?;
    let interrupted = interrupted.map(|error| error.into_value(py));
    let out = PyBytes::new(py, &heard.out);
    Ok((code, out, &*heard.said, problems, interrupted).into_pyobject(py)?.into_any().unbind())
}

fn told<'py>(py: Python<'py>, problem: &Problem) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("is_error", problem.is_error)?;
    dict.set_item("message", &problem.message)?;
    dict.set_item("file", &problem.file)?;
    dict.set_item("line", problem.line)?;
    dict.set_item("column", problem.column)?;
    dict.set_item("key", &problem.key)?;
    dict.set_item("remedy", &problem.remedy)?;
    Ok(dict)
}

/// Runs a command as the program does, on the terminal: `program(words)`. Returns the exit code.
pub(crate) fn program(arguments: &Bound<'_, PyTuple>) -> PyResult<u8> {
    let words: Vec<OsString> = arguments.get_item(0)?.extract()?;
    Ok(arguments.py().detach(|| cli::run_words(&words)))
}
