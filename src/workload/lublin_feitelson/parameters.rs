//! The constants of the model, fitted by its authors to the logs of three machines.

use super::gamma::Gamma;

/// What describes the jobs of one type. Sizes are base-2 logarithms of processors, run times and
/// gaps natural logarithms of seconds, the daily cycle is in half hours after midnight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameters {
    /// The probability of a job of one processor.
    pub(super) serial: f64,
    /// The probability of a job whose size is rounded to a power of two, of all jobs.
    pub(super) power_of_two: f64,
    /// The least logarithm of the size of a parallel job.
    pub(super) low: f64,
    /// The probability that it is below the medium one.
    pub(super) below_medium: f64,
    /// Short runs: shape and scale.
    pub(super) short: (f64, f64),
    /// Long runs: shape and scale.
    pub(super) long: (f64, f64),
    /// The probability of a short run is `slope * processors + intercept`, cut to 0..1.
    pub(super) slope: f64,
    pub(super) intercept: f64,
    /// The gap to the next job of the type, in seconds of a day without ups and downs: shape (with
    /// the correction that the program applies) and scale.
    pub(super) gap: (f64, f64),
    /// When in the day jobs come: shape and scale.
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

/// A run of more than e¹² seconds (45 hours) is drawn again.
pub(super) const LONGEST_RUN: f64 = 12.0;
/// A gap of more than e¹³ seconds (5 days) is drawn again.
pub(super) const LONGEST_GAP: f64 = 13.0;
/// The logarithm of the largest interactive job (45 processors) on any larger machine.
pub(super) const INTERACTIVE_HIGH: f64 = 5.5;
/// How far the medium size is below the largest.
pub(super) const MEDIUM_BELOW_HIGH: f64 = 2.5;

/// The sizes of one type on a machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) medium: f64,
    pub(super) high: f64,
    /// Of the machine: no job is larger.
    pub(super) processors: u32,
}

/// The jobs of one type, ready to be drawn.
#[derive(Clone, Debug)]
pub(super) struct JobType {
    /// What its streams are called; empty for the typeless model.
    pub(super) name: &'static str,
    /// The number that stands for the type where records have a user.
    pub(super) number: u32,
    pub(super) parameters: Parameters,
    pub(super) sizes: Sizes,
    pub(super) short: Gamma,
    pub(super) long: Gamma,
    pub(super) gap: Gamma,
    /// By half hour after midnight, the share of work that comes in it; they average 1.
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

    /// The probability that a job of this size is a short one.
    #[inline]
    pub(super) fn short_share(&self, processors: u32) -> f64 {
        let Parameters { slope, intercept, .. } = self.parameters;
        (slope * f64::from(processors) + intercept).clamp(0.0, 1.0)
    }
}
