//! The record of what was said: a line of text for each line to a program, with the answer.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use super::Talk;

/// Name of the file.
pub const RECORD: &str = "processes.tsv";

/// Header of the file: its columns, with a tab between them.
pub const HEADER: &str = "replication\tprocess\task\tanswer\n";

/// The parts of a line: its replication, the number of its program, and what was said.
fn parts(line: &str) -> Option<(u32, usize, &str, &str)> {
    let mut parts = line.trim_end_matches('\n').splitn(4, '\t');
    let (replication, process) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((replication, process, parts.next()?, parts.next()?))
}

/// Lines that were recorded before a replication goes on.
#[derive(Default)]
pub(super) struct History(String);

impl History {
    pub fn new(lines: Vec<u8>) -> History {
        History(String::from_utf8(lines).unwrap_or_default())
    }

    /// The lines to a program, with its answers.
    pub fn of(&self, process: usize) -> impl Iterator<Item = (&str, &str)> {
        let of = move |line| parts(line).filter(|&(_, one, ..)| one == process);
        self.0.lines().filter_map(of).map(|(.., ask, answer)| (ask, answer))
    }

    /// The number of the program with these words, which its first line has.
    pub fn process(&self, words: &str) -> Option<usize> {
        let words = format!(",\"command\":{words}");
        let mut hellos = self.0.lines().filter_map(parts);
        let is_it = |line: &str| line.starts_with(super::HELLO) && line.contains(&words);
        hellos.find(|&(_, _, ask, _)| is_it(ask)).map(|(_, process, ..)| process)
    }

    /// The number of programs.
    pub fn processes(&self) -> usize {
        self.0.lines().filter_map(parts).map(|(_, process, ..)| process + 1).max().unwrap_or(0)
    }
}

/// The answers of a program as they were recorded.
#[derive(Debug)]
pub struct Recorded {
    lines: BufReader<File>,
    path: PathBuf,
    replication: u32,
    process: usize,
    number: u64,
}

impl Recorded {
    /// Opens the answers that a program gave in a replication.
    ///
    /// # Errors
    /// A file that cannot be read, as the rest of a sentence about the program.
    pub(super) fn open(path: &Path, replication: u32, process: usize) -> Result<Recorded, String> {
        let path = path.to_owned();
        let file = File::open(&path);
        let file = file.map_err(|error| format!("has no record {}: {error}", path.display()))?;
        Ok(Recorded { lines: BufReader::new(file), path, replication, process, number: 0 })
    }
}

impl Talk for Recorded {
    fn ask(&mut self, line: &str, answer: &mut String) -> Result<(), String> {
        let mut text = String::new();
        loop {
            text.clear();
            self.number += 1;
            let path = self.path.display();
            let read = self.lines.read_line(&mut text);
            if read.map_err(|error| format!("has a record that is unreadable, {path}: {error}"))?
                == 0
            {
                return Err(format!(
                    "has no more answers in {path}; the run that wrote it was shorter"
                ));
            }
            let Some((replication, process, ask, said)) = parts(&text) else { continue };
            if (replication, process) != (self.replication, self.process) {
                continue;
            }
            if ask != line {
                let number = self.number;
                return Err(format!(
                    "was asked something else in {path}, line {number}: `{ask}`; another scenario or \
                     seed wrote it"
                ));
            }
            answer.push_str(said);
            return Ok(());
        }
    }
}
