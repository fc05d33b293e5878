//! Bounded iterative load balancing, BILB (Rzadca and Trystram 2009, section 6.1).
//!
//! Members are taken from the least loaded on (of equal ones the first). Let `L` be their loads,
//! `l` the participation levels they declared, `Phi` what each has received so far and `Psi` what
//! it has sent. The `k`-th sends to the `k - 1` before it, up to
//!
//! ```text
//! Psi* = min(L_k - mean of the k smallest loads, l_k)
//! ```
//!
//! and never more than it has of its own. The space that a receiver `i` has is
//!
//! ```text
//! min(mean of the k smallest loads, l_i) - (L_i + Phi_i - Psi_i)
//! ```
//!
//! and receivers are gone through by increasing space (of equal ones the first), each getting an
//! equal share of what is left, as far as it has space. Everything is a whole number of units:
//! means and shares are rounded up, levels to the nearest. A part is promised for the end of its
//! receiver's queue as it is when the part has been added; later parts go behind it.
//!
//! Where this differs from the printed text, the text contradicts itself: it prints the *greater*
//! of the two bounds for `Psi*` but explains that nobody sends more than `l_k`; and it leaves out
//! `Psi_i` from the first bound of a receiver, so that whoever has sent never fills up to the
//! mean. Both are worse fits to the paper's tables; they can be switched on.
//!
//! # Cost
//!
//! O((n + moves) log n): receivers without space are never looked at (`receivers` says how), nor
//! are senders that have nothing to send. There are up to `n (n - 1) / 2` moves, and without levels
//! nearly as many if the unit is small, since a sender shares among all: nothing that lists the
//! moves can be faster. With a unit so large that senders have few units to share, there are as few
//! moves. The printed variants sort all receivers for every sender: O(n^2 log n).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::printed::Printed;
use self::receivers::Receivers;
use super::{Balancer, Member, Move, Spacing, span, unit, valid_spacing, valid_unit};
use crate::kernel::time::{Span, Time};
use crate::model::invalid::Invalid;
use crate::state_of_fields;

mod printed;
mod receivers;

/// Parameters of BILB.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Work is moved in whole multiples of this, in units of time; a tick, 1e-6, if it is not
    /// given.
    #[schemars(range(min = 1e-6, max = 1e9))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<f64>,
    /// The least time from one balancing to the next, in units of time.
    #[schemars(range(min = 0, max = 1e9))]
    pub least: f64,
    /// Balancings are a multiple of this apart, in units of time; 0 for any time.
    #[schemars(range(min = 0, max = 1e9))]
    pub grid: f64,
    /// As the paper prints it: a member sends up to the greater, not the less, of what it has above
    /// the mean and its participation level.
    pub printed_sender_bound: bool,
    /// As the paper prints it: what a receiver has sent itself makes no room below the mean.
    pub printed_receiver_bound: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            unit: None,
            least: 5.0,
            grid: 1.0,
            printed_sender_bound: false,
            printed_receiver_bound: false,
        }
    }
}

impl Options {
    pub(super) fn validate(&self) -> Result<(), Invalid> {
        valid_unit(self.unit)?;
        valid_spacing(self.least, self.grid)
    }

    pub(super) fn unit(&self) -> Span {
        unit(self.unit)
    }

    pub(super) fn spacing(&self) -> Spacing {
        Spacing { least: span(self.least), grid: span(self.grid) }
    }
}

/// The balancer. It allocates only to grow with the members and the moves.
#[derive(Clone, Debug)]
pub struct Bilb {
    rule: Rule,
    /// Loads with their members, to be sorted.
    order: Vec<(i64, u32)>,
    /// By member: its queue, in units.
    queues: Vec<i64>,
    /// By member: its participation level, in units.
    levels: Vec<i64>,
}

#[derive(Clone, Debug)]
enum Rule {
    Settled(Receivers),
    Printed(Printed),
}

impl Bilb {
    /// With nothing learnt.
    pub fn new(options: &Options) -> Bilb {
        let (sender, receiver) = (options.printed_sender_bound, options.printed_receiver_bound);
        let rule = if sender || receiver {
            Rule::Printed(Printed::new(sender, receiver))
        } else {
            Rule::Settled(Receivers::default())
        };
        Bilb { rule, order: Vec::new(), queues: Vec::new(), levels: Vec::new() }
    }
}

state_of_fields!(Bilb {});

/// Members as BILB knows them while it goes through them, in units.
struct Round<'a> {
    now: Time,
    unit: Span,
    queues: &'a mut [i64],
    levels: &'a [i64],
    out: &'a mut Vec<Move>,
}

impl Round<'_> {
    /// Moves so many units, more than none, and promises them.
    #[inline]
    fn give(&mut self, from: u32, to: u32, units: i64) {
        self.queues[from as usize] -= units;
        self.queues[to as usize] += units;
        let promised = self.now + self.unit * self.queues[to as usize];
        self.out.push(Move { from, to, amount: self.unit * units, promised });
    }
}

impl Balancer for Bilb {
    fn balance(&mut self, now: Time, unit: Span, members: &[Member], out: &mut Vec<Move>) -> Span {
        self.order.clear();
        self.queues.clear();
        self.levels.clear();
        for (index, member) in members.iter().enumerate() {
            let load = member.load_in(unit);
            self.order.push((load, index as u32));
            self.queues.push(load);
            self.levels.push(member.level_in(unit));
        }
        self.order.sort_unstable();
        let levels = &self.levels;
        let mut round = Round { now, unit, queues: &mut self.queues, levels, out };
        match &mut self.rule {
            Rule::Settled(receivers) => receivers.clear(members.len()),
            Rule::Printed(printed) => printed.clear(members.len()),
        }
        let mut total = 0;
        for (before, &(load, member)) in self.order.iter().enumerate() {
            total += i128::from(load);
            let count = before as i128 + 1;
            let mean = ((total + count - 1) / count) as i64;
            let (above, level) = (load - mean, levels[member as usize]);
            let own = || members[member as usize].sendable_in(unit);
            match &mut self.rule {
                Rule::Settled(receivers) => {
                    let bound = above.min(level);
                    if bound > 0 {
                        receivers.share(&mut round, member, bound.min(own()), mean);
                    }
                    receivers.join(&round, member);
                }
                Rule::Printed(printed) => {
                    let bound = if printed.sender { above.max(level) } else { above.min(level) };
                    printed.share(&mut round, member, bound.min(own()), mean);
                    printed.join(member);
                }
            }
        }
        // A queue grows with each part, so the last part of the longest is the latest of all.
        out.iter().map(|part| part.promised - now).max().unwrap_or(Span::ZERO)
    }
}
