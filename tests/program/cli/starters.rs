//! `gridpact new`: every starter runs as it stands, and what stands behind a `#` is true.

use crate::cli::support::{Folder, kth, word};

/// The kinds, those that take a trace with one.
const KINDS: [&str; 9] = [
    "queue",
    "jobs",
    "sharing",
    "coalition",
    "federation",
    "applications --heterogeneity hihi",
    "game",
    "trace trace.swf",
    "users trace.swf",
];

/// The subcommand that takes what a kind writes.
fn takes(kind: &str) -> &'static str {
    if kind == "game" { "game" } else { "run" }
}

/// A starter as `m.toml` in a folder of its own.
fn starter(kind: &str) -> (Folder, String) {
    let folder = Folder::new("");
    let said = folder.run(&format!("new {kind}"));
    assert_eq!((said.code, &*said.error), (0, ""), "{kind}");
    folder.write("m.toml", &said.out);
    (folder, said.out)
}

/// The digest of the scenario with its defaults.
#[track_caller]
fn digest(folder: &Folder) -> String {
    if folder.read("m.toml").contains("\n[game]\n") {
        let said = folder.run("game m.toml --out g --force -q --set run.until.rounds=1");
        assert_eq!((said.code, &*said.error), (0, ""), "{}", folder.read("m.toml"));
        let manifest: serde_json::Value =
            serde_json::from_str(&folder.read("g/manifest.json")).unwrap();
        let key = |key: &str| manifest[key].to_string();
        // The seed is beside the digest.
        return key("scenario_digest") + &key("seed");
    }
    let said = folder.run("check m.toml --table run --format csv");
    // The trace of the tests has jobs wider than its machine.
    let is_known = |line: &str| line.contains("its machine had 4 processors by MaxProcs");
    assert!(said.error.lines().all(is_known), "{}", said.error);
    assert_eq!(said.code, 0, "{}", folder.read("m.toml"));
    said.out.trim().rsplit(',').next().unwrap().to_owned()
}

#[test]
fn every_starter_checks_and_runs_as_it_stands() {
    for kind in KINDS {
        let (folder, _) = starter(kind);
        assert_eq!(folder.run("check m.toml -q").code, 0, "{kind}");
        let said = folder.run(&format!("{} m.toml", takes(kind)));
        assert_eq!((said.code, &*said.error), (0, ""), "{kind}");
        let results = said.out.lines().find_map(|line| line.strip_prefix("results: ")).unwrap();
        if !["queue", "sharing", "coalition", "game"].contains(&kind) {
            assert_eq!(folder.run(&format!("audit {results}")).code, 0, "{kind}");
        }
    }
}

/// `# key = value` is the default, unless it says `# not set`.
#[test]
fn what_stands_behind_a_hash_is_a_key_with_its_default() {
    for kind in KINDS {
        let (folder, text) = starter(kind);
        let before = digest(&folder);
        let mut keys = 0;
        for line in text.lines() {
            let Some((key, rest)) = line.strip_prefix("# ").and_then(|line| line.split_once(" = "))
            else {
                continue;
            };
            if !key.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c == '.') {
                continue;
            }
            keys += 1;
            assert_eq!(text.matches(&format!("\n{line}\n")).count(), 1, "{line}");
            folder.write("m.toml", &text.replace(line, &line[2..]));
            let after = digest(&folder);
            assert_eq!(after != before, rest.contains("# not set"), "{kind}: {line}");
        }
        let least = if kind == "game" { 1 } else { 4 };
        assert!(keys >= least, "{kind}: {keys}");
    }
}

/// The key that a starter offers, the line that it replaces, and the part of the line that stays.
type Offered = (&'static str, &'static str, &'static str);

/// The keys that starters offer in words.
const OFFERED: [(&str, &[Offered]); 7] = [
    ("queue", &[("until.time = 5000.0", "until.jobs = 40000", "")]),
    (
        "queue",
        &[(
            "cluster.space_shared = { processors = 4, scheduler.fcfs = {} }",
            "cluster.time_shared = {}",
            "",
        )],
    ),
    ("jobs", &[("scheduler.fcfs = {}", "scheduler.easy = {}", "")]),
    ("sharing", &[("uses = [\"north\"]", "uses = [\"north\", \"south\", \"west\"]", "")]),
    (
        "coalition",
        &[
            ("balancer.bilb = {}", "balancer.averaging = { unit = 1.0 }", ""),
            (
                "learner.fixed = { level = 5.0 }",
                "learner.ratio = { initial = 0.5, rate = 0.1 }",
                "",
            ),
        ],
    ),
    (
        "game",
        &[(
            "noise.coin = {}",
            "payoffs.symmetric = [[4.0, 0.0], [3.0, 2.0]]",
            "payoffs.symmetric = [[0.4, 0.0], [0.3, 0.2]]\n",
        )],
    ),
    ("users trace.swf", &[("per_group = {}", "owners.per_user = {}", "owners.")]),
];

/// A starter checks with all that it says to add, and with each key that it offers.
#[test]
fn what_a_starter_says_to_add_or_to_write_checks() {
    for kind in KINDS {
        let (folder, text) = starter(kind);
        let is_more = |line: &&str| !line.trim_start().starts_with("gridpact ");
        let more: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("#     ")).filter(is_more).collect();
        if more.is_empty() {
            continue;
        }
        // Listed applications stand in place of drawn ones, which are the last table.
        let kept = match kind.starts_with("applications") {
            true => text.split("\n[workload.applications]\n").next().unwrap(),
            false => &text,
        };
        folder.write("m.toml", &format!("{kept}\n{}\n", more.join("\n")));
        let said = folder.run("check m.toml");
        assert_eq!((said.code, &*said.error), (0, ""), "{kind}");
    }
    for (kind, edits) in OFFERED {
        let (folder, text) = starter(kind);
        let mut edited = text.clone();
        for (offered, old, before) in edits {
            assert!(text.contains(&format!("`{offered}`")), "{kind}: {offered}");
            let place = format!("\n{old}\n");
            assert!(edited.contains(&place), "{kind}: {old}");
            edited = edited.replacen(&place, &format!("\n{before}{offered}\n"), 1);
        }
        folder.write("m.toml", &edited);
        let said = folder.run("check m.toml");
        assert_eq!(said.code, 0, "{kind} {edits:?}: {}", said.error);
    }
}

#[test]
fn every_starter_opens_with_a_question_and_says_what_to_do() {
    for kind in KINDS {
        let (_, text) = starter(kind);
        assert!(text.lines().next().unwrap().ends_with('?'), "{kind}");
        let takes = format!("gridpact {} my.toml", takes(kind));
        for words in ["gridpact check my.toml", &takes, "gridpact schema "] {
            assert!(text.contains(words), "{kind}: {words}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{kind}");
    }
}

#[test]
fn a_trace_fills_in_what_its_header_says() {
    let (folder, text) = starter("trace trace.swf");
    assert!(text.contains(
        "\n# What its largest job needs; MaxProcs of the trace says 4.\nprocessors = 9\n"
    ));
    assert!(text.contains("\nname = \"trace\"\n"));
    assert!(text.contains("\nfile = \"trace.swf\"\n"));
    let said = folder.run(&format!("new trace {}", word(kth())));
    assert!(said.out.contains("\nname = \"KTH-SP2-1996-2.1-cln\"\n"), "{}", said.out);
    assert!(said.out.contains("\n# MaxProcs of the trace.\nprocessors = 100\n"), "{}", said.out);
    std::fs::copy(folder.path("trace.swf"), folder.path("a\"b\\c'.swf")).unwrap();
    let said = folder.run("new trace a\"b\\c'.swf");
    folder.write("m.toml", &said.out);
    digest(&folder);
}

#[test]
fn a_trace_that_is_none_is_told() {
    let folder = Folder::new("");
    for (words, code, phrase) in [
        ("new trace nosuch.swf", 4, "nosuch.swf: cannot be opened"),
        ("new users garbage.swf", 2, "does not look like an SWF trace"),
        ("new trace empty.swf", 2, "there are no jobs in this trace"),
        ("new queue trace.swf", 2, "`gridpact new trace trace.swf` has one"),
        ("new coaltion", 2, "a similar value exists: 'coalition'"),
    ] {
        let said = folder.run(words);
        assert_eq!((said.code, &*said.out), (code, ""), "{words}: {}", said.error);
        assert!(said.error.contains(phrase), "{words}: {}", said.error);
    }
    for kind in ["trace", "users"] {
        let said = folder.run(&format!("new {kind}"));
        folder.write("m.toml", &said.out);
        let said = folder.run("check m.toml");
        assert_eq!(said.code, 4);
        assert!(said.error.contains("my-trace.swf.gz: cannot be opened"), "{}", said.error);
        assert!(said.error.contains("the Parallel Workloads Archive, https://"), "{}", said.error);
    }
}

#[test]
fn the_kinds_are_listed() {
    let folder = Folder::new("");
    let before = folder.names(".");
    let said = folder.run("new");
    assert_eq!((said.code, &*said.error), (0, ""));
    for kind in KINDS {
        let name = kind.split(' ').next().unwrap();
        assert!(said.out.contains(&format!("\n  {name} ")), "{name}: {}", said.out);
    }
    assert!(said.out.contains("gridpact new queue > my.toml"), "{}", said.out);
    assert_eq!(folder.names("."), before);
}

/// M/M/1 at load 0.8 has a mean wait of 4.
#[test]
fn the_queue_is_about_what_it_says() {
    let (folder, _) = starter("queue");
    let said = folder.run("run m.toml --no-files --format json");
    let table: Vec<serde_json::Value> = serde_json::from_str(&said.out).unwrap();
    let wait = table[0]["wait_mean"].as_f64().unwrap();
    assert!((3.6..4.4).contains(&wait), "{wait}");
}

#[test]
fn applications_come_with_narrow_and_wide_ranges_of_times() {
    let folder = Folder::new("");
    let ranges = |words: &str| {
        let said = folder.run(&format!("new applications{words}"));
        assert_eq!((said.code, &*said.error), (0, ""), "{words}");
        let line = said.out.lines().find(|line| line.starts_with("times.braun")).unwrap();
        line.split(", kind").next().unwrap().to_owned()
    };
    let expected = [
        ("", "tasks = 10, machines = 10"),
        (" --heterogeneity lolo", "tasks = 10, machines = 10"),
        (" --heterogeneity lohi", "tasks = 10, machines = 100"),
        (" --heterogeneity hilo", "tasks = 1000, machines = 10"),
        (" --heterogeneity hihi", "tasks = 1000, machines = 100"),
    ];
    for (words, numbers) in expected {
        assert_eq!(ranges(words), format!("times.braun = {{ {numbers}"), "{words}");
    }
    let said = folder.run("new queue --heterogeneity hihi");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("belongs to `applications`"), "{}", said.error);
}
