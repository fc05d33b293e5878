//! Organizations without the others: `Plan::among`, and every organization alone beside a run.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::{Digest, Size, finish, random_plan, run, start, trace_file, variants};
use gridpact::findings::Findings as _;
use gridpact::findings::grid::results::Results;
use gridpact::findings::measure::Metric;
use gridpact::kernel::rng::Streams;
use gridpact::model::foreign::Foreign;
use gridpact::model::ids::{ClusterId, OrganizationId};
use gridpact::model::machine::Machine;
use gridpact::policy::local::{LocalOptions, easy};
use gridpact::report::{grid::GridReport, world::Report as _};
use gridpact::run::Progress;
use gridpact::scenario::diagnostics::render;
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::{
    Cluster, ClusterKind, Organization, Plan, Until, Workload, WorkloadKind,
};
use gridpact::scenario::{self, Input, Overrides};
use gridpact::sim::accounts::{Accounts, Counting};
use gridpact::sim::alone::{CouldRunAlone, Service};
use gridpact::sim::observer::Observer;
use gridpact::stats::shown::Times;
use gridpact::workload::owners::Owners;
use gridpact::workload::swf::{Options, Routes, survey};

fn load(text: &str) -> Plan {
    let mut files = Files::new();
    let input = Input::Bytes { name: "it", bytes: text.into() };
    let loaded = scenario::load(input, &Overrides::default(), &mut files);
    loaded.unwrap_or_else(|wrong| panic!("{}", render(&wrong, &files, false))).0
}

fn results(plan: &Plan) -> Results {
    let ran = gridpact::run::run(plan, None, 2, 0.0, &Progress::default()).expect("nothing fails");
    ran.grid().expect("it is a grid")
}

/// Two organizations that may use each other's cluster; the third job fits the first cluster only.
const BY_HAND: &str = r#"
name = "by hand"
output.alone = true
[[organization]]
name = "a"
uses = ["a", "b"]
cluster.space_shared = { processors = 2, scheduler.fcfs = {} }
[[organization]]
name = "b"
uses = ["b", "a"]
cluster.space_shared = { processors = 1, scheduler.fcfs = {} }
[[job]]
organization = "a"
submit = 0
runtime = 10
processors = 2
[[job]]
organization = "a"
submit = 0
runtime = 10
[[job]]
organization = "b"
submit = 0
runtime = 2
processors = 2
[[job]]
organization = "b"
submit = 5
runtime = 5
"#;

/// Together: the first job takes cluster `a` until 10 and the second cluster `b`; the third waits
/// for the first, and the fourth, sent to the cluster with less demand, for the second. So `a` has
/// flow times of 10 and 10, and `b` of 12 and 10.
///
/// Alone: the second job waits for the first, so `a` has 10 and 20; the third job of `b` can never
/// run, and the fourth starts at once, so `b` has 5.
#[test]
fn two_organizations_by_hand() {
    let plan = load(BY_HAND);
    let found = results(&plan);
    let mean = |unit: usize, metric: Metric| found.sample().mean(unit, metric.measure());
    let of = |unit| {
        use Metric::{AloneBoundedSlowdown, AloneFlow, AloneWait, Flow, Gain};
        [Flow, AloneFlow, AloneWait, AloneBoundedSlowdown, Gain].map(|metric| mean(unit, metric))
    };
    // Of 32 units of flow time 12 are those of the job that is not compared.
    let some = |figures: [f64; 5]| figures.map(Some);
    assert_eq!(of(0), some([10.0, 15.0, 5.0, 1.5, 10.0 / 30.0]));
    assert_eq!(of(1), some([11.0, 5.0, 0.0, 1.0, -1.0]));
    assert_eq!(of(2), some([10.5, 35.0 / 3.0, 10.0 / 3.0, 4.0 / 3.0, 5.0 / 35.0]));

    let folder = tempfile::tempdir().unwrap();
    let ran = gridpact::run::run(&plan, Some(folder.path()), 1, 0.0, &Progress::default()).unwrap();
    let results = &ran.grid().expect("it is a grid");
    let statements = GridReport { plan: &plan, results }.statements(Times::Units).join("\n");
    assert!(
        statements.starts_with(
            "in this run sharing shortened the mean flow time of a by 33.3%, and lengthened that of \
             b by 100.0%\nnot compared: 1 job too wide for its organization's own clusters"
        ),
        "{statements}"
    );
    let csv = fs::read_to_string(folder.path().join("organizations.csv")).unwrap();
    let ends: Vec<&str> =
        csv.lines().map(|line| line.split(",alone_jobs").last().unwrap()).collect();
    assert!(ends[1].ends_with(",2,0,15,,,5,,,1.5,,,0.3333333333333333,,"), "{csv}");
    assert!(ends[2].ends_with(",1,1,5,,,0,,,1,,,-1,,"), "{csv}");
    assert!(gridpact::review::audit::audit(folder.path()).unwrap().passed());
}

const SIZE: Size = Size { clusters: 3, processors: 4, jobs: 40 };

fn observer(plan: &Plan) -> CouldRunAlone {
    CouldRunAlone::new(
        plan.counting,
        plan.owned(),
        plan.organizations.iter().map(|one| &*one.uses),
        &plan.lists,
    )
}

fn all(plan: &Plan) -> Vec<OrganizationId> {
    (0..plan.organizations.len() as u32).map(OrganizationId).collect()
}

/// The service of everybody alone, side by side.
fn alone(plan: &Plan, replication: u32) -> Vec<Service> {
    let agent = |cluster: &Cluster, streams: &Streams| plan.agent(cluster, streams);
    let grid = plan.build_alone(replication, observer(plan), agent).expect("the sources open");
    finish(plan, grid.start()).services().to_vec()
}

/// Checks that each organization by itself has what it has beside the others, and that everybody
/// together is the plan itself; returns the number of jobs compared.
fn agrees(plan: &Plan, replication: u32) -> u64 {
    let whole = run(&plan.among(&all(plan)), replication, Digest::default());
    assert_eq!(whole, run(plan, replication, Digest::default()));
    let beside = alone(plan, replication);
    for one in all(plan) {
        let only = plan.among(&[one]);
        let accounts = Accounts::new(plan.organizations.len(), only.owned(), plan.counting);
        let (accounts, seen) = run(&only, replication, (accounts, observer(&only)));
        let service = beside[one.index()];
        assert_eq!(seen.services()[one.index()], service);
        let account = &accounts.organizations()[one.index()];
        let flow = (account.jobs.finished, account.flow.sum(), account.wait.sum());
        assert_eq!(flow, (service.jobs, service.flow, service.wait));
        // The others are not there.
        let others = accounts.organizations().iter().enumerate();
        let mut others = others.filter(|(index, _)| *index != one.index());
        assert!(others.all(|(_, account)| account.jobs.submitted == 0));
    }
    beside.iter().map(|service| service.jobs).sum()
}

/// Under every scheduler, every clairvoyance and every order of events.
#[test]
fn each_organization_alone_is_the_same_beside_others_and_by_itself() {
    let (mut jobs, mut dropped) = (0, 0);
    for (number, variant) in variants().iter().enumerate() {
        for seed in (0..6).map(|seed| 100 * number as u64 + seed) {
            println!("seed {seed}: {variant:?}");
            let plan = random_plan(seed, SIZE, variant);
            jobs += agrees(&plan, 0);
            // The jobs of the others are read, and count towards `until.jobs`.
            let submitted = |plan: &Plan| {
                let mut nothing = ();
                let told: &mut dyn Observer = &mut nothing;
                let mut engine = start(plan, 0, told);
                while engine.upcoming().is_some_and(|(at, _)| at < crate::common::limit(plan)) {
                    engine.step().expect("nothing fails");
                }
                engine.world().counts()
            };
            let only = submitted(&plan.among(&[OrganizationId(0)]));
            assert_eq!(only.submitted, submitted(&plan).submitted);
            dropped += only.dropped;
        }
    }
    assert!(jobs > 10_000 && dropped > 10_000, "{jobs} jobs, {dropped} dropped");
}

/// A trace whose users belong to three organizations, each with a cluster, of which the first 3000
/// jobs count.
fn shared_trace() -> Plan {
    let survey = survey(&trace_file("KTH-SP2-1996-2.1-cln.swf.gz"), &Options::default()).unwrap();
    let assignment = Owners::Balanced { parts: 3 }.assign(&survey, "").unwrap();
    let uses: Vec<ClusterId> = (0..3).map(ClusterId).collect();
    let organization = |name: &String| Organization {
        name: name.clone(),
        uses: uses.clone().into(),
        ..Organization::default()
    };
    let cluster = |index: u32| Cluster {
        name: format!("cluster-{index}"),
        owner: OrganizationId(index),
        kind: ClusterKind::SpaceShared {
            machine: Machine::new([100, 40, 60][index as usize]),
            scheduler: Some(LocalOptions::Easy(easy::Options::default())),
        },
        foreign: Foreign::Always,
    };
    let mut plan = crate::common::empty_plan();
    plan.until = Until::Jobs(3000);
    plan.settings.most_jobs = Some(3000);
    plan.counting = Counting { batches: true, ..Counting::default() };
    plan.organizations = assignment.names().iter().map(organization).collect();
    plan.clusters = (0..3).map(cluster).collect();
    let base = OrganizationId(0);
    let (survey, routes) = (Arc::new(survey), Routes::default());
    let kind = WorkloadKind::Swf { survey, assignment, base, routes, dealt: None };
    plan.workloads = vec![Workload { name: "grid".into(), kind }];
    plan.output.alone = true;
    plan
}

/// Drawn jobs with drawn owners, who share one stream.
fn drawn_owners() -> Plan {
    load(
        r#"
name = "drawn owners"
run = { until.jobs = 2000, replications = 4 }
output.alone = true
[[organization]]
name = "a"
count = 3
uses = ["a-1", "a-2", "a-3"]
cluster.space_shared = { processors = 8, scheduler.easy = {} }
[workload.shared]
source.synthetic = { arrivals.poisson.rate = 1.0, size.exponential.mean = 4.0, processors.uniform = { min = 1, max = 8 } }
owners.zipf = { exponent = 1 }
"#,
    )
}

/// A run of one organization alone, by its plan, finds what the run of all finds beside itself.
#[test]
fn a_run_alone_finds_the_columns_of_the_run_beside() {
    for plan in [shared_trace(), drawn_owners()] {
        agrees(&plan, 0);
        let found = results(&plan);
        for one in all(&plan) {
            let by_itself = results(&plan.among(&[one]));
            let pairs = [
                (Metric::Flow, Metric::AloneFlow),
                (Metric::Wait, Metric::AloneWait),
                (Metric::BoundedSlowdown, Metric::AloneBoundedSlowdown),
            ];
            for (own, beside) in pairs {
                let own = by_itself.sample().sections(one.index(), own.measure());
                let beside = found.sample().sections(one.index(), beside.measure());
                assert_eq!(own, beside, "{}: {one:?}", plan.name);
                assert!(own.mean().is_some());
            }
            // Alone there is nobody to share with.
            let gain = by_itself.sample().mean(one.index(), Metric::Gain.measure());
            assert_eq!(gain, Some(0.0));
        }
        let gain = |unit| found.sample().mean(unit, Metric::Gain.measure()).unwrap();
        assert!((0..4).all(|unit| gain(unit) != 0.0));
        let figures = found.figures_of(3, plan.counting.level);
        let gain = figures.iter().find(|one| one.measure.name == "gain").unwrap();
        assert_eq!(gain.interval.is_some(), plan.replications > 1, "{gain:?}");
    }
}

/// Every file of a folder but those that may differ.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.is_file() && path.file_name().unwrap() != "timing.json")
        .map(|path| (path.file_name().unwrap().to_string_lossy().into(), fs::read(path).unwrap()))
        .collect();
    found.sort();
    found
}

/// Simulating everybody alone changes nothing of the run itself; with all organizations `among` is
/// the plan itself, byte by byte.
#[test]
fn the_run_itself_is_the_same() {
    let alone = drawn_owners();
    let mut plain = alone.clone();
    plain.output.alone = false;
    let written = |plan: &Plan| {
        let folder = tempfile::tempdir().unwrap();
        gridpact::run::run(plan, Some(folder.path()), 2, 0.0, &Progress::default()).unwrap();
        contents(folder.path())
    };
    let [alone, plain, among] = [&alone, &plain, &alone.among(&all(&alone))].map(written);
    assert_eq!(among, alone);
    for ((name, with), (_, without)) in alone.iter().zip(&plain) {
        let [with, without] = [with, without].map(|bytes| String::from_utf8_lossy(bytes));
        match &**name {
            "jobs.csv" | "timeline.csv" | "histograms.hlog" => assert_eq!(with, without, "{name}"),
            "organizations.csv" => {
                let mut lines = with.lines().zip(without.lines());
                assert!(lines.all(|(with, without)| with.starts_with(without)), "{name}");
            }
            _ => {}
        }
    }
}

/// A run that is stopped compares means, as not the same jobs have ended.
#[test]
fn a_stopped_run_compares_means() {
    let text = BY_HAND.replace("name = \"by hand\"", "name = \"stopped\"\nrun.until.time = 15");
    let found = results(&load(&text));
    // Alone only the first job of `a` ends before 15: 10 against a mean of 10 with the others.
    let mean = |metric: Metric| found.sample().mean(0, metric.measure());
    assert_eq!((mean(Metric::AloneFlow), mean(Metric::Gain)), (Some(10.0), Some(0.0)));
}
