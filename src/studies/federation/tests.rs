//! Questions against runs with their settings, and where the answer is plain.

use super::super::bench::plan_of;
use super::questions::{Of, QUESTIONS, Question, ask};
use super::*;
use findings::Findings as _;
use findings::measure::Metric;
use run::Progress;
use scenario::Overrides;

/// Two alike, and one with so much work that it has no end alone.
fn three(learner: &str, replications: u32) -> Plan {
    three_with(learner, replications, &[])
}

/// The same with settings.
fn three_with(learner: &str, replications: u32, set: &[String]) -> Plan {
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
    let overrides = Overrides { seed: Some(3), set: set.to_vec() };
    plan_of("three", &text, &overrides).expect("it is a scenario")
}

#[test]
fn rigid_jobs_are_those_of_the_runs_and_few_skewed_pairs_tell_nothing() {
    let plans = divisible::SETTINGS.map(|set| three_with("ratio", 6, &[set.to_owned()]));
    let changes = divisible::changes(&plans).unwrap();
    for (plan, found) in plans.iter().zip([changes[0].before, changes[0].after]) {
        let outcome = run::run(plan, None, 1, 0.0, &Progress::default()).unwrap();
        let sample = outcome.found.sample();
        let mean = sample.mean(sample.all(), Metric::Flow.measure()).unwrap();
        assert!((found / mean - 1.0).abs() < 1e-9, "{found} {mean}");
    }
    // Six pairs of which one has nearly all the difference tell nothing.
    assert!(changes[1].after < changes[1].before && changes[1].interval.is_none(), "{changes:?}");
    assert!(divisible::verdict(&changes).contains("cannot be told"));
}

/// A question of that name, with the plans of its worlds.
fn asked(name: &str, replications: u32) -> (Question, Vec<Plan>) {
    let question = QUESTIONS.into_iter().find(|one| one.name == name).expect(name);
    let plan = |set: Vec<String>| three_with("ratio", replications, &set);
    (question, question.settings().into_iter().map(plan).collect())
}

#[test]
fn the_worlds_of_each_question_are_those_of_runs_with_its_settings() {
    for question in QUESTIONS {
        if !question.fits(&three("ratio", 3)) {
            continue;
        }
        let (question, plans) = asked(question.name, 3);
        let answer = ask(question, &plans).unwrap();
        assert_eq!(answer.worlds.len() + 1, plans.len());
        for (world, plan) in answer.worlds.iter().zip(&plans[1..]) {
            let outcome = run::run(plan, None, 1, 0.0, &Progress::default()).unwrap();
            for whose in 0..3 {
                for (of, metric) in [(Of::Flow, Metric::Flow), (Of::Joined, Metric::Joined)] {
                    let mean = outcome.found.sample().mean(whose, metric.measure()).unwrap();
                    let own = world.mean(of, whose);
                    let apart = (own - mean).abs() / mean.max(1e-9);
                    // A run gives each replication the same weight, whatever its length.
                    let differ = question.name == "goes-on";
                    assert!(differ || apart < 1e-9, "{}: {own} {mean}", world.name);
                }
            }
        }
    }
}

#[test]
fn the_setting_that_leads_is_told_from_those_that_are_surely_worse() {
    let (question, plans) = asked("levels", 2);
    let mut answer = ask(question, &plans).unwrap();
    let flows = |mean: f64, spread: f64| {
        let of = |pair: u32| [mean + spread * f64::from(pair % 5) + f64::from(pair % 3), 10.0];
        vec![(0..20).map(of).collect::<Vec<Weighed>>(); 4]
    };
    for (world, mean) in answer.worlds.iter_mut().zip([14.0, 12.0, 10.0, 10.1, 13.0]) {
        let spread = if world.name == "level=1e6" { 0.2 } else { 0.0 };
        world.sections.flows = flows(mean, spread);
    }
    // 10.1 and .4 more on average, but not in each pair; a tenth less in a pair now and then.
    answer.worlds[3].sections.flows[3][0][0] = 5.0;
    answer.nobody.as_mut().unwrap().flows = flows(20.0, 0.1);
    let told = table::leaders(&answer).join("\n");
    let end = "less than with `level=1e7`; cannot tell it from `level=1e6`";
    assert!(told.contains("jobs take least") && told.contains(end), "{told}");
    assert!(told.contains("less than with `level=1e3`"), "{told}");
    let saved = answer.saved(&answer.worlds[2], 3).unwrap();
    assert!(saved.is_shorter() && saved.relative.unwrap().covers(-9.2 / 20.2 - 0.03), "{saved:?}");
}

#[test]
fn games_of_unknown_length_need_several_replications() {
    let (question, plans) = asked("goes-on", 1);
    let wrong = ask(question, &plans).unwrap_err().to_string();
    assert!(wrong.contains("needs several replications") && wrong.contains("help:"), "{wrong}");
    let (question, plans) = asked("goes-on", 10);
    let answer = ask(question, &plans).unwrap();
    assert!(answer.nobody.is_none() && answer.saved(&answer.worlds[0], 0).is_none());
}
