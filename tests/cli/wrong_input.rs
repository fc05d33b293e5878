//! Whatever is wrong, the exit code says who can mend it, a phrase says what it is, and nothing is
//! left half-written.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{A, Folder, NINE, check, check_with};

/// Checks `A` with something more.
#[track_caller]
fn more(text: &str, code: i32, expected: &str) {
    check(&format!("{A}{text}"), code, expected);
}

/// Checks `A` with its nine jobs and, above, something more.
#[track_caller]
fn with(text: &str, code: i32, expected: &str) {
    check(&format!("{text}{A}{NINE}"), code, expected);
}

#[test]
fn scenarios_that_cannot_be_read() {
    check_with("check nosuch.toml", "", 4, "cannot read `nosuch.toml`: No such file");
    check_with("check .", "", 4, "cannot read `.`");
    check_with("check latin1.toml", "", 2, "the byte 0xe9 does not belong here");
    check_with("check cut.swf.gz", "", 2, "the file is compressed");
    check("", 2, "missing key `name` in the scenario");
    check("name = ", 2, "s.toml:1:");
}

#[test]
fn a_trace_is_no_scenario() {
    let how = "`gridpact new trace FILE` writes";
    check_with("check trace.swf", "", 2, how);
    check_with("check empty.swf", "", 2, how);
    check_with("check cut.swf.gz", "", 2, how);
}

#[test]
fn what_a_beginner_writes_is_answered_with_what_to_write() {
    // A key in the wrong table: too high, too low, beside.
    with("until.jobs = 5\n", 2, "`until` belongs at `run.until`");
    with("run.seed = 5\n", 2, "`seed` belongs at the top, above every `[table]`");
    more("rate = 0.2\n", 2, "belongs at `organization.workload.synthetic.arrivals.poisson.rate`");
    more("workload.synthetic.uses = []\n", 2, "`uses` belongs at `organization.uses`");
    let cluster = "name = \"t\"\n[[organization]]\nname = \"a\"\ncluster = { processors = 4 }\n";
    check(cluster, 2, "`processors` belongs at `organization.cluster.space_shared.processors`");
    with(
        "[cluster]\nprocessors = 4\n",
        2,
        "in an `[[organization]]`, write `[organization.cluster]`",
    );
    let british = "name = \"t\"\n[[organisation]]\nname = \"a\"\n[organization.cluster]\n";
    check(british, 2, "did you mean `organization`?");
    // A value without the key that it is for.
    let drawn = |rate: &str| format!("workload.synthetic = {{ arrivals.poisson = {rate} }}\n");
    more(&drawn("0.002"), 2, "write `arrivals.poisson.rate = 0.002`");
    let wide = "workload.synthetic = { processors = 8 }\n";
    more(wide, 2, "write `processors.constant = ...`");
    more("uses = \"a\"\n", 2, "write `uses = [\"a\"]`");
    // Units, other languages' words, a comma.
    with("run.until.time = \"3h\"\n", 2, "in seconds it is `10800`");
    with("run.until.time = 3h\n", 2, "in seconds it is `10800`");
    with("output.jobs = True\n", 2, "write `true`");
    with("run = { replications = 4 until.jobs = 3 }\n", 2, "a comma between `4` and `until.jobs`");
    // A name of nobody.
    more("uses = [\"physics\"]\n", 2, "the only cluster is `a`");
    let set = |words: &str, phrase: &str| {
        check_with(&format!("check s.toml --set {words}"), &format!("{A}{NINE}"), 2, phrase);
    };
    set("organization.physics.count=2", "the only element is `a`");
    set("a.count=2", "`a` is a name: write `organization.a.KEY=VALUE`");
    set("organization.a.rate=2", "belongs at `organization.workload.synthetic.arrivals");
    set("run.until.time=3h", "in seconds it is `10800`");
}

#[test]
fn numbers_that_cannot_be() {
    with("run.replications = 0\n", 2, "at least 1 replication");
    with("run.replications = -1\n", 2, "s.toml:1:20");
    with("run.replications = 5000000000\n", 2, "4294967295");
    with("run.until.time = 0\n", 2, "a run of no time");
    with("run.until.time = -1\n", 2, "s.toml:1:18");
    with("run.until.time = 1e300\n", 2, "s.toml:1:18");
    with("run.until.time = nan\n", 2, "not NaN");
    with("run.until.jobs = 0\n", 2, "a run of no jobs");
    with("seed = 99999999999999999999\n", 2, "the number is too large");
    with("output.warm_up.fixed = -1\n", 2, "s.toml:1:24");
    with("output.warm_up = 1\n", 2, "write `warm_up.fixed = ...`");
    with("output.tau = inf\n", 2, "not inf");
    more(
        "workload.synthetic = { arrivals.poisson.rate = 1e30, size.exponential.mean = 1 }\n",
        2,
        "too many: one in ten ticks",
    );
    more(
        "workload.synthetic = { arrivals.poisson.rate = 1, size.exponential.mean = nan }\n",
        2,
        "`mean` must be a finite number, not NaN",
    );
    more(&NINE.replace("jobs = 9", "jobs = 0"), 2, "0 jobs leave nothing to run");
    more("[[job]]\norganization = \"a\"\nsubmit = 0\nruntime = 1e300\n", 2, "s.toml:8:11");
}

#[test]
fn names_that_cannot_be() {
    for name in ["*", "", " a", "a,b", "a\\\"b", "a\\nb", "NA", "nan", "None"] {
        let text = format!("{NINE}[[organization]]\nname = \"{name}\"\n");
        more(&text, 2, "is no name");
        let text = format!(
            "{NINE}[[cluster]]\nname = \"{name}\"\nowner = \"a\"\nkind.time_shared = {{}}\n"
        );
        more(&text, 2, "is no name");
    }
    let twin = "[[cluster]]\nname = \"a\"\nowner = \"a\"\nkind.time_shared = {}\n";
    more(&format!("{NINE}{twin}"), 2, "there are two clusters called `a`");
    more(
        "[[job]]\norganization = \"b\"\nsubmit = 0\nruntime = 1\n",
        2,
        "no organization called `b`",
    );
    more(&format!("{NINE}uses = []\n"), 2, "jobs that may use no cluster cannot run");
    for name in ["a/b", "", "-", ".a"] {
        check(&A.replace("test", name), 2, "also names its results directory");
    }
}

#[test]
fn the_counted_part_must_not_be_empty() {
    let trace = format!("{A}workload.swf = {{ file = \"trace.swf\", import.first = 1 }}\n");
    let trace = |output: &str| format!("{output}\n{trace}");
    check(&trace("output.warm_up.fixed = 0.5"), 2, "leave no job to be counted");
    check(&trace("output.cool_down = 7"), 2, "leave no job to be counted");
    check(&trace(""), 0, "");
    with("output.cool_down = 5\n", 0, "");
    with("output.cool_down = 5\nrun.until.time = 5\n", 2, "leave no job to be counted");
    with("output.cool_down = 5\nrun.until.time = 6\n", 0, "");
    let cut = |jobs: u32| {
        let run = format!("run = {{ never_runs = \"reject\", until.jobs = {jobs} }}\n");
        format!("output.cool_down = 1\n{run}{A}workload.swf.file = \"trace.swf\"\n")
    };
    check(&cut(2), 0, "");
    check(&cut(3), 0, "");
}

#[test]
fn files_that_a_scenario_names() {
    for (file, code, phrase) in [
        ("cut.swf.gz", 2, "cut short or damaged after line 3328"),
        ("empty.swf", 2, "there are no jobs in this trace"),
        ("jobs.csv", 2, "does not look like an SWF trace"),
        (".", 4, "Is a directory"),
    ] {
        more(&format!("workload.swf.file = \"{file}\"\n"), code, phrase);
    }
    let import = |rule: &str| format!("workload.swf = {{ file = \"trace.swf\", import.{rule} }}\n");
    more(&import("first = 0"), 2, "0 jobs leave nothing to run");
    more(&import("users = [7]"), 2, "no job of this trace is left after 3 were dropped");
    more(&import("frist = 1"), 2, "did you mean `first`?");
    more("workload.jobs.file = \"nosuch.csv\"\n", 4, "paths are relative to the scenario file");
    more("workload.jobs.file = \"trace.swf\"\n", 2, "line 1: there is no column");
    more("workload.jobs.file = \"jobs.csv\"\n", 2, "job 2 of `a` needs 5 processors");
    let owners =
        |owners: &str| format!("[workload]\nswf = {{ file = \"trace.swf\", owners.{owners} }}\n");
    more(&owners("file.path = \"nosuch.csv\""), 4, "nosuch.csv: cannot be read");
    more(&owners("file.path = \"owners.csv\""), 2, "user 2 of the trace is not listed");
    more(&owners("balanced.parts = 0"), 2, "0 parts leave the jobs to nobody");
    more(&owners("balanced.parts = 3"), 2, "3 parts of 2 users");
    more(&owners("per_user = {}"), 2, "job 2 of `user-2` needs 8 processors");
}

#[test]
fn large_jobs_are_rejected_on_request_and_told() {
    let job = "[[job]]\norganization = \"a\"\nsubmit = 0\nruntime = 1\nprocessors = 5\n";
    for work in [
        "workload.swf.file = \"trace.swf\"\n",
        "workload.jobs.file = \"jobs.csv\"\n",
        &NINE.replace("jobs", "processors.constant = 5, jobs"),
        job,
    ] {
        let folder = Folder::new(&format!("run.never_runs = \"reject\"\n{A}{work}"));
        let said = folder.run("run s.toml --no-files");
        assert_eq!(said.code, 0, "{work}: {}", said.error);
        assert!(said.error.starts_with("warning: "), "{}", said.error);
        assert!(said.error.contains("such jobs are rejected"), "{}", said.error);
        assert!(said.out.contains("rejected: larger than every cluster"), "{}", said.out);
    }
}

#[test]
fn time_that_runs_out_is_told_and_leaves_nothing() {
    let job = "[[job]]\norganization = \"a\"\nsubmit = 1e12\nruntime = 1e12\nprocessors = 4\n";
    let folder = Folder::new(&format!("{A}{}", job.repeat(12)));
    let said = folder.run("run s.toml --out r");
    assert_eq!(said.code, 2, "{}", said.error);
    assert!(said.error.contains("more than 292 000 years"), "{}", said.error);
    assert_eq!(folder.names("r"), [""; 0]);
}

#[test]
fn a_hundred_thousand_organizations_are_checked_in_a_moment() {
    let many = A.replace("cluster", "count = 100000\ncluster");
    let begun = std::time::Instant::now();
    check(&format!("{many}{NINE}"), 0, "");
    check(&format!("{many}{}", NINE.replace("0.2", "0")), 2, "s.toml: 1 error; nothing was run");
    check(
        &format!("{many}{}", NINE.replace("jobs", "processors.constant = 5, jobs")),
        2,
        "1 error",
    );
    let farm = "[[cluster]]\nname = \"m\"\nowner = \"a-1\"\ncount = 10000\nkind.time_shared = {}\n";
    let landless = format!("name = \"x\"\n[[organization]]\nname = \"a\"\ncount = 100000\n{NINE}");
    check(&format!("{landless}{farm}"), 2, "name a few with `uses`");
    // A list that all bring is read once, and few names are sought among many.
    check(&format!("{many}workload.jobs.file = \"jobs.csv\"\n"), 2, "needs 5 processors");
    let lost = |n: u32| format!("[[job]]\norganization = \"b-{n}\"\nsubmit = 0\nruntime = 1\n");
    let lost: String = (0..30).map(lost).collect();
    check(&format!("{many}{NINE}{lost}"), 2, "did you mean `a-1`?");
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

#[test]
fn a_hundred_thousand_unknown_keys_are_answered_in_a_moment() {
    let keys: String = (0..100_000).map(|n| format!("key{n} = 1\n")).collect();
    let begun = std::time::Instant::now();
    check(&format!("{keys}{A}"), 2, "unknown key `key0` in the scenario");
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

#[test]
fn clusters_and_workloads_are_wrong_at_once() {
    let both = "name = \"x\"\n[[organization]]\nname = \"a\"\n\
        cluster.space_shared = { processors = 0, scheduler = \"fcfs\" }\n\
        workload.synthetic = { arrivals.poisson.rate = -1, size.exponential.mean = 1 }\n";
    check(both, 2, "a cluster has at least 1 processor");
    check(both, 2, "s.toml: 2 errors");
}

#[test]
fn folders_that_cannot_be_used() {
    let folder = Folder::new(&format!("{A}{NINE}"));
    let refused = |out: &str, code: i32, phrase: &str| {
        let said = folder.run(&format!("run s.toml -q --out {out}"));
        assert!(said.error.contains(phrase), "{out}: {}", said.error);
        assert!(said.error.contains("--out FOLDER"), "{out}: {}", said.error);
        assert_eq!(said.code, code, "{out}");
    };
    refused("s.toml", 4, "s.toml: this is a file, not a folder");
    refused("s.toml/r", 4, "s.toml/r: ");
    fs::create_dir(folder.path("full")).unwrap();
    folder.write("full/notes.txt", "mine");
    refused("full", 2, "files that are not a run's results are here already, such as notes.txt");
    assert_eq!(folder.names("full"), ["notes.txt"]);
}

#[test]
fn what_a_killed_run_left_is_cleared_away() {
    let folder = Folder::new(&format!("{A}{NINE}"));
    fs::create_dir(folder.path("r")).unwrap();
    folder.write("r/.gridpact-a1b2c3.tmp", "half");
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    assert!(!folder.path("r/.gridpact-a1b2c3.tmp").exists());
}

#[test]
fn arguments_that_cannot_be() {
    for (words, phrase) in [
        ("", "Usage: gridpact"),
        ("run", "<FILE>"),
        ("rum s.toml", "'run'"),
        ("run s.toml --seed x", "--seed"),
        ("run s.toml --out r --no-files", "cannot be used with"),
        ("s.toml", "to simulate it, write 'gridpact run s.toml'"),
        ("run s.toml --replications 3", "set by '--set replications=VALUE'"),
        ("run s.toml --warm-up=3", "set by '--set warm_up=VALUE'"),
        ("run s.toml --thread 3", "'--threads'"),
        ("run s.toml --nonsense 3", "unexpected argument '--nonsense'"),
    ] {
        check_with(words, &format!("{A}{NINE}"), 2, phrase);
    }
}

/// Runs `words` with the reading end of a pipe closed.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new(&format!("{A}{NINE}"));
    let closed = |words: &str, error: bool| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut program = Command::new(assert_cmd::cargo::cargo_bin!("gridpact"));
        program.args(words.split_whitespace()).current_dir(folder.path("")).stdout(Stdio::null());
        let program = if error {
            program.stderr(writer)
        } else {
            program.stdout(writer).stderr(Stdio::null())
        };
        program.status().unwrap().code()
    };
    for words in ["check s.toml", "run s.toml --out r", "audit r"] {
        assert_eq!(closed(words, false), Some(0), "{words}");
    }
    assert_eq!(closed("check nosuch.toml", true), Some(4));
}
