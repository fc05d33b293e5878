//! Where learners end that play the coalition of ten clusters, of which the first is perhaps
//! overloaded.

use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::{AnyLearner, LearnerOptions};
use gridpact::sim::repeated::{Played, Repeated, RoundObserver};
use gridpact::state_of_fields;

use crate::learners::pools::{Grid, Sends, grid};

/// By player, how often it took part from a round on.
struct Joined {
    from: u64,
    rounds: Vec<f64>,
}

state_of_fields!(Joined {});

impl RoundObserver<Grid> for Joined {
    fn played(&mut self, round: Played<'_, Grid>) {
        if round.round >= self.from {
            for (joined, act) in self.rounds.iter_mut().zip(&round.outcome.acts) {
                *joined += f64::from(u8::from(act.is_in()));
            }
        }
    }
}

/// By cluster, the share of rounds that it took part in, over the last quarter of 3000.
pub fn joined(options: &LearnerOptions, is_first_overloaded: bool) -> Vec<f64> {
    const ROUNDS: u64 = 3000;
    let streams = Streams::new(1);
    let game = grid(10, is_first_overloaded, Sends::Tail, streams);
    let players = (0..10).map(|cluster: u32| (cluster.to_string(), options.build()));
    let mut game: Repeated<Grid, AnyLearner> = Repeated::new(game, players, streams);
    let mut joined = Joined { from: ROUNDS - ROUNDS / 4, rounds: vec![0.0; 10] };
    game.play(ROUNDS, &mut joined).expect("nothing fails");
    joined.rounds.iter().map(|rounds| rounds / (ROUNDS / 4) as f64).collect()
}

/// A learner that draws at random in a twentieth of the rounds, and else does what it found better,
/// does the other thing in one of forty: typical clusters join so rarely beside an overloaded one,
/// and stay out so rarely among their like. An independent implementation found .024 and .974. The
/// bands of 99.9 % are 3.29 standard errors of independent draws of nine or ten clusters.
pub fn only_exploration_is_left(options: &LearnerOptions) {
    for (is_first_overloaded, expected) in [(true, 0.025), (false, 0.975)] {
        let joined = joined(options, is_first_overloaded);
        let typical = &joined[usize::from(is_first_overloaded)..];
        let (clusters, draws) = (typical.len() as f64, typical.len() as f64 * 750.0);
        let mean = typical.iter().sum::<f64>() / clusters;
        println!("{}: {mean}, expected {expected}", options.name());
        let band = 3.29 * libm::sqrt(expected * (1.0 - expected) / draws);
        assert!((mean - expected).abs() < band, "{mean} is not {expected} to {band}");
    }
}
