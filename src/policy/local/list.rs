//! List scheduling of rigid jobs (Garey and Graham 1975): whenever processors are free, the first
//! waiting job of a list that fits starts; a job that does not fit blocks no other.
//!
//! Supported list orders: submission, expected runtime, processors, area, random, or by a formula. One that
//! changes with time is sorted anew at each decision (`ranked`).

use rand::Rng as _;

use super::queue::{Entry, Pass, Queue};
use super::ranked::Ranked;
use super::{LocalScheduler, Reason, Setup};
use kernel::rng::Rng;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::bounds::parameters;
use model::ids::JobId;
use model::jobs::Running;
use model::order::Order;
use model::view::Submission;

parameters! {
    /// Parameters of list scheduling.
    #[serde(default)]
    pub struct Options {
        /// Order of the list; ties are in order of submission.
        order: Order = Order::default(),
    }
}

/// The scheduler. A decision sweeps the list only after a completion; otherwise it tests only new
/// jobs, since the others still do not fit.
#[derive(Clone, Debug)]
pub struct List {
    order: Order,
    queue: Queue<i128>,
    /// Jobs submitted since the last decision.
    fresh: Vec<Entry<i128>>,
    freed: bool,
    draws: Rng,
    /// All waiting jobs, in place of the queue, if their order changes with time.
    ranked: Option<Ranked>,
}

impl List {
    /// An empty list.
    pub fn new(options: &Options, setup: &Setup) -> List {
        List {
            order: options.order.clone(),
            queue: Queue::new(),
            fresh: Vec::new(),
            freed: false,
            draws: setup.streams.stream(&format!("cluster/{}/order", setup.name)),
            ranked: (!options.order.is_lasting()).then(|| Ranked::new(&options.order, setup)),
        }
    }
}

/// Starts the jobs that fit.
struct Fit<'a> {
    free: u32,
    start: &'a mut Vec<JobId>,
}

impl Pass<i128> for Fit<'_> {
    #[inline]
    fn hopes(&self, processors: u32, _: Span) -> bool {
        processors <= self.free
    }
    #[inline]
    fn starts(&mut self, entry: &Entry<i128>) -> bool {
        let fits = entry.processors <= self.free;
        if fits {
            self.free -= entry.processors;
            self.start.push(entry.id);
        }
        fits
    }
}

impl LocalScheduler for List {
    type Sees = Submission;

    #[inline]
    fn submit(&mut self, job: Submission, _: Time) {
        if let Some(ranked) = &mut self.ranked {
            return ranked.submit(job);
        }
        let key = self.order.key(&job, || self.draws.next_u64());
        let expected = job.expected.unwrap_or(Span::ZERO);
        self.fresh.push(Entry { key, id: job.job.id, processors: job.job.processors, expected });
    }

    #[inline]
    fn finish(&mut self, job: Submission, started: Time, now: Time) {
        if let Some(ranked) = &mut self.ranked {
            ranked.ended(&job.job, started, now);
        }
        self.freed = true;
    }

    fn withdraw(&mut self, job: JobId) {
        if let Some(ranked) = &mut self.ranked {
            return ranked.withdraw(job);
        }
        self.fresh.retain(|entry| entry.id != job);
        self.queue.remove(job);
    }

    fn decide(
        &mut self,
        now: Time,
        mut free: u32,
        _: Running<'_, Submission>,
        start: &mut Vec<JobId>,
    ) {
        if let Some(ranked) = &mut self.ranked {
            ranked.sorted(now).retain(|job| {
                let fits = job.processors() <= free;
                if fits {
                    free -= job.processors();
                    start.push(job.id());
                }
                !fits
            });
            return;
        }
        let mut pass = Fit { free, start };
        if std::mem::take(&mut self.freed) && !self.queue.is_empty() {
            self.fresh.drain(..).for_each(|entry| self.queue.push(entry));
            self.queue.sweep(&mut pass);
        } else {
            // A stable sort: equal keys keep the order of submission.
            self.fresh.sort_by_key(|entry| entry.key);
            for entry in self.fresh.drain(..) {
                if !pass.starts(&entry) {
                    self.queue.push(entry);
                }
            }
        }
    }

    fn reasons(
        &self,
        _: Time,
        _: u32,
        _: Running<'_, Submission>,
        tell: &mut dyn FnMut(JobId, Reason),
    ) {
        // Jobs that fit start at once; the others have no promise.
        let reason = Reason::Processors { start: None, after: None };
        self.queue.iter().for_each(|entry| tell(entry.id, reason));
        self.ranked.iter().flat_map(Ranked::iter).for_each(|job| tell(job.id(), reason));
    }
}

impl State for List {
    fn save(&self, out: &mut Vec<u8>) {
        self.queue.save(out);
        put(&(&self.fresh, self.freed, &self.draws), out);
        self.ranked.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.queue.load(from)?;
        (self.fresh, self.freed, self.draws) = take(from)?;
        self.ranked.load(from)
    }
}
