//! `differences.svg`: how the judged figures of each run differ from those of the base.

use super::Contrast;
use crate::picture::rows::{Mark, Row, Rows, Shape};
use crate::picture::{Picture, Scale};
use findings::unit::ALL;
use stats::interval::{Interval, Level};

/// Most rows.
const MOST: usize = 40;

/// The subject of the picture.
pub(super) struct Subject<'a> {
    pub title: String,
    /// Names of the runs, the base first.
    pub names: &'a [String],
    /// The pairing of the runs, in words.
    pub how: &'a str,
    pub level: Level,
}

/// A row for each measure and unit, with a dot and its interval for each run but the base; `None` if no
/// figures can be compared as shares of the base.
pub(super) fn rows(subject: Subject<'_>, judged: &[&Contrast]) -> Option<Picture> {
    let Subject { title, names, how, level } = subject;
    let mut rows: Vec<Row> = Vec::new();
    let (mut low, mut high) = (0.0_f64, 0.0_f64);
    for one in judged {
        let Some(relative) = one.relative().filter(|share| share.is_finite()) else { continue };
        let tested = one.tested.and_then(|tested| tested.relative);
        let Interval { low: from, high: to } =
            tested.unwrap_or(Interval { low: relative, high: relative });
        // An end that is not told goes no further than the figure.
        let end = |end: f64| 100.0 * if end.is_finite() { end } else { relative };
        let (from, to, value) = (end(from), end(to), 100.0 * relative);
        (low, high) = (low.min(from).min(value), high.max(to).max(value));
        let unit = if one.unit == ALL { "all" } else { &*one.unit };
        let name = format!("{} of {unit}", one.measure.words());
        let mark = Mark {
            series: one.arm - 1,
            lane: one.arm - 1,
            lanes: 1,
            from,
            to,
            shape: Shape::Dot(value),
        };
        match rows.iter().position(|row| row.name == name) {
            Some(at) => rows[at].marks.push(mark),
            None if rows.len() < MOST => {
                rows.push(Row { name, lanes: names.len() - 1, marks: vec![mark] });
            }
            None => {}
        }
    }
    let room = 0.04 * (high - low).max(1e-9);
    let base = &names[0];
    (!rows.is_empty()).then(|| {
        Picture::Rows(Rows {
            title,
            subtitle: format!(
                "change from {base}{how}; lines: {level} confidence intervals of single differences"
            ),
            x: format!("change from {base} (%)"),
            scale: Scale::Linear(low - room, high + room),
            rows,
            series: names[1..].to_vec(),
        })
    })
}
