//! Facts of a trace about a job, besides its request.

use serde::{Deserialize, Serialize};

use super::ids::ClusterId;
use crate::kernel::time::Span;

/// A job's recorded waiting time, and the cluster that its partition stands for. Jobs that come
/// from no trace have neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// In ticks; negative if there is none.
    wait: i64,
    /// `u32::MAX` if there is none.
    cluster: u32,
}

impl Default for Recorded {
    fn default() -> Recorded {
        Recorded::new(None, None)
    }
}

impl Recorded {
    /// Creates the record of a job.
    pub fn new(wait: Option<Span>, cluster: Option<ClusterId>) -> Recorded {
        Recorded {
            wait: wait.map_or(-1, |wait| wait.ticks().max(0)),
            cluster: cluster.map_or(u32::MAX, |cluster| cluster.0),
        }
    }

    /// Returns the time that it waited on the real machine.
    #[inline]
    pub fn wait(&self) -> Option<Span> {
        (self.wait >= 0).then(|| Span::from_ticks(self.wait))
    }

    /// Returns the only cluster that it may use.
    #[inline]
    pub fn cluster(&self) -> Option<ClusterId> {
        (self.cluster != u32::MAX).then_some(ClusterId(self.cluster))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_recorded_unless_it_is_given() {
        assert_eq!((Recorded::default().wait(), Recorded::default().cluster()), (None, None));
        let both = Recorded::new(Some(Span::ZERO), Some(ClusterId(0)));
        assert_eq!((both.wait(), both.cluster()), (Some(Span::ZERO), Some(ClusterId(0))));
        assert_eq!(size_of::<Recorded>(), 16);
    }
}
