//! Planners from the scenario to the files: what is planned, what ran, and what is told of it.

use serde_json::Value;

use crate::cli::support::Folder;

/// Owner `a` has three jobs that fill a cluster for 2, owner `b` one; both have a cluster of 4.
const SCENARIO: &str = r#"
name = "plans"
planner.ilba = {}
planning = { asked = "once", plays_by = "time" }
output.plans = true
[[organization]]
name = "a"
cluster.space_shared = { processors = 4 }
[[organization]]
name = "b"
cluster.space_shared = { processors = 4 }
[[job]]
organization = "a"
submit = 12.0
runtime = 2.0
estimate = 3.0
processors = 4
count = 3
[[job]]
organization = "b"
submit = 12.0
runtime = 1.0
processors = 1
"#;

const HEADER: &str = "replication,plan,asked_time,candidate,candidate_name,played,workload_name,job_id,\
                      organization,processors,expected_time,cluster,planned_start,alone_cluster,\
                      alone_start";

#[test]
fn plans_are_written_audited_and_explained() {
    let folder = Folder::new(SCENARIO);
    let said = folder.run("run s.toml -q --out r");
    assert_eq!((said.code, &*said.error), (0, ""));
    // Ranks: b ends at 13 and a at 21. Jobs 1 to 3 in order: own cluster, then b behind its job.
    let lines = [
        HEADER,
        "0,1,12,1,ilba,1,jobs,1,a,4,3,a,12,a,12",
        "0,1,12,1,ilba,1,jobs,2,a,4,3,b,13,a,15",
        "0,1,12,1,ilba,1,jobs,3,a,4,3,a,15,a,18",
        "0,1,12,1,ilba,1,jobs,4,b,1,1,b,12,b,12",
    ];
    assert_eq!(folder.read("r/plans.csv").lines().collect::<Vec<_>>(), lines);
    let manifest: Value = serde_json::from_str(&folder.read("r/manifest.json")).unwrap();
    assert_eq!(manifest["planner"]["planning"]["asked"], "once");
    assert!(manifest["files"]["plans.csv"].is_string());
    let audit = folder.run("audit r");
    assert!(audit.out.ends_with("\nall rules were kept\n"), "{}", audit.out);
    let told = folder.run("explain r --job 3").out;
    assert!(told.contains("It was planned at 12 for 15 by ilba; it ran at 15."), "{told}");
    // A changed plan is found.
    let plans = folder.read("r/plans.csv").replace("b,13,a,15", "b,14,a,15");
    folder.write("r/plans.csv", &plans);
    assert_eq!(folder.run("audit r").code, 1);
}

#[test]
fn played_in_order_jobs_that_end_early_let_others_start_early() {
    let folder = Folder::new(SCENARIO);
    let run = "run s.toml -q --out r --set planning.plays_by=order --set planning.asked=arrival";
    assert_eq!(folder.run(run).code, 0);
    let told = folder.run("explain r --job 3").out;
    assert!(told.contains("It was planned at 12 for 15 by ilba; it ran at 14."), "{told}");
}

#[test]
fn a_job_after_the_only_plan_is_an_error_of_the_input() {
    let late = "[[job]]\norganization = \"b\"\nsubmit = 13.0\nruntime = 1.0\n";
    let said = Folder::new(&format!("{SCENARIO}{late}")).run("run s.toml -q --out r");
    assert_eq!(said.code, 2);
    let expected = "job 5 came at 13, after the only instant at which jobs are placed";
    assert!(said.error.contains(expected), "{}", said.error);
}

/// Owner `b` takes no jobs of others, so those of `a` stay at home.
#[test]
fn plans_keep_to_clusters_that_take_the_job() {
    let closed = SCENARIO.replace(
        "name = \"b\"\ncluster.space_shared = { processors = 4 }",
        "name = \"b\"\ncluster.space_shared = { processors = 4, foreign = \"never\" }",
    );
    assert_ne!(closed, SCENARIO);
    for planner in ["ilba", "molba", "own_first", "heaviest_first", "pairwise", "relaxed"] {
        let folder = Folder::new(&closed);
        let said = folder.run(&format!("run s.toml -q --out r --set planner={planner}"));
        assert_eq!((said.code, &*said.error), (0, ""));
        let plans = folder.read("r/plans.csv");
        let strayed = plans.lines().filter(|line| line.contains(",a,4,3,b,"));
        assert_eq!(strayed.count(), 0, "{planner}: {plans}");
    }
}

/// Half of the estimates are twice too long: alone job 2 would have started after 2, and not after 3.
#[test]
fn promises_are_judged_by_the_runtimes_that_jobs_turned_out_to_have() {
    let folder = Folder::new(SCENARIO);
    assert_eq!(folder.run("run s.toml -q --out r --set planning.plays_by=time").code, 0);
    // Alone, a would have ended at 12 + 3 * 2 = 18. As planned, job 3 starts at 15 and ends at 17.
    let broken = |folder: &Folder| -> Vec<String> {
        let figures = folder.read("r/figures.csv");
        let lines = figures.lines().filter(|line| line.contains(",broken_promises,"));
        lines.map(str::to_owned).collect()
    };
    let line = broken(&folder);
    assert!(line.len() == 1 && line[0].starts_with("*,broken_promises,0,"), "{line:?}");
    // With the local plan by time, job 3 starts at 18 and ends at 20: one of two promises is broken.
    let local = "run s.toml -q --force --out r --set planner=local";
    assert_eq!(folder.run(local).code, 0);
    let line = broken(&folder);
    assert!(line.len() == 1 && line[0].starts_with("*,broken_promises,0.5,"), "{line:?}");
}
