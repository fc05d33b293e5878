//! The rigid jobs of a parallel machine after Lublin and Feitelson (JPDC 63(11), 2003).
//!
//! Two types of jobs, interactive and batch, or one that stands for both; sizes with many serial
//! jobs and powers of two; run times from a mixture of two gamma distributions of their logarithm
//! that depends on the size; arrivals that follow the hours of a day. A [`Model`] is what a
//! scenario's parameters come to, and knows what load it offers; a [`LublinFeitelson`] is a stream
//! of its jobs. All times are seconds.

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
pub use self::options::{Clock, LublinFeitelsonOptions, SizeRange, TwoTypes, Types};
use self::parameters::{BATCH, INTERACTIVE, JobType, LONGEST_GAP, LONGEST_RUN, TYPELESS};
use super::invalid::Invalid;
use super::{Source, SourceError};
use crate::kernel::rng::{Rng, Streams};
use crate::kernel::time::{LIMIT_TICKS, Span, Time};
use crate::model::ids::OrganizationId;
use crate::model::job::Job;
use crate::state_of_fields;

/// The factors of gaps that can be: arrivals neither stand still nor run out of time at once.
const FACTORS: (f64, f64) = (1e-6, 1e6);

/// A model whose parameters make sense, calibrated to its load.
#[derive(Clone, Debug)]
pub struct Model {
    options: LublinFeitelsonOptions,
    /// Batch or all jobs, and interactive ones where there are two types.
    types: Vec<JobType>,
    offered_load: f64,
    gap_factor: f64,
    /// The points of a second of a gap as it is drawn.
    points: f64,
}

impl Model {
    /// The model of a scenario's parameters. It takes about a millisecond.
    ///
    /// # Errors
    /// The first parameter that cannot be.
    pub fn new(options: LublinFeitelsonOptions) -> Result<Model, Invalid> {
        options.validate()?;
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
                 far from {offered_load}: gaps can be multiplied by 10^-6 to 10^6"
            );
            return Err(Invalid::new("load", message));
        }
        let points = gap_factor / BUCKET_SECONDS;
        Ok(Model { options, types, offered_load, gap_factor, points })
    }

    /// What it was made of.
    pub fn options(&self) -> &LublinFeitelsonOptions {
        &self.options
    }

    /// The share of all processor time of the machine that its jobs ask for in the long run: mean
    /// processors times run time, over processors times mean gap. Computed, not sampled.
    pub fn offered_load(&self) -> f64 {
        self.offered_load
    }

    /// What gaps are multiplied by, before the daily cycle: 1 where no load is asked for.
    pub fn gap_factor(&self) -> f64 {
        self.gap_factor
    }

    /// The most processors that a job may use.
    pub fn largest(&self) -> u32 {
        self.types.iter().map(JobType::largest).max().unwrap_or(1)
    }

    /// Jobs a second in the long run.
    pub fn rate(&self) -> f64 {
        let gap = |one: &JobType| one.mean_gap(self.options.clock) * self.gap_factor;
        self.types.iter().map(|one| 1.0 / gap(one)).sum()
    }

    /// The weights of the half hours of a day from midnight, which average 1; of batch and of
    /// interactive jobs where there are two types.
    pub fn daily_weights(&self) -> impl Iterator<Item = &[f64; BUCKETS]> {
        self.types.iter().map(|one| &one.weights)
    }
}

/// The place in the stream of one type.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Place {
    arrivals: Rng,
    processors: Rng,
    sizes: Rng,
    estimates: Rng,
    walk: Walk,
}

/// The stream of a model's jobs, in the order of their submission; of two at the same instant the
/// interactive one is first.
///
/// Every type draws from streams of its own, `<name>/arrivals/batch`, `<name>/processors/batch`,
/// `<name>/sizes/batch`, `<name>/estimates/batch` and the like; those of the typeless model are
/// `<name>/arrivals` and so on. So another load moves no size, run time or estimate of a type; only
/// modal estimates depend on which jobs come together, and are dealt from `<name>/estimates`. Its
/// state is these streams, where in the day each type is, and the count.
#[derive(Clone, Debug)]
pub struct LublinFeitelson {
    model: Arc<Model>,
    name: String,
    source: u32,
    organization: OrganizationId,
    /// The first instant at which nothing comes.
    until: Time,
    /// By type.
    places: Vec<Place>,
    count: u64,
}

state_of_fields!(LublinFeitelson { places, count });

impl LublinFeitelson {
    /// The stream at its beginning. `name` says which random streams it draws from, `source`
    /// numbers it among the scenario's sources.
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
    /// Goes on to the next arrival.
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

    /// A run time in whole seconds, at least 1.
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
        Ok(Some(Job {
            number: self.count,
            source: self.source,
            submit,
            runtime,
            estimate: self.model.options.estimates.draw(runtime, &mut place.estimates),
            processors,
            user: one.number,
            organization: self.organization,
        }))
    }

    fn restart(&mut self, streams: &Streams) -> Result<(), SourceError> {
        self.begin(streams);
        Ok(())
    }
}
