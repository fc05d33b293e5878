//! Where a finite Markov chain settles, exactly, also where some moves are extremely rare.
//!
//! State reduction after Grassmann, Taksar and Heyman (*Regenerative analysis and steady state
//! distributions for Markov chains*, Operations Research 33, 1985): nothing is subtracted, so that
//! no digits are lost. It is done in logarithms, so that a probability of exp(-10^6) counts as what
//! it is. O(n^3).

use super::birth_death::log_sum;

/// The stationary law of a chain, given the logarithms of the probabilities to go from each state
/// (the outer) to each (the inner); staying is not looked at. `None` where some states, once left,
/// are never reached again, and the first state is not reached from all others.
pub(super) fn stationary(mut logs: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = logs.len();
    for last in (1..count).rev() {
        let all = logs[last][..last].iter().copied().fold(f64::NEG_INFINITY, log_sum);
        if all == f64::NEG_INFINITY {
            return None;
        }
        // The chain that is watched only while it is in the states before the last: it goes there
        // at once, or by way of the last.
        let (rows, below) = logs.split_at_mut(last);
        for row in rows.iter_mut().filter(|row| row[last] > f64::NEG_INFINITY) {
            row[last] -= all;
            for to in 0..last {
                row[to] = log_sum(row[to], row[last] + below[0][to]);
            }
        }
    }
    let mut law = vec![0.0; count];
    for state in 1..count {
        let into = (0..state).map(|from| law[from] + logs[from][state]);
        law[state] = into.fold(f64::NEG_INFINITY, log_sum);
    }
    let all = law.iter().copied().fold(f64::NEG_INFINITY, log_sum);
    Some(law.into_iter().map(|log| libm::exp(log - all)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<const N: usize>(chain: [[f64; N]; N]) -> Option<Vec<f64>> {
        stationary(chain.iter().map(|row| row.iter().map(|&p| libm::log(p)).collect()).collect())
    }

    #[test]
    fn the_law_is_kept_by_a_step() {
        let chain = [
            [0.1, 0.2, 0.3, 0.4],
            [0.5, 0.0, 0.5, 0.0],
            [0.2, 0.2, 0.2, 0.4],
            [0.0, 0.0, 1.0, 0.0],
        ];
        let law = of(chain).expect("all states are reached");
        assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        for to in 0..4 {
            let next: f64 = (0..4).map(|from| law[from] * chain[from][to]).sum();
            assert!((next - law[to]).abs() < 1e-14);
        }
    }

    #[test]
    fn rare_moves_count_as_what_they_are() {
        // Between two states: the ratio of the moves, though neither can be told from 0.
        let rare = vec![vec![0.0, -5000.0], vec![-5001.0, 0.0]];
        let law = stationary(rare).expect("both are reached");
        assert!((law[1] / law[0] - libm::exp(1.0)).abs() < 1e-12);
        assert_eq!(of([[1.0, 0.0], [0.0, 1.0]]), None);
        assert_eq!(of([[1.0, 0.0], [0.5, 0.5]]), Some(vec![1.0, 0.0]));
        assert_eq!(of([[1.0]]), Some(vec![1.0]));
    }
}
