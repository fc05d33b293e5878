//! Scenarios in several layers: `extends`, `--set` and standard input.

use crate::cli::support::{A, Folder, NINE};

/// Runs `gridpact check` with these words on a scenario beside `base.toml`, which is `A` with nine
/// jobs; expects this on standard error, to the letter.
#[track_caller]
fn wrong(scenario: &str, words: &str, code: i32, expected: &str) {
    let folder = Folder::new(scenario);
    folder.write("base.toml", &format!("{A}{NINE}"));
    let said = folder.run(&format!("check s.toml {words}"));
    let expected: String = expected
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('!'))
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect();
    assert_eq!(said.error, expected, "{words}");
    assert_eq!(said.code, code, "{words}");
}

/// Asserts the seed and the clusters that `check` tells.
#[track_caller]
fn right(scenario: &str, words: &str, expected: &[&str]) {
    let folder = Folder::new(scenario);
    folder.write("base.toml", &format!("{A}{NINE}"));
    let said = folder.run(&format!("check s.toml {words}"));
    assert_eq!(said.code, 0, "{}", said.error);
    for expected in expected {
        assert!(said.out.contains(expected), "{words}: `{expected}` is not in:\n{}", said.out);
    }
}

const EXTENDS: &str = "extends = \"base.toml\"\n";

#[test]
fn what_is_written_is_laid_over_what_is_extended() {
    let extended = |text: &str| format!("{EXTENDS}{text}");
    right(EXTENDS, "", &["test: this", "seed 1,", "a of a: 4 processors under easy", "9 jobs"]);
    // A value, a key of a table, a choice with all below it, another kind of cluster.
    right(&extended("name = \"other\"\nrun.replications = 3"), "", &["other: ", "3 replications"]);
    let a = "[[organization]]\nname = \"a\"\n";
    let more = |text: &str| extended(&format!("{a}{text}"));
    right(&more("cluster.space_shared.processors = 7"), "", &["7 processors under easy", "9 jobs"]);
    right(&more("cluster.space_shared.scheduler = \"fcfs\""), "", &["4 processors under fcfs"]);
    let list = "cluster.space_shared.scheduler.list = { order = \"longest\" }";
    right(&more(list), "", &["4 processors under list"]);
    right(&more("cluster.time_shared = {}"), "", &["a of a: time-shared"]);
    // Another organization comes after those of the base.
    let other = "[[organization]]\nname = \"b\"\ncluster.time_shared = {}\n";
    right(&extended(other), "", &["2 organizations\n  a\n  b\n", "b of b: time-shared"]);
    // An empty list hides the one below.
    let jobs = "organization = []\n[workload]\njobs.file = \"own.csv\"\n";
    let folder = Folder::new(&extended(jobs));
    folder.write("base.toml", &format!("{A}{NINE}"));
    assert!(folder.run("check s.toml").error.contains("the grid has no cluster"));
}

#[test]
fn a_chain_of_scenarios_in_several_folders_finds_its_files() {
    let folder = Folder::new("extends = \"deep/middle.toml\"\nseed = 5\n");
    std::fs::create_dir_all(folder.path("deep/er")).unwrap();
    folder.write("deep/middle.toml", "extends = \"er/base.toml\"\nseed = 4\n");
    let base = format!("{A}workload.jobs.file = \"jobs.csv\"\n");
    folder.write("deep/er/base.toml", &base);
    folder.write("deep/er/jobs.csv", "submit,runtime,processors\n0,1,4\n");
    let said = folder.run("check s.toml");
    assert!(said.out.contains("seed 5, ") && said.out.contains("1 job,"), "{}", said.error);
    // A path of the upper layer is relative to its own file: two jobs are in that one.
    // The second needs five processors.
    let written = folder.read("s.toml");
    folder.write(
        "s.toml",
        &format!("{written}[[organization]]\nname = \"a\"\nworkload.jobs.file = \"jobs.csv\"\n"),
    );
    let said = folder.run("check s.toml --set processors=5");
    assert!(said.out.contains("2 jobs,"), "{}{}", said.out, said.error);
}

#[test]
fn settings_find_their_place() {
    let scenario = format!("{A}{NINE}");
    let s = |words: &str, expected: &[&str]| right(&scenario, words, expected);
    s("--set seed=7", &["seed 7,"]);
    s("--set run.replications=3 --set run.replications=4", &["4 replications"]);
    s("--set scheduler=fcfs", &["4 processors under fcfs"]);
    s("--set scheduler=fcfs --set scheduler.list.order=longest", &["under list"]);
    s("--set space_shared.processors=6", &["6 processors under easy"]);
    s("--set organization.a.cluster.time_shared={}", &["a of a: time-shared"]);
    s("--set organization[0].cluster=time_shared", &["a of a: time-shared"]);
    s("--set organization.*.count=3", &["3 organizations\n  a-1\n  a-2\n  a-3"]);
    s("--set synthetic.jobs=5", &["a: 5 jobs"]);
    // `workload` is a key of the root too, but nothing called so goes on there.
    s("--set workload.synthetic.jobs=5", &["a: 5 jobs"]);
    s("--set rate=.5 --set name=plain", &["plain (rate = .5): this"]);
    s("--set \"name\"='quoted' --seed 3 --set seed=4", &["quoted: this", "seed 3,"]);
    s("--set run={replications=2}", &["2 replications"]);
    // Written nowhere, but there is only one such key, or only one that goes on so.
    s("--set replications=2 --set until.time=9", &["2 replications, until time 9"]);
}

#[test]
fn a_scenario_may_come_by_standard_input() {
    let folder = Folder::new("");
    let run = |text: &str| folder.run_with("check - --set seed=9 --set processors=5", text);
    let said = run(&format!("{A}workload.jobs.file = \"jobs.csv\"\n"));
    assert!(said.out.contains("seed 9, ") && said.out.contains("2 jobs"), "{}", said.error);
    let said = folder.run_with("check -", "nam = \"x\"\n");
    assert!(said.error.starts_with("error: unknown key `nam` in the scenario\n --> <stdin>:1:1\n"));
    assert!(said.error.ends_with("<stdin>: 1 error; nothing was run\n"), "{}", said.error);
    assert_eq!(said.code, 2);
}

#[test]
fn mistakes_are_shown_where_they_come_from() {
    let more = |text: &str| format!("{EXTENDS}[[organization]]\nname = \"a\"\n{text}\n");
    // In the upper layer, though the base has the key that was meant.
    wrong(
        &more("cluster.space_shared.procesors = 3"),
        "",
        2,
        "!error: unknown key `procesors` in `space_shared`
         ! --> s.toml:4:22
         !  |
         !4 | cluster.space_shared.procesors = 3
         !  |                      ^^^^^^^^^ did you mean `processors`?
         !  |
         !  = help: the keys here are `processors`, `scheduler`, `foreign`, `share`, `kill_at_estimate` and `speed`
         !s.toml: 1 error; nothing was run",
    );
    // Zero processors by a setting, and a choice that is none: both at once, once for each.
    wrong(
        EXTENDS,
        "--set scheduler=esay --set organization.a.count=x",
        2,
        "!error: unknown choice `esay` for `scheduler`
         ! --> --set:1:11
         !  |
         !1 | scheduler=esay
         !  |           ^^^^ did you mean `easy`?
         !  |
         !  = help: the choices here are `fcfs`, `easy`, `conservative`, `list`, `process` and `batsim`
         !
         !error: expected a whole number for `count`, found a string
         ! --> --set:1:22
         !  |
         !1 | organization.a.count=x
         !  |                      ^ expected a whole number
         !s.toml: 2 errors; nothing was run",
    );
    wrong(
        EXTENDS,
        "--set space_shared.processors=0",
        2,
        "!error: `processors`: 0 is too small; give a whole number, 1 or more
         ! --> --set:1:25
         !  |
         !1 | space_shared.processors=0
         !  |                         ^
         !s.toml: 1 error; nothing was run",
    );
    wrong(
        EXTENDS,
        "--set rate=nan",
        2,
        "!error: `rate` must be a finite number, not NaN
         ! --> --set:1:6
         !  |
         !1 | rate=nan
         !  |      ^^^ must be a finite number
         !s.toml: 1 error; nothing was run",
    );
    // Two choices of one layer, and none by way of another.
    wrong(
        &more("cluster.space_shared.scheduler = { fcfs = {}, list = {} }"),
        "",
        2,
        "!error: two choices at once for `scheduler`: `fcfs` and `list`
         ! --> s.toml:4:47
         !  |
         !4 | cluster.space_shared.scheduler = { fcfs = {}, list = {} }
         !  |                                    ----       ^^^^ and `list` here
         !  |                                    |
         !  |                                    `fcfs` is chosen here
         !  |
         !  = help: keep one of them
         !s.toml: 1 error; nothing was run",
    );
}

#[test]
fn a_base_that_is_set_would_come_too_late() {
    let expected = "!error: what a scenario extends cannot be set from the command line
         ! --> --set:1:1
         !  |
         !1 | extends=base.toml
         !  | ^^^^^^^ settings come after it was read
         !  |
         !  = help: write `extends` into a scenario of your own
         !s.toml: 1 error; nothing was run";
    wrong(&format!("{A}{NINE}"), "--set extends=base.toml", 2, expected);
    wrong(EXTENDS, "--set extends=base.toml", 2, expected);
}

#[test]
fn bases_that_cannot_be() {
    wrong(
        "extends = \"s.toml\"",
        "",
        2,
        "!error: `s.toml` extends itself
         ! --> s.toml:1:11
         !  |
         !1 | extends = \"s.toml\"
         !  |           ^^^^^^^^ this leads back to it
         !  |
         !  = help: remove one `extends`: a scenario builds on one that is complete without it
         !s.toml: 1 error; nothing was run",
    );
    wrong(
        "extends = \"bse.toml\"",
        "",
        4,
        "!error: cannot read `bse.toml`: No such file or directory (os error 2)
         ! --> s.toml:1:11
         !  |
         !1 | extends = \"bse.toml\"
         !  |           ^^^^^^^^^^
         !  |
         !  = help: did you mean `base.toml`, in the same folder?
         !s.toml: 1 error; nothing was run",
    );
    wrong(
        "extends = \"latin1.toml\"",
        "",
        2,
        "!error: `latin1.toml` is not a text in UTF-8
         ! --> latin1.toml:1:12
         !  |
         !1 | name = \"caf\u{fffd}\"
         !  |            ^ the byte 0xe9 does not belong here
         !  |
         ! ::: s.toml:1:11
         !  |
         !1 | extends = \"latin1.toml\"
         !  |           ------------- it is named here
         !  |
         !  = help: a scenario is a TOML text: save the file as UTF-8
         !s.toml: 1 error; nothing was run",
    );
    wrong(
        "extends = [\"base.toml\"]\nname = \"x\"",
        "",
        2,
        "!error: expected a string for `extends`, found an array
         ! --> s.toml:1:11
         !  |
         !1 | extends = [\"base.toml\"]
         !  |           ^^^^^^^^^^^^^ expected a string
         !s.toml: 1 error; nothing was run",
    );
}

#[test]
fn a_cycle_is_shown_link_by_link() {
    let folder = Folder::new("extends = \"one.toml\"\n");
    folder.write("one.toml", "extends = \"two.toml\"\n");
    folder.write("two.toml", "extends = \"./one.toml\"\n");
    let said = folder.run("check s.toml");
    let expected = "\
error: `one.toml` extends itself
 --> two.toml:1:11
  |
1 | extends = \"./one.toml\"
  |           ^^^^^^^^^^^^ this leads back to it
  |
 ::: one.toml:1:11
  |
1 | extends = \"two.toml\"
  |           ---------- `one.toml` extends `two.toml`
  |
  = help: remove one `extends`: a scenario builds on one that is complete without it
s.toml: 1 error; nothing was run
";
    assert_eq!(said.error, expected);
    assert_eq!(said.code, 2);
}

#[test]
fn a_chain_that_is_too_long_is_refused() {
    let folder = Folder::new("extends = \"1.toml\"\n");
    for n in 1..40 {
        folder.write(&format!("{n}.toml"), &format!("extends = \"{}.toml\"\n", n + 1));
    }
    let said = folder.run("check s.toml");
    assert!(said.error.starts_with("error: more than 32 scenarios extend each other\n"));
    assert_eq!(said.code, 2);
}

#[test]
fn settings_that_cannot_be() {
    let help = " = help: write `--set key=value`, such as `--set run.replications=10`";
    for (setting, told) in [
        ("seed", "this setting cannot be read: there is no `=`"),
        ("=3", "this setting cannot be read: there is no key"),
        ("a..b=3", "this setting cannot be read: a key is missing"),
        ("run[x]=3", "this setting cannot be read: brackets hold a number"),
        ("seed=", "a value is missing"),
        (
            &format!("run{}=3", ".a".repeat(40_000)),
            "this setting cannot be read: the key is too long",
        ),
    ] {
        let said = Folder::new(A).run(&format!("check s.toml --set {setting}"));
        assert!(said.error.starts_with(&format!("error: {told}\n")), "{}", said.error);
        assert!(said.error.contains(help), "{}", said.error);
        assert_eq!(said.code, 2);
    }
    for (setting, told) in [
        ("run={a", "extend"),
        ("organization[7].count=3", "there is no element 7"),
        ("organization.b.count=3", "there is none called `b`"),
        ("run.*=3", "only a list has elements"),
        ("over_estimate=keep", "`over_estimate` is written nowhere in the scenario"),
        ("import.overestimate=keep", "`import` has no key `overestimate`"),
        ("colour=3", "no key of a scenario is called `colour`"),
    ] {
        let said = Folder::new(&format!("{A}{NINE}")).run(&format!("check s.toml --set {setting}"));
        let told = if told == "extend" { "unclosed inline table" } else { told };
        assert!(said.error.starts_with(&format!("error: {told}\n")), "{}", said.error);
        assert_eq!(said.code, 2);
    }
}

#[test]
fn numbers_that_are_too_large_are_told_as_such() {
    for setting in ["seed=18446744073709551615", "rate=1e999", "rate=-9e400"] {
        let said = Folder::new(&format!("{A}{NINE}")).run(&format!("check s.toml --set {setting}"));
        assert!(said.error.starts_with("error: the number is too large\n"), "{}", said.error);
    }
    for setting in ["rate=.5", "rate=5.", "rate=+5", "rate=5e-1"] {
        let said = Folder::new(&format!("{A}{NINE}")).run(&format!("check s.toml --set {setting}"));
        assert_eq!(said.code, 0, "{}", said.error);
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_itself_is_not_proposed_instead_of_itself() {
    let folder = Folder::new(A);
    std::os::unix::fs::symlink("two.toml", folder.path("one.toml")).unwrap();
    std::os::unix::fs::symlink("one.toml", folder.path("two.toml")).unwrap();
    let said = folder.run("check one.toml");
    assert!(said.error.contains("Too many levels of symbolic links"), "{}", said.error);
    assert!(!said.error.contains("did you mean"), "{}", said.error);
    assert_eq!(said.code, 4);
}

/// Keys of a choice do not come back after another choice was made in between.
#[test]
fn a_choice_that_was_dropped_is_made_anew() {
    let cluster = |scheduler: &str| {
        format!("[[organization]]\nname = \"a\"\ncluster.space_shared.scheduler.{scheduler}\n")
    };
    let shortest = "list = { order = \"shortest\" }";
    let folder = Folder::new(&format!("extends = \"middle.toml\"\n{}", cluster("list = {}")));
    folder.write("middle.toml", &format!("extends = \"low.toml\"\n{}", cluster("fcfs = {}")));
    folder.write("low.toml", &format!("{EXTENDS}{}", cluster(shortest)));
    folder.write("base.toml", &format!("{A}{NINE}"));
    let order = |words: &str| {
        let said = folder.run(&format!("run {words} --quiet --out o --force"));
        assert_eq!(said.code, 0, "{}", said.error);
        let manifest: serde_json::Value =
            serde_json::from_str(&folder.read("o/manifest.json")).unwrap();
        manifest["clusters"][0]["order"].as_str().unwrap().to_owned()
    };
    assert_eq!(order("low.toml"), "shortest");
    assert_eq!(order("low.toml --set scheduler.list={}"), "shortest");
    assert_eq!(order("s.toml"), "submit");
    assert_eq!(order("middle.toml --set scheduler.list={}"), "submit");
    assert_eq!(order("low.toml --set scheduler.fcfs={} --set scheduler.list={}"), "submit");
}

#[test]
fn a_key_in_unlike_places_is_asked_back() {
    let two = format!(
        "{A}{NINE}[[job]]\norganization = \"a\"\nsubmit = 0\nruntime = 1\nprocessors = 1\n"
    );
    wrong(
        &two,
        "--set processors=3",
        2,
        "!error: `processors` is written in unlike places
         ! --> --set:1:1
         !  |
         !1 | processors=3
         !  | ^^^^^^^^^^ which one is meant?
         !  |
         !  = help: write more of the path: `job.*.processors` or `organization.*.cluster.space_shared.processors`
         !s.toml: 1 error; nothing was run",
    );
}

/// A key as a starter's comments and warnings name it, which is not written yet: it goes to the one
/// kind of table that can have it, and its misspelling to the same place.
#[test]
fn a_key_that_is_not_written_goes_where_it_can_be() {
    let large = A.replace("processors = 4", "processors = 9");
    let trace = format!("{large}workload.swf.file = \"trace.swf\"\n");
    let folder = Folder::new(&trace);
    for setting in
        ["import.load.factor=1.1", "over_estimate=keep", "kill_at_estimate=true", "import.first=2"]
    {
        let said = folder.run(&format!("check s.toml --set {setting}"));
        assert_eq!(said.code, 0, "{setting}: {}", said.error);
    }
    for (setting, expected) in [
        ("import.overestimate=keep", "did you mean `over_estimate`?"),
        ("import.load.factor=-1", "load.factor"),
        ("import.load.factr=2", "did you mean `factor`?"),
        ("swf.import.overestimate=keep", "did you mean `over_estimate`?"),
        ("until=5", "`run.until`"),
    ] {
        let said = folder.run(&format!("check s.toml --set {setting}"));
        assert!(said.error.contains(expected), "{setting}: {}", said.error);
        assert_eq!(said.code, 2, "{setting}");
    }
    // Without a trace there is no such table: the paths are told.
    let said =
        Folder::new(&format!("{A}{NINE}")).run("check s.toml --set import.overestimate=keep");
    let paths = "`organization.*.workload.swf.import.over_estimate` or \
                 `workload.swf.import.over_estimate`";
    assert!(said.error.contains(paths), "{}", said.error);
    assert!(said.error.contains("did you mean `over_estimate`?"), "{}", said.error);
}

/// The copies of an entry with a count have no entries of their own.
#[test]
fn a_copy_is_set_by_the_name_of_its_entry() {
    let folder = Folder::new(&format!("{A}count = 3\n{NINE}"));
    let said = folder.run("check s.toml --set organization.a-2.cluster.space_shared.processors=9");
    let help = "it is one of the 3 that `a` stands for: write `a` to set them all";
    assert!(said.error.contains(help), "{}", said.error);
    let said = folder.run("check s.toml --set organization.a.cluster.space_shared.processors=9");
    assert_eq!(said.code, 0, "{}", said.error);
}

/// However many entries name it, and whether they do so themselves or by a setting.
#[test]
fn an_unknown_name_is_reported_once() {
    let entry = |name: &str| {
        let cluster = "cluster.space_shared = { processors = 4, scheduler.easy = {} }";
        format!("[[organization]]\nname = \"{name}\"\n{cluster}\nuses = [\"a\", \"zz\"]\n{NINE}")
    };
    let scenario = format!("name = \"t\"\n{}", ["a", "b", "c"].map(entry).concat());
    let folder = Folder::new(&scenario);
    let same = Folder::new(&scenario.replace(", \"zz\"", ""));
    let written = folder.run("check s.toml");
    let set = same.run("check s.toml --set organization.*.uses=[\"zz\"]");
    for said in [&written, &set] {
        let times = said.error.matches("there is no cluster called `zz`").count();
        assert_eq!((times, said.code), (1, 2), "{}", said.error);
        assert!(said.error.ends_with("s.toml: 1 error; nothing was run\n"), "{}", said.error);
    }
    assert_eq!(written.error.matches("and here").count(), 2, "{}", written.error);
}

/// Bases are laid over each other in one pass, however many names they have.
#[test]
fn a_large_base_is_no_burden() {
    let mut base = String::from("name = \"large\"\n");
    let mut top = String::from("extends = \"base.toml\"\n");
    for n in 0..20_000 {
        base.push_str(&format!("[[organization]]\nname = \"o{n}\"\ncluster = \"time_shared\"\n"));
        top.push_str(&format!("[[organization]]\nname = \"o{n}\"\n"));
    }
    base.push_str("[[job]]\norganization = \"o7\"\nsubmit = 0\nruntime = 1\n");
    let folder = Folder::new(&top);
    folder.write("base.toml", &base);
    let said = folder.run("check s.toml --set organization.*.uses=[\"o1\"]");
    assert!(said.out.contains("20 000 organizations"), "{}{}", said.out, said.error);
}
