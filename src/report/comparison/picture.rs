//! `differences.svg`: how the judged figures of each run differ from those of the base; and charts of
//! several runs as one.

use super::Contrast;
use crate::picture::rows::{self, Dot, Labels};
use crate::picture::svg::MOST_SERIES;
use crate::picture::together::overlaid;
use crate::picture::{Chart, Picture};
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
pub(super) fn differences(subject: Subject<'_>, judged: &[&Contrast]) -> Option<Picture> {
    let Subject { title, names, how, level } = subject;
    let mut rows: Vec<(String, Vec<Dot>)> = Vec::new();
    for one in judged {
        let Some(relative) = one.relative().filter(|share| share.is_finite()) else { continue };
        let interval = one.tested.and_then(|tested| tested.relative);
        let percent = |Interval { low, high }| Interval { low: 100.0 * low, high: 100.0 * high };
        let dot = (one.arm - 1, 100.0 * relative, interval.map(percent));
        let unit = if one.unit == ALL { "all" } else { &*one.unit };
        let name = format!("{} of {unit}", one.measure.words());
        match rows.iter().position(|row| row.0 == name) {
            Some(at) => rows[at].1.push(dot),
            None if rows.len() < MOST => rows.push((name, vec![dot])),
            None => {}
        }
    }
    let base = &names[0];
    let labels = Labels {
        title,
        subtitle: format!(
            "change from {base}{how}; lines: {level} confidence intervals of single differences"
        ),
        x: format!("change from {base} (%)"),
        series: names[1..].to_vec(),
    };
    (!rows.is_empty()).then(|| Picture::Rows(rows::dots(labels, rows)))
}

/// The charts of several runs as one, with the first series of each under its name; `None` unless all of
/// them have the same panels, and there are few.
pub(super) fn beside(
    title: String,
    names: &[String],
    charts: Option<Vec<&Chart>>,
) -> Option<Chart> {
    let charts = charts.filter(|charts| charts.len() <= MOST_SERIES)?;
    let first = *charts.first()?;
    let of_first = |chart: &Chart| {
        let mut chart = chart.clone();
        chart.series.truncate(1);
        chart.panels.iter_mut().for_each(|panel| panel.lines.retain(|line| line.series == 0));
        chart
    };
    let runs: Vec<(String, Chart)> =
        names.iter().cloned().zip(charts.iter().map(|chart| of_first(chart))).collect();
    let subtitle = format!(
        "{} of each run; {}",
        first.series.first()?,
        first.subtitle.split(';').next().unwrap_or_default()
    );
    Some(Chart { title, subtitle, ..overlaid(&runs)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Line, Panel, Scale};

    #[test]
    fn runs_beside_each_other_have_the_first_series_of_each_on_one_scale() {
        let chart = |high: f64, y: &str| Chart {
            title: "one".to_owned(),
            subtitle: "means; thin lines: all".to_owned(),
            x: "time".to_owned(),
            range: Scale::Linear(0.0, high),
            dates: Vec::new(),
            panels: vec![Panel {
                y: y.to_owned(),
                scale: Scale::Linear(0.0, high / 2.0),
                lines: [0, 1]
                    .map(|series| Line { series, points: vec![(0.0, high)], ..Line::default() })
                    .to_vec(),
            }],
            series: vec!["whole grid".to_owned(), "own".to_owned()],
        };
        let names = ["fcfs", "easy"].map(str::to_owned);
        let both = [chart(4.0, "queue"), chart(8.0, "queue")];
        let beside = beside("both".to_owned(), &names, Some(both.iter().collect())).unwrap();
        assert_eq!(
            (beside.range, beside.panels[0].scale),
            (Scale::Linear(0.0, 8.0), Scale::Linear(0.0, 4.0))
        );
        assert_eq!(beside.subtitle, "whole grid of each run; means");
        let lines: Vec<(usize, f64)> =
            beside.panels[0].lines.iter().map(|line| (line.series, line.points[0].1)).collect();
        assert_eq!(lines, [(0, 4.0), (1, 8.0)]);
        let other = [chart(4.0, "queue"), chart(8.0, "members")];
        assert_eq!(super::beside(String::new(), &names, Some(other.iter().collect())), None);
    }
}
