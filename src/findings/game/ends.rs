//! Final profiles of the replications.

use super::course::Course;
use super::frame::Frame;
use crate::rounds::settled::median;
use game::payoffs::{Payoffs, Tally};
use kernel::map::Map;
use kernel::order::InOrder as _;

/// A profile in which some replications ended.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// Actions by player; sorted within classes whose players are interchangeable.
    pub profile: Vec<u32>,
    /// Number of replications that ended there.
    pub replications: u32,
    /// For replications that never left it again: the round since which they stayed there.
    pub rounds: Vec<u64>,
}

impl End {
    /// Median number of rounds until the profile was never left again.
    pub fn median_rounds(&self) -> Option<f64> {
        median(&self.rounds)
    }

    /// The player with the largest gain from a unilateral deviation, the gain, and the action.
    ///
    /// `None` if the profile is an equilibrium.
    pub fn temptation(&self, payoffs: &Payoffs) -> Option<(usize, f64, u32)> {
        temptation(&self.profile, payoffs, nothing(payoffs))
    }
}

/// Gains up to this are rounding errors. O(size of the game).
pub fn nothing(payoffs: &Payoffs) -> f64 {
    let (least, most) = payoffs.range();
    1e-12 * (most - least)
}

/// The player with the largest gain from a unilateral deviation, if it is above `nothing`, the gain,
/// and the action.
pub fn temptation(profile: &[u32], payoffs: &Payoffs, nothing: f64) -> Option<(usize, f64, u32)> {
    let mut best: Option<(usize, f64, u32)> = None;
    let (mut brought, mut tally) = (Vec::new(), Tally::default());
    payoffs.count(profile, &mut tally);
    for (player, &own) in profile.iter().enumerate() {
        payoffs.instead_of(&tally, player, profile, &mut brought);
        for (action, payoff) in brought.iter().enumerate() {
            let gain = payoff - brought[own as usize];
            if gain > best.map_or(nothing, |(_, gain, _)| gain) {
                best = Some((player, gain, action as u32));
            }
        }
    }
    best
}

/// Final profiles of all replications.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    by_profile: Map<Vec<u32>, (u32, Vec<u64>)>,
    /// Replications that are too short to tell where they ended.
    pub short: u32,
    /// Replications in which some player did not come to rest.
    pub mixed: u32,
    /// The replications among these that ended in a cycle, by its period in rounds.
    pub cycles: Map<u64, u32>,
    /// Replications without rest or cycle in which nobody mixed in the last quarter.
    pub pure: u32,
}

impl Ends {
    pub(crate) fn add(&mut self, frame: &Frame, course: &Course) {
        let cycle = course.cycle();
        if course.is_short() && cycle.is_none() {
            self.short += 1;
            return;
        }
        let Some(profile) = course.ended() else {
            self.mixed += 1;
            match cycle {
                Some(period) => *self.cycles.get_or_default(period) += 1,
                None => self.pure += u32::from(!course.is_mixing()),
            }
            return;
        };
        let (count, rounds) = self.by_profile.get_or_default(frame.canonical(profile));
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
        ends.order_by_key(|end| std::cmp::Reverse(end.replications));
        ends
    }
}
