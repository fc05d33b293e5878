//! What came of a run for precision, for people and for files.

use serde::{Deserialize, Serialize};

use super::{Ended, Why, of_grid, of_rounds, unit_of};
use crate::report::coalition::Learned;
use crate::report::figure::{counted, figure, percent, rough};
use crate::report::results::Results;
use crate::scenario::plan::Plan;
use crate::scenario::plan::precision::{By, Precision, Width};
use crate::stats::interval::Interval;

/// How well a figure is known in the end, and why the run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// The figure, by its name in scenarios.
    pub metric: String,
    /// Whose it is; none: that of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<String>,
    /// How wide half of the interval may be, as a share of the figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<f64>,
    /// How wide half of the interval may be, in the figure's units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absolute: Option<f64>,
    /// Half of the interval in the end; none where there is no interval.
    pub half_width: Option<f64>,
    /// The same as a share of the figure.
    pub relative_half_width: Option<f64>,
    /// Replications that it took.
    pub replications: u32,
    /// Jobs of one run that it took, where it is in batches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<u64>,
    /// Why the run ended, and how often it was looked.
    #[serde(flatten)]
    pub ended: Ended,
}

impl Known {
    /// Of a grid's run, where it was for precision.
    pub fn of_grid(plan: &Plan, results: &Results, ended: Ended) -> Option<Known> {
        let precision = plan.precision.as_ref()?;
        let organization = super::single(precision);
        let name = organization.map(|one| plan.organizations[one.index()].name.clone());
        let jobs = match organization {
            Some(one) => results.accounts.organizations()[one.index()].jobs.finished,
            None => results.accounts.organizations().iter().map(|one| one.jobs.finished).sum(),
        };
        let jobs = (precision.by == By::Batches).then_some(jobs);
        let replications = results.replications.len() as u32;
        let interval = of_grid(precision, results);
        Some(Known::new(precision, ended, name, interval, (replications, jobs)))
    }

    /// Of a coalition's run, where it was for precision.
    pub fn of_rounds(plan: &Plan, learned: &Learned, ended: Ended) -> Option<Known> {
        let precision = plan.precision.as_ref()?;
        let unit = unit_of(precision, learned);
        let name = precision.organizations.is_some().then(|| unit.name.clone());
        let interval = of_rounds(precision, learned);
        Some(Known::new(precision, ended, name, interval, (learned.replications, None)))
    }

    fn new(
        precision: &Precision,
        ended: Ended,
        organization: Option<String>,
        interval: Option<Interval>,
        (replications, jobs): (u32, Option<u64>),
    ) -> Known {
        let (relative, absolute) = match precision.width {
            Width::Relative(share) => (Some(share), None),
            Width::Absolute(amount) => (None, Some(amount)),
        };
        let half_width = interval.as_ref().map(Interval::half_width);
        let share = interval.and_then(|interval| {
            let figure = f64::midpoint(interval.low, interval.high).abs();
            (figure > 0.0).then(|| interval.half_width() / figure)
        });
        Known {
            metric: precision.metric.name().to_owned(),
            organization,
            relative,
            absolute,
            half_width,
            relative_half_width: share,
            replications,
            jobs,
            ended,
        }
    }

    /// True where the interval is as narrow as it was to be.
    pub fn is_reached(&self) -> bool {
        self.ended.why == Why::Precision
    }

    /// True where one run was stopped, since its batches were enough.
    pub fn is_stopped(&self) -> bool {
        self.jobs.is_some() && self.is_reached()
    }

    /// Whose which figure it is: `mean flow of `physics``.
    fn what(&self) -> String {
        let metric = self.metric.replace('_', " ");
        let of = self.organization.as_ref().map(|name| format!(" of `{name}`"));
        format!("{metric}{}", of.unwrap_or_default())
    }

    /// How wide half of the interval is, and may be.
    fn widths(&self) -> (Option<String>, String) {
        match (self.relative, self.absolute) {
            (Some(share), _) => (self.relative_half_width.map(fine_percent), fine_percent(share)),
            (None, amount) => (self.half_width.map(rough), figure(amount.unwrap_or_default())),
        }
    }

    /// What it took.
    fn number(&self) -> String {
        match self.jobs {
            Some(jobs) => counted(jobs, "job", "jobs"),
            None => counted(self.replications.into(), "replication", "replications"),
        }
    }

    /// What came of it, in a line.
    pub fn line(&self) -> String {
        let (known, wanted) = self.widths();
        let known =
            known.map_or_else(|| "not at all".to_owned(), |known| format!("within {known}"));
        let looks = counted(self.ended.looks.into(), "look", "looks");
        let end = match self.ended.why {
            Why::Precision => format!("{wanted} asked for, after {looks}"),
            Why::AtMost => format!("{wanted} asked for, but `at_most` ended the run"),
            Why::Drained => format!("{wanted} asked for, but no job comes any more"),
        };
        format!("precision: with {} {} is known {known} ({end})", self.number(), self.what())
    }

    /// What must be said where the precision was not reached.
    pub fn warning(&self) -> Option<String> {
        let (known, wanted) = self.widths();
        let (why, remedy) = match self.ended.why {
            Why::Precision => return None,
            Why::AtMost => ("`at_most` ended the run", "; raise `until.precision.at_most`"),
            Why::Drained => ("no job comes any more", ""),
        };
        Some(match known {
            Some(known) => format!(
                "the precision was not reached: {} is known within {known}, and {wanted} was asked \
                 for; after {} {why}{remedy}",
                self.what(),
                self.number()
            ),
            None => format!(
                "the precision was not reached: of {} there is no interval; after {} {why}{remedy}",
                self.what(),
                self.number()
            ),
        })
    }
}

/// A share as a percentage, small ones too: `0.25%`.
fn fine_percent(share: f64) -> String {
    if share >= 0.1 { percent(share) } else { format!("{}%", rough(share * 100.0)) }
}
