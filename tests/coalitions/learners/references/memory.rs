//! Two players in the dilemma whose hand trembles in 5 % of the rounds, in the long run.

use gridpact::policy::learn::LearnerOptions;

use super::table::{Seated, dilemma, mean_and_band};

/// Rate of cooperation and payoff of a round for each, from 100 runs of 6000 rounds of which
/// the first 200 do not count, against what the Markov chain of the four profiles says.
pub fn two_tremble(options: &LearnerOptions, cooperation: f64, payoff: f64, digits: f64) {
    let (mut joined, mut paid) = (Vec::new(), Vec::new());
    for seed in 0..100 {
        let mut game = Seated::new(&dilemma(), &[options.clone(), options.clone()], seed);
        let (mut ins, mut sum) = (0, 0.0);
        for round in 0..6000 {
            let acts = game.play();
            if round >= 200 {
                ins += acts.iter().sum::<u32>();
                sum += game.payoffs().iter().sum::<f64>();
            }
        }
        joined.push(f64::from(ins) / 11_600.0);
        paid.push(sum / 11_600.0);
    }
    for (runs, expected) in [(joined, cooperation), (paid, payoff)] {
        let (mean, band) = mean_and_band(&runs);
        println!("{}: {mean:.5} +- {band:.5}, {expected} expected", options.name());
        assert!((mean - expected).abs() < band + digits, "{mean} is not {expected} +- {band}");
        assert!(band < 0.02, "the band says nothing: {band}");
    }
}
