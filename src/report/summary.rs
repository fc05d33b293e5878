//! The summary that a person reads at the end of a run.

use std::fmt::Write as _;
use std::path::Path;

use comfy_table::presets::UTF8_HORIZONTAL_ONLY;
use comfy_table::{Cell, CellAlignment, LineStyle, Table};

use super::json::{Timing, jain_of};
use super::organizations::area;
use super::results::Results;
use crate::scenario::plan::{Plan, Until, WorkloadKind};
use crate::sim::accounts::Account;

/// Organizations shown in the table, those with the most work first.
const SHOWN: usize = 12;

/// A figure with about four digits, thousands set apart by blanks: `6 419`, `86.40`, `0.7041`.
pub fn figure(value: f64) -> String {
    let size = value.abs();
    let digits = match size {
        // Where rounding would add a digit, one less is shown.
        _ if size >= 999.95 || size == 0.0 => 0,
        _ if size >= 99.995 => 1,
        _ if size >= 9.9995 => 2,
        _ if size >= 0.999_95 => 3,
        _ => 4,
    };
    let text = format!("{value:.digits$}");
    match text.split_once('.') {
        Some(_) => text,
        None => thousands(&text),
    }
}

fn thousands(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let mut out = sign.to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

fn count(number: u64) -> String {
    thousands(&number.to_string())
}

fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

fn maybe(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), figure)
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}%", share * 100.0))
}

/// A length of wall time: `0.12 s`, `3 min 20 s`.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        _ if seconds < 1.0 => format!("{:.0} ms", (seconds * 1000.0).max(1.0)),
        _ if seconds < 60.0 => format!("{seconds:.1} s"),
        _ => {
            let whole = seconds.round();
            format!("{:.0} min {:.0} s", (whole / 60.0).floor(), whole % 60.0)
        }
    }
}

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
    let _ = writeln!(out, "{}\n", table(plan, results, &grid, width));
    fairness(&mut out, accounts);
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
    let replications = plan.replications.into();
    let _ = writeln!(
        out,
        "{}  (seed {}, {})",
        plan.name,
        plan.seed,
        counted(replications, "replication", "replications")
    );
    let last = results.replications.iter().map(|replication| replication.end).max();
    let until = match plan.until {
        Until::Time(time) => format!("stopped at time {time}"),
        Until::Drained | Until::Jobs(_) => {
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
    let (from, until) = plan.window();
    if from.ticks() > 0 || until.is_some() {
        let until = until.map(|until| format!(" until before {until}")).unwrap_or_default();
        let _ = write!(out, "\ncounted: jobs submitted from {from}{until}");
    }
    out.push('\n');
}

/// A column of the table; those of the highest rank go first where the table is too wide.
struct Column {
    name: &'static str,
    rank: u8,
    cells: Vec<String>,
}

/// What is said of an organization or of the whole grid, and where it comes from.
struct Line<'a> {
    name: &'a str,
    account: &'a Account,
    used: Option<f64>,
    makespan: Option<f64>,
}

fn columns(lines: &[Line<'_>], shares: bool) -> Vec<Column> {
    let column = |name, rank, cell: &dyn Fn(&Line<'_>) -> String| Column {
        name,
        rank,
        cells: lines.iter().map(cell).collect(),
    };
    let work = |amount: i128| figure(area(amount).round());
    let mut columns = vec![
        column("organization", 0, &|line| line.name.to_owned()),
        column("jobs", 0, &|line| count(line.account.jobs.submitted)),
        column("area", 7, &|line| work(line.account.areas.own)),
        column("used", 0, &|line| percent(line.used)),
        column("wait", 0, &|line| maybe(line.account.wait.mean())),
        column("p95", 1, &|line| maybe(line.account.wait.quantile(0.95))),
        column("flow", 0, &|line| maybe(line.account.flow.mean())),
        column("p95", 6, &|line| maybe(line.account.flow.quantile(0.95))),
        column("slowdown*", 0, &|line| maybe(line.account.bounded_slowdown.mean())),
        column("p95", 2, &|line| maybe(line.account.bounded_slowdown.quantile(0.95))),
        column("makespan", 3, &|line| maybe(line.makespan)),
    ];
    if shares {
        columns.push(column("for others", 4, &|line| work(line.account.areas.for_others)));
        columns.push(column("by others", 5, &|line| work(line.account.areas.by_others)));
    }
    columns
}

fn draw(columns: &[Column]) -> String {
    let mut table = Table::new();
    let style = UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none());
    table.load_style(style).force_no_tty();
    let names = columns.iter().enumerate();
    table.set_header(names.map(|(index, column)| aligned(index, column.name)));
    for row in 0..columns[0].cells.len() {
        let cells = columns.iter().enumerate();
        table.add_row(cells.map(|(index, column)| aligned(index, &column.cells[row])));
    }
    table.trim_fmt()
}

fn table(plan: &Plan, results: &Results, grid: &Account, width: Option<usize>) -> String {
    let shares = plan.organizations.len() > 1;
    let holdings = results.holdings(plan);
    let accounts = results.accounts.organizations();
    let mut order: Vec<usize> = (0..accounts.len()).collect();
    if order.len() > SHOWN {
        order.sort_by_key(|&index| std::cmp::Reverse(accounts[index].areas.own));
    }
    let rest = order.len().saturating_sub(SHOWN);
    let line = |name, account, index: usize| Line {
        name,
        account,
        used: holdings[index].utilization,
        makespan: results.makespans[index].mean(),
    };
    let shown = order.iter().take(SHOWN);
    let mut lines: Vec<Line<'_>> = shown
        .map(|&index| line(&*plan.organizations[index].name, &accounts[index], index))
        .collect();
    if shares {
        lines.push(line("whole grid", grid, accounts.len()));
    }
    let mut columns = columns(&lines, shares);
    let mut text = draw(&columns);
    let mut left_out = false;
    let too_wide = |text: &str| {
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        width.is_some_and(|width| widest > width)
    };
    while too_wide(&text) {
        let ranked = columns.iter().enumerate().max_by_key(|(_, column)| column.rank);
        let Some((index, _)) = ranked.filter(|(_, column)| column.rank > 0) else { break };
        columns.remove(index);
        left_out = true;
        text = draw(&columns);
    }
    if rest > 0 {
        let _ = write!(
            text,
            "\nthe {SHOWN} organizations with the most work; {} in organizations.csv",
            counted(rest as u64, "more is", "more are"),
        );
    }
    let _ = write!(
        text,
        "\nmeans, and p95: what 95% of the jobs do not exceed; * bounded slowdown, tau {}",
        plan.tau()
    );
    if columns.iter().any(|column| column.name == "makespan") {
        text.push_str("; makespan: last end - first submission");
    }
    if left_out {
        text.push_str("\na wider terminal shows more columns; organizations.csv has them all");
    }
    text
}

fn aligned(column: usize, text: &str) -> Cell {
    let side = if column == 0 { CellAlignment::Left } else { CellAlignment::Right };
    Cell::new(text).set_alignment(side)
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
        maybe(slowdown),
        maybe(flow)
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
    fn figures_are_short_and_readable() {
        let shown = [6418.95, 86.397, 0.704_12, 1.0, 218_980.6, 0.0, 123.45, -1234.5];
        let expected = ["6 419", "86.40", "0.7041", "1.000", "218 981", "0", "123.5", "-1 234"];
        assert_eq!(shown.map(figure), expected);
        assert_eq!(count(27_992), "27 992");
        assert_eq!(seconds(0.0123), "12 ms");
        assert_eq!(seconds(200.0), "3 min 20 s");
        assert_eq!(seconds(119.7), "2 min 0 s");
    }
}
