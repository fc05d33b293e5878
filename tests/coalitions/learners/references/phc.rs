//! WoLF-PHC comes to rest in matching pennies, where PHC goes round.

use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{AnyLearner, LearnerOptions, Player as _, phc};

use super::play::{Chosen, PENNIES, Sample, pair, seated, show};

/// A learner with these parameters; its first choice has the probability `first` to begin with.
fn learner(options: phc::Options, first: f64) -> Chosen {
    let first = vec![first, 1.0 - first];
    let choices = Choices { first, payoffs: Some([-1.0, 1.0]), ..Choices::default() };
    (LearnerOptions::Phc(options), choices)
}

fn radius(x: f64, y: f64) -> f64 {
    libm::hypot(x - 0.5, y - 0.5)
}

/// Both are shown what each choice brings in the mean against the other's law, so that nothing is
/// random; from (.9, .3), the radius at the end of so many rounds.
fn exact([win, lose]: [f64; 2], rounds: u32) -> f64 {
    let exact = phc::Options { rate: 1.0, win, lose, exploration: 0.0 };
    let [mut row, mut column] = [0.9, 0.3].map(|first| seated(&learner(exact.clone(), first)));
    for _ in 0..rounds {
        let (x, y) = (row.law()[0], column.law()[0]);
        let teach = |learner: &mut AnyLearner, other: f64, sign: f64| {
            let first = sign * (2.0 * other - 1.0);
            show(learner, 0, first);
            show(learner, 1, -first);
        };
        teach(&mut row, y, 1.0);
        teach(&mut column, x, -1.0);
    }
    radius(row.law()[0], column.law()[0])
}

/// Without chance PHC keeps its radius (it goes round a square at a constant speed), and WoLF-PHC's
/// falls until it is of the size of its steps.
pub fn without_chance_wolf_falls_to_the_middle() {
    let phc = exact([0.001, 0.001], 20_000);
    let wolf = exact([0.001, 0.004], 20_000);
    println!("PHC {phc}, WoLF {wolf}");
    assert!(phc > 0.25, "{phc}");
    assert!(wolf < 0.02, "{wolf}");
}

/// The mean radius of the last quarter of 40 000 rounds of play, with the default parameters or
/// other steps.
fn late_radius([win, lose]: [f64; 2]) -> Sample {
    Sample::of((1..=8).map(|seed| {
        let mut sum = 0.0;
        let options = learner(phc::Options { win, lose, ..Default::default() }, 0.9);
        pair(&options, PENNIES, (40_000, seed), |round, laws| {
            sum += if round <= 30_000 { 0.0 } else { radius(laws[0], laws[1]) };
        });
        sum / 10_000.0
    }))
}

/// In play, by bands of 99.9 %: WoLF-PHC with the default steps is near the middle, PHC with the
/// larger of them goes round near the border.
pub fn in_play_wolf_stays_near_the_middle() {
    let phc::Options { win, lose, .. } = phc::Options::default();
    assert!(win < lose);
    let (phc, wolf) = (late_radius([lose, lose]), late_radius([win, lose]));
    println!("PHC {phc:?}, WoLF {wolf:?}");
    assert!(wolf.mean + wolf.band() < phc.mean - phc.band(), "{phc:?}, {wolf:?}");
    assert!(wolf.mean + wolf.band() < 0.1 && phc.mean - phc.band() > 0.4, "{phc:?}, {wolf:?}");
}
