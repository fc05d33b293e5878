//! The campaign: applications of classes of identical tasks on the sites of several organizations.
//!
//! There is one agent a site, one for the arrivals and one for what is played as a fluid. Tasks are
//! counted, not listed: a *lane* is a number of processors of a site that do the same at the same times,
//! and a *run* is a number of tasks of one class, one after the other on each of them. So an event is
//! the end of a run, and memory follows lanes and classes.
//!
//! A task planner is asked when an application comes and, if the settings say so, whenever a class is
//! done, and once more if nothing runs while tasks wait. Every time it gets all tasks that have not
//! started; a task that runs is never stopped.

mod applied;
mod asked;
mod files;
mod fluid;
mod games;
mod lane;
mod site;
mod told;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::files::Stored;
use self::fluid::Fluid;
pub use self::games::{Game, Games};
use self::site::SiteState;
pub use self::told::{Ran, Told};
use crate::phase::{FINISH, SCHEDULE, SUBMIT};
use kernel::calendar::{Agent, Instant};
use kernel::engine::{Moved, World};
use kernel::rng::Streams;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{LIMIT_TICKS, Time};
use model::campaign::{Campaign as Work, Files, Pricing, Site};
use policy::tasks::{Replans, TaskPlanner};

/// An error that ends a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CampaignError {
    /// All that is left ends beyond the range of times.
    #[error(
        "the tasks that run now end later than times can be counted; give the classes fewer or shorter tasks"
    )]
    TooLong,
}

/// Rules of a campaign.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Events at which its planner is asked.
    pub replans: Replans,
    /// The streams of the replication, from which planners get a number for each plan.
    pub streams: Streams,
    /// Lifetime of the files that tasks leave.
    pub files: Files,
    /// Rule by which owners of applications pay.
    pub pricing: Pricing,
}

impl Settings {
    /// Settings with the default lifetime of files and the default prices.
    pub fn new(replans: Replans, streams: Streams) -> Settings {
        Settings { replans, streams, files: Files::default(), pricing: Pricing::default() }
    }
}

/// State of a class in the course of a campaign.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Progress {
    /// Tasks that have started.
    started: u64,
    /// Tasks that have ended.
    done: u64,
    /// Classes that must be done before and are not.
    unmet: u32,
    /// Time at which it was ready.
    ready: Option<Time>,
    /// Start of its first task.
    start: Option<Time>,
    /// End of its last task.
    finish: Option<Time>,
    /// The end that its first plan expected.
    expected: Option<Time>,
}

/// A campaign under a planner.
#[derive(Clone, Debug)]
pub struct Campaign<P> {
    work: Arc<Work>,
    sites: Arc<[Site]>,
    planner: P,
    settings: Settings,
    /// Numbers of the classes that wait for a class, by class.
    behind: Arc<[Vec<u32>]>,
    /// The number of the applications that have arrived.
    arrived: u32,
    progress: Vec<Progress>,
    /// Classes of each application that are not done.
    open: Vec<u32>,
    /// Classes that have arrived and have tasks that have not started, by number; some may have none
    /// left.
    waiting: Vec<u32>,
    states: Vec<SiteState>,
    fluid: Fluid,
    /// Cost of each application so far, in millionths of a price times ticks.
    costs: Vec<i128>,
    /// Payments to each site so far, likewise.
    income: Vec<i128>,
    /// Processor time of each site so far, in ticks.
    busy: Vec<i128>,
    stored: Stored,
    plans: u64,
    games: Games,
    must_plan: bool,
    /// True if a class became ready since lanes were last looked at.
    became_ready: bool,
    told: Vec<Told>,
}

impl<P> State for Campaign<P> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.arrived, out);
        put(&(&self.progress, &self.open, &self.waiting, &self.states, &self.fluid), out);
        put(&(&self.costs, &self.income, &self.busy, &self.stored), out);
        put(&(self.plans, &self.games, self.must_plan, self.became_ready), out);
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.arrived = take(from)?;
        (self.progress, self.open, self.waiting, self.states, self.fluid) = take(from)?;
        (self.costs, self.income, self.busy, self.stored) = take(from)?;
        (self.plans, self.games, self.must_plan, self.became_ready) = take(from)?;
        self.states.iter_mut().for_each(SiteState::reopen);
        Ok(())
    }
}

impl<P: TaskPlanner> Campaign<P> {
    /// A campaign at time 0.
    pub fn new(work: Arc<Work>, sites: Arc<[Site]>, planner: P, settings: Settings) -> Campaign<P> {
        let mut behind = vec![Vec::new(); work.classes.len()];
        for (number, class) in work.classes.iter().enumerate() {
            class.after.iter().for_each(|&before| behind[before as usize].push(number as u32));
        }
        let progress = work
            .classes
            .iter()
            .map(|class| Progress { unmet: class.after.len() as u32, ..Progress::default() });
        Campaign {
            behind: behind.into(),
            arrived: 0,
            progress: progress.collect(),
            open: work.applications.iter().map(|one| one.end - one.first).collect(),
            waiting: Vec::new(),
            states: sites.iter().map(|site| SiteState::new(site.processors)).collect(),
            fluid: Fluid::default(),
            costs: vec![0; work.applications.len()],
            income: vec![0; sites.len()],
            busy: vec![0; sites.len()],
            stored: Stored::new(&work),
            plans: 0,
            games: Games::default(),
            must_plan: false,
            became_ready: false,
            told: Vec::new(),
            work,
            sites,
            planner,
            settings,
        }
    }

    /// Takes what happened since it was last taken, in order.
    pub fn take_told(&mut self, out: &mut Vec<Told>) {
        match out.is_empty() {
            true => std::mem::swap(out, &mut self.told),
            false => out.append(&mut self.told),
        }
    }

    /// Applications that have arrived, and those that are done.
    pub fn applications(&self) -> (u64, u64) {
        let arrived = self.arrived as usize;
        let done = self.open[..arrived].iter().filter(|&&open| open == 0).count();
        (arrived as u64, done as u64)
    }

    /// Number of plans so far.
    pub fn plans(&self) -> u64 {
        self.plans
    }

    /// The games behind these plans.
    pub fn games(&self) -> &Games {
        &self.games
    }

    /// The applications.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// Processor time of a site so far, in ticks.
    pub fn busy(&self, site: usize) -> i128 {
        self.busy[site]
    }

    /// Cost of an application so far, in millionths of a price times ticks.
    pub fn cost(&self, application: usize) -> i128 {
        self.costs[application]
    }

    /// Payments to a site so far, in millionths of a price times ticks.
    pub fn income(&self, site: usize) -> i128 {
        self.income[site]
    }

    /// Changes of the processors of a site from the tasks of one class to those of another.
    pub fn switches(&self, site: usize) -> u64 {
        self.states[site].switches()
    }

    /// Times of a class: ready, start of the first task, end of the last task, and that end as its first
    /// plan expected it, if the plan is of whole tasks.
    pub fn class(&self, class: u32) -> [Option<Time>; 4] {
        let progress = &self.progress[class as usize];
        [progress.ready, progress.start, progress.finish, progress.expected]
    }

    /// True if an application has arrived.
    pub fn has_arrived(&self, application: usize) -> bool {
        application < self.arrived as usize
    }

    /// True if all classes of an application are done.
    pub fn is_done(&self, application: usize) -> bool {
        self.open[application] == 0
    }

    fn arrivals(&self) -> Agent {
        Agent(self.sites.len() as u32)
    }

    fn flow(&self) -> Agent {
        Agent(self.sites.len() as u32 + 1)
    }

    /// An application comes.
    fn arrive(&mut self, now: Time) {
        let application = &self.work.applications[self.arrived as usize];
        let (first, end) = (application.first, application.end);
        let is_empty = first == end;
        self.arrived += 1;
        self.must_plan = true;
        self.waiting.extend(first..end);
        if is_empty {
            self.told.push(Told::Application(self.arrived - 1, now));
        }
        for class in first..end {
            if self.work.classes[class as usize].after.is_empty() {
                self.make_ready(class, now);
            }
        }
    }

    fn make_ready(&mut self, class: u32, now: Time) {
        self.progress[class as usize].ready = Some(now);
        self.became_ready = true;
        if self.work.classes[class as usize].tasks == 0 {
            self.complete(class, now);
        }
    }

    /// The last task of a class has ended.
    fn complete(&mut self, class: u32, now: Time) {
        let of = self.work.classes[class as usize].application;
        self.progress[class as usize].finish = Some(now);
        self.told.push(Told::Class(class));
        self.open[of as usize] -= 1;
        self.release_files(class);
        if self.open[of as usize] == 0 {
            self.told.push(Told::Application(of, now));
        }
        if self.settings.replans == Replans::Classes {
            self.must_plan = true;
        }
        for at in 0..self.behind[class as usize].len() {
            let next = self.behind[class as usize][at];
            let progress = &mut self.progress[next as usize];
            progress.unmet -= 1;
            if progress.unmet == 0 {
                self.make_ready(next, now);
            }
        }
    }

    /// Tasks of a class ended on processors of a site, one after the other.
    fn ended(&mut self, site: u32, processors: u64, run: lane::Running, now: Time) {
        let tasks = processors * run.tasks;
        let ran = Ran {
            class: run.class,
            site,
            processors: processors as f64,
            tasks: tasks as f64,
            start: run.start,
            finish: now,
        };
        let time = i128::from(processors) * i128::from((now - run.start).ticks());
        self.account(ran, time);
        self.leave_files(site, run.class, tasks);
        let progress = &mut self.progress[run.class as usize];
        progress.done += tasks;
        if progress.done == self.work.classes[run.class as usize].tasks {
            self.complete(run.class, now);
        }
    }

    fn account(&mut self, ran: Ran, time: i128) {
        let of = self.work.classes[ran.class as usize].application as usize;
        let site = ran.site as usize;
        let each = self.work.surcharge(self.settings.pricing, &self.sites, ran.class, site);
        // Shares do parts of tasks.
        let surcharge = match ran.tasks.fract() == 0.0 {
            true => each * ran.tasks as i128,
            false => (each as f64 * ran.tasks).round() as i128,
        };
        let cost = time * i128::from(self.sites[site].price) + surcharge;
        self.costs[of] += cost;
        self.income[site] += cost;
        self.busy[site] += time;
        self.told.push(Told::Ran(ran));
    }
}

impl<P: TaskPlanner> World for Campaign<P> {
    const SETTLE: kernel::calendar::Phase = SCHEDULE;
    type Error = CampaignError;

    fn agents(&self) -> usize {
        self.sites.len() + 2
    }

    fn next(&self, agent: Agent) -> Option<Instant> {
        if agent == self.arrivals() {
            let next = self.work.applications.get(self.arrived as usize);
            return next.map(|application| (application.submit, SUBMIT));
        }
        let next = match self.states.get(agent.0 as usize) {
            Some(site) => site.next(),
            None => self.fluid.next(),
        };
        next.map(|end| (end, FINISH))
    }

    fn wake(&mut self, agent: Agent, (now, _): Instant, _: &mut Moved) -> Result<(), Self::Error> {
        if agent == self.arrivals() {
            self.arrive(now);
        } else if agent == self.flow() {
            self.flowed(now);
        } else {
            let at = agent.0 as usize;
            while let Some((processors, run)) = self.states[at].end(now, &self.work) {
                self.ended(agent.0, processors, run, now);
            }
        }
        Ok(())
    }

    fn settle(&mut self, now: Time, moved: &mut Moved) -> Result<(), Self::Error> {
        self.delete_files(now);
        let mut was_idle = false;
        loop {
            if std::mem::take(&mut self.must_plan) {
                self.plan(now);
                (0..self.agents()).for_each(|agent| moved.push(Agent(agent as u32)));
            }
            let became_ready = std::mem::take(&mut self.became_ready);
            for site in 0..self.states.len() {
                if became_ready {
                    self.states[site].became_ready();
                }
                if self.states[site].is_dirty() || became_ready {
                    self.start(site, now);
                    moved.push(Agent(site as u32));
                }
            }
            let ends = || self.states.iter().filter_map(SiteState::next).chain(self.fluid.next());
            let limit = Time::from_ticks(LIMIT_TICKS);
            if ends().any(|end| end <= limit) {
                return Ok(());
            }
            if ends().next().is_some() {
                return Err(CampaignError::TooLong);
            }
            // Where nothing is left to happen, tasks may find room at another site than planned.
            let is_idle = self.arrived as usize == self.open.len();
            if !is_idle || was_idle || self.open.iter().all(|&open| open == 0) {
                return Ok(());
            }
            (was_idle, self.must_plan) = (true, true);
        }
    }
}
