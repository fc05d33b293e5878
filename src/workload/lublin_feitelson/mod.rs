//! The Lublin-Feitelson model of rigid jobs on a parallel machine (JPDC 63(11), 2003).
//!
//! It has two types of jobs, interactive and batch, or one that stands for both; sizes with many
//! serial jobs and powers of two; runtimes whose logarithm is a mixture of two gamma distributions
//! that depends on the size; arrivals that follow the hours of a day. A [`Model`] is built from a
//! scenario's parameters and knows its offered load; a [`LublinFeitelson`] is a stream of its jobs.
//! All times are in seconds.

mod daily;
mod gamma;
mod load;
mod options;
mod parameters;
mod sizes;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rand::RngExt as _;
use serde::{Deserialize, Serialize};

use self::daily::{BUCKET_SECONDS, BUCKETS, Walk};
pub use self::options::{Arrivals, Clock, LublinFeitelsonOptions, SizeRange, TwoTypes, Types};
use self::parameters::{BATCH, INTERACTIVE, JobType, LONGEST_GAP, LONGEST_RUN, TYPELESS};
use super::invalid::Invalid;
use super::{Source, SourceError};
use kernel::rng::{Rng, Streams};
use kernel::state_of_fields;
use kernel::time::{LIMIT_TICKS, Span, Time, plain};
use model::ids::OrganizationId;
use model::job::Job;

/// Valid range of the factor of gaps, so that arrivals neither stall nor exhaust the time range.
const FACTORS: (f64, f64) = (1e-6, 1e6);

/// A model with valid parameters, calibrated to its load.
#[derive(Clone, Debug)]
pub struct Model {
    options: LublinFeitelsonOptions,
    /// Batch (or all) jobs, followed by interactive ones if there are two types.
    types: Vec<JobType>,
    offered_load: f64,
    gap_factor: f64,
    /// Points per second of a gap as drawn.
    points: f64,
}

impl Model {
    /// Builds the model from a scenario's parameters. It takes about a millisecond.
    ///
    /// # Errors
    /// The first invalid parameter.
    pub fn new(options: LublinFeitelsonOptions) -> Result<Model, Invalid> {
        options.check()?;
        let processors = options.processors;
        let types = match options.types {
            Types::Two(two) => {
                let sizes = two.on(processors);
                let (batch, interactive) = sizes.map_err(|invalid| invalid.within("types.two"))?;
                vec![
                    JobType::new("/batch", 2, BATCH, batch),
                    JobType::new("/interactive", 1, INTERACTIVE, interactive),
                ]
            }
            Types::One(range) => {
                let sizes = range.on(processors, f64::INFINITY);
                let sizes = sizes.map_err(|invalid| invalid.within("types.one"))?;
                vec![JobType::new("", 0, TYPELESS, sizes)]
            }
        };
        let demand = |one: &JobType| one.mean_area() / one.mean_gap(options.clock);
        let natural = types.iter().map(demand).sum::<f64>() / f64::from(processors);
        let offered_load = options.load.unwrap_or(natural);
        let gap_factor = natural / offered_load;
        if !(FACTORS.0..=FACTORS.1).contains(&gap_factor) {
            let message = format!(
                "the model itself offers a load of {natural:.3e} to {processors} processors, too \
                 far from {}: gaps can be multiplied by 10^-6 to 10^6",
                plain(offered_load)
            );
            return Err(Invalid::new("load", message));
        }
        let points = gap_factor / BUCKET_SECONDS;
        Ok(Model { options, types, offered_load, gap_factor, points })
    }

    /// Returns the parameters.
    pub fn options(&self) -> &LublinFeitelsonOptions {
        &self.options
    }

    /// Returns the offered load: the share of the machine's processor time requested in the long
    /// run. It is the mean of processors times runtime, over processors times mean gap; computed,
    /// not sampled.
    pub fn offered_load(&self) -> f64 {
        self.offered_load
    }

    /// Returns the factor of gaps before the daily cycle: 1 if no load is requested.
    pub fn gap_factor(&self) -> f64 {
        self.gap_factor
    }

    /// Returns the most processors that a job may use.
    pub fn largest(&self) -> u32 {
        self.types.iter().map(JobType::largest).max().unwrap_or(1)
    }

    /// Returns the long-run arrival rate in jobs per second.
    pub fn rate(&self) -> f64 {
        let gap = |one: &JobType| one.mean_gap(self.options.clock) * self.gap_factor;
        self.types.iter().map(|one| 1.0 / gap(one)).sum()
    }

    /// Returns the weights of the half hours of a day from midnight, which average 1. With two
    /// types, those of batch jobs come first, then those of interactive jobs.
    pub fn daily_weights(&self) -> impl Iterator<Item = &[f64; BUCKETS]> {
        self.types.iter().map(|one| &one.weights)
    }
}

/// The position in the stream of one type.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Place {
    arrivals: Rng,
    processors: Rng,
    sizes: Rng,
    estimates: Rng,
    walk: Walk,
}

/// The stream of a model's jobs, in order of submission; ties put interactive jobs first.
///
/// Every type draws from its own streams, `<name>/arrivals/batch`, `<name>/processors/batch`,
/// `<name>/sizes/batch`, `<name>/estimates/batch` and the like; the single-type model uses
/// `<name>/arrivals` and so on. A different load therefore changes no size, runtime or estimate of
/// a type. Only modal estimates depend on which jobs come together; they are drawn from
/// `<name>/estimates`. Its state is these streams, the time of day of each type, and the count.
#[derive(Clone, Debug)]
pub struct LublinFeitelson {
    model: Arc<Model>,
    name: String,
    source: u32,
    organization: OrganizationId,
    /// First instant from which on no job arrives.
    until: Time,
    /// Positions by type.
    places: Vec<Place>,
    count: u64,
}

state_of_fields!(LublinFeitelson { places, count });

impl LublinFeitelson {
    /// Creates the stream at its beginning. `name` selects its random streams, `source` is its
    /// number within the scenario.
    pub fn new(
        model: Arc<Model>,
        name: &str,
        source: u32,
        organization: OrganizationId,
        streams: &Streams,
    ) -> LublinFeitelson {
        let until = model.options.until.and_then(|until| Time::from_units(until).ok());
        let mut stream = LublinFeitelson {
            model,
            name: name.to_owned(),
            source,
            organization,
            until: until.unwrap_or(Time::NEVER),
            places: Vec::new(),
            count: 0,
        };
        stream.begin(streams);
        stream
    }

    fn begin(&mut self, streams: &Streams) {
        let options = &self.model.options;
        let place = |one: &JobType| {
            let stream = |what| streams.stream(&format!("{}/{what}{}", self.name, one.name));
            Place {
                arrivals: stream("arrivals"),
                processors: stream("processors"),
                sizes: stream("sizes"),
                estimates: stream("estimates"),
                walk: Walk::new(options.start_hour),
            }
        };
        self.places = self.model.types.iter().map(place).collect();
        self.count = 0;
        for (place, one) in self.places.iter_mut().zip(&self.model.types) {
            place.arrive(one, &self.model);
        }
    }

    #[cold]
    fn too_late(&self) -> SourceError {
        SourceError(format!(
            "{}: after {} jobs the arrivals reach the end of time; limit them by `jobs` or `until`",
            self.name, self.count
        ))
    }
}

impl Place {
    /// Advances to the next arrival.
    #[inline]
    fn arrive(&mut self, one: &JobType, model: &Model) {
        let logarithm = loop {
            let logarithm = one.gap.draw(&mut self.arrivals);
            if logarithm <= LONGEST_GAP {
                break logarithm;
            }
        };
        self.walk.spend(libm::exp(logarithm) * model.points, &one.weights, model.options.clock);
    }

    /// Draws a runtime in whole seconds, at least 1.
    #[inline]
    fn run(&mut self, one: &JobType, processors: u32) -> Span {
        let short_share = one.short_share(processors);
        loop {
            let share: f64 = self.sizes.random();
            let gamma = if share < short_share { &one.short } else { &one.long };
            let logarithm = gamma.draw(&mut self.sizes);
            if logarithm <= LONGEST_RUN {
                return Span::units(libm::exp(logarithm) as i64);
            }
        }
    }
}

impl Source for LublinFeitelson {
    type Load = Job;

    fn owner(&self) -> Option<OrganizationId> {
        Some(self.organization)
    }

    #[inline]
    fn next(&mut self) -> Result<Option<Job>, SourceError> {
        if self.model.options.jobs.is_some_and(|jobs| self.count >= jobs) {
            return Ok(None);
        }
        let first = match &self.places[..] {
            [batch, interactive] => usize::from(interactive.walk.at <= batch.walk.at),
            _ => 0,
        };
        let submit = self.places[first].walk.at;
        if submit >= self.until {
            return Ok(None);
        }
        if submit.ticks() > LIMIT_TICKS {
            return Err(self.too_late());
        }
        let (place, one) = (&mut self.places[first], &self.model.types[first]);
        place.arrive(one, &self.model);
        let processors = one.processors(&mut place.processors);
        let runtime = place.run(one, processors);
        self.count += 1;
        let submit = match self.model.options.arrivals {
            Arrivals::Model => submit,
            Arrivals::AtOnce => Time::ZERO,
        };
        Ok(Some(Job {
            number: self.count,
            source: self.source,
            submit,
            runtime,
            estimate: self.model.options.estimates.draw(runtime, &mut place.estimates),
            processors,
            user: one.number,
            organization: self.organization,
            ..Job::default()
        }))
    }

    fn restart(&mut self, streams: &Streams) -> Result<(), SourceError> {
        self.begin(streams);
        Ok(())
    }
}
