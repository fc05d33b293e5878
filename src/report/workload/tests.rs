//! Profiles of hand-made jobs.

use serde_json::Value;

use super::*;
use crate::picture::bars::Ink;
use crate::table;
use kernel::time::Span;
use scenario::files::Files;
use scenario::plan::WorkloadKind;
use scenario::{self, Input, Overrides};

const TWO: &str = "name = \"two\"\n\
    [[organization]]\nname = \"a\"\n\
    cluster.space_shared = { processors = 4, scheduler.easy = {} }\n\
    workload.synthetic = { arrivals.poisson.rate = 1, size.exponential.mean = 1, jobs = 1 }\n\
    [[organization]]\nname = \"b\"\nuses = [\"a\"]\n";

fn plan() -> Plan {
    let input = Input::Bytes { name: "two", bytes: TWO.into() };
    scenario::load(input, &Overrides::default(), &mut Files::new()).unwrap().0
}

fn job(organization: u32, submit: i64, runtime: i64, processors: u32) -> Job {
    Job {
        number: 1,
        source: 0,
        submit: Time::ZERO + Span::units(submit),
        runtime: Span::units(runtime),
        estimate: Span::units(3 * runtime),
        processors,
        user: 0,
        organization: OrganizationId(organization),
        ..Job::default()
    }
}

fn json(profile: &Profile<'_>) -> Value {
    serde_json::from_str(&table::json(&tables(profile))).unwrap()
}

#[test]
fn loads_are_areas_by_what_the_processors_could_do() {
    let plan = plan();
    let mut profile = Profile::new(&plan, 0);
    // Capacity is 10 units times 4 processors, 40; a brings 10 + 16, b 24.
    for job in [job(0, 5, 10, 1), job(0, 5, 8, 2), job(1, 9, 4, 3), job(1, 15, 2, 6)] {
        profile.add(&job);
    }
    let json = json(&profile);
    let (whole, organizations) = (&json["workload"][0], &json["organizations"]);
    assert_eq!((&whole["first_submit"], &whole["last_submit"]), (&5.0.into(), &15.0.into()));
    assert_eq!((&whole["area"], &whole["offered_load"]), (&50.0.into(), &1.25.into()));
    assert_eq!((&whole["serial"], &whole["power_of_two"]), (&0.25.into(), &0.25.into()));
    assert_eq!(organizations[0]["offered_load"], 0.65);
    assert_eq!(organizations[1]["share_of_area"], 0.48);
    assert_eq!(organizations[1]["too_large"], 1);
    assert_eq!(organizations[2]["organization"], "*");
    assert_eq!(organizations[2]["offered_load"], 1.25);
    let quantiles = &json["quantiles"];
    assert_eq!((&quantiles[0]["min"], &quantiles[0]["max"]), (&2.0.into(), &10.0.into()));
    assert_eq!((&quantiles[1]["mean"], &quantiles[1]["cv"]), (&3.0.into(), &0.0.into()));
    assert_eq!((&quantiles[2]["p50"], &quantiles[2]["mean"]), (&2.0.into(), &3.0.into()));
    assert_eq!((&quantiles[4]["count"], &quantiles[4]["max"]), (&3.into(), &6.0.into()));
    let warnings = profile.warnings();
    assert_eq!(warnings[0], "all jobs together need 125.0% of the capacity of the grid");
    assert!(warnings[1].starts_with("1 job needs more processors than any cluster"));
    let text = render(&profile, Ink::Ascii, None);
    assert!(text.contains("offered load: 125.0% of 4 processors"), "{text}");
    assert!(text.contains("\n  5 - 8 ########################################"), "{text}");
    assert!(!text.contains("hour"), "{text}");
}

/// Two organizations that share nothing and whose jobs come at different times: `check` and
/// `workload show` give each the load of its own time.
#[test]
fn loads_are_those_of_check() {
    let mut text = "name = \"apart\"\n".to_owned();
    for name in ["a", "b"] {
        text += &format!(
            "[[organization]]\nname = \"{name}\"\n\
             cluster.space_shared = {{ processors = 4, scheduler.easy = {{}} }}\n"
        );
    }
    for (name, submit, runtime) in [("a", 0, 4), ("a", 10, 16), ("b", 90, 5), ("b", 100, 10)] {
        text += &format!(
            "[[job]]\norganization = \"{name}\"\nsubmit = {submit}\nruntime = {runtime}\n\
             processors = 1\n"
        );
    }
    let input = Input::Bytes { name: "apart", bytes: text.into() };
    let plan = scenario::load(input, &Overrides::default(), &mut Files::new()).unwrap().0;
    let mut profile = Profile::new(&plan, 0);
    for workload in &plan.workloads {
        let WorkloadKind::List(list) = &workload.kind else { panic!("the jobs are given") };
        list.jobs().iter().for_each(|job| profile.add(job));
    }
    assert_eq!(profile.loads(), [Some(0.5), Some(0.375)]);
    assert_eq!(profile.load(), Some(35.0 / 800.0));
    let checked = loads::offered(&plan);
    let checked: Vec<Option<f64>> = checked.parts().iter().map(Part::load).collect();
    assert_eq!(checked, profile.loads());
}

#[test]
fn hours_and_days_are_those_since_time_0() {
    let plan = plan();
    let mut profile = Profile::new(&plan, 0);
    let hours = [0, 23, 24, 24 * 7, 24 * 8 + 5];
    for hour in hours {
        profile.add(&job(0, 3600 * hour + 3599, 1, 1));
    }
    let json = json(&profile);
    let jobs = |name: &str| -> Vec<u64> {
        json[name].as_array().unwrap().iter().map(|row| row["jobs"].as_u64().unwrap()).collect()
    };
    let mut of_day = [0; 24];
    (of_day[0], of_day[5], of_day[23]) = (3, 1, 1);
    assert_eq!(jobs("hours"), of_day);
    assert_eq!(jobs("days"), [3, 2, 0, 0, 0, 0, 0]);
    let text = render(&profile, Ink::Blocks, Some(80));
    assert!(text.contains("\n  23 █████████████▍ 20.0%\n"), "{text}");
    assert!(text.contains("\n  day 0 █"), "{text}");
}

#[test]
fn nothing_is_told_of_no_jobs() {
    let plan = plan();
    let mut profile = Profile::new(&plan, 3);
    let text = "two  (seed 1, replication 3)\n0 jobs of 2 organizations\n";
    assert_eq!(render(&profile, Ink::Blocks, None), text);
    assert_eq!(json(&profile)["workload"][0]["offered_load"], Value::Null);
    // A single job spans no time, so there is no load.
    profile.add(&job(0, 1, 1, 1));
    assert_eq!(json(&profile)["organizations"][0]["offered_load"], Value::Null);
    assert_eq!(profile.warnings(), [""; 0]);
    assert!(render(&profile, Ink::Blocks, None).contains("1 job of 2 organizations"));
}

#[test]
fn areas_beyond_what_is_counted_are_told() {
    let plan = plan();
    let mut profile = Profile::new(&plan, 0);
    profile.add(&job(0, 0, 1, 1));
    assert!(profile.warnings().is_empty());
    profile.add(&job(0, 0, 1_000_000_000, u32::MAX));
    let told = profile.warnings().pop().unwrap();
    assert!(
        told.starts_with("1 job has an area above 18 446 744 073 710, which the table"),
        "{told}"
    );
}
