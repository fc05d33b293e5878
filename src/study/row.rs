//! A line of a study: what a paper says of one thing, and what we find.

use super::claim::{Answer, Claim};
use super::verdict::{Figure, Measured, Printed, Verdict};
use crate::report::table::{Cell, Column, Table};

/// A line of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The claim that it belongs to.
    pub claim: &'static str,
    /// Where it stands in the paper.
    pub place: String,
    /// What is told.
    pub what: String,
    /// What the paper says.
    pub paper: Figure,
    /// What we find.
    pub ours: Figure,
    /// What is said of it.
    pub verdict: Verdict,
    /// Something to add.
    pub note: Option<String>,
}

impl Row {
    /// A line, of which all but the first three words follow.
    pub fn new(claim: &'static str, place: impl Into<String>, what: impl Into<String>) -> Row {
        Row {
            claim,
            place: place.into(),
            what: what.into(),
            paper: Figure::None,
            ours: Figure::None,
            verdict: Verdict::Differs,
            note: None,
        }
    }

    /// A printed value beside ours, judged by the rule.
    #[must_use]
    pub fn compared(self, printed: Printed, ours: Measured) -> Row {
        let verdict = printed.judge(&ours);
        Row { paper: printed.into(), ours: ours.into(), verdict, ..self }
    }

    /// Something that the paper says is so.
    #[must_use]
    pub fn holds(self, holds: bool) -> Row {
        Row { paper: true.into(), ours: holds.into(), verdict: Verdict::of(holds), ..self }
    }

    /// What the paper says, what we find, and what is said of it.
    #[must_use]
    pub fn found(self, paper: impl Into<Figure>, ours: impl Into<Figure>, verdict: Verdict) -> Row {
        Row { paper: paper.into(), ours: ours.into(), verdict, ..self }
    }

    /// With the reason for a difference, if it is one.
    #[must_use]
    pub fn or(self, reason: Verdict) -> Row {
        Row { verdict: self.verdict.or(reason), ..self }
    }

    /// With something to add.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Row {
        Row { note: Some(note.into()), ..self }
    }

    /// The line of a claim that is answered elsewhere; `None` of one that has rows.
    pub fn elsewhere(claim: &Claim) -> Option<Row> {
        let verdict = match claim.answer {
            Answer::Rows => return None,
            Answer::Tests(names) => Verdict::Test(names),
            Answer::Later(what) => Verdict::Later(what),
        };
        Some(Row { verdict, ..Row::new(claim.id, claim.place, claim.text) })
    }

    /// Its cells in a table whose last column tells why.
    fn cells(&self, why: Cell) -> [Cell; 9] {
        [
            self.claim.into(),
            self.place.as_str().into(),
            self.what.as_str().into(),
            self.paper.cell(),
            self.paper.error(),
            self.ours.cell(),
            self.ours.error(),
            self.verdict.name().into(),
            why,
        ]
    }

    /// The reason of its verdict and what is to add.
    fn said(&self) -> Option<String> {
        let all: Vec<String> = self.verdict.reason().into_iter().chain(self.note.clone()).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// The lines as a table.
pub fn table(rows: &[Row]) -> Table {
    let columns = [
        Column::text("claim"),
        Column::text("place").rank(2),
        Column::prose("what"),
        Column::figure("paper"),
        Column::figure("paper_range").called("±").rank(3),
        Column::figure("ours"),
        Column::figure("half_width").called("±"),
        Column::text("verdict"),
        Column::prose("note").rank(1),
    ];
    let mut table = Table::new("rows", columns);
    for row in rows {
        table.row(row.cells(row.said().into()));
    }
    table
}

/// The lines as a table for a terminal: reasons stand below it, each once, under a number.
pub fn numbered(rows: &[Row]) -> Table {
    let columns = [
        Column::text("claim"),
        Column::text("place").rank(3),
        Column::prose("what"),
        Column::figure("paper"),
        Column::figure("paper_range").called("±").rank(2),
        Column::figure("ours"),
        Column::figure("half_width").called("±"),
        Column::text("verdict"),
        Column::figure("why"),
    ];
    let mut table = Table::new("rows", columns);
    let mut reasons: Vec<String> = Vec::new();
    for row in rows {
        let why = row.verdict.reason().map(|reason| {
            let known = reasons.iter().position(|other| *other == reason);
            known.unwrap_or_else(|| {
                reasons.push(reason);
                reasons.len() - 1
            }) + 1
        });
        table.row(row.cells(why.into()));
    }
    for (index, reason) in reasons.iter().enumerate() {
        table.note(wrapped(&format!("{}: {reason}", index + 1)));
    }
    table
}

/// Words in lines of a terminal's usual width.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        match used {
            0 => used = length,
            _ if used + 1 + length > 78 => {
                out.push_str("\n   ");
                used = 3 + length;
            }
            _ => {
                out.push(' ');
                used += 1 + length;
            }
        }
        out.push_str(word);
    }
    out
}

/// How many lines have which verdict, as one row.
pub fn tally(rows: &[Row]) -> Table {
    let names = ["agrees", "differs", "errs", "depends", "open", "shown", "tested", "later"];
    let mut table = Table::new("tally", names.map(Column::figure));
    let count = |name: &str| rows.iter().filter(|row| row.verdict.name() == name).count();
    table.row(Verdict::NAMES.map(|name| Cell::from(count(name))));
    table
}

/// The same in a line for people: `agrees 12, differs 1`.
pub fn summary(rows: &[Row]) -> String {
    let count = |name: &str| rows.iter().filter(|row| row.verdict.name() == name).count();
    let parts = Verdict::NAMES.iter().map(|name| (name, count(name)));
    let parts = parts.filter(|(_, count)| *count > 0);
    let parts: Vec<String> = parts.map(|(name, count)| format!("{name} {count}")).collect();
    parts.join(", ")
}
