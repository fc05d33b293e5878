//! Offered load of a scenario as it is known before a run, with warnings.

use super::loads;
use super::warnings::FEWEST_JOBS;
use crate::words::warnings::named;
use findings::grid::loads::{Loads, Part};
use kernel::map::Set;
use scenario::plan::{Plan, WorkloadKind};
use stats::shown::{count, counted, figure};
use workload::swf::Survey;

/// Words of every warning about a load.
const NEEDS: &str = "queues grow as long as";
/// Maximum number of loads that are shown.
const SHOWN: usize = 20;

/// A line for each part of the grid whose load is known, up to a maximum number.
pub fn lines(plan: &Plan) -> Vec<String> {
    let loads = of(plan);
    let known = loads.parts().iter().filter_map(|part| Some((part, load(part)?)));
    let line = |(part, load): (&Part, f64)| {
        let processors = counted(part.processors, "processor", "processors");
        format!("{}: {} of {processors}", names(plan, part), figure(load))
    };
    known.take(SHOWN).map(line).collect()
}

/// Warns about loads of one and above, and about traces of machines of another size.
pub fn warnings(plan: &Plan) -> Vec<String> {
    let loads = of(plan);
    let mut warnings = Vec::new();
    let traced: Vec<&WorkloadKind> = (plan.workloads.iter().map(|workload| &workload.kind))
        .filter(|kind| matches!(kind, WorkloadKind::Swf { .. }))
        .collect();
    for part in loads.parts() {
        let traces = traces(plan, &traced, part);
        let told: Option<u64> =
            traces.iter().map(|trace| trace.header.max_procs().map(u64::from)).sum();
        let is_given = part.expected().is_none();
        let above = load(part).filter(|&load| match is_given {
            true => load > 1.0 && part.jobs >= FEWEST_JOBS,
            false => load > 1.0 - 1e-9,
        });
        if let Some(load) = above {
            let (names, load) = (names(plan, part), figure(load));
            let mut warning = match is_given {
                true => format!(
                    "the jobs of {names} ask for {load} times what the processors that they may \
                     use can do while they come: {NEEDS} that goes on"
                ),
                false => format!("the load of {names} is {load}, not below one: {NEEDS} jobs come"),
            };
            if let Some(trace) = traces.iter().find(|trace| trace.header.max_procs().is_none()) {
                warning.push_str(&format!(
                    "; {} does not say how many processors its machine had (MaxProcs)",
                    trace.file.display()
                ));
            }
            warnings.push(warning);
        }
        let told = told.filter(|&told| !traces.is_empty() && told != part.processors);
        if let Some(told) = told {
            let machine = if traces.len() == 1 { "its machine" } else { "their machines" };
            let files: Vec<String> =
                traces.iter().map(|trace| trace.file.display().to_string()).collect();
            warnings.push(format!(
                "{}: {machine} had {} by MaxProcs, and the jobs may use {} here",
                named(files.iter()),
                counted(told, "processor", "processors"),
                count(part.processors)
            ));
        }
    }
    warnings.truncate(SHOWN);
    warnings
}

/// The warnings of a run with those that are known before it, for where several are run and none writes
/// files of its own. A load that the run warns of is not told twice.
pub fn beside(plan: &Plan, of_run: Vec<String>) -> Vec<String> {
    let mut of_run: Vec<String> =
        of_run.iter().map(|one| one.replace(" (see timeline.svg)", "")).collect();
    let about = |text: &str| {
        let (from, until) = (text.find('`')?, text.rfind('`')?);
        Some(text[from..=until].to_owned())
    };
    let is_told = |load: &String| {
        let of_loads =
            of_run.iter().filter(|one| one.contains("load of") || one.contains("capacity"));
        load.contains(NEEDS) && of_loads.into_iter().any(|one| about(one) == about(load))
    };
    let known = if plan.is_grid() { warnings(plan) } else { Vec::new() };
    let known: Vec<String> = known.into_iter().filter(|one| !is_told(one)).collect();
    of_run.extend(known);
    of_run
}

/// Empty for coalitions, whose organizations share work by other rules.
fn of(plan: &Plan) -> Loads {
    match plan.coalition() {
        None => loads::offered(plan),
        Some(_) => Loads::default(),
    }
}

fn load(part: &Part) -> Option<f64> {
    part.expected().or_else(|| part.load())
}

fn names(plan: &Plan, part: &Part) -> String {
    let names: Vec<String> = (part.organizations.iter())
        .map(|&index| format!("`{}`", plan.organizations[index].name))
        .collect();
    named(names.iter())
}

/// The traces all of whose jobs belong to a part.
fn traces<'a>(plan: &Plan, traced: &[&'a WorkloadKind], part: &Part) -> Vec<&'a Survey> {
    if traced.is_empty() {
        return Vec::new();
    }
    let part: Set<usize> = part.organizations.iter().copied().collect();
    let all = plan.organizations.len();
    let traces = traced.iter().filter_map(|kind| match kind {
        WorkloadKind::Swf { survey, .. } => {
            let mut owners = kind.owners(all);
            owners.all(|owner| part.contains(&owner)).then_some(&**survey)
        }
        _ => None,
    });
    traces.collect()
}
