//! Cost of a job under the grid schedulers that start jobs themselves, in memory with accounts.
//!
//! Four tables. The first compares the schedulers with list scheduling written by hand for the same
//! jobs, which keeps no accounts; both are checked to start every job at the same time. The others
//! say how the cost grows: with the number of clusters, with the number of their sizes, and with the
//! queue. The baseline of each of these is its first column.

mod common;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hint::black_box;

use common::*;
use criterion::Criterion;
use gridpact::bounds::instance::{Instance, Task};
use gridpact::kernel::rng::Streams;
use gridpact::kernel::time::Time;
use gridpact::model::job::Job;
use gridpact::policy::grid::GridOptions;
use gridpact::run::instance;

/// Number of jobs of every setting.
const JOBS: u32 = 200_000;
/// Offered load, where not all jobs come at once.
const LOAD: f64 = 0.9;
/// Number of clusters and of their sizes, where they do not vary.
const CLUSTERS: usize = 4000;
const SIZES: u32 = 64;

const BY_HAND: &str = "list by hand";

/// The schedulers by name, with default parameters.
fn schedulers() -> [GridOptions; 4] {
    [
        GridOptions::GridSubmission(Default::default()),
        GridOptions::Stealing(Default::default()),
        GridOptions::List(Default::default()),
        GridOptions::BestFit(Default::default()),
    ]
}

/// The two whose growth is measured.
fn growing() -> [GridOptions; 2] {
    let [grid_submission, _, list, _] = schedulers();
    [grid_submission, list]
}

/// A complete binary tree over numbers, whose inner nodes are the best of the two below.
struct Tree {
    nodes: Vec<u32>,
    best: fn(u32, u32) -> u32,
}

impl Tree {
    fn new(leaves: &[u32], none: u32, best: fn(u32, u32) -> u32) -> Tree {
        let half = leaves.len().next_power_of_two();
        let mut nodes = vec![none; 2 * half];
        nodes[half..half + leaves.len()].copy_from_slice(leaves);
        for node in (1..half).rev() {
            nodes[node] = best(nodes[2 * node], nodes[2 * node + 1]);
        }
        Tree { nodes, best }
    }

    fn get(&self, leaf: usize) -> u32 {
        self.nodes[self.nodes.len() / 2 + leaf]
    }

    fn set(&mut self, leaf: usize, value: u32) {
        let mut node = self.nodes.len() / 2 + leaf;
        self.nodes[node] = value;
        while node > 1 {
            node /= 2;
            self.nodes[node] = (self.best)(self.nodes[2 * node], self.nodes[2 * node + 1]);
        }
    }

    /// The first leaf of at least a value, in a tree of maxima that has one.
    fn first(&self, value: u32) -> usize {
        let (half, mut node) = (self.nodes.len() / 2, 1);
        while node < half {
            node = 2 * node + usize::from(self.nodes[2 * node] < value);
        }
        node - half
    }

    /// The least of the leaves before one, in a tree of minima.
    fn least_before(&self, leaf: usize) -> u32 {
        let (mut node, mut least) = (self.nodes.len() / 2 + leaf, u32::MAX);
        while node > 1 {
            if node & 1 == 1 {
                least = least.min(self.nodes[node - 1]);
            }
            node /= 2;
        }
        least
    }
}

/// List scheduling in order of submission on the smallest cluster with room. Returns the makespan, and
/// the sum of all starts in ticks.
fn list_by_hand(clusters: &[u32], jobs: &[Job]) -> (Time, i128) {
    let mut sorted = clusters.to_vec();
    sorted.sort_unstable();
    let mut idle = Tree::new(&sorted, 0, u32::max);
    let widest = sorted[sorted.len() - 1] as usize;
    // By width: the jobs that wait, and the first of them. A leaf more, so that each has one after it.
    let mut queues: Vec<VecDeque<u32>> = vec![VecDeque::new(); widest + 1];
    let mut heads = Tree::new(&vec![u32::MAX; widest + 2], u32::MAX, u32::min);
    let mut ends: BinaryHeap<Reverse<(Time, u32, u32)>> = BinaryHeap::new();
    let mut coming = (0_u32..).zip(jobs).peekable();
    let (mut makespan, mut starts) = (Time::ZERO, 0);
    loop {
        let submit = coming.peek().map(|(_, job)| job.submit);
        let end = ends.peek().map(|end| end.0.0);
        let Some(now) = submit.into_iter().chain(end).min() else {
            return (makespan, starts);
        };
        while let Some(Reverse((_, place, freed))) = ends.peek().filter(|end| end.0.0 == now) {
            let place = *place as usize;
            idle.set(place, idle.get(place) + freed);
            ends.pop();
            makespan = now;
        }
        while let Some((number, job)) = coming.next_if(|(_, job)| job.submit == now) {
            let queue = &mut queues[job.processors as usize];
            queue.push_back(number);
            if queue.len() == 1 {
                heads.set(job.processors as usize, number);
            }
        }
        loop {
            let first = heads.least_before(idle.nodes[1] as usize + 1);
            if first == u32::MAX {
                break;
            }
            let job = &jobs[first as usize];
            let queue = &mut queues[job.processors as usize];
            queue.pop_front();
            heads.set(job.processors as usize, queue.front().copied().unwrap_or(u32::MAX));
            let place = idle.first(job.processors);
            idle.set(place, idle.get(place) - job.processors);
            ends.push(Reverse((now + job.runtime, place as u32, job.processors)));
            starts += i128::from(now.ticks());
        }
    }
}

/// Checks that the loop written by hand does what `list` does.
fn check(clusters: &[u32], jobs: &[Job]) {
    let task =
        |job: &Job| Task { release: job.submit, length: job.runtime, processors: job.processors };
    let mut clusters = clusters.to_vec();
    clusters.sort_unstable();
    let tasks = jobs.iter().map(task).collect();
    let instance = Instance { clusters, tasks };
    let list = GridOptions::List(Default::default());
    let played = instance::play(&list, &instance, &Streams::new(1));
    let starts = played.schedule.iter().map(|one| i128::from(one.start.ticks())).sum();
    assert_eq!(list_by_hand(&instance.clusters, jobs), (played.makespan, starts));
}

fn compared(criterion: &mut Criterion) {
    let mut table = Table::new(criterion, "grid schedulers", "job", BY_HAND);
    let clusters = sizes(CLUSTERS, SIZES);
    let jobs = jobs_for(&clusters, Some(LOAD), JOBS);
    check(&clusters, &jobs);
    let (row, units) = ("4000 clusters of 64 sizes", u64::from(JOBS));
    table.measure(row, BY_HAND, units, || (), |()| black_box(list_by_hand(&clusters, &jobs)));
    for scheduler in schedulers() {
        let ready = || placed(scheduler.clone(), &clusters, held(&jobs));
        table.measure(row, scheduler.name(), units, ready, run);
    }
    table.finish();
}

/// A table of some schedulers (rows) in several settings (columns): their names, clusters and loads.
fn grows(
    criterion: &mut Criterion,
    title: &'static str,
    schedulers: &[GridOptions],
    settings: &[(&'static str, Vec<u32>, Option<f64>)],
) {
    let mut table = Table::new(criterion, title, "job", settings[0].0);
    for scheduler in schedulers {
        for (column, clusters, load) in settings {
            let jobs = jobs_for(clusters, *load, JOBS);
            let ready = || placed(scheduler.clone(), clusters, held(&jobs));
            table.measure(scheduler.name(), column, u64::from(JOBS), ready, run);
        }
    }
    table.finish();
}

fn clusters(criterion: &mut Criterion) {
    let settings = [
        ("10 clusters", 10),
        ("100 clusters", 100),
        ("1000 clusters", 1000),
        ("4000 clusters", 4000),
    ]
    .map(|(column, clusters)| (column, sizes(clusters, SIZES.min(clusters as u32)), Some(LOAD)));
    grows(criterion, "grid schedulers and clusters", &growing(), &settings);
}

fn distinct_sizes(criterion: &mut Criterion) {
    let settings =
        [("1 size", 1), ("8 sizes", 8), ("64 sizes", 64), ("512 sizes", 512), ("4000 sizes", 4000)]
            .map(|(column, distinct)| (column, sizes(CLUSTERS, distinct), Some(LOAD)));
    grows(criterion, "grid schedulers and sizes", &growing(), &settings);
}

fn queue(criterion: &mut Criterion) {
    let clusters = sizes(CLUSTERS, SIZES);
    let settings = [("load 0.9", clusters.clone(), Some(LOAD)), ("all at once", clusters, None)];
    grows(criterion, "grid schedulers and queue", &schedulers(), &settings);
}

fn main() {
    let mut criterion = criterion();
    compared(&mut criterion);
    clusters(&mut criterion);
    distinct_sizes(&mut criterion);
    queue(&mut criterion);
    criterion.final_summary();
}
