//! Times at which a plan ends its classes, if tasks take as long as expected.

use super::{Lane, Plan, Problem};
use kernel::time::{Span, Time};

/// A class in the course of a plan.
struct Course {
    /// Tasks that have not ended.
    left: u64,
    /// Classes that must be done before and are not.
    unmet: usize,
    /// End of what it waits for, as far as it is known.
    ready: Time,
    /// Latest end of its tasks.
    latest: Time,
    end: Option<Time>,
    /// Positions of the classes that wait for it.
    behind: Vec<u32>,
    /// Lanes that wait for it to be ready.
    lanes: Vec<u32>,
}

impl Plan {
    /// Time at which each class of the problem ends, by position; none for a class that the plan does
    /// not finish.
    ///
    /// Tasks take as long as expected and wait for their processor and for other classes, but not for
    /// storage or memory. O(runs + classes + what they wait for).
    pub fn ends(&self, problem: &Problem<'_>) -> Vec<Option<Time>> {
        let mut courses: Vec<Course> = (problem.classes.iter())
            .map(|class| Course {
                left: class.whole(),
                unmet: class.after.len(),
                ready: class.ready.max(problem.now),
                latest: problem.now,
                end: None,
                behind: Vec::new(),
                lanes: Vec::new(),
            })
            .collect();
        let mut done: Vec<u32> = Vec::new();
        for (at, class) in problem.classes.iter().enumerate() {
            class.after.iter().for_each(|&of| courses[of as usize].behind.push(at as u32));
            if class.after.is_empty() && class.whole() == 0 {
                done.push(at as u32);
            }
        }
        let mut next: Vec<(usize, Time)> =
            self.lanes.iter().map(|lane| (0, lane.from.max(problem.now))).collect();
        let mut moving: Vec<u32> = (0..self.lanes.len() as u32).collect();
        loop {
            while let Some(at) = moving.pop() {
                let (lane, next) = (&self.lanes[at as usize], &mut next[at as usize]);
                advance(problem, at, lane, next, &mut courses, &mut done);
            }
            let Some(class) = done.pop() else { break };
            let course = &mut courses[class as usize];
            let end = course.latest.max(course.ready);
            course.end = Some(end);
            for behind in std::mem::take(&mut course.behind) {
                let course = &mut courses[behind as usize];
                course.ready = course.ready.max(end);
                course.unmet -= 1;
                if course.unmet == 0 {
                    moving.append(&mut course.lanes);
                    if course.left == 0 {
                        done.push(behind);
                    }
                }
            }
        }
        courses.into_iter().map(|course| course.end).collect()
    }
}

/// Plays the next runs of a lane, up to one whose class is not ready.
fn advance(
    problem: &Problem<'_>,
    at: u32,
    lane: &Lane,
    (next, free): &mut (usize, Time),
    courses: &mut [Course],
    done: &mut Vec<u32>,
) {
    while let Some(run) = lane.runs.get(*next) {
        let found = problem.classes.binary_search_by_key(&run.class, |class| class.number);
        let Ok(class) = found else { return };
        let course = &mut courses[class];
        if course.unmet > 0 {
            course.lanes.push(at);
            return;
        }
        let Some(time) = problem.classes[class].time(lane.site as usize) else { return };
        let tasks = i64::try_from(run.tasks).unwrap_or(i64::MAX);
        let length = Span::from_ticks(time.ticks().saturating_mul(tasks));
        *free = (*free).max(course.ready).saturating_add(length);
        *next += 1;
        course.latest = course.latest.max(*free);
        course.left = course.left.saturating_sub(run.tasks.saturating_mul(lane.processors));
        if course.left == 0 {
            done.push(class as u32);
        }
    }
}
