//! Digests what a scenario says and what its files contain.

use crate::plan::{Campaign, Workload, WorkloadKind};
use crate::{json, raw};
use workload::owners::Owners;

/// Digests the scenario with its defaults, except the seed, the contents of its workloads, and the
/// sizes of the clusters that it leaves to a trace.
pub(super) fn digest(
    raw: &raw::Scenario,
    workloads: &[Workload],
    sizes: &[u32],
    campaign: Option<&Campaign>,
) -> String {
    let output = raw::Output { jobs: Some(raw.writes_jobs()), ..raw.output.clone() };
    let coalition = raw.coalition.as_ref().map(raw::Coalition::with_defaults);
    let unseeded = raw::Scenario { seed: 0, output, coalition, ..raw.clone() };
    let mut hasher = blake3::Hasher::new();
    hasher.update(&json::compact(&unseeded));
    for workload in workloads {
        hasher.update(workload.digest().unwrap_or_default().as_bytes());
        if let WorkloadKind::Swf { survey, .. } = &workload.kind {
            // That digest is without recorded waits and partitions.
            survey.blocks().iter().for_each(|block| _ = hasher.update(&block.to_le_bytes()));
        }
        if let Some(drawn) = workload.kind.drawn() {
            // The scenario contains only the names of the files that jobs are drawn from.
            hasher.update(drawn.digest().unwrap_or_default().as_bytes());
        }
    }
    if let Some(raw::GridWorkload::Swf(raw::SharedSwf { owners: Owners::File { .. }, .. })) =
        &raw.workload
        && let Some(WorkloadKind::Swf { survey, assignment, .. }) =
            workloads.first().map(|w| &w.kind)
    {
        // The scenario contains only the file's name; the owners of the jobs are in the file.
        let owners: Vec<(u32, u32)> =
            survey.users.keys().map(|&user| (user, assignment.of(user, 0))).collect();
        hasher.update(&json::compact(&(assignment.names(), owners)));
    }
    if let Some(campaign) = campaign {
        // The scenario contains only the names of the files with times and workflows.
        hasher.update(campaign.applications.digest().as_bytes());
    }
    for processors in sizes {
        hasher.update(&processors.to_le_bytes());
    }
    hasher.finalize().to_hex().to_string()
}
