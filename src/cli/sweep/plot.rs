//! `gridpact sweep plot`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use findings::measure::Metric;
use findings::unit::goes_by;
use records::files;
use report::files::Manifest;
use report::picture::together;
use report::sweep::entry::SweepEntry;
use report::sweep::picture::{Change, Chosen, Ranged, Spot, Subject, draw, unit_of};
use run::folder::MANIFEST;
use scenario::diagnostics::show;
use scenario::sweep::find;
use stats::interval::Interval;
use stats::mixture;

use crate::Failure;
use crate::plot::Output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Folder with the results of a sweep.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    folder: PathBuf,
    /// Key along the horizontal axis, or its end [default: the key with the most numbers].
    #[arg(long, value_name = "KEY")]
    x: Option<String>,
    /// Measure along the vertical axis [default: that of the sweep].
    #[arg(long, value_name = "MEASURE")]
    y: Option<String>,
    /// Key with a line for each value [default: all other keys, while there are few lines].
    #[arg(long, value_name = "KEY")]
    by: Option<String>,
    /// Draw a heat map, with a row for each value of this key.
    #[arg(long, value_name = "KEY", conflicts_with = "by")]
    heat: Option<String>,
    /// Show only points with this value of a key; may be repeated.
    #[arg(long = "where", value_name = "KEY=VALUE")]
    held: Vec<String>,
    /// Organization or class whose measure is shown, `*` for all together [default: that of the sweep].
    #[arg(long, value_name = "NAME")]
    unit: Option<String>,
    #[command(flatten)]
    output: Output,
}

/// The figures of a finished sweep.
struct Results {
    manifest: Manifest,
    sweep: SweepEntry,
    lines: Vec<Line>,
}

/// A line of `figures.csv`, with that of `comparison.csv` if there is one.
struct Line {
    values: Vec<String>,
    unit: String,
    measure: String,
    mean: f64,
    interval: Option<Interval>,
    change: Option<Change>,
}

pub(super) fn plot(arguments: &Arguments) -> Result<(), Failure> {
    let Results { manifest, sweep, lines } = read(&arguments.folder)?;
    let names = || sweep.keys.iter().map(|key| &*key.name);
    let key = |option: &str, name: &str| {
        find(names(), name)
            .map_err(|wrong| Failure::Input(format!("{option} {}: {wrong}", show(name))))
    };
    let x = arguments.x.as_ref().map(|name| key("--x", name)).transpose()?;
    let by = arguments.by.as_ref().map(|name| key("--by", name)).transpose()?;
    let heat = arguments.heat.as_ref().map(|name| key("--heat", name)).transpose()?;
    let held = arguments.held.iter().map(|text| {
        let (name, value) = text.split_once('=').ok_or_else(|| {
            let text = show(text);
            Failure::Input(format!(
                "--where {text}: there is no `=`\nhelp: write `--where KEY=VALUE`"
            ))
        })?;
        Ok((key("--where", name.trim())?, value.trim().to_owned()))
    });
    let held = held.collect::<Result<Vec<_>, Failure>>()?;
    let unit = arguments.unit.clone().unwrap_or_else(|| sweep.unit.clone());
    let of_unit: Vec<&Line> = lines.iter().filter(|line| goes_by(&line.unit, &unit)).collect();
    if of_unit.is_empty() {
        let mut units: Vec<&str> = lines.iter().map(|line| &*line.unit).collect();
        units.sort_unstable();
        units.dedup();
        return Err(Failure::Input(format!(
            "--unit {}: there is none\nhelp: there are {}",
            show(&unit),
            units.join(", ")
        )));
    }
    let measure = match &arguments.y {
        Some(name) => name.clone(),
        None => sweep.measure.clone(),
    };
    let halves = halves(&arguments.folder, sweep.keys.len(), &unit, &measure)?;
    let spots: Vec<Spot> = (of_unit.iter().filter(|line| line.measure == measure))
        .map(|line| Spot {
            values: line.values.clone(),
            mean: line.mean,
            interval: line.interval,
            halves: halves.get(&line.values).copied().flatten(),
            change: line.change.clone(),
        })
        .collect();
    if spots.is_empty() {
        let mut names: Vec<&str> = of_unit.iter().map(|line| &*line.measure).collect();
        names.dedup();
        let first = names.first().copied();
        let end = names.iter().skip(1).position(|name| Some(*name) == first);
        names.truncate(end.map_or(names.len(), |end| end + 1));
        return Err(Failure::Input(format!(
            "--y {}: these results have no such figure\nhelp: they have {}",
            show(&measure),
            names.join(", ")
        )));
    }
    let told = match unit.as_str() {
        "*" => measure.clone(),
        unit => format!("{measure} of {unit}"),
    };
    let chosen = Chosen { x, by, held, heat };
    let known = Metric::ALL.iter().find(|metric| metric.name() == measure);
    let subject = Subject {
        title: &manifest.name,
        keys: &sweep.keys,
        measure: &told,
        unit: known.and_then(|metric| unit_of(metric.measure().unit, false)),
        level: manifest.level,
    };
    let picture = draw(&subject, &spots, &chosen)
        .map_err(|wrong| Failure::Input(format!("this cannot be drawn: {wrong}")))?;
    let all = [
        Some(&measure),
        arguments.x.as_ref(),
        arguments.by.as_ref(),
        arguments.unit.as_ref(),
        arguments.heat.as_ref(),
    ];
    let name: Vec<&str> = all.into_iter().flatten().map(|part| &**part).collect();
    let name = format!("plot-{}", name.join("-").replace(['/', '\\'], "-"));
    arguments.output.write(&together::Figure::One(picture), &arguments.folder.join(name))
}

fn read(folder: &Path) -> Result<Results, Failure> {
    let path = folder.join(MANIFEST);
    let nothing = || {
        Failure::Input(format!(
            "{}: no finished sweep is here\nhelp: `gridpact sweep FILE` runs one",
            folder.display()
        ))
    };
    let text = match files::read_regular(&path) {
        Err(wrong) if wrong.error.kind() == std::io::ErrorKind::NotFound => return Err(nothing()),
        text => text?,
    };
    let mut manifest: Manifest = Manifest::read(&text).map_err(|_| nothing())?;
    let Some(sweep) = manifest.sweep.take() else { return Err(nothing()) };
    let keys = sweep.keys.len();
    let columns = ["unit", "measure", "mean", "low", "high"];
    let changes = match manifest.files.contains_key("comparison.csv") {
        true => changes(folder, keys)?,
        false => BTreeMap::new(),
    };
    let mut lines = Vec::new();
    for (values, [unit, measure, mean, low, high]) in table(folder, "figures.csv", keys, columns)? {
        let key = (values, unit, measure);
        let (mean, interval) = ranged([&mean, &low, &high])
            .ok_or_else(|| damaged(&folder.join("figures.csv"), "a figure has no mean"))?;
        let change = changes.get(&key).cloned();
        let (values, unit, measure) = key;
        lines.push(Line { values, unit, measure, mean, interval, change });
    }
    Ok(Results { manifest, sweep, lines })
}

/// A point's values of the keys, a unit and a measure.
type Figure = (Vec<String>, String, String);

/// The differences of `comparison.csv`.
fn changes(folder: &Path, keys: usize) -> Result<BTreeMap<Figure, Change>, Failure> {
    let columns = [
        "run",
        "base_run",
        "unit",
        "measure",
        "difference",
        "low",
        "high",
        "relative",
        "relative_low",
        "relative_high",
    ];
    let rows = table(folder, "comparison.csv", keys, columns)?.into_iter();
    let change = |(values, row): Row<10>| {
        let [_, base, unit, measure, change, low, high, relative, relative_low, relative_high] =
            row;
        let difference = ranged([&change, &low, &high])?;
        let relative = ranged([&relative, &relative_low, &relative_high]);
        Some(((values, unit, measure), Change { base, difference, relative }))
    };
    Ok(rows.filter_map(change).collect())
}

/// The points at which replications end apart, with their means, by the values of the keys.
fn halves(
    folder: &Path,
    keys: usize,
    unit: &str,
    measure: &str,
) -> Result<BTreeMap<Vec<String>, Option<[f64; 2]>>, Failure> {
    let columns = ["replication", "unit", "measure", "value"];
    let mut points: BTreeMap<Vec<String>, Vec<f64>> = BTreeMap::new();
    for (values, [_, of, name, value]) in table(folder, "replications.csv", keys, columns)? {
        if goes_by(&of, unit) && name == measure {
            points.entry(values).or_default().extend(value.parse::<f64>());
        }
    }
    Ok(points.into_iter().map(|(values, all)| (values, mixture::halves(&all))).collect())
}

/// A value and its ends.
fn ranged(texts: [&str; 3]) -> Option<Ranged> {
    let [value, low, high] = texts.map(|text| text.parse::<f64>().ok());
    Some((value?, low.zip(high).map(|(low, high)| Interval { low, high })))
}

fn damaged(path: &Path, wrong: &str) -> Failure {
    Failure::Input(format!("{}: this is not what a sweep writes: {wrong}", path.display()))
}

/// A point's values of the keys, and columns of its line.
type Row<const N: usize> = (Vec<String>, [String; N]);

/// The lines of a file that begin with a point's number and its values of so many keys: these values,
/// and the columns that are asked for, of which the first comes next.
fn table<const N: usize>(
    folder: &Path,
    name: &str,
    keys: usize,
    columns: [&str; N],
) -> Result<Vec<Row<N>>, Failure> {
    let path = folder.join(name);
    let damaged = |what: &str| damaged(&path, what);
    let text = files::read_regular(&path).map_err(|wrong| damaged(&wrong.error.to_string()))?;
    let mut reader = csv::Reader::from_reader(&text[..]);
    let header = reader.headers().map_err(|wrong| damaged(&wrong.to_string()))?.clone();
    if header.iter().skip(keys + 1).take(1).all(|name| name != columns[0]) {
        return Err(damaged("its keys are not those of the manifest"));
    }
    let mut places = [0; N];
    for (place, column) in places.iter_mut().zip(columns) {
        let named = header.iter().skip(keys + 1).position(|name| name == column);
        *place = keys + 1 + named.ok_or_else(|| damaged(&format!("no `{column}`")))?;
    }
    let lines = reader.into_records().map(|record| {
        let record = record.map_err(|wrong| damaged(&wrong.to_string()))?;
        let values = record.iter().take(keys + 1).skip(1).map(str::to_owned).collect();
        Ok((values, places.map(|place| record[place].to_owned())))
    });
    lines.collect()
}
