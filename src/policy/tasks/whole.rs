//! Rounds shares of sites to whole processors, so that a game can be played with whole tasks.
//!
//! At each site the shares become whole numbers by largest remainders. Processors keep their class where
//! they can, and each class fills its own processors, each task where it ends earliest.
//!
//! A class that is left without a processor waits: its tasks stand behind all others, where they end
//! earliest, and so do those of classes that are not ready. They start when processors run out of other
//! tasks, or at the next plan, which comes when a class is done. Then there are fewer classes, so nobody
//! waits for ever.

use std::cmp::Reverse;

use super::lines::{Ends, Line, Lines, Load};
use super::{HELD, Plan, Problem, Share, TaskPlanner, UNLIMITED};

/// Shares that are whole numbers but for rounding errors count as such.
const SLACK: f64 = 1e-9;

/// Plans whole tasks by rounding the shares of another planner to processors.
#[derive(Clone, Debug)]
pub struct WholeProcessors<P> {
    planner: P,
}

impl<P> WholeProcessors<P> {
    /// Rounds the shares of this planner.
    pub fn new(planner: P) -> WholeProcessors<P> {
        WholeProcessors { planner }
    }
}

impl<P: TaskPlanner> TaskPlanner for WholeProcessors<P> {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        let mut plan = Plan::default();
        self.planner.plan(problem, &mut plan);
        fill(problem, &plan.shares, out);
        out.stages = plan.stages;
    }
}

/// Rounds shares to processors and fills them with the tasks of their classes.
pub(super) fn fill(problem: &Problem<'_>, shares: &[Share], out: &mut Plan) {
    let mut lines = Lines::new(problem);
    let mut has_some = vec![false; problem.classes.len()];
    for site in 0..problem.sites.len() {
        let of = |share: &&Share| share.site as usize == site;
        let counts = round(problem, site, shares.iter().filter(of));
        for &(class, count) in &counts {
            has_some[class] |= count > 0;
        }
        assign(problem, &mut lines.sites[site], counts);
    }
    let mut ends = Ends::new(problem);
    let load = |class: usize, ends: &Ends| Load {
        class,
        tasks: problem.classes[class].whole(),
        release: ends.release(problem, class),
    };
    for (class, has_some) in has_some.iter_mut().enumerate().filter(|(_, has_some)| **has_some) {
        let end = lines.fill(load(class, &ends), |_, line| line.owner == Some(class));
        ends.note(class, end);
        *has_some = end.is_some();
    }
    for class in (0..has_some.len()).filter(|&class| !has_some[class]) {
        let end = lines.fill(load(class, &ends), |_, _| true);
        ends.note(class, end);
    }
    lines.write(out);
}

/// Rounds the shares of a site to whole numbers of processors, by class position.
///
/// Each class gets the whole part of its share. The processors that are left go to the largest
/// remainders, ties to the class in front, as long as all tasks on them fit in storage and memory. They
/// are as many as the sum of the shares, rounded up.
fn round<'s>(
    problem: &Problem<'_>,
    site: usize,
    shares: impl Iterator<Item = &'s Share>,
) -> Vec<(usize, u64)> {
    let mut parts: Vec<(usize, f64)> = Vec::new();
    for share in shares {
        let found = problem.classes.binary_search_by_key(&share.class, |class| class.number);
        if let Ok(class) = found {
            parts.push((class, share.processors.max(0.0)));
        }
    }
    parts.sort_unstable_by_key(|&(class, _)| class);
    parts.dedup_by(|next, one| {
        let is_same = next.0 == one.0;
        one.1 += if is_same { next.1 } else { 0.0 };
        is_same
    });
    let all: u64 = problem.sites[site].free.iter().map(|free| free.processors).sum();
    let sum: f64 = parts.iter().map(|&(_, part)| part).sum();
    let most = ((sum - SLACK).ceil().max(0.0) as u64).min(all);
    let down = |part: f64| (part + SLACK).floor() as u64;
    let mut counts: Vec<(usize, u64)> =
        parts.iter().map(|&(class, part)| (class, down(part))).collect();
    let mut left = most.saturating_sub(counts.iter().map(|&(_, count)| count).sum());
    let mut held = [0_i128; HELD];
    for &(class, count) in &counts {
        for (held, need) in held.iter_mut().zip(problem.classes[class].needs) {
            *held += i128::from(need) * i128::from(count);
        }
    }
    let mut by_rest: Vec<usize> = (0..parts.len()).collect();
    let rest = |place: usize| parts[place].1 - counts[place].1 as f64;
    // Rests that differ by rounding alone are equal.
    by_rest.sort_by_key(|&place| Reverse((rest(place) / SLACK).round() as i64));
    by_rest.retain(|&place| rest(place) > SLACK);
    for place in by_rest {
        let needs = problem.classes[counts[place].0].needs;
        let limits = problem.sites[site].limits;
        let fits = (0..HELD).all(|thing| {
            let sum = held[thing] + i128::from(needs[thing]);
            limits[thing] == UNLIMITED || needs[thing] <= 0 || sum <= i128::from(limits[thing])
        });
        if left > 0 && fits {
            left -= 1;
            counts[place].1 += 1;
            (0..HELD).for_each(|thing| held[thing] += i128::from(needs[thing]));
        }
    }
    counts
}

/// Makes processors of a site the classes' own: first those that worked for the class, then any, the
/// earliest free first.
fn assign(problem: &Problem<'_>, lines: &mut Vec<Line>, mut counts: Vec<(usize, u64)>) {
    for keeps in [true, false] {
        for (class, count) in &mut counts {
            let number = problem.classes[*class].number;
            let mut place = 0;
            while place < lines.len() && *count > 0 {
                let line = &mut lines[place];
                let is_free = line.owner.is_none();
                if is_free && (!keeps || line.worked_for == Some(number)) {
                    if line.processors > *count {
                        let own = line.split(*count);
                        lines.insert(place, own);
                    }
                    lines[place].owner = Some(*class);
                    *count -= lines[place].processors;
                }
                place += 1;
            }
        }
    }
}
