//! Line charts over a common x-axis, as data.
//!
//! A [`Chart`] is a stack of panels, and a panel holds lines with bands; [`Rows`](rows::Rows) is a Gantt
//! chart or figures of named things, [`Heat`] a map, and [`Plane`](plane::Plane) a plane of strategies.
//! [`svg`] draws them, [`together`] makes one figure of those of several runs. Code that builds a chart
//! knows nothing of the drawing library.

pub mod bars;
pub mod cells;
pub mod clock;
pub(crate) mod distribution;
pub mod paper;
pub mod plane;
pub mod rows;
pub mod svg;
mod ticks;
pub mod together;

use findings::rounds::binned::stride;
use findings::rounds::curves::{Curves, Point};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A picture of any kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Picture {
    /// Lines over an axis.
    Chart(Chart),
    /// A Gantt chart, or figures of named things.
    Rows(rows::Rows),
    /// A map of figures.
    Heat(Heat),
    /// A plane of mixed strategies.
    Plane(plane::Plane),
}

impl Picture {
    /// The picture as an SVG document.
    pub fn svg(&self, size: svg::Size) -> Vec<u8> {
        match self {
            Picture::Chart(one) => svg::render(one, size),
            Picture::Rows(one) => svg::render_rows(one, size),
            Picture::Heat(one) => svg::render_heat(one, size),
            Picture::Plane(one) => svg::render_plane(one, size),
        }
    }

    /// The picture as it is kept: values have six digits, which are more than pixels, and what is infinite
    /// or no number is left out, as files in JSON cannot tell it.
    #[must_use]
    pub(crate) fn kept(mut self) -> Picture {
        match &mut self {
            Picture::Chart(one) => {
                for line in one.panels.iter_mut().flat_map(|panel| &mut panel.lines) {
                    for points in line.parts.iter_mut().chain([&mut line.points]) {
                        points.retain(|(x, y)| (x + y).is_finite());
                        points.iter_mut().for_each(|(x, y)| (*x, *y) = (short(*x), short(*y)));
                    }
                    line.band.retain(|(x, low, high)| (x + low + high).is_finite());
                    let round = |(x, low, high): &mut (f64, f64, f64)| {
                        (*x, *low, *high) = (short(*x), short(*low), short(*high));
                    };
                    line.band.iter_mut().for_each(round);
                }
            }
            Picture::Rows(one) => {
                for row in &mut one.rows {
                    row.marks.retain(|mark| (mark.from + mark.to).is_finite());
                }
            }
            Picture::Heat(one) => {
                let cells = one.cells.iter_mut().flatten();
                cells.for_each(|cell| *cell = cell.filter(|value| value.is_finite()));
            }
            Picture::Plane(one) => {
                let lines = one.areas.iter_mut().chain(&mut one.ways).map(|line| &mut line.1[..]);
                let arrows = one.arrows.iter_mut().map(|arrow| &mut arrow[..]);
                let points =
                    lines.chain(arrows).flatten().chain(one.rests.iter_mut().map(|one| &mut one.0));
                points.flatten().for_each(|at| *at = short(*at));
            }
        }
        self
    }

    /// Its title and its subtitle.
    pub fn titles(&self) -> (&str, &str) {
        match self {
            Picture::Chart(one) => (&one.title, &one.subtitle),
            Picture::Rows(one) => (&one.title, &one.subtitle),
            Picture::Heat(one) => (&one.title, &one.subtitle),
            Picture::Plane(one) => (&one.title, &one.subtitle),
        }
    }

    /// Adds the number of replications to the subtitle, unless it tells one.
    pub fn tell(&mut self, replications: &str) {
        let Texts { titles: [_, subtitle], .. } = self.texts();
        let is_told = [replications, "one replication"].iter().any(|one| subtitle.contains(one));
        if !is_told {
            subtitle.push_str(&format!("; {replications}"));
        }
    }

    /// Its texts.
    fn texts(&mut self) -> Texts<'_> {
        match self {
            Picture::Chart(one) => Texts {
                titles: [&mut one.title, &mut one.subtitle],
                x: &mut one.x,
                others: one.panels.iter_mut().map(|panel| &mut panel.y).collect(),
                series: &mut one.series,
            },
            Picture::Rows(one) => Texts {
                titles: [&mut one.title, &mut one.subtitle],
                x: &mut one.x,
                others: one.rows.iter_mut().map(|row| &mut row.name).collect(),
                series: &mut one.series,
            },
            Picture::Heat(one) => Texts {
                titles: [&mut one.title, &mut one.subtitle],
                x: &mut one.x,
                others: std::iter::once(&mut one.y).chain(&mut one.columns).collect(),
                series: &mut one.rows,
            },
            Picture::Plane(one) => {
                let (x, others) = one.frame.labels().split_first_mut().expect("axes have labels");
                Texts {
                    titles: [&mut one.title, &mut one.subtitle],
                    x,
                    others: others.iter_mut().collect(),
                    series: &mut one.series,
                }
            }
        }
    }
}

/// The texts of a picture.
struct Texts<'a> {
    /// Title and subtitle.
    titles: [&'a mut String; 2],
    /// Label of the x-axis.
    x: &'a mut String,
    /// Labels of other axes and of rows.
    others: Vec<&'a mut String>,
    /// Names of the series, or of the rows of a map.
    series: &'a mut Vec<String>,
}

/// A value with six digits.
fn short(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// A chart: panels that share one x-axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Chart {
    /// Title, shown above the whole chart.
    pub title: String,
    /// Subtitle, which explains the lines and bands.
    pub subtitle: String,
    /// Label of the shared x-axis, with its unit. If all points are at whole numbers, only these get
    /// tick marks.
    pub x: String,
    /// Scale of the x-axis.
    pub range: Scale,
    /// Tick marks of the x-axis with their labels, if they are not round numbers.
    pub dates: Vec<(f64, String)>,
    /// Panels from top to bottom.
    pub panels: Vec<Panel>,
    /// Names of the series, in the order of their colours; a panel may show only some of them.
    pub series: Vec<String>,
}

/// A panel: lines over one y-axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Panel {
    /// Label of the y-axis, with its unit.
    pub y: String,
    /// Scale of the y-axis.
    pub scale: Scale,
    /// Lines in drawing order: the last one is on top.
    pub lines: Vec<Line>,
}

/// A heat map: a figure for each of two keys' values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Heat {
    /// Title, shown above the map.
    pub title: String,
    /// Subtitle, which explains the figures.
    pub subtitle: String,
    /// Label of the columns.
    pub x: String,
    /// Label of the rows.
    pub y: String,
    /// Names of the columns, from left to right.
    pub columns: Vec<String>,
    /// Names of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// Figures by row and column.
    pub cells: Vec<Vec<Option<f64>>>,
    /// Ends of their intervals; those that have none, or an end that is not known, are missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intervals: Vec<Vec<Option<(f64, f64)>>>,
    /// The least and the largest figure of all maps that are drawn together; without it, of this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<(f64, f64)>,
}

impl Heat {
    /// The least and the largest figure, which the colours go by.
    pub fn ends(&self) -> (f64, f64) {
        let all = self.cells.iter().flatten().flatten();
        let of_its_own = || {
            all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &one| {
                (low.min(one), high.max(one))
            })
        };
        self.ends.unwrap_or_else(of_its_own)
    }
}

/// Scale of an axis, with its lower and upper end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Scale {
    /// Linear scale.
    Linear(f64, f64),
    /// Logarithmic scale; both ends are positive.
    Log(f64, f64),
}

/// A line with its band and its thin component lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// Series of the line: an index into [`Chart::series`].
    pub series: usize,
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
    /// Band around the line as (x, low, high): most of the values behind the mean lie inside.
    pub band: Vec<(f64, f64, f64)>,
    /// Thin lines in the same colour: the components that the line summarizes.
    pub parts: Vec<Vec<(f64, f64)>>,
}

impl Line {
    /// The curve of a series with its band.
    pub fn of(series: usize, points: &[Point]) -> Line {
        let band = |point: &Point| point.band.map(|(low, high)| (point.round, low, high));
        Line {
            series,
            points: points.iter().map(|point| (point.round, point.mean)).collect(),
            band: points.iter().filter_map(band).collect(),
            parts: Vec::new(),
        }
    }
}

/// The label of an axis of rounds, with the number of rounds that a point averages if there are several.
pub(crate) fn strides(axis: &str, rounds: u64) -> String {
    match stride(rounds) {
        1 => axis.to_owned(),
        stride => format!("{axis}; each point: mean of {stride} rounds"),
    }
}

/// The lines of a class: its mean, or if its runs end as a mixture those of them that end low and
/// those that end high.
pub(crate) fn of_class(series: usize, curves: &Curves, class: usize, at: usize) -> Vec<Line> {
    match curves.mixture(class, at) {
        Some(halves) => halves.iter().map(|half| Line::of(series, half)).collect(),
        None => vec![Line::of(series, &curves.class(class, at))],
    }
}

/// Part of a legend that explains mixtures, if the panels have any.
pub(crate) fn mixtures(panels: &[Panel]) -> Option<String> {
    let is_split = |panel: &Panel| panel.lines.windows(2).any(|two| two[0].series == two[1].series);
    panels
        .iter()
        .any(is_split)
        .then(|| "two lines of a colour: of those that end low and high".to_owned())
}

/// Maps the x-coordinates of all lines and bands.
pub(super) fn rescale(panels: &mut [Panel], map: impl Fn(f64) -> f64) {
    for line in panels.iter_mut().flat_map(|panel| &mut panel.lines) {
        let parts = line.parts.iter_mut().flatten();
        parts.chain(&mut line.points).for_each(|point| point.0 = map(point.0));
        line.band.iter_mut().for_each(|band| band.0 = map(band.0));
    }
}

/// Maximum number of points over all lines and bands, which keeps the SVG below 200 kB.
const MOST_POINTS: usize = 13_000;

/// Thins out charts with very many points, evenly; the last point always stays.
pub fn thin(panels: &mut [Panel]) {
    let of_line = |line: &Line| {
        let parts: usize = line.parts.iter().map(Vec::len).sum();
        line.points.len() + 2 * line.band.len() + parts
    };
    let all: usize = panels.iter().flat_map(|panel| &panel.lines).map(of_line).sum();
    let step = all.div_ceil(MOST_POINTS);
    if step < 2 {
        return;
    }
    for line in panels.iter_mut().flat_map(|panel| &mut panel.lines) {
        every(step, &mut line.points);
        every(step, &mut line.band);
        line.parts.iter_mut().for_each(|part| every(step, part));
    }
}

fn every<T>(step: usize, points: &mut Vec<T>) {
    let last = points.len().saturating_sub(1);
    let mut at = 0;
    points.retain(|_| {
        at += 1;
        (at - 1) % step == 0 || at - 1 == last
    });
}
