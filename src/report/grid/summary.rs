//! The table of a grid's organizations, and the sentences around it.

use std::fmt::Write as _;

use super::json::jain_of;
use super::organizations::{Row, area};
use super::trace_waits;
use crate::table::margin;
use crate::table::{Cell, Column, ColumnOf, Format, Table, columns};
use findings::estimate::{Method, pivot};
use findings::grid::results::Results;
use findings::known::Known;
use findings::measure::Metric;
use kernel::order::InOrder as _;
use kernel::time::{Span, Time};
use scenario::plan::{Plan, Until};
use sim::accounts::Account;
use stats::shown::{count, counted, figure};

/// Maximum number of organizations in the table; those with the most work come first.
const SHOWN: usize = 12;

pub(super) fn head(out: &mut String, plan: &Plan, grid: &Account, results: &Results) {
    let processors = plan.processors();
    let last = results.replications.iter().map(|replication| replication.end).max();
    let until = match plan.until {
        _ if results.sample.known.as_ref().is_some_and(Known::is_stopped) => {
            format!("stopped at time {}", figure(last.unwrap_or_default().as_units()))
        }
        Until::Time(time) => format!("stopped at time {time}"),
        Until::Drained | Until::Jobs(_) | Until::Rounds(_) => {
            format!("all had finished by time {}", figure(last.unwrap_or_default().as_units()))
        }
    };
    let _ = write!(
        out,
        "{} of {} on {} with {}; {until}",
        counted(grid.jobs.submitted, "job", "jobs"),
        counted(plan.present().count() as u64, "organization", "organizations"),
        counted(plan.present_clusters().count() as u64, "cluster", "clusters"),
        counted(processors, "processor", "processors"),
    );
    let jobs = grid.jobs;
    let left = jobs.submitted - jobs.rejected - jobs.finished;
    let they = if jobs.rejected == 1 { "it" } else { "they" };
    let rejected = format!("rejected: no cluster that {they} may use is large enough");
    for (number, what) in [
        (jobs.rejected, &*rejected),
        (left, "unfinished at the end of the run"),
        (jobs.killed, "killed at the end of their estimate"),
    ] {
        if number > 0 {
            let _ = write!(out, "\n{} {what}", counted(number, "job", "jobs"));
        }
    }
    cut(out, plan, results);
    out.push('\n');
}

/// Describes the jobs that do not count, with their numbers.
fn cut(out: &mut String, plan: &Plan, results: &Results) {
    let (from, until) = plan.window();
    let uncounted = results.accounts.uncounted();
    let jobs = |number: u64| counted(number, "job", "jobs");
    if from.ticks() > 0 || until.is_some() {
        let from = if from.ticks() > 0 { format!(" from {from}") } else { String::new() };
        let until = until.map(|until| format!(" before {until}")).unwrap_or_default();
        let _ = write!(out, "\ncounted: jobs submitted{from}{until}");
        // Limits found in each replication have a line of their own.
        let parts = [
            (uncounted.before, "before", plan.found.warm_up),
            (uncounted.after, "after", plan.found.cool_down.is_some()),
        ];
        let parts = parts.iter().filter(|(number, _, is_found)| *number > 0 && !is_found);
        let parts: Vec<_> = parts
            .map(|&(number, when, _)| format!("{} submitted {when} that", jobs(number)))
            .collect();
        if !parts.is_empty() {
            let _ = write!(out, "; not counted: {}", parts.join(", "));
        }
    }
    let windows = || results.replications.iter().map(|replication| replication.window);
    if plan.found.warm_up && uncounted.before == 0 {
        out.push_str("\nwarm-up: MSER-5 removed no jobs");
    } else if plan.found.warm_up {
        let _ = write!(
            out,
            "\nwarm-up: MSER-5 removed the jobs submitted before {}{}: {}",
            windows().next().map(|window| figure(window.from.as_units())).unwrap_or_default(),
            match plan.scouted() {
                1 => String::new(),
                several => format!(" (from the mean of {several} replications)"),
            },
            jobs(uncounted.before)
        );
    }
    if plan.found.cool_down.is_some() {
        let _ = write!(
            out,
            "\ncool-down: removed the jobs submitted from {} on: {}",
            middle(windows().map(|window| window.until).collect()),
            jobs(uncounted.after)
        );
    }
}

/// Median and range of the times of the replications.
fn middle(mut times: Vec<Time>) -> String {
    times.sort_unstable();
    let shown = |time: Time| figure(time.as_units());
    let [low, high] = [times.len().saturating_sub(1) / 2, times.len() / 2]
        .map(|at| times.get(at).copied().unwrap_or_default());
    let median = Time::from_ticks(i64::midpoint(low.ticks(), high.ticks()));
    match &times[..] {
        [least, .., most] => format!(
            "{} (median of {}; range {} to {})",
            shown(median),
            counted(times.len() as u64, "replication", "replications"),
            shown(*least),
            shown(*most)
        ),
        _ => shown(median),
    }
}

/// The columns of the table. People do not get columns that say nothing: work for others if there are
/// none, and unknown errors.
fn table_columns<'a>(tau: Span, error: Option<&str>, several: bool) -> Vec<ColumnOf<'a, Row<'a>>> {
    let p95 = "p95: 95th percentile";
    let of_others = |column: Column| if several { column } else { column.for_programs() };
    let figure = |name, label| Column::figure(name).called(label);
    columns![|row: &Row<'a>|
        Column::text("organization") => row.name,
        figure("submitted", "jobs") => row.account.jobs.submitted,
        Column::figure("area").rank(10) => area(row.account.areas.own),
        figure("utilization", "used") => Cell::share(row.holding.utilization),
        figure("wait_mean", "wait").note("times and slowdowns are means over the jobs")
            .with_interval(error).margin_if_any()
            => (row.account.wait.mean(), row.precision.distributions[1].mean),
        figure("wait_p95", "p95").note(p95).rank(3) => row.account.wait.quantile(0.95),
        figure("recorded_wait_mean", "recorded").note(trace_waits::NOTE).rank(1).for_people().if_any()
            => row.recorded_mean(),
        figure("recorded_wait_p95", "p95").rank(5).for_people().if_any() => row.recorded_p95(),
        Column::figure("flow_mean").called("flow").rank(4).with_interval(error).margin_if_any()
            => (row.account.flow.mean(), row.precision.distributions[0].mean),
        figure("flow_p95", "p95").note(p95).rank(9) => row.account.flow.quantile(0.95),
        figure("bounded_slowdown_mean", "slowdown*").rank(2)
            .note(format!("slowdown*: bounded slowdown with tau = {tau}"))
            .with_interval(error).margin_if_any()
            => (row.account.bounded_slowdown.mean(), row.precision.distributions[3].mean),
        figure("bounded_slowdown_p95", "p95").note(p95).rank(6)
            => row.account.bounded_slowdown.quantile(0.95),
        figure("makespan_mean", "makespan").note("makespan: last finish - first submission").rank(8)
            .with_interval(error).margin_if_any() => (row.makespan, row.estimate(Metric::Makespan)),
        of_others(figure("work_for_others", "for others"))
            .note("for others: work done for other organizations").rank(7)
            => area(row.account.areas.for_others),
        of_others(figure("work_by_others", "by others"))
            .note("by others: own work done by other organizations").rank(7)
            => area(row.account.areas.by_others),
        // Numbers of columns in scripts stay what they are, so these are the last.
        Column::figure("recorded_wait_mean").for_programs().if_any() => row.recorded_mean(),
        Column::figure("recorded_wait_p95").for_programs().if_any() => row.recorded_p95(),
    ]
}

/// The table of organizations and, last, of the whole grid, which programs know as `*`.
///
/// For people the grid is left out if it is a single organization.
pub fn organizations(plan: &Plan, results: &Results, format: Format) -> Table {
    let accounts = results.accounts.organizations();
    let order: Vec<usize> = (0..accounts.len()).collect();
    table(plan, results, &order, format.is_for_people())
}

/// The rows of that table that a person reads.
pub(super) fn largest(plan: &Plan, results: &Results) -> Table {
    let accounts = results.accounts.organizations();
    let mut order: Vec<usize> = (0..accounts.len()).collect();
    if order.len() > SHOWN {
        order.order_by_key(|&index| std::cmp::Reverse(accounts[index].areas.own));
    }
    let rest = order.len().saturating_sub(SHOWN);
    order.truncate(SHOWN);
    let mut table = table(plan, results, &order, true);
    if rest > 0 {
        table.note(format!(
            "the {SHOWN} organizations with the most work; organizations.csv has {} more",
            count(rest as u64)
        ));
    }
    table
}

fn table(plan: &Plan, results: &Results, order: &[usize], is_for_people: bool) -> Table {
    let holdings = results.holdings();
    let accounts = results.accounts.organizations();
    let grid = results.accounts.grid();
    let row =
        |name, account, index: usize| Row::new(name, index, results, account, holdings[index]);
    let mut rows: Vec<Row<'_>> = (order.iter())
        .map(|&index| row(&*plan.organizations[index].name, &accounts[index], index))
        .collect();
    let several = accounts.len() > 1;
    if several || !is_for_people {
        let name = if is_for_people { "whole grid" } else { "*" };
        rows.push(row(name, &grid, accounts.len()));
    }
    let methods: Vec<Method> = rows.iter().filter_map(|row| row.precision.method).collect();
    let error = told(&methods).map(|method| margin::legend(plan.counting.level, &method));
    Table::by_columns("organizations", rows, table_columns(plan.tau(), error.as_deref(), several))
}

/// The methods of all rows, in words.
fn told(methods: &[Method]) -> Option<String> {
    let first = methods.first()?;
    if methods.iter().all(|method| method == first) {
        return Some(first.to_string());
    }
    let least = methods.iter().map(Method::sections).min()?;
    let most = methods.iter().map(Method::sections).max()?;
    let number = if least == most { count(least) } else { format!("{least} to {most}") };
    Some(match first {
        Method::Replications { .. } => format!("{} over {number} replications", pivot(least)),
        Method::BatchMeans { .. } | Method::RoundMeans { .. } => {
            format!("batch means, {number} batches of each organization's jobs")
        }
    })
}

pub(super) fn fairness(accounts: &[Account]) -> Option<String> {
    let served = accounts.iter().filter(|account| account.jobs.finished > 0).count();
    if served < 2 {
        return None;
    }
    let slowdown = jain_of(accounts, |account| &account.bounded_slowdown);
    let flow = jain_of(accounts, |account| &account.flow);
    Some(format!(
        "Jain's fairness index over {served} organizations (1 = all equal): bounded slowdown {}, \
         flow {}",
        slowdown.map_or_else(|| "-".to_owned(), figure),
        flow.map_or_else(|| "-".to_owned(), figure)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_an_even_number_lies_between_two() {
        let middle = |times: &[i64]| {
            middle(times.iter().map(|&units| Time::ZERO + Span::units(units)).collect())
        };
        assert_eq!(middle(&[7]), "7.000");
        assert_eq!(middle(&[5, 1, 3]), "3.000 (median of 3 replications; range 1.000 to 5.000)");
        assert_eq!(middle(&[8, 1, 3, 4]), "3.500 (median of 4 replications; range 1.000 to 8.000)");
    }
}
