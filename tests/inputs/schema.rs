//! The JSON Schema of scenarios says what the reader says: editors flag what would be refused, and
//! nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gridpact::scenario::files::Files;
use gridpact::scenario::resolve::resolve;
use gridpact::scenario::root::Root;
use gridpact::scenario::schema::{schema, schema_of};
use gridpact::scenario::{raw, tree};
use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind;
use toml::{Table, Value};

mod bounds;
mod games;

/// Choices that the gallery does not show: every other one, and the bare names of choices.
const OTHERS: [&str; 5] = [
    r#"
        name = "others"
        run = { until = "drained", clairvoyance.predicted = {}, phase_order = "per_event" }
        output = { jobs = false, cool_down = 1, warm_up.mser_5 = {}, tau = 5.5 }
        [[organization]]
        name = "a"
        count = 2
        cluster.space_shared = { processors = 8, scheduler = "list", kill_at_estimate = true }
        workload.synthetic = { arrivals.poisson.rate = 1, size.exponential.mean = 2, jobs = 3 }
        [[organization]]
        name = "b"
        cluster = "time_shared"
    "#,
    r#"
        name = "owners"
        run.until.time = 12
        organization = [{ name = "c", cluster.space_shared = { processors = "trace", scheduler.fcfs = {} } }]
        [workload.swf]
        partitions = { -1 = "c" }
        file = "traces/KTH-SP2-1996-2.1-cln.swf.gz"
        owners.balanced.parts = 3
        import = { unsorted = "clamp", users = [1, 2, 3], queues = [-1], shift_to_zero = false }
    "#,
    r#"
        name = "listed"
        [[organization]]
        name = "c"
        cluster.space_shared = { processors = 4, scheduler.conservative = {} }
        workload.jobs.file = "jobs.csv"
    "#,
    r#"
        name = "drawn"
        [[organization]]
        name = "a"
        cluster.space_shared = { processors = 64, scheduler.fcfs = {} }
        [organization.workload.synthetic]
        arrivals.hyperexponential.branches = [{ probability = 0.5, rate = 2 }, { probability = 0.5, rate = 1 }]
        batches.uniform = { min = 1, max = 4 }
        size.hyper_gamma = { probability = 0.5, first = { shape = 2, scale = 1.5 }, second = { shape = 9, scale = 2 } }
        processors.log_uniform = { min = 1, max = 64 }
        estimates.none = {}
        rounding.arrivals = "nearest"
        jobs = 3
        [[organization]]
        name = "b"
        [organization.workload.synthetic]
        arrivals.weibull = { shape = 0.5, scale = 1 }
        batches.geometric.mean = 1.5
        size.hyperexponential.branches = [{ probability = 0.5, mean = 2 }, { probability = 0.5, mean = 1 }]
        processors.uniform = { min = 1, max = 4 }
        profile.daily = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2.5]
        jobs = 3
    "#,
    r#"
        name = "drawn again"
        [[organization]]
        name = "a"
        cluster.space_shared = { processors = 64, scheduler.fcfs = {} }
        workload.synthetic = { arrivals.deterministic.interval = 2, size.bounded_pareto = { shape = 1, min = 1, max = 9 }, batches.constant = 2, jobs = 3 }
        [[organization]]
        name = "b"
        workload.synthetic = { arrivals.poisson.rate = 2, size.uniform = { min = 1, max = 9 }, estimates.exact = {}, jobs = 3 }
        [[organization]]
        name = "c"
        workload.synthetic = { arrivals.poisson.rate = 2, size.weibull = { shape = 1, scale = 9 }, jobs = 3 }
        [[organization]]
        name = "d"
        workload.synthetic = { arrivals.poisson.rate = 2, size.constant = 9, jobs = 3 }
        [[organization]]
        name = "e"
        workload.synthetic = { arrivals.poisson.rate = 2, size.gamma = { shape = 2, scale = 3 }, jobs = 3 }
    "#,
];

fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The files of scenarios of grids or of games in some folders, with their texts.
fn files(folders: &[&str], of: Root) -> BTreeMap<String, String> {
    let files = folders.iter().flat_map(|folder| fs::read_dir(project(folder)).unwrap());
    let files = files.map(|entry| entry.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
    let texts = files.map(|file| (file.display().to_string(), fs::read_to_string(file).unwrap()));
    let is_game = |text: &str| toml::from_str::<Table>(text).unwrap().contains_key("game");
    texts.filter(|(_, text)| is_game(text) == (of == Root::Game)).collect()
}

/// The gallery of grids, and what `gridpact new` writes, by file.
fn gallery() -> BTreeMap<String, String> {
    files(&["scenarios", "src/cli/new"], Root::Grid)
}

fn validator() -> Validator {
    jsonschema::draft202012::new(&schema()).expect("the schema is one")
}

/// A scenario as editors see it. What JSON cannot say (not a number) becomes null.
fn json(text: &str) -> serde_json::Value {
    serde_json::to_value(toml::from_str::<Table>(text).expect("it is TOML")).unwrap()
}

/// Errors of a scenario by the schema.
fn complaints(validator: &Validator, text: &str) -> Vec<String> {
    let json = json(text);
    validator.iter_errors(&json).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

#[test]
fn it_is_a_schema_whose_texts_are_for_people() {
    assert!(jsonschema::meta::is_valid(&schema()));
    let text = schema().to_string();
    for wrong in ["](", "[`", "\"description\":\"\"", "\"format\"", "null", "$ref"] {
        assert!(!text.contains(wrong), "{wrong}");
    }
}

#[test]
fn every_scenario_of_the_gallery_is_valid() {
    let validator = validator();
    for (name, text) in gallery() {
        assert_eq!(complaints(&validator, &text), [""; 0], "{name}");
    }
}

#[test]
fn every_game_of_the_gallery_is_valid() {
    let schema = schema_of(Root::Game);
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is one");
    let games = files(&["scenarios/games", "src/cli/new"], Root::Game);
    assert!(games.len() > 5, "{:?}", games.keys());
    for (name, text) in games {
        assert_eq!(complaints(&validator, &text), [""; 0], "{name}");
    }
}

/// The lines of a scenario, and what they are wrong by.
#[test]
fn wrong_scenarios_are_invalid() {
    const CLUSTER: &str = "cluster.space_shared = { processors = 4, scheduler.easy = {} }";
    let organization =
        |lines: &str| format!("name = \"a\"\n[[organization]]\nname = \"b\"\n{lines}");
    let shared = |inside: &str| organization(&format!("cluster.space_shared = {{ {inside} }}"));
    let drawn = |rate: &str, mean: &str| {
        let lines = format!("arrivals.poisson.rate = {rate}, size.exponential.mean = {mean}");
        organization(&format!("{CLUSTER}\nworkload.synthetic = {{ {lines}, jobs = 2 }}"))
    };
    let validator = validator();
    let check = |text: &str, at: &str, part: &str| {
        let found = complaints(&validator, text);
        let expected = |one: &String| one.starts_with(&format!("{at}: ")) && one.contains(part);
        assert!(found.iter().any(expected), "{text}\n{found:#?}");
        assert!(reads(text).is_none() || !resolves(text), "{text}\nis taken by the reader");
    };
    check("seed = 1", "", "\"name\" is a required property");
    check("name = \"a\"\norganizations = []", "", "'organizations' was unexpected");
    check("name = 3", "/name", "not of type \"string\"");
    check("name = \"a\"\nseed = -1", "/seed", "less than the minimum of 0");
    check("name = \"a\"\nseed = 1.5", "/seed", "not of type \"integer\"");
    check("name = \"a\"\nrun.replications = 0", "/run/replications", "minimum of 1");
    check("name = \"a\"\nrun.until = {}", "/run/until", "less than 1 property");
    check("name = \"a\"\nrun.until = { jobs = 1, time = 2 }", "/run/until", "more than 1 property");
    check("name = \"a\"\nrun.until = \"jobs\"", "/run/until", "oneOf");
    check("name = \"a\"\nrun.until.time = 0.0", "/run/until/time", "minimum of 0");
    check("name = \"a\"\nrun.until.time = nan", "/run/until/time", "not of type \"number\"");
    check("name = \"a\"\nrun.clairvoyance = \"estimates\"", "/run/clairvoyance", "oneOf");
    check("name = \"a\"\nrun.clairvoyance.none.of = 1", "/run/clairvoyance/none", "not allow 1");
    check("name = \"a\"\n[organization]\nname = \"b\"", "/organization", "\"array\"");
    check("name = \"a\"\n[[organization]]", "/organization/0", "\"name\" is a required");
    check(&organization(CLUSTER).replace("= 4", "= 0"), CLUSTER_AT, "minimum of 1");
    check(&organization(CLUSTER).replace("= 4", "= \"4\""), CLUSTER_AT, "^trace$");
    check(&organization(CLUSTER).replace("= 4", "= true"), CLUSTER_AT, "\"integer\"");
    check(&organization(CLUSTER).replace("= 4", "= 4294967296"), CLUSTER_AT, "maximum");
    check(&shared("scheduler.easy = {}"), "/organization/0/cluster/space_shared", "\"processors\"");
    check(&shared("processors = 4, scheduler.eazy = {}"), SCHEDULER_AT, "'eazy' was unexpected");
    check(&shared("processors = 4, scheduler = \"eazy\""), SCHEDULER_AT, "oneOf");
    check(&organization("cluster = \"space_shared\""), "/organization/0/cluster", "oneOf");
    check(&organization(&format!("{CLUSTER}\nuses = []")), "/organization/0/uses", "less than 1");
    check(&drawn("-1", "1"), &format!("{DRAWN_AT}/arrivals/poisson/rate"), "minimum");
    check(&drawn("1", "0"), &format!("{DRAWN_AT}/size/exponential/mean"), "minimum");
    check(&drawn("1e7", "1"), &format!("{DRAWN_AT}/arrivals/poisson/rate"), "maximum");
}

const CLUSTER_AT: &str = "/organization/0/cluster/space_shared/processors";
const SCHEDULER_AT: &str = "/organization/0/cluster/space_shared/scheduler";
const DRAWN_AT: &str = "/organization/0/workload/synthetic";

/// A file may change any part of another; its own keys must be right all the same.
#[test]
fn a_scenario_that_extends_another_may_leave_out_what_that_has() {
    let validator = validator();
    let base = "extends = \"base.toml\"\n";
    let part = "[[organization]]\nname = \"kth\"\ncluster.space_shared.kill_at_estimate = true\n";
    assert_eq!(complaints(&validator, base), [""; 0]);
    assert_eq!(complaints(&validator, &format!("{base}{part}")), [""; 0]);
    assert_eq!(complaints(&validator, &format!("name = \"a\"\n{part}")).len(), 1);
    for wrong in ["seeds = 1", "seed = -1", "run.until = { jobs = 1, time = 1 }"] {
        assert_eq!(complaints(&validator, &format!("{base}{wrong}")).len(), 1, "{wrong}");
    }
    assert_eq!(complaints(&validator, "extends = 1").len(), 1);
}

fn reads(text: &str) -> Option<(raw::Scenario, tree::Node, Files)> {
    let mut files = Files::new();
    let file = files.add_in(project("scenarios"), "it", text);
    let tree = tree::parse(&files, file, 0).ok()?;
    raw::Scenario::read(&tree).0.map(|raw| (raw, tree, files))
}

fn resolves(text: &str) -> bool {
    reads(text).is_some_and(|(raw, tree, files)| resolve(&raw, &tree, &files).is_ok())
}

/// Every scenario that differs from one at one spot: a key left out, renamed or added, a value of
/// another type, another choice.
fn mutants(value: &Value) -> Vec<Value> {
    let mut all = others(value);
    match value {
        Value::Table(table) => {
            for (key, inside) in table {
                let mut without = table.clone();
                without.remove(key);
                all.push(Value::Table(without.clone()));
                for name in ["unheard_of", "name", "count", "easy", "list", "time", "jobs", "swf"] {
                    if !table.contains_key(name) {
                        let mut renamed = without.clone();
                        renamed.insert(name.to_owned(), inside.clone());
                        all.push(Value::Table(renamed));
                    }
                }
                all.extend(mutants(inside).into_iter().map(|inside| {
                    let mut other = table.clone();
                    other.insert(key.clone(), inside);
                    Value::Table(other)
                }));
            }
            for name in ["unheard_of", "seed", "fcfs", "estimate", "balanced", "drained"] {
                let mut more = table.clone();
                more.entry(name).or_insert(Value::Table(Table::new()));
                all.push(Value::Table(more));
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                let replaced = mutants(element).into_iter().map(|element| {
                    let mut other = elements.clone();
                    other[index] = element;
                    Value::Array(other)
                });
                all.extend(replaced);
            }
        }
        _ => {}
    }
    all
}

/// The same, with `1.0` as `1.25`: JSON does not tell it from `1`, and the reader does.
fn unlike_whole(value: Value) -> Value {
    match value {
        Value::Float(number) if number.fract() == 0.0 => Value::Float(number + 0.25),
        Value::Array(elements) => Value::Array(elements.into_iter().map(unlike_whole).collect()),
        Value::Table(table) => {
            let inside = table.into_iter().map(|(key, value)| (key, unlike_whole(value)));
            Value::Table(inside.collect())
        }
        other => other,
    }
}

/// Values of every type, none of them this one.
fn others(value: &Value) -> Vec<Value> {
    let table = |text| Value::Table(toml::from_str::<Table>(text).unwrap());
    let mut all = vec![
        Value::Boolean(true),
        Value::Integer(-1),
        Value::Integer(0),
        Value::Integer(7),
        Value::Integer(i64::MAX),
        Value::Float(0.5),
        Value::Float(-0.5),
        Value::Float(f64::NAN),
        Value::Datetime("2026-01-01".parse().unwrap()),
        Value::Array(Vec::new()),
        Value::Array(vec![Value::Integer(1)]),
        table(""),
        table("one = {}"),
        table("easy = 1"),
    ];
    all.extend(
        ["", "x", "easy", "list", "time_shared", "runtime", "drained", "drop"].map(Value::from),
    );
    all.retain(|other| other != value);
    all
}

/// A bound that the reader leaves to `resolve`.
fn is_bound(kind: &ValidationErrorKind) -> bool {
    use ValidationErrorKind::{
        ExclusiveMaximum, ExclusiveMinimum, MaxItems, Maximum, MinItems, Minimum, PropertyNames,
        UniqueItems,
    };
    matches!(
        kind,
        Minimum { .. }
            | Maximum { .. }
            | ExclusiveMaximum { .. }
            | ExclusiveMinimum { .. }
            | MinItems { .. }
            | MaxItems { .. }
            | PropertyNames { .. }
            | UniqueItems
    )
}

#[test]
fn the_schema_and_the_reader_agree_on_every_mutant_of_every_scenario() {
    let validator = validator();
    let texts = gallery().into_values().chain(OTHERS.map(str::to_owned));
    let (mut valid, mut invalid, mut bounds) = (0, 0, 0);
    for text in texts {
        assert!(reads(&text).is_some(), "{text}");
        let original: Table = toml::from_str(&text).unwrap();
        for mutant in mutants(&Value::Table(shortened(original))) {
            let Value::Table(_) = mutant else { continue };
            let text = toml::to_string(&mutant).unwrap();
            let json = serde_json::to_value(unlike_whole(mutant)).unwrap();
            match (validator.is_valid(&json), reads(&text).is_some()) {
                (true, true) => valid += 1,
                (false, false) => invalid += 1,
                // Whether a value is within its bounds is said by `resolve`, and it does say so.
                (false, true) => {
                    let mut errors = validator.iter_errors(&json);
                    let found: Vec<String> = complaints(&validator, &text);
                    assert!(errors.all(|error| is_bound(error.kind())), "{text}\n{found:#?}");
                    assert!(!resolves(&text), "{text}\nis right, but the schema says {found:#?}");
                    bounds += 1;
                }
                (true, false) => panic!("the reader refuses what the schema takes:\n{text}"),
            }
        }
    }
    assert!(valid > 100 && invalid > 1000 && bounds > 50, "{valid} {invalid} {bounds}");
}

/// Two jobs of a list show as much as ten.
fn shortened(mut scenario: Table) -> Table {
    if let Some(Value::Array(jobs)) = scenario.get_mut("job") {
        jobs.truncate(2);
    }
    scenario
}
