//! Draws a heat map.

use plotters::prelude::{IntoDrawingArea, RGBColor, Rectangle, SVGBackend, WHITE};
use plotters::style::Color as _;
use plotters::style::text_anchor::HPos;

use super::{
    Area, COLOURS, FINE, INK, MARGIN, SMALL, SOFT, Size, document, draw_titles, drawn, titles,
    width_of, write,
};
use crate::picture::Heat;
use crate::table::margin;
use stats::interval::Interval;
use stats::shown::{figure, rough};

/// Height of a row, in pixels.
const ROW: u32 = 34;
/// Height of a row where there are more than fit well.
const LOW: u32 = 14;
/// Rows up to this number are high enough for text.
const MOST_HIGH: usize = 16;

/// Renders the map as an SVG document: blue for figures above 0, orange below, the darker the further
/// away. Where all figures have one sign, white is the least of them.
///
/// # Panics
/// Never: drawing into memory does not fail.
pub fn render(heat: &Heat, size: Size) -> Vec<u8> {
    let width = size.width();
    let widest = heat.rows.iter().map(|name| width_of(name, SMALL)).max().unwrap_or(0);
    let left = (MARGIN + widest.max(width_of(&heat.y, SMALL)) + 10).min(width / 2);
    let wide = f64::from(width - MARGIN - left) / heat.columns.len().max(1) as f64;
    let interval = |down: usize, across: usize| {
        let value = heat.cells[down][across]?;
        let (low, high) = (*heat.intervals.get(down)?.get(across)?)?;
        let told = margin::told(value, Interval { low, high }, [&rough, &rough]);
        Some(told.trim().trim_matches(['(', ')']).to_owned())
    };
    let cells =
        (0..heat.rows.len()).flat_map(|down| (0..heat.columns.len()).map(move |at| (down, at)));
    let mut intervals = cells.filter_map(|(down, across)| interval(down, across)).peekable();
    // All or none: a cell without one has none.
    let has_intervals = intervals.peek().is_some()
        && intervals.all(|told| f64::from(width_of(&told, SMALL)) + 4.0 < wide);
    let row = match heat.rows.len() {
        rows if rows > MOST_HIGH => LOW,
        _ if has_intervals => ROW + SMALL,
        _ => ROW,
    };
    let top = MARGIN + titles(&heat.subtitle, size) + 34;
    let height = top + row * heat.rows.len() as u32 + 34 + MARGIN;
    let scale = Scale::of(heat);
    let mut text = String::new();
    {
        let canvas = SVGBackend::with_string(&mut text, (width * FINE, height * FINE));
        let root = canvas.into_drawing_area();
        drawn(root.fill(&WHITE));
        draw_titles(&root, &heat.title, &heat.subtitle, size);
        let middle = |column: usize| left + ((column as f64 + 0.5) * wide) as u32;
        write(&root, &heat.y, (left - 8, top - 20), SMALL, INK, HPos::Right);
        // Names that would touch each other are left out, evenly.
        let named = heat.columns.iter().map(|name| width_of(name, SMALL)).max().unwrap_or(0) + 8;
        let every = (f64::from(named) / wide).ceil().max(1.0) as usize;
        for (at, name) in heat.columns.iter().enumerate().step_by(every) {
            write(&root, name, (middle(at), top - 20), SMALL, SOFT, HPos::Center);
        }
        let every = if row == LOW { 2 } else { 1 };
        for (at, name) in heat.rows.iter().enumerate().step_by(every) {
            let y = top + row * at as u32 + row / 2 - SMALL / 2;
            write(&root, name, (left - 8, y), SMALL, SOFT, HPos::Right);
        }
        for (down, cells) in heat.cells.iter().enumerate() {
            for (across, cell) in cells.iter().enumerate() {
                let Some(value) = *cell else { continue };
                let (share, colour) = scale.colour(value);
                let x = |at: usize| ((f64::from(left) + at as f64 * wide) * f64::from(FINE)) as i32;
                let y = |at: usize| ((top + row * at as u32) * FINE) as i32;
                let corners = [(x(across), y(down)), (x(across + 1), y(down + 1))];
                drawn(root.draw(&Rectangle::new(corners, colour.filled())));
                if row == LOW {
                    continue;
                }
                let ink = if share > 0.55 { WHITE } else { INK };
                let [from, middle] = [top + row * down as u32, middle(across)];
                let told = figure(value);
                if f64::from(width_of(&told, SMALL)) + 4.0 < wide {
                    tell(&root, &told, (middle, from + ROW / 2 - SMALL / 2), ink);
                }
                if let Some(margin) = interval(down, across).filter(|_| has_intervals) {
                    tell(&root, &margin, (middle, from + ROW - SMALL / 2), ink);
                }
            }
        }
        let below = top + row * heat.rows.len() as u32 + 10;
        write(&root, &heat.x, ((left + width - MARGIN) / 2, below), SMALL, INK, HPos::Center);
        drawn(root.present());
    }
    document(&text, &heat.title, height, size)
}

fn tell(area: &Area<'_>, text: &str, at: (u32, u32), ink: RGBColor) {
    write(area, text, at, SMALL, ink, HPos::Center);
}

/// The colours of the figures.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(heat: &Heat) -> Scale {
        let (low, high) = heat.ends();
        Scale { low, high }
    }

    /// Darkness of a figure, from 0 to 1, and its colour.
    fn colour(&self, value: f64) -> (f64, RGBColor) {
        let both = self.low < 0.0 && self.high > 0.0;
        let furthest = self.high.abs().max(self.low.abs());
        let share = match both {
            true => value.abs() / furthest,
            false => (value - self.low) / (self.high - self.low),
        };
        let share = if share.is_finite() { 0.08 + 0.92 * share } else { 0.5 };
        let RGBColor(r, g, b) = if value < 0.0 { COLOURS[1] } else { COLOURS[0] };
        let mixed = |part: u8| (255.0 - share * (255.0 - f64::from(part))).round() as u8;
        (share, RGBColor(mixed(r), mixed(g), mixed(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_has_a_cell_for_each_figure_and_is_darkest_at_the_extremes() {
        let heat = Heat {
            title: "gain <of> all".to_owned(),
            subtitle: "means".to_owned(),
            x: "load".to_owned(),
            y: "clusters".to_owned(),
            columns: ["0.5", "0.7", "0.9"].map(str::to_owned).to_vec(),
            rows: ["2", "4"].map(str::to_owned).to_vec(),
            cells: vec![vec![Some(-0.5), Some(0.25), None], vec![Some(1.0), Some(0.0), Some(0.5)]],
            intervals: vec![vec![Some((-0.7, -0.3)), None, None], vec![None; 3]],
            ends: None,
        };
        let svg = String::from_utf8(render(&heat, Size::Screen)).unwrap();
        // The ground is one more.
        assert_eq!(svg.matches("<rect").count(), 1 + 5);
        assert!(svg.contains("<title>gain &lt;of&gt; all</title>") && svg.contains("\n0.2500\n"));
        assert!(svg.contains("\n-0.5000\n") && svg.contains("\n± 0.20\n"), "{svg}");
        let scale = Scale::of(&heat);
        assert_eq!(scale.colour(1.0), (1.0, COLOURS[0]));
        assert!(scale.colour(-0.5).0 < scale.colour(1.0).0 && scale.colour(0.0).0 < 0.1);
        let RGBColor(r, _, b) = scale.colour(-0.5).1;
        assert!(r > b, "orange below 0");
    }
}
