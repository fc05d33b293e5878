//! The header of a log: the position of each column.

use std::cell::Cell;

use super::rules::{Options, Owner, Unit};

/// Positions of the columns that are read.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub id: usize,
    pub submit: usize,
    pub start: usize,
    pub elapsed: Elapsed,
    pub limit: Option<Limit>,
    pub processors: Processors,
    /// `None` if the center of the log is its only cluster, and the owner.
    pub owner: Option<usize>,
    pub state: Option<usize>,
    pub user: Option<usize>,
    pub cluster: Option<usize>,
    pub account: Option<usize>,
    pub partition: Option<usize>,
    pub end: Option<usize>,
    pub nodes: Option<usize>,
    /// Number of columns per line.
    pub count: usize,
}

/// Column with the runtime.
#[derive(Clone, Copy, Debug)]
pub(super) enum Elapsed {
    /// `ElapsedRaw`, in seconds.
    Seconds(usize),
    /// `Elapsed`, as days, hours, minutes and seconds.
    Clock(usize),
}

/// Column with the time limit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// `TimelimitRaw`, in minutes.
    Minutes(usize),
    /// `Timelimit`, as days, hours, minutes and seconds.
    Clock(usize),
}

/// Column with the processors.
#[derive(Clone, Copy, Debug)]
pub(super) enum Processors {
    /// A column with the number, and its name.
    Number(usize, &'static str),
    /// `AllocTRES`, which contains the number of GPUs.
    Gpus(usize),
}

/// Columns that are always needed.
const NEEDED: [&str; 9] =
    ["JobID", "User", "Account", "Partition", "Submit", "Start", "End", "Elapsed", "Timelimit"];

/// Returns a command that prints all the columns needed.
pub(super) fn command(options: &Options) -> String {
    let clusters = if options.owner == Owner::Cluster { " --allclusters" } else { "" };
    let mut columns = NEEDED.to_vec();
    let nodes = if options.unit == Unit::Nodes { "NodeList" } else { "State" };
    for column in [options.unit.column(), "State", options.owner.column(), nodes] {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    format!(
        "TZ=UTC sacct --allusers{clusters} --parsable2 --starttime 2026-01-01 --format {}",
        columns.join(",")
    )
}

impl Columns {
    /// Finds the columns by name, in any case and order.
    pub fn of(
        header: &csv::StringRecord,
        options: &Options,
        has_center: bool,
    ) -> Result<Columns, String> {
        let twice = Cell::new(None);
        let place = |name: &str| {
            let is_it = |own: &str| own.eq_ignore_ascii_case(name);
            let at = header.iter().position(is_it)?;
            if header.iter().skip(at + 1).any(is_it) {
                twice.set(Some(at));
            }
            Some(at)
        };
        let either = |names: &[&str]| names.iter().find_map(|name| place(name));
        if either(&["JobID", "JobIDRaw", "Submit", "State"]).is_none() {
            return Err(not_a_header(header, options));
        }
        let number = |names: &[&'static str]| {
            names.iter().find_map(|&name| Some(Processors::Number(place(name)?, name)))
        };
        let missing = |name: &str| format!("there is no column `{name}`");
        let elapsed = (place("ElapsedRaw").map(Elapsed::Seconds))
            .or_else(|| place("Elapsed").map(Elapsed::Clock));
        let limit = (place("TimelimitRaw").map(Limit::Minutes))
            .or_else(|| place("Timelimit").map(Limit::Clock));
        let processors = match options.unit {
            Unit::Cpus => number(&["AllocCPUS", "NCPUS"]),
            Unit::Nodes => number(&["AllocNodes", "NNodes"]),
            Unit::Gpus => place("AllocTRES").map(Processors::Gpus),
        };
        let owner = options.owner.column();
        let is_center = has_center && options.owner == Owner::Cluster;
        let columns = Columns {
            id: either(&["JobID", "JobIDRaw"]).ok_or_else(|| missing("JobID"))?,
            submit: place("Submit").ok_or_else(|| missing("Submit"))?,
            start: place("Start").ok_or_else(|| missing("Start"))?,
            elapsed: elapsed.ok_or_else(|| missing("Elapsed"))?,
            limit,
            processors: processors.ok_or_else(|| missing(options.unit.column()))?,
            owner: match place(owner) {
                None if !is_center => return Err(missing(owner)),
                owner => owner,
            },
            state: place("State"),
            user: place("User"),
            cluster: place("Cluster"),
            account: place("Account"),
            partition: place("Partition"),
            end: place("End"),
            nodes: place("NodeList"),
            count: header.len(),
        };
        match twice.get().and_then(|at| header.get(at)) {
            Some(name) => Err(format!("the column `{name}` comes twice")),
            None => Ok(columns),
        }
    }
}

/// Explains why the first line is not a header.
fn not_a_header(header: &csv::StringRecord, options: &Options) -> String {
    let first = header.get(0).unwrap_or_default();
    if first.starts_with('{') {
        return "this is JSON, as `sacct --json` prints it; take the log with `--parsable2`"
            .to_owned();
    }
    // 03/01/2026 12:00:00;E;1234.server;user=ada ...
    let is_pbs = |text: &str| {
        let mut parts = text.splitn(3, ';');
        let stamp = parts.next().is_some_and(|stamp| stamp.get(2..3) == Some("/"));
        stamp && parts.next().is_some_and(|kind| kind.len() == 1) && parts.next().is_some()
    };
    if is_pbs(first) {
        return "this is an accounting log of PBS, which is not read; convert it to the Standard \
                Workload Format, or to a list of jobs"
            .to_owned();
    }
    let is_aligned = header.len() == 1 && first.split_whitespace().any(|word| word == "JobID");
    if is_aligned {
        return "the columns are separated by blanks, which cut long names; take the log with \
                `--parsable2`"
            .to_owned();
    }
    let other = [b'|', b',', b';', b'\t'].into_iter().find(|&sign| {
        sign != options.delimiter && first.split(char::from(sign)).any(|word| word == "JobID")
    });
    match other {
        Some(sign) => {
            let sign =
                if sign == b'\t' { "$'\\t'".to_owned() } else { format!("'{}'", char::from(sign)) };
            format!("another sign separates the columns; give it with `--delimiter {sign}`")
        }
        None => {
            "the names of the columns are missing; take the log without `--noheader`, or name them: \
             `--columns JobID,User,...`"
                .to_owned()
        }
    }
}
