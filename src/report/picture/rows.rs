//! Charts of named rows: Gantt charts, and several things' figures with their intervals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Scale;
use crate::table::{Column, Format, Table, columns};
use stats::interval::Interval;

/// A chart of named rows over a common x-axis: a Gantt chart, or several things' figures with their
/// intervals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rows {
    /// Title, shown above the whole chart.
    pub title: String,
    /// Subtitle, which explains the marks.
    pub subtitle: String,
    /// Label of the x-axis, with its unit.
    pub x: String,
    /// Scale of the x-axis.
    pub scale: Scale,
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
    /// Names of the series, in the order of their colours, as organizations or classes.
    pub series: Vec<String>,
}

/// A row of a chart, as a site with its processors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// Its name, at the left.
    pub name: String,
    /// Number of lanes, as processors.
    pub lanes: usize,
    /// Marks on the lanes, in drawing order.
    pub marks: Vec<Mark>,
}

/// A mark in a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mark {
    /// Its series: an index into [`Rows::series`], or [`REFERENCE`](super::svg::REFERENCE).
    pub series: usize,
    /// The first of its lanes.
    pub lane: usize,
    /// Number of its lanes.
    pub lanes: usize,
    /// Its left end.
    pub from: f64,
    /// Its right end.
    pub to: f64,
    /// Its shape.
    pub shape: Shape,
}

/// The shape of a mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Shape {
    /// A bar between its ends, with a label that is shown where there is room.
    Bar(String),
    /// A dot at a figure; the ends are those of its interval.
    Dot(f64),
}

/// A dot of a chart of figures: its series, the figure and its interval.
pub type Dot = (usize, f64, Option<Interval>);

/// The labels of a chart of figures.
#[derive(Clone, Debug)]
pub struct Labels {
    /// Title.
    pub title: String,
    /// Subtitle, which explains the marks.
    pub subtitle: String,
    /// Label of the axis, with its unit.
    pub x: String,
    /// Names of the series, one lane of each row for each; none if all dots are alike.
    pub series: Vec<String>,
}

/// A chart of named figures with their intervals, on an axis that has 0. An end that is not told reaches
/// the edge.
pub fn dots(labels: Labels, rows: Vec<(String, Vec<Dot>)>) -> Rows {
    let ends = |&(_, value, interval): &Dot| {
        interval.map_or([value; 2], |Interval { low, high }| [low, high])
    };
    let all = || rows.iter().flat_map(|row| &row.1);
    let finite = || all().flat_map(|dot| ends(dot).into_iter().chain([dot.1]));
    let (low, high) = finite()
        .filter(|end| end.is_finite())
        .fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
    let room = 0.04 * (high - low).max(1e-9);
    let edges =
        (if low < 0.0 { low - room } else { 0.0 }, if high > 0.0 { high + room } else { room });
    let is_cut = all().any(|dot| ends(dot).iter().any(|end| !end.is_finite()));
    let cut = if is_cut { "; a line to the edge has no known end" } else { "" };
    let mark = |dot: &Dot| {
        let [from, to] = ends(dot).map(|end| end.clamp(edges.0, edges.1));
        let shape = Shape::Dot(dot.1);
        let lane = if labels.series.is_empty() { 0 } else { dot.0 };
        Mark { series: dot.0, lane, lanes: 1, from, to, shape }
    };
    let row = |(name, dots): &(String, Vec<Dot>)| Row {
        name: name.clone(),
        lanes: labels.series.len().max(1),
        marks: dots.iter().map(mark).collect(),
    };
    Rows {
        rows: rows.iter().map(row).collect(),
        title: labels.title,
        subtitle: labels.subtitle + cut,
        x: labels.x,
        scale: Scale::Linear(edges.0, edges.1),
        series: labels.series,
    }
}

/// A job in a row of a Gantt chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Its start and its end.
    pub span: (f64, f64),
    /// Processors that it takes.
    pub processors: usize,
    /// Its series, as the class or the owner.
    pub series: usize,
    /// Its label.
    pub label: String,
}

/// A row of a Gantt chart: the jobs of a site with so many processors.
pub fn site(name: impl Into<String>, processors: usize, jobs: &[Job]) -> Row {
    let wide: Vec<_> = jobs.iter().map(|job| (job.span.0, job.span.1, job.processors)).collect();
    let pieces = lanes(&wide);
    let marks = jobs.iter().zip(pieces).flat_map(|(job, pieces)| {
        pieces.into_iter().map(move |(lane, lanes)| {
            let (from, to) = job.span;
            Mark { series: job.series, lane, lanes, from, to, shape: Shape::Bar(job.label.clone()) }
        })
    });
    Row { name: name.into(), lanes: processors, marks: marks.collect() }
}

/// The lanes of jobs, given as start, end and number of processors: for each its pieces, as first lane
/// and number of lanes. Jobs take the first lanes that are free at their start.
fn lanes(jobs: &[(f64, f64, usize)]) -> Vec<Vec<(usize, usize)>> {
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by(|&one, &other| jobs[one].0.total_cmp(&jobs[other].0));
    let mut ends: Vec<f64> = Vec::new();
    let mut pieces = vec![Vec::new(); jobs.len()];
    for job in order {
        let (start, end, mut left) = jobs[job];
        let mut lane = 0;
        while left > 0 {
            if lane == ends.len() {
                ends.push(f64::NEG_INFINITY);
            }
            if ends[lane] <= start + 1e-9 * start.abs() {
                (ends[lane], left) = (end, left - 1);
                let all: &mut Vec<(usize, usize)> = &mut pieces[job];
                match all.last_mut() {
                    Some((first, count)) if *first + *count == lane => *count += 1,
                    _ => all.push((lane, 1)),
                }
            }
            lane += 1;
        }
    }
    pieces
}

impl Rows {
    /// The marks with their rows and lanes as CSV; `series` is `paper` where a paper gives the figure.
    pub fn csv(&self) -> String {
        let of = |row: &Row| {
            let marks = row.marks.iter().map(|mark| (row.name.clone(), mark.clone()));
            marks.collect::<Vec<_>>()
        };
        let marks = self.rows.iter().flat_map(of);
        let columns = columns![|(row, mark): &(String, Mark)|
            Column::text("row") => row.as_str(),
            Column::text("series") => self.series.get(mark.series).map_or("paper", String::as_str),
            Column::figure("lane") => mark.lane,
            Column::figure("lanes") => mark.lanes,
            Column::figure("from") => mark.from,
            Column::figure("to") => mark.to,
            Column::figure("at") => match mark.shape {
                Shape::Bar(_) => None,
                Shape::Dot(at) => Some(at),
            },
            Column::text("label") => match &mark.shape {
                Shape::Bar(label) => label.as_str(),
                Shape::Dot(_) => "",
            },
        ];
        Table::by_columns("marks", marks, columns).render(Format::Csv, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A job of three processors below others, and one that finds its two apart.
    #[test]
    fn an_end_that_is_not_told_reaches_the_edge_and_is_said() {
        let [title, subtitle, x] = ["title", "means", "wait"].map(str::to_owned);
        let labels = Labels { title, subtitle, x, series: Vec::new() };
        let open = Interval { low: 1.0, high: f64::INFINITY };
        let dot = |interval| vec![(0, 2.0, interval)];
        let rows = vec![("one".to_owned(), dot(Some(open))), ("other".to_owned(), dot(None))];
        let drawn = dots(labels, rows);
        assert_eq!(drawn.subtitle, "means; a line to the edge has no known end");
        assert_eq!(drawn.scale, Scale::Linear(0.0, 2.08));
        let ends = |row: usize| (drawn.rows[row].marks[0].from, drawn.rows[row].marks[0].to);
        assert_eq!((ends(0), ends(1)), ((1.0, 2.08), (2.0, 2.0)));
    }

    #[test]
    fn jobs_lie_on_free_processors_and_are_split_if_these_are_apart() {
        let jobs = [(0.0, 4.0, 1), (0.0, 2.0, 1), (0.0, 4.0, 1), (2.0, 4.0, 1), (4.0, 5.0, 3)];
        assert_eq!(
            lanes(&jobs),
            [vec![(0, 1)], vec![(1, 1)], vec![(2, 1)], vec![(1, 1)], vec![(0, 3)]]
        );
        let apart = [(0.0, 1.0, 1), (0.0, 3.0, 1), (0.0, 1.0, 1), (1.0, 2.0, 2)];
        assert_eq!(lanes(&apart)[3], [(0, 1), (2, 1)]);
        let job = |span, processors| Job { span, processors, series: 0, label: "job".to_owned() };
        let rows = Rows {
            title: String::new(),
            subtitle: String::new(),
            x: "time".to_owned(),
            scale: Scale::Linear(0.0, 2.0),
            rows: vec![site("site", 3, &[job((0.0, 2.0), 1), job((1.0, 2.0), 2)])],
            series: vec!["owner".to_owned()],
        };
        let expected = "row,series,lane,lanes,from,to,at,label\n\
                        site,owner,0,1,0,2,,job\nsite,owner,1,2,1,2,,job\n";
        assert_eq!(rows.csv(), expected);
    }
}
