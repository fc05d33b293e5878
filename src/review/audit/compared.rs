//! Checks a comparison and a sweep: differences against the figures of the runs, points against the
//! manifest.

use std::collections::{BTreeMap, BTreeSet};

use super::figures::lead;
use super::printed::Printed;
use super::table::{Compared, Table};
use audit::Check;
use report::files::Manifest;

/// Checks the files of several runs.
pub(super) fn audit(printed: &Printed, manifest: &Manifest) -> Vec<Check> {
    let mut checks = vec![leads(printed, manifest)];
    checks.extend(points(printed, manifest));
    checks.extend(differences(printed, manifest));
    checks
}

/// The leading columns of every line: the name of a run, or a point with its keys.
fn known(printed: &Printed, manifest: &Manifest) -> BTreeSet<String> {
    match printed.table("points.csv") {
        Some(table) => (0..table.len()).map(|line| lead(table, line, "replications")).collect(),
        None => manifest.runs.iter().map(|run| run.name.clone()).collect(),
    }
}

fn leads(printed: &Printed, manifest: &Manifest) -> Check {
    let means = "the lines of figures.csv and replications.csv are those of the runs";
    let mut check = Compared::new("runs", means, "by the manifest");
    let known = known(printed, manifest);
    for (file, own) in [("figures.csv", "unit"), ("replications.csv", "replication")] {
        let Some(table) = printed.table(file) else { continue };
        let mut found = BTreeSet::new();
        for line in 0..table.len() {
            let lead = lead(table, line, own);
            let is_known = known.contains(&lead);
            check.judge(
                (table, line),
                table.columns().next().unwrap_or_default(),
                is_known,
                || "none of the runs".to_owned(),
            );
            found.insert(lead);
        }
        let columns: Vec<&str> = table.columns().take_while(|column| *column != own).collect();
        table.see_all(&columns);
        for lead in known.difference(&found) {
            check.wrong(format!("{file} has no line of {lead}"));
        }
    }
    check.check
}

fn points(printed: &Printed, manifest: &Manifest) -> Option<Check> {
    let means = "the points are those of the manifest, with as many replications as have values";
    let mut check = Compared::new("points", means, "by the manifest and replications.csv");
    let (table, sweep) = (printed.table("points.csv")?, manifest.sweep.as_ref()?);
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    if let Some(values) = printed.table("replications.csv") {
        for line in 0..values.len() {
            let number = values.number(line, "replication").unwrap_or_default() + 1.0;
            let count = counts.entry(lead(values, line, "replication")).or_default();
            *count = count.max(number);
        }
    }
    for line in 0..table.len() {
        let at = (table, line);
        check.same(at, "point", &line.to_string());
        check.close(at, "replications", counts.get(&lead(table, line, "replications")).copied());
        let Some(run) = manifest.runs.get(line) else { continue };
        check.same(at, "scenario_digest", &run.scenario_digest);
        for (key, column) in sweep.keys.iter().zip(table.columns().skip(1)) {
            let change = run.changes.iter().find_map(|one| one.strip_prefix(&*key.name));
            let Some(value) = change.and_then(|rest| rest.strip_prefix('=')) else { continue };
            let told = table.text(line, column);
            let is_right = value.trim_matches('"') == told
                || value.parse::<f64>().is_ok_and(|value| told.parse() == Ok(value));
            check.judge(at, column, is_right, || value.to_owned());
        }
    }
    if table.len() != manifest.runs.len() {
        check.wrong(format!("there are {} points, not {}", manifest.runs.len(), table.len()));
    }
    Some(check.check)
}

/// The figures of all runs: by the values of the leading columns, unit and measure.
type Figures<'a> = BTreeMap<(String, &'a str, &'a str), f64>;

fn differences(printed: &Printed, manifest: &Manifest) -> Option<Check> {
    let means = "the differences of comparison.csv are those of the figures of its runs";
    let mut check = Compared::new("differences", means, "by figures.csv");
    let (table, figures) = (printed.table("comparison.csv")?, printed.table("figures.csv")?);
    let mut all = Figures::new();
    for line in 0..figures.len() {
        let lead = without_point(lead(figures, line, "unit"), manifest);
        let [unit, measure] = ["unit", "measure"].map(|column| figures.text(line, column));
        all.extend(figures.number(line, "mean").map(|mean| ((lead, unit, measure), mean)));
    }
    let (mut before, known) = (BTreeSet::new(), known(printed, manifest));
    for line in 0..table.len() {
        let at = (table, line);
        let text = |column| table.text(line, column);
        let [run, base_run] = sides(table, line, manifest);
        let of = |lead: &str| all.get(&(lead.to_owned(), text("unit"), text("measure"))).copied();
        let (figure, base) = (of(&run), of(&base_run));
        check.close(at, "figure", figure);
        check.close(at, "base", base);
        let (figure, base) = (figure.unwrap_or(f64::NAN), base.unwrap_or(f64::NAN));
        let scale = 1e-9 * figure.abs().max(base.abs());
        check.near(at, "difference", Some(figure - base), scale);
        let relative = (figure > 0.0 && base > 0.0).then(|| figure / base - 1.0);
        check.near(at, "relative", relative, relative.map_or(0.0, |it| 1e-9 * (1.0 + it.abs())));
        // Its key is right if the figures that it leads to are, and are told once.
        let whole = lead(table, line, "figure");
        check.judge(at, "unit", before.insert(whole), || "told twice".to_owned());
        table.see_line(line, &["run", "base_run", "measure"]);
        if manifest.sweep.is_some() {
            let keys: Vec<&str> = table.columns().take_while(|column| *column != "run").collect();
            let is_known = known.contains(&lead(table, line, "run"));
            check.judge(at, keys[0], is_known, || "no point".to_owned());
            table.see_line(line, &keys);
        }
    }
    Some(check.check)
}

/// The keys of a point without its number.
fn without_point(lead: String, manifest: &Manifest) -> String {
    match manifest.sweep {
        Some(_) => lead.split_once(',').map_or(String::new(), |(_, keys)| keys.to_owned()),
        None => lead,
    }
}

/// The runs of a line of `comparison.csv`: of a sweep its point, and the one with the base's value of
/// the key that is compared.
fn sides(table: &Table, line: usize, manifest: &Manifest) -> [String; 2] {
    let [run, base] = ["run", "base_run"].map(|column| table.text(line, column));
    if manifest.sweep.is_none() {
        return [run.to_owned(), base.to_owned()];
    }
    let keys = without_point(lead(table, line, "run"), manifest);
    let is_it = |key: &str| key == run;
    let based = keys.split(',').map(|key| if is_it(key) { base } else { key });
    [keys.clone(), based.collect::<Vec<_>>().join(",")]
}
