//! Learners on the paper's grids of ten clusters, round after round: where they end.

use gridpact::game::stage::Act;
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::{LearnerOptions, hedge, regret_matching, win_stay};
use gridpact::sim::repeated::{Played, Repeated, RoundObserver};
use gridpact::state_of_fields;

use crate::learners::pools::{Grid, Sends, grid};

/// By player, in how many of the rounds from `from` on it took part.
struct Joined {
    from: u64,
    sums: Vec<u64>,
}

state_of_fields!(Joined {});

impl RoundObserver<Grid> for Joined {
    fn played(&mut self, round: Played<'_, Grid>) {
        if round.round >= self.from {
            for (sum, act) in self.sums.iter_mut().zip(&round.outcome.acts) {
                *sum += u64::from(*act != Act::Out);
            }
        }
    }
}

/// Mean participation of all but the first cluster in the last quarter.
fn joined(options: &LearnerOptions, is_first_overloaded: bool, rounds: u64, seed: u64) -> f64 {
    let streams = Streams::new(seed);
    let game = grid(10, is_first_overloaded, Sends::Tail, streams);
    let players = (0..10).map(|cluster| (cluster.to_string(), options.build()));
    let mut game = Repeated::new(game, players, streams);
    let mut joined = Joined { from: rounds - rounds / 4, sums: vec![0; 10] };
    game.play(rounds, &mut joined).expect("nothing fails");
    joined.sums[1..].iter().sum::<u64>() as f64 / (9 * (rounds / 4)) as f64
}

/// Beginning with one half, who knows what each action would have brought leaves the grid in which
/// most have to take part for anybody typical to gain, and joins the one in which all are alike.
#[test]
fn what_each_action_brings_leads_out_of_one_grid_and_into_the_other() {
    let regret = LearnerOptions::RegretMatching(regret_matching::Options::default());
    let hedge = hedge::Options { rate: Some(0.05), ..Default::default() };
    for options in [regret, LearnerOptions::Hedge(hedge)] {
        let ends = [true, false].map(|is_overloaded| joined(&options, is_overloaded, 1000, 1));
        println!("{}: {ends:.4?}", options.name());
        assert!(ends[0] < 0.01 && ends[1] > 0.99, "{}: {ends:?}", options.name());
    }
}

/// Win stay with the aspiration 0 leaves after one bad round and is content outside, where
/// the score is 0: in the end at most one is left, alone and content too.
#[test]
fn one_bad_round_is_enough_to_leave_for_good() {
    let options = LearnerOptions::WinStay(win_stay::Options::default());
    for (is_overloaded, seed) in [(true, 1), (true, 2), (false, 1), (false, 2)] {
        let rate = joined(&options, is_overloaded, 2000, seed);
        assert!(rate == 0.0 || rate == 1.0 / 9.0, "{rate}");
    }
}
