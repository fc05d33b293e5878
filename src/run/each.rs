//! Replications in parallel, their results in order.
//!
//! No thread waits for another. Whoever ends a replication adds the results that are next, unless somebody
//! is at it, and takes the next number. Few replications are in memory at a time.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use rayon::Scope;

use super::error::RunError;
use findings::stop::Goal;

/// Replications in memory for each of several threads: those that run, and those that wait for an earlier
/// one.
const HELD: u32 = 2;

/// Runs replications in parallel and passes their results to `add` in order of their number; `add`
/// may ask for more replications, and use the same threads.
pub(super) fn each<T: Send>(
    goal: &mut Goal,
    threads: usize,
    one: impl Fn(u32) -> Result<T, RunError> + Sync,
    mut add: impl FnMut(T, &mut Goal) -> Result<(), RunError> + Send,
) -> Result<(), RunError> {
    if threads == 1 {
        let mut number = 0;
        while number < goal.wanted() {
            add(one(number)?, goal)?;
            number += 1;
        }
        return Ok(());
    }
    let span = tracing::Span::current();
    let replications = Replications {
        threads: threads as u32,
        line: Mutex::new(Line::of(goal.wanted())),
        one: |number| span.in_scope(|| one(number)),
        add: Mutex::new(|found| {
            span.in_scope(|| add(found, goal))?;
            Ok(goal.wanted())
        }),
    };
    let play = || rayon::scope(|scope| replications.start(scope));
    // In a pool that is large enough, threads that have nothing to do take work of whoever else runs in it.
    let has_pool =
        rayon::current_thread_index().is_some() && rayon::current_num_threads() >= threads;
    match has_pool {
        true => play(),
        false => rayon::ThreadPoolBuilder::new().num_threads(threads).build()?.install(play),
    }
    let wrong = replications.open().wrong.take();
    wrong.map_or(Ok(()), |(_, error)| Err(error))
}

/// Replications by number, from those that are added to those that have not begun.
struct Line<T> {
    /// The first number that has not been added.
    first: u32,
    /// The first that has not begun.
    next: u32,
    /// Number of replications to add, as far as is known.
    wanted: u32,
    /// Threads that are at work.
    workers: u32,
    /// Results that have not been added.
    ready: BTreeMap<u32, T>,
    /// The first error by number; errors come before interruptions.
    wrong: Option<(u32, RunError)>,
}

impl<T> Line<T> {
    fn of(wanted: u32) -> Line<T> {
        Line { first: 0, next: 0, wanted, workers: 0, ready: BTreeMap::new(), wrong: None }
    }

    /// The next number to run. None may begin while `held` are in memory, or after an error.
    fn take(&mut self, held: u32) -> Option<u32> {
        let end = self.wanted.min(self.first.saturating_add(held));
        let number = (self.wrong.is_none() && self.next < end).then_some(self.next)?;
        self.next += 1;
        Some(number)
    }

    fn fail(&mut self, number: u32, error: RunError) {
        let order =
            |(number, error): &(u32, RunError)| (matches!(error, RunError::Interrupted), *number);
        let own = (number, error);
        if self.wrong.as_ref().is_none_or(|known| order(&own) < order(known)) {
            self.wrong = Some(own);
        }
    }
}

struct Replications<T, One, Add> {
    threads: u32,
    line: Mutex<Line<T>>,
    one: One,
    /// Adds a result, and returns how many are wanted.
    add: Mutex<Add>,
}

impl<T, One, Add> Replications<T, One, Add>
where
    T: Send,
    One: Fn(u32) -> Result<T, RunError> + Sync,
    Add: FnMut(T) -> Result<u32, RunError> + Send,
{
    fn open(&self) -> MutexGuard<'_, Line<T>> {
        self.line.lock().expect("nobody panics with it")
    }

    fn take(&self, line: &mut Line<T>) -> Option<u32> {
        line.take(HELD.saturating_mul(self.threads))
    }

    /// Lets further threads work while there is something to begin.
    fn start<'s>(&'s self, scope: &Scope<'s>) {
        let mut line = self.open();
        while line.workers < self.threads
            && let Some(number) = self.take(&mut line)
        {
            line.workers += 1;
            scope.spawn(move |scope| self.work(number, scope));
        }
    }

    /// Runs one replication after the other.
    fn work<'s>(&'s self, number: u32, scope: &Scope<'s>) {
        let mut next = Some(number);
        while let Some(number) = next {
            match (self.one)(number) {
                Ok(found) => _ = self.open().ready.insert(number, found),
                Err(error) => self.open().fail(number, error),
            }
            self.add_ready(scope);
            let mut line = self.open();
            next = self.take(&mut line);
            line.workers -= u32::from(next.is_none());
        }
    }

    /// Adds the results that are next, unless another thread does, or this one in an outer call.
    fn add_ready<'s>(&'s self, scope: &Scope<'s>) {
        let is_ready = |line: &Line<T>| line.ready.contains_key(&line.first);
        while is_ready(&self.open()) {
            let Ok(mut add) = self.add.try_lock() else { return };
            loop {
                let mut line = self.open();
                let number = line.first;
                let Some(found) = line.ready.remove(&number) else { break };
                drop(line);
                let wanted = add(found);
                let mut line = self.open();
                match wanted {
                    Ok(wanted) => (line.first, line.wanted) = (number + 1, wanted),
                    Err(error) => line.fail(number, error),
                }
                drop(line);
                self.start(scope);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    use super::*;
    use workload::SourceError;

    fn wrong(number: u32) -> RunError {
        RunError::Source(SourceError(number.to_string()))
    }

    /// The first replication takes longest, so the others end in another order.
    #[test]
    fn results_are_added_in_order_and_few_are_in_memory() {
        for threads in [1, 2, 5] {
            let (held, mut added) = (AtomicU32::new(0), Vec::new());
            let one = |number| {
                let most = HELD * threads as u32;
                assert!(held.fetch_add(1, Ordering::Relaxed) < most, "too many in memory");
                std::thread::sleep(Duration::from_millis(if number == 0 { 20 } else { 1 }));
                Ok(number)
            };
            let add = |number, _: &mut Goal| {
                held.fetch_sub(1, Ordering::Relaxed);
                added.push(number);
                Ok(())
            };
            each(&mut Goal::fixed(50), threads, one, add).expect("nothing is wrong");
            assert!(added.into_iter().eq(0..50), "{threads} threads");
        }
    }

    /// An interruption is told only if nothing else is wrong, and what comes before an error is added.
    #[test]
    fn the_first_error_ends_all() {
        for threads in [1, 2, 5] {
            let mut added = 0;
            let one = |number| match number {
                7 => Err(wrong(number)),
                8 => Err(RunError::Interrupted),
                9 => Err(wrong(number)),
                _ => Ok(number),
            };
            let add = |number, _: &mut Goal| {
                added = number;
                Ok(())
            };
            let error = each(&mut Goal::fixed(50), threads, one, add).expect_err("one is wrong");
            assert_eq!((error.to_string().as_str(), added), ("7", 6), "{threads} threads");
            let add = |number, _: &mut Goal| if number == 3 { Err(wrong(100)) } else { Ok(()) };
            let error = each(&mut Goal::fixed(50), threads, Ok, add).expect_err("one is wrong");
            assert_eq!(error.to_string(), "100");
        }
    }
}
