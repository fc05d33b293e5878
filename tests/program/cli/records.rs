//! Records in one file or many, plain or packed: the same lines, and the same bytes however often
//! the run was interrupted.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::process::Stdio;
use std::time::Duration;

use flate2::read::MultiGzDecoder;

use crate::cli::support::{A, Folder, NINE};

/// The settings that make each form, beside the plain one.
const FORMS: [&str; 3] = [
    "--set output.compress=true",
    "--set output.rotate=150",
    "--set output.rotate=150 --set output.compress=true",
];

/// Three replications of drawn jobs.
fn drawn() -> Folder {
    let jobs = NINE.replace(", jobs = 9", "");
    Folder::new(&format!("run = {{ until.time = 2000, replications = 3 }}\n{A}{jobs}"))
}

/// Two replications of a coalition with all of its records.
fn coalition() -> Folder {
    Folder::new(
        "name = \"test\"\nrun = { until.rounds = 40, replications = 2 }\n\
         output = { jobs = true, moves = true }\ncoalition = { period = 50, balancer.averaging = {} }\n\
         [[organization]]\nname = \"a\"\ncount = 3\ncluster.time_shared = {}\n\
         workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0 }\n\
         learner.ratio = {}\n",
    )
}

/// All results but the timing, as they are.
fn contents(folder: &Folder, name: &str) -> BTreeMap<String, Vec<u8>> {
    let names = folder.names(name).into_iter();
    let names = names.filter(|name| name != "timing.json" && name != "state");
    names
        .map(|file| (file.clone(), fs::read(folder.path(&format!("{name}/{file}"))).unwrap()))
        .collect()
}

/// The lines of all files of a kind of records, in the order of their names, with one header.
fn lines(contents: &BTreeMap<String, Vec<u8>>, kind: &str) -> String {
    let mut all = String::new();
    for (name, bytes) in contents {
        let stem = name.trim_end_matches(".gz").trim_end_matches(".csv");
        if stem != kind && !stem.starts_with(&format!("{kind}-r")) {
            continue;
        }
        let mut text = String::new();
        if name.ends_with(".gz") {
            MultiGzDecoder::new(&**bytes).read_to_string(&mut text).unwrap();
        } else {
            text = String::from_utf8(bytes.clone()).unwrap();
        }
        let header = text.find('\n').unwrap() + 1;
        all.push_str(if all.is_empty() { &text } else { &text[header..] });
    }
    all
}

#[test]
fn every_form_has_the_same_lines_and_passes_its_audit() {
    for (folder, kinds) in [(drawn(), &["jobs"][..]), (coalition(), &["jobs", "rounds", "moves"])] {
        assert_eq!(folder.run("run s.toml -q --out plain").code, 0);
        let plain = contents(&folder, "plain");
        for form in FORMS {
            // Over the results of the form before.
            let said = folder.run(&format!("run s.toml -q --force --out r --threads 2 {form}"));
            assert_eq!(said.code, 0, "{}", said.error);
            let found = contents(&folder, "r");
            assert!(
                found.keys().all(|name| !kinds.iter().any(|kind| *name == format!("{kind}.csv")))
            );
            for kind in kinds {
                assert!(lines(&plain, kind).lines().count() > 150, "{kind}");
                assert!(lines(&found, kind) == lines(&plain, kind), "{kind}, {form}");
            }
            let said = folder.run("audit r");
            assert_eq!((said.code, &*said.error), (0, ""), "{}", said.out);
            // Only a run with `--set` tells what was changed.
            let told = said.out.replace("summary.json: changes, ", "summary.json: ");
            assert_eq!(told, folder.run("audit plain").out);
        }
    }
}

#[test]
fn every_form_explains_alike() {
    let folder = drawn();
    let run = |form: &str| {
        let words = format!("run s.toml -q --force --out r --set output.decisions=true {form}");
        assert_eq!(folder.run(&words).code, 0);
        let said = folder.run("explain r --job 170 --replication 1");
        assert_eq!((said.code, &*said.error), (0, ""));
        said.out
    };
    let plain = run("");
    for form in FORMS {
        assert_eq!(run(form), plain, "{form}");
    }
}

#[test]
fn files_are_named_in_the_order_of_their_lines() {
    let folder = coalition();
    let words = "--set output.rotate=100 --set output.compress=true --set output.jobs=false";
    assert_eq!(folder.run(&format!("run s.toml -q --out r {words}")).code, 0);
    let names = folder.names("r");
    let rounds: Vec<&String> = names.iter().filter(|name| name.starts_with("rounds")).collect();
    let wanted = [
        "rounds-r0000-000001.csv.gz",
        "rounds-r0000-000002.csv.gz",
        "rounds-r0001-000001.csv.gz",
        "rounds-r0001-000002.csv.gz",
    ];
    assert_eq!(rounds, wanted);
    // Those of an earlier run are removed, and nothing that is not one of them.
    let foreign = ["jobs-2026.csv", "jobs-r0-1.csv", "notes-r0000-000001.csv", "summary.json.gz"];
    for name in foreign {
        folder.write(&format!("r/{name}"), "mine");
    }
    assert_eq!(folder.run("run s.toml -q --force --out r").code, 0);
    let names = folder.names("r");
    assert!(!names.iter().any(|name| name.starts_with("rounds-") || name.starts_with("moves-")));
    assert!(foreign.iter().all(|name| names.iter().any(|one| one == name)), "{names:?}");
}

#[test]
fn packing_and_unpacking_is_no_change_but_another_byte_is() {
    let folder = drawn();
    assert_eq!(folder.run(&format!("run s.toml -q --out r {}", FORMS[2])).code, 0);
    let path = folder.path("r/jobs-r0001-000002.csv.gz");
    let packed = fs::read(&path).unwrap();
    let mut text = String::new();
    MultiGzDecoder::new(&*packed).read_to_string(&mut text).unwrap();
    fs::remove_file(&path).unwrap();
    folder.write("r/jobs-r0001-000002.csv", &text);
    assert_eq!(folder.run("audit r -q").code, 0);
    folder.write("r/jobs-r0001-000002.csv", &text.replacen(",a,a,", ",a,a ,", 1));
    let said = folder.run("audit r -q");
    assert!(
        said.error.contains("jobs-r0001-000002.csv: line 2: cluster is `a `"),
        "{}",
        said.error
    );
    assert!(said.error.contains("it is not the file that the run wrote"), "{}", said.error);
    fs::remove_file(folder.path("r/jobs-r0001-000002.csv")).unwrap();
    // Behind the header of the first member, every bit counts.
    for at in (10..packed.len()).step_by(packed.len() / 7) {
        let mut changed = packed.clone();
        changed[at] ^= 1;
        fs::write(&path, changed).unwrap();
        let said = folder.run("audit r -q");
        let told = said.out + &said.error;
        assert!(told.contains("not the file that the run wrote"), "{at}: {told}");
        assert!([1, 2].contains(&said.code));
    }
    fs::remove_file(&path).unwrap();
    let said = folder.run("audit r -q");
    assert!(said.error.contains("r/jobs-r0001-000002.csv: No such file"), "{}", said.error);
}

#[test]
fn a_run_that_was_extended_has_the_bytes_of_one_that_was_not() {
    for (folder, until) in [(drawn(), "time=6000"), (coalition(), "rounds=120")] {
        for form in ["", FORMS[0], FORMS[1], FORMS[2]] {
            let longer = format!("{form} --set run.until.{until}");
            let whole = format!("run s.toml -q --force --out whole {longer}");
            assert_eq!(folder.run(&whole).code, 0);
            assert_eq!(folder.run(&format!("run s.toml -q --force --out r {form}")).code, 0);
            let said = folder.run_logging(&format!("resume r -q --until {until}"), "info");
            assert_eq!(said.code, 0, "{}", said.error);
            assert!(said.error.contains(" goes on "), "{form}: {}", said.error);
            assert!(contents(&folder, "r") == contents(&folder, "whole"), "{form}");
        }
    }
}

/// One run, and replications, for several figures.
#[test]
fn a_run_for_several_figures_can_be_extended() {
    for each in ["", ", each.jobs = 600"] {
        let scenario = |relative: f64| {
            format!(
                "name = \"q\"\n[run]\nuntil.precision = {{ metric = [\"flow\", \"wait_p95\"], \
                 relative = {relative}{each} }}\n[output]\njobs = false\nwarm_up.fixed = 50.0\n\
                 [[organization]]\nname = \"q\"\n\
                 cluster.space_shared = {{ processors = 1, scheduler.fcfs = {{}} }}\n\
                 workload.synthetic = {{ arrivals.poisson.rate = 0.5, size.exponential.mean = 1.0 }}\n"
            )
        };
        let folder = Folder::new(&scenario(0.3));
        let set = "--set run.until.precision.relative=0.15";
        assert_eq!(folder.run(&format!("run s.toml -q --out whole {set}")).code, 0);
        let said = folder.run_whole("run s.toml --out r");
        assert_eq!(said.code, 0, "{}", said.error);
        let line = said.out.lines().find(|line| line.starts_with("precision: ")).expect("a line");
        assert!(
            line.contains(" flow is known to within ") && line.contains(" wait p95 to within ")
        );
        assert!(line.contains("target 30.0% for each, after "), "{line}");
        assert!(line.ends_with(" was the last)"), "{line}");
        let said = folder.run("resume r -q --until relative=0.15");
        assert_eq!(said.code, 0, "{}", said.error);
        assert!(contents(&folder, "r") == contents(&folder, "whole"), "{each}");
        let said = folder.run("resume r -q --until relative=0.2");
        assert!(said.error.contains("the run already has this precision"), "{}", said.error);
    }
}

#[test]
fn a_run_that_was_killed_goes_on_to_the_same_bytes() {
    let folder = drawn();
    for form in ["", FORMS[0], FORMS[1], FORMS[2]] {
        let words = format!("s.toml -q --force {form} --set run.until.time=20000");
        assert_eq!(folder.run(&format!("run {words} --out whole")).code, 0);
        let mut killed = crate::cli::support::program();
        killed.current_dir(folder.path("."));
        killed.args(["run"]).args(words.split_whitespace()).args(["--out", "r"]);
        killed.args(["--checkpoint-every", "200 jobs"]).stderr(Stdio::null());
        let mut killed = killed.spawn().unwrap();
        let checkpoint = folder.path("r/state/r0-2.checkpoint");
        while !checkpoint.exists() && killed.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert_eq!(folder.run("resume r -q").code, 0);
        assert!(contents(&folder, "r") == contents(&folder, "whole"), "{form}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = drawn();
    for (words, phrase) in [
        ("--set output.rotate=0", "`rotate`: 0 is too small"),
        ("--set output.rotate=-1", "output.rotate"),
        ("--set output.rotate=9 --set output.jobs=false", "no file of records is written"),
        ("--set output.compress=true --set output.jobs=false", "no file of records is written"),
    ] {
        let said = folder.run(&format!("check s.toml {words}"));
        assert!(said.error.contains(phrase), "{words}: {}", said.error);
        assert_eq!(said.code, 2, "{words}");
    }
}
