//! Faults planted in every file of every world's results, with digests recomputed: an audit sees each,
//! or names its place as unchecked.
//!
//! `GRIDPACT_FAULTS=200` plants so many instead of the few of every day.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use gridpact::kernel::rng::{Rng, Streams};
use gridpact::review::audit;
use rand::Rng as _;
use serde_json::Value;

/// Few enough to be quick, and at least one in each file.
const EVERY_DAY: usize = 80;

const GRID: &str = r#"
name = "grid"
run.replications = 6
output = { decisions = true, alone = true, windows = 100.0, welch = true, warm_up.fixed = 30.0 }
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { jobs = 90, arrivals.poisson.rate = 0.3, size.exponential.mean = 5.0, processors.uniform = { min = 1, max = 3 } }
[[organization]]
name = "b"
cluster.space_shared = { processors = 4, scheduler.fcfs = {} }
workload.synthetic = { jobs = 90, arrivals.poisson.rate = 0.25, size.exponential.mean = 5.0, processors.uniform = { min = 1, max = 3 } }
"#;

const PLANNER: &str = r#"
name = "planner"
planner.ilba = {}
run.replications = 3
output = { plans = true, histograms = false }
[[organization]]
name = "a"
cluster.space_shared = { processors = 4 }
workload.synthetic = { jobs = 9, arrivals.poisson.rate = 0.3, size.exponential.mean = 5.0, processors.uniform = { min = 1, max = 3 } }
[[organization]]
name = "b"
cluster.space_shared = { processors = 5 }
workload.synthetic = { jobs = 9, arrivals.poisson.rate = 0.3, size.exponential.mean = 9.0, processors.uniform = { min = 1, max = 4 } }
"#;

const COALITION: &str = r#"
name = "coalition"
run = { until.rounds = 44, replications = 4 }
coalition = { period = 100.0, balancer.bilb = {} }
output = { jobs = true, moves = true }
[[organization]]
name = "typical"
count = 3
cluster.time_shared = {}
learner.ratio = { initial = 0.5, rate = 0.1 }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.gamma = { shape = 2.0, scale = 2.0 } }
[[organization]]
name = "big"
cluster.time_shared = {}
learner.hedge = {}
workload.synthetic = { arrivals.poisson.rate = 0.24, size.gamma = { shape = 2.0, scale = 2.0 } }
"#;

const FEDERATION: &str = r#"
name = "federation"
run = { until.rounds = 12, replications = 3 }
coalition = { period = 200.0, score = "wait", cost = { job = 1.5, delay = 2.0, round = 0.05 } }
grid_scheduler.best_fit = {}
[[organization]]
name = "large"
cluster.space_shared = { processors = 16, scheduler.easy = {}, share = 12 }
learner.ratio = { initial = 0.5, rate = 0.1, level = 90.0 }
workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 10.0, processors.uniform = { min = 1, max = 8 } }
[[organization]]
name = "small"
count = 2
cluster.space_shared = { processors = 8, scheduler.conservative = {} }
learner.fixed.probability = 0.7
workload.synthetic = { arrivals.poisson.rate = 0.1, size.exponential.mean = 10.0, processors.uniform = { min = 1, max = 8 } }
"#;

const CAMPAIGN: &str = r#"
name = "campaign"
task_planner.sufferage = {}
run.replications = 4
[[organization]]
name = "lab"
count = 3
cluster.site = { processors = 16 }
[workload.applications]
count = 6
classes.constant = 3
tasks.uniform = { min = 20, max = 60 }
times.braun = { tasks = 10, machines = 10, kind = "inconsistent" }
owners.uniform = {}
error = 0.3
arrivals.poisson.rate = 0.01
"#;

/// A campaign whose planner plays games, as a fluid.
const STAGES: &str = r#"
name = "stages"
task_planner.game_quick = {}
task_planning.executor = "fluid"
run.replications = 2
[[organization]]
name = "lab"
count = 3
cluster.site = { processors = 16 }
[workload.applications]
count = 2
classes.constant = 3
tasks.uniform = { min = 20, max = 60 }
times.braun = { tasks = 10, machines = 10, kind = "inconsistent" }
owners.uniform = {}
arrivals.poisson.rate = 0.01
"#;

const GAME: &str = r#"
name = "game"
run = { until.rounds = 60, replications = 5 }
[game]
actions = ["stag", "hare"]
payoffs.symmetric = [[4.0, 0.0], [3.0, 2.0]]
[[player]]
name = "hunter"
count = 2
learner.cross = { rate = 0.1, initial = 0.5 }
"#;

const DYNAMICS: &str = r#"
name = "dynamics"
[game]
actions = ["rock", "paper", "scissors"]
payoffs.symmetric = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
[dynamics.replicator]
from = [[0.6, 0.3, 0.1]]
until = 5.0
"#;

const SWEEP: &str = "
[sweep.grid]
scheduler = [\"easy\", \"fcfs\"]
run.replications = [3, 4]
";

/// Commands and scenarios that make the results of each world.
pub const WORLDS: [(&str, &[&str], &str); 10] = [
    ("run", &[], GRID),
    ("run", &[], PLANNER),
    ("run", &[], COALITION),
    ("run", &[], FEDERATION),
    ("run", &[], CAMPAIGN),
    ("game", &[], GAME),
    ("game", &[], DYNAMICS),
    ("compare", &["--vary", "scheduler=easy,fcfs"], GRID),
    ("sweep", &[], SWEEP),
    ("run", &[], STAGES),
];

/// A folder with the results of each world, by its number.
pub fn worlds() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    for (at, (command, words, scenario)) in WORLDS.iter().enumerate() {
        let text =
            if *command == "sweep" { format!("{GRID}{scenario}") } else { scenario.to_string() };
        let folder = home.path().join(at.to_string());
        let path = home.path().join("s.toml");
        fs::write(&path, text).unwrap();
        let mut program = Command::from_std(crate::cli::support::program());
        program.arg(command).arg(&path).args(*words).arg("--quiet").arg("--out").arg(&folder);
        program.assert().success();
    }
    home
}

fn below(rng: &mut Rng, most: usize) -> usize {
    (rng.next_u64() % most as u64) as usize
}

/// Another word for one in a file: a number a hundredth away, or anything else for a text.
fn other(rng: &mut Rng, text: &str) -> String {
    if !text.is_empty() && below(rng, 8) == 0 {
        return String::new();
    }
    match text.parse::<f64>() {
        Ok(number) if !text.contains(['.', 'e']) => format!("{}", number + 1.0),
        Ok(number) => {
            let digits = text.split('.').nth(1).map_or(0, str::len);
            let near = format!("{:.digits$}", number * 1.01);
            if near == text { format!("{:.digits$}", number + 1.0) } else { near }
        }
        Err(_) if text.is_empty() => "1".to_owned(),
        Err(_) => format!("{text}x"),
    }
}

/// A place in a file: which part of it, and the line in a table.
struct Place {
    file: String,
    part: String,
    line: u64,
    was: String,
    is: String,
}

/// Changes one cell of a table.
fn in_table(rng: &mut Rng, file: &str, bytes: &[u8]) -> Option<(Place, Vec<u8>)> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    let mut rows: Vec<Vec<String>> =
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    if rows.len() < 2 {
        return None;
    }
    let (row, column) = (1 + below(rng, rows.len() - 1), below(rng, rows[0].len()));
    let was = rows[row][column].clone();
    let is = match below(rng, 2) {
        // Another word of the column, where words are few.
        0 if was.parse::<f64>().is_err() && !was.is_empty() => {
            let others: Vec<&String> =
                rows[1..].iter().map(|row| &row[column]).filter(|one| **one != was).collect();
            match others.is_empty() {
                true => other(rng, &was),
                false => others[below(rng, others.len())].clone(),
            }
        }
        _ => other(rng, &was),
    };
    let part = rows[0][column].clone();
    rows[row][column] = is.clone();
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().for_each(|row| writer.write_record(row).unwrap());
    let place = Place { file: file.to_owned(), part, line: row as u64 + 1, was, is };
    Some((place, writer.into_inner().unwrap()))
}

/// The leaves of a JSON value, with the paths to them; `[]` stands for any place in a list.
fn leaves(value: &mut Value, path: &str, visit: &mut impl FnMut(&str, &mut Value)) {
    match value {
        Value::Object(keys) => keys.iter_mut().for_each(|(key, value)| {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            leaves(value, &path, visit);
        }),
        Value::Array(values) => {
            values.iter_mut().for_each(|value| leaves(value, &format!("{path}[]"), visit));
        }
        leaf => visit(path, leaf),
    }
}

/// Changes one leaf of a JSON file: first any key, so that long lists do not draw all faults.
fn in_json(rng: &mut Rng, file: &str, bytes: &[u8]) -> Option<(Place, Vec<u8>)> {
    let mut value: Value = serde_json::from_slice(bytes).unwrap();
    let mut paths: Vec<String> = Vec::new();
    leaves(&mut value, "", &mut |path, _| paths.push(path.to_owned()));
    let mut keys = paths.clone();
    keys.sort();
    keys.dedup();
    let part = keys[below(rng, keys.len())].clone();
    let of_it = paths.iter().filter(|path| **path == part).count();
    let (chosen, mut count) = (below(rng, of_it), 0);
    let (mut was, mut is) = (String::new(), String::new());
    leaves(&mut value, "", &mut |path, leaf| {
        if path != part {
            return;
        }
        if count == chosen {
            was = leaf.to_string();
            *leaf = match &*leaf {
                Value::Null => Value::from(1),
                Value::Bool(yes) => Value::from(!yes),
                Value::Number(_) => serde_json::from_str(&other(rng, &was)).unwrap_or(Value::Null),
                leaf => Value::from(other(rng, leaf.as_str().unwrap_or_default())),
            };
            is = leaf.to_string();
        }
        count += 1;
    });
    let place = Place { file: file.to_owned(), part, line: 0, was, is };
    Some((place, serde_json::to_vec_pretty(&value).unwrap()))
}

/// Changes a digit of any other file.
fn in_text(rng: &mut Rng, file: &str, bytes: &[u8]) -> Option<(Place, Vec<u8>)> {
    let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
    let at = *digits.get(below(rng, digits.len().max(1)))?;
    let mut bytes = bytes.to_vec();
    bytes[at] = b'0' + (bytes[at] - b'0' + 1) % 10;
    let [was, is] = ["a digit", "another"].map(str::to_owned);
    Some((Place { file: file.to_owned(), part: String::new(), line: 0, was, is }, bytes))
}

/// Plants a fault in a file, so that its digest is right.
fn planted(rng: &mut Rng, folder: &Path, file: &str) -> Option<Place> {
    let bytes = fs::read(folder.join(file)).unwrap();
    let (place, changed) = match file.rsplit('.').next() {
        Some("csv") => in_table(rng, file, &bytes)?,
        Some("json") => in_json(rng, file, &bytes)?,
        _ => in_text(rng, file, &bytes)?,
    };
    if place.was == place.is || changed == bytes {
        return None;
    }
    fs::write(folder.join(file), &changed).unwrap();
    let path = folder.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    if let Some(digest) = manifest["files"].get_mut(file) {
        *digest = blake3::hash(&changed).to_hex().as_str().into();
        fs::write(&path, serde_json::to_vec_pretty(&manifest).unwrap()).unwrap();
    }
    Some(place)
}

#[test]
fn planted_faults_are_seen_or_their_place_is_named() {
    let count = std::env::var("GRIDPACT_FAULTS").ok().and_then(|count| count.parse().ok());
    let count: usize = count.unwrap_or(EVERY_DAY);
    let home = worlds();
    let mut places: Vec<(usize, String)> = Vec::new();
    for at in 0..WORLDS.len() {
        let folder = home.path().join(at.to_string());
        let audited = audit::audit(&folder).unwrap();
        assert!(audited.passed(), "{}", audited.report);
        let mut files: Vec<String> = audited.manifest.files.keys().cloned().collect();
        files.extend(["manifest.json", "timing.json"].map(str::to_owned));
        places.extend(files.into_iter().map(|file| (at, file)));
    }
    let rng = &mut Streams::new(41).stream("planted faults");
    let (mut seen, mut named, mut missed) = (0, 0, Vec::new());
    for number in 0.. {
        if seen + named + missed.len() >= count {
            break;
        }
        let (world, file) = &places[number % places.len()];
        let folder = home.path().join(world.to_string());
        let files = [file.as_str(), "manifest.json"].map(|name| folder.join(name));
        let before = files.each_ref().map(|path| fs::read(path).unwrap());
        let Some(place) = planted(rng, &folder, file) else { continue };
        let audited = audit::audit(&folder);
        files.iter().zip(before).for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
        let Ok(audited) = audited.map(|audited| (audited.passed(), audited.unchecked)) else {
            seen += 1;
            continue;
        };
        let is_named = |one: &audit::Unchecked| one.names(&place.file, &place.part, place.line);
        match audited {
            (false, _) => seen += 1,
            (true, unchecked) if unchecked.iter().any(is_named) => named += 1,
            _ => missed.push(format!(
                "{}: {} {}, line {}: {} for {}",
                WORLDS[*world].0, place.file, place.part, place.line, place.is, place.was
            )),
        }
    }
    eprintln!("{count} faults in {} files: {seen} seen, {named} named", places.len());
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}
