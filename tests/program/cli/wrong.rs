//! Whatever is wrong is answered with the place, the reason and a remedy; the exit code says who can
//! mend it, and nothing is left half-written.
//!
//! Answers that are checked word for word are in `wrong/cases.md`; others by a phrase.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use gridpact::policy::learn::REGISTRY;

use crate::cli::support::{A, Folder, NINE, check, check_with, kth};

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

/// Looks for a phrase that may go over the end of a line, in what is said of a scenario.
#[track_caller]
fn says_with(words: &str, scenario: &str, phrase: &str) {
    let said = Folder::new(scenario).run(words);
    assert!(said.error.contains(phrase), "{phrase}: {scenario}{words}: {}", said.error);
    assert_eq!(said.code, 2, "{scenario}{words}: {}", said.error);
}

/// The same for `gridpact check`.
#[track_caller]
fn says(scenario: &str, phrase: &str) {
    says_with("check s.toml", scenario, phrase);
}

/// The same for `A` with something more.
#[track_caller]
fn says_more(text: &str, phrase: &str) {
    says(&format!("{A}{text}"), phrase);
}

/// Returns each case of `wrong/cases.md`: its title, scenario, exit code and answer.
fn cases(page: &str) -> Vec<[&str; 4]> {
    let sections = page.split("\n## ").skip(1);
    sections.map(|section| case(section).unwrap_or_else(|| panic!("{section}"))).collect()
}

fn case(section: &str) -> Option<[&str; 4]> {
    let (title, rest) = section.split_once("\n\n```toml\n")?;
    let (scenario, rest) = rest.split_once("```\n\n```console exit=")?;
    let (code, rest) = rest.split_once('\n')?;
    Some([title, scenario, code, rest.split_once("```\n")?.0])
}

#[test]
fn wrong_scenarios_are_answered_with_place_reason_and_remedy() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/cli/wrong/cases.md");
    let page = fs::read_to_string(&file).unwrap();
    let mut found = page.clone();
    assert!(cases(&page).len() > 20);
    for [title, scenario, code, answer] in cases(&page) {
        let said = Folder::new(scenario).run("check s.toml");
        assert_eq!(said.code.to_string(), code, "{title}: {}", said.error);
        // Two scenarios may have one answer: each is found by its own.
        let case = |answer: &str| format!("{scenario}```\n\n```console exit={code}\n{answer}```\n");
        found = found.replacen(&case(answer), &case(&said.error), 1);
    }
    if std::env::var_os("GRIDPACT_BLESS").is_some() {
        fs::write(&file, &found).unwrap();
    }
    snapbox::assert_data_eq!(found, snapbox::Data::text(page).raw());
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

/// Neither waited for nor read without end.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_no_input() {
    let told = "a pipe, a socket or a device; give a regular file";
    let jobs = |file: &str| format!("{A}workload.jobs.file = \"{file}\"\n");
    check(&jobs("/dev/zero"), 4, told);
    check(&format!("{A}workload.swf.file = \"/dev/zero\"\n"), 4, told);
    let folder = Folder::new(&jobs("pipe"));
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    let owners = format!(
        "{A}[workload.swf]\nfile = \"trace.swf\"\nowners.file.path = \"pipe\"\n[output]\n\
         warm_up.fixed = 1.0\n"
    );
    folder.write("owners.toml", &owners);
    folder.write(
        "times.toml",
        &format!("{A}{}", NINE.replace("exponential.mean = 4.0", "empirical.file = \"pipe\"")),
    );
    for words in [
        "check s.toml",
        "check pipe",
        "check owners.toml",
        "check times.toml",
        "run s.toml --no-files",
        "new trace pipe",
        "game pipe",
        "sweep pipe",
        "workload show pipe",
        "workload import pipe --from sacct",
        "workload import trace.swf --from sacct --owners pipe",
    ] {
        let said = folder.run(words);
        assert_eq!(said.code, 4, "{words}: {}", said.error);
        assert!(said.error.contains(told), "{words}: {}", said.error);
    }
    // One line without an end.
    let long = Folder::new(&jobs("long"));
    fs::write(long.path("long"), vec![b'7'; 3 << 20]).unwrap();
    let said = long.run("check s.toml");
    assert!(said.error.contains("a line is longer than 1 MB"), "{}", said.error);
    assert_ne!(said.code, 0);
    // Standard input is no file that is named.
    assert_eq!(folder.run_with("check -", &format!("{A}{NINE}")).code, 0);
}

/// Runs that would not fit into memory, or take hours for nothing, are refused before they begin.
#[test]
fn limits_are_told() {
    with(
        "run.replications = 2000000\n",
        2,
        "`replications`: 2000000 is too large; give a whole number from 1 to 10^6",
    );
    // Beyond its type the limit is the same.
    with(
        "run.replications = 10000000000\n",
        2,
        "`replications`: 10000000000 is too large; give a whole number from 1 to 10^6",
    );
    let precision = "run.until.precision = { metric = \"wait\", relative = 0.1, \
        each.jobs = 10, at_most = 2000000 }\n";
    with(precision, 2, "2000000");
    let coalition = |least: &str| {
        format!(
            "name = \"c\"\nrun.until.rounds = 5\n[[organization]]\nname = \"a\"\ncount = 2\n\
             cluster.time_shared = {{}}\nlearner.always = {{}}\n\
             workload.synthetic = {{ arrivals.poisson.rate = 0.1, size.exponential.mean = 4.0 }}\n\
             [coalition]\nperiod = 100.0\nbalancer.averaging.least = {least}\n"
        )
    };
    check(&coalition("1e8"), 2, "a round goes on until the next balancing");
    check(&coalition("10000"), 0, "");
    let continuing = coalition("1e8").replace("period =", "rounds.continuing = {}\nperiod =");
    check(&continuing, 0, "");
}

/// Eight in a row end just before the last moment that can be counted.
#[test]
fn jobs_that_last_almost_for_ever() {
    let list =
        |jobs: usize| format!("submit,runtime,processors\n{}", "0,1152921504606,1\n".repeat(jobs));
    let scenario = "name = \"x\"\nrun.until.drained = {}\n[[organization]]\nname = \"a\"\n\
        cluster.space_shared = { processors = 1, scheduler.fcfs = {} }\n\
        workload.jobs.file = \"jobs.csv\"\n";
    let folder = Folder::new(scenario);
    folder.write("jobs.csv", &list(8));
    let said = folder.run("run s.toml -q --out r");
    assert_eq!(said.code, 0, "{}", said.error);
    assert_eq!(folder.run("audit r").code, 0);
    folder.write("jobs.csv", &list(9));
    for words in ["run s.toml -q --out s", "run s.toml -q --no-files --set output.timeline=false"] {
        let said = folder.run(words);
        assert_eq!(said.code, 2, "{words}: {}", said.error);
        assert!(said.error.contains("292 000 years"), "{}", said.error);
    }
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

/// Words of Slurm, of machine learning and of schedulers, where users write them: a key, a choice, a
/// setting.
#[test]
fn words_of_other_fields_are_answered_with_ours() {
    let at = |table: &str, phrase: &str| says_more(&format!("{NINE}{table}\n"), phrase);
    let cluster = |inside: &str| {
        format!(
            "name = \"t\"\n[[organization]]\nname = \"a\"\ncluster.space_shared = {{ {inside} }}\n{NINE}"
        )
    };
    let job = |line: &str| {
        let job = "[[job]]\norganization = \"a\"\nsubmit = 0\nruntime = 1\n";
        format!("{job}{line}")
    };
    // Slurm's keys: in the table that has ours, elsewhere, and not modelled.
    says(
        &cluster("nodes = 4, scheduler.easy = {}"),
        "Slurm's `nodes` is called `processors` here\n",
    );
    says(&cluster("nodes = 4, scheduler.easy = {}"), "^^^^^ did you mean `processors`?");
    at("nodes = 4", "write it at `organization.cluster.space_shared.processors`");
    at(
        "partition = \"gpu\"",
        "Slurm's `partition` is called `cluster` here, if it has nodes of its own",
    );
    at(
        "account = \"physics\"",
        "Slurm's `account` is called `organization` here; write it at `[[organization]]`",
    );
    at("qos = \"high\"", "Slurm's `qos` is not modelled: jobs wait in the order of submission");
    at(
        "walltime = 3600",
        "Slurm's `walltime` is called `estimates` here, for drawn jobs; write it at",
    );
    says_more(&job("timelimit = 60\n"), "Slurm's `timelimit` is called `estimate` here\n");
    says_more(&job("Walltime = 60\n"), "^^^^^^^^ did you mean `estimate`?");
    says_more(&job("account = \"a\"\n"), "Slurm's `account` is called `organization` here\n");
    says_more(&job("dependency = 1\n"), "not modelled: a job may start as soon as it is submitted");
    // A slip of one letter is still a slip.
    let import = "workload.swf = { file = \"trace.swf\", import.partition = [1] }\n";
    says_more(import, "did you mean `partitions`?");
    // Schedulers.
    for (word, ours, why) in [
        (
            "backfill",
            "`conservative` or `easy`",
            "Slurm's `backfill` is called `conservative` or `easy` here: the",
        ),
        ("backfilling", "`conservative` or `easy`", "plans a start for every waiting job"),
        ("\"easy++\"", "`easy`", "write `scheduler.easy.backfill = \"shortest_first\"`"),
        ("\"easy++\"", "`easy`", "`run.clairvoyance = \"predicted\"`, which corrects"),
        ("fifo", "`fcfs`", "`fifo` is called `fcfs` here"),
        ("sjf", "`list`", "`sjf` is called `list` here: write `list.order = \"shortest\"`"),
        ("list.order.sjf", "`shortest`", "`sjf` is called `shortest` here"),
    ] {
        let text = cluster(&format!("processors = 4, scheduler.{word} = {{}}"));
        says(&text, &format!("did you mean {ours}?"));
        says(&text, why);
    }
    // Learners and balancers.
    let coalition = |learner: &str, balancer: &str| {
        format!(
            "name = \"c\"\nrun.until.rounds = 5\n[[organization]]\nname = \"a\"\ncount = 2\n\
             cluster.time_shared = {{}}\nlearner.{learner}\n\
             workload.synthetic = {{ arrivals.poisson.rate = 0.1, size.exponential.mean = 4.0 }}\n\
             [coalition]\nperiod = 100.0\nbalancer.{balancer} = {{}}\n"
        )
    };
    let learner = |learner: &str, phrase: &str| says(&coalition(learner, "averaging"), phrase);
    says(&coalition("always = {}", "average"), "^^^^^^^ did you mean `averaging`?");
    learner("q_learning = {}", "`q_learning` is called `boltzmann_q` here\n");
    learner("q_learning = { learning_rate = 0.2 }", "`learning_rate` is called `rate` here\n");
    learner("hedge.eta = 0.2", "`eta` is called `rate` here\n");
    learner("ucb.learning_rate = 0.2", "write it at `organization.learner.hedge.rate`");
    learner("epsilon_greedy.epsilon = 0.2", "`epsilon` is called `exploration` here\n");
    learner("boltzmann_q.gamma = 0.9", "`gamma` is not modelled as a discount factor: ");
    learner("exp3.gamma = 0.9", "`gamma` is called `exploration` here\n");
    learner("multiplicative_weights = {}", "`multiplicative_weights` is called `hedge` here");
    // Settings.
    let set = |words: &str, phrase: &str| {
        let text = coalition("hedge = {}", "averaging");
        says_with(&format!("check s.toml --set {words}"), &text, phrase);
    };
    set("learning_rate=0.2", "`learning_rate` is called `rate` or `step` here");
    set("walltime=60", "Slurm's `walltime` is called `estimate` here\n");
    set("nodes=60", "^^^^^ did you mean `processors`?");
    set("qos=high", "Slurm's `qos` is not modelled");
    set("balancer=average", "did you mean `averaging`?");
    set("organization.*.learner.hedge.lr=2", "`lr` is called `rate` here\n");
}

/// The near ones and how to list all, instead of the first twelve.
#[test]
fn a_wrong_choice_among_many_is_answered_with_the_near_ones() {
    let learner =
        |learner: &str| format!("name = \"c\"\n[[organization]]\nname = \"a\"\nlearner{learner}\n");
    let count = REGISTRY.len();
    let all = format!("`gridpact list learners` has all {count} choices");
    for wrong in [".hege = {}", " = \"hege\"", " = { hege = {} }"] {
        says(&learner(wrong), "did you mean `hedge`?");
        says(&learner(wrong), &format!("= help: {all}\n"));
    }
    let near = format!("help: the nearest of the {count} choices are `fictitious_play`, ");
    for wrong in [".fictive = {}", " = \"fictive\""] {
        says(&learner(wrong), &near);
        says(&learner(wrong), "; `gridpact list learners` has them all\n");
    }
    says(&learner(" = {}"), &format!("choose one of {count} names"));
    says(&learner(" = {}"), &format!("learner.ratio = ...`; {all}\n"));
    says(&learner(" = 3"), &format!("expected a choice of {count} names"));
    // Keys are told in full: a table has at most two dozen.
    says(&format!("output.x = 1\n{A}{NINE}"), "`confidence` and `tau`\n");
}

#[test]
fn numbers_that_cannot_be() {
    with("run.replications = 0\n", 2, "`replications`: 0 is too small");
    with("run.replications = -1\n", 2, "s.toml:1:20");
    with("run.replications = 5000000000\n", 2, "5000000000 is too large; give a whole number");
    with("run.until.time = 0\n", 2, "`time`: 0 is too small");
    let model = "workload.lublin_feitelson = { processors = 4, load = 1e308, jobs = 5 }\n";
    more(model, 2, "too far from 1e308: ");
    with("run.until.time = -1\n", 2, "s.toml:1:18");
    with("run.until.time = 1e300\n", 2, "s.toml:1:18");
    with("run.until.time = nan\n", 2, "not NaN");
    with("run.until.jobs = 0\n", 2, "`jobs`: 0 is too small");
    with("seed = 99999999999999999999\n", 2, "the number is too large");
    with("output.warm_up.fixed = -1\n", 2, "s.toml:1:24");
    with("output.warm_up = 1\n", 2, "write `warm_up.fixed = ...`");
    with("output.tau = inf\n", 2, "not inf");
    more(
        "workload.synthetic = { arrivals.poisson.rate = 1e30, size.exponential.mean = 1 }\n",
        2,
        "1e30 is not a rate",
    );
    more(
        "workload.synthetic = { arrivals.poisson.rate = 1, size.exponential.mean = nan }\n",
        2,
        "`mean` must be a finite number, not NaN",
    );
    more(&NINE.replace("jobs = 9", "jobs = 0"), 2, "`jobs`: 0 is too small");
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
    more(&format!("{NINE}uses = []\n"), 2, "`uses`: this list is empty; give 1 or more");
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
    more(&import("first = 0"), 2, "`first`: 0 is too small");
    more(
        &import("users = [7]"),
        2,
        "no job of the 3 in this trace is left: `users` 3 (not selected)",
    );
    more(&import("frist = 1"), 2, "did you mean `first`?");
    more("workload.jobs.file = \"nosuch.csv\"\n", 4, "paths are relative to the scenario file");
    more("workload.jobs.file = \"trace.swf\"\n", 2, "line 1: there is no column");
    more("workload.jobs.file = \"jobs.csv\"\n", 2, "job 2 of `a` needs 5 processors");
    let owners =
        |owners: &str| format!("[workload]\nswf = {{ file = \"trace.swf\", owners.{owners} }}\n");
    more(&owners("file.path = \"nosuch.csv\""), 4, "nosuch.csv: cannot be read");
    more(&owners("file.path = \"owners.csv\""), 2, "user 2 of the trace is not listed");
    more(&owners("balanced.parts = 0"), 2, "`parts`: 0 is too small");
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
        assert!(said.out.contains("rejected: no cluster that "), "{}", said.out);
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
}

/// Before, each was compared with each other for 20 s.
#[test]
fn a_hundred_thousand_players_are_too_many() {
    let players: Vec<String> = (0..100_000).map(|n| format!("\"p{n}\"")).collect();
    let game = format!(
        "name = \"g\"\n[game.payoffs.coalitions]\nplayers = [{}]\nworth = [{{ of = [], is = 1.0 }}]\n",
        players.join(",")
    );
    check(&game, 2, "this is for 100 000 players");
}

#[test]
fn a_hundred_thousand_unknown_keys_are_answered_in_a_moment() {
    let keys: String = (0..100_000).map(|n| format!("key{n} = 1\n")).collect();
    check(&format!("{keys}{A}"), 2, "unknown key `key0` in the scenario");
}

#[test]
fn clusters_and_workloads_are_wrong_at_once() {
    let both = "name = \"x\"\n[[organization]]\nname = \"a\"\n\
        cluster.space_shared = { processors = 0, scheduler = \"fcfs\" }\n\
        workload.synthetic = { arrivals.poisson.rate = -1, size.exponential.mean = 1 }\n";
    check(both, 2, "`processors`: 0 is too small");
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
        ("s.toml", "to simulate it, write `gridpact run s.toml`"),
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
        let mut program = crate::cli::support::program();
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

#[test]
fn names_that_mislead_are_refused() {
    let organization = |name: &str| A.replace("\"a\"", &format!("\"{name}\""));
    for (name, phrase) in [
        ("evil\\u202Egrid", "`evil\\u{202e}grid` is no name"),
        ("a\\u2066b", "character that is not seen"),
        ("=cmd|' /C calc'!A0", "would run it as a formula"),
        ("+a", "would run it as a formula"),
        ("-a", "would run it as a formula"),
        ("@SUM(A1)", "would run it as a formula"),
    ] {
        check_with("check s.toml", &format!("{}{NINE}", organization(name)), 2, phrase);
    }
    // The organizations of a trace are called as a file says.
    let folder = Folder::new(
        "name = \"t\"\n[[cluster]]\nname = \"c\"\nowner = \"=x\"\nkind.space_shared = { \
         processors = 9, scheduler.easy = {} }\n[workload.swf]\nfile = \"trace.swf\"\nowners.file.path = \
         \"named.csv\"\n",
    );
    folder.write("named.csv", "user,organization\n*,=x\n");
    let said = folder.run("check s.toml");
    assert_eq!(said.code, 2);
    assert!(said.error.contains("would run it as a formula"), "{}", said.error);
}

/// Ten megabytes that are no scenario, as text and as bytes.
#[test]
fn garbage_is_refused_at_its_first_spot() {
    let folder = Folder::new("");
    folder.write("text.toml", &"m.{epmg\n]\"".repeat(1_000_000));
    let said = folder.run("check text.toml");
    let expected = "error: key with no value
 --> text.toml:1:3
  |
1 | m.{epmg
  |   ^ expected `=`
text.toml: 1 error; nothing was run
";
    assert_eq!((said.code, &*said.error), (2, expected));
    std::fs::write(folder.path("bytes.toml"), [b'd', 0x84, 0xff].repeat(3_500_000)).unwrap();
    let said = folder.run("check bytes.toml");
    let told = "error: `bytes.toml` is not a text in UTF-8\n --> bytes.toml:1:2\n";
    assert!(said.error.starts_with(told), "{}", said.error);
    let end = "\n  = help: a scenario is a TOML text: save the file as UTF-8\n\
        bytes.toml: 1 error; nothing was run\n";
    assert!(said.error.ends_with(end) && said.error.len() < 1000, "{}", said.error);
    assert_eq!(said.code, 2);
}

/// A wrong key is one mistake, whatever its value.
#[test]
fn a_key_in_the_wrong_place_is_answered_once() {
    for value in ["\"x.csv\"", "10"] {
        let said = Folder::new(&format!("jobs = {value}\n{A}{NINE}")).run("check s.toml");
        assert!(said.error.contains("`jobs` belongs at `output.jobs` or `workload.jobs`"));
        assert!(said.error.ends_with("s.toml: 1 error; nothing was run\n"), "{}", said.error);
    }
}

/// The folder of the results has a name that the file system takes, another for each scenario.
#[test]
fn a_scenario_may_have_a_long_name() {
    let folder = Folder::new("");
    for last in ["a", "b"] {
        let name = format!("{}{last}", "Grid ".repeat(60));
        let scenario = format!("{A}{NINE}").replacen("test", &name, 1);
        folder.write("s.toml", &scenario);
        let said = folder.run("run s.toml -q");
        assert_eq!(said.code, 0, "{}", said.error);
        let said = folder.run("compare s.toml --vary scheduler=easy,fcfs -q");
        assert_eq!(said.code, 0, "{}", said.error);
    }
    assert_eq!(folder.names("results").len(), 4);
}

/// The short scenario of the README checks where the README says, and a trace that is elsewhere in
/// the checkout is pointed to.
#[test]
fn the_short_scenario_of_the_readme_checks() {
    let project = kth();
    let project = project.ancestors().nth(3).unwrap();
    let readme = fs::read_to_string(project.join("README.md")).unwrap();
    let scenario = readme.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = Folder::new(scenario);
    fs::create_dir_all(folder.path("scenarios/traces")).unwrap();
    fs::copy(kth(), folder.path("scenarios/traces/KTH-SP2-1996-2.1-cln.swf.gz")).unwrap();
    let said = folder.run("check s.toml");
    assert_eq!(said.code, 0, "{}", said.error);
    folder.write("s.toml", &scenario.replace("scenarios/traces/", "traces/"));
    let said = folder.run("check s.toml");
    let help = "here: `scenarios/traces/KTH-SP2-1996-2.1-cln.swf.gz`";
    assert_eq!(said.code, 4, "{}", said.error);
    assert!(said.error.contains(help), "{}", said.error);
}
