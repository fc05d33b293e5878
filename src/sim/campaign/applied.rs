//! Plans that are asked for and put into effect.

use rand::Rng as _;

use super::Campaign;
use super::games::Game;
use super::lane::Lane;
use super::site::Here;
use super::told::Told;
use kernel::order::InOrder as _;
use kernel::time::Time;
use policy::tasks::{Class, Plan, TaskPlanner};

impl<P: TaskPlanner> Campaign<P> {
    /// Asks the planner, and puts its plan into effect.
    pub(super) fn plan(&mut self, now: Time) {
        for at in 0..self.states.len() {
            let work = std::sync::Arc::clone(&self.work);
            let recalled = self.states[at].recall(now, &work);
            for (class, tasks) in recalled.tasks {
                self.progress[class as usize].started -= tasks;
            }
            for (processors, run) in recalled.ended {
                self.ended(at as u32, processors, run, now);
            }
        }
        self.recall_fluid(now);
        let mut rng = self.settings.streams.in_round(self.plans).stream("task planner");
        let seed = rng.next_u64();
        let progress = &self.progress;
        self.waiting.retain(|&class| progress[class as usize].finish.is_none());
        let mut plan = Plan::default();
        let problem = self.problem(now, seed);
        if !problem.classes.is_empty() {
            self.planner.plan(&problem, &mut plan);
        }
        let is_new = |class: &Class<'_>| self.progress[class.number as usize].expected.is_none();
        let expected: Vec<(u32, Option<Time>)> =
            match plan.shares.is_empty() && problem.classes.iter().any(is_new) {
                true => {
                    let numbers = problem.classes.iter().map(|class| class.number);
                    numbers.zip(plan.ends(&problem)).collect()
                }
                false => Vec::new(),
            };
        // A problem without tasks has no plan.
        let is_plan = !problem.classes.is_empty();
        if !plan.stages.is_empty() {
            let game = Game::new(self.plans, now, std::mem::take(&mut plan.stages));
            self.games.add(&game);
            self.told.push(Told::Game(game));
        }
        self.plans += u64::from(is_plan);
        for (class, end) in expected {
            let expected = &mut self.progress[class as usize].expected;
            *expected = expected.or(end);
        }
        let frees: Vec<Vec<Time>> = (self.states.iter().enumerate())
            .map(|(at, state)| {
                state.lanes.iter().map(|lane| self.free_from(at, lane, now)).collect()
            })
            .collect();
        plan.lanes.order_by_key(|lane| (lane.site, lane.from));
        let mut planned = plan.lanes.iter().peekable();
        for (at, (state, frees)) in self.states.iter_mut().zip(frees).enumerate() {
            let mut lanes: Vec<(Time, Lane)> =
                frees.into_iter().zip(std::mem::take(&mut state.lanes)).collect();
            lanes.order_by_key(|&(from, ref lane)| {
                (from, lane.now.map(|run| (run.class, run.start, run.tasks)))
            });
            lanes.dedup_by(|(from, next), (first, lane)| {
                let is_same = from == first && next.now == lane.now;
                lane.processors += if is_same { next.processors } else { 0 };
                is_same
            });
            let mut set: Vec<Lane> = Vec::with_capacity(lanes.len());
            let mut lanes = lanes.into_iter().peekable();
            while let Some(of) = planned.next_if(|lane| lane.site as usize == at) {
                let mut wanted = of.processors;
                while wanted > 0 {
                    // Those that are free earlier than the plan asks for are not in it.
                    while let Some((_, lane)) = lanes.next_if(|&(from, _)| from < of.from.max(now))
                    {
                        set.push(lane);
                    }
                    let Some((_, lane)) = lanes.peek_mut() else { break };
                    let takes = wanted.min(lane.processors);
                    let mut taken = Lane { processors: takes, ..lane.clone() };
                    taken.set(&of.runs);
                    set.push(taken);
                    wanted -= takes;
                    lane.processors -= takes;
                    if lane.processors == 0 {
                        lanes.next();
                    }
                }
            }
            set.extend(lanes.map(|(_, lane)| lane));
            state.lanes = set;
            state.reopen();
            state.set_dirty();
        }
        self.set_shares(&plan.shares, now);
    }

    /// Starts what can start at a site.
    pub(super) fn start(&mut self, at: usize, now: Time) {
        let (progress, work) = (&mut self.progress, &*self.work);
        let mut begun: Vec<(u32, u64)> = Vec::new();
        let ready = |class: u32| progress[class as usize].ready;
        let started = |class, tasks| begun.push((class, tasks));
        let here = Here { site: &self.sites[at], at, work, now };
        self.states[at].start(here, ready, started);
        for (class, tasks) in begun {
            let progress = &mut progress[class as usize];
            progress.started = progress.started.wrapping_add(tasks);
            progress.start.get_or_insert(now);
        }
    }
}
