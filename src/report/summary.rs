//! The summary that a person reads at the end of a run.

use std::fmt::Write as _;
use std::path::Path;

use super::enough::Known;
use super::figure::{count, counted, figure, seconds};
use super::json::{Timing, jain_of};
use super::organizations::area;
use super::precision::{Estimate, Method, Precision};
use super::results::Results;
use super::table::{Cell, Column, Format, Table};
use super::warnings;
use crate::kernel::time::{Span, Time};
use crate::scenario::plan::{Plan, Until, WorkloadKind};
use crate::sim::accounts::Account;
use crate::stats::distribution::Distribution;
use crate::stats::interval::Interval;

/// Organizations shown in the table, those with the most work first.
const SHOWN: usize = 12;

/// The whole summary; `folder` is where the files are, if any were written. With a `width`, in
/// characters, the table leaves out columns rather than be wider.
pub fn render(
    plan: &Plan,
    results: &Results,
    timing: &Timing,
    folder: Option<&Path>,
    width: Option<usize>,
) -> String {
    let mut out = String::new();
    let grid = results.accounts.grid();
    let accounts = results.accounts.organizations();
    head(&mut out, plan, &grid, results);
    let _ = writeln!(out, "{}", largest(plan, results).render(Format::Text, width));
    fairness(&mut out, accounts);
    if let Some(known) = &results.known {
        let _ = writeln!(out, "{}", known.line());
    }
    for warning in warnings::of(plan, results) {
        let _ = writeln!(out, "warning: {warning}");
    }
    imports(&mut out, plan);
    let _ = writeln!(
        out,
        "{} simulated in {} ({} a second)",
        counted(timing.jobs, "job", "jobs"),
        seconds(timing.run_seconds),
        figure(timing.jobs_per_second.round()),
    );
    if let Some(folder) = folder {
        let _ = writeln!(out, "results: {}", folder.display());
    }
    out
}

fn head(out: &mut String, plan: &Plan, grid: &Account, results: &Results) {
    let processors: u64 = plan.clusters.iter().map(|one| u64::from(one.processors())).sum();
    let replications = results.replications.len() as u64;
    let _ = writeln!(
        out,
        "{}  (seed {}, {})",
        plan.name,
        plan.seed,
        counted(replications, "replication", "replications")
    );
    let last = results.replications.iter().map(|replication| replication.end).max();
    let until = match plan.until {
        _ if results.known.as_ref().is_some_and(Known::is_stopped) => {
            format!("stopped at time {}", figure(last.unwrap_or_default().as_units()))
        }
        Until::Time(time) => format!("stopped at time {time}"),
        Until::Drained | Until::Jobs(_) | Until::Rounds(_) => {
            format!("all ended by time {}", figure(last.unwrap_or_default().as_units()))
        }
    };
    let _ = write!(
        out,
        "{} of {} on {} with {}; {until}",
        counted(grid.jobs.submitted, "job", "jobs"),
        counted(plan.organizations.len() as u64, "organization", "organizations"),
        counted(plan.clusters.len() as u64, "cluster", "clusters"),
        counted(processors, "processor", "processors"),
    );
    let jobs = grid.jobs;
    let left = jobs.submitted - jobs.rejected - jobs.finished;
    for (number, what) in [
        (jobs.rejected, "rejected: larger than every cluster they may use"),
        (left, "not ended when the run was over"),
        (jobs.killed, "killed at their estimate"),
    ] {
        if number > 0 {
            let _ = write!(out, "\n{} {what}", counted(number, "job", "jobs"));
        }
    }
    cut(out, plan, results);
    out.push('\n');
}

/// Which jobs do not count, and how many.
fn cut(out: &mut String, plan: &Plan, results: &Results) {
    let (from, until) = plan.window();
    let uncounted = results.accounts.uncounted();
    let jobs = |number: u64| counted(number, "job", "jobs");
    if from.ticks() > 0 || until.is_some() {
        let from = if from.ticks() > 0 { format!(" from {from}") } else { String::new() };
        let until = until.map(|until| format!(" until before {until}")).unwrap_or_default();
        let _ = write!(out, "\ncounted: jobs submitted{from}{until}");
        // What is found in each replication has a line of its own.
        let parts = [
            (uncounted.before, "before", plan.found.warm_up),
            (uncounted.after, "after", plan.found.cool_down.is_some()),
        ];
        let parts = parts.iter().filter(|(number, _, is_found)| *number > 0 && !is_found);
        let parts: Vec<_> =
            parts.map(|&(number, when, _)| format!("{} {when} that", jobs(number))).collect();
        if !parts.is_empty() {
            let _ = write!(out, "; {} were cut", parts.join(" and "));
        }
    }
    let windows = || results.replications.iter().map(|replication| replication.window);
    if plan.found.warm_up && uncounted.before == 0 {
        out.push_str("\nwarm-up: MSER-5 cut no job");
    } else if plan.found.warm_up {
        let _ = write!(
            out,
            "\nwarm-up: MSER-5 cut the jobs submitted before {}, {}",
            middle(windows().map(|window| window.from).collect()),
            jobs(uncounted.before)
        );
    }
    if plan.found.cool_down.is_some() {
        let _ = write!(
            out,
            "\ncool-down: cut the jobs submitted from {} on, {}",
            middle(windows().map(|window| window.until).collect()),
            jobs(uncounted.after)
        );
    }
}

/// The median of the times of the replications, and between what they lie.
fn middle(mut times: Vec<Time>) -> String {
    times.sort_unstable();
    let shown = |time: Time| figure(time.as_units());
    let [low, high] = [times.len().saturating_sub(1) / 2, times.len() / 2]
        .map(|at| times.get(at).copied().unwrap_or_default());
    let median = Time::from_ticks(i64::midpoint(low.ticks(), high.ticks()));
    match &times[..] {
        [least, .., most] => format!(
            "{} (median of {}, {} to {})",
            shown(median),
            counted(times.len() as u64, "replication", "replications"),
            shown(*least),
            shown(*most)
        ),
        _ => shown(median),
    }
}

/// What is said of an organization or of the whole grid, and where it comes from.
struct Line<'a> {
    name: &'a str,
    account: &'a Account,
    precision: Precision,
    used: Option<f64>,
    makespan: Option<f64>,
}

impl Line<'_> {
    fn cells(&self) -> Vec<Cell> {
        let Line { account, .. } = self;
        let areas = account.areas;
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
        cells.extend(interval(wait.mean));
        cells.extend([p95(&account.wait), mean(&account.flow)]);
        cells.extend(interval(flow.mean));
        cells.extend([p95(&account.flow), mean(&account.bounded_slowdown)]);
        cells.extend(interval(bounded_slowdown.mean));
        cells.extend([p95(&account.bounded_slowdown), self.makespan.into()]);
        cells.extend(interval(self.precision.makespan));
        cells.extend([area(areas.for_others).into(), area(areas.by_others).into()]);
        cells
    }
}

/// An interval by its ends, for programs, and by half of its width, for people.
fn interval(estimate: Option<Estimate>) -> [Cell; 3] {
    let interval = estimate.map(|estimate| estimate.interval);
    let ends = [interval.map(|one| one.low), interval.map(|one| one.high)];
    let [low, high] = ends.map(Cell::from);
    [low, high, Cell::error(interval.as_ref().map(Interval::half_width))]
}

/// Of the columns with errors, what they are called.
const ERROR: &str = "±";

fn columns(tau: Span) -> Vec<Column> {
    vec![
        Column::text("organization"),
        Column::figure("submitted").called("jobs"),
        Column::figure("area").rank(10),
        Column::figure("utilization").called("used"),
        Column::figure("wait_mean")
            .called("wait")
            .note("means, and p95: what 95% of the jobs do not exceed"),
        Column::figure("wait_mean_low"),
        Column::figure("wait_mean_high"),
        Column::figure("wait_mean_half_width").called(ERROR).rank(1),
        Column::figure("wait_p95").called("p95").rank(2),
        Column::figure("flow_mean").called("flow"),
        Column::figure("flow_mean_low"),
        Column::figure("flow_mean_high"),
        Column::figure("flow_mean_half_width").called(ERROR).rank(3),
        Column::figure("flow_p95").called("p95").rank(9),
        Column::figure("bounded_slowdown_mean")
            .called("slowdown*")
            .note(format!("* bounded slowdown, tau {tau}")),
        Column::figure("bounded_slowdown_mean_low"),
        Column::figure("bounded_slowdown_mean_high"),
        Column::figure("bounded_slowdown_mean_half_width").called(ERROR).rank(4),
        Column::figure("bounded_slowdown_p95").called("p95").rank(5),
        Column::figure("makespan_mean")
            .called("makespan")
            .note("makespan: last end - first submission")
            .rank(7),
        Column::figure("makespan_mean_low"),
        Column::figure("makespan_mean_high"),
        Column::figure("makespan_mean_half_width").called(ERROR).rank(8),
        Column::figure("work_for_others").called("for others").rank(6),
        Column::figure("work_by_others").called("by others").rank(6),
    ]
}

/// The table of organizations and, last, of the whole grid, which programs know as `*`. For people
/// the whole grid is left out where it is one organization.
pub fn organizations(plan: &Plan, results: &Results, format: Format) -> Table {
    let accounts = results.accounts.organizations();
    let order: Vec<usize> = (0..accounts.len()).collect();
    table(plan, results, &order, format.is_for_people())
}

/// The part of that table which a person reads.
fn largest(plan: &Plan, results: &Results) -> Table {
    let accounts = results.accounts.organizations();
    let mut order: Vec<usize> = (0..accounts.len()).collect();
    if order.len() > SHOWN {
        order.sort_by_key(|&index| std::cmp::Reverse(accounts[index].areas.own));
    }
    let rest = order.len().saturating_sub(SHOWN);
    order.truncate(SHOWN);
    let mut table = table(plan, results, &order, true);
    if rest > 0 {
        let more = counted(rest as u64, "more is", "more are");
        table.note(format!(
            "the {SHOWN} organizations with the most work; {more} in organizations.csv"
        ));
    }
    table
}

fn table(plan: &Plan, results: &Results, order: &[usize], is_for_people: bool) -> Table {
    let holdings = results.holdings(plan);
    let accounts = results.accounts.organizations();
    let grid = results.accounts.grid();
    let line = |name, account, index: usize| Line {
        name,
        account,
        precision: results.precision(index, account),
        used: holdings[index].utilization,
        makespan: results.makespans[index].mean(),
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
    // Programs get the ends of intervals. A person is spared what says nothing: that nobody works
    // for others where there are none, and errors that are not known.
    let columns = columns(plan.tau());
    let others = columns.len() - 2;
    let is_known = |at: usize| cells.iter().any(|cells| cells[at] != Cell::Missing);
    let is_shown = |&at: &usize| {
        let column = &columns[at];
        let is_error = column.label() == ERROR;
        let is_end = column.name().ends_with("_low") || column.name().ends_with("_high");
        if is_for_people {
            !is_end && (several || at < others) && (!is_error || is_known(at))
        } else {
            !is_error
        }
    };
    let shown: Vec<usize> = (0..columns.len()).filter(is_shown).collect();
    let mut table = Table::new("organizations", shown.iter().map(|&at| columns[at].clone()));
    for cells in &cells {
        table.row(shown.iter().map(|&at| cells[at].clone()));
    }
    let methods: Vec<Method> = lines.iter().filter_map(|line| line.precision.method).collect();
    if let Some(method) = told(&methods) {
        table.note(format!("{ERROR} half of a 95% interval: {method}"));
    }
    table
}

/// The method of all lines, in words.
fn told(methods: &[Method]) -> Option<String> {
    let first = methods.first()?;
    if methods.iter().all(|method| method == first) {
        return Some(first.to_string());
    }
    let least = methods.iter().map(Method::sections).min()?;
    let most = methods.iter().map(Method::sections).max()?;
    let number = if least == most { count(least) } else { format!("{least} to {most}") };
    Some(match first {
        Method::Replications { .. } => format!("Student t over {number} replications"),
        Method::BatchMeans { .. } | Method::RoundMeans { .. } => {
            format!("batch means, {number} batches of the jobs of each")
        }
    })
}

fn fairness(out: &mut String, accounts: &[Account]) {
    let served = accounts.iter().filter(|account| account.jobs.finished > 0).count();
    if served < 2 {
        return;
    }
    let slowdown = jain_of(accounts, |account| &account.bounded_slowdown);
    let flow = jain_of(accounts, |account| &account.flow);
    let _ = writeln!(
        out,
        "Jain's index over {served} organizations: {} of mean bounded slowdown, {} of mean flow \
         (1: all alike)",
        slowdown.map_or_else(|| "-".to_owned(), figure),
        flow.map_or_else(|| "-".to_owned(), figure)
    );
}

/// What was taken of each trace, by rule.
pub fn imports(out: &mut String, plan: &Plan) {
    for workload in &plan.workloads {
        let WorkloadKind::Swf { survey, .. } = &workload.kind else { continue };
        let ledger = &survey.ledger;
        let file = survey.file.file_name().unwrap_or_default().to_string_lossy();
        let _ = writeln!(
            out,
            "{file}: {} of {} jobs taken{}",
            count(ledger.kept),
            count(ledger.read),
            survey
                .header
                .acknowledge()
                .map(|who| format!("; acknowledge {who}"))
                .unwrap_or_default()
        );
        for rule in ledger.rows() {
            let _ = writeln!(
                out,
                "  {}: {} {} (first in line {})",
                rule.rule,
                counted(rule.count, "job", "jobs"),
                rule.effect,
                rule.first_line
            );
        }
    }
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
        assert_eq!(middle(&[5, 1, 3]), "3.000 (median of 3 replications, 1.000 to 5.000)");
        assert_eq!(middle(&[8, 1, 3, 4]), "3.500 (median of 4 replications, 1.000 to 8.000)");
    }
}
