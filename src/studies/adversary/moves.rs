//! Changes of an instance, each small in what it does to a schedule.

use rand::RngExt as _;

use super::draw::{Draw, halvings};
use bounds::instance::Instance;
use kernel::time::{Span, Time};

/// A kind of change.
type Move = fn(&mut Draw<'_>, &mut Instance);

/// All kinds with their weights. A change that is not possible does nothing.
const MOVES: [(u32, Move); 14] = [
    (16, resize),
    (16, lengthen),
    (8, resize_slightly),
    (8, lengthen_slightly),
    (12, reorder),
    (12, release),
    (8, duplicate),
    (8, delete),
    (8, add),
    (5, replace),
    (8, split),
    (6, change_cluster),
    (5, change_all_alike),
    (2, scale),
];

/// Returns a changed instance: one change, or two with probability 1/4, and so on.
pub(super) fn change(draw: &mut Draw<'_>, instance: &Instance) -> Instance {
    let mut changed = instance.clone();
    let total: u32 = MOVES.iter().map(|kind| kind.0).sum();
    let mut more = halvings(draw.rng) + 1;
    // A change without effect does not count. Some settings allow one instance only, so stop then.
    for _ in 0..100 {
        let mut place = draw.rng.random_range(0..total);
        for (weight, kind) in MOVES {
            if place < weight {
                kind(draw, &mut changed);
                break;
            }
            place -= weight;
        }
        repair(&mut changed);
        if changed != *instance {
            more -= 1;
        }
        if more == 0 {
            break;
        }
    }
    changed
}

/// Restores the order of clusters and jobs, and makes all jobs fit.
fn repair(instance: &mut Instance) {
    instance.clusters.sort_unstable();
    let most = instance.clusters.last().copied().unwrap_or(1);
    for task in &mut instance.tasks {
        task.processors = task.processors.clamp(1, most);
    }
    instance.tasks.sort_by_key(|task| task.release);
}

fn resize(draw: &mut Draw<'_>, instance: &mut Instance) {
    let job = draw.job(instance);
    instance.tasks[job].processors = draw.size(instance);
}

fn lengthen(draw: &mut Draw<'_>, instance: &mut Instance) {
    let job = draw.job(instance);
    instance.tasks[job].length = draw.length(instance);
}

fn resize_slightly(draw: &mut Draw<'_>, instance: &mut Instance) {
    let job = draw.job(instance);
    let by = 1 + halvings(draw.rng);
    let size = &mut instance.tasks[job].processors;
    *size = if draw.once_in(2) { *size + by } else { size.saturating_sub(by) };
}

fn lengthen_slightly(draw: &mut Draw<'_>, instance: &mut Instance) {
    let job = draw.job(instance);
    let most = Span::units(i64::from(draw.settings.most_length));
    let by = if draw.once_in(4) { draw.settings.tiny } else { Span::UNIT };
    let by = if draw.once_in(2) { by } else { -by };
    let length = &mut instance.tasks[job].length;
    *length = (*length + by).clamp(draw.settings.tiny, most);
}

fn reorder(draw: &mut Draw<'_>, instance: &mut Instance) {
    let (from, to) = (draw.job(instance), draw.job(instance));
    if draw.once_in(2) {
        instance.tasks.swap(from, to);
    } else {
        let task = instance.tasks.remove(from);
        instance.tasks.insert(to, task);
    }
}

fn release(draw: &mut Draw<'_>, instance: &mut Instance) {
    if !draw.settings.releases {
        return;
    }
    let (job, to) = (draw.job(instance), draw.release(instance));
    let before = instance.tasks[job].release;
    if draw.once_in(3) {
        // All jobs that are submitted together.
        for task in instance.tasks.iter_mut().filter(|task| task.release == before) {
            task.release = to;
        }
    } else {
        instance.tasks[job].release = to;
    }
}

fn duplicate(draw: &mut Draw<'_>, instance: &mut Instance) {
    if instance.tasks.len() < draw.settings.jobs {
        let (job, to) = (draw.job(instance), draw.below(instance.tasks.len() + 1));
        instance.tasks.insert(to, instance.tasks[job]);
    }
}

fn delete(draw: &mut Draw<'_>, instance: &mut Instance) {
    if instance.tasks.len() > 1 {
        let job = draw.job(instance);
        instance.tasks.remove(job);
    }
}

fn add(draw: &mut Draw<'_>, instance: &mut Instance) {
    if instance.tasks.len() < draw.settings.jobs {
        let (task, to) = (draw.task(instance), draw.below(instance.tasks.len() + 1));
        instance.tasks.insert(to, task);
    }
}

fn replace(draw: &mut Draw<'_>, instance: &mut Instance) {
    let job = draw.job(instance);
    instance.tasks[job] = draw.task(instance);
}

/// Divides a job into two with the same area, one after the other or side by side.
fn split(draw: &mut Draw<'_>, instance: &mut Instance) {
    if instance.tasks.len() >= draw.settings.jobs {
        return;
    }
    let job = draw.job(instance);
    let (mut one, mut two) = (instance.tasks[job], instance.tasks[job]);
    let units = one.length.ticks() / Span::UNIT.ticks();
    if draw.once_in(2) {
        if units < 2 {
            return;
        }
        two.length = Span::units(draw.rng.random_range(1..units));
        one.length -= two.length;
    } else {
        if one.processors < 2 {
            return;
        }
        two.processors = draw.rng.random_range(1..one.processors);
        one.processors -= two.processors;
    }
    instance.tasks[job] = one;
    instance.tasks.insert(job + 1, two);
}

/// Changes the processors of a cluster: slightly, to what some jobs need together, or anyhow.
fn change_cluster(draw: &mut Draw<'_>, instance: &mut Instance) {
    let cluster = draw.below(instance.clusters.len());
    let before = instance.clusters[cluster];
    let processors = match draw.below(4) {
        0 => before + 1,
        1 => before.saturating_sub(1),
        2 => {
            (0..=draw.below(3)).map(|_| instance.tasks[draw.job(instance)].processors).sum::<u32>()
                + u32::from(draw.once_in(2))
        }
        _ => draw.rng.random_range(1..=draw.settings.most_processors),
    };
    instance.clusters[cluster] = processors.clamp(1, draw.settings.most_processors);
}

/// Gives all jobs of one size another size, or all of one length another length.
fn change_all_alike(draw: &mut Draw<'_>, instance: &mut Instance) {
    let like = instance.tasks[draw.job(instance)];
    if draw.once_in(2) {
        let size = draw.size(instance);
        let tasks = instance.tasks.iter_mut();
        tasks
            .filter(|task| task.processors == like.processors)
            .for_each(|task| task.processors = size);
    } else {
        let length = draw.length(instance);
        let tasks = instance.tasks.iter_mut();
        tasks.filter(|task| task.length == like.length).for_each(|task| task.length = length);
    }
}

/// Doubles all sizes, or all lengths and releases, to make room for values in between.
fn scale(draw: &mut Draw<'_>, instance: &mut Instance) {
    if draw.once_in(2) {
        if instance.clusters.iter().all(|&each| each <= draw.settings.most_processors / 2) {
            instance.clusters.iter_mut().for_each(|each| *each *= 2);
            instance.tasks.iter_mut().for_each(|task| task.processors *= 2);
        }
        return;
    }
    let most = Span::units(i64::from(draw.settings.most_length));
    let fits = |span: Span| span * 2 <= most || span <= draw.settings.tiny;
    if instance.tasks.iter().all(|task| fits(task.length) && fits(task.release - Time::ZERO)) {
        for task in &mut instance.tasks {
            let twice = |span: Span| if span <= draw.settings.tiny { span } else { span * 2 };
            task.length = twice(task.length);
            task.release = Time::ZERO + twice(task.release - Time::ZERO);
        }
    }
}
