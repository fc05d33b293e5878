//! `timeline.csv` of a grid: a line for every bin of simulated time.
//!
//! There are lines for the whole grid and, if clusters are recorded separately, for each of them.
//! Jobs waiting and running and processors in use are means over the bin: exact integrals divided
//! by its length. A bin includes its start and excludes its end, but the last bin includes the end.

use findings::grid::timelines::Timelines;
use kernel::time::Time;
use records::record::{Record as _, record};
use records::text::Text;
use scenario::plan::Plan;
use sim::timeline::bins::{Bin, Cell};

record! {
    /// A line of the file.
    Line<'a>;
    replication: u64, "Replication, from 0.";
    from: Time, "Beginning of the bin.";
    until: Time, "Its end.";
    cluster: &'a str, "Name of a cluster, or `*` for the whole grid.";
    arrivals: u64, "Jobs that came.";
    starts: u64, "Jobs that started.";
    ends: u64, "Jobs that ended.";
    waiting: Option<f64>, "Mean number of waiting jobs.";
    running: Option<f64>, "Mean number of running jobs.";
    processors_in_use: Option<f64>, "Mean number of processors in use.";
    utilization: Option<f64>, "The same, by all processors.";
}

/// Renders the file.
pub fn render(plan: &Plan, timelines: &Timelines) -> Vec<u8> {
    let mut out = Text::from(COLUMNS.join(",").into_bytes());
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
    out.into_bytes()
}

fn line(
    out: &mut Text,
    replication: u64,
    bin: &Bin<'_>,
    cluster: &str,
    cell: &Cell,
    processors: u64,
) {
    let all = bin.seen * i128::from(processors);
    let line = Line {
        replication,
        from: bin.from,
        until: bin.until,
        cluster,
        arrivals: cell.arrivals,
        starts: cell.starts,
        ends: cell.ends,
        waiting: bin.mean(cell.waiting),
        running: bin.mean(cell.running),
        processors_in_use: bin.mean(cell.busy),
        utilization: (all > 0).then(|| cell.busy as f64 / all as f64),
    };
    line.put(out);
}
