//! The table of a grid's organizations, and the sentences around it.

use std::fmt::Write as _;

use super::columns;
use super::json::jain_of;
use super::margin;
use super::organizations::area;
use super::table::{Cell, Column, Format, Table};
use super::trace_waits;
use findings::estimate::{Estimate, Method};
use findings::grid::precision::Precision;
use findings::grid::results::Results;
use findings::grid::trace_waits::Waits;
use findings::known::Known;
use kernel::order::InOrder as _;
use kernel::time::{Span, Time};
use scenario::plan::{Plan, Until, WorkloadKind};
use sim::accounts::Account;
use stats::distribution::Distribution;
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

/// Figures for a row: those of an organization or of the whole grid.
struct Line<'a> {
    name: &'a str,
    account: &'a Account,
    precision: Precision,
    used: Option<f64>,
    makespan: Option<f64>,
    recorded: Option<&'a Waits>,
}

impl Line<'_> {
    fn cells(&self) -> Vec<Cell> {
        let Line { account, .. } = self;
        let areas = account.areas;
        let ends = |figure, estimate: Option<Estimate>| {
            margin::cells(figure, estimate.map(|estimate| estimate.interval))
        };
        let p95 = |of: &Distribution| of.quantile(0.95).into();
        let mean = |of: &Distribution| of.mean().into();
        let [flow, .., bounded_slowdown] = &self.precision.distributions;
        let wait = &self.precision.distributions[1];
        let mut cells: Vec<Cell> = vec![
            self.name.into(),
            account.jobs.submitted.into(),
            area(areas.own).into(),
            Cell::share(self.used),
        ];
        cells.push(mean(&account.wait));
        cells.extend(ends(account.wait.mean(), wait.mean));
        cells.push(p95(&account.wait));
        let recorded = self.recorded.map(|waits| &waits.recorded);
        cells.push(recorded.and_then(Distribution::mean).into());
        cells.push(recorded.and_then(|waits| waits.quantile(0.95)).into());
        cells.push(mean(&account.flow));
        cells.extend(ends(account.flow.mean(), flow.mean));
        cells.extend([p95(&account.flow), mean(&account.bounded_slowdown)]);
        cells.extend(ends(account.bounded_slowdown.mean(), bounded_slowdown.mean));
        cells.extend([p95(&account.bounded_slowdown), self.makespan.into()]);
        cells.extend(ends(self.makespan, self.precision.makespan));
        cells.extend([area(areas.for_others).into(), area(areas.by_others).into()]);
        cells
    }
}

/// Columns that are there only if a recorded wait is known.
const RECORDED_MEAN: &str = "recorded_wait_mean";
const RECORDED_P95: &str = "recorded_wait_p95";

fn table_columns(tau: Span, error: Option<&str>) -> Vec<Column> {
    let margin = |name| columns::margin(name, error);
    let p95 = "p95: 95th percentile";
    vec![
        Column::text("organization"),
        Column::figure("submitted").called("jobs"),
        Column::figure("area").rank(10),
        Column::figure("utilization").called("used"),
        Column::figure("wait_mean")
            .called("wait")
            .note("times and slowdowns are means over the jobs"),
        Column::figure("wait_mean_low"),
        Column::figure("wait_mean_high"),
        margin("wait_mean_half_width"),
        Column::figure("wait_p95").called("p95").note(p95).rank(3),
        Column::figure(RECORDED_MEAN).called("recorded").note(trace_waits::NOTE).rank(1),
        Column::figure(RECORDED_P95).called("p95").rank(5),
        Column::figure("flow_mean").called("flow").rank(4),
        Column::figure("flow_mean_low"),
        Column::figure("flow_mean_high"),
        margin("flow_mean_half_width"),
        Column::figure("flow_p95").called("p95").note(p95).rank(9),
        Column::figure("bounded_slowdown_mean")
            .called("slowdown*")
            .note(format!("slowdown*: bounded slowdown with tau = {tau}"))
            .rank(2),
        Column::figure("bounded_slowdown_mean_low"),
        Column::figure("bounded_slowdown_mean_high"),
        margin("bounded_slowdown_mean_half_width"),
        Column::figure("bounded_slowdown_p95").called("p95").note(p95).rank(6),
        Column::figure("makespan_mean")
            .called("makespan")
            .note("makespan: last finish - first submission")
            .rank(8),
        Column::figure("makespan_mean_low"),
        Column::figure("makespan_mean_high"),
        margin("makespan_mean_half_width"),
        Column::figure("work_for_others")
            .called("for others")
            .note("for others: work done for other organizations")
            .rank(7),
        Column::figure("work_by_others")
            .called("by others")
            .note("by others: own work done by other organizations")
            .rank(7),
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
    let line = |name, account, index: usize| Line {
        name,
        account,
        precision: results.precision(index, account),
        used: holdings[index].utilization,
        makespan: results.makespans[index].mean(),
        recorded: results.trace_waits.of(index),
    };
    let mut lines: Vec<Line<'_>> = (order.iter())
        .map(|&index| line(&plan.organizations[index].name, &accounts[index], index))
        .collect();
    let several = accounts.len() > 1;
    if several || !is_for_people {
        let name = if is_for_people { "whole grid" } else { "*" };
        lines.push(line(name, &grid, accounts.len()));
    }
    let cells: Vec<Vec<Cell>> = lines.iter().map(Line::cells).collect();
    // Programs get the ends of intervals.
    //
    // People do not get columns that say nothing: work for others if there are none, and unknown
    // errors.
    let methods: Vec<Method> = lines.iter().filter_map(|line| line.precision.method).collect();
    let error = told(&methods).map(|method| margin::legend(plan.counting.level, &method));
    let is_lopsided = cells.iter().any(|cells| cells.iter().skip(1).any(margin::is_lopsided));
    let error = error.map(|error| if is_lopsided { error + margin::BOTH_ENDS } else { error });
    let columns = table_columns(plan.tau(), error.as_deref());
    let others = columns.len() - 2;
    let is_known = |at: usize| cells.iter().any(|cells| cells[at] != Cell::Missing);
    let is_shown = |&at: &usize| {
        let column = &columns[at];
        let is_error = column.is_margin();
        let is_end = column.name().ends_with("_low") || column.name().ends_with("_high");
        if [RECORDED_MEAN, RECORDED_P95].contains(&column.name()) {
            is_known(at)
        } else if is_for_people {
            !is_end && (several || at < others) && (!is_error || is_known(at))
        } else {
            !is_error
        }
    };
    let mut shown: Vec<usize> = (0..columns.len()).filter(is_shown).collect();
    if !is_for_people {
        // Numbers of columns in scripts stay what they are.
        shown.order_by_key(|&at| columns[at].name().starts_with("recorded_"));
    }
    let mut table = Table::new("organizations", shown.iter().map(|&at| columns[at].clone()));
    for cells in &cells {
        table.row(shown.iter().map(|&at| cells[at].clone()));
    }
    table
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
        Method::Replications { .. } => format!("Student's t over {number} replications"),
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

/// Describes what each import rule did to each trace.
pub fn imports(plan: &Plan) -> Vec<String> {
    let mut out = Vec::new();
    for workload in &plan.workloads {
        let WorkloadKind::Swf { survey, routes, .. } = &workload.kind else { continue };
        let ledger = &survey.ledger;
        let file = survey.file.file_name().unwrap_or_default().to_string_lossy();
        out.push(format!(
            "{file}: {} of {} jobs used{}",
            count(ledger.kept),
            count(ledger.read),
            survey
                .header
                .acknowledge()
                .map(|who| format!("; please acknowledge {who}"))
                .unwrap_or_default()
        ));
        for (partition, cluster) in routes.iter() {
            let jobs = survey.partitions.get(&partition).map_or(0, |share| share.jobs);
            let cluster = &plan.clusters[cluster.index()].name;
            out.push(format!(
                "  partition {partition}: {} on {cluster}",
                counted(jobs, "job", "jobs")
            ));
        }
        for rule in ledger.rows() {
            out.push(format!(
                "  {}: {} {} (first on line {})",
                rule.rule,
                counted(rule.count, "job", "jobs"),
                rule.effect,
                rule.first_line
            ));
        }
    }
    out
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
