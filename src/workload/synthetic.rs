//! Jobs drawn from distributions, one at a time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::arrivals::Arrivals;
use super::invalid::Invalid;
use super::sizes::Sizes;
use super::{Source, SourceError};
use crate::kernel::rng::{Rng, Streams};
use crate::kernel::time::{LIMIT_TICKS, Span, Time};
use crate::model::ids::OrganizationId;
use crate::model::job::Job;
use crate::state_of_fields;

/// A workload of independent draws.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SyntheticOptions {
    /// When jobs come.
    pub arrivals: Arrivals,
    /// How long they run.
    pub size: Sizes,
    /// How many processors they use; 1 where nothing is said.
    #[serde(default)]
    pub processors: Widths,
    /// Nothing comes after this many jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub jobs: Option<u64>,
    /// Nothing comes at this time (in units) or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub until: Option<f64>,
}

/// How many processors jobs use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Widths {
    /// All the same number.
    Constant(#[schemars(range(min = 1))] u32),
}

impl Default for Widths {
    fn default() -> Widths {
        Widths::Constant(1)
    }
}

impl SyntheticOptions {
    /// Whether the parameters can be.
    ///
    /// # Errors
    /// The first field that cannot.
    pub fn validate(&self) -> Result<(), Invalid> {
        self.arrivals.validate().map_err(|invalid| invalid.within("arrivals"))?;
        self.size.validate().map_err(|invalid| invalid.within("size"))?;
        if self.processors == Widths::Constant(0) {
            let message = "a job of 0 processors cannot run; give at least 1";
            return Err(Invalid::new("processors.constant", message));
        }
        match self.until.map(Span::from_units) {
            Some(Err(error)) => Err(Invalid::new("until", error.to_string())),
            _ => Ok(()),
        }
    }
}

/// The stream of a synthetic workload. The first job comes one gap after time 0.
///
/// Gaps and run times come from streams of their own, `<name>/arrivals` and `<name>/sizes`, and
/// each draw is rounded to ticks at once; a run time may be 0. Its state is the two streams, the
/// clock and the count.
#[derive(Clone, Debug)]
pub struct Synthetic {
    options: SyntheticOptions,
    name: String,
    source: u32,
    organization: OrganizationId,
    /// The first instant at which nothing comes.
    until: Time,
    arrivals: Rng,
    sizes: Rng,
    clock: Time,
    count: u64,
}

state_of_fields!(Synthetic { arrivals, sizes, clock, count });

impl Synthetic {
    /// The stream at its beginning. `name` says which random streams it draws from, `source`
    /// numbers it among the scenario's sources.
    ///
    /// # Errors
    /// The first parameter that cannot be.
    pub fn new(
        options: SyntheticOptions,
        name: &str,
        source: u32,
        organization: OrganizationId,
        streams: &Streams,
    ) -> Result<Synthetic, Invalid> {
        options.validate()?;
        let until = options.until.and_then(|until| Time::from_units(until).ok());
        let mut synthetic = Synthetic {
            options,
            name: name.to_owned(),
            source,
            organization,
            until: until.unwrap_or(Time::NEVER),
            arrivals: streams.stream(""),
            sizes: streams.stream(""),
            clock: Time::ZERO,
            count: 0,
        };
        synthetic.begin(streams);
        Ok(synthetic)
    }

    fn begin(&mut self, streams: &Streams) {
        self.arrivals = streams.stream(&format!("{}/arrivals", self.name));
        self.sizes = streams.stream(&format!("{}/sizes", self.name));
        self.clock = Time::ZERO;
        self.count = 0;
    }

    #[cold]
    fn too_late(&self) -> SourceError {
        SourceError(format!(
            "{}: after {} jobs the arrivals reach the end of time; limit them by `jobs` or `until`",
            self.name, self.count
        ))
    }
}

impl Source for Synthetic {
    type Load = Job;

    #[inline]
    fn next(&mut self) -> Result<Option<Job>, SourceError> {
        let enough = self.options.jobs.is_some_and(|jobs| self.count >= jobs);
        if enough || self.clock >= self.until {
            return Ok(None);
        }
        self.clock += self.options.arrivals.gap(&mut self.arrivals);
        if self.clock >= self.until {
            return Ok(None);
        }
        if self.clock.ticks() > LIMIT_TICKS {
            return Err(self.too_late());
        }
        let runtime = self.options.size.size(&mut self.sizes);
        let Widths::Constant(processors) = self.options.processors;
        self.count += 1;
        Ok(Some(Job {
            number: self.count,
            source: self.source,
            submit: self.clock,
            runtime,
            estimate: runtime,
            processors,
            user: 0,
            organization: self.organization,
        }))
    }

    fn restart(&mut self, streams: &Streams) -> Result<(), SourceError> {
        self.begin(streams);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::state::State;

    const TOML: &str = "arrivals.poisson = { rate = 0.2 }\n\
                        size.exponential = { mean = 4.0 }\nprocessors.constant = 3\n";

    fn source(more: &str) -> Synthetic {
        let options = toml::from_str(&format!("{TOML}{more}")).unwrap();
        Synthetic::new(options, "organization/physics", 2, OrganizationId(1), &Streams::new(7))
            .unwrap()
    }

    fn all(source: &mut Synthetic) -> Vec<Job> {
        std::iter::from_fn(|| source.next().unwrap()).collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = match toml::from_str::<SyntheticOptions>(text) {
            Ok(options) => options.validate().unwrap_err().to_string(),
            Err(error) => error.message().to_owned(),
        };
        assert!(found.contains(expected), "{found}");
    }

    #[test]
    fn parameters_that_cannot_be_are_named() {
        check(&TOML.replace("0.2", "0.0"), "arrivals.poisson.rate: 0 is not a rate");
        check(&TOML.replace("0.2", "nan"), "arrivals.poisson.rate: NaN is not a rate");
        check(
            &TOML.replace("0.2", "1e-10"),
            "arrivals.poisson.rate: 0.0000000001 jobs a unit are too few",
        );
        check(&TOML.replace("4.0", "-1"), "size.exponential.mean: -1 is not a mean");
        check(&TOML.replace("4.0", "1e10"), "size.exponential.mean: a mean of 10000000000 units");
        check(&TOML.replace("= 3", "= 0"), "processors.constant: a job of 0 processors");
        check(&format!("{TOML}until = -1.0"), "until: -1 is not a time");
        check(&format!("{TOML}rate = 1"), "unknown field `rate`");
        check(&TOML.replace("rate", "lambda"), "unexpected keys in table: lambda");
        check(&TOML.replace("poisson", "fixed"), "unknown variant `fixed`");
    }

    #[test]
    fn the_stream_ends_at_its_limits() {
        let jobs = all(&mut source("jobs = 100"));
        assert_eq!(jobs.len(), 100);
        assert!(jobs.windows(2).all(|pair| pair[0].submit <= pair[1].submit));
        assert_eq!(jobs[99].number, 100);
        assert_eq!((jobs[0].processors, jobs[0].source), (3, 2));
        let until = all(&mut source("until = 200.5"));
        let before: Vec<Job> =
            jobs.into_iter().filter(|job| job.submit < Time::from_ticks(200_500_000)).collect();
        assert!(!before.is_empty() && before.len() < 100);
        assert_eq!(until, before, "the limit moves no draw");
        let mut ended = source("until = 200.5");
        all(&mut ended);
        let clock = ended.clock;
        assert_eq!((ended.next(), ended.clock), (Ok(None), clock));
    }

    #[test]
    fn means_are_those_asked_for() {
        let jobs = all(&mut source("jobs = 1000000"));
        let count = jobs.len() as f64;
        let gap = jobs.last().unwrap().submit.as_units() / count;
        let sizes: f64 = jobs.iter().map(|job| job.runtime.as_units()).sum::<f64>() / count;
        let longer = jobs.iter().filter(|job| job.runtime > Span::units(8)).count() as f64 / count;
        // Four standard errors of a mean of 1e6 exponentials are 0.4%.
        assert!((gap - 5.0).abs() < 0.02, "{gap}");
        assert!((sizes - 4.0).abs() < 0.016, "{sizes}");
        assert!((longer - (-2.0_f64).exp()).abs() < 0.0014, "{longer}");
    }

    #[test]
    fn a_saved_stream_goes_on_and_a_restarted_one_begins() {
        let mut whole = source("jobs = 1000");
        let jobs = all(&mut whole);
        let mut source = source("jobs = 1000");
        for _ in 0..377 {
            source.next().unwrap();
        }
        let mut saved = Vec::new();
        source.save(&mut saved);
        whole.load(&mut saved.as_slice()).unwrap();
        assert_eq!(all(&mut whole), jobs[377..]);
        assert_eq!(all(&mut source.clone()), jobs[377..], "a fork goes on alike");
        source.restart(&Streams::new(7)).unwrap();
        assert_eq!(all(&mut source), jobs);
        source.restart(&Streams::new(7).in_round(1)).unwrap();
        assert_ne!(all(&mut source)[0], jobs[0]);
    }

    /// Golden: a dependency that changes a draw is noticed here.
    #[test]
    fn the_first_jobs_of_a_known_stream() {
        let mut source = source("jobs = 3");
        let jobs = all(&mut source);
        let seen: Vec<(i64, i64)> =
            jobs.iter().map(|job| (job.submit.ticks(), job.runtime.ticks())).collect();
        assert_eq!(seen, GOLDEN);
    }

    const GOLDEN: [(i64, i64); 3] =
        [(7_369_990, 6_086_106), (11_392_850, 3_286_037), (14_083_859, 3_179_830)];
}
