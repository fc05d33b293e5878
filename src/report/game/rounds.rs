//! `rounds.csv` of a game: a line for every player in every round.
//!
//! Probabilities and counterfactuals are those of the player's actions, in their order. Lines are
//! sorted by replication, round and player.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::findings::game::frame::{Frame, Round};
use crate::report::record::{Record as _, record};

record! {
    /// A line of the file.
    Line<'a>;
    replication: u32, "Replication, from 0.";
    round: u64, "Round, from 0.";
    player: &'a str, "The player.";
    action: &'a str, "Its action.";
    payoff: f64, "Its payoff, noise included.";
    probabilities: Cow<'a, [f64]>, "Its law: the probabilities of its actions when it decided.";
    counterfactuals: Cow<'a, [f64]>, "Payoff of each action, had it been played, with its noise.";
}

/// Writes the lines of one replication.
#[derive(Debug)]
pub struct RoundsCsv<'a, W> {
    out: W,
    frame: &'a Frame,
    line: Vec<u8>,
}

impl<'a, W: Write> RoundsCsv<'a, W> {
    /// A writer for the rounds of these players.
    pub fn new(out: W, frame: &'a Frame) -> RoundsCsv<'a, W> {
        RoundsCsv { out, frame, line: Vec::with_capacity(256) }
    }

    /// Writes the lines of a round.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, round: &Round<'_>) -> io::Result<()> {
        for (player, name) in self.frame.names.iter().enumerate() {
            let line = Line {
                replication: round.replication,
                round: round.round,
                player: name,
                action: &self.frame.actions[player][round.profile[player] as usize],
                payoff: round.payoffs[player],
                probabilities: Cow::Borrowed(&round.laws[player]),
                counterfactuals: Cow::Borrowed(&round.instead[player]),
            };
            self.line.clear();
            line.put(&mut self.line);
            self.out.write_all(&self.line)?;
        }
        Ok(())
    }

    /// The underlying writer, for use between two lines.
    pub fn out_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Gives back the underlying writer.
    pub fn into_inner(self) -> W {
        self.out
    }
}
