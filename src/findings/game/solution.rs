//! Solution of a stage game by enumeration: its pure equilibria and its social optima.

use super::ends::{nothing, temptation};
use super::frame::Frame;
use game::payoffs::{Payoffs, Tally};

/// Maximum number of payoffs that are enumerated.
const MOST: usize = 1 << 20;
/// Maximum number of payoffs that are compared, over all profiles, players and their actions.
const MOST_COMPARED: usize = 1 << 26;

/// Pure equilibria and social optima of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Pure Nash equilibria.
    pub equilibria: Vec<Vec<u32>>,
    /// Profiles with the largest sum of payoffs.
    pub optima: Vec<Vec<u32>>,
    /// Largest sum of payoffs.
    pub best: f64,
    /// True if every profile has this sum.
    pub all_are_best: bool,
}

impl Solution {
    /// Solves a game, if it is small.
    ///
    /// If players of a class are interchangeable, one profile stands for all permutations.
    pub fn of(frame: &Frame, payoffs: &Payoffs) -> Option<Solution> {
        let counts: Vec<u32> = frame.actions.iter().map(|actions| actions.len() as u32).collect();
        let mut found = Solution {
            equilibria: Vec::new(),
            optima: Vec::new(),
            best: f64::NEG_INFINITY,
            all_are_best: false,
        };
        let all = counts.iter().sum::<u32>() as usize;
        let mut looked_at = 0;
        let (nothing, (least, most)) = (nothing(payoffs), payoffs.range());
        let near = 1e-12 * (most - least).max(f64::MIN_POSITIVE) * counts.len() as f64;
        let mut profile = vec![0; counts.len()];
        let mut tally = Tally::default();
        loop {
            looked_at += 1;
            if looked_at * counts.len() > MOST || looked_at * all > MOST_COMPARED {
                return None;
            }
            if temptation(&profile, payoffs, nothing).is_none() {
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

/// Steps to the next canonical profile; the last player's action runs fastest.
///
/// Within a class of interchangeable players, actions are in ascending order. Returns false after
/// the last profile.
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
