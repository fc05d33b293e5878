//! Draws a chart of named rows.

use plotters::prelude::{
    Circle, Color as _, IntoDrawingArea, PathElement, Rectangle, SVGBackend, WHITE,
};
use plotters::style::text_anchor::HPos;

use super::{
    AXIS, FINE, FRAME, GRID, INK, LEGEND, MARGIN, REFERENCE, SMALL, SOFT, Size, colour, document,
    draw_legend, draw_titles, drawn, legend_rows, thick, ticks, titles, width_of, write,
};
use crate::picture::Scale;
use crate::picture::rows::{Mark, Rows, Shape};

/// Height of all lanes together that is aimed at, and the least and the largest height of a lane, in
/// pixels.
const ALL: usize = 520;
const LANE: (usize, usize) = (4, 20);
/// Gap between rows, in pixels.
const BETWEEN: u32 = 8;

/// Renders the chart as an SVG document.
///
/// # Panics
/// Never: drawing into memory does not fail.
pub fn render(chart: &Rows, size: Size) -> Vec<u8> {
    let width = size.width();
    let is_of_paper = |mark: &Mark| mark.series == REFERENCE;
    let mut names: Vec<(usize, &str)> =
        chart.series.iter().map(String::as_str).enumerate().collect();
    if chart.rows.iter().flat_map(|row| &row.marks).any(is_of_paper) {
        names.push((REFERENCE, "paper"));
    }
    let legend = legend_rows(&names, size);
    let lanes: usize = chart.rows.iter().map(|row| row.lanes).sum();
    let lane = (ALL / lanes.max(1)).clamp(LANE.0, LANE.1) as u32;
    let widest = chart.rows.iter().map(|row| width_of(&row.name, SMALL)).max().unwrap_or(0);
    let left = (MARGIN + widest + 10).min(width / 2);
    let right = width - MARGIN - 8;
    let top = MARGIN + titles(&chart.subtitle, size) + LEGEND * legend.len() as u32 + 8;
    let below = top + lane * lanes as u32 + BETWEEN * chart.rows.len() as u32;
    let height = below + if chart.x.is_empty() { AXIS / 2 } else { AXIS } + MARGIN;
    let across = |value: f64| {
        let place = chart.scale.place(value).clamp(0.0, 1.0);
        ((f64::from(left) + place * f64::from(right - left)) * f64::from(FINE)).round() as i32
    };
    let mut text = String::new();
    {
        let canvas = SVGBackend::with_string(&mut text, (width * FINE, height * FINE));
        let root = canvas.into_drawing_area();
        drawn(root.fill(&WHITE));
        draw_titles(&root, &chart.title, &chart.subtitle, size);
        draw_legend(&root, &legend, true, MARGIN + titles(&chart.subtitle, size));
        let fine = |y: u32| (y * FINE) as i32;
        for mark in chart.scale.marks(size.marks()) {
            let ends = [(across(mark), fine(top)), (across(mark), fine(below))];
            drawn(root.draw(&PathElement::new(ends, GRID.stroke_width(FINE))));
            let at = (across(mark) as u32 / FINE, below + 6);
            write(&root, &ticks::label(mark), at, SMALL, SOFT, HPos::Center);
        }
        if let Scale::Linear(low, high) = chart.scale
            && low < 0.0
            && high > 0.0
        {
            let ends = [(across(0.0), fine(top)), (across(0.0), fine(below))];
            drawn(root.draw(&PathElement::new(ends, SOFT.stroke_width(FINE))));
        }
        let middle = (left + right) / 2;
        write(&root, &chart.x, (middle, below + 26), SMALL, INK, HPos::Center);
        let mut y = top + BETWEEN / 2;
        for row in &chart.rows {
            let deep = lane * row.lanes as u32;
            let name = (left - 8, y + deep / 2 - SMALL / 2);
            write(&root, &row.name, name, SMALL, INK, HPos::Right);
            let corners = [(fine(left), fine(y)), (fine(right), fine(y + deep))];
            drawn(root.draw(&Rectangle::new(corners, FRAME.stroke_width(FINE / 2))));
            for mark in &row.marks {
                let upper = y + lane * mark.lane as u32;
                let lower = upper + lane * mark.lanes as u32;
                let colour = colour(mark.series);
                let (from, to) = (across(mark.from), across(mark.to));
                match &mark.shape {
                    Shape::Bar(label) => {
                        let corners = [(from, fine(upper)), (to, fine(lower))];
                        drawn(root.draw(&Rectangle::new(corners, colour.filled())));
                        let edge = WHITE.stroke_width(FINE / 2);
                        drawn(root.draw(&Rectangle::new(corners, edge)));
                        let room = (to - from) / FINE as i32;
                        if lower - upper >= SMALL && width_of(label, SMALL) as i32 + 6 <= room {
                            let at = (from + to) as u32 / 2 / FINE;
                            let at = (at, u32::midpoint(upper, lower) - SMALL / 2);
                            write(&root, label, at, SMALL, WHITE, HPos::Center);
                        }
                    }
                    Shape::Dot(value) => {
                        let at = fine(upper) + fine(lower - upper) / 2;
                        let line = [(from, at), (to, at)];
                        drawn(root.draw(&PathElement::new(line, thick(colour))));
                        let dot = Circle::new((across(*value), at), FINE * 4, colour.filled());
                        drawn(root.draw(&dot));
                    }
                }
            }
            y += deep + BETWEEN;
        }
        drawn(root.present());
    }
    document(&text, &chart.title, height, size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::rows::Row;

    #[test]
    fn a_chart_has_a_bar_for_each_run_and_a_dot_with_its_interval_for_each_figure() {
        let mark = |series, lane, shape| Mark { series, lane, lanes: 1, from: 1.0, to: 3.0, shape };
        let bars =
            vec![mark(0, 0, Shape::Bar("lapw1".to_owned())), mark(1, 1, Shape::Bar(String::new()))];
        let dots = vec![mark(REFERENCE, 0, Shape::Dot(2.0))];
        let chart = Rows {
            title: "a <plan>".to_owned(),
            subtitle: "two processors".to_owned(),
            x: "time".to_owned(),
            scale: Scale::Linear(0.0, 4.0),
            rows: vec![
                Row { name: "site".to_owned(), lanes: 2, marks: bars },
                Row { name: "HiHi".to_owned(), lanes: 1, marks: dots },
            ],
            series: vec!["one".to_owned(), "other".to_owned()],
        };
        let svg = String::from_utf8(render(&chart, Size::Screen)).unwrap();
        assert!(svg.contains("<title>a &lt;plan&gt;</title>") && svg.contains("\nlapw1\n"));
        // The ground, two rows, two samples of the legend, and two bars with their edges.
        assert_eq!(svg.matches("<rect").count(), 1 + 2 + 2 + 4);
        // The dot, and that of the legend.
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("\npaper\n"));
    }
}
