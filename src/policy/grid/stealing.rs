//! Job stealing, by which Schwiegelshohn, Tchernykh and Yahyapour (2008) suggest to distribute Grid
//! Over-Time-Submission.
//!
//! A job joins a queue of the smallest clusters that are large enough for it: the one of jobs that
//! need more than half of such a cluster, or the other. A cluster with idle processors looks at one
//! queue: the first of its own, else the second, else those of the nearest smaller clusters that have
//! any. It starts the first job there that fits, and if none does, it waits.

use serde::{Deserialize, Serialize};

use super::chain::Chain;
use super::lists::{Band, Lists, Rule};
use super::{DELAY, GridScheduler, Placement, Setup, Sites, delay};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::Time;
use model::bounds::parameters;
use model::ids::ClusterId;
use model::view::Blind;

parameters! {
    /// Parameters of job stealing.
    #[serde(default)]
    pub struct Options {
        /// The jobs of another cluster that are taken first.
        first: First = First::Near,
        /// Time that a job is under way to the cluster that takes it, in units of time. The cluster
        /// holds processors for it meanwhile.
        delay: f64 as DELAY = 0.0,
    }
}

/// The jobs that are taken first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum First {
    /// Those of the first queue that holds any.
    #[default]
    Near,
    /// Those that need more than half of the cluster that takes them. It waits until they fit.
    Big,
}

/// The first queue that holds any.
#[derive(Clone, Copy, Debug)]
struct Near;

/// Large jobs for the cluster that takes them, and then the first queue that holds any.
#[derive(Clone, Copy, Debug)]
struct Big;

/// Returns the queue of the smallest clusters that are large enough for a job.
#[inline]
fn queue(chain: &Chain, largest: u32, own: usize) -> Band {
    let (before, size) = (chain.size_before(own), chain.size(own));
    if largest > size / 2 {
        Band { above: (size / 2).max(before), most: size }
    } else {
        Band { above: before, most: size / 2 }
    }
}

impl Rule for Near {
    const LARGE_FIRST: bool = false;
    #[inline]
    fn band(chain: &Chain, _: usize, largest: u32, own: usize) -> Band {
        queue(chain, largest, own)
    }
}

impl Rule for Big {
    const LARGE_FIRST: bool = true;
    #[inline]
    fn band(chain: &Chain, _: usize, largest: u32, own: usize) -> Band {
        queue(chain, largest, own)
    }
}

#[derive(Clone, Debug)]
enum Queues {
    Near(Lists<Near>),
    Big(Lists<Big>),
}

/// Makes the same call on both kinds of queues.
macro_rules! queues {
    ($self:expr, $lists:ident => $call:expr) => {
        match &mut $self.queues {
            Queues::Near($lists) => $call,
            Queues::Big($lists) => $call,
        }
    };
}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct Stealing {
    queues: Queues,
    submitted: u64,
}

impl Stealing {
    /// Empty queues.
    pub fn new(options: &Options, setup: &Setup<'_>) -> Stealing {
        let delay = delay(options.delay);
        let queues = match options.first {
            First::Near => Queues::Near(Lists::new(setup, delay)),
            First::Big => Queues::Big(Lists::new(setup, delay)),
        };
        Stealing { queues, submitted: 0 }
    }
}

impl GridScheduler for Stealing {
    type Sees = Blind;

    #[inline]
    fn submit(&mut self, job: Blind, group: u32, _: Time) {
        let key = self.submitted;
        self.submitted += 1;
        queues!(self, lists => lists.submit(job.id, job.processors, group, key));
    }

    #[inline]
    fn freed(&mut self, cluster: ClusterId, idle: u32) {
        queues!(self, lists => lists.freed(cluster, idle));
    }

    #[inline]
    fn decide(&mut self, _: Time, _: &impl Sites, out: &mut Vec<Placement>) {
        queues!(self, lists => lists.decide(out));
    }

    /// A request for each job that was taken from another cluster, and the answer with the job.
    fn messages(&self) -> u64 {
        let stolen = match &self.queues {
            Queues::Near(lists) => lists.moved,
            Queues::Big(lists) => lists.moved,
        };
        2 * stolen
    }
}

impl State for Stealing {
    fn save(&self, out: &mut Vec<u8>) {
        match &self.queues {
            Queues::Near(lists) => lists.save(out),
            Queues::Big(lists) => lists.save(out),
        }
        put(&self.submitted, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        queues!(self, lists => lists.load(from))?;
        self.submitted = take(from)?;
        Ok(())
    }
}
