//! The table of a grid's organizations, and the sentences around it.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::json::jain_of;
use super::organizations::{Row, area};
use super::trace_waits;
use crate::table::margin;
use crate::table::{Brief, Cell, Column, ColumnOf, Format, Table, columns};
use findings::estimate::{Method, pivot};
use findings::grid::results::{Holding, Results};
use findings::known::Known;
use findings::measure::{Metric, Unit};
use findings::unit::{Class, classes};
use kernel::order::InOrder as _;
use kernel::time::{Span, Time};
use scenario::plan::{Plan, Until, WorkloadKind};
use sim::accounts::Account;
use stats::shown::{Times, count, counted, figure};
use workload::dealt::DrawnOwners;

/// Maximum number of organizations in the table; those with the most work come first.
const SHOWN: usize = 12;

pub(super) fn head(out: &mut String, plan: &Plan, grid: &Account, results: &Results, times: Times) {
    let processors = plan.processors();
    let last = results.replications.iter().map(|replication| replication.end).max();
    let until = match plan.until {
        _ if results.sample.known.as_ref().is_some_and(Known::is_stopped) => {
            format!("stopped at time {}", times.told(last.unwrap_or_default().as_units()))
        }
        Until::Time(time) => format!("stopped at time {}", exact(time, times)),
        Until::Drained | Until::Jobs(_) | Until::Rounds(_) => {
            format!("all had finished by time {}", times.told(last.unwrap_or_default().as_units()))
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
    cut(out, plan, results, times);
    out.push('\n');
}

/// A time of the scenario.
fn exact(time: Time, times: Times) -> String {
    match times {
        Times::Units => time.to_string(),
        Times::Clock => times.told(time.as_units()),
    }
}

/// Describes the jobs that do not count, with their numbers.
fn cut(out: &mut String, plan: &Plan, results: &Results, times: Times) {
    let (from, until) = plan.window();
    let uncounted = results.accounts.uncounted();
    let jobs = |number: u64| counted(number, "job", "jobs");
    if from.ticks() > 0 || until.is_some() {
        let from =
            if from.ticks() > 0 { format!(" from {}", exact(from, times)) } else { String::new() };
        let until =
            until.map(|until| format!(" before {}", exact(until, times))).unwrap_or_default();
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
            windows().next().map(|window| times.told(window.from.as_units())).unwrap_or_default(),
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
            middle(windows().map(|window| window.until).collect(), times),
            jobs(uncounted.after)
        );
    }
}

/// Median and range of the times of the replications.
fn middle(mut all: Vec<Time>, times: Times) -> String {
    all.sort_unstable();
    let shown = |time: Time| times.told(time.as_units());
    let [low, high] = [all.len().saturating_sub(1) / 2, all.len() / 2]
        .map(|at| all.get(at).copied().unwrap_or_default());
    let median = Time::from_ticks(i64::midpoint(low.ticks(), high.ticks()));
    match &all[..] {
        [least, .., most] => format!(
            "{} (median of {}; range {} to {})",
            shown(median),
            counted(all.len() as u64, "replication", "replications"),
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
    let time = |name, label| Column::figure(name).called(label).unit(Unit::Time);
    columns![|row: &Row<'a>|
        Column::text("organization") => row.name,
        figure("submitted", "jobs") => row.account.jobs.submitted,
        Column::figure("area").rank(10) => area(row.account.areas.own),
        figure("utilization", "used") => Cell::share(row.holding.utilization),
        time("wait_mean", "wait").note("times and slowdowns are means over the jobs")
            .with_interval(error).margin_if_any()
            => (row.account.wait.mean(), row.precision.distributions[1].mean),
        time("wait_p95", "wait p95").note(p95).rank(3) => row.account.wait.quantile(0.95),
        time("recorded_wait_mean", "recorded").note(trace_waits::NOTE).rank(1).for_people().if_any()
            => row.recorded_mean(),
        time("recorded_wait_p95", "recorded p95").rank(5).for_people().if_any() => row.recorded_p95(),
        time("flow_mean", "flow").rank(4).with_interval(error).margin_if_any()
            => (row.account.flow.mean(), row.precision.distributions[0].mean),
        time("flow_p95", "flow p95").note(p95).rank(9) => row.account.flow.quantile(0.95),
        figure("bounded_slowdown_mean", "slowdown*").rank(2)
            .note(format!("slowdown*: bounded slowdown with tau = {tau}"))
            .with_interval(error).margin_if_any()
            => (row.account.bounded_slowdown.mean(), row.precision.distributions[3].mean),
        figure("bounded_slowdown_p95", "slowdown* p95").note(p95).rank(6)
            => row.account.bounded_slowdown.quantile(0.95),
        time("makespan_mean", "makespan").note("makespan: last finish - first submission").rank(8)
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
    let order: Vec<usize> = (0..plan.organizations.len()).collect();
    table(plan, results, &singles(plan, &order), format.is_for_people())
}

/// The rows of that table that a page shows.
pub(super) fn largest(plan: &Plan, results: &Results) -> Table {
    let accounts = results.accounts.organizations();
    let mut order: Vec<usize> = (0..accounts.len()).collect();
    if order.len() > SHOWN {
        order.order_by_key(|&index| std::cmp::Reverse(accounts[index].areas.own));
    }
    let rest = order.len().saturating_sub(SHOWN);
    order.truncate(SHOWN);
    let mut table = table(plan, results, &singles(plan, &order), true);
    if rest > 0 {
        table.note(format!(
            "the {SHOWN} organizations with the most work; organizations.csv has {} more",
            count(rest as u64)
        ));
    }
    table
}

/// The rows of a short summary: organizations and groups of them that are alike, those with the most work
/// first.
pub(super) fn brief(plan: &Plan, results: &Results) -> Brief {
    let accounts = results.accounts.organizations();
    let work = |of: &Class| accounts[of.members.clone()].iter().map(|one| one.areas.own).sum();
    let mut groups = groups(plan, &results.holdings());
    groups.order_by_key(|group| std::cmp::Reverse::<i128>(work(group)));
    let things = groups.iter().map(|group| group.members.len() as u64).collect();
    groups.truncate(Brief::MOST);
    let table = table(plan, results, &groups, true);
    let stay = table.len() - groups.len();
    Brief::new(table, ["organization", "organizations"], things, stay)
}

/// The organizations, those of one entry together if they own as much and get the same jobs or equal
/// shares of them.
fn groups(plan: &Plan, holdings: &[Holding]) -> Vec<Class> {
    let is_even = |kind: &WorkloadKind| match kind {
        WorkloadKind::List(_) => false,
        kind => kind.drawn_owners().is_none_or(|owners| matches!(owners, DrawnOwners::Uniform {})),
    };
    let is_even = plan.workloads.iter().all(|workload| is_even(&workload.kind));
    let of = |at: usize| {
        let (one, holding) = (&plan.organizations[at], holdings[at]);
        (one.entry, one.is_absent, holding.clusters, holding.processors)
    };
    let alike = |one: usize, other: usize| is_even && of(one).0.is_some() && of(one) == of(other);
    let names: Vec<String> = plan.organizations.iter().map(|one| one.name.clone()).collect();
    classes(&names, alike)
}

fn singles(plan: &Plan, order: &[usize]) -> Vec<Class> {
    let name = |at: usize| plan.organizations[at].name.clone();
    order.iter().map(|&at| Class { name: name(at), members: at..at + 1 }).collect()
}

fn table(plan: &Plan, results: &Results, groups: &[Class], is_for_people: bool) -> Table {
    let holdings = results.holdings();
    let accounts = results.accounts.organizations();
    let grid = results.accounts.grid();
    let together = groups.iter().map(|group| match &accounts[group.members.clone()] {
        [one] => Cow::Borrowed(one),
        [first, others @ ..] => {
            let mut all = first.clone();
            others.iter().for_each(|one| all.merge(one));
            Cow::Owned(all)
        }
        [] => Cow::Borrowed(&grid),
    });
    let together: Vec<Cow<'_, Account>> = together.collect();
    let mut rows: Vec<Row<'_>> = (groups.iter().zip(&together))
        .map(|(group, account)| {
            let at = group.members.start;
            let row = Row::new(&group.name, at, results, account, holdings[at]);
            if group.is_single() { row } else { row.of_group(&holdings[group.members.clone()]) }
        })
        .collect();
    let several = accounts.len() > 1;
    if several || !is_for_people {
        let name = if is_for_people { "whole grid" } else { "*" };
        rows.push(Row::new(name, accounts.len(), results, &grid, holdings[accounts.len()]));
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
            let all = times.iter().map(|&units| Time::ZERO + Span::units(units));
            middle(all.collect(), Times::Units)
        };
        assert_eq!(middle(&[7]), "7.000");
        assert_eq!(middle(&[5, 1, 3]), "3.000 (median of 3 replications; range 1.000 to 5.000)");
        assert_eq!(middle(&[8, 1, 3, 4]), "3.500 (median of 4 replications; range 1.000 to 8.000)");
    }
}
