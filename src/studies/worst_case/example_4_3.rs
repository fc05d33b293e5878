//! List scheduling, largest job first: every cluster runs one large job at a time beside many
//! small ones, because processors become idle in portions too small for a second large job.
//!
//! The paper leaves the exact lengths open. Here they are chosen while the list schedule is played:
//! on each cluster, the jobs of one phase end one tick after another, except that the first job of
//! the cluster's own type ends first. The scheduler does not see lengths, so it cannot tell.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::plan::{Plan, at};
use super::{Family, Known, Parameter, Target, Worst, limit_jobs};
use bounds::instance::Placement;
use kernel::time::{Span, Time};

/// Schwiegelshohn, Tchernykh and Yahyapour 2008, Example 4.3 by its recursion.
pub(super) const FAMILY: Family = Family {
    name: "example-4.3",
    summary: "List scheduling, largest job first, takes about k units where about 2 are enough.",
    citation: "Schwiegelshohn, Tchernykh and Yahyapour, Online scheduling in grids, IPDPS 2008, \
               Example 4.3, by its recursion",
    target: Target::ListDescending,
    parameters: &[Parameter {
        name: "k",
        meaning: "number of types of clusters",
        default: 3,
        least: 3,
        most: 7,
    }],
    construct: by_recursion,
};

/// The same with the numbers that the paper's Table 1 prints for k = 3.
pub(super) const TABLE: Family = Family {
    name: "example-4.3-table",
    summary: "example-4.3 for k = 3 with more jobs and clusters, as printed in the paper's table.",
    citation: "Schwiegelshohn, Tchernykh and Yahyapour, Online scheduling in grids, IPDPS 2008, \
               Table 1, k = 3, which differs from the recursion",
    target: Target::ListDescending,
    parameters: &[],
    construct: as_printed,
};

/// Length of a phase: one unit, and some room to be longer than the tiny jobs take.
const PHASE: Span = Span::from_ticks(Span::UNIT.ticks() + 2000);

/// A type of clusters and the jobs that just these run in the reference.
#[derive(Clone, Copy, Debug)]
struct Type {
    /// Processors of a cluster.
    processors: u32,
    /// Processors of a job.
    size: u32,
    /// Number of jobs: a in the paper.
    jobs: u128,
    /// Number of clusters: b in the paper.
    clusters: u128,
}

impl Type {
    /// Creates type number `kappa`, from 1.
    fn new(kappa: u32, jobs: u128, clusters: u128) -> Type {
        let processors = 1 << ((kappa + 2) * (kappa - 1) / 2);
        Type { processors, size: 1 << (kappa * (kappa - 1) / 2), jobs, clusters }
    }

    /// Returns the number of its jobs that a cluster runs side by side.
    fn side_by_side(self) -> usize {
        (self.processors / self.size) as usize
    }

    /// Returns the sizes of the tiny jobs that make room for sequential jobs one by one.
    fn tiny(self) -> std::ops::Range<u32> {
        self.size + 1..self.processors
    }
}

fn as_printed(_: &[u64]) -> Result<Worst, String> {
    Ok(build(&[Type::new(1, 112, 56), Type::new(2, 56, 14), Type::new(3, 6, 1)]))
}

fn by_recursion(values: &[u64]) -> Result<Worst, String> {
    let k = values[0] as u32;
    let last = u128::from(k) - 1;
    let mut types = vec![Type::new(k, (1 << last) + last, 1)];
    for kappa in (1..k).rev() {
        // Processors beside the one job of its own type that each larger cluster runs.
        let rest: u128 =
            types.iter().map(|each| each.clusters * u128::from(each.processors - each.size)).sum();
        let Type { processors, size, .. } = Type::new(kappa, 0, 0);
        let (processors, size) = (u128::from(processors), u128::from(size));
        let earlier = u128::from(kappa) - 1;
        let clusters = rest.div_ceil(processors - size * earlier);
        let jobs = rest / size + clusters * (earlier + processors / size);
        types.insert(0, Type::new(kappa, jobs, clusters));
    }
    let jobs = types.iter().map(|each| each.jobs + each.clusters * each.tiny().len() as u128).sum();
    limit_jobs(jobs, &format!("k = {k}"))?;
    Ok(build(&types))
}

fn build(types: &[Type]) -> Worst {
    let groups: Vec<_> =
        types.iter().map(|each| (each.clusters as usize, each.processors)).collect();
    let mut plan = Plan::new(&groups);
    let mut first = 0;
    for each in types {
        for (tick, size) in (0..).zip(each.tiny().rev()) {
            let start = Time::from_ticks(tick);
            let clusters = first..first + each.clusters as usize;
            let mut places = clusters.map(|cluster| Placement { start, cluster });
            plan.add(each.clusters as usize, (size, Span::TICK), &mut places);
        }
        first += each.clusters as usize;
    }
    let played = Game::new(types).play();
    let mut first = 0;
    let mut end = Time::ZERO;
    for (each, lengths) in types.iter().zip(&played.lengths) {
        let start = Time::from_ticks(each.tiny().len() as i64);
        for (&length, place) in lengths.iter().zip(two_in_turn(lengths, first, start, each)) {
            plan.add(1, (each.size, length), &mut at(place.start, place.cluster));
            end = end.max(place.start + length);
        }
        first += each.clusters as usize;
    }
    let note = format!(
        "One job of each cluster's own type runs at a time, beside many small ones, for about {} \
         units; side by side, all its jobs would take two.",
        types.len()
    );
    plan.finish(Known::AtMost(end), Some(played.makespan), note)
}

/// Returns the reference places of the jobs of a type, on its own clusters only: two jobs in turn
/// for each share of a cluster, long ones before short ones, and the longest alone.
fn two_in_turn(lengths: &[Span], first: usize, start: Time, each: &Type) -> Vec<Placement> {
    let shares = each.clusters as usize * each.side_by_side();
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&job| Reverse(lengths[job]));
    let seconds = order.split_off(shares.min(lengths.len()));
    let mut places = vec![Placement { start, cluster: 0 }; lengths.len()];
    for (share, &job) in order.iter().enumerate() {
        places[job].cluster = first + share / each.side_by_side();
    }
    // The longest of the second ones follow the shortest of the first ones.
    for (share, &job) in (0..shares).rev().zip(&seconds) {
        places[job] = Placement {
            start: start + lengths[order[share]],
            cluster: first + share / each.side_by_side(),
        };
    }
    places
}

/// A cluster of the list schedule.
#[derive(Clone, Copy, Debug)]
struct Cluster {
    idle: u32,
    /// Index of its type.
    of: usize,
    /// The phase in which it started its last job.
    phase: i64,
    /// Jobs started in this phase, without tiny ones.
    started: i64,
    /// True if one of these is of its own type.
    own: bool,
}

/// The list schedule, largest job first, against an adversary that chooses the lengths.
struct Game {
    /// Number of waiting jobs by size.
    waiting: BTreeMap<u32, u128>,
    clusters: Vec<Cluster>,
    sizes: Vec<u32>,
    /// Ends of jobs: cluster and processors.
    ends: BinaryHeap<Reverse<(Time, usize, u32)>>,
    played: Played,
}

/// The end of the game.
struct Played {
    /// Lengths of the jobs of each type in the order of their starts.
    lengths: Vec<Vec<Span>>,
    makespan: Time,
}

impl Game {
    fn new(types: &[Type]) -> Game {
        let mut waiting = BTreeMap::new();
        let mut clusters = Vec::new();
        for (of, each) in types.iter().enumerate() {
            waiting.insert(each.size, each.jobs);
            waiting.extend(each.tiny().map(|size| (size, each.clusters)));
            let idle = each.processors;
            let cluster = Cluster { idle, of, phase: 0, started: 0, own: false };
            clusters.extend(std::iter::repeat_n(cluster, each.clusters as usize));
        }
        let sizes = types.iter().map(|each| each.size).collect();
        let played = Played { lengths: vec![Vec::new(); types.len()], makespan: Time::ZERO };
        Game { waiting, clusters, sizes, ends: BinaryHeap::new(), played }
    }

    fn play(mut self) -> Played {
        let mut changed: Vec<usize> = (0..self.clusters.len()).collect();
        self.fill(Time::ZERO, &changed);
        while let Some(Reverse((now, ..))) = self.ends.peek().copied() {
            changed.clear();
            while let Some(&Reverse((end, cluster, size))) = self.ends.peek()
                && end == now
            {
                self.ends.pop();
                self.clusters[cluster].idle += size;
                changed.push(cluster);
            }
            changed.dedup();
            self.fill(now, &changed);
            self.played.makespan = now;
        }
        self.played
    }

    /// Starts the waiting jobs that fit, largest first, each on the first cluster where it fits.
    /// Only clusters that have changed, in ascending order, can take a job.
    fn fill(&mut self, now: Time, changed: &[usize]) {
        loop {
            let idle = changed.iter().map(|&each| self.clusters[each].idle).max().unwrap_or(0);
            let Some((&size, &waiting)) = self.waiting.range(..=idle).next_back() else { return };
            let mut left = waiting;
            for &cluster in changed {
                while left > 0 && self.clusters[cluster].idle >= size {
                    self.start(now, cluster, size);
                    left -= 1;
                }
            }
            if left == 0 {
                self.waiting.remove(&size);
            } else {
                self.waiting.insert(size, left);
            }
        }
    }

    fn start(&mut self, now: Time, on: usize, size: u32) {
        let cluster = &mut self.clusters[on];
        cluster.idle -= size;
        let end = match self.sizes.binary_search(&size) {
            Err(_) => now + Span::TICK,
            Ok(of) => {
                let phase = now.ticks() / PHASE.ticks();
                if cluster.phase != phase {
                    (cluster.phase, cluster.started, cluster.own) = (phase, 0, false);
                }
                cluster.started += 1;
                let mut end = Time::ZERO + PHASE * (phase + 1);
                if of == cluster.of && !cluster.own {
                    cluster.own = true;
                } else {
                    end += Span::from_ticks(cluster.started);
                }
                self.played.lengths[of].push(end - now);
                end
            }
        };
        self.ends.push(Reverse((end, on, size)));
    }
}
