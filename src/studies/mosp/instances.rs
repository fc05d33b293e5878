//! The instances of section 6.1: two kinds, in every combination of organizations, jobs and
//! processors.
//!
//! Jobs come from the workloads that scenarios use: whole numbers drawn uniformly, and the model of
//! Lublin and Feitelson with its two types of jobs, of which the first n of a stream come at once.

use std::sync::Arc;

use crate::StudyError;
use bounds::instance::{Instance, Task};
use bounds::promise::Owned;
use kernel::rng::{Rng, Streams};
use kernel::time::{Span, Time};
use model::ids::OrganizationId;
use workload::Source as _;
use workload::dealt::DrawnOwners;
use workload::draw::{Alias, UniformWhole};
use workload::lublin_feitelson::{LublinFeitelson, LublinFeitelsonOptions, Model};

/// Numbers of organizations, each with a cluster.
pub(super) const ORGANIZATIONS: [u32; 4] = [2, 5, 10, 20];
/// Numbers of jobs.
pub(super) const JOBS: [u32; 4] = [10, 50, 100, 500];
/// Processors of each cluster.
pub(super) const PROCESSORS: [u32; 3] = [32, 128, 512];
/// Lengths of uniform jobs.
pub(super) const LENGTHS: UniformWhole = UniformWhole::new(1, 50);

/// A data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Uniform lengths and widths.
    Uni,
    /// The model of Lublin and Feitelson.
    Swf,
}

impl Kind {
    pub(super) const ALL: [Kind; 2] = [Kind::Uni, Kind::Swf];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Uni => "uni",
            Kind::Swf => "swf",
        }
    }
}

/// A setting of the experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) kind: Kind,
    pub(super) organizations: u32,
    pub(super) jobs: u32,
    pub(super) processors: u32,
}

/// All settings.
pub(super) fn points() -> Vec<Point> {
    let mut all = Vec::new();
    for kind in Kind::ALL {
        for organizations in ORGANIZATIONS {
            for jobs in JOBS {
                all.extend(PROCESSORS.map(|processors| Point {
                    kind,
                    organizations,
                    jobs,
                    processors,
                }));
            }
        }
    }
    all
}

/// Sources of the random instances.
#[derive(Debug)]
pub(super) struct Sources {
    /// By [`PROCESSORS`].
    models: Vec<Arc<Model>>,
    /// By [`ORGANIZATIONS`].
    owners: Vec<Alias>,
}

impl Sources {
    pub(super) fn new() -> Result<Sources, StudyError> {
        let model = |processors| Model::new(LublinFeitelsonOptions::new(processors)).map(Arc::new);
        let models: Result<Vec<_>, _> = PROCESSORS.into_iter().map(model).collect();
        let table = |count: u32| DrawnOwners::default().table(count as usize);
        let owners: Result<Vec<Alias>, _> = ORGANIZATIONS.into_iter().map(table).collect();
        let invalid = |invalid: model::invalid::Invalid| StudyError(invalid.to_string());
        Ok(Sources { models: models.map_err(invalid)?, owners: owners.map_err(invalid)? })
    }

    /// Draws the instance of a sample.
    pub(super) fn instance(
        &self,
        point: Point,
        seed: u64,
        sample: u64,
    ) -> Result<Owned, StudyError> {
        let Point { kind, organizations, jobs, processors } = point;
        let streams = Streams::new(seed).in_replication(sample);
        let name = format!("{}-{organizations}-{jobs}-{processors}", kind.name());
        let tasks = match kind {
            Kind::Uni => uni(&streams, &name, jobs, processors),
            Kind::Swf => self.swf(&streams, &name, jobs, processors)?,
        };
        let table = ORGANIZATIONS.iter().position(|&one| one == organizations);
        let table = &self.owners[table.expect("a setting of the experiments")];
        let mut rng = streams.stream(&format!("{name}/owners"));
        let owners = tasks.iter().map(|_| table.draw(&mut rng) as u32).collect();
        Ok(Owned {
            instance: Instance { clusters: vec![processors; organizations as usize], tasks },
            of_cluster: (0..organizations).collect(),
            of_task: owners,
        })
    }

    /// The first jobs of a stream.
    fn swf(
        &self,
        streams: &Streams,
        name: &str,
        jobs: u32,
        processors: u32,
    ) -> Result<Vec<Task>, StudyError> {
        let place = PROCESSORS.iter().position(|&one| one == processors);
        let model = &self.models[place.expect("a setting of the experiments")];
        let mut stream =
            LublinFeitelson::new(Arc::clone(model), name, 0, OrganizationId(0), streams);
        let task = |_| {
            let job = stream.next().map_err(|error| StudyError(error.to_string()))?;
            let job = job.expect("a stream without end");
            let (processors, length) = (job.processors, job.runtime);
            Ok(Task { processors, length, release: Time::ZERO })
        };
        (0..jobs).map(task).collect()
    }
}

fn uni(streams: &Streams, name: &str, jobs: u32, processors: u32) -> Vec<Task> {
    let stream = |of: &str| streams.stream(&format!("{name}/{of}"));
    let (mut lengths, mut widths): (Rng, Rng) = (stream("sizes"), stream("processors"));
    let wide = UniformWhole::new(1, processors);
    let task = |_| Task {
        processors: wide.draw(&mut widths),
        length: Span::units(LENGTHS.draw(&mut lengths).into()),
        release: Time::ZERO,
    };
    (0..jobs).map(task).collect()
}
