//! The constants of the model, fitted by its authors to the logs of three machines.

use super::gamma::Gamma;

/// Parameters of one type of jobs. Sizes are base-2 logarithms of processors, runtimes and gaps
/// natural logarithms of seconds; the daily cycle is in half hours after midnight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameters {
    /// Probability of a one-processor job.
    pub(super) serial: f64,
    /// Probability, among all jobs, that the size is rounded to a power of two.
    pub(super) power_of_two: f64,
    /// Smallest base-2 logarithm of a parallel job's size.
    pub(super) low: f64,
    /// Probability that the logarithm is below the medium value.
    pub(super) below_medium: f64,
    /// Short runtimes: shape and scale.
    pub(super) short: (f64, f64),
    /// Long runtimes: shape and scale.
    pub(super) long: (f64, f64),
    /// The probability of a short runtime is `slope * processors + intercept`, clamped to 0..1.
    pub(super) slope: f64,
    pub(super) intercept: f64,
    /// Gap to the next job of the type, in seconds of a flat day: shape (with the correction
    /// applied by the program) and scale.
    pub(super) gap: (f64, f64),
    /// Time of day of the arrivals: shape and scale.
    pub(super) cycle: (f64, f64),
}

pub(super) const BATCH: Parameters = Parameters {
    serial: 0.2927,
    power_of_two: 0.6686,
    low: 1.2,
    below_medium: 0.875,
    short: (6.57, 0.823),
    long: (639.1, 0.0156),
    slope: -0.003,
    intercept: 0.6986,
    gap: (6.0415 * 1.0519, 0.8531),
    cycle: (6.1271, 5.2740),
};

pub(super) const INTERACTIVE: Parameters = Parameters {
    serial: 0.1541,
    power_of_two: 0.625,
    low: 1.0,
    below_medium: 0.705,
    short: (3.8351, 0.6605),
    long: (7.073, 0.6856),
    slope: -0.0118,
    intercept: 0.9156,
    gap: (6.5510 * 0.9797, 0.6621),
    cycle: (8.9186, 3.6680),
};

/// Jobs of both types fitted together.
pub(super) const TYPELESS: Parameters = Parameters {
    serial: 0.244,
    power_of_two: 0.576,
    low: 0.8,
    below_medium: 0.86,
    short: (4.2, 0.94),
    long: (312.0, 0.03),
    slope: -0.0054,
    intercept: 0.78,
    gap: (10.2303 * 1.0225, 0.4871),
    cycle: (8.1737, 3.9631),
};

/// Logarithm of the longest runtime, e¹² seconds (45 hours); longer ones are redrawn.
pub(super) const LONGEST_RUN: f64 = 12.0;
/// Logarithm of the longest gap, e¹³ seconds (5 days); longer ones are redrawn.
pub(super) const LONGEST_GAP: f64 = 13.0;
/// Logarithm of the largest interactive job (45 processors), on any larger machine.
pub(super) const INTERACTIVE_HIGH: f64 = 5.5;
/// Difference between the largest and the medium logarithm of the size.
pub(super) const MEDIUM_BELOW_HIGH: f64 = 2.5;

/// Sizes of one type on a machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) medium: f64,
    pub(super) high: f64,
    /// Processors of the machine; no job is larger.
    pub(super) processors: u32,
}

/// One type of jobs, ready to draw from.
#[derive(Clone, Debug)]
pub(super) struct JobType {
    /// Suffix of its stream names; empty for the single-type model.
    pub(super) name: &'static str,
    /// User number that represents the type in records.
    pub(super) number: u32,
    pub(super) parameters: Parameters,
    pub(super) sizes: Sizes,
    pub(super) short: Gamma,
    pub(super) long: Gamma,
    pub(super) gap: Gamma,
    /// Share of work that arrives in each half hour after midnight; the shares average 1.
    pub(super) weights: [f64; super::daily::BUCKETS],
}

impl JobType {
    pub(super) fn new(
        name: &'static str,
        number: u32,
        parameters: Parameters,
        sizes: Sizes,
    ) -> JobType {
        let gamma = |(shape, scale)| Gamma::new(shape, scale);
        JobType {
            name,
            number,
            parameters,
            sizes,
            short: gamma(parameters.short),
            long: gamma(parameters.long),
            gap: gamma(parameters.gap),
            weights: super::daily::weights(gamma(parameters.cycle)),
        }
    }

    /// Returns the probability that a job of this size is short.
    #[inline]
    pub(super) fn short_share(&self, processors: u32) -> f64 {
        let Parameters { slope, intercept, .. } = self.parameters;
        (slope * f64::from(processors) + intercept).clamp(0.0, 1.0)
    }
}
