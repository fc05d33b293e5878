//! L_R-P: the mean probability of two actions is in the inverse proportion of their penalties.

use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, Player as _, reward_penalty};

use super::grid;
use super::play::{Chosen, Sample, bandit, bernoulli, seated, show};

/// Penalty probabilities c1, c2 of the two actions.
const PENALTIES: [f64; 2] = [0.2, 0.6];
const RATE: f64 = 0.01;

fn automaton(x: f64) -> Chosen {
    (
        LearnerOptions::RewardPenalty(reward_penalty::Options { reward: RATE, penalty: RATE }),
        Choices { first: vec![x, 1.0 - x], payoffs: Some([0.0, 1.0]), ..Choices::default() },
    )
}

/// The mean step is linear in x: a (c2 (1 - x) - c1 x), which is zero at c2 / (c1 + c2) = 3/4.
pub fn the_mean_step_leads_to_three_quarters() {
    for x in [0.0, 0.3, 0.75, 0.9, 1.0] {
        let mut step = 0.0;
        for (choice, penalty) in PENALTIES.iter().enumerate() {
            for (payoff, chance) in [(0.0, penalty), (1.0, &(1.0 - penalty))] {
                let mut learner = seated(&automaton(x));
                show(&mut learner, choice as u32, payoff);
                step += [x, 1.0 - x][choice] * chance * (learner.law()[0] - x);
            }
        }
        let expected = RATE * (PENALTIES[1] * (1.0 - x) - PENALTIES[0] * x);
        assert!((step - expected).abs() < 1e-15, "{step} at {x}, not {expected}");
    }
}

/// 20 runs of 20 000 rounds, the first 2000 of which (16 times what it takes to forget) are left
/// out; the band is of 99.9 % by the runs' own standard error. An independent implementation found
/// .7513 where the theory says .75.
pub fn the_mean_is_that_of_the_penalties() {
    let successes = PENALTIES.map(|penalty| 1.0 - penalty);
    let mean = |seed| {
        let mut sum = 0.0;
        bandit(&automaton(0.5), (20_000, seed), bernoulli(successes), |round, _, law, _| {
            sum += if round < 2000 { 0.0 } else { law[0] };
        });
        sum / 18_000.0
    };
    let found = Sample::of((1..=20).map(mean));
    println!("{found:?}, band {}", found.band());
    assert!((found.mean - 0.75).abs() < found.band(), "{found:?}");
    assert!(found.band() < 0.02, "a band that says little");
}

/// L_R-eP: the smaller the penalty, the less is left to the worse action. Without one the mean step
/// (c2 - c1) b x (1 - x) would leave it nothing.
pub fn a_small_penalty_leaves_little_to_the_worse_action() {
    let options = |penalty| {
        (
            LearnerOptions::RewardPenalty(reward_penalty::Options { reward: RATE, penalty }),
            Choices { payoffs: Some([0.0, 1.0]), ..Choices::default() },
        )
    };
    let share = |penalty| {
        let mut sum = 0.0;
        let successes = PENALTIES.map(|penalty| 1.0 - penalty);
        bandit(&options(penalty), (20_000, 1), bernoulli(successes), |round, _, law, _| {
            sum += if round < 5000 { 0.0 } else { law[0] };
        });
        sum / 15_000.0
    };
    let shares = [RATE, RATE / 4.0, RATE / 40.0].map(share);
    println!("{shares:?}");
    assert!(shares[0] < shares[1] && shares[1] < shares[2] && shares[2] > 0.95, "{shares:?}");
}

/// In the coalition of ten that are alike an independent implementation found that each joins in
/// .72 of the rounds, which ours is within the band of 99.9 % of their difference, by the scatter
/// of the clusters.
pub fn in_the_coalition_it_matches() {
    let options = LearnerOptions::RewardPenalty(reward_penalty::Options::default());
    let found = Sample::of(grid::joined(&options, false));
    println!("{found:?}, band {}", found.band_against(10.0));
    assert!((found.mean - 0.72).abs() < found.band_against(10.0), "{found:?}");
}
