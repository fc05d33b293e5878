//! `figures.csv` and `replications.csv`: the same two tidy files for every world.
//!
//! `figures.csv` has a line for every figure of a unit: its mean, the ends of its interval, the
//! method they come from, and the number of replications or batches behind them.
//! `replications.csv` has a line for every value of a replication, with the number of jobs or the
//! length that it is a mean over, so that replications of two runs can be paired.

use serde::Serialize;

use crate::table::margin;
use crate::table::{Column, ColumnOf, Table, columns};
use findings::Findings;
use findings::sample::{Figure, Value};
use records::field::{Field, Kind};
use records::text::Text;
use stats::interval::Interval;

/// A line of `figures.csv`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct FigureRow<'a> {
    /// Organization or player, class of them, or `*` for all together.
    pub unit: &'a str,
    /// Name of the measure; `gridpact list measures` explains it.
    pub measure: &'static str,
    /// Mean over all replications, or quantile.
    pub mean: f64,
    /// Lower end of its confidence interval; missing without one.
    pub low: Option<f64>,
    /// Upper end; missing where the sample does not tell it.
    pub high: Option<f64>,
    /// Method of the interval: `replications`, `batch_means`, `round_means` or `none`.
    pub method: &'static str,
    /// Number of replications or batches behind the interval; without one, number of replications
    /// that have a value.
    pub n: u64,
}

impl<'a> FigureRow<'a> {
    fn new(unit: &'a str, figure: &Figure) -> Option<FigureRow<'a>> {
        let high = figure.interval.map(|one| one.high).filter(|high| high.is_finite());
        Some(FigureRow {
            unit,
            measure: figure.measure.name,
            mean: figure.mean?,
            low: figure.interval.map(|one| one.low),
            high,
            method: figure.method.map_or("none", |method| method.name()),
            n: figure.n,
        })
    }

    fn interval(&self) -> Option<Interval> {
        self.low.map(|low| Interval { low, high: self.high.unwrap_or(f64::INFINITY) })
    }
}

/// The figures of a unit that have a mean.
pub(crate) fn rows_of(findings: &dyn Findings, unit: usize) -> Vec<FigureRow<'_>> {
    let sample = findings.sample();
    let figures = findings.figures_of(unit, sample.level());
    figures.iter().filter_map(|one| FigureRow::new(&sample.units()[unit].name, one)).collect()
}

/// Findings whose lines begin with values of their own, such as the name of a run that is compared.
#[derive(Clone)]
pub struct Part<'a> {
    /// The values of the leading columns.
    pub lead: Vec<String>,
    /// The findings.
    pub findings: &'a dyn Findings,
}

/// Text of a file, field by field.
#[derive(Default)]
struct Csv(Text);

impl Csv {
    /// The header.
    fn new(lead: &[String], columns: &[&'static str]) -> Csv {
        let mut csv = Csv::default();
        columns.iter().fold(csv.line(lead), |line, column| line.field(*column)).end();
        csv
    }

    /// Begins a line by its leading values.
    fn line(&mut self, lead: &[String]) -> &mut Csv {
        lead.iter().fold(self, |line, value| line.field(&**value))
    }

    fn field<'a>(&mut self, value: impl Field<'a>) -> &mut Csv {
        value.put(&mut self.0);
        self.0.push(b',');
        self
    }

    fn end(&mut self) {
        self.0.pop();
        self.0.push(b'\n');
    }
}

/// Renders `figures.csv`; `lead` names the leading columns.
pub fn figures(lead: &[String], parts: &[Part<'_>]) -> Vec<u8> {
    let columns = ["unit", "measure", "mean", "low", "high", "method", "n"];
    let mut csv = Csv::new(lead, &columns);
    for part in parts {
        for unit in 0..part.findings.sample().units().len() {
            for FigureRow { unit, measure, mean, low, high, method, n } in
                rows_of(part.findings, unit)
            {
                let line = csv.line(&part.lead).field(unit).field(measure);
                line.field(mean).field(low).field(high).field(method).field(n).end();
            }
        }
    }
    csv.0.into_bytes()
}

/// The columns of `replications.csv` behind the leading ones, with their meanings and types.
pub(super) const REPLICATIONS: [(&str, &str, Kind); 5] = [
    ("replication", "the replication, from 0", Kind::Whole),
    (
        "unit",
        "as in figures.csv; of more than 64 organizations only classes and `*`, unless `output.all_replications = true`",
        Kind::Text,
    ),
    ("measure", "as in figures.csv; quantiles have no lines", Kind::Text),
    ("value", "its value in this replication", Kind::Number),
    (
        "weight",
        "jobs, or processor time, that the value is a mean over; 1 for plain means. The mean of the values with these weights is the figure",
        Kind::Number,
    ),
];

/// Renders `replications.csv`; `lead` names the leading columns.
pub fn replications(lead: &[String], parts: &[Part<'_>]) -> Vec<u8> {
    let mut csv = Csv::new(lead, &REPLICATIONS.map(|(name, ..)| name));
    for part in parts {
        let sample = part.findings.sample();
        for Value { replication, unit, measure, value, weight } in sample.values() {
            let line = csv.line(&part.lead).field(replication).field(&*sample.units()[unit].name);
            line.field(measure.name).field(value).field(weight).end();
        }
    }
    csv.0.into_bytes()
}

/// The columns of a figure.
pub(crate) fn columns<'a>(legend: Option<&str>) -> Vec<ColumnOf<'a, FigureRow<'a>>> {
    columns![|row: &FigureRow<'a>|
        Column::text("unit").told("an organization or a player, a class of them that are alike (`typical-1..9`), or `*`: all together") => row.unit,
        Column::text("measure").told("name of the measure; `gridpact list measures` explains it") => row.measure,
        Column::figure("mean").told("mean over all replications, or the quantile").with_interval(legend).with_ends(["low", "high"])
            => (Some(row.mean), row.interval()),
        Column::text("method").told("method of the interval: `replications`, `batch_means`, `round_means` or `none`").for_programs() => row.method,
        Column::count("n").told("number of replications or batches behind the interval; without one, of replications with a value").for_programs() => row.n,
    ]
}

/// The figures as a table: a row for each, with the margin or, for programs, the interval.
pub fn table(findings: &dyn Findings) -> Table {
    let sample = findings.sample();
    let legend = margin::legend(sample.level(), "figures.csv tells the method");
    let rows = (0..sample.units().len()).flat_map(|unit| rows_of(findings, unit));
    Table::by_columns("figures", rows, columns(Some(&legend)))
}
