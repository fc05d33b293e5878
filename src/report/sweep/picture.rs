//! The picture of a study: one measure over one key, a line for each value of the others.

use crate::picture::{Chart, Heat, Line, Panel, Scale, svg};
use crate::sweep::entry::{KeyEntry, KeyKind};
use findings::measure::Unit;
use kernel::order::InOrder as _;
use stats::interval::{Interval, Level};

/// A figure at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// The values of the keys, for people.
    pub values: Vec<String>,
    /// The figure.
    pub mean: f64,
    /// Its confidence interval, if there is one.
    pub interval: Option<Interval>,
}

/// The keys that a picture shows, by their indices; `None` for what is to be chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// The key along the horizontal axis.
    pub x: Option<usize>,
    /// The key with a line for each value.
    pub by: Option<usize>,
    /// Keys that are held at a value.
    pub held: Vec<(usize, String)>,
    /// The key with a row for each value, for a heat map instead of lines.
    pub heat: Option<usize>,
}

/// The subject of a picture.
#[derive(Debug)]
pub struct Subject<'a> {
    /// The title.
    pub title: &'a str,
    /// The keys of the study.
    pub keys: &'a [KeyEntry],
    /// The figure's name.
    pub measure: &'a str,
    /// Its unit, if it has one.
    pub unit: Option<&'a str>,
    /// The level of the intervals.
    pub level: Level,
}

impl Subject<'_> {
    /// The figure with its unit.
    fn told(&self) -> String {
        let measure = self.measure.replace('_', " ");
        self.unit.map_or(measure.clone(), |unit| format!("{measure} ({unit})"))
    }
}

/// The unit of a measure in words, if it has one.
pub fn unit_of(unit: Unit, counts_seconds: bool) -> Option<&'static str> {
    match unit {
        Unit::Time if counts_seconds => Some("seconds"),
        Unit::Time => Some("units of time"),
        Unit::Work => Some("units of work"),
        Unit::Share => Some("share"),
        Unit::Number | Unit::Payoff => None,
    }
}

/// Draws the picture as SVG.
///
/// By default the horizontal axis has the key with the most numbers, and there is a line for each
/// combination of the other keys, if these are few enough; else the rest is held at its first value,
/// which the picture says.
///
/// # Errors
/// In words, if no key has two numbers, or too many lines are asked for.
pub fn draw(subject: &Subject<'_>, spots: &[Spot], chosen: &Chosen) -> Result<Vec<u8>, String> {
    let &Subject { title, keys, level, .. } = subject;
    let measure = subject.told();
    let number = |text: &str| text.replace('_', "").parse::<f64>().ok().filter(|x| x.is_finite());
    let distinct = |key: usize, spots: &[&Spot]| {
        let mut values: Vec<String> = Vec::new();
        for spot in spots {
            if !values.contains(&spot.values[key]) {
                values.push(spot.values[key].clone());
            }
        }
        values
    };
    let is_held = |spot: &&Spot| chosen.held.iter().all(|(key, value)| spot.values[*key] == *value);
    let mut spots: Vec<&Spot> = spots.iter().filter(is_held).collect();
    if spots.is_empty() {
        return Err("no point has these values".to_owned());
    }
    let numbers = |key: usize, spots: &[&Spot]| {
        let values = distinct(key, spots);
        let is_all = values.iter().all(|value| number(value).is_some());
        if is_all { values.len() } else { 0 }
    };
    // Keys that follow from others say nothing more.
    let is_free = |key: usize| keys[key].kind != KeyKind::Computed;
    let x = match chosen.x {
        Some(x) if numbers(x, &spots) >= 2 => x,
        Some(x) => return Err(format!("`{}` has not two numbers for values", keys[x].name)),
        None => {
            let free = (0..keys.len()).filter(|key| is_free(*key) && Some(*key) != chosen.by);
            let free = free.filter(|key| Some(*key) != chosen.heat);
            let most = free.map(|key| (numbers(key, &spots), key)).max();
            match most {
                Some((2.., key)) => key,
                _ => return Err("no key has two numbers for values".to_owned()),
            }
        }
    };
    if let Some(rows) = chosen.heat {
        return heat(subject, spots, (x, rows), chosen);
    }
    // Keys that differ among the points besides these are part of a line's name, while there are few.
    let varies = |key: &usize, spots: &[&Spot]| distinct(*key, spots).len() > 1;
    let mut names: Vec<usize> = chosen.by.into_iter().collect();
    let mut held = chosen.held.clone();
    let others =
        (0..keys.len()).filter(|key| is_free(*key) && *key != x && Some(*key) != chosen.by);
    for key in others.collect::<Vec<_>>() {
        if !varies(&key, &spots) {
            continue;
        }
        names.push(key);
        let lines = |spots: &[&Spot]| {
            let mut all: Vec<Vec<&str>> = spots
                .iter()
                .map(|spot| names.iter().map(|&at| &*spot.values[at]).collect())
                .collect();
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        if lines(&spots) > svg::MOST_SERIES {
            names.pop();
            let first = spots[0].values[key].clone();
            spots.retain(|spot| spot.values[key] == first);
            held.push((key, first));
        }
    }
    let mut series: Vec<String> = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    for spot in &spots {
        let name = match &names[..] {
            [] => measure.clone(),
            names => names.iter().map(|&at| &*spot.values[at]).collect::<Vec<_>>().join(", "),
        };
        let at = series.iter().position(|one| *one == name).unwrap_or_else(|| {
            series.push(name);
            lines.push(Line { series: lines.len(), ..Line::default() });
            lines.len() - 1
        });
        let Some(across) = number(&spot.values[x]) else { continue };
        lines[at].points.push((across, spot.mean));
        if let Some(interval) = spot.interval.filter(|interval| interval.high.is_finite()) {
            lines[at].band.push((across, interval.low, interval.high));
        }
    }
    if series.len() > svg::MOST_SERIES {
        let most = svg::MOST_SERIES;
        return Err(format!("these are {} lines, and {most} are the most", series.len()));
    }
    for line in &mut lines {
        line.points.order_by(|one, other| one.0.total_cmp(&other.0));
        line.band.order_by(|one, other| one.0.total_cmp(&other.0));
    }
    let along = || lines.iter().flat_map(|line| &line.points);
    let ends = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| {
            (low.min(one), high.max(one))
        })
    };
    let range = ends(&mut along().map(|point| point.0));
    let bands = lines.iter().flat_map(|line| &line.band).flat_map(|band| [band.1, band.2]);
    let up = ends(&mut along().map(|point| point.1).chain(bands));
    let held: Vec<String> =
        held.iter().map(|(key, value)| format!("{} = {value}", keys[*key].short)).collect();
    let held = if held.is_empty() { String::new() } else { format!("; {}", held.join(", ")) };
    let by: Vec<&str> = names.iter().map(|&at| &*keys[at].short).collect();
    let by = if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) };
    let chart = Chart {
        title: title.to_owned(),
        subtitle: format!(
            "{measure}{by}; bands: {level} intervals of each line, not of differences{held}"
        ),
        x: keys[x].short.clone(),
        range,
        panels: vec![Panel { y: measure, scale: scale(up), lines }],
        series,
    };
    Ok(svg::render(&chart))
}

/// Draws a heat map over two keys; the others are held at their first values.
fn heat(
    subject: &Subject<'_>,
    mut spots: Vec<&Spot>,
    (x, rows): (usize, usize),
    chosen: &Chosen,
) -> Result<Vec<u8>, String> {
    let &Subject { title, keys, .. } = subject;
    if x == rows {
        return Err(format!("`{}` is both across and down", keys[x].name));
    }
    let mut held = chosen.held.clone();
    let others = (0..keys.len()).filter(|&key| key != x && key != rows);
    for key in others.filter(|&key| keys[key].kind != KeyKind::Computed) {
        let first = spots[0].values[key].clone();
        if spots.iter().any(|spot| spot.values[key] != first) {
            spots.retain(|spot| spot.values[key] == first);
            held.push((key, first));
        }
    }
    let values = |key: usize| {
        let mut values: Vec<String> = Vec::new();
        for spot in &spots {
            if !values.contains(&spot.values[key]) {
                values.push(spot.values[key].clone());
            }
        }
        let number = |value: &String| value.replace('_', "").parse::<f64>();
        if values.iter().all(|value| number(value).is_ok()) {
            let by_number = |value: &String| number(value).unwrap_or(0.0);
            values.order_by(|one, other| by_number(one).total_cmp(&by_number(other)));
        }
        values
    };
    let (columns, names) = (values(x), values(rows));
    if columns.len() > MOST_CELLS || names.len() > MOST_CELLS {
        return Err(format!("a heat map has at most {MOST_CELLS} columns and rows"));
    }
    let cell = |row: &String, column: &String| {
        let is_it = |spot: &&&Spot| spot.values[x] == *column && spot.values[rows] == *row;
        spots.iter().find(is_it).map(|spot| spot.mean)
    };
    let row = |row: &String| columns.iter().map(|column| cell(row, column)).collect();
    let held: Vec<String> =
        held.iter().map(|(key, value)| format!("; {} = {value}", keys[*key].short)).collect();
    Ok(svg::render_heat(&Heat {
        title: title.to_owned(),
        subtitle: format!("{}{}", subject.told(), held.concat()),
        x: keys[x].short.clone(),
        y: keys[rows].short.clone(),
        cells: names.iter().map(row).collect(),
        columns: columns.clone(),
        rows: names.clone(),
    }))
}

/// Most columns, and most rows, of a heat map.
const MOST_CELLS: usize = 200;

/// A scale that shows these values: by factors where they span a hundred and more, else from 0 if that
/// is near.
fn scale((low, high): (f64, f64)) -> Scale {
    if low > 0.0 && high >= 100.0 * low {
        return Scale::Log(low, high);
    }
    let room = 0.05 * (high - low).max(high.abs() * 1e-6).max(1e-12);
    let bottom = if low >= 0.0 && low < 0.5 * high { 0.0 } else { low - room };
    let top = if high <= 0.0 && high > 0.5 * low { 0.0 } else { high + room };
    Scale::Linear(bottom, top)
}
