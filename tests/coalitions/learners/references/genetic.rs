//! The genetic algorithm: it finds a known optimum in most runs.

use gridpact::game::matrix::Matrix;
use gridpact::policy::learn::{LearnerOptions, genetic};

use super::table::Seated;

/// The 26th of 40 levels is best, and payoffs fall evenly on both sides. In the last of 50
/// generations, how many of 40 runs play within one level of it in most rounds? A run that had
/// an even chance would let 30 or more succeed with a probability below .2 %.
pub fn it_finds_the_optimum_in_most_runs() {
    let matrix = Matrix::new(&[40], |_, profile| -f64::from(profile[0].abs_diff(26)));
    let rounds = 12 * 10 * 50;
    let finds = |seed: &u64| {
        let options = LearnerOptions::Genetic(genetic::Options::default());
        let mut game = Seated::new(&matrix, &[options], *seed);
        let near = (0..rounds).filter(|&round| {
            let act = game.play()[0];
            round >= rounds - 120 && act.abs_diff(26) <= 1
        });
        near.count() > 60
    };
    let found = (0..40).filter(finds).count();
    println!("{found} of 40 runs find the optimum");
    assert!(found >= 30, "{found}");
}
