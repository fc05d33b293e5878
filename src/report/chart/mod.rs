//! Pictures of lines over a common axis, as data: what is shown, not how it is drawn.
//!
//! A [`Chart`] has panels below each other, a panel lines with bands; [`svg`] draws it. Whoever
//! makes one knows nothing of the library that draws.

pub mod svg;
mod ticks;

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Over all of it.
    pub title: String,
    /// A line below the title: what lines and bands are.
    pub subtitle: String,
    /// What the horizontal axis of all panels counts, with its unit; only whole numbers are marked.
    pub x: String,
    /// From where to where it goes.
    pub range: (f64, f64),
    /// From top to bottom.
    pub panels: Vec<Panel>,
    /// The names of the series, in the order of their colours; each panel may show some.
    pub series: Vec<String>,
}

/// A panel: lines over one vertical axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What its axis measures, with its unit.
    pub y: String,
    /// How its axis goes.
    pub scale: Scale,
    /// Its lines, the last on top.
    pub lines: Vec<Line>,
}

/// How an axis goes from its lower end to its upper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// Evenly.
    Linear(f64, f64),
    /// By factors; both ends are positive.
    Log(f64, f64),
}

/// A line, with what belongs to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Whose it is: a number of [`Chart::series`].
    pub series: usize,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// Where most of what it is the mean of lies: at each place, from where to where.
    pub band: Vec<(f64, f64, f64)>,
    /// Thin lines in the same colour: what it is made of.
    pub parts: Vec<Vec<(f64, f64)>>,
}

/// The most points of all lines and bands: a picture of them has less than 200 kB.
const MOST_POINTS: usize = 13_000;

/// Leaves out points where there are very many, evenly, and never the last.
pub(super) fn thin(panels: &mut [Panel]) {
    let of_line = |line: &Line| {
        let parts: usize = line.parts.iter().map(Vec::len).sum();
        line.points.len() + 2 * line.band.len() + parts
    };
    let all: usize = panels.iter().flat_map(|panel| &panel.lines).map(of_line).sum();
    let step = all.div_ceil(MOST_POINTS);
    if step < 2 {
        return;
    }
    for line in panels.iter_mut().flat_map(|panel| &mut panel.lines) {
        every(step, &mut line.points);
        every(step, &mut line.band);
        line.parts.iter_mut().for_each(|part| every(step, part));
    }
}

fn every<T>(step: usize, points: &mut Vec<T>) {
    let last = points.len().saturating_sub(1);
    let mut at = 0;
    points.retain(|_| {
        at += 1;
        (at - 1) % step == 0 || at - 1 == last
    });
}
