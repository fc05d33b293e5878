//! Texts of a picture: titles, labels and their widths, which are estimated, as no font is loaded.

use plotters::prelude::{Color as _, IntoFont, RGBColor, Text, TextStyle};
use plotters::style::FontFamily;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Area, FINE, INK, MARGIN, SMALL, SOFT, SUBTITLE, Size, TITLE, drawn};

/// Text escaped for XML.
pub(super) fn escaped(text: &str) -> String {
    plain(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Text on one line, with unprintable characters replaced by blanks.
pub(super) fn plain(text: &str) -> String {
    let shown = |char: char| !char.is_control() && !matches!(char, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|char| if shown(char) { char } else { ' ' }).collect()
}

pub(super) fn style(
    size: u32,
    colour: RGBColor,
    horizontal: HPos,
    vertical: VPos,
) -> TextStyle<'static> {
    let family = FontFamily::Name("Helvetica, Arial, sans-serif");
    // Font sizes of the library are 1.24 times those of the picture.
    let size = f64::from(size * FINE) * 1.24;
    let mut style = TextStyle::from((family, size).into_font());
    style.color = colour.to_backend_color();
    style.pos(Pos::new(horizontal, vertical))
}

pub(super) fn write(
    area: &Area<'_>,
    text: &str,
    at: (u32, u32),
    size: u32,
    colour: RGBColor,
    to: HPos,
) {
    // The baseline is given explicitly, see `render`: if it were offset by the height of the
    // letters, it would change with the script.
    let at = ((at.0 * FINE) as i32, (at.1 * FINE + size * FINE * 76 / 100) as i32);
    drawn(area.draw(&Text::new(plain(text), at, style(size, colour, to, VPos::Bottom))));
}

/// Estimated width of a text, in pixels.
pub(super) fn width_of(text: &str, size: u32) -> u32 {
    // East Asian characters are as wide as they are high.
    let width = |char: char| if char >= '\u{1100}' { 100 } else { 58 };
    text.chars().map(width).sum::<u32>() * size / 100
}

/// A text shrunk until it fits the picture, or cut with an ellipsis, and its font size.
pub(super) fn fitted(text: &str, wanted: u32, size: Size) -> (String, u32) {
    let room = size.width() - 2 * MARGIN;
    let sizes = (SMALLEST.min(wanted)..=wanted).rev();
    if let Some(size) = { sizes }.find(|&size| width_of(text, size) <= room) {
        return (text.to_owned(), size);
    }
    let mut short = text.to_owned();
    while width_of(&short, SMALLEST) + SMALLEST > room && short.pop().is_some() {}
    (short.trim_end().to_owned() + "…", SMALLEST)
}

/// Smallest font size, in pixels.
pub(super) const SMALLEST: u32 = 11;

pub(super) fn draw_titles(root: &Area<'_>, title: &str, subtitle: &str, size: Size) {
    if !size.has_titles() {
        return;
    }
    let (title, high) = fitted(title, 19, size);
    write(root, &title, (MARGIN, MARGIN), high, INK, HPos::Left);
    let (lines, high) = wrapped(subtitle, size);
    for (line, at) in lines.iter().zip(0..) {
        write(root, line, (MARGIN, MARGIN + TITLE + LINE * at), high, SOFT, HPos::Left);
    }
}

/// Height of a line of a subtitle that has several, in pixels.
pub(super) const LINE: u32 = 16;

/// Height of title and subtitle, in pixels.
pub(super) fn titles(subtitle: &str, size: Size) -> u32 {
    match size.has_titles() {
        true => TITLE + SUBTITLE + LINE * (wrapped(subtitle, size).0.len() as u32 - 1),
        false => 0,
    }
}

/// A subtitle in one line, shrunk if that is enough, else in several; and its font size.
pub(super) fn wrapped(text: &str, size: Size) -> (Vec<String>, u32) {
    let (line, high) = fitted(text, SMALL, size);
    if line == text {
        return (vec![line], high);
    }
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line)
                if width_of(line, SMALL) + width_of(word, SMALL) + 8
                    <= size.width() - 2 * MARGIN =>
            {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    (lines.iter().map(|line| fitted(line, SMALL, size).0).collect(), SMALL)
}
