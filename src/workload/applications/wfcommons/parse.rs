//! Instances as they are written, in the shapes of versions 1.0 to 1.6.
//!
//! Up to version 1.4 all of a task is told in one place; before it, `memory` is in KB, and before 1.3
//! tasks are called jobs. Sizes of files before 1.4 are bytes in all recorded instances, and for the
//! tool that converts them, though the schema said KB. Since 1.5 the specification tells its relations and
//! the execution its runtime. Unknown properties are ignored, as the format allows them.

use kernel::map::{Map, Set};
use serde::Deserialize;

use super::error::Problem;
use super::lines::Lines;

/// An instance, in whatever version.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Instance {
    pub name: String,
    pub version: String,
    pub tasks: Vec<Task>,
    /// Speeds of machines that tell theirs, in MHz.
    pub machines: Map<String, f64>,
    /// Executions of tasks that the specification does not name.
    pub strangers: Vec<String>,
}

/// A task.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Task {
    /// Its identifier, or else its name.
    pub id: String,
    pub name: String,
    pub category: Option<String>,
    pub program: Option<String>,
    pub parents: Vec<String>,
    pub children: Vec<String>,
    /// In seconds.
    pub runtime: Option<f64>,
    /// Bytes of its output files.
    pub output: f64,
    /// True if the size of an output file is not known.
    pub lacks_size: bool,
    pub memory: Option<f64>,
    pub cores: Option<f64>,
    pub machines: Vec<String>,
    /// True for transfers and auxiliary tasks.
    pub is_auxiliary: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    #[serde(default)]
    name: String,
    schema_version: String,
    workflow: Body,
}

#[derive(Deserialize)]
struct Body {
    specification: Option<Specification>,
    execution: Option<Execution>,
    #[serde(default, alias = "jobs")]
    tasks: Vec<Old>,
    #[serde(default)]
    machines: Vec<Machine>,
}

#[derive(Deserialize)]
struct Specification {
    #[serde(default)]
    tasks: Vec<Specified>,
    #[serde(default)]
    files: Vec<SizedFile>,
}

#[derive(Deserialize)]
struct Execution {
    #[serde(default)]
    tasks: Vec<Executed>,
    #[serde(default)]
    machines: Vec<Machine>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Specified {
    name: String,
    id: String,
    #[serde(default)]
    parents: Vec<String>,
    #[serde(default)]
    children: Vec<String>,
    #[serde(default)]
    output_files: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SizedFile {
    id: String,
    size_in_bytes: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Executed {
    id: String,
    runtime_in_seconds: Option<f64>,
    command: Option<Command>,
    core_count: Option<f64>,
    memory_in_bytes: Option<f64>,
    #[serde(default)]
    machines: Vec<String>,
}

#[derive(Deserialize)]
struct Command {
    program: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Machine {
    node_name: String,
    cpu: Option<Cpu>,
}

#[derive(Deserialize)]
struct Cpu {
    /// Version 1.4.
    speed: Option<f64>,
    #[serde(rename = "speedInMHz")]
    mhz: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Old {
    name: String,
    id: Option<String>,
    category: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    command: Option<Command>,
    #[serde(default)]
    parents: Vec<String>,
    #[serde(default)]
    children: Vec<String>,
    #[serde(default)]
    files: Vec<Linked>,
    runtime_in_seconds: Option<f64>,
    /// Before version 1.4.
    runtime: Option<f64>,
    cores: Option<f64>,
    memory_in_bytes: Option<f64>,
    /// Before version 1.4, in KB.
    memory: Option<f64>,
    machine: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Linked {
    link: Option<String>,
    size_in_bytes: Option<f64>,
    /// Before version 1.4.
    size: Option<f64>,
}

impl Linked {
    fn size(&self) -> Option<f64> {
        self.size_in_bytes.or(self.size)
    }
}

/// Parses an instance.
pub(super) fn parse(text: &str) -> Result<Instance, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file: File = serde_json::from_str(text).map_err(|error| Problem::Syntax { error })?;
    let File { name, schema_version: version, workflow } = file;
    let (mut instance, place) = match version.as_str() {
        "1.0" | "1.1" | "1.2" => (old(workflow), "workflow.jobs"),
        "1.3" | "1.4" => (old(workflow), "workflow.tasks"),
        "1.5" | "1.6" => (split(workflow), "workflow.specification.tasks"),
        _ => {
            let line = Lines::of(text).key("schemaVersion");
            return Err(Problem::Version { line, found: version });
        }
    };
    if instance.tasks.is_empty() {
        return Err(Problem::NoTasks { version, place });
    }
    (instance.name, instance.version) = (name, version);
    Ok(instance)
}

/// Takes the tasks of versions up to 1.4.
fn old(body: Body) -> Instance {
    let task = |old: Old| {
        let outputs = || old.files.iter().filter(|file| file.link.as_deref() == Some("output"));
        Task {
            output: outputs().filter_map(Linked::size).sum(),
            lacks_size: outputs().any(|file| file.size().is_none()),
            id: old.id.unwrap_or_else(|| old.name.clone()),
            name: old.name,
            category: old.category,
            program: old.command.and_then(|command| command.program),
            parents: old.parents,
            children: old.children,
            runtime: old.runtime_in_seconds.or(old.runtime),
            memory: old.memory_in_bytes.or(old.memory.map(|kilobytes| kilobytes * 1e3)),
            cores: old.cores,
            machines: old.machine.into_iter().collect(),
            is_auxiliary: old.kind.is_some_and(|kind| kind != "compute"),
        }
    };
    Instance {
        tasks: body.tasks.into_iter().map(task).collect(),
        machines: speeds(body.machines),
        ..Instance::default()
    }
}

/// Joins the specification and the execution of versions 1.5 and 1.6.
fn split(body: Body) -> Instance {
    let Specification { tasks, files } =
        body.specification.unwrap_or(Specification { tasks: Vec::new(), files: Vec::new() });
    let Execution { tasks: executed, machines } =
        body.execution.unwrap_or(Execution { tasks: Vec::new(), machines: Vec::new() });
    let sizes: Map<String, f64> =
        files.into_iter().map(|file| (file.id, file.size_in_bytes)).collect();
    let mut tasks: Vec<Task> = tasks.into_iter().map(|task| specified(task, &sizes)).collect();
    let places: Map<String, usize> =
        tasks.iter().enumerate().map(|(place, task)| (task.id.clone(), place)).collect();
    let mut strangers = Vec::new();
    for executed in executed {
        let Some(task) = places.get(&executed.id).and_then(|&place| tasks.get_mut(place)) else {
            strangers.push(executed.id);
            continue;
        };
        task.program = executed.command.and_then(|command| command.program);
        task.runtime = executed.runtime_in_seconds;
        task.memory = executed.memory_in_bytes;
        task.cores = executed.core_count;
        task.machines = executed.machines;
    }
    Instance { tasks, machines: speeds(machines), strangers, ..Instance::default() }
}

fn specified(task: Specified, sizes: &Map<String, f64>) -> Task {
    // A file may be listed more than once.
    let files: Set<&String> = task.output_files.iter().collect();
    let outputs = || files.iter().map(|&file| sizes.get(file));
    Task {
        output: outputs().flatten().sum(),
        lacks_size: outputs().any(|size| size.is_none()),
        id: task.id,
        name: task.name,
        parents: task.parents,
        children: task.children,
        ..Task::default()
    }
}

fn speeds(machines: Vec<Machine>) -> Map<String, f64> {
    let speed = |machine: Machine| {
        let speed = machine.cpu.and_then(|cpu| cpu.mhz.or(cpu.speed));
        speed.filter(|&speed| speed > 0.0).map(|speed| (machine.node_name, speed))
    };
    machines.into_iter().filter_map(speed).collect()
}
