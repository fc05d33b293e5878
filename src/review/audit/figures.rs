//! Checks the files that every run leaves: `figures.csv` against the values of the replications, and
//! `summary.json` against the tables and the manifest.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::printed::Printed;
use super::table::{Compared, Table};
use audit::Check;
use audit::estimates::{Pooled, Section};
use report::files::Manifest;

/// The measures that are sums over jobs or over time, by their number or length. All others weigh every
/// replication the same.
const RATIOS: [&str; 17] = [
    "flow",
    "wait",
    "slowdown",
    "bounded_slowdown",
    "broken_promises",
    "late",
    "switches",
    "prediction_error",
    "stages",
    "settled_stages",
    "stage_peaks",
    "stage_change",
    "utilization",
    "gain",
    "alone_flow",
    "alone_wait",
    "alone_bounded_slowdown",
];

/// The distributions over jobs, of which quantiles are printed.
pub(super) const DISTRIBUTIONS: [&str; 4] = ["flow", "wait", "slowdown", "bounded_slowdown"];
/// The quantiles, by name and share.
pub(super) const QUANTILES: [(&str, f64); 5] =
    [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999)];

/// Owner of a figure: the leading columns of its line, such as the run, then unit and measure.
type Whose = (String, String, String);

/// A value of a replication, recomputed from records: by replication, unit and measure.
pub(super) type Values = BTreeMap<(u64, String, String), Section>;

/// The columns of a line that stand before the file's own.
pub(super) fn lead(table: &Table, line: usize, own: &str) -> String {
    let before = table.columns().take_while(|column| *column != own);
    before.map(|column| table.text(line, column)).collect::<Vec<_>>().join(",")
}

fn whose(table: &Table, line: usize, own: &str) -> Whose {
    let text = |column| table.text(line, column).to_owned();
    (lead(table, line, own), text("unit"), text("measure"))
}

/// True for a quantile over jobs, such as `flow_p99.9`.
pub(super) fn is_quantile(measure: &str) -> bool {
    QUANTILES.iter().any(|(name, _)| measure.strip_suffix(name).is_some_and(|it| it.ends_with('_')))
}

/// Checks every figure that is a mean over replications. Where the values of a unit's replications are
/// not in the files, they are those that the records give.
pub(super) fn figures(printed: &Printed, manifest: &Manifest, records: &Values) -> Option<Check> {
    let means =
        "figures.csv has the means over the values of replications.csv, and their intervals";
    let mut check = Compared::new("printed figures", means, "by the replications");
    let (figures, values) = (printed.table("figures.csv")?, printed.table("replications.csv")?);
    let mut all: BTreeMap<Whose, Vec<Section>> = BTreeMap::new();
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    let mut before = BTreeSet::new();
    for line in 0..values.len() {
        let whose = whose(values, line, "replication");
        let number = values.number(line, "replication").unwrap_or(-1.0);
        let [value, weight] = ["value", "weight"].map(|column| values.number(line, column));
        let (value, weight) = (value.unwrap_or(f64::NAN), weight.unwrap_or(f64::NAN));
        if !RATIOS.contains(&&*whose.2) && whose.2 != "flow_alone" {
            check.same((values, line), "weight", "1");
        }
        let end = ends.entry(whose.0.clone()).or_default();
        let is_one_run = whose.0.is_empty();
        let is_too_large = is_one_run && number >= f64::from(manifest.replications);
        let is_next = number >= 0.0 && number.fract() == 0.0 && number as u64 + 1 >= *end;
        let is_new = before.insert((whose.clone(), number as u64));
        check.judge((values, line), "replication", is_next && is_new && !is_too_large, || {
            "another number".to_owned()
        });
        *end = (*end).max(number as u64 + 1);
        values.see_line(line, &["unit", "measure", "value"]);
        all.entry(whose).or_default().push(Section { sum: value * weight, weight });
    }
    if manifest.runs.is_empty() {
        ends.insert(String::new(), manifest.replications.into());
    }
    let told: BTreeSet<String> = all.keys().map(|whose| whose.1.clone()).collect();
    for ((_, unit, measure), section) in records {
        if !told.contains(unit) && section.weight > 0.0 {
            let whose = (String::new(), unit.clone(), measure.clone());
            all.entry(whose).or_default().push(*section);
        }
    }
    let units: BTreeSet<(&str, &str)> = all.keys().map(|whose| (&*whose.0, &*whose.1)).collect();
    let alike = |whose: &Whose| {
        let flow = all.get(&(whose.0.clone(), whose.1.clone(), "flow".to_owned()));
        flow.and_then(|flow| Pooled::of(flow, 0, 0.95)).is_some_and(|flow| flow.is_alike)
    };
    let mut found = BTreeSet::new();
    for line in 0..figures.len() {
        let whose = whose(figures, line, "unit");
        let (at, is_kept) = ((figures, line), units.contains(&(&*whose.0, &*whose.1)));
        if is_quantile(&whose.2) || !is_kept {
            continue;
        }
        let replications = ends.get(&whose.0).copied().unwrap_or_default();
        let sections = all.get(&whose).map_or(&[][..], |sections| &sections[..]);
        let pooled = Pooled::of(sections, replications, manifest.level.share());
        if pooled.is_none() && whose.0.is_empty() && !told.contains(&whose.1) {
            continue;
        }
        figures.see_line(line, &["unit", "measure"]);
        let Some(pooled) = pooled else {
            check.judge(at, "mean", false, || "empty".to_owned());
            continue;
        };
        check.near(at, "mean", Some(pooled.mean), 1e-9 * pooled.scale);
        match figures.text(line, "method") {
            // Batches of one run are not in the files.
            "batch_means" | "round_means" if replications == 1 => {}
            method => {
                // Agreement between replications of given jobs says nothing about precision.
                let is_given = method == "none" && (pooled.is_alike || alike(&whose));
                let ends = pooled.ends_of(&whose.2).filter(|_| !is_given);
                check.same(at, "method", if ends.is_some() { "replications" } else { "none" });
                check.close(at, "n", Some(pooled.filled as f64));
                let error = 1e-6 * pooled.scale;
                check.near(at, "low", ends.map(|ends| ends[0]), error);
                check.near(at, "high", ends.map(|ends| ends[1]), error);
            }
        }
        found.insert(whose);
    }
    for whose in all.keys().filter(|whose| !found.contains(whose)) {
        let (lead, unit, measure) = whose;
        check.wrong(format!("figures.csv has no {measure} of {unit} {lead}"));
    }
    see_leads(figures, "unit");
    see_leads(values, "replication");
    Some(check.check)
}

/// The leading columns are part of what a figure is of.
fn see_leads(table: &Table, own: &str) {
    let columns: Vec<&str> = table.columns().take_while(|column| *column != own).collect();
    table.see_all(&columns);
}

/// Checks the values of replications against those that the records give.
pub(super) fn values(printed: &Printed, found: &Values) -> Option<Check> {
    let means = "replications.csv has the figures of the records of each replication";
    let mut check = Compared::new("replications", means, "by the records");
    let table = printed.table("replications.csv").filter(|_| !found.is_empty())?;
    let (mut told, mut units) = (BTreeSet::new(), BTreeSet::new());
    for line in 0..table.len() {
        let (_, unit, measure) = whose(table, line, "replication");
        units.insert(unit.clone());
        let number = table.number(line, "replication").unwrap_or_default() as u64;
        let key = (number, unit, measure);
        if let Some(section) = found.get(&key) {
            let value = section.sum / section.weight;
            check.near((table, line), "value", Some(value), 1e-9 * value.abs() + 1e-15);
            check.close((table, line), "weight", Some(section.weight));
        }
        told.insert(key);
    }
    for (key, _) in found.iter().filter(|(_, section)| section.weight > 0.0) {
        let (number, unit, measure) = key;
        if units.contains(unit) && !told.contains(key) {
            check.wrong(format!("there is no {measure} of {unit} in replication {number}"));
        }
    }
    Some(check.check)
}

/// The lines of `figures.csv` of a single run, by unit and measure.
pub(super) fn places(figures: &Table) -> FxHashMap<(&str, &str), usize> {
    let key = |line| (figures.text(line, "unit"), figures.text(line, "measure"));
    (0..figures.len()).map(|line| (key(line), line)).collect()
}

/// Checks that columns of a table are the figures of its units: `columns` gives for a column the
/// measure, and the column of `figures.csv`.
pub(super) fn copies(
    check: &mut Compared,
    printed: &Printed,
    table: &Table,
    columns: impl Fn(&str) -> Option<(String, &'static str)>,
) {
    let Some(figures) = printed.table("figures.csv") else { return };
    let places = places(figures);
    let first = table.columns().next().unwrap_or_default();
    let names = table.columns().skip(1);
    let names: Vec<(&str, String, &str)> = names
        .filter_map(|column| columns(column).map(|(measure, of)| (column, measure, of)))
        .collect();
    for line in 0..table.len() {
        let unit = table.text(line, first);
        for (column, measure, of) in &names {
            let found = places.get(&(unit, &**measure));
            match found.map(|&line| figures.text(line, of)) {
                Some(found) if found == table.text(line, column) => {
                    check.judge((table, line), column, true, String::new);
                }
                found => {
                    let found = found.and_then(|found| found.parse().ok());
                    check.close((table, line), column, found);
                }
            }
            if let Some(&line) = found.filter(|_| is_quantile(measure)) {
                figures.see_line(line, &["unit", "measure"]);
            }
        }
    }
}

/// A column such as `flow_mean_low` or `score_low` as a measure and a column of `figures.csv`.
pub(super) fn figure_of(column: &str) -> (String, &'static str) {
    let (rest, of) = match column.rsplit_once('_') {
        Some((rest, "low")) => (rest, "low"),
        Some((rest, "high")) => (rest, "high"),
        _ => (column, "mean"),
    };
    (rest.strip_suffix("_mean").unwrap_or(rest).to_owned(), of)
}

/// Checks that the summary says what the tables and the manifest say.
pub(super) fn summary(printed: &Printed, manifest: &Manifest) -> Check {
    let means = "summary.json says what the tables and the manifest say";
    let mut check = Compared::new("summary", means, "in the other files");
    for (path, found) in [
        ("format", manifest.format.to_string()),
        ("world", manifest.world.clone()),
        ("name", manifest.name.clone()),
        ("seed", manifest.seed.to_string()),
        ("replications", manifest.replications.to_string()),
        ("level", manifest.level.share().to_string()),
    ] {
        printed.compare(&mut check, path, &found);
    }
    let paths: Vec<&str> = printed.paths().collect();
    let figures = printed.table("figures.csv");
    let places = figures.map(places).unwrap_or_default();
    let mut entries: BTreeMap<&str, usize> = BTreeMap::new();
    for path in &paths {
        let Some((list, (place, column))) = entry(path) else { continue };
        let count = entries.entry(list).or_default();
        *count = (*count).max(place + 1);
        let Some(table) = printed.table(&format!("{list}.csv")) else { continue };
        let line = match list {
            // Of many organizations the summary has not all lines.
            "figures" => {
                let key = ["unit", "measure"].map(|key| format!("{list}[{place}].{key}"));
                places.get(&(printed.text(&key[0]), printed.text(&key[1]))).copied()
            }
            _ => Some(place),
        };
        if table.has(column) {
            let line = line.filter(|&line| line < table.len());
            printed.compare(&mut check, path, line.map_or("?", |line| table.text(line, column)));
        }
    }
    for (list, count) in entries {
        let table = printed.table(&format!("{list}.csv")).filter(|_| list != "figures");
        if let Some(lines) = table.map(Table::len).filter(|&lines| lines != count) {
            check.wrong(format!("summary.json has {count} {list}, and {list}.csv {lines} lines"));
        }
    }
    check.check
}

/// The list, the place in it and the key of a path such as `figures[3].mean`.
fn entry(path: &str) -> Option<(&str, (usize, &str))> {
    let (list, rest) = path.split_once('[')?;
    let (place, key) = rest.split_once("].")?;
    Some((list, (place.parse().ok()?, key)))
}
