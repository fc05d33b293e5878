//! Why jobs wait: what `decisions.csv` says is read beside `jobs.csv`, and must agree with a
//! reading of the rules that shares nothing with the schedulers, at every instant of random small
//! grids and of a piece of a trace. To record it changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{
    Digest, Size, Variant, finish, limit, one_cluster, random_plan, run, start, variants,
};
use gridpact::kernel::state::{open, seal};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::OrganizationId;
use gridpact::model::job::Job;
use gridpact::model::machine::Machine;
use gridpact::policy::local::LocalOptions;
use gridpact::records::decisions::{self, Decision, DecisionsCsv};
use gridpact::records::field::Field;
use gridpact::records::jobs::{self, JobsCsv, Names};
use gridpact::scenario::plan::{ClusterKind, Plan, WorkloadKind};
use gridpact::sim::clairvoyance::Clairvoyance;
use gridpact::sim::observer::Observer;
use gridpact::sim::phase::PhaseOrder;
use gridpact::workload::jobs::ListSource;

const SEEDS: u64 = 25;
const SIZE: Size = Size { clusters: 3, processors: 8, jobs: 40 };

type Watch = (Digest, (JobsCsv<Vec<u8>>, DecisionsCsv<Vec<u8>>));

fn names(plan: &Plan) -> Names {
    Names {
        organizations: plan.organizations.iter().map(|one| one.name.clone()).collect(),
        clusters: (plan.clusters.iter())
            .map(|cluster| (cluster.name.clone(), cluster.processors()))
            .collect(),
        workloads: plan.workloads.iter().map(|workload| workload.name.clone()).collect(),
        tags: Vec::new(),
    }
}

fn watch(plan: &Plan) -> Watch {
    let jobs = JobsCsv::new(Vec::new(), names(plan), 0, false);
    (Digest::default(), (jobs, DecisionsCsv::new(Vec::new(), names(plan), 0)))
}

/// A file's rows, by column.
type Row = BTreeMap<String, String>;

fn rows(columns: &[&str], lines: Vec<u8>) -> Vec<Row> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&lines[..]);
    let row = |record: csv::StringRecord| {
        assert_eq!(record.len(), columns.len());
        columns.iter().map(|name| name.to_string()).zip(record.iter().map(str::to_owned)).collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn ticks(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let whole: i64 = whole.parse().ok()?;
    Some(whole * 1_000_000 + format!("{part:0<6}").parse::<i64>().unwrap())
}

/// A job's line in jobs.csv.
#[derive(Clone, Debug)]
struct Fact {
    cluster: String,
    arrival: u64,
    processors: u32,
    submit: i64,
    start: i64,
    finish: i64,
    expected: Option<i64>,
    estimate: i64,
}

std::thread_local! {
    /// True where predictions are corrected in the run that is looked at.
    static CORRECTS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

impl Fact {
    fn waits(&self, at: i64) -> bool {
        self.submit <= at && at < self.start
    }
    fn runs(&self, at: i64) -> bool {
        self.start <= at && at < self.finish
    }
    /// When it is expected to end, seen at a time at which it runs.
    fn end(&self, at: i64) -> i64 {
        // Only predictions are shorter than the estimate and outrun; they are corrected.
        const MINUTES: [i64; 11] = [1, 5, 15, 30, 60, 120, 300, 600, 1200, 3000, 6000];
        let most = self.start.saturating_add(self.estimate);
        let mut end = self.start.saturating_add(self.expected.unwrap());
        for minutes in MINUTES {
            if CORRECTS.get() && end <= at && end < most {
                end = end.saturating_add(minutes * 60_000_000).min(most);
            }
        }
        end.max(at + 1)
    }
}

type Id = (String, String);

/// A line of decisions.csv.
#[derive(Clone, Debug)]
struct Line {
    time: i64,
    job: Id,
    decision: Decision,
    by: Option<Id>,
    due: Option<i64>,
    expected: Option<i64>,
    row: Row,
}

struct Told {
    facts: BTreeMap<Id, Fact>,
    lines: Vec<Line>,
}

fn read((jobs, decided): (JobsCsv<Vec<u8>>, DecisionsCsv<Vec<u8>>)) -> Told {
    let id = |row: &Row, workload: &str, job: &str| (row[workload].clone(), row[job].clone());
    let fact = |row: Row| {
        let never = |text: &str| ticks(text).unwrap_or(i64::MAX);
        let fact = Fact {
            cluster: row["cluster"].clone(),
            arrival: row["arrival"].parse().unwrap(),
            processors: row["requested_number_of_resources"].parse().unwrap(),
            submit: ticks(&row["submission_time"]).unwrap(),
            start: never(&row["starting_time"]),
            finish: never(&row["finish_time"]),
            expected: ticks(&row["expected_time"]),
            estimate: ticks(&row["requested_time"]).unwrap(),
        };
        (id(&row, "workload_name", "job_id"), fact)
    };
    let facts = rows(jobs::COLUMNS, jobs.lines.into_inner()).into_iter().map(fact);
    let line = |row: Row| Line {
        time: ticks(&row["time"]).unwrap(),
        job: id(&row, "workload_name", "job_id"),
        decision: Field::parse(&row["decision"]).unwrap(),
        by: (!row["by_job"].is_empty()).then(|| id(&row, "by_workload", "by_job")),
        due: ticks(&row["due"]),
        expected: ticks(&row["expected_start"]),
        row,
    };
    let lines =
        rows(decisions::COLUMNS, decided.lines.into_inner()).into_iter().map(line).collect();
    Told { facts: facts.filter(|(_, fact)| !fact.cluster.is_empty()).collect(), lines }
}

fn is_reason(line: &Line) -> bool {
    line.decision.is_reason()
}

fn is_start(line: &Line) -> bool {
    [Decision::Started, Decision::Overtook].contains(&line.decision)
}

/// Case under test.
#[derive(Clone, Copy)]
struct Rules<'a> {
    scheduler: Option<&'a LocalOptions>,
    /// Every job runs as long as is expected of it.
    exact: bool,
}

/// From submission to start there is one reason, and one start; what led to it is told.
fn check_gaps(told: &Told, until: i64) {
    for (id, fact) in &told.facts {
        let lines: Vec<&Line> = told.lines.iter().filter(|line| line.job == *id).collect();
        assert!(lines.windows(2).all(|pair| pair[0].time <= pair[1].time));
        let starts: Vec<&&Line> = lines.iter().filter(|line| is_start(line)).collect();
        let reasons: Vec<&&Line> = lines.iter().filter(|line| is_reason(line)).collect();
        let bounds = fact.submit..=fact.start.min(until);
        assert!(reasons.iter().all(|line| bounds.contains(&line.time)), "{id:?}: {lines:?}");
        if fact.start < i64::MAX {
            assert_eq!(starts.len(), 1, "{id:?}");
            assert_eq!(starts[0].time, fact.start);
            assert!(is_start(lines[lines.len() - 1]), "nothing is told after the start");
        } else {
            assert!(starts.is_empty());
        }
        if fact.start > fact.submit {
            assert_eq!(reasons.first().map(|line| line.time), Some(fact.submit), "{id:?}");
        }
        // Only changes are written.
        let key = |line: &Line| (line.decision, line.by.clone(), line.expected);
        assert!(reasons.windows(2).all(|pair| key(pair[0]) != key(pair[1])), "{lines:?}");
    }
}

/// Checks which jobs started before which.
fn check_starts(told: &Told) {
    for line in told.lines.iter().filter(|line| is_start(line)) {
        let fact = &told.facts[&line.job];
        let earlier = |other: &Fact| {
            other.cluster == fact.cluster && other.arrival < fact.arrival && other.start > line.time
        };
        match &line.by {
            Some(by) => {
                let other = &told.facts[by];
                assert_eq!(line.decision, Decision::Overtook);
                assert!(other.arrival < fact.arrival && other.start >= line.time);
                assert_eq!(other.cluster, fact.cluster);
            }
            None => {
                assert_eq!(line.decision, Decision::Started);
                assert!(!told.facts.values().any(earlier), "{line:?}");
            }
        }
    }
}

/// At every instant in which something happened on a cluster, each waiting job's reason is right.
fn check_reasons(told: &Told, processors: &BTreeMap<String, u32>, rules: Rules<'_>, until: i64) {
    for (cluster, &processors) in processors {
        let here: Vec<(&Id, &Fact)> =
            told.facts.iter().filter(|(_, fact)| fact.cluster == *cluster).collect();
        let times = here.iter().flat_map(|(_, fact)| [fact.submit, fact.start, fact.finish]);
        let times: BTreeSet<i64> = times.filter(|&time| time < until).collect();
        let mut current: BTreeMap<&Id, &Line> = BTreeMap::new();
        let of_cluster = |line: &&Line| line.row["cluster"] == *cluster && is_reason(line);
        let mut lines = told.lines.iter().filter(of_cluster).peekable();
        for at in times {
            while let Some(line) = lines.next_if(|line| line.time <= at) {
                current.insert(&line.job, line);
            }
            let running: Vec<&Fact> =
                here.iter().map(|(_, fact)| *fact).filter(|fact| fact.runs(at)).collect();
            let used: u32 = running.iter().map(|fact| fact.processors).sum();
            let mut waiting: Vec<(&Id, &Fact)> =
                here.iter().copied().filter(|(_, fact)| fact.waits(at)).collect();
            waiting.sort_by_key(|(_, fact)| fact.arrival);
            let free = processors - used;
            for &(id, fact) in &waiting {
                let line = current[id];
                let enough = fact.processors <= free;
                match line.decision {
                    Decision::Ahead => {
                        let by = line.by.as_ref().unwrap();
                        let earlier = |other: &&(&Id, &Fact)| other.1.arrival < fact.arrival;
                        let before = waiting.iter().rev().find(earlier);
                        assert_eq!(Some(by), before.map(|(id, _)| *id), "{at}: {line:?}");
                    }
                    Decision::Processors => assert!(!enough, "{at}: {line:?}"),
                    Decision::Reservation => {
                        assert!(enough, "{at}: {line:?}");
                        // An instant may have several decisions, so not only the last counts.
                        let said = |other: &Line| {
                            Some(&other.job) == line.by.as_ref() && other.expected == line.due
                        };
                        assert!(line.by.is_none() || told.lines.iter().any(said), "{line:?}");
                    }
                    _ => {
                        let by = &told.facts[line.by.as_ref().unwrap()];
                        assert!(enough && by.runs(at), "{at}: {line:?}");
                        assert!(by.start + by.expected.unwrap() <= at);
                    }
                }
            }
            match rules.scheduler {
                None | Some(LocalOptions::Fcfs(_)) => {
                    let strict = waiting.iter().map(|(id, _)| current[*id].decision);
                    let ahead = strict.skip(1).all(|decision| decision == Decision::Ahead);
                    assert!(ahead, "only the first waits for processors");
                    if let Some((first, fact)) = waiting.first()
                        && fact.expected.is_some()
                        && rules.scheduler.is_some()
                        && current[*first].time == at
                    {
                        let found = shadow(&running, free, fact.processors, at).0;
                        assert_eq!(current[*first].expected, Some(found), "{at}");
                    }
                }
                Some(LocalOptions::List(_)) => {
                    assert!(waiting.iter().all(|(id, _)| {
                        let line = current[*id];
                        line.decision == Decision::Processors && line.expected.is_none()
                    }));
                }
                Some(LocalOptions::Process(_) | LocalOptions::Batsim(_)) => {
                    unreachable!("no program decides here")
                }
                Some(LocalOptions::Easy(_)) => easy(&waiting, &running, free, at, &current),
                Some(LocalOptions::Conservative(_)) => {
                    conservative(&waiting, &running, processors, at, &current, rules.exact);
                }
            }
        }
    }
}

/// When enough is expected to be free, and what that leaves over.
fn shadow(running: &[&Fact], free: u32, needed: u32, at: i64) -> (i64, u32) {
    let free_by = |time: i64| {
        let ended = running.iter().filter(|fact| fact.end(at) <= time);
        free + ended.map(|fact| fact.processors).sum::<u32>()
    };
    let ends: BTreeSet<i64> = running.iter().map(|fact| fact.end(at)).collect();
    let shadow = ends.into_iter().find(|&time| free_by(time) >= needed).unwrap();
    (shadow, free_by(shadow) - needed)
}

fn easy(
    waiting: &[(&Id, &Fact)],
    running: &[&Fact],
    free: u32,
    at: i64,
    current: &BTreeMap<&Id, &Line>,
) {
    let Some((first, needs)) = waiting.first() else { return };
    let (shadow, extra) = shadow(running, free, needs.processors, at);
    let head = current[*first];
    assert_eq!(head.decision, Decision::Processors);
    assert_eq!(head.expected, Some(shadow), "{at}: {head:?}");
    for (id, fact) in &waiting[1..] {
        let line = current[*id];
        assert_eq!(line.expected, None, "only the first has a reservation");
        if line.decision == Decision::Reservation {
            assert_eq!(line.by.as_ref(), Some(*first), "{at}: {line:?}");
            assert!(at.saturating_add(fact.expected.unwrap()) > shadow, "{at}: {line:?}");
            assert!(fact.processors > extra, "{at}: {line:?}");
        }
    }
}

fn conservative(
    waiting: &[(&Id, &Fact)],
    running: &[&Fact],
    processors: u32,
    at: i64,
    current: &BTreeMap<&Id, &Line>,
    exact: bool,
) {
    let is_overdue = |fact: &&&Fact| fact.start + fact.expected.unwrap() <= at;
    let overdue = running.iter().any(|fact| is_overdue(&fact));
    for (id, fact) in waiting {
        let line = current[*id];
        if exact {
            assert_eq!(line.expected, Some(fact.start), "{at}: {line:?}");
        }
        if overdue {
            continue;
        }
        let length = fact.expected.unwrap().max(1);
        if let (Decision::Reservation, Some(by)) = (line.decision, &line.by) {
            assert!(waiting.iter().any(|(id, _)| *id == by), "{at}: {line:?}");
            let due = line.due.unwrap();
            if line.time == at && current[by].expected == Some(due) {
                let then = due.max(at);
                assert!(then < at.saturating_add(length));
                let held = running.iter().filter(|fact| fact.end(at) > then);
                let held: u32 = held.map(|fact| fact.processors).sum();
                let others = waiting.iter().filter(|(other, fact)| {
                    let start = current[*other].expected.unwrap();
                    let end = start.saturating_add(fact.expected.unwrap().max(1));
                    other != id && start <= then && then < end
                });
                let reserved: u32 = others.map(|(_, fact)| fact.processors).sum();
                assert!(held + reserved + fact.processors > processors, "{at}: {line:?}");
            }
        }
    }
}

/// All of it on a plan.
fn check(plan: &Plan, rules: Rules<'_>) {
    CORRECTS.set(plan.settings.clairvoyance.corrects());
    let (digest, files) = run(plan, 0, watch(plan));
    assert_eq!(digest, run(plan, 0, Digest::default()), "to record changes nothing");
    let told = read(files);
    let until = limit(plan);
    let until = (until - Time::ZERO).ticks();
    check_gaps(&told, until);
    check_starts(&told);
    let clusters = plan.clusters.iter();
    let processors = clusters.map(|cluster| (cluster.name.clone(), cluster.processors())).collect();
    check_reasons(&told, &processors, rules, until);
}

fn is_exact(variant: &Variant, plan: &Plan) -> bool {
    let all = |list: &ListSource| list.jobs().iter().all(|job| job.runtime > Span::ZERO);
    variant.clairvoyance == Clairvoyance::Runtime
        && variant.phase_order == PhaseOrder::Instant
        && !variant.kill_at_estimate
        && plan.workloads.iter().all(|workload| match &workload.kind {
            WorkloadKind::List(list) => all(list),
            _ => false,
        })
}

#[test]
fn every_reason_is_right_at_every_instant_of_random_grids() {
    let mut exact = 0;
    for (number, variant) in variants().iter().enumerate() {
        for seed in (0..crate::cases(SEEDS)).map(|seed| 1000 * number as u64 + seed) {
            println!("seed {seed}: {variant:?}");
            let plan = random_plan(seed, SIZE, variant);
            let rules =
                Rules { scheduler: variant.scheduler.as_ref(), exact: is_exact(variant, &plan) };
            exact += u32::from(rules.exact);
            check(&plan, rules);
        }
    }
    assert!(exact > 20, "{exact}");
}

/// Jobs like those of a trace: powers of two, estimates that are multiples of the runtime.
#[test]
fn every_reason_is_right_on_a_loaded_machine() {
    for scheduler in LocalOptions::defaults() {
        let mut rng = crate::common::draws(7, "loaded");
        let mut submit = Time::ZERO;
        let jobs = (1..=300).map(|number| {
            submit += Span::units(crate::common::below(&mut rng, 200) as i64);
            let runtime = Span::units(1 + crate::common::below(&mut rng, 900) as i64);
            let times = 1 + crate::common::below(&mut rng, 4) as i64;
            Job {
                number,
                source: 0,
                submit,
                runtime,
                estimate: Span::from_ticks(runtime.ticks() * times),
                processors: 1 << crate::common::below(&mut rng, 7),
                user: 0,
                organization: OrganizationId(0),
                ..Job::default()
            }
        });
        let list = ListSource::new(jobs.collect());
        let machine = Machine::new(100);
        let kind = ClusterKind::SpaceShared { machine, scheduler: Some(scheduler.clone()) };
        for clairvoyance in [Clairvoyance::Estimate, Clairvoyance::Runtime] {
            let mut plan = one_cluster(kind.clone(), WorkloadKind::List(list.clone()));
            plan.settings.clairvoyance = clairvoyance;
            let exact = clairvoyance == Clairvoyance::Runtime;
            check(&plan, Rules { scheduler: Some(&scheduler), exact });
        }
    }
}

#[test]
fn records_of_a_run_that_was_saved_and_rebuilt_go_on_with_the_same_bytes() {
    for (number, variant) in variants().iter().enumerate() {
        let plan = random_plan(number as u64, SIZE, variant);
        let (_, (_, whole)) = run(&plan, 0, watch(&plan));
        let mut watched = watch(&plan);
        let told: &mut dyn Observer = &mut watched;
        let mut first = start(&plan, 0, told);
        for _ in 0..30 {
            if first.upcoming().is_some_and(|(at, _)| at < limit(&plan)) {
                first.step().expect("nothing fails");
            }
        }
        let saved = seal(&first, b"test");
        drop(first);
        let mut begun = watched.1.1.lines.out_mut().clone();
        let mut rest = watch(&plan);
        let told: &mut dyn Observer = &mut rest;
        let mut rebuilt = start(&plan, 0, told);
        open(&mut rebuilt, b"test", &saved).expect("it was saved by the same plan");
        finish(&plan, rebuilt);
        begun.extend(rest.1.1.lines.into_inner());
        assert_eq!(begun, whole.lines.into_inner());
    }
}
