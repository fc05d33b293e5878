//! Times at which classes and applications were ready, started and finished, by the runs.

use super::facts::{CampaignFacts, Mode, WorldFacts};
use kernel::time::Time;

/// Relative tolerance for divisible tasks.
pub(super) const FLUID: f64 = 1e-6;

/// Times by the runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// By class.
    pub classes: Vec<FoundClass>,
    /// Finish of each application, if all of its classes finished.
    pub finishes: Vec<Option<Time>>,
}

/// Times of a class.
#[derive(Clone, Debug)]
pub(super) struct FoundClass {
    /// The time from which it may run, or the class that it waits for without end.
    pub ready: Result<Time, usize>,
    /// Start of its first run.
    pub start: Option<Time>,
    /// Finish of its last run, if all tasks are done.
    pub finish: Option<Time>,
    /// Tasks done.
    pub done: f64,
    /// Tasks that may be missing or too many, from rounding.
    pub slack: f64,
}

/// Finds the times of all classes; `usable` says which runs have sane numbers.
pub(super) fn found(world: &WorldFacts, facts: &CampaignFacts, usable: &[bool]) -> Found {
    let mut found = Found::default();
    let mut last: Vec<Option<Time>> = vec![None; facts.classes.len()];
    for class in &facts.classes {
        let slack = if world.mode == Mode::Fluid { FLUID * class.tasks as f64 } else { 0.0 };
        let ready = Ok(Time::ZERO);
        let new = FoundClass { ready, start: None, finish: None, done: 0.0, slack };
        found.classes.push(new);
    }
    for (run, _) in facts.runs.iter().zip(usable).filter(|&(_, &usable)| usable) {
        let class = &mut found.classes[run.class];
        class.start = Some(class.start.map_or(run.start, |start| start.min(run.start)));
        last[run.class] = last[run.class].max(Some(run.finish));
        class.done += run.tasks;
        let time = facts.classes[run.class].times[run.site];
        if let (Mode::Fluid, Some(time)) = (world.mode, time) {
            class.slack += run.processors / time.ticks() as f64;
        }
    }
    for (number, class) in facts.classes.iter().enumerate() {
        let mut ready = Ok(facts.applications[class.application].submit);
        for &before in &class.after {
            ready = match (ready, found.classes[before].finish) {
                (Ok(ready), Some(finish)) => Ok(ready.max(finish)),
                (Ok(_), None) => Err(before),
                (Err(first), _) => Err(first),
            };
        }
        let new = &mut found.classes[number];
        new.ready = ready;
        let is_done = new.done + new.slack >= class.tasks as f64;
        new.finish = if class.tasks == 0 { ready.ok() } else { last[number].filter(|_| is_done) };
    }
    found.finishes = finishes(facts, &found.classes);
    found
}

/// Returns the finish of each application.
fn finishes(facts: &CampaignFacts, classes: &[FoundClass]) -> Vec<Option<Time>> {
    let mut finishes: Vec<Option<Time>> =
        facts.applications.iter().map(|one| Some(one.submit)).collect();
    for (class, found) in facts.classes.iter().zip(classes) {
        let finish = &mut finishes[class.application];
        *finish = finish.zip(found.finish).map(|(one, other)| one.max(other));
    }
    finishes
}
