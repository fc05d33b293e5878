//! A child process that is asked over its standard input and output.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{self, ChildStdin, ChildStdout, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{Command, Talk};

/// Lines of its stderr that are kept.
const LAST: usize = 8;

/// Longest answer, in bytes.
pub(super) const LONGEST: u64 = 64 << 20;

/// Time for which a child may go on once its input has ended.
const PARTING: Duration = Duration::from_millis(500);

/// Time between two looks at the time limit.
const LOOK: Duration = Duration::from_millis(20);

/// A child process. A thread ends it when it takes too long; its end ends the child.
pub(super) struct Child {
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    watched: Arc<Mutex<Watched>>,
    timeout: Duration,
    line: Vec<u8>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    reader: Option<JoinHandle<()>>,
}

/// The process and the time at which it is ended.
struct Watched {
    process: process::Child,
    deadline: Option<Instant>,
    is_late: bool,
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Child {
    pub fn start(command: &Command, timeout: f64) -> Result<Child, String> {
        let mut start = process::Command::new(&command.words[0]);
        start.args(&command.words[1..]);
        if !command.folder.as_os_str().is_empty() {
            start.current_dir(&command.folder);
        }
        start.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // The terminal's Ctrl-C is for gridpact, which saves the run first.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut start, 0);
        let mut process = start.spawn().map_err(|error| format!("cannot be started: {error}"))?;
        let (Some(stdout), Some(stderr)) = (process.stdout.take(), process.stderr.take()) else {
            unreachable!("they were asked for");
        };
        let stdin = process.stdin.take();
        let words = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&words);
        let reader = thread::spawn(move || {
            let mut lines = BufReader::new(stderr);
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let mut kept = lock(&kept);
                if kept.len() == LAST {
                    kept.pop_front();
                }
                kept.push_back(String::from_utf8_lossy(&line).trim_end().to_owned());
                line.clear();
            }
        });
        let watched = Arc::new(Mutex::new(Watched { process, deadline: None, is_late: false }));
        let watching = Arc::downgrade(&watched);
        thread::spawn(move || {
            while let Some(watched) = watching.upgrade() {
                let mut one = lock(&watched);
                if one.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                    one.is_late = true;
                    one.deadline = None;
                    kill(&mut one.process);
                }
                drop(one);
                drop(watched);
                thread::sleep(LOOK);
            }
        });
        Ok(Child {
            stdin,
            stdout: BufReader::new(stdout),
            watched,
            timeout: Duration::from_secs_f64(timeout),
            line: Vec::new(),
            stderr: words,
            reader: Some(reader),
        })
    }

    fn exchange(&mut self, line: &str, answer: &mut String) -> io::Result<usize> {
        self.line.clear();
        self.line.extend_from_slice(line.as_bytes());
        self.line.push(b'\n');
        self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write_all(&self.line)?;
        (&mut self.stdout).take(LONGEST).read_line(answer)
    }

    /// The reason why there was no answer.
    fn reason(&mut self, error: Option<io::Error>) -> String {
        if let Some(error) = error.filter(|error| error.kind() == io::ErrorKind::InvalidData) {
            return format!("gave an answer that is no text in UTF-8: {error}");
        }
        self.stdin = None;
        let mut watched = lock(&self.watched);
        if watched.is_late {
            let seconds = self.timeout.as_secs_f64();
            return format!("gave no answer within {seconds} s; `timeout` sets the limit");
        }
        match parted(&mut watched.process) {
            Some(status) => format!("ended before it answered ({status})"),
            None => "closed its output before it answered".to_owned(),
        }
    }
}

impl Talk for Child {
    fn ask(&mut self, line: &str, answer: &mut String) -> Result<(), String> {
        lock(&self.watched).deadline = Some(Instant::now() + self.timeout);
        let read = self.exchange(line, answer);
        lock(&self.watched).deadline = None;
        if matches!(read, Ok(1..)) && answer.ends_with('\n') {
            answer.truncate(answer.trim_end().len());
            return Ok(());
        }
        Err(self.reason(read.err()))
    }

    fn last_words(&mut self) -> Vec<String> {
        kill(&mut lock(&self.watched).process);
        self.reader.take().map(JoinHandle::join);
        lock(&self.stderr).iter().cloned().collect()
    }
}

/// Waits a short time for a process that has no more input.
fn parted(process: &mut process::Child) -> Option<process::ExitStatus> {
    let until = Instant::now() + PARTING;
    loop {
        match process.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
            _ => return None,
        }
    }
}

/// Ends a process, and those that it has started.
fn kill(process: &mut process::Child) {
    #[cfg(unix)]
    if let Ok(None) = process.try_wait() {
        let group = rustix::process::Pid::from_child(process);
        _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    _ = process.kill();
    _ = process.wait();
}

impl Drop for Child {
    fn drop(&mut self) {
        self.stdin = None;
        let mut watched = lock(&self.watched);
        watched.deadline = None;
        if parted(&mut watched.process).is_none() {
            kill(&mut watched.process);
        }
    }
}
