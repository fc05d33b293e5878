//! Bush and Mosteller: where two that are alike neither gain nor lose in the mean.

use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, bush_mosteller};

use super::play::{Chosen, drift, root};

/// The aspiration of 2 is the middle of payoffs from 0 to 4.
fn learner(cooperates: f64) -> Chosen {
    (
        LearnerOptions::BushMosteller(bush_mosteller::Options {
            rate: 0.5,
            aspiration: 0.5,
            ..Default::default()
        }),
        Choices {
            first: vec![cooperates, 1.0 - cooperates],
            payoffs: Some([0.0, 4.0]),
            ..Choices::default()
        },
    )
}

/// Both cooperate with probability p, and the mean step of p is zero. In the dilemma it is
/// l (1 - p) ((1 - p)^2 - 3 p^2) / 2, so that p = 1 / (1 + sqrt 3) = .366 (Macy and Flache print
/// .37); in chicken and in the stag hunt p = 1/2.
pub fn the_self_correcting_points_are_those_of_the_three_dilemmas() {
    let [dilemma, chicken, stag_hunt] = [
        ([[3.0, 0.0], [4.0, 1.0]], 1.0 / (1.0 + libm::sqrt(3.0))),
        ([[3.0, 1.0], [4.0, 0.0]], 0.5),
        ([[4.0, 0.0], [3.0, 1.0]], 0.5),
    ];
    for (pays, expected) in [dilemma, chicken, stag_hunt] {
        let found = root([0.01, 0.99], |p| drift(&learner(p), pays, p));
        println!("{pays:?}: {found}");
        assert!((found - expected).abs() < 1e-9, "{pays:?}: {found}, not {expected}");
    }
    assert!((dilemma.1 - 0.366).abs() < 5e-4);
}

/// The closed form of the dilemma's mean step, in places.
pub fn the_mean_step_in_the_dilemma_is_the_closed_form() {
    for p in [0.1, 0.366, 0.5, 0.8] {
        let found = drift(&learner(p), [[3.0, 0.0], [4.0, 1.0]], p);
        let expected = 0.25 * (1.0 - p) * ((1.0 - p) * (1.0 - p) - 3.0 * p * p);
        assert!((found - expected).abs() < 1e-12, "{found} at {p}, not {expected}");
    }
}
