//! Draws a chart as SVG with `plotters`.
//!
//! The library's canvas has whole pixels, so the chart is drawn ten times as large and scaled down
//! through a view box. Text is placed by an estimate of its width: no font is loaded, and the same
//! chart gives the same bytes everywhere.

use std::fmt::{Debug, Display};
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::{
    BLACK, Cartesian2d, ChartBuilder, ChartContext, Circle, Color, DrawingArea, EmptyElement,
    IntoDrawingArea, PathElement, Polygon, RGBColor, Rectangle, SVGBackend, ShapeStyle, Text,
    WHITE,
};
use plotters::style::text_anchor::{HPos, VPos};

pub use cells::render as render_cells;
pub use heat::render as render_heat;
pub use plane::render as render_plane;
pub use rows::render as render_rows;
pub use size::Size;

use super::{Chart, Line, Panel, Scale, ticks};
use kernel::order::InOrder as _;
use text::{draw_titles, escaped, fitted, plain, style, titles, width_of, write};

mod cells;
mod heat;
mod plane;
mod rows;
mod size;
mod text;

/// Canvas units in a pixel.
const FINE: u32 = 10;
/// Height of the x-axis below the last panel, in pixels.
const AXIS: u32 = 46;
/// Gap between panels, in pixels.
const GAP: u32 = 22;
/// Width of the y-axis beside a panel, in pixels.
const SIDE: u32 = 64;
/// Margin at the edges, in pixels.
const MARGIN: u32 = 16;
const TITLE: u32 = 30;
const SUBTITLE: u32 = 22;
const LEGEND: u32 = 24;
const SMALL: u32 = 13;

const INK: RGBColor = RGBColor(38, 38, 38);
const SOFT: RGBColor = RGBColor(95, 95, 95);
const GRID: RGBColor = RGBColor(226, 226, 226);
const FRAME: RGBColor = RGBColor(150, 150, 150);

/// Palette: colours that are safe for red-green colour blindness (Okabe and Ito 2008, without
/// yellow), then darker ones.
const COLOURS: [RGBColor; 10] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(96, 68, 156),
    RGBColor(120, 94, 60),
    RGBColor(70, 70, 70),
    RGBColor(150, 150, 150),
];

/// Number of series that get a colour of their own.
pub(crate) const MOST_SERIES: usize = COLOURS.len();

/// Series of lines that the others are compared with: black, dashed and on top; a single point
/// becomes a dot. It has no place in [`Chart::series`], and is called the paper's in the legend.
pub const REFERENCE: usize = usize::MAX;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Axes<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;

/// Renders the chart as an SVG document.
///
/// # Panics
/// Never: drawing into memory does not fail.
pub fn render(chart: &Chart, size: Size) -> Vec<u8> {
    let lines = chart.panels.iter().flat_map(|panel| &panel.lines);
    let references: Vec<&Line> = lines.filter(|line| line.series == REFERENCE).collect();
    let is_dotted = references.iter().all(|line| line.points.len() == 1);
    let mut names: Vec<(usize, &str)> =
        chart.series.iter().map(String::as_str).enumerate().collect();
    names.extend(references.first().map(|_| (REFERENCE, "paper")));
    let legend = legend_rows(&names, size);
    let (wide, high) = (size.width(), size.panel());
    // A label that is longer than its panel is high stands above it.
    let is_long = |panel: &Panel| width_of(&up_label(panel), SMALL) > high;
    let above = if chart.panels.first().is_some_and(is_long) { SMALL + 5 } else { 0 };
    let gap = if chart.panels.iter().any(is_long) { GAP + SMALL / 2 } else { GAP };
    let head = MARGIN + titles(&chart.subtitle, size) + LEGEND * legend.len() as u32 + 8 + above;
    let panels = chart.panels.len() as u32;
    let below = if chart.x.is_empty() { AXIS / 2 } else { AXIS };
    let height = head + panels * high + panels.saturating_sub(1) * gap + below + 6;
    let mut text = String::new();
    {
        let canvas = SVGBackend::with_string(&mut text, (wide * FINE, height * FINE));
        let root = canvas.into_drawing_area();
        drawn(root.fill(&WHITE));
        draw_titles(&root, &chart.title, &chart.subtitle, size);
        draw_legend(&root, &legend, is_dotted, MARGIN + titles(&chart.subtitle, size));
        let mut top = head;
        for (number, panel) in chart.panels.iter().enumerate() {
            let is_last = number + 1 == chart.panels.len();
            let axis = if is_last { below } else { 0 };
            let area = root.margin(top * FINE, (height - top - high - axis) * FINE, 0, 0);
            draw_panel(&area, chart, panel, axis, size);
            if is_long(panel) {
                let (label, high) = fitted(&up_label(panel), SMALL, size);
                write(&root, &label, (MARGIN, top - high - 9), high, INK, HPos::Left);
            }
            top += high + gap;
        }
        drawn(root.present());
    }
    document(&text, &chart.title, height, size)
}

/// The whole document around what was drawn.
fn document(text: &str, title: &str, height: u32, size: Size) -> Vec<u8> {
    let (_, body) = text.split_once('\n').expect("the first line opens the picture");
    let body = body.replace(" dy=\"-0.5ex\"", "");
    let (width, fine) = (size.width(), FINE);
    let [across, down] = match size.on_paper() {
        None => [width.to_string(), height.to_string()],
        Some(mm) => {
            let down = f64::from(mm) * f64::from(height) / f64::from(width);
            [format!("{mm}mm"), format!("{down:.2}mm")]
        }
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{across}\" height=\"{down}\" \
         viewBox=\"0 0 {} {}\" role=\"img\" stroke-linejoin=\"round\">\n",
        width * fine,
        height * fine
    );
    svg.push_str(&format!("<title>{}</title>\n", escaped(title)));
    svg.push_str(&body);
    svg.into_bytes()
}

/// Unwraps a drawing result: drawing into memory cannot fail.
fn drawn<T, E: Debug + Display>(result: Result<T, E>) -> T {
    result.expect("memory takes what is drawn")
}

/// An entry of the legend: its series and its left edge.
struct Entry<'a> {
    series: usize,
    name: &'a str,
    x: u32,
}

/// Length of the sample line in the legend, and the gap after it, in pixels.
const SAMPLE: (u32, u32) = (22, 6);

fn legend_rows<'a>(names: &[(usize, &'a str)], size: Size) -> Vec<Vec<Entry<'a>>> {
    let mut rows: Vec<Vec<Entry<'_>>> = Vec::new();
    let mut x = size.width();
    for &(series, name) in names {
        let wide = SAMPLE.0 + SAMPLE.1 + width_of(name, SMALL) + 18;
        if x + wide > size.width() - MARGIN {
            rows.push(Vec::new());
            x = MARGIN;
        }
        if let Some(row) = rows.last_mut() {
            row.push(Entry { series, name, x });
        }
        x += wide;
    }
    rows
}

fn draw_legend(root: &Area<'_>, legend: &[Vec<Entry<'_>>], is_dotted: bool, top: u32) {
    for (row, entries) in legend.iter().enumerate() {
        let y = top + LEGEND * row as u32;
        entries.iter().for_each(|entry| draw_entry(root, entry, is_dotted, y));
    }
}

fn draw_entry(root: &Area<'_>, entry: &Entry<'_>, is_dotted: bool, y: u32) {
    let colour = colour(entry.series);
    let fine = |x: u32, y: u32| ((x * FINE) as i32, (y * FINE) as i32);
    let (from, to) = (entry.x, entry.x + SAMPLE.0);
    if entry.series == REFERENCE && is_dotted {
        let dot = Circle::new(fine(from + SAMPLE.0 / 2, y + 7), FINE * 4, colour.filled());
        drawn(root.draw(&dot));
    } else if entry.series == REFERENCE {
        for dash in [from, from + 9, from + 18] {
            let ends = [fine(dash, y + 7), fine(dash + 5, y + 7)];
            drawn(root.draw(&PathElement::new(ends, thick(colour))));
        }
    } else {
        let corners = [fine(from, y + 1), fine(to, y + 13)];
        drawn(root.draw(&Rectangle::new(corners, colour.mix(BAND).filled())));
        drawn(root.draw(&PathElement::new([fine(from, y + 7), fine(to, y + 7)], thick(colour))));
    }
    write(root, entry.name, (to + SAMPLE.1, y + 1), SMALL, INK, HPos::Left);
}

fn colour(series: usize) -> RGBColor {
    if series == REFERENCE {
        return BLACK;
    }
    COLOURS[series.min(COLOURS.len() - 1)]
}

/// Opacity of a band, and of a thin line.
const BAND: f64 = 0.16;
const PART: f64 = 0.45;

fn thick(colour: impl Color) -> ShapeStyle {
    colour.stroke_width(FINE * 2)
}

/// An axis as `plotters` sees it.
struct Axis {
    scale: Scale,
    marks: Vec<f64>,
}

impl Axis {
    fn new(scale: Scale, most: usize) -> Axis {
        Axis { scale, marks: scale.marks(most) }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        from + (self.scale.place(*value).clamp(0.0, 1.0) * f64::from(to - from)).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, _: H) -> Vec<f64> {
        self.marks.clone()
    }

    fn range(&self) -> Range<f64> {
        let (low, high) = self.scale.ends();
        low..high
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(value: &f64) -> String {
        ticks::label(*value)
    }
}

fn draw_panel(area: &Area<'_>, chart: &Chart, panel: &Panel, axis: u32, size: Size) {
    let mut builder = ChartBuilder::on(area);
    builder
        .margin_left(MARGIN * FINE)
        .margin_right((MARGIN + 8) * FINE)
        .x_label_area_size(axis * FINE)
        .y_label_area_size(SIDE * FINE);
    let mut across = Axis::new(chart.range, size.marks());
    // Where the x-axis counts things, fractions get no tick mark.
    let lines = chart.panels.iter().flat_map(|panel| &panel.lines);
    if lines.flat_map(|line| &line.points).all(|point| point.0.fract() == 0.0) {
        across.marks.retain(|mark| mark.fract() == 0.0);
    }
    if !chart.dates.is_empty() {
        across.marks = apart(chart, size);
    }
    let label_across = |mark: &f64| {
        let date = chart.dates.iter().find(|date| date.0 == *mark);
        date.map_or_else(|| ticks::label(*mark), |date| date.1.clone())
    };
    let up = Axis::new(panel.scale, 6);
    let mut axes: Axes<'_, '_> = drawn(builder.build_cartesian_2d(across, up));
    let mut mesh = axes.configure_mesh();
    mesh.bold_line_style(GRID.stroke_width(FINE))
        .light_line_style(WHITE.mix(0.0))
        .axis_style(FRAME.stroke_width(FINE))
        .set_all_tick_mark_size(4 * FINE)
        .label_style(style(SMALL, SOFT, HPos::Center, VPos::Center))
        .axis_desc_style(style(SMALL, INK, HPos::Center, VPos::Center))
        .x_label_formatter(&label_across);
    let label = up_label(panel);
    if width_of(&label, SMALL) <= size.panel() {
        mesh.y_desc(plain(&label));
    }
    if axis > 0 {
        mesh.x_desc(plain(&chart.x));
    }
    drawn(mesh.draw());
    panel.lines.iter().for_each(|line| draw_band(&mut axes, line));
    panel.lines.iter().for_each(|line| draw_line(&mut axes, line, panel.scale));
    draw_beyond(&mut axes, chart, panel, size);
}

/// The dates of a chart whose labels do not touch each other.
fn apart(chart: &Chart, size: Size) -> Vec<f64> {
    let wide = f64::from(size.width() - SIDE - 2 * MARGIN - 8);
    let mut end = f64::NEG_INFINITY;
    let is_free = |(at, label): &&(f64, String)| {
        let (middle, half) =
            (chart.range.place(*at) * wide, f64::from(width_of(label, SMALL)) / 2.0);
        let is_free = middle - half > end;
        if is_free {
            end = middle + half + 4.0;
        }
        is_free
    };
    chart.dates.iter().filter(is_free).map(|date| date.0).collect()
}

/// Where lines leave the panel, an arrow at its edge with the value that lies farthest beyond. Labels that
/// would cover one that lies farther are left out.
fn draw_beyond(axes: &mut Axes<'_, '_>, chart: &Chart, panel: &Panel, size: Size) {
    let along = chart.range;
    let beyond = |line: &Line| {
        let all = line.parts.iter().chain([&line.points]);
        let all: Vec<_> = all.flat_map(|points| panel.scale.beyond(points)).collect();
        let colour = colour(line.series);
        all.into_iter().map(move |(x, value)| (x, value, colour))
    };
    let mut all: Vec<(f64, f64, RGBColor)> = panel.lines.iter().flat_map(beyond).collect();
    let distance = |value: f64| (panel.scale.place(value) - 0.5).abs();
    all.order_by(|one, other| distance(other.1).total_cmp(&distance(one.1)));
    let mut told: Vec<(bool, f64, f64)> = Vec::new();
    for (x, value, colour) in all {
        let is_up = panel.scale.place(value) > 1.0;
        let (low, high) = panel.scale.ends();
        let (edge, down) = if is_up { (high, 1) } else { (low, -1) };
        let px = |pixels: i32| pixels * FINE as i32;
        let arrow = vec![(0, 0), (px(-4), px(7 * down)), (px(4), px(7 * down))];
        drawn(
            axes.draw_series([EmptyElement::at((x, edge)) + Polygon::new(arrow, colour.filled())]),
        );
        let text = stats::shown::figure(value);
        let wide = f64::from(width_of(&text, SMALL) + 14);
        let across = along.place(x) * f64::from(size.width() - SIDE - 2 * MARGIN - 8);
        let is_left = along.place(x) > 0.8;
        let from = if is_left { across - wide } else { across - 4.0 };
        let is_free =
            |one: &(bool, f64, f64)| one.0 != is_up || from > one.2 || from + wide < one.1;
        if told.iter().all(is_free) {
            told.push((is_up, from, from + wide));
            let (aside, to) = if is_left { (-7, HPos::Right) } else { (7, HPos::Left) };
            let at = (px(aside), if is_up { px(11) } else { px(-3) });
            let style = style(SMALL, colour, to, VPos::Bottom);
            drawn(axes.draw_series([EmptyElement::at((x, edge)) + Text::new(text, at, style)]));
        }
    }
}

/// The label of a panel's y-axis. Where values lie beyond the axis, and are drawn at its edge, it says
/// how far they reach.
fn up_label(panel: &Panel) -> String {
    let (low, high) = panel.scale.ends();
    let all = panel.lines.iter().flat_map(|line| {
        let bands = line.band.iter().flat_map(|&(_, low, high)| [low, high]);
        let points = line.points.iter().chain(line.parts.iter().flatten());
        points.map(|point| point.1).chain(bands)
    });
    let room = 1e-9 * (high - low).abs();
    let (least, most) = all
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
            (least.min(value), most.max(value))
        });
    match (least < low - room, most > high + room) {
        (false, false) => panel.y.clone(),
        (true, false) => format!("{} (cut: from {})", panel.y, ticks::label(least)),
        (false, true) => format!("{} (cut: up to {})", panel.y, ticks::label(most)),
        (true, true) => {
            format!("{} (cut: {} to {})", panel.y, ticks::label(least), ticks::label(most))
        }
    }
}

fn draw_band(axes: &mut Axes<'_, '_>, line: &Line) {
    if let [(x, low, high)] = line.band[..] {
        let ends = PathElement::new([(x, low), (x, high)], thick(colour(line.series).mix(PART)));
        drawn(axes.draw_series([ends]));
    }
    if line.band.len() > 1 {
        let lower = line.band.iter().map(|&(x, low, _)| (x, low));
        let upper = line.band.iter().rev().map(|&(x, _, high)| (x, high));
        let outline: Vec<(f64, f64)> = lower.chain(upper).collect();
        let shape = Polygon::new(outline, colour(line.series).mix(BAND).filled());
        drawn(axes.draw_series([shape]));
    }
}

fn draw_line(axes: &mut Axes<'_, '_>, line: &Line, scale: Scale) {
    let colour = colour(line.series);
    let mut path = |points: &[(f64, f64)], style: ShapeStyle| {
        let pieces = scale.inside(points).into_iter();
        drawn(axes.draw_series(pieces.map(|piece| PathElement::new(piece, style))));
    };
    for part in &line.parts {
        path(part, colour.mix(PART).stroke_width(FINE * 3 / 4));
    }
    match line.series {
        REFERENCE => dashes(&line.points).iter().for_each(|dash| path(dash, thick(colour))),
        _ => path(&line.points, thick(colour)),
    }
    // A line needs two points; a single one becomes a dot.
    if let ([point], []) = (&line.points[..], &scale.beyond(&line.points)[..]) {
        drawn(axes.draw_series([Circle::new(*point, FINE * 4, colour.filled())]));
    }
}

/// Number of dashes along the whole of a dashed line.
const DASHES: usize = 90;

/// Every other piece of a line whose points lie from left to right.
fn dashes(points: &[(f64, f64)]) -> Vec<[(f64, f64); 2]> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let at = |x: f64| {
        let next = points.partition_point(|point| point.0 < x).clamp(1, points.len() - 1);
        let [(left, low), (right, high)] = [points[next - 1], points[next]];
        let share = if right > left { (x - left) / (right - left) } else { 0.0 };
        (x, low + share * (high - low))
    };
    let piece = (last.0 - first.0) / (2 * DASHES - 1) as f64;
    let from = |number: usize| first.0 + (2 * number) as f64 * piece;
    match points.len() {
        1 => Vec::new(),
        _ => (0..DASHES).map(|dash| [at(from(dash)), at(from(dash) + piece)]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two curves with bands: sine waves that are a quarter period apart.
    fn example() -> Chart {
        let points = |phase: f64| -> Vec<(f64, f64)> {
            (0..300)
                .map(|at| (f64::from(at), 0.5 + 0.4 * libm::sin(f64::from(at) / 60.0 + phase)))
                .collect()
        };
        let line = |series: usize, phase: f64| Line {
            series,
            points: points(phase),
            band: points(phase).iter().map(|&(x, y)| (x, y - 0.08, y + 0.08)).collect(),
            parts: [0.1, -0.1].map(|off| points(phase + off)).to_vec(),
        };
        let panel = |y: &str, scale, factor: f64| {
            let mut lines = vec![line(0, 0.0), line(1, 1.5)];
            for line in &mut lines {
                line.points.iter_mut().for_each(|point| point.1 *= factor);
                line.parts.iter_mut().flatten().for_each(|point| point.1 *= factor);
                line.band
                    .iter_mut()
                    .for_each(|band| *band = (band.0, band.1 * factor, band.2 * factor));
            }
            Panel { y: y.to_owned(), scale, lines }
        };
        Chart {
            title: "waves & <tides> of \"p\"\u{1}".to_owned(),
            subtitle: "means of 50 replications; bands hold 10% to 90%".to_owned(),
            x: "round".to_owned(),
            range: Scale::Linear(0.0, 300.0),
            dates: Vec::new(),
            panels: vec![
                panel("participation probability p", Scale::Linear(0.0, 1.0), 1.0),
                panel("participation level l (units)", Scale::Log(1.0, 1000.0), 1000.0),
            ],
            series: vec!["typical-1 ... typical-9".to_owned(), "over<loaded".to_owned()],
        }
    }

    #[test]
    fn a_chart_is_one_small_well_formed_picture() {
        let svg = String::from_utf8(render(&example(), Size::Screen)).unwrap();
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"880\""));
        assert!(svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("<title>waves &amp; &lt;tides&gt; of \"p\" </title>"));
        assert!(svg.contains("over&lt;loaded") && !svg.contains("over<loaded"));
        assert!(svg.contains("participation level l (units)"));
        // Two panels of two lines with two components each; the polygons are the bands.
        assert_eq!(svg.matches("<polygon").count(), 4);
        assert!(svg.len() < 100_000, "{}", svg.len());
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        if let Ok(path) = std::env::var("GRIDPACT_CHART") {
            std::fs::write(path, &svg).unwrap();
        }
    }

    /// A line at 0.5 and a point at (100, 0.2), as a paper prints them.
    #[test]
    fn what_is_compared_with_is_dashed_and_dotted() {
        let mut chart = example();
        for points in [vec![(0.0, 0.5), (300.0, 0.5)], vec![(100.0, 0.2)]] {
            let line = Line { series: REFERENCE, points, ..Line::default() };
            chart.panels[0].lines.push(line);
        }
        let [without, with] = [example(), chart]
            .map(|chart| String::from_utf8(render(&chart, Size::Screen)).unwrap());
        let black = |svg: &str| svg.matches("stroke=\"#000000\"").count();
        assert_eq!(black(&with) - black(&without), DASHES + 3);
        assert_eq!(with.matches("<circle").count() - without.matches("<circle").count(), 1);
        assert!(with.contains("\npaper\n") && !without.contains("\npaper\n"));
        let [first, .., last] = dashes(&[(0.0, 0.0), (10.0, 5.0)])[..] else {
            panic!("two dashes")
        };
        assert_eq!((first[0], last[1]), ((0.0, 0.0), (10.0, 5.0)));
    }

    /// Bars of 3, 8 and 80 on an axis that ends at 5: the last two looked equal.
    #[test]
    fn bars_beyond_the_axis_have_an_arrow_and_their_value() {
        let bar = |at: usize, top: f64| Line {
            series: at,
            points: vec![(100.0 * at as f64, 0.0), (100.0 * at as f64, top)],
            ..Line::default()
        };
        let bars = [3.0, 8.0, 80.0].into_iter().enumerate().map(|(at, top)| bar(at, top));
        let panel =
            Panel { y: "score".to_owned(), scale: Scale::Linear(0.0, 5.0), lines: bars.collect() };
        let chart = Chart { panels: vec![panel], ..example() };
        let svg = String::from_utf8(render(&chart, Size::Screen)).unwrap();
        assert!(svg.contains("\n8.000\n") && svg.contains("\n80.00\n"), "{svg}");
        assert!(!svg.contains("\n3.000\n"));
        assert_eq!(svg.matches("<polygon").count(), 2);
        // Of the same series, two that are near each other: the farther has its value.
        let near = [bar(0, 8.0), Line { points: vec![(2.0, 0.0), (2.0, 9.0)], ..bar(0, 0.0) }];
        let panels = vec![Panel { lines: near.to_vec(), ..chart.panels[0].clone() }];
        let svg = String::from_utf8(render(&Chart { panels, ..chart }, Size::Screen)).unwrap();
        assert!(svg.contains("\n9.000\n") && !svg.contains("\n8.000\n"));
        assert_eq!(svg.matches("<polygon").count(), 2);
        if let Ok(path) = std::env::var("GRIDPACT_CHART") {
            std::fs::write(path + ".cut.svg", &svg).unwrap();
        }
    }

    #[test]
    fn a_long_legend_is_broken_over_rows() {
        let names: Vec<String> = (0..9).map(|at| format!("organization number {at}")).collect();
        let names: Vec<(usize, &str)> = names.iter().map(String::as_str).enumerate().collect();
        let rows = legend_rows(&names, Size::Screen);
        assert_eq!(rows.iter().map(Vec::len).sum::<usize>(), 9);
        assert!(rows.len() > 1 && rows.iter().all(|row| row[0].x == MARGIN));
    }
}
