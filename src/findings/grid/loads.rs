//! Offered load of each part of the grid.
//!
//! The load of given jobs, here and in `gridpact workload show`, is defined by [`load`]: the span
//! runs from the first to the last submission of the part's own jobs.

use kernel::time::Time;
use model::ids::ClusterId;
use sim::accounts::Account;
use workload::swf::Share;

/// Minimum number of jobs that the processors can complete while jobs arrive.
///
/// If they can do fewer, the jobs are one batch to be worked off and not a growing queue.
const MOST_OF_A_HEAP: i128 = 10;
/// A measured load counts as above one if it exceeds one by more than this ...
const CLEARLY: f64 = 0.05;
/// ... and by more than this over the square root of the number of jobs.
///
/// It is nearly three standard errors if interarrival times and areas vary like exponential ones.
const NOISE: f64 = 4.0;

/// A group of organizations and all the clusters that they may use.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Indices of the organizations.
    pub organizations: Vec<usize>,
    /// The clusters.
    pub clusters: Vec<ClusterId>,
    /// Number of their jobs that count, in all replications.
    pub jobs: u64,
    /// Number of processors of the clusters.
    pub processors: u64,
    /// Their mean speed.
    pub speed: f64,
    /// Mean number of busy processors that the jobs ask for, if all jobs are drawn and it is known.
    pub rate: Option<f64>,
    /// True if some jobs were too wide or were killed, so that `rate` overestimates.
    is_less: bool,
    /// Work of the jobs, in processor-ticks.
    work: i128,
    /// Processor-ticks between the first and the last submission.
    time: i128,
}

/// Offered load: the work of some jobs over what processors can do between the first and the last
/// submission.
///
/// `None` if all jobs arrive at once.
pub fn load(work: i128, processors: u64, submits: Option<(Time, Time)>) -> Option<f64> {
    ratio(work, processor_time(processors, submits))
}

fn ratio(work: i128, time: i128) -> Option<f64> {
    (time > 0).then(|| work as f64 / time as f64)
}

/// Processor-ticks between the first and the last submission.
fn processor_time(processors: u64, submits: Option<(Time, Time)>) -> i128 {
    let span = submits.map_or(0, |(first, last)| (last - first).ticks());
    i128::from(processors) * i128::from(span)
}

/// A load of one or above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overload {
    /// Long-run load of the models that the jobs are drawn from.
    Expected(f64),
    /// Load of the jobs that came.
    Measured(f64),
}

impl Part {
    /// A part without jobs, given its processors and their mean speed.
    ///
    /// `rate` is the mean number of busy processors that its jobs ask for, if all of them are drawn and
    /// it is known.
    pub fn new(
        organizations: Vec<usize>,
        clusters: &[ClusterId],
        (processors, speed): (u64, f64),
        rate: Option<f64>,
    ) -> Part {
        let clusters = clusters.to_vec();
        Part { organizations, clusters, processors, speed, rate, ..Part::default() }
    }

    /// Offered load: work of the jobs over processor time while jobs arrive.
    ///
    /// `None` if all jobs arrive at once.
    pub fn load(&self) -> Option<f64> {
        ratio(self.work, self.time).map(|load| load / self.speed)
    }

    /// Adds the jobs of a replication; `is_less` if some of them were too wide or were killed.
    pub fn add(&mut self, share: Share, is_less: bool) {
        self.is_less |= is_less;
        self.jobs += share.jobs;
        self.work += share.area;
        self.time += processor_time(self.processors, share.submits);
    }

    /// Long-run offered load, if it is known, all jobs are drawn and none was rejected or killed.
    pub fn expected(&self) -> Option<f64> {
        self.rate
            .filter(|_| !self.is_less && self.processors > 0)
            .map(|rate| rate / (self.processors as f64 * self.speed))
    }

    /// The load if it is one or above.
    ///
    /// A measured load must be significantly above one, and the part must be a queue and not just a
    /// batch of work. That depends on how long jobs keep arriving, not on how long it takes to work
    /// them off afterwards: the worse the overload, the longer that takes.
    pub fn overload(&self) -> Option<Overload> {
        if let Some(load) = self.expected() {
            return (load > 1.0 - 1e-9).then_some(Overload::Expected(load));
        }
        let load = self.load()?;
        let noise = NOISE / (self.jobs as f64).sqrt();
        let is_above = load > 1.0 + noise.max(CLEARLY) && self.is_queue();
        is_above.then_some(Overload::Measured(load))
    }

    /// True if enough jobs could be completed while jobs arrive to call it a queue.
    fn is_queue(&self) -> bool {
        let could_be_done = self.time.saturating_mul(i128::from(self.jobs));
        could_be_done >= self.work.saturating_mul(MOST_OF_A_HEAP)
    }
}

/// Offered loads of all parts.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    parts: Vec<Part>,
}

impl Loads {
    /// The loads of these parts.
    pub fn new(parts: Vec<Part>) -> Loads {
        Loads { parts }
    }

    /// Adds a replication, given by its accounts.
    pub fn add(&mut self, accounts: &[Account]) {
        for part in &mut self.parts {
            let of = || part.organizations.iter().map(|&index| &accounts[index]);
            let share = |account: &Account| Share {
                jobs: account.jobs.submitted,
                area: account.areas.submitted,
                submits: (account.first_submit != Time::NEVER)
                    .then_some((account.first_submit, account.last_submit)),
            };
            let is_less = of().any(|account| account.jobs.rejected + account.jobs.killed > 0);
            part.add(Share::sum(of().map(share)), is_less);
        }
    }

    /// For each organization the place of the narrowest part that it belongs to.
    ///
    /// These are the clusters that it may use with all organizations that may use nothing else, or the
    /// connected part if there are too many sets of clusters.
    pub fn narrowest(&self, organizations: usize) -> Vec<usize> {
        let mut narrowest: Vec<Option<usize>> = vec![None; organizations];
        for (place, part) in self.parts.iter().enumerate() {
            for &index in &part.organizations {
                let known = narrowest[index].map(|known| self.parts[known].clusters.len());
                if known.is_none_or(|known| part.clusters.len() < known) {
                    narrowest[index] = Some(place);
                }
            }
        }
        let part = |place: Option<usize>| place.expect("every organization belongs to a part");
        narrowest.into_iter().map(part).collect()
    }

    /// The parts, in the order of their first organizations.
    ///
    /// A connected part is followed by the parts of its organizations that may use fewer clusters.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The parts, to add jobs to.
    pub fn parts_mut(&mut self) -> &mut [Part] {
        &mut self.parts
    }
}
