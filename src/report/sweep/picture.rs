//! The picture of a study: one measure over one key, a line for each value of the others.

use crate::report::chart::{Chart, Line, Panel, Scale, svg};
use crate::stats::interval::{Interval, Level};

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
}

/// Draws the picture as SVG; `keys` are the names of the keys, and `measure` names the figure.
///
/// By default the horizontal axis has the key with the most numbers, and there is a line for each
/// combination of the other keys, if these are few enough; else the rest is held at its first value,
/// which the picture says.
///
/// # Errors
/// In words, if no key has two numbers, or too many lines are asked for.
pub fn draw(
    title: &str,
    (keys, measure, level): (&[String], &str, Level),
    spots: &[Spot],
    chosen: &Chosen,
) -> Result<Vec<u8>, String> {
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
    let x = match chosen.x {
        Some(x) if numbers(x, &spots) >= 2 => x,
        Some(x) => return Err(format!("`{}` has not two numbers for values", keys[x])),
        None => {
            let free = (0..keys.len()).filter(|key| Some(*key) != chosen.by);
            let most = free.map(|key| (numbers(key, &spots), std::cmp::Reverse(key))).max();
            match most {
                Some((2.., std::cmp::Reverse(key))) => key,
                _ => return Err("no key has two numbers for values".to_owned()),
            }
        }
    };
    // Keys that differ among the points besides these are part of a line's name, while there are few.
    let varies = |key: &usize, spots: &[&Spot]| distinct(*key, spots).len() > 1;
    let mut names: Vec<usize> = chosen.by.into_iter().collect();
    let mut held = chosen.held.clone();
    let others = (0..keys.len()).filter(|key| *key != x && Some(*key) != chosen.by);
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
            [] => measure.replace('_', " "),
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
        line.points.sort_by(|one, other| one.0.total_cmp(&other.0));
        line.band.sort_by(|one, other| one.0.total_cmp(&other.0));
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
        held.iter().map(|(key, value)| format!("{} = {value}", keys[*key])).collect();
    let held = if held.is_empty() { String::new() } else { format!("; {}", held.join(", ")) };
    let by: Vec<&str> = names.iter().map(|&at| &*keys[at]).collect();
    let by = if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) };
    let chart = Chart {
        title: title.to_owned(),
        subtitle: format!(
            "{}{by}; bands: {level} confidence intervals{held}",
            measure.replace('_', " ")
        ),
        x: keys[x].clone(),
        range,
        panels: vec![Panel { y: measure.replace('_', " "), scale: scale(up), lines }],
        series,
    };
    Ok(svg::render(&chart))
}

/// A scale that shows these values: by factors where they span a hundred and more, else from 0 if that is
/// near.
fn scale((low, high): (f64, f64)) -> Scale {
    if low > 0.0 && high >= 100.0 * low {
        return Scale::Log(low, high);
    }
    let room = 0.05 * (high - low).max(high.abs() * 1e-6).max(1e-12);
    let bottom = if low >= 0.0 && low < 0.5 * high { 0.0 } else { low - room };
    let top = if high <= 0.0 && high > 0.5 * low { 0.0 } else { high + room };
    Scale::Linear(bottom, top)
}
