//! Pictures as PDF and PNG, from the SVG that this crate writes.
//!
//! `Drawing` reads the few elements that `plotters` writes, one a line. Text is set in Noto Sans, under
//! the SIL Open Font License 1.1; its letters are Latin, Greek and Cyrillic.

mod pdf;
mod png;

pub use pdf::pdf;
pub use png::png;

use ttf_parser::{Face, GlyphId};

/// A drawing: shapes on a canvas.
#[derive(Debug, PartialEq)]
struct Drawing {
    title: String,
    /// Width and height of the canvas, in its units.
    canvas: [f64; 2],
    /// Width on paper, in points; of a pixel of a screen there are 0.75.
    points: f64,
    shapes: Vec<Shape>,
}

/// A shape with its paint.
#[derive(Debug, PartialEq)]
struct Shape {
    form: Form,
    /// Red, green and blue from 0 to 255.
    colour: [u8; 3],
    opacity: f64,
    /// Width of the stroke; a shape without one is filled.
    stroke: Option<f64>,
}

#[derive(Debug, PartialEq)]
enum Form {
    /// Points of a line, or of a polygon.
    Line(Vec<[f64; 2]>),
    /// Centre and radius.
    Circle([f64; 2], f64),
    /// A text that begins at the foot of its first letter.
    Text { at: [f64; 2], size: f64, is_upward: bool, text: String },
}

/// An attribute of an element.
fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    Some(rest.split_once('"')?.0)
}

/// An attribute that is a number.
fn number(line: &str, name: &str) -> Option<f64> {
    attribute(line, name)?.trim_end_matches("mm").parse().ok()
}

/// A text as it was before it was escaped.
fn unescaped(text: &str) -> String {
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    signs.iter().fold(text.to_owned(), |text, (code, sign)| text.replace(code, sign))
}

impl Drawing {
    /// Reads a document of [`svg`](super::svg).
    fn read(svg: &[u8], font: &Font) -> Drawing {
        let text = String::from_utf8_lossy(svg);
        let mut lines = text.lines();
        let head = lines.next().unwrap_or_default();
        let ends = attribute(head, "viewBox").unwrap_or_default().split(' ').skip(2);
        let ends: Vec<f64> = ends.filter_map(|end| end.parse().ok()).collect();
        let width = number(head, "width").unwrap_or(1.0);
        let is_paper = attribute(head, "width").is_some_and(|width| width.ends_with("mm"));
        let mut drawing = Drawing {
            title: String::new(),
            canvas: [0, 1].map(|at| ends.get(at).copied().unwrap_or(1.0)),
            points: width * if is_paper { 72.0 / 25.4 } else { 0.75 },
            shapes: Vec::new(),
        };
        let mut origin = [0.0; 2];
        while let Some(line) = lines.next() {
            if let Some(title) = line.strip_prefix("<title>") {
                drawing.title = unescaped(title.trim_end_matches("</title>"));
            } else if line.starts_with("<g ") {
                let place = attribute(line, "transform").unwrap_or_default();
                let place = place.trim_start_matches("translate(").trim_end_matches(')');
                let mut place = place.split(' ').filter_map(|one| one.parse().ok());
                origin = [0, 1].map(|_| place.next().unwrap_or(0.0));
            } else if line == "</g>" {
                origin = [0.0; 2];
            } else if let Some(form) = form(line, &mut lines, origin, font) {
                drawing.shapes.extend(painted(line, form));
            }
        }
        drawing
    }
}

/// The form of an element; a text stands on the next line.
fn form<'a>(
    line: &str,
    lines: &mut impl Iterator<Item = &'a str>,
    origin: [f64; 2],
    font: &Font,
) -> Option<Form> {
    let of = |name: &str| number(line, name);
    let placed = |x: f64, y: f64| [origin[0] + x, origin[1] + y];
    Some(match line.split(' ').next()? {
        "<rect" => {
            let [x, y, width, height] = [of("x")?, of("y")?, of("width")?, of("height")?];
            let corner = |across: f64, down: f64| placed(x + across, y + down);
            let corners = [[0.0, 0.0], [width, 0.0], [width, height], [0.0, height], [0.0, 0.0]];
            Form::Line(corners.map(|[across, down]| corner(across, down)).to_vec())
        }
        "<line" => Form::Line(vec![placed(of("x1")?, of("y1")?), placed(of("x2")?, of("y2")?)]),
        "<polyline" | "<polygon" => {
            let point = |pair: &str| {
                let (x, y) = pair.split_once(',')?;
                Some(placed(x.parse().ok()?, y.parse().ok()?))
            };
            Form::Line(attribute(line, "points")?.split(' ').filter_map(point).collect())
        }
        "<circle" => Form::Circle(placed(of("cx")?, of("cy")?), of("r")?),
        "<text" => {
            let text = unescaped(lines.next()?);
            let size = of("font-size")?;
            // Shares of the font's height, as browsers take them.
            let down = match attribute(line, "dy") {
                Some("0.76em") => 0.76 * size,
                Some("0.5ex") => 0.27 * size,
                _ => 0.0,
            };
            let before = match attribute(line, "text-anchor") {
                Some("middle") => 0.5 * font.width(&text, size),
                Some("end") => font.width(&text, size),
                _ => 0.0,
            };
            let is_upward =
                attribute(line, "transform").is_some_and(|one| one.starts_with("rotate(270"));
            let [x, y] = [of("x")?, of("y")?];
            let at =
                if is_upward { placed(x + down, y + before) } else { placed(x - before, y + down) };
            Form::Text { at, size, is_upward, text }
        }
        _ => return None,
    })
}

/// A form with its paint; `None` if it has none.
fn painted(line: &str, form: Form) -> Option<Shape> {
    let colour = |name: &str| {
        let code = attribute(line, name)?.strip_prefix('#')?;
        let part = |at: usize| u8::from_str_radix(code.get(at..at + 2)?, 16).ok();
        Some([part(0)?, part(2)?, part(4)?])
    };
    let (colour, stroke) = match colour("fill") {
        Some(colour) => (colour, None),
        None => (colour("stroke")?, Some(number(line, "stroke-width").unwrap_or(1.0))),
    };
    Some(Shape { form, colour, opacity: number(line, "opacity").unwrap_or(1.0), stroke })
}

/// The letters of a document that the font of PDF and PNG lacks, each once: they are drawn as boxes.
pub fn lacking(svg: &[u8]) -> String {
    let font = Font::new();
    let mut letters = String::new();
    for shape in Drawing::read(svg, &font).shapes {
        let Form::Text { text, .. } = shape.form else { continue };
        let new = |letter: &char| font.face.glyph_index(*letter).is_none();
        for letter in text.chars().filter(new) {
            if !letters.contains(letter) {
                letters.push(letter);
            }
        }
    }
    letters
}

/// The font of all texts.
struct Font {
    face: Face<'static>,
}

impl Font {
    fn new() -> Font {
        Font { face: Face::parse(notosans::REGULAR_TTF, 0).expect("the font is whole") }
    }

    /// The glyph of a letter: a box, if the font has none.
    fn glyph(&self, letter: char) -> GlyphId {
        self.face.glyph_index(letter).unwrap_or(GlyphId(0))
    }

    /// Advance of a glyph, as a share of the font's size.
    fn advance(&self, glyph: GlyphId) -> f64 {
        let units = f64::from(self.face.units_per_em());
        f64::from(self.face.glyph_hor_advance(glyph).unwrap_or(0)) / units
    }

    fn width(&self, text: &str, size: f64) -> f64 {
        text.chars().map(|letter| size * self.advance(self.glyph(letter))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::svg::Size;
    use crate::picture::{Chart, Line, Panel, Picture, Scale};

    fn chart() -> Vec<u8> {
        let line = Line { points: vec![(0.0, 0.0), (1.0, 1.0)], ..Line::default() };
        let panel =
            Panel { y: "a < b".to_owned(), scale: Scale::Linear(0.0, 1.0), lines: vec![line] };
        let chart = Chart {
            title: "title".to_owned(),
            subtitle: "caption".to_owned(),
            x: "time (hours)".to_owned(),
            range: Scale::Linear(0.0, 1.0),
            dates: Vec::new(),
            panels: vec![panel],
            series: vec!["δ-one".to_owned()],
        };
        Picture::Chart(chart).svg(Size::Column)
    }

    /// Every element but those that open and close becomes a shape.
    #[test]
    fn all_that_is_drawn_is_read() {
        let svg = chart();
        let drawing = Drawing::read(&svg, &Font::new());
        let text = String::from_utf8(svg).unwrap();
        let names = ["<rect", "<line", "<polyline", "<polygon", "<circle", "<text"];
        let elements: usize =
            names.iter().map(|name| text.matches(&format!("{name} ")).count()).sum();
        assert_eq!(drawing.shapes.len(), elements);
        assert!((drawing.points - 85.0 / 25.4 * 72.0).abs() < 1e-9, "{}", drawing.points);
        let has = |wanted: &str| {
            drawing
                .shapes
                .iter()
                .any(|shape| matches!(&shape.form, Form::Text { text, .. } if text == wanted))
        };
        assert!(has("a < b") && has("time (hours)") && has("δ-one"));
        assert_eq!(lacking(text.as_bytes()), "");
        assert_eq!(lacking(text.replace("δ-one", "東京 東").as_bytes()), "東京");
        let upward = |shape: &Shape| matches!(shape.form, Form::Text { is_upward: true, .. });
        assert_eq!(drawing.shapes.iter().filter(|shape| upward(shape)).count(), 1);
    }

    #[test]
    fn the_same_picture_gives_the_same_bytes_without_a_date() {
        let svg = chart();
        let [one, other] = [pdf(&svg), pdf(&svg)];
        assert_eq!(one, other);
        assert!(one.starts_with(b"%PDF-1.7"));
        let holds = |word: &[u8]| one.windows(word.len()).any(|part| part == word);
        assert!(holds(b"/FontFile2") && holds(b"/ToUnicode") && !holds(b"Date"));
        let [one, other] = [png(&svg), png(&svg)];
        assert_eq!(one, other);
        // 85 mm at 300 dots per inch.
        assert_eq!(u32::from_be_bytes(one[16..20].try_into().unwrap()), 1004);
    }
}
