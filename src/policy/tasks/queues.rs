//! Rounds numbers of tasks by class and site to whole ones: each site has a queue, as in Duan, Prodan
//! and Li, Future Generation Computer Systems, 2014.
//!
//! Numbers are rounded down, and each site works through its queue, the longest tasks first. Then the
//! tasks that are left are added, each time one of the class whose next task would end last. This suits
//! classes of few tasks better than rounding processors.
//!
//! Classes that wait for others come after them: all classes that wait for nothing, with what is left of
//! them, then those that wait for these, and so on.

use super::lines::{Ends, Lines, Load};
use super::{Plan, Problem, TaskPlanner, replay};
use kernel::time::Time;
use model::bounds::parameters;

parameters! {
    /// Sites of the tasks that are left by rounding down.
    #[derive(Copy, Eq)]
    pub enum Leftovers {
        /// The sites where they end earliest.
        Earliest,
        /// To the cheapest site where they end before the deadline of the application; where they end
        /// earliest if there is none. What would end too late in the queue of its site is left too.
        Cheapest,
    }
}

/// Plans whole tasks by playing another planner's shares as a fluid, to the end, and rounding what each
/// site has done.
#[derive(Clone, Debug)]
pub struct WholeTasks<P> {
    planner: P,
    leftovers: Leftovers,
}

impl<P> WholeTasks<P> {
    /// Rounds the tasks of this planner.
    pub fn new(planner: P, leftovers: Leftovers) -> WholeTasks<P> {
        WholeTasks { planner, leftovers }
    }
}

impl<P: TaskPlanner> TaskPlanner for WholeTasks<P> {
    fn plan(&self, problem: &Problem<'_>, out: &mut Plan) {
        let replayed = replay(problem, &self.planner);
        fill(problem, &replayed.tasks, self.leftovers, out);
        out.stages = replayed.stages;
    }
}

/// Rounds tasks by class and site, and puts them on the processors.
pub(super) fn fill(
    problem: &Problem<'_>,
    tasks: &[Vec<f64>],
    leftovers: Leftovers,
    out: &mut Plan,
) {
    let mut lines = Lines::new(problem);
    let mut ends = Ends::new(problem);
    for level in levels(problem) {
        let all = |&class: &usize| (class, problem.classes[class].whole());
        let mut left: Vec<(usize, u64)> = level.iter().map(all).collect();
        for (site, _) in problem.sites.iter().enumerate() {
            let time = |place: usize| lines.time(left[place].0, site);
            let mut queue: Vec<usize> =
                (0..left.len()).filter(|&place| time(place).is_some()).collect();
            queue.sort_by_key(|&place| std::cmp::Reverse(time(place)));
            for place in queue {
                let (class, left) = &mut left[place];
                let release = ends.release(problem, *class);
                let mut whole = (tasks[*class][site].max(0.0) as u64).min(*left);
                if leftovers == Leftovers::Cheapest {
                    whole = whole.min(lines.room(*class, site, release, deadline(problem, *class)));
                }
                let load = Load { class: *class, tasks: whole, release };
                if let Some(end) = lines.fill(load, |at, _| at == site) {
                    *left -= whole;
                    ends.note(*class, Some(end));
                }
            }
        }
        // More than rounding leaves: the fluid did not do them all.
        left.sort_by_key(|&(class, _)| std::cmp::Reverse(fastest(&lines, class)));
        for (class, left) in &mut left {
            if *left > problem.sites.len() as u64 {
                let release = ends.release(problem, *class);
                let load = Load { class: *class, tasks: std::mem::take(left), release };
                let end = lines.fill(load, |_, _| true);
                ends.note(*class, end);
            }
        }
        left.sort_unstable();
        add(&mut lines, &mut ends, left, leftovers);
    }
    lines.write(out);
}

/// Adds single tasks, each time one of the class whose next task would end last.
fn add(lines: &mut Lines<'_>, ends: &mut Ends, left: Vec<(usize, u64)>, leftovers: Leftovers) {
    let problem = lines.problem;
    // The end and the site of the next task of each class, which change with that site only.
    let best = |lines: &Lines<'_>, class: usize, ends: &Ends| {
        let release = ends.release(problem, class);
        let at = |site| lines.earliest(class, site, release).map(|end| (end, site));
        (0..problem.sites.len()).filter_map(at).min()
    };
    let next = |(class, tasks): (usize, u64), lines: &Lines<'_>, ends: &Ends| {
        let (end, site) = best(lines, class, ends)?;
        (tasks > 0).then_some((end, site, class, tasks))
    };
    let mut waiting: Vec<_> = left.into_iter().filter_map(|one| next(one, lines, ends)).collect();
    loop {
        let later = |one: &(usize, &(i128, usize, usize, u64))| (one.1.0, std::cmp::Reverse(one.0));
        let Some((place, &(_, earliest, class, _))) = waiting.iter().enumerate().max_by_key(later)
        else {
            return;
        };
        let release = ends.release(problem, class);
        let site = match leftovers {
            Leftovers::Earliest => earliest,
            Leftovers::Cheapest => cheapest(lines, class, release).unwrap_or(earliest),
        };
        let end = lines.fill(Load { class, tasks: 1, release }, |at, _| at == site);
        ends.note(class, end);
        waiting[place].3 -= 1;
        waiting.retain_mut(|(end, at, class, tasks)| {
            if *at == site
                && let Some(next) = best(lines, *class, ends)
            {
                (*end, *at) = next;
            }
            *tasks > 0
        });
    }
}

/// The shortest time of a task of a class.
fn fastest(lines: &Lines<'_>, class: usize) -> Option<i128> {
    (0..lines.sites.len()).filter_map(|site| lines.time(class, site)).min()
}

/// The tick by which a class should be done.
fn deadline(problem: &Problem<'_>, class: usize) -> i128 {
    let application = problem.classes[class].application as usize;
    match problem.applications[application].deadline {
        Time::NEVER => i128::MAX,
        deadline => i128::from(deadline.ticks()),
    }
}

/// The cheapest site where a task ends before the deadline of its application.
fn cheapest(lines: &Lines<'_>, class: usize, release: i128) -> Option<usize> {
    let problem = lines.problem;
    let deadline = deadline(problem, class);
    let cost = |site: usize| {
        let end = lines.earliest(class, site, release).filter(|end| *end <= deadline)?;
        let time = lines.time(class, site)?;
        Some((time * i128::from(problem.sites[site].price), end, site))
    };
    (0..problem.sites.len()).filter_map(cost).min().map(|(.., site)| site)
}

/// The positions of the classes, by the number of classes in the longest chain before them.
fn levels(problem: &Problem<'_>) -> Vec<Vec<usize>> {
    let mut level = vec![0; problem.classes.len()];
    let mut levels: Vec<Vec<usize>> = Vec::new();
    for (position, class) in problem.classes.iter().enumerate() {
        let before = class.after.iter().map(|&before| level[before as usize] + 1);
        level[position] = before.max().unwrap_or(0);
        while levels.len() <= level[position] {
            levels.push(Vec::new());
        }
        levels[level[position]].push(position);
    }
    levels
}
