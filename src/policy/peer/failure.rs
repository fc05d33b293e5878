//! The failure of a program, with all that helps to mend it.

use std::fmt;

use super::Command;
use model::name::escaped;

/// Most characters of a line that are shown.
const SHOWN: usize = 300;

/// The failure of a program that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The program, as a sentence begins with it.
    pub(super) program: String,
    pub(super) is_batsim: bool,
    /// The rest of a sentence that begins with the program.
    pub(super) wrong: String,
    /// The last line that it was asked: its number from 1, the line and the answer.
    pub(super) line: Option<(u64, Box<[String; 2]>)>,
    pub(super) last_words: Vec<String>,
}

impl Failure {
    pub(super) fn new(command: &Command, wrong: String) -> Failure {
        let program = match command.batsim() {
            Some(socket) => format!("the scheduler of Batsim at `{}`", shown(socket)),
            None => format!("the process `{}`", shown(&command.words.join(" "))),
        };
        let is_batsim = command.batsim().is_some();
        Failure { program, is_batsim, wrong, line: None, last_words: Vec::new() }
    }
}

fn shown(line: &str) -> String {
    let end = line.char_indices().nth(SHOWN).map_or(line.len(), |(end, _)| end);
    let more = if end < line.len() { " ..." } else { "" };
    escaped(&line[..end]).into_owned() + more
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.program, self.wrong)?;
        if let Some((number, said)) = &self.line {
            let [asked, said] = &**said;
            write!(out, "\n  line {number} to it: {}", shown(asked))?;
            if !said.is_empty() {
                write!(out, "\n  its answer: {}", shown(said))?;
            }
        }
        for line in &self.last_words {
            write!(out, "\n  its stderr: {}", shown(line))?;
        }
        out.write_str(if self.is_batsim {
            "\nhelp: the page `process` of the book says what a scheduler of Batsim hears and may say"
        } else {
            "\nhelp: `gridpact schema --process` has the lines, the page `process` of the book says what they mean"
        })
    }
}

impl std::error::Error for Failure {}
