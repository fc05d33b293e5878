//! `stages.svg`: the games behind the first plans of replications, stage by stage.

use crate::picture::{Chart, Line, Panel, Scale, thin};
use findings::campaign::Campaigned;

/// The chart of the first games, a line a replication; `None` if the planner plays none.
///
/// Each line is the makespan, or the cost, relative to that of the last stage of its game.
pub(super) fn chart(title: &str, found: &Campaigned, by_cost: bool) -> Option<Chart> {
    let courses = found.courses.iter().enumerate();
    let lines: Vec<Line> = courses
        .map(|(series, course)| {
            let end = course.last().map_or(1.0, |&(_, aim)| aim);
            let points = course.iter().map(|&(stage, aim)| (f64::from(stage), aim / end)).collect();
            Line { series, points, ..Line::default() }
        })
        .collect();
    let points = || lines.iter().flat_map(|line| &line.points);
    let last = points().map(|point| point.0).reduce(f64::max)?;
    let ends = points()
        .map(|point| point.1)
        .fold((1.0, 1.0), |(low, high): (f64, f64), aim| (low.min(aim), high.max(aim)));
    let aim = if by_cost { "cost" } else { "makespan" };
    let tenths = |value: f64| value * 10.0;
    let scale = Scale::Linear(tenths(ends.0).floor() / 10.0, tenths(ends.1).ceil() / 10.0 + 0.1);
    let series = (0..lines.len()).map(|number| format!("replication {number}")).collect();
    let mut panels = vec![Panel { y: format!("{aim}, relative to the last stage"), scale, lines }];
    thin(&mut panels);
    Some(Chart {
        title: title.to_owned(),
        subtitle: "the game behind the first plan of each of the first replications".to_owned(),
        x: "stage".to_owned(),
        range: Scale::Linear(0.0, last),
        dates: Vec::new(),
        panels,
        series,
    })
}
