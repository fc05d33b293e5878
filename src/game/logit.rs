//! Logit equilibria (quantal response): everybody takes each choice with probability proportional
//! to exp(u / temperature) of its payoff against the others, who do the same.
//!
//! McKelvey and Palfrey, *Quantal response equilibria for normal form games*, Games and Economic
//! Behavior 10, 1995. They are the rest points of Boltzmann exploration and smooth fictitious play.

use super::dynamics::log_linear::soften;
use super::payoffs::Payoffs;

/// All symmetric logit equilibria of a symmetric two-by-two game, in ascending order. They are
/// given as probabilities of the first choice; `pays` by own choice, then by the other's. With y
/// the log-odds of the first choice they are the zeros of y - d(y) / temperature, where d is the
/// payoff advantage of the first choice. This function has at most two turning points, which are
/// known; the zeros between them are found by bisection to the last digit.
///
/// # Panics
/// Panics if the temperature is not above 0.
pub fn symmetric(pays: [[f64; 2]; 2], temperature: f64) -> Vec<f64> {
    assert!(temperature > 0.0, "a temperature is above 0");
    // The advantage is slope x + base, for the probability x of the other's first choice.
    let base = (pays[0][1] - pays[1][1]) / temperature;
    let slope = (pays[0][0] - pays[1][0]) / temperature - base;
    let odds = |y: f64| 1.0 / (1.0 + libm::exp(-y));
    let above = |y: f64| y - slope * odds(y) - base;
    // Zeros lie within the range of d; outside, the function has the sign of y.
    let end = base.abs() + slope.abs() + 1.0;
    let mut ends = vec![-end];
    if slope > 4.0 {
        // The derivative is 1 - slope x (1 - x): zero at 1/2 -+ sqrt(1/4 - 1 / slope).
        let off = libm::sqrt(0.25 - 1.0 / slope);
        // The larger root avoids cancellation; the product of both is 1 / slope.
        let larger = 0.5 + off;
        let turn = libm::log(larger / (1.0 / slope / larger));
        ends.extend([-turn, turn]);
    }
    ends.push(end);
    let mut found: Vec<f64> = Vec::new();
    for pair in ends.windows(2) {
        let [mut low, mut high] = [pair[0], pair[1]];
        let (at_low, at_high) = (above(low), above(high));
        if (at_low > 0.0) == (at_high > 0.0) && at_low != 0.0 && at_high != 0.0 {
            continue;
        }
        let rises = at_high > at_low;
        // Bisection of doubles ends by itself, once the midpoint is one of the ends.
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if (above(middle) < 0.0) == rises { low = middle } else { high = middle }
        }
        let point = 0.5 * (low + high);
        if found.last().is_none_or(|&last| point > last) {
            found.push(point);
        }
    }
    found.into_iter().map(odds).collect()
}

/// Result of an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// Mixed strategies, by player, then by choice.
    pub mixed: Vec<Vec<f64>>,
    /// Largest distance to the logit replies; an equilibrium if this is 0.
    pub residual: f64,
    /// Number of steps taken.
    pub steps: u64,
}

/// Finds a logit equilibrium of any game by damped iteration from mixed strategies. Each step moves
/// the fraction `weight` of the way to the logit replies, until no probability is further from them
/// than `tolerance`, or after `most` steps. It finds one of several equilibria, depending on the
/// start; in games that cycle a small weight helps. A step takes n times [`Payoffs::expected`].
///
/// # Panics
/// Panics if the temperature is not above 0.
pub fn rest(
    game: &Payoffs,
    temperature: f64,
    mut mixed: Vec<Vec<f64>>,
    weight: f64,
    tolerance: f64,
    most: u64,
) -> Rest {
    assert!(temperature > 0.0, "a temperature is above 0");
    let mut steps = 0;
    loop {
        let replies = replies(game, temperature, &mixed);
        let pairs = replies.iter().flatten().zip(mixed.iter().flatten());
        let residual = pairs.map(|(reply, now)| (reply - now).abs()).fold(0.0, f64::max);
        if residual <= tolerance || steps == most {
            return Rest { mixed, residual, steps };
        }
        for (now, reply) in mixed.iter_mut().flatten().zip(replies.iter().flatten()) {
            *now += weight * (reply - *now);
        }
        steps += 1;
    }
}

/// Logit reply of each player to mixed strategies. It is computed once if all players are alike and
/// do the same.
pub fn replies(game: &Payoffs, temperature: f64, mixed: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let reply = |player: usize| {
        let mut pays = Vec::new();
        game.expected(player, mixed, &mut pays);
        soften(&mut pays, temperature);
        pays
    };
    if game.are_alike() && mixed.iter().all(|law| *law == mixed[0]) {
        return vec![reply(0); mixed.len()];
    }
    (0..game.players()).map(reply).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::tests::{dilemma, hunt, pennies};

    const DILEMMA: [[f64; 2]; 2] = [[3.0, 0.0], [5.0, 1.0]];
    const HUNT: [[f64; 2]; 2] = [[4.0, 0.0], [3.0, 2.0]];

    #[track_caller]
    fn near(found: &[f64], printed: &[f64], tolerance: f64) {
        assert_eq!(found.len(), printed.len(), "{found:?}");
        for (found, printed) in found.iter().zip(printed) {
            assert!((found - printed).abs() <= tolerance, "{found} {printed}");
        }
    }

    #[test]
    fn all_points_of_the_dilemma_and_the_hunt() {
        let cases = [(0.25, 0.016_83), (0.5, 0.099_79), (1.0, 0.226_75), (2.0, 0.338_65)];
        for (temperature, cooperates) in cases {
            near(&symmetric(DILEMMA, temperature), &[cooperates], 5e-6);
        }
        let cold = symmetric(HUNT, 0.25);
        near(&cold, &[0.0003, 0.765, 0.976], 5e-4);
        near(&cold[..1], &[0.0003], 5e-5);
        near(&symmetric(HUNT, 0.5), &[0.0203], 5e-5);
        near(&symmetric(HUNT, 1.0), &[0.1958], 5e-5);
    }

    #[test]
    fn points_are_fixed_points_also_where_they_are_extreme() {
        for pays in [DILEMMA, HUNT, [[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]] {
            for temperature in [0.01, 0.05, 0.1, 0.24, 0.25, 0.3, 1.0, 100.0] {
                let points = symmetric(pays, temperature);
                assert!(points.len() % 2 == 1, "zeros of a line that turns: {points:?}");
                for x in points {
                    let first = x * pays[0][0] + (1.0 - x) * pays[0][1];
                    let second = x * pays[1][0] + (1.0 - x) * pays[1][1];
                    let reply = 1.0 / (1.0 + libm::exp((second - first) / temperature));
                    assert!((reply - x).abs() <= 1e-12 * x.max(1.0 / temperature), "{x} {reply}");
                }
            }
        }
        // A coordination game has the middle and two others at low temperature, the middle alone at
        // high.
        assert_eq!(symmetric([[1.0, 0.0], [0.0, 1.0]], 0.51).len(), 1);
        assert_eq!(symmetric([[1.0, 0.0], [0.0, 1.0]], 0.49).len(), 3);
    }

    #[test]
    fn iteration_finds_what_bisection_finds() {
        let start = |first: f64| vec![vec![first, 1.0 - first]; 2];
        for (game, pays, temperature, from, point) in [
            (dilemma(), DILEMMA, 0.5, 0.9, 0),
            (hunt(), HUNT, 0.25, 0.5, 0),
            (hunt(), HUNT, 0.25, 0.9, 2),
        ] {
            let found = rest(&game, temperature, start(from), 0.5, 1e-13, 10_000);
            assert!(found.residual <= 1e-13 && found.steps < 10_000, "{found:?}");
            let expected = symmetric(pays, temperature)[point];
            assert!((found.mixed[0][0] - expected).abs() < 1e-11, "{found:?}");
        }
        let uneven = vec![vec![0.9, 0.1], vec![0.3, 0.7]];
        let found = rest(&pennies(), 0.2, uneven, 0.05, 1e-12, 100_000);
        assert!(found.mixed.iter().flatten().all(|share| (share - 0.5).abs() < 1e-10), "{found:?}");
    }
}
