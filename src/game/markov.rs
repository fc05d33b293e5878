//! Exact stationary distributions of finite Markov chains, even with extremely rare transitions.
//!
//! State reduction by Grassmann, Taksar and Heyman (*Regenerative analysis and steady state
//! distributions for Markov chains*, Operations Research 33, 1985): without subtractions, so no
//! digits are lost. Done in logarithms, so a probability of exp(-10^6) keeps its weight. O(n^3).

use super::birth_death::log_sum;

/// Stationary distribution of a chain, given the logarithms of its transition probabilities. They
/// are from each state (outer) to each (inner); the diagonal is ignored. `None` if some state
/// cannot reach the first one.
pub(super) fn stationary(mut logs: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = logs.len();
    for last in (1..count).rev() {
        let all = logs[last][..last].iter().copied().fold(f64::NEG_INFINITY, log_sum);
        if all == f64::NEG_INFINITY {
            return None;
        }
        // The chain observed only while in the states before the last: it goes there directly, or
        // through the last.
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
        // Two states: the ratio of the transitions counts, though both underflow to 0.
        let rare = vec![vec![0.0, -5000.0], vec![-5001.0, 0.0]];
        let law = stationary(rare).expect("both are reached");
        assert!((law[1] / law[0] - libm::exp(1.0)).abs() < 1e-12);
        assert_eq!(of([[1.0, 0.0], [0.0, 1.0]]), None);
        assert_eq!(of([[1.0, 0.0], [0.5, 0.5]]), Some(vec![1.0, 0.0]));
        assert_eq!(of([[1.0]]), Some(vec![1.0]));
    }
}
