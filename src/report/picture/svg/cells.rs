//! Draws small multiples: pictures side by side, with one legend.

use plotters::prelude::{IntoDrawingArea as _, SVGBackend, WHITE};
use plotters::style::text_anchor::HPos;

use super::{
    FINE, INK, LEGEND, MARGIN, SIDE, SMALL, Size, document, draw_legend, draw_titles, drawn,
    fitted, legend_rows, titles, write,
};
use crate::picture::Picture;
use crate::picture::cells::Cells;
use crate::picture::rows::Shape;

/// Least width of a cell, in pixels.
const LEAST: u32 = 250;
/// Height of a cell's name above its margin, in pixels.
const NAME: u32 = 12;

/// Renders the pictures in as many columns as have room, Gantt charts in one, as an SVG document.
///
/// # Panics
/// Never: drawing into memory does not fail.
pub fn render(cells: &Cells, size: Size) -> Vec<u8> {
    let has_bars = |(_, cell): &(String, Picture)| match cell {
        Picture::Rows(rows) => {
            let mut marks = rows.rows.iter().flat_map(|row| &row.marks);
            marks.any(|mark| matches!(mark.shape, Shape::Bar(_)))
        }
        _ => false,
    };
    let is_wide = cells.cells.iter().any(has_bars);
    let most = if is_wide { 1 } else { (size.width() / LEAST).max(1) as usize };
    // Rows of cells are as even as can be.
    let rows = cells.cells.len().div_ceil(most).max(1);
    let columns = cells.cells.len().div_ceil(rows).max(1);
    let wide = size.width() / columns as u32;
    let part = Size::Cell(wide);
    let bodies: Vec<(String, u32)> =
        cells.cells.iter().map(|(_, cell)| body(&cell.svg(part))).collect();
    let names: Vec<(usize, &str)> = cells.series.iter().map(String::as_str).enumerate().collect();
    let legend = legend_rows(&names, size);
    let head = MARGIN + titles(&cells.subtitle, size);
    let top = head + LEGEND * legend.len() as u32;
    let mut text = String::new();
    let mut marks = String::new();
    let mut height = top;
    let deep = |row: &[(String, u32)]| row.iter().map(|body| body.1).max().unwrap_or(0);
    for row in bodies.chunks(columns) {
        for ((body, _), column) in row.iter().zip(0..) {
            let (x, y) = (wide * column * FINE, (height + NAME) * FINE);
            marks.push_str(&format!("<g transform=\"translate({x} {y})\">\n{body}</g>\n"));
        }
        height += NAME + deep(row);
    }
    height += if cells.x.is_empty() { 0 } else { SMALL + MARGIN };
    {
        let canvas = SVGBackend::with_string(&mut text, (size.width() * FINE, height * FINE));
        let root = canvas.into_drawing_area();
        drawn(root.fill(&WHITE));
        draw_titles(&root, &cells.title, &cells.subtitle, size);
        draw_legend(&root, &legend, false, head);
        let mut y = top;
        for (row, bodies) in cells.cells.chunks(columns).zip(bodies.chunks(columns)) {
            for ((name, cell), column) in row.iter().zip(0..) {
                let (name, high) = fitted(name, SMALL, part);
                let left = if matches!(cell, Picture::Chart(_)) { MARGIN + SIDE } else { MARGIN };
                write(&root, &name, (wide * column + left, y + 4), high, INK, HPos::Left);
            }
            y += NAME + deep(bodies);
        }
        let middle = (size.width() / 2, height - SMALL - MARGIN + 4);
        write(&root, &cells.x, middle, SMALL, INK, HPos::Center);
        drawn(root.present());
    }
    let end = text.rfind("</svg>").expect("a document ends");
    text.insert_str(end, &marks);
    document(&text, &cells.title, height, size)
}

/// The marks of a document without its ground, and its height in pixels.
fn body(svg: &[u8]) -> (String, u32) {
    let text = String::from_utf8_lossy(svg);
    let height = text.split("height=\"").nth(1).and_then(|rest| rest.split('"').next());
    let height = height.and_then(|height| height.parse().ok()).expect("it has a height");
    // The first lines open the document, tell its title and fill the ground.
    let marks = text.splitn(4, '\n').nth(3).unwrap_or_default();
    (marks.trim_end().trim_end_matches("</svg>").to_owned(), height)
}
