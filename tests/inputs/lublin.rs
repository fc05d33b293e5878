//! The Lublin-Feitelson model against the program of its authors, and its load against theory.
//!
//! `tests/data/lublin.json` holds statistics of ten samples of a million jobs that the authors' own
//! program drew; they stand on samples as large as ours, so a difference has twice our variance.
//! Standard errors come from batches of consecutive jobs (or from independent runs), which also
//! covers what is not independent: the mix of types, and gaps within a day. Of some thousand
//! comparisons none may be off by five standard errors.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::sync::{Arc, LazyLock};

use flate2::read::GzDecoder;
use gridpact::kernel::rng::Streams;
use gridpact::model::ids::OrganizationId;
use gridpact::model::job::Job;
use gridpact::workload::Source as _;
use gridpact::workload::lublin_feitelson::{LublinFeitelson, LublinFeitelsonOptions, Model};
use serde::Deserialize;

/// Statistics by probability or by name.
type Figures = BTreeMap<String, f64>;

#[derive(Debug, Deserialize)]
struct Reference {
    sets: BTreeMap<String, Set>,
    first_jobs: BTreeMap<usize, FirstJobs>,
    weights: BTreeMap<String, Vec<f64>>,
    hours: Hours,
}

/// A sample of a million jobs.
#[derive(Debug, Deserialize)]
struct Set {
    #[serde(flatten)]
    all: Quantiles,
    gap: Figures,
    means: Figures,
    nodes_max: u32,
    interactive: Option<Quantiles>,
    batch: Option<Quantiles>,
}

#[derive(Debug, Deserialize)]
struct Quantiles {
    nodes: Figures,
    runtime: Figures,
}

/// The first jobs after midnight, over many runs.
#[derive(Debug, Deserialize)]
struct FirstJobs {
    runs: u64,
    fraction_batch: f64,
    last_arrival_quantiles_s: Figures,
    runtime_mean: f64,
    max_runtime_median: f64,
    nodes_mean: f64,
    ratio_sum_pq_over_128_to_pmax_median: f64,
}

/// Shares of jobs by the hour of the day in short runs.
#[derive(Debug, Deserialize)]
struct Hours {
    runs: u64,
    jobs_per_run: usize,
    all: Vec<f64>,
    interactive: Vec<f64>,
    batch: Vec<f64>,
    fraction_batch: f64,
}

static REFERENCE: LazyLock<Reference> = LazyLock::new(|| {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/lublin.json");
    serde_json::from_str(&fs::read_to_string(file).expect("it is there")).expect("it is JSON")
});

const INTERACTIVE: u32 = 1;
const BATCH: u32 = 2;
/// Jobs of a sample, and of each of the batches that tell its standard errors.
const JOBS: usize = 300_000;
const BATCH_OF: usize = 10_000;
/// Standard errors that a figure may be off.
const ERRORS: f64 = 5.0;

fn model(text: &str) -> Arc<Model> {
    let options: LublinFeitelsonOptions = toml::from_str(text).expect("the tests write it well");
    Arc::new(Model::new(options).expect("it makes sense"))
}

/// The first jobs of a stream.
fn jobs(model: &Arc<Model>, streams: Streams, count: usize) -> Vec<Job> {
    let name = "organization/all";
    let mut source = LublinFeitelson::new(Arc::clone(model), name, 0, OrganizationId(0), &streams);
    let next = || source.next().expect("time is long").expect("it has no end");
    std::iter::repeat_with(next).take(count).collect()
}

/// A ratio of two sums over batches, and its standard error.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    value: f64,
    error: f64,
}

impl Estimate {
    fn of(batches: impl Iterator<Item = (f64, f64)>) -> Estimate {
        let batches: Vec<(f64, f64)> = batches.collect();
        let above: f64 = batches.iter().map(|(above, _)| above).sum();
        let below: f64 = batches.iter().map(|(_, below)| below).sum();
        let value = above / below;
        let squares: f64 = batches.iter().map(|(a, b)| (a - value * b).powi(2)).sum();
        let count = batches.len() as f64;
        Estimate { value, error: (squares * count / (count - 1.0)).sqrt() / below }
    }

    /// Estimate of a mean over some of the jobs, in batches.
    fn mean<T>(all: &[T], of: impl Fn(&T) -> bool, what: impl Fn(&T) -> f64) -> Estimate {
        let batch = |batch: &[T]| {
            let those = batch.iter().filter(|one| of(one));
            those.fold((0.0, 0.0), |(sum, count), one| (sum + what(one), count + 1.0))
        };
        Estimate::of(all.chunks(BATCH_OF.min(all.len() / 100)).map(batch))
    }

    /// Is what is known exactly?
    #[track_caller]
    fn is(self, label: &str, expected: f64) {
        let off = (self.value - expected).abs();
        assert!(off <= ERRORS * self.error + 1e-9, "{label}: {self:?}, expected {expected}");
    }

    /// Is what another sample of the same size has?
    #[track_caller]
    fn agrees(self, label: &str, other: f64) {
        Estimate { error: self.error * 2_f64.sqrt(), ..self }.is(label, other);
    }
}

/// Another sample has these quantiles: fewer than a share `q` of ours are below one, and as many
/// are not above it.
#[track_caller]
fn check_quantiles<T>(
    label: &str,
    all: &[T],
    of: impl Fn(&T) -> bool,
    value: impl Fn(&T) -> f64,
    quantiles: &Figures,
) {
    let batches: Vec<Vec<f64>> = all
        .chunks(BATCH_OF.min(all.len() / 100))
        .map(|batch| batch.iter().filter(|one| of(one)).map(&value).collect())
        .collect();
    for (q, quantile) in quantiles {
        let q: f64 = q.parse().expect("it is a probability");
        // Between two values of a discrete distribution it may be anything.
        let (floor, ceil) = (quantile.floor(), quantile.ceil());
        let share = |is: &dyn Fn(&&f64) -> bool| {
            let count = |batch: &Vec<f64>| batch.iter().filter(is).count() as f64;
            Estimate::of(batches.iter().map(|batch| (count(batch), batch.len() as f64)))
        };
        let (below, up_to) = (share(&|value| **value < floor), share(&|value| **value <= ceil));
        let tolerance = |estimate: Estimate| ERRORS * 2_f64.sqrt() * estimate.error + 1e-6;
        assert!(below.value <= q + tolerance(below), "{label}: {below:?} below {quantile} ({q})");
        assert!(up_to.value >= q - tolerance(up_to), "{label}: {up_to:?} up to {quantile} ({q})");
    }
}

/// The parameters of each sample; the clock is that of the authors' program.
fn parameters(set: &str) -> &'static str {
    match set {
        // The program's medium size of batch jobs on 128 processors is 2 below the largest.
        "typed_default_m128" | "typed_default_m128_seed2" => {
            "processors = 128\ntypes.two.batch.medium = 5.0"
        }
        "typed_m32" => "processors = 32",
        "typed_m256" => "processors = 256",
        "typed_m512" => "processors = 512",
        "typed_both_m512" => "processors = 512\ntypes.two.interactive.high = 9.0",
        "typeless_default_m128" => "processors = 128\ntypes.one = {}",
        "typeless_m32" => "processors = 32\ntypes.one = {}",
        "typeless_m256" => "processors = 256\ntypes.one = {}",
        "typeless_m512" => "processors = 512\ntypes.one = {}",
        other => panic!("no set {other}"),
    }
}

/// A job and the seconds since the one before it.
struct Drawn {
    job: Job,
    gap: f64,
}

fn runtime(job: &Job) -> f64 {
    job.runtime.as_units()
}

#[track_caller]
fn check_set(name: &str, seed: u64) {
    let reference = &REFERENCE.sets[name];
    let model = model(&format!("clock = \"truncated\"\n{}", parameters(name)));
    let drawn = jobs(&model, Streams::new(seed), JOBS + 1);
    let gap = |pair: &[Job]| (pair[1].submit - pair[0].submit).as_units();
    let drawn: Vec<Drawn> =
        drawn.windows(2).map(|pair| Drawn { job: pair[1], gap: gap(pair) }).collect();

    let whole = drawn.iter().all(|one| one.job.submit.ticks() % 1_000_000 == 0);
    assert!(whole, "the program's clock is in seconds");
    let most = drawn.iter().map(|one| one.job.processors).max().expect("there are jobs");
    assert_eq!((most, model.largest()), (reference.nodes_max, reference.nodes_max), "{name}");
    let long = drawn.iter().map(|one| runtime(&one.job)).max_by(f64::total_cmp);
    let shortest = drawn.iter().map(|one| runtime(&one.job)).min_by(f64::total_cmp);
    assert!(long.is_some_and(|long| long <= 162_754.0) && shortest == Some(1.0), "{name}");

    for (kind, quantiles, user) in [
        ("all", Some(&reference.all), None),
        ("interactive", reference.interactive.as_ref(), Some(INTERACTIVE)),
        ("batch", reference.batch.as_ref(), Some(BATCH)),
    ] {
        let Some(quantiles) = quantiles else { continue };
        let of = |one: &Drawn| user.is_none_or(|user| one.job.user == user);
        let nodes = |one: &Drawn| f64::from(one.job.processors);
        check_quantiles(&format!("{name}, {kind}, nodes"), &drawn, of, nodes, &quantiles.nodes);
        let run = |one: &Drawn| runtime(&one.job);
        check_quantiles(&format!("{name}, {kind}, runtime"), &drawn, of, run, &quantiles.runtime);
    }
    check_quantiles(&format!("{name}, gaps"), &drawn, |_| true, |one| one.gap, &reference.gap);

    let truth = |is: bool| f64::from(u8::from(is));
    for (statistic, &expected) in &reference.means {
        let value = |one: &Drawn| match &**statistic {
            "nodes" => f64::from(one.job.processors),
            "runtime" => runtime(&one.job),
            "ln_runtime" => runtime(&one.job).ln(),
            "gap" => one.gap,
            "serial" => truth(one.job.processors == 1),
            "power_of_two" => truth(one.job.processors.is_power_of_two()),
            "whole_machine" => truth(one.job.processors == model.options().processors),
            "batch" => truth(one.job.user == BATCH),
            other => panic!("no statistic {other}"),
        };
        Estimate::mean(&drawn, |_| true, value).agrees(&format!("{name}, {statistic}"), expected);
    }
    // What the model says of itself without drawing.
    let gap = Estimate::mean(&drawn, |_| true, |one| one.gap);
    gap.is(&format!("{name}, rate"), 1.0 / model.rate());
    let load = |batch: &[Drawn]| {
        let area: f64 = batch.iter().map(|one| runtime(&one.job) * nodes(&one.job)).sum();
        let time: f64 = batch.iter().map(|one| one.gap).sum();
        (area / f64::from(model.options().processors), time)
    };
    let load = Estimate::of(drawn.chunks(BATCH_OF).map(load));
    load.is(&format!("{name}, offered load"), model.offered_load());
}

fn nodes(job: &Job) -> f64 {
    f64::from(job.processors)
}

#[test]
fn jobs_of_two_types_are_those_of_the_authors_program() {
    for (name, seed) in REFERENCE.sets.keys().filter(|name| name.starts_with("typed")).zip(1..) {
        check_set(name, seed);
    }
}

#[test]
fn jobs_of_one_type_are_those_of_the_authors_program() {
    for (name, seed) in REFERENCE.sets.keys().filter(|name| name.starts_with("typeless")).zip(1..) {
        check_set(name, seed);
    }
    assert_eq!(REFERENCE.sets.len(), 10);
}

#[test]
fn the_weights_of_the_day_are_those_of_the_authors_program() {
    for (types, names) in [("two", &["batch", "interactive"][..]), ("one", &["typeless"])] {
        let model = model(&format!("processors = 128\ntypes.{types} = {{}}"));
        for (weights, name) in model.daily_weights().zip(names) {
            assert_eq!(weights.len(), REFERENCE.weights[*name].len());
            for (ours, theirs) in weights.iter().zip(&REFERENCE.weights[*name]) {
                assert!((ours - theirs).abs() < 1e-6, "{name}: {ours} {theirs}");
            }
        }
        assert_eq!(model.daily_weights().count(), names.len());
    }
}

#[test]
fn the_first_jobs_after_midnight_are_those_of_the_authors_program() {
    let model = model("processors = 128\ntypes.two.batch.medium = 5.0\nclock = \"truncated\"");
    for (&count, reference) in &REFERENCE.first_jobs {
        let run = |run| jobs(&model, Streams::new(3).in_replication(run), count);
        let runs: Vec<Vec<Job>> = (0..reference.runs).map(run).collect();
        let mean = |what: &dyn Fn(&Job) -> f64| {
            Estimate::of(runs.iter().map(|run| (run.iter().map(what).sum(), count as f64)))
        };
        let label = |what: &str| format!("first {count} jobs, {what}");
        mean(&|job| f64::from(u8::from(job.user == BATCH)))
            .agrees(&label("batch"), reference.fraction_batch);
        mean(&runtime).agrees(&label("run time"), reference.runtime_mean);
        mean(&nodes).agrees(&label("nodes"), reference.nodes_mean);
        let last = |run: &Vec<Job>| run[count - 1].submit.as_units();
        let quantiles = &reference.last_arrival_quantiles_s;
        check_quantiles(&label("last arrival"), &runs, |_| true, last, quantiles);
        let longest = |run: &Vec<Job>| run.iter().map(runtime).fold(0.0, f64::max);
        let median = |value| Figures::from([("0.5".to_owned(), value)]);
        let expected = median(reference.max_runtime_median);
        check_quantiles(&label("longest"), &runs, |_| true, longest, &expected);
        // In millionths, so that the comparison is not one of whole numbers.
        let area = |run: &Vec<Job>| {
            let area: f64 = run.iter().map(|job| runtime(job) * nodes(job)).sum();
            1e6 * area / 128.0 / longest(run)
        };
        let expected = median(1e6 * reference.ratio_sum_pq_over_128_to_pmax_median);
        check_quantiles(&label("area"), &runs, |_| true, area, &expected);
    }
}

/// The hour of the day of a job, where time 0 is midnight.
/// The largest distance between two empirical distribution functions.
fn distance(mut one: Vec<f64>, mut other: Vec<f64>) -> f64 {
    one.sort_by(f64::total_cmp);
    other.sort_by(f64::total_cmp);
    let share = |sample: &[f64], at: f64| {
        sample.partition_point(|&value| value <= at) as f64 / sample.len() as f64
    };
    let at = |&value: &f64| (share(&one, value) - share(&other, value)).abs();
    one.iter().chain(&other).map(at).fold(0.0, f64::max)
}

/// The authors published ten thousand jobs of one type on 256 processors; two samples of one
/// distribution are farther apart than 1.95 sqrt(1/m + 1/n) with a probability of 0.1% (Kolmogorov
/// and Smirnov; for whole numbers, and for gaps within a day, which are alike, it is less sure).
/// Two types of jobs are much farther from it: the test can tell.
#[test]
fn a_published_sample_is_one_of_the_model() {
    let Some(file) = crate::common::beside("traces", "lublin_256.swf.gz") else { return };
    let mut text = String::new();
    GzDecoder::new(File::open(file).expect("it can be read"))
        .read_to_string(&mut text)
        .expect("it is a text");
    let rows = text.lines().filter(|line| !line.starts_with(';')).map(|line| {
        let fields: Vec<f64> =
            line.split_whitespace().take(5).map(|field| field.parse().unwrap()).collect();
        (fields[1], fields[3], fields[4])
    });
    let gaps = |submits: &[f64]| submits.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let columns = |rows: Vec<(f64, f64, f64)>| -> [Vec<f64>; 3] {
        let submits: Vec<f64> = rows.iter().map(|row| row.0).collect();
        let runtimes = rows.iter().map(|row| row.1).collect();
        [gaps(&submits), runtimes, rows.iter().map(|row| row.2).collect()]
    };
    let published = columns(rows.collect());
    let most = 1.95 * (1.0 / 1e4_f64 + 1.0 / 2e5).sqrt();
    for (types, is_same) in [("one", true), ("two", false)] {
        let model =
            model(&format!("processors = 256\nclock = \"truncated\"\ntypes.{types} = {{}}"));
        let row =
            |job: &Job| (job.submit.as_units(), job.runtime.as_units(), f64::from(job.processors));
        let drawn = columns(jobs(&model, Streams::new(1), 200_000).iter().map(row).collect());
        for (what, (one, other)) in
            ["gaps", "run times", "processors"].iter().zip(published.clone().into_iter().zip(drawn))
        {
            let distance = distance(one, other);
            assert_eq!(distance < most, is_same, "{types}, {what}: {distance}, at most {most}");
        }
    }
}

fn hour(job: &Job) -> usize {
    (job.submit.as_units() / 3600.0) as usize % 24
}

#[test]
fn short_runs_show_the_day_of_the_authors_program() {
    let Hours { runs, jobs_per_run, .. } = REFERENCE.hours;
    let model = model("processors = 128\ntypes.two.batch.medium = 5.0\nclock = \"truncated\"");
    let run = |run| jobs(&model, Streams::new(4).in_replication(run), jobs_per_run);
    let runs: Vec<Vec<Job>> = (0..runs).map(run).collect();
    for (kind, shares, user) in [
        ("all", &REFERENCE.hours.all, None),
        ("interactive", &REFERENCE.hours.interactive, Some(INTERACTIVE)),
        ("batch", &REFERENCE.hours.batch, Some(BATCH)),
    ] {
        let is = |job: &&Job| user.is_none_or(|user| job.user == user);
        for (at, &expected) in shares.iter().enumerate() {
            let share = Estimate::of(runs.iter().map(|run| {
                let there = run.iter().filter(is).filter(|job| hour(job) == at).count();
                (there as f64, run.iter().filter(is).count() as f64)
            }));
            // The reference is printed with five digits.
            Estimate { error: share.error + 1e-6, ..share }
                .agrees(&format!("{kind}, hour {at}"), expected);
        }
    }
    let is_batch = |run: &Vec<Job>| run.iter().filter(|job| job.user == BATCH).count() as f64;
    Estimate::of(runs.iter().map(|run| (is_batch(run), run.len() as f64)))
        .agrees("batch", REFERENCE.hours.fraction_batch);
}

#[test]
fn the_exact_clock_keeps_to_the_hours_of_the_day_under_any_load() {
    for more in ["", "load = 0.1", "load = 3.0", "start_hour = 9", "types.one = {}"] {
        let model = model(&format!("processors = 256\n{more}"));
        let jobs = jobs(&model, Streams::new(5), 400_000);
        let begins = 2 * model.options().start_hour as usize;
        let users: &[u32] = if more.contains("one") { &[0] } else { &[BATCH, INTERACTIVE] };
        for (weights, &user) in model.daily_weights().zip(users) {
            for (half_hour, weight) in weights.iter().enumerate() {
                let is_there = |job: &Job| {
                    let at = (job.submit.as_units() / 1800.0) as usize + begins;
                    f64::from(u8::from(at % 48 == half_hour))
                };
                let share = Estimate::mean(&jobs, |job| job.user == user, is_there);
                let label = format!("{more}: user {user}, half hour {half_hour}");
                share.is(&label, weight / 48.0);
            }
        }
    }
}

#[test]
fn the_load_is_that_asked_for() {
    for text in [
        "processors = 256\nload = 0.7",
        "processors = 256\nload = 0.05",
        "processors = 100\nload = 0.9\ntypes.one = {}",
        "processors = 1\nload = 0.5",
        "processors = 6\nload = 1.3",
        "processors = 4096\nload = 0.7",
    ] {
        let model = model(text);
        let jobs = jobs(&model, Streams::new(6), 2_000_000);
        // Between the first jobs of two batches all of one come.
        let firsts: Vec<&[Job]> = jobs.chunks(BATCH_OF).collect();
        let load = Estimate::of(firsts.windows(2).map(|pair| {
            let area: f64 = pair[0].iter().map(|job| runtime(job) * nodes(job)).sum();
            let time = (pair[1][0].submit - pair[0][0].submit).as_units();
            (area / f64::from(model.options().processors), time)
        }));
        let asked = model.options().load.expect("all have one");
        assert!(load.error < 0.02 * asked, "a difference of some percent would be seen: {load:?}");
        load.is(text, asked);
        assert_eq!(model.offered_load(), asked);
    }
}

/// Golden: a dependency that changes a draw is noticed here.
#[test]
fn the_first_jobs_of_known_streams() {
    let digest = |text: &str| {
        let mut hasher = blake3::Hasher::new();
        for job in jobs(&model(text), Streams::new(7), 10_000) {
            let numbers = [job.submit.ticks(), job.runtime.ticks(), job.processors.into()];
            for number in numbers.into_iter().chain([job.user.into()]) {
                hasher.update(&i64::to_le_bytes(number));
            }
        }
        hasher.finalize().to_hex().to_string()
    };
    let found = GOLDEN.map(|(text, _)| digest(text));
    assert_eq!(found.each_ref().map(|digest| &digest[..16]), GOLDEN.map(|(_, digest)| digest));
    let first: Vec<(i64, i64, u32)> = jobs(&model(GOLDEN[0].0), Streams::new(7), 3)
        .iter()
        .map(|job| (job.submit.ticks(), job.runtime.ticks(), job.processors))
        .collect();
    assert_eq!(first, FIRST);
}

const GOLDEN: [(&str, &str); 3] = [
    ("processors = 256\nload = 0.7", "77645edfa22df484"),
    ("processors = 100\ntypes.one = {}", "97a4f76863046c2a"),
    ("processors = 128\nclock = \"truncated\"", "d4454cfb4b251071"),
];

const FIRST: [(i64, i64, u32); 3] =
    [(19_460_100, 336_000_000, 8), (56_638_656, 26_371_000_000, 16), (93_022_574, 442_000_000, 4)];
