//! Lines of processors that are filled with whole tasks, as many at a time as a class has.
//!
//! Tasks of a class go one after the other to the processor that would end them earliest; ties go to the
//! site in front, then to the processor that is available earliest, then to the processor in front. A
//! search for the last end finds where all of them go, so the effort depends on the number of lines
//! only.

use super::{Free, Lane, Plan, Problem, Run};
use kernel::time::{Span, Time};

/// Processors of a site that do the same at the same times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Time at which they are free.
    pub from: Time,
    /// Number of processors.
    pub processors: u64,
    /// Number of the class for which they worked last.
    pub worked_for: Option<u32>,
    /// Position of the class that they are for, if they are for one only.
    pub owner: Option<usize>,
    /// Tick at which they have done everything.
    pub end: i128,
    runs: Vec<Run>,
}

impl Line {
    /// Takes away some processors.
    pub fn split(&mut self, processors: u64) -> Line {
        self.processors -= processors;
        Line { processors, ..self.clone() }
    }

    /// Puts tasks at the end.
    fn push(&mut self, class: u32, tasks: u64, end: i128) {
        match self.runs.last_mut() {
            Some(run) if run.class == class => run.tasks += tasks,
            _ => self.runs.push(Run { class, tasks }),
        }
        self.end = end;
    }
}

/// Classes to put on the lines, and how many tasks of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// Position of the class.
    pub class: usize,
    /// Number of tasks.
    pub tasks: u64,
    /// Tick before which none of them starts.
    pub release: i128,
}

/// All lines, by site.
#[derive(Clone, Debug)]
pub(super) struct Lines<'p> {
    pub problem: &'p Problem<'p>,
    pub sites: Vec<Vec<Line>>,
}

impl<'p> Lines<'p> {
    /// The processors of a problem, without tasks.
    pub fn new(problem: &'p Problem<'p>) -> Lines<'p> {
        let line = |free: &Free| Line {
            from: free.at,
            processors: free.processors,
            worked_for: free.class,
            owner: None,
            end: i128::from(free.at.max(problem.now).ticks()),
            runs: Vec::new(),
        };
        let is_some = |free: &&Free| free.processors > 0;
        let lines = |site: &super::Site| site.free.iter().filter(is_some).map(line).collect();
        Lines { problem, sites: problem.sites.iter().map(lines).collect() }
    }

    /// The time of a task of a class at a site, in ticks.
    pub fn time(&self, class: usize, site: usize) -> Option<i128> {
        let class = &self.problem.classes[class];
        let holds = class.needs.iter().zip(&self.problem.sites[site].limits);
        let fits = holds.clone().all(|(need, limit)| need <= limit);
        let time = class.time(site).filter(|time| fits && *time > Span::ZERO)?;
        Some(i128::from(time.ticks()))
    }

    /// Puts tasks where they end earliest, on the lines of the sites that are allowed; returns the tick
    /// at which the last one ends. Nothing happens if there are no such lines.
    pub fn fill(&mut self, load: Load, is_allowed: impl Fn(usize, &Line) -> bool) -> Option<i128> {
        if load.tasks == 0 {
            return None;
        }
        // Site, line, available from, time of a task, processors.
        let mut open = Vec::new();
        for site in 0..self.sites.len() {
            let Some(time) = self.time(load.class, site) else { continue };
            for (place, line) in self.sites[site].iter().enumerate() {
                if is_allowed(site, line) {
                    let from = line.end.max(load.release);
                    open.push((site, line.end, place, from, time, i128::from(line.processors)));
                }
            }
        }
        open.sort_unstable();
        let tasks = i128::from(load.tasks);
        let each = |from: i128, time: i128, by: i128| (by - from).max(0) / time;
        let done = |by: i128| -> i128 {
            let of = |&(.., from, time, count): &(_, _, _, i128, i128, i128)| {
                (each(from, time, by) * count).min(tasks)
            };
            open.iter().map(of).sum()
        };
        // The first tick by which all are done is behind `low` and not behind `high`.
        let mut low = open.iter().map(|&(.., from, _, _)| from).min()?;
        let alone =
            open.iter().map(|&(.., from, time, count)| from + time * ((tasks + count - 1) / count));
        let mut high = alone.min()?;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match done(middle) >= tasks {
                true => high = middle,
                false => low = middle,
            }
        }
        let mut last = load.tasks - done(high - 1) as u64;
        let number = self.problem.classes[load.class].number;
        let mut parts = Vec::new();
        for (site, _, place, from, time, _) in open {
            let line = &mut self.sites[site][place];
            let before = each(from, time, high - 1);
            let is_late = high > from && (high - from) % time == 0;
            let more = if is_late { last.min(line.processors) } else { 0 };
            last -= more;
            if more > 0 && more < line.processors {
                let mut first = line.split(more);
                first.push(number, before as u64 + 1, high);
                parts.push((site, place, first));
            } else if more > 0 {
                line.push(number, before as u64 + 1, high);
                continue;
            }
            if before > 0 {
                line.push(number, before as u64, from + before * time);
            }
        }
        parts.sort_unstable_by_key(|&(site, place, _)| std::cmp::Reverse((site, place)));
        for (site, place, first) in parts {
            self.sites[site].insert(place, first);
        }
        Some(high)
    }

    /// Number of tasks of a class that end at a site by a tick.
    pub fn room(&self, class: usize, site: usize, release: i128, by: i128) -> u64 {
        let Some(time) = self.time(class, site) else { return 0 };
        let each = |line: &Line| {
            let fit = (by.saturating_sub(line.end.max(release))).max(0) / time;
            fit.saturating_mul(i128::from(line.processors))
        };
        let all = self.sites[site].iter().map(each).fold(0, i128::saturating_add);
        u64::try_from(all).unwrap_or(u64::MAX)
    }

    /// The earliest end of a task of a class at a site, if it can run there.
    pub fn earliest(&self, class: usize, site: usize, release: i128) -> Option<i128> {
        let time = self.time(class, site)?;
        let from = self.sites[site].iter().map(|line| line.end).min()?;
        Some(from.max(release) + time)
    }

    /// Writes the lines that do something.
    pub fn write(self, out: &mut Plan) {
        for (site, lines) in (0..).zip(self.sites) {
            for Line { from, processors, runs, .. } in lines {
                if !runs.is_empty() {
                    out.lanes.push(Lane { site, from, processors, runs });
                }
            }
        }
    }
}

/// The ticks at which classes end, to know when those that wait for them may start.
#[derive(Clone, Debug)]
pub(super) struct Ends(Vec<i128>);

impl Ends {
    /// No class has started.
    pub fn new(problem: &Problem<'_>) -> Ends {
        Ends(vec![0; problem.classes.len()])
    }

    /// The tick before which no task of a class starts.
    pub fn release(&self, problem: &Problem<'_>, class: usize) -> i128 {
        let known = &problem.classes[class];
        let ready = i128::from(known.ready.max(problem.now).ticks());
        known.after.iter().map(|&before| self.0[before as usize]).fold(ready, i128::max)
    }

    /// Notes the end of some tasks of a class.
    pub fn note(&mut self, class: usize, end: Option<i128>) {
        self.0[class] = self.0[class].max(end.unwrap_or(0));
    }
}
