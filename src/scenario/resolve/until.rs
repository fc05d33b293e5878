//! The end of a run.

use crate::findings::target::Precision;
use crate::kernel::time::Time;
use crate::scenario::path::Path;
use crate::scenario::plan::Until;
use crate::scenario::raw;

use super::{Resolver, each, path};

impl Resolver<'_> {
    pub(super) fn until(&mut self, precision: Option<&Precision>) -> Until {
        let at = path("run.until");
        match &self.raw.run.until {
            raw::Until::Drained {} => Until::Drained,
            raw::Until::Jobs(jobs) => self.until_jobs(at, *jobs),
            raw::Until::Rounds(rounds) => self.until_rounds(at, *rounds),
            raw::Until::Time(units) => self.until_time(at, *units),
            raw::Until::Precision(written) => match (written.each, precision) {
                (None, Some(precision)) => Until::Jobs(precision.at_most),
                (None, None) | (Some(raw::Each::Drained {}), _) => Until::Drained,
                (Some(raw::Each::Jobs(jobs)), _) => self.until_jobs(each(), jobs),
                (Some(raw::Each::Rounds(rounds)), _) => self.until_rounds(each(), rounds),
                (Some(raw::Each::Time(units)), _) => self.until_time(each(), units),
            },
        }
    }

    pub(super) fn until_jobs(&mut self, at: Path, jobs: u64) -> Until {
        if jobs == 0 {
            self.wrong(at.key("jobs"), "a run needs at least 1 job");
        }
        Until::Jobs(jobs.max(1))
    }

    pub(super) fn until_rounds(&mut self, at: Path, rounds: u64) -> Until {
        if rounds == 0 {
            self.wrong(at.key("rounds"), "a run needs at least 1 round");
        }
        Until::Rounds(rounds.max(1))
    }

    pub(super) fn until_time(&mut self, at: Path, units: f64) -> Until {
        match Time::from_units(units) {
            Ok(Time::ZERO) => {
                self.wrong(at.key("time"), "a run needs a time above 0");
                Until::Drained
            }
            Ok(time) => Until::Time(time),
            Err(error) => {
                self.wrong(at.key("time"), error.to_string());
                Until::Drained
            }
        }
    }
}
