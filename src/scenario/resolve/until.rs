//! The end of a run.

use crate::path::Path;
use crate::plan::{Until, longest};
use crate::raw;
use findings::target::Precision;
use kernel::time::Time;

use super::{Resolver, each, path};

impl Resolver<'_> {
    pub(super) fn until(&mut self, precision: Option<&Precision>) -> Until {
        let at = path("run.until");
        match &self.raw.run.until {
            raw::Until::Drained {} => Until::Drained,
            raw::Until::Jobs(jobs) => Until::Jobs((*jobs).max(1)),
            raw::Until::Rounds(rounds) => Until::Rounds((*rounds).max(1)),
            raw::Until::GoesOn(probability) => {
                Until::Rounds(longest(*probability, self.raw.seed, self.raw.run.replications))
            }
            raw::Until::Time(units) => self.until_time(at, *units),
            raw::Until::Precision(written) => match (written.each, precision) {
                (None, Some(precision)) => Until::Jobs(precision.at_most),
                (None, None) | (Some(raw::Each::Drained {}), _) => Until::Drained,
                (Some(raw::Each::Jobs(jobs)), _) => Until::Jobs(jobs.max(1)),
                (Some(raw::Each::Rounds(rounds)), _) => Until::Rounds(rounds.max(1)),
                (Some(raw::Each::Time(units)), _) => self.until_time(each(), units),
            },
        }
    }

    fn until_time(&mut self, at: Path, units: f64) -> Until {
        Until::Time(Time::ZERO + self.length(units, at.key("time")))
    }
}
