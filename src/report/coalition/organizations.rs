//! `organizations.csv` of a coalition: a line for every organization, and one for all (`*`).
//!
//! It begins with the columns of a grid's file, up to `killed`. Sums are exact decimals in units, over
//! all rounds and replications. `_low` and `_high` are the ends of 95% intervals. `score_of_sums` is
//! computed from the summed flow times; it differs from the mean of the rounds' scores, which is what
//! learners follow.

use std::borrow::Cow;

use crate::table::{Column, ColumnOf, Figured, Table, columns};
use findings::coalition::flows::Flows;
use findings::coalition::frame::Frame;
use findings::coalition::learned::{Learned, Unit};
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
        Column::figure("clusters").told("clusters that it owns") => row.processors().len(),
        Column::figure("processors").told("their processors together") => row.processors().iter().map(|&one| u64::from(one)).sum::<u64>(),
        Column::figure("submitted").told("its jobs that count, all of which start and end") => row.unit.all.jobs,
        Column::figure("rejected").told("0") => 0_u64,
        Column::figure("started").told("as `submitted`") => row.unit.all.jobs,
        Column::figure("finished").told("as `submitted`") => row.unit.all.jobs,
        Column::figure("killed").told("0") => 0_u64,
        Column::figure("rounds").told("rounds in which it was there") => row.unit.all.rounds,
        Column::figure("rounds_joined").told("those in which it took part") => row.unit.all.joined,
        Column::figure("jobs").told("its jobs that count") => row.unit.all.jobs,
        Column::figure("flow_sum").told("their flow time, summed") => sum(row.unit.all.flow),
        Column::figure("flow_mean").told("mean of a job").with_interval(None) => row.figured(Metric::Flow),
    ];
    all.extend(QUANTILES.map(|(name, quantile)| {
        let column = Column::figure(format!("flow_{name}"));
        let column = column.told(format!("what {}% of them do not exceed", &name[1..]));
        column.of(move |row: &Row<'a>| row.flows.quantile(quantile).into())
    }));
    all.extend(columns![|row: &Row<'a>|
        Column::figure("flow_max").told("the longest") => row.flows.largest(),
        Column::figure("flow_alone_sum").told("the same sum, had it been alone") => sum(row.unit.all.alone),
        Column::figure("flow_alone_mean").told("the same mean, had it been alone").with_interval(None) => row.figured(Metric::FlowAlone),
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

/// The file as a table.
pub fn table(learned: &Learned, flows: &Flows) -> Table {
    let row = |name, unit, flows| Row { name, unit, flows, frame: &learned.frame };
    let each = learned.organizations().zip(flows.organizations());
    let each = each.map(|(unit, flows)| row(&*unit.totals().name, unit, Cow::Borrowed(flows)));
    let all = std::iter::once_with(|| row("*", learned.everyone(), flows.everyone()));
    Table::by_columns("organizations", each.chain(all), columns())
}
