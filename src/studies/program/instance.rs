//! Instances as scenarios.

use std::fmt::Write as _;

use bounds::instance::Instance;
use kernel::time::Units;
use policy::grid::GridOptions;

/// The key of a scenario that chooses a grid scheduler: `grid_scheduler.list = { order = "largest" }`.
pub(super) fn chosen(scheduler: &GridOptions) -> String {
    let value = toml::Value::try_from(scheduler).expect("parameters are plain");
    let (name, parameters) = match &value {
        toml::Value::Table(table) => table.iter().next().expect("a choice has one key"),
        _ => unreachable!("a choice is a table"),
    };
    let inner = match parameters {
        toml::Value::Table(keys) if keys.is_empty() => "{}".to_owned(),
        toml::Value::Table(keys) => {
            let keys: Vec<String> =
                keys.iter().map(|(key, one)| format!("{key} = {one}")).collect();
            format!("{{ {} }}", keys.join(", "))
        }
        other => other.to_string(),
    };
    format!("grid_scheduler.{name} = {inner}")
}

/// Writes an instance as a scenario, equal neighbours once with their number. `comment` is text for
/// its head.
pub(super) fn scenario(
    name: &str,
    comment: &str,
    scheduler: &GridOptions,
    instance: &Instance,
) -> String {
    let mut out = String::new();
    for line in comment.lines() {
        let _ = writeln!(out, "# {line}");
    }
    let _ = writeln!(out, "\nname = \"{name}\"");
    let _ = writeln!(out, "{}", chosen(scheduler));
    out.push_str("output.bounds = true\n\n[[organization]]\nname = \"grid\"\n");
    let runs = |sizes: &[u32]| -> Vec<(u32, usize)> {
        sizes.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect()
    };
    let own = if scheduler.starts() { "" } else { ", scheduler.list = {}" };
    for (class, (processors, count)) in runs(&instance.clusters).into_iter().enumerate() {
        let _ = write!(out, "\n[[cluster]]\nname = \"m{}\"\nowner = \"grid\"\n", class + 1);
        if count > 1 {
            let _ = writeln!(out, "count = {count}");
        }
        let _ = writeln!(out, "kind.space_shared = {{ processors = {processors}{own} }}");
    }
    for same in instance.tasks.chunk_by(|a, b| a == b) {
        let task = same[0];
        let [submit, runtime] =
            [task.release.ticks(), task.length.ticks()].map(|ticks| Units(i128::from(ticks)));
        out.push_str("\n[[job]]\norganization = \"grid\"\n");
        let _ = writeln!(out, "submit = {submit}\nruntime = {runtime}");
        let _ = writeln!(out, "processors = {}", task.processors);
        if same.len() > 1 {
            let _ = writeln!(out, "count = {}", same.len());
        }
    }
    out
}
