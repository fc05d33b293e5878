//! Profile of free processors over time, from some instant on.

use kernel::time::{Span, Time};

/// Maximum number of steps in a block; longer ones are split.
const MOST: usize = 256;

/// Consecutive steps, with bounds of their free processors.
#[derive(Clone, Debug)]
struct Block {
    /// Offset added to each step.
    more: i64,
    /// Smallest and largest number over the steps, without the offset.
    least: i64,
    most: i64,
    /// Times with the number of free processors from then on.
    steps: Vec<(Time, i64)>,
}

impl Block {
    fn of(steps: Vec<(Time, i64)>) -> Block {
        let least = steps.iter().map(|step| step.1).min().unwrap_or(0);
        let most = steps.iter().map(|step| step.1).max().unwrap_or(0);
        Block { more: 0, least, most, steps }
    }

    fn bound(&mut self) {
        let Block { more, steps, .. } = std::mem::replace(self, Block::of(Vec::new()));
        *self = Block { more, ..Block::of(steps) };
    }

    fn begin(&self) -> Time {
        self.steps[0].0
    }
}

/// Free processors as steps in increasing order of time; the last holds forever. Searches skip
/// whole blocks of steps.
#[derive(Clone, Debug)]
pub(super) struct Availability {
    /// Nonempty blocks.
    blocks: Vec<Block>,
}

/// Position of a step: its block, and its index there.
type Place = (usize, usize);

impl Availability {
    /// A profile with `free` processors from `now` on, plus later releases, in order of time.
    pub fn of(now: Time, free: i64, released: impl Iterator<Item = (Time, i64)>) -> Availability {
        let mut steps = vec![(now, free)];
        for (time, size) in released {
            let &(last, free) = steps.last().expect("there is one");
            if last == time {
                steps.pop();
            }
            steps.push((time, free + size));
        }
        let blocks = steps.chunks(MOST / 2).map(|steps| Block::of(steps.to_vec())).collect();
        Availability { blocks }
    }

    /// Drops the steps that ended by `now`.
    pub fn advance(&mut self, now: Time) {
        let whole = self.blocks.partition_point(|block| block.begin() <= now).saturating_sub(1);
        self.blocks.drain(..whole);
        let steps = &mut self.blocks[0].steps;
        let past = steps.partition_point(|step| step.0 <= now).saturating_sub(1);
        steps.drain(..past);
    }

    /// Position of the step at a time, or of the first one.
    fn at(&self, time: Time) -> Place {
        let block = self.blocks.partition_point(|block| block.begin() <= time).saturating_sub(1);
        let steps = &self.blocks[block].steps;
        (block, steps.partition_point(|step| step.0 <= time).saturating_sub(1))
    }

    /// Ensures that a step begins at `time`.
    fn split(&mut self, time: Time) -> Place {
        let (at, place) = self.at(time);
        let block = &mut self.blocks[at];
        let (begins, free) = block.steps[place];
        if begins >= time {
            return (at, place);
        }
        block.steps.insert(place + 1, (time, free));
        if block.steps.len() <= MOST {
            return (at, place + 1);
        }
        let behind = block.steps.split_off(MOST / 2);
        let more = block.more;
        block.bound();
        self.blocks.insert(at + 1, Block { more, ..Block::of(behind) });
        self.at(time)
    }

    /// Removes the step at `time` if it equals the one before it in its block.
    fn merge(&mut self, time: Time) {
        let (at, place) = self.at(time);
        let steps = &mut self.blocks[at].steps;
        if place > 0 && steps[place].1 == steps[place - 1].1 {
            steps.remove(place);
        }
    }

    /// Changes the number of free processors from one time to another.
    pub fn change(&mut self, from: Time, until: Time, more: i64) {
        if from >= until {
            return;
        }
        self.split(from);
        let is_bounded = until != Time::NEVER;
        if is_bounded {
            self.split(until);
        }
        let (first, begin) = self.at(from);
        let (last, end) = match is_bounded {
            true => self.at(until),
            false => (self.blocks.len(), 0),
        };
        for at in first..self.blocks.len().min(last + 1) {
            let block = &mut self.blocks[at];
            let begin = if at == first { begin } else { 0 };
            let end = if at == last { end } else { block.steps.len() };
            if (begin, end) == (0, block.steps.len()) {
                block.more += more;
            } else if begin < end {
                block.steps[begin..end].iter_mut().for_each(|step| step.1 += more);
                block.bound();
            }
        }
        if is_bounded {
            self.merge(until);
        }
        self.merge(from);
    }

    /// The earliest time from `now` on, and before `latest`, from which `size` processors are free
    /// for `length`, or until `own`.
    pub fn earliest(
        &self,
        now: Time,
        size: i64,
        length: Span,
        (latest, own): (Time, Time),
    ) -> Option<Time> {
        let mut place = self.at(now);
        loop {
            let (found, time) = self.next(
                place,
                Time::NEVER,
                |block| block.most >= size - block.more,
                |free| free >= size,
            )?;
            let start = time.max(now);
            if start >= latest {
                return None;
            }
            let end = start.saturating_add(length).min(own);
            match self.next(found, end, |block| block.least < size - block.more, |free| free < size)
            {
                Some((lacking, _)) => place = lacking,
                None => return Some(start),
            }
        }
    }

    /// The first matching step from a position on, and before a time; `may` is false for blocks
    /// that cannot contain one.
    fn next(
        &self,
        (first, from): Place,
        until: Time,
        may: impl Fn(&Block) -> bool,
        is_right: impl Fn(i64) -> bool,
    ) -> Option<(Place, Time)> {
        for (at, block) in self.blocks.iter().enumerate().skip(first) {
            if at > first && block.begin() >= until {
                return None;
            }
            if !may(block) {
                continue;
            }
            let from = if at == first { from } else { 0 };
            for (place, &(time, free)) in block.steps.iter().enumerate().skip(from) {
                if time >= until {
                    return None;
                }
                if is_right(free + block.more) {
                    return Some(((at, place), time));
                }
            }
        }
        None
    }

    /// Upper bound for the free processors at any time from `now` on and before `until`.
    pub fn peak(&self, now: Time, until: Time) -> i64 {
        let (first, from) = self.at(now);
        let mut peak = i64::MIN;
        for (at, block) in self.blocks.iter().enumerate().skip(first) {
            if at > first && block.begin() >= until {
                break;
            }
            let end = block.steps.partition_point(|step| step.0 < until);
            let begin = if at == first { from } else { 0 };
            if (begin, end) == (0, block.steps.len()) {
                peak = peak.max(block.most + block.more);
            } else {
                let most = block.steps[begin..end.max(begin + 1)].iter().map(|step| step.1).max();
                peak = peak.max(most.map_or(peak, |most| most + block.more));
            }
        }
        peak
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LENGTH: i64 = 900;

    fn at(ticks: i64) -> Time {
        Time::from_ticks(ticks)
    }

    proptest! {
        /// Compared with a table of one cell for each tick.
        #[test]
        fn steps_say_what_a_table_says(
            changes in proptest::collection::vec((0_i64..LENGTH, 1_i64..60, -3_i64..4), 1..700),
            looks in proptest::collection::vec(
                (0_i64..LENGTH, -4_i64..16, 1_i64..40, 0_i64..LENGTH, 0_i64..LENGTH),
                20,
            ),
            now in 0_i64..LENGTH / 2,
        ) {
            let mut table = vec![10_i64; LENGTH as usize + 100];
            let mut steps = Availability::of(at(0), 10, std::iter::empty());
            for (from, length, more) in changes {
                let until = (from + length).min(LENGTH);
                table[from as usize..until as usize].iter_mut().for_each(|free| *free += more);
                steps.change(at(from), at(until), more);
            }
            steps.advance(at(now));
            let free = |time: i64| table.get(time as usize).copied().unwrap_or(10);
            for (from, size, length, latest, own) in looks {
                let from = from.max(now);
                let fits = |start: i64, own: i64| {
                    (start..(start + length).min(own)).all(|time| free(time) >= size)
                        && free(start) >= size
                };
                let (span, bounds) = (Span::from_ticks(length), (at(latest), at(own)));
                let found = steps.earliest(at(from), size, span, bounds);
                let wanted = (from..latest).find(|&start| fits(start, own));
                prop_assert_eq!(found, wanted.map(at));
                if latest > from {
                    let peak = (from..latest).map(free).max().unwrap_or(i64::MIN);
                    prop_assert!(steps.peak(at(from), at(latest)) >= peak);
                }
            }
        }
    }
}
