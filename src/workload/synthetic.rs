//! Jobs drawn from distributions, one at a time.

mod model;
mod options;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use model::SyntheticModel;
pub use options::SyntheticOptions;

use super::draw::Draw as _;
use super::rounding::nearest;
use super::values::ValuesError;
pub use super::widths::Widths;
use super::{Source, SourceError};
use crate::kernel::rng::{Rng, Streams};
use crate::kernel::time::{LIMIT_TICKS, Time};
use crate::model::ids::OrganizationId;
use crate::model::job::Job;
use crate::state_of_fields;

/// The stream of a synthetic workload. The first job arrives one gap after time 0.
///
/// Each kind of draw has its own random stream: `<name>/arrivals`, `<name>/sizes` and, if used,
/// `<name>/batches`, `<name>/processors` and `<name>/estimates`. A change of one therefore changes
/// no draw of another. Each time is rounded to ticks at once; a runtime may be 0, and values beyond
/// 2^60 ticks are clamped. Its state is the streams, the clock and the counts.
#[derive(Clone, Debug)]
pub struct Synthetic {
    model: Arc<SyntheticModel>,
    name: String,
    source: u32,
    organization: OrganizationId,
    arrivals: Rng,
    sizes: Rng,
    more: Option<Box<MoreStreams>>,
    /// Time of the arrival process, before rate profile and rounding.
    clock: Time,
    /// Submission time of the last batch.
    submit: Time,
    /// Number of its jobs still to come.
    left: u64,
    count: u64,
}

/// Random streams that only some workloads use.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct MoreStreams {
    batches: Rng,
    processors: Rng,
    estimates: Rng,
}

state_of_fields!(Synthetic { arrivals, sizes, more, clock, submit, left, count });

impl Synthetic {
    /// Creates the stream at its beginning. `name` selects its random streams; `source` is its
    /// number within the scenario.
    ///
    /// # Errors
    /// The first invalid parameter, or the problem with a file.
    pub fn new(
        options: SyntheticOptions,
        name: &str,
        source: u32,
        organization: OrganizationId,
        streams: &Streams,
    ) -> Result<Synthetic, ValuesError> {
        let model = Arc::new(SyntheticModel::new(options)?);
        Ok(Synthetic::of(model, name, source, organization, streams))
    }

    /// Creates the stream from a model that was already checked.
    pub fn of(
        model: Arc<SyntheticModel>,
        name: &str,
        source: u32,
        organization: OrganizationId,
        streams: &Streams,
    ) -> Synthetic {
        let mut synthetic = Synthetic {
            model,
            name: name.to_owned(),
            source,
            organization,
            arrivals: streams.stream(""),
            sizes: streams.stream(""),
            more: None,
            clock: Time::ZERO,
            submit: Time::ZERO,
            left: 0,
            count: 0,
        };
        synthetic.begin(streams);
        synthetic
    }

    fn begin(&mut self, streams: &Streams) {
        let stream = |of: &str| streams.stream(&format!("{}/{of}", self.name));
        let more = || MoreStreams {
            batches: stream("batches"),
            processors: stream("processors"),
            estimates: stream("estimates"),
        };
        self.more = self.model.draws_more().then(|| Box::new(more()));
        (self.arrivals, self.sizes) = (stream("arrivals"), stream("sizes"));
        (self.clock, self.submit) = (Time::ZERO, Time::ZERO);
        (self.left, self.count) = (0, 0);
    }

    /// Advances to the next batch; returns false if there is none.
    #[inline]
    fn arrive(&mut self) -> Result<bool, SourceError> {
        let model = &*self.model;
        if self.submit >= model.until {
            return Ok(false);
        }
        self.clock += nearest(model.gap.draw(&mut self.arrivals));
        self.submit = model.submit(self.clock);
        if self.submit >= model.until {
            return Ok(false);
        }
        if self.submit.ticks().max(self.clock.ticks()) > LIMIT_TICKS {
            return Err(self.too_late());
        }
        self.left = match (&model.batch, &mut self.more) {
            (Some(batch), Some(more)) => batch.draw(&mut more.batches),
            _ => 1,
        };
        Ok(true)
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
        if self.count >= self.model.jobs || self.left == 0 && !self.arrive()? {
            return Ok(None);
        }
        let model = &*self.model;
        let runtime = model.runtime(&mut self.sizes);
        let (processors, estimate) = match &mut self.more {
            Some(more) => (
                model.width.draw(&mut more.processors),
                model.estimates.draw(runtime, &mut more.estimates),
            ),
            None => (model.width.range().0, runtime),
        };
        self.left -= 1;
        self.count += 1;
        Ok(Some(Job {
            number: self.count,
            source: self.source,
            submit: self.submit,
            runtime,
            estimate,
            processors,
            user: 0,
            organization: self.organization,
            ..Job::default()
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
    use crate::kernel::time::Span;

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
            Ok(options) => SyntheticModel::new(options).unwrap_err().to_string(),
            Err(error) => error.message().to_owned(),
        };
        assert!(found.contains(expected), "{found}");
    }

    #[test]
    fn parameters_that_cannot_be_are_named() {
        check(&TOML.replace("0.2", "0.0"), "arrivals.poisson.rate: 0 is not a rate");
        check(&TOML.replace("0.2", "nan"), "arrivals.poisson.rate: NaN is not a rate");
        check(&TOML.replace("0.2", "1e-10"), "arrivals.poisson.rate: 0.0000000001 is not a rate");
        check(&TOML.replace("4.0", "-1"), "size.exponential.mean: -1 is not a mean");
        check(&TOML.replace("4.0", "1e10"), "size.exponential.mean: 10000000000 is not a mean");
        check(&TOML.replace("= 3", "= 0"), "processors.constant: 0 is not a number of processors");
        check(&format!("{TOML}until = -1.0"), "until: -1 is not a time");
        check(&format!("{TOML}until = 1e300"), "until: 1e300 is not a time");
        check(&format!("{TOML}until = 0.0"), "until: 0 is not a time");
        check(&format!("{TOML}until = 1e-7"), "until: nothing comes until then");
        check(&format!("{TOML}rate = 1"), "unknown field `rate`");
        check(&TOML.replace("rate", "lambda"), "unknown field `lambda`");
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
        // Four standard errors of a mean of 1e6 exponentials amount to 0.4%.
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

    /// Golden test: it detects a dependency that changes a draw.
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
