//! Tables in every format, alone on standard output; the log on standard error.

use serde_json::Value;

use crate::cli::support::{A, Folder, NINE};

/// Two organizations, one of them with a name that Markdown takes as its own.
fn two() -> Folder {
    Folder::new(&format!(
        "{A}{NINE}[[organization]]\nname = \"b|*c*\"\nuses = [\"a\"]\n\
         workload.swf = {{ file = \"trace.swf\", import.first = 1 }}\n"
    ))
}

/// The rows of a CSV text, each a list of (column, value).
fn rows(text: &str) -> Vec<Vec<(String, String)>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().unwrap().clone();
    let row = |row: csv::StringRecord| {
        names.iter().zip(&row).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn the_tables_of_a_run_say_what_organizations_csv_says() {
    let folder = two();
    let said = folder.run("run s.toml --out r --format csv");
    assert_eq!(said.code, 0, "{}", said.error);
    assert!(said.error.lines().all(|line| line.starts_with("warning: ")), "{}", said.error);
    let (shown, written) = (rows(&said.out), rows(&folder.read("r/organizations.csv")));
    let names: Vec<&str> = shown.iter().map(|row| &*row[0].1).collect();
    assert_eq!(names, ["a", "b|*c*", "*"]);
    for (shown, written) in shown.iter().zip(&written) {
        assert_eq!(shown.len(), 23);
        for cell in shown {
            assert!(written.contains(cell), "{cell:?} in {written:?}");
        }
    }
    let json = folder.run("run s.toml --out r --format json");
    let json: Vec<Value> = serde_json::from_str(&json.out).unwrap();
    for (object, row) in json.iter().zip(&shown) {
        assert_eq!(object.as_object().unwrap().len(), row.len());
        for (name, value) in row {
            match &object[name] {
                Value::Null => assert_eq!(value, ""),
                Value::String(text) => assert_eq!(value, text),
                // The reader of JSON may be off by the last bit.
                number => {
                    let (value, number): (f64, _) = (value.parse().unwrap(), number.as_f64());
                    assert!((value - number.unwrap()).abs() <= 1e-15 * value.abs(), "{name}");
                }
            }
        }
    }
}

#[test]
fn markdown_is_a_table_with_its_notes() {
    let said = two().run("run s.toml --no-files --format markdown");
    let lines: Vec<&str> = said.out.lines().collect();
    assert!(
        lines[0].starts_with("| organization | jobs | area | used | wait | wait p95 | recorded |")
    );
    assert!(lines[1].starts_with("| --- | ---: |"));
    assert!(lines[3].starts_with(r"| b\|\*c\* | 1 |"), "{}", lines[3]);
    assert!(lines[4].starts_with("| whole grid | 10 |"), "{}", lines[4]);
    assert!(lines[6].starts_with("times and slowdowns are means"), "{}", lines[6]);
    assert_eq!(lines.len(), 7);
    let bars = |line: &str| line.replace(r"\|", "").matches('|').count();
    assert!(lines[..5].iter().all(|line| bars(line) == 16));
}

#[test]
fn check_tells_what_would_run_in_tables() {
    let folder = two();
    let said = folder.run("check s.toml --format json");
    assert_eq!((said.code, &*said.error), (0, ""));
    let all: Value = serde_json::from_str(&said.out).unwrap();
    let names: Vec<&str> =
        said.out.lines().filter_map(|line| line.strip_prefix("  \"")?.split('"').next()).collect();
    assert_eq!(names, ["run", "organizations", "clusters", "workloads", "imports"]);
    assert_eq!(all["run"][0]["jobs"], 10);
    assert_eq!(all["organizations"][1]["may_use_processors"], 4);
    assert_eq!(all["clusters"][0]["scheduler"], "easy");
    assert_eq!(all["workloads"][1]["file"], "trace.swf");
    assert_eq!(all["imports"][0]["jobs"], 2);
    let markdown = folder.run("check s.toml --format markdown").out;
    for name in names {
        assert!(markdown.contains(&format!("## {name}\n\n| ")), "{name}: {markdown}");
        let words = |format: &str| format!("check s.toml --table {name} --format {format}");
        let one: Value = serde_json::from_str(&folder.run(&words("json")).out).unwrap();
        assert_eq!(one, all[name]);
        assert_eq!(rows(&folder.run(&words("csv")).out).len(), one.as_array().unwrap().len());
        assert!(folder.run(&words("text")).out.starts_with("───"));
    }
    assert!(folder.run("check s.toml --format csv").out.starts_with("organization,clusters,"));
    let said = folder.run("check s.toml --format csv --table cluster");
    assert_eq!((said.code, &*said.out), (2, ""));
    assert!(said.error.contains("run, organizations, clusters, workloads, imports"));
    assert!(said.error.contains("a similar value exists: 'clusters'"), "{}", said.error);
}

#[test]
fn audit_counts_by_rule_and_tells_violations_apart() {
    let folder = two();
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    let said = folder.run("audit r --format csv");
    assert_eq!((said.code, &*said.error), (0, ""));
    let verdict = |text: &str, rule: &str| {
        let row = rows(text).into_iter().find(|row| row[0].1 == rule).unwrap();
        row[1..4].iter().map(|(_, value)| value.clone()).collect::<Vec<_>>()
    };
    assert_eq!(verdict(&said.out, "files"), ["kept", "10", "0"]);
    assert_eq!(verdict(&said.out, "capacity"), ["kept", "10", "0"]);
    let text = folder.read("r/summary.json");
    folder.write("r/summary.json", &format!("{text} "));
    let said = folder.run("audit r --format csv");
    assert_eq!(said.code, 1);
    assert_eq!(verdict(&said.out, "files"), ["broken", "10", "1"]);
    assert!(said.error.contains("summary.json is not the file"), "{}", said.error);
}

#[test]
fn warnings_stay_out_of_tables() {
    let job = "[[job]]\norganization = \"a\"\nsubmit = 0\nruntime = 1\nprocessors = 5\n";
    let folder = Folder::new(&format!("run.never_runs = \"reject\"\n{A}{NINE}{job}"));
    for words in ["run s.toml --no-files --format json", "check s.toml --format json"] {
        let said = folder.run(words);
        assert!(serde_json::from_str::<Value>(&said.out).is_ok(), "{words}: {}", said.out);
        assert!(said.error.starts_with("warning: "), "{words}: {}", said.error);
    }
}

#[test]
fn verbose_tells_each_step_and_changes_nothing() {
    let folder = two();
    let words = "run s.toml --no-files --format csv";
    let silent = folder.run(words);
    let told = folder.run(&format!("{words} -v"));
    assert_eq!(told.out, silent.out);
    let steps = ["trace surveyed", "scenario read", "replication ended", "run ended"];
    let places: Vec<usize> = steps
        .iter()
        .map(|step| told.error.find(step).unwrap_or_else(|| panic!("{step}: {}", told.error)))
        .collect();
    assert!(places.is_sorted(), "{}", told.error);
    assert!(!told.error.contains("DEBUG"), "{}", told.error);
    let more = folder.run(&format!("-vv {words}"));
    assert!(more.error.contains("DEBUG") && more.error.contains("started"), "{}", more.error);
    let json = folder.run(&format!("{words} -v --log json"));
    let logged = json.error.lines().filter(|line| !line.starts_with("warning: "));
    assert!(logged.clone().count() > 3, "{}", json.error);
    assert!(logged.into_iter().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    // The variable wins.
    let quiet = folder.run_logging(&format!("{words} -vvv"), "gridpact=warn");
    assert_eq!((&*quiet.out, &*quiet.error), (&*silent.out, &*silent.error));
    let said = folder.run("run s.toml --no-files -v -q");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("cannot be used with"), "{}", said.error);
}
