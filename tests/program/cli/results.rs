//! A run leaves exactly the files that it promises, the same ones for the same scenario and seed.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use serde_json::Value;

use crate::cli::support::{A, Folder, NINE, kth};

const ALL: [&str; 13] = [
    "distribution.svg",
    "figures.csv",
    "histograms.hlog",
    "jobs.csv",
    "manifest.json",
    "organizations.csv",
    "replications.csv",
    "report.html",
    "report.json",
    "summary.json",
    "timeline.csv",
    "timeline.svg",
    "timing.json",
];

fn nine() -> Folder {
    Folder::new(&format!("{A}{NINE}"))
}

/// The bytes of all files but the timing.
fn contents(folder: &Folder, name: &str) -> BTreeMap<String, String> {
    let names = folder.names(name).into_iter().filter(|name| name != "timing.json");
    names.map(|file| (file.clone(), folder.read(&format!("{name}/{file}")))).collect()
}

#[test]
fn a_run_writes_what_it_promises_where_it_promises() {
    let folder = nine();
    let said = folder.run("run s.toml");
    assert_eq!((said.code, &*said.error), (0, ""));
    assert!(said.out.starts_with("test  (seed 1, 1 replication)\n9 jobs of 1 organization on"));
    assert!(
        said.out.contains("\nresults: results/test\npage: results/test/report.html\n"),
        "{}",
        said.out
    );
    assert_eq!(folder.names("results/test"), ALL);
    for file in ["manifest.json", "summary.json", "timing.json"] {
        let value: Value =
            serde_json::from_str(&folder.read(&format!("results/test/{file}"))).unwrap();
        assert!(value.is_object());
    }
    let table = folder.read("results/test/organizations.csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| &row[0]).collect();
    assert_eq!(names, ["a", "*"]);
    assert_eq!(folder.read("results/test/jobs.csv").lines().count(), 10);
}

#[test]
fn options_leave_files_out() {
    let folder = Folder::new(&format!(
        "output = {{ jobs = false, histograms = false, timeline = false, page = false }}\n{A}{NINE}"
    ));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    assert_eq!(
        folder.names("r"),
        [
            "figures.csv",
            "manifest.json",
            "organizations.csv",
            "replications.csv",
            "summary.json",
            "timing.json"
        ]
    );
    let before = folder.names(".");
    let said = folder.run("run s.toml --no-files");
    assert_eq!(said.code, 0);
    assert!(!said.out.contains("results:"), "{}", said.out);
    assert_eq!(folder.names("."), before);
}

/// Quiet means no summary and no progress: a warning is about what the figures are worth.
#[test]
fn quiet_says_nothing_but_warnings() {
    let folder = nine();
    let said = folder.run("run s.toml -q --out r");
    assert_eq!((said.code, &*said.out), (0, ""));
    assert!(said.error.starts_with("warning: the sample is too small"), "{}", said.error);
    for words in ["check s.toml -q", "audit r -q"] {
        let said = folder.run(words);
        assert_eq!((said.code, &*said.out, &*said.error), (0, "", ""), "{words}");
    }
}

#[test]
fn the_same_run_gives_the_same_bytes_for_any_number_of_threads() {
    let folder = Folder::new(&format!("run.replications = 20\n{A}{NINE}"));
    assert_eq!(folder.run("run s.toml -q --out r --threads 1").code, 0);
    let first = contents(&folder, "r");
    for threads in [2, 3, 8] {
        assert_eq!(folder.run(&format!("run s.toml -q --out r --threads {threads}")).code, 0);
        assert_eq!(contents(&folder, "r"), first);
    }
    assert_eq!(folder.names("r"), ALL);
}

#[test]
fn results_of_another_run_are_replaced_only_by_force() {
    let folder = nine();
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    let first = contents(&folder, "r");
    let said = folder.run("run s.toml -q --out r --seed 2");
    assert_eq!(said.code, 2);
    assert_eq!(
        said.error,
        "error: r: results of `test` (seed 1) are here already\nhelp: give another folder with \
         `--out FOLDER`, or replace them with `--force`\n"
    );
    assert_eq!(contents(&folder, "r"), first);
    assert_eq!(folder.run("run s.toml -q --out r --seed 2 --force").code, 0);
    assert_ne!(contents(&folder, "r"), first);
    assert_eq!(folder.names("r"), ALL);
}

#[test]
fn check_tells_who_may_use_the_clusters_of_others() {
    let b = "[[organization]]\nname = \"b\"\ncluster.time_shared = {}\nuses = [\"a\", \"b\"]\n";
    let folder = Folder::new(&format!("{A}{NINE}{b}"));
    let said = folder.run("check s.toml");
    assert!(said.out.contains("\n2 organizations\n  a\n  b may use a, b\n\n"), "{}", said.out);
}

#[test]
fn check_prints_the_ledger_of_a_trace() {
    let folder =
        Folder::new(&format!("{A}workload.swf = {{ file = \"trace.swf\", import.users = [1] }}"));
    let said = folder.run("check s.toml");
    assert_eq!((said.code, &*said.error), (0, ""));
    assert_eq!(
        said.out,
        "test: this scenario is valid\n\
         seed 1, 1 replication, until all jobs have finished\n\n\
         1 organization\n  a\n\n\
         1 cluster\n  a of a: 4 processors under easy\n\n\
         1 workload\n  a: 1 job, trace.swf\n\n\
         trace.swf: 1 of 3 jobs used\n  \
         users: 2 jobs not selected (first on line 3; 170 processor-seconds, \
         89.5% of the work)\n"
    );
}

/// The bytes that a text in base 64 stands for.
fn bytes_of(text: &str) -> Vec<u8> {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut bytes) = (0_u32, Vec::new());
    let text = text.trim_end_matches('=').bytes();
    for (index, digit) in text.enumerate() {
        let value = digits.iter().position(|&known| known == digit).expect("a digit of base 64");
        bits = bits << 6 | value as u32;
        if index % 4 > 0 {
            bytes.push((bits >> (6 - index % 4 * 2)) as u8);
        }
    }
    bytes
}

#[test]
fn histograms_are_read_back_and_agree_with_the_summary() {
    let trace = kth();
    let folder = Folder::new(&format!(
        "{}workload.swf = {{ file = \"{}\", import.first = 3000 }}\n",
        A.replace("= 4,", "= 100,"),
        trace.display()
    ));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    let log = folder.read("r/histograms.hlog");
    let mut histograms = BTreeMap::new();
    for entry in IntervalLogIterator::new(log.as_bytes()) {
        if let LogEntry::Interval(interval) = entry.unwrap() {
            let bytes = bytes_of(interval.encoded_histogram());
            let histogram: Histogram<u64> =
                Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap();
            histograms.insert(interval.tag().unwrap().as_str().to_owned(), histogram);
        }
    }
    let summary: Value = serde_json::from_str(&folder.read("r/summary.json")).unwrap();
    for (owner, figures) in ["a", "*"].into_iter().zip(summary["organizations"].as_array().unwrap())
    {
        for metric in ["wait", "flow", "bounded_slowdown"] {
            let histogram = &histograms[&format!("{owner}/{metric}")];
            assert_eq!(histogram.len(), 3000);
            let mean = figures[format!("{metric}_mean")].as_f64().unwrap();
            let error = (histogram.mean() / 1e6 / mean - 1.0).abs();
            assert!(error < 1e-3, "{owner}/{metric}: {} for {mean}", histogram.mean() / 1e6);
        }
    }
}

#[test]
fn results_of_other_owners_are_of_another_run() {
    let swf = "[workload.swf]\nfile = \"trace.swf\"\nowners.file.path = \"owners.csv\"\n";
    let folder = Folder::new(&format!("run.never_runs = \"reject\"\n{A}{swf}"));
    folder.write("owners.csv", "user,organization\n1,x\n*,y\n");
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    folder.write("owners.csv", "user,organization\n1,y\n*,x\n");
    let said = folder.run("run s.toml -q --out r");
    assert_eq!(said.code, 2, "{}", said.error);
    let phrase = "results of `test` (seed 1) with other values or files are here";
    assert!(said.error.contains(phrase), "{}", said.error);
}

#[test]
fn estimates_that_add_up_to_more_than_all_time_are_no_trouble() {
    for scheduler in ["fcfs", "easy", "conservative", "list"] {
        let a = A.replace("easy", scheduler);
        let folder = Folder::new(&format!("{a}workload.jobs.file = \"long.csv\"\n"));
        let rows = "0,1,3,1152921504606\n".repeat(20);
        folder.write("long.csv", &format!("submit,runtime,processors,estimate\n{rows}"));
        let said = folder.run("run s.toml -q --out r");
        assert_eq!((said.code, &*said.error), (0, ""), "{scheduler}");
        let said = folder.run("audit r");
        assert_eq!((said.code, &*said.error), (0, ""), "{scheduler}: {}", said.out);
    }
}

#[test]
fn quantiles_of_makespans_are_as_fine_for_one_organization_as_for_the_grid() {
    let folder = Folder::new(&format!("run.replications = 9\n{A}{NINE}"));
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    let log = folder.read("r/histograms.hlog");
    let of = |owner: &str| {
        let line = log.lines().find(|line| line.starts_with(&format!("Tag={owner}/makespan,")));
        line.and_then(|line| line.split_once(',')).unwrap().1
    };
    assert_eq!(of("a"), of("*"));
}

#[cfg(unix)]
#[test]
fn results_are_as_readable_as_the_user_wants_files_to_be() {
    use std::os::unix::fs::PermissionsExt;
    for (mask, mode) in [("022", 0o644), ("077", 0o600), ("002", 0o664)] {
        let folder = nine();
        let done = crate::cli::support::command("sh")
            .args(["-c", &format!("umask {mask}; exec \"$0\" run s.toml -q --out r")])
            .arg(assert_cmd::cargo::cargo_bin!("gridpact"))
            .current_dir(folder.path("."))
            .status()
            .unwrap();
        assert!(done.success());
        for file in ALL {
            let found = folder.path("r").join(file).metadata().unwrap().permissions().mode();
            assert_eq!(found & 0o777, mode, "{file}");
        }
    }
}
