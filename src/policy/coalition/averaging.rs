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

use super::{Balancer, Member, Move, TIME, UNIT};
use kernel::state_of_fields;
use kernel::time::{Span, Time};

paced! {
    /// Parameters of averaging.
    pub struct Options, grid = 5.0
}

/// The balancer. O(members) for each balancing; it allocates only to grow with them.
#[derive(Clone, Debug, Default)]
pub struct Averaging {
    /// Load of each member, in units.
    loads: Vec<i64>,
    /// The same, to find the most loaded.
    sorted: Vec<i64>,
    /// Units that senders give, and units that receivers miss, in the order of members.
    given: Shares,
    missing: Shares,
}

impl Averaging {
    /// Creates the balancer.
    pub fn new(_: &Options) -> Averaging {
        Averaging::default()
    }

    /// Reads the loads; returns the shorter of the two target queues, in units, and the number of
    /// members that end one unit above it.
    fn targets(&mut self, unit: Span, members: &[Member]) -> (i64, usize) {
        self.loads.clear();
        self.loads.extend(members.iter().map(|member| member.load_in(unit)));
        let total: i128 = self.loads.iter().map(|&load| i128::from(load)).sum();
        let count = members.len() as i64;
        match i64::try_from(total) {
            Ok(total) => (total / count, (total % count) as usize),
            Err(_) => {
                let count = i128::from(count);
                ((total / count) as i64, (total % count) as usize)
            }
        }
    }

    /// Returns the least load of the `longer` most loaded members, and how many of the members with
    /// this load are among them.
    fn most_loaded(&mut self, longer: usize) -> (i64, usize) {
        if longer == 0 {
            return (i64::MAX, 0);
        }
        self.sorted.clone_from(&self.loads);
        let (more, &mut least, _) =
            self.sorted.select_nth_unstable_by(longer - 1, |one, other| other.cmp(one));
        (least, longer - more.iter().filter(|&&load| load > least).count())
    }
}

/// Units of some members. Members are added without a branch: who gives is as good as random.
#[derive(Clone, Debug, Default)]
struct Shares {
    /// Members with their units, and behind them places that are not used.
    places: Vec<(u32, i64)>,
    count: usize,
}

impl Shares {
    fn clear(&mut self, members: usize) {
        self.places.resize(members, (0, 0));
        self.count = 0;
    }

    /// Adds a member, if its units are positive. At most as many are added as there are members.
    #[inline]
    fn add(&mut self, member: u32, units: i64) {
        self.places[self.count] = (member, units);
        self.count += usize::from(units > 0);
    }
}

state_of_fields!(Averaging {});

impl Balancer for Averaging {
    fn balance(&mut self, now: Time, unit: Span, members: &[Member], out: &mut Vec<Move>) -> Span {
        if members.is_empty() {
            return Span::ZERO;
        }
        let (base, longer) = self.targets(unit, members);
        let (least, mut ties) = self.most_loaded(longer);
        let aim = base + i64::from(longer > 0);
        let mut longest = aim;
        let Averaging { loads, given, missing, .. } = self;
        given.clear(members.len() + 1);
        missing.clear(members.len() + 1);
        for ((index, member), &load) in (0..).zip(members).zip(&*loads) {
            let is_tie = (load == least) & (ties > 0);
            ties -= usize::from(is_tie);
            let surplus = load - base - i64::from(is_tie | (load > least));
            let units = surplus.min(member.sendable_in(unit));
            longest = longest.max(load - units.max(0));
            given.add(index, units);
            missing.add(index, -surplus);
        }
        let promised = now + unit * aim;
        // The deficits and surpluses have the same sum, so receivers are left until the last sender.
        let (mut sender, mut receiver) = (0, 0);
        while sender < given.count {
            let ((from, left), (to, room)) =
                (&mut given.places[sender], &mut missing.places[receiver]);
            let amount = (*left).min(*room);
            out.push(Move { from: *from, to: *to, amount: unit * amount, promised });
            *left -= amount;
            *room -= amount;
            sender += usize::from(*left == 0);
            receiver += usize::from(*room == 0);
        }
        unit * longest
    }
}
