//! Warnings: the runs that get them, and those that do not.

use serde_json::Value;

use crate::cli::support::Folder;

/// A run's summary, and what was printed.
fn summary(scenario: &str) -> (Value, String) {
    let folder = Folder::new(&format!("name = \"test\"\n{scenario}"));
    let said = folder.run_whole("run s.toml --out r");
    assert_eq!((said.code, &*said.error), (0, ""), "{scenario}");
    (serde_json::from_str(&folder.read("r/summary.json")).unwrap(), said.out)
}

/// The line of the whole grid in a summary.
fn whole(summary: &Value) -> &Value {
    summary["organizations"].as_array().and_then(|all| all.last()).unwrap()
}

/// A figure of a unit in a summary.
fn figure<'a>(summary: &'a Value, unit: &str, measure: &str) -> &'a Value {
    let is_it = |one: &&Value| one["unit"] == unit && one["measure"] == measure;
    summary["figures"].as_array().unwrap().iter().find(is_it).unwrap()
}

fn warnings(scenario: &str) -> Vec<String> {
    serde_json::from_value(summary(scenario).0["warnings"].take()).unwrap()
}

/// Exactly these warnings, of each its beginning.
#[track_caller]
fn check(scenario: &str, expected: &[&str]) {
    let found = warnings(scenario);
    let is_so = found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| found.starts_with(expected));
    assert!(is_so, "{found:#?}\n{expected:#?}");
}

/// An organization with a time-shared cluster whose jobs of mean 1 come at this rate.
fn queue(name: &str, rate: f64) -> String {
    format!(
        "[[organization]]\nname = \"{name}\"\ncluster.time_shared = {{}}\nworkload.synthetic = \
         {{ arrivals.poisson.rate = {rate}, size.exponential.mean = 1.0 }}\n"
    )
}

/// An organization with one processor and so many jobs of 10 units, one after each gap.
fn list(jobs: usize, gap: usize) -> String {
    let jobs = (0..jobs).map(|job| job * gap).map(|submit| {
        format!("[[job]]\norganization = \"listed\"\nsubmit = {submit}\nruntime = 10\n")
    });
    "[[organization]]\nname = \"listed\"\ncluster.space_shared = { processors = 1, \
     scheduler.fcfs = {} }\n"
        .to_owned()
        + &jobs.collect::<String>()
}

#[test]
fn replications_of_given_jobs_are_no_sample() {
    let scenario = format!("run.replications = 12\n{}", list(100, 20));
    let (summary, _) = summary(&scenario);
    assert_eq!(whole(&summary)["flow_mean_low"], Value::Null);
    assert_eq!(whole(&summary)["utilization_low"], Value::Null);
    check(&scenario, &["the jobs are given, so all replications are identical"]);
    check(
        &format!(
            "run = {{ replications = 12, until.time = 9e3 }}\n{}{}",
            list(99, 20),
            queue("q", 0.5)
        ),
        &["the jobs of `listed` are given and the same in every replication"],
    );
    // Their order may be drawn.
    let random = scenario.replace("fcfs", "list").replace("list = {}", "list.order = \"random\"");
    check(&random, &["the jobs of `listed` are given"]);
}

/// The last job of 200 waits 1990 units, and a second one later changes nothing about that.
#[test]
fn a_batch_submitted_at_one_instant_has_no_batch_means() {
    const ONE: &str = "all jobs were submitted at one instant";
    let later = "[[job]]\norganization = \"listed\"\nsubmit = 1\nruntime = 10\n";
    let other = "[[organization]]\nname = \"b\"\ncluster.time_shared = {}\n\
        [[job]]\norganization = \"b\"\nsubmit = 9\nruntime = 1\n";
    for (more, own, grid) in [("", false, false), (later, true, true), (other, false, true)] {
        let (summary, said) = summary(&(list(200, 0) + more));
        let has = |of: &Value| {
            assert_eq!(of["flow_mean_low"].is_null(), of["wait_mean_low"].is_null());
            !of["flow_mean_low"].is_null() || !of["flow_p50_low"].is_null()
        };
        assert_eq!(
            (has(&summary["organizations"][0]), has(whole(&summary))),
            (own, grid),
            "{said}"
        );
        assert_eq!(summary["warnings"].to_string().contains(ONE), !grid, "{said}");
        assert_eq!(said.contains('±'), own || grid, "{said}");
    }
    // Replications of such batches are a sample.
    let drawn = "run.replications = 4\n[[organization]]\nname = \"a\"\ncluster.time_shared = {}\n\
        workload.synthetic = { jobs = 100, batches.constant = 100, arrivals.poisson.rate = 1.0, \
        size.exponential.mean = 1.0 }\n";
    let (summary, said) = summary(drawn);
    assert_eq!(figure(&summary, "*", "flow")["method"], "replications", "{said}");
    assert!(!said.contains(ONE), "{said}");
}

#[test]
fn the_whole_grid_is_judged_too() {
    let scenario = "run.until.jobs = 20000\n[[organization]]\nname = \"lab\"\ncount = 200\n\
        uses = [\"c\"]\n[[cluster]]\nname = \"c\"\nowner = \"lab-1\"\nkind.time_shared = {}\n\
        [workload.shared]\nsource.synthetic = { arrivals.poisson.rate = 0.98, \
        size.exponential.mean = 1.0 }\nowners.uniform = {}\n";
    let found = warnings(scenario);
    let of_grid = "the sample is small: the mean flow time of the whole grid, `lab-";
    assert!(found.iter().any(|one| one.starts_with(of_grid)), "{found:#?}");
    let few = "run.until.jobs = 20000\n".to_owned() + &queue("big", 0.3) + &queue("small", 0.002);
    let found = warnings(&few);
    let of_small = "the intervals of `small` are only rough: they come from fewer than 10 ba";
    assert!(found.iter().any(|one| one.starts_with(of_small)), "{found:#?}");
}

#[test]
fn a_load_above_one_is_told_where_it_is_one() {
    // A part of the clusters is asked too much of, though all together are idle.
    let narrow = |rate: f64| {
        format!(
            "run.until.jobs = 8000\n[[organization]]\nname = \"a\"\nuses = [\"c1\"]\n\
             workload.synthetic = {{ arrivals.poisson.rate = {rate}, size.exponential.mean = 1.0 }}\n\
             [[organization]]\nname = \"b\"\nuses = [\"c1\", \"c2\"]\n[[cluster]]\nname = \"c1\"\n\
             owner = \"a\"\nkind.time_shared = {{}}\n[[cluster]]\nname = \"c2\"\nowner = \"b\"\n\
             kind.space_shared = {{ processors = 20, scheduler.fcfs = {{}} }}\n"
        )
    };
    let is_told = |scenario: &str| {
        warnings(scenario)
            .iter()
            .find(|one| one.contains("queues grow") || one.contains("means have no limit"))
            .map(|one| one[..20].into())
    };
    let told: Option<String> = is_told(&narrow(2.0));
    assert_eq!(told.as_deref(), Some("the load of `a` is 2"));
    assert_eq!(is_told(&narrow(0.4)), None);
    // Of 100 jobs at load 0.97 more may ask for more, and the load is still below one.
    for seed in 1..6 {
        let few = format!("seed = {seed}\nrun.until.jobs = 100\n{}", queue("q", 0.97));
        assert_eq!(is_told(&few), None);
    }
    // Listed jobs that go on asking for too much, and such as come in a heap.
    assert!(is_told(&list(1000, 8)).unwrap().starts_with("while they arrived, "));
    assert_eq!(is_told(&list(80, 1)), None);
    assert_eq!(is_told(&list(1000, 10)), None);
    // The worse the overload, the longer it takes to work off what came: that is no reason to be
    // silent.
    for gap in [7, 5, 4, 2, 1] {
        assert!(is_told(&list(1000, gap)).unwrap().starts_with("while they arrived, "), "{gap}");
    }
    // A load of one has no limit either.
    let one = format!("run.until.jobs = 8000\n{}", queue("q", 1.0));
    assert!(warnings(&one).iter().any(|one| one.starts_with("the load of `q` is 1.000, so a")));
}

/// Whatever is printed for other programs, a person hears of what is wrong with it.
#[test]
fn warnings_are_told_in_every_format() {
    let scenario = format!("name = \"test\"\nrun.until.jobs = 8000\n{}", queue("q", 1.5));
    let folder = Folder::new(&scenario);
    for format in ["csv", "json", "markdown"] {
        let said = folder.run(&format!("run s.toml --no-files --format {format}"));
        assert!(said.error.contains("warning: the load of `q` is 1.500, above 1"), "{format}");
        assert!(!said.out.contains("warning"), "{format}");
        let quiet = folder.run(&format!("run s.toml --no-files --quiet --format {format}"));
        assert_eq!((quiet.code, &*quiet.out), (0, ""), "{format}");
        assert!(quiet.error.contains("warning: the load of `q` is 1.500"), "{format}");
    }
    let text = folder.run("run s.toml --no-files");
    assert!(text.out.contains("warning: the load of `q` is 1.500, above 1"));
    assert_eq!(text.error, "");
    for format in ["text", "csv", "json", "markdown"] {
        let said = folder.run(&format!("check s.toml --format {format}"));
        assert!(said.error.starts_with("warning: the load of `q` is 1.500"), "{format}");
    }
}

/// The jobs of a trace: number, submission, run time and processors.
fn trace(header: &str, jobs: impl Iterator<Item = (i64, i64, i64, i64)>) -> String {
    let lines = jobs.map(|(number, submit, runtime, processors)| {
        format!("{number} {submit} -1 {runtime} {processors} -1 -1 -1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n")
    });
    header.to_owned() + &lines.collect::<String>()
}

#[test]
fn check_shows_the_load_of_a_trace_and_knows_its_machine() {
    let jobs = || (0..200).map(|number| (number + 1, number * 10, 40, 4));
    let scenario = |processors: u32| {
        format!(
            "name = \"test\"\n[[organization]]\nname = \"lab\"\ncluster.space_shared = \
             {{ processors = {processors}, scheduler.fcfs = {{}} }}\n\
             workload.swf = {{ file = \"t.swf\" }}\n"
        )
    };
    let folder = Folder::new(&scenario(4));
    let check = || folder.run("check s.toml");
    // As `new trace` would have it: the widest job is the machine.
    folder.write("t.swf", &trace("", jobs()));
    let said = check();
    assert!(said.out.contains("offered load\n  `lab`: 4.020 of 4 processors\n"), "{}", said.out);
    assert!(
        said.error.contains("warning: the jobs of `lab` ask for 4.020 times"),
        "{}",
        said.error
    );
    assert!(said.error.contains("t.swf does not say how many processors its"), "{}", said.error);
    folder.write("t.swf", &trace("; MaxProcs: 32\n", jobs()));
    assert!(check().error.contains("its machine had 32 processors by MaxProcs, and the jobs may"));
    folder.write("s.toml", &scenario(32));
    let said = check();
    assert!(said.out.contains("offered load\n  `lab`: 0.5025 of 32 processors\n"), "{}", said.out);
    assert_eq!(said.error, "");
}

#[test]
fn no_job_left_says_by_which_rules() {
    let folder = Folder::new(
        "name = \"test\"\n[[organization]]\nname = \"lab\"\ncluster.space_shared = \
         { processors = 4, scheduler.fcfs = {} }\n\
         workload.swf = { file = \"t.swf\", import = { users = [7] } }\n",
    );
    folder.write("t.swf", &trace("", [(1, 0, 5, 1), (2, 0, -1, 1), (3, 0, 5, 1)].into_iter()));
    let said = folder.run("check s.toml");
    assert!(said.error.contains("no job of the 3 in this trace is left: `users` 3 (not selected)"));
}

#[test]
fn each_interval_has_its_own_sections() {
    let rare = "run = { until.time = 200.0, replications = 12 }\n".to_owned()
        + &queue("often", 0.5)
        + &queue("rare", 0.002);
    let (summary, _) = summary(&rare);
    assert_eq!(figure(&summary, "rare", "utilization")["n"], 12);
    assert!(figure(&summary, "rare", "flow")["n"].as_u64().is_some_and(|sections| sections < 12));
}

#[test]
fn what_is_cut_is_told_once_and_why_nothing_is_left() {
    let cut = |output: &str, rest: &str| format!("{rest}\noutput = {output}\n{}", queue("q", 0.5));
    let (found, out) =
        summary(&cut("{ warm_up.mser_5 = {}, cool_down = 100.0 }", "run.until.time = 5000.0"));
    assert!(found["windows"][0]["left_out_before"].is_u64());
    let lines: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("counted: ") || line.starts_with("warm-up: "))
        .collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].starts_with("counted: jobs submitted before 4900; not counted: "),
        "{lines:?}"
    );
    assert!(!lines[0].contains("before that"), "{lines:?}");
    let short = cut("{ warm_up.mser_5 = {} }", "run.until.jobs = 20");
    let told = warnings(&short);
    assert!(
        told.iter()
            .any(|one| one.starts_with("no warm-up was removed: fewer than 30 jobs finished, too")),
        "{told:?}"
    );
    assert!(!told.iter().any(|one| one.contains("half of the run was removed")), "{told:?}");
    let (found, out) = summary(&cut("{ cool_down = 900000.0 }", "run.until.jobs = 200"));
    assert_eq!(found["windows"][0]["counted_until"], 0.0);
    assert!(out.contains("the warm-up and the cool-down leave"), "{out}");
    let (_, out) = summary(
        "run = { until.time = 10.0, replications = 6 }\n\
        [[organization]]\nname = \"q\"\ncluster.time_shared = {}\nworkload.synthetic = \
        { arrivals.poisson.rate = 0.02, size.exponential.mean = 1.0 }\n",
    );
    assert!(!out.contains("of one replication"), "{out}");
}

/// Jobs of 10 units from time 0 on, and from 100 on: one processor is in use for half of the time
/// that counts, though for a quarter of all.
#[test]
fn utilization_is_that_of_the_counted_window() {
    let job = |submit: u32, runtime: u32| {
        format!("[[job]]\norganization = \"a\"\nsubmit = {submit}\nruntime = {runtime}\n")
    };
    let of = |output: &str, until: &str| {
        let (found, _) = summary(&format!(
            "{until}\n{output}\n[[organization]]\nname = \"a\"\ncluster.space_shared = \
             {{ processors = 1, scheduler.fcfs = {{}} }}\n{}{}{}",
            job(0, 10),
            job(100, 40),
            job(190, 10)
        ));
        let figures = [whole(&found), &found["organizations"][0]];
        let [one, other] = figures.map(|of| of["utilization"].as_f64().unwrap());
        assert_eq!(one, other);
        one
    };
    assert_eq!(of("", ""), 60.0 / 200.0);
    assert_eq!(of("output.warm_up.fixed = 100.0", ""), 50.0 / 100.0);
    // A job that runs when the warm-up ends is in use from then on.
    assert_eq!(of("output.warm_up.fixed = 120.0", ""), 30.0 / 80.0);
    assert_eq!(of("output = { warm_up.fixed = 5.0, cool_down = 70.0 }", ""), 25.0 / 115.0);
    assert_eq!(of("output.warm_up.fixed = 100.0", "run.until.time = 195.0"), 45.0 / 95.0);
}

/// The issue's case: 64 rounds of one replication are two batches.
#[test]
fn few_batches_of_rounds_are_warned_of() {
    let folder = Folder::new("name = \"unused\"\n");
    for (command, scenario) in [("run", ROUNDS), ("game", MATCHING)] {
        for (rounds, is_few) in [(64, true), (640, false)] {
            folder.write("r.toml", &scenario.replace("ROUNDS", &rounds.to_string()));
            let said = folder.run(&format!("{command} r.toml --out r{command}{rounds}"));
            assert_eq!((said.code, &*said.error), (0, ""), "{scenario}");
            let told = said.out.contains("warning: the sample is small (batch means, 2 batches");
            assert_eq!(told, is_few, "{command} {rounds}: {}", said.out);
            let found: Value =
                serde_json::from_str(&folder.read(&format!("r{command}{rounds}/summary.json")))
                    .unwrap();
            let warnings = found["warnings"].to_string();
            assert_eq!(warnings.contains("2 batches"), is_few, "{warnings}");
        }
    }
}

const ROUNDS: &str = "name = \"rounds\"\nrun.until.rounds = ROUNDS\n[coalition]\n\
    balancer.averaging = {}\nperiod = 10.0\n[[organization]]\nname = \"a\"\ncount = 2\n\
    cluster.time_shared = {}\nlearner.fixed = { probability = 1.0 }\nworkload.synthetic = \
    { arrivals.poisson.rate = 0.5, size.exponential.mean = 1.0 }\n";

const MATCHING: &str = "name = \"pennies\"\nrun.until.rounds = ROUNDS\n[game]\n\
    actions = [\"heads\", \"tails\"]\npayoffs.bimatrix = { row = [[1.0, -1.0], [-1.0, 1.0]], \
    column = [[-1.0, 1.0], [1.0, -1.0]] }\n[[player]]\nname = \"row\"\nlearner.cross = {}\n\
    [[player]]\nname = \"column\"\nlearner.cross = {}\n";

/// Half of 200 jobs' bounded Pareto sizes are nothing beside one.
#[test]
fn a_few_large_jobs_are_warned_of() {
    let heavy = |size: &str| {
        format!(
            "run = {{ replications = 20, until.jobs = 4000 }}\n[[organization]]\nname = \"q\"\n\
             cluster.time_shared = {{}}\nworkload.synthetic = {{ arrivals.poisson.rate = 0.2, \
             size.{size} }}\n"
        )
    };
    let is_told = |size: &str| {
        warnings(&heavy(size)).iter().any(|one| one.starts_with("a few large jobs of `q` dominate"))
    };
    assert!(is_told("bounded_pareto = { shape = 1.8, min = 1.0, max = 1e4 }"));
    assert!(!is_told("exponential.mean = 2.0"));
}

/// The very sentence, column and file that told of 95%.
#[test]
fn another_confidence_level_is_told_everywhere() {
    let scenario = |level: &str| {
        format!("run.replications = 12\nrun.until.jobs = 900\n{level}\n{}", queue("q", 0.5))
    };
    let (usual, said) = summary(&scenario(""));
    assert!(
        said.contains("±: half-width of the 95% confidence interval (Willink's t over 12"),
        "{said}"
    );
    let (strict, said) = summary(&scenario("output.confidence = 0.99"));
    assert!(
        said.contains("±: half-width of the 99% confidence interval (Willink's t over 12"),
        "{said}"
    );
    assert!(!said.contains("95% interval"), "{said}");
    let width = |summary: &Value| {
        let [low, high] =
            ["flow_mean_low", "flow_mean_high"].map(|end| whole(summary)[end].as_f64());
        high.unwrap() - low.unwrap()
    };
    assert_eq!(strict["level"], 0.99);
    assert!(strict["definitions"]["intervals"].as_str().unwrap().starts_with("of confidence 99%"));
    // Quantiles of Student's t with 11 degrees of freedom: 3.106 and 2.201; the skewness bends a
    // bit.
    let ratio = width(&strict) / width(&usual);
    assert!((ratio / (3.106 / 2.201) - 1.0).abs() < 0.1, "{ratio}");
    let folder = Folder::new(&format!("name = \"test\"\n{}", scenario("output.confidence = 0.3")));
    let said = folder.run("run s.toml");
    assert_eq!(said.code, 2);
    assert!(
        said.error.contains("`confidence`: 0.3 is too small; give a number from 0.5 to 0.9999"),
        "{}",
        said.error
    );
    for (command, scenario) in [("run", ROUNDS), ("game", MATCHING)] {
        let level = "[output]\nconfidence = 0.9\n";
        folder.write("r.toml", &format!("{}{level}", scenario.replace("ROUNDS", "640")));
        let said = folder.run_whole(&format!("{command} r.toml --out r{command}"));
        assert_eq!((said.code, &*said.error), (0, ""));
        assert!(said.out.contains("±: half-width of the 90% confidence interval"), "{}", said.out);
        assert!(!said.out.contains("95% interval"), "{}", said.out);
    }
    // What the run wrote, the auditor finds.
    folder.write("s.toml", &format!("name = \"test\"\n{}", scenario("output.confidence = 0.99")));
    folder.run("run s.toml --out audited");
    let said = folder.run("audit audited");
    assert_eq!((said.code, &*said.error), (0, ""), "{}", said.out);
}
