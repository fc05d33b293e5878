//! What a game is by itself, whoever plays it: its equilibria in pure strategies, and what is best
//! for all together.

use super::Frame;
use super::ends::temptation;
use crate::game::payoffs::Payoffs;

/// Profiles up to which a game is taken apart.
const MOST: u64 = 1 << 16;

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The profiles that nobody would leave alone.
    pub equilibria: Vec<Vec<u32>>,
    /// The profiles that pay most to all together.
    pub optima: Vec<Vec<u32>>,
    /// What they pay to all together.
    pub best: f64,
    /// Every profile does.
    pub all_are_best: bool,
}

impl Solution {
    /// Of a game, if it is small. Where it does not matter who of several players alike does what,
    /// one profile stands for all of them.
    pub fn of(frame: &Frame, payoffs: &Payoffs) -> Option<Solution> {
        let counts: Vec<u32> = frame.actions.iter().map(|actions| actions.len() as u32).collect();
        let all = counts.iter().fold(1_u64, |all, &count| all.saturating_mul(count.into()));
        if all > MOST {
            return None;
        }
        let mut found = Solution {
            equilibria: Vec::new(),
            optima: Vec::new(),
            best: f64::NEG_INFINITY,
            all_are_best: false,
        };
        let mut looked_at = 0;
        let (least, most) = payoffs.range();
        let near = 1e-12 * (most - least).max(f64::MIN_POSITIVE) * counts.len() as f64;
        let mut profile = vec![0; counts.len()];
        loop {
            if frame.canonical(profile.clone()) == profile {
                looked_at += 1;
                if temptation(&profile, payoffs).is_none() {
                    found.equilibria.push(profile.clone());
                }
                let players = 0..counts.len();
                let sum: f64 = players.map(|player| payoffs.payoff(player, &profile)).sum();
                if sum > found.best + near {
                    found.best = sum;
                    found.optima.clear();
                }
                if sum >= found.best - near {
                    found.optima.push(profile.clone());
                }
            }
            if !next(&mut profile, &counts) {
                found.all_are_best = looked_at > 1 && looked_at == found.optima.len();
                return Some(found);
            }
        }
    }
}

/// The next profile, the last player's action running fastest; false after the last.
fn next(profile: &mut [u32], counts: &[u32]) -> bool {
    for (action, &count) in profile.iter_mut().zip(counts).rev() {
        *action += 1;
        if *action < count {
            return true;
        }
        *action = 0;
    }
    false
}
