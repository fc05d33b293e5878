//! One organization's cluster in a pool, and beside it the shadow: the same jobs served alone.

use crate::game::stage::{Act, Terms};
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::{Span, Time};
use crate::model::job::Job;
use crate::workload::{Source, SourceError};

use super::loads::Loads;
use super::queue::{Done, Queue, Sends};
use super::turn::Turn;
use super::{PoolError, PoolObserver};

/// A cluster of the pool.
#[derive(Clone, Debug)]
pub(super) struct Server<S> {
    /// Its number: that of its organization.
    pub number: u32,
    pub loads: Loads<S>,
    pub queue: Queue,
    /// When the shadow has done all that came, with the backlog of the round's start and without
    /// any foreign work.
    alone: Time,
    /// On which terms it takes part in this round; `None` where it stays out.
    pub terms: Option<Terms>,
    /// Jobs of the window that are not over yet.
    pub open: u64,
    pub turn: Turn,
}

/// Which jobs of a round count: those submitted from `from` on and before `until`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    pub from: Time,
    pub until: Time,
}

/// Entries in a queue beyond which those that are over are taken out at a submission.
const LONG: usize = 32;

impl<S: Source<Load = Job>> Server<S> {
    pub fn new(number: u32, loads: Loads<S>) -> Server<S> {
        Server {
            number,
            loads,
            queue: Queue::default(),
            alone: Time::ZERO,
            terms: None,
            open: 0,
            turn: Turn::absent(),
        }
    }

    /// Begins a round in which it does this. Own jobs of the round before are there still where
    /// rounds continue, and count no more.
    pub fn begin(&mut self, start: Time, act: Act) {
        self.terms = act.terms();
        self.alone = self.queue.alone(start);
        self.open = 0;
        self.turn = Turn { present: true, act, ..Turn::absent() };
    }

    /// Takes the jobs that are submitted before `limit`.
    #[inline]
    pub fn submit_before<O: PoolObserver>(
        &mut self,
        limit: Time,
        counted: Counted,
        observer: &mut O,
    ) -> Result<(), PoolError> {
        while self.loads.at() < limit {
            let Some(load) = self.loads.take()? else { break };
            let counts = counted.from <= load.submit && load.submit < counted.until;
            let late = PoolError::OutOfTime { cluster: self.number, job: load.number };
            let begins = self.alone.max(load.submit);
            let alone = begins.checked_add(load.size).filter(|&end| end < Time::NEVER);
            self.alone = alone.ok_or_else(|| late.clone())?;
            if self.queue.len() >= LONG {
                self.serve(load.submit, observer);
            }
            let end = self.queue.submit(load.number, load.submit, load.size, self.alone, counts);
            end.ok_or(late)?;
            if counts {
                self.open += 1;
                self.turn.jobs += 1;
                self.turn.alone += i128::from((self.alone - load.submit).ticks());
                self.turn.brought += i128::from(load.size.ticks());
            }
        }
        Ok(())
    }

    /// Takes out what is over.
    #[inline]
    pub fn serve<O: PoolObserver>(&mut self, now: Time, observer: &mut O) {
        let Server { queue, open, turn, number, .. } = self;
        queue.serve(now, |done| finish(*number, open, turn, &done, observer));
    }

    /// Sends own work.
    #[inline]
    pub fn send<O: PoolObserver>(
        &mut self,
        now: Time,
        amount: Span,
        back: Time,
        sends: Sends,
        observer: &mut O,
    ) {
        let Server { queue, open, turn, number, .. } = self;
        turn.sent += i128::from(amount.ticks());
        queue.send(now, amount, back, sends, |done| finish(*number, open, turn, &done, observer));
    }

    /// Receives foreign work.
    #[inline]
    pub fn receive(&mut self, now: Time, amount: Span) -> Result<Time, PoolError> {
        self.turn.received += i128::from(amount.ticks());
        self.queue.receive(now, amount).ok_or(PoolError::Endless { cluster: self.number })
    }

    /// The round is over at `end`: what counts and is there still has the end that is planned.
    pub fn close<O: PoolObserver>(&mut self, end: Time, observer: &mut O) {
        self.serve(end, observer);
        let Server { queue, open, turn, number, .. } = self;
        queue.close(|done| finish(*number, open, turn, &done, observer));
    }
}

/// An own job is over.
#[inline]
fn finish<O: PoolObserver>(
    cluster: u32,
    open: &mut u64,
    turn: &mut Turn,
    done: &Done,
    observer: &mut O,
) {
    if done.job.counts {
        *open -= 1;
        turn.flow += i128::from(done.flow().ticks());
    }
    observer.finished(cluster, done);
}

/// Built from the scenario: the source's own place is part of its loads.
impl<S: Source<Load = Job>> State for Server<S> {
    fn save(&self, out: &mut Vec<u8>) {
        self.loads.save(out);
        put(&(&self.queue, self.alone, self.terms, self.open, self.turn), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.loads.load(from)?;
        (self.queue, self.alone, self.terms, self.open, self.turn) = take(from)?;
        Ok(())
    }
}

impl From<SourceError> for PoolError {
    fn from(error: SourceError) -> PoolError {
        PoolError::Source(error)
    }
}
