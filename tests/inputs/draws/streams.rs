//! The stream of jobs with all options: common random numbers, rounding, limits, offered load, and
//! saving.

use gridpact::kernel::rng::Streams;
use gridpact::kernel::state::State as _;
use gridpact::kernel::time::Time;
use gridpact::model::job::Job;
use gridpact::workload::Source as _;
use gridpact::workload::synthetic::SyntheticModel;

use super::{ARRIVALS, COUNT, SIZE, arrivals, jobs, model, options, profile, sizes, source, whole};

/// Combinations in which every choice is there.
pub fn combinations() -> Vec<String> {
    let profiles = profile::all();
    (0..sizes::ALL.len())
        .map(|index| {
            format!(
                "arrivals.{}\nsize.{}\nprocessors.{}\nbatches.{}\nestimates.{}\n{}\n{}",
                arrivals::ALL[index % arrivals::ALL.len()],
                sizes::ALL[index],
                whole::WIDTHS[index % whole::WIDTHS.len()],
                arrivals::BATCHES[index % arrivals::BATCHES.len()],
                whole::ESTIMATES[(index + 1) % whole::ESTIMATES.len()],
                profiles[index % profiles.len()],
                ["", "rounding = { arrivals = \"floor\", size = \"ceil\" }"][index / 3 % 2],
            )
        })
        .collect()
}

#[test]
fn a_saved_stream_goes_on_and_a_restarted_one_begins() {
    for text in combinations() {
        let expected = jobs(&text, 300);
        let mut first = source(&text);
        for _ in 0..137 {
            first.next().unwrap();
        }
        let mut saved = Vec::new();
        first.save(&mut saved);
        let mut second = source(&text);
        second.load(&mut saved.as_slice()).unwrap();
        let mut again = Vec::new();
        second.save(&mut again);
        assert_eq!(saved, again, "{text}");
        let rest: Vec<Job> = (137..300).map(|_| second.next().unwrap().unwrap()).collect();
        assert_eq!(rest, expected[137..], "{text}");
        first.restart(&Streams::new(2026)).unwrap();
        let from_start: Vec<Job> = (0..300).map(|_| first.next().unwrap().unwrap()).collect();
        assert_eq!(from_start, expected, "{text}");
        first.restart(&Streams::new(2026).in_round(1)).unwrap();
        assert_ne!(first.next().unwrap().unwrap(), expected[0], "{text}");
        assert!(expected.is_sorted_by_key(|job| job.submit), "{text}");
        assert!(expected.iter().all(|job| job.estimate >= job.runtime && job.processors > 0));
    }
}

#[test]
fn each_kind_of_draw_moves_no_other() {
    let base = format!("{ARRIVALS}\n{SIZE}");
    let plain = jobs(&base, 1000);
    let wide = jobs(&format!("{base}\nprocessors.{}", whole::WIDTHS[1]), 1000);
    let same = |a: &Job, b: &Job| (a.submit, a.runtime) == (b.submit, b.runtime);
    assert!(plain.iter().zip(&wide).all(|(a, b)| same(a, b)));
    let guessed = jobs(&format!("{base}\nestimates.f_model.factor = 3.0"), 1000);
    assert!(plain.iter().zip(&guessed).all(|(a, b)| same(a, b)));
    let both = format!("{base}\nprocessors.{}\nestimates.f_model.factor = 3.0", whole::WIDTHS[1]);
    let parts = wide.iter().zip(&guessed);
    let both = jobs(&both, 1000);
    assert!(both.iter().zip(parts).all(|(job, (wide, guessed))| {
        (job.processors, job.estimate) == (wide.processors, guessed.estimate)
    }));
    let batched = jobs(&format!("{base}\nbatches.constant = 2"), 1000);
    assert!(plain.iter().zip(&batched).all(|(a, b)| a.runtime == b.runtime));
    assert!(
        plain
            .iter()
            .zip(batched.chunks(2))
            .all(|(a, pair)| { pair.iter().all(|b| a.submit == b.submit) })
    );
}

#[test]
fn rounding_is_of_what_is_handed_out_and_not_of_the_process() {
    let base = format!("{ARRIVALS}\n{SIZE}");
    let exact = jobs(&base, COUNT);
    for (how, least, most) in [("floor", -1.0, 0.0), ("ceil", 0.0, 1.0), ("nearest", -0.5, 0.5)] {
        let text = format!("{base}\nrounding = {{ arrivals = \"{how}\", size = \"{how}\" }}");
        let rounded = jobs(&text, COUNT);
        for (exact, rounded) in exact.iter().zip(&rounded) {
            let moved = [
                rounded.submit.as_units() - exact.submit.as_units(),
                rounded.runtime.as_units() - exact.runtime.as_units(),
            ];
            assert!(moved.iter().all(|by| (least..=most).contains(by)), "{how} {moved:?}");
            let is_whole = |ticks: i64| ticks % 1_000_000 == 0;
            assert!(is_whole(rounded.submit.ticks()) && is_whole(rounded.runtime.ticks()));
        }
        assert!(rounded.is_sorted_by_key(|job| job.submit));
        assert_eq!(model(&text).offered_area_rate(), None);
    }
}

#[test]
fn limits_hold_for_what_is_handed_out() {
    let base = format!("{ARRIVALS}\n{SIZE}\nbatches.constant = 7\n{}", profile::all()[0]);
    let all = jobs(&format!("{base}\njobs = 100"), 1000);
    assert_eq!(all.len(), 100, "the last batch is cut");
    let limited = jobs(&format!("{base}\nuntil = 30000.0"), 1_000_000);
    let until = Time::from_units(30_000.0).unwrap();
    assert!(!limited.is_empty() && limited.iter().all(|job| job.submit < until));
    let more = jobs(&base, limited.len() + 1);
    assert_eq!(more[..limited.len()], limited);
    assert!(more[limited.len()].submit >= until);
}

#[test]
fn the_offered_load_is_that_of_the_jobs() {
    let text = "arrivals.gamma = { shape = 2.0, rate = 0.5 }\n\
                size.lognormal = { mean = 30.0, variation = 1.0 }\n\
                processors.powers_of_two = { min = 1, max = 4 }\nbatches.geometric.mean = 3.0";
    let offered = model(text).offered_area_rate().unwrap();
    assert!((offered - 0.5 * 3.0 * 30.0 * 7.0 / 3.0).abs() < 1e-9, "{offered}");
    let jobs = jobs(text, COUNT);
    let area: f64 = jobs.iter().map(|job| job.area() as f64 / 1e6).sum();
    let found = area / jobs.last().unwrap().submit.as_units();
    // The relative variance of the area of a batch over that of a job, and of the gaps: with the
    // squares of the variations 1, 2/7 and 2/3 (and 1/2) below 7 for a batch of 3 jobs.
    let error = 4.0 * (7.0 / (COUNT as f64 / 3.0)).sqrt();
    assert!((found / offered - 1.0).abs() < error, "{found} {offered}");
}

#[track_caller]
fn wrong(text: &str, expected: &str) {
    let found = SyntheticModel::new(options(text)).expect_err(text).to_string();
    assert!(found.contains(expected), "{text}\n{found}");
}

#[test]
fn parameters_that_cannot_be_are_named() {
    let size = |size: &str, expected: &str| {
        wrong(&format!("{ARRIVALS}\nsize.{size}"), &format!("size.{expected}"));
    };
    size("constant = 0.0", "constant: 0 is not a size");
    size("uniform = { min = -1.0, max = 2.0 }", "uniform.min: -1 is not a bound");
    size("uniform = { min = 3.0, max = 2.0 }", "uniform.max: the upper bound 2 is not above");
    size("gamma = { shape = 0.0, scale = 1.0 }", "gamma.shape: 0 is not a shape");
    size("gamma = { shape = 1000.0, scale = 1e9 }", "gamma: the mean would be 1000000000000");
    size("lognormal = { mean = 1.0, variation = 0.0 }", "lognormal.variation: 0 is not a");
    size("lognormal = { mean = nan, variation = 1.0 }", "lognormal.mean: NaN is not a mean");
    size("weibull = { shape = 0.01, scale = 1.0 }", "weibull: the mean would be");
    size("weibull = { shape = 2.0, scale = 2e9 }", "weibull.scale: 2000000000 is not a scale");
    size("bounded_pareto = { shape = 1.0, min = 0.0, max = 1.0 }", "bounded_pareto.min: 0 is");
    size("bounded_pareto = { shape = 1.0, min = 1.0, max = 1.0 }", "bounded_pareto.max: the");
    let gammas = "first = { shape = 1.0, scale = 1.0 }, second = { shape = 1.0, scale = -1.0 }";
    size(
        &format!("hyper_gamma = {{ probability = 1.5, {gammas} }}"),
        "hyper_gamma.probability: 1.5 is not a probability",
    );
    size(
        &format!("hyper_gamma = {{ probability = 0.5, {gammas} }}"),
        "hyper_gamma.second.scale: -1 is not a scale",
    );
    size(
        "uniform = { min = -1.0, max = 1.0 }",
        "uniform.min: -1 is not a bound; give units of time from 0 to 10^9",
    );
    size("bounded_pareto = { shape = 1.0, min = 1e-300, max = 1.0 }", "bounded_pareto.min: 0.");
    let branch = "{ probability = 0.4, mean = 1.0 }";
    size(
        &format!("hyperexponential.branches = [{branch}]"),
        "hyperexponential.branches: this list has 1; give 2 or more",
    );
    size(
        &format!("hyperexponential.branches = [{branch}, {branch}]"),
        "hyperexponential.branches: the probabilities sum to 0.8, not to 1",
    );
    let arrivals = |arrivals: &str, expected: &str| {
        wrong(&format!("arrivals.{arrivals}\n{SIZE}"), &format!("arrivals.{expected}"));
    };
    arrivals("deterministic.interval = 1e-7", "deterministic.interval: 0.0000001 is not a gap");
    arrivals("gamma = { shape = 2.0, rate = 1e7 }", "gamma.rate: 10000000 is not a rate");
    arrivals(
        "poisson.rate = 100001.0",
        "poisson.rate: 100001 is not a rate; give jobs per unit of time from 1e-9 to 10^5",
    );
    arrivals("weibull = { shape = 1.0, scale = 1e-9 }", "weibull: gaps under ten ticks");
    // A mean of 2.4 seconds is that of few gaps among very many that are no time at all.
    arrivals("weibull = { shape = 0.05, scale = 1e-18 }", "weibull: gaps of which half are under");
    arrivals(
        "hyperexponential.branches = [{ probability = 1.0, rate = 1.0 }, { probability = 0.0, rate \
         = 0.0 }]",
        "hyperexponential.branches[1].rate: 0 is not a rate",
    );
    let more = |more: &str, expected: &str| {
        wrong(&format!("{ARRIVALS}\n{SIZE}\n{more}"), expected);
    };
    more("processors.uniform = { min = 0, max = 2 }", "processors.uniform.min: 0 is not a");
    more("processors.uniform = { min = 3, max = 2 }", "processors.uniform.max: the most, 2, is");
    more("processors.log_uniform = { min = 3, max = 2 }", "processors.log_uniform.max: the most");
    more("processors.powers_of_two = { min = 1, max = 6 }", "powers_of_two.max: 6 is not a power");
    more("processors.powers_of_two = { min = 1, max = 2, serial = 2.0 }", "serial: 2 is not a");
    more("processors.empirical.file = \"no/such\"", "no/such: cannot be read");
    more("estimates.f_model.factor = 0.5", "estimates.f_model.factor: 0.5 is not a factor");
    more("batches.constant = 0", "batches.constant: 0 is not a number of jobs");
    more("batches.uniform = { min = 2, max = 1 }", "batches.uniform.max: the most, 1, is less");
    more("batches.geometric.mean = 0.5", "batches.geometric.mean: 0.5 is not a mean");
    more("profile.daily = [1.0]", "profile.daily: this list has 1; give 24");
}
