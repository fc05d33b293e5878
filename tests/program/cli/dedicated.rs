//! Jobs on dedicated processors: from lists with the column `uses` to plans, and games of schedules.

use serde_json::Value;

use crate::cli::support::Folder;

/// Figure 2 of Rzadca, Trystram and Wierzbicki for n = 3, p = 100 and epsilon = 1.
const SCENARIO: &str = r#"
name = "figure 2"
planner.equitable_walk = { payoffs = true }
planning.asked = "once"
output.plans = true
workload.jobs.file = "jobs.csv"
[[organization]]
name = "a"
cluster.space_shared = { processors = 1 }
[[organization]]
name = "b"
cluster.space_shared = { processors = 1 }
"#;

const JOBS: &str = "organization,submit,runtime,processors,uses
a,0,100,1,a
a,0,1,1,b
a,0,1,1,b
a,0,1,1,b
b,0,100,1,b
b,0,1,1,a
b,0,1,1,a
b,0,1,1,a
";

fn folder() -> Folder {
    let folder = Folder::new(SCENARIO);
    folder.write("jobs.csv", JOBS);
    folder
}

/// Mean flow time of each organization.
fn flows(folder: &Folder, set: &str) -> Vec<f64> {
    let said = folder.run(&format!("run s.toml -q --force --out r {set}"));
    assert_eq!((said.code, &*said.error), (0, ""));
    let text = folder.read("r/jobs.csv");
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let (owner, finish) = (at("organization"), at("finish_time"));
    let mut sums = vec![0.0; 2];
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let place = ["a", "b"].iter().position(|name| *name == cells[owner]).unwrap();
        sums[place] += cells[finish].parse::<f64>().unwrap();
    }
    sums
}

#[test]
fn a_list_says_where_jobs_run_and_the_walk_orders_them() {
    let folder = folder();
    assert_eq!(flows(&folder, ""), [109.0, 109.0]);
    let audit = folder.run("audit r");
    assert!(audit.out.ends_with("\nall rules were kept\n"), "{}", audit.out);
    assert_eq!(flows(&folder, "--set planner.my_jobs_first={}"), [406.0, 406.0]);
    assert_eq!(flows(&folder, "--set planner.shortest_first={}"), [109.0, 109.0]);
    // What is exported is read back.
    let said = folder.run("workload export s.toml --to csv --output again.csv");
    assert_eq!(said.code, 0, "{}", said.error);
    let again = folder.read("again.csv");
    assert!(again.starts_with("id,organization,submit,runtime,estimate,processors,user,uses\n"));
    folder.write("jobs.csv", &again);
    assert_eq!(flows(&folder, ""), [109.0, 109.0]);
}

#[test]
fn wrong_clusters_of_a_list_are_named_with_their_line() {
    let wrong = |uses: &str| {
        let folder = folder();
        folder.write("jobs.csv", &JOBS.replacen(",b\n", &format!(",{uses}\n"), 1));
        let said = folder.run("check s.toml");
        assert_eq!(said.code, 2, "{}", said.out);
        said.error
    };
    let place = "line 3: uses is `";
    let may = "expected clusters that `a` may use, with commas between several, in quotes: a, b";
    for uses in ["c", "\"b,c\"", "\",b\""] {
        let said = wrong(uses).replace("\n  ", " ").replace('\n', " ");
        let said: Vec<&str> = said.split_whitespace().collect();
        let said = said.join(" ");
        assert!(said.contains(place) && said.contains(may), "{said}");
    }
    assert!(wrong("\"b,b\"").contains("uses is `b,b`; expected `b` once"));
}

/// Two owners with a processor each; a quarter of the first one's jobs are bound to the second's.
const BOUND: &str = r#"
name = "bound"
planner.my_jobs_first = {}
run.until.jobs = 400
[[organization]]
name = "a"
cluster.space_shared = { processors = 1 }
bound.own = 0.75
workload.synthetic = { arrivals.poisson.rate = 0.3, size.exponential.mean = 1.0, users = { count = 2, spread = 0.5 } }
[[organization]]
name = "b"
cluster.space_shared = { processors = 1 }
bound.own = 1.0
workload.synthetic = { arrivals.poisson.rate = 0.3, size.exponential.mean = 1.0 }
"#;

/// Cells of some columns of a results file.
fn cells<const N: usize>(text: &str, names: [&str; N]) -> Vec<[String; N]> {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<&str>>());
    let header = lines.next().unwrap();
    let at = names.map(|name| header.iter().position(|column| *column == name).unwrap());
    lines.map(|cells| at.map(|at| cells[at].to_owned())).collect()
}

#[test]
fn drawn_jobs_are_bound_to_clusters_and_run_nowhere_else() {
    let folder = Folder::new(BOUND);
    let said = folder.run("run s.toml -q --out r");
    assert_eq!(said.code, 0, "{}", said.error);
    let jobs = folder.read("r/jobs.csv");
    let ran = cells(&jobs, ["organization", "cluster", "user"]);
    let count = |is: &dyn Fn(&[String; 3]) -> bool| ran.iter().filter(|one| is(one)).count();
    let [all, own] = [
        count(&|[owner, ..]| owner == "a"),
        count(&|[owner, cluster, _]| owner == "a" && cluster == "a"),
    ];
    // Four standard errors of a share of 200 are 0.12.
    assert!((own as f64 / all as f64 - 0.75).abs() < 0.12, "{own} of {all}");
    assert_eq!(count(&|[owner, cluster, _]| owner == "b" && cluster == "a"), 0);
    assert!(count(&|[owner, _, user]| owner == "a" && user == "2") > 50);
    let audit = folder.run("audit r").out;
    assert!(audit.ends_with("\nall rules were kept\n"), "{audit}");
    // What is exported is read back, and makes the same schedule.
    let export = "workload export s.toml --to csv --output jobs.csv --force";
    let said = folder.run(export);
    assert_eq!(said.code, 0, "{}", said.error);
    let listed = SCENARIO.replace("equitable_walk = { payoffs = true }", "my_jobs_first = {}");
    folder.write("s.toml", &listed.replace("\"once\"", "\"batch\""));
    assert_eq!(folder.run("run s.toml -q --out again").code, 0);
    let times = |text: &str| cells(text, ["submission_time", "cluster", "finish_time"]);
    assert_eq!(times(&folder.read("again/jobs.csv")), times(&jobs));
}

#[test]
fn the_audit_sees_a_job_that_ran_where_it_is_not_bound_to() {
    let folder = Folder::new(BOUND);
    assert_eq!(folder.run("run s.toml -q --out r").code, 0);
    let jobs = folder.read("r/jobs.csv");
    let at = jobs.lines().next().unwrap().split(',').position(|one| one == "cluster").unwrap();
    let last = jobs.lines().last().unwrap();
    let mut moved: Vec<&str> = last.split(',').collect();
    moved[at] = if moved[at] == "a" { "b" } else { "a" };
    folder.write("r/jobs.csv", &jobs.replace(last, &moved.join(",")));
    let audit = folder.run("audit r").out;
    assert!(audit.contains("bound to"), "{audit}");
}

#[test]
fn wrong_bindings_are_told_with_their_line() {
    let wrong = |from: &str, to: &str, at: &str, told: &str| {
        let said = Folder::new(&BOUND.replacen(from, to, 1)).run("check s.toml");
        assert!(said.code == 2 && said.error.contains(told), "{}", said.error);
        assert!(said.error.contains(&format!(" --> s.toml:{at}")), "{}", said.error);
    };
    wrong("0.75", "1.5", "8:", "1.5 is");
    wrong("own = 0.75", "own = 0.75\nuses = [\"a\"]", "8:", "`a` may use no cluster of others");
    let none = "`a` may use no cluster of its own";
    wrong("cluster.space_shared = { processors = 1 }\n", "", "7:", none);
    let wide = "2 processors, but the smallest cluster it may be bound to has 1";
    wrong("users", "processors.constant = 2, users", "9:", wide);
    wrong("bound.own = 0.75", "bound = {}", "8:", "own");
    let wrong = BOUND.replace("planner.my_jobs_first = {}", "coalition.period = 9.0");
    let said = Folder::new(&wrong).run("check s.toml");
    assert!(said.code == 2 && said.error.contains("`organization.bound` belongs to"));
}

const GAME: &str = r#"
name = "figure 2"
[game.payoffs.dedicated]
players = ["a", "b"]
sizes = [[[100], [1, 1, 1]], [[1, 1, 1], [100]]]
"#;

/// The figures of a quantity that a solver found.
fn figures(found: &Value, solver: &str, quantity: &str) -> Vec<f64> {
    let lines = found["solution"].as_array().unwrap().iter();
    let lines = lines.filter(|line| line["solver"] == solver && line["quantity"] == quantity);
    lines.map(|line| line["value"].as_f64().unwrap()).collect()
}

#[test]
fn a_game_of_schedules_is_solved() {
    let folder = Folder::new(GAME);
    let said = folder.run("game solve s.toml --format json");
    assert_eq!((said.code, &*said.error), (0, ""));
    let found: Value = serde_json::from_str(&said.out).unwrap();
    let figures = |solver: &str, quantity: &str| figures(&found, solver, quantity);
    assert_eq!(figures("schedules", "sum"), [109.0, 109.0, 406.0, 406.0]);
    assert_eq!(figures("efficiency", "price_of_anarchy"), [812.0 / 218.0]);
    assert_eq!(figures("efficiency", "number"), [1.0]);
    assert_eq!(figures("fronts", "outcomes")[0], 7.0);
    assert_eq!(figures("equitable_front", "payoff")[0], 297.0);
    let half = figures("control", "sum")[1];
    assert!((half - (812.0 + 218.0) / 2.0 / 218.0).abs() < 1e-12, "{half}");
    assert_eq!(figures("core_without_payments", "payoff")[..2], [297.0, 297.0]);
    assert!(figures("core_without_payments", "blocks").is_empty());
    let check = folder.run("check s.toml").out;
    assert!(check.contains("exact fronts: up to ") && check.contains("players: a, b"), "{check}");
    assert_eq!(folder.run("game s.toml").code, 2);
}

#[test]
fn mistakes_in_a_game_of_schedules_are_named() {
    let wrong = |from: &str, to: &str| {
        let folder = Folder::new(&GAME.replace(from, to));
        let said = folder.run("game solve s.toml");
        assert_eq!(said.code, 2, "{}", said.out);
        said.error
    };
    let lists = "there are 2 lists of sizes for 1 player";
    assert!(wrong("[\"a\", \"b\"]", "[\"a\"]").contains(lists));
    assert!(
        wrong("[[1, 1, 1], [100]]", "[[1]]").contains("there is 1 list of sizes for 2 processors")
    );
    assert!(wrong("\"b\"]", "\"a\"]").contains("there are two players called `a`"));
    assert!(wrong("[100]]]", "[0]]]").contains("0"));
    assert!(wrong("[100]]]", "[9000000000000000000]]]").contains("too large for 64 bits"));
}

#[test]
fn wrong_clusters_of_a_job_are_named_with_their_line() {
    let wrong = |uses: &str| {
        let job = format!(
            "[[job]]\norganization = \"a\"\nsubmit = 0\nruntime = 1\nuses = {uses}\n\
             [[job]]\norganization = \"b\"\nsubmit = 0\nruntime = 1\n"
        );
        let text = SCENARIO.replace("workload.jobs.file = \"jobs.csv\"\n", "");
        let text = text.replacen("processors = 1 }\n", "processors = 1 }\nuses = [\"a\"]\n", 1);
        let said = Folder::new(&format!("{text}{job}")).run("check s.toml");
        assert_eq!(said.code, 2, "{}", said.out);
        said.error
    };
    assert!(wrong("[]").contains("`uses`: this list is empty; give 1 or more"), "{}", wrong("[]"));
    let unknown = wrong("[\"zz\"]");
    assert!(unknown.contains("there is no cluster called `zz`"), "{unknown}");
    let twice = wrong("[\"a\", \"a\"]");
    assert!(twice.contains("`a` is named twice"), "{twice}");
    let closed = wrong("[\"b\"]");
    assert!(closed.contains("`a` may not use `b`") && closed.contains("name it in"), "{closed}");
}

/// One brings no jobs, one has no cluster, one runs all its jobs elsewhere; many sizes are equal.
#[test]
fn organizations_of_little_are_planned_and_audited() {
    let text = SCENARIO.to_owned()
        + "[[organization]]\nname = \"guest\"\n[[organization]]\nname = \"idle\"\n\
           cluster.space_shared = { processors = 1 }\n";
    let folder = Folder::new(&text);
    let jobs = "organization,submit,runtime,processors,uses\n\
                a,0,2,1,b\na,0,2,1,b\nb,0,2,1,b\nb,0,3,1,idle\n\
                guest,0,2,1,b\nguest,0,2,1,a\nguest,0,1,1,\"a,b\"\n";
    folder.write("jobs.csv", jobs);
    let walks = ["global", "local", "stale"].iter().flat_map(|knowledge| {
        let walk = |payoffs| {
            format!("equitable_walk={{knowledge=\"{knowledge}\",payoffs={payoffs},moves=50}}")
        };
        [walk(false), walk(true)]
    });
    let others = ["shortest_first={}", "my_jobs_first={}", "equitable_local_search={}"];
    for planner in walks.chain(others.map(str::to_owned)) {
        let words = format!("run s.toml -q --force --out r --set planner.{planner}");
        let said = folder.run(&words);
        assert_eq!((said.code, &*said.error), (0, ""), "{planner}");
        assert_eq!(folder.read("r/jobs.csv").lines().count(), 8, "{planner}");
        let audit = folder.run("audit r");
        assert!(audit.out.ends_with("\nall rules were kept\n"), "{planner}: {}", audit.out);
    }
    // Nobody has a job.
    folder.write("jobs.csv", "organization,submit,runtime,processors,uses\n");
    let said = folder.run("check s.toml");
    assert!(matches!(said.code, 0 | 2), "{}", said.error);
}

/// Each owner's jobs are on a processor of its own, or all are alike: one schedule is the best for all.
#[test]
fn fronts_of_one_point_are_solved() {
    for sizes in ["[[[2, 1], []], [[], [3]]]", "[[[], []], [[1], []]]", "[[[], []], [[], []]]"] {
        let folder = Folder::new(&GAME.replace("[[[100], [1, 1, 1]], [[1, 1, 1], [100]]]", sizes));
        let said = folder.run("game solve s.toml --format json");
        assert_eq!((said.code, &*said.error), (0, ""), "{sizes}");
        let found: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(figures(&found, "fronts", "outcomes")[0], 1.0, "{sizes}: {found}");
        assert_eq!(figures(&found, "equitable_front", "payoff")[0], 0.0, "{sizes}");
    }
}

#[test]
fn an_instance_that_is_too_large_is_said_before_the_search() {
    let sizes = |seed: u64| -> String {
        let sizes = (0..300).map(|one| (1 + (one * 7919 + seed) % 1_000_003).to_string());
        sizes.collect::<Vec<_>>().join(", ")
    };
    let all = format!("[[[{}], [{}]], [[{}], [{}]]]", sizes(1), sizes(2), sizes(3), sizes(4));
    let folder = Folder::new(&GAME.replace("[[[100], [1, 1, 1]], [[1, 1, 1], [100]]]", &all));
    let check = folder.run("check s.toml").out;
    let line = check.lines().find(|line| line.starts_with("exact fronts: up to ")).unwrap();
    let has_figures = |line: &str| [" points, ", " MB, ", " s"].iter().all(|of| line.contains(of));
    assert!(has_figures(line), "{line}");
    // The rest is solved, and the reason stands where the fronts would.
    let said = folder.run("game solve s.toml");
    assert_eq!(said.code, 0, "{}", said.error);
    let words: Vec<&str> = said.out.split_whitespace().collect();
    let words = words.join(" ");
    let reason = words.find("the exact fronts may take up to ").expect(&words);
    assert!(has_figures(&words[reason..]) && words.contains("points are allowed"), "{words}");
}
