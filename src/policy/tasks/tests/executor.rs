//! Plays plans of lanes processor by processor and task by task, and checks that they are sound.

use super::super::{Free, HELD, Plan, Problem, Site, TaskPlanner};
use kernel::time::Time;

/// A task as it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    pub class: usize,
    pub site: usize,
    pub processor: usize,
    pub start: Time,
    pub end: Time,
}

/// A processor.
#[derive(Clone, Copy, Debug)]
struct Processor {
    at: Time,
    class: Option<u32>,
}

/// Plays all lanes of a plan of a problem to the end. Panics if the lanes use processors that are not
/// there, leave out a task that can run, or wait for each other.
pub fn play(problem: &Problem<'_>, plan: &Plan) -> Vec<Played> {
    let processors: Vec<Vec<Processor>> = problem.sites.iter().map(expand).collect();
    play_on(problem, plan, &processors)
}

fn expand(site: &Site) -> Vec<Processor> {
    let each = |free: &Free| {
        let Free { at, class, processors, .. } = *free;
        (0..processors).map(move |_| Processor { at, class })
    };
    site.free.iter().flat_map(each).collect()
}

fn play_on(problem: &Problem<'_>, plan: &Plan, processors: &[Vec<Processor>]) -> Vec<Played> {
    let mut taken: Vec<Vec<bool>> = processors.iter().map(|all| vec![false; all.len()]).collect();
    // Each processor with its runs.
    let mut queues = Vec::new();
    for keeps in [true, false] {
        for lane in &plan.lanes {
            let site = lane.site as usize;
            let starts = lane.runs.first().map(|run| run.class);
            let is_first = |one: &Processor| one.class == starts;
            let wanted = processors[site].iter().filter(|one| one.at == lane.from && is_first(one));
            let kept = (wanted.count() as u64).min(lane.processors);
            let count = if keeps { kept } else { lane.processors - kept };
            for _ in 0..count {
                let place = (0..processors[site].len()).find(|&place| {
                    let one = processors[site][place];
                    !taken[site][place] && one.at == lane.from && (!keeps || is_first(&one))
                });
                let place = place.or_else(|| {
                    (0..processors[site].len()).find(|&place| {
                        !taken[site][place] && processors[site][place].at == lane.from
                    })
                });
                let place = place.expect("the processors of a lane are there");
                taken[site][place] = true;
                queues.push((site, place, lane.from.max(problem.now), lane.runs.clone()));
            }
        }
    }
    let position =
        |number: u32| problem.classes.iter().position(|one| one.number == number).unwrap();
    let mut left: Vec<u64> = problem.classes.iter().map(|class| class.whole()).collect();
    let mut ends = vec![problem.now; left.len()];
    let mut played = Vec::new();
    loop {
        let mut is_still = true;
        for (site, processor, free, runs) in &mut queues {
            while let Some(run) = runs.first().copied() {
                let class = position(run.class);
                let known = &problem.classes[class];
                if known.after.iter().any(|&before| left[before as usize] > 0) {
                    break;
                }
                is_still = false;
                let befores = known.after.iter().map(|&before| ends[before as usize]);
                let mut start = befores.fold((*free).max(known.ready), Time::max);
                let time = known.time(*site).expect("it can run there");
                for _ in 0..run.tasks {
                    let end = start + time;
                    let (site, processor) = (*site, *processor);
                    played.push(Played { class, site, processor, start, end });
                    start = end;
                }
                left[class] = left[class].checked_sub(run.tasks).expect("not more than there are");
                ends[class] = ends[class].max(start);
                *free = start;
                runs.remove(0);
            }
        }
        if is_still {
            break;
        }
    }
    assert!(queues.iter().all(|(.., runs)| runs.is_empty()), "the lanes wait for each other");
    for (class, left) in problem.classes.iter().zip(left) {
        let can_run = (0..problem.sites.len()).any(|site| {
            let site_fits = class.needs.iter().zip(&problem.sites[site].limits);
            class.time(site).is_some() && site_fits.clone().all(|(need, limit)| need <= limit)
        });
        assert!(left == 0 || !can_run, "class {} is not planned", class.number);
    }
    played
}

/// Plays a problem with a new plan whenever a class is done; what runs goes on. Returns all tasks.
pub fn execute(problem: &Problem<'_>, planner: &impl TaskPlanner) -> Vec<Played> {
    let mut processors: Vec<Vec<Processor>> = problem.sites.iter().map(expand).collect();
    let mut left: Vec<f64> = problem.classes.iter().map(|class| class.tasks).collect();
    let mut ends = vec![problem.now; left.len()];
    let mut is_done = vec![false; left.len()];
    let mut now = problem.now;
    let mut all: Vec<Played> = Vec::new();
    loop {
        // Classes without tasks that still run are not in the problem; others wait until they end.
        let mut places = vec![None; left.len()];
        let mut positions = Vec::new();
        let mut classes = Vec::new();
        for (position, class) in problem.classes.iter().enumerate() {
            if left[position] <= 0.0 {
                continue;
            }
            let running = class.after.iter().filter(|&&before| left[before as usize] <= 0.0);
            let ready = running.map(|&before| ends[before as usize]).fold(class.ready, Time::max);
            places[position] = Some(classes.len() as u32);
            positions.push(position);
            let after = class.after.iter().filter_map(|&before| places[before as usize]).collect();
            let tasks = left[position];
            classes.push(super::super::Class { tasks, ready, after, ..class.clone() });
        }
        if classes.is_empty() {
            return all;
        }
        for site in &mut processors {
            site.iter_mut().for_each(|one| one.at = one.at.max(now));
            site.sort_by_key(|one| (one.at, one.class));
        }
        let site = |(site, processors): (&Site, &Vec<Processor>)| Site {
            free: {
                let mut free: Vec<Free> = Vec::new();
                for &Processor { at, class } in processors {
                    match free.last_mut() {
                        Some(last) if (last.at, last.class) == (at, class) => last.processors += 1,
                        _ => free.push(Free { at, processors: 1, class, holds: [0; HELD] }),
                    }
                }
                free
            },
            ..site.clone()
        };
        let sites = problem.sites.iter().zip(&processors).map(site).collect();
        let applications = problem.applications.clone();
        let rest = Problem { now, sites, classes, applications, seed: 1 };
        let mut plan = Plan::default();
        planner.plan(&rest, &mut plan);
        let played = play_on(&rest, &plan, &processors);
        let mut last = ends.clone();
        for task in &played {
            let class = positions[task.class];
            last[class] = last[class].max(task.end);
        }
        let open = (0..left.len()).filter(|&class| !is_done[class] && last[class] > now);
        let Some(next) = open.map(|class| last[class]).min() else { return all };
        for task in played.into_iter().filter(|task| task.start < next) {
            let class = positions[task.class];
            left[class] -= 1.0;
            ends[class] = ends[class].max(task.end);
            let one = &mut processors[task.site][task.processor];
            if task.end > one.at || one.class.is_none() {
                *one = Processor { at: task.end, class: Some(problem.classes[class].number) };
            }
            all.push(Played { class, ..task });
        }
        now = next;
        for class in 0..left.len() {
            is_done[class] |= left[class] <= 0.0 && ends[class] <= now;
        }
    }
}

/// The last end of tasks, in units.
pub fn makespan(played: &[Played]) -> f64 {
    played.iter().map(|task| task.end).max().unwrap_or(Time::ZERO).as_units()
}
