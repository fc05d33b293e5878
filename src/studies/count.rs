//! Counts of a paper's sample and of ours, compared exactly.
//!
//! Shares of a hundred instances are no means with a Gaussian error: near 0 and 100% such an interval
//! is empty or leaves the range. Two counts differ by Fisher's exact test at 5% (twice the smaller tail
//! of the hypergeometric law); where they do not, the exact interval of the paper's share (Clopper and
//! Pearson, Biometrika 26, 1934) says what its sample can tell.

use super::verdict::{Compared, Measured, TELLING};
use stats::interval::{Interval, Level};

/// So many of a number of instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Instances that have the property.
    pub hits: u64,
    /// All instances.
    pub of: u64,
}

impl Count {
    /// The share in percent.
    pub fn percent(self) -> f64 {
        100.0 * self.hits as f64 / self.of.max(1) as f64
    }

    /// The share in percent with half the width of its exact interval, between its ends and at least the
    /// farther one away.
    pub fn measured(self) -> Measured {
        let Interval { low, high } = self.interval();
        let value = self.percent();
        Measured { value, half_width: (high - value).max(value - low) }
    }

    /// The exact 95% interval of the share, in percent.
    pub fn interval(self) -> Interval {
        let tail = (1.0 - Level::default().share()) / 2.0;
        let Count { hits, of } = self;
        let low = if hits == 0 { 0.0 } else { crossing(|share| at_least(hits, of, share), tail) };
        let high = if hits == of {
            1.0
        } else {
            1.0 - crossing(|share| at_least(of - hits, of, share), tail)
        };
        Interval { low: 100.0 * low, high: 100.0 * high }
    }

    /// Our count beside one of the paper, as shares in percent.
    pub fn against(self, ours: Count) -> Compared {
        let (theirs, own) = (self.measured(), ours.measured());
        let half_width = libm::hypot(theirs.half_width, own.half_width);
        let is_enough = ours.of >= self.of;
        Compared {
            paper: theirs.into(),
            ours: own.into(),
            difference: Measured { value: own.value - theirs.value, half_width },
            chance: chance(self, ours),
            is_telling: is_enough && theirs.half_width <= TELLING * theirs.value,
            is_enough,
        }
    }
}

/// The share at which a rising probability reaches a value.
fn crossing(probability: impl Fn(f64) -> f64, value: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if probability(middle) < value { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// Logarithm of a binomial coefficient.
fn choose(of: u64, hits: u64) -> f64 {
    let factorial = |number: u64| libm::lgamma(number as f64 + 1.0);
    factorial(of) - factorial(hits) - factorial(of - hits)
}

/// Probability of at least so many hits if each comes with a probability.
fn at_least(hits: u64, of: u64, share: f64) -> f64 {
    let (yes, no) = (share.ln(), (-share).ln_1p());
    let one = |number: u64| {
        let [yes, no] = [(number, yes), (of - number, no)]
            .map(|(times, log)| if times == 0 { 0.0 } else { times as f64 * log });
        (choose(of, number) + yes + no).exp()
    };
    (hits..=of).map(one).sum()
}

/// Probability of two counts at least so far apart if both have the same share: Fisher's exact test.
pub fn chance(one: Count, other: Count) -> f64 {
    let hits = one.hits + other.hits;
    let all = choose(one.of + other.of, hits);
    let least = hits.saturating_sub(other.of);
    let law = |number: u64| (choose(one.of, number) + choose(other.of, hits - number) - all).exp();
    let below: f64 = (least..=one.hits).map(law).sum();
    let above: f64 = (one.hits..=one.of.min(hits)).map(law).sum();
    (2.0 * below.min(above)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Verdict;

    fn count(hits: u64, of: u64) -> Count {
        Count { hits, of }
    }

    /// The tea of Fisher's lady: 3 of 4 against 1 of 4 has a tail of 17 / 70.
    #[test]
    fn the_test_is_fishers() {
        assert!((chance(count(3, 4), count(1, 4)) - 34.0 / 70.0).abs() < 1e-12);
        assert!((chance(count(4, 4), count(0, 4)) - 2.0 / 70.0).abs() < 1e-12);
        assert!((chance(count(5, 10), count(50, 100)) - 1.0).abs() < 1e-12);
    }

    /// Clopper and Pearson: of 10 without a hit up to 1 - 0.025^(1/10), and symmetric.
    #[test]
    fn intervals_of_shares_are_exact() {
        let none = count(0, 10).interval();
        assert!((none.high - 100.0 * (1.0 - 0.025_f64.powf(0.1))).abs() < 1e-9 && none.low == 0.0);
        let all = count(10, 10).interval();
        assert!((all.low - (100.0 - none.high)).abs() < 1e-9 && all.high == 100.0);
        let some = count(16, 100).interval();
        assert!((some.low - 9.43).abs() < 0.01 && (some.high - 24.68).abs() < 0.01, "{some:?}");
    }

    /// 99 of 100 against 99.9%: one miss has a probability of 0.1, so the two do not differ.
    #[test]
    fn a_miss_in_a_hundred_is_no_difference() {
        let ours = count(9_990, 10_000);
        assert!((chance(count(99, 100), ours) - 0.19).abs() < 0.03);
        assert_eq!(count(100, 100).against(ours).verdict(), Verdict::Agrees);
        assert_eq!(count(99, 100).against(ours).verdict(), Verdict::Agrees);
        assert_eq!(count(16, 100).against(count(1_600, 10_000)).verdict(), Verdict::Compatible);
        assert_eq!(count(16, 100).against(count(800, 10_000)).verdict(), Verdict::Differs);
        assert_eq!(count(16, 100).against(count(3, 20)).verdict(), Verdict::Open);
    }
}
