//! A drawing as pixels.

use tiny_skia::{
    Color, FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Shader, Stroke, Transform,
};
use ttf_parser::OutlineBuilder;

use super::{Drawing, Font, Form};

/// Dots per inch: 300 on paper, two for each pixel of a screen.
const DOTS: f64 = 300.0;
const SCREEN: f64 = 192.0;

/// Most pixels; larger pictures are drawn coarser.
const MOST: f64 = 64e6;

/// Converts a document of [`svg`](crate::picture::svg) to PNG. The same picture gives the same bytes.
///
/// # Panics
/// Never: the font is part of the program.
pub fn png(svg: &[u8]) -> Vec<u8> {
    let font = Font::new();
    let drawing = Drawing::read(svg, &font);
    let dots = if svg.windows(3).take(200).any(|part| part == b"mm\"") { DOTS } else { SCREEN };
    let wanted = drawing.points / 72.0 * dots / drawing.canvas[0];
    let area = drawing.canvas[0] * drawing.canvas[1];
    let scale = wanted.min((MOST / area).sqrt());
    let [width, height] = drawing.canvas.map(|length| ((length * scale).round() as u32).max(1));
    let mut pixels = Pixmap::new(width, height).expect("a picture has few pixels");
    pixels.fill(Color::WHITE);
    let scale = Transform::from_scale(scale as f32, scale as f32);
    for shape in &drawing.shapes {
        let [r, g, b] = shape.colour;
        let opacity = (255.0 * shape.opacity).round() as u8;
        let paint = Paint {
            shader: Shader::SolidColor(Color::from_rgba8(r, g, b, opacity)),
            ..Paint::default()
        };
        let Some(path) = path(&shape.form, &font) else { continue };
        match shape.stroke {
            Some(wide) => {
                let stroke =
                    Stroke { width: wide as f32, line_join: LineJoin::Round, ..Stroke::default() };
                pixels.stroke_path(&path, &paint, &stroke, scale, None);
            }
            None => pixels.fill_path(&path, &paint, FillRule::Winding, scale, None),
        }
    }
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let per_metre = (f64::from(width) / (drawing.points / 72.0 * 0.0254)).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    // The ground is opaque, so no pixel has any transparency left.
    let colours: Vec<u8> =
        pixels.data().chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&colours))
        .expect("memory takes a picture");
    out
}

fn path(form: &Form, font: &Font) -> Option<Path> {
    let mut path = PathBuilder::new();
    match form {
        Form::Line(points) => {
            for (at, &[x, y]) in points.iter().enumerate() {
                let (x, y) = (x as f32, y as f32);
                if at == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
            }
        }
        &Form::Circle([x, y], radius) => path.push_circle(x as f32, y as f32, radius as f32),
        Form::Text { at, size, is_upward, text } => {
            let unit = (size / f64::from(font.face.units_per_em())) as f32;
            let mut pen = Pen { path, unit, at: at.map(|one| one as f32), is_upward: *is_upward };
            for letter in text.chars() {
                let glyph = font.glyph(letter);
                font.face.outline_glyph(glyph, &mut pen);
                let along = (size * font.advance(glyph)) as f32;
                let [x, y] = &mut pen.at;
                if *is_upward { *y -= along } else { *x += along }
            }
            path = pen.path;
        }
    }
    path.finish()
}

/// Draws the outlines of letters.
struct Pen {
    path: PathBuilder,
    /// Length of a unit of the font.
    unit: f32,
    at: [f32; 2],
    is_upward: bool,
}

impl Pen {
    fn placed(&self, x: f32, y: f32) -> (f32, f32) {
        let [across, up] = [x * self.unit, y * self.unit];
        match self.is_upward {
            true => (self.at[0] - up, self.at[1] - across),
            false => (self.at[0] + across, self.at[1] - up),
        }
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.placed(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.placed(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.placed(x1, y1), self.placed(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2)) = (self.placed(x1, y1), self.placed(x2, y2));
        let (x, y) = self.placed(x, y);
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
