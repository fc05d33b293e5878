//! Exports are read back: a list has the same jobs and gives the same run. What a run tells while it
//! goes on is what its summary says.

use std::fs;
use std::path::Path;

use gridpact::kernel::state::{Corrupt, State};
use gridpact::kernel::time::{TICKS_PER_UNIT, Time};
use gridpact::model::ids::OrganizationId;
use gridpact::model::job::Job;
use gridpact::report::grid::organizations;
use gridpact::run::pulse::Estimate;
use gridpact::run::workload::{Export, Exported, MOST_JOBS, Stream, Target, export, rounded};
use gridpact::run::{self, Progress};
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::Plan;
use gridpact::scenario::{self, Input, Overrides};
use gridpact::sim::observer::{Observer, Submitted};
use gridpact::workload::Source as _;
use gridpact::workload::owners::Owners;
use gridpact::workload::swf::{self, Options, SwfSource};

/// Three interleaved sources with repeated job numbers, and shared clusters.
const MIXED: &str = r#"
name = "mixed"
seed = 5
run.replications = 2
run.until.jobs = 700
[[organization]]
name = "a"
cluster.space_shared = { processors = 4, scheduler.easy = {} }
workload.synthetic = { arrivals.poisson.rate = 1, size.exponential.mean = 2, processors.constant = 2 }
[[organization]]
name = "b"
uses = ["a", "c"]
workload.synthetic = { arrivals.poisson.rate = 0.5, size.exponential.mean = 2, until = 300 }
[[organization]]
name = "c"
cluster.space_shared = { processors = 2, scheduler.conservative = {} }
[[job]]
organization = "c"
submit = 0.000001
runtime = 3.5
processors = 2
estimate = 8
user = 7
[workload.shared]
source.synthetic = { arrivals.poisson.rate = 0.5, size.exponential.mean = 1 }
"#;

fn plan(text: &str) -> Plan {
    let input = Input::Bytes { name: "it", bytes: text.into() };
    scenario::load(input, &Overrides::default(), &mut Files::new()).unwrap().0
}

fn exported(plan: &Plan, how: Export) -> (String, Exported) {
    let (out, exported) =
        export(plan, how, Path::new("it"), Vec::new(), &Progress::default()).unwrap();
    (String::from_utf8(out).unwrap(), exported)
}

fn jobs(plan: &Plan, replication: u32, most: u64) -> Vec<Job> {
    let mut stream = Stream::open(plan, replication, most).unwrap();
    std::iter::from_fn(|| stream.draw().unwrap()).collect()
}

fn organizations_of(plan: &Plan) -> String {
    let found = run::run(plan, None, 1, 0.0, &Progress::default()).unwrap();
    String::from_utf8(organizations::render(plan, &found.grid().expect("a grid"))).unwrap()
}

#[test]
fn a_run_of_the_exported_list_is_the_run_of_the_scenario() {
    let folder = tempfile::tempdir().unwrap();
    for replication in [0, 1] {
        // One replication of the scenario, on that replication's streams.
        let mut original = plan(MIXED);
        let how = Export { replication, ..Export::default() };
        let (text, told) = exported(&original, how);
        assert_eq!(told, Exported { jobs: 700, is_cut: false, is_renumbered: true });
        fs::write(folder.path().join("jobs.csv"), text).unwrap();
        let listed = MIXED.split("[[job]]").next().unwrap();
        let listed: String = (listed.lines())
            .filter(|line| !line.contains("workload") && !line.contains("until"))
            .chain(["[workload.jobs]", "file = \"jobs.csv\""])
            .map(|line| line.to_owned() + "\n")
            .collect();
        fs::write(folder.path().join("listed.toml"), listed).unwrap();
        let input = folder.path().join("listed.toml");
        let mut files = Files::new();
        let loaded = scenario::load(Input::File(&input), &Overrides::default(), &mut files);
        let mut read = loaded.unwrap().0;
        let unsourced = |jobs: Vec<Job>| -> Vec<Job> {
            jobs.into_iter().map(|job| Job { source: 0, number: 0, ..job }).collect()
        };
        let expected = jobs(&original, replication, MOST_JOBS);
        assert_eq!(unsourced(jobs(&read, 0, MOST_JOBS)), unsourced(expected));
        if replication == 0 {
            (original.replications, read.replications) = (1, 1);
            assert_eq!(organizations_of(&read), organizations_of(&original));
        }
    }
}

#[test]
fn a_stream_is_what_a_run_takes() {
    struct Came(Vec<Job>);
    impl State for Came {
        fn save(&self, _: &mut Vec<u8>) {}
        fn load(&mut self, _: &mut &[u8]) -> Result<(), Corrupt> {
            Ok(())
        }
    }
    impl Observer for Came {
        fn submitted(&mut self, Submitted { job, .. }: Submitted<'_>) {
            self.0.push(*job);
        }
        fn rejected(&mut self, job: &Job, _: Time) {
            self.0.push(*job);
        }
    }
    for until in ["jobs = 700", "time = 120.5", "jobs = 1"] {
        let plan = plan(&MIXED.replace("jobs = 700", until));
        let came = crate::common::run(&plan, 1, Came(Vec::new())).0;
        assert!(!came.is_empty());
        assert_eq!(jobs(&plan, 1, MOST_JOBS), came, "{until}");
    }
}

#[test]
fn what_is_cut_is_told() {
    let plan = plan(MIXED);
    let told = |most| {
        let mut stream = Stream::open(&plan, 0, most).unwrap();
        let count = std::iter::from_fn(|| stream.draw().unwrap()).count();
        (count, stream.is_cut())
    };
    assert_eq!(told(699), (699, true));
    assert_eq!(told(700), (700, false));
    assert_eq!(told(701), (700, false));
}

fn read_back(text: &str, plan: &Plan) -> Vec<Job> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.swf");
    fs::write(&file, text).unwrap();
    let survey = swf::survey(&file, &Options::verbatim()).unwrap();
    let owners = Owners::PerGroup {}.assign(&survey, "").unwrap();
    let mut source = SwfSource::new(&survey, owners.clone(), 0, OrganizationId(0));
    let groups = owners.names().to_vec();
    let mut jobs = Vec::new();
    while let Some(job) = source.next().unwrap() {
        let group = &groups[job.organization.index()];
        let number: u32 = group.trim_start_matches("group-").parse().unwrap();
        let name = &plan.organizations[number as usize - 1].name;
        assert!(
            survey.header.entries().any(|entry| entry == ("Group", &format!("{number} {name}")))
        );
        jobs.push(Job { organization: OrganizationId(number - 1), ..job });
    }
    jobs
}

#[test]
fn a_trace_is_read_back_exactly_or_rounded_as_it_says() {
    let plan = plan(MIXED);
    let numbered: Vec<Job> = (1..)
        .zip(jobs(&plan, 0, MOST_JOBS))
        .map(|(number, job)| Job { number, source: 0, ..job })
        .collect();
    for whole_seconds in [false, true] {
        let how = Export { target: Target::Swf { whole_seconds }, ..Export::default() };
        let (text, _) = exported(&plan, how);
        assert!(text.contains("; MaxJobs: 700\n; MaxRecords: 700\n; MaxProcs: 6\n"), "{text}");
        assert_eq!(text.contains("rounded to whole seconds"), whole_seconds);
        let expected: Vec<Job> =
            (numbered.iter()).map(|&job| if whole_seconds { rounded(job) } else { job }).collect();
        assert_eq!(read_back(&text, &plan), expected);
    }
    assert_eq!(rounded(numbered[0]).submit.ticks() % TICKS_PER_UNIT, 0);
}

/// The same interval as in the summary, from the same accounts.
#[test]
fn the_interval_so_far_is_made_as_that_of_the_summary() {
    let text = "name = \"q\"\nrun.until.jobs = 5000\n[[organization]]\nname = \"a\"\n\
        cluster.space_shared = { processors = 1, scheduler.fcfs = {} }\n\
        workload.synthetic = { arrivals.poisson.rate = 0.5, size.exponential.mean = 1 }\n";
    let found =
        run::run(&plan(text), None, 1, 0.0, &Progress::default()).unwrap().grid().expect("a grid");
    let precise = found.precision(1, &found.accounts.grid()).distributions[0].mean.unwrap();
    let estimate = Estimate::of_flow(&found.accounts).unwrap();
    let relative = estimate.half_width.unwrap() / precise.interval.half_width();
    assert!((relative - 1.0).abs() < 1e-9, "{relative}");
    assert!((estimate.mean / found.accounts.grid().flow.mean().unwrap() - 1.0).abs() < 1e-12);
}
