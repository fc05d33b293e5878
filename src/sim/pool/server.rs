//! The cluster of one organization in a pool, with its shadow: the same jobs served alone.

use game::stage::{Act, Terms};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::job::Job;
use workload::{Source, SourceError};

use super::exclusion::Probe;
use super::lie::Lie;
use super::loads::Loads;
use super::queue::{Done, Queue, Sends};
use super::turn::Turn;
use super::{PoolError, PoolObserver};

/// A cluster of the pool.
#[derive(Clone, Debug)]
pub(super) struct Server<S> {
    /// Its number, which is that of its organization.
    pub number: u32,
    pub loads: Loads<S>,
    pub queue: Queue,
    /// Time at which the shadow has served all jobs so far, including the backlog from the start of
    /// the round but no foreign work.
    alone: Time,
    /// Terms of participation in this round; `None` if it stays out.
    pub terms: Option<Terms>,
    /// The ways to cheat the balancer that it has: that of every round, honest or not, and those that it
    /// chooses among.
    pub lies: Vec<Lie>,
    /// The one of this round.
    pub lie: Lie,
    /// Its work without worth at this balancing.
    pub dummy: Span,
    /// A probe of its queue that is still to come in this round.
    pub probe: Option<Probe>,
    /// Unfinished jobs of the window.
    pub open: u64,
    pub turn: Turn,
}

/// The jobs of a round that count: submitted at `from` or later and before `until`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    pub from: Time,
    pub until: Time,
}

/// Queue length beyond which finished jobs are removed at a submission.
const LONG: usize = 32;

impl<S: Source<Load = Job>> Server<S> {
    pub fn new(number: u32, loads: Loads<S>) -> Server<S> {
        Server {
            number,
            loads,
            queue: Queue::default(),
            alone: Time::ZERO,
            terms: None,
            lies: vec![Lie::HONEST],
            lie: Lie::HONEST,
            dummy: Span::ZERO,
            probe: None,
            open: 0,
            turn: Turn::absent(),
        }
    }

    /// The queue that it declares at a balancing, where a probe may see the true one.
    pub fn declare(&mut self, now: Time, load: Span, level: Option<Span>) -> Span {
        let declared = self.lie.declared(load, level);
        if let Some(probe) = self.probe.take_if(|probe| probe.at <= now) {
            self.turn.caught |= probe.catches(load, declared);
            self.turn.falsely = self.turn.caught && self.lie.is_honest();
        }
        declared
    }

    /// Begins a round with this action. If rounds continue, own jobs of earlier rounds remain but
    /// no longer count.
    pub fn begin(&mut self, start: Time, act: Act) {
        self.enter(act.terms());
        self.alone = self.queue.alone(start);
        self.open = 0;
        self.turn = Turn { present: true, act, ..Turn::absent() };
        self.turn.lies = self.terms.is_some() && !self.lie.is_honest();
    }

    /// Sets the terms of the round, with the lie that they name.
    pub fn enter(&mut self, terms: Option<Terms>) {
        self.terms = terms;
        let chosen = terms.unwrap_or_default().lie as usize;
        self.lie = self.lies.get(chosen).copied().unwrap_or(self.lies[0]);
        self.queue.delay = self.lie.delay;
    }

    /// Takes the jobs submitted before `limit`, each of which costs one of `left`; false if that
    /// runs out.
    #[inline]
    pub(crate) fn submit_before<O: PoolObserver>(
        &mut self,
        limit: Time,
        counted: Counted,
        left: &mut u64,
        observer: &mut O,
    ) -> Result<bool, PoolError> {
        while self.loads.at() < limit {
            if *left == 0 {
                return Ok(false);
            }
            *left -= 1;
            let Some(load) = self.loads.take()? else { break };
            let counts = counted.from <= load.submit && load.submit < counted.until;
            let cluster = self.number;
            let late = || PoolError::OutOfTime { cluster, job: load.number };
            let begins = self.alone.max(load.submit);
            let alone = begins.checked_add(load.size).filter(|&end| end < Time::NEVER);
            self.alone = alone.ok_or_else(late)?;
            if self.queue.len() >= LONG {
                self.serve(load.submit, observer);
            }
            let end = self.queue.submit(load.number, load.submit, load.size, self.alone, counts);
            end.ok_or_else(late)?;
            if counts {
                self.open += 1;
                self.turn.jobs += 1;
                self.turn.alone += i128::from((self.alone - load.submit).ticks());
                self.turn.brought += i128::from(load.size.ticks());
            }
        }
        Ok(true)
    }

    /// Removes finished jobs.
    #[inline]
    pub fn serve<O: PoolObserver>(&mut self, now: Time, observer: &mut O) {
        let Server { queue, open, turn, number, .. } = self;
        queue.serve(now, |done| finish(*number, open, turn, &done, observer));
    }

    /// Sends own work, and before it work without worth.
    #[inline]
    pub fn send<O: PoolObserver>(
        &mut self,
        now: Time,
        amount: Span,
        back: Time,
        sends: Sends,
        observer: &mut O,
    ) {
        let Server { queue, open, turn, number, dummy, .. } = self;
        turn.sent += i128::from(amount.ticks());
        let worthless = amount.min(*dummy);
        *dummy -= worthless;
        let amount = amount - worthless;
        if amount == Span::ZERO {
            return;
        }
        queue.send(now, amount, back, sends, |done| finish(*number, open, turn, &done, observer));
    }

    /// Receives foreign work; returns when its results are back. Who cheats does not wait for the time that
    /// is promised, and is seen to break its word if it is later.
    #[inline]
    pub fn receive(&mut self, now: Time, amount: Span, promised: Time) -> Result<Time, PoolError> {
        self.turn.received += i128::from(amount.ticks());
        let end = self.queue.receive(now, amount);
        let end = end.ok_or(PoolError::Endless { cluster: self.number })?;
        if self.lie.is_honest() {
            debug_assert!(end <= promised, "{end} is later than {promised}");
            return Ok(promised);
        }
        self.turn.caught |= end > promised;
        Ok(end)
    }

    /// Ends the round at `end`: the remaining counted jobs keep their planned finish.
    pub fn close<O: PoolObserver>(&mut self, end: Time, observer: &mut O) {
        self.serve(end, observer);
        let Server { queue, open, turn, number, .. } = self;
        queue.close(|done| finish(*number, open, turn, &done, observer));
    }
}

/// Accounts for a finished own job.
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

/// Built from the scenario; the source's position is saved with its loads.
impl<S: Source<Load = Job>> State for Server<S> {
    fn save(&self, out: &mut Vec<u8>) {
        self.loads.save(out);
        put(&(&self.queue, self.alone, self.terms, self.probe, self.open, self.turn), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.loads.load(from)?;
        (self.queue, self.alone, self.terms, self.probe, self.open, self.turn) = take(from)?;
        Ok(())
    }
}

impl From<SourceError> for PoolError {
    fn from(error: SourceError) -> PoolError {
        PoolError::Source(error)
    }
}
