//! Figures of a paper, drawn from our series with the paper's values beside them.

use report::picture::rows::{self, Job, Rows};
use report::picture::svg::REFERENCE;
use report::picture::{Chart, Line, Panel, Scale, thin};
use report::table::{Column, Format, Table};
use serde::{Deserialize, Serialize};

/// Points of a series, from left to right.
pub type Points = Vec<(f64, f64)>;

/// A figure of a paper, of either kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Drawing {
    /// Lines over an axis of numbers.
    Lines(Picture),
    /// A Gantt chart, or figures of named things, with the figure's name in the paper. Its title is the
    /// subject, its subtitle the origin of what is drawn.
    Rows(&'static str, Rows),
}

impl From<Picture> for Drawing {
    fn from(one: Picture) -> Drawing {
        Drawing::Lines(one)
    }
}

impl Drawing {
    /// Its name in the paper, its title, and its caption with what the paper gives.
    pub fn told(&self) -> (&'static str, &str, String) {
        match self {
            Drawing::Lines(one) => (one.name, &one.title, one.caption()),
            Drawing::Rows(name, rows) => (name, &rows.title, rows.subtitle.clone()),
        }
    }

    /// The figure as a picture.
    pub fn picture(&self) -> report::picture::Picture {
        match self {
            Drawing::Lines(one) => report::picture::Picture::Chart(one.chart()),
            Drawing::Rows(name, rows) => {
                let title = format!("Figure {name}: {}", rows.title);
                report::picture::Picture::Rows(Rows { title, ..rows.clone() })
            }
        }
    }

    /// Every point, bar and dot as CSV.
    pub fn csv(&self) -> Vec<u8> {
        match self {
            Drawing::Lines(one) => one.csv().into_bytes(),
            Drawing::Rows(_, rows) => rows.csv().into_bytes(),
        }
    }
}

/// A Gantt chart: the jobs of each site, with its name and processors, and the names of their series.
pub fn gantt(
    title: String,
    subtitle: &str,
    sites: Vec<(String, usize, Vec<Job>)>,
    series: Vec<String>,
) -> Rows {
    let ends = sites.iter().flat_map(|(.., jobs)| jobs.iter().map(|job| job.span.1));
    let last = ends.fold(0.0, f64::max);
    let row =
        |(name, processors, jobs): (String, usize, Vec<Job>)| rows::site(name, processors, &jobs);
    Rows {
        title,
        subtitle: subtitle.to_owned(),
        x: "time".to_owned(),
        scale: Scale::Linear(0.0, 1.02 * last),
        rows: sites.into_iter().map(row).collect(),
        series,
    }
}

/// A figure of a paper that is lines.
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
    /// Thin lines of the same colour, with their names: what the thick line is the mean of. One of two
    /// points above each other is an error bar; those of several curves stand side by side.
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

/// The end of an axis from 0 that no point of these curves or of the paper leaves.
pub fn reach(curves: &[Curve], paper: &[Points]) -> f64 {
    let lines = curves.iter().flat_map(|curve| curve.parts.iter().flat_map(|part| &part.1));
    let points = lines.chain(curves.iter().flat_map(|curve| &curve.points));
    let values = points.chain(paper.iter().flatten()).map(|point| point.1);
    let most = values.filter(|one| one.is_finite()).fold(0.0, f64::max);
    if most > 0.0 { 1.05 * most } else { 1.0 }
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

    /// The figure as a chart.
    fn chart(&self) -> Chart {
        let is_bar = |part: &&Points| matches!(part[..], [one, other] if one.0 == other.0);
        let curves = self.curves.iter().enumerate().map(|(series, curve)| Line {
            series,
            points: curve.points.clone(),
            parts: curve
                .parts
                .iter()
                .map(|part| &part.1)
                .filter(|one| !is_bar(one))
                .cloned()
                .collect(),
            ..Line::default()
        });
        let paper = self.paper.iter().map(|points| Line {
            series: REFERENCE,
            points: points.clone(),
            ..Line::default()
        });
        let (mut lines, mut room) = (curves.chain(paper).collect::<Vec<Line>>(), 0.0);
        let across = lines.iter().flat_map(|line| line.parts.iter().flatten().chain(&line.points));
        let range = across.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &(x, _)| {
            (low.min(x), high.max(x))
        });
        let (wide, middle) = (range.1 - range.0, (self.curves.len() as f64 - 1.0) / 2.0);
        for (series, curve) in self.curves.iter().enumerate() {
            let aside = 0.006 * wide * (series as f64 - middle);
            for bar in curve.parts.iter().map(|part| &part.1).filter(is_bar) {
                let band = vec![(bar[0].0 + aside, bar[0].1, bar[1].1)];
                lines.push(Line { series, band, ..Line::default() });
                room = 0.02 * wide;
            }
        }
        let [x, y] = self.axes.map(str::to_owned);
        let mut panels = vec![Panel { y, scale: self.scale, lines }];
        thin(&mut panels);
        Chart {
            title: format!("Figure {}: {}", self.name, self.title),
            subtitle: self.caption(),
            x,
            range: Scale::Linear(range.0 - room, range.1 + room),
            dates: Vec::new(),
            panels,
            series: self.curves.iter().map(|curve| curve.name.clone()).collect(),
        }
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
