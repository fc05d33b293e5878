//! Schedulers of one cluster: which waiting job starts now.
//!
//! To add one: copy the smallest neighbour (`fcfs.rs`), and add its line to the registry below. The
//! scenario reader, `gridpact check`, the conformance tests and the saved state pick it up from
//! there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::rng::Streams;
use crate::kernel::state::{Corrupt, State};
use crate::kernel::time::Time;
use crate::model::entry::Entry;
use crate::model::ids::JobId;
use crate::model::jobs::Running;
use crate::model::view::{Submission, View};

pub mod conservative;
pub mod easy;
mod ends;
pub mod fcfs;
pub mod list;
mod queue;
pub mod reason;

pub use reason::{Reason, Reserved};

/// Decides, on one space-shared cluster, which waiting jobs start.
///
/// The scheduler owns its waiting structure. It hears of submissions and completions as they happen
/// and is asked to decide once an instant, when everything due has happened. A job may outrun its
/// expected length: it is then expected to end one tick from now.
pub trait LocalScheduler: State {
    /// What it sees of a job.
    type Sees: View;

    /// A job came to this cluster and waits. It needs no more processors than the cluster has.
    fn submit(&mut self, job: Self::Sees, now: Time);

    /// A job that ran here since `started` has ended.
    fn finish(&mut self, job: Self::Sees, started: Time, now: Time);

    /// A waiting job goes elsewhere.
    fn withdraw(&mut self, job: JobId);

    /// Pushes onto `start` the waiting jobs that start now, in the order in which they start. They
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

    /// Tells of every waiting job why it did not start, in the scheduler's order, when a decision
    /// at `now` has left `free` processors. `running` may show more than the scheduler sees, for
    /// what is told only. One that tells nothing is not explained.
    fn reasons(
        &self,
        now: Time,
        free: u32,
        running: Running<'_, Submission>,
        tell: &mut dyn FnMut(JobId, Reason),
    ) {
        let _ = (now, free, running, tell);
    }
}

/// What a scheduler is built for.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The cluster's name, which also names its random streams.
    pub name: &'a str,
    /// The cluster's processors.
    pub processors: u32,
    /// The streams of the run's replication.
    pub streams: &'a Streams,
}

/// One line a scheduler: its variant, its module, its type, its summary and its source.
macro_rules! registry {
    ($($variant:ident, $module:ident::$type:ident, $summary:literal, $citation:literal;)*) => {
        /// A scheduler as a scenario names it, with its parameters.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum LocalOptions {
            $(#[doc = $summary] $variant($module::Options),)*
        }

        /// A registered scheduler, built. One lives in each cluster, so size matters less than that
        /// no decision goes through a pointer.
        #[derive(Clone, Debug)]
        #[allow(clippy::large_enum_variant)]
        pub enum AnyLocal {
            $(#[doc = $summary] $variant($module::$type),)*
        }

        /// All registered schedulers, in the order in which they are listed.
        pub const REGISTRY: &[Entry] = &[
            $(Entry::new(stringify!($module), $citation),)*
        ];

        impl LocalOptions {
            /// Builds the scheduler for a cluster.
            pub fn build(&self, setup: &Setup<'_>) -> AnyLocal {
                match self {
                    $(Self::$variant(options) => {
                        AnyLocal::$variant($module::$type::new(options, setup))
                    })*
                }
            }

            /// Its name in a scenario.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => stringify!($module),)*
                }
            }

            /// True where its view needs an expected length.
            fn sees_expected(&self) -> bool {
                match self {
                    $(Self::$variant(_) => {
                        <<$module::$type as LocalScheduler>::Sees as View>::NEEDS_EXPECTED
                    })*
                }
            }

            /// Every scheduler with its default parameters.
            pub fn defaults() -> Vec<LocalOptions> {
                vec![$(Self::$variant($module::Options::default()),)*]
            }
        }

        impl State for AnyLocal {
            fn save(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$variant(scheduler) => scheduler.save(out),)*
                }
            }
            fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
                match self {
                    $(Self::$variant(scheduler) => scheduler.load(from),)*
                }
            }
        }

        /// Cuts what the world hands out to what each scheduler asked to see.
        impl LocalScheduler for AnyLocal {
            type Sees = Submission;

            #[inline]
            fn submit(&mut self, job: Submission, now: Time) {
                match self {
                    $(Self::$variant(scheduler) => scheduler.submit(View::cut(&job), now),)*
                }
            }
            #[inline]
            fn finish(&mut self, job: Submission, started: Time, now: Time) {
                match self {
                    $(Self::$variant(scheduler) => {
                        scheduler.finish(View::cut(&job), started, now);
                    })*
                }
            }
            fn withdraw(&mut self, job: JobId) {
                match self {
                    $(Self::$variant(scheduler) => scheduler.withdraw(job),)*
                }
            }
            #[inline]
            fn decide(
                &mut self,
                now: Time,
                free: u32,
                running: Running<'_, Submission>,
                start: &mut Vec<JobId>,
            ) {
                match self {
                    $(Self::$variant(scheduler) => {
                        scheduler.decide(now, free, running.cut(), start);
                    })*
                }
            }
            #[inline]
            fn wake(&self) -> Option<Time> {
                match self {
                    $(Self::$variant(scheduler) => scheduler.wake(),)*
                }
            }
            fn reasons(
                &self,
                now: Time,
                free: u32,
                running: Running<'_, Submission>,
                tell: &mut dyn FnMut(JobId, Reason),
            ) {
                match self {
                    $(Self::$variant(scheduler) => scheduler.reasons(now, free, running, tell),)*
                }
            }
        }
    };
}

registry! {
    Fcfs, fcfs::Fcfs,
        "First come, first served: nobody overtakes.",
        "folklore; see Feitelson et al., Theory and practice in parallel job scheduling, 1997";
    Easy, easy::Easy,
        "EASY backfilling: a job may overtake if it does not delay the first of the queue.",
        "Lifka 1995; Mualem and Feitelson, IEEE TPDS 12(6), 2001";
    Conservative, conservative::Conservative,
        "Conservative backfilling: every job has a reservation that no later job pushes back.",
        "Mualem and Feitelson, IEEE TPDS 12(6), 2001";
    List, list::List,
        "List scheduling: the first job of the list that fits starts; none blocks another.",
        "Garey and Graham, SIAM J. Comput. 4(2), 1975";
}

impl LocalOptions {
    /// True where the scheduler needs to be told expected lengths.
    pub fn needs_expected(&self) -> bool {
        match self {
            LocalOptions::List(options) => options.order.needs_expected(),
            other => other.sees_expected(),
        }
    }
}
