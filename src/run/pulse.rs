//! How the replications of a run are while they run: each publishes a [`Pulse`] when somebody asks.
//!
//! Nobody asks of a run that is not watched, and a replication that is not asked pays a load of a
//! number every few thousand instants. Whatever is told here reaches no result.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::SystemTime;

use serde::Serialize;

use crate::kernel::time::sum_as_units as units;
use crate::sim::accounts::Accounts;
use crate::stats::distribution::Distribution;
use crate::stats::interval::Sections;

/// A mean so far, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean, in units.
    pub mean: f64,
    /// Half the width of its 95% interval, where there are sections to tell it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_width: Option<f64>,
}

impl Estimate {
    /// Of the amounts of a distribution.
    pub fn of(distribution: &Distribution) -> Option<Estimate> {
        distribution.mean().map(|mean| Estimate { mean, half_width: None })
    }

    /// Of the flow times in these accounts, by their batches where they are cut into such.
    /// O(organizations).
    pub fn of_flow(accounts: &Accounts) -> Option<Estimate> {
        let (sum, count) = flow_of(accounts);
        let mean = (count > 0).then(|| units(sum) / count as f64)?;
        let half_width = accounts.batches(None).and_then(|(marks, _)| {
            let mut sections = Sections::default();
            let mut before = (0, 0);
            for [flow, ..] in marks {
                sections.add(units(flow.sum - before.0), (flow.count - before.1) as f64);
                before = (flow.sum, flow.count);
            }
            let share = before.1 as f64 / count as f64;
            Some(sections.error()?.half_width() * share.sqrt())
        });
        Some(Estimate { mean, half_width })
    }
}

/// The sum of the flow times in these accounts, in ticks, and their number. O(organizations).
pub fn flow_of(accounts: &Accounts) -> (i128, u64) {
    let flows = accounts.organizations().iter().map(|account| &account.flow);
    flows.fold((0, 0), |(sum, count), flow| (sum + flow.sum(), count + flow.count()))
}

/// How one replication is at a look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Pulse {
    /// Its number.
    pub replication: u32,
    /// True of a first run, which only finds which jobs count.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_first_run: bool,
    /// The simulated time, in units.
    pub time: f64,
    /// Jobs that were submitted, where that is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted: Option<u64>,
    /// Jobs that ended.
    pub finished: u64,
    /// Jobs that wait, where that is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<u64>,
    /// Jobs that run, where that is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running: Option<u64>,
    /// The mean flow of the jobs that count and ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<Estimate>,
    /// Rounds of a coalition that are over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// Organizations that took part in its last round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<u64>,
}

/// Which request for a pulse a replication answered last.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answered(u64);

/// A state that was put down, from which the run can go on.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    /// When.
    pub at: SystemTime,
    /// How many there were so far, of all replications.
    pub number: u64,
}

/// Where replications publish how they are.
#[derive(Debug, Default)]
pub struct Board {
    /// How often somebody asked.
    asked: AtomicU64,
    told: Mutex<Told>,
}

/// What was published.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Of each replication that runs, its last pulse.
    pub pulses: BTreeMap<u32, Pulse>,
    /// Replications that ended.
    pub ended: u32,
    /// The flow times of those, a section each.
    pub flows: Sections,
    /// The last checkpoint of any replication.
    pub checkpoint: Option<Checkpoint>,
    /// How often a replication went on from what was saved, which is nothing that took time.
    pub jumps: u64,
}

impl Told {
    /// The mean flow: over the replications that ended, or while these are too few of the first
    /// that runs.
    pub fn flow(&self) -> Option<Estimate> {
        let half_width = self.flows.error().map(|error| error.half_width());
        let ended = self.flows.mean().map(|mean| Estimate { mean, half_width });
        let running = self.pulses.values().find_map(|pulse| pulse.flow);
        if half_width.is_some() { ended } else { running.or(ended) }
    }
}

impl Board {
    /// Asks every replication for its pulse, to be read a while later.
    pub fn ask(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    /// What was published so far.
    pub fn read(&self) -> Told {
        self.told().clone()
    }

    /// A replication is at a look; where it was asked since the last, it says how it is.
    #[inline]
    pub fn look(&self, answered: &mut Answered, pulse: impl FnOnce() -> Pulse) {
        let asked = self.asked.load(Ordering::Relaxed);
        if asked != answered.0 {
            answered.0 = asked;
            let pulse = pulse();
            self.told().pulses.insert(pulse.replication, pulse);
        }
    }

    /// A replication ended, with these flow times.
    pub fn ended(&self, replication: u32, flow: (i128, u64)) {
        let mut told = self.told();
        told.pulses.remove(&replication);
        told.ended += 1;
        told.flows.add(units(flow.0), flow.1 as f64);
    }

    /// The state of a replication was put down.
    pub fn checkpointed(&self) {
        let mut told = self.told();
        let number = told.checkpoint.map_or(0, |last| last.number) + 1;
        told.checkpoint = Some(Checkpoint { at: SystemTime::now(), number });
    }

    /// A replication goes on from what was saved.
    pub fn jumped(&self) {
        self.told().jumps += 1;
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        // What a thread that panicked left behind is as good as any.
        self.told.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run;
    use crate::scenario::files::Files;
    use crate::scenario::{self, Input, Overrides};

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
        assert_eq!((told.ended, told.flow().unwrap().mean), (1, 2.5));
    }

    #[test]
    fn the_estimate_is_of_what_ended_once_that_has_an_interval() {
        let board = Board::default();
        board.ask();
        let running = Estimate { mean: 9.0, half_width: None };
        board.look(&mut Answered::default(), || Pulse { flow: Some(running), ..pulse(2) });
        board.ended(0, (3_000_000, 1));
        assert_eq!(board.read().flow(), Some(running));
        board.ended(1, (5_000_000, 1));
        let flow = board.read().flow().unwrap();
        // Two sections, 3 and 5: mean 4, standard error 1, and t = 12.706 at one degree of freedom.
        assert_eq!(flow.mean, 4.0);
        assert!((flow.half_width.unwrap() - 12.706_2).abs() < 1e-3);
    }

    /// The same interval as in the summary, of the same accounts.
    #[test]
    fn the_interval_so_far_is_made_as_that_of_the_summary() {
        let text = "name = \"q\"\nrun.until.jobs = 5000\n[[organization]]\nname = \"a\"\n\
            cluster.space_shared = { processors = 1, scheduler.fcfs = {} }\n\
            workload.synthetic = { arrivals.poisson.rate = 0.5, size.exponential.mean = 1 }\n";
        let input = Input::Bytes { name: "q", bytes: text.into() };
        let (plan, _) = scenario::load(input, &Overrides::default(), &mut Files::new()).unwrap();
        let found = run::run(&plan, None, 1, 0.0, &run::Progress::default()).unwrap().grid();
        let precise = found.precision(1, &found.accounts.grid()).distributions[0].mean.unwrap();
        let estimate = Estimate::of_flow(&found.accounts).unwrap();
        let relative = estimate.half_width.unwrap() / precise.interval.half_width();
        assert!((relative - 1.0).abs() < 1e-9, "{relative}");
        assert!((estimate.mean / found.accounts.grid().flow.mean().unwrap() - 1.0).abs() < 1e-12);
    }
}
