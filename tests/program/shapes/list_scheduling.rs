//! Miniature 2: grid-wide list scheduling (`GridScheduler` that sees `Blind`).
//!
//! Garey-Graham list scheduling in the order of submission: each waiting job goes to the smallest
//! machine with enough idle processors, one that fits nowhere is passed over. The instances
//! are from and for Schwiegelshohn, Tchernykh, Yahyapour, "Online Scheduling in Grids".

use gridpact::kernel::calendar::{Agent, Instant, Phase};
use gridpact::kernel::engine::{Engine, Moved, World};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::{ClusterId, JobId};
use gridpact::model::job::Job;
use gridpact::model::view::{Blind, View};
use gridpact::state_of_fields;
use gridpact::workload::SourceError;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::shapes::support::{Ahead, FINISH, Listed, SCHEDULE, SUBMIT, at, job, submission};
use crate::shapes::traits::{GridScheduler, Placement};

/// List scheduling, smallest machine first.
#[derive(Default)]
struct List {
    waiting: Vec<Blind>,
    /// Idle processors by cluster; clusters come in ascending sizes.
    idle: Vec<u32>,
}

state_of_fields!(List { waiting, idle });

impl GridScheduler for List {
    type Sees = Blind;

    fn submit(&mut self, job: Blind, _: Time) {
        self.waiting.push(job);
    }

    fn freed(&mut self, cluster: ClusterId, idle: u32, _: Time) {
        if self.idle.len() <= cluster.index() {
            self.idle.resize(cluster.index() + 1, 0);
        }
        self.idle[cluster.index()] = idle;
    }

    fn decide(&mut self, _: Time, out: &mut Vec<Placement>) {
        let idle = &mut self.idle;
        self.waiting.retain(|job| {
            let Some(cluster) = idle.iter().position(|&idle| idle >= job.processors) else {
                return true;
            };
            idle[cluster] -= job.processors;
            out.push(Placement::Start { job: job.id, cluster: ClusterId(cluster as u32) });
            false
        });
    }
}

/// A space-shared machine without a scheduler of its own.
struct Machine {
    idle: u32,
    /// (end, order of start, job).
    ends: BinaryHeap<Reverse<(Time, usize, JobId)>>,
}

/// Machines under one grid scheduler: agent 0 submits, agent 1 + i ends the jobs of machine i.
struct Grid<G> {
    arrivals: Ahead<Listed<Job>>,
    /// Jobs by id, for ever: a miniature does not reuse slots.
    jobs: Vec<Job>,
    scheduler: G,
    machines: Vec<Machine>,
    placements: Vec<Placement>,
    /// For the test: (job, start, machine).
    log: Vec<(JobId, Time, ClusterId)>,
}

impl<G: GridScheduler> Grid<G> {
    fn new(machines: &[u32], jobs: Vec<Job>, mut scheduler: G) -> Grid<G> {
        for (cluster, &idle) in machines.iter().enumerate() {
            scheduler.freed(ClusterId(cluster as u32), idle, Time::ZERO);
        }
        let machine = |&idle: &u32| Machine { idle, ends: BinaryHeap::new() };
        Grid {
            arrivals: Ahead::new(Listed::new(jobs)).expect("a list does not fail"),
            jobs: Vec::new(),
            scheduler,
            machines: machines.iter().map(machine).collect(),
            placements: Vec::new(),
            log: Vec::new(),
        }
    }
}

impl<G: GridScheduler> World for Grid<G> {
    const SETTLE: Phase = SCHEDULE;
    type Error = SourceError;

    fn agents(&self) -> usize {
        1 + self.machines.len()
    }

    fn next(&self, agent: Agent) -> Option<Instant> {
        match agent.0 {
            0 => self.arrivals.at().map(|time| (time, SUBMIT)),
            machine => {
                let ends = &self.machines[machine as usize - 1].ends;
                ends.peek().map(|Reverse((end, ..))| (*end, FINISH))
            }
        }
    }

    fn wake(&mut self, agent: Agent, (now, _): Instant, _: &mut Moved) -> Result<(), SourceError> {
        if agent.0 == 0 {
            while let Some(job) = self.arrivals.take(now)? {
                let id = JobId(self.jobs.len() as u32);
                self.scheduler.submit(G::Sees::cut(&submission(id, &job)), now);
                self.jobs.push(job);
            }
            return Ok(());
        }
        // All that ends now at once: `freed` is called once an instant for each machine.
        let machine = &mut self.machines[agent.0 as usize - 1];
        while machine.ends.peek().is_some_and(|Reverse((end, ..))| *end == now) {
            let Some(Reverse((.., id))) = machine.ends.pop() else { break };
            machine.idle += self.jobs[id.index()].processors;
        }
        self.scheduler.freed(ClusterId(agent.0 - 1), machine.idle, now);
        Ok(())
    }

    fn settle(&mut self, now: Time, moved: &mut Moved) -> Result<(), SourceError> {
        self.scheduler.decide(now, &mut self.placements);
        for placement in self.placements.drain(..) {
            let Placement::Start { job: id, cluster } = placement else {
                unreachable!("list scheduling sends nothing");
            };
            let (job, machine) = (&self.jobs[id.index()], &mut self.machines[cluster.index()]);
            machine.idle = machine.idle.checked_sub(job.processors).expect("what starts fits");
            machine.ends.push(Reverse((now + job.runtime, self.log.len(), id)));
            self.log.push((id, now, cluster));
            moved.push(Agent(cluster.0 + 1));
        }
        Ok(())
    }
}

/// Jobs are (size, runtime, submit), results (start, machine).
fn check<const N: usize>(
    machines: &[u32],
    jobs: [(u32, i64, i64); N],
    start: [i64; N],
    machine: [u32; N],
    makespan: i64,
) {
    let list = jobs.iter().enumerate();
    let list = list.map(|(n, &(size, length, submit))| job(n as u64, submit, size, length, length));
    let mut engine = Engine::new(Grid::new(machines, list.collect(), List::default()));
    engine.run().unwrap();
    assert_eq!(engine.now(), at(makespan));
    let mut log = engine.into_world().log;
    log.sort_unstable();
    assert_eq!(
        log.iter().map(|entry| entry.1 - Time::ZERO).collect::<Vec<_>>(),
        start.map(Span::units)
    );
    assert_eq!(log.iter().map(|entry| entry.2.0).collect::<Vec<_>>(), machine);
}

/// Example 4.2 with mu = 2: a large machine is left with short parallel and long sequential jobs.
#[test]
fn example_4_2_of_the_paper() {
    let mut jobs = [(0, 1, 0); 12];
    for (job, entry) in jobs.iter_mut().enumerate() {
        *entry = if job < 5 { (7 - job as u32, 1, 0) } else { (1, 990 + 2 * job as i64, 0) };
    }
    check(
        &[2, 8],
        jobs,
        [0, 1, 2, 3, 4, 0, 0, 0, 1, 2, 3, 4],
        [1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1],
        1016,
    );
}

#[test]
fn jobs_released_over_time_on_two_kinds_of_machines() {
    check(
        &[6, 6, 6, 12, 12],
        [
            (4, 3, 0),
            (6, 1, 0),
            (3, 2, 0),
            (12, 2, 0),
            (7, 2, 1),
            (2, 6, 1),
            (5, 2, 2),
            (1, 4, 2),
            (9, 3, 3),
            (3, 3, 3),
        ],
        [0, 0, 0, 0, 1, 1, 2, 2, 3, 3],
        [0, 1, 2, 3, 4, 0, 1, 1, 3, 0],
        7,
    );
}

#[test]
fn a_wide_job_is_passed_over_by_narrow_ones() {
    check(
        &[10],
        [(6, 3, 0), (5, 2, 0), (5, 2, 0), (4, 5, 0), (10, 1, 1), (1, 9, 1), (3, 2, 4)],
        [0, 3, 5, 0, 12, 3, 5],
        [0; 7],
        13,
    );
}
