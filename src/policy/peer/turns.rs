//! The part of a conversation that schedulers of clusters and of grids have in common: events since the
//! last question, and the time at which the program asked to be asked again.

use std::fmt::{Arguments, Write as _};

use serde::de::DeserializeOwned;

use super::{Command, Greeting, Peer, Sees};
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::Time;

/// A scheduler's conversation.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    peer: Peer,
    streams: Streams,
    pub sees: Sees,
    /// Jobs told so far.
    count: u64,
    /// Events since the last question, as the elements of a list in JSON.
    events: String,
    wake: Option<Time>,
}

impl Turns {
    pub fn new(command: &Command, timeout: f64, sees: Sees, streams: &Streams) -> Turns {
        let peer = Peer::new(command, timeout);
        Turns { peer, streams: *streams, sees, count: 0, events: String::new(), wake: None }
    }

    /// The number of the next job.
    pub fn number(&mut self) -> u64 {
        self.count += 1;
        self.count - 1
    }

    /// Tells an event with the next question.
    pub fn event(&mut self, event: Arguments<'_>) {
        let comma = if self.events.is_empty() { "" } else { "," };
        write!(self.events, "{comma}{event}").expect("text grows");
    }

    /// True if something has happened since the last question.
    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// True if it is to be asked: something waits, or it asked to be.
    pub fn is_due(&mut self, now: Time, waits: bool) -> bool {
        let is_due = waits || self.wake.is_some_and(|wake| wake <= now);
        if is_due {
            self.wake = None;
        }
        is_due
    }

    /// Asks for a decision, given what is told of the cluster or the grid after `now` and after the events.
    /// The first line has its role, its name and what `first` adds. `None` after a failure.
    pub fn ask<T: DeserializeOwned>(
        &mut self,
        [role, name, verb]: [&str; 3],
        first: impl FnOnce() -> String,
        now: Time,
        [before, after]: [&str; 2],
    ) -> Option<T> {
        if !self.peer.has_met() {
            let more = format!(",\"sees\":\"{}\"{}", self.sees.word(), first());
            self.peer.hello::<Greeting>(role, name, &self.streams, &more)?;
        }
        let (now, events) = (now.ticks(), std::mem::take(&mut self.events));
        self.peer.ask(verb, &format!("\"now\":{now},{before},\"events\":[{events}]{after}"))
    }

    /// Refuses the last answer.
    pub fn refuse(&mut self, wrong: String) {
        self.peer.refuse(wrong);
    }

    /// Takes the time at which it wants to be asked.
    pub fn wakes(&mut self, now: Time, wake: Option<i64>) {
        if wake.is_some_and(|wake| wake <= now.ticks()) {
            return self.refuse("asks to be woken at a time that has come already".to_owned());
        }
        self.wake = wake.map(|wake| Time::from_ticks(wake.min(i64::MAX - 1)));
    }

    /// The time at which it wants to be asked.
    pub fn wake(&self) -> Option<Time> {
        self.wake
    }
}

impl State for Turns {
    fn save(&self, out: &mut Vec<u8>) {
        self.peer.save(out);
        put(&(self.count, &self.events, self.wake), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.peer.load(from)?;
        (self.count, self.events, self.wake) = take(from)?;
        Ok(())
    }
}
