//! Figure 3 of the paper explained: the ratio rule ends where p is the mean of q, given how often
//! the others take part.

use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::{AnyLearner, LearnerOptions, ratio};
use gridpact::sim::mean_field::{Search, fixed_point};
use gridpact::sim::repeated::{Played, Repeated, RoundObserver};
use gridpact::state_of_fields;

use crate::learners::pools::{Grid, Sends, grid};

/// By player, the sum of p over the rounds from `from` on.
struct Sums {
    from: u64,
    sums: Vec<f64>,
}

state_of_fields!(Sums {});

impl RoundObserver<Grid> for Sums {
    fn played(&mut self, round: Played<'_, Grid>) {
        if round.round >= self.from {
            for (sum, stance) in self.sums.iter_mut().zip(round.stances) {
                *sum += stance.probability.unwrap_or(f64::NAN);
            }
        }
    }
}

/// The mean p of each player over the last three quarters of a live run.
fn live(
    clusters: u32,
    is_first_overloaded: bool,
    sends: Sends,
    rounds: u64,
    seed: u64,
) -> Vec<f64> {
    let streams = Streams::new(seed);
    let game = grid(clusters, is_first_overloaded, sends, streams);
    let options = LearnerOptions::Ratio(ratio::Options::default());
    let players = (0..clusters).map(|cluster| (cluster.to_string(), options.build()));
    let mut game: Repeated<Grid, AnyLearner> = Repeated::new(game, players, streams);
    let mut sums = Sums { from: rounds / 4, sums: vec![0.0; clusters as usize] };
    game.play(rounds, &mut sums).expect("nothing fails");
    sums.sums.iter().map(|sum| sum / (rounds - rounds / 4) as f64).collect()
}

/// The fixed point of one class of clusters, or of an overloaded one and the others; at a learning
/// rate.
fn predicted(
    clusters: u32,
    is_first_overloaded: bool,
    sends: Sends,
    rounds: u64,
    rate: f64,
) -> Vec<f64> {
    let classes = (0..clusters).map(|cluster| usize::from(is_first_overloaded && cluster > 0));
    let streams = Streams::new(1);
    let mut game = grid(clusters, is_first_overloaded, sends, streams);
    let search = Search { rate, ..Search::new(classes.collect(), rounds) };
    let found = fixed_point(&mut game, &search, streams).expect("nothing fails");
    assert!(found.found, "{found:?}");
    found.probabilities
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Figure 3a. What is within .03 is called explained. The errors are largest for two clusters: .005
/// for the prediction (that of the mean of q, .0034, over 1 less the slope, .3) and .004 for the
/// live mean (deviations of .06 that last for some 16 rounds, two clusters, 4500 rounds).
#[test]
fn equal_clusters_end_where_the_mean_field_says() {
    for (clusters, rounds, lived) in
        [(2, 2000, 6000), (5, 1000, 2000), (10, 500, 1000), (30, 150, 300)]
    {
        let predicted = predicted(clusters, false, Sends::Tail, rounds, 0.1)[0];
        let live = mean(&live(clusters, false, Sends::Tail, lived, 2));
        println!("{clusters} clusters: predicted {predicted:.3}, live {live:.3}");
        assert!((predicted - live).abs() < 0.03, "{predicted} against {live}");
    }
}

/// Figure 3b: one of ten is overloaded and nearly always gains, the others nearly always lose. The
/// errors are about .01 each: of 4000 rounds some 500 tell of each typical cluster. By default an eighth
/// of the rounds is played, so errors are 2.8 times as large; `GRIDPACT_ROUNDS=4000` plays all.
#[test]
fn an_overloaded_cluster_and_its_victims_end_where_the_mean_field_says() {
    let set = std::env::var("GRIDPACT_ROUNDS").ok();
    let rounds: u64 = set.map_or(500, |rounds| rounds.parse().expect("a number of rounds"));
    let near = 0.03 * (4000.0 / rounds as f64).sqrt();
    let predicted = || predicted(10, true, Sends::Tail, rounds, 0.1);
    let lived = rounds * 5 / 4;
    let (predicted, live) = rayon::join(predicted, || live(10, true, Sends::Tail, lived, 2));
    let live = [live[0], mean(&live[1..])];
    println!("predicted {predicted:.3?}, live {live:.3?}");
    for (predicted, live) in predicted.iter().zip(live) {
        assert!((predicted - live).abs() < near, "{predicted} against {live}");
    }
}

/// An independent prototype that sends the first jobs of a queue found .621 for two clusters and
/// .838 for five, to about .005; the errors here are .003 and .004.
#[test]
fn the_limit_of_slow_learning_is_that_of_an_independent_prototype() {
    for (clusters, rounds, expected) in [(2, 4000, 0.621), (5, 1000, 0.838)] {
        let found = predicted(clusters, false, Sends::Head, rounds, 0.0)[0];
        assert!((found - expected).abs() < 0.015, "{clusters} clusters: {found}");
    }
}
