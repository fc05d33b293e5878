//! Miniature 5: a game of activity classes that is played again when a class completes
//! (`TaskPlanner` with shares), and min-min in runs of identical tasks (`TaskPlanner` with runs).
//!
//! Duan, Prodan, Li, "A Sequential Cooperative Game Theoretic Approach to Scheduling Multiple
//! Large-scale Applications in Grids". Game-quick's fractions are played as a fluid, min-min's runs
//! task by task; one world plays both.

use gridpact::kernel::calendar::{Agent, Instant, Phase};
use gridpact::kernel::engine::{Engine, Moved, World};
use gridpact::kernel::time::{Span, Time};
use gridpact::state_of_fields;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::convert::Infallible;

use crate::shapes::support::{FINISH, SCHEDULE, SUBMIT, at};
use crate::shapes::traits::{Ready, Replan, Share, TaskPlan, TaskPlanner, TaskProblem, TaskRun};

/// Algorithm 1 without rounding: a fixed number of stages of equations 2 and 5.
struct GameQuick {
    stages: usize,
}

state_of_fields!(GameQuick {});

impl TaskPlanner for GameQuick {
    fn plan(&mut self, problem: &TaskProblem<'_>, out: &mut TaskPlan) -> Replan {
        let sites = problem.processors.len();
        let speed = |class: usize, site: usize| 1.0 / problem.etc[class][site].as_units();
        // Equation 7: tasks go to sites in proportion to the sites' throughput.
        let spread = |ready: &Ready, theta: &[f64]| -> Vec<f64> {
            let part = |site: usize| theta[site] * speed(ready.class, site);
            let sum: f64 = (0..sites).map(part).sum();
            (0..sites).map(|site| ready.remaining * part(site) / sum).collect()
        };
        let all: Vec<f64> = problem.processors.iter().map(|&m| f64::from(m)).collect();
        let mut delta: Vec<Vec<f64>> = problem.ready.iter().map(|r| spread(r, &all)).collect();
        let mut theta = vec![vec![0.0; sites]; delta.len()];
        for _ in 0..self.stages {
            // Equation 2 with the weights of equation 3, in which the site's own time cancels.
            for site in 0..sites {
                let claim = |index: usize| {
                    let class = problem.ready[index].class;
                    let speeds: f64 = (0..sites).map(|site| speed(class, site)).sum();
                    delta[index][site] / speeds
                };
                let sum: f64 = (0..delta.len()).map(claim).sum();
                for (index, row) in theta.iter_mut().enumerate() {
                    row[site] = if sum > 0.0 { all[site] * claim(index) / sum } else { 0.0 };
                }
            }
            // Equation 5.
            delta = problem.ready.iter().zip(&theta).map(|(r, row)| spread(r, row)).collect();
        }
        for (ready, row) in problem.ready.iter().zip(&theta) {
            let shares = row.iter().enumerate();
            out.shares.extend(shares.map(|(site, &processors)| Share {
                class: ready.class,
                site,
                processors,
            }));
        }
        Replan::ClassCompletes
    }
}

/// Min-min: again and again the task that would complete first; ties by class, then site.
struct MinMin;

state_of_fields!(MinMin {});

impl TaskPlanner for MinMin {
    fn plan(&mut self, problem: &TaskProblem<'_>, out: &mut TaskPlan) -> Replan {
        let mut left: Vec<u64> = problem.ready.iter().map(|ready| ready.remaining as u64).collect();
        let mut free: Vec<Vec<Time>> =
            problem.processors.iter().map(|&m| vec![problem.now; m as usize]).collect();
        while left.iter().any(|&left| left > 0) {
            let pairs = (0..left.len()).filter(|&index| left[index] > 0);
            let pairs = pairs.flat_map(|index| (0..free.len()).map(move |site| (index, site)));
            let end = |&(index, site): &(usize, usize)| {
                let first = *free[site].iter().min().expect("a site has processors");
                (first + problem.etc[problem.ready[index].class][site], index, site)
            };
            let (end, index, site) = pairs.map(|pair| end(&pair)).min().expect("tasks are left");
            *free[site].iter_mut().min().expect("a site has processors") = end;
            left[index] -= 1;
            let class = problem.ready[index].class;
            match out.runs.iter_mut().rev().find(|run| run.site == site) {
                Some(run) if run.class == class => run.count += 1,
                _ => out.runs.push(TaskRun { class, site, count: 1 }),
            }
        }
        Replan::ClassReady
    }
}

/// One application, submitted at time 0. Agent 0 submits it and completes classes that share, agent
/// 1 + i ends the tasks of site i.
struct Campaign<P> {
    planner: P,
    processors: Vec<u32>,
    etc: Vec<Vec<Span>>,
    before: Vec<Vec<usize>>,
    /// Tasks not yet done by class, as of `since`; the classes covered by the plan.
    remaining: Vec<f64>,
    planned: Vec<bool>,
    since: Time,
    completed: Vec<Option<Time>>,
    plan: TaskPlan,
    replan: Option<Replan>,
    plans: usize,
    idle: Vec<u32>,
    queues: Vec<VecDeque<TaskRun>>,
    ends: Vec<BinaryHeap<Reverse<(Time, usize)>>>,
}

impl<P: TaskPlanner> Campaign<P> {
    /// Time that a class still takes with its shares, rounded to ticks.
    fn still(&self, class: usize) -> Option<f64> {
        let shares = self.plan.shares.iter().filter(|share| share.class == class);
        let rate: f64 = shares.map(|s| s.processors / self.etc[class][s.site].as_units()).sum();
        (rate > 0.0 && self.completed[class].is_none()).then(|| self.remaining[class] / rate)
    }

    fn first_completion(&self) -> Option<Time> {
        let spans = (0..self.etc.len()).filter_map(|class| self.still(class));
        let first = spans.min_by(f64::total_cmp)?;
        Some(self.since + Span::from_units(first).expect("a campaign ends"))
    }

    fn advance_shares(&mut self, now: Time) {
        let passed = now - self.since;
        let stills: Vec<_> = (0..self.etc.len()).map(|class| self.still(class)).collect();
        for (class, still) in stills.into_iter().enumerate() {
            let Some(still) = still else { continue };
            if Span::from_units(still).expect("a campaign ends") <= passed {
                self.remaining[class] = 0.0;
                self.completed[class] = Some(now);
            } else {
                self.remaining[class] *= 1.0 - passed.as_units() / still;
            }
        }
        self.since = now;
    }
}

impl<P: TaskPlanner> World for Campaign<P> {
    const SETTLE: Phase = SCHEDULE;
    type Error = Infallible;

    fn agents(&self) -> usize {
        1 + self.processors.len()
    }

    fn next(&self, agent: Agent) -> Option<Instant> {
        match agent.0 {
            0 if self.replan.is_none() => Some((Time::ZERO, SUBMIT)),
            0 => self.first_completion().map(|time| (time, FINISH)),
            site => {
                let ends = &self.ends[site as usize - 1];
                ends.peek().map(|Reverse((end, _))| (*end, FINISH))
            }
        }
    }

    fn wake(&mut self, agent: Agent, (now, _): Instant, _: &mut Moved) -> Result<(), Infallible> {
        if agent.0 == 0 {
            self.advance_shares(now);
            self.replan.get_or_insert(Replan::ClassReady);
            return Ok(());
        }
        let site = agent.0 as usize - 1;
        while self.ends[site].peek().is_some_and(|Reverse((end, _))| *end == now) {
            let Some(Reverse((_, class))) = self.ends[site].pop() else { break };
            self.idle[site] += 1;
            self.remaining[class] -= 1.0;
            if self.remaining[class] == 0.0 {
                self.completed[class] = Some(now);
            }
        }
        Ok(())
    }

    fn settle(&mut self, now: Time, moved: &mut Moved) -> Result<(), Infallible> {
        let open = (0..self.etc.len()).filter(|&class| self.completed[class].is_none());
        let ready = open.filter(|&class| {
            self.before[class].iter().all(|&before| self.completed[before].is_some())
        });
        let again = self.replan == Some(Replan::ClassCompletes);
        let ready = ready.filter(|&class| again || !self.planned[class]);
        let ready: Vec<Ready> =
            ready.map(|class| Ready { class, remaining: self.remaining[class] }).collect();
        if !ready.is_empty() {
            ready.iter().for_each(|ready| self.planned[ready.class] = true);
            let (processors, etc) = (&self.processors, &self.etc);
            let problem = TaskProblem { now, processors, etc, ready: &ready };
            self.plan.shares.clear();
            self.plan.runs.clear();
            self.replan = Some(self.planner.plan(&problem, &mut self.plan));
            self.plans += 1;
            self.plan.runs.drain(..).for_each(|run| self.queues[run.site].push_back(run));
            moved.push(Agent(0));
        }
        for (site, queue) in self.queues.iter_mut().enumerate() {
            while let Some(run) = queue.front_mut().filter(|_| self.idle[site] > 0) {
                run.count -= 1;
                self.idle[site] -= 1;
                self.ends[site].push(Reverse((now + self.etc[run.class][site], run.class)));
                moved.push(Agent(site as u32 + 1));
                if run.count == 0 {
                    queue.pop_front();
                }
            }
        }
        Ok(())
    }
}

/// A class is (times by site, tasks, predecessors).
fn play<P: TaskPlanner, const M: usize>(
    planner: P,
    processors: [u32; M],
    classes: &[([i64; M], u32, &[usize])],
) -> Campaign<P> {
    let mut engine = Engine::new(Campaign {
        planner,
        processors: processors.to_vec(),
        etc: classes.iter().map(|class| class.0.map(Span::units).to_vec()).collect(),
        before: classes.iter().map(|class| class.2.to_vec()).collect(),
        remaining: classes.iter().map(|class| f64::from(class.1)).collect(),
        planned: vec![false; classes.len()],
        since: Time::ZERO,
        completed: vec![None; classes.len()],
        plan: TaskPlan::default(),
        replan: None,
        plans: 0,
        idle: processors.to_vec(),
        queues: vec![VecDeque::new(); M],
        ends: vec![BinaryHeap::new(); M],
    });
    engine.run().unwrap();
    engine.into_world()
}

/// Completions of the fluid in ticks, each within a tick for every game played before it.
fn check_game<const M: usize>(
    processors: [u32; M],
    classes: &[([i64; M], u32, &[usize])],
    ticks: &[i64],
    games: usize,
) {
    let world = play(GameQuick { stages: 1000 }, processors, classes);
    assert_eq!(world.plans, games);
    for (completed, &expected) in world.completed.iter().zip(ticks) {
        let found = completed.expect("all classes complete").ticks();
        assert!((found - expected).abs() < games as i64, "{found} is not {expected}");
    }
}

/// Table 2, inconsistent: two classes on sites of three and two processors.
const TABLE_2: [([i64; 2], u32, &[usize]); 2] = [([15, 10], 5, &[]), ([8, 9], 5, &[])];

#[test]
fn the_game_is_played_again_when_a_class_completes() {
    // The first game ends the second class at 145 / 9; what is left then has every processor.
    check_game([3, 2], &TABLE_2, &[19_166_667, 16_111_111], 2);
    // 65 / 9, then 9 processors for what is left.
    check_game([4, 5], &[([5, 45], 3, &[]), ([10, 10], 9, &[])], &[7_222_222, 11_666_667], 2);
}

#[test]
fn a_class_joins_when_its_predecessor_completes() {
    let classes: [([i64; 2], u32, &[usize]); 3] =
        [([224, 280], 18, &[]), ([108, 135], 11, &[]), ([236, 295], 10, &[1])];
    check_game([4, 5], &classes, &[652_500_000, 652_500_000, 947_500_000], 2);
}

#[test]
fn min_min_hands_out_runs_of_identical_tasks() {
    let world = play(MinMin, [3, 2], &TABLE_2);
    assert_eq!(world.completed, [Some(at(23)), Some(at(9))]);
    assert_eq!(world.plans, 1);
}
