//! Claims that scenarios answer: lines of a paper's `claims.toml`, and the engine that plays and judges
//! them.
//!
//! A [`Table`] of the paper is a few lines of TOML: a scenario file beside it, what `--set` changes in
//! it, the printed figures by column, and for each column the measure that answers it. `<n>` stands for
//! the value of column `n` in a row, `<n-1>` for one less; a setting `<name>` stands for all settings of
//! that name in the paper's `[settings]`. The engine expands tables into cells, plays each
//! distinct scenario once with the measures of `gridpact run`, and judges them by the one
//! [rule](super::verdict). What no scenario says is answered by [code], which is named like one.

mod cells;
pub mod code;
mod draw;
mod judge;
mod play;

use std::collections::BTreeMap;

use serde::Deserialize;

use super::claim::Register;
use super::row::Row;
use super::{Bench, StudyError};
use report::picture::Scale;

/// A table, a figure or a statement of the paper, answered by scenarios.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Table of the paper, if it is one.
    pub table: Option<String>,
    /// Figures of the paper that it reproduces.
    #[serde(default)]
    pub figures: Vec<String>,
    /// Claim of the row that judges all printed figures together; none if they are no whole.
    pub whole: Option<String>,
    /// Other readings of the paper, by which the whole is judged where it is missed.
    #[serde(default)]
    pub readings: Vec<Reading>,
    /// Cause of its differences, as far as it is known.
    #[serde(default)]
    pub cause: String,
    /// Slips of its text, for which nothing is played.
    #[serde(default)]
    pub slips: Vec<Slip>,
    /// Its tables, each with rows of the same columns.
    #[serde(default)]
    pub tables: Vec<Table>,
}

/// A slip of the paper's text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slip {
    /// Claim that it belongs to.
    pub claim: String,
    /// Place in the paper.
    pub place: String,
    /// The passage in words.
    pub what: String,
    /// Words of the paper.
    pub says: String,
    /// Words that are meant.
    pub means: String,
    /// Identifier of the erratum.
    pub erratum: String,
}

/// Another reading of what the paper leaves open.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// The reading in words.
    pub says: String,
    /// Settings of all scenarios that it changes, as after `--set`.
    pub set: Vec<String>,
}

/// Rows with the same columns, all played by the same scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Place in the paper.
    pub place: String,
    /// Name of the scenario file, without its end, or of the code that answers it.
    pub scenario: String,
    /// Settings, as after `--set`.
    #[serde(default)]
    pub set: Vec<String>,
    /// Further settings of short trials, which `--quick` asks for.
    #[serde(default)]
    pub quick: Vec<String>,
    /// Most replications, also where more would tell more.
    pub samples: Option<u32>,
    /// Values of placeholders over which every figure is a mean, all combinations with equal weight.
    #[serde(default)]
    pub over: BTreeMap<String, Vec<String>>,
    /// Names of the columns.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Values by row and column, as printed; without rows it has one without columns.
    #[serde(default)]
    pub rows: Vec<Vec<String>>,
    /// Rows that `--quick` plays, the first ones; all unless it says so.
    pub quick_rows: Option<usize>,
    /// Figures of each row.
    pub lines: Vec<Line>,
    /// The claim that one row, named by a column, gives all figures that the paper prints: its setting
    /// is not told.
    pub one: Option<One>,
    /// Picture of a row's learners, or of the figures of all rows.
    pub draw: Option<Drawing>,
}

/// A claim on one row of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct One {
    /// Claim that it answers.
    pub claim: String,
    /// The statement in words.
    pub what: String,
    /// Column that names the rows.
    pub column: String,
    /// Cause of a difference.
    pub cause: String,
}

/// A figure of each row of a table, and what the paper says of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Claim that it answers.
    pub claim: String,
    /// The figure in words.
    pub what: String,
    /// Place in the paper, if it is another than the table's.
    pub place: Option<String>,
    /// Organization or class, as `figures.csv` has them; `*` for all.
    #[serde(default = "all")]
    pub of: String,
    /// Name of the measure.
    pub measure: String,
    /// Statistic of the measure over the replications.
    #[serde(default)]
    pub statistic: Statistic,
    /// Further settings, as after `--set`.
    #[serde(default)]
    pub set: Vec<String>,
    /// Further values of placeholders over which it is a mean.
    #[serde(default)]
    pub over: BTreeMap<String, Vec<String>>,
    /// Figure that it is compared with, on the same draws.
    pub against: Option<Against>,
    /// Number, or the column that has it, by which the figure is divided.
    pub per: Option<String>,
    /// Printed value, or the column that has it: it is met within both errors. `=1` is exact.
    pub printed: Option<String>,
    /// The printed value is a mean over the paper's samples, which had the spread of ours.
    #[serde(default)]
    pub sampled: bool,
    /// Columns of a printed mean and of the standard deviation of its samples: a figure each.
    pub moments: Option<[String; 2]>,
    /// The figure is above this.
    pub above: Option<f64>,
    /// The figure is below this.
    pub below: Option<f64>,
    /// Words for the paper's side, such as `a few`; else they follow from the rule.
    pub says: Option<String>,
    /// The values count as 1 up to this, and as 0 beyond.
    pub at_most: Option<f64>,
    /// The figure goes up or down from each row to the next.
    pub order: Option<Order>,
    /// Relation of the figure to a column.
    pub fit: Option<Fit>,
    /// Value of this column in the row with the largest figure.
    pub best: Option<[String; 2]>,
    /// Identifier of the erratum that explains a difference.
    pub erratum: Option<String>,
    /// Cause of a difference, if it is another than the part's.
    pub cause: Option<String>,
    /// Note that is added to its rows.
    pub note: Option<String>,
    /// Name of its curve in a picture of figures; none if it is not drawn.
    pub curve: Option<String>,
}

fn all() -> String {
    "*".to_owned()
}

/// A statistic of a measure over the replications.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// Mean, as in `figures.csv`.
    #[default]
    Mean,
    /// Standard deviation over members and replications, as in `learning.csv`.
    Deviation,
    /// Standard deviation over mean.
    Variation,
    /// Share of the values in `replications.csv` that are negative.
    Negative,
    /// Largest less least value in `replications.csv`.
    Range,
    /// Number of jobs behind the value in `replications.csv`.
    Jobs,
    /// Largest value in `replications.csv`.
    Largest,
    /// Share of the replications whose value is above 0, in percent; the paper prints such a number,
    /// `16`, or `33 of 1200` of other samples than usual.
    Hits,
    /// Sum of all values.
    Total,
    /// Violations of a rule that `gridpact audit` finds in the results; the measure is its check.
    Violations,
    /// Number of values above 0; none tells nothing, as more samples may have some.
    Found,
}

/// Another figure, of the same draws; for a lead or a lag several.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Against {
    /// The difference to it, or the ratio.
    pub by: By,
    /// Scenario, if it is another one.
    pub scenario: Option<String>,
    /// Settings after those of the table, instead of the line's.
    #[serde(default)]
    pub set: Vec<String>,
    /// Settings of several others, after these.
    #[serde(default)]
    pub sets: Vec<Vec<String>>,
    /// Values of placeholders over which it is a mean, instead of those of the line.
    #[serde(default)]
    pub over: BTreeMap<String, Vec<String>>,
    /// Measure, if it is another one.
    pub measure: Option<String>,
    /// Organization or class, if it is another one.
    pub of: Option<String>,
}

/// A comparison of two figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The figure less the other.
    Less,
    /// The figure over the other: the ratio of their means.
    Over,
    /// Mean over the replications of the figure over the other.
    Ratio,
    /// The same less 1.
    More,
    /// Mean logarithm of the smallest of the others over the figure.
    Lead,
    /// Mean logarithm of the figure over the largest of the others.
    Lag,
    /// Share, in percent, of the members' values that are larger than the other's.
    Exceeds,
    /// Probability of such a difference of all values if there is none, by Welch's t-test.
    Welch,
}

/// An order of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Each row has more than the one before.
    Rises,
    /// Each row has less than the one before.
    Falls,
}

/// A relation of a figure to a column, over all rows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    /// The column, which has numbers; for `within` a measure.
    pub to: String,
    /// The relation.
    pub by: FitBy,
}

/// A kind of relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FitBy {
    /// Pearson's correlation over all values.
    Correlation,
    /// Slope of the line of least squares through the means.
    Slope,
    /// The same of the logarithms of the column and of the means less 1.
    Exponent,
    /// Mean over the replications of the correlation, over all rows, of a measure and the logarithm of
    /// the figure.
    Within,
}

/// A picture of learners over the rounds, or of figures over a column.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    /// Name of the figure in the paper.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Subject of the drawing.
    pub of: Drawn,
    /// Column of a picture of figures, and the names of both axes.
    pub over: Option<[String; 3]>,
    /// Number of the row that is drawn, from 0.
    #[serde(default)]
    pub row: usize,
    /// Values that the text reads from the figure.
    #[serde(default)]
    pub paper: Vec<f64>,
    /// Ends of a logarithmic axis; without them it is linear.
    pub log: Option<[f64; 2]>,
}

/// Subject of a drawing: a property of learners over the rounds, or figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drawn {
    /// Probability of taking part.
    Probability,
    /// Participation level.
    Level,
    /// Figures of a table, a curve a line: means, and bars of one standard deviation.
    Score,
    /// Figures of a table with their intervals, a series a line.
    Dots,
    /// Stages of the games behind plans, a curve for each row and line.
    Stages,
}

impl Drawing {
    fn scale(&self, reach: f64) -> Scale {
        match (self.log, self.of) {
            (Some([low, high]), _) => Scale::Log(low, high),
            (None, Drawn::Probability) => Scale::Linear(0.0, 1.0),
            (None, Drawn::Level) => Scale::Linear(0.0, 1050.0),
            (None, Drawn::Score | Drawn::Dots | Drawn::Stages) => Scale::Linear(0.0, reach),
        }
    }

    fn label(&self) -> &'static str {
        match self.of {
            Drawn::Probability => "probability of taking part, p",
            Drawn::Level => "participation level, l (units)",
            Drawn::Score | Drawn::Dots | Drawn::Stages => "figure",
        }
    }
}

impl Part {
    /// Claims that its lines answer, each once.
    pub fn claims(&self) -> Vec<&str> {
        let lines = self.tables.iter().flat_map(|table| &table.lines);
        let ones = self.tables.iter().filter_map(|table| table.one.as_ref().map(|one| &one.claim));
        let mut all: Vec<&str> = self.whole.iter().map(String::as_str).collect();
        let slips = self.slips.iter().map(|slip| &slip.claim);
        for claim in slips.chain(lines.map(|line| &line.claim)).chain(ones) {
            if !all.contains(&claim.as_str()) {
                all.push(claim);
            }
        }
        all
    }

    /// Name of the whole, such as `Table 2`.
    fn name(&self) -> String {
        match (&self.table, self.figures.first()) {
            (Some(table), _) => format!("Table {table}"),
            (None, Some(figure)) => format!("Figure {figure}"),
            (None, None) => self.tables[0].place.clone(),
        }
    }

    /// Plays and judges it.
    ///
    /// # Errors A line that no scenario answers, or a run that cannot go on.
    pub(super) fn play(
        &'static self,
        bench: &Bench,
        register: &'static Register,
    ) -> Result<Vec<Row>, StudyError> {
        judge::rows(self, bench, register)
    }
}

#[cfg(test)]
mod tests;
