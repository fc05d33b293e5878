//! Figures of a paper, drawn from our series with the paper's values beside them.

use report::picture::svg::{self, REFERENCE};
use report::picture::{Chart, Line, Panel, Scale, thin};
use report::table::{Column, Format, Table};
use serde::{Deserialize, Serialize};

/// Points of a series, from left to right.
pub type Points = Vec<(f64, f64)>;

/// A figure of a paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// Its name in the paper, such as 3a.
    pub name: &'static str,
    /// Its title: the subject.
    pub title: String,
    /// Origin of our curves; what the paper gives is added to it.
    pub caption: String,
    /// Labels of the axes, with units.
    pub axes: [&'static str; 2],
    /// Scale of the y-axis.
    pub scale: Scale,
    /// Our curves.
    pub curves: Vec<Curve>,
    /// Figures that the paper prints: points, or lines through several; empty if it prints none.
    pub paper: Vec<Points>,
}

/// A curve of ours.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Points of the thick line.
    pub points: Points,
    /// Thin lines of the same colour, with their names: what the thick line is the mean of.
    pub parts: Vec<(String, Points)>,
}

impl Curve {
    /// A curve without thin lines.
    pub fn new(name: impl Into<String>, points: Points) -> Curve {
        Curve { name: name.into(), points, parts: Vec::new() }
    }

    /// The mean of thin lines with the same x. One that ends early counts from there with its last
    /// value.
    pub fn mean(name: impl Into<String>, parts: Vec<(String, Points)>) -> Curve {
        let longest = parts.iter().map(|(_, points)| points).max_by_key(|points| points.len());
        let value = |points: &Points, at: usize| points.get(at).or(points.last()).map(|one| one.1);
        let middle = |(at, &(x, _)): (usize, &(f64, f64))| {
            let values: Vec<f64> =
                parts.iter().filter_map(|(_, points)| value(points, at)).collect();
            (x, values.iter().sum::<f64>() / values.len() as f64)
        };
        let points = longest.into_iter().flatten().enumerate().map(middle).collect();
        Curve { name: name.into(), points, parts }
    }
}

impl Picture {
    /// The caption, including what the paper gives.
    pub fn caption(&self) -> String {
        let paper = match self.paper.is_empty() {
            true => "the paper gives no values to compare with",
            false => "black: what the paper says",
        };
        format!("{}; {paper}", self.caption)
    }

    /// The figure as an SVG document.
    pub fn svg(&self) -> Vec<u8> {
        let curves = self.curves.iter().enumerate().map(|(series, curve)| Line {
            series,
            points: curve.points.clone(),
            parts: curve.parts.iter().map(|(_, points)| points.clone()).collect(),
            ..Line::default()
        });
        let paper = self.paper.iter().map(|points| Line {
            series: REFERENCE,
            points: points.clone(),
            ..Line::default()
        });
        let lines: Vec<Line> = curves.chain(paper).collect();
        let across = lines.iter().flat_map(|line| line.parts.iter().flatten().chain(&line.points));
        let range = across.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &(x, _)| {
            (low.min(x), high.max(x))
        });
        let [x, y] = self.axes.map(str::to_owned);
        let mut panels = vec![Panel { y, scale: self.scale, lines }];
        thin(&mut panels);
        svg::render(&Chart {
            title: format!("Figure {}: {}", self.name, self.title),
            subtitle: self.caption(),
            x,
            range,
            panels,
            series: self.curves.iter().map(|curve| curve.name.clone()).collect(),
        })
    }

    /// Every point of every series as CSV: `source` is `ours` or `paper`.
    pub fn csv(&self) -> String {
        let columns = [
            Column::text("source"),
            Column::text("series"),
            Column::figure("x"),
            Column::figure("y"),
        ];
        let mut table = Table::new("series", columns);
        let mut add = |source: &str, series: &str, points: &Points| {
            for &(x, y) in points {
                table.row([source.into(), series.into(), x.into(), y.into()]);
            }
        };
        for curve in &self.curves {
            add("ours", &curve.name, &curve.points);
            curve.parts.iter().for_each(|(name, points)| add("ours", name, points));
        }
        for (number, points) in self.paper.iter().enumerate() {
            add("paper", &format!("paper-{}", number + 1), points);
        }
        table.render(Format::Csv, None)
    }
}
