//! Draws a plane of mixed strategies.

use plotters::prelude::{
    Circle, Color as _, IntoDrawingArea as _, PathElement, Polygon, SVGBackend, WHITE,
};
use plotters::style::text_anchor::HPos;

use super::{
    AXIS, BAND, FINE, FRAME, INK, LEGEND, MARGIN, SMALL, SOFT, Size, colour, document, draw_legend,
    draw_titles, drawn, fitted, legend_rows, thick, titles, write,
};
use crate::picture::plane::{Frame, HEIGHT, Plane, Point};

/// Largest length of an edge, in pixels.
const EDGE: u32 = 420;
/// Length of the barbs of an arrow, in pixels.
const BARB: f64 = 4.5;

/// Renders the plane as an SVG document.
///
/// # Panics
/// Never: drawing into memory does not fail.
pub fn render(plane: &Plane, size: Size) -> Vec<u8> {
    let width = size.width();
    let names: Vec<(usize, &str)> = plane.series.iter().map(String::as_str).enumerate().collect();
    let legend = legend_rows(&names, size);
    let head = MARGIN + titles(&plane.subtitle, size);
    let top = head + LEGEND * legend.len() as u32 + SMALL + 12;
    let edge = EDGE.min(width - 2 * MARGIN - 48);
    let (deep, corners) = match plane.frame {
        Frame::Square(_) => (edge, vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]),
        Frame::Triangle(_) => {
            ((f64::from(edge) * HEIGHT) as u32, vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        }
    };
    let height = top + deep + AXIS;
    let left = (width - edge) / 2;
    let at = |point: Point| {
        let [x, y] = plane.frame.seen(point);
        let fine =
            |from: u32, pixels: f64| (f64::from(FINE) * (f64::from(from) + pixels)).round() as i32;
        (fine(left, x * f64::from(edge)), fine(top + deep, -y * f64::from(edge)))
    };
    let mut text = String::new();
    {
        let canvas = SVGBackend::with_string(&mut text, (width * FINE, height * FINE));
        let root = canvas.into_drawing_area();
        drawn(root.fill(&WHITE));
        draw_titles(&root, &plane.title, &plane.subtitle, size);
        draw_legend(&root, &legend, false, head);
        for (series, corners) in &plane.areas {
            let corners: Vec<_> = corners.iter().map(|&one| at(one)).collect();
            drawn(root.draw(&Polygon::new(corners, colour(*series).mix(2.0 * BAND).filled())));
        }
        let edges: Vec<_> = corners.iter().chain(&corners[..1]).map(|&one| at(one)).collect();
        drawn(root.draw(&PathElement::new(edges, FRAME.stroke_width(FINE))));
        for &[tail, head] in &plane.arrows {
            let arrow = arrow(at(tail), at(head));
            drawn(root.draw(&PathElement::new(arrow, SOFT.stroke_width(FINE * 4 / 5))));
        }
        for (series, way) in &plane.ways {
            let colour = colour(*series);
            let way: Vec<_> = way.iter().map(|&one| at(one)).collect();
            if let Some(&end) = way.last() {
                drawn(root.draw(&PathElement::new(way, thick(colour))));
                drawn(root.draw(&Circle::new(end, FINE * 4, colour.filled())));
            }
        }
        for &(rest, attracts) in &plane.rests {
            let inner = if attracts { INK } else { WHITE };
            drawn(root.draw(&Circle::new(at(rest), FINE * 5, INK.filled())));
            drawn(root.draw(&Circle::new(at(rest), FINE * 7 / 2, inner.filled())));
        }
        let below = top + deep + 6;
        let label = |text: &str, (x, y): (u32, u32), to: HPos| {
            let (text, high) = fitted(text, SMALL, size);
            write(&root, &text, (x, y), high, INK, to);
        };
        let (middle, above) = (left + edge / 2, top - SMALL - 8);
        match &plane.frame {
            Frame::Square([across, up]) => {
                label(across, (middle, below + 20), HPos::Center);
                label(up, (left, above), HPos::Left);
                for (mark, share) in [("0", 0), ("0.5", 1), ("1", 2)] {
                    let along = edge * share / 2;
                    label(mark, (left + along, below), HPos::Center);
                    label(mark, (left - 8, top + deep - along - SMALL / 2), HPos::Right);
                }
            }
            Frame::Triangle([first, second, third]) => {
                label(first, (left, below), HPos::Center);
                label(second, (left + edge, below), HPos::Center);
                label(third, (middle, above), HPos::Center);
            }
        }
        drawn(root.present());
    }
    document(&text, &plane.title, height, size)
}

/// A line from tail to head, and along the barbs of the head.
fn arrow(tail: (i32, i32), head: (i32, i32)) -> Vec<(i32, i32)> {
    let (x, y) = (f64::from(head.0 - tail.0), f64::from(head.1 - tail.1));
    let length = libm::hypot(x, y).max(1.0);
    let barb = (BARB * f64::from(FINE)).min(0.7 * length);
    let (x, y) = (x / length * barb, y / length * barb);
    let of = |side: f64| {
        (head.0 - (x - side * 0.5 * y).round() as i32, head.1 - (y + side * 0.5 * x).round() as i32)
    };
    vec![tail, head, of(1.0), head, of(-1.0)]
}
