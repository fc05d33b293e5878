//! What a game is by itself, whoever plays it: its equilibria in pure strategies, and what is best
//! for all together.

use super::Frame;
use super::ends::temptation;
use crate::game::payoffs::{Payoffs, Tally};

/// Up to so many payoffs a game is taken apart.
const MOST: usize = 1 << 20;

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
        let mut tally = Tally::default();
        loop {
            looked_at += 1;
            if looked_at * counts.len() > MOST {
                return None;
            }
            if temptation(&profile, payoffs).is_none() {
                found.equilibria.push(profile.clone());
            }
            payoffs.count(&profile, &mut tally);
            let own = profile.iter().enumerate();
            let sum: f64 =
                own.map(|(player, &own)| payoffs.payoff_of(&tally, player, &profile, own)).sum();
            if sum > found.best + near {
                found.best = sum;
                found.optima.clear();
            }
            if sum >= found.best - near {
                found.optima.push(profile.clone());
            }
            if !next(&mut profile, &counts, frame) {
                found.all_are_best = looked_at > 1 && looked_at == found.optima.len();
                return Some(found);
            }
        }
    }
}

/// The next profile, the last player's action running fastest, of those in which players who may
/// change places stand in the order of their actions; false after the last.
fn next(profile: &mut [u32], counts: &[u32], frame: &Frame) -> bool {
    let Some(at) = (0..profile.len()).rposition(|at| profile[at] + 1 < counts[at]) else {
        return false;
    };
    profile[at] += 1;
    let own = frame.classes.iter().find(|class| class.members.contains(&at));
    let alike =
        own.map_or(at + 1, |class| if frame.is_symmetric { class.members.end } else { at + 1 });
    let least = profile[at];
    profile[at + 1..alike].fill(least);
    profile[alike..].fill(0);
    true
}
