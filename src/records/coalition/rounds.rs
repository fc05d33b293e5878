//! `rounds.csv`: a line for every organization in every round in which it was present.
//!
//! Flow times and the work sent and received are exact decimals in units, summed over the round.
//! The local load is the work of the organization's own jobs that count, divided by the length of
//! the window. Lines are sorted by replication, round and organization.

use super::acts::told;
use crate::lines::{Lines, Out};
use crate::record::record;
use findings::coalition::frame::RoundRow;
use kernel::time::{Span, sum_as_units};
use std::borrow::Cow;

record! {
    /// A line of the file.
    Line<'a>;
    replication: u32, "Replication, from 0.";
    round: u64, "Round, from 0.";
    organization: &'a str, "The organization.";
    action: &'a str, "What it did: `out`, `in`, `in at 5` at a level, `in above 12` with a threshold, `in with lie 2` by the second of its lies; `excluded` if it had to stay out.";
    joined: bool, "1 if it took part, else 0.";
    played_level: Option<Span>, "Level that it declared; empty if it was out or set no bound.";
    played_threshold: Option<Span>, "It took part only in balancings at which its queue was longer; empty if in all.";
    probability: Option<f64>, "Probability p with which it took part, as it stood before the round; empty if it has none.";
    level: Option<f64>, "Level l at which it stood before the round, of who chooses among levels the median of its law; empty if it sets no bound.";
    jobs: u64, "Its jobs that count.";
    flow: i128, "Their flow time F, summed.";
    flow_alone: i128, "F~, what their flow time would have been, summed, had it alone stayed out of the round.";
    score: f64, "F~ / F - 1 where the coalition made the flow time shorter, else 1 - F / F~; `inf` or `-inf` where only one of the two is 0. In a federation F may be another measure (`measures`); if one alone is 0 both get a tick, and the cost of the round is subtracted.";
    balancings: u64, "Balancings of any work that it took part in, with somebody else.";
    sent: i128, "Work that it sent to others.";
    received: i128, "Work that it did for others.";
    local_load: f64, "Work of its jobs that count by the length of the window.";
    next_probability: Option<f64>, "The probability after the round.";
    next_level: Option<f64>, "The level after the round.";
    probabilities: Cow<'a, [f64]>, "Its law when it decided: the probability of each of its choices, with blanks between; empty if its learner does not know them.";
    counterfactuals: Cow<'a, [f64]>, "Score that each of its alternatives would have had, all others doing what they did; empty in rounds in which nobody asked.";
    + measures: Cow<'a, [f64]>, "Measure of its jobs by `coalition.score`, and what it would have been had it stayed out, by which the score is made; only where that is not the flow time.";
    + caught: bool, "1 if it was caught cheating, else 0; only where there are exclusions.";
}

/// The action of an organization that had to stay out.
pub const EXCLUDED: &str = "excluded";

/// Writes the lines of one replication.
#[derive(Debug)]
pub struct RoundsCsv<W> {
    /// Destination of the lines.
    pub lines: Lines<W>,
    names: Vec<String>,
    window: Span,
    last: Last,
}

/// Last column of the lines, which not every file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// None.
    None,
    /// The measures by which rounds were judged.
    Measures,
    /// Column `caught`: 1 if a member was caught.
    Caught,
}

impl<W: Out> RoundsCsv<W> {
    /// A writer; `names` are the organizations' names, `window` is the length of the measurement
    /// window.
    pub fn new(out: W, names: Vec<String>, window: Span, last: Last) -> RoundsCsv<W> {
        RoundsCsv { lines: Lines::new(out), names, window, last }
    }

    /// Writes a line, unless the organization was absent. `law` are the probabilities of its
    /// choices, `instead` the scores of its alternatives; either is empty if not known.
    pub fn write(&mut self, row: &RoundRow, law: &[f64], instead: &[f64]) {
        let turn = &row.turn;
        if !turn.present {
            return;
        }
        let measures = turn.judged.filter(|_| self.last == Last::Measures);
        let measures = measures.map(|judged| [judged.measure, judged.alone].map(sum_as_units));
        let terms = turn.act.terms().unwrap_or_default();
        self.lines.put(&Line {
            replication: row.replication,
            round: row.round,
            organization: &self.names[row.organization],
            action: &if turn.excluded { EXCLUDED.to_owned() } else { told(turn.act) },
            joined: turn.act.is_in(),
            played_level: terms.level,
            played_threshold: terms.above,
            probability: row.stance.probability,
            level: row.stance.level,
            jobs: turn.jobs,
            flow: turn.flow,
            flow_alone: turn.alone,
            score: turn.score(),
            balancings: turn.balancings,
            sent: turn.sent,
            received: turn.received,
            local_load: sum_as_units(turn.brought) / self.window.as_units(),
            next_probability: row.next.probability,
            next_level: row.next.level,
            probabilities: Cow::Borrowed(law),
            counterfactuals: Cow::Borrowed(instead),
            measures: measures.as_ref().map(|both| Cow::Borrowed(&both[..])),
            caught: (self.last == Last::Caught).then_some(turn.caught),
        });
    }
}
