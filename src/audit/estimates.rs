//! Means, confidence intervals and quantiles of printed figures, computed from their definitions.
//!
//! Nothing is shared with the code that prints them: critical values are found by bisection of the
//! distribution function, moments by summing the residuals themselves.

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// A replication's part of a figure: a sum, and the number of jobs or the length that it is over.
/// A plain value is a sum over a weight of 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Section {
    /// The sum.
    pub sum: f64,
    /// The weight; 0 if the replication has no value.
    pub weight: f64,
}

/// A mean over replications.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pooled {
    /// The sum of all sums by the sum of all weights.
    pub mean: f64,
    /// The ends of its confidence interval; `None` with fewer than two values.
    pub ends: Option<[f64; 2]>,
    /// Number of replications that have a value.
    pub filled: u64,
    /// True if all of these are equal.
    pub is_alike: bool,
    /// Largest absolute value, to which rounding errors are proportional.
    pub scale: f64,
}

impl Pooled {
    /// Pools the sections of so many replications; those without a value may be left out. `None` if
    /// none has one.
    ///
    /// The interval is Student's for a ratio of sums, from 4 values on corrected for the skewness of the
    /// residuals after Willink (Communications in Statistics 34(4), 2005).
    pub fn of(sections: &[Section], replications: u64, level: f64) -> Option<Pooled> {
        let has = |section: &&Section| section.weight > 0.0;
        let filled: Vec<Section> = sections.iter().filter(has).copied().collect();
        let weight: f64 = filled.iter().map(|one| one.weight).sum();
        if filled.is_empty() {
            return None;
        }
        let mean = filled.iter().map(|one| one.sum).sum::<f64>() / weight;
        let off = |one: &Section| one.sum - mean * one.weight;
        let power = |power| filled.iter().map(|one| off(one).powi(power)).sum::<f64>();
        let count = replications.max(filled.len() as u64) as f64;
        let variance = power(2) / (count - 1.0);
        let standard = (count * variance).sqrt() / weight;
        let scale = filled.iter().map(|one| (one.sum / one.weight).abs()).fold(0.0, f64::max);
        // Where only rounding errors differ, the skewness means nothing.
        let skewness = match filled.len() > 3 && standard > 1e-9 * scale {
            true => power(3) * count / ((count - 1.0) * (count - 2.0)) / variance.powf(1.5),
            false => 0.0,
        };
        let ends = (filled.len() > 1).then(|| {
            let b = skewness / (6.0 * count.sqrt());
            let t = student(level, filled.len() as u64 - 1);
            [t, -t].map(|t| match b.abs() < 1e-9 {
                true => mean - t * standard,
                false => mean - ((1.0 + 6.0 * b * (t - b)).cbrt() - 1.0) / (2.0 * b) * standard,
            })
        });
        let is_alike = filled.iter().all(|one| off(one).abs() <= 1e-12 * scale * one.weight);
        Some(Pooled { mean, ends, filled: filled.len() as u64, is_alike, scale })
    }

    /// The ends, cut off at what a measure can be.
    pub fn ends_of(&self, measure: &str) -> Option<[f64; 2]> {
        let [least, most] = range_of(measure);
        self.ends.map(|[low, high]| [low.max(least), high.min(most)])
    }

    /// Pools plain values, each of which weighs the same.
    pub fn of_values(values: &[f64], replications: u64, level: f64) -> Option<Pooled> {
        let sections: Vec<Section> =
            values.iter().map(|&sum| Section { sum, weight: 1.0 }).collect();
        Pooled::of(&sections, replications, level)
    }
}

/// The values that a measure can have: its intervals end there.
pub fn range_of(measure: &str) -> [f64; 2] {
    let endless = f64::INFINITY;
    match measure {
        "gain" => [-endless, 1.0],
        "score" | "final_score" | "payoff" | "final_payoff" | "external_regret" | "welfare"
        | "final_welfare" => [-endless, endless],
        "makespan_over_bound" | "makespan_over_optimum" => [1.0, endless],
        "broken_promises" | "class_fairness" | "late" | "utilization" | "joined" | "caught"
        | "false_alarms" | "excluded" | "final_joined" | "final_lying" | "final_probability"
        | "fairness" | "share" | "final_share" | "last" | "last_share" => [0.0, 1.0],
        _ if measure.contains("slowdown") => [1.0, endless],
        _ => [0.0, endless],
    }
}

/// Jain's index of amounts; `None` if there are none or all are zero.
pub fn jain(amounts: &[f64]) -> Option<f64> {
    let sum: f64 = amounts.iter().sum();
    let squares: f64 = amounts.iter().map(|amount| amount * amount).sum();
    (squares > 0.0).then(|| sum * sum / squares / amounts.len() as f64)
}

/// The two-sided critical value of Student's t: the probability to lie within it is `level`.
///
/// By the finite sums for whole degrees of freedom in terms of the angle atan(t / sqrt(freedom))
/// (Abramowitz and Stegun, 26.7.3 and 26.7.4). O(freedom) a step, 60 steps.
pub fn student(level: f64, freedom: u64) -> f64 {
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    for _ in 0..60 {
        let angle = (low + high) / 2.0;
        match within(angle, freedom) < level {
            true => low = angle,
            false => high = angle,
        }
    }
    low.tan() * (freedom as f64).sqrt()
}

/// The probability to lie within the t of this angle.
fn within(angle: f64, freedom: u64) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    let is_odd = freedom % 2 == 1;
    let (mut term, mut sum) = (if is_odd { cosine } else { 1.0 }, 0.0);
    let mut number = 2 + u64::from(is_odd);
    while number <= freedom {
        sum += term;
        // The terms fall faster and faster.
        if term < 1e-18 * sum {
            break;
        }
        term *= (number - 1) as f64 / number as f64 * cosine * cosine;
        number += 2;
    }
    match is_odd {
        true => FRAC_2_PI * (angle + sine * sum),
        false => sine * sum,
    }
}

/// A sample of amounts from 0 on, each known within a four-thousandth, in bounded memory.
#[derive(Clone, Debug, Default)]
pub struct Spread {
    counts: BTreeMap<u64, u64>,
    count: u64,
    /// The exact sum.
    pub sum: i128,
    /// The largest amount.
    pub largest: i64,
    /// The smallest amount.
    pub least: Option<i64>,
}

impl Spread {
    /// Bits of a double's mantissa that are left out.
    const LEFT_OUT: u32 = 40;

    /// Adds an amount.
    pub fn add(&mut self, amount: i64) {
        *self.counts.entry((amount as f64).to_bits() >> Spread::LEFT_OUT).or_default() += 1;
        self.count += 1;
        self.sum += i128::from(amount);
        self.largest = self.largest.max(amount);
        self.least = Some(self.least.map_or(amount, |least| least.min(amount)));
    }

    /// Number of amounts.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The least amount that this share of the sample does not exceed, within a four-thousandth; `None`
    /// without a sample.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let rank = ((share * self.count as f64).ceil() as u64).max(1);
        let mut before = 0;
        let bits = self.counts.iter().find_map(|(&bits, &count)| {
            before += count;
            (before >= rank).then_some(bits)
        });
        let ends = bits.map(|bits| [bits, bits + 1].map(|bits| bits << Spread::LEFT_OUT));
        ends.map(|[low, high]| (f64::from_bits(low) + f64::from_bits(high)) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Critical values as printed in every textbook.
    #[test]
    fn critical_values_are_those_of_the_tables() {
        for (level, freedom, printed) in [
            (0.95, 1, 12.706_204_736),
            (0.95, 2, 4.302_652_730),
            (0.95, 3, 3.182_446_305),
            (0.99, 10, 3.169_272_673),
            (0.95, 30, 2.042_272_456),
            (0.95, 1_000_000, 1.959_966_36),
        ] {
            let found = student(level, freedom);
            assert!((found - printed).abs() < 1e-7 * printed, "{level} {freedom}: {found}");
        }
    }

    /// 3, 5, 7, 9 by hand; and weights: 30 over 3 and 10 over 1 are 10 each.
    #[test]
    fn means_and_intervals_are_those_of_the_textbook() {
        let pooled = Pooled::of_values(&[3.0, 5.0, 7.0, 9.0], 4, 0.95).unwrap();
        let half = 3.182_446_305 * (20.0_f64 / 3.0 / 4.0).sqrt();
        let [low, high] = pooled.ends.unwrap();
        assert!((low - 6.0 + half).abs() < 1e-8 && (high - 6.0 - half).abs() < 1e-8);
        let sections = [(30.0, 3.0), (10.0, 1.0)].map(|(sum, weight)| Section { sum, weight });
        let pooled = Pooled::of(&sections, 2, 0.95).unwrap();
        assert_eq!((pooled.mean, pooled.ends), (10.0, Some([10.0, 10.0])));
        assert_eq!(Pooled::of(&[], 3, 0.95), None);
    }

    #[test]
    fn quantiles_are_known_within_a_four_thousandth() {
        let mut spread = Spread::default();
        (1..=1000).for_each(|amount| spread.add(amount * 1_000_000));
        for (share, quantile) in [(0.5, 500e6), (0.99, 990e6), (1.0, 1000e6), (0.0, 1e6)] {
            let found = spread.quantile(share).unwrap();
            assert!((found / quantile - 1.0).abs() < 1.0 / 4096.0, "{share}: {found}");
        }
        assert_eq!(Spread::default().quantile(0.5), None);
        assert_eq!(
            (spread.count(), spread.largest, spread.least),
            (1000, 1_000_000_000, Some(1_000_000))
        );
    }
}
