//! What a person is warned of, and what he is not.

use serde_json::Value;

use crate::support::Folder;

/// A run's summary, and what was printed.
fn summary(scenario: &str) -> (Value, String) {
    let folder = Folder::new(&format!("name = \"test\"\n{scenario}"));
    let said = folder.run("run s.toml --out r");
    assert_eq!((said.code, &*said.error), (0, ""), "{scenario}");
    (serde_json::from_str(&folder.read("r/summary.json")).unwrap(), said.out)
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
    assert_eq!(summary["grid"]["flow"]["interval"], Value::Null);
    assert_eq!(summary["grid"]["utilization_interval"], Value::Null);
    check(&scenario, &["replications of given jobs are all alike"]);
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

#[test]
fn the_whole_grid_is_judged_too() {
    let scenario = "run.until.jobs = 20000\n[[organization]]\nname = \"lab\"\ncount = 200\n\
        uses = [\"c\"]\n[[cluster]]\nname = \"c\"\nowner = \"lab-1\"\nkind.time_shared = {}\n\
        [workload.shared]\nsource.synthetic = { arrivals.poisson.rate = 0.98, \
        size.exponential.mean = 1.0 }\nowners.uniform = {}\n";
    let found = warnings(scenario);
    let of_grid = "the sample is small: the mean flow of the whole grid, `lab-";
    assert!(found.iter().any(|one| one.starts_with(of_grid)), "{found:#?}");
    let few = "run.until.jobs = 20000\n".to_owned() + &queue("big", 0.3) + &queue("small", 0.002);
    let found = warnings(&few);
    let of_small = "the intervals of `small` are rough themselves: they come from fewer than 10 ba";
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
            .find(|one| one.contains("queues grow") || one.contains("averages have no limit"))
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
    assert!(is_told(&list(1000, 8)).unwrap().starts_with("the jobs of `listed`"));
    assert_eq!(is_told(&list(1000, 1)), None);
    assert_eq!(is_told(&list(1000, 10)), None);
}

#[test]
fn each_interval_has_its_own_sections() {
    let rare = "run = { until.time = 200.0, replications = 12 }\n".to_owned()
        + &queue("often", 0.5)
        + &queue("rare", 0.002);
    let (summary, _) = summary(&rare);
    let rare = &summary["organizations"][1];
    assert_eq!(rare["utilization_interval"]["sections"], 12);
    assert!(rare["flow"]["interval"]["sections"].as_u64().is_none_or(|sections| sections < 12));
}

#[test]
fn what_is_cut_is_told_once_and_why_nothing_is_left() {
    let cut = |output: &str, rest: &str| format!("{rest}\noutput = {output}\n{}", queue("q", 0.5));
    let (found, out) =
        summary(&cut("{ warm_up.mser_5 = {}, cool_down = 100.0 }", "run.until.time = 5000.0"));
    assert!(found["replications"][0]["left_out_before"].is_u64());
    let lines: Vec<&str> = out.lines().filter(|line| line.contains("cut")).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("counted: jobs submitted until before 4900; "), "{lines:?}");
    assert!(!lines[0].contains("before that"), "{lines:?}");
    let short = cut("{ warm_up.mser_5 = {} }", "run.until.jobs = 20");
    let told = warnings(&short);
    assert!(told.iter().any(|one| one.starts_with("no warm-up was cut in 1 of 1 rep")), "{told:?}");
    assert!(!told.iter().any(|one| one.contains("half of the run was cut")), "{told:?}");
    let (found, out) = summary(&cut("{ cool_down = 900000.0 }", "run.until.jobs = 200"));
    assert_eq!(found["replications"][0]["counted_until"], 0.0);
    assert!(out.contains("the warm-up and the cool-down leave"), "{out}");
    let (_, out) = summary(
        "run = { until.time = 10.0, replications = 6 }\n\
        [[organization]]\nname = \"q\"\ncluster.time_shared = {}\nworkload.synthetic = \
        { arrivals.poisson.rate = 0.02, size.exponential.mean = 1.0 }\n",
    );
    assert!(!out.contains("of one replication"), "{out}");
}
