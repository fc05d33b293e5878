//! Replications in parallel, their results in order.

use std::time::{Duration, Instant};

use super::error::RunError;
use findings::stop::Goal;
use kernel::parallel;

/// Replications in memory for each of several threads, if replications are long.
const FEWEST: u32 = 2;

/// The same if they are short: threads wait for each other before results are added.
const MOST: u32 = 32;

/// Time that threads should run before they wait for each other.
const SHORT: Duration = Duration::from_millis(20);

/// Runs replications in parallel and passes their results to `add` in order of their number; `add`
/// may ask for more replications, and use the same threads.
pub(super) fn each<T: Send>(
    goal: &mut Goal,
    threads: usize,
    one: impl Fn(u32) -> Result<T, RunError> + Sync,
    mut add: impl FnMut(T, &mut Goal) -> Result<(), RunError> + Send,
) -> Result<(), RunError> {
    // In a pool that is large enough, threads that would wait take work of whoever else runs in it.
    let has_pool =
        rayon::current_thread_index().is_some() && rayon::current_num_threads() >= threads;
    let pool = (threads > 1 && !has_pool)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
        .transpose()?;
    let span = tracing::Span::current();
    let (mut next, mut of_each) = (0, FEWEST);
    while next < goal.wanted() {
        let most = if threads == 1 { 1 } else { of_each * threads as u32 };
        let chunk = next..goal.wanted().min(next.saturating_add(most));
        next = chunk.end;
        let begun = Instant::now();
        let of = |number: usize| span.in_scope(|| one(chunk.start + number as u32));
        let ran: Vec<Result<T, RunError>> = match &pool {
            None if threads == 1 => chunk.clone().map(&one).collect(),
            None => parallel::map(chunk.len(), of),
            Some(pool) => pool.install(|| parallel::map(chunk.len(), of)),
        };
        of_each = match begun.elapsed() < SHORT {
            true => MOST.min(2 * of_each),
            false => FEWEST.max(of_each / 2),
        };
        // Report errors before interruptions.
        let is_wrong = |one: &Result<T, RunError>| {
            one.as_ref().is_err_and(|error| !matches!(error, RunError::Interrupted))
        };
        if ran.iter().any(is_wrong) {
            return ran.into_iter().filter(is_wrong).try_for_each(|one| one.map(drop));
        }
        let add_all = || ran.into_iter().try_for_each(|found| add(found?, goal));
        match &pool {
            None => add_all()?,
            Some(pool) => pool.install(|| span.in_scope(add_all))?,
        }
    }
    Ok(())
}
