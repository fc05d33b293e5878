//! Common random numbers: which jobs come, when, how long, how wide and whose they are depends on
//! the seed and the replication alone, and on nothing that a study varies.

use crate::common::{Submissions, run};
use gridpact::model::job::Job;
use gridpact::policy::local::LocalOptions;
use gridpact::scenario::diagnostics::render;
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::{ClusterKind, Plan};
use gridpact::scenario::{self, Input, Overrides};

/// Jobs from every kind of source that draws, from a list, and from a trace: their streams mix.
const SCENARIO: &str = r#"
name = "common random numbers"
seed = 11
run = { until.jobs = 2000, replications = 2, never_runs = "reject" }
[[organization]]
name = "physics"
cluster.space_shared = { processors = 8, scheduler.fcfs = {} }
workload.synthetic = { arrivals.poisson.rate = 1, size.exponential.mean = 3, processors.constant = 2 }
[[organization]]
name = "biology"
cluster.space_shared = { processors = 4, scheduler.fcfs = {}, kill_at_estimate = true }
uses = ["biology", "physics"]
workload.swf = { file = "scenarios/traces/KTH-SP2-1996-2.1-cln.swf.gz", import.first = 300 }
[[organization]]
name = "farm"
count = 8
[[job]]
organization = "farm-3"
submit = 4.5
runtime = 3
processors = 4
estimate = 9
[workload.shared]
source.synthetic = { arrivals.poisson.rate = 2, size.exponential.mean = 3 }
owners.zipf = {}
"#;

fn load(text: &str) -> Plan {
    let input = Input::Bytes { name: "it", bytes: text.into() };
    let mut files = Files::new();
    let loaded = scenario::load(input, &Overrides::default(), &mut files);
    loaded.unwrap_or_else(|wrong| panic!("{}", render(&wrong, &files, false))).0
}

fn came(plan: &Plan, replication: u32) -> Vec<Job> {
    run(plan, replication, Submissions::default()).jobs
}

#[test]
fn another_scheduler_changes_no_job() {
    let plan = load(SCENARIO);
    let all = LocalOptions::defaults();
    assert!(all.len() >= 4, "{all:?}");
    for replication in 0..2 {
        let expected = came(&plan, replication);
        assert_eq!(expected.len(), 2000);
        let owners = |name: &str| {
            let is_it = |job: &&Job| plan.organizations[job.organization.index()].name == name;
            expected.iter().filter(is_it).count()
        };
        assert!(owners("physics") > owners("farm-1") && owners("farm-8") > 0);
        for scheduler in &all {
            let mut other = plan.clone();
            for cluster in &mut other.clusters {
                if let ClusterKind::SpaceShared { scheduler: old, .. } = &mut cluster.kind {
                    *old = Some(scheduler.clone());
                }
            }
            // Submission, run time, estimate, processors, user, owner: all of every job.
            assert_eq!(came(&other, replication), expected, "{scheduler:?}");
        }
    }
    assert_ne!(came(&plan, 0), came(&plan, 1));
}

#[test]
fn clusters_exponents_and_who_else_is_there_change_no_other_draw() {
    let plain = came(&load(SCENARIO), 0);
    let unowned = |jobs: &[Job]| -> Vec<(u32, u64, i64, i64, u32)> {
        let fields = |job: &Job| {
            (job.source, job.number, job.submit.ticks(), job.runtime.ticks(), job.processors)
        };
        jobs.iter().map(fields).collect()
    };
    for (from, to, same_owners) in [
        ("processors = 8, scheduler.fcfs", "processors = 800, scheduler.easy", true),
        ("owners.zipf = {}", "owners.zipf = { exponent = 0.5 }", false),
        ("owners.zipf = {}", "owners.uniform = {}", false),
        ("count = 8", "count = 80", false),
    ] {
        assert!(SCENARIO.contains(from));
        let other = came(&load(&SCENARIO.replace(from, to)), 0);
        assert_eq!(unowned(&other), unowned(&plain), "{to}");
        let owner = |jobs: &[Job]| jobs.iter().map(|job| job.organization).collect::<Vec<_>>();
        assert_eq!(owner(&other) == owner(&plain), same_owners, "{to}");
    }
}
