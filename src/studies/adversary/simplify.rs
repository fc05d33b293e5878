//! Makes a bad instance easier to read.

use super::{BadInstance, Makespan, Optimum};
use bounds::instance::Instance;
use kernel::time::{Span, Time};

/// Deletes jobs and rounds lengths and releases to whole units, as long as the ratio does not fall.
pub fn simplify(found: &BadInstance, makespan: Makespan<'_>, optimum: Optimum<'_>) -> BadInstance {
    let mut best = found.clone();
    let mut job = 0;
    while job < best.instance.tasks.len() {
        let better = simpler(&best.instance, job).into_iter().find_map(|instance| {
            let makespan = makespan(&instance);
            let optimum = optimum(&instance)?;
            let simple = BadInstance { instance, makespan, optimum };
            (!best.is_worse_than(&simple)).then_some(simple)
        });
        match better {
            Some(better) => (best, job) = (better, 0),
            None => job += 1,
        }
    }
    best
}

/// Returns instances that differ in one job and are simpler.
fn simpler(instance: &Instance, job: usize) -> Vec<Instance> {
    let mut all = Vec::new();
    if instance.tasks.len() > 1 {
        let mut without = instance.clone();
        without.tasks.remove(job);
        all.push(without);
    }
    let task = instance.tasks[job];
    let round = |span: Span| {
        let unit = Span::UNIT.ticks();
        Span::units((span.ticks() + unit / 2) / unit)
    };
    let length = round(task.length);
    if length != task.length && length > Span::ZERO {
        let mut rounded = instance.clone();
        rounded.tasks[job].length = length;
        all.push(rounded);
    }
    let release = Time::ZERO + round(task.release - Time::ZERO);
    if release != task.release {
        let mut rounded = instance.clone();
        rounded.tasks[job].release = release;
        rounded.tasks.sort_by_key(|task| task.release);
        all.push(rounded);
    }
    all
}
