//! A drawing as a page of PDF, with the letters that it has.

use std::collections::{BTreeMap, BTreeSet};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{
    CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo, UnicodeCmap,
};
use pdf_writer::{Content, Filter, Finish as _, Name, Pdf, Rect, Ref, Str, TextStr};
use std::io::Write as _;
use subsetter::GlyphRemapper;

use super::{Drawing, Font, Form};

/// Name of the font; the six letters say that it is a part of one.
const NAME: Name<'_> = Name(b"GRIDPA+NotoSans-Regular");
const IDENTITY: SystemInfo<'_> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Converts a document of [`svg`](crate::picture::svg) to PDF. Text stays text; the same picture gives the
/// same bytes.
///
/// # Panics
/// Never: the font is part of the program.
pub fn pdf(svg: &[u8]) -> Vec<u8> {
    let font = Font::new();
    let drawing = Drawing::read(svg, &font);
    let [catalog, tree, page, content, info] = [1, 2, 3, 4, 5].map(Ref::new);
    let [whole, cid, descriptor, file, letters] = [6, 7, 8, 9, 10].map(Ref::new);
    let per_point = (drawing.points / drawing.canvas[0]) as f32;
    let [width, height] = drawing.canvas.map(|length| length as f32 * per_point);
    let opacities: BTreeSet<u32> =
        drawing.shapes.iter().map(|shape| mille(shape.opacity)).collect();
    let mut glyphs = GlyphRemapper::new();
    let mut known: BTreeMap<u16, char> = BTreeMap::new();
    let mut marks = Content::new();
    marks.transform([per_point, 0.0, 0.0, -per_point, 0.0, height]);
    marks.set_line_join(LineJoinStyle::RoundJoin).set_line_cap(LineCapStyle::ButtCap);
    for shape in &drawing.shapes {
        let [r, g, b] = shape.colour.map(|part| f32::from(part) / 255.0);
        marks.set_parameters(Name(format!("O{}", mille(shape.opacity)).as_bytes()));
        match shape.stroke {
            Some(wide) => marks.set_stroke_rgb(r, g, b).set_line_width(wide as f32),
            None => marks.set_fill_rgb(r, g, b),
        };
        match &shape.form {
            Form::Line(points) => {
                for (at, &[x, y]) in points.iter().enumerate() {
                    let (x, y) = (x as f32, y as f32);
                    if at == 0 {
                        marks.move_to(x, y)
                    } else {
                        marks.line_to(x, y)
                    };
                }
            }
            &Form::Circle([x, y], radius) => {
                circle(&mut marks, [x as f32, y as f32], radius as f32)
            }
            Form::Text { at: [x, y], size, is_upward, text } => {
                let mut codes = Vec::new();
                for letter in text.chars() {
                    let glyph = glyphs.remap(font.glyph(letter).0);
                    known.entry(glyph).or_insert(letter);
                    codes.extend(glyph.to_be_bytes());
                }
                let (x, y) = (*x as f32, *y as f32);
                let turned = [[1.0, 0.0, 0.0, -1.0, x, y], [0.0, -1.0, -1.0, 0.0, x, y]];
                marks.begin_text().set_font(Name(b"F"), *size as f32);
                marks.set_text_matrix(turned[usize::from(*is_upward)]).show(Str(&codes)).end_text();
                continue;
            }
        }
        if shape.stroke.is_some() {
            marks.stroke()
        } else {
            marks.fill_nonzero()
        };
    }

    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(tree);
    pdf.document_info(info).title(TextStr(&drawing.title)).creator(TextStr("gridpact"));
    pdf.pages(tree).kids([page]).count(1);
    let mut leaf = pdf.page(page);
    leaf.media_box(Rect::new(0.0, 0.0, width, height)).parent(tree).contents(content);
    let mut resources = leaf.resources();
    resources.fonts().pair(Name(b"F"), whole);
    let mut states = resources.ext_g_states();
    for opacity in opacities {
        let mut state = states
            .insert(Name(format!("O{opacity}").as_bytes()))
            .start::<pdf_writer::writers::ExtGraphicsState<'_>>();
        let share = opacity as f32 / 1000.0;
        state.non_stroking_alpha(share).stroking_alpha(share);
    }
    states.finish();
    resources.finish();
    leaf.finish();
    pdf.stream(content, &packed(&marks.finish())).filter(Filter::FlateDecode);

    let mut cmap = UnicodeCmap::new(Name(b"Letters"), IDENTITY);
    known.iter().for_each(|(&glyph, &letter)| cmap.pair(glyph, letter));
    pdf.stream(letters, &packed(&cmap.finish())).filter(Filter::FlateDecode);
    pdf.type0_font(whole)
        .base_font(NAME)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(cid)
        .to_unicode(letters);
    let mut of_cid = pdf.cid_font(cid);
    of_cid
        .subtype(CidFontType::Type2)
        .base_font(NAME)
        .system_info(IDENTITY)
        .font_descriptor(descriptor)
        .cid_to_gid_map_predefined(Name(b"Identity"));
    let advances = glyphs
        .remapped_gids()
        .map(|glyph| 1000.0 * font.advance(ttf_parser::GlyphId(glyph)) as f32);
    of_cid.widths().consecutive(0, advances);
    of_cid.finish();
    let face = &font.face;
    let mille = |units: i16| f32::from(units) * 1000.0 / f32::from(face.units_per_em());
    let ends = face.global_bounding_box();
    pdf.font_descriptor(descriptor)
        .name(NAME)
        .flags(FontFlags::NON_SYMBOLIC)
        .bbox(Rect::new(mille(ends.x_min), mille(ends.y_min), mille(ends.x_max), mille(ends.y_max)))
        .italic_angle(0.0)
        .ascent(mille(face.ascender()))
        .descent(mille(face.descender()))
        .cap_height(mille(face.capital_height().unwrap_or(0)))
        .stem_v(80.0)
        .font_file2(file);
    let part = subsetter::subset(notosans::REGULAR_TTF, 0, &glyphs).expect("the font is whole");
    pdf.stream(file, &packed(&part))
        .filter(Filter::FlateDecode)
        .pair(Name(b"Length1"), part.len() as i32);
    pdf.finish()
}

/// A circle of four curves.
fn circle(marks: &mut Content, [x, y]: [f32; 2], radius: f32) {
    let bend = 0.552_285 * radius;
    marks.move_to(x + radius, y);
    for (from, to) in [
        ([1.0, 0.0], [0.0, 1.0]),
        ([0.0, 1.0], [-1.0, 0.0]),
        ([-1.0, 0.0], [0.0, -1.0]),
        ([0.0, -1.0], [1.0, 0.0]),
    ] {
        let at = |end: [f32; 2], along: [f32; 2]| {
            let of = |at: usize| [x, y][at] + radius * end[at] + bend * along[at];
            [of(0), of(1)]
        };
        let ([x1, y1], [x2, y2]) = (at(from, to), at(to, from));
        marks.cubic_to(x1, y1, x2, y2, x + radius * to[0], y + radius * to[1]);
    }
}

/// A share in thousandths.
fn mille(share: f64) -> u32 {
    (1000.0 * share).round() as u32
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::default());
    out.write_all(bytes).and_then(|()| out.finish()).expect("memory takes it")
}
