//! Jobs at one instant: streams without their arrivals, and the instances of multi-organization
//! scheduling that are written with them.

use gridpact::kernel::time::{Span, Time};
use gridpact::model::job::Job;
use gridpact::run::workload::Stream;
use gridpact::scenario::diagnostics::render;
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::Plan;
use gridpact::scenario::{self, Input, Overrides};

use crate::common::trace_file;

fn loaded(text: &str) -> Result<Plan, String> {
    let input = Input::Bytes { name: "it", bytes: text.as_bytes().into() };
    let mut files = Files::new();
    let plan = scenario::load(input, &Overrides::default(), &mut files);
    plan.map(|plan| plan.0).map_err(|wrong| render(&wrong, &files, false))
}

fn jobs(text: &str, replication: u32) -> Vec<Job> {
    let plan = loaded(text).unwrap_or_else(|wrong| panic!("{wrong}"));
    let mut stream = Stream::open(&plan, replication, u64::MAX).unwrap();
    std::iter::from_fn(|| stream.draw().unwrap()).collect()
}

/// `count` organizations with a cluster each, and a stream of all.
fn shared(count: u32, processors: u32, source: &str) -> String {
    format!(
        "name = \"it\"\nrun.never_runs = \"reject\"\n[[organization]]\nname = \"o\"\ncount = {count}\n\
         cluster.space_shared = {{ processors = {processors}, scheduler.list.order = \"largest\" }}\n\
         [workload.shared]\nowners.zipf = {{}}\nsource.{source}\n"
    )
}

/// A job without its submission.
fn shape(job: &Job) -> (u64, Span, Span, u32) {
    (job.number, job.runtime, job.estimate, job.processors)
}

/// The instances "uni" of Pascual, Rzadca and Trystram (2009), section 6.1: lengths from 1 to 50,
/// widths from 1 to m, owners by Zipf's law.
#[test]
fn uniform_instances_can_be_written() {
    let by_batch = "synthetic = { arrivals.deterministic.interval = 1, batches.constant = 4000, \
                    jobs = 4000, size.uniform = { min = 0, max = 50 }, rounding.size = \"ceil\", \
                    processors.uniform = { min = 1, max = 32 } }";
    let at_once = "synthetic = { arrivals.at_once = {}, jobs = 4000, \
                   size.uniform = { min = 0, max = 50 }, rounding.size = \"ceil\", \
                   processors.uniform = { min = 1, max = 32 } }";
    let (by_batch, at_once) = (jobs(&shared(5, 32, by_batch), 0), jobs(&shared(5, 32, at_once), 0));
    assert!(by_batch.iter().all(|job| job.submit == Time::ZERO + Span::units(1)));
    assert!(at_once.iter().all(|job| job.submit == Time::ZERO));
    let same = |one: &Job, other: &Job| {
        shape(one) == shape(other) && one.organization == other.organization
    };
    assert!(by_batch.iter().zip(&at_once).all(|(one, other)| same(one, other)));
    assert_eq!(at_once.len(), 4000);
    // Chi-squared with 49 and 31 degrees of freedom: beyond these once in 10 000.
    let counts = |values: Vec<i64>, most: usize| -> f64 {
        let mut counts = vec![0_f64; most];
        values.iter().for_each(|&value| counts[value as usize - 1] += 1.0);
        let wanted = values.len() as f64 / most as f64;
        counts.iter().map(|count| (count - wanted).powi(2) / wanted).sum()
    };
    let lengths = at_once.iter().map(|job| job.runtime.ticks() / Span::units(1).ticks());
    assert!(at_once.iter().all(|job| job.runtime.ticks() % Span::units(1).ticks() == 0));
    assert!(counts(lengths.collect(), 50) < 95.0);
    assert!(counts(at_once.iter().map(|job| job.processors.into()).collect(), 32) < 70.0);
    // Owner k has a share of k to the power of -1.4267, within five standard errors.
    let all: f64 = (1..=5).map(|k| f64::from(k).powf(-1.4267)).sum();
    for k in 1..=5_u32 {
        let own = at_once.iter().filter(|job| job.organization.0 == k - 1).count() as f64;
        let share = f64::from(k).powf(-1.4267) / all;
        let error = (share * (1.0 - share) / 4000.0).sqrt();
        assert!((own / 4000.0 - share).abs() < 5.0 * error, "{k}: {own}");
    }
}

/// The instances "swf" there: the first jobs of the model's stream, without their arrivals. Their sizes
/// are of two types, the largest batch jobs as wide as the cluster, interactive ones at most 45.
#[test]
fn the_start_of_the_model_without_its_arrivals_is_the_start_of_the_model() {
    for (processors, high) in [(32, 5.0), (128, 7.0), (512, 9.0)] {
        let few = f64::min(high, 5.5);
        let sizes = format!(
            "types.two = {{ batch = {{ high = {high}, medium = {} }}, \
             interactive = {{ high = {few}, medium = {} }} }}",
            high - 2.5,
            few - 2.5
        );
        let model = |types: &str, more: &str| {
            let model = format!("processors = {processors}, jobs = 500{types}{more}");
            jobs(&shared(20, processors, &format!("lublin_feitelson = {{ {model} }}")), 3)
        };
        let as_drawn = model(&format!(", {sizes}"), "");
        let at_once = model(&format!(", {sizes}"), ", arrivals = \"at_once\"");
        assert!(as_drawn.last().unwrap().submit > Time::ZERO);
        assert!(at_once.iter().all(|job| job.submit == Time::ZERO));
        let same = |one: &Job, other: &Job| {
            shape(one) == shape(other) && one.organization == other.organization
        };
        assert_eq!(at_once.len(), 500);
        assert!(as_drawn.iter().zip(&at_once).all(|(one, other)| same(one, other)));
        // These sizes are the defaults of the model.
        let defaults = model("", ", arrivals = \"at_once\"");
        assert!(defaults.iter().zip(&at_once).all(|(one, other)| same(one, other)));
    }
    let until = "lublin_feitelson = { processors = 32, until = 86400, arrivals = \"at_once\" }";
    let day = jobs(&shared(2, 32, until), 0);
    let first = shared(2, 32, "lublin_feitelson = { processors = 32, until = 86400 }");
    assert!(!day.is_empty() && day.len() == jobs(&first, 0).len());
}

#[test]
fn a_trace_is_cut_in_batches_and_divided_among_organizations() {
    let file = trace_file("KTH-SP2-1996-2.1-cln.swf.gz");
    let trace = |import: &str, seed: u64| {
        let source = format!("swf = {{ file = {file:?}, import = {{ {import} }} }}");
        jobs(&format!("seed = {seed}\n{}", shared(4, 100, &source)), 0)
    };
    let all = trace("first = 300", 1);
    let batches: Vec<Job> = [0, 100, 200]
        .iter()
        .flat_map(|skip| trace(&format!("skip = {skip}, first = 100, arrivals = \"at_once\""), 1))
        .collect();
    assert_eq!(batches.len(), 300);
    assert!(all.iter().zip(&batches).all(|(one, other)| shape(one) == shape(other)));
    assert!(batches.iter().all(|job| job.submit == Time::ZERO));
    assert!(all.iter().any(|job| job.recorded.wait().is_some()));
    assert!(batches.iter().all(|job| job.recorded.wait().is_none()));
    // Owners belong to the run, not to the trace.
    let owners = |jobs: &[Job]| -> Vec<u32> { jobs.iter().map(|job| job.organization.0).collect() };
    assert_eq!(owners(&all[..100]), owners(&batches[..100]));
    assert_ne!(owners(&all), owners(&trace("first = 300", 2)));
    let first = owners(&all).iter().filter(|&&owner| owner == 0).count() as f64 / 300.0;
    let share = 1.0 / (1..=4).map(|k| f64::from(k).powf(-1.4267)).sum::<f64>();
    assert!((first - share).abs() < 5.0 * (share * (1.0 - share) / 300.0).sqrt(), "{first}");
}

#[test]
fn what_cannot_come_at_once_is_refused() {
    let refused = |source: &str, wanted: &str| {
        let found = loaded(&shared(2, 32, source)).unwrap_err();
        assert!(found.contains(wanted), "{found}");
    };
    let with =
        |more: &str| format!("synthetic = {{ arrivals.at_once = {{}}, size.constant = 1{more} }}");
    refused(&with(""), "their number is not given; add `jobs = ...`");
    refused(&with(", until = 9"), "their number is not given");
    refused(&with(", jobs = 9, batches.constant = 3"), "leave out one of `arrivals.at_once` and");
    let hours = format!(", jobs = 9, profile.daily = {:?}", [1.0; 24]);
    refused(&with(&hours), "so no rate can vary");
    refused(
        "lublin_feitelson = { processors = 32, arrivals = \"at_once\" }",
        "the stream has no end; add `jobs = ...`",
    );
    let file = trace_file("KTH-SP2-1996-2.1-cln.swf.gz");
    let trace = |import: &str| format!("swf = {{ file = {file:?}, import = {{ {import} }} }}");
    refused(&trace("arrivals = \"at_once\", load.factor = 2"), "there are no arrivals to scale");
    refused(&trace("skip = 100000"), "(not selected: among the first");
    // Jobs of drawn owners may be anybody's, so all must be able to run them.
    let narrow = shared(2, 32, &trace("first = 1000")).replace("run.never_runs = \"reject\"\n", "");
    let found = loaded(&narrow).unwrap_err();
    assert!(found.contains("processors"), "{found}");
}
