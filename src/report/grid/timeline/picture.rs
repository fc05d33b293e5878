//! `timeline.svg`: waiting jobs and utilization over simulated time.

use crate::picture::clock::Clock;
use crate::picture::svg::MOST_SERIES;
use crate::picture::{Chart, Line, Panel, Scale, rescale, thin};
use findings::grid::timelines::Timelines;
use kernel::time::TICKS_PER_UNIT;
use scenario::plan::Plan;
use sim::timeline::bins::{Bin, Bins, Cell};
use stats::shown::counted;
use workload::sacct::written;

/// The chart: a line for the mean of the whole grid over the replications.
///
/// Thin lines show each of the first replications. A single replication has lines for its clusters
/// instead, if they are few.
pub fn chart(plan: &Plan, timelines: &Timelines) -> Chart {
    let mut series = vec!["whole grid".to_owned()];
    let clusters = match timelines.kept() {
        [one] if (2..MOST_SERIES).contains(&one.rows()) => one.rows(),
        _ => 0,
    };
    series.extend((0..clusters).map(|cluster| plan.clusters[cluster].name.clone()));
    let kept = timelines.kept().len();
    let counts_seconds = plan.counts_seconds();
    let width = Clock::told(counts_seconds, timelines.all().width() as f64 / TICKS_PER_UNIT as f64);
    let subtitle = if plan.replications > 1 {
        format!(
            "means over bins of {width} and {}; thin lines: the first {kept}",
            counted(plan.replications.into(), "replication", "replications")
        )
    } else {
        format!("means over bins of {width}")
    };
    let all = plan.processors();
    let mut panels = vec![
        panel("jobs waiting", timelines, clusters, |cell, _| (cell.waiting, 1)),
        panel("share of processors in use", timelines, clusters, |cell, cluster| {
            let of = cluster.map_or(all, |cluster| plan.clusters[cluster].processors().into());
            (cell.busy, of)
        }),
    ];
    panels[1].scale = Scale::Linear(0.0, 1.0);
    thin(&mut panels);
    let ends = [timelines.all().begun(), timelines.all().end()].map(|end| end.as_units());
    let is_empty = timelines.all().is_empty() || ends[0] >= ends[1];
    let clock = Clock::of(counts_seconds, ends[1] - ends[0]);
    rescale(&mut panels, |x| clock.amount(x));
    let ends = ends.map(|end| clock.amount(end));
    let range = if is_empty { (0.0, 1.0) } else { (ends[0], ends[1]) };
    let dates = plan.start().map(|start| clock.dates(start, range, MOST_DATES)).unwrap_or_default();
    // A trace tells its start in UTC, a list of jobs by the clock of its log.
    let is_utc = plan.workloads.iter().any(|one| one.kind.survey().is_some());
    Chart {
        title: plan.title(),
        subtitle,
        x: match plan.start() {
            Some(_) if !dates.is_empty() => if is_utc { "date (UTC)" } else { "date" }.to_owned(),
            Some(start) => format!("time ({} since {})", clock.name(), written(start)),
            None => format!("time ({})", clock.name()),
        },
        range: Scale::Linear(range.0, range.1),
        dates,
        panels,
        series,
    }
}

/// Most dates on the x-axis.
const MOST_DATES: usize = 7;

/// Quantity shown for a cell, of a cluster or of all: an integral and its divisor.
type Shown<'a> = &'a dyn Fn(&Cell, Option<usize>) -> (i128, u64);

fn panel(
    y: &str,
    timelines: &Timelines,
    clusters: usize,
    shown: impl Fn(&Cell, Option<usize>) -> (i128, u64),
) -> Panel {
    let mut whole = Line { points: points(timelines.all(), None, &shown), ..Line::default() };
    if timelines.kept().len() > 1 {
        whole.parts = timelines.kept().iter().map(|bins| points(bins, None, &shown)).collect();
    }
    let of_cluster = |cluster: usize| Line {
        series: cluster + 1,
        points: points(&timelines.kept()[0], Some(cluster), &shown),
        ..Line::default()
    };
    // The whole grid is drawn on top.
    let lines: Vec<Line> = (0..clusters).map(of_cluster).chain([whole]).collect();
    let values = lines.iter().flat_map(|line| line.parts.iter().flatten().chain(&line.points));
    let most = values.map(|&(_, value)| value).fold(0.0, f64::max);
    Panel {
        y: y.to_owned(),
        scale: Scale::Linear(0.0, if most > 0.0 { most * 1.05 } else { 1.0 }),
        lines,
    }
}

/// Means at the midpoints of the bins.
fn points(bins: &Bins, cluster: Option<usize>, shown: Shown<'_>) -> Vec<(f64, f64)> {
    let point = |bin: Bin<'_>| {
        let cell = cluster.map_or_else(|| bin.all(), |cluster| bin.cells[cluster]);
        let (area, of) = shown(&cell, cluster);
        let middle = f64::midpoint(bin.from.as_units(), bin.until.as_units());
        Some((middle, bin.mean(area)? / of as f64))
    };
    bins.iter().filter_map(point).collect()
}
