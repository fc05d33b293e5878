//! Schedulers of one cluster: which waiting job starts now.

use crate::kernel::state::State;
use crate::kernel::time::Time;
use crate::model::ids::JobId;
use crate::model::view::View;

/// Decides, on one space-shared cluster, which waiting jobs start.
///
/// The scheduler owns its waiting structure. It hears of submissions and completions as they happen
/// and is asked to decide once an instant, when everything due has happened. A job may outrun its
/// expected length: it is then expected to end one tick from now.
pub trait LocalScheduler: State {
    /// What it sees of a job.
    type Sees: View;

    /// A job came to this cluster and waits.
    fn submit(&mut self, job: Self::Sees, now: Time);

    /// A job that ran here since `started` has ended.
    fn finish(&mut self, job: Self::Sees, started: Time, now: Time);

    /// A waiting job goes elsewhere.
    fn withdraw(&mut self, job: JobId);

    /// Pushes onto `start` the waiting jobs that start now, in the order in which they start; they
    /// need no more than `free` processors together and are no longer the scheduler's to remember.
    fn decide(
        &mut self,
        now: Time,
        free: u32,
        running: Running<'_, Self::Sees>,
        start: &mut Vec<JobId>,
    );

    /// When it wants to be asked again although nothing happens.
    fn wake(&self) -> Option<Time> {
        None
    }
}

/// The jobs that run on a cluster, in the order in which they started.
///
/// The order tells nothing about when they will end.
#[derive(Clone, Copy)]
pub struct Running<'a, V> {
    jobs: &'a dyn Fn(&mut dyn FnMut(V, Time)),
}

impl<'a, V: View> Running<'a, V> {
    /// The running jobs that `visit` goes through.
    pub fn new(visit: &'a dyn Fn(&mut dyn FnMut(V, Time))) -> Running<'a, V> {
        Running { jobs: visit }
    }

    /// Calls `each` with every running job and its start.
    pub fn for_each(&self, mut each: impl FnMut(V, Time)) {
        (self.jobs)(&mut each);
    }
}
