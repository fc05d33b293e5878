//! `timeline.csv` and `timeline.svg`: members of the coalition and job flow times over the rounds.
//!
//! Every 1, 2, 4 ... rounds are merged into a bin so that a replication has at most 400 lines,
//! however long it is. Sums are exact.

use super::axis;
use crate::picture::clock::Clock;
use crate::picture::{Chart, Line, Panel, Scale, strides, thin};
use crate::table::{Column, ColumnOf, columns, csv};
use findings::coalition::frame::Frame;
use findings::coalition::timeline::{Bin, Timeline, Timelines, total};
use kernel::time::Units;
use stats::shown::counted;

/// A bin of a replication, between two rounds.
type Row<'a> = (usize, (u64, u64), &'a Bin);

/// The columns of `timeline.csv`.
pub fn columns<'a>() -> Vec<ColumnOf<'a, Row<'a>>> {
    let sum = |sum: i128| Units(sum).to_string();
    columns![|(replication, rounds, bin): &Row<'a>|
        Column::count("replication").told("the replication; only the first 16") => *replication,
        Column::count("from_round").told("first round of the line") => rounds.0,
        Column::count("until_round").told("first round behind it") => rounds.1,
        Column::figure("organizations").told("how many were there, the mean over the rounds") => bin.present as f64 / bin.rounds as f64,
        Column::figure("members").told("how many took part, the mean over the rounds") => bin.members(),
        Column::count("jobs").told("jobs that count") => bin.jobs,
        Column::figure("flow").told("their flow time, summed") => sum(bin.flow),
        Column::figure("flow_alone").told("what it would have been, had the jobs' organization alone stayed out of the round, summed") => sum(bin.alone),
        Column::figure("mean_flow").told("mean flow time of a job") => bin.mean_flow(),
        Column::figure("mean_flow_alone").told("the same, had their organization alone stayed out of the round") => bin.mean_alone(),
        Column::figure("sent").told("work sent") => sum(bin.sent),
        Column::figure("brought").told("work that the jobs brought") => sum(bin.brought),
    ]
}

/// Renders `timeline.csv`.
pub fn render(timelines: &Timelines) -> Vec<u8> {
    let rows = timelines.kept().iter().enumerate().flat_map(|(replication, timeline)| {
        timeline.ends().zip(timeline.bins()).map(move |(ends, bin)| (replication, ends, bin))
    });
    csv(rows, columns())
}

/// The chart: members of the coalition, and mean flow times as they were and alone.
///
/// Thick lines are means over the first replications; thin lines are these replications.
pub fn chart(title: &str, frame: &Frame, timelines: &Timelines) -> Chart {
    let kept = timelines.kept();
    let all = total(kept);
    let middle = |(from, until): (u64, u64)| (from + until - 1) as f64 / 2.0;
    let line = |series: usize, of: &dyn Fn(&Bin) -> Option<f64>| {
        let way = |timeline: &Timeline| -> Vec<(f64, f64)> {
            let bins = timeline.ends().zip(timeline.bins());
            bins.filter_map(|(ends, bin)| Some((middle(ends), of(bin)?))).collect()
        };
        let parts: Vec<_> = kept.iter().map(way).filter(|_| kept.len() > 1).collect();
        let longest = kept.iter().rev().max_by_key(|timeline| timeline.rounds());
        let ends = longest.into_iter().flat_map(Timeline::ends);
        let mean = ends.zip(&all).filter_map(|(ends, bin)| Some((middle(ends), of(bin)?)));
        Line { series, points: mean.collect(), parts, ..Line::default() }
    };
    let panel = |y: &str, lines: Vec<Line>| {
        let values =
            lines.iter().flat_map(|line| line.points.iter().chain(line.parts.iter().flatten()));
        let most = values.map(|&(_, value)| value).fold(0.0, f64::max);
        let most = if most > 0.0 { most * 1.05 } else { 1.0 };
        Panel { y: y.to_owned(), scale: Scale::Linear(0.0, most), lines }
    };
    let longest = all.iter().flat_map(|bin| [bin.mean_flow(), bin.mean_alone()]).flatten();
    let clock = Clock::of(frame.counts_seconds, longest.fold(0.0, f64::max));
    let flow = |mean: Option<f64>| mean.map(|mean| clock.amount(mean));
    let mut panels = vec![
        panel("members of the coalition", vec![line(0, &|bin| Some(bin.members()))]),
        panel(
            &format!("mean flow time ({})", clock.name()),
            vec![line(1, &|bin| flow(bin.mean_alone())), line(0, &|bin| flow(bin.mean_flow()))],
        ),
    ];
    thin(&mut panels);
    // A federation's counterfactual leaves all others as they were.
    let otherwise = match frame.is_federation() {
        true => "had one at a time stayed out of the round",
        false => "each alone, with the same jobs",
    };
    Chart {
        title: title.to_owned(),
        subtitle: match kept.len() {
            0 | 1 => "one replication".to_owned(),
            several => format!(
                "thick lines: mean of {}; thin lines: each of them",
                counted(several as u64, "replication", "replications")
            ),
        },
        x: strides(&axis(frame), frame.rounds),
        range: Scale::Linear(0.0, frame.rounds as f64),
        dates: Vec::new(),
        panels,
        series: ["as they played", otherwise].map(str::to_owned).into(),
    }
}
