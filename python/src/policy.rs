//! Policies in Python: conversations inside this process, by the protocol of programs that decide.

use std::sync::Arc;

use ::policy::peer::{self, Talk};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Gives a name to policies: `provide(name, connect)`. `connect()` begins a conversation for one
/// replication; it returns a function from a line of JSON to the answer.
pub(crate) fn provide(arguments: &Bound<'_, PyTuple>) -> PyResult<()> {
    let name: String = arguments.get_item(0)?.extract()?;
    let connect = Arc::new(arguments.get_item(1)?.unbind());
    peer::provide(&name, move || {
        Box::new(Conversation { connect: Arc::clone(&connect), talk: None })
    });
    Ok(())
}

struct Conversation {
    connect: Arc<Py<PyAny>>,
    /// Begun with the first line.
    talk: Option<Py<PyAny>>,
}

impl Conversation {
    fn said(&mut self, py: Python<'_>, line: &str) -> PyResult<String> {
        let talk = match self.talk.take() {
            Some(talk) => talk,
            None => self.connect.call0(py)?,
        };
        self.talk.insert(talk).call1(py, (line,))?.extract(py)
    }
}

impl Talk for Conversation {
    fn ask(&mut self, line: &str, answer: &mut String) -> Result<(), String> {
        Python::attach(|py| match self.said(py, line) {
            Ok(said) => {
                answer.push_str(&said);
                Ok(())
            }
            // The exception itself is the cause of the one that Python raises in the end.
            Err(error) => Err(format!("raised {error}")),
        })
    }
}
