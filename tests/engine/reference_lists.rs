//! The reference lists of KTH-SP2, as an auditor sees them: each keeps its own discipline and
//! breaks the others, and one start moved by a tick is caught.

use std::fs::File;
use std::io::Read;
use std::time::Instant;

use flate2::read::MultiGzDecoder;

use crate::common::trace_file;
use crate::vectors::{KTH, reference_list};
use gridpact::audit::{ClusterFacts, Discipline, Facts, JobFacts, Kind, PhaseOrder, audit};
use gridpact::kernel::time::{Span, Time};

/// The jobs of the trace that are kept, as the reference lists count them.
fn trace() -> Vec<JobFacts> {
    let mut jobs: Vec<JobFacts> = Vec::new();
    let mut first = None;
    let mut text = String::new();
    let file = File::open(trace_file(KTH)).expect("the project holds it");
    MultiGzDecoder::new(file).read_to_string(&mut text).expect("it is gzipped text");
    for line in text.lines() {
        if line.starts_with(';') {
            continue;
        }
        let fields: Vec<i64> =
            line.split_whitespace().map(|field| field.parse().expect("a whole number")).collect();
        let [_, submit, _, runtime, used, _, _, wanted, estimate, ..] = fields[..] else {
            continue;
        };
        let processors = if used > 0 { used } else { wanted };
        if processors <= 0 || runtime <= 0 {
            continue;
        }
        let estimate = if estimate > 0 { estimate } else { runtime };
        let submit = submit - *first.get_or_insert(submit);
        jobs.push(JobFacts {
            requested: Span::units(estimate),
            ..JobFacts::new(
                jobs.len() as u64 + 1,
                Time::ZERO + Span::units(submit),
                Span::units(runtime.min(estimate)),
                u32::try_from(processors).expect("the trace's machine has 100"),
            )
            .on(0)
        });
    }
    jobs
}

/// The trace as a reference list says it ran.
fn schedule(trace: &[JobFacts], list: &str) -> Vec<JobFacts> {
    let starts = reference_list(list);
    let mut jobs = trace.to_vec();
    let mut seen = 0;
    for line in starts.lines().skip(1) {
        let mut fields = line.split(',').map(|field| field.parse::<i64>().expect("a whole number"));
        let mut next = || fields.next().expect("three columns");
        let place = usize::try_from(next() - 1).expect("jobs count from 1");
        let (submit, start) = (next(), next());
        let start = Time::ZERO + Span::units(start);
        assert_eq!(jobs[place].submit, Time::ZERO + Span::units(submit), "job {}", place + 1);
        jobs[place] = jobs[place].clone().ran(start, start + jobs[place].runtime);
        seen += 1;
    }
    assert_eq!(seen, jobs.len(), "the list and the trace hold the same jobs");
    jobs
}

#[test]
fn the_reference_lists_keep_their_own_disciplines_and_break_the_others() {
    let trace = trace();
    let disciplines = [
        ("fcfs", Discipline::Fcfs, PhaseOrder::Instant),
        ("easy", Discipline::Easy, PhaseOrder::Instant),
        ("easy-per-event", Discipline::Easy, PhaseOrder::PerEvent),
        ("conservative", Discipline::Conservative, PhaseOrder::Instant),
    ];
    for (list, ..) in &disciplines {
        let mut facts = Facts {
            organizations: vec!["kth".into()],
            jobs: schedule(&trace, list),
            ..Facts::default()
        };
        for (name, discipline, phase_order) in disciplines.clone() {
            facts.clusters = vec![ClusterFacts::new("sp2", 100, Kind::SpaceShared(discipline))];
            facts.settings.phase_order = phase_order;
            let clock = Instant::now();
            let report = audit(&facts, &[]);
            let seconds = clock.elapsed().as_secs_f64();
            let check = report.check("queue discipline").expect("it is always made");
            eprintln!("{list} judged as {name}: {} violations, {seconds:.3} s", check.count);
            for check in &report.checks {
                let may_fail = check.name == "queue discipline" && name != *list;
                assert_eq!(check.passed(), !may_fail, "{list} judged as {name}\n{report}");
            }
            if name == *list {
                assert_eq!(check.looked_at, trace.len() as u64, "nobody is left out");
                assert_eq!(check.notes, Vec::<String>::new());
            }
        }
    }
}

#[test]
fn one_start_among_all_moved_by_a_tick_is_caught() {
    let trace = trace();
    for (list, discipline) in [
        ("fcfs", Discipline::Fcfs),
        ("easy", Discipline::Easy),
        ("conservative", Discipline::Conservative),
    ] {
        let mut facts = Facts {
            organizations: vec!["kth".into()],
            clusters: vec![ClusterFacts::new("sp2", 100, Kind::SpaceShared(discipline))],
            jobs: schedule(&trace, list),
            ..Facts::default()
        };
        for place in (7..trace.len()).step_by(2_999) {
            let right = facts.jobs[place].clone();
            let start = right.start.expect("all ran");
            for moved in [start + Span::TICK, start - Span::TICK] {
                facts.jobs[place] = right.clone().ran(moved, moved + right.runtime);
                let report = audit(&facts, &[]);
                let told = report.checks.iter().flat_map(|check| &check.violations);
                let named = told.filter(|violation| violation.jobs[0] == right.number).count();
                assert!(named > 0, "{list}: job {} moved to {moved}\n{report}", right.number);
            }
            facts.jobs[place] = right;
        }
        assert!(audit(&facts, &[]).passed());
    }
}
