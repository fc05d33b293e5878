//! A row of a study: the paper's figure and ours.

use super::verdict::{Compared, Figure, Measured, Verdict};
use report::table::{Cell, Column, Table};
use serde::{Deserialize, Serialize};

/// A row of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Our figure less the paper's, if both are numbers; the interval is that of the rule.
    pub difference: Option<Measured>,
    /// Probability of such a difference by chance, if it is one of measured values.
    pub chance: Option<f64>,
    /// Number of the study's part that played it, from 1.
    pub part: usize,
    /// File and figure of a run, or code with its settings and figure, that answers it; empty for a slip.
    pub figure: String,
    /// Command that plays it; empty if code answers it.
    pub command: String,
    /// Verdict on the comparison.
    pub verdict: Verdict,
    /// Cause of a difference, or what was tried to find one; empty if nothing is known.
    pub cause: String,
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
            difference: None,
            chance: None,
            part: 0,
            figure: String::new(),
            command: String::new(),
            verdict: Verdict::Differs,
            cause: String::new(),
            note: None,
            flips: Vec::new(),
        }
    }

    /// Sets both figures, their difference and the verdict by the rule.
    #[must_use]
    pub fn compared(self, both: Compared) -> Row {
        let verdict = both.verdict();
        let Compared { paper, ours, difference, chance, .. } = both;
        Row { paper, ours, difference: Some(difference), chance: Some(chance), verdict, ..self }
    }

    /// Sets the paper's figure, our figure and the verdict.
    #[must_use]
    pub fn found(self, paper: impl Into<Figure>, ours: impl Into<Figure>, verdict: Verdict) -> Row {
        let (paper, ours) = (paper.into(), ours.into());
        let difference = match (&paper, &ours) {
            (Figure::Number(paper, None), Figure::Number(ours, half_width)) => {
                Some(Measured { value: ours - paper, half_width: half_width.unwrap_or(0.0) })
            }
            _ => None,
        };
        Row { paper, ours, difference, verdict, ..self }
    }

    /// Sets the reason of a difference, if the verdict is one.
    #[must_use]
    pub fn or(self, reason: Verdict) -> Row {
        Row { verdict: self.verdict.or(reason), ..self }
    }

    /// Tells the cause of a difference, or what was tried to find one, if the verdict is one.
    #[must_use]
    pub fn because(self, cause: impl Into<String>) -> Row {
        let cause = if self.verdict == Verdict::Differs { cause.into() } else { self.cause };
        Row { cause, ..self }
    }

    /// Sets an additional note.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Row {
        Row { note: Some(note.into()), ..self }
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

    /// Reason of the verdict, or the cause of a difference.
    pub(super) fn why(&self) -> Option<String> {
        let is_known = self.verdict == Verdict::Differs && !self.cause.is_empty();
        self.verdict.reason().or_else(|| is_known.then(|| self.cause.clone()))
    }

    /// Reason of the verdict, including verdicts of other seeds.
    fn reason(&self) -> Option<String> {
        let flips = (!self.flips.is_empty())
            .then(|| format!("another seed gives: {}", self.flips.join(" or ")));
        let all: Vec<String> = self.why().into_iter().chain(flips).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }

    /// The verdict; a difference says how large it is.
    fn judged(&self) -> String {
        let name = self.verdict.name();
        let share = match (&self.paper, self.difference) {
            (Figure::Number(paper, _), Some(difference)) if *paper != 0.0 => {
                100.0 * difference.value / paper.abs()
            }
            _ => return name.to_owned(),
        };
        match self.verdict {
            Verdict::Differs | Verdict::Depends(_) => {
                let digits = usize::from(share.abs() < 10.0);
                format!("{name} by {share:+.digits$}%")
            }
            _ => name.to_owned(),
        }
    }

    /// Cells from the claim to our figure.
    fn cells(&self) -> [Cell; 7] {
        [
            self.claim.into(),
            self.place.as_str().into(),
            self.what.as_str().into(),
            self.paper.cell(),
            self.paper.error(),
            self.ours.cell(),
            self.ours.error(),
        ]
    }

    /// Reason of the verdict and the note.
    pub(crate) fn said(&self) -> Option<String> {
        let all: Vec<String> = self.reason().into_iter().chain(self.note.clone()).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// Columns from the claim to our figure.
fn columns() -> [Column; 7] {
    [
        Column::text("claim"),
        Column::text("place").rank(3),
        Column::prose("what"),
        Column::figure("paper"),
        Column::margin("paper_half_width"),
        Column::figure("ours"),
        Column::margin("half_width"),
    ]
}

/// The rows as a table.
pub fn table(rows: &[Row]) -> Table {
    let more = [
        Column::figure("difference").rank(2),
        Column::margin("difference_half_width"),
        Column::text("verdict"),
        Column::prose("note").rank(1),
        Column::figure("part").rank(5),
        Column::text("figure").rank(4),
        Column::text("command").rank(4),
    ];
    let mut table = Table::new("rows", columns().into_iter().chain(more));
    for row in rows {
        let off = Figure::from(row.difference);
        let part = (row.part > 0).then_some(row.part);
        let more: [Cell; 7] = [
            off.cell(),
            off.error(),
            row.verdict.name().into(),
            row.said().into(),
            part.into(),
            row.figure.as_str().into(),
            row.command.as_str().into(),
        ];
        table.row(row.cells().into_iter().chain(more));
    }
    table
}

/// The rows as a table for a terminal, with numbered reasons and commands below it, each listed once.
pub fn numbered(rows: &[Row]) -> Table {
    let is_played = rows.iter().any(|row| !row.figure.is_empty());
    let play = is_played.then(|| Column::text("play"));
    let more = [Column::text("verdict"), Column::figure("why")].into_iter().chain(play);
    let mut table = Table::new("rows", columns().into_iter().chain(more));
    let (mut reasons, mut plays) = (Vec::new(), Vec::new());
    for row in rows {
        let why = row.reason().map(|reason| number(&mut reasons, reason) + 1);
        let played = match &*row.command {
            "" => row.figure.clone(),
            command => format!("{} of `{command}`", row.figure),
        };
        let play = (!played.is_empty()).then(|| letters(number(&mut plays, played)));
        let play = is_played.then(|| Cell::from(play));
        let more = [row.judged().into(), why.into()].into_iter().chain(play);
        table.row(row.cells().into_iter().chain(more));
    }
    for (index, reason) in reasons.iter().enumerate() {
        table.note(format!("{}: {reason}", index + 1));
    }
    for (index, play) in plays.iter().enumerate() {
        table.note(format!("{}: {play}", letters(index)));
    }
    table
}

/// Number of a text among others, from 0; it is added if it is new.
fn number(all: &mut Vec<String>, text: String) -> usize {
    all.iter().position(|other| *other == text).unwrap_or_else(|| {
        all.push(text);
        all.len() - 1
    })
}

/// A number from 0 in letters: a to z, then aa.
fn letters(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8).to_string();
    if number < 26 { last } else { letters(number / 26 - 1) + &last }
}

/// Counts of rows by verdict, and of rows that flip with the seed, as one row.
pub fn tally(rows: &[Row]) -> Table {
    let names =
        ["agrees", "compatible", "differs", "errs", "depends", "cannot_tell", "shown", "flips"];
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
