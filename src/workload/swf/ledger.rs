//! The import ledger: what every rule did to a trace.

use serde::Serialize;

use super::options::*;

/// The rules, in the order in which they are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Malformed,
    Number,
    Partial,
    Status,
    Queues,
    Partitions,
    Users,
    Groups,
    NoSubmit,
    Window,
    OtherProcessors,
    NoProcessors,
    NoRuntime,
    ZeroRuntime,
    NoEstimate,
    OverEstimate,
    Unsorted,
    First,
    ShiftToZero,
    Load,
}

/// What a rule does to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It is left out.
    Dropped,
    /// It is kept with other figures.
    Changed,
    /// It is kept as it is; the line is worth knowing.
    Noted,
}

/// One line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The option that decides, as it is spelled in a scenario.
    pub rule: &'static str,
    /// What it does to a job.
    pub kind: Kind,
    /// What was done, in words.
    pub effect: String,
    /// How many jobs.
    pub count: u64,
    /// The line of the first of them, from 1.
    pub first_line: u64,
}

/// What every rule did to a trace. `read` is `kept` plus the counts of the rows that dropped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ledger {
    /// Lines that are neither blank nor comments.
    pub read: u64,
    /// Jobs of the canonical workload.
    pub kept: u64,
    /// All rules, in the order in which they are applied.
    #[serde(serialize_with = "only_used")]
    rows: Vec<Row>,
}

fn only_used<S: serde::Serializer>(rows: &[Row], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(rows.iter().filter(|row| row.count > 0))
}

impl Ledger {
    /// An empty ledger of the rules as they are set.
    pub(super) fn new(options: &Options) -> Ledger {
        let rows = RULES.iter().map(|&rule| {
            let (name, kind, effect) = describe(rule, options);
            Row { rule: name, kind, effect, count: 0, first_line: 0 }
        });
        Ledger { read: 0, kept: 0, rows: rows.collect() }
    }

    /// The rules that did something, in the order in which they are applied.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.count > 0)
    }

    /// How many jobs of `read` were left out.
    pub fn dropped(&self) -> u64 {
        self.rows().filter(|row| row.kind == Kind::Dropped).map(|row| row.count).sum()
    }

    pub(super) fn count(&self, rule: Rule) -> u64 {
        self.rows[rule as usize].count
    }

    /// Notes a job that a rule applied to.
    #[inline]
    pub(super) fn note(&mut self, rule: Rule, line: u64) {
        let row = &mut self.rows[rule as usize];
        if row.count == 0 {
            row.first_line = line;
        }
        row.count += 1;
    }

    /// Notes that a rule applied to all jobs kept.
    pub(super) fn note_all(&mut self, rule: Rule, effect: String, first_line: u64) {
        let count = self.kept;
        let row = &mut self.rows[rule as usize];
        (row.effect, row.count, row.first_line) = (effect, count, first_line);
    }
}

impl std::fmt::Display for Ledger {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(out, "{} jobs read, {} kept", self.read, self.kept)?;
        for Row { rule, effect, count, first_line, .. } in self.rows() {
            writeln!(out, "  {rule}: {count} {effect} (first in line {first_line})")?;
        }
        Ok(())
    }
}

const RULES: [Rule; 20] = [
    Rule::Malformed,
    Rule::Number,
    Rule::Partial,
    Rule::Status,
    Rule::Queues,
    Rule::Partitions,
    Rule::Users,
    Rule::Groups,
    Rule::NoSubmit,
    Rule::Window,
    Rule::OtherProcessors,
    Rule::NoProcessors,
    Rule::NoRuntime,
    Rule::ZeroRuntime,
    Rule::NoEstimate,
    Rule::OverEstimate,
    Rule::Unsorted,
    Rule::First,
    Rule::ShiftToZero,
    Rule::Load,
];

/// A rule's name, and what it does under these options.
fn describe(rule: Rule, options: &Options) -> (&'static str, Kind, String) {
    use Kind::{Changed, Dropped, Noted};
    let (name, kind, effect) = match rule {
        Rule::Malformed => ("malformed", Dropped, "dropped: the line is not a job"),
        Rule::Number => {
            ("number", Noted, "kept: the job number is not above all before it, it may repeat")
        }
        Rule::Partial => ("partial", Dropped, "dropped: part of a job listed as a whole"),
        Rule::Status => ("status", Dropped, "dropped: not completed"),
        Rule::Queues => ("queues", Dropped, "not selected"),
        Rule::Partitions => ("partitions", Dropped, "not selected"),
        Rule::Users => ("users", Dropped, "not selected"),
        Rule::Groups => ("groups", Dropped, "not selected"),
        Rule::NoSubmit => ("no_submit", Dropped, "dropped: no submit time"),
        Rule::Window => ("from/until", Dropped, "not selected: outside the time window"),
        Rule::OtherProcessors => match options.processors {
            Processors::RequestedThenAllocated => {
                ("processors", Changed, "given the allocated processors: none are requested")
            }
            _ => ("processors", Changed, "given the requested processors: none are allocated"),
        },
        Rule::NoProcessors => match options.no_processors {
            NoProcessors::One => ("no_processors", Changed, "given one processor"),
            _ => ("no_processors", Dropped, "dropped: no processors"),
        },
        Rule::NoRuntime => ("no_runtime", Dropped, "dropped: did not run"),
        Rule::ZeroRuntime => ("no_runtime", Noted, "kept with a run time of 0"),
        Rule::NoEstimate => match options.no_estimate {
            NoEstimate::Runtime => ("no_estimate", Changed, "given the run time as estimate"),
            _ => ("no_estimate", Dropped, "dropped: no estimate"),
        },
        Rule::OverEstimate => match options.over_estimate {
            OverEstimate::Cut => ("over_estimate", Changed, "cut to the estimate"),
            OverEstimate::Raise => {
                ("over_estimate", Changed, "given the run time as estimate: ran longer than it")
            }
            OverEstimate::Keep => ("over_estimate", Noted, "kept: runs longer than its estimate"),
            OverEstimate::Drop => ("over_estimate", Dropped, "dropped: ran longer than estimated"),
        },
        Rule::Unsorted => match options.unsorted {
            Unsorted::Clamp => {
                ("unsorted", Changed, "submitted later: with the latest job that stands above")
            }
            Unsorted::Drop => ("unsorted", Dropped, "dropped: submitted before a job above"),
            _ => (
                "unsorted",
                Changed,
                "put in the order of submission (all jobs of the trace are held in memory)",
            ),
        },
        Rule::First => ("first", Dropped, "not selected: not among the first"),
        Rule::ShiftToZero => ("shift_to_zero", Changed, ""),
        Rule::Load => ("load", Changed, ""),
    };
    (name, kind, effect.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_stands_at_its_place() {
        for (index, &rule) in RULES.iter().enumerate() {
            assert_eq!(rule as usize, index);
        }
    }

    #[test]
    fn the_ledger_says_what_was_done_and_where_first() {
        let mut ledger = Ledger::new(&Options::default());
        ledger.note(Rule::NoRuntime, 30);
        ledger.note(Rule::NoRuntime, 31);
        ledger.note(Rule::OverEstimate, 7);
        (ledger.read, ledger.kept) = (10, 8);
        assert_eq!(
            ledger.to_string(),
            "10 jobs read, 8 kept\n  \
             no_runtime: 2 dropped: did not run (first in line 30)\n  \
             over_estimate: 1 cut to the estimate (first in line 7)\n"
        );
        assert_eq!(ledger.dropped(), 2);
        let json = serde_json::to_string(&ledger).unwrap();
        assert!(
            json.starts_with(
                r#"{"read":10,"kept":8,"rows":[{"rule":"no_runtime","kind":"dropped""#
            ),
            "{json}"
        );
    }
}
