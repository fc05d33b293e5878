//! One figure of several runs: on one axis while lines are few, else as small multiples.

use super::cells::{Cells, cells, wider};
use super::clock::Clock;
use super::plane::Plane;
use super::rows::{Mark, Row, Rows, Shape};
use super::svg::{self, Size};
use super::{Chart, Line, Panel, Picture, Scale, Texts, rescale, thin};

/// Most lines of a panel; more become small multiples.
pub const MOST_LINES: usize = 6;

/// A picture, or several as small multiples.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// A picture.
    One(Picture),
    /// Small multiples.
    Cells(Cells),
}

/// The pictures of runs as one figure.
///
/// # Errors
/// In words, if they have no common axes.
pub fn together(title: &str, mut runs: Vec<(String, Picture)>) -> Result<Figure, String> {
    if let [(_, picture)] = &runs[..] {
        return Ok(alone(picture));
    }
    align(&mut runs)?;
    let (title, subtitle) = (title.to_owned(), captions(&runs));
    let mut one = merged(&runs);
    if let Some(one) = &mut one {
        let Texts { titles: [of, caption], .. } = one.texts();
        (*of, *caption) = (title.clone(), subtitle.clone());
    }
    Ok(one.map_or_else(|| Figure::Cells(cells(title, subtitle, runs)), Figure::One))
}

/// The picture of one run; a chart of too many lines becomes a cell for each.
fn alone(picture: &Picture) -> Figure {
    let Picture::Chart(chart) = picture else { return Figure::One(picture.clone()) };
    if chart.series.len() <= MOST_LINES {
        return Figure::One(picture.clone());
    }
    let of = |(series, name): (usize, &String)| {
        let panel = |panel: &Panel| {
            let lines = panel
                .lines
                .iter()
                .filter(|line| line.series == series || line.series == svg::REFERENCE);
            Panel { lines: lines.cloned().collect(), ..panel.clone() }
        };
        let panels = chart.panels.iter().map(panel).collect();
        let chart = Chart { panels, series: chart.series.clone(), ..chart.clone() };
        (name.clone(), Picture::Chart(chart))
    };
    let all = chart.series.iter().enumerate().map(of).collect();
    let mut all = cells(chart.title.clone(), chart.subtitle.clone(), all);
    all.series.clear();
    Figure::Cells(all)
}

/// Gives the runs' pictures one unit of time.
///
/// # Errors
/// In words, if they are not of one kind with the same axes.
fn align(runs: &mut [(String, Picture)]) -> Result<(), String> {
    let axes = |picture: &Picture| -> Vec<String> {
        match picture {
            Picture::Chart(one) => one.panels.iter().map(|panel| panel.y.clone()).collect(),
            Picture::Rows(one) => vec![base(&one.x).to_owned()],
            Picture::Heat(one) => vec![one.x.clone(), one.y.clone()],
            // Planes have the same ends, whatever their labels.
            Picture::Plane(_) => Vec::new(),
        }
    };
    let apart = |[name, other]: [&str; 2], [one, another]: [&str; 2]| {
        format!(
            "`{name}` shows {one}, `{other}` shows {another}: they have no common axis\n\
             help: plot each by itself"
        )
    };
    let first = &runs[0];
    let kind = |picture: &Picture| std::mem::discriminant(picture);
    for (name, other) in &runs[1..] {
        let [one, another] = [axes(&first.1), axes(other)];
        if kind(&first.1) != kind(other) || one != another {
            return Err(apart([&first.0, name], [&one.join(", "), &another.join(", ")]));
        }
    }
    if let Picture::Plane(_) | Picture::Heat(_) = runs[0].1 {
        return Ok(());
    }
    let labels: Vec<String> = runs.iter_mut().map(|run| run.1.texts().x.clone()).collect();
    if labels.iter().all(|label| *label == labels[0]) {
        return Ok(());
    }
    // Where axes count in different units of time, the longest is taken.
    let unit = |label: &String| Clock::named(label.split_once(" (")?.1.strip_suffix(')')?);
    let clocks: Vec<Option<Clock>> = labels.iter().map(unit).collect();
    let length = |clock: &Clock| 1.0 / clock.amount(1.0);
    let longest =
        clocks.iter().flatten().max_by(|one, other| length(one).total_cmp(&length(other)));
    let first = (runs[0].0.clone(), base(&labels[0]));
    let stem = labels[0].split(';').next().unwrap_or_default();
    for (((name, picture), label), clock) in runs.iter_mut().zip(&labels).zip(&clocks) {
        match (clock, longest) {
            (Some(clock), Some(longest)) if base(label) == first.1 => {
                stretch(picture, length(clock) / length(longest));
                *picture.texts().x = format!("{} ({})", first.1, longest.name());
            }
            // Points average different numbers of rounds.
            _ if label.split(';').next() == Some(stem) => {
                let Texts { titles: [_, caption], x, .. } = picture.texts();
                if let Some((_, told)) = label.split_once("; ") {
                    caption.push_str(&format!("; {told}"));
                }
                stem.clone_into(x);
            }
            _ => return Err(apart([&first.0, name], [&labels[0], label])),
        }
    }
    Ok(())
}

/// Multiplies what lies along the x-axis by a factor.
fn stretch(picture: &mut Picture, factor: f64) {
    let scaled = |scale: Scale| match scale {
        Scale::Linear(low, high) => Scale::Linear(low * factor, high * factor),
        Scale::Log(low, high) => Scale::Log(low * factor, high * factor),
    };
    match picture {
        Picture::Chart(chart) => {
            chart.range = scaled(chart.range);
            chart.dates.iter_mut().for_each(|date| date.0 *= factor);
            rescale(&mut chart.panels, |x| x * factor);
        }
        Picture::Rows(rows) => {
            rows.scale = scaled(rows.scale);
            for mark in rows.rows.iter_mut().flat_map(|row| &mut row.marks) {
                (mark.from, mark.to) = (mark.from * factor, mark.to * factor);
                if let Shape::Dot(at) = &mut mark.shape {
                    *at *= factor;
                }
            }
        }
        Picture::Heat(_) | Picture::Plane(_) => {}
    }
}

/// A label without its unit.
fn base(label: &str) -> &str {
    label.split(" (").next().unwrap_or(label)
}

/// The captions of all as one: the parts that all have, then others with the names of their runs.
fn captions(runs: &[(String, Picture)]) -> String {
    let mut told: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, picture) in runs {
        // Lines of single replications are left out beside each other.
        let parts = picture.titles().1.split("; ").filter(|part| !part.starts_with("thin"));
        for part in parts {
            match told.iter_mut().find(|one| one.0 == part) {
                Some(one) => one.1.push(name),
                None => told.push((part, vec![name])),
            }
        }
    }
    let part = |(part, names): &(&str, Vec<&str>)| match names.len() == runs.len() {
        true => (*part).to_owned(),
        false => format!("{}: {part}", names.join(", ")),
    };
    told.sort_by_key(|one| one.1.len() < runs.len());
    told.iter().map(part).collect::<Vec<_>>().join("; ")
}

/// All on one axis, if their lines are few.
fn merged(runs: &[(String, Picture)]) -> Option<Picture> {
    match &runs[0].1 {
        Picture::Chart(_) => {
            let charts: Vec<(String, Chart)> = of_kind(runs, |one| match one {
                Picture::Chart(chart) => Some(chart),
                _ => None,
            })?;
            let lines: usize = charts.iter().map(|(_, chart)| chart.series.len().max(1)).sum();
            (lines <= MOST_LINES).then(|| overlaid(&charts)).flatten().map(Picture::Chart)
        }
        Picture::Rows(_) => dots(&of_kind(runs, |one| match one {
            Picture::Rows(rows) => Some(rows),
            _ => None,
        })?)
        .map(Picture::Rows),
        Picture::Plane(_) => ways(&of_kind(runs, |one| match one {
            Picture::Plane(plane) => Some(plane),
            _ => None,
        })?)
        .map(Picture::Plane),
        Picture::Heat(_) => None,
    }
}

/// The pictures of a kind, if all are of it.
fn of_kind<T: Clone>(
    runs: &[(String, Picture)],
    of: impl Fn(&Picture) -> Option<&T>,
) -> Option<Vec<(String, T)>> {
    runs.iter().map(|(name, picture)| Some((name.clone(), of(picture)?.clone()))).collect()
}

/// The name of a run's series: the run, if it has no other.
fn named(run: &str, series: &str, is_only: bool) -> String {
    if is_only { run.to_owned() } else { format!("{run}: {series}") }
}

/// The charts of runs on one axis, with the series of each under its name; `None` unless all have the
/// same axes and dates.
pub(crate) fn overlaid(runs: &[(String, Chart)]) -> Option<Chart> {
    let first = &runs.first()?.1;
    let longest = &runs.iter().max_by_key(|(_, chart)| chart.dates.len())?.1.dates;
    let is_alike = |chart: &Chart| {
        let axes = |chart: &Chart| chart.panels.iter().map(|panel| panel.y.clone()).collect();
        let (one, other): (Vec<String>, Vec<String>) = (axes(chart), axes(first));
        let is_dated = chart.dates.is_empty() == longest.is_empty();
        chart.x == first.x && one == other && is_dated && longest.starts_with(&chart.dates)
    };
    if !runs.iter().all(|(_, chart)| is_alike(chart)) {
        return None;
    }
    let is_only = runs.iter().all(|(_, chart)| chart.series.len() < 2);
    let before =
        |at: usize| runs[..at].iter().map(|(_, chart)| chart.series.len().max(1)).sum::<usize>();
    let panel = |at: usize| {
        let of = |(run, (_, chart)): (usize, &(String, Chart))| {
            let lines = chart.panels[at].lines.iter();
            let lines = lines.filter(|line| line.series != svg::REFERENCE || run == 0);
            let line = |line: &Line| Line {
                series: match line.series {
                    svg::REFERENCE => svg::REFERENCE,
                    series => before(run) + series,
                },
                parts: Vec::new(),
                ..line.clone()
            };
            lines.map(line).collect::<Vec<_>>()
        };
        Panel {
            y: first.panels[at].y.clone(),
            scale: wider(runs.iter().map(|(_, chart)| chart.panels[at].scale)),
            lines: runs.iter().enumerate().flat_map(of).collect(),
        }
    };
    let mut panels: Vec<Panel> = (0..first.panels.len()).map(panel).collect();
    thin(&mut panels);
    let series = |(run, chart): &(String, Chart)| match &chart.series[..] {
        [] => vec![run.clone()],
        series => series.iter().map(|one| named(run, one, is_only)).collect(),
    };
    Some(Chart {
        range: wider(runs.iter().map(|(_, chart)| chart.range)),
        dates: longest.clone(),
        panels,
        series: runs.iter().flat_map(series).collect(),
        ..first.clone()
    })
}

/// Dots of the same names with a lane for each run; `None` for Gantt charts and too many runs.
fn dots(runs: &[(String, Rows)]) -> Option<Rows> {
    let is_plain = |rows: &Rows| {
        let mut marks = rows.rows.iter().flat_map(|row| &row.marks);
        rows.series.is_empty() && marks.all(|mark| matches!(mark.shape, Shape::Dot(_)))
    };
    if runs.len() > MOST_LINES || !runs.iter().all(|(_, rows)| is_plain(rows)) {
        return None;
    }
    let mut all: Vec<Row> = Vec::new();
    for (lane, (_, rows)) in runs.iter().enumerate() {
        for row in &rows.rows {
            let at = all.iter().position(|one| one.name == row.name).unwrap_or(all.len());
            if at == all.len() {
                all.push(Row { name: row.name.clone(), lanes: runs.len(), marks: Vec::new() });
            }
            let marks = row.marks.iter().map(|mark| Mark { series: lane, lane, ..mark.clone() });
            all[at].marks.extend(marks);
        }
    }
    Some(Rows {
        rows: all,
        scale: wider(runs.iter().map(|(_, rows)| rows.scale)),
        series: runs.iter().map(|(name, _)| name.clone()).collect(),
        ..runs[0].1.clone()
    })
}

/// The ways of runs in one field; `None` if their fields differ or ways are too many.
fn ways(runs: &[(String, Plane)]) -> Option<Plane> {
    let first = &runs.first()?.1;
    let basins = first.basins();
    let is_alike = |one: &Plane| {
        let is_same = one.frame == first.frame && one.arrows == first.arrows;
        is_same && one.areas == first.areas && one.rests == first.rests
    };
    if !runs.iter().all(|(_, one)| is_alike(one)) {
        return None;
    }
    let mut all =
        Plane { ways: Vec::new(), series: first.series[..basins].to_vec(), ..first.clone() };
    let is_only = runs.iter().all(|(_, one)| one.series.len() == basins + 1);
    for (run, one) in runs {
        let from = all.series.len() - basins;
        all.ways.extend(one.ways.iter().map(|(series, way)| (series + from, way.clone())));
        all.series.extend(one.series[basins..].iter().map(|name| named(run, name, is_only)));
    }
    (all.series.len() - basins <= MOST_LINES).then_some(all)
}

impl Figure {
    /// The figure as an SVG document.
    pub fn svg(&self, size: Size) -> Vec<u8> {
        match self {
            Figure::One(one) => one.svg(size),
            Figure::Cells(cells) => svg::render_cells(cells, size),
        }
    }

    /// Its title and its caption.
    pub fn titles(&self) -> (&str, &str) {
        match self {
            Figure::One(one) => one.titles(),
            Figure::Cells(cells) => (&cells.title, &cells.subtitle),
        }
    }

    /// Its labels: titles, axes, series, rows and names of runs.
    fn labels(&mut self) -> Vec<&mut String> {
        fn of(picture: &mut Picture) -> impl Iterator<Item = &mut String> {
            let Texts { titles: [title, _], x, others, series } = picture.texts();
            [title, x].into_iter().chain(others).chain(series)
        }
        match self {
            Figure::One(one) => of(one).collect(),
            Figure::Cells(Cells { title, x, series, cells, .. }) => {
                let cells =
                    cells.iter_mut().flat_map(|(name, one)| std::iter::once(name).chain(of(one)));
                [title, x].into_iter().chain(series).chain(cells).collect()
            }
        }
    }

    /// Gives a label another text, wherever it stands. A label is known by its whole text, without its
    /// unit, or as a part: `wait` is that of `wait (hours)` and `run: wait`; `title` is the title.
    ///
    /// # Errors
    /// With the labels that there are, if this is none.
    pub fn relabel(&mut self, name: &str, text: &str) -> Result<(), Vec<String>> {
        let plain = |label: &str| label.replace('_', " ").to_lowercase();
        let is_it = |label: &str| [label, base(label)].iter().any(|one| plain(one) == plain(name));
        if name == "title" {
            let title = self.labels().swap_remove(0);
            text.clone_into(title);
            return Ok(());
        }
        let mut is_known = false;
        for label in self.labels() {
            let parts = label.split(": ").map(|part| if is_it(part) { text } else { part });
            let new =
                if is_it(label) { text.to_owned() } else { parts.collect::<Vec<_>>().join(": ") };
            is_known |= is_it(label) || new != *label;
            *label = new;
        }
        if is_known {
            return Ok(());
        }
        let mut known: Vec<String> = self.labels().into_iter().map(|label| label.clone()).collect();
        known.retain(|label| !label.is_empty());
        known.sort();
        known.dedup();
        Err(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Heat;
    use crate::picture::rows::{Labels, dots as rows_of};
    use stats::interval::Interval;

    fn chart(x: &str, high: f64, series: &[&str]) -> Picture {
        let line = |series| Line {
            series,
            points: vec![(0.0, 0.0), (high, high)],
            parts: vec![vec![(0.0, 0.0)]],
            ..Line::default()
        };
        Picture::Chart(Chart {
            title: "one".to_owned(),
            subtitle: "means over 3 replications; thin: each of them".to_owned(),
            x: x.to_owned(),
            range: Scale::Linear(0.0, high),
            dates: Vec::new(),
            panels: vec![Panel {
                y: "jobs".to_owned(),
                scale: Scale::Linear(0.0, high),
                lines: (0..series.len().max(1)).map(line).collect(),
            }],
            series: series.iter().map(|&one| one.to_owned()).collect(),
        })
    }

    fn named<const N: usize>(pictures: [Picture; N]) -> Vec<(String, Picture)> {
        ["a", "b", "c", "d", "e", "f", "g"].map(str::to_owned).into_iter().zip(pictures).collect()
    }

    /// 3 600 seconds and 2 hours share an axis in hours.
    #[test]
    fn few_lines_have_one_axis_in_the_longest_unit_of_time() {
        let runs = named([
            chart("time (seconds)", 3600.0, &["all"]),
            chart("time (hours)", 2.0, &["all"]),
        ]);
        let mut figure = together("both", runs).unwrap();
        let Figure::One(Picture::Chart(one)) = &figure else { panic!("{figure:?}") };
        assert_eq!((&*one.x, one.range), ("time (hours)", Scale::Linear(0.0, 2.0)));
        assert_eq!(one.series, ["a", "b"]);
        let ends: Vec<(usize, f64, usize)> = (one.panels[0].lines.iter())
            .map(|line| (line.series, line.points[1].0, line.parts.len()))
            .collect();
        assert_eq!(ends, [(0, 1.0, 0), (1, 2.0, 0)]);
        assert_eq!(figure.titles(), ("both", "means over 3 replications"));
        figure.relabel("time", "since noon (h)").unwrap();
        figure.relabel("B", "later").unwrap();
        let Figure::One(Picture::Chart(one)) = &figure else { panic!("{figure:?}") };
        assert_eq!(
            (&*one.x, &one.series[..]),
            ("since noon (h)", &["a".to_owned(), "later".to_owned()][..])
        );
        let known = figure.relabel("queue", "").unwrap_err();
        assert_eq!(known, ["a", "both", "jobs", "later", "since noon (h)"]);
    }

    /// A figure has one colour in all maps, that of the least and the largest figure of all.
    #[test]
    fn maps_of_runs_have_common_colours() {
        let map = |value: f64| {
            Picture::Heat(Heat {
                title: String::new(),
                subtitle: String::new(),
                x: "level".to_owned(),
                y: "learner".to_owned(),
                columns: vec!["1".to_owned()],
                rows: vec!["hedge".to_owned()],
                cells: vec![vec![Some(value)]],
                intervals: Vec::new(),
                ends: None,
            })
        };
        let Figure::Cells(both) = together("both", named([map(1.0), map(3.0)])).unwrap() else {
            panic!("they are maps")
        };
        assert!(both.series.is_empty());
        let ends = both.cells.iter().map(|(_, one)| match one {
            Picture::Heat(heat) => heat.ends,
            _ => None,
        });
        assert_eq!(ends.collect::<Vec<_>>(), [Some((1.0, 3.0)); 2]);
        assert!(together("both", named([map(1.0), chart("time", 1.0, &[])])).is_err());
    }

    /// Three lines of three runs, and seven lines of one run.
    #[test]
    fn more_than_six_lines_become_small_multiples_with_one_legend() {
        let runs = named([2.0, 4.0, 3.0].map(|high| chart("round", high, &["x", "y", "z"])));
        let figure = together("three", runs).unwrap();
        let Figure::Cells(cells) = &figure else { panic!("{figure:?}") };
        assert_eq!((cells.series.len(), &*cells.x), (3, "round"));
        for (_, cell) in &cells.cells {
            let Picture::Chart(cell) = cell else { panic!("{cell:?}") };
            assert_eq!(cell.range, Scale::Linear(0.0, 4.0));
            assert_eq!(cell.panels[0].scale, Scale::Linear(0.0, 4.0));
        }
        for size in [Size::Screen, Size::Column, Size::Page] {
            let svg = String::from_utf8(figure.svg(size)).unwrap();
            assert_eq!(svg.matches("<g ").count(), 3);
            assert_eq!(svg.matches("</svg>").count(), 1);
            assert_eq!(svg.matches("\ny\n").count(), 1, "the legend is there once");
        }
        let one = chart("round", 2.0, &["p", "q", "r", "s", "t", "u", "v"]);
        let figure = together("one", named([one])).unwrap();
        let Figure::Cells(cells) = figure else { panic!("{figure:?}") };
        assert_eq!(cells.cells.iter().map(|one| &*one.0).collect::<String>(), "pqrstuv");
        let two = named([chart("time", 1.0, &["x", "y"]), chart("time", 1.0, &["x", "y"])]);
        let Ok(Figure::One(Picture::Chart(two))) = together("two", two) else { panic!("few") };
        assert_eq!(two.series, ["a: x", "a: y", "b: x", "b: y"]);
    }

    #[test]
    fn dots_have_a_lane_for_each_run_and_other_axes_are_told() {
        let rows = |x: &str, names: &[&str], value: f64| {
            let interval = Some(Interval { low: 0.0, high: value });
            let row = |name: &&str| ((*name).to_owned(), vec![(0, value, interval)]);
            let labels = Labels {
                title: "one".to_owned(),
                subtitle: format!("mean of {value}"),
                x: x.to_owned(),
                series: Vec::new(),
            };
            Picture::Rows(rows_of(labels, names.iter().map(row).collect()))
        };
        let runs = named([
            rows("wait (minutes)", &["all", "north"], 90.0),
            rows("wait (hours)", &["all", "south"], 3.0),
        ]);
        let Ok(Figure::One(Picture::Rows(both))) = together("both", runs) else { panic!("one") };
        assert_eq!(both.subtitle, "a: mean of 90; b: mean of 3");
        let told: Vec<(&str, usize, f64)> = (both.rows.iter())
            .flat_map(|row| row.marks.iter().map(|mark| (&*row.name, mark.lane, mark.to)))
            .collect();
        assert_eq!(told, [("all", 0, 1.5), ("all", 1, 3.0), ("north", 0, 1.5), ("south", 1, 3.0)]);
        let apart =
            named([rows("wait (units)", &["all"], 1.0), rows("flow (units)", &["all"], 1.0)]);
        let wrong = together("both", apart).unwrap_err();
        assert_eq!(
            wrong,
            "`a` shows wait, `b` shows flow: they have no common axis\nhelp: plot each by itself"
        );
    }
}
