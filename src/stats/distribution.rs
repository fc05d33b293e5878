//! A distribution of non-negative amounts. Count, sum, smallest and largest value are exact;
//! quantiles come from an HdrHistogram of fixed size.
//!
//! Amounts are whole numbers of millionths: ticks for spans, millionths for ratios such as
//! slowdown. Sums are exact integers, so merging in any order gives the same result.

use std::fmt;

use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer as _, V2Serializer};
use serde::{Deserialize, Serialize};

use super::buckets::Buckets;
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::sum_as_units;

/// Amounts of this size or more fall into the last bucket; count, sum and largest stay exact.
const LARGEST_BUCKET: u64 = 1 << 60;

/// Precision of the quantiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// No quantiles.
    None,
    /// One significant digit (under 10% error), about 4 kB.
    Coarse,
    /// Three significant digits (under 0.1% error), up to 0.4 MB. Only touched pages use memory.
    Full,
}

/// A distribution of amounts.
#[derive(Clone, Debug)]
pub struct Distribution {
    count: u64,
    sum: i128,
    least: u64,
    largest: u64,
    histogram: Option<Histogram<u64>>,
    /// Buckets of amounts, kept if sections of the run are compared.
    buckets: Option<Buckets>,
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

impl Distribution {
    /// Creates an empty distribution.
    ///
    /// # Panics
    /// Never: HdrHistogram accepts these constant bounds.
    pub fn new(detail: Detail) -> Distribution {
        let digits = match detail {
            Detail::None => None,
            Detail::Coarse => Some(1),
            Detail::Full => Some(3),
        };
        let histogram = digits.map(|digits| {
            Histogram::new_with_bounds(1, LARGEST_BUCKET, digits).expect("the bounds are valid")
        });
        Distribution { count: 0, sum: 0, least: u64::MAX, largest: 0, histogram, buckets: None }
    }

    /// Creates an empty distribution whose marks include buckets. It keeps them only at a detail
    /// for which intervals of quantiles make sense.
    pub fn with_sections(detail: Detail) -> Distribution {
        let buckets = (detail == Detail::Full).then(Buckets::default);
        Distribution { buckets, ..Distribution::new(detail) }
    }

    /// Stops keeping buckets for sections.
    pub fn forget_sections(&mut self) {
        self.buckets = None;
    }

    /// Records an amount.
    #[inline]
    pub fn record(&mut self, amount: u64) {
        self.count += 1;
        self.sum += i128::from(amount);
        self.least = self.least.min(amount);
        self.largest = self.largest.max(amount);
        if let Some(histogram) = &mut self.histogram {
            histogram.saturating_record(amount);
        }
        if let Some(buckets) = &mut self.buckets {
            buckets.record(amount);
        }
    }

    /// Removes all amounts.
    pub fn clear(&mut self) {
        (self.count, self.sum, self.least, self.largest) = (0, 0, u64::MAX, 0);
        if let Some(histogram) = &mut self.histogram {
            histogram.reset();
        }
        if let Some(buckets) = &mut self.buckets {
            *buckets = Buckets::default();
        }
    }

    /// Returns a snapshot of its current content.
    pub fn mark(&self) -> Mark {
        Mark { count: self.count, sum: self.sum, buckets: self.buckets.clone() }
    }

    /// Returns a snapshot with buckets derived from the histogram. They are exact. This is for
    /// distributions that keep no buckets; it scans the histogram from the smallest amount to the
    /// largest.
    pub fn mark_of_histogram(&self) -> Mark {
        let buckets = self.histogram.as_ref().map(|histogram| {
            let least = self.least.min(LARGEST_BUCKET);
            Buckets::counted(self.count, least, |low, high| histogram.count_between(low, high))
        });
        Mark { count: self.count, sum: self.sum, buckets }
    }

    /// Adds all amounts of another distribution. Quantiles are kept if both have them.
    pub fn merge(&mut self, other: &Distribution) {
        self.count += other.count;
        self.sum += other.sum;
        self.least = self.least.min(other.least);
        self.largest = self.largest.max(other.largest);
        match (&mut self.histogram, &other.histogram) {
            (Some(own), Some(other)) => {
                own.add(other).expect("all histograms have the same bounds");
            }
            (own, None) if other.count > 0 => *own = None,
            _ => {}
        }
        if let (Some(own), Some(other)) = (&mut self.buckets, &other.buckets) {
            own.merge(other);
        }
    }

    /// Returns the number of amounts recorded.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns their exact sum, in millionths.
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// Returns their mean in units, or `None` for an empty distribution.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| sum_as_units(self.sum) / self.count as f64)
    }

    /// Returns the smallest amount in units.
    pub fn least(&self) -> Option<f64> {
        (self.count > 0).then(|| sum_as_units(i128::from(self.least)))
    }

    /// Returns the largest amount in units.
    pub fn largest(&self) -> Option<f64> {
        (self.count > 0).then(|| sum_as_units(i128::from(self.largest)))
    }

    /// Returns a quantile in units: a share `quantile` of all amounts is at or below it. It is
    /// accurate to the error of the [`Detail`], and never above the exact largest amount.
    pub fn quantile(&self, quantile: f64) -> Option<f64> {
        let histogram = self.histogram.as_ref().filter(|_| self.count > 0)?;
        let amount = histogram.value_at_quantile(quantile).min(self.largest);
        Some(sum_as_units(i128::from(amount.max(self.least))))
    }

    /// Returns the histogram, in millionths.
    pub fn histogram(&self) -> Option<&Histogram<u64>> {
        self.histogram.as_ref()
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mean() {
            None => out.write_str("nothing"),
            Some(mean) => write!(out, "{} with mean {mean}", self.count),
        }
    }
}

impl State for Distribution {
    fn save(&self, out: &mut Vec<u8>) {
        let mut bytes = Vec::new();
        if let Some(histogram) = &self.histogram {
            V2Serializer::new()
                .serialize(histogram, &mut bytes)
                .expect("a histogram serializes into memory");
        }
        put(&(self.count, self.sum, self.least, self.largest, &self.buckets, bytes), out);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let bytes: Vec<u8>;
        (self.count, self.sum, self.least, self.largest, self.buckets, bytes) = take(from)?;
        if self.histogram.is_some() == bytes.is_empty() {
            return Err(Corrupt::Content("a histogram is missing or was not asked for".into()));
        }
        if let Some(histogram) = &mut self.histogram {
            *histogram = Deserializer::new()
                .deserialize(&mut bytes.as_slice())
                .map_err(|error| Corrupt::Content(format!("a histogram: {error:?}")))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn merging_is_recording_together_and_state_comes_back() {
        let mut parts = [Distribution::new(Detail::Full), Distribution::new(Detail::Full)];
        let mut whole = Distribution::new(Detail::Full);
        for amount in 0..1000_u64 {
            parts[usize::from(amount % 3 == 0)].record(amount * amount);
            whole.record(amount * amount);
        }
        let [mut merged, other] = parts;
        merged.merge(&other);
        let bytes = |distribution: &Distribution| {
            let mut out = Vec::new();
            distribution.save(&mut out);
            out
        };
        assert_eq!(bytes(&merged), bytes(&whole));
        let mut loaded = Distribution::new(Detail::Full);
        loaded.load(&mut bytes(&whole).as_slice()).unwrap();
        assert_eq!(bytes(&loaded), bytes(&whole));
        loaded.record(7);
        whole.record(7);
        assert_eq!(bytes(&loaded), bytes(&whole));
        assert!(Distribution::new(Detail::None).load(&mut bytes(&whole).as_slice()).is_err());
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
