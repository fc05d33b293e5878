//! Counts of amounts in coarse buckets, eight per doubling. This is enough to see how the share
//! below a quantile varies between the sections of a sample.
//!
//! Only the range in use takes memory: 64 bytes per doubling, at most 4 kB.

use serde::{Deserialize, Serialize};

/// Buckets per doubling, as a power of two.
const BITS: u32 = 3;

/// The counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buckets {
    /// Bucket of the first count.
    first: usize,
    counts: Vec<u64>,
}

/// Returns the bucket of an amount; the first one holds all amounts up to 8.
#[inline]
fn bucket(amount: u64) -> usize {
    let amount = amount.max(1 << BITS);
    let exponent = u64::BITS - 1 - amount.leading_zeros();
    let within = (amount >> (exponent - BITS)) as usize & ((1 << BITS) - 1);
    ((exponent - BITS) as usize) << BITS | within
}

/// Returns the smallest and the largest amount of a bucket.
fn ends(bucket: usize) -> (u64, u64) {
    let shift = bucket >> BITS;
    let least = ((1 << BITS) + (bucket as u64 & ((1 << BITS) - 1))) << shift;
    (if bucket == 0 { 0 } else { least }, least + ((1 << shift) - 1))
}

/// A cut through the amounts: everything below a bucket, and a share of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    bucket: usize,
    share: f64,
    /// Share of all amounts that are in the bucket.
    inside: f64,
}

impl Cut {
    /// Returns the variance, within the bucket, of the share of `count` amounts below the cut. The
    /// buckets do not show it; it assumes independent amounts within the bucket.
    pub fn hidden_variance(&self, count: f64) -> f64 {
        self.inside * self.share * (1.0 - self.share) / count
    }
}

impl Buckets {
    /// Counts an amount.
    #[inline]
    pub fn record(&mut self, amount: u64) {
        let bucket = bucket(amount);
        match self.counts.get_mut(bucket.wrapping_sub(self.first)) {
            Some(count) => *count += 1,
            None => self.add_at(bucket, 1),
        }
    }

    /// Builds the counts of these amounts.
    pub fn of(amounts: &[u64]) -> Buckets {
        let (Some(least), Some(largest)) = (amounts.iter().min(), amounts.iter().max()) else {
            return Buckets::default();
        };
        let first = bucket(*least);
        let mut counts = vec![0; bucket(*largest) + 1 - first];
        amounts.iter().for_each(|&amount| counts[bucket(amount) - first] += 1);
        Buckets { first, counts }
    }

    /// Builds the counts of `count` amounts of at least `least`. `between` returns how many lie
    /// between two amounts, both included.
    pub fn counted(count: u64, least: u64, between: impl Fn(u64, u64) -> u64) -> Buckets {
        let mut buckets = Buckets::default();
        let mut left = count;
        for bucket in bucket(least)..=bucket(u64::MAX) {
            if left == 0 {
                break;
            }
            let (low, high) = ends(bucket);
            let inside = between(low, high);
            if inside > 0 {
                buckets.add_at(bucket, inside);
                left = left.saturating_sub(inside);
            }
        }
        buckets
    }

    #[cold]
    fn add_at(&mut self, bucket: usize, count: u64) {
        if self.counts.is_empty() {
            self.first = bucket;
        }
        if bucket < self.first {
            let missing = self.first - bucket;
            self.counts.splice(0..0, std::iter::repeat_n(0, missing));
            self.first = bucket;
        }
        let at = bucket - self.first;
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += count;
    }

    /// Adds the counts of another.
    pub fn merge(&mut self, other: &Buckets) {
        for (bucket, &count) in (other.first..).zip(&other.counts) {
            if count > 0 {
                self.add_at(bucket, count);
            }
        }
    }

    /// Returns the cut with this share of all amounts below; `None` without amounts.
    pub fn cut(&self, share: f64) -> Option<Cut> {
        let all = self.counts.iter().sum::<u64>() as f64;
        let mut below = 0.0;
        for (bucket, &count) in (self.first..).zip(&self.counts) {
            let inside = count as f64;
            if inside > 0.0 && below + inside >= share * all {
                let share = ((share * all - below) / inside).clamp(0.0, 1.0);
                return Some(Cut { bucket, share, inside: inside / all });
            }
            below += inside;
        }
        None
    }

    /// Returns the number of all amounts.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the amount with this share of all amounts below it, as if those of a bucket were spread
    /// evenly over it; `None` without amounts.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let cut = self.cut(share)?;
        let (least, largest) = ends(cut.bucket);
        Some(least as f64 + cut.share * (largest - least) as f64)
    }

    /// Returns the number of amounts below a cut.
    pub fn below(&self, cut: Cut) -> f64 {
        let whole = self.counts.len().min(cut.bucket.saturating_sub(self.first));
        let inside = cut.bucket.checked_sub(self.first).and_then(|at| self.counts.get(at));
        let inside = inside.copied().unwrap_or_default() as f64;
        self.counts[..whole].iter().sum::<u64>() as f64 + cut.share * inside
    }
}

/// Counts summed up over the buckets, so that many cuts cost little each.
#[derive(Clone, Debug)]
pub struct Sums {
    /// Bucket of the first count.
    first: usize,
    /// Number of amounts below each bucket, then their total.
    below: Vec<u64>,
}

impl Buckets {
    /// Sums the counts up.
    pub fn sums(&self) -> Sums {
        let mut all = 0;
        let mut below = Vec::with_capacity(self.counts.len() + 1);
        below.push(all);
        for count in &self.counts {
            all += count;
            below.push(all);
        }
        Sums { first: self.first, below }
    }
}

impl Sums {
    /// Same as [`Buckets::cut`]. O(log buckets).
    pub fn cut(&self, share: f64) -> Option<Cut> {
        let all = self.below.last().copied().unwrap_or_default() as f64;
        let ends = &self.below[1..];
        let mut at = ends.partition_point(|&end| (end as f64) < share * all);
        while ends.get(at).is_some_and(|&end| end == self.below[at]) {
            at += 1;
        }
        let below = self.below[at] as f64;
        let inside = *ends.get(at)? as f64 - below;
        let share = ((share * all - below) / inside).clamp(0.0, 1.0);
        Some(Cut { bucket: self.first + at, share, inside: inside / all })
    }

    /// Same as [`Buckets::below`]. O(1).
    pub fn below(&self, cut: Cut) -> f64 {
        let most = self.below.len() - 1;
        let Some(at) = cut.bucket.checked_sub(self.first).filter(|&at| at < most) else {
            return if cut.bucket < self.first { 0.0 } else { self.below[most] as f64 };
        };
        self.below[at] as f64 + cut.share * (self.below[at + 1] - self.below[at]) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn buckets_are_in_order_and_an_eighth_of_a_doubling_wide() {
        assert_eq!([0, 7, 8, 9, 15, 16, 17, 18].map(bucket), [0, 0, 0, 1, 7, 8, 8, 9]);
        for amount in (0..4096).chain([u64::MAX / 3, u64::MAX - 1]) {
            let step = bucket(amount + 1) - bucket(amount);
            assert!(step <= 1, "{amount}");
        }
        for amount in [8, 100, 4095, u64::MAX / 2] {
            assert!(bucket(amount + amount / 8 + 1) > bucket(amount), "{amount}");
        }
        assert_eq!(bucket(u64::MAX), 487);
        let mut next = 0;
        for one in 0..=487 {
            let (least, largest) = ends(one);
            assert_eq!((bucket(least), bucket(largest), least), (one, one, next));
            next = largest.wrapping_add(1);
        }
        assert_eq!(next, 0);
    }

    #[test]
    fn a_cut_finds_its_share_in_the_whole_and_in_parts() {
        let mut parts = [Buckets::default(), Buckets::default()];
        let mut whole = Buckets::default();
        for amount in 1..=10_000_u64 {
            parts[usize::from(amount > 4_000)].record(amount * 1000);
            whole.record(amount * 1000);
        }
        let mut merged = parts[1].clone();
        merged.merge(&parts[0]);
        assert_eq!(merged, whole);
        for share in [0.001, 0.5, 0.95, 1.0] {
            let cut = whole.cut(share).unwrap();
            let all = parts[0].below(cut) + parts[1].below(cut);
            assert!((all - share * 10_000.0).abs() < 1e-6, "{share}: {all}");
            assert!((whole.below(cut) - all).abs() < 1e-6);
        }
        let cut = whole.cut(0.2).unwrap();
        assert_eq!(parts[1].below(cut), 0.0);
        assert_eq!(Buckets::default().cut(0.5), None);
        assert_eq!(Buckets::default().sums().cut(0.5), None);
    }

    proptest! {
        #[test]
        fn sums_cut_as_the_counts_do(
            amounts in proptest::collection::vec(0..5000_u64, 0..40),
            others in proptest::collection::vec(0..9000_u64, 0..40),
            share in prop_oneof![0.0..=1.0_f64, Just(0.0), Just(1.0)],
        ) {
            let whole = Buckets::of(&amounts);
            let found = whole.sums().cut(share);
            prop_assert_eq!(found, whole.cut(share));
            if let Some(cut) = found {
                for part in [Buckets::of(&others), whole] {
                    prop_assert_eq!(part.sums().below(cut).to_bits(), part.below(cut).to_bits());
                }
            }
        }
    }
}
