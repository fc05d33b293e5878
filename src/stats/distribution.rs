//! A distribution of non-negative amounts. Count, sum, smallest and largest value are exact;
//! quantiles come from an HdrHistogram of fixed size.
//!
//! The first amounts are kept as they are, and become a histogram when there are many: so a
//! distribution of few amounts takes little memory, and is quickly made, merged and saved. All its
//! results are those of the histogram.
//!
//! Amounts are taken in by blocks: a block is added up while it is in registers, and visits the
//! memory of the counts once. Whatever is read includes all amounts.
//!
//! Amounts are whole numbers of millionths: ticks for spans, millionths for ratios such as
//! slowdown. Sums are exact integers, so merging in any order gives the same result.

use std::borrow::Cow;
use std::fmt;

use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer as _, V2Serializer};
use serde::{Deserialize, Serialize};

use super::buckets::Buckets;
use super::counts::{BEYOND, Counts, LARGEST_BUCKET, within};
pub use super::detail::Detail;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::sum_as_units;

/// Number of amounts that are taken in together.
const BLOCK: usize = 32;

/// The amounts as far as quantiles need them.
#[derive(Clone, Debug)]
enum Amounts {
    /// Quantiles are not kept.
    Unknown,
    /// The amounts themselves.
    Listed(Vec<u64>),
    /// More of them, by bucket.
    Counted(Counts),
}

/// Statistics that are exact at any detail.
#[derive(Clone, Copy, Debug)]
struct Sums {
    count: u64,
    sum: i128,
    least: u64,
    largest: u64,
}

impl Sums {
    const NONE: Sums = Sums { count: 0, sum: 0, least: u64::MAX, largest: 0 };

    #[inline]
    fn add(&mut self, amounts: &[u64]) {
        self.count += amounts.len() as u64;
        for &amount in amounts {
            self.sum += i128::from(amount);
            self.least = self.least.min(amount);
            self.largest = self.largest.max(amount);
        }
    }

    fn merge(&mut self, other: Sums) {
        self.count += other.count;
        self.sum += other.sum;
        self.least = self.least.min(other.least);
        self.largest = self.largest.max(other.largest);
    }
}

/// Amounts kept for quantiles.
#[derive(Clone, Debug)]
struct Kept {
    /// The open block: the first `open` of these are in no sum, list or histogram yet.
    open: usize,
    block: [u64; BLOCK],
    detail: Detail,
    amounts: Amounts,
    /// Buckets of amounts, kept if sections of the run are compared.
    buckets: Option<Buckets>,
}

/// A distribution of amounts.
// What is not needed for sums is elsewhere, since grids of many organizations have sums alone.
#[derive(Clone, Debug)]
pub struct Distribution {
    sums: Sums,
    kept: Option<Box<Kept>>,
}

/// A snapshot of a distribution; the difference of two is the data recorded in between.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Number of amounts.
    pub count: u64,
    /// Their sum, in millionths.
    pub sum: i128,
    /// Their counts by bucket, if kept.
    pub buckets: Option<Buckets>,
}

impl Mark {
    /// Adds all amounts of another.
    pub fn merge(&mut self, other: &Mark) {
        self.count += other.count;
        self.sum += other.sum;
        if let Some(other) = &other.buckets {
            self.buckets.get_or_insert_default().merge(other);
        }
    }
}

/// The quantiles shown in every report, as (name, quantile).
pub const QUANTILES: [(&str, f64); 5] =
    [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999)];

impl Kept {
    fn open(&self) -> &[u64] {
        &self.block[..self.open]
    }

    /// Takes in the open block.
    #[inline(never)]
    fn take_in(&mut self, sums: &mut Sums) {
        let recent = &self.block[..self.open];
        sums.add(recent);
        match &mut self.amounts {
            Amounts::Unknown => {}
            Amounts::Listed(amounts) => {
                amounts.extend(recent.iter().map(|&amount| within(amount)));
            }
            Amounts::Counted(counts) => counts.record(recent),
        }
        if let Some(buckets) = &mut self.buckets {
            recent.iter().for_each(|&amount| buckets.record(amount));
        }
        self.open = 0;
        self.count_if_many();
    }

    fn count_if_many(&mut self) {
        let Amounts::Listed(amounts) = &self.amounts else { return };
        if amounts.len() > self.detail.most_listed() {
            self.amounts = Amounts::Counted(Counts::of_amounts(amounts, self.detail));
        }
    }

    /// True if nothing is open, and all counts are in the histogram.
    fn is_closed(&self) -> bool {
        self.open == 0 && !matches!(&self.amounts, Amounts::Counted(one) if !one.is_settled())
    }
}

impl Distribution {
    /// Creates an empty distribution.
    pub fn new(detail: Detail) -> Distribution {
        let amounts = Amounts::Listed(Vec::new());
        let (open, block, buckets) = (0, [0; BLOCK], None);
        let kept = (detail != Detail::None)
            .then(|| Box::new(Kept { open, block, detail, amounts, buckets }));
        Distribution { sums: Sums::NONE, kept }
    }

    /// Creates an empty distribution whose marks include buckets. It keeps them only at a detail
    /// for which intervals of quantiles make sense.
    pub fn with_sections(detail: Detail) -> Distribution {
        let mut distribution = Distribution::new(detail);
        if let Some(kept) = &mut distribution.kept {
            kept.buckets = (detail == Detail::Full).then(Buckets::default);
        }
        distribution
    }

    /// Stops keeping buckets for sections.
    pub fn forget_sections(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.buckets = None;
        }
    }

    /// Records an amount.
    #[inline]
    pub fn record(&mut self, amount: u64) {
        let Some(kept) = &mut self.kept else {
            return self.sums.add(&[amount]);
        };
        if kept.open >= BLOCK {
            kept.take_in(&mut self.sums);
        }
        kept.block[kept.open] = amount;
        kept.open += 1;
    }

    /// The amounts of the open block.
    #[inline]
    fn open(&self) -> &[u64] {
        self.kept.as_ref().map_or(&[], |kept| kept.open())
    }

    /// Takes in the open block.
    fn take_in(&mut self) {
        if let Some(kept) = &mut self.kept {
            kept.take_in(&mut self.sums);
        }
    }

    /// Takes in the open block and moves all counts into the histogram. Reading is quick then: each
    /// look at an open distribution closes a copy.
    pub fn close(&mut self) {
        self.take_in();
        if let Some(Amounts::Counted(counts)) = self.kept.as_mut().map(|kept| &mut kept.amounts) {
            counts.settle();
        }
    }

    /// The distribution, closed.
    fn whole(&self) -> Cow<'_, Distribution> {
        if self.kept.as_ref().is_none_or(|kept| kept.is_closed()) {
            return Cow::Borrowed(self);
        }
        let mut whole = self.clone();
        whole.close();
        Cow::Owned(whole)
    }

    fn amounts(&self) -> &Amounts {
        self.kept.as_ref().map_or(&Amounts::Unknown, |kept| &kept.amounts)
    }

    fn buckets(&self) -> Option<&Buckets> {
        self.kept.as_ref().and_then(|kept| kept.buckets.as_ref())
    }

    /// Removes all amounts.
    pub fn clear(&mut self) {
        self.sums = Sums::NONE;
        let Some(kept) = &mut self.kept else { return };
        kept.open = 0;
        match &mut kept.amounts {
            Amounts::Unknown => {}
            Amounts::Listed(amounts) => amounts.clear(),
            Amounts::Counted(counts) => counts.clear(),
        }
        if let Some(buckets) = &mut kept.buckets {
            *buckets = Buckets::default();
        }
    }

    /// Returns a snapshot of its current content.
    pub fn mark(&self) -> Mark {
        let mut buckets = self.buckets().cloned();
        if let Some(buckets) = &mut buckets {
            self.open().iter().for_each(|&amount| buckets.record(amount));
        }
        Mark { count: self.count(), sum: self.sum(), buckets }
    }

    /// Returns a snapshot with buckets derived from the histogram. They are exact. This is for
    /// distributions of full detail that keep no buckets; it scans the histogram from the smallest
    /// amount to the largest.
    pub fn mark_of_histogram(&self) -> Mark {
        let whole = self.whole();
        let Sums { count, sum, least, .. } = whole.sums;
        let buckets = match whole.amounts() {
            Amounts::Unknown => None,
            Amounts::Listed(amounts) => Some(Buckets::of(amounts)),
            Amounts::Counted(counts) => {
                let between = |low, high| counts.histogram().count_between(low, high);
                Some(Buckets::counted(count, least.min(LARGEST_BUCKET), between))
            }
        };
        Mark { count, sum, buckets }
    }

    /// Adds all amounts of another distribution. Quantiles are kept if both have them.
    pub fn merge(&mut self, other: &Distribution) {
        let other = &*other.whole();
        self.take_in();
        self.sums.merge(other.sums);
        let Some(kept) = &mut self.kept else { return };
        match (&mut kept.amounts, other.amounts()) {
            (Amounts::Unknown, _) => {}
            (own, Amounts::Unknown) if other.sums.count > 0 => *own = Amounts::Unknown,
            (_, Amounts::Unknown) => {}
            (Amounts::Counted(own), Amounts::Counted(other)) => own.merge(other),
            (Amounts::Counted(own), Amounts::Listed(other)) => own.record(other),
            (Amounts::Listed(own), Amounts::Counted(other)) => {
                let mut all = other.clone();
                all.add(own);
                kept.amounts = Amounts::Counted(all);
            }
            (Amounts::Listed(own), Amounts::Listed(other)) => {
                own.extend_from_slice(other);
                kept.count_if_many();
            }
        }
        if let (Some(own), Some(other)) = (&mut kept.buckets, other.buckets()) {
            own.merge(other);
        }
    }

    /// Returns the number of amounts recorded.
    pub fn count(&self) -> u64 {
        self.sums.count + self.open().len() as u64
    }

    /// Returns their exact sum, in millionths.
    pub fn sum(&self) -> i128 {
        self.sums.sum + self.open().iter().map(|&amount| i128::from(amount)).sum::<i128>()
    }

    /// Returns their mean in units, or `None` for an empty distribution.
    pub fn mean(&self) -> Option<f64> {
        (self.count() > 0).then(|| sum_as_units(self.sum()) / self.count() as f64)
    }

    /// Returns the smallest amount in units.
    pub fn least(&self) -> Option<f64> {
        let least = self.open().iter().fold(self.sums.least, |least, &amount| least.min(amount));
        (self.count() > 0).then(|| sum_as_units(i128::from(least)))
    }

    /// Returns the largest amount in units.
    pub fn largest(&self) -> Option<f64> {
        let largest =
            self.open().iter().fold(self.sums.largest, |largest, &amount| largest.max(amount));
        (self.count() > 0).then(|| sum_as_units(i128::from(largest)))
    }

    /// Returns a quantile in units: a share `quantile` of all amounts is at or below it. It is
    /// accurate to the error of the [`Detail`], and never above the exact largest amount. `None` where
    /// amounts beyond the histogram, 2^61 millionths, decide it.
    pub fn quantile(&self, quantile: f64) -> Option<f64> {
        let whole = self.whole();
        let Sums { count, least, largest, .. } = whole.sums;
        let amount = match (whole.amounts(), &self.kept) {
            _ if count == 0 => return None,
            (Amounts::Unknown, _) | (_, None) => return None,
            (Amounts::Listed(_), _) if quantile <= 0.0 => least,
            (Amounts::Listed(amounts), Some(kept)) => {
                let rank = (quantile.min(1.0) * amounts.len() as f64).ceil() as usize;
                let mut amounts = amounts.clone();
                let (_, amount, _) = amounts.select_nth_unstable(rank.max(1) - 1);
                kept.detail.end_of_bucket(*amount)
            }
            (Amounts::Counted(counts), _) => counts.histogram().value_at_quantile(quantile),
        };
        let is_counted = largest < BEYOND || amount < LARGEST_BUCKET;
        is_counted.then(|| sum_as_units(i128::from(amount.min(largest).max(least))))
    }

    /// Returns the histogram, in millionths; `None` for an empty distribution.
    pub fn histogram(&self) -> Option<Cow<'_, Histogram<u64>>> {
        let kept = self.kept.as_ref().filter(|_| self.count() > 0)?;
        if let (Amounts::Counted(counts), true) = (&kept.amounts, kept.is_closed()) {
            return Some(Cow::Borrowed(counts.histogram()));
        }
        match self.whole().amounts() {
            Amounts::Unknown => None,
            Amounts::Listed(amounts) => {
                Some(Cow::Owned(Counts::of_amounts(amounts, kept.detail).into_histogram()))
            }
            Amounts::Counted(counts) => Some(Cow::Owned(counts.histogram().clone())),
        }
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mean() {
            None => out.write_str("nothing"),
            Some(mean) => write!(out, "{} with mean {mean}", self.count()),
        }
    }
}

/// Amounts as they are saved: a histogram in its V2 format, a list in order.
#[derive(Serialize, Deserialize)]
enum Saved {
    Unknown,
    Listed(Vec<u64>),
    Counted(Vec<u8>),
}

impl State for Distribution {
    fn save(&self, out: &mut Vec<u8>) {
        let whole = self.whole();
        let saved = match whole.amounts() {
            Amounts::Unknown => Saved::Unknown,
            Amounts::Listed(amounts) => {
                let mut amounts = amounts.clone();
                amounts.sort_unstable();
                Saved::Listed(amounts)
            }
            Amounts::Counted(counts) => {
                let mut bytes = Vec::new();
                V2Serializer::new()
                    .serialize(counts.histogram(), &mut bytes)
                    .expect("a histogram serializes into memory");
                Saved::Counted(bytes)
            }
        };
        let Sums { count, sum, least, largest } = whole.sums;
        put(&(count, sum, least, largest, whole.buckets(), saved), out);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let (count, sum, least, largest, buckets, saved) = take(from)?;
        self.sums = Sums { count, sum, least, largest };
        let amounts = match (saved, &self.kept) {
            (Saved::Unknown, None) => return Ok(()),
            (Saved::Listed(amounts), Some(_)) if amounts.len() as u64 == count => {
                Amounts::Listed(amounts)
            }
            (Saved::Counted(bytes), Some(kept)) => {
                let histogram = Deserializer::new().deserialize(&mut bytes.as_slice());
                let wrong = |error| Corrupt::Content(format!("a histogram: {error:?}"));
                Amounts::Counted(Counts::of(histogram.map_err(wrong)?, kept.detail))
            }
            _ => {
                let wrong = "a histogram is missing or was not asked for";
                return Err(Corrupt::Content(wrong.into()));
            }
        };
        if let Some(kept) = &mut self.kept {
            (kept.open, kept.amounts, kept.buckets) = (0, amounts, buckets);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They used to be those of the amounts at the end of the histogram: 1.15e12 for 4.6e12.
    #[test]
    fn quantiles_beyond_the_histogram_are_not_known() {
        for amounts in [10, 1000] {
            let mut distribution = Distribution::new(Detail::Full);
            (0..amounts).for_each(|n| distribution.record(if n % 5 == 0 { 7 } else { 4 << 60 }));
            assert_eq!(distribution.quantile(0.1), Some(7e-6));
            assert_eq!(distribution.quantile(0.5), None);
            assert_eq!(distribution.largest(), Some((4_u64 << 60) as f64 / 1e6));
        }
    }

    #[test]
    fn quantiles_lie_within_the_stated_error() {
        for (detail, error) in [(Detail::Full, 0.001), (Detail::Coarse, 0.1)] {
            let mut distribution = Distribution::new(detail);
            (1..=100_000_u64).for_each(|amount| distribution.record(amount * 1000));
            for (_, quantile) in QUANTILES {
                let exact = quantile * 100.0;
                let found = distribution.quantile(quantile).unwrap();
                assert!((found / exact - 1.0).abs() <= error, "{quantile}: {found}, {exact}");
            }
            assert_eq!(distribution.largest(), Some(100.0));
            assert_eq!(distribution.least(), Some(0.001));
            assert_eq!(distribution.mean(), Some(50.0005));
        }
    }

    /// Also for amounts beyond the range of the histogram.
    #[test]
    fn few_amounts_give_the_results_of_their_histogram() {
        let amounts = (0..64).flat_map(|power| {
            let amount = 1_u64 << power;
            [amount - 1, amount, amount + amount / 3, amount + (amount - 1)]
        });
        let amounts: Vec<u64> = amounts.chain([77_777; 5]).collect();
        for detail in [Detail::Coarse, Detail::Full] {
            for count in [1, 2, 31, 32, 33, amounts.len()] {
                // From both ends, so that the longest of the first halves are within its range.
                for amounts in [&amounts[..count], &amounts[amounts.len() - count..]] {
                    let mut found = Distribution::new(detail);
                    amounts.iter().for_each(|&amount| found.record(amount));
                    found.take_in();
                    let is_listed = matches!(found.amounts(), Amounts::Listed(_));
                    assert_eq!(is_listed, count <= detail.most_listed());
                    let mut counted = found.clone();
                    let kept = counted.kept.as_mut().unwrap();
                    kept.amounts = Amounts::Counted(Counts::of_amounts(amounts, detail));
                    assert_eq!(found.histogram().unwrap(), counted.histogram().unwrap());
                    for share in [0.0, 1e-9, 0.1, 0.25, 0.5, 0.9, 0.95, 0.999, 1.0] {
                        assert_eq!(found.quantile(share), counted.quantile(share), "{share}");
                    }
                    if detail == Detail::Full {
                        assert_eq!(found.mark_of_histogram(), counted.mark_of_histogram());
                    }
                }
            }
        }
    }

    #[test]
    fn merging_is_recording_together_and_state_comes_back() {
        // Lists that stay one, become a histogram together, or are merged with one on either side.
        for (count, every) in [(0, 2), (1000, 3), (2500, 2), (9000, 9000), (9000, 2), (9000, 1)] {
            merges(count, |amount| amount % every == 0);
        }
    }

    fn merges(count: u64, is_other: impl Fn(u64) -> bool) {
        let mut parts = [Distribution::new(Detail::Full), Distribution::new(Detail::Full)];
        let mut whole = Distribution::new(Detail::Full);
        for amount in 0..count {
            parts[usize::from(is_other(amount))].record(amount * amount);
            whole.record(amount * amount);
        }
        let [mut merged, other] = parts;
        merged.merge(&other);
        assert_eq!(merged.histogram(), whole.histogram());
        let bytes = |distribution: &Distribution| {
            let mut out = Vec::new();
            distribution.save(&mut out);
            out
        };
        assert_eq!(bytes(&merged), bytes(&whole));
        let mut loaded = Distribution::new(Detail::Full);
        loaded.record(1);
        loaded.load(&mut bytes(&whole).as_slice()).unwrap();
        assert_eq!(bytes(&loaded), bytes(&whole));
        loaded.record(7);
        whole.record(7);
        assert_eq!(bytes(&loaded), bytes(&whole));
        assert!(Distribution::new(Detail::None).load(&mut bytes(&whole).as_slice()).is_err());
    }

    /// Whatever is read in the middle of a block counts its amounts too.
    #[test]
    fn the_open_block_is_in_every_result() {
        for detail in [Detail::None, Detail::Coarse, Detail::Full] {
            let mut open = Distribution::with_sections(detail);
            for (amount, count) in (0..5000_u64).map(|amount| amount * amount % 977).zip(1..) {
                open.record(amount);
                if count % 997 > 40 {
                    continue;
                }
                let mut whole = open.clone();
                whole.take_in();
                assert_eq!((open.count(), open.sum()), (count, whole.sums.sum));
                assert_eq!((open.least(), open.largest()), (whole.least(), whole.largest()));
                assert_eq!(open.mean(), whole.mean());
                assert_eq!(open.quantile(0.9), whole.quantile(0.9));
                assert_eq!(open.histogram(), whole.histogram());
                assert_eq!(open.mark(), whole.mark());
                if detail == Detail::Full {
                    assert_eq!(open.mark_of_histogram(), whole.mark());
                }
                let bytes = [&open, &whole].map(|distribution| {
                    let mut out = Vec::new();
                    distribution.save(&mut out);
                    out
                });
                assert_eq!(bytes[0], bytes[1]);
                let mut merged = Distribution::with_sections(detail);
                merged.record(3);
                merged.merge(&open);
                whole.record(3);
                assert_eq!(merged.histogram(), whole.histogram());
                assert_eq!(merged.mark(), whole.mark());
                merged.record(5);
                merged.clear();
                assert_eq!((merged.count(), merged.histogram()), (0, None));
            }
        }
    }

    /// The buckets are the same as if each amount had been recorded in them.
    #[test]
    fn the_buckets_of_a_histogram_are_those_of_its_amounts() {
        let amounts = || (0..60).flat_map(|power| [0, 3, 7].map(|more| (1_u64 << power) + more));
        let mut kept = Distribution::with_sections(Detail::Full);
        let mut found = Distribution::new(Detail::Full);
        assert_eq!(found.mark_of_histogram(), kept.mark());
        for amount in amounts().chain([0, 0, 12_345_678, 999_999_999_999]) {
            kept.record(amount);
            found.record(amount);
        }
        assert_eq!(found.mark_of_histogram(), kept.mark());
    }

    #[test]
    fn an_amount_beyond_the_last_bucket_keeps_its_exact_sum() {
        let mut distribution = Distribution::new(Detail::Full);
        distribution.record(u64::MAX);
        assert_eq!(distribution.sum(), i128::from(u64::MAX));
    }
}
