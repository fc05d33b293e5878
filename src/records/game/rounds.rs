//! `rounds.csv` of a game: a line for every player in every round.
//!
//! Probabilities and counterfactuals are those of the player's actions, in their order. Lines are
//! sorted by replication, round and player.

use crate::lines::{Lines, Out};
use crate::record::record;
use findings::game::frame::{Frame, Round};
use std::borrow::Cow;

record! {
    /// A line of the file.
    Line<'a>;
    replication: u32, "Replication, from 0.";
    round: u64, "Round, from 0.";
    player: &'a str, "The player.";
    action: &'a str, "Its action.";
    payoff: f64, "What it got, noise included.";
    probabilities: Cow<'a, [f64]>, "Its law when it decided: the probability of each of its actions, with blanks between; empty if its learner does not know them.";
    counterfactuals: Cow<'a, [f64]>, "What each of its actions would have brought, all others doing what they did, with the same noise and with blanks between.";
}

/// Writes the lines of one replication.
#[derive(Debug)]
pub struct RoundsCsv<'a, W> {
    /// Destination of the lines.
    pub lines: Lines<W>,
    frame: &'a Frame,
}

impl<'a, W: Out> RoundsCsv<'a, W> {
    /// A writer for the rounds of these players.
    pub fn new(out: W, frame: &'a Frame) -> RoundsCsv<'a, W> {
        RoundsCsv { lines: Lines::new(out), frame }
    }

    /// Writes the lines of a round.
    pub fn write(&mut self, round: &Round<'_>) {
        for (player, name) in self.frame.names.iter().enumerate() {
            self.lines.put(&Line {
                replication: round.replication,
                round: round.round,
                player: name,
                action: &self.frame.actions[player][round.profile[player] as usize],
                payoff: round.payoffs[player],
                probabilities: Cow::Borrowed(&round.laws[player]),
                counterfactuals: Cow::Borrowed(&round.instead[player]),
            });
        }
    }
}
