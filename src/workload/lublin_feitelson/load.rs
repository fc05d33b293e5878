//! The offered load of the model, computed rather than sampled.

use super::Clock;
use super::daily::BUCKETS;
use super::gamma::Gamma;
use super::parameters::{JobType, LONGEST_GAP, LONGEST_RUN};

impl JobType {
    /// Returns the mean runtime in seconds as a function of the probability that a job is short.
    /// Both that choice and the runtime are redrawn while the runtime is too long.
    pub(super) fn mean_run(&self) -> impl Fn(f64) -> f64 {
        let parts =
            |gamma: &Gamma| (gamma.below(LONGEST_RUN), gamma.whole_seconds_below(LONGEST_RUN, 1.0));
        let (short, long) = (parts(&self.short), parts(&self.long));
        move |share| {
            let mix = |short: f64, long: f64| share * short + (1.0 - share) * long;
            mix(short.1, long.1) / mix(short.0, long.0)
        }
    }

    /// Returns the mean of processors times runtime. Larger jobs run longer, so it exceeds the
    /// product of the means. Beyond some size all jobs are long; smaller sizes are enumerated.
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

    /// Returns the mean interarrival time of the type, in seconds.
    ///
    /// A day consumes as many points as it has half hours, for any cycle, so this is the mean of
    /// the gaps drawn. A truncated clock loses the fractional second of each gap. On average it
    /// loses that of a gap within one half hour, and jobs arrive in each in proportion to its
    /// weight.
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
