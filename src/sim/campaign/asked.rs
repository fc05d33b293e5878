//! Questions to the planner.

use super::Campaign;
use kernel::time::{Span, Time};
use model::campaign::HELD;
use policy::tasks::{Application, Class, Free, Problem, Site, TaskPlanner};

impl<P: TaskPlanner> Campaign<P> {
    /// The problem as it is now; runs have been recalled.
    pub(super) fn problem(&self, now: Time, seed: u64) -> Problem<'_> {
        let mut ends: Vec<(u32, Time)> = Vec::new();
        let sites = self.states.iter().zip(&*self.sites).enumerate();
        let sites = sites.map(|(at, (state, site))| {
            let mut free: Vec<Free> = Vec::with_capacity(state.lanes.len());
            for lane in &state.lanes {
                let class = lane.now.map(|run| run.class).or(lane.class);
                let from = self.free_from(at, lane, now);
                if let Some(run) = lane.now {
                    ends.push((run.class, from));
                }
                let holds =
                    lane.now.map_or([0; HELD], |run| self.work.classes[run.class as usize].needs);
                free.push(Free { at: from, processors: lane.processors, class, holds });
            }
            let kind = |free: &Free| (free.at, free.class, free.holds);
            free.sort_by_key(kind);
            free.dedup_by(|next, free| {
                let is_same = kind(free) == kind(next);
                free.processors += if is_same { next.processors } else { 0 };
                is_same
            });
            Site { price: site.price, limits: state.limits_beside_files(site), free }
        });
        let sites = sites.collect();
        ends.sort_unstable();
        let ends_of = |class: u32| {
            let behind = ends.partition_point(|&(of, _)| of <= class);
            ends[..behind].last().filter(|&&(of, _)| of == class).map(|&(_, end)| end)
        };
        let mut applications: Vec<(u32, Application)> = Vec::new();
        let mut classes: Vec<Class<'_>> = Vec::with_capacity(self.waiting.len());
        for &number in &self.waiting {
            let (of, progress) =
                (&self.work.classes[number as usize], &self.progress[number as usize]);
            if progress.finish.is_some() || (progress.started == of.tasks && of.tasks > 0) {
                continue;
            }
            let left = self.fluid.left(number, of.tasks - progress.started);
            if applications.last().is_none_or(|&(last, _)| last != of.application) {
                let deadline = self.work.applications[of.application as usize].deadline;
                applications.push((of.application, Application { deadline }));
            }
            let (mut ready, mut after) = (now, Vec::new());
            for &before in
                of.after.iter().filter(|&&class| self.progress[class as usize].finish.is_none())
            {
                match classes.binary_search_by_key(&before, |class| class.number) {
                    Ok(position) => after.push(position as u32),
                    Err(_) => ready = ready.max(ends_of(before).unwrap_or(now)),
                }
                // Tasks of a class that the planner may still place can also run already.
                ready = ready.max(ends_of(before).unwrap_or(now));
            }
            classes.push(Class {
                number,
                application: applications.len() as u32 - 1,
                tasks: left,
                ready,
                after,
                times: self.work.expected(number),
                weights: self.work.weights(number),
                needs: of.needs,
            });
        }
        let applications = applications.into_iter().map(|(_, application)| application).collect();
        Problem { now, sites, classes, applications, seed }
    }

    /// Time at which a lane is expected to be free: now, at the expected end of its current task, or in
    /// a tick if that is over.
    pub(super) fn free_from(&self, site: usize, lane: &super::lane::Lane, now: Time) -> Time {
        lane.now.map_or(now, |run| {
            // It was cut, so its last task runs now.
            let last = Span::from_ticks((run.tasks as i64 - 1).saturating_mul(run.time.ticks()));
            let expected = self.work.expected(run.class)[site];
            (run.start + last).saturating_add(expected).max(now + Span::TICK)
        })
    }
}
