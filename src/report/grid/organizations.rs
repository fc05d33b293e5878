//! `organizations.csv`: a line for every organization, and one for the whole grid (`*`).
//!
//! Sums are exact decimals in units (processor-units for areas). Means are over all jobs that
//! count, in all replications; a makespan is the mean over the replications. `_low` and `_high` are
//! the ends of confidence intervals.

use super::alone;
use crate::table::{Column, ColumnOf, Table, columns, csv};
use findings::estimate::Estimate;
use findings::grid::precision::{OfDistribution, Precision};
use findings::grid::results::{Holding, Results};
use findings::grid::trace_waits::Waits;
use findings::measure::Metric;
use kernel::time::{Units, sum_as_units};
use scenario::plan::Plan;
use sim::accounts::Account;
use stats::distribution::{Distribution, QUANTILES};

/// An organization or the whole grid, and what was found of it.
#[derive(Debug)]
pub struct Row<'a> {
    pub(super) name: &'a str,
    pub(super) index: usize,
    pub(super) results: &'a Results,
    pub(super) account: &'a Account,
    pub(super) holding: Holding,
    pub(super) precision: Precision,
    pub(super) makespan: Option<f64>,
    pub(super) recorded: Option<&'a Waits>,
}

impl<'a> Row<'a> {
    /// The row at an index; the one after the last organization is the whole grid.
    pub(super) fn new(
        name: &'a str,
        index: usize,
        results: &'a Results,
        account: &'a Account,
        holding: Holding,
    ) -> Row<'a> {
        let precision = results.precision(index, account);
        let (makespan, recorded) = (results.makespans[index].mean(), results.trace_waits.of(index));
        Row { name, index, results, account, holding, precision, makespan, recorded }
    }

    /// The row of a group that begins with its organization. Its means are over the jobs of all, and have
    /// no intervals; of one organization alone there are makespans and recorded waits.
    pub(super) fn of_group(self, holdings: &[Holding]) -> Row<'a> {
        let used: Vec<f64> = holdings.iter().filter_map(|one| one.utilization).collect();
        let mean = used.iter().sum::<f64>() / used.len() as f64;
        // They own as many processors each.
        let mut holding = self.holding;
        holding.utilization = self.holding.utilization.map(|_| mean);
        Row { holding, precision: Precision::default(), makespan: None, recorded: None, ..self }
    }

    /// The interval of a mean over the replications.
    pub(super) fn estimate(&self, metric: Metric) -> Option<Estimate> {
        self.results.mean_of(self.index, metric).1
    }

    pub(super) fn recorded_mean(&self) -> Option<f64> {
        self.recorded.and_then(|waits| waits.recorded.mean())
    }

    pub(super) fn recorded_p95(&self) -> Option<f64> {
        self.recorded.and_then(|waits| waits.recorded.quantile(0.95))
    }
}

/// A distribution of an account.
type Of = fn(&Account) -> &Distribution;

/// The columns of a distribution.
fn distribution<'a>(
    name: &str,
    of: Of,
    precision: impl Fn(&Precision) -> &OfDistribution + Copy + 'a,
) -> Vec<ColumnOf<'a, Row<'a>>> {
    let mut all = columns![|row: &Row<'a>|
        Column::figure(format!("{name}_sum")).told("exact sum over its jobs that ended") => Units(of(row.account).sum()).to_string(),
        Column::figure(format!("{name}_mean")).told("mean").with_interval(None)
            => (of(row.account).mean(), precision(&row.precision).mean),
    ];
    for (at, (part, quantile)) in QUANTILES.into_iter().enumerate() {
        all.extend(columns![|row: &Row<'a>|
            Column::figure(format!("{name}_{part}"))
                .told(format!("what {}% of them do not exceed", &part[1..])).with_interval(None)
                => (of(row.account).quantile(quantile), precision(&row.precision).quantiles[at]),
        ]);
    }
    all.extend(columns![|row: &Row<'a>|
        Column::figure(format!("{name}_max")).told("largest") => of(row.account).largest(),
    ]);
    all
}

/// The columns of a run without a trace that records waits, and without organizations alone.
pub fn columns<'a>() -> Vec<ColumnOf<'a, Row<'a>>> {
    let area = |area: i128| Units(area).to_string();
    let mut all = columns![|row: &Row<'a>|
        Column::text("organization").told("its name, or `*` for the whole grid") => row.name,
        Column::count("clusters").told("clusters that it owns") => row.holding.clusters,
        Column::count("processors").told("their processors together") => row.holding.processors,
        Column::count("submitted").told("its jobs that were submitted") => row.account.jobs.submitted,
        Column::count("rejected").told("those of them larger than every cluster they may use") => row.account.jobs.rejected,
        Column::count("started").told("those that started") => row.account.jobs.started,
        Column::count("finished").told("those that ended") => row.account.jobs.finished,
        Column::count("killed").told("those that were killed at their estimate, which is an end too") => row.account.jobs.killed,
        Column::figure("area").told("processors x time of its jobs that ended, wherever they ran") => area(row.account.areas.own),
        Column::figure("work_for_others").told("area of others' jobs on its clusters") => area(row.account.areas.for_others),
        Column::figure("work_by_others").told("area of its jobs on others' clusters") => area(row.account.areas.by_others),
        Column::figure("utilization").told("share of its processor time in the counted window that was in use, by whatever jobs; empty if it owns no cluster").with_interval(None)
            => (row.holding.utilization, row.estimate(Metric::Utilization)),
        Column::figure("makespan_mean").told("latest finish - first submit, the mean over the replications").with_interval(None) => (row.makespan, row.estimate(Metric::Makespan)),
    ];
    let distributions: [(&str, Of); 4] = [
        ("flow", |account| &account.flow),
        ("wait", |account| &account.wait),
        ("slowdown", |account| &account.slowdown),
        ("bounded_slowdown", |account| &account.bounded_slowdown),
    ];
    for (at, (name, of)) in distributions.into_iter().enumerate() {
        all.extend(distribution(name, of, move |precision| &precision.distributions[at]));
    }
    all
}

/// Columns that are there only if a trace or list with recorded waits is run.
pub fn recorded<'a>() -> Vec<ColumnOf<'a, Row<'a>>> {
    columns![|row: &Row<'a>|
        Column::count("recorded_wait_jobs").told("jobs with a recorded wait; this and the next four only if the trace or list records waits and its load is not scaled") => row.recorded.map(|waits| waits.recorded.count()),
        Column::count("recorded_wait_missing").told("jobs of such a trace or list without one") => row.recorded.map(|waits| waits.missing),
        Column::figure("recorded_wait_mean").told("their mean wait on the real machine, under its own scheduler and policies") => row.recorded_mean(),
        Column::figure("recorded_wait_p95").told("what 95% of these waits do not exceed") => row.recorded_p95(),
        Column::figure("recorded_wait_simulated_mean").told("the mean wait of the same jobs in this run") => row.recorded.and_then(Waits::simulated_mean),
    ]
}

/// Makes something of the rows and columns of a run.
fn of_run<T>(
    plan: &Plan,
    results: &Results,
    make: impl for<'a> FnOnce(&mut dyn Iterator<Item = Row<'a>>, Vec<ColumnOf<'a, Row<'a>>>) -> T,
) -> T {
    let (holdings, grid) = (results.holdings(), results.accounts.grid());
    let mut all = columns();
    if results.trace_waits.is_any() {
        all.extend(recorded());
    }
    if results.alone.is_some() {
        all.extend(alone::columns());
    }
    let accounts = results.accounts.organizations();
    let names = plan.organizations.iter().map(|one| &*one.name).chain(["*"]);
    let rows = names.zip(accounts.iter().chain([&grid])).zip(&holdings).enumerate();
    make(
        &mut rows.map(|(index, ((name, account), holding))| {
            Row::new(name, index, results, account, *holding)
        }),
        all,
    )
}

/// Renders the file.
pub fn render(plan: &Plan, results: &Results) -> Vec<u8> {
    of_run(plan, results, |rows, columns| csv(rows, columns))
}

/// The same as a table.
pub(super) fn table(plan: &Plan, results: &Results) -> Table {
    of_run(plan, results, |rows, columns| Table::by_columns("organizations", rows, columns))
}

/// An area in processor-units, rounded, for tables.
pub(super) fn area(area: i128) -> f64 {
    sum_as_units(area)
}
