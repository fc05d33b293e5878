//! An index of the times at which processors became free: tells which reservations may move.
//!
//! Processors become free for an interval. For some numbers of processors this is new at some times
//! of it; around such a time the number is free for a *run*. A job that did not fit before fits now
//! only within such a run, so a search for it can begin at the first run that is long enough, and
//! need not begin where there is none.
//!
//! Numbers of processors are in classes of powers of two, and a run is known for the least number of
//! its class. So the index may name runs that turn out too short, and never misses one.

use kernel::time::{Span, Time};

/// Runs by class and by time. Adding one and finding the first are logarithmic in the number of
/// buckets.
#[derive(Clone, Debug, Default)]
pub(super) struct Gains {
    /// Begin of the first bucket.
    base: Time,
    /// Logarithm of the length of a bucket, in ticks.
    shift: u32,
    /// Number of buckets, a power of two.
    buckets: usize,
    classes: Vec<Class>,
}

/// The runs of a class.
#[derive(Clone, Debug, Default)]
struct Class {
    /// A complete binary tree: the root at 1, the children of `i` at `2i` and `2i + 1`, the leaves
    /// behind `buckets`. Empty if there is no run.
    nodes: Vec<Node>,
    /// Begin of the first run of each bucket.
    first: Vec<Time>,
}

/// The greatest of the runs that begin in some buckets.
#[derive(Clone, Copy, Debug)]
struct Node {
    longest: Span,
    /// End of the run that ends last.
    end: Time,
}

/// A node without a run.
const NONE: Node = Node { longest: Span::ZERO, end: Time::ZERO };

impl Node {
    /// Includes other runs; false if nothing changes.
    #[inline]
    fn grows(&mut self, other: Node) -> bool {
        let before = (self.longest, self.end);
        *self = Node { longest: self.longest.max(other.longest), end: self.end.max(other.end) };
        before != (self.longest, self.end)
    }
}

/// Returns the class of a positive number of processors.
#[inline]
pub(super) fn class(processors: u32) -> usize {
    (processors | 1).ilog2() as usize
}

impl Gains {
    /// Removes all runs, and prepares for runs between two times.
    pub fn clear(&mut self, begin: Time, end: Time, buckets: usize) {
        self.base = begin;
        self.buckets = buckets.next_power_of_two();
        let length = (end.max(begin) - begin).ticks() as u64 / self.buckets as u64;
        self.shift = u64::BITS - length.leading_zeros();
        for class in &mut self.classes {
            class.nodes.clear();
            class.first.clear();
        }
    }

    /// Adds a run of a class.
    pub fn add(&mut self, class: usize, from: Time, until: Time) {
        let mut at = self.note(class, from, until);
        let nodes = &mut self.classes[class].nodes;
        let run = Node { longest: until - from, end: until };
        while at > 1 {
            at /= 2;
            if !nodes[at].grows(run) {
                break;
            }
        }
    }

    /// Adds a run of a class, which is found from the next [`settle`](Gains::settle) on. Returns its
    /// leaf.
    pub fn note(&mut self, class: usize, from: Time, until: Time) -> usize {
        if self.classes.len() <= class {
            self.classes.resize_with(class + 1, Class::default);
        }
        let Class { nodes, first } = &mut self.classes[class];
        if nodes.is_empty() {
            nodes.resize(2 * self.buckets, NONE);
            first.resize(self.buckets, Time::NEVER);
        }
        let since = (from.max(self.base) - self.base).ticks() as u64 >> self.shift;
        let bucket = (since as usize).min(self.buckets - 1);
        first[bucket] = first[bucket].min(from);
        let leaf = self.buckets + bucket;
        nodes[leaf].grows(Node { longest: until - from, end: until });
        leaf
    }

    /// Makes sure that all runs are found: linear in the number of buckets.
    pub fn settle(&mut self) {
        for class in &mut self.classes {
            for at in (2..class.nodes.len()).rev() {
                let node = class.nodes[at];
                class.nodes[at / 2].grows(node);
            }
        }
    }

    /// Returns a time before which no run begins that is `length` long, or lasts until `own`. `None`
    /// if there is no such run that begins before `own`.
    #[inline]
    pub fn first(&self, class: usize, length: Span, own: Time) -> Option<Time> {
        let Class { nodes, first } = self.classes.get(class)?;
        let may = |node: &Node| node.longest >= length || node.end >= own;
        nodes.get(1).filter(|root| may(root))?;
        let mut at = 1;
        while at < self.buckets {
            at *= 2;
            at += usize::from(!may(&nodes[at]));
        }
        Some(first[at - self.buckets]).filter(|&begin| begin < own)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(ticks: i64) -> Time {
        Time::from_ticks(ticks)
    }

    proptest! {
        /// Compared with a list of all runs: none that is wanted begins earlier, and a time is only
        /// returned if one of its bucket is wanted.
        #[test]
        fn no_run_begins_before_the_first(
            runs in proptest::collection::vec((0_usize..4, 0_i64..3000, 1_i64..900), 0..80),
            looks in proptest::collection::vec((0_usize..5, 1_i64..900, 0_i64..4000), 40),
            (begin, end) in (0_i64..500, 0_i64..4000),
            (buckets, settled) in (1_usize..100, 0_usize..80),
        ) {
            let mut gains = Gains::default();
            gains.clear(at(0), at(1), 1);
            gains.add(3, at(0), Time::NEVER);
            gains.clear(at(begin), at(end), buckets);
            for (count, &(class, from, length)) in runs.iter().enumerate() {
                match count < settled {
                    true => _ = gains.note(class, at(from), at(from + length)),
                    false => gains.add(class, at(from), at(from + length)),
                }
                if count + 1 == settled {
                    gains.settle();
                }
            }
            gains.settle();
            for (class, length, own) in looks {
                let wanted = |&&(of, from, long): &&(usize, i64, i64)| {
                    of == class && from < own && (long >= length || from + long >= own)
                };
                let earliest = runs.iter().filter(wanted).map(|run| run.1).min();
                let found = gains.first(class, Span::from_ticks(length), at(own));
                let found = found.map(Time::ticks);
                if let Some(earliest) = earliest {
                    let found = found.expect("a run is wanted");
                    prop_assert!(found <= earliest);
                    let bucket = |time: i64| {
                        let last = gains.buckets as i64 - 1;
                        ((time - begin).max(0) >> gains.shift).min(last)
                    };
                    // Another run of the bucket may be the one that lasts.
                    let is_near = |&(of, from, _): &(usize, i64, i64)| {
                        of == class && bucket(from) == bucket(found)
                    };
                    prop_assert!(runs.iter().any(is_near));
                }
            }
        }
    }
}
