//! Miniature 1: EASY on one cluster (`World`, `Source`, `LocalScheduler` that sees `Expected`).
//!
//! EASY as Lifka (1995) gives it: the head of the queue has a reservation, and a later job may
//! start now if it does not delay that. A job that outruns its estimate is expected to end in one
//! tick.

use gridpact::kernel::calendar::{Agent, Instant, Phase};
use gridpact::kernel::engine::{Engine, Moved, World};
use gridpact::kernel::rng::Streams;
use gridpact::kernel::state::{Corrupt, State, put, take};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::{ClusterId, JobId};
use gridpact::model::job::Job;
use gridpact::model::jobs::{Jobs, Running, RunningList};
use gridpact::model::view::{Expected, View};
use gridpact::policy::local::{LocalScheduler, Setup, easy};
use gridpact::state_of_fields;
use gridpact::workload::SourceError;
use rand::RngExt;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::shapes::support::{Ahead, FINISH, Listed, SCHEDULE, SUBMIT, at, job, load, saved};

/// The queue, in the order of submission.
#[derive(Clone, Default)]
struct Easy {
    waiting: Vec<Expected>,
}

state_of_fields!(Easy { waiting });

impl LocalScheduler for Easy {
    type Sees = Expected;

    fn submit(&mut self, job: Expected, _: Time) {
        self.waiting.push(job);
    }
    fn finish(&mut self, _: Expected, _: Time, _: Time) {}
    fn withdraw(&mut self, job: JobId) {
        self.waiting.retain(|waiting| waiting.job.id != job);
    }

    fn decide(
        &mut self,
        now: Time,
        mut free: u32,
        running: Running<'_, Expected>,
        start: &mut Vec<JobId>,
    ) {
        let mut ends: Vec<(Time, u32)> = running
            .iter()
            .map(|(job, started)| {
                ((started + job.expected).max(now + Span::TICK), job.job.processors)
            })
            .collect();
        // The reservation of the head, once there is one: its start and what is left over then.
        let mut shadow: Option<(Time, u32)> = None;
        self.waiting.retain(|&Expected { job, expected }| {
            let starts = match &mut shadow {
                None => job.processors <= free,
                Some((shadow, extra)) => {
                    let in_time = now + expected <= *shadow;
                    let starts = job.processors <= free && (in_time || job.processors <= *extra);
                    if starts && !in_time {
                        *extra -= job.processors;
                    }
                    starts
                }
            };
            if starts {
                free -= job.processors;
                ends.push((now + expected, job.processors));
                start.push(job.id);
            } else if shadow.is_none() {
                ends.sort_unstable();
                shadow = Some(reservation(&ends, free, job.processors));
            }
            !starts
        });
    }
}

/// When `needed` processors are free and how many are left over then, with all that ends by then.
fn reservation(ends: &[(Time, u32)], mut free: u32, needed: u32) -> (Time, u32) {
    let mut found = None;
    for &(end, processors) in ends {
        if found.is_some_and(|shadow| end > shadow) {
            break;
        }
        free += processors;
        if free >= needed {
            found = Some(end);
        }
    }
    (found.expect("a job fits its cluster"), free - needed)
}

/// One cluster: agent 0 submits, agent 1 ends jobs.
#[derive(Clone)]
struct OneCluster<S> {
    arrivals: Ahead<Listed<Job>>,
    scheduler: S,
    free: u32,
    jobs: Jobs,
    running: RunningList,
    /// Ends of running jobs; equal ends in the order of start.
    ends: BinaryHeap<Reverse<(Time, usize, JobId)>>,
    start: Vec<JobId>,
    /// For the test: (number, start) of every job.
    log: Vec<(u64, Time)>,
}

const ARRIVALS: Agent = Agent(0);
const CLUSTER: Agent = Agent(1);

impl<S: LocalScheduler> World for OneCluster<S> {
    const SETTLE: Phase = SCHEDULE;
    type Error = SourceError;

    fn agents(&self) -> usize {
        2
    }

    fn next(&self, agent: Agent) -> Option<Instant> {
        if agent == ARRIVALS {
            return self.arrivals.at().map(|time| (time, SUBMIT));
        }
        self.ends.peek().map(|Reverse((end, ..))| (*end, FINISH))
    }

    fn wake(&mut self, agent: Agent, (now, _): Instant, _: &mut Moved) -> Result<(), SourceError> {
        if agent == CLUSTER {
            let Some(Reverse((_, _, id))) = self.ends.pop() else { return Ok(()) };
            self.running.end(&mut self.jobs, id);
            let alive = self.jobs.get(id);
            self.scheduler.finish(View::cut(&alive.submission(id)), alive.started, now);
            self.free += alive.job.processors;
            self.jobs.remove(id);
            return Ok(());
        }
        while let Some(job) = self.arrivals.take(now)? {
            let id = self.jobs.insert(&job, Some(job.estimate), ClusterId(0));
            self.scheduler.submit(View::cut(&self.jobs.get(id).submission(id)), now);
        }
        Ok(())
    }

    fn settle(&mut self, now: Time, moved: &mut Moved) -> Result<(), SourceError> {
        let running = self.running.view(&self.jobs);
        self.scheduler.decide(now, self.free, running, &mut self.start);
        for id in self.start.drain(..) {
            self.running.start(&mut self.jobs, id, now);
            let job = self.jobs.get(id).job;
            self.free = self.free.checked_sub(job.processors).expect("what starts fits");
            self.ends.push(Reverse((now + job.runtime, self.log.len(), id)));
            self.log.push((job.number, now));
            moved.push(CLUSTER);
        }
        Ok(())
    }
}

/// A heap is saved sorted: its inner order depends on its history.
impl<S: LocalScheduler> State for OneCluster<S> {
    fn save(&self, out: &mut Vec<u8>) {
        self.arrivals.save(out);
        self.scheduler.save(out);
        self.jobs.save(out);
        put(&self.ends.clone().into_sorted_vec(), out);
        put(&(self.free, self.running, &self.log), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.arrivals.load(from)?;
        self.scheduler.load(from)?;
        self.jobs.load(from)?;
        self.ends = take::<Vec<_>>(from)?.into();
        (self.free, self.running, self.log) = take(from)?;
        Ok(())
    }
}

fn cluster<S: LocalScheduler>(free: u32, jobs: &[Job], scheduler: S) -> Engine<OneCluster<S>> {
    Engine::new(OneCluster {
        arrivals: Ahead::new(Listed::new(jobs.to_vec())).expect("a list does not fail"),
        scheduler,
        free,
        jobs: Jobs::default(),
        running: RunningList::default(),
        ends: BinaryHeap::new(),
        start: Vec::new(),
        log: Vec::new(),
    })
}

fn easy(processors: u32, jobs: &[Job]) -> Engine<OneCluster<Easy>> {
    cluster(processors, jobs, Easy::default())
}

fn starts<S: LocalScheduler>(engine: &Engine<OneCluster<S>>) -> Vec<Time> {
    let mut log = engine.world().log.clone();
    log.sort_unstable();
    log.into_iter().map(|(_, start)| start).collect()
}

#[test]
fn a_job_is_backfilled_only_where_the_head_does_not_wait_for_it() {
    // Job 2 needs the whole cluster and is promised time 10; job 3 ends just then, job 4 would not.
    let mut jobs =
        vec![job(1, 0, 3, 10, 10), job(2, 1, 4, 5, 5), job(3, 2, 1, 8, 8), job(4, 2, 1, 9, 9)];
    let run = |jobs: &[Job]| {
        let mut engine = easy(4, jobs);
        engine.run().unwrap();
        starts(&engine)
    };
    assert_eq!(run(&jobs), [0, 10, 2, 15].map(at));
    // One unit longer and job 3 may not; a head of 3 processors leaves one extra, and it may again.
    jobs[2] = job(3, 2, 1, 9, 9);
    assert_eq!(run(&jobs), [0, 10, 15, 15].map(at));
    jobs[1] = job(2, 1, 3, 5, 5);
    assert_eq!(run(&jobs), [0, 10, 2, 11].map(at));
}

/// EASY from its definition, one unit of time after another. It decides only where a job came or
/// ended: with jobs that outrun their estimates the schedule depends on when one asks.
fn by_definition(processors: u32, jobs: &[Job]) -> Vec<Time> {
    let mut start: Vec<Option<Time>> = vec![None; jobs.len()];
    let mut now = Time::ZERO;
    while start.contains(&None) {
        let ended = |j: usize| start[j].map(|start| start + jobs[j].runtime);
        if !(0..jobs.len()).any(|j| ended(j) == Some(now) || jobs[j].submit == now) {
            now += Span::UNIT;
            continue;
        }
        let runs: Vec<usize> =
            (0..jobs.len()).filter(|&j| ended(j).is_some_and(|end| end > now)).collect();
        let mut free = processors - runs.iter().map(|&j| jobs[j].processors).sum::<u32>();
        let mut ends: Vec<(Time, u32)> = Vec::new();
        for j in runs {
            let expected = start[j].unwrap() + jobs[j].estimate;
            ends.push((expected.max(now + Span::TICK), jobs[j].processors));
        }
        let queue: Vec<usize> =
            (0..jobs.len()).filter(|&j| start[j].is_none() && jobs[j].submit <= now).collect();
        let mut rest = queue.iter();
        let head = rest.find(|&&j| {
            if jobs[j].processors > free {
                return true;
            }
            free -= jobs[j].processors;
            start[j] = Some(now);
            ends.push((now + jobs[j].estimate, jobs[j].processors));
            false
        });
        if let Some(&head) = head {
            let released = |by: Time| -> u32 {
                ends.iter().filter(|end| end.0 <= by).map(|end| end.1).sum::<u32>() + free
            };
            let fits = |end: &Time| released(*end) >= jobs[head].processors;
            let shadow = ends.iter().map(|end| end.0).filter(fits).min().unwrap();
            let mut extra = released(shadow) - jobs[head].processors;
            for &j in rest {
                let in_time = now + jobs[j].estimate <= shadow;
                if jobs[j].processors <= free && (in_time || jobs[j].processors <= extra) {
                    start[j] = Some(now);
                    free -= jobs[j].processors;
                    extra -= if in_time { 0 } else { jobs[j].processors };
                }
            }
        }
        now += Span::UNIT;
    }
    start.into_iter().map(Option::unwrap).collect()
}

#[test]
fn small_instances_go_as_defined_with_or_without_a_save_in_the_middle() {
    let mut rng = Streams::new(1).stream("instances");
    for _ in 0..300 {
        let mut submit = 0;
        let jobs: Vec<Job> = (0..12)
            .map(|number| {
                submit += rng.random_range(0..4);
                let mut length = || rng.random_range(1..9);
                let (runtime, estimate) = (length(), length());
                job(number, submit, rng.random_range(1..=4), runtime, estimate)
            })
            .collect();
        let mut whole = easy(4, &jobs);
        let middle = rng.random_range(1..12);
        for _ in 0..middle {
            whole.step().unwrap();
        }
        let bytes = saved(&whole);
        whole.run().unwrap();
        assert_eq!(starts(&whole), by_definition(4, &jobs), "{jobs:?}");
        // The library's fast one through the same world.
        let setup = Setup { name: "cluster", processors: 4, streams: &Streams::new(1) };
        let mut fast = cluster(4, &jobs, easy::Easy::new(&easy::Options::default(), &setup));
        fast.run().unwrap();
        assert_eq!(starts(&fast), starts(&whole), "{jobs:?}");
        let mut again = easy(4, &jobs);
        load(&mut again, &bytes);
        again.run().unwrap();
        assert_eq!(saved(&again), saved(&whole));
    }
}
