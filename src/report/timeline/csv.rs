//! `timeline.csv` of a grid: a line for every bin of simulated time.
//!
//! There are lines for the whole grid and, if clusters are recorded separately, for each of them.
//! Jobs waiting and running and processors in use are means over the bin: exact integrals divided
//! by its length. A bin includes its start and excludes its end, but the last bin includes the end.

use super::Timelines;
use crate::kernel::time::Time;
use crate::report::line::{comma_integer, integer, number, span, text};
use crate::scenario::plan::Plan;
use crate::sim::timeline::bins::{Bin, Cell};

/// Column names, in order.
pub const COLUMNS: [&str; 11] = [
    "replication",
    "from",
    "until",
    "cluster",
    "arrivals",
    "starts",
    "ends",
    "waiting",
    "running",
    "processors_in_use",
    "utilization",
];

/// Renders the file.
pub fn render(plan: &Plan, timelines: &Timelines) -> Vec<u8> {
    let mut out = COLUMNS.join(",").into_bytes();
    out.push(b'\n');
    let of = |cluster: usize| u64::from(plan.clusters[cluster].processors());
    let processors: u64 = (0..plan.clusters.len()).map(of).sum();
    for (replication, bins) in (0..).zip(timelines.kept()) {
        for bin in bins.iter() {
            line(&mut out, replication, &bin, "*", &bin.all(), processors);
            if bins.rows() > 1 {
                for (cluster, cell) in bin.cells.iter().enumerate() {
                    let name = &plan.clusters[cluster].name;
                    line(&mut out, replication, &bin, name, cell, of(cluster));
                }
            }
        }
    }
    out
}

fn line(
    out: &mut Vec<u8>,
    replication: u64,
    bin: &Bin<'_>,
    cluster: &str,
    cell: &Cell,
    processors: u64,
) {
    integer(out, replication);
    span(out, Some(bin.from - Time::ZERO));
    span(out, Some(bin.until - Time::ZERO));
    text(out, cluster);
    comma_integer(out, cell.arrivals);
    comma_integer(out, cell.starts);
    comma_integer(out, cell.ends);
    number(out, bin.mean(cell.waiting));
    number(out, bin.mean(cell.running));
    number(out, bin.mean(cell.busy));
    let all = bin.seen * i128::from(processors);
    number(out, (all > 0).then(|| cell.busy as f64 / all as f64));
    out.push(b'\n');
}
