//! Tables and sentences about every organization alone.

use super::organizations::Row;
use crate::table::{Column, ColumnOf, Figured, columns};
use crate::words::sharing::{self, Change};
use findings::grid::results::Results;
use findings::measure::{ALONE, Metric};
use scenario::plan::Plan;
use sim::alone::Service;
use stats::shown::counted;

/// The columns in `organizations.csv` of a grid.
pub fn columns<'a>() -> Vec<ColumnOf<'a, Row<'a>>> {
    let service = |row: &Row<'_>| row.results.alone.as_ref().map(|alone| *alone.of(row.index));
    columns_of(service, |row, metric| row.results.mean_of(row.index, metric).into())
}

/// The columns of rows with such a service and such figures.
pub(crate) fn columns_of<'a, R: 'a>(
    service: impl Fn(&R) -> Option<Service> + Copy + 'a,
    figured: impl Fn(&R, Metric) -> Figured + Copy + 'a,
) -> Vec<ColumnOf<'a, R>> {
    let mut all = columns![|row: &R|
        Column::count("alone_jobs").told("jobs that count and ended alone; this and the next ones only with `output.alone`") => service(row).map(|one| one.jobs),
        Column::count("alone_too_wide").told("jobs that could not run alone, wider than its own clusters: in none of the next figures") => service(row).map(|one| one.too_wide),
    ];
    let mut add = |metric: Metric, name: String| {
        let column = Column::figure(name).told(metric.measure().summary);
        all.push(column.with_interval(None).of(move |row: &R| figured(row, metric)));
    };
    ALONE.into_iter().for_each(|metric| add(metric, format!("{}_mean", metric.name())));
    add(Metric::Gain, Metric::Gain.name().to_owned());
    all
}

/// Sentences that say who gains from sharing, who loses, and how much.
pub(super) fn shared(results: &Results, plan: &Plan) -> Vec<String> {
    let Some(alone) = &results.alone else { return Vec::new() };
    let change = |(index, organization): (usize, _)| {
        let (mean, estimate) = results.mean_of(index, Metric::Gain);
        Some(Change::new(organization, mean?, estimate.map(|one| one.interval)))
    };
    let names = plan.organizations.iter().map(|one| &*one.name);
    let changes: Vec<Change<'_>> = names.enumerate().filter_map(change).collect();
    let mut sentences = Vec::from_iter(sharing::sentence(&changes));
    let too_wide = alone.of(plan.organizations.len()).too_wide;
    if too_wide > 0 {
        sentences.push(format!(
            "not compared: {}",
            counted(
                too_wide,
                "job too wide for its organization's own clusters",
                "jobs too wide for their organizations' own clusters"
            )
        ));
    }
    sentences
}
