//! Flow times of early and late parts of a replication.

use kernel::state_of_fields;
use sim::accounts::Counting;
use sim::observer::{Finished, Observer};
use stats::course::Course;

/// Flow times of a replication's jobs that count, by submission time; an [`Observer`].
#[derive(Clone, Debug)]
pub struct Early {
    counting: Counting,
    /// Flow times of the whole grid.
    pub flows: Course,
}

state_of_fields!(Early { flows });

impl Early {
    /// An observer without jobs; `counting` says which jobs count.
    pub fn new(counting: Counting) -> Early {
        Early { counting, flows: Course::default() }
    }
}

impl Observer for Early {
    #[inline]
    fn finished(&mut self, finished: Finished<'_>) {
        let submit = finished.job.submit;
        if self.counting.from <= submit && submit < self.counting.until {
            let after = (submit - self.counting.from).ticks() as u64;
            self.flows.add(after, finished.flow().ticks());
        }
    }
}
