//! Peers: programs in any language that decide, asked over lines of JSON.
//!
//! A `Peer` is one policy in such a program: the scheduler of a cluster, a learner, a grid scheduler.
//! It sends one line and reads one line for each decision. The page `reference/process.md` of the book
//! has the protocol, `schema.json` beside this file its lines.
//!
//! A thread runs one replication at a time, whose [`Scope`] holds what its peers share: the programs, one
//! for each command, the lines that were said and the first failure. After a failure no peer is asked any
//! more, and policies decide nothing until the run has taken it.

mod batsim;
mod child;
mod failure;
mod record;
mod turns;
mod zmtp;

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, TICKS_PER_UNIT};
use model::bounds::Bounds;
use model::invalid::Invalid;
use rand::Rng as _;

pub use failure::Failure;
use record::History;
pub use record::{HEADER, RECORD, Recorded};
pub(crate) use turns::Turns;
pub(crate) use zmtp::refused;

/// Version of the protocol.
pub const VERSION: u32 = 1;

/// The JSON Schema of the protocol's lines.
pub const SCHEMA: &str = include_str!("schema.json");

/// Seconds that a program may take for an answer.
pub(crate) const TIMEOUT: Bounds<'_> =
    Bounds::of("a time limit").unit("seconds").above(0.0).to(86400.0);

/// Items as a list in JSON.
pub(crate) fn list<T: ToString>(items: impl Iterator<Item = T>) -> String {
    format!("[{}]", items.map(|item| item.to_string()).collect::<Vec<_>>().join(","))
}

/// The part of a job that a process sees.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Sees {
    /// Submission, processors, user and organization.
    #[default]
    Blind,
    /// The same and the expected runtime.
    Expected,
}

impl Sees {
    /// Its word in a scenario.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Sees::Blind => "blind",
            Sees::Expected => "expected",
        }
    }

    /// The expected runtime as a further entry of a job in JSON, if it is shown.
    pub(crate) fn expected(self, expected: Option<Span>) -> String {
        let shown = expected.filter(|_| self == Sees::Expected);
        shown.map_or(String::new(), |one| format!(",\"expected\":{}", one.ticks()))
    }
}

/// A conversation with a program: a child process, or what [`provide`] gave a name.
pub trait Talk: Send {
    /// Says a line and waits for the answer. Neither has a line break.
    ///
    /// # Errors
    /// The reason why there is no answer, as the rest of a sentence that begins with the program.
    fn ask(&mut self, line: &str, answer: &mut String) -> Result<(), String>;

    /// The last lines of its log.
    fn last_words(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// Begins a conversation.
pub type Connect = dyn Fn() -> Box<dyn Talk> + Send + Sync;

/// The conversations that have a name.
static PROVIDED: Mutex<Vec<(String, Arc<Connect>)>> = Mutex::new(Vec::new());

/// Lets the command `["@NAME"]` begin a conversation inside this process, in place of a program. A name
/// that was given before is given anew.
pub fn provide(name: &str, connect: impl Fn() -> Box<dyn Talk> + Send + Sync + 'static) {
    let mut provided = PROVIDED.lock().unwrap_or_else(PoisonError::into_inner);
    provided.retain(|(other, _)| other != name);
    provided.push((name.to_owned(), Arc::new(connect)));
}

/// A program with its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Command {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The folder in which it runs; where gridpact runs, if empty.
    pub folder: PathBuf,
}

impl From<Vec<String>> for Command {
    fn from(words: Vec<String>) -> Command {
        Command { words, folder: PathBuf::new() }
    }
}

impl From<Command> for Vec<String> {
    fn from(command: Command) -> Vec<String> {
        command.words
    }
}

impl schemars::JsonSchema for Command {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Command".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = Vec::<String>::json_schema(generator);
        schema.insert("minItems".to_owned(), 1.into());
        schema
    }
}

impl Command {
    /// Checks that there is a program.
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        if self.words.first().is_some_and(|program| !program.is_empty()) {
            return Ok(());
        }
        let message =
            "there is no program; give it with its arguments, as `[\"python3\", \"mine.py\"]`";
        Err(Invalid::new("command", message.to_owned()))
    }

    /// The command that asks a scheduler of Batsim at an address.
    pub(crate) fn of_batsim(socket: &str) -> Command {
        Command::from(vec![batsim::COMMAND.to_owned(), socket.to_owned()])
    }

    /// The address, if it asks a scheduler of Batsim.
    fn batsim(&self) -> Option<&str> {
        match &*self.words {
            [name, socket] if name == batsim::COMMAND => Some(socket),
            _ => None,
        }
    }

    /// Its words as JSON.
    fn text(&self) -> String {
        serde_json::to_string(&self.words).expect("words are text")
    }

    /// Begins a conversation.
    fn connect(&self, timeout: f64) -> Result<Box<dyn Talk>, String> {
        let Some(name) = self.words[0].strip_prefix('@') else {
            return Ok(Box::new(child::Child::start(self, timeout)?));
        };
        if let Some(socket) = self.batsim() {
            return Ok(Box::new(batsim::Batsim::new(socket, timeout)));
        }
        let provided = PROVIDED.lock().unwrap_or_else(PoisonError::into_inner);
        let found =
            provided.iter().find(|(known, _)| known == name).map(|(_, found)| found.clone());
        drop(provided);
        found.map(|connect| connect()).ok_or_else(|| {
            "is not known here: a name after `@` is given by the program that runs gridpact"
                .to_owned()
        })
    }
}

/// A conversation under way.
struct Channel {
    command: Command,
    /// Its number among the programs of the replication, in the order of their first lines.
    number: usize,
    talk: Box<dyn Talk>,
    /// Peers that have said hello.
    members: u32,
    /// Lines that were asked.
    lines: u64,
    asked: String,
    said: String,
}

/// The part that the peers of a replication share.
#[derive(Default)]
struct Exchange {
    replication: u32,
    channels: Vec<Channel>,
    /// The lines that were said since they were last taken.
    record: Vec<u8>,
    /// The lines that were said before the state was saved from which the replication goes on.
    history: History,
    /// A record whose answers are given in place of programs.
    replay: Option<PathBuf>,
    failure: Option<Failure>,
    has_talked: bool,
    has_failed: bool,
}

thread_local! {
    /// The exchange of the replication that this thread runs.
    static EXCHANGE: RefCell<Exchange> = RefCell::default();
}

fn with<T>(call: impl FnOnce(&mut Exchange) -> T) -> T {
    EXCHANGE.with_borrow_mut(call)
}

/// The exchange of a replication, on the thread that made it. Its end ends the programs.
#[must_use]
pub struct Scope(Option<Exchange>);

impl Scope {
    /// Begins the exchange of a replication. With a record, programs are not started: their answers are
    /// those of the record.
    pub fn begin(replication: u32, replay: Option<PathBuf>) -> Scope {
        let new = Exchange { replication, replay, ..Exchange::default() };
        Scope(Some(EXCHANGE.replace(new)))
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        drop(EXCHANGE.replace(self.0.take().unwrap_or_default()));
    }
}

/// True if a peer was asked in this replication.
pub fn has_talked() -> bool {
    with(|exchange| exchange.has_talked)
}

/// Gives each recorded line since the last call, without its end.
///
/// # Errors
/// The first failure.
pub fn take_lines<E: From<Failure>>(mut each: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
    let (record, failure) =
        with(|exchange| (std::mem::take(&mut exchange.record), exchange.failure.take()));
    record.split_inclusive(|&byte| byte == b'\n').try_for_each(&mut each)?;
    failure.map_or(Ok(()), |failure| Err(failure.into()))
}

/// Sets the lines that were recorded before this replication goes on.
pub fn go_on_after(lines: Vec<u8>) {
    with(|exchange| {
        exchange.has_talked |= !lines.is_empty();
        exchange.history = History::new(lines);
    });
}

impl Exchange {
    /// The conversation with a program, begun if there is none yet.
    fn channel(&mut self, command: &Command, timeout: f64) -> Result<usize, Failure> {
        let known = self.channels.iter().position(|channel| channel.command == *command);
        if let Some(known) = known {
            return Ok(known);
        }
        let wrong = |wrong: String| Failure::new(command, wrong);
        let next = self.channels.iter().map(|channel| channel.number + 1).max().unwrap_or(0);
        let found = self.history.process(&command.text());
        let number = found.unwrap_or(next.max(self.history.processes()));
        let talk = match &self.replay {
            Some(path) => {
                let recorded = Recorded::open(path, self.replication, number);
                Box::new(recorded.map_err(wrong)?) as Box<dyn Talk>
            }
            None => command.connect(timeout).map_err(wrong)?,
        };
        let command = command.clone();
        let (asked, said) = (String::new(), String::new());
        let mut channel = Channel { command, number, talk, members: 0, lines: 0, asked, said };
        // The program hears again what it was told, and has to say the same.
        for (ask, answer) in self.history.of(number) {
            channel.ask(ask)?;
            channel.members += u32::from(ask.starts_with(HELLO));
            if channel.said != *answer {
                let wrong = format!("answered `{answer}` before, and cannot go on from there");
                return Err(channel.failure(wrong));
            }
        }
        self.channels.push(channel);
        Ok(self.channels.len() - 1)
    }
}

/// The beginning of a first line.
const HELLO: &str = "{\"hello\":";

impl Channel {
    fn ask(&mut self, line: &str) -> Result<(), Failure> {
        self.lines += 1;
        self.asked.clear();
        self.asked.push_str(line);
        self.said.clear();
        self.talk.ask(line, &mut self.said).map_err(|wrong| self.failure(wrong))?;
        if let Err(error) = serde_json::from_str::<IgnoredAny>(&self.said) {
            let print = "is no JSON; what is printed for people belongs on stderr";
            return Err(self.failure(format!("gave an answer that {print} ({error})")));
        }
        // Between the parts of JSON a tab is a space, and within them there is none.
        if self.said.contains('\t') {
            self.said = self.said.replace('\t', " ");
        }
        Ok(())
    }

    fn failure(&mut self, wrong: String) -> Failure {
        Failure {
            line: Some((self.lines, Box::new([self.asked.clone(), self.said.clone()]))),
            last_words: self.talk.last_words(),
            ..Failure::new(&self.command, wrong)
        }
    }
}

/// An answer without a decision, such as that to a first line.
#[derive(Debug, Deserialize)]
pub(crate) struct Greeting {
    /// Version of the protocol that the program speaks.
    #[serde(default)]
    hello: Option<u32>,
}

/// One policy in a program.
#[derive(Debug)]
pub(crate) struct Peer {
    command: Command,
    timeout: f64,
    /// Its number in the program, once it has said hello.
    to: Option<u32>,
    /// True if it was copied from one that had.
    is_copy: bool,
}

impl Clone for Peer {
    fn clone(&self) -> Peer {
        let is_copy = self.is_copy || self.to.is_some();
        Peer { command: self.command.clone(), is_copy, ..*self }
    }
}

impl PartialEq for Peer {
    fn eq(&self, other: &Peer) -> bool {
        self.command == other.command && self.to == other.to
    }
}

impl State for Peer {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.to, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.to = take(from)?;
        Ok(())
    }
}

impl Peer {
    pub fn new(command: &Command, timeout: f64) -> Peer {
        Peer { command: command.clone(), timeout, to: None, is_copy: false }
    }

    /// True once it has said hello.
    pub fn has_met(&self) -> bool {
        self.to.is_some()
    }

    /// Says the first line: role, name, seed and `more`, which begins with a comma. `None` after a failure.
    pub fn hello<T: DeserializeOwned>(
        &mut self,
        role: &str,
        name: &str,
        streams: &Streams,
        more: &str,
    ) -> Option<T> {
        // Numbers of JSON are exact up to 2^53.
        let seed = streams.in_round(0).stream(&format!("{name}/process")).next_u64() >> 11;
        let name = serde_json::to_string(name).expect("a name is text");
        let (replication, command) = (streams.replication(), self.command.text());
        let answer = self.said(|channel, to| {
            *to = Some(channel.members);
            channel.members += 1;
            let to = channel.members - 1;
            format!(
                "{HELLO}{VERSION},\"to\":{to},\"role\":\"{role}\",\"name\":{name},\
                 \"replication\":{replication},\"seed\":{seed},\
                 \"ticks_per_unit\":{TICKS_PER_UNIT},\"command\":{command}{more}}}"
            )
        })?;
        match serde_json::from_str(&answer) {
            Ok(Greeting { hello: Some(VERSION) }) => self.read(&answer),
            _ => {
                self.refuse(format!(
                    "does not greet: the answer to its first line begins with `{HELLO}{VERSION}`, the \
                     version of the protocol"
                ));
                None
            }
        }
    }

    /// Asks for a decision, given the inside of the line's table. `None` after a failure.
    pub fn ask<T: DeserializeOwned>(&mut self, verb: &str, inside: &str) -> Option<T> {
        let answer = self.said(|_, to| {
            let to = to.unwrap_or_default();
            format!("{{\"to\":{to},\"{verb}\":{{{inside}}}}}")
        })?;
        self.read(&answer)
    }

    /// Says a line and returns the answer.
    fn said(
        &mut self,
        line: impl FnOnce(&mut Channel, &mut Option<u32>) -> String,
    ) -> Option<String> {
        let Peer { command, timeout, to, is_copy } = self;
        with(|exchange| {
            if exchange.has_failed {
                return None;
            }
            let said = match *is_copy {
                true => {
                    let wrong = "was asked in a copy of its world, and a program cannot be copied";
                    Err(Failure::new(command, wrong.to_owned()))
                }
                false => exchange.channel(command, *timeout).and_then(|channel| {
                    let channel = &mut exchange.channels[channel];
                    let line = line(channel, to);
                    channel.ask(&line).map(|()| channel)
                }),
            };
            exchange.has_talked = true;
            match said {
                Ok(Channel { number, asked, said, .. }) => {
                    let replication = exchange.replication;
                    let line = format!("{replication}\t{number}\t{asked}\t{said}\n");
                    exchange.record.extend_from_slice(line.as_bytes());
                    Some(said.clone())
                }
                Err(failure) => {
                    exchange.fail(failure);
                    None
                }
            }
        })
    }

    fn read<T: DeserializeOwned>(&mut self, answer: &str) -> Option<T> {
        match serde_json::from_str(answer) {
            Ok(read) => Some(read),
            Err(error) => {
                self.refuse(format!("gave an answer that is no decision: {error}"));
                None
            }
        }
    }

    /// Refuses the last answer; no program is asked after that.
    pub fn refuse(&mut self, wrong: String) {
        with(|exchange| {
            let of = |channel: &&mut Channel| channel.command == self.command;
            let failure = match exchange.channels.iter_mut().find(of) {
                Some(channel) => channel.failure(wrong),
                None => Failure::new(&self.command, wrong),
            };
            exchange.fail(failure);
        });
    }
}

impl Exchange {
    fn fail(&mut self, failure: Failure) {
        self.has_failed = true;
        self.failure.get_or_insert(failure);
    }
}

#[cfg(test)]
mod tests;
