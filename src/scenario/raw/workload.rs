//! Workloads as written: traces, lists, drawn jobs, and jobs one by one.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FROM_0, is_one, one};
use ::workload::applications;
use ::workload::dealt::DrawnOwners;
use ::workload::jobs::ListOptions;
use ::workload::lublin_feitelson::LublinFeitelsonOptions;
use ::workload::owners::Owners;
use ::workload::swf;
use ::workload::synthetic::SyntheticOptions;
use model::bounds::ONE_OR_MORE;

/// `workload = { ... }` of an organization: the source of its jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Workload {
    /// A trace in the Standard Workload Format.
    Swf(Swf),
    /// Jobs drawn from distributions.
    Synthetic(SyntheticOptions),
    /// Jobs from a statistical model of parallel machines, with a daily cycle.
    LublinFeitelson(LublinFeitelsonOptions),
    /// Jobs listed in a CSV file.
    Jobs(JobsFile),
}

/// `[workload]`: jobs shared by many organizations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GridWorkload {
    /// A trace whose users or groups become the organizations.
    Swf(SharedSwf),
    /// Jobs listed in a CSV file, whose column `organization` names their owner.
    Jobs(JobsFile),
    /// One stream of jobs, each assigned at random to an organization of the scenario.
    Shared(SharedJobs),
    /// Applications of classes of identical tasks, drawn at the beginning of a replication.
    Applications(Box<applications::Options>),
}

tables! {
    /// `shared = { ... }`.
    pub struct SharedJobs {
        /// Model that generates the jobs, or a trace.
        source: SharedSource,
        /// Rule that assigns each job to an organization.
        #[serde(default)]
        owners: DrawnOwners,
    }
}

/// The jobs of a shared stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SharedSource {
    /// Jobs drawn from distributions.
    Synthetic(SyntheticOptions),
    /// Jobs of the Lublin-Feitelson model.
    LublinFeitelson(LublinFeitelsonOptions),
    /// Jobs of a trace; their users count for nothing.
    Swf(Swf),
}

tables! {
    /// `swf = { ... }` of an organization.
    pub struct Swf {
        /// The trace, plain or gzip; relative to the scenario file.
        file: PathBuf,
        /// Rules for which lines of the trace become jobs, and how.
        #[serde(default)]
        import: swf::Options,
        /// Cluster of each partition of the trace (column 16), by its number: `partitions = { 1 =
        /// "batch", 2 = "interactive" }`. Jobs of a partition run on its cluster only. Every
        /// partition of the jobs needs one.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        partitions: BTreeMap<String, String> where { "propertyNames": { "pattern": "^(0|-?[1-9][0-9]{0,9})$" } },
    }

    /// `swf = { ... }` of a grid-wide workload.
    pub struct SharedSwf {
        /// The trace, plain or gzip; relative to the scenario file.
        file: PathBuf,
        /// Rules for which lines of the trace become jobs, and how.
        #[serde(default)]
        import: swf::Options,
        /// Cluster of each partition of the trace (column 16), by its number, as for the trace of
        /// one organization.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        partitions: BTreeMap<String, String> where { "propertyNames": { "pattern": "^(0|-?[1-9][0-9]{0,9})$" } },
        /// The organizations that the trace's users or groups become. If `[[organization]]`
        /// declares all of them, one after the other (`name = "part"` with `count = 4` for
        /// `balanced`), they can own clusters.
        owners: Owners,
    }

    /// `jobs = { ... }`.
    pub struct JobsFile {
        /// A CSV file with the columns `submit`, `runtime`, `processors` and optionally `id`,
        /// `organization`, `estimate`, `user`, `wait`, `uses`, `account`, `partition`, `label`;
        /// relative to the scenario file.
        file: PathBuf,
        /// The date and time of time 0, such as `"2026-03-02T00:02:26"`, if units of time are seconds.
        /// Axes tell it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<String>,
        /// Rules that select jobs of the list and scale their load.
        #[serde(default, skip_serializing_if = "ListOptions::is_plain")]
        import: ListOptions,
    }

    /// `[[job]]`.
    pub struct Job {
        /// Organization that owns the job.
        organization: String,
        /// Submission time.
        submit: f64 as FROM_0,
        /// Runtime.
        runtime: f64 as FROM_0,
        /// Number of processors it needs.
        #[serde(default = "one")]
        processors: u32 as ONE_OR_MORE where { "default": one() },
        /// Runtime estimated by the user; by default the true runtime.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        estimate: Option<f64> as FROM_0,
        /// Number of the submitting user.
        #[serde(default)]
        user: u32,
        /// Names of the clusters that it may use, among those of its organization.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        uses: Option<Vec<String>> where { "minItems": 1, "uniqueItems": true },
        /// Number of identical jobs, one after the other.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        count: u32 as ONE_OR_MORE,
    }
}
