//! Sobol indices of a study: the share of a measure's variance over the points that each key explains.

use super::SweepReport;
use crate::table::{Column, ColumnOf, Table, columns};
use findings::Findings as _;
use findings::measure::Measure;
use findings::swept::Swept;
use findings::unit::{self, Class};
use kernel::order::InOrder as _;
use scenario::sweep::{Indices, Study};
use stats::sensitivity::{Index, Rows, Why, indices};
use stats::shown::percent;

/// The indices of every measure, for each combination of the other keys.
pub(super) struct Sensitivity {
    groups: Vec<Group>,
    keys: Vec<String>,
    shown: &'static Measure,
}

/// The points that share the values of the other keys.
struct Group {
    /// Its first point.
    first: usize,
    /// The values of the other keys, in words.
    told: String,
    found: Vec<(&'static Measure, Result<Vec<Index>, Why>)>,
}

/// A line of `sensitivity.csv`.
pub(crate) struct Row {
    measure: &'static Measure,
    key: String,
    index: Result<Index, String>,
}

/// The columns of `sensitivity.csv` behind the point and its values.
pub(crate) fn columns<'a>() -> Vec<ColumnOf<'a, Row>> {
    let total = |row: &Row| {
        let index = row.index.as_ref().ok();
        (index.map(|one| one.total), index.map(|one| one.total_interval))
    };
    let first = |row: &Row| {
        let index = row.index.as_ref().ok();
        (index.map(|one| one.first), index.map(|one| one.first_interval))
    };
    columns![|row: &Row|
        Column::text("measure").told("a measure") => row.measure.name,
        Column::text("key").told("a key of the design") => row.key.as_str(),
        Column::figure("first").told("share of the variance that the key explains alone")
            .with_interval(None) => first(row),
        Column::figure("total").told("the same with its interactions").with_interval(None)
            => total(row),
        Column::text("without").told("why there are no indices; empty if there are")
            => row.index.as_ref().err().cloned().unwrap_or_default(),
    ]
}

impl Sensitivity {
    /// The indices of a finished study.
    ///
    /// The noise of the means is not taken off: points are run on the same draws, so it is not
    /// independent from point to point.
    pub(super) fn new(study: &Study, swept: &Swept, design: &Indices) -> Sensitivity {
        let keys = design.keys.clone();
        let size = design.rows * (keys.len() + 2);
        let level = swept.sample().level();
        let group = |number: usize| {
            let points = number * size..(number + 1) * size;
            let first = &swept.points[points.start];
            let unit = study.design.unit.as_str();
            let is_it = |one: &Class| unit::goes_by(&one.name, unit);
            let index = first.sample().units().iter().position(is_it);
            let figures = index.map(|index| first.figures_of(index, level)).unwrap_or_default();
            let of = |measure: &'static Measure| {
                let mean =
                    |at: usize| swept.points[at].figure(unit, measure).and_then(|one| one.mean);
                let outputs: Vec<Option<f64>> = points.clone().map(mean).collect();
                let rows = Rows::of(keys.len(), &outputs);
                (measure, rows.and_then(|rows| indices(&rows, None, level, 1)))
            };
            let values =
                study.design.keys.iter().zip(&study.design.points[points.start]).enumerate();
            let others = values.filter(|(at, (key, _))| !keys.contains(at) && !key.is_computed);
            let told: Vec<String> = others
                .map(|(_, (key, value))| format!("{} = {}", key.name, value.shown()))
                .collect();
            Group {
                first: points.start,
                told: told.join(", "),
                found: figures.iter().map(|figure| of(figure.measure)).collect(),
            }
        };
        let names = study.design.keys[keys.clone()].iter().map(|key| key.name.clone());
        Sensitivity {
            groups: (0..swept.points.len() / size).map(group).collect(),
            keys: names.collect(),
            shown: study.shown,
        }
    }

    /// `sensitivity.csv`: the values of the first point of a group in front.
    pub(super) fn table(&self, report: &SweepReport<'_>) -> Table {
        let rows = self.groups.iter().flat_map(|group| {
            let found = group.found.iter().flat_map(|(measure, found)| {
                self.keys.iter().enumerate().map(move |(at, key)| {
                    let index = found.as_ref().map(|found| found[at]);
                    Row { measure, key: key.clone(), index: index.map_err(ToString::to_string) }
                })
            });
            found.map(|row| (group.first, row))
        });
        Table::by_columns("sensitivity", rows, report.after_lead(columns()))
    }

    /// For each group a sentence on the measure that is shown.
    pub(super) fn statements(&self) -> Vec<String> {
        let line = |group: &Group| {
            let (_, found) = group.found.iter().find(|(measure, _)| *measure == self.shown)?;
            let place =
                if group.told.is_empty() { String::new() } else { format!("{}: ", group.told) };
            Some(match found {
                Err(why) => format!("{place}no Sobol indices of {}: {why}", self.shown.words()),
                Ok(found) => {
                    let mut by_total: Vec<(&String, &Index)> =
                        self.keys.iter().zip(found).collect();
                    by_total.order_by(|one, other| other.1.total.total_cmp(&one.1.total));
                    let told = by_total.iter().map(|(key, index)| {
                        let end = |share: f64| percent(share.clamp(0.0, 1.0));
                        format!(
                            "{key} {} alone ({} to {}), {} with interactions ({} to {})",
                            end(index.first),
                            end(index.first_interval.low),
                            end(index.first_interval.high),
                            end(index.total),
                            end(index.total_interval.low),
                            end(index.total_interval.high)
                        )
                    });
                    let told: Vec<String> = told.collect();
                    format!(
                        "{place}the variance of {} is explained by {}",
                        self.shown.words(),
                        told.join("; ")
                    )
                }
            })
        };
        self.groups.iter().filter_map(line).collect()
    }
}
