//! Miniature 4: an imposed order on two dedicated processors (`Planner`, played by order).
//!
//! The equitable walk (EW) of Rzadca, Trystram, Wierzbicki, "Fair Game-Theoretic Resource
//! Management in Dedicated Grids": from the schedule that is shortest job first everywhere, the
//! organization that is worst off is helped, one exchange of neighbours at a time.

use gridpact::kernel::calendar::{Agent, Instant, Phase};
use gridpact::kernel::engine::{Engine, Moved, World};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::{ClusterId, JobId, OrganizationId};
use gridpact::model::job::Job;
use gridpact::model::view::{Expected, View};
use gridpact::state_of_fields;
use gridpact::workload::SourceError;
use std::collections::VecDeque;

use crate::shapes::support::{Ahead, FINISH, Listed, SCHEDULE, SUBMIT, at, job, submission};
use crate::shapes::traits::{Known, Planner, Plans, Problem, Site, Step, Trigger};

/// By processor, the jobs (by index into the problem) in their order.
type Order = Vec<Vec<usize>>;

/// The walk; its candidates are the schedules it passes, in order.
#[derive(Clone, Copy)]
struct EquitableWalk {
    trigger: Trigger,
}

state_of_fields!(EquitableWalk {});

impl Planner for EquitableWalk {
    type Sees = Expected;

    fn trigger(&self) -> Trigger {
        self.trigger
    }

    fn plan(&mut self, problem: &Problem<'_, Expected>, out: &mut Plans) {
        let length = |job: usize| problem.jobs[job].job.expected;
        let owner = |job: usize| problem.jobs[job].job.job.organization;
        // Shortest first; equal lengths by organization, then by arrival.
        let mut order: Order = vec![Vec::new(); problem.clusters.len()];
        for (index, known) in problem.jobs.iter().enumerate() {
            order[known.bound.expect("processors are dedicated").index()].push(index);
        }
        order.iter_mut().for_each(|jobs| jobs.sort_by_key(|&job| (length(job), owner(job), job)));
        let sums = |order: &Order| {
            let mut sums = vec![Span::ZERO; problem.organizations];
            for jobs in order {
                let mut end = Span::ZERO;
                for &job in jobs {
                    end += length(job);
                    sums[owner(job).index()] += end;
                }
            }
            sums
        };
        let owners = |order: &Order| -> Vec<Vec<OrganizationId>> {
            order.iter().map(|jobs| jobs.iter().map(|&job| owner(job)).collect()).collect()
        };
        let mut taboo = Vec::new();
        loop {
            taboo.push(owners(&order));
            write(&order, problem, out);
            let now = sums(&order);
            let worst = (0..now.len()).max_by_key(|&o| (now[o], std::cmp::Reverse(o)));
            let worst = OrganizationId(worst.expect("somebody takes part") as u32);
            // The smallest deterioration; then the equitably best; then the first.
            let mut best: Option<((Span, Vec<Span>), Order)> = None;
            for processor in 0..order.len() {
                for place in 1..order[processor].len() {
                    let [a, b] = [order[processor][place - 1], order[processor][place]];
                    if owner(a) == worst || owner(b) != worst {
                        continue;
                    }
                    let mut moved = order.clone();
                    moved[processor].swap(place - 1, place);
                    let mut after = sums(&moved);
                    after.sort_unstable_by(|x, y| y.cmp(x));
                    let key = (length(b) - length(a), after);
                    let better = best.as_ref().is_none_or(|(smallest, _)| key < *smallest);
                    if better && !taboo.contains(&owners(&moved)) {
                        best = Some((key, moved));
                    }
                }
            }
            match best {
                Some((_, moved)) => order = moved,
                None => return,
            }
        }
    }
}

fn write(order: &Order, problem: &Problem<'_, Expected>, out: &mut Plans) {
    for (cluster, jobs) in order.iter().enumerate() {
        let mut start = problem.now;
        for &index in jobs {
            let Expected { job, expected } = problem.jobs[index].job;
            out.push(Step { job: job.id, cluster: ClusterId(cluster as u32), start });
            start += expected;
        }
    }
    out.close();
}

/// Processors that play the chosen candidate by order: agent 0 submits, agent 1 + i is processor i.
struct Dedicated<P: Planner> {
    arrivals: Ahead<Listed<Job>>,
    jobs: Vec<Job>,
    planner: P,
    /// Which candidate is played; the last one if there are fewer.
    choice: usize,
    plans: Plans,
    sites: Vec<Site>,
    unplanned: Vec<Known<P::Sees>>,
    queues: Vec<VecDeque<JobId>>,
    runs: Vec<Option<(JobId, Time)>>,
    /// For the test: when each job ended.
    ends: Vec<Time>,
}

impl<P: Planner> World for Dedicated<P> {
    const SETTLE: Phase = SCHEDULE;
    type Error = SourceError;

    fn agents(&self) -> usize {
        1 + self.runs.len()
    }

    fn next(&self, agent: Agent) -> Option<Instant> {
        match agent.0 {
            0 => self.arrivals.at().map(|time| (time, SUBMIT)),
            processor => self.runs[processor as usize - 1].map(|(_, end)| (end, FINISH)),
        }
    }

    fn wake(&mut self, agent: Agent, (now, _): Instant, _: &mut Moved) -> Result<(), SourceError> {
        if agent.0 > 0 {
            if let Some((job, end)) = self.runs[agent.0 as usize - 1].take() {
                self.ends[job.index()] = end;
            }
            return Ok(());
        }
        while let Some(job) = self.arrivals.take(now)? {
            let id = JobId(self.jobs.len() as u32);
            // The miniature lets a job's user number name the processor that it is bound to.
            let bound = Some(ClusterId(job.user));
            self.unplanned.push(Known { job: View::cut(&submission(id, &job)), bound });
            self.jobs.push(job);
            self.ends.push(Time::NEVER);
        }
        Ok(())
    }

    fn settle(&mut self, now: Time, moved: &mut Moved) -> Result<(), SourceError> {
        let idle =
            self.runs.iter().all(Option::is_none) && self.queues.iter().all(VecDeque::is_empty);
        let asked = match self.planner.trigger() {
            Trigger::Batch => idle,
            Trigger::OnArrival => true,
            Trigger::Once | Trigger::Every(_) => unreachable!("not in this miniature"),
        };
        if asked && !self.unplanned.is_empty() {
            self.plans.clear();
            let problem =
                Problem { now, organizations: 2, clusters: &self.sites, jobs: &self.unplanned };
            self.planner.plan(&problem, &mut self.plans);
            for step in self.plans.get(self.choice.min(self.plans.len() - 1)) {
                self.queues[step.cluster.index()].push_back(step.job);
            }
            self.unplanned.clear();
        }
        for processor in 0..self.runs.len() {
            if self.runs[processor].is_none()
                && let Some(job) = self.queues[processor].pop_front()
            {
                self.runs[processor] = Some((job, now + self.jobs[job.index()].runtime));
                moved.push(Agent(processor as u32 + 1));
            }
        }
        Ok(())
    }
}

/// A job of an organization on a processor.
fn owned(submit: i64, owner: u32, processor: u32, length: i64) -> Job {
    Job {
        organization: OrganizationId(owner),
        user: processor,
        ..job(0, submit, 1, length, length)
    }
}

/// The jobs `[owner][processor]`, all at time 0.
fn all_at_once(jobs: [[&[i64]; 2]; 2]) -> Vec<Job> {
    let mut list = Vec::new();
    for (owner, processors) in (0..).zip(jobs) {
        for (processor, lengths) in (0..).zip(processors) {
            list.extend(lengths.iter().map(|&length| owned(0, owner, processor, length)));
        }
    }
    list
}

fn play(jobs: &[Job], choice: usize) -> Dedicated<EquitableWalk> {
    let site = |owner| Site { owner: OrganizationId(owner), processors: 1 };
    let mut engine = Engine::new(Dedicated {
        arrivals: Ahead::new(Listed::new(jobs.to_vec())).expect("a list does not fail"),
        jobs: Vec::new(),
        planner: EquitableWalk { trigger: Trigger::Batch },
        choice,
        plans: Plans::default(),
        sites: vec![site(0), site(1)],
        unplanned: Vec::new(),
        queues: vec![VecDeque::new(); 2],
        runs: vec![None; 2],
        ends: Vec::new(),
    });
    engine.run().unwrap();
    engine.into_world()
}

/// The sums of completion times of both organizations, for every candidate, as played.
fn check(jobs: [[&[i64]; 2]; 2], expected: &[[i64; 2]]) {
    let jobs = all_at_once(jobs);
    for (choice, expected) in expected.iter().enumerate() {
        let world = play(&jobs, choice);
        let mut sums = [Span::ZERO; 2];
        for (job, end) in world.jobs.iter().zip(&world.ends) {
            sums[job.organization.index()] += *end - Time::ZERO;
        }
        assert_eq!(sums, expected.map(Span::units), "candidate {choice}");
    }
    assert_eq!(play(&jobs, 0).plans.len(), expected.len());
}

/// Section 3.2: lengths 3 and 4, whose exchange costs one more than it brings.
#[test]
fn the_exchange_of_section_3_2() {
    check([[&[3], &[1]], [&[4], &[1]]], &[[4, 9], [5, 8], [9, 5], [8, 6]]);
}

/// Figure 2 with p = 100, eps = 1, n = 3: the walk ends where everyone puts its own jobs first.
#[test]
fn figure_2_from_shortest_first_to_own_first() {
    check(
        [[&[100], &[1, 1, 1]], [&[1, 1, 1], &[100]]],
        &[[109, 109], [108, 209], [208, 208], [207, 308], [307, 307], [306, 407], [406, 406]],
    );
}

#[test]
fn equal_lengths_are_exchanged_for_nothing() {
    check([[&[2, 2], &[2]], [&[2], &[2, 2]]], &[[8, 16], [10, 14], [12, 12]]);
    check([[&[1, 5], &[3, 4]], [&[5, 5], &[3]]], &[[20, 33], [25, 28], [28, 25], [23, 30]]);
}

/// Jobs that come at time 1 are planned at 4, when the first batch (3 and 1 on processor 0) has
/// ended.
#[test]
fn a_batch_is_planned_when_the_one_before_has_ended() {
    let jobs = [owned(0, 0, 0, 3), owned(0, 1, 0, 1), owned(1, 1, 1, 2), owned(1, 0, 0, 2)];
    assert_eq!(play(&jobs, 0).ends, [4, 1, 6, 6].map(at));
}
