//! What `run.until.precision` asks for, and whether the run can tell it.

use std::ops::Range;

use super::{Resolver, each, path};
use crate::policy::local::LocalOptions;
use crate::policy::local::list::Order;
use crate::scenario::path::Path;
use crate::scenario::plan::precision::{
    By, JOBS, MOST_JOBS, MOST_REPLICATIONS, Precision, REPLICATIONS, Width,
};
use crate::scenario::plan::{Cluster, ClusterKind, Workload};
use crate::scenario::raw::{self, Each, Metric};
use crate::sim::accounts::COARSE_ORGANIZATIONS;

fn at(key: &str) -> Path {
    path("run.until.precision").key(key)
}

impl Resolver<'_> {
    /// Until what is known how well, where that ends the run and nothing is wrong with it.
    pub(super) fn precision(&mut self) -> Option<Precision> {
        let raw = self.raw;
        let raw::Until::Precision(written) = &raw.run.until else { return None };
        let before = self.errors.len();
        let by = if written.each.is_some() { By::Replications } else { By::Batches };
        self.is_measured(written, by);
        self.no_fixed_number();
        let width = self.width(written);
        let organizations = self.of_whom(written, by);
        let (at_least, at_most) = self.bounds(written, by);
        self.nothing_found_first(by);
        let (metric, width) = (written.metric, width?);
        let precision = Precision { metric, width, organizations, by, at_least, at_most };
        (self.errors.len() == before).then_some(precision)
    }

    /// The run has the figure, and its interval.
    fn is_measured(&mut self, written: &raw::Precision, by: By) {
        let (metric, name) = (written.metric, written.metric.name());
        let of = |measures: fn(Metric) -> bool| {
            let all = Metric::ALL.into_iter().filter(|&metric| measures(metric));
            all.map(|metric| format!("`{}`", metric.name())).collect::<Vec<_>>().join(", ")
        };
        if self.raw.coalition.is_some() {
            if !metric.is_of_rounds() {
                let message = format!("a coalition's rounds have no {}", name.replace('_', " "));
                let help = format!("take one of {}", of(Metric::is_of_rounds));
                self.help(at("metric"), message, help);
            }
            if !matches!(written.each, Some(Each::Rounds(_))) {
                let (at, message) = match written.each {
                    None => (path("run.until.precision"), "replications of rounds are added"),
                    Some(_) => (each(), "a coalition is played in rounds"),
                };
                self.help(at, message, "say how many rounds each has: `each.rounds = 200`");
            }
            return;
        }
        if !metric.is_of_grid() {
            let message = format!("without a coalition nobody has a {}", name.replace('_', " "));
            let help = format!("take one of {}, or write a `[coalition]`", of(Metric::is_of_grid));
            self.help(at("metric"), message, help);
        } else if by == By::Batches && !metric.is_of_jobs() {
            let message = format!("the batches of one run do not tell how sure its {name} is");
            let help = "add replications: `each.jobs = 10_000`, or `each.time`, or `each.drained`";
            self.help(at("metric"), message, help);
        }
        if matches!(written.each, Some(Each::Rounds(_))) {
            let help = "write a `[coalition]`, or `each.time`, `each.jobs` or `each.drained`";
            self.help(each().key("rounds"), "without a coalition there are no rounds", help);
        }
    }

    /// The number of replications is found and not given.
    fn no_fixed_number(&mut self) {
        let at = path("run.replications");
        if self.is_written(&at) && self.raw.run.replications != 1 {
            let message = "`until.precision` finds how many replications are needed";
            let help = "leave it out; `at_least` and `at_most` of `until.precision` bound them";
            self.help(at, message, help);
        }
    }

    /// A run that goes on until its batches are enough has no first run that finds what counts.
    fn nothing_found_first(&mut self, by: By) {
        let output = &self.raw.output;
        if by == By::Replications {
            return;
        }
        let message = "nobody knows beforehand how long this run goes on";
        if output.warm_up == (raw::WarmUp::Mser5 {}) {
            let help = "say when the warm-up is over: `output.warm_up.fixed = 1000.0`, or add \
                        replications with `until.precision.each`";
            self.help(path("output.warm_up"), message, help);
        }
        if output.cool_down > 0.0 {
            let help = "leave it out: jobs that have not ended when the run stops do not count";
            self.help(path("output.cool_down"), message, help);
        }
    }

    /// Replications of given jobs are all alike.
    pub(super) fn check_replications(&mut self, precision: Option<&Precision>) {
        let added = precision.filter(|precision| precision.by == By::Replications);
        let is_drawn = |workload: &Workload| workload.kind.drawn().is_some();
        let is_random = |cluster: &Cluster| match &cluster.kind {
            ClusterKind::SpaceShared { scheduler: LocalOptions::List(options), .. } => {
                options.order == Order::Random
            }
            ClusterKind::SpaceShared { .. } | ClusterKind::TimeShared { .. } => false,
        };
        if added.is_some()
            && self.raw.coalition.is_none()
            && !self.workloads.iter().any(is_drawn)
            && !self.clusters.iter().any(is_random)
        {
            let message = "these jobs are given, so that replications of them are all alike";
            let help = "leave `each` out, so that the batches of one run tell how sure it is";
            self.help(each(), message, help);
        }
    }

    fn width(&mut self, written: &raw::Precision) -> Option<Width> {
        let help = "write `relative = 0.01` for one percent, or `absolute = 5.0` in its units";
        match (written.relative, written.absolute) {
            (Some(_), Some(_)) => {
                let message = "the width is given twice, as a share and in units";
                self.help(at("absolute"), message, "leave one of them out");
                None
            }
            (None, None) => {
                let message = "how narrow is the interval to be?";
                self.help(path("run.until.precision"), message, help);
                None
            }
            (Some(share), None) if share > 0.0 && share < 1.0 => Some(Width::Relative(share)),
            (Some(share), None) => {
                let message = format!("{share} is no share between 0 and 1");
                self.help(at("relative"), message, help);
                None
            }
            (None, Some(amount)) if amount > 0.0 && amount.is_finite() => {
                Some(Width::Absolute(amount))
            }
            (None, Some(amount)) => {
                let message = format!("no interval is as narrow as {amount}");
                self.help(at("absolute"), message, help);
                None
            }
        }
    }

    /// The organizations whose figure it is. In a coalition an entry with a count is a class.
    fn of_whom(&mut self, written: &raw::Precision, by: By) -> Option<Range<usize>> {
        let name = written.organization.as_ref()?;
        if by == By::Batches && self.organizations.len() > COARSE_ORGANIZATIONS {
            let message = format!(
                "with more than {COARSE_ORGANIZATIONS} organizations only the whole grid is cut \
                 into batches"
            );
            let help = "leave `organization` out, or add replications with `each`";
            self.help(at("organization"), message, help);
        }
        let mut first = 0;
        for entry in self.raw.organization.iter().filter(|_| self.raw.coalition.is_some()) {
            let members = first..first + entry.count as usize;
            if entry.name == *name && entry.count > 1 {
                return Some(members);
            }
            first = members.end;
        }
        let index = self.known_organization(name, at("organization"))?.index();
        Some(index..index + 1)
    }

    /// Before how many there is no look, and after how many the run ends in any case.
    fn bounds(&mut self, written: &raw::Precision, by: By) -> (u64, u64) {
        let (least, most, few) = match by {
            By::Replications => (REPLICATIONS, MOST_REPLICATIONS, 2),
            By::Batches => (JOBS, MOST_JOBS, 1024),
        };
        let (one, several) = by.words();
        let at_most = written.at_most.unwrap_or(most.max(written.at_least.unwrap_or(0)));
        let at_least = written.at_least.unwrap_or(least.min(at_most));
        let key = if written.at_least.is_some() { "at_least" } else { "at_most" };
        if at_least < few {
            let message = format!(
                "{at_least} {} no interval",
                if at_least == 1 { format!("{one} tells") } else { format!("{several} tell") }
            );
            self.help(at(key), message, format!("give {few} or more"));
        } else if at_least > at_most {
            let message = format!("at least {at_least} {several} and at most {at_most}");
            self.help(at("at_most"), message, "give the larger number here");
        } else if by == By::Replications && u32::try_from(at_most).is_err() {
            let message = format!("{at_most} replications are more than can be numbered");
            self.help(at("at_most"), message, format!("give {} or less", u32::MAX));
        }
        (at_least, at_most)
    }
}
