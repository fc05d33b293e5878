//! Averaging (Rzadca and Trystram 2009, section 4.2.1): brings every queue to the mean length.
//!
//! With `n` members and `T` units of work in total, the `T mod n` most loaded members (ties: the
//! first) end at `T div n + 1` units, the others at `T div n`. With a unit of one tick this is the
//! mean itself, to a tick. All work sent is promised for the end of the longest queue.
//!
//! The paper gives amounts, not pairs of sender and receiver. Here both are visited in order, each
//! sender filling up one receiver after the other, in at most `n - 1` moves.
//!
//! The paper balances once all queues have ended, so there is no foreign work at a balancing.
//! Foreign work that is still there (because balancings are more frequent) counts as load but
//! cannot be sent on: a member with too little own work to come down to the mean sends all of it
//! and stays above the mean, and the last receivers stay below. Promises hold all the same, and the
//! next balancing waits for the longest queue.

use super::{Balancer, Member, Move, Spacing, TIME, UNIT, grid_rounds, span, unit};
use crate::kernel::time::{Span, Time};
use crate::model::bounds::parameters;
use crate::model::invalid::Invalid;
use crate::state_of_fields;

parameters! {
    /// Parameters of averaging.
    #[serde(default)]
    pub struct Options {
        /// Granularity: work moves in multiples of this, in units of time; one tick (1e-6) if left
        /// out.
        #[serde(skip_serializing_if = "Option::is_none")]
        unit: Option<f64> as UNIT = None,
        /// Minimum time between balancings, in units of time.
        least: f64 as TIME = 5.0,
        /// Round the time between balancings up to a multiple of this, in units of time; 0 for no
        /// rounding.
        grid: f64 as TIME = 5.0,
    }
    where grid_rounds
}

impl Options {
    fn grid_rounds(&self) -> Result<(), Invalid> {
        grid_rounds(self.grid)
    }

    pub(super) fn unit(&self) -> Span {
        unit(self.unit)
    }

    pub(super) fn spacing(&self) -> Spacing {
        Spacing { least: span(self.least), grid: span(self.grid) }
    }
}

/// The balancer. O(members) for each balancing; it allocates only to grow with them.
#[derive(Clone, Debug, Default)]
pub struct Averaging {
    /// Units of each member above (or below) its target.
    surplus: Vec<i64>,
    /// Scratch space, to find the most loaded.
    loads: Vec<i64>,
}

impl Averaging {
    /// Creates the balancer.
    pub fn new(_: &Options) -> Averaging {
        Averaging::default()
    }

    /// Fills `surplus`; returns the longest target queue, in units.
    fn aim(&mut self, unit: Span, members: &[Member]) -> i64 {
        let Averaging { surplus, loads } = self;
        surplus.clear();
        surplus.extend(members.iter().map(|member| member.load_in(unit)));
        let total: i128 = surplus.iter().map(|&load| i128::from(load)).sum();
        let count = members.len() as i64;
        let (base, longer) = match i64::try_from(total) {
            Ok(total) => (total / count, (total % count) as usize),
            Err(_) => {
                let count = i128::from(count);
                ((total / count) as i64, (total % count) as usize)
            }
        };
        if longer == 0 {
            surplus.iter_mut().for_each(|load| *load -= base);
            return base;
        }
        loads.clone_from(surplus);
        let (more, &mut least, _) =
            loads.select_nth_unstable_by(longer - 1, |one, other| other.cmp(one));
        let mut ties = longer - more.iter().filter(|&&load| load > least).count();
        for load in surplus {
            let is_tie = *load == least && ties > 0;
            ties -= usize::from(is_tie);
            *load -= base + i64::from(is_tie || *load > least);
        }
        base + 1
    }
}

state_of_fields!(Averaging {});

impl Balancer for Averaging {
    fn balance(&mut self, now: Time, unit: Span, members: &[Member], out: &mut Vec<Move>) -> Span {
        if members.is_empty() {
            return Span::ZERO;
        }
        let aim = self.aim(unit, members);
        let promised = now + unit * aim;
        let mut longest = aim;
        let mut to = 0;
        for (from, member) in members.iter().enumerate() {
            let surplus = self.surplus[from];
            if surplus <= 0 {
                continue;
            }
            let mut left = surplus.min(member.sendable_in(unit));
            longest = longest.max(member.load_in(unit) - left);
            while left > 0 {
                // The deficits and surpluses have the same sum.
                while self.surplus[to] >= 0 {
                    to += 1;
                }
                let amount = left.min(-self.surplus[to]);
                self.surplus[to] += amount;
                left -= amount;
                let (from, to) = (from as u32, to as u32);
                out.push(Move { from, to, amount: unit * amount, promised });
            }
        }
        unit * longest
    }
}
