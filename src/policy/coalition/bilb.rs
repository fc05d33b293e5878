//! Bounded iterative load balancing, BILB (Rzadca and Trystram 2009, section 6.1).
//!
//! Members are visited by increasing load (ties: the first). Let `L` be their loads, `l` their
//! declared participation levels, `Phi` the work each has received so far and `Psi` the work it has
//! sent. The `k`-th member sends to the `k - 1` before it, up to
//!
//! ```text
//! Psi* = min(L_k - mean of the k smallest loads, l_k)
//! ```
//!
//! and never more than its own work. The space of a receiver `i` is
//!
//! ```text
//! min(mean of the k smallest loads, l_i) - (L_i + Phi_i - Psi_i)
//! ```
//!
//! and receivers are visited by increasing space (ties: the first), each getting an equal share of
//! the rest, as far as its space allows. Everything is a whole number of units: means and shares
//! are rounded up, levels to the nearest. A part is promised for the end of its receiver's queue
//! right after the part was added; later parts go behind it.
//!
//! Deviations from the printed text, which contradicts itself: it prints the *greater* of the two
//! bounds for `Psi*` but explains that nobody sends more than `l_k`; and it leaves out `Psi_i` from
//! the first bound of a receiver, so that a member that has sent is never filled up to the mean.
//! Both fit the paper's tables worse; options enable them.
//!
//! # Cost
//!
//! O((n + moves) log n): receivers without space are never visited (see `receivers`), nor are
//! senders with nothing to send. There are up to `n (n - 1) / 2` moves, and without levels nearly
//! as many if the unit is small, since a sender shares among all: no algorithm that lists the moves
//! can be faster. With a large unit senders have few units to share, and there are correspondingly
//! few moves. The printed variants sort all receivers for every sender: O(n^2 log n).

use self::printed::Printed;
use self::receivers::Receivers;
use super::{Balancer, Member, Move, TIME, UNIT};
use kernel::state_of_fields;
use kernel::time::{Span, Time};

mod printed;
mod receivers;

paced! {
    /// Parameters of BILB.
    pub struct Options, grid = 1.0;
    /// Use the sender's bound as printed in the paper: a member sends up to the greater, not the
    /// smaller, of its surplus above the mean and its participation level.
    printed_sender_bound: bool = false,
    /// Use the receiver's bound as printed in the paper: sending makes no room below the mean.
    printed_receiver_bound: bool = false,
}

/// The balancer. It allocates only to grow with the members and the moves.
#[derive(Clone, Debug)]
pub struct Bilb {
    rule: Rule,
    /// Loads with their members, to be sorted.
    order: Vec<(i64, u32)>,
    /// Queue of each member, in units.
    queues: Vec<i64>,
    /// Participation level of each member, in units.
    levels: Vec<i64>,
}

#[derive(Clone, Debug)]
enum Rule {
    Settled(Receivers),
    Printed(Printed),
}

impl Bilb {
    /// Creates the balancer.
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

/// A mean, rounded up. Fast path: sums nearly always have 64 bits, which divide several times faster.
#[inline]
fn up(total: i128, count: i64) -> i64 {
    match i64::try_from(total + i128::from(count - 1)) {
        Ok(sum) => sum / count,
        Err(_) => ((total + i128::from(count - 1)) / i128::from(count)) as i64,
    }
}

/// State of the members during a balancing, in units.
struct Round<'a> {
    now: Time,
    unit: Span,
    queues: &'a mut [i64],
    levels: &'a [i64],
    out: &'a mut Vec<Move>,
}

impl Round<'_> {
    /// Moves a positive number of units, and promises them.
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
            let mean = up(total, before as i64 + 1);
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
        // A queue grows with each part, so the last part of the longest queue is the latest of all.
        out.iter().map(|part| part.promised - now).max().unwrap_or(Span::ZERO)
    }
}
