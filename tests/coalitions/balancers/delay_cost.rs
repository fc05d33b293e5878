//! The cost of accepting foreign work: closed forms, quadrature and drawn gaps agree, and what the
//! paper reads off its surfaces holds for all kinds of gaps. Tolerances of drawn means are five
//! standard errors.

use crate::balancers::support::vectors;
use gridpact::kernel::rng::Streams;
use gridpact::kernel::time::TICKS_PER_UNIT;
use gridpact::policy::coalition::delay_cost::{delay, expected_delay, expected_delay_by, surplus};
use gridpact::policy::coalition::threshold::QueueLaw;
use gridpact::stats::law::Law;
use gridpact::workload::arrivals::Arrivals;
use gridpact::workload::draw::Draw as _;
use proptest::prelude::*;
use serde::Deserialize;

/// Every kind of arrivals, with a mean gap of 5 or near it.
const ALL: [&str; 7] = [
    "poisson.rate = 0.2",
    "deterministic.interval = 5.0",
    "gamma = { shape = 2.0, rate = 0.2 }",
    "gamma = { shape = 0.5, rate = 0.2 }",
    "weibull = { shape = 0.7, scale = 4.0 }",
    "weibull = { shape = 3.0, scale = 5.6 }",
    "hyperexponential.branches = [{ probability = 0.9, rate = 1.0 }, \
     { probability = 0.1, rate = 0.025 }]",
];

fn arrivals(text: &str) -> Arrivals {
    toml::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn laws() -> Vec<Law> {
    ALL.iter().map(|text| law(&arrivals(text))).collect()
}

/// The distribution of interarrival times, in units.
fn law(arrivals: &Arrivals) -> Law {
    match arrivals {
        Arrivals::Poisson(of) => Law::Exponential { mean: 1.0 / of.rate },
        Arrivals::Deterministic(of) => Law::Constant(of.interval),
        Arrivals::AtOnce(_) => Law::Constant(0.0),
        Arrivals::Gamma(of) => Law::Gamma { shape: of.shape, scale: 1.0 / of.rate / of.shape },
        Arrivals::Weibull(of) => Law::Weibull { shape: of.shape, scale: of.scale },
        Arrivals::Hyperexponential(of) => {
            let branches = of.branches.iter().map(|one| (one.probability, 1.0 / one.rate));
            Law::Hyperexponential { branches: branches.collect() }
        }
    }
}

const PAPER: Law = Law::Exponential { mean: 5.0 };

#[derive(Deserialize)]
struct Amounts {
    lam: f64,
    #[serde(rename = "L")]
    load: f64,
    #[serde(rename = "Phi")]
    foreign: f64,
}

#[derive(Deserialize)]
struct Cost {
    #[serde(rename = "EG")]
    delay: f64,
    social: f64,
}

/// LB-E-01.
#[test]
fn the_vectors_are_exact() {
    for (id, input, expected) in vectors::<Amounts, Cost>("eg") {
        let gaps = Law::Exponential { mean: 1.0 / input.lam };
        let found = expected_delay(&gaps, input.load, input.foreign);
        assert!((found - expected.delay).abs() < 1e-9, "{id}: {found}");
        let gain = surplus(&gaps, input.load, input.foreign);
        assert!((gain - expected.social).abs() < 1e-9, "{id}: {gain}");
        let printed = {
            let Amounts { lam, load, foreign } = input;
            foreign + libm::exp(-lam * load) / lam * (libm::exp(-lam * foreign) - 1.0)
        };
        assert!((found - printed).abs() < 1e-11, "{id}: equation 1 as printed");
    }
}

/// LB-F1.
#[test]
fn a_job_is_delayed_by_all_by_the_rest_or_not_at_all() {
    for (gap, expected) in
        [(0.1, 5.0), (3.0, 5.0), (4.0, 4.0), (7.5, 0.5), (8.0, 0.0), (100.0, 0.0)]
    {
        assert_eq!(delay(gap, 3.0, 5.0), expected, "{gap}");
    }
    assert_eq!(delay(2.0, 3.0, 0.0), 0.0);
}

/// LB-E-01: without a density, so atoms are no exception.
#[test]
fn closed_forms_are_the_quadratures() {
    for law in laws() {
        for (load, foreign) in [
            (0.0, 1e-3),
            (0.0, 5.0),
            (5.0, 5.0),
            (1.0, 4.0),
            (4.9, 0.3),
            (2.0, 40.0),
            (0.0, 1000.0),
        ] {
            let closed = expected_delay(&law, load, foreign);
            let found = expected_delay_by(|x| law.up_to(x), load, foreign);
            let error = (closed - found).abs() / foreign;
            assert!(error < 1e-9, "{law:?} {load} {foreign}: {closed} {found}");
        }
    }
}

/// LB-E-01: gaps as a simulation draws them.
#[test]
fn drawn_gaps_delay_as_expected() {
    const DRAWS: usize = 100_000;
    for (number, text) in ALL.iter().enumerate() {
        let arrivals = arrivals(text);
        let sampler = arrivals.sampler().expect("the parameters are valid");
        let mut rng = Streams::new(number as u64).stream("test/delay_cost");
        let gaps: Vec<f64> =
            (0..DRAWS).map(|_| sampler.draw(&mut rng) / TICKS_PER_UNIT as f64).collect();
        for (load, foreign) in [(0.0, 1.0), (0.0, 5.0), (5.0, 5.0), (10.0, 3.0), (2.0, 20.0)] {
            let delays: Vec<f64> = gaps.iter().map(|&gap| delay(gap, load, foreign)).collect();
            let count = DRAWS as f64;
            let mean = delays.iter().sum::<f64>() / count;
            let squares: f64 = delays.iter().map(|delay| (delay - mean).powi(2)).sum();
            let error = (squares / (count - 1.0) / count).sqrt();
            let expected = expected_delay(&law(&arrivals), load, foreign);
            let off = (mean - expected).abs();
            // A constant delay has no error but that of its sum.
            assert!(off <= 5.0 * error + 1e-9, "{text} {load} {foreign}: {mean} {expected}");
        }
    }
}

/// LB-E-02: the cost of a unit grows with the amount; by how much, for the paper's gaps.
#[test]
fn twice_the_work_costs_more_than_twice() {
    let ratio = |load, foreign| {
        expected_delay(&PAPER, load, 2.0 * foreign) / expected_delay(&PAPER, load, foreign)
    };
    for (load, foreign, expected) in [
        (0.0, 1.0, 3.754_256),
        (0.0, 5.0, 3.086_161),
        (5.0, 5.0, 2.191_537),
        (40.0, 5.0, 2.000_134),
    ] {
        let found = ratio(load, foreign);
        assert!((found - expected).abs() < 1e-5, "{load} {foreign}: {found}");
        assert!(found > 2.0);
    }
}

/// LB-F2a, LB-F2b: the surfaces of Figure 2 over its range, as a table.
#[test]
fn the_surfaces_rise_and_fall_as_drawn() {
    let steps = [0.0, 2.5, 5.0, 7.5, 10.0, 15.0, 20.0];
    for loads in steps.windows(2) {
        for amounts in steps.windows(2) {
            let (less, more) = (loads[0], loads[1]);
            let (small, large) = (amounts[0], amounts[1]);
            let cost = |load, foreign| expected_delay(&PAPER, load, foreign);
            let gain = |load, foreign| surplus(&PAPER, load, foreign);
            assert!(cost(less, small) < cost(less, large) && cost(less, large) < cost(more, large));
            assert!(gain(less, small) < gain(less, large) && gain(less, large) > gain(more, large));
        }
    }
    let all = steps.iter().flat_map(|&load| steps.map(|foreign| (load, foreign)));
    let gain = |&(load, foreign): &(f64, f64)| surplus(&PAPER, load, foreign);
    let best = all.max_by(|a, b| gain(a).total_cmp(&gain(b))).expect("there are some");
    assert_eq!(best, (0.0, 20.0));
}

/// LB-G-03: what there is to gain tends to a mean gap, whatever the gaps, and to nothing with load.
#[test]
fn the_most_to_gain_is_a_mean_gap() {
    for law in laws() {
        let most = surplus(&law, 0.0, 1e5);
        assert!((most - law.mean()).abs() < 1e-6, "{law:?}: {most}");
        assert!(surplus(&law, 3000.0, 1e4) < 1e-9, "{law:?}");
    }
    assert!((surplus(&PAPER, 0.0, 1e3) - 5.0).abs() < 1e-12);
}

fn any_law() -> impl Strategy<Value = Law> {
    let (mean, shape) = (0.1..100.0_f64, 0.3..8.0_f64);
    prop_oneof![
        mean.clone().prop_map(|mean| Law::Exponential { mean }),
        mean.clone().prop_map(Law::Constant),
        (shape.clone(), mean.clone())
            .prop_map(|(shape, mean)| Law::Gamma { shape, scale: mean / shape }),
        (shape, mean.clone()).prop_map(|(shape, scale)| Law::Weibull { shape, scale }),
        (0.01..0.99_f64, mean.clone(), mean).prop_map(|(part, one, other)| {
            Law::Hyperexponential { branches: vec![(part, one), (1.0 - part, other)] }
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// LB-E-03: there is something to gain exactly where the next job may come after the load is
    /// done, which it always may with the paper's gaps.
    #[test]
    fn something_is_gained_where_the_next_job_may_come_late(
        law in any_law(), load in 0.0..50.0_f64, foreign in 1e-3..50.0_f64,
    ) {
        let gain = surplus(&law, load, foreign);
        let may_come_later = 1.0 - law.up_to(load);
        // A tail this thin is lost in the digits of the amount.
        if may_come_later > 1e-9 {
            prop_assert!(gain > 0.0, "{gain}");
        } else if may_come_later == 0.0 {
            prop_assert!(gain < 1e-9 * (load + foreign));
        }
        prop_assert!(gain <= foreign * may_come_later + 1e-9);
        let paper = Law::Exponential { mean: law.mean() };
        prop_assert!(surplus(&paper, load.min(600.0 * law.mean()), foreign) > 0.0);
    }

    /// LB-E-02, LB-B-06: the cost is convex in the amount and grows with the queue.
    #[test]
    fn it_costs_more_with_more_work_and_with_a_longer_queue(
        law in any_law(), load in 0.0..50.0_f64, more in 0.0..50.0_f64, foreign in 1e-3..50.0_f64,
    ) {
        let cost = |load, foreign| expected_delay(&law, load, foreign);
        let slack = 1e-10 * (load + more + 2.0 * foreign);
        prop_assert!(cost(load, 2.0 * foreign) >= 2.0 * cost(load, foreign) - slack);
        prop_assert!(cost(load + more, foreign) >= cost(load, foreign) - slack);
        prop_assert!(cost(load, foreign) <= foreign);
    }
}

#[derive(Deserialize)]
struct Rates {
    lam: f64,
    mu: f64,
    k: u32,
}

#[derive(Deserialize)]
struct Threshold {
    theta_k: f64,
    mean_given_above: f64,
}

/// LB-Q-03.
#[test]
fn the_vector_of_the_beauty_contest_is_exact() {
    for (id, input, expected) in vectors::<Rates, Threshold>("beauty") {
        let queue = QueueLaw::new(input.lam, input.mu).expect("it is stable");
        let threshold = queue.threshold(input.k);
        assert!((threshold - expected.theta_k).abs() < 1e-9, "{id}: {threshold}");
        let above = queue.mean_above(threshold);
        assert!((above - expected.mean_given_above).abs() < 1e-9, "{id}: {above}");
        let printed = 0.5 * (7.0 - (queue.utilization() + 1.0) / queue.decay());
        let expected = queue.expected_sent(7.0, Some(queue.mean()));
        assert!((printed - expected).abs() < 1e-12, "{id}");
    }
}
