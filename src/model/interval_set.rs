//! Sets of processor numbers as disjoint intervals, for outputs that name processors.
//!
//! A cluster that names its processors keeps the free ones in an [`IntervalSet`], takes the
//! lowest-numbered for a job that starts and returns them when it ends. The set is stored as sorted
//! closed intervals with a gap between any two, so equal sets are equal values and have the same
//! text. The text form is Batsim's notation, `0-3 7 9-12`, wherever it is written or saved.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The processors `first..=last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interval {
    first: u32,
    last: u32,
}

impl Interval {
    /// Returns the number of processors; as `u64`, since `0..=u32::MAX` has one more than fits
    /// `u32`.
    fn len(self) -> u64 {
        u64::from(self.last) - u64::from(self.first) + 1
    }
}

/// Up to so many intervals are searched one by one.
const FEW: usize = 16;

/// A set of processor numbers.
///
/// ```
/// use gridpact_model::interval_set::IntervalSet;
///
/// let mut free = IntervalSet::full(8);
/// let job = free.take_lowest(3);
/// assert_eq!((job.to_string(), free.to_string()), ("0-2".into(), "3-7".into()));
/// free.insert_all(&job).expect("a job's processors are not free while it runs");
/// assert_eq!(free, IntervalSet::full(8));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct IntervalSet {
    /// Sorted; `a.last + 1 < b.first` for neighbours `a`, `b`.
    intervals: Vec<Interval>,
}

/// An error: the processor would be in a set twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("processor {0} is in the set already")]
pub struct Overlap(pub u32);

/// The reason why a text is not a set of processors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotASet {
    /// A word that is neither a number nor two numbers in order, joined by a hyphen.
    #[error("`{0}` is not a processor number or an interval such as 0-3")]
    NotAnInterval(String),
    /// A processor listed twice.
    #[error(transparent)]
    Twice(#[from] Overlap),
}

impl IntervalSet {
    /// Creates the empty set.
    pub const fn new() -> IntervalSet {
        IntervalSet { intervals: Vec::new() }
    }

    /// Creates the set of processors `0` to `processors - 1`.
    pub fn full(processors: u32) -> IntervalSet {
        let mut set = IntervalSet::new();
        if let Some(last) = processors.checked_sub(1) {
            set.intervals.push(Interval { first: 0, last });
        }
        set
    }

    /// Creates the set of these intervals; `None` if they are not in increasing order, or not as few as
    /// possible.
    pub fn of(intervals: impl Iterator<Item = RangeInclusive<u32>>) -> Option<IntervalSet> {
        let mut set = IntervalSet::new();
        for interval in intervals {
            let (first, last) = interval.into_inner();
            if first > last || !set.ends_before(first) {
                return None;
            }
            set.intervals.push(Interval { first, last });
        }
        Some(set)
    }

    /// Returns true if all its processors are below this one, with a gap between.
    fn ends_before(&self, first: u32) -> bool {
        self.highest().is_none_or(|last| u64::from(last) + 1 < u64::from(first))
    }

    /// Returns the number of processors in the set; O(intervals).
    pub fn len(&self) -> u64 {
        self.intervals.iter().map(|interval| interval.len()).sum()
    }

    /// Returns true if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Returns the intervals in increasing order, as few as possible.
    pub fn intervals(&self) -> impl ExactSizeIterator<Item = RangeInclusive<u32>> + '_ {
        self.intervals.iter().map(|interval| interval.first..=interval.last)
    }

    /// Returns the highest processor number in the set.
    pub fn highest(&self) -> Option<u32> {
        self.intervals.last().map(|interval| interval.last)
    }

    /// Returns true if `processor` is in the set; O(log intervals).
    pub fn contains(&self, processor: u32) -> bool {
        let at = self.first_not_before(processor);
        self.intervals.get(at).is_some_and(|interval| interval.first <= processor)
    }

    /// Empties the set but keeps its memory.
    pub fn clear(&mut self) {
        self.intervals.clear();
    }

    /// Removes the `count` lowest-numbered processors and returns them.
    ///
    /// # Panics
    /// If the set holds fewer than `count`.
    pub fn take_lowest(&mut self, count: u32) -> IntervalSet {
        let mut taken = IntervalSet::new();
        self.take_lowest_into(count, &mut taken);
        taken
    }

    /// Same as [`take_lowest`](Self::take_lowest), into a set whose memory is reused. The content
    /// of `taken` is discarded. O(intervals).
    ///
    /// # Panics
    /// If the set holds fewer than `count`; it is then unchanged.
    pub fn take_lowest_into(&mut self, count: u32, taken: &mut IntervalSet) {
        taken.clear();
        let mut missing = u64::from(count);
        let mut whole = 0;
        while missing > 0 {
            let Some(&interval) = self.intervals.get(whole) else {
                panic!("{count} processors asked of the {} in {self}", self.len());
            };
            if interval.len() > missing {
                break;
            }
            missing -= interval.len();
            whole += 1;
        }
        taken.intervals.extend_from_slice(&self.intervals[..whole]);
        self.intervals.copy_within(whole.., 0);
        self.intervals.truncate(self.intervals.len() - whole);
        if missing > 0 {
            let rest = &mut self.intervals[0];
            let missing = u32::try_from(missing).expect("at most `count` are missing");
            taken.intervals.push(Interval { first: rest.first, last: rest.first + (missing - 1) });
            rest.first += missing;
        }
    }

    /// Adds the processors of `other`, to return what was taken. O(intervals of `other` × intervals
    /// moved), without allocation if the memory suffices.
    ///
    /// # Errors
    /// A processor that is in both sets; this set is then unchanged.
    pub fn insert_all(&mut self, other: &IntervalSet) -> Result<(), Overlap> {
        if let [interval] = other.intervals[..] {
            return self.insert(interval);
        }
        for &interval in &other.intervals {
            if let Some(processor) = self.first_common(interval) {
                return Err(Overlap(processor));
            }
        }
        for &interval in &other.intervals {
            self.insert_disjoint(interval);
        }
        Ok(())
    }

    /// Adds an interval; an error leaves the set unchanged.
    fn insert(&mut self, new: Interval) -> Result<(), Overlap> {
        let at = self.first_not_before(new.first);
        if let Some(met) = self.intervals.get(at).filter(|met| met.first <= new.last) {
            return Err(Overlap(met.first.max(new.first)));
        }
        self.insert_at(at, new);
        Ok(())
    }

    /// Returns true if some processor is in both sets.
    pub fn intersects(&self, other: &IntervalSet) -> bool {
        let (few, many) = if self.intervals.len() < other.intervals.len() {
            (self, other)
        } else {
            (other, self)
        };
        few.intervals.iter().any(|&interval| many.first_common(interval).is_some())
    }

    /// Returns the index of the first interval that does not end before `processor`.
    fn first_not_before(&self, processor: u32) -> usize {
        if self.intervals.len() <= FEW {
            return self.intervals.iter().take_while(|one| one.last < processor).count();
        }
        self.intervals.partition_point(|interval| interval.last < processor)
    }

    /// Returns the lowest processor of `interval` that is in the set.
    fn first_common(&self, interval: Interval) -> Option<u32> {
        let met = self.intervals.get(self.first_not_before(interval.first))?;
        (met.first <= interval.last).then(|| met.first.max(interval.first))
    }

    /// Adds an interval disjoint from the set, joining it with its neighbours.
    fn insert_disjoint(&mut self, new: Interval) {
        self.insert_at(self.first_not_before(new.first), new);
    }

    /// Adds an interval disjoint from the set, before that of this index.
    fn insert_at(&mut self, at: usize, new: Interval) {
        let joins_left = at > 0 && self.intervals[at - 1].last + 1 == new.first;
        let joins_right = self.intervals.get(at).is_some_and(|right| new.last + 1 == right.first);
        match (joins_left, joins_right) {
            (true, true) => {
                self.intervals[at - 1].last = self.intervals[at].last;
                self.intervals.remove(at);
            }
            (true, false) => self.intervals[at - 1].last = new.last,
            (false, true) => self.intervals[at].first = new.first,
            (false, false) => self.intervals.insert(at, new),
        }
    }
}

impl fmt::Display for IntervalSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, interval) in self.intervals.iter().enumerate() {
            if place > 0 {
                out.write_str(" ")?;
            }
            if interval.first == interval.last {
                write!(out, "{}", interval.first)?;
            } else {
                write!(out, "{}-{}", interval.first, interval.last)?;
            }
        }
        Ok(())
    }
}

impl FromStr for IntervalSet {
    type Err = NotASet;

    /// Parses the output of [`Display`](fmt::Display); the intervals may be in any order and touch.
    fn from_str(text: &str) -> Result<IntervalSet, NotASet> {
        let mut set = IntervalSet::new();
        for word in text.split_ascii_whitespace() {
            let interval =
                parse_interval(word).ok_or_else(|| NotASet::NotAnInterval(word.to_owned()))?;
            // Nearly always they are in order and as few as possible.
            if set.ends_before(interval.first) {
                set.intervals.push(interval);
                continue;
            }
            if let Some(processor) = set.first_common(interval) {
                return Err(Overlap(processor).into());
            }
            set.insert_disjoint(interval);
        }
        Ok(set)
    }
}

/// Parses `7` or `9-12`: digits only, as `u32::from_str` would accept a plus sign too.
fn parse_interval(word: &str) -> Option<Interval> {
    let mut ends = [None; 2];
    let mut at = 0;
    for byte in word.bytes() {
        if byte == b'-' && at == 0 {
            at = 1;
            continue;
        }
        let digit = u32::from(byte).checked_sub(u32::from(b'0')).filter(|&digit| digit < 10)?;
        ends[at] = Some(ends[at].unwrap_or(0_u32).checked_mul(10)?.checked_add(digit)?);
    }
    let (first, last) = (ends[0]?, ends[at]?);
    (first <= last).then_some(Interval { first, last })
}

impl From<IntervalSet> for String {
    fn from(set: IntervalSet) -> String {
        set.to_string()
    }
}

impl TryFrom<String> for IntervalSet {
    type Error = NotASet;
    fn try_from(text: String) -> Result<IntervalSet, NotASet> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn set(text: &str) -> IntervalSet {
        text.parse().expect("a test's set is well written")
    }

    fn of(processors: &BTreeSet<u32>) -> IntervalSet {
        let words: Vec<String> = processors.iter().map(u32::to_string).collect();
        set(&words.join(" "))
    }

    fn members(set: &IntervalSet) -> BTreeSet<u32> {
        set.intervals().flatten().collect()
    }

    #[test]
    fn it_is_written_as_batsim_writes_it() {
        for text in ["", "0", "0-3 7 9-12", "4294967295"] {
            assert_eq!(set(text).to_string(), text);
        }
        assert_eq!(set("9-12 7 \t 1 0 2-3").to_string(), "0-3 7 9-12");
        assert_eq!(set("0-4294967295").len(), 1 << 32);
    }

    #[test]
    fn what_is_not_a_set_is_refused() {
        for text in ["a", "3-", "-3", "3-1", "1-2-3", "+1", "4294967296", "1,2"] {
            assert_eq!(text.parse::<IntervalSet>(), Err(NotASet::NotAnInterval(text.into())));
        }
        assert_eq!("0-3 2-5".parse::<IntervalSet>(), Err(NotASet::Twice(Overlap(2))));
    }

    #[test]
    fn intervals_make_a_set_if_they_are_those_of_one() {
        for text in ["", "0", "0-3 7 9-12", "4294967295"] {
            assert_eq!(IntervalSet::of(set(text).intervals()), Some(set(text)));
        }
        for wrong in [vec![3..=4, 0..=1], vec![0..=3, 4..=5], vec![0..=3, 2..=9]] {
            assert_eq!(IntervalSet::of(wrong.into_iter()), None);
        }
        assert_eq!(IntervalSet::of([RangeInclusive::new(2, 1)].into_iter()), None);
    }

    #[test]
    fn the_lowest_are_taken_and_given_back() {
        let mut free = set("0-3 7 9-12");
        assert_eq!(free.take_lowest(0), IntervalSet::new());
        let job = free.take_lowest(6);
        assert_eq!((job.to_string(), free.to_string()), ("0-3 7 9".into(), "10-12".into()));
        assert_eq!(free.insert_all(&set("8 12")), Err(Overlap(12)));
        assert_eq!(free.to_string(), "10-12", "a refused gift leaves no trace");
        assert_eq!(free.insert_all(&job), Ok(()));
        assert_eq!(free.to_string(), "0-3 7 9-12");
        assert_eq!(free.take_lowest(9), set("0-3 7 9-12"));
        assert!(free.is_empty());
    }

    #[test]
    #[should_panic(expected = "4 processors asked of the 3 in 0-1 5")]
    fn more_than_there_are_cannot_be_taken() {
        set("0-1 5").take_lowest(4);
    }

    #[test]
    fn serde_is_the_text_and_checks_it() {
        let text = serde_json::to_string(&set("0-3 7")).expect("text serializes");
        assert_eq!(text, "\"0-3 7\"");
        assert_eq!(serde_json::from_str::<IntervalSet>(&text).expect("well written"), set("0-3 7"));
        assert!(serde_json::from_str::<IntervalSet>("\"5 5\"").is_err());
    }

    proptest! {
        #[test]
        fn it_behaves_as_a_set_of_numbers(
            a in prop::collection::btree_set(0u32..40, 0..30),
            b in prop::collection::btree_set(0u32..40, 0..30),
            count in 0usize..40,
        ) {
            let (left, right) = (of(&a), of(&b));
            prop_assert_eq!(left.len(), a.len() as u64);
            prop_assert_eq!(left.highest(), a.last().copied());
            prop_assert_eq!(members(&left), a.clone());
            prop_assert_eq!(set(&left.to_string()), left.clone());
            prop_assert!((0..41).all(|p| left.contains(p) == a.contains(&p)));
            prop_assert_eq!(left.intersects(&right), !a.is_disjoint(&b));

            let mut both = left.clone();
            match both.insert_all(&right) {
                Ok(()) => {
                    prop_assert!(a.is_disjoint(&b));
                    prop_assert_eq!(both, of(&a.union(&b).copied().collect()));
                }
                Err(Overlap(processor)) => {
                    prop_assert_eq!(Some(&processor), a.intersection(&b).next());
                    prop_assert_eq!(&both, &left);
                }
            }

            let count = count.min(a.len());
            let lowest: BTreeSet<u32> = a.iter().copied().take(count).collect();
            let (mut rest, mut taken) = (left.clone(), right);
            rest.take_lowest_into(count as u32, &mut taken);
            prop_assert_eq!(members(&taken), lowest.clone());
            prop_assert_eq!(members(&rest), &a - &lowest);
            rest.insert_all(&taken).expect("what was taken is gone");
            prop_assert_eq!(rest, left);
        }
    }
}
