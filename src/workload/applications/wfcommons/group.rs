//! Grouping of tasks to classes, and the application that they make.

use super::error::Problem;
use super::graph::Levels;
use super::ledger::{Group, Kind, Ledger};
use super::lines::Lines;
use super::parse::{Instance, Task};
use super::{Options, Types};
use crate::rounding::nearest;
use kernel::map::{Map, Set};
use kernel::order::InOrder as _;
use kernel::time::{Span, TICKS_PER_UNIT, Time};
use model::campaign::{Application, Campaign, Class, HELD};
use model::ids::OrganizationId;
use model::speed::Speed;

/// Longest runtime, in seconds.
const LONGEST: f64 = 1e9;
/// Greatest need, in millionths.
const MOST: f64 = 1e18;

/// A workflow whose tasks are grouped to classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Workflow {
    /// Its name in the file.
    pub name: String,
    /// Version of the format.
    pub version: String,
    /// The classes by level, those of a level in the order of their first tasks.
    pub classes: Vec<WorkflowClass>,
    /// Ledger of the grouping and of all changes.
    pub ledger: Ledger,
}

/// A class of a workflow.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkflowClass {
    /// Its type, followed by `@` and its level if the type is on several levels.
    pub name: String,
    /// Number of tasks.
    pub tasks: u64,
    /// Mean runtime of a task, a tick at least.
    pub time: Span,
    /// Numbers of the classes that it waits for, which stand before it.
    pub after: Vec<u32>,
    /// Resources that a running task holds, in millionths of units.
    pub needs: [i64; HELD],
}

impl Workflow {
    /// Appends the workflow to a campaign as one application, which must not be submitted before the
    /// last one there. A task takes its time divided by the speed of the site; `speeds` are by site,
    /// and sites without one have speed 1.
    pub fn append(
        &self,
        campaign: &mut Campaign,
        owner: OrganizationId,
        (submit, deadline): (Time, Time),
        speeds: &[Speed],
    ) {
        let first = campaign.classes.len() as u32;
        let application = campaign.applications.len() as u32;
        let speed = |site| speeds.get(site).copied().unwrap_or(Speed::ONE);
        for class in &self.classes {
            let times = (0..campaign.sites).map(|site| speed(site).runs(class.time));
            let times: Vec<Span> = times.map(|time| time.max(Span::TICK)).collect();
            campaign.expected.extend(&times);
            campaign.times.extend(&times);
            if !campaign.weights.is_empty() {
                campaign.weights.extend(times.iter().map(|_| 1.0));
            }
            campaign.classes.push(Class {
                name: class.name.clone(),
                application,
                tasks: class.tasks,
                after: class.after.iter().map(|before| first + before).collect(),
                needs: class.needs,
                output: 0,
            });
        }
        let (name, end) = (self.name.clone(), campaign.classes.len() as u32);
        campaign.applications.push(Application { name, owner, submit, deadline, first, end });
    }
}

/// Groups the tasks of an instance.
pub(super) fn group(
    instance: &Instance,
    levels: &Levels,
    options: &Options,
    lines: &Lines<'_>,
) -> Result<Workflow, Problem> {
    let tasks = &instance.tasks;
    let (members, class_of) = members(tasks, levels, options.types);
    let names = names(tasks, levels, options.types, &members);
    let mut ledger = Ledger { tasks: tasks.len() as u64, ..Ledger::default() };
    let mut classes = Vec::with_capacity(members.len());
    for (members, name) in members.iter().zip(names) {
        let group = runtimes(instance, members, (name, levels), options, lines)?;
        let after: Set<u32> = members
            .iter()
            .flat_map(|&task| &levels.parents[task])
            .map(|&parent| class_of[parent as usize])
            .collect();
        classes.push(WorkflowClass {
            name: group.class.clone(),
            tasks: group.tasks,
            time: group.mean.max(Span::TICK),
            after: after.into_iter().collect(),
            needs: needs(tasks, members, options),
        });
        ledger.groups.push(group);
    }
    ledger.relations = levels.parents.iter().map(|parents| parents.len() as u64).sum();
    ledger.class_relations = classes.iter().map(|class| class.after.len() as u64).sum();
    let implied = |class: &WorkflowClass| {
        let before = class.after.iter().map(|&before| classes[before as usize].tasks);
        class.tasks * before.sum::<u64>()
    };
    ledger.implied_relations = classes.iter().map(implied).sum();
    notes(instance, levels, &class_of, &classes, options, lines, &mut ledger);
    let (name, version) = (instance.name.clone(), instance.version.clone());
    Ok(Workflow { name, version, classes, ledger })
}

/// Returns the tasks of each class, and the class of each task.
fn members(tasks: &[Task], levels: &Levels, types: Types) -> (Vec<Vec<usize>>, Vec<u32>) {
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.order_by_key(|&task| levels.level[task]);
    let mut numbers: Map<(u32, &str), u32> = Map::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    let mut class_of = vec![0; tasks.len()];
    for task in order {
        let key = (levels.level[task], kind(&tasks[task], types));
        let class = *numbers.get_or_insert_with(key, || {
            members.push(Vec::new());
            members.len() as u32 - 1
        });
        members[class as usize].push(task);
        class_of[task] = class;
    }
    (members, class_of)
}

/// Returns the type of a task.
fn kind(task: &Task, types: Types) -> &str {
    let program = task.program.as_deref().filter(|_| types == Types::Program);
    let category = task.category.as_deref();
    program.or(category).filter(|kind| !kind.is_empty()).unwrap_or_else(|| stem(&task.name))
}

/// Returns a name without the number at its end: `mProject_ID0000007`, `mProject-7` and
/// `mProject (7)` are of type `mProject`. A number without a separator before it is part of the type:
/// `bowtie2`. A name that is nothing but a number remains. Nextflow's names have the process before
/// two underscores and the data behind them: `ALIGN__sample1__ID0000007`.
fn stem(name: &str) -> &str {
    let process = name.split_once("__").map(|(process, _)| process);
    if let Some(process) = process.filter(|process| !process.is_empty()) {
        return process;
    }
    let without_note = match name.rfind(" (") {
        Some(place) if name.ends_with(')') => &name[..place],
        _ => name,
    };
    let letters = without_note.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let before = letters.strip_suffix("ID").unwrap_or(letters);
    let stem = before.trim_end_matches(['_', '-', '.', ':', '#', '/', ' ']);
    match (letters.len() == without_note.len(), stem.len() == before.len(), stem.is_empty()) {
        (false, false, false) => stem,
        _ if without_note.is_empty() => name,
        _ => without_note,
    }
}

/// Returns the names of classes, each unlike all others.
fn names(tasks: &[Task], levels: &Levels, types: Types, members: &[Vec<usize>]) -> Vec<String> {
    let kinds: Vec<&str> = members.iter().map(|members| kind(&tasks[members[0]], types)).collect();
    let mut counts: Map<&str, u32> = Map::new();
    kinds.iter().for_each(|kind| *counts.get_or_default(kind) += 1);
    let mut used = Set::new();
    let name = |(kind, members): (&&str, &Vec<usize>)| {
        let mut name = match counts.get(kind) {
            Some(1) => (*kind).to_owned(),
            _ => format!("{kind}@{}", levels.level[members[0]]),
        };
        while !used.insert(name.clone()) {
            name.push('+');
        }
        name
    };
    kinds.iter().zip(members).map(name).collect()
}

/// Returns the runtimes within a class.
fn runtimes(
    instance: &Instance,
    members: &[usize],
    (class, levels): (String, &Levels),
    options: &Options,
    lines: &Lines<'_>,
) -> Result<Group, Problem> {
    let mut known = Vec::with_capacity(members.len());
    for &member in members {
        let task = &instance.tasks[member];
        let Some(recorded) = task.runtime else { continue };
        let speed = options.reference.zip(speed(task, instance));
        let seconds = speed.map_or(recorded, |(reference, speed)| recorded * speed / reference);
        if !(0.0..=LONGEST).contains(&recorded) || seconds > LONGEST {
            let (line, task) = (lines.task(&task.id), task.id.clone());
            return Err(Problem::Runtime { line, task, seconds: recorded });
        }
        known.push(nearest(seconds * TICKS_PER_UNIT as f64).ticks());
    }
    let (Some(&shortest), Some(&longest)) = (known.iter().min(), known.iter().max()) else {
        let task = &instance.tasks[members[0]].id;
        return Err(Problem::NoRuntime { line: lines.task(task), task: task.clone() });
    };
    let count = known.len() as i128;
    let sum: i128 = known.iter().map(|&ticks| i128::from(ticks)).sum();
    let mean = sum as f64 / count as f64;
    let square = |&ticks: &i64| (ticks as f64 - mean) * (ticks as f64 - mean);
    let variance = known.iter().map(square).sum::<f64>() / count as f64;
    let [shortest, longest] = [shortest, longest].map(Span::from_ticks);
    Ok(Group {
        class,
        level: levels.level[members[0]],
        tasks: members.len() as u64,
        known: known.len() as u64,
        shortest,
        mean: Span::from_ticks(((2 * sum + count) / (2 * count)) as i64),
        longest,
        variation: if sum > 0 { variance.sqrt() / mean } else { 0.0 },
    })
}

/// Returns the speed of the machines of a task, in MHz: the mean if there are several, all known.
fn speed(task: &Task, instance: &Instance) -> Option<f64> {
    let speeds = task.machines.iter().map(|machine| instance.machines.get(machine).copied());
    let speeds: Vec<f64> = speeds.collect::<Option<_>>()?;
    (!speeds.is_empty()).then(|| speeds.iter().sum::<f64>() / speeds.len() as f64)
}

/// Returns what a task of a class holds, in millionths of units.
fn needs(tasks: &[Task], members: &[usize], options: &Options) -> [i64; HELD] {
    let mean = |values: &[f64]| {
        if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
    };
    let storage: Vec<f64> = members.iter().map(|&task| tasks[task].output).collect();
    let memory: Vec<f64> = members.iter().filter_map(|&task| tasks[task].memory).collect();
    [mean(&storage), mean(&memory)].map(|bytes| {
        let millionths = bytes / options.bytes * 1e6;
        millionths.clamp(0.0, MOST).round_ties_even() as i64
    })
}

/// Records what was changed or dropped.
fn notes(
    instance: &Instance,
    levels: &Levels,
    class_of: &[u32],
    classes: &[WorkflowClass],
    options: &Options,
    lines: &Lines<'_>,
    ledger: &mut Ledger,
) {
    let tasks = &instance.tasks;
    let line = |task: Option<usize>| task.map_or(0, |task| lines.task(&tasks[task].id));
    let count = |holds: &dyn Fn(&Task) -> bool| {
        let count = tasks.iter().filter(|task| holds(task)).count() as u64;
        (count, if count > 0 { line(tasks.iter().position(holds)) } else { 0 })
    };
    let strangers = instance.strangers.first().map_or(0, |id| lines.task(id));
    let strangers = (instance.strangers.len() as u64, strangers);
    let effect = "executions of tasks that the specification does not name left out";
    ledger.note("execution.tasks", Kind::Dropped, effect, strangers);
    let (one_sided, first) = levels.one_sided;
    let effect = "precedences told by the parent or the child alone, taken all the same";
    let first = if one_sided > 0 { line(Some(first)) } else { 0 };
    ledger.note("parents, children", Kind::Noted, effect, (one_sided, first));
    let unknown = count(&|task| task.runtime.is_none());
    let effect = "tasks of unknown runtime, which take the mean of their class";
    ledger.note("runtimeInSeconds", Kind::Changed, effect, unknown);
    if options.reference.is_some() {
        let effect = "tasks on machines of unknown speed, whose runtimes are taken as they are";
        let unknown = count(&|task| task.runtime.is_some() && speed(task, instance).is_none());
        ledger.note("reference", Kind::Noted, effect, unknown);
    }
    let effect = "tasks that had several cores, which take their time on one processor";
    let several = count(&|task| task.cores.is_some_and(|cores| cores > 1.0));
    ledger.note("cores", Kind::Changed, effect, several);
    let effect = "transfers and auxiliary tasks, taken as tasks like others";
    ledger.note("type", Kind::Noted, effect, count(&|task| task.is_auxiliary));
    let effect = "tasks with output files of unknown size, which count as empty";
    ledger.note("sizeInBytes", Kind::Changed, effect, count(&|task| task.lacks_size));
    let is_instant = |group: &&Group| group.mean == Span::ZERO;
    let instant = ledger.groups.iter().filter(is_instant).count() as u64;
    let place = ledger.groups.iter().position(|group| is_instant(&group)).map(|place| place as u32);
    let first = place.and_then(|place| class_of.iter().position(|&class| class == place));
    let effect = "classes without a runtime above 0, whose tasks take a tick";
    ledger.note("runtimeInSeconds", Kind::Changed, effect, (instant, line(first)));
    let late = barriers(levels, class_of, classes);
    let first = late.first().and_then(|late| class_of.iter().position(|class| class == late));
    let effect = "classes with tasks that waited for less than the classes that they now wait for";
    ledger.note("classes", Kind::Changed, effect, (late.len() as u64, line(first)));
}

/// Returns the classes with a task that did not wait for all tasks that its class now waits for.
fn barriers(levels: &Levels, class_of: &[u32], classes: &[WorkflowClass]) -> Vec<u32> {
    let mut late = Set::new();
    for (task, parents) in levels.parents.iter().enumerate() {
        let class = &classes[class_of[task] as usize];
        // Parents are tasks of these classes, and each of them counts once.
        let all: u64 = class.after.iter().map(|&before| classes[before as usize].tasks).sum();
        if (parents.len() as u64) < all {
            late.insert(class_of[task]);
        }
    }
    late.into_iter().collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn types_are_names_without_their_numbers() {
        for (name, stem) in [
            ("mProject_ID0000007", "mProject"),
            ("mProject_00000007", "mProject"),
            ("mProject-7", "mProject"),
            ("mProject (7)", "mProject"),
            ("align:star (sample 1)", "align:star"),
            ("A:ALIGN__chr10_1-2__ID0000007", "A:ALIGN"),
            ("__7", "__7"),
            ("bowtie2", "bowtie2"),
            ("bowtie2_12", "bowtie2"),
            ("ID00012", "ID00012"),
            ("00012", "00012"),
            ("_7", "_7"),
            ("GRID", "GRID"),
            ("split", "split"),
            (" (x)", " (x)"),
            ("", ""),
        ] {
            assert_eq!(super::stem(name), stem, "{name}");
        }
    }
}
