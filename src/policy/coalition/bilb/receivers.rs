//! Data structure for the receivers of BILB: each sender visits only those that get something.
//!
//! In order of load the mean only grows, and a member's queue only grows once it has sent. So a
//! receiver passes through these states, in this order:
//!
//! - *asleep*: its queue is not below the mean (it has just sent, or was filled up to the mean). A
//!   heap by queue wakes it once the mean has passed it;
//! - *open*: the mean bounds its space, which is larger the shorter its queue is. A member that
//!   wakes has a longer queue than all open ones, and one that is filled up to the mean had the
//!   least space: both happen at one end, so a stack keeps the order (it may fall asleep again);
//! - *bounded*: the mean has passed its level, which bounds its space from now on; the space
//!   changes only when it receives. It waits in a heap by space, and from its first receipt on it
//!   is in a second stack;
//! - *closed*: it is filled up to its level, or was never below it.
//!
//! Both stacks stay sorted when a sender shares: by increasing space it fills some receivers up and
//! gives the others equal shares, except for one extra unit to the first of them; and the receivers
//! it reaches had less space than all others. So a sender takes from the tops and gives to every
//! receiver it visits: each move costs O(1), or O(log n) if it fills up its receiver.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Round;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Asleep,
    Open,
    Bounded,
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stack {
    Open,
    Bounded,
}

/// The members that have had their turn to send.
#[derive(Clone, Debug, Default)]
pub(super) struct Receivers {
    /// State of each member.
    places: Vec<Place>,
    /// Sleeping members by queue, ties by the last member first: opened in this order, the first
    /// member ends on top of the stack.
    asleep: BinaryHeap<Reverse<(i64, Reverse<u32>)>>,
    /// Stack of open members, the least space on top. Members that became bounded stay until
    /// visited.
    open: Vec<u32>,
    /// Number of open members in it.
    open_count: usize,
    /// Sleeping and open members with a level, the lowest first.
    by_level: BinaryHeap<Reverse<(i64, u32)>>,
    /// Bounded members that have received nothing since, by space.
    fresh: BinaryHeap<Reverse<(i64, u32)>>,
    /// Stack of (space, member), the least space on top.
    bounded: Vec<(i64, u32)>,
    /// Open members to be put back on the stack.
    kept_open: Vec<u32>,
    /// Bounded members to be put back on the stack.
    kept_bounded: Vec<(i64, u32)>,
}

impl Receivers {
    pub(super) fn clear(&mut self, members: usize) {
        self.places.clear();
        self.places.resize(members, Place::Closed);
        self.asleep.clear();
        self.open.clear();
        self.open_count = 0;
        self.by_level.clear();
        self.fresh.clear();
        self.bounded.clear();
    }

    /// Adds a member after its turn: its queue is not below the mean, and it may receive from now
    /// on.
    #[inline]
    pub(super) fn join(&mut self, round: &Round<'_>, member: u32) {
        let (queue, level) = (round.queues[member as usize], round.levels[member as usize]);
        if queue >= level {
            return;
        }
        self.places[member as usize] = Place::Asleep;
        self.asleep.push(Reverse((queue, Reverse(member))));
        if level < i64::MAX {
            self.by_level.push(Reverse((level, member)));
        }
    }

    /// Shares units of `from` among the receivers with space, given the mean.
    pub(super) fn share(&mut self, round: &mut Round<'_>, from: u32, units: i64, mean: i64) {
        self.bound(round, mean);
        self.wake(mean);
        let mut rest = units;
        let mut left = (self.open_count + self.fresh.len() + self.bounded.len()) as i64;
        while rest > 0 && left > 0 {
            let (space, to, stack) = self.take(round, mean);
            let amount = space.min((rest + left - 1) / left);
            round.give(from, to, amount);
            rest -= amount;
            left -= 1;
            match stack {
                Stack::Open => self.put_back_open(to, space - amount, mean),
                Stack::Bounded => self.put_back_bounded(to, space - amount),
            }
        }
        self.open.extend(self.kept_open.drain(..).rev());
        self.bounded.extend(self.kept_bounded.drain(..).rev());
    }

    /// Takes the receiver with the least space (ties: the first); returns its space, its index and
    /// the stack it goes back to.
    #[inline]
    fn take(&mut self, round: &Round<'_>, mean: i64) -> (i64, u32, Stack) {
        const NOBODY: (i64, u32) = (i64::MAX, u32::MAX);
        self.drop_stale();
        let space = |&to: &u32| (mean - round.queues[to as usize], to);
        let open = self.open.last().map_or(NOBODY, space);
        let fresh = self.fresh.peek().map_or(NOBODY, |&Reverse(top)| top);
        let bounded = self.bounded.last().copied().unwrap_or(NOBODY);
        let (space, to) = open.min(fresh).min(bounded);
        assert!(to != u32::MAX, "as many are left as were counted");
        if to == open.1 {
            self.open.pop();
            return (space, to, Stack::Open);
        }
        if to == fresh.1 {
            self.fresh.pop();
        } else {
            self.bounded.pop();
        }
        (space, to, Stack::Bounded)
    }

    fn put_back_open(&mut self, member: u32, space: i64, mean: i64) {
        if space > 0 {
            self.kept_open.push(member);
        } else {
            self.places[member as usize] = Place::Asleep;
            self.open_count -= 1;
            self.asleep.push(Reverse((mean, Reverse(member))));
        }
    }

    fn put_back_bounded(&mut self, member: u32, space: i64) {
        if space > 0 {
            self.kept_bounded.push((space, member));
        } else {
            self.places[member as usize] = Place::Closed;
        }
    }

    /// Marks as bounded those whose level is below the mean.
    fn bound(&mut self, round: &Round<'_>, mean: i64) {
        while let Some(&Reverse((level, member))) = self.by_level.peek()
            && level < mean
        {
            self.by_level.pop();
            let place = &mut self.places[member as usize];
            self.open_count -= usize::from(*place == Place::Open);
            let space = level - round.queues[member as usize];
            *place = if space > 0 { Place::Bounded } else { Place::Closed };
            if space > 0 {
                self.fresh.push(Reverse((space, member)));
            }
        }
    }

    /// Opens those whose queue is below the mean.
    fn wake(&mut self, mean: i64) {
        while let Some(&Reverse((queue, Reverse(member)))) = self.asleep.peek()
            && queue < mean
        {
            self.asleep.pop();
            // It may have passed its level too, and be bounded or closed.
            if self.places[member as usize] == Place::Asleep {
                self.places[member as usize] = Place::Open;
                self.open.push(member);
                self.open_count += 1;
            }
        }
    }

    /// Removes members that became bounded from the top of the open stack.
    fn drop_stale(&mut self) {
        while let Some(&top) = self.open.last()
            && self.places[top as usize] != Place::Open
        {
            self.open.pop();
        }
    }
}
