//! A study against runs of the same coalitions, and where the answer is plain.

use super::super::bench::plan_of;
use super::*;
use findings::Findings as _;
use findings::measure::Metric;
use run::Progress;
use scenario::Overrides;

/// Two alike, and one with so much work that it has no end alone.
fn three(learner: &str, replications: u32) -> Plan {
    let one = |name: &str, count: u32, rate: f64| {
        format!(
            "[[organization]]\nname = \"{name}\"\ncount = {count}\nlearner.{learner} = {{}}\n\
             cluster.space_shared = {{ processors = 8, scheduler.easy = {{}} }}\n\
             workload.synthetic = {{ arrivals.poisson.rate = {rate}, size.exponential.mean = 10.0, \
             processors.uniform = {{ min = 1, max = 6 }} }}\n"
        )
    };
    let text = format!(
        "name = \"three\"\ngrid_scheduler.list = {{}}\n[run]\nuntil.rounds = 12\n\
         replications = {replications}\n[coalition]\nperiod = 200.0\n{}{}",
        one("typical", 2, 0.12),
        one("busy", 1, 0.5),
    );
    let overrides = Overrides { seed: Some(3), set: Vec::new() };
    plan_of("three", &text, &overrides).expect("it is a scenario")
}

/// The flow time of an organization in a coalition.
fn flow(found: &Found, members: Members, whose: usize) -> f64 {
    pooled(found.flows[members as usize][whose].iter().copied())[0]
}

#[test]
fn a_coalition_has_the_flow_times_of_its_run() {
    let found = study(&three("ratio", 3)).unwrap();
    for (learner, members) in [("never", 0), ("always", 7)] {
        let plan = three(learner, 3);
        let outcome = run::run(&plan, None, 1, 0.0, &Progress::default()).unwrap();
        for whose in 0..3 {
            let mean = outcome.found.sample().mean(whose, Metric::Flow.measure()).unwrap();
            assert!((flow(&found, members, whose) / mean - 1.0).abs() < 1e-9, "{learner} {whose}");
        }
    }
    // One alone has nobody to pool with.
    assert_eq!(found.flows[0], found.flows[4]);
}

#[test]
fn who_has_too_much_work_drives_the_others_out() {
    let found = study(&three("ratio", 30)).unwrap();
    let verdict = |members| found.judged(members).whole();
    // typical-1, typical-2, busy: a bit each. The typical ones gain together, and busy wants in.
    assert!(found.judged(3).saved[..2].iter().all(Change::is_shorter), "{:?}", found.judged(3));
    assert_eq!(verdict(3), Whole::Unstable(vec![2]));
    assert!(found.judged(7).saved[2].is_shorter());
    let Whole::Unstable(those) = verdict(7) else { panic!("{:?}", verdict(7)) };
    assert!(those == [0, 1], "{those:?}");
    assert_eq!(verdict(0), Whole::Stable);
    let verdicts: Vec<Verdict> = [0, 3, 5, 6, 7].map(|one| found.judged(one)).into();
    let told = table::sentences(&found, &verdicts).join("\n");
    assert!(told.contains("somebody would leave each") && told.contains("and leaves"), "{told}");
    assert!(told.contains("that of divisible, time-shared load"), "{told}");
}
