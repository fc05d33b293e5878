//! What load the model offers, computed and not sampled.

use super::Clock;
use super::daily::BUCKETS;
use super::gamma::Gamma;
use super::parameters::{JobType, LONGEST_GAP, LONGEST_RUN};

impl JobType {
    /// The mean run time in seconds, given the probability that a first choice is short. Both the
    /// choice and the draw are made again while the run is too long.
    pub(super) fn mean_run(&self) -> impl Fn(f64) -> f64 {
        let parts =
            |gamma: &Gamma| (gamma.below(LONGEST_RUN), gamma.whole_seconds_below(LONGEST_RUN, 1.0));
        let (short, long) = (parts(&self.short), parts(&self.long));
        move |share| {
            let mix = |short: f64, long: f64| share * short + (1.0 - share) * long;
            mix(short.1, long.1) / mix(short.0, long.0)
        }
    }

    /// The mean of processors times run time. Larger jobs run longer, so it is more than the
    /// product of the means: beyond some size all runs are long, below it sizes are gone through.
    pub(super) fn mean_area(&self) -> f64 {
        let all_long = (1..).find(|&size| self.short_share(size) == 0.0);
        let all_long = all_long.expect("larger jobs run longer");
        let mean_run = self.mean_run();
        let run = |size: u32| mean_run(self.short_share(size));
        let probability = |size: u32| self.at_least(size) - self.at_least(size + 1);
        let small = (1..all_long).map(|size| f64::from(size) * probability(size) * run(size));
        let large = f64::from(all_long - 1) * self.at_least(all_long);
        small.sum::<f64>() + (large + self.mean_above(all_long - 1)) * run(all_long)
    }

    /// The mean gap between arrivals of the type, in seconds.
    ///
    /// A day takes as many points as it has half hours, whatever the cycle, so it is the mean of
    /// the gaps drawn. A truncated clock loses what each gap has beyond whole seconds: on average
    /// that of a gap within one half hour, and jobs come to each in proportion to its weight.
    pub(super) fn mean_gap(&self, clock: Clock) -> f64 {
        let mean = self.gap.mean_exponential(LONGEST_GAP);
        match clock {
            Clock::Exact => mean,
            Clock::Truncated => {
                let mass = self.gap.below(LONGEST_GAP);
                let lost = |weight: f64| {
                    let whole = self.gap.whole_seconds_below(LONGEST_GAP, weight) / mass;
                    weight / BUCKETS as f64 * (mean / weight - whole)
                };
                mean - self.weights.into_iter().map(lost).sum::<f64>()
            }
        }
    }
}
