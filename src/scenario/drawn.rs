//! Jobs that are drawn, from whatever model: its parameters were checked and its files read.

use std::sync::Arc;

use super::parts::AnySource;
use crate::kernel::rng::Streams;
use crate::model::ids::OrganizationId;
use crate::workload::estimates::Estimates;
use crate::workload::lublin_feitelson::{LublinFeitelson, Model};
use crate::workload::modal::Modal;
use crate::workload::synthetic::{Synthetic, SyntheticModel};

/// A model that jobs are drawn from; clones share it.
#[derive(Clone, Debug)]
pub enum Drawn {
    /// Independent draws from distributions.
    Synthetic(Arc<SyntheticModel>),
    /// The Lublin-Feitelson model.
    LublinFeitelson(Arc<Model>),
}

impl Drawn {
    /// What it is called in a scenario.
    pub fn name(&self) -> &'static str {
        match self {
            Drawn::Synthetic(_) => "synthetic",
            Drawn::LublinFeitelson(_) => "lublin_feitelson",
        }
    }

    /// After how many jobs, and at what time in units, nothing comes any more.
    fn limits(&self) -> (Option<u64>, Option<f64>) {
        match self {
            Drawn::Synthetic(model) => (model.options().jobs, model.options().until),
            Drawn::LublinFeitelson(model) => (model.options().jobs, model.options().until),
        }
    }

    /// Jobs that it will bring, where that is known.
    pub fn jobs(&self) -> Option<u64> {
        self.limits().0
    }

    /// At what time, in units, nothing comes any more, where that was said.
    pub fn until(&self) -> Option<f64> {
        self.limits().1
    }

    /// Does it bring jobs for ever?
    pub fn is_endless(&self) -> bool {
        self.limits() == (None, None)
    }

    /// The digest of the files that it draws from, where it does.
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

    /// The path of the field that the most processors come from.
    pub(super) fn field_of_widest(&self) -> String {
        match self {
            Drawn::Synthetic(model) => {
                format!("processors.{}", model.options().processors.field_of_most())
            }
            Drawn::LublinFeitelson(_) => "processors".to_owned(),
        }
    }

    /// What users say of run times.
    pub fn estimates(&self) -> &Estimates {
        match self {
            Drawn::Synthetic(model) => &model.options().estimates,
            Drawn::LublinFeitelson(model) => &model.options().estimates,
        }
    }

    /// How long its jobs run on average, in units, but for rounding to whole ones; none where that
    /// is not known in closed form.
    pub fn mean_runtime(&self) -> Option<f64> {
        match self {
            Drawn::Synthetic(model) => Some(model.sizes_before_rounding().mean),
            Drawn::LublinFeitelson(_) => None,
        }
    }

    /// The processors of a job times its run time, in units, on average, but for rounding.
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

    /// The processors that its jobs keep busy on average while they come, if all can run; none
    /// where that is not known in closed form.
    pub fn area_rate(&self) -> Option<f64> {
        match self {
            Drawn::Synthetic(model) => model.offered_area_rate(),
            Drawn::LublinFeitelson(model) => {
                Some(model.offered_load() * f64::from(model.options().processors))
            }
        }
    }

    /// The stream of an organization's jobs at its beginning. `name` says which random streams it
    /// draws from, `number` is that of the workload in the plan.
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
