//! Network of favours (Andrade, Brasileiro, Cirne and Mowbray, "Automatic grid assembly by promoting
//! collaboration in peer-to-peer grids", Journal of Parallel and Distributed Computing 67(8), 2007), for
//! divisible work.
//!
//! Each organization remembers what it owes to each other one: the work that the other did for it, less
//! the work that it did in return, and never less than 0. A member whose queue is below the mean of all
//! has room up to the mean, or up to its declared participation level if that is lower. It gives its
//! room first to whom it owes most (ties: the first), and so to strangers last. No debt is negative, so
//! nobody gains by a new name.
//!
//! Members are visited by increasing load (ties: the first). One above the mean sends down to it, as far
//! as its own work, its level and the room go. Everything is a whole number of units; a mean is rounded
//! up. All that a member receives is promised for the end of its queue.
//!
//! The paper is about whole jobs that are killed when an owner comes back. Here what is accepted is done.
//!
//! O(n^2 log n) for each balancing of n members, O(n^2) memory: it is meant for up to some hundreds.

use super::{Balancer, Member, Move, TIME, UNIT};
use kernel::state_of_fields;
use kernel::time::{Span, Time};

paced! {
    /// Parameters of the network of favours.
    pub struct Options, grid = 1.0
}

/// The balancer.
#[derive(Clone, Debug, Default)]
pub struct Favors {
    /// Ticks that an organization owes, by debtor and creditor.
    owed: Vec<Vec<i64>>,
    /// Members by load.
    order: Vec<(i64, u32)>,
    /// Members that may send, with the units that are left.
    senders: Vec<(u32, i64)>,
    /// Units by sender, turn of the receiver, and receiver.
    parts: Vec<(u32, u32, u32, i64)>,
    /// Queue of each member after all parts, in units.
    queues: Vec<i64>,
}

state_of_fields!(Favors { owed });

impl Favors {
    /// Creates the balancer.
    pub fn new(_: &Options) -> Favors {
        Favors::default()
    }

    /// Ticks that one owes the other.
    fn owes(&self, debtor: u32, creditor: u32) -> i64 {
        let row = self.owed.get(debtor as usize);
        row.and_then(|row| row.get(creditor as usize)).copied().unwrap_or(0)
    }

    /// One has done this much work for the other.
    fn remember(&mut self, donor: u32, consumer: u32, ticks: i64) {
        let mut add = |debtor: u32, creditor: u32, ticks: i64| {
            let (debtor, creditor) = (debtor as usize, creditor as usize);
            if self.owed.len() <= debtor {
                self.owed.resize(debtor + 1, Vec::new());
            }
            let row = &mut self.owed[debtor];
            if row.len() <= creditor {
                row.resize(creditor + 1, 0);
            }
            row[creditor] = (row[creditor] + ticks).max(0);
        };
        add(donor, consumer, -ticks);
        add(consumer, donor, ticks);
    }
}

impl Balancer for Favors {
    fn balance(&mut self, now: Time, unit: Span, members: &[Member], out: &mut Vec<Move>) -> Span {
        let loads = || members.iter().map(|member| member.load_in(unit));
        let total: i128 = loads().map(i128::from).sum();
        let count = members.len().max(1) as i128;
        let mean = ((total + count - 1) / count) as i64;
        let (mut order, mut senders) =
            (std::mem::take(&mut self.order), std::mem::take(&mut self.senders));
        order.clear();
        order.extend(loads().zip(0..));
        order.sort_unstable();
        self.queues.clear();
        self.queues.extend(loads());
        senders.clear();
        senders.extend((0..).zip(members).filter_map(|(at, member)| {
            let above = member.load_in(unit) - mean;
            let units = above.min(member.level_in(unit)).min(member.sendable_in(unit));
            (units > 0).then_some((at, units))
        }));
        self.parts.clear();
        for (turn, &(load, to)) in (0..).zip(&order) {
            let donor = members[to as usize];
            let mut room = mean.min(donor.level_in(unit)) - load;
            if room <= 0 {
                continue;
            }
            let who = |at: u32| members[at as usize].who;
            senders.sort_unstable_by_key(|&(at, _)| (-self.owes(donor.who, who(at)), at));
            for (from, left) in senders.iter_mut().filter(|(_, left)| *left > 0) {
                let units = room.min(*left);
                *left -= units;
                room -= units;
                self.parts.push((*from, turn, to, units));
                self.queues[*from as usize] -= units;
                self.queues[to as usize] += units;
                self.remember(donor.who, who(*from), (unit * units).ticks());
                if room == 0 {
                    break;
                }
            }
        }
        (self.order, self.senders) = (order, senders);
        self.parts.sort_unstable();
        out.extend(self.parts.iter().map(|&(from, _, to, units)| {
            let promised = now + unit * self.queues[to as usize];
            Move { from, to, amount: unit * units, promised }
        }));
        out.iter().map(|part| part.promised - now).max().unwrap_or(Span::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units that move, as sender, receiver and amount.
    fn moves(favors: &mut Favors, members: &[(u32, i64, Option<i64>)]) -> Vec<(u32, u32, i64)> {
        let member = |&(who, load, level): &(u32, i64, Option<i64>)| Member {
            who,
            local: Span::units(load),
            foreign: Span::ZERO,
            level: level.map(Span::units),
        };
        let members: Vec<Member> = members.iter().map(member).collect();
        let mut out = Vec::new();
        favors.balance(Time::ZERO, Span::UNIT, &members, &mut out);
        out.iter().map(|one| (one.from, one.to, one.amount.ticks() / Span::UNIT.ticks())).collect()
    }

    /// Worked out by hand. Room of 3 each: among strangers the first is served. Then 7 owes 5 three
    /// units, so that 5 comes before 3.
    #[test]
    fn room_goes_to_whom_one_owes_and_debts_end_at_nothing() {
        let mut favors = Favors::default();
        let bound = |load| [(3, 30, None), (5, 30, None), (7, load, Some(load + 3))];
        assert_eq!(moves(&mut favors, &bound(0)), [(0, 2, 3)]);
        assert_eq!((favors.owes(3, 7), favors.owes(7, 3)), (3_000_000, 0));
        // 5 does work of 7: a mean of 4, so it takes 4.
        assert_eq!(moves(&mut favors, &[(5, 0, None), (7, 8, None)]), [(1, 0, 4)]);
        assert_eq!(favors.owes(7, 5), 4_000_000);
        assert_eq!(moves(&mut favors, &bound(0)), [(1, 2, 3)]);
        assert_eq!(favors.owes(7, 5), 1_000_000);
        assert_eq!(moves(&mut favors, &bound(0)), [(1, 2, 3)]);
        // It has given back more than it owed: nothing is owed, and the other owes the rest.
        assert_eq!((favors.owes(7, 5), favors.owes(5, 7)), (0, 6_000_000));
    }

    /// Whatever the loads and levels: nobody sends more than it has above the mean, or receives beyond
    /// it or its level; promises are for the ends of the queues.
    #[test]
    fn queues_come_to_the_mean_where_nobody_has_a_level() {
        let mut favors = Favors::default();
        let members = [(0, 10, None), (1, 0, None), (2, 2, None), (3, 0, None)];
        let moved = moves(&mut favors, &members);
        assert_eq!(moved, [(0, 1, 3), (0, 3, 3), (0, 2, 1)]);
        assert!(moves(&mut favors, &[(0, 4, Some(0)), (1, 0, Some(0))]).is_empty());
        assert!(moves(&mut favors, &[]).is_empty());
    }
}
