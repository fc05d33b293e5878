//! Plays a problem as a fluid: shares are rates, tasks have no size, and whenever a class is done or
//! becomes ready the planner plans again.
//!
//! All processors count from the start, whenever they are free.

use super::{Plan, Problem, Stage, TaskPlanner};
use kernel::time::{Span, TICKS_PER_UNIT, Time};

/// A class is done if this part of its tasks is left.
const DONE: f64 = 1e-9;

/// Course of a problem played as a fluid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replayed {
    /// Units of time from the start to the end of each class, by position; `None` if the planner never
    /// gives it a processor.
    pub ends: Vec<Option<f64>>,
    /// Tasks done by position and site.
    pub tasks: Vec<Vec<f64>>,
    /// Number of plans.
    pub plans: u64,
    /// Stages of the game behind the first plan.
    pub stages: Vec<Stage>,
}

impl Replayed {
    /// Units of time to the last end.
    pub fn makespan(&self) -> f64 {
        self.ends.iter().flatten().fold(0.0, |last, &end| end.max(last))
    }
}

/// Plays a problem with a planner that answers with shares.
///
/// Each plan is for the classes that are not done, with the tasks that are left. Time then advances to
/// the first end of a class with its share, or to the next time at which a class is ready.
pub fn replay(problem: &Problem<'_>, planner: &impl TaskPlanner) -> Replayed {
    let (classes, sites) = (problem.classes.len(), problem.sites.len());
    let mut out = Replayed {
        ends: vec![None; classes],
        tasks: vec![vec![0.0; sites]; classes],
        ..Replayed::default()
    };
    // Without sites, the classes still have rows.
    let mut now = 0.0;
    let mut left: Vec<f64> = problem.classes.iter().map(|class| class.tasks).collect();
    for (end, &left) in out.ends.iter_mut().zip(&left) {
        *end = (left <= 0.0).then_some(0.0);
    }
    let mut plan = Plan::default();
    loop {
        let (rest, positions) = rest(problem, now, &left, &out.ends);
        plan.lanes.clear();
        plan.shares.clear();
        plan.stages.clear();
        planner.plan(&rest, &mut plan);
        if out.plans == 0 {
            out.stages = std::mem::take(&mut plan.stages);
        }
        out.plans += 1;
        let mut rates = vec![0.0; classes];
        let mut shares = Vec::with_capacity(plan.shares.len());
        for share in &plan.shares {
            let found = rest.classes.binary_search_by_key(&share.class, |class| class.number);
            let Ok(place) = found else { continue };
            let site = share.site as usize;
            let Some(time) = rest.classes[place].time(site) else { continue };
            let rate = share.processors / time.as_units();
            rates[positions[place]] += rate;
            shares.push((positions[place], site, rate));
        }
        let first = |first: f64, (rate, left): (&f64, &f64)| match *rate > 0.0 {
            true => first.min(left / rate),
            false => first,
        };
        let first_end = rates.iter().zip(&left).fold(f64::INFINITY, first);
        let ready = rest.classes.iter().filter(|class| class.ready > rest.now);
        let next_ready = ready.map(|class| class.ready).min();
        let next_ready = next_ready.map_or(f64::INFINITY, |time| (time - problem.now).as_units());
        let advance = first_end.min(next_ready - now);
        if !advance.is_finite() {
            return out;
        }
        now += advance;
        let mut done = vec![0.0; classes];
        for (class, rate) in rates.iter().enumerate().filter(|(_, rate)| **rate > 0.0) {
            let part = 1.0 - advance * rate / left[class];
            let rest = if part <= DONE { 0.0 } else { left[class] * part };
            done[class] = left[class] - rest;
            left[class] = rest;
            out.ends[class] = (rest <= 0.0).then_some(now);
        }
        for (class, site, rate) in shares {
            out.tasks[class][site] += done[class] * (rate / rates[class]);
        }
        if out.ends.iter().all(Option::is_some) {
            return out;
        }
    }
}

/// The problem that is left at a time, and the positions of its classes in the whole one.
fn rest<'a>(
    problem: &Problem<'a>,
    now: f64,
    left: &[f64],
    ends: &[Option<f64>],
) -> (Problem<'a>, Vec<usize>) {
    let mut places = vec![None; problem.classes.len()];
    let mut positions = Vec::new();
    let mut classes = Vec::new();
    let ticks = Span::from_ticks((now * TICKS_PER_UNIT as f64).round() as i64);
    let time = problem.now.saturating_add(ticks);
    for (position, class) in problem.classes.iter().enumerate() {
        if ends[position].is_some() {
            continue;
        }
        places[position] = Some(classes.len() as u32);
        positions.push(position);
        let after = class.after.iter().filter_map(|&before| places[before as usize]);
        // A class is ready at the time to which its readiness has advanced the fluid.
        let ready = if now >= (class.ready - problem.now).as_units() { time } else { class.ready };
        classes.push(super::Class {
            tasks: left[position],
            after: after.collect(),
            ready: ready.min(Time::NEVER),
            ..class.clone()
        });
    }
    let rest = Problem {
        now: time,
        sites: problem.sites.clone(),
        classes,
        applications: problem.applications.clone(),
        seed: problem.seed,
    };
    (rest, positions)
}
