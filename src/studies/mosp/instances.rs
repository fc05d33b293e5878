//! The instances of section 6.1, as `instances.toml` draws them.

use super::INSTANCES;
use crate::StudyError;
use crate::bench::plan_of;
use bounds::instance::{Instance, Task};
use bounds::promise::Owned;
use kernel::time::Time;
use model::job::Job;
use run::workload::Stream;
use scenario::Overrides;
use scenario::plan::Plan;
use workload::draw::UniformWhole;

/// Numbers of organizations, each with a cluster.
pub(super) const ORGANIZATIONS: [u32; 4] = [2, 5, 10, 20];
/// Numbers of jobs.
pub(super) const JOBS: [u32; 4] = [10, 50, 100, 500];
/// Processors of each cluster.
pub(super) const PROCESSORS: [u32; 3] = [32, 128, 512];
/// Lengths of uniform jobs.
pub(super) const LENGTHS: UniformWhole = UniformWhole::new(1, 50);

/// A setting of the experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    /// True for jobs of the model of Lublin and Feitelson, false for uniform ones.
    pub(super) is_swf: bool,
    pub(super) organizations: u32,
    pub(super) jobs: u32,
    pub(super) processors: u32,
}

/// Settings of uniform jobs, or of both kinds.
pub(super) fn points(
    kinds: &[bool],
    organizations: &[u32],
    jobs: &[u32],
    processors: &[u32],
) -> Vec<Point> {
    let mut all = Vec::new();
    for &is_swf in kinds {
        for &organizations in organizations {
            for &jobs in jobs {
                let point = |&processors| Point { is_swf, organizations, jobs, processors };
                all.extend(processors.iter().map(point));
            }
        }
    }
    all
}

impl Point {
    /// Reads the scenario with this setting.
    pub(super) fn plan(&self, seed: u64) -> Result<Plan, StudyError> {
        let Point { is_swf, organizations, jobs, processors } = *self;
        let source = match is_swf {
            true => format!(
                "{{lublin_feitelson={{arrivals=\"at_once\",jobs={jobs},processors={processors}}}}}"
            ),
            false => format!(
                "{{synthetic={{arrivals={{at_once={{}}}},jobs={jobs},size={{uniform={{min=0.0,max=50.0}}}},\
                 processors={{uniform={{min=1,max={processors}}}}},rounding={{size=\"ceil\"}}}}}}"
            ),
        };
        let set = vec![
            format!("organization.owner.count={organizations}"),
            format!("organization.owner.cluster.space_shared.processors={processors}"),
            format!("workload.shared.source={source}"),
        ];
        plan_of("instances", INSTANCES, &Overrides { seed: Some(seed), set })
    }
}

/// The instance of a replication.
pub(super) fn instance(plan: &Plan, sample: u64) -> Result<Owned, StudyError> {
    let wrong = |error: workload::SourceError| StudyError(error.to_string());
    let mut stream = Stream::open(plan, sample as u32, u64::MAX).map_err(wrong)?;
    let mut jobs: Vec<Job> = Vec::new();
    while let Some(job) = stream.draw().map_err(wrong)? {
        jobs.push(job);
    }
    let task =
        |job: &Job| Task { processors: job.processors, length: job.runtime, release: Time::ZERO };
    let clusters = plan.owned();
    Ok(Owned {
        instance: Instance {
            clusters: clusters.iter().map(|one| one.processors).collect(),
            tasks: jobs.iter().map(task).collect(),
        },
        of_cluster: clusters.iter().map(|one| one.owner.0).collect(),
        of_task: jobs.iter().map(|job| job.organization.0).collect(),
    })
}
