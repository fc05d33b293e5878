//! The entry of a workload in the manifest.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use scenario::drawn::Drawn;
use scenario::plan::{Workload, WorkloadKind};
use workload::swf::{self};

/// A workload in the manifest.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct WorkloadEntry {
    /// Name of the workload.
    pub name: String,
    /// Kind of workload: `swf`, `jobs`, `synthetic` or `lublin_feitelson`.
    pub kind: String,
    /// Distribution of the owners of its jobs, if they were drawn: `zipf` or `uniform`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owners: Option<String>,
    /// Number of jobs, if known.
    pub jobs: Option<u64>,
    /// Offered load of a model: the long-run share of its machine's processor time that jobs ask
    /// for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_load: Option<f64>,
    /// Factor by which the model's interarrival times are multiplied to reach the offered load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_factor: Option<f64>,
    /// BLAKE3 digest of the canonical job list, if the jobs are given.
    pub digest: Option<String>,
    /// Import rules that turned the lines of a trace into jobs, with all defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import: Option<swf::Options>,
    /// Acknowledgement that the trace asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledge: Option<String>,
}

impl WorkloadEntry {
    /// The entry of a plan's workload.
    pub fn new(workload: &Workload) -> WorkloadEntry {
        let acknowledge = match &workload.kind {
            WorkloadKind::Swf { survey, .. } => survey.header.acknowledge().map(str::to_owned),
            _ => None,
        };
        let owners = workload.kind.drawn_owners().map(|owners| owners.name().to_owned());
        let calibrated = match workload.kind.drawn() {
            Some(drawn @ Drawn::LublinFeitelson(model)) if !drawn.is_at_once() => Some(model),
            _ => None,
        };
        WorkloadEntry {
            name: workload.name.clone(),
            kind: workload.kind.name().to_owned(),
            owners,
            jobs: workload.jobs(),
            offered_load: calibrated.map(|model| model.offered_load()),
            gap_factor: calibrated.map(|model| model.gap_factor()),
            digest: workload.digest(),
            import: match &workload.kind {
                WorkloadKind::Swf { survey, .. } => Some(survey.options().clone()),
                _ => None,
            },
            acknowledge,
        }
    }
}
