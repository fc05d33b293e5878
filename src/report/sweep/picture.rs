//! The picture of a study: one measure over one key, a line for each value of the others.

use crate::picture::rows::{self, Labels};
use crate::picture::{Chart, Heat, Line, Panel, Picture, Scale, svg};
use crate::sweep::entry::{KeyEntry, KeyKind};
use findings::measure::Unit;
use kernel::order::InOrder as _;
use stats::interval::{Interval, Level};
use stats::shown::counted;

/// A figure at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// The values of the keys, for people.
    pub values: Vec<String>,
    /// The figure.
    pub mean: f64,
    /// Its confidence interval, if there is one.
    pub interval: Option<Interval>,
    /// Means of the replications that end low and high, where they end apart.
    pub halves: Option<[f64; 2]>,
    /// Its change from the base, if it is compared.
    pub change: Option<Change>,
}

/// An amount with its interval, if it has one.
pub type Ranged = (f64, Option<Interval>);

impl Spot {
    /// The mean with its interval, or those that end low and high.
    fn ranged(&self) -> Vec<Ranged> {
        match self.halves {
            Some(halves) => halves.map(|half| (half, None)).to_vec(),
            None => vec![(self.mean, self.interval)],
        }
    }
}

/// Part of a legend that says where means are of replications that end apart.
fn apart(spots: &[&Spot], told: &str) -> String {
    match spots.iter().filter(|spot| spot.halves.is_some()).count() {
        0 => String::new(),
        points => format!("; {told} {}", counted(points as u64, "point", "points")),
    }
}

/// The difference of a figure from that at the base, where all but one key are the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The base's value of that key.
    pub base: String,
    /// Figure less base.
    pub difference: Ranged,
    /// Figure / base - 1, where both are above 0.
    pub relative: Option<Ranged>,
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

/// Draws the picture.
///
/// By default the horizontal axis has the key with the most numbers, and there is a line for each
/// combination of the other keys, if these are few enough; else the rest is held at its first value,
/// which the picture says. Without numbers one key has a dot for each value, and several are a heat map,
/// such as learners against learners.
///
/// # Errors
/// In words, if no key has two values, or too many lines are asked for.
pub fn draw(subject: &Subject<'_>, spots: &[Spot], chosen: &Chosen) -> Result<Picture, String> {
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
        Some(x) if numbers(x, &spots) >= 2 || chosen.heat.is_some() => x,
        Some(x) => return Err(format!("`{}` has not two numbers for values", keys[x].name)),
        None => {
            let free = (0..keys.len()).filter(|key| is_free(*key) && Some(*key) != chosen.by);
            let free = free.filter(|key| Some(*key) != chosen.heat);
            let most = free.map(|key| (numbers(key, &spots), key)).max();
            match most {
                Some((2.., key)) => key,
                _ if chosen.by.is_none() => {
                    let varies = |key: &usize| is_free(*key) && distinct(*key, &spots).len() > 1;
                    let named: Vec<usize> = (0..keys.len()).filter(varies).collect();
                    return match (&named[..], chosen.heat) {
                        ([], _) => Err("no key has two values".to_owned()),
                        ([key], None) => Ok(dots(subject, &spots, *key)),
                        ([rows, .., x], None) => heat(subject, spots, (*x, *rows), chosen),
                        (named, Some(rows)) => match named.iter().find(|&&key| key != rows) {
                            Some(&x) => heat(subject, spots, (x, rows), chosen),
                            None => Err("no other key has two values".to_owned()),
                        },
                    };
                }
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
    let mut placed: Vec<(usize, f64, &Spot)> = Vec::new();
    for spot in &spots {
        let name = match &names[..] {
            [] => measure.clone(),
            names => names.iter().map(|&at| &*spot.values[at]).collect::<Vec<_>>().join(", "),
        };
        let at = series.iter().position(|one| *one == name).unwrap_or_else(|| {
            series.push(name);
            series.len() - 1
        });
        placed.extend(number(&spot.values[x]).map(|across| (at, across, *spot)));
    }
    if series.len() > svg::MOST_SERIES {
        let most = svg::MOST_SERIES;
        return Err(format!("these are {} lines, and {most} are the most", series.len()));
    }
    placed.order_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let range = ends(placed.iter().map(|one| one.1));
    let mut panels = vec![panel(measure.clone(), &placed, Spot::ranged, &[])];
    let changes: Vec<&Change> = spots.iter().filter_map(|spot| spot.change.as_ref()).collect();
    let mut bands = format!("bands: {level} intervals of each line, not of differences");
    if let Some(first) = changes.first() {
        let is_one = changes.iter().all(|one| one.base == first.base);
        let base = if is_one { &*first.base } else { "the first value" };
        let is_share = subject.unit == Some(unit_of(Unit::Share, false).unwrap_or_default());
        let is_relative = !is_share && changes.iter().all(|one| one.relative.is_some());
        let unit = if is_relative { Some("%") } else { subject.unit };
        let unit = unit.map_or_else(String::new, |unit| format!(" ({unit})"));
        let change = |spot: &Spot| {
            let Some(change) = &spot.change else { return Vec::new() };
            let Some((value, interval)) = change.relative.filter(|_| is_relative) else {
                return vec![change.difference];
            };
            let percent = |one: Interval| Interval { low: 100.0 * one.low, high: 100.0 * one.high };
            vec![(100.0 * value, interval.map(percent))]
        };
        panels.push(panel(format!("change from {base}{unit}"), &placed, change, &[0.0]));
        bands = format!("bands: {level} intervals, each by itself; below: change from {base}");
    }
    let split = apart(&spots, "two of a colour: replications that end low and high, at");
    let held: Vec<String> =
        held.iter().map(|(key, value)| format!("{} = {value}", keys[*key].short)).collect();
    let held = if held.is_empty() { String::new() } else { format!("; {}", held.join(", ")) };
    let by: Vec<&str> = names.iter().map(|&at| &*keys[at].short).collect();
    let by = if by.is_empty() { String::new() } else { format!(" by {}", by.join(", ")) };
    let chart = Chart {
        title: title.to_owned(),
        subtitle: format!("{measure}{by}; {bands}{held}{split}"),
        x: keys[x].short.clone(),
        range: Scale::Linear(range.0, range.1),
        dates: Vec::new(),
        panels,
        series,
    };
    Ok(Picture::Chart(chart))
}

/// A panel of the one or two amounts that each spot has, given their series and places along the axis
/// in order. `shown` are other values that its axis has.
fn panel(
    y: String,
    placed: &[(usize, f64, &Spot)],
    of: impl Fn(&Spot) -> Vec<Ranged>,
    shown: &[f64],
) -> Panel {
    let mut lines: Vec<Line> = Vec::new();
    for line in placed.chunk_by(|one, other| one.0 == other.0) {
        let series = line[0].0;
        let each: Vec<(f64, Vec<Ranged>)> = line
            .iter()
            .map(|&(_, x, spot)| (x, of(spot)))
            .filter(|one| !one.1.is_empty())
            .collect();
        let band = |&(x, ref ranged): &(f64, Vec<Ranged>)| {
            let known = ranged[0].1.filter(|one| one.low.is_finite() && one.high.is_finite())?;
            Some((x, known.low, known.high))
        };
        // A band ends where a point has no interval.
        for part in each.chunk_by(|one, other| band(one).is_some() && band(other).is_some()) {
            let band: Vec<(f64, f64, f64)> = part.iter().filter_map(band).collect();
            lines.extend((!band.is_empty()).then(|| Line { series, band, ..Line::default() }));
        }
        // A line ends where one amount becomes two.
        for part in each.chunk_by(|one, other| one.1.len() == other.1.len()) {
            lines.extend((0..part[0].1.len()).map(|side| {
                let points = part.iter().map(|(x, ranged)| (*x, ranged[side].0)).collect();
                Line { series, points, ..Line::default() }
            }));
        }
    }
    let points = lines.iter().flat_map(|line| &line.points).map(|point| point.1);
    let bands = lines.iter().flat_map(|line| &line.band).flat_map(|band| [band.1, band.2]);
    let scale = scale(ends(points.chain(bands).chain(shown.iter().copied())));
    Panel { y, scale, lines }
}

/// The least and the largest value.
pub(super) fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| (low.min(one), high.max(one)))
}

/// Draws a dot with its interval for each value of a key that has no numbers.
fn dots(subject: &Subject<'_>, spots: &[&Spot], key: usize) -> Picture {
    let row = |spot: &&Spot| {
        let dots = spot.ranged().into_iter().map(|(mean, interval)| (0, mean, interval));
        (spot.values[key].clone(), dots.collect())
    };
    let split = apart(spots, "two dots: replications that end low and high, at");
    let (by, level) = (&subject.keys[key].short, subject.level);
    let labels = Labels {
        title: subject.title.to_owned(),
        subtitle: format!("by {by}; lines: {level} intervals, each by itself{split}"),
        x: subject.told(),
        series: Vec::new(),
    };
    Picture::Rows(rows::dots(labels, spots.iter().map(row).collect()))
}

/// Draws a heat map over two keys; the others are held at their first values.
fn heat(
    subject: &Subject<'_>,
    mut spots: Vec<&Spot>,
    (x, rows): (usize, usize),
    chosen: &Chosen,
) -> Result<Picture, String> {
    let &Subject { title, keys, level, .. } = subject;
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
        spots.iter().find(is_it)
    };
    let known = |one: &Interval| one.low.is_finite() && one.high.is_finite();
    let ends = |spot: &&Spot| spot.interval.filter(known).map(|one| (one.low, one.high));
    let has_intervals = spots.iter().any(|spot| ends(spot).is_some());
    let margins = if has_intervals {
        format!("; below each, where there is room: {level} intervals, each by itself")
    } else {
        String::new()
    };
    let split =
        apart(&spots, "means where replications end low or high, and hardly any between, at");
    let row = |row: &String| {
        columns.iter().map(|column| cell(row, column).map(|spot| spot.mean)).collect()
    };
    let intervals =
        |row: &String| columns.iter().map(|column| cell(row, column).and_then(&ends)).collect();
    let held: Vec<String> =
        held.iter().map(|(key, value)| format!("; {} = {value}", keys[*key].short)).collect();
    Ok(Picture::Heat(Heat {
        title: title.to_owned(),
        subtitle: format!("{}{}{margins}{split}", subject.told(), held.concat()),
        x: keys[x].short.clone(),
        y: keys[rows].short.clone(),
        cells: names.iter().map(row).collect(),
        intervals: names.iter().filter(|_| has_intervals).map(intervals).collect(),
        columns: columns.clone(),
        rows: names.clone(),
        ends: None,
    }))
}

/// Most columns, and most rows, of a heat map.
const MOST_CELLS: usize = 200;

/// A scale that shows these values: by factors where they span a hundred and more, else from 0 if that
/// is near.
pub(super) fn scale((low, high): (f64, f64)) -> Scale {
    if low > 0.0 && high >= 100.0 * low {
        return Scale::Log(low, high);
    }
    let room = 0.05 * (high - low).max(high.abs() * 1e-6).max(1e-12);
    let bottom = if low >= 0.0 && low < 0.5 * high { 0.0 } else { low - room };
    let top = if high <= 0.0 && high > 0.5 * low { 0.0 } else { high + room };
    Scale::Linear(bottom, top)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two schedulers at three loads. The second has no interval at the load between, so no band goes
    /// over it; the panel of differences has 0 and the second alone.
    #[test]
    fn keys_without_numbers_are_dots_or_a_heat_map() {
        let key = |name: &str| KeyEntry {
            name: name.to_owned(),
            short: name.to_owned(),
            kind: KeyKind::Varied,
        };
        let spot = |values: &[&str], mean: f64| Spot {
            values: values.iter().map(|&value| value.to_owned()).collect(),
            mean,
            interval: Some(Interval::around(mean, 0.5)),
            halves: None,
            change: None,
        };
        let keys = [key("one"), key("other")];
        let subject = Subject {
            title: "tournament",
            keys: &keys,
            measure: "payoff",
            unit: None,
            level: Level::default(),
        };
        let names = ["cross", "hedge"];
        let both = names.map(|one| names.map(|other| spot(&[one, other], f64::from(one == other))));
        let drawn = draw(&subject, &both.concat(), &Chosen::default());
        let Ok(Picture::Heat(heat)) = drawn else { panic!("{drawn:?}") };
        assert_eq!(
            (&heat.rows[..], &heat.columns[..]),
            (&names.map(str::to_owned)[..], &names.map(str::to_owned)[..])
        );
        assert_eq!(heat.cells, [[Some(1.0), Some(0.0)], [Some(0.0), Some(1.0)]]);
        let subject = Subject { keys: &keys[..1], ..subject };
        let one = names.map(|name| spot(&[name], 2.0));
        let drawn = draw(&subject, &one, &Chosen::default());
        let Ok(Picture::Rows(rows)) = drawn else { panic!("{drawn:?}") };
        assert_eq!((rows.rows[1].marks[0].from, rows.rows[1].marks[0].to), (1.5, 2.5));
        let error = draw(&subject, &one[..1], &Chosen::default());
        assert_eq!(error, Err("no key has two values".to_owned()));
    }

    #[test]
    fn differences_have_a_panel_and_bands_end_where_there_is_no_interval() {
        let key = |name: &str| KeyEntry {
            name: name.to_owned(),
            short: name.to_owned(),
            kind: KeyKind::Varied,
        };
        let subject = Subject {
            title: "study",
            keys: &[key("scheduler"), key("load")],
            measure: "flow",
            unit: Some("seconds"),
            level: Level::default(),
        };
        let spot = |scheduler: &str, load: f64| {
            let interval = (load != 0.7).then(|| Interval::around(50.0, 9.0));
            let change = Change {
                base: "fcfs".to_owned(),
                difference: (-10.0, interval),
                relative: Some((-0.2, Some(Interval { low: -0.25, high: -0.15 }))),
            };
            Spot {
                values: vec![scheduler.to_owned(), load.to_string()],
                mean: 50.0,
                interval,
                halves: None,
                change: (scheduler == "easy").then_some(change),
            }
        };
        let each =
            ["fcfs", "easy"].map(|scheduler| [0.5, 0.7, 0.9].map(|load| spot(scheduler, load)));
        let spots = each.concat();
        let drawn = |spots: &[Spot]| {
            String::from_utf8(
                draw(&subject, spots, &Chosen::default()).unwrap().svg(svg::Size::Screen),
            )
            .unwrap()
        };
        let svg = drawn(&spots);
        assert!(svg.contains("\nchange from fcfs (%)\n"), "{svg}");
        // The only band is that of the relative differences; ends of others are bars.
        assert_eq!(svg.matches("<polygon").count(), 1);
        let placed: Vec<(usize, f64, &Spot)> = spots[3..].iter().map(|one| (1, 0.0, one)).collect();
        let change = |spot: &Spot| spot.change.iter().filter_map(|one| one.relative).collect();
        let changes = panel("y".to_owned(), &placed, change, &[0.0]);
        let Scale::Linear(low, high) = changes.scale else { panic!("{changes:?}") };
        assert!(low < -0.25 && high >= 0.0, "{changes:?}");
        let mut some = spots;
        some[5].change.as_mut().unwrap().relative = None;
        assert!(drawn(&some).contains("\nchange from fcfs (seconds)\n"));
        some.iter_mut().for_each(|one| one.change = None);
        // One point ends apart: a dot each for those that end low and high, between two dots of means.
        some[1].halves = Some([20.0, 80.0]);
        let placed: Vec<(usize, f64, &Spot)> =
            (0..).zip(&some[..3]).map(|(at, one)| (0, f64::from(at), one)).collect();
        let sides = panel("y".to_owned(), &placed, Spot::ranged, &[]).lines;
        let dots: Vec<f64> = sides.iter().flat_map(|line| &line.points).map(|dot| dot.1).collect();
        assert_eq!(dots, [50.0, 20.0, 80.0, 50.0]);
        let svg = drawn(&some);
        assert!(svg.contains("at 1 point"), "{svg}");
        assert!(drawn(&some).contains("intervals of each line, not of differences"));
    }
}
