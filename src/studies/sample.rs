//! Means and standard deviations over independent rounds, with their 95% intervals.
//!
//! The mean of a group of clusters is the average of the clusters' own, which is how the papers
//! aggregate; its deviation is that of all their values. Rounds are independent, but the clusters in a round are not. So the mean has a
//! Student's t interval from the group's mean in each round, and the standard deviation has an
//! interval from a bootstrap of whole rounds (Efron and Tibshirani, An Introduction to the
//! Bootstrap, 1993, chapter 6): scores are skewed, and the textbook error of a standard deviation
//! assumes normal variables.

use super::verdict::Measured;
use kernel::rng::Streams;
use stats::interval::{Level, Sections};
use stats::student;
use workload::draw::below;

/// Number of bootstrap resamples, enough for a standard error known within 5%.
const RESAMPLES: usize = 200;

/// A figure of each cluster in each round.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    clusters: usize,
    /// Round by round, and by cluster within a round.
    values: Vec<f64>,
}

impl Sample {
    /// A sample of values ordered by round, and by cluster within a round.
    ///
    /// # Panics If the last round is incomplete.
    pub fn new(clusters: usize, values: Vec<f64>) -> Sample {
        assert!(clusters > 0 && values.len().is_multiple_of(clusters), "rounds are whole");
        Sample { clusters, values }
    }

    /// Number of rounds.
    pub fn rounds(&self) -> usize {
        self.values.len() / self.clusters
    }

    /// The values of all clusters and rounds.
    pub(crate) fn all(&self) -> &[f64] {
        &self.values
    }

    /// The values of all clusters, for each round.
    pub(crate) fn by_round(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.clusters)
    }

    /// The sample of some clusters.
    #[must_use]
    pub fn of(&self, clusters: std::ops::Range<usize>) -> Sample {
        let values = self.by_round().flat_map(|round| &round[clusters.clone()]).copied().collect();
        Sample::new(clusters.len(), values)
    }

    /// Mean of the clusters' means.
    pub fn mean(&self) -> Measured {
        mean(self.by_round().map(|round| round.iter().sum::<f64>() / self.clusters as f64))
    }

    /// Standard deviation over all clusters and rounds.
    pub fn deviation(&self) -> Measured {
        let all: Vec<u32> = (0..self.rounds() as u32).collect();
        let value = self.deviation_of(&all);
        Measured { value, half_width: self.resampled(|rounds| self.deviation_of(rounds)) }
    }

    /// Difference to the deviation of another sample of the same rounds, as a paired comparison.
    pub(crate) fn deviation_less(&self, other: &Sample) -> Measured {
        assert_eq!(self.rounds(), other.rounds(), "the same rounds");
        let less = |rounds: &[u32]| self.deviation_of(rounds) - other.deviation_of(rounds);
        let all: Vec<u32> = (0..self.rounds() as u32).collect();
        Measured { value: less(&all), half_width: self.resampled(less) }
    }

    /// Standard deviation over all clusters and some of the rounds.
    fn deviation_of(&self, rounds: &[u32]) -> f64 {
        // Shifted by the first value, so that squares do not swamp small differences.
        let Some(middle) = self.values.first() else { return f64::NAN };
        let [mut sum, mut squares] = [0.0; 2];
        for &round in rounds {
            let from = round as usize * self.clusters;
            for value in &self.values[from..from + self.clusters] {
                let value = value - middle;
                sum += value;
                squares += value * value;
            }
        }
        let count = (rounds.len() * self.clusters) as f64;
        ((squares - sum * sum / count) / (count - 1.0).max(1.0)).max(0.0).sqrt()
    }

    /// Half-width of the bootstrap interval of a statistic of rounds.
    fn resampled(&self, of: impl Fn(&[u32]) -> f64) -> f64 {
        resampled(self.rounds(), of)
    }

    /// Standard errors of mean and deviation for a single round, relative to the deviation.
    ///
    /// Another sample of such clusters with the same size has the same errors. So the error of a
    /// printed figure follows from the deviation that is printed with it. The first share is 1 if
    /// clusters go up and down together, and smaller the more they cancel out.
    pub fn error_shares(&self) -> [f64; 2] {
        let (mean, deviation) = (self.mean(), self.deviation());
        let rounds = self.rounds() as f64;
        let scale =
            rounds.sqrt() / student::two_sided(Level::default().share(), self.rounds() as u64 - 1);
        if deviation.value <= 0.0 || !deviation.half_width.is_finite() {
            return [1.0, NORMAL];
        }
        let share = |half_width: f64| half_width * scale / deviation.value;
        [share(mean.half_width).min(1.0), share(deviation.half_width)]
    }

    /// Percentage of the values that are larger than another sample's on the same draws, of those that
    /// both have.
    pub(crate) fn exceeds(&self, other: &Sample) -> Measured {
        let share = |(own, other): (&[f64], &[f64])| {
            let pairs = own.iter().zip(other);
            let known = pairs.filter(|(own, other)| !own.is_nan() && !other.is_nan());
            let more: Vec<bool> = known.map(|(own, other)| own > other).collect();
            100.0 * more.iter().filter(|&&more| more).count() as f64 / more.len() as f64
        };
        mean(self.by_round().zip(other.by_round()).map(share).filter(|share| !share.is_nan()))
    }

    /// Paired difference to another sample on the same draws, by round and cluster.
    #[must_use]
    pub fn less(&self, other: &Sample) -> Sample {
        assert_eq!(self.values.len(), other.values.len(), "the same rounds and clusters");
        let values = self.values.iter().zip(&other.values).map(|(own, other)| own - other);
        Sample::new(self.clusters, values.collect())
    }
}

/// Mean of independent values, with its confidence interval.
pub fn mean(values: impl Iterator<Item = f64>) -> Measured {
    let mut sections = Sections::default();
    values.for_each(|value| sections.add(value, 1.0));
    let half_width = sections.error().map_or(f64::INFINITY, |error| error.half_width());
    Measured { value: sections.mean().unwrap_or(f64::NAN), half_width }
}

/// Half-width of the bootstrap interval of a statistic, given the numbers of the rounds it is of; each
/// of `rounds` rounds may come several times.
pub(crate) fn resampled(rounds: usize, of: impl Fn(&[u32]) -> f64) -> f64 {
    if rounds < 3 {
        return f64::INFINITY;
    }
    let mut rng = Streams::new(0).stream("bootstrap");
    let mut drawn = vec![0; rounds];
    let mut figures = Sections::default();
    for _ in 0..RESAMPLES {
        drawn.fill_with(|| below(&mut rng, rounds as u64) as u32);
        figures.add(of(&drawn), 1.0);
    }
    // The error of a single statistic, not of the mean of all resamples.
    let error = figures.error().map_or(0.0, |error| error.standard);
    student::two_sided(Level::default().share(), rounds as u64 - 1)
        * error
        * (RESAMPLES as f64).sqrt()
}

/// Half the difference between the largest and the smallest value.
pub(crate) fn half_range(values: &[f64]) -> f64 {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (high - low) / 2.0
}

/// Relative standard error of the standard deviation of normal variables, for one value: 1 /
/// sqrt(2).
const NORMAL: f64 = std::f64::consts::FRAC_1_SQRT_2;

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;
    use workload::draw::fraction;

    #[test]
    fn groups_of_clusters_are_averaged_as_the_papers_do() {
        let sample = Sample::new(3, vec![1.0, 2.0, 9.0, 3.0, 4.0, 11.0]);
        let typical = sample.of(0..2);
        assert_eq!((sample.rounds(), typical.mean().value), (2, 2.5));
        // Of 1, 2, 3 and 4.
        assert!((typical.deviation().value - (5.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(sample.less(&sample).mean(), Measured::exact(0.0));
        // One of three, and one of the two that both have.
        let other = Sample::new(3, vec![0.0, 2.0, 9.0, f64::NAN, 3.0, 12.0]);
        assert!((sample.exceeds(&other).value - (100.0 / 3.0 + 50.0) / 2.0).abs() < 1e-12);
    }

    /// Tests coverage on two distributions.
    ///
    /// The uniform one has standard deviation sqrt(1/12). The exponential one has mean 1, and its
    /// deviation has an error of 1.41 where the normal formula gives 0.71. Over 400 samples the
    /// coverage is within three standard errors (3.3%) of 95%.
    #[test]
    fn intervals_cover() {
        type Law = fn(f64) -> f64;
        let draws: [(Law, [f64; 2]); 2] = [
            (|share| share, [0.5, (1.0_f64 / 12.0).sqrt()]),
            (|share| -libm::log1p(-share), [1.0, 1.0]),
        ];
        for (law, truth) in draws {
            let mut covered = [0; 2];
            for seed in 0..400 {
                let mut rng = Streams::new(seed).stream("covers");
                let values = (0..1200).map(|_| law(fraction(&mut rng))).collect();
                let sample = Sample::new(2, values);
                for (covered, (found, truth)) in
                    covered.iter_mut().zip([sample.mean(), sample.deviation()].iter().zip(truth))
                {
                    *covered += u32::from(found.interval().covers(truth));
                }
            }
            for covered in covered {
                assert!((f64::from(covered) / 400.0 - 0.95).abs() < 0.033, "{covered}");
            }
        }
    }

    /// Independent exponential clusters of mean 1.
    ///
    /// The mean of four has half the error of one, and so has the mean of their deviations, whose
    /// error is 1.41 for one cluster.
    #[test]
    fn error_shares_know_how_much_clusters_cancel_out() {
        let mut rng = Streams::new(1).stream("shares");
        let mut draw = || -libm::log1p(-fraction(&mut rng));
        let apart = Sample::new(4, (0..8000).map(|_| draw()).collect());
        let [mean, deviation] = apart.error_shares();
        assert!((mean - 0.5).abs() < 0.05 && (deviation - 0.707).abs() < 0.1, "{mean} {deviation}");
        let together = (0..2000).flat_map(|_| [draw(); 4]).collect();
        let [mean, _] = Sample::new(4, together).error_shares();
        assert!((mean - 1.0).abs() < 1e-9, "{mean}");
    }

    /// Randomness that two samples share cancels out.
    #[test]
    fn deviations_of_the_same_rounds_are_compared_in_pairs() {
        let mut rng = Streams::new(1).stream("pairs");
        let values: Vec<f64> = (0..600).map(|_| fraction(&mut rng)).collect();
        let scaled = values.iter().map(|value| 1.1 * value).collect();
        let (one, other) = (Sample::new(1, values), Sample::new(1, scaled));
        let less = other.deviation_less(&one);
        assert!((less.value - 0.1 * one.deviation().value).abs() < 1e-12);
        assert!((less.half_width - 0.1 * one.deviation().half_width).abs() < 1e-12);
    }
}
