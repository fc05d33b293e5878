//! The state of running replications: each publishes a [`Pulse`] on request.
//!
//! Unwatched runs get no requests, and a replication without a request only loads a number every
//! few thousand instants. Nothing told here affects a result.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use kernel::time::sum_as_units as units;
use sim::accounts::Accounts;
use stats::batch_means::BatchMeans;
use stats::interval::{Level, Sections};

/// A running mean with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean, in units.
    pub mean: f64,
    /// Half-width of its confidence interval, if there are enough sections to estimate it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_width: Option<f64>,
}

impl Estimate {
    /// Mean of so many flow times with this sum, without an interval.
    pub fn of((sum, count): (i128, u64)) -> Option<Estimate> {
        (count > 0).then(|| Estimate { mean: units(sum) / count as f64, half_width: None })
    }

    /// Mean flow time of the accounts, with an interval if they are cut into batches.
    /// O(organizations).
    pub fn of_flow(accounts: &Accounts) -> Option<Estimate> {
        let (sum, count) = flow_of(accounts);
        let mean = (count > 0).then(|| units(sum) / count as f64)?;
        let half_width = accounts.batches(None).and_then(|(marks, _)| {
            let mut batches = BatchMeans::default();
            let mut before = (0, 0);
            for [flow, ..] in marks {
                batches.add(units(flow.sum - before.0), (flow.count - before.1) as f64);
                before = (flow.sum, flow.count);
            }
            let share = before.1 as f64 / count as f64;
            Some(batches.error(share)?.interval(mean, accounts.level()).half_width())
        });
        Some(Estimate { mean, half_width })
    }
}

/// Sum of the flow times in the accounts, in ticks, and their number. O(organizations).
pub(crate) fn flow_of(accounts: &Accounts) -> (i128, u64) {
    let flows = accounts.organizations().iter().map(|account| &account.flow);
    flows.fold((0, 0), |(sum, count), flow| (sum + flow.sum(), count + flow.count()))
}

/// State of one replication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pulse {
    /// Its number.
    pub replication: u32,
    /// True for a first (pilot) run, which only determines which jobs count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_first_run: bool,
    /// Simulated time, in units.
    pub time: f64,
    /// Submitted jobs, if counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted: Option<u64>,
    /// Finished jobs.
    pub finished: u64,
    /// Waiting jobs, if counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<u64>,
    /// Running jobs, if counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running: Option<u64>,
    /// Mean flow time of the counted, finished jobs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<Estimate>,
    /// Reason why the run goes on although its precision looks reached. Onlookers read it of the whole run.
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub held: Option<&'static str>,
    /// Finished rounds of a coalition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// Organizations that took part in the last round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<u64>,
}

/// The last request that a replication answered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answered(u64);

/// A saved state from which the run can be resumed.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    /// Time of the checkpoint.
    pub at: SystemTime,
    /// Number of checkpoints so far, over all replications.
    pub number: u64,
}

/// The board on which replications publish their pulses.
#[derive(Debug, Default)]
pub(crate) struct Board {
    /// Number of requests.
    asked: AtomicU64,
    told: Mutex<Told>,
}

/// Content of the board.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Latest pulse of each running replication.
    pub pulses: BTreeMap<u32, Pulse>,
    /// Finished replications.
    pub ended: u32,
    /// Flow times of the finished replications, one section each.
    pub flows: Sections,
    /// Latest checkpoint of any replication.
    pub checkpoint: Option<Checkpoint>,
    /// Reason why replications are added although the precision looks reached.
    pub held: Option<&'static str>,
    /// Number of resumed replications. A jump in their progress took no time.
    pub jumps: u64,
}

impl Told {
    /// Mean flow time over the finished replications; while they are too few for an interval, that
    /// of the first running one.
    pub fn flow(&self, level: Level) -> Option<Estimate> {
        let half_width = self.flows.interval(level).map(|one| one.half_width());
        let ended = self.flows.mean().map(|mean| Estimate { mean, half_width });
        let running = self.pulses.values().find_map(|pulse| pulse.flow);
        if half_width.is_some() { ended } else { running.or(ended) }
    }
}

impl Board {
    /// Requests a pulse from every replication, to be read later.
    pub fn ask(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    /// Everything published so far.
    pub fn read(&self) -> Told {
        self.told().clone()
    }

    /// Called regularly by a replication; publishes its pulse if there was a new request.
    #[inline]
    pub fn look(&self, answered: &mut Answered, pulse: impl FnOnce() -> Pulse) {
        let asked = self.asked.load(Ordering::Relaxed);
        if asked != answered.0 {
            answered.0 = asked;
            let pulse = pulse();
            self.told().pulses.insert(pulse.replication, pulse);
        }
    }

    /// Records a finished replication with its flow times.
    pub fn ended(&self, replication: u32, flow: (i128, u64)) {
        let mut told = self.told();
        told.pulses.remove(&replication);
        told.ended += 1;
        told.flows.add(units(flow.0), flow.1 as f64);
    }

    /// Records the reason for adding replications although the precision looks reached.
    pub fn held(&self, why: Option<&'static str>) {
        self.told().held = why;
    }

    /// Records the end of a replication's first run.
    pub(crate) fn first_run_ended(&self, replication: u32) {
        self.told().pulses.remove(&replication);
    }

    /// Records that a replication's state was saved.
    pub(crate) fn checkpointed(&self) {
        let mut told = self.told();
        let number = told.checkpoint.map_or(0, |last| last.number) + 1;
        told.checkpoint = Some(Checkpoint { at: SystemTime::now(), number });
    }

    /// Records that a replication was resumed.
    pub(crate) fn jumped(&self) {
        self.told().jumps += 1;
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        // The content is valid even if a thread panicked.
        self.told.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pulse(replication: u32) -> Pulse {
        Pulse { replication, ..Pulse::default() }
    }

    #[test]
    fn a_replication_answers_once_each_time_it_is_asked() {
        let board = Board::default();
        let mut answered = Answered::default();
        board.look(&mut answered, || panic!("nobody asked"));
        board.ask();
        board.look(&mut answered, || pulse(3));
        board.look(&mut answered, || panic!("it answered already"));
        board.ask();
        board.look(&mut Answered::default(), || pulse(1));
        board.look(&mut answered, || Pulse { time: 7.0, ..pulse(3) });
        let told = board.read();
        assert_eq!(told.pulses.values().map(|one| one.time).collect::<Vec<_>>(), [0.0, 7.0]);
        board.ended(3, (10_000_000, 4));
        let told = board.read();
        assert_eq!(told.pulses.keys().copied().collect::<Vec<_>>(), [1]);
        assert_eq!((told.ended, told.flow(Level::default()).unwrap().mean), (1, 2.5));
    }

    #[test]
    fn the_estimate_is_of_what_ended_once_that_has_an_interval() {
        let board = Board::default();
        board.ask();
        let running = Estimate { mean: 9.0, half_width: None };
        board.look(&mut Answered::default(), || Pulse { flow: Some(running), ..pulse(2) });
        board.ended(0, (3_000_000, 1));
        assert_eq!(board.read().flow(Level::default()), Some(running));
        board.ended(1, (5_000_000, 1));
        let flow = board.read().flow(Level::default()).unwrap();
        // Two sections, 3 and 5: mean 4, standard error 1, and t = 12.706 at one degree of freedom.
        assert_eq!(flow.mean, 4.0);
        assert!((flow.half_width.unwrap() - 12.706_2).abs() < 1e-3);
    }
}
