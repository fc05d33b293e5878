//! Tests whether the jobs that came are typical of their distribution.
//!
//! For a model in closed form the mean and the mean square of job areas are known, and the mean
//! interarrival time. A sample without the rare large jobs looks precise, because what it lacks is
//! what varies. But then its own error is too small for the known mean to be within reach, and that
//! is tested here. The mean square is tested too, since mean waiting times grow with it (Pollaczek
//! 1930, Khinchine 1932).

use serde::{Deserialize, Serialize};

use kernel::state::{Corrupt, State, put, take};
use kernel::time::{TICKS_PER_UNIT, Time};
use model::job::Job;
use sim::observer::{Observer, Submitted};
use stats::shown::figure;
use stats::student;

/// Minimum number of jobs to test a workload.
///
/// With fewer, the mean of the squares is too skewed for a normal distribution.
const FEWEST: u64 = 1000;
/// Significance level over all tests: probability of rejecting typical jobs.
const CHANCE: f64 = 0.01;
/// Relative differences below this are rounding to ticks.
const ROUNDING: f64 = 1e-3;

/// Moments expected of a workload's jobs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// Mean area of a job, in processor-units.
    pub area: f64,
    /// Mean square of the areas.
    pub square: f64,
    /// Mean interarrival time in units, if jobs are one arrival each.
    pub gap: Option<f64>,
}

/// Running sums over a workload's jobs, in units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Seen {
    jobs: u64,
    area: f64,
    square: f64,
    fourth: f64,
    gap: f64,
    gap_square: f64,
    /// Last submission, to which the next interarrival time is measured.
    last: Time,
}

/// Running sums over the jobs of all workloads; an [`Observer`].
#[derive(Clone, Debug, PartialEq)]
pub struct Typical {
    expected: Vec<Option<Expected>>,
    seen: Vec<Seen>,
}

/// Quantity in which a workload departs from its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Mean area.
    Area,
    /// Mean square of the areas.
    Square,
    /// Mean interarrival time.
    Gap,
}

/// A workload whose jobs are not typical.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    /// Index of the workload.
    pub workload: usize,
    /// Quantity that differs.
    pub what: What,
    /// Observed value.
    pub seen: f64,
    /// Expected value.
    pub expected: f64,
}

impl Typical {
    /// No jobs yet; by workload, the moments expected of its jobs, if they are known.
    pub fn new(expected: Vec<Option<Expected>>) -> Typical {
        Typical { seen: vec![Seen::default(); expected.len()], expected }
    }

    /// Adds the jobs of another replication.
    pub fn merge(&mut self, other: &Typical) {
        for (all, one) in self.seen.iter_mut().zip(&other.seen) {
            all.jobs += one.jobs;
            all.area += one.area;
            all.square += one.square;
            all.fourth += one.fourth;
            all.gap += one.gap;
            all.gap_square += one.gap_square;
        }
    }

    /// Number of jobs by workload.
    pub fn jobs(&self) -> Vec<u64> {
        self.seen.iter().map(|seen| seen.jobs).collect()
    }

    /// The area that the jobs brought beyond what is expected of their number, and the area that
    /// they brought because they came sooner; with the area that is expected. `None` if no workload
    /// has a known model.
    pub fn deviations(&self) -> Option<([f64; 2], f64)> {
        let mut found = None;
        for (one, seen) in self.expected.iter().zip(&self.seen) {
            let Some(one) = one else { continue };
            let ([larger, sooner], area) = found.get_or_insert(([0.0; 2], 0.0));
            let number = seen.jobs as f64;
            *area += one.area * number;
            *larger += seen.area - one.area * number;
            if let Some(gap) = one.gap.filter(|gap| *gap > 0.0) {
                *sooner += (gap * number - seen.gap) * one.area / gap;
            }
        }
        found
    }

    /// The first significant departure, judged by the sample's own error.
    ///
    /// Mean areas are tested before squares and interarrival times.
    pub fn departure(&self) -> Option<Departure> {
        let judged = self.expected.iter().flatten();
        let asked: usize = judged.map(|one| 2 + usize::from(one.gap.is_some())).sum();
        if asked == 0 {
            return None;
        }
        let deviations = student::normal_two_sided(1.0 - CHANCE / asked as f64);
        [What::Area, What::Square, What::Gap].into_iter().find_map(|what| {
            let all = self.expected.iter().zip(&self.seen).enumerate();
            all.filter(|(_, (_, seen))| seen.jobs >= FEWEST).find_map(|(workload, (one, seen))| {
                let one = one.as_ref()?;
                let (expected, sum, squares) = match what {
                    What::Area => (one.area, seen.area, seen.square),
                    What::Square => (one.square, seen.square, seen.fourth),
                    What::Gap => (one.gap?, seen.gap, seen.gap_square),
                };
                let number = seen.jobs as f64;
                let mean = sum / number;
                let error = ((squares / number - mean * mean).max(0.0) / number).sqrt();
                let off = (mean - expected).abs();
                let differs = off > deviations * error && off > ROUNDING * expected;
                differs.then_some(Departure { workload, what, seen: mean, expected })
            })
        })
    }

    #[inline]
    fn job(&mut self, job: &Job) {
        let source = job.source as usize;
        if !matches!(self.expected.get(source), Some(Some(_))) {
            return;
        }
        let units = |ticks: i64| ticks as f64 / TICKS_PER_UNIT as f64;
        let seen = &mut self.seen[source];
        let area = f64::from(job.processors) * units(job.runtime.ticks());
        let gap = units((job.submit - seen.last).ticks());
        let square = area * area;
        seen.jobs += 1;
        seen.area += area;
        seen.square += square;
        seen.fourth += square * square;
        seen.gap += gap;
        seen.gap_square += gap * gap;
        seen.last = job.submit;
    }
}

impl Departure {
    /// The departure in a few words, for those who watch the run.
    pub fn brief(&self) -> &'static str {
        match (self.what, self.seen < self.expected) {
            (What::Area | What::Square, true) => "large jobs are still too few to be typical",
            (What::Area | What::Square, false) => "large jobs are still too many to be typical",
            (What::Gap, _) => "the times between jobs are not typical yet",
        }
    }

    /// The departure in words, with figures; `name` is that of the workload.
    pub fn words(&self, name: &str) -> String {
        let (seen, expected) = (figure(self.seen), figure(self.expected));
        let is_less = self.seen < self.expected;
        match self.what {
            What::Area | What::Square => format!(
                "the jobs drawn for `{name}` are not typical of their distribution: the mean {} is \
                 {seen} instead of the expected {expected}, so there are too {} large jobs, and \
                 means are too {}",
                if self.what == What::Area { "area" } else { "squared area" },
                if is_less { "few" } else { "many" },
                if is_less { "low" } else { "high" },
            ),
            What::Gap => format!(
                "the jobs drawn for `{name}` are not typical of their distribution: the mean time \
                 between them is {seen} instead of the expected {expected}"
            ),
        }
    }
}

impl Observer for Typical {
    #[inline]
    fn submitted(&mut self, Submitted { job, .. }: Submitted<'_>) {
        self.job(job);
    }
    fn rejected(&mut self, job: &Job, _: Time) {
        self.job(job);
    }
}

impl State for Typical {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.seen, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.seen = take(from)?;
        Ok(())
    }
}
