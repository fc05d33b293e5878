//! Counts of amounts, on their way into an HdrHistogram.
//!
//! Most of what a simulation records is never looked at before its end. So amounts are counted in a
//! plain list with a place for each bucket of the histogram, which takes a third of the time, and
//! come into the histogram a bucket at a time when it is read. It then has the same counts as if each
//! amount had been recorded in it.

use hdrhistogram::Histogram;

use super::detail::Detail;

/// Amounts of twice this size or more are counted as this one.
pub(super) const LARGEST_BUCKET: u64 = 1 << 60;
/// First amount beyond the histogram.
pub(super) const BEYOND: u64 = 2 * LARGEST_BUCKET;

/// Most amounts in the list, so that no count overflows.
const MOST_RECENT: u32 = 1 << 31;

/// A histogram, and the counts that are not in it yet.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    histogram: Histogram<u64>,
    /// Leading bits of an amount that tell its bucket.
    bits: u32,
    /// Counts by bucket; empty without recent amounts.
    recent: Vec<u32>,
    /// Number of amounts in this list.
    pending: u32,
}

/// An amount as the histogram counts it.
#[inline]
pub(super) fn within(amount: u64) -> u64 {
    if amount < BEYOND { amount } else { LARGEST_BUCKET }
}

/// Bucket of an amount, if so many of its leading bits tell it.
#[inline]
fn bucket(amount: u64, bits: u32) -> usize {
    let more = (u64::BITS - amount.leading_zeros()).saturating_sub(bits);
    ((u64::from(more) << (bits - 1)) + (amount >> more)) as usize
}

/// Smallest amount of a bucket.
fn least_of(bucket: usize, bits: u32) -> u64 {
    let more = (bucket >> (bits - 1)).saturating_sub(1);
    ((bucket - (more << (bits - 1))) as u64) << more
}

impl Counts {
    /// No amounts.
    ///
    /// # Panics
    /// Never: HdrHistogram accepts these constant bounds.
    pub fn new(detail: Detail) -> Counts {
        let histogram = Histogram::new_with_bounds(1, LARGEST_BUCKET, detail.digits());
        Counts::of(histogram.expect("the bounds are valid"), detail)
    }

    /// The counts of these amounts.
    pub fn of_amounts(amounts: &[u64], detail: Detail) -> Counts {
        let mut counts = Counts::new(detail);
        counts.add(amounts);
        counts
    }

    /// The counts of a histogram with these bounds.
    pub fn of(histogram: Histogram<u64>, detail: Detail) -> Counts {
        Counts { histogram, bits: detail.bits(), recent: Vec::new(), pending: 0 }
    }

    /// Counts amounts.
    #[inline]
    pub fn record(&mut self, amounts: &[u64]) {
        if self.recent.is_empty() {
            self.recent = vec![0; bucket(BEYOND - 1, self.bits) + 1];
        }
        for &amount in amounts {
            self.recent[bucket(within(amount), self.bits)] += 1;
        }
        self.pending += amounts.len() as u32;
        if self.pending >= MOST_RECENT {
            self.settle();
        }
    }

    /// Counts a few amounts in the histogram itself.
    pub fn add(&mut self, amounts: &[u64]) {
        amounts.iter().for_each(|&amount| self.histogram.saturating_record(within(amount)));
    }

    /// Moves all counts into the histogram.
    pub fn settle(&mut self) {
        let recent = std::mem::take(&mut self.recent);
        for (bucket, &count) in recent.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let recorded = self.histogram.record_n(least_of(bucket, self.bits), count.into());
            recorded.expect("the list has the histogram's buckets");
        }
        self.pending = 0;
    }

    /// True if all counts are in the histogram.
    pub fn is_settled(&self) -> bool {
        self.pending == 0
    }

    /// The histogram; settle first.
    pub fn histogram(&self) -> &Histogram<u64> {
        debug_assert!(self.is_settled());
        &self.histogram
    }

    /// The histogram; settle first.
    pub fn into_histogram(self) -> Histogram<u64> {
        debug_assert!(self.is_settled());
        self.histogram
    }

    /// Adds others, which have to be settled.
    pub fn merge(&mut self, other: &Counts) {
        self.histogram.add(other.histogram()).expect("all histograms have the same bounds");
    }

    /// Removes all amounts.
    pub fn clear(&mut self) {
        self.histogram.reset();
        (self.recent, self.pending) = (Vec::new(), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_become_those_of_the_histogram(
            amounts in proptest::collection::vec((any::<u64>(), 0..64_u32), 0..300),
            looks in proptest::collection::vec(0..300_usize, 0..3),
        ) {
            for detail in [Detail::Coarse, Detail::Full] {
                let mut counts = Counts::new(detail);
                let mut expected = Counts::new(detail).histogram;
                for (place, &(amount, less)) in amounts.iter().enumerate() {
                    counts.record(&[amount >> less]);
                    expected.saturating_record(within(amount >> less));
                    if looks.contains(&place) {
                        counts.settle();
                        prop_assert_eq!(counts.histogram(), &expected);
                    }
                }
                counts.settle();
                prop_assert_eq!(counts.histogram(), &expected);
            }
        }

        #[test]
        fn buckets_are_those_of_the_histogram(amount in 0..BEYOND, less in 0..61_u32) {
            let amount = amount >> less;
            for detail in [Detail::Coarse, Detail::Full] {
                let Counts { histogram, bits, .. } = Counts::new(detail);
                let bucket_of = |amount| bucket(amount, bits);
                let (least, largest) =
                    (histogram.lowest_equivalent(amount), histogram.highest_equivalent(amount));
                prop_assert_eq!(least_of(bucket_of(amount), bits), least);
                prop_assert_eq!(bucket_of(largest), bucket_of(amount));
                prop_assert_eq!(bucket_of(largest + 1), bucket_of(amount) + 1);
            }
        }
    }

    #[test]
    fn a_list_is_emptied_before_its_counts_overflow() {
        let mut counts = Counts::new(Detail::Coarse);
        counts.record(&[7]);
        counts.recent[7] = MOST_RECENT - 1;
        counts.pending = MOST_RECENT - 1;
        counts.record(&[7]);
        assert!(counts.is_settled());
        counts.record(&[7]);
        counts.settle();
        assert_eq!(counts.histogram().count_at(7), u64::from(MOST_RECENT) + 1);
    }
}
