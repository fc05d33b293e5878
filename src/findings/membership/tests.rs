use super::sampled::Sampled;
use super::*;
use crate::unit::units;
use kernel::rng::Streams;
use rand::RngExt as _;
use rand_distr::StandardNormal;

/// A class of `size` and one more, whose scores in each replication are those of `score`, by class and
/// number of each class in; a member saves ten times its score.
fn measured(
    size: usize,
    replications: usize,
    score: impl FnMut(usize, usize, [usize; 2]) -> f64,
) -> Membership {
    measured_by(size, &vec![1; replications], Basis::default(), score)
}

/// The same of replications or batches of so many rounds.
fn measured_by(
    size: usize,
    rounds: &[u64],
    basis: Basis,
    score: impl FnMut(usize, usize, [usize; 2]) -> f64,
) -> Membership {
    let (classes, samples) = played(size, rounds.len(), score);
    let samples: Vec<&Sample> = samples.iter().map(|(_, sample)| sample).collect();
    Membership::of(classes, &samples, rounds, basis).expect("all is finite")
}

/// The samples of all coalitions, by the number of members of each class.
fn played(
    size: usize,
    replications: usize,
    mut score: impl FnMut(usize, usize, [usize; 2]) -> f64,
) -> (Vec<Class>, Vec<(Vec<usize>, Sample)>) {
    let names: Vec<String> = (0..=size).map(|one| format!("x{one}")).collect();
    let measures = [Metric::Score, Metric::Flow, Metric::FlowAlone].map(Metric::measure);
    let [scored, flow, alone] = measures;
    let shape = Coalitional::of_classes(&[size, 1], |_| 0.0);
    let mut samples = Vec::new();
    for coalition in 0..shape.coalitions() {
        let counts: Vec<usize> = shape.counts(coalition).collect();
        let mut sample = Sample::new(units(&names, &[]), measures, Level::default(), false);
        for replication in 0..replications {
            for unit in 0..=size {
                let class = usize::from(unit == size);
                let is_in = if class == 0 { unit < counts[0] } else { counts[1] == 1 };
                let own =
                    if is_in { score(replication, class, [counts[0], counts[1]]) } else { 0.0 };
                sample.put(unit, scored, own, 1.0);
                sample.put(unit, flow, 100.0 - 10.0 * own, 5.0);
                sample.put(unit, alone, 100.0, 5.0);
            }
            sample.put(sample.all(), flow, 1000.0, 50.0);
            sample.end_replication();
        }
        samples.push((counts, sample));
    }
    let classes = vec![
        Class { name: "x".into(), members: 0..size },
        Class { name: "y".into(), members: size..size + 1 },
    ];
    (classes, samples)
}

/// By hand: three of a class gain k - 2 each where k of them are in, and the fourth gains k and costs
/// each of them 1.
#[test]
fn a_small_game_by_hand() {
    let game = measured(3, 4, |_, class, [k, y]| match class {
        0 => k as f64 - 2.0 - y as f64,
        _ => k as f64,
    });
    let counts = |coalition: usize| game.mean.counts(coalition).collect::<Vec<_>>();
    assert_eq!((counts(3), counts(4)), (vec![3, 0], vec![0, 1]));
    // Alone one of the class scores -1, so nobody is an equilibrium, and so is the fourth alone; all
    // three without it are none, as it joins; with it the three score 0, which they would out too.
    let answers: Vec<Answer> = (0..8).map(|one| game.is_equilibrium(one)).collect();
    use Answer::{No, Yes};
    assert_eq!(answers, [Yes, No, No, No, Yes, No, No, Yes]);
    let gains = |is_in| game.gains(0, is_in).iter().map(|one| one.mean).collect::<Vec<_>>();
    assert_eq!((gains(false), gains(true)), (vec![-1.0, 0.0, 1.0], vec![-2.0, -1.0, 0.0]));
    // -(1-p)^2 + p^2 = 0 at one half; the sum of gains is 0 at none and at all.
    let roots = game.roots(0, false);
    assert!((roots[0].at - 0.5).abs() < 1e-9 && roots[0].rises && roots.len() == 1, "{roots:?}");
    assert_eq!(game.selected(0, false).0, 0);
    // The only one scores -1, all out 0, all in 1, and the only one out 0.
    let (pays, above) = game.dilemma(0, false).expect("there are three");
    assert_eq!(pays.map(|one| one.mean), [-1.0, 0.0, 1.0, 0.0]);
    assert_eq!((above, game.dilemma(1, true).is_none()), ([No, No, Yes], true));
    // Ten times the scores: three of the class are worth 30 without the fourth and 30 with it.
    assert_eq!((game.mean.worth(3), game.mean.total()), (30.0, 30.0));
    let received: Vec<f64> = (0..2).map(|class| game.saved(7, class).mean).collect();
    assert_eq!(received, [0.0, 30.0]);
    assert_eq!(game.blocking()[0].0, 3);
    assert_eq!(game.blocking()[0].1.mean, 30.0);
    assert_eq!(game.blocking_alone()[0].1.mean, 1.0);
    assert_eq!(game.side_by_side(&[3, 4]).mean, 0.0);
}

/// Where nobody ever gains or loses, nothing tips; nor where a gain is 0 for some numbers of others only.
#[test]
fn no_gain_is_no_tipping_point() {
    let roots = |score: fn(usize) -> f64| {
        let game = measured(4, 3, |_, _, [k, _]| score(k));
        game.roots(0, false).iter().map(|root| root.rises).collect::<Vec<_>>()
    };
    assert!(roots(|_| 0.0).is_empty());
    assert!(roots(|k| k as f64 - 1.0).is_empty());
    assert_eq!(roots(|k| k as f64 - 2.5), [true]);
    assert_eq!(roots(|k| 2.5 - k as f64), [false]);
}

/// The interval of a tipping point has the true one in 95 of 100 cases; the tolerance is three
/// standard errors of the share.
#[test]
fn tipping_points_are_covered() {
    const TRIALS: u32 = 300;
    let mut rng = Streams::new(3).stream("membership");
    // The expected gain with n others is linear in p: -3 + 4 p, which is 0 at three quarters.
    let covered = (0..TRIALS).filter(|_| {
        let noise: Vec<f64> = (0..15).map(|_| rng.sample(StandardNormal)).collect();
        let game = measured(5, 15, |replication, _, [k, _]| {
            let own: f64 = rng.sample(StandardNormal);
            -3.0 + k.saturating_sub(1) as f64 + 0.3 * noise[replication] + 0.2 * own
        });
        let roots = game.roots(0, false);
        roots.len() == 1 && roots[0].interval.covers(0.75)
    });
    let share = f64::from(covered.count() as u32) / f64::from(TRIALS);
    let error = (0.95 * 0.05 / f64::from(TRIALS)).sqrt();
    assert!((share - 0.95).abs() < 3.0 * error, "{share}");
}

/// Batches weigh as many rounds as they have, and what is saved is against nobody in.
#[test]
fn batches_of_rounds_stand_for_replications() {
    let basis = Basis { by_rounds: true, saves: true };
    let rounds = [2, 2, 2, 2, 2, 2, 2, 2, 2, 3];
    let game = measured_by(2, &rounds, basis, |at, _, [k, _]| (at * k) as f64);
    // Flow times are less by ten times the score: by 20 times 45 over 21 rounds.
    let saved = 20.0 * 45.0 / 21.0;
    assert!((game.payoff(2, 0, true).mean - saved).abs() < 1e-9, "{:?}", game.payoff(2, 0, true));
    assert!((game.saved(2, 0).mean - saved).abs() < 1e-9);
    assert!((game.mean.worth(2) - 2.0 * saved).abs() < 1e-9);
    // Batches that rise and rise are worth fewer than eight, and more of them would do.
    assert!(game.payoff(2, 0, true).interval.is_none());
    let Answer::Undecided(Some(needed)) = game.payoff(2, 0, true).is_above(0.0) else { panic!() };
    assert!(needed > 21, "{needed}");
    assert_eq!(game.least_core().and_then(|core| core.1), None);
}

/// Intervals over batches that resemble their neighbours (an autoregression of 0.4) have the mean about as
/// often as they say; intervals that took them for independent would miss it far more often.
#[test]
fn batches_that_resemble_each_other_are_covered() {
    const TRIALS: u32 = 300;
    let mut rng = Streams::new(5).stream("membership");
    let mut covered = [0, 0];
    for _ in 0..TRIALS {
        let mut now: f64 = rng.sample(StandardNormal);
        let noise = (0..30).map(|_| {
            now = 0.4 * now + 0.84_f64.sqrt() * rng.sample::<f64, _>(StandardNormal);
            now
        });
        let noise: Vec<f64> = noise.collect();
        for (by_rounds, covered) in [true, false].into_iter().zip(&mut covered) {
            let basis = Basis { by_rounds, saves: false };
            let game = measured_by(1, &[1; 30], basis, |at, _, _| noise[at]);
            let interval = game.payoff(1, 0, true).interval;
            *covered += u32::from(interval.is_none_or(|one| one.covers(0.0)));
        }
    }
    let [share, plain] = covered.map(|one| f64::from(one) / f64::from(TRIALS));
    let error = (0.95 * 0.05 / f64::from(TRIALS)).sqrt();
    assert!(share > 0.95 - 3.0 * error && plain < 0.95 - 3.0 * error, "{share} {plain}");
}

/// Where each adds the same to every coalition, the orders have no error, and the jobs have that of the game
/// of all coalitions; elsewhere shares add up to what all save. Coalitions that no order passes are no
/// matter, and missing ones give nothing.
#[test]
fn drawn_orders_have_the_errors_of_jobs_and_of_orders() {
    let adds = |at: usize, class: usize, _| (at % 5 + 1) as f64 * (class + 1) as f64;
    let costs = |at: usize, class: usize, [k, y]: [usize; 2]| {
        (at + 1) as f64 * (k as f64 - 2.0 * y as f64 + class as f64)
    };
    for (score, is_additive) in [(&adds as &dyn Fn(_, _, _) -> _, true), (&costs, false)] {
        let (classes, samples) = played(6, 12, score);
        let points: Vec<_> = samples.iter().map(|(counts, one)| (counts.clone(), one)).collect();
        let of = |points: &[(Vec<usize>, &Sample)]| {
            Sampled::of(classes.clone(), points, &[1; 12], Basis::default())
        };
        let found = of(&points).expect("all is there");
        let exact = measured(6, 12, score);
        assert_eq!(found.total.mean, exact.mean.total());
        let [x, y] = [0, 1].map(|class| found.shares[class].by_jobs.mean);
        assert!((6.0 * x + y - exact.mean.total()).abs() < 1e-9, "{x} {y}");
        for (share, exact) in found.shares.iter().zip(exact.shapley()) {
            let orders = share.by_orders.interval.expect("there are several pairs").half_width();
            let [one, other] = [share.by_jobs, exact].map(|one| (one.mean, one.interval.unwrap()));
            let apart = (one.0 - other.0).abs();
            assert!(!is_additive || orders < 1e-9 && apart < 1e-9, "{orders} {apart}");
            assert!(!is_additive || (one.1.low - other.1.low).abs() < 1e-9, "{one:?} {other:?}");
            assert!(is_additive || apart <= 2.0 * orders, "{apart} {orders}");
        }
        assert!(of(&points[1..]).is_none(), "nobody in is needed");
    }
}
