//! A row of a study: the paper's figure and ours.

use super::claim::Claim;
use super::count::{self, Count};
use super::sample::mean;
use super::verdict::{Figure, Measured, Printed, TELLING, Verdict};
use report::table::{Cell, Column, Table};
use serde::{Deserialize, Serialize};
use stats::interval::Level;

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
    /// File and figure of a run that answers it; empty if none does.
    pub figure: String,
    /// Command that plays it; empty if none does.
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

    /// Compares a printed value with ours by the rule.
    #[must_use]
    pub fn compared(self, printed: Printed, ours: Measured) -> Row {
        let (verdict, difference) = (printed.judge(&ours), Some(printed.difference(&ours)));
        let chance = Some(printed.chance(&ours)).filter(|chance| chance.is_finite());
        Row { paper: printed.into(), ours: ours.into(), difference, chance, verdict, ..self }
    }

    /// Compares a count of the paper's sample with ours, as shares in percent, exactly.
    #[must_use]
    pub fn counted(self, paper: Count, ours: Count) -> Row {
        let (theirs, own) = (paper.measured(), ours.measured());
        let half_width = libm::hypot(theirs.half_width, own.half_width);
        let difference = Some(Measured { value: own.value - theirs.value, half_width });
        let (verdict, chance) = (paper.judge(ours), Some(count::chance(paper, ours)));
        Row { paper: theirs.into(), ours: own.into(), difference, chance, verdict, ..self }
    }

    /// Compares the figure of a single sample of the paper with those of ours, by ranks: whatever their
    /// law is, any rank among them is equally likely for it. `unit` is that of its last digit.
    #[must_use]
    pub fn ranked(self, paper: f64, unit: f64, ours: &[f64]) -> Row {
        let all = ours.len() as f64 + 1.0;
        let reach = |is: &dyn Fn(f64) -> bool| {
            (1 + ours.iter().filter(|&&one| is(one)).count()) as f64 / all
        };
        let (below, above) = (paper - unit / 2.0, paper + unit / 2.0);
        let tail = reach(&|one| one <= above).min(reach(&|one| one >= below));
        let chance = (2.0 * tail).min(1.0);
        let near = TELLING * paper.abs() + unit / 2.0;
        let is_near = |one: &&f64| (**one - paper).abs() <= near;
        let level = Level::default().share();
        let verdict = match ours.iter().filter(is_near).count() as f64 >= level * ours.len() as f64
        {
            _ if chance < 1.0 - level => Verdict::Differs,
            // So few have no rank that is unlikely enough.
            _ if 2.0 / all >= 1.0 - level => Verdict::Open,
            true => Verdict::Agrees,
            false => Verdict::Compatible,
        };
        let mean = mean(ours.iter().copied());
        let difference = Some(Measured { value: mean.value - paper, ..mean });
        let (paper, ours) = (Figure::from(paper), mean.into());
        Row { paper, ours, difference, chance: Some(chance), verdict, ..self }
    }

    /// Answers a yes-or-no claim of the paper.
    #[must_use]
    pub fn holds(self, holds: bool) -> Row {
        Row { paper: true.into(), ours: holds.into(), verdict: Verdict::of(holds), ..self }
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

    /// Shows a figure for which the paper gives no value.
    #[must_use]
    pub fn shown(self, ours: impl Into<Figure>) -> Row {
        self.found(Figure::None, ours, Verdict::Shown)
    }

    /// Answers the claim that something never happens, given how often it did.
    #[must_use]
    pub fn never(self, times: u64) -> Row {
        self.found(0.0, times as f64, Verdict::of(times == 0))
    }

    /// Answers the claim that a value is above 0.
    #[must_use]
    pub fn positive(self, ours: Measured) -> Row {
        self.found("positive", ours, ours.above(0.0))
    }

    /// Answers the claim that a value is below 0.
    #[must_use]
    pub fn negative(self, ours: Measured) -> Row {
        self.found("negative", ours, ours.below(0.0))
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

    /// The row of a claim without rows of its own; `None` for other claims.
    pub fn elsewhere(claim: &'static Claim) -> Option<Row> {
        let verdict = Verdict::Later(claim.later.as_deref()?);
        Some(Row { verdict, ..Row::new(&claim.id, &*claim.place, &*claim.says) })
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
    fn said(&self) -> Option<String> {
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
    let is_played = rows.iter().any(|row| !row.command.is_empty());
    let play = is_played.then(|| Column::text("play"));
    let more = [Column::text("verdict"), Column::figure("why")].into_iter().chain(play);
    let mut table = Table::new("rows", columns().into_iter().chain(more));
    let (mut reasons, mut plays) = (Vec::new(), Vec::new());
    for row in rows {
        let why = row.reason().map(|reason| number(&mut reasons, reason) + 1);
        let played = format!("{} of `{}`", row.figure, row.command);
        let play = (!row.command.is_empty()).then(|| letters(number(&mut plays, played)));
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
    let names = [
        "agrees",
        "compatible",
        "differs",
        "errs",
        "depends",
        "cannot_tell",
        "shown",
        "later",
        "flips",
    ];
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The figure of one sample is unlikely at the ends of ours, and tells more the less ours spread.
    #[test]
    fn a_single_sample_is_compared_by_its_rank() {
        let verdict = |paper: f64, ours: &[f64]| {
            Row::new("T-1", "1", "a share").ranked(paper, 0.01, ours).verdict
        };
        // Far from normal, and near the largest possible value.
        let shares: Vec<f64> = (0..100).map(|at| 1.0 - 0.0004 * f64::from(at)).collect();
        assert_eq!(verdict(0.99, &shares), Verdict::Agrees);
        assert_eq!(verdict(0.93, &shares), Verdict::Differs);
        let wide: Vec<f64> = (0..100).map(|at| 0.01 * f64::from(at)).collect();
        assert_eq!(verdict(0.5, &wide), Verdict::Compatible);
        assert_eq!(verdict(0.5, &wide[..45]), Verdict::Differs);
        assert_eq!(verdict(0.5, &wide[..30]), Verdict::Open);
    }
}
