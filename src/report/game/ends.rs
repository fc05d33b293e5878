//! The profiles in which replications ended.

use std::collections::BTreeMap;

use super::Frame;
use super::course::Course;
use crate::game::payoffs::{Payoffs, Tally};

/// A profile in which some replications ended.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// By player; where it does not matter who of several alike does what, in order.
    pub profile: Vec<u32>,
    /// How many replications.
    pub replications: u32,
    /// Of those that never left it again, the rounds that it took.
    pub rounds: Vec<u64>,
}

impl End {
    /// The median of the rounds after which it was never left again.
    pub fn median_rounds(&self) -> Option<f64> {
        let mut rounds = self.rounds.clone();
        rounds.sort_unstable();
        let (low, high) = (rounds.len().checked_sub(1)? / 2, rounds.len() / 2);
        Some((rounds[low] + rounds[high]) as f64 / 2.0)
    }

    /// Who would gain most by another action alone, how much, and by which; `None` at an
    /// equilibrium.
    pub fn temptation(&self, payoffs: &Payoffs) -> Option<(usize, f64, u32)> {
        temptation(&self.profile, payoffs)
    }
}

/// Differences below this share of the range of payoffs are of rounding.
const ROUNDING: f64 = 1e-12;

/// Who would gain most by leaving a profile alone, how much, and by which action.
pub(super) fn temptation(profile: &[u32], payoffs: &Payoffs) -> Option<(usize, f64, u32)> {
    let (least, most) = payoffs.range();
    let mut best: Option<(usize, f64, u32)> = None;
    let (mut brought, mut tally) = (Vec::new(), Tally::default());
    payoffs.count(profile, &mut tally);
    for (player, &own) in profile.iter().enumerate() {
        payoffs.instead_of(&tally, player, profile, &mut brought);
        for (action, payoff) in brought.iter().enumerate() {
            let gain = payoff - brought[own as usize];
            if gain > best.map_or(ROUNDING * (most - least), |(_, gain, _)| gain) {
                best = Some((player, gain, action as u32));
            }
        }
    }
    best
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    by_profile: BTreeMap<Vec<u32>, (u32, Vec<u64>)>,
    /// Replications in which somebody did not come to rest.
    pub mixed: u32,
}

impl Ends {
    pub(super) fn add(&mut self, frame: &Frame, course: &Course) {
        let Some(profile) = course.ended() else {
            self.mixed += 1;
            return;
        };
        let (count, rounds) = self.by_profile.entry(frame.canonical(profile)).or_default();
        *count += 1;
        rounds.extend(course.absorbed());
    }

    /// The profiles, the most frequent first.
    pub fn all(&self) -> Vec<End> {
        let end = |(profile, (replications, rounds)): (&Vec<u32>, &(u32, Vec<u64>))| End {
            profile: profile.clone(),
            replications: *replications,
            rounds: rounds.clone(),
        };
        let mut ends: Vec<End> = self.by_profile.iter().map(end).collect();
        ends.sort_by_key(|end| std::cmp::Reverse(end.replications));
        ends
    }
}
