//! The command line inside another program, such as Python.
//!
//! [`call`] runs one command on the calling thread. A [`Host`] then takes the place of the terminal: it
//! gets everything that is printed, the problems of the input as values, and the progress, and it can
//! stop a run. No signal handler is installed, and nothing ends the process.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use scenario::diagnostics::{Diagnostic, Severity};
use scenario::files::Files;

thread_local! {
    static HOST: RefCell<Option<Arc<Host>>> = const { RefCell::new(None) };
}

/// The other program, for one command.
#[derive(Debug, Default)]
pub struct Host {
    stop: Arc<AtomicBool>,
    texts: Vec<(String, Vec<u8>)>,
    heard: Mutex<Heard>,
}

/// Everything that a command has told so far.
#[derive(Debug, Default)]
pub struct Heard {
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error, without the progress.
    pub said: String,
    /// Errors and warnings, in the order of standard error.
    pub problems: Vec<Problem>,
    /// Part of the work that is done, from 0 to 1, if it can be told.
    pub share: Option<f64>,
    /// Line of text on the progress.
    pub status: String,
}

/// An error or a warning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// False for a warning.
    pub is_error: bool,
    /// The problem, in one sentence without a full stop.
    pub message: String,
    /// File, or name of a text, that is wrong.
    pub file: Option<String>,
    /// Line in the file, from 1.
    pub line: Option<usize>,
    /// Column in the line, from 1, in characters.
    pub column: Option<usize>,
    /// Path of the key concerned.
    pub key: Option<String>,
    /// Remedies, a line each; empty if there is none.
    pub remedy: String,
}

impl Host {
    /// A host with texts that commands read by name, as if they were scenario files.
    ///
    /// Paths in them are relative to the working directory.
    pub fn new(texts: Vec<(String, Vec<u8>)>) -> Host {
        Host { texts, ..Host::default() }
    }

    /// Asks the run to stop and to save its state, as a first Ctrl-C does.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Everything that was told so far.
    pub fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs a command, given without the program's name, and returns its exit code.
pub fn call(words: &[OsString], host: &Arc<Host>) -> u8 {
    let outer = HOST.replace(Some(Arc::clone(host)));
    let mut all = vec![OsString::from("gridpact")];
    all.extend_from_slice(words);
    let code = super::run_words(&all);
    HOST.set(outer);
    code
}

/// The host of this thread, if it has one.
pub(super) fn current() -> Option<Arc<Host>> {
    HOST.with_borrow(Clone::clone)
}

/// True if this thread has a host.
pub(super) fn is_there() -> bool {
    HOST.with_borrow(Option::is_some)
}

/// The flag that stops a run: the host's, or a new one.
pub(super) fn stop() -> Arc<AtomicBool> {
    current().map(|host| Arc::clone(&host.stop)).unwrap_or_default()
}

/// The host's text of this name.
pub(super) fn text(file: &Path) -> Option<Vec<u8>> {
    let host = current()?;
    let text = host.texts.iter().find(|(name, _)| Path::new(name) == file);
    text.map(|(_, bytes)| bytes.clone())
}

/// Tells the host of a failure, whose text may end in remedies.
pub(super) fn failed(text: &str) {
    let Some(host) = current() else { return };
    // The parser of arguments has tips, and ends with usage.
    let text =
        text.split("\n\nUsage: ").next().unwrap_or_default().replace("\n\n  tip: ", "\nhelp: ");
    let mut parts = text.split("\nhelp: ");
    let message = parts.next().unwrap_or_default().to_owned();
    let remedy = parts.collect::<Vec<_>>().join("\n");
    host.heard().problems.push(Problem { is_error: true, message, remedy, ..Problem::default() });
}

/// Tells the host of problems with the input.
pub(super) fn diagnosed(diagnostics: &[Diagnostic], files: &Files) {
    let Some(host) = current() else { return };
    let problem = |one: &Diagnostic| {
        let place = one.place();
        let text = place.and_then(|place| files.text(place.file)?.get(..place.span.start));
        // The label beside the caret often names what was meant.
        let labels = one.labels.iter().filter(|label| label.primary && !label.text.is_empty());
        let remedies: Vec<&str> =
            labels.map(|label| &*label.text).chain(one.help.iter().map(|help| &**help)).collect();
        Problem {
            is_error: one.severity == Severity::Error,
            message: one.message.clone(),
            file: place.and_then(|place| files.name(place.file)).map(str::to_owned),
            line: text.map(|text| 1 + text.matches('\n').count()),
            column: text.and_then(|text| Some(1 + text.rsplit('\n').next()?.chars().count())),
            key: one.path.as_ref().map(ToString::to_string),
            remedy: remedies.join("\n"),
        }
    };
    host.heard().problems.extend(diagnostics.iter().map(problem));
}

/// Standard output, or the host's.
pub(super) fn standard_output() -> Box<dyn Write> {
    match current() {
        Some(host) => Box::new(Output(host)),
        None => Box::new(io::stdout().lock()),
    }
}

struct Output(Arc<Host>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.heard().out.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
