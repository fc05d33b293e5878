//! Parameters of a synthetic workload in a scenario.

use std::path::PathBuf;

use crate::arrivals::Arrivals;
use crate::batches::Batches;
use crate::draw::Sizes;
use crate::estimates::{Estimates, is_exact};
use crate::parameters::END;
use crate::profile::Profile;
use crate::rounding::RoundingOptions;
use crate::widths::Widths;
use model::bounds::{Bounds, Inside, ONE_OR_MORE, SHARE, parameters};
use model::invalid::Invalid;

/// A number of users, whose usual runtimes are in memory.
const USERS: Bounds<'_> = Bounds::of("a number of users").from(1.0).to(1e6);

parameters! {
    /// A workload of independent draws.
    pub struct SyntheticOptions {
        /// Arrival process.
        arrivals: Arrivals as Inside,
        /// Number of jobs per arrival, by default 1; a rate counts arrivals.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        batches: Option<Batches> as Inside,
        /// Variation of the rate over the day or week.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        profile: Option<Profile> as Inside,
        /// Runtimes.
        size: Sizes as Inside,
        /// Number of processors; by default 1.
        #[serde(default)]
        processors: Widths as Inside,
        /// Users who repeat themselves; without them all runtimes are independent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        users: Option<Users> as Inside,
        /// User estimates of the runtimes.
        #[serde(default, skip_serializing_if = "is_exact")]
        estimates: Estimates as Inside,
        /// Rounding of times to whole units.
        #[serde(default, skip_serializing_if = "RoundingOptions::is_none")]
        rounding: RoundingOptions,
        /// Number of jobs after which the stream ends.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        jobs: Option<u64> as ONE_OR_MORE,
        /// Time, in units, from which on no job arrives.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<f64> as END,
    }
    where at_once_stands_alone
}

parameters! {
    /// `users = { ... }`: jobs of a user have about the same runtime.
    #[derive(Copy)]
    pub struct Users {
        /// Number of users, numbered from 1. Each brings as many jobs as the others, on average.
        count: u32 as USERS,
        /// Spread of a user's runtimes: each is the user's usual runtime, which is drawn from `size`
        /// once, times a uniform factor from 1 less this to 1 plus this.
        spread: f64 as SHARE,
    }
}

impl SyntheticOptions {
    /// Creates an endless stream of one-processor jobs, with defaults for all else.
    pub fn new(arrivals: Arrivals, size: Sizes) -> SyntheticOptions {
        SyntheticOptions {
            arrivals,
            batches: None,
            profile: None,
            size,
            processors: Widths::default(),
            users: None,
            estimates: Estimates::default(),
            rounding: RoundingOptions::default(),
            jobs: None,
            until: None,
        }
    }

    /// Checks that jobs that come at once have a number, and no other arrivals.
    fn at_once_stands_alone(&self) -> Result<(), Invalid> {
        if !self.is_at_once() {
            return Ok(());
        }
        let wrong = |field, message: &str| Err(Invalid::new(field, message));
        match (self.jobs, &self.batches, &self.profile) {
            (None, ..) => wrong(
                "arrivals.at_once",
                "all jobs come at one instant, and their number is not given; add `jobs = ...`",
            ),
            (_, Some(_), _) => wrong(
                "batches",
                "all jobs come at one instant already; leave out one of `arrivals.at_once` and \
                 `batches`",
            ),
            (.., Some(_)) => wrong(
                "profile",
                "all jobs come at one instant, so no rate can vary; leave out one of \
                 `arrivals.at_once` and `profile`",
            ),
            _ => Ok(()),
        }
    }

    /// Returns true if all jobs come at one instant.
    pub fn is_at_once(&self) -> bool {
        matches!(self.arrivals, Arrivals::AtOnce(_))
    }

    /// Returns the files that are drawn from, each with its field.
    pub fn files_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut PathBuf)> {
        let size = self.size.file_mut().map(|file| ("size.empirical.file", file));
        let processors = self.processors.file_mut();
        size.into_iter().chain(processors.map(|file| ("processors.empirical.file", file)))
    }
}
