//! Jobs that draws bind to clusters: each cluster serves its own as the definition says, one after the
//! other, whether the planner is asked at every arrival or in batches.

use crate::common::run;
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::ClusterId;
use gridpact::model::job::Job;
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::Plan;
use gridpact::scenario::{self, Input, Overrides};
use gridpact::sim::accounts::Accounts;
use gridpact::workload::Source as _;

const OWNERS: u32 = 4;

fn plan(planner: &str, asked: &str) -> Plan {
    let organization = r#"
[[organization]]
name = "owner"
count = 4
cluster.space_shared = { processors = 1 }
bound.own = 0.5
[organization.workload.synthetic]
arrivals.poisson.rate = 0.1
size.exponential.mean = 6.0
users = { count = 3, spread = 0.5 }
jobs = 40
"#;
    let head =
        format!("name = \"bound\"\nplanner.{planner} = {{}}\nplanning.asked = \"{asked}\"\n");
    let bytes = format!("{head}run.clairvoyance = \"runtime\"\n{organization}").into();
    let input = Input::Bytes { name: "it", bytes };
    scenario::load(input, &Overrides::default(), &mut Files::new()).expect("it is valid").0
}

/// All jobs of a replication, in the order in which they come.
fn jobs(plan: &Plan, replication: u32) -> Vec<Job> {
    let mut all = Vec::new();
    for mut source in plan.sources(replication).unwrap() {
        all.extend(std::iter::from_fn(|| source.next().unwrap()));
    }
    all.sort_by_key(|job| (job.submit, job.source, job.number));
    all
}

/// Runs jobs of a cluster one after the other, from a time on: the one with the least key of those that
/// are there whenever it is idle. Returns the end, and adds up flow times.
fn served<K: Ord>(
    cluster: u32,
    jobs: &[Job],
    mut now: Time,
    key: impl Fn(&Job) -> K,
    flow: &mut Span,
) -> Time {
    let here = |job: &&Job| job.recorded.cluster() == Some(ClusterId(cluster));
    let mut left: Vec<&Job> = jobs.iter().filter(here).collect();
    while let Some(first) = left.iter().map(|job| job.submit).min() {
        now = now.max(first);
        let there = (0..left.len()).filter(|&one| left[one].submit <= now);
        let next = there.min_by_key(|&one| key(left[one])).unwrap();
        let job = left.remove(next);
        now += job.runtime;
        *flow += now - job.submit;
    }
    now
}

fn played(plan: &Plan, replication: u32) -> i128 {
    let accounts = Accounts::new(OWNERS as usize, plan.owned(), plan.counting);
    let accounts = run(plan, replication, accounts).grid();
    assert_eq!(accounts.jobs.finished, 160);
    accounts.flow.sum()
}

#[test]
fn asked_at_every_arrival_a_cluster_takes_its_owner_s_shortest_job() {
    let plan = plan("my_jobs_first", "arrival");
    for replication in 0..3 {
        let (all, mut flow) = (jobs(&plan, replication), Span::ZERO);
        for cluster in 0..OWNERS {
            let key = |job: &Job| {
                (job.organization.0 != cluster, job.runtime, job.organization, job.number)
            };
            served(cluster, &all, Time::ZERO, key, &mut flow);
        }
        assert_eq!(played(&plan, replication), i128::from(flow.ticks()));
    }
}

#[test]
fn a_batch_takes_all_that_came_while_the_one_before_ran() {
    let plan = plan("shortest_first", "batch");
    for replication in 0..3 {
        let (all, mut now, mut flow) = (jobs(&plan, replication), Time::ZERO, Span::ZERO);
        let mut rest = &all[..];
        while let Some(first) = rest.first() {
            now = now.max(first.submit);
            let (batch, later) = rest.split_at(rest.partition_point(|job| job.submit <= now));
            let key = |job: &Job| (job.runtime, job.organization, job.number);
            let ends = (0..OWNERS).map(|cluster| served(cluster, batch, now, key, &mut flow));
            (now, rest) = (ends.max().unwrap(), later);
        }
        assert_eq!(played(&plan, replication), i128::from(flow.ticks()));
    }
}
