//! Jobs drawn from any model, with its parameters checked and its files read.

use std::sync::Arc;

use super::parts::AnySource;
use kernel::rng::Streams;
use model::ids::OrganizationId;
use workload::draw::Moments;
use workload::estimates::Estimates;
use workload::lublin_feitelson::{Arrivals, LublinFeitelson, Model};
use workload::modal::Modal;
use workload::synthetic::{Synthetic, SyntheticModel};

/// A model that jobs are drawn from; clones share it.
#[derive(Clone, Debug)]
pub enum Drawn {
    /// Independent draws from distributions.
    Synthetic(Arc<SyntheticModel>),
    /// The Lublin-Feitelson model.
    LublinFeitelson(Arc<Model>),
}

impl Drawn {
    /// Returns the model's name in a scenario.
    pub fn name(&self) -> &'static str {
        match self {
            Drawn::Synthetic(_) => "synthetic",
            Drawn::LublinFeitelson(_) => "lublin_feitelson",
        }
    }

    /// Returns the limits of the stream: its number of jobs, and the time in units at which it
    /// ends.
    fn limits(&self) -> (Option<u64>, Option<f64>) {
        match self {
            Drawn::Synthetic(model) => (model.options().jobs, model.options().until),
            Drawn::LublinFeitelson(model) => (model.options().jobs, model.options().until),
        }
    }

    /// Returns the number of jobs the model will generate, if it is known.
    pub fn jobs(&self) -> Option<u64> {
        self.limits().0
    }

    /// Returns the time, in units, after which no job arrives, if the scenario sets one.
    pub fn until(&self) -> Option<f64> {
        self.limits().1
    }

    /// Returns true if the stream never ends.
    pub fn is_endless(&self) -> bool {
        self.limits() == (None, None)
    }

    /// Returns true if all jobs come at one instant.
    pub fn is_at_once(&self) -> bool {
        match self {
            Drawn::Synthetic(model) => model.options().is_at_once(),
            Drawn::LublinFeitelson(model) => model.options().arrivals == Arrivals::AtOnce,
        }
    }

    /// Returns the digest of the files that the model draws from, if it uses any.
    pub(super) fn digest(&self) -> Option<String> {
        match self {
            Drawn::Synthetic(model) => model.digest(),
            Drawn::LublinFeitelson(_) => None,
        }
    }

    /// The fewest and the most processors of a job.
    pub fn widths(&self) -> (u32, u32) {
        match self {
            Drawn::Synthetic(model) => model.widths().range(),
            Drawn::LublinFeitelson(model) => (1, model.largest()),
        }
    }

    /// Returns the path of the field that sets the most processors.
    pub(super) fn field_of_widest(&self) -> String {
        match self {
            Drawn::Synthetic(model) => {
                format!("processors.{}", model.options().processors.field_of_most())
            }
            Drawn::LublinFeitelson(_) => "processors".to_owned(),
        }
    }

    /// Returns the model of user estimates.
    pub fn estimates(&self) -> &Estimates {
        match self {
            Drawn::Synthetic(model) => &model.options().estimates,
            Drawn::LublinFeitelson(model) => &model.options().estimates,
        }
    }

    /// Returns the mean runtime in units, before rounding to whole units. It is `None` where no
    /// closed form is known.
    pub(crate) fn mean_runtime(&self) -> Option<f64> {
        match self {
            Drawn::Synthetic(model) => Some(model.sizes_before_rounding().mean),
            Drawn::LublinFeitelson(_) => None,
        }
    }

    /// Returns the mean area of a job (processors times runtime in units), before rounding.
    pub fn mean_area(&self) -> f64 {
        match self {
            Drawn::Synthetic(model) => {
                model.sizes_before_rounding().mean * model.widths().moments().mean
            }
            Drawn::LublinFeitelson(model) => {
                let processors = f64::from(model.options().processors);
                model.offered_load() * processors / model.rate()
            }
        }
    }

    /// Returns the mean and variance of a job's area (processors times runtime in units), where
    /// both are known.
    pub fn areas(&self) -> Option<Moments> {
        match self {
            Drawn::Synthetic(model) => {
                let (sizes, widths) = (model.sizes()?, model.widths().moments());
                let second = sizes.second() * widths.second();
                Some(Moments::of_raw(sizes.mean * widths.mean, second))
            }
            Drawn::LublinFeitelson(_) => None,
        }
    }

    /// Returns the mean and variance of the interarrival times, in units, where they are
    /// independent.
    pub fn gaps(&self) -> Option<Moments> {
        match self {
            Drawn::Synthetic(model) => model.has_independent_gaps().then(|| model.gaps()),
            Drawn::LublinFeitelson(_) => None,
        }
    }

    /// Returns the mean number of busy processors while jobs arrive, provided all of them can run.
    /// It is `None` where no closed form is known.
    pub fn area_rate(&self) -> Option<f64> {
        match self {
            Drawn::Synthetic(model) => model.offered_area_rate(),
            Drawn::LublinFeitelson(_) if self.is_at_once() => None,
            Drawn::LublinFeitelson(model) => {
                Some(model.offered_load() * f64::from(model.options().processors))
            }
        }
    }

    /// Returns the stream of an organization's jobs, at its start. `name` selects the random
    /// streams it draws from; `number` is the workload's number in the plan.
    pub(super) fn source(
        &self,
        name: &str,
        number: u32,
        organization: OrganizationId,
        streams: &Streams,
    ) -> AnySource {
        let source = match self {
            Drawn::Synthetic(model) => {
                let model = Arc::clone(model);
                let source = Synthetic::of(model, name, number, organization, streams);
                AnySource::Synthetic(Box::new(source))
            }
            Drawn::LublinFeitelson(model) => {
                let model = Arc::clone(model);
                let source = LublinFeitelson::new(model, name, number, organization, streams);
                AnySource::LublinFeitelson(Box::new(source))
            }
        };
        match self.estimates().modal() {
            None => source,
            Some(modal) => {
                AnySource::Modal(Box::new(Modal::new(source, modal.clone(), name, streams)))
            }
        }
    }
}
