//! Alpha-rank: the long-run share of strategies in finite populations with rare mutants.
//!
//! Omidshafiei et al., *alpha-rank: multi-agent evaluation by evolution*, Scientific Reports 9,
//! 2019. A population is homogeneous until one mutant appears. The mutant takes over with the
//! fixation probability of pair comparison (Fermi) with intensity alpha in a population of m. All
//! mutants are equally likely. The share of time at each profile is the stationary distribution of
//! this Markov chain.
//!
//! A single population plays a symmetric two-player game within itself: everybody meets everybody
//! else. With several populations, one for each player, members meet only the others, so fixation
//! has a closed form. O(K^2 m + K^3) for one population with K strategies, O(P^3) for P profiles.

use super::birth_death::{log_fixation, log_fixation_alike};
use super::matrix::Matrix;
use super::{markov, pairwise::Pairwise};

/// Long-run share of each strategy in one population of `m` with intensity `alpha`. The population
/// plays a symmetric two-player game within itself.
///
/// # Panics
/// Panics if the population has fewer than two, or the intensity is negative or not finite.
pub fn one_population(game: &Pairwise, m: u32, alpha: f64) -> Vec<f64> {
    check(m, alpha);
    let strategies = game.choices();
    let (all, mutants) = (f64::from(m), f64::from(strategies.max(2) - 1));
    let to = |resident: u32, mutant: u32| {
        if resident == mutant {
            return f64::NEG_INFINITY;
        }
        let pays = |own: u32, other: u32| game.meeting(own, other);
        let ratios = (1..m).map(|k| {
            let (k, rest) = (f64::from(k), all - f64::from(k));
            let gets = (k - 1.0) * pays(mutant, mutant) + rest * pays(mutant, resident);
            let get = (rest - 1.0) * pays(resident, resident) + k * pays(resident, mutant);
            -alpha * (gets - get) / (all - 1.0)
        });
        log_fixation(ratios) - libm::log(mutants)
    };
    let row = |resident: u32| (0..strategies).map(|mutant| to(resident, mutant)).collect();
    law((0..strategies).map(row).collect())
}

/// Long-run share of each profile (in the order of [`Matrix::profiles`]) with a population of `m`
/// for each player and intensity `alpha`.
///
/// # Panics
/// Panics if a population has fewer than two, or the intensity is negative or not finite.
pub fn populations(game: &Matrix, m: u32, alpha: f64) -> Vec<f64> {
    check(m, alpha);
    let profiles: Vec<Vec<u32>> = game.profiles().collect();
    let mutants: u32 = (0..game.players()).map(|player| game.choices(player) - 1).sum();
    let to = |from: &[u32], to: &[u32]| {
        let mut apart = (0..from.len()).filter(|&player| from[player] != to[player]);
        let (Some(player), None) = (apart.next(), apart.next()) else { return f64::NEG_INFINITY };
        let gain = game.payoff(player, to) - game.payoff(player, from);
        log_fixation_alike(alpha * gain, m) - libm::log(f64::from(mutants))
    };
    law(profiles
        .iter()
        .map(|from| profiles.iter().map(|other| to(from, other)).collect())
        .collect())
}

fn check(m: u32, alpha: f64) {
    assert!(m >= 2, "a mutant is one among many");
    assert!(alpha >= 0.0 && alpha.is_finite(), "the intensity {alpha} is not one");
}

fn law(logs: Vec<Vec<f64>>) -> Vec<f64> {
    markov::stationary(logs).expect("every mutant takes over with some probability")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(pays: [[f64; 2]; 2]) -> Pairwise {
        Pairwise::new(2, 2, |own, other| pays[own as usize][other as usize])
    }

    const DILEMMA: [[f64; 2]; 2] = [[3.0, 0.0], [5.0, 1.0]];
    const HUNT: [[f64; 2]; 2] = [[4.0, 0.0], [3.0, 2.0]];
    const DOVES: [[f64; 2]; 2] = [[-0.5, 2.0], [0.0, 0.0]];

    #[test]
    fn one_population_defects() {
        for pays in [DILEMMA, HUNT] {
            let law = one_population(&two(pays), 20, 1.0);
            assert!((law[1] - 1.0).abs() < 1e-3, "{law:?}");
        }
        // The two-state chain by hand.
        let imitation = crate::game::dynamics::imitation::Imitation::Fermi { intensity: 0.05 };
        let population = crate::game::counts::Counts::of_meetings(20, HUNT);
        let [into_first, into_second] =
            [0, 1].map(|mutant| imitation.fixation(&population, mutant));
        let law = one_population(&two(HUNT), 20, 0.05);
        assert!((law[1] - into_second / (into_first + into_second)).abs() < 1e-12, "{law:?}");
    }

    #[test]
    fn two_populations_split_or_rest() {
        let of = |pays: [[f64; 2]; 2]| {
            Matrix::new(&[2, 2], |player, profile| {
                pays[profile[player] as usize][profile[1 - player] as usize]
            })
        };
        let doves = populations(&of(DOVES), 20, 1.0);
        for asymmetric in [1, 2] {
            assert!((doves[asymmetric] - 0.49998).abs() <= 5e-6, "{doves:?}");
        }
        let pennies = [[(1.0, -1.0), (-1.0, 1.0)], [(-1.0, 1.0), (1.0, -1.0)]];
        for share in populations(&Matrix::of_two(pennies), 20, 1.0) {
            assert!((share - 0.25).abs() < 1e-12, "{share}");
        }
        let dilemma = populations(&of(DILEMMA), 20, 1.0);
        assert!((dilemma[3] - 1.0).abs() < 1e-6, "{dilemma:?}");
    }

    /// For large alpha every transition probability underflows except those of gains; both
    /// equilibria of the stag hunt stay comparable.
    #[test]
    fn a_large_alpha_is_no_trouble() {
        let hunt = Matrix::new(&[2, 2], |player, profile| {
            HUNT[profile[player] as usize][profile[1 - player] as usize]
        });
        let law = populations(&hunt, 100, 100.0);
        assert!(law.iter().all(|share| share.is_finite()));
        assert!((law[3] - 1.0).abs() < 1e-12, "a step out of it costs 2, out of the other 1");
    }
}
