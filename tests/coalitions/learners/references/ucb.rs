//! UCB1: the regret is within its bound; its forms that forget follow arms that change.

use gridpact::game::stage::{Act, Actions};
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::ucb::{Memory, Options};
use gridpact::policy::learn::{LearnerOptions, Player as _};

use super::play::{Builds as _, Chosen, Sample, bandit, bernoulli, regrets, show};

pub const ROUNDS: u64 = 10_000;
const RUNS: u64 = 40;
/// Regret with arms of .6 and .4.
const GAP: f64 = 0.2;

fn learner(memory: Memory) -> Chosen {
    (
        LearnerOptions::Ucb(Options { memory, ..Default::default() }),
        Choices { payoffs: Some([0.0, 1.0]), ..Choices::default() },
    )
}

/// 8 ln T / D + (1 + pi^2 / 3) D = 369.3.
pub fn bound() -> f64 {
    let squared = std::f64::consts::PI * std::f64::consts::PI;
    8.0 * libm::log(ROUNDS as f64) / GAP + (1.0 + squared / 3.0) * GAP
}

/// An independent implementation found 63.1 in the mean of 20 runs, which ours is within the band
/// of 99.9 % of their difference; the band is also below the bound.
pub fn the_mean_regret_of_two_arms_is_within_its_bound() {
    assert!((bound() - 369.3).abs() < 0.05, "{}", bound());
    let runs = regrets(&learner(Memory::All {}), [0.6, 0.4], [ROUNDS], RUNS);
    let found = Sample::of(runs.iter().map(|run| run[0]));
    println!("{found:?}, band {}", found.band());
    assert!(found.mean + found.band() < bound(), "{found:?}");
    assert!((found.mean - 63.1).abs() < found.band_against(20.0), "{found:?}");
}

/// By hand: after both arms were tried once, the next is that of the larger sum / n +
/// sqrt(2 ln t / n).
pub fn the_next_arm_has_the_largest_bound() {
    let mut learner = learner(Memory::All {}).build();
    let (mut counts, mut sums) = ([0.0; 2], [0.0; 2]);
    for round in 0..2000 {
        let act = learner.decide(Actions::menu(2), &mut Streams::new(1).draws("act"));
        let Act::Choose(played) = act else { panic!("{act:?} of a menu") };
        if round == 1 {
            assert_eq!(counts[played as usize], 0.0, "what was not tried comes first");
        }
        if round > 1 {
            let t = f64::from(round);
            let bounds = [0, 1].map(|arm: usize| {
                sums[arm] / counts[arm] + libm::sqrt(2.0 * libm::log(t) / counts[arm])
            });
            assert_eq!(played, u32::from(bounds[1] > bounds[0]), "{bounds:?}");
        }
        let payoff = if (round * 7 + played) % 5 < 2 + played { 0.25 } else { 0.75 };
        counts[played as usize] += 1.0;
        sums[played as usize] += payoff;
        show(&mut learner, played, payoff);
    }
}

/// A factor of 1 and a window of all rounds are no forgetting.
pub fn who_remembers_all_plays_as_ucb1() {
    let played = |memory| {
        let mut arms = Vec::new();
        let draws = bernoulli([0.6, 0.4]);
        bandit(&learner(memory), (3000, 1), draws, |_, arm, _, _| arms.push(arm));
        arms
    };
    let all = played(Memory::All {});
    assert!(all.contains(&0) && all.contains(&1));
    for memory in [Memory::Discount(1.0), Memory::Window(3000)] {
        assert_eq!(played(memory), all, "{memory:?}");
    }
}

/// Arms of .9 and .5 for 10 000 rounds, after which the first falls to .1: the share of the worse
/// arm in the 2000 rounds from then on. To UCB1 the mean of the first stays above .5 for longer
/// than that; who forgets, with about 500 rounds in mind, finds out in that time.
pub fn who_forgets_follows_arms_that_change() {
    let worse = |memory| {
        Sample::of((1..=10).map(|seed| {
            let mut worse = 0.0;
            let means = |round| [if round < ROUNDS { 0.9 } else { 0.1 }, 0.5];
            let arms = |round, rng: &mut _| bernoulli(means(round))(round, rng);
            bandit(&learner(memory), (ROUNDS + 2000, seed), arms, |round, arm, _, _| {
                worse += if round >= ROUNDS && arm == 0 { 1.0 / 2000.0 } else { 0.0 };
            });
            worse
        }))
    };
    let all = worse(Memory::All {});
    for memory in [Memory::Discount(0.998), Memory::Window(500)] {
        let found = worse(memory);
        println!("{memory:?} {found:?}, all {all:?}");
        assert!(found.mean + found.band() < 0.5, "{memory:?} {found:?}");
        assert!(found.mean + found.band() < all.mean - all.band(), "{memory:?} {found:?}");
    }
}
