//! Means and standard deviations over independent rounds, with their 95% intervals.
//!
//! The figure of a group of clusters is an average of the clusters' own figures, as the papers
//! aggregate them. Clusters of one round are not independent of each other, rounds are; so the mean
//! has the interval of Student's t over rounds of the group's mean in each, and the standard
//! deviation that of a jackknife over blocks of rounds (Asmussen and Glynn, Stochastic Simulation,
//! 2007, section III.5).

use super::verdict::Measured;
use crate::stats::interval::{LEVEL, Sections};
use crate::stats::student;

/// Blocks that the jackknife leaves out one by one.
const BLOCKS: usize = 25;

/// One number for each cluster in each round.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    clusters: usize,
    /// Round by round, in each cluster by cluster.
    values: Vec<f64>,
}

impl Sample {
    /// Of values round by round, in each cluster by cluster.
    ///
    /// # Panics
    /// When the last round is not whole.
    pub fn new(clusters: usize, values: Vec<f64>) -> Sample {
        assert!(clusters > 0 && values.len().is_multiple_of(clusters), "rounds are whole");
        Sample { clusters, values }
    }

    /// Rounds.
    pub fn rounds(&self) -> usize {
        self.values.len() / self.clusters
    }

    /// Of each round, the values of all clusters.
    pub fn by_round(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.clusters)
    }

    /// Some of the clusters alone.
    #[must_use]
    pub fn of(&self, clusters: std::ops::Range<usize>) -> Sample {
        let values = self.by_round().flat_map(|round| &round[clusters.clone()]).copied().collect();
        Sample::new(clusters.len(), values)
    }

    /// The mean of the clusters' means.
    pub fn mean(&self) -> Measured {
        mean(self.by_round().map(|round| round.iter().sum::<f64>() / self.clusters as f64))
    }

    /// The mean of each cluster.
    pub fn means(&self) -> Vec<f64> {
        let rounds = self.rounds().max(1) as f64;
        let sum = |cluster| self.by_round().map(|round| round[cluster]).sum::<f64>();
        (0..self.clusters).map(|cluster| sum(cluster) / rounds).collect()
    }

    /// Half the range of the clusters' means, which the papers print behind plus-minus.
    pub fn half_range(&self) -> f64 {
        half_range(&self.means())
    }

    /// The mean of the clusters' standard deviations.
    pub fn deviation(&self) -> Measured {
        let blocks = BLOCKS.min(self.rounds());
        let mut sums = vec![Moments::default(); blocks * self.clusters];
        let mut whole = vec![Moments::default(); self.clusters];
        for (number, round) in self.by_round().enumerate() {
            let block = number * blocks / self.rounds();
            for (cluster, &value) in round.iter().enumerate() {
                // Around the first value, so that squares do not swallow what is small.
                let value = value - self.values[cluster];
                sums[block * self.clusters + cluster].add(value);
                whole[cluster].add(value);
            }
        }
        let average = |without: Option<usize>| {
            let one = |cluster: usize| match without {
                None => whole[cluster].deviation(),
                Some(block) => {
                    whole[cluster].without(&sums[block * self.clusters + cluster]).deviation()
                }
            };
            (0..self.clusters).map(one).sum::<f64>() / self.clusters as f64
        };
        let value = average(None);
        if blocks < 3 {
            return Measured { value, half_width: f64::INFINITY };
        }
        let left: Vec<f64> = (0..blocks).map(|block| average(Some(block))).collect();
        let middle = left.iter().sum::<f64>() / blocks as f64;
        let squares: f64 = left.iter().map(|one| (one - middle) * (one - middle)).sum();
        let error = (squares * (blocks - 1) as f64 / blocks as f64).sqrt();
        Measured { value, half_width: student::two_sided(LEVEL, blocks as u64 - 1) * error }
    }

    /// This less another, round by round and cluster by cluster: of two runs on the same draws.
    #[must_use]
    pub fn less(&self, other: &Sample) -> Sample {
        assert_eq!(self.values.len(), other.values.len(), "the same rounds and clusters");
        let values = self.values.iter().zip(&other.values).map(|(own, other)| own - other);
        Sample::new(self.clusters, values.collect())
    }
}

/// The mean of independent values with its interval.
pub fn mean(values: impl Iterator<Item = f64>) -> Measured {
    let mut sections = Sections::default();
    values.for_each(|value| sections.add(value, 1.0));
    let half_width = sections.error().map_or(f64::INFINITY, |error| error.half_width());
    Measured { value: sections.mean().unwrap_or(f64::NAN), half_width }
}

/// Half the distance of the largest from the least.
pub fn half_range(values: &[f64]) -> f64 {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (high - low) / 2.0
}

/// Count, sum and sum of squares.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn without(&self, part: &Moments) -> Moments {
        Moments {
            count: self.count - part.count,
            sum: self.sum - part.sum,
            squares: self.squares - part.squares,
        }
    }

    fn deviation(&self) -> f64 {
        if self.count < 2.0 {
            return 0.0;
        }
        let variance = (self.squares - self.sum * self.sum / self.count) / (self.count - 1.0);
        variance.max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::rng::Streams;
    use crate::workload::draw::fraction;

    #[test]
    fn groups_of_clusters_are_averaged_as_the_papers_do() {
        let sample = Sample::new(3, vec![1.0, 2.0, 9.0, 3.0, 4.0, 11.0]);
        assert_eq!((sample.rounds(), sample.means()), (2, vec![2.0, 3.0, 10.0]));
        let typical = sample.of(0..2);
        assert_eq!((typical.mean().value, typical.half_range()), (2.5, 0.5));
        assert!((typical.deviation().value - 2_f64.sqrt()).abs() < 1e-12);
        assert_eq!(sample.less(&sample).mean(), Measured::exact(0.0));
    }

    /// Of uniform values, whose standard deviation is the root of 1/12. Over 400 samples the shares
    /// of intervals that cover are within three standard errors (3.3%) of 95%.
    #[test]
    fn intervals_cover() {
        let (mut means, mut deviations) = (0, 0);
        for seed in 0..400 {
            let mut rng = Streams::new(seed).stream("uniform");
            let sample = Sample::new(2, (0..600).map(|_| fraction(&mut rng)).collect());
            means += u32::from(sample.mean().interval().covers(0.5));
            deviations += u32::from(sample.deviation().interval().covers((1.0_f64 / 12.0).sqrt()));
        }
        for covered in [means, deviations] {
            assert!((f64::from(covered) / 400.0 - 0.95).abs() < 0.033, "{means}, {deviations}");
        }
    }
}
