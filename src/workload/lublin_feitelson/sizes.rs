//! Sizes of jobs: serial, a power of two, or any number up to the machine.

use rand::RngExt as _;

use super::parameters::JobType;
use kernel::rng::Rng;

impl JobType {
    /// Draws the processors of a job.
    ///
    /// The same uniform decides between serial, power of two and any size, so the probability of a
    /// power of two refers to all jobs. If the machine is not a power of two, a size rounded up
    /// beyond it becomes the whole machine.
    #[inline]
    pub(super) fn processors(&self, rng: &mut Rng) -> u32 {
        let kind: f64 = rng.random();
        if kind <= self.parameters.serial {
            return 1;
        }
        // The position of a uniform within its stage is again uniform, and saves another draw.
        let stage: f64 = rng.random();
        let below = self.parameters.below_medium;
        let logarithm = if stage <= below {
            self.parameters.low + (self.sizes.medium - self.parameters.low) * (stage / below)
        } else {
            let place = (stage - below) / (1.0 - below);
            self.sizes.medium + (self.sizes.high - self.sizes.medium) * place
        };
        if kind <= self.parameters.serial + self.parameters.power_of_two {
            let power = (logarithm + 0.5).max(0.0) as u32;
            (1_u64 << power).min(u64::from(self.sizes.processors)) as u32
        } else {
            self.cut(libm::exp2(logarithm))
        }
    }

    /// Rounds a size to whole processors, at least one and at most the machine.
    #[inline]
    fn cut(&self, size: f64) -> u32 {
        ((size + 0.5) as u32).clamp(1, self.sizes.processors)
    }

    /// Returns the most processors that a job may use.
    pub(super) fn largest(&self) -> u32 {
        let high = self.parameters.low.max(self.sizes.medium).max(self.sizes.high);
        // The logarithm stays below `high`, so rounded values stay below `high + 0.5`.
        let power = libm::exp2(libm::ceil(high + 0.5) - 1.0);
        let any = libm::ceil(libm::exp2(high) + 0.5) - 1.0;
        self.cut(power.max(any).max(1.0))
    }

    /// Returns the two stages of the sizes of parallel jobs: probability and ends of each.
    fn stages(&self) -> [(f64, f64, f64); 2] {
        let (low, below) = (self.parameters.low, self.parameters.below_medium);
        let (medium, high) = (self.sizes.medium, self.sizes.high);
        [(below, low.min(medium), low.max(medium)), (1.0 - below, medium, high)]
    }

    /// Returns the probability that the logarithm of a parallel job's size exceeds `from`.
    fn logarithm_above(&self, from: f64) -> f64 {
        let above = |(probability, low, high): (f64, f64, f64)| {
            if from <= low {
                probability
            } else if from >= high {
                0.0
            } else {
                probability * (high - from) / (high - low)
            }
        };
        self.stages().into_iter().map(above).sum()
    }

    /// Returns the probability that a job uses at least `processors`.
    pub(super) fn at_least(&self, processors: u32) -> f64 {
        if processors <= 1 {
            return 1.0;
        }
        if processors > self.sizes.processors {
            return 0.0;
        }
        let parallel = 1.0 - self.parameters.serial - self.parameters.power_of_two;
        let power = f64::from(u32::BITS - (processors - 1).leading_zeros());
        let any = libm::log2(f64::from(processors) - 0.5);
        self.parameters.power_of_two * self.logarithm_above(power - 0.5)
            + parallel * self.logarithm_above(any)
    }

    /// Returns the mean number of processors above `from`: of `max(0, processors - from)`.
    ///
    /// It is the sum of [`at_least`](Self::at_least) over all sizes above `from`. There are few
    /// powers of two. For the other jobs it is a sum of logarithms, hence the logarithm of a
    /// product, which gamma functions give in closed form.
    pub(super) fn mean_above(&self, from: u32) -> f64 {
        let most = self.sizes.processors;
        if from >= most {
            return 0.0;
        }
        let mut mean = 0.0;
        // Sizes in (2^(k-1), 2^k] are reached by values rounded to 2^k or above.
        let mut begin = from.max(1);
        for power in 0..=u32::BITS {
            let end = (1_u64 << power).min(u64::from(most)) as u32;
            if end > begin {
                let above = self.logarithm_above(f64::from(power) - 0.5);
                mean += f64::from(end - begin) * self.parameters.power_of_two * above;
                begin = end;
            }
        }
        let any = 1.0 - self.parameters.serial - self.parameters.power_of_two;
        for (probability, low, high) in self.stages() {
            let whole = |logarithm| (libm::exp2(logarithm) + 0.5).clamp(1.0, f64::from(most));
            let first = from.max(1);
            let sure = (whole(low) as u32).max(first);
            let last = (whole(high) as u32).max(sure);
            let mut sum = f64::from(sure - first);
            if last > sure {
                let product =
                    libm::lgamma(f64::from(last) + 0.5) - libm::lgamma(f64::from(sure) + 0.5);
                let logarithms = product / std::f64::consts::LN_2;
                sum += (f64::from(last - sure) * high - logarithms) / (high - low);
            }
            mean += any * probability * sum;
        }
        // Every job has a first processor.
        if from == 0 { mean + 1.0 } else { mean }
    }
}
