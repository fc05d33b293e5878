//! Alpha-rank: the long-run share of strategies in finite populations with rare mutants.
//!
//! Omidshafiei et al., *alpha-rank: multi-agent evaluation by evolution*, Scientific Reports 9,
//! 2019. A population is homogeneous until one mutant appears. The mutant takes over with the
//! fixation probability of pair comparison (Fermi) with intensity alpha in a population of m. All
//! mutants are equally likely. The share of time at each profile is the stationary distribution of
//! this Markov chain.
//!
//! A single population plays a symmetric game within itself, and its states are the strategies:
//! everybody meets everybody else (OpenSpiel's alpharank with `use_local_selection_model=False`). With
//! several populations, one for each player, members meet only the others, so fixation has a closed
//! form, and the states are the profiles. As all mutants are equally likely, how often they appear does
//! not matter. O(K^2 m + K^3) for one population with K strategies, O(P^3) for P profiles.

use super::birth_death::{log_fixation, log_fixation_alike};
use super::counts::Counts;
use super::dynamics::imitation::Imitation;
use super::matrix::Matrix;
use super::{markov, pairwise::Pairwise};

/// Logarithm of the probability that a single mutant takes over a population, by the strategy of
/// the residents, then of the mutant. The diagonal is ignored.
pub type Fixation = Vec<Vec<f64>>;

/// Fixation in a population of `m` with intensity `alpha`, in which everybody meets everybody else
/// in a symmetric two-player game.
///
/// # Panics
/// Panics if the population has fewer than two, or the intensity is negative or not finite.
pub fn fixation(game: &Pairwise, m: u32, alpha: f64) -> Fixation {
    check(m, alpha);
    let all = f64::from(m);
    let to = |resident: u32, mutant: u32| {
        let pays = |own: u32, other: u32| game.meeting(own, other);
        let ratios = (1..m).map(|k| {
            let (k, rest) = (f64::from(k), all - f64::from(k));
            let gets = (k - 1.0) * pays(mutant, mutant) + rest * pays(mutant, resident);
            let get = (rest - 1.0) * pays(resident, resident) + k * pays(resident, mutant);
            -alpha * (gets - get) / (all - 1.0)
        });
        log_fixation(ratios)
    };
    let choices = 0..game.choices();
    let row = |resident| choices.clone().map(|mutant| to(resident, mutant)).collect();
    choices.clone().map(row).collect()
}

/// Fixation with intensity `alpha` where the whole population plays one game.
///
/// # Panics
/// Panics if there are fewer than two players, or the intensity is negative or not finite.
pub fn fixation_in(game: &Counts, alpha: f64) -> Fixation {
    check(game.players() as u32, alpha);
    let rule = Imitation::Fermi { intensity: alpha };
    let [first, second] = [0, 1].map(|mutant| rule.log_fixation(game, mutant));
    vec![vec![0.0, second], vec![first, 0.0]]
}

/// Long-run share of each strategy in one population.
pub fn one_population(fixation: Fixation) -> Vec<f64> {
    markov::stationary(fixation).expect("every mutant takes over with some probability")
}

/// Long-run share of each profile (in the order of [`Matrix::profiles`]) with a population of `m`
/// for each player and intensity `alpha`.
///
/// # Panics
/// Panics if a population has fewer than two, or the intensity is negative or not finite.
pub fn populations(game: &Matrix, m: u32, alpha: f64) -> Vec<f64> {
    check(m, alpha);
    let profiles: Vec<Vec<u32>> = game.profiles().collect();
    let to = |from: &[u32], to: &[u32]| {
        let mut apart = (0..from.len()).filter(|&player| from[player] != to[player]);
        let (Some(player), None) = (apart.next(), apart.next()) else { return f64::NEG_INFINITY };
        let gain = game.payoff(player, to) - game.payoff(player, from);
        log_fixation_alike(alpha * gain, m)
    };
    let row = |from: &Vec<u32>| profiles.iter().map(|other| to(from, other)).collect();
    one_population(profiles.iter().map(row).collect())
}

fn check(m: u32, alpha: f64) {
    assert!(m >= 2, "a mutant is one among many");
    assert!(alpha >= 0.0 && alpha.is_finite(), "the intensity {alpha} is not one");
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
            let law = one_population(fixation(&two(pays), 20, 1.0));
            assert!((law[1] - 1.0).abs() < 1e-3, "{law:?}");
        }
        // The two-state chain by hand.
        let imitation = crate::dynamics::imitation::Imitation::Fermi { intensity: 0.05 };
        let population = crate::counts::Counts::of_meetings(20, HUNT);
        let [into_first, into_second] =
            [0, 1].map(|mutant| imitation.fixation(&population, mutant));
        let law = one_population(fixation(&two(HUNT), 20, 0.05));
        assert!((law[1] - into_second / (into_first + into_second)).abs() < 1e-12, "{law:?}");
        // A population that meets pairwise plays one game.
        let whole = one_population(fixation_in(&population, 0.05));
        assert!((law[1] - whole[1]).abs() < 1e-12, "{whole:?}");
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
