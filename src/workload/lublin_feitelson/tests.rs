//! Closed forms against brute force, and saving and restarting the stream.

use super::*;
use kernel::state::State;

fn options(more: &str) -> LublinFeitelsonOptions {
    toml::from_str(&format!("processors = 256\n{more}")).unwrap()
}

fn model(more: &str) -> Arc<Model> {
    Arc::new(Model::new(options(more)).unwrap())
}

fn source(more: &str) -> LublinFeitelson {
    let name = "organization/physics";
    LublinFeitelson::new(model(more), name, 2, OrganizationId(1), &Streams::new(7))
}

fn all(source: &mut LublinFeitelson) -> Vec<Job> {
    std::iter::from_fn(|| source.next().unwrap()).collect()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let found = match toml::from_str::<LublinFeitelsonOptions>(text) {
        Ok(options) => Model::new(options).unwrap_err().to_string(),
        Err(error) => error.message().to_owned(),
    };
    assert!(found.contains(expected), "{found}");
}

#[test]
fn parameters_that_cannot_be_are_named() {
    check("", "missing field `processors`");
    check("processors = 0", "processors: 0 is not a number of processors");
    let with = |more: &str| format!("processors = 100\n{more}");
    check(&with("start_hour = 24"), "start_hour: 24 is not an hour of a day");
    check(&with("load = 0.0"), "load: 0 is not a load");
    check(&with("load = nan"), "load: NaN is not a load");
    check(&with("load = 1e-9"), "load: the model itself offers a load of");
    check(&with("load = 0.5\nclock = 'truncated'"), "load: a calibrated load needs the exact");
    check(&with("until = -1.0"), "until: -1 is not a time");
    check(&with("until = 0.0"), "until: 0 is not a time; give units of time above 0");
    check(&with("types.one.high = 7"), "types.one.high: 7 is not the base-2 logarithm of a size");
    check(&with("types.two.batch.high = nan"), "types.two.batch.high: NaN is not");
    check(
        &with("types.two.interactive.medium = 6"),
        "types.two.interactive.medium: 6 is not between 0 and 5.5",
    );
    check(&with("clock = 'broken'"), "unknown variant `broken`");
    check(&with("types.three = {}"), "unknown variant `three`");
    check(&with("size = 1"), "unknown field `size`");
}

#[test]
fn sizes_have_the_distribution_that_closed_forms_say() {
    const JOBS: usize = 100_000;
    for processors in [1, 2, 3, 5, 13, 32, 45, 100, 256, 1000, 100_000] {
        for types in [Types::default(), Types::One(SizeRange::default())] {
            let options =
                LublinFeitelsonOptions { types, ..LublinFeitelsonOptions::new(processors) };
            for one in &Model::new(options).unwrap().types {
                let mut rng = Streams::new(u64::from(processors)).stream(one.name);
                let sizes: Vec<u32> = (0..JOBS).map(|_| one.processors(&mut rng)).collect();
                let (least, most) = (*sizes.iter().min().unwrap(), *sizes.iter().max().unwrap());
                assert!(1 <= least && most <= one.largest() && one.largest() <= processors);
                for size in (1..=most.min(300)).chain([most]) {
                    let expected = one.at_least(size);
                    let found = sizes.iter().filter(|&&other| other >= size).count();
                    let found = found as f64 / JOBS as f64;
                    let error = libm::sqrt(expected * (1.0 - expected) / JOBS as f64);
                    // There are some thousand comparisons, so allow five standard errors.
                    let within = (found - expected).abs() <= 5.0 * error + 1e-12;
                    assert!(within, "{processors} {size}: {found} {expected}");
                }
                assert_eq!(one.at_least(one.largest() + 1), 0.0);
                for from in [0, 1, 7, 44, 233] {
                    let sum: f64 = (from + 1..=processors).map(|k| one.at_least(k)).sum();
                    let found = one.mean_above(from);
                    let within = (found - sum).abs() < 1e-7 * (1.0 + found);
                    assert!(within, "{processors} {from}: {found} {sum}");
                }
            }
        }
    }
}

#[test]
fn the_mean_area_is_the_sum_over_all_sizes() {
    for one in model("").types.iter().chain(&model("types.one = {}").types) {
        let probability = |size| one.at_least(size) - one.at_least(size + 1);
        let mean_run = one.mean_run();
        let area =
            |size: u32| f64::from(size) * probability(size) * mean_run(one.short_share(size));
        let sum: f64 = (1..=256).map(area).sum();
        let found = one.mean_area();
        assert!((found - sum).abs() < 1e-9 * sum, "{}: {found} {sum}", one.name);
    }
}

#[test]
fn the_stream_ends_at_its_limits() {
    let jobs = all(&mut source("jobs = 100"));
    assert_eq!(jobs.len(), 100);
    assert!(jobs.windows(2).all(|pair| pair[0].submit <= pair[1].submit));
    assert_eq!((jobs[99].number, jobs[0].source), (100, 2));
    let half = jobs[50].submit;
    let until = all(&mut source(&format!("until = {half}")));
    assert_eq!(until, jobs[..50], "the limit moves no draw");
    let mut ended = source("jobs = 3");
    all(&mut ended);
    assert_eq!(ended.next(), Ok(None));
}

#[test]
fn a_saved_stream_goes_on_and_a_restarted_one_begins() {
    for more in ["jobs = 1000", "jobs = 1000\ntypes.one = {}", "jobs = 1000\nclock = 'truncated'"] {
        let mut whole = source(more);
        let jobs = all(&mut whole);
        let mut source = source(more);
        for _ in 0..377 {
            source.next().unwrap();
        }
        let mut saved = Vec::new();
        source.save(&mut saved);
        whole.load(&mut saved.as_slice()).unwrap();
        assert_eq!(all(&mut whole), jobs[377..]);
        assert_eq!(all(&mut source.clone()), jobs[377..], "a fork goes on alike");
        source.restart(&Streams::new(7)).unwrap();
        assert_eq!(all(&mut source), jobs);
        source.restart(&Streams::new(7).in_round(1)).unwrap();
        assert_ne!(all(&mut source)[0], jobs[0]);
    }
}

#[test]
fn a_load_changes_when_jobs_come_and_nothing_else() {
    let without = |job: &Job| Job { submit: Time::ZERO, number: 0, ..*job };
    let of_type = |jobs: &[Job], user| -> Vec<Job> {
        jobs.iter().filter(|job| job.user == user).take(300).map(without).collect()
    };
    let (some, more) = (all(&mut source("jobs = 5000")), all(&mut source("jobs = 5000\nload = 2")));
    for user in [1, 2] {
        assert_eq!(of_type(&some, user), of_type(&more, user));
    }
    assert!(more[4999].submit < some[4999].submit);
}

#[test]
fn gaps_of_many_days_are_walked_at_once() {
    let one = &model("").types[0];
    for (points, clock) in [(48.0 * 1000.0 + 7.0, Clock::Exact), (300.5, Clock::Truncated)] {
        let (mut at_once, mut in_steps) = (Walk::new(5), Walk::new(5));
        at_once.spend(points, &one.weights, clock);
        let mut left = points;
        while left > 0.0 {
            in_steps.spend(left.min(40.0), &one.weights, Clock::Exact);
            left -= 40.0;
        }
        assert!((at_once.at.as_units() - in_steps.at.as_units()).abs() <= 1.0);
    }
}

#[test]
fn jobs_beyond_the_end_of_time_are_an_error() {
    let mut source = source("load = 1e-6");
    let error = loop {
        match source.next() {
            Ok(job) => assert!(job.is_some()),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("reach the end of time"), "{error}");
}
