//! Mean flow time over all organizations, with its counterfactuals.

use serde::{Deserialize, Serialize};

use crate::measure::Metric;
use kernel::time::sum_as_units;
use sim::pool::turn::Turn;
use stats::interval::{Interval, Level, Sections};

/// Sums over the organizations and the rounds of the last quarter of one replication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SocialSum {
    /// Number of jobs that count.
    pub jobs: u64,
    /// Their total flow time, in ticks.
    pub flow: i128,
    /// Their total flow time if everyone stayed alone, in ticks.
    pub alone: i128,
    /// The same jobs with everyone in the coalition: their number and total flow time.
    pub everyone_in: Option<(u64, i128)>,
}

impl SocialSum {
    pub fn add(&mut self, turn: &Turn) {
        self.jobs += turn.jobs;
        self.flow += turn.flow;
        self.alone += turn.alone;
    }

    pub(crate) fn add_everyone_in(&mut self, turn: &Turn) {
        let (jobs, flow) = self.everyone_in.get_or_insert_default();
        *jobs += turn.jobs;
        *flow += turn.flow;
    }
}

/// Mean flow time of a job over all organizations and the last quarter of the rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Social {
    as_it_was: Sections,
    alone: Sections,
    everyone_in: Sections,
    /// Confidence level of the intervals.
    level: Level,
}

impl Social {
    /// No replications yet.
    pub fn new(level: Level) -> Social {
        Social { level, ..Social::default() }
    }

    pub(crate) fn add(&mut self, sum: &SocialSum) {
        let units = sum_as_units;
        self.as_it_was.add(units(sum.flow), sum.jobs as f64);
        self.alone.add(units(sum.alone), sum.jobs as f64);
        if let Some((jobs, flow)) = sum.everyone_in {
            self.everyone_in.add(units(flow), jobs as f64);
        }
    }

    /// Mean flow time of each outcome, by name.
    ///
    /// The outcomes are: as learned, everyone alone, and everyone in if that was simulated. Means
    /// are in units; the interval needs several replications.
    pub fn outcomes(&self) -> Vec<(&'static str, f64, Option<Interval>)> {
        let named = [
            ("as_learned", &self.as_it_was),
            ("everyone_alone", &self.alone),
            ("everyone_in", &self.everyone_in),
        ];
        let outcomes = named.into_iter().filter_map(|(name, sections)| {
            let mean = sections.mean()?;
            let interval = sections.interval(self.level);
            let interval = interval.map(|one| one.within(Metric::Flow.measure().range()));
            Some((name, mean, interval))
        });
        outcomes.collect()
    }
}
