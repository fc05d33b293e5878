//! The audit of plans: what is planned, what organizations would do alone, and what they were promised.

use crate::cli::support::Folder;

/// Figure 3 of Pascual, Rzadca and Trystram (2009), in seconds: the optimum is 2, but then the first
/// organization ends at 2 and not at 1.
const FIGURE_3: &str = r#"
name = "figure 3"
planner.ilba = {}
planning.asked = "once"
output.plans = true
[[organization]]
name = "a"
cluster.space_shared = { processors = 2 }
[[organization]]
name = "b"
cluster.space_shared = { processors = 2 }
[[job]]
organization = "a"
submit = 0
runtime = 1
count = 2
[[job]]
organization = "b"
submit = 0
runtime = 2
count = 3
"#;

/// Runs a scenario and audits it after a change of its plans.
fn audited(text: &str, change: impl Fn(&str) -> String) -> (String, i32) {
    let folder = Folder::new(text);
    let said = folder.run("run s.toml -q --out r");
    assert_eq!(said.code, 0, "{}", said.error);
    let plans = folder.read("r/plans.csv");
    folder.write("r/plans.csv", &change(&plans));
    let audit = folder.run("audit r");
    (audit.out + &audit.error, audit.code)
}

fn unchanged(plans: &str) -> String {
    plans.to_owned()
}

#[test]
fn candidates_are_checked_against_the_promise() {
    let (said, code) = audited(FIGURE_3, unchanged);
    assert_eq!(code, 0, "{said}");
    for line in [
        "processors of plans  ok (5 checked)",
        "schedules alone      ok (5 checked)",
        "promise of plans     ok (2 checked)",
    ] {
        assert!(said.contains(line), "{said}");
    }
}

#[test]
fn planted_faults_of_plans_are_found() {
    // The last job joins its cluster's first two, or starts so late that its owner loses.
    let last = "jobs,5,b,1,2,a,1,b,2\n";
    let with = |place: &'static str| {
        let found = audited(FIGURE_3, |plans| {
            assert!(plans.contains(last), "{plans}");
            plans.replace(last, &format!("jobs,5,b,1,2,{place}\n"))
        });
        assert_ne!(found.1, 0);
        found.0
    };
    let said = with("a,0,b,2");
    assert!(said.contains("3 of 2 processors are needed at 0"), "{said}");
    let said = with("b,3,b,2");
    assert!(said.contains("plan 1, ilba: b ends at 5, alone it would at 4"), "{said}");
    let said = with("b,3,b,3");
    assert!(said.contains("alone, job 5 of b starts at 2 on b, not at 3 on b"), "{said}");
    assert!(said.contains("plan 1, ilba: b ends at 5, alone it would at 4"), "{said}");
}

/// Jobs that come one by one while others run, with estimates that are wrong, and one job for its own
/// cluster only.
const BUSY: &str = r#"
name = "busy"
planner.relaxed.beta = 1.5
planning.asked = "arrival"
output.plans = true
[[organization]]
name = "a"
cluster.space_shared = { processors = 4 }
[[organization]]
name = "b"
cluster.space_shared = { processors = 3 }
[[organization]]
name = "c"
cluster.space_shared = { processors = 3, foreign = "never" }
[workload.shared]
owners.zipf = {}
[workload.shared.source.synthetic]
jobs = 60
arrivals.poisson.rate = 1
size.exponential.mean = 4
processors.uniform = { min = 1, max = 3 }
estimates.f_model.factor = 3
[[job]]
organization = "a"
submit = 20
runtime = 3
estimate = 1
processors = 2
uses = ["a"]
"#;

#[test]
fn schedules_alone_are_recomputed_while_jobs_run() {
    let (said, code) = audited(BUSY, unchanged);
    assert_eq!(code, 0, "{said}");
    assert!(!said.contains("not checked under promise"), "{said}");
    let counted = said.lines().find(|line| line.starts_with("schedules alone")).unwrap();
    assert!(counted.contains("ok (") && !counted.contains("(0 "), "{counted}");
    // MOLBA's promise is one for idle clusters of one size.
    let (said, code) = audited(&BUSY.replace("relaxed.beta = 1.5", "molba = {}"), unchanged);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("not checked under promise of plans: the planner promises"), "{said}");
}
