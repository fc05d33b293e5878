//! `organizations.csv` of a coalition: a line for every organization, and one for all (`*`).
//!
//! It begins with the columns of a grid's file, up to `killed`. Sums are exact decimals in units, over
//! all rounds and replications. `_low` and `_high` are the ends of 95% intervals. `score_of_sums` is
//! computed from the summed flow times; it differs from the mean of the rounds' scores, which is what
//! learners follow.

use std::borrow::Cow;

use crate::grid::alone;
use crate::table::{Column, ColumnOf, Figured, Table, columns};
use findings::coalition::frame::Frame;
use findings::coalition::learned::{Rounds, Unit};
use findings::measure::Metric;
use kernel::time::{Units, sum_as_units};
use sim::pool::turn::score;
use stats::distribution::{Distribution, QUANTILES};

/// A line of the file: its name, its rounds, and the flow times of its jobs.
#[derive(Debug)]
pub struct Row<'a> {
    name: &'a str,
    unit: Unit<'a>,
    flows: Cow<'a, Distribution>,
    /// Waits of a federation's jobs.
    waits: Option<Cow<'a, Distribution>>,
    frame: &'a Frame,
}

impl Row<'_> {
    fn processors(&self) -> &[u32] {
        &self.frame.processors[self.unit.members.clone()]
    }

    fn figured(&self, metric: Metric) -> Figured {
        (self.unit.mean(metric), self.unit.interval(metric)).into()
    }

    fn local_load(&self) -> Option<f64> {
        let all = &self.unit.all;
        let all_time = self.frame.window.as_units() * all.rounds.max(1) as f64;
        (all.rounds > 0).then(|| sum_as_units(all.brought) / all_time)
    }
}

/// The columns. All jobs that count start and end: none is rejected or killed.
pub fn columns<'a>() -> Vec<ColumnOf<'a, Row<'a>>> {
    let sum = |sum: i128| Units(sum).to_string();
    let mut all = columns![|row: &Row<'a>|
        Column::text("organization").told("its name, or `*` for all") => row.name,
        Column::count("clusters").told("clusters that it owns") => row.processors().len(),
        Column::count("processors").told("their processors together") => row.processors().iter().map(|&one| u64::from(one)).sum::<u64>(),
        Column::count("submitted").told("its jobs that count, all of which start and end") => row.unit.all.jobs,
        Column::count("rejected").told("0") => 0_u64,
        Column::count("started").told("as `submitted`") => row.unit.all.jobs,
        Column::count("finished").told("as `submitted`") => row.unit.all.jobs,
        Column::count("killed").told("0") => 0_u64,
        Column::count("rounds").told("rounds in which it was there") => row.unit.all.rounds,
        Column::count("rounds_joined").told("those in which it took part") => row.unit.all.joined,
        Column::count("jobs").told("its jobs that count") => row.unit.all.jobs,
        Column::figure("flow_sum").told("their flow time, summed") => sum(row.unit.all.flow),
        Column::figure("flow_mean").told("mean of a job").with_interval(None) => row.figured(Metric::Flow),
    ];
    all.extend(quantiles("flow", |row| Some(&row.flows)));
    all.extend(columns![|row: &Row<'a>|
        Column::figure("flow_max").told("the longest") => row.flows.largest(),
        Column::figure("flow_alone_sum").told("the same sum, had it alone stayed out of each round") => sum(row.unit.all.alone),
        Column::figure("flow_alone_mean").told("the same mean, had it alone stayed out of each round").with_interval(None) => row.figured(Metric::FlowAlone),
        Column::figure("score").told("mean of the rounds' scores").with_interval(None) => row.figured(Metric::Score),
        Column::figure("score_of_sums").told("score of the summed flow times: another figure than the mean of scores, in which a bad round weighs much") => {
            let all = &row.unit.all;
            (all.jobs > 0).then(|| score(all.flow, all.alone))
        },
        Column::figure("sent_sum").told("work sent, in all rounds together") => sum(row.unit.all.sent),
        Column::figure("received_sum").told("work received") => sum(row.unit.all.received),
        Column::figure("brought").told("work of its jobs that count") => sum(row.unit.all.brought),
        Column::figure("local_load").told("that work by the length of the windows") => row.local_load(),
    ]);
    all
}

/// The columns of the quantiles of a distribution.
fn quantiles<'a>(
    name: &str,
    of: impl for<'r> Fn(&'r Row<'a>) -> Option<&'r Distribution> + Copy + 'a,
) -> Vec<ColumnOf<'a, Row<'a>>> {
    let column = |(part, quantile): (&str, f64)| {
        let column = Column::figure(format!("{name}_{part}"));
        let column = column.told(format!("what {}% of them do not exceed", &part[1..]));
        column.of(move |row: &Row<'a>| of(row).and_then(|values| values.quantile(quantile)).into())
    };
    QUANTILES.into_iter().map(column).collect()
}

/// The columns that only a federation has, whose clusters are a grid.
pub fn of_grid<'a>() -> Vec<ColumnOf<'a, Row<'a>>> {
    let mut all = columns![|row: &Row<'a>|
        Column::figure("utilization").told("share of its processor time that was in use, by whatever jobs; this and the next ones only of a federation, and not of independent rounds").with_interval(None) => row.figured(Metric::Utilization),
        Column::figure("bounded_slowdown_mean").told("mean bounded slowdown of its jobs that count and ended").with_interval(None) => row.figured(Metric::BoundedSlowdown),
        Column::figure("wait_mean").told("their mean wait").with_interval(None) => row.figured(Metric::Wait),
    ];
    all.extend(quantiles("wait", |row| row.waits.as_deref()));
    all
}

/// The columns that a federation has with `output.alone`.
pub fn alone<'a>() -> Vec<ColumnOf<'a, Row<'a>>> {
    let service = |row: &Row<'a>| Some(*row.unit.totals().beside.alone());
    alone::columns_of(service, |row: &Row<'a>, metric| row.figured(metric))
}

/// The file as a table.
pub fn table(found: &Rounds) -> Table {
    let Rounds { learned, flows, accounts } = found;
    let row = |name, unit, flows, waits| Row { name, unit, flows, waits, frame: &learned.frame };
    let each = learned.organizations().zip(flows.organizations()).enumerate();
    let each = each.map(|(at, (unit, flows))| {
        let waits = accounts.as_ref().map(|one| Cow::Borrowed(&one.organizations()[at].wait));
        row(&*unit.totals().name, unit, Cow::Borrowed(flows), waits)
    });
    let all = std::iter::once_with(|| {
        let waits = accounts.as_ref().map(|one| Cow::Owned(one.grid().wait));
        row("*", learned.everyone(), flows.everyone(), waits)
    });
    let mut columns = columns();
    if accounts.is_some() {
        columns.extend(of_grid());
    }
    if learned.frame.has_alone() {
        columns.extend(self::alone());
    }
    Table::by_columns("organizations", each.chain(all), columns)
}
