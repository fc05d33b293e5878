//! Comparisons: two equal policies are rarely called different, intervals of differences cover the
//! truth, and a difference is found as often as predicted.
//!
//! In `cargo test` there are so many trials that a share far from its aim would show. The table of the
//! book takes some minutes:
//!
//! ```sh
//! GRIDPACT_TRIALS=1000 cargo test --release --test engine comparisons:: -- --nocapture
//! ```

use flate2::read::MultiGzDecoder;
use gridpact::findings::Findings;
use gridpact::findings::contrast::{Contrast, Tested, contrasts, difference};
use gridpact::findings::measure::{JUDGED, Measure};
use gridpact::findings::unit::ALL;
use gridpact::kernel::parallel;
use gridpact::kernel::rng::Streams;
use gridpact::run::any::{AnyFindings, AnyWorld};
use gridpact::run::conduct::conduct;
use gridpact::run::control::Control;
use gridpact::run::versus::{Arm, Question, Versus, joint};
use gridpact::run::world::Runnable;
use gridpact::run::{Progress, RunSettings};
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::Plan;
use gridpact::scenario::{self, Input, Overrides};
use gridpact::stats::interval::Level;
use gridpact::stats::paired::By;
use gridpact::stats::student::two_sided;
use rand::RngExt as _;

use crate::common::{beside, trace_file};

/// A queue of 200 customers: the names of streams follow from that of the organization, so two of
/// other names draw other customers.
fn queue(organization: &str, rate: f64, size: &str, seed: u64) -> Arm {
    let text = format!(
        "name = \"{organization}\"\nseed = {seed}\nrun.until.jobs = 200\n\
         [[organization]]\nname = \"{organization}\"\n\
         cluster.space_shared = {{ processors = 1, scheduler.fcfs = {{}} }}\n\
         [organization.workload.synthetic]\narrivals.poisson.rate = {rate}\n\
         size.{size}\nprocessors.constant = 1\n"
    );
    read(organization, text)
}

fn read(name: &str, text: String) -> Arm {
    let input = Input::Bytes { name, bytes: text.into_bytes() };
    let read = scenario::load_any(input, &Overrides::default(), &mut Files::new());
    let (plan, _) = read.unwrap_or_else(|wrong| panic!("{wrong:?}"));
    Arm { name: name.to_owned(), plan }
}

/// The difference of mean flow times over so many replications.
fn compared(mut arms: Vec<Arm>, replications: u32) -> Contrast {
    let flow = gridpact::findings::measure::Metric::Flow.measure();
    let replications = Some(replications);
    let question = Question { replications, precision: None, measures: vec![flow] };
    let joint = joint(&mut arms, &question).expect("they can be compared");
    let world = Versus::new(&arms, &joint, &question).expect("they can be run");
    let found = played(&world, &joint);
    let pair: [&dyn Findings; 2] = [&found.arms[0], &found.arms[1]];
    let level = Level::default();
    difference(pair, 1, ALL, flow, level, joint.seed).expect("flow is compared")
}

/// The findings of a world that is played on one thread.
fn played<W: Runnable>(world: &W, plan: &Plan) -> W::Findings {
    let (progress, control) = (Progress::default(), Control::default());
    let way = RunSettings {
        claim: None,
        every: None,
        threads: 1,
        read_seconds: 0.0,
        progress: &progress,
        control: &control,
        replay: None,
    };
    conduct(world, plan, &way).expect("it runs").0
}

fn trials() -> Option<u64> {
    std::env::var("GRIDPACT_TRIALS").ok().map(|text| text.parse().expect("a number of trials"))
}

/// True for what is to be measured: everything, or what `GRIDPACT_CELLS` is a part of, such as
/// `grids of 174`.
fn is_asked(cell: &str) -> bool {
    std::env::var("GRIDPACT_CELLS").map_or(true, |part| cell.contains(&part))
}

/// True if the test of a single difference says so.
fn is_different(one: &Contrast) -> bool {
    one.tested.expect("there are pairs").p <= 0.05
}

/// Bounds of a share that is `expected`: three standard errors on either side.
fn around(expected: f64, trials: u64) -> std::ops::RangeInclusive<f64> {
    let error = (expected * (1.0 - expected) / trials as f64).sqrt();
    expected - 3.0 * error..=expected + 3.0 * error
}

const SIZES: [(&str, &str); 2] = [
    ("exponential", "exponential.mean = 1.0"),
    (
        "hyperexponential",
        "hyperexponential.branches = [{ probability = 0.9, mean = 0.5 }, { probability = 0.1, \
         mean = 5.5 }]",
    ),
];

/// Two queues that are equal in law but not in draws.
#[test]
fn equal_policies_are_called_different_in_5_of_100_cases() {
    let count = trials().unwrap_or(200);
    for (name, size) in SIZES {
        let different = (1..=count).filter(|&seed| {
            let arms = vec![queue("a", 0.7, size, seed), queue("b", 0.7, size, seed)];
            is_different(&compared(arms, 20))
        });
        let share = different.count() as f64 / count as f64;
        println!("| two equal queues, {name} | called different | {:.1}% |", 100.0 * share);
        assert!(around(0.05, count).contains(&share), "{name}: {share}");
    }
}

/// So many organizations, each with a queue of 30 customers of its own.
fn grid(organizations: u32, size: &str, scale: f64, pairs: u32, seed: u64) -> Plan {
    let text = format!(
        "name = \"grid\"\nseed = {seed}\nrun.replications = {pairs}\n\
         output = {{ jobs = false, timeline = false, all_replications = true }}\n\
         [[organization]]\nname = \"x\"\ncount = {organizations}\n\
         cluster.space_shared = {{ processors = 1, scheduler.fcfs = {{}} }}\n\
         [organization.workload.synthetic]\narrivals.poisson.rate = {}\n\
         size.{size}\nprocessors.constant = 1\njobs = 30\n",
        0.7 * scale
    );
    read("grid", text).plan
}

/// So many organizations that learn for ten rounds whether to balance their load.
fn coalition(organizations: u32, size: &str, scale: f64, pairs: u32, seed: u64) -> Plan {
    let text = format!(
        "name = \"coalition\"\nseed = {seed}\nrun.replications = {pairs}\nrun.until.rounds = 10\n\
         coalition = {{ period = 10.0, balancer.averaging = {{}} }}\n\
         output.rounds = false\n\
         [[organization]]\nname = \"x\"\ncount = {organizations}\ncluster.time_shared = {{}}\n\
         learner.ratio = {{ initial = 0.5, rate = 0.1 }}\n\
         [organization.workload.synthetic]\narrivals.poisson.rate = {}\nsize.{size}\n",
        0.7 * scale
    );
    read("coalition", text).plan
}

/// So many players of a game of 20 rounds in which each gains by what the others do; half of its noise
/// is that of coins.
fn game(players: u32, noise: &str, scale: f64, pairs: u32, seed: u64) -> Plan {
    let others = players - 1;
    let pays = |least: f64| -> String {
        let row: Vec<String> =
            (0..=others).map(|count| (scale * (least + f64::from(count))).to_string()).collect();
        format!("[{}]", row.join(", "))
    };
    let text = format!(
        "name = \"game\"\nseed = {seed}\nrun.replications = {pairs}\nrun.until.rounds = 20\n\
         output.rounds = false\n\
         [game]\nactions = [\"alone\", \"together\"]\n\
         payoffs.counts = {{ out = {}, in = {} }}\nnoise.{noise}\n\
         [[player]]\nname = \"x\"\ncount = {players}\nlearner.cross = {{ rate = 0.02 }}\n",
        pays(1.0),
        pays(0.5)
    );
    read("game", text).plan
}

/// Worlds that are compared: a name, plans of so many members, a law, a scale of what is at stake, so
/// many pairs and a seed, the laws and the numbers of members.
type World = (
    &'static str,
    fn(u32, &str, f64, u32, u64) -> Plan,
    &'static [(&'static str, &'static str)],
    &'static [u32],
);

const LAWS: &[(&str, &str)] = &[
    SIZES[0],
    SIZES[1],
    (
        "rare large",
        "hyperexponential.branches = [{ probability = 0.998, mean = 0.8 }, \
         { probability = 0.002, mean = 100 }]",
    ),
];

const WORLDS: &[World] = &[
    ("grids", grid, LAWS, &[1, 9, 174]),
    ("coalitions", coalition, LAWS, &[2, 19]),
    (
        "games",
        game,
        &[("normal noise", "normal = { deviation = 0.5 }"), ("coins", "coin = {}")],
        &[2, 38],
    ),
];

/// All differences of two plans that are played on one thread each.
fn all_of(plans: [&Plan; 2], seed: u64) -> Vec<Contrast> {
    let is_judged = |measure: &Measure| JUDGED.iter().any(|one| one.name() == measure.name);
    let [base, other] = plans
        .map(|plan| -> AnyFindings { played(&AnyWorld::of(plan).expect("it can be run"), plan) });
    contrasts(&[&base, &other], Level::default(), seed, is_judged)
}

/// Two worlds that are equal in law, on draws of their own, with 4, 40 and 700 judged differences: in at
/// most 5% of the comparisons any of these is called different, within two standard errors.
#[test]
fn a_comparison_of_equal_worlds_has_a_false_verdict_in_5_of_100_cases() {
    let count = trials().unwrap_or(40);
    for (world, plan, laws, members) in WORLDS {
        for &members in *members {
            for (law, text) in *laws {
                for pairs in [3, 5, 8, 20] {
                    let cell = format!("{world} of {members}, {law}, {pairs} pairs");
                    // So many differences, and all numbers of pairs, are for the book's table.
                    let is_for_table = members > 100 || ![3, 8].contains(&pairs);
                    if is_for_table && trials().is_none() || !is_asked(&cell) {
                        continue;
                    }
                    let wrong = parallel::map(count as usize, |trial| {
                        let trial = trial as u64 + 1;
                        let [base, other] = [trial, trial + (1 << 32)]
                            .map(|seed| plan(members, text, 1.0, pairs, seed));
                        let all = all_of([&base, &other], trial);
                        let judged = all.iter().filter(|one| one.is_judged);
                        let is_wrong = judged.clone().any(|one| one.verdict.is_different());
                        (judged.count(), is_wrong)
                    });
                    let number = wrong[0].0;
                    let wrong = wrong.iter().filter(|one| one.1).count();
                    let share = wrong as f64 / count as f64;
                    println!("| {cell} | {number} judged | {:.1}% |", 100.0 * share);
                    let error = (0.05 * 0.95 / count as f64).sqrt();
                    let most = 0.05 + if trials().is_some() { 2.0 } else { 3.0 } * error;
                    assert!(share <= most, "{cell}: {share}");
                }
            }
        }
    }
}

/// Two worlds on the same draws, in the second of which a mean is about 5% higher: the power that is told,
/// that of normal errors, is that with which the difference is found where it is told.
#[test]
fn a_true_difference_of_5_percent_is_found_as_often_as_is_told() {
    let count = trials().unwrap_or(40);
    let long = if trials().is_some() { 10_000 } else { 500 };
    for (world, plan, laws, members) in WORLDS {
        let measure = if *world == "games" { "payoff" } else { "flow" };
        let cells = members.iter().flat_map(|&members| laws.iter().map(move |law| (members, law)));
        for (members, (law, text)) in cells {
            let cell = format!("{world} of {members}, {law}");
            // So many members are for the book's table.
            if members > 100 || members > 2 && trials().is_none() || !is_asked(&cell) {
                continue;
            }
            let of_all = |scale: f64, pairs: u32, seed: u64| {
                let [base, other] =
                    [1.0, scale].map(|scale| plan(members, text, scale, pairs, seed));
                let is_it = |one: &Contrast| one.unit == ALL && one.measure.name == measure;
                all_of([&base, &other], seed).into_iter().find(is_it).expect("it is compared")
            };
            let more = |one: &Contrast| one.relative().expect("means are above 0");
            let scale = 1.0 + 0.05 * 0.05 / more(&of_all(1.05, long, 1 << 40));
            let truth = of_all(scale, long, 1 << 41).difference();
            for pairs in [8, 20] {
                let one = |trial: usize| {
                    let one = of_all(scale, pairs, trial as u64 + 1);
                    let tested = one.tested.filter(Tested::tells_power)?;
                    // What is told is found with 80%, and less with less, by the normal distribution.
                    let times = two_sided(0.95, u64::from(pairs) - 1);
                    let standard = tested.found_in_most / (times + 0.841_621);
                    let power = normal(truth.abs() / standard - times);
                    Some([f64::from(u8::from(is_different(&one))), power])
                };
                let told: Vec<[f64; 2]> =
                    parallel::map(count as usize, one).into_iter().flatten().collect();
                let mean =
                    |at: usize| told.iter().map(|one| one[at]).sum::<f64>() / told.len() as f64;
                let [found, said] = [mean(0), mean(1)];
                let of_all = 100.0 * told.len() as f64 / count as f64;
                println!(
                    "| {cell} | {pairs} pairs | told {of_all:.1}% | found {:.1}%, said {:.1}% |",
                    100.0 * found,
                    100.0 * said
                );
                // Never less often than is told; of skewed ones more, as the least skewed samples tell.
                let error = (said * (1.0 - said) / told.len() as f64).sqrt();
                assert!(
                    told.is_empty() || found >= said - 3.0 * error - 0.01,
                    "{cell}, {pairs} pairs"
                );
            }
        }
    }
}

/// The same customers at a higher rate: the draws are the same, and the mean of 200 customers is
/// measured once by thousands of replications.
#[test]
fn intervals_cover_the_difference_and_find_it_as_often_as_predicted() {
    let count = trials().unwrap_or(100);
    for (name, size) in SIZES {
        let arms = |seed| {
            let other = Arm { name: "b".to_owned(), ..queue("a", 0.708, size, seed) };
            vec![queue("a", 0.7, size, seed), other]
        };
        let truth = compared(arms(1 << 40), if trials().is_some() { 20_000 } else { 4_000 })
            .relative()
            .expect("flow times are above 0");
        let (mut covered, mut found, mut predicted) = (0, 0, 0.0);
        for seed in 1..=count {
            let one = compared(arms(seed), 20);
            let tested = one.tested.expect("there are pairs");
            let relative = tested.relative.expect("flow times are above 0");
            covered += u64::from(relative.covers(truth));
            found += u64::from(is_different(&one));
            // Normal errors: the test of a sample of this spread finds the true difference so often.
            let standard = relative.half_width() / 2.093;
            predicted += normal(truth / standard - 2.093);
        }
        let [covered, found] = [covered, found].map(|number| number as f64 / count as f64);
        let predicted = predicted / count as f64;
        println!(
            "| {name}, a difference of {:.2}% | covered, found, predicted | {:.1}%, {:.1}%, {:.1}% |",
            100.0 * truth,
            100.0 * covered,
            100.0 * found,
            100.0 * predicted
        );
        // The differences are so skewed (g is about 1.7) that 20 pairs cover 90 to 93 of 100 cases.
        assert!(covered >= *around(0.9, count).start(), "{name}: {covered}");
    }
}

/// The normal distribution function.
fn normal(amount: f64) -> f64 {
    f64::midpoint(1.0, libm::erf(amount / std::f64::consts::SQRT_2))
}

/// A trace of 26 weeks of the Lublin-Feitelson model at a load of 0.6 on 64 processors, played once. The
/// difference between EASY and conservative backfilling in the long run, over four times as many traces
/// as are tried and at most 400, is covered by the intervals over weeks of single traces.
#[test]
fn weeks_of_one_trace_cover_the_difference_of_the_long_run() {
    let count = trials().unwrap_or(20);
    let arm = |scheduler: &str, seed: u64| {
        let text = format!(
            "name = \"{scheduler}\"\nseed = {seed}\nrun.until.time = {}\n\
             [[organization]]\nname = \"a\"\n\
             cluster.space_shared = {{ processors = 64, scheduler.{scheduler} = {{}} }}\n\
             workload.lublin_feitelson = {{ processors = 64, load = 0.6 }}\n",
            26 * 7 * 24 * 3600
        );
        read(scheduler, text)
    };
    let arms = |seed| vec![arm("easy", seed), arm("conservative", seed)];
    let truth = compared(arms(1 << 40), (4 * count).min(400) as u32).difference();
    let mut covered = 0;
    for seed in 1..=count {
        let tested = compared(arms(seed), 1).tested.expect("there are weeks");
        assert_eq!((tested.method, tested.pairs), (By::Weeks, 26));
        covered += u64::from(tested.difference.covers(truth));
    }
    let covered = covered as f64 / count as f64;
    println!("| 26 weeks, a difference of {truth:.0} s | covered | {:.1}% |", 100.0 * covered);
    assert!(covered >= *around(0.9, count).start(), "{covered}");
}

/// A trace of 26 weeks, drawn with replacement from the weeks of a real one.
fn redrawn(lines: &[(u64, Vec<String>)], seed: u64) -> String {
    const WEEK: u64 = 7 * 24 * 3600;
    let mut rng = Streams::new(seed).stream("weeks");
    let weeks = lines.last().map_or(0, |(submit, _)| submit / WEEK);
    let mut text = String::new();
    for (at, drawn) in (0..26).map(|at| (at, rng.random_range(0..weeks))) {
        let of_week = lines.iter().filter(|(submit, _)| submit / WEEK == drawn);
        for (submit, columns) in of_week {
            let submit = at * WEEK + submit % WEEK;
            text += &format!("1 {submit} {}\n", columns[2..].join(" "));
        }
    }
    text
}

/// Redrawn weeks of real traces under three schedulers: the intervals over the weeks of single traces
/// cover the mean difference over all of them, as far as they tell one, and none has the other sign more
/// often than it should. All but the first trace are for the book's table.
#[test]
fn weeks_of_redrawn_traces_cover_their_mean_difference() {
    let count = trials().map_or(20, |trials| trials.min(200));
    let kth = trace_file("KTH-SP2-1996-2.1-cln.swf.gz");
    let others = [("CTC-SP2-1996-3.1-cln.swf.gz", 338), ("SDSC-BLUE-2000-4.2-cln.swf.gz", 1152)];
    let others = others.into_iter().filter(|_| trials().is_some());
    let others =
        others.filter_map(|(name, processors)| Some((beside("traces", name)?, processors)));
    let flow = gridpact::findings::measure::Metric::Flow.measure();
    let schedulers = ["fcfs", "easy", "conservative"];
    for (file, processors) in std::iter::once((kth, 100)).chain(others) {
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        let trace = std::fs::File::open(file).expect("a trace");
        let text = std::io::read_to_string(MultiGzDecoder::new(trace)).expect("a trace");
        let jobs = text.lines().filter(|line| !line.starts_with(';')).map(|line| {
            let columns: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            (columns[1].parse().expect("a time"), columns)
        });
        let lines: Vec<(u64, Vec<String>)> = jobs.collect();
        let mut found: [Vec<Contrast>; 3] = Default::default();
        for seed in 1..=count {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("redrawn.swf");
            std::fs::write(&path, redrawn(&lines, seed)).expect("a file");
            let arms = schedulers.map(|scheduler| {
                let text = format!(
                    "name = \"{scheduler}\"\n[[organization]]\nname = \"a\"\ncluster.space_shared = \
                     {{ processors = {processors}, scheduler.{scheduler} = {{}} }}\n\
                     workload.swf.file = {path:?}\nworkload.swf.import.unsorted = \"sort\"\n"
                );
                read(scheduler, text)
            });
            let mut arms = arms.to_vec();
            let question = Question { measures: vec![flow], ..Question::default() };
            let joint = joint(&mut arms, &question).expect("they can be compared");
            let world = Versus::new(&arms, &joint, &question).expect("they can be run");
            let all = played(&world, &joint).arms;
            for (at, [base, other]) in [[0, 1], [1, 2], [0, 2]].into_iter().enumerate() {
                let pair: [&dyn Findings; 2] = [&all[base], &all[other]];
                found[at].push(difference(pair, 1, ALL, flow, Level::default(), 1).expect("flow"));
            }
        }
        for (all, pair) in
            found.iter().zip(["fcfs, easy", "easy, conservative", "fcfs, conservative"])
        {
            let truth = all.iter().map(Contrast::difference).sum::<f64>() / count as f64;
            let tested = all.iter().filter_map(|one| one.tested);
            let told = tested.filter(|one| one.difference.half_width().is_finite());
            let (mut number, mut covered, mut wrong) = (0_u64, 0_u64, 0_u64);
            for one in told {
                number += 1;
                covered += u64::from(one.difference.covers(truth));
                wrong += u64::from(one.p <= 0.05 && one.difference.low.signum() != truth.signum());
            }
            println!(
                "| {name} | {pair} | {truth:.0} s | told {:.1}% | covered {:.1}% | other sign {wrong} |",
                100.0 * number as f64 / count as f64,
                100.0 * covered as f64 / number.max(1) as f64,
            );
            // Under FCFS a trace without a backlog knows nothing of those that others have.
            let share = wrong as f64 / count as f64;
            assert!(share <= *around(0.05, count).end(), "{name} {pair}: {wrong}");
            let least = *around(0.9, number.max(1)).start() * number as f64;
            assert!(pair.contains("fcfs") || covered as f64 >= least, "{name} {pair}: {covered}");
        }
    }
}
