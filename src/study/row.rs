//! A row of a study: the paper's figure and ours.

use super::claim::{Answer, Claim};
use super::verdict::{Figure, Measured, Printed, Verdict};
use crate::report::table::{Cell, Column, Table};

/// A row of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Claim that it belongs to.
    pub claim: &'static str,
    /// Place of the claim in the paper.
    pub place: String,
    /// Description of the figure.
    pub what: String,
    /// Figure of the paper.
    pub paper: Figure,
    /// Our figure.
    pub ours: Figure,
    /// Verdict on the comparison.
    pub verdict: Verdict,
    /// Additional note.
    pub note: Option<String>,
    /// Names of other verdicts that other seeds give.
    pub flips: Vec<&'static str>,
}

impl Row {
    /// A row without figures; builder methods add them.
    pub fn new(claim: &'static str, place: impl Into<String>, what: impl Into<String>) -> Row {
        Row {
            claim,
            place: place.into(),
            what: what.into(),
            paper: Figure::None,
            ours: Figure::None,
            verdict: Verdict::Differs,
            note: None,
            flips: Vec::new(),
        }
    }

    /// Compares a printed value with ours by the rule.
    #[must_use]
    pub fn compared(self, printed: Printed, ours: Measured) -> Row {
        let verdict = printed.judge(&ours);
        Row { paper: printed.into(), ours: ours.into(), verdict, ..self }
    }

    /// Answers a yes-or-no claim of the paper.
    #[must_use]
    pub fn holds(self, holds: bool) -> Row {
        Row { paper: true.into(), ours: holds.into(), verdict: Verdict::of(holds), ..self }
    }

    /// Sets the paper's figure, our figure and the verdict.
    #[must_use]
    pub fn found(self, paper: impl Into<Figure>, ours: impl Into<Figure>, verdict: Verdict) -> Row {
        Row { paper: paper.into(), ours: ours.into(), verdict, ..self }
    }

    /// Sets the reason of a difference, if the verdict is one.
    #[must_use]
    pub fn or(self, reason: Verdict) -> Row {
        Row { verdict: self.verdict.or(reason), ..self }
    }

    /// Sets an additional note.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Row {
        Row { note: Some(note.into()), ..self }
    }

    /// The row of a claim without rows of its own; `None` for other claims.
    pub fn elsewhere(claim: &Claim) -> Option<Row> {
        let verdict = match claim.answer {
            Answer::Rows | Answer::Checked(_) => return None,
            Answer::Later(what) => Verdict::Later(what),
        };
        Some(Row { verdict, ..Row::new(claim.id, claim.place, claim.text) })
    }

    /// Records the verdict that another seed gives for the same row.
    pub fn beside(&mut self, other: &Row) {
        // A difference counts the same whether or not it depends on a reading.
        let both = [&self.verdict, &other.verdict];
        if both.iter().all(|one| matches!(one, Verdict::Differs | Verdict::Depends(_))) {
            return;
        }
        let (own, other) = (self.verdict.name(), other.verdict.name());
        if own != other && !self.flips.contains(&other) {
            self.flips.push(other);
        }
    }

    /// Reason of the verdict, including verdicts of other seeds.
    fn reason(&self) -> Option<String> {
        let flips = (!self.flips.is_empty())
            .then(|| format!("another seed gives: {}", self.flips.join(" or ")));
        let all: Vec<String> = self.verdict.reason().into_iter().chain(flips).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// Cells of the row in a table whose last column is the reason.
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

    /// Reason of the verdict and the note.
    fn said(&self) -> Option<String> {
        let all: Vec<String> = self.reason().into_iter().chain(self.note.clone()).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// The rows as a table.
pub fn table(rows: &[Row]) -> Table {
    let columns = [
        Column::text("claim"),
        Column::text("place").rank(2),
        Column::prose("what"),
        Column::figure("paper"),
        Column::margin("paper_half_width"),
        Column::figure("ours"),
        Column::margin("half_width"),
        Column::text("verdict"),
        Column::prose("note").rank(1),
    ];
    let mut table = Table::new("rows", columns);
    for row in rows {
        table.row(row.cells(row.said().into()));
    }
    table
}

/// The rows as a table for a terminal, with numbered reasons below it, each listed once.
pub fn numbered(rows: &[Row]) -> Table {
    let columns = [
        Column::text("claim"),
        Column::text("place").rank(3),
        Column::prose("what"),
        Column::figure("paper"),
        Column::margin("paper_half_width"),
        Column::figure("ours"),
        Column::margin("half_width"),
        Column::text("verdict"),
        Column::figure("why"),
    ];
    let mut table = Table::new("rows", columns);
    let mut reasons: Vec<String> = Vec::new();
    for row in rows {
        let why = row.reason().map(|reason| {
            let known = reasons.iter().position(|other| *other == reason);
            known.unwrap_or_else(|| {
                reasons.push(reason);
                reasons.len() - 1
            }) + 1
        });
        table.row(row.cells(why.into()));
    }
    for (index, reason) in reasons.iter().enumerate() {
        table.note(format!("{}: {reason}", index + 1));
    }
    table
}

/// Counts of rows by verdict, and of rows that flip with the seed, as one row.
pub fn tally(rows: &[Row]) -> Table {
    let names = ["agrees", "differs", "errs", "depends", "cannot_tell", "shown", "later", "flips"];
    let mut table = Table::new("tally", names.map(Column::figure));
    let count = |name: &str| rows.iter().filter(|row| row.verdict.name() == name).count();
    let flips = rows.iter().filter(|row| !row.flips.is_empty()).count();
    let counts = Verdict::NAMES.iter().map(|name| count(name)).chain([flips]);
    table.row(counts.map(Cell::from).collect::<Vec<_>>());
    table
}

/// Counts by verdict on a line: `agrees 12, differs 1`.
pub fn summary(rows: &[Row]) -> String {
    let count = |name: &str| rows.iter().filter(|row| row.verdict.name() == name).count();
    let parts = Verdict::NAMES.iter().map(|name| (name, count(name)));
    let parts = parts.filter(|(_, count)| *count > 0);
    let parts: Vec<String> = parts.map(|(name, count)| format!("{name} {count}")).collect();
    let flips = rows.iter().filter(|row| !row.flips.is_empty()).count();
    if flips > 0 {
        return format!("{}; with another seed, {flips} of them change", parts.join(", "));
    }
    parts.join(", ")
}
