//! Rounds of averaging written by hand, on the same draws as [`pool`](super::pool), for comparison.
//!
//! The loop plays independent rounds of 1000 units in which everybody takes part, in whole units.
//! It draws the same jobs, by blocks; it balances at the same instants, to the same lengths (the
//! most loaded end a unit later); and it sums up, for each cluster, the flow times of the jobs of
//! the window and the flow times that these jobs had alone. If asked for, it also records exact
//! count, sum, least and largest flow time and the same HdrHistograms as a run: of each cluster,
//! and of all, which is made of the others where they are as precise.
//!
//! It knows that nothing of what was balanced is left at the next balancing. It leaves out who
//! sends to whom, what is sent and received, promises, levels, foreign work that is still there,
//! jobs that do not count, times out of range, stops and saved states, and everything else that
//! makes the simulation general.

use gridpact::kernel::rng::Streams;
use gridpact::sim::accounts::{COARSE_ORGANIZATIONS, FULL_ORGANIZATIONS};
use gridpact::workload::Source as _;
use gridpact::workload::synthetic::Synthetic;

use super::queues::Measure;

const UNIT: i64 = 1_000_000;
/// Balancings are at multiples of this.
const GRID: i64 = 5 * UNIT;
/// Jobs submitted in this window count.
const WINDOW: std::ops::Range<i64> = 200 * UNIT..800 * UNIT;
/// Jobs drawn at once.
const BLOCK: usize = 16;

/// A cluster.
struct Cluster {
    source: Synthetic,
    /// Submission and size of drawn jobs, the next one last.
    ready: Vec<(i64, i64)>,
    next: (i64, i64),
    /// Time at which its queue ends, and at which it would end alone.
    end: i64,
    alone: i64,
    /// Submission and finish of the counted jobs that have not finished.
    open: Vec<(i64, i64)>,
    flow: i128,
    flow_alone: i128,
}

impl Cluster {
    #[inline]
    fn draw(&mut self) {
        if self.ready.is_empty() {
            let ready = &mut self.ready;
            let push = |job: gridpact::model::job::Job| {
                ready.push((job.submit.ticks(), job.runtime.ticks()));
            };
            self.source.next_some(BLOCK, push).expect("it is drawn");
            self.ready.reverse();
        }
        self.next = self.ready.pop().expect("it goes on");
    }
}

/// Flow times by cluster, and of all clusters if those are less precise.
pub struct Flows {
    clusters: Vec<Measure>,
    everyone: Option<Measure>,
}

impl Flows {
    pub fn new(clusters: usize) -> Flows {
        let digits = match clusters {
            few if few <= FULL_ORGANIZATIONS => 3,
            many if many <= COARSE_ORGANIZATIONS => 1,
            _ => 0,
        };
        Flows {
            clusters: (0..clusters).map(|_| Measure::new(digits)).collect(),
            everyone: (digits < 3).then(|| Measure::new(3)),
        }
    }

    #[inline]
    fn record(&mut self, cluster: usize, flow: i64) {
        self.clusters[cluster].record(flow as u64);
        if let Some(everyone) = &mut self.everyone {
            everyone.record(flow as u64);
        }
    }

    /// The flow times of all.
    pub fn everyone(self) -> Measure {
        self.everyone.unwrap_or_else(|| {
            let mut everyone = Measure::new(3);
            self.clusters.iter().for_each(|one| everyone.merge(one));
            everyone
        })
    }
}

/// Plays rounds; returns how much longer the flow times are than alone, in all, and the number of
/// jobs.
pub fn by_hand(sources: Vec<Synthetic>, rounds: u64, mut flows: Option<&mut Flows>) -> (i128, u64) {
    let count = sources.len();
    let cluster = |source| {
        let (next, end, alone, flow, flow_alone) = ((0, 0), 0, 0, 0, 0);
        let (ready, open) = (Vec::with_capacity(BLOCK), Vec::new());
        Cluster { source, ready, next, end, alone, open, flow, flow_alone }
    };
    let mut clusters: Vec<Cluster> = sources.into_iter().map(cluster).collect();
    let (mut loads, mut sorted) = (vec![0_i64; count], vec![0_i64; count]);
    let mut jobs = 0;
    for round in 0..rounds {
        let streams = Streams::new(1).in_round(round);
        for cluster in &mut clusters {
            cluster.source.restart(&streams).expect("it is drawn");
            cluster.ready.clear();
            cluster.draw();
            (cluster.end, cluster.alone) = (0, 0);
        }
        let mut now = 0;
        loop {
            let (mut total, mut left) = (0, 0);
            for (number, cluster) in clusters.iter_mut().enumerate() {
                while cluster.next.0 <= now {
                    let (submit, size) = cluster.next;
                    cluster.end = cluster.end.max(submit) + size;
                    cluster.alone = cluster.alone.max(submit) + size;
                    if WINDOW.contains(&submit) {
                        cluster.open.push((submit, cluster.end));
                        cluster.flow_alone += i128::from(cluster.alone - submit);
                    }
                    jobs += 1;
                    cluster.draw();
                }
                let mut gone = 0;
                while let Some(&(submit, finish)) = cluster.open.get(gone)
                    && finish <= now
                {
                    cluster.flow += i128::from(finish - submit);
                    if let Some(flows) = &mut flows {
                        flows.record(number, finish - submit);
                    }
                    gone += 1;
                }
                cluster.open.drain(..gone);
                cluster.end = cluster.end.max(now);
                loads[number] = (cluster.end - now) / UNIT;
                total += loads[number];
                left += cluster.open.len();
            }
            if left == 0 && now >= WINDOW.end {
                break;
            }
            let (base, longer) = (total / count as i64, total as usize % count);
            let (mut least, mut ties) = (i64::MAX, 0);
            if longer > 0 {
                sorted.copy_from_slice(&loads);
                let (more, &mut nth, _) =
                    sorted.select_nth_unstable_by(longer - 1, |one, other| other.cmp(one));
                (least, ties) = (nth, longer - more.iter().filter(|&&load| load > nth).count());
            }
            let back = now + (base + i64::from(longer > 0)) * UNIT;
            for (cluster, &load) in clusters.iter_mut().zip(&loads) {
                let is_tie = load == least && ties > 0;
                ties -= usize::from(is_tie);
                let end = now + (base + i64::from(is_tie || load > least)) * UNIT;
                if cluster.end > end {
                    for job in cluster.open.iter_mut().rev().take_while(|job| job.1 > end) {
                        job.1 = back;
                    }
                }
                cluster.end = end;
            }
            now += ((back - now).max(GRID) + GRID - 1) / GRID * GRID;
        }
    }
    (clusters.iter().map(|cluster| cluster.flow - cluster.flow_alone).sum(), jobs)
}
