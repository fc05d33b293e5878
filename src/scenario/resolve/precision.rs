//! Resolves `run.until.precision`, and checks that the run can measure it.

use std::ops::Range;

use super::mistakes::Mistakes;
use super::{MOST_REPLICATIONS as MOST_GIVEN, Resolver, each, path};
use crate::path::Path;
use crate::plan::{Cluster, ClusterKind, Workload};
use crate::raw::{self, Each, Metric};
use crate::root::Root;
use findings::measure::ALONE;
use findings::target::{By, JOBS, MOST_JOBS, MOST_REPLICATIONS, Precision, REPLICATIONS, Width};
use policy::grid::GridOptions;
use sim::accounts::{COARSE_ORGANIZATIONS, FULL_ORGANIZATIONS};

fn at(key: &str) -> Path {
    path("run.until.precision").key(key)
}

impl Resolver<'_> {
    /// Returns the precision that ends the run, if one is requested and no mistake was found.
    pub(super) fn precision(&mut self) -> Option<Precision> {
        let raw = self.raw;
        let raw::Until::Precision(written) = &raw.run.until else { return None };
        let before = self.errors.len();
        let by = if written.each.is_some() { By::Replications } else { By::Batches };
        for (index, &metric) in written.metric.0.iter().enumerate() {
            self.has(metric, metric_at(written, index), written, by);
        }
        let help = "say how many rounds each has: `each.rounds = 200`";
        match written.each {
            Some(Each::Rounds(_)) => {}
            _ if !self.root.has_rounds() => {}
            Some(_) => self.help(each(), "a coalition is played in rounds", help),
            None => {
                let at = path("run.until.precision");
                self.help(at, "replications of rounds are added", help);
            }
        }
        let organizations = self.of_whom(written, by);
        self.nothing_found_first(by);
        let replications = self.raw.run.replications;
        let precision = self.mistakes.precision(written, by, replications, organizations)?;
        (self.errors.len() == before).then_some(precision)
    }

    /// Checks that the run measures a metric and its interval.
    fn has(&mut self, metric: Metric, place: Path, written: &raw::Precision, by: By) {
        let name = metric.words();
        let world = match self.root {
            Root::Federation => "federation",
            root if root.has_rounds() => "coalition",
            _ => "grid",
        };
        let is_alone = ALONE.contains(&metric) || world == "grid" && metric.needs_alone();
        let (message, help) = if !metric.is_of(world) {
            match world {
                "coalition" | "federation" => (
                    format!("a coalition's rounds have no {name}"),
                    format!("take one of {}", measured(world)),
                ),
                _ => (
                    format!("without a coalition nobody has a {name}"),
                    format!("take one of {}, or write a `[coalition]`", measured(world)),
                ),
            }
        } else if is_alone && !self.raw.output.alone {
            let help = "set `output.alone = true`, which simulates every organization alone too";
            (format!("without organizations alone there is no {name}"), help.to_owned())
        } else if metric.needs_exclusion()
            && self.raw.coalition.as_ref().is_none_or(|one| one.exclusion.is_none())
        {
            let message = format!("without exclusions a coalition has no {name}");
            (
                message,
                "write `[coalition.exclusion]`, with `rounds = 0` if nobody is to leave".to_owned(),
            )
        } else if metric.needs_lies()
            && !self
                .raw
                .organization
                .iter()
                .filter_map(|one| one.choices.as_ref())
                .any(|one| !one.lies.is_empty())
        {
            let help = "let a learner choose: `choices = { lies = [{ factor = 1.25 }] }`";
            (format!("nobody chooses among lies, so there is no {name}"), help.to_owned())
        } else if world != "grid" {
            return;
        } else if by == By::Batches && !metric.is_of_jobs() {
            let help = "add replications: `each.jobs = 10_000`, or `each.time`, or `each.drained`";
            (format!("the batches of one run do not tell how sure its {name} is"), help.to_owned())
        } else if metric.is_quantile() && !self.raw.output.histograms {
            let help = "leave `output.histograms = false` out".to_owned();
            (format!("without histograms there is no {name}"), help)
        } else if metric.is_quantile()
            && written.organization.is_some()
            && self.organizations.len() > FULL_ORGANIZATIONS
        {
            let message = format!(
                "with more than {FULL_ORGANIZATIONS} organizations only the quantiles of the whole \
                 grid have intervals"
            );
            (message, "leave `organization` out, or ask for a mean".to_owned())
        } else {
            return;
        };
        self.help(place, message, help);
    }

    /// Rejects first runs for a single run that continues until its batches suffice.
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

    /// Rejects `each` if the jobs are given, since all replications would be identical.
    pub(super) fn check_replications(&mut self, precision: Option<&Precision>) {
        let added = precision.filter(|precision| precision.by == By::Replications);
        let is_drawn = |workload: &Workload| workload.kind.drawn().is_some();
        let is_random = |cluster: &Cluster| match &cluster.kind {
            ClusterKind::SpaceShared { scheduler: Some(scheduler), .. } => scheduler.draws(),
            _ => false,
        };
        if added.is_some()
            && !self.root.has_rounds()
            && !self.workloads.iter().any(is_drawn)
            && !self.clusters.iter().any(is_random)
            && !self.raw.grid_scheduler.as_ref().is_some_and(GridOptions::draws)
        {
            let message = "these jobs are given, so that replications of them are all alike";
            let help = "leave `each` out, so that the batches of one run tell how sure it is";
            self.help(each(), message, help);
        }
    }

    /// Returns the organizations whose metric it is. In a coalition an entry with a count is a
    /// class.
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
        for entry in self.raw.organization.iter().filter(|_| self.root.has_rounds()) {
            let members = first..first + entry.count as usize;
            if entry.name == *name && entry.count > 1 {
                return Some(members);
            }
            first = members.end;
        }
        let index = self.known_organization(name, at("organization"))?.index();
        Some(index..index + 1)
    }
}

/// The metrics of a world in words; quantiles would make the list long.
pub(super) fn measured(world: &str) -> String {
    let all = Metric::ALL.iter().filter(|one| one.is_of(world) && !one.is_quantile());
    all.map(|metric| format!("`{}`", metric.name())).collect::<Vec<_>>().join(", ")
}

/// Returns the place of a metric.
pub(super) fn metric_at(written: &raw::Precision, index: usize) -> Path {
    if written.metric.0.len() > 1 { at("metric").index(index) } else { at("metric") }
}

impl Mistakes<'_> {
    /// Returns the precision, as far as it depends on no subject. The number of replications is not
    /// fixed, since the run finds it.
    pub(super) fn precision(
        &mut self,
        written: &raw::Precision,
        by: By,
        replications: u32,
        organizations: Option<Range<usize>>,
    ) -> Option<Precision> {
        let metrics = &written.metric.0;
        if metrics.is_empty() {
            let help = if self.root.is_game() {
                "name one or several: `metric = [\"payoff\", \"external_regret\"]`"
            } else {
                "name one or several: `metric = [\"flow\", \"wait_p95\"]`"
            };
            self.help(at("metric"), "no metric is to be known", help);
        }
        for (index, metric) in metrics.iter().enumerate() {
            if metrics[..index].contains(metric) {
                let message = format!("`{}` is named twice", metric.name());
                self.help(metric_at(written, index), message, "leave one of them out");
            }
        }
        let fixed = path("run.replications");
        if self.is_written(&fixed) && replications != 1 {
            let message = "`until.precision` finds how many replications are needed";
            let help = "leave it out; `at_least` and `at_most` of `until.precision` bound them";
            self.help(fixed, message, help);
        }
        let width = self.width(written);
        let (at_least, at_most) = self.looks(written, by);
        let metrics = metrics.iter().map(|metric| metric.measure()).collect();
        Some(Precision { metrics, width: width?, organizations, by, at_least, at_most })
    }

    /// Returns the width that is asked for.
    fn width(&mut self, written: &raw::Precision) -> Option<Width> {
        match (written.relative, written.absolute) {
            (Some(share), None) => return Some(Width::Relative(share)),
            (None, Some(amount)) => return Some(Width::Absolute(amount)),
            (Some(_), Some(_)) => {
                let message = "the width is given twice, as a share and in units";
                self.help(at("absolute"), message, "leave one of them out");
            }
            (None, None) => {
                let message = "how narrow is the interval to be?";
                let help =
                    "write `relative = 0.01` for one percent, or `absolute = 5.0` in its units";
                self.help(path("run.until.precision"), message, help);
            }
        }
        None
    }

    /// Returns the number before the first look, and the number that ends the run in any case.
    fn looks(&mut self, written: &raw::Precision, by: By) -> (u64, u64) {
        let (least, most, few) = match by {
            By::Replications => (REPLICATIONS, MOST_REPLICATIONS, 2),
            By::Batches => (JOBS, MOST_JOBS, 1024),
        };
        let (_, several) = by.words();
        let at_most = written.at_most.unwrap_or(most.max(written.at_least.unwrap_or(0)));
        let at_least = written.at_least.unwrap_or(least.min(at_most));
        let key = if written.at_least.is_some() { "at_least" } else { "at_most" };
        if at_least < few {
            let message = format!("{at_least} {several} are too few for an interval");
            self.help(at(key), message, format!("give {few} or more"));
        } else if at_least > at_most {
            let message = format!("at least {at_least} {several} and at most {at_most}");
            self.help(at("at_most"), message, "give the larger number here");
        } else if by == By::Replications && at_most > u64::from(MOST_GIVEN) {
            let message = format!("{at_most} replications are too many: {MOST_GIVEN} is the most");
            self.help(at("at_most"), message, format!("give {MOST_GIVEN} or less"));
        }
        (at_least, at_most)
    }
}
