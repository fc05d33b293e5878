//! The parts of a campaign: sites, and applications of classes of identical tasks.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{ABOVE_0, AMOUNT, FROM_0};
use model::bounds::{Bounds, ONE_OR_MORE};
use workload::applications::wfcommons;

tables! {
    /// `site = { ... }`: a cluster to which the tasks of applications are sent.
    pub struct Site {
        /// Number of processors.
        processors: u32 as ONE_OR_MORE,
        /// Price of a processor for one unit of time, to a millionth. Default 0.
        #[serde(default)]
        price: f64 as {Bounds::of("").from(0.0).to(1e9)},
        /// Speed of the processors, to six digits after the point: a task of a class that tells one
        /// `time` for all sites, or of an imported workflow, takes that time divided by it.
        #[serde(default = "super::unit_speed", skip_serializing_if = "super::is_unit_speed")]
        speed: f64 where { "minimum": 0.001, "maximum": 1000.0 },
        /// Storage that all running tasks may hold together, to a millionth. By default there is no
        /// limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        storage: Option<f64> as AMOUNT,
        /// Memory that all running tasks may hold together, to a millionth. By default there is no
        /// limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        memory: Option<f64> as AMOUNT,
    }

    /// `[[application]]`.
    pub struct Application {
        /// Name of the application.
        name: String,
        /// The organization that owns it.
        owner: String,
        /// Submission time.
        #[serde(default)]
        submit: f64 as FROM_0,
        /// Time by which it should be done. By default it need not be done by any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline: Option<f64> as FROM_0,
        /// Its classes of identical tasks.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        class: Vec<Class>,
        /// A recorded workflow whose tasks become the classes, in place of `class`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workflow: Option<Workflow>,
    }

    /// `workflow = { ... }`: an instance of WfCommons, in WfFormat 1.4, 1.5 or 1.6. Tasks of one
    /// type and level become a class.
    pub struct Workflow {
        /// The file, plain or gzip; relative to the scenario file.
        file: PathBuf,
        /// Rule by which its tasks become classes.
        #[serde(default)]
        import: wfcommons::Options,
    }

    /// `[[application.class]]`: identical, independent tasks.
    pub struct Class {
        /// Name of the class, unlike those of other classes of the application.
        name: String,
        /// Number of tasks.
        tasks: u64,
        /// Names of the classes that must be done before the first task starts.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        after: Vec<String>,
        /// Time of a task at every site that `times` does not name, on a processor of speed 1.
        /// Without it, tasks run only at sites that are named there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<f64> as ABOVE_0,
        /// Time of a task, by the name of the site's cluster.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        times: BTreeMap<String, f64> where { "additionalProperties": { "type": "number", "exclusiveMinimum": 0 } },
        /// Expected time of a task, by the name of the site's cluster. By default the true time.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        expected: BTreeMap<String, f64> where { "additionalProperties": { "type": "number", "exclusiveMinimum": 0 } },
        /// Weight that the owner gives a site, by the name of its cluster: games weigh its share
        /// with it, and no task is sent to a site of weight 0. By default 1.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        weights: BTreeMap<String, f64> where { "additionalProperties": { "type": "number", "minimum": 0 } },
        /// Storage that a running task holds, to a millionth. Default 0.
        #[serde(default)]
        storage: f64 as AMOUNT,
        /// Memory that a running task holds, to a millionth. Default 0.
        #[serde(default)]
        memory: f64 as AMOUNT,
        /// Storage of the files that a task leaves at its site, to a millionth. It is taken from
        /// the start of the task for as long as `task_planning.files` says. Default 0.
        #[serde(default, skip_serializing_if = "super::is_default")]
        output: f64 as AMOUNT,
    }
}
