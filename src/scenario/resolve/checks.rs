//! Checks that need clusters and workloads: jobs that can never run, runs that never end, and
//! counting windows that leave no jobs.

use std::sync::Arc;

use super::{Resolver, path};
use crate::diagnostics::show;
use crate::drawn::Drawn;
use crate::path::Path;
use crate::plan::{Found, Organization, Until, Workload, WorkloadKind};
use crate::raw;
use crate::root::Root;
use findings::target::{By, Precision};
use kernel::time::{Span, Time};
use model::ids::{ClusterId, OrganizationId, Uses};
use model::job::Job;
use sim::accounts::Counting;
use sim::clairvoyance::Clairvoyance;
use stats::interval::Level;
use stats::shown::counted;
use workload::Source as _;
use workload::estimates::Estimates;
use workload::swf::SwfSource;

/// Jobs that need more processors than any cluster they may use.
struct TooLarge {
    /// Number of the first; `None` if all are alike, or if only the largest is known.
    number: Option<u64>,
    /// The first such job.
    job: Job,
    /// Processors of the largest cluster it may use.
    largest: u32,
    /// Number of further such jobs.
    others: u64,
}

/// Returns the widest job that may be drawn for an organization.
fn widest(drawn: &Drawn, organization: OrganizationId) -> Job {
    Job {
        number: 0,
        source: 0,
        submit: Time::ZERO,
        runtime: Span::ZERO,
        estimate: Span::ZERO,
        processors: drawn.widths().1,
        user: 0,
        organization,
        ..Job::default()
    }
}

impl Resolver<'_> {
    /// Returns the size of the largest job that an organization can run wherever it is bound to.
    pub(super) fn largest(&self, organization: OrganizationId) -> u32 {
        let Organization { uses, binding, .. } = &self.organizations[organization.index()];
        let processors = |id: ClusterId| self.clusters[id.index()].processors();
        match binding {
            None => self.largest_of(uses),
            Some(binding) => binding.clusters().map(processors).min().unwrap_or(0),
        }
    }

    /// Returns the processors of the largest of some clusters.
    pub(super) fn largest_of(&self, uses: &[ClusterId]) -> u32 {
        uses.iter().map(|id| self.clusters[id.index()].processors()).max().unwrap_or(0)
    }

    /// Reports jobs that can never run, where this can be known, unless they are to be rejected.
    pub(super) fn check_sizes(&mut self) {
        for index in 0..self.workloads.len() {
            if self.told.contains(&self.places[index]) {
                continue;
            }
            let Some(TooLarge { number, job, largest, others }) = self.never_runs(index) else {
                continue;
            };
            let (who, needs, processors) = match number {
                Some(number) => (format!("job {number}"), "needs", job.processors),
                None => self.needs(index, job),
            };
            let owner = show(&self.organizations[job.organization.index()].name);
            let others = match others {
                0 => String::new(),
                more => format!("; {} can never run", counted(more, "more job", "more jobs")),
            };
            let which = match self.organizations[job.organization.index()].binding {
                None => "the largest cluster it may use",
                Some(_) => "the smallest cluster it may be bound to",
            };
            let needs = match (largest, number) {
                (0, None) => format!("no cluster takes any job of `{owner}`"),
                (0, Some(_)) => format!("no cluster takes {who} of `{owner}`{others}"),
                _ => format!(
                    "{who} of `{owner}` {needs} {processors} processors, but {which} has \
                     {largest}{others}"
                ),
            };
            let at = match (largest, number) {
                (0, Some(number)) if self.places[index] == path("job") => self.entry_of_job(number),
                (0, _) => self.places[index].clone(),
                _ => self.place_of(index, number),
            };
            if self.root == Root::Coalition {
                let help = format!(
                    "give its cluster as many: `cluster.time_shared = {{ processors = {} }}`",
                    job.processors
                );
                self.help(at, needs, help);
            } else if self.raw.run.never_runs == raw::NeverRuns::Error {
                let give = match largest {
                    // Nothing else closes a cluster.
                    0 => {
                        "all clusters that it may use refuse others' jobs, by `foreign = \
                         \"never\"`: change that, or give it a cluster"
                    }
                    _ => "give it a larger cluster",
                };
                let help = format!(
                    "{give}, or set `run.never_runs = \"reject\"` to count such jobs as rejected"
                );
                self.help(at, needs, help);
                self.mistakes.told.insert(self.places[index].clone());
            } else {
                self.warn(at, needs, "such jobs are rejected, as `run.never_runs` says");
                self.mistakes.told.insert(self.places[index].clone());
            }
        }
    }

    /// Reports jobs without estimates under a policy that needs them.
    pub(super) fn check_estimates(&mut self) {
        if !matches!(self.raw.run.clairvoyance, Clairvoyance::Estimate | Clairvoyance::Predicted(_))
        {
            return;
        }
        for index in 0..self.workloads.len() {
            let kind = &self.workloads[index].kind;
            let Some(drawn) = kind.drawn() else { continue };
            let at = self.places[index].clone().key("estimates");
            if !matches!(drawn.estimates(), Estimates::None {}) || self.told.contains(&at) {
                continue;
            }
            let owners = &self.organizations[kind.owners(self.organizations.len())];
            let uses = owners.iter().flat_map(|organization| &organization.uses[..]);
            let needs = uses
                .map(|id| &self.clusters[id.index()])
                .find_map(|cluster| Some((show(&cluster.name), cluster.expects()?)));
            if let Some((cluster, scheduler)) = needs {
                let message = format!(
                    "these jobs have no estimates, and the scheduler `{scheduler}` of cluster \
                     `{cluster}` needs them"
                );
                let help = "set `run.clairvoyance = \"runtime\"`, or use `fcfs`, or give estimates: \
                            `estimates.exact = {}`";
                self.help(at, message, help);
            }
        }
    }

    /// Warns if the mean runtime exceeds the longest estimate, so that most jobs overrun theirs.
    /// The estimates were perhaps meant in another unit.
    pub(super) fn check_longest_estimates(&mut self) {
        for (workload, at) in self.workloads.iter().zip(&self.places) {
            let Some(drawn) = workload.kind.drawn() else { continue };
            let Some(max) = drawn.estimates().modal().map(|modal| modal.max) else { continue };
            let at = at.clone().join(&path("estimates.modal.max"));
            let Some(mean) = drawn.mean_runtime().filter(|&mean| mean > f64::from(max)) else {
                continue;
            };
            let message = format!(
                "the longest estimate is {max} s, but these jobs run for {mean:.0} s on average"
            );
            let note = "a job that runs longer than any estimate says the longest and outruns it";
            self.mistakes.warn(at, message, note);
        }
    }

    /// Describes which drawn jobs need how many processors; `widest` is its organization's widest.
    fn needs(&self, index: usize, widest: Job) -> (String, &'static str, u32) {
        let widths = self.workloads[index].kind.drawn().map(Drawn::widths);
        let (least, most) = widths.unwrap_or((0, widest.processors));
        let (who, verb, processors) = match least {
            _ if least <= self.largest(widest.organization) => ("some jobs", "may need", most),
            _ if least == most => ("every job", "needs", most),
            _ => ("every job", "needs at least", least),
        };
        (who.to_owned(), verb, processors)
    }

    /// Returns the path that sets the processors of a job.
    fn place_of(&self, workload: usize, number: Option<u64>) -> Path {
        let at = self.places[workload].clone();
        let kind = &self.workloads[workload].kind;
        if let Some(drawn) = kind.drawn() {
            return at.join(&path(&drawn.field_of_widest()));
        }
        match (kind, number) {
            (WorkloadKind::Drawn(..) | WorkloadKind::Shared { .. }, _) => at,
            (WorkloadKind::Swf { .. }, _) => at.key("file"),
            (WorkloadKind::List(_), Some(number)) if at == path("job") => {
                self.entry_of_job(number).key("processors")
            }
            (WorkloadKind::List(_), _) => at,
        }
    }

    /// Returns the path of a job that is listed one by one.
    pub(super) fn entry_of_job(&self, number: u64) -> Path {
        let mut after = number;
        let index = self.raw.job.iter().position(|written| {
            let is_it = after <= u64::from(written.count);
            after = after.saturating_sub(u64::from(written.count));
            is_it
        });
        path("job").index(index.unwrap_or(0))
    }

    /// Returns the jobs of a workload that can never run.
    fn never_runs(&self, index: usize) -> Option<TooLarge> {
        let mut found: Option<TooLarge> = None;
        let mut look = |number: Option<u64>, job: Job| {
            let largest = self.largest_for(&job);
            if job.processors > largest {
                match &mut found {
                    None => found = Some(TooLarge { number, job, largest, others: 0 }),
                    Some(found) => found.others += 1,
                }
            }
        };
        match &self.workloads[index].kind {
            WorkloadKind::List(list) => {
                list.jobs().iter().for_each(|&job| look(Some(job.number), job));
            }
            WorkloadKind::Drawn(drawn, organization) => {
                look(None, widest(drawn, *organization));
            }
            WorkloadKind::Shared { source, .. } => {
                // The first organization that cannot run them is enough to show the mistake.
                let organizations = (0..self.organizations.len() as u32).map(OrganizationId);
                // Those that share the list of the one before can run the same jobs.
                let mut before: Option<&Uses> = None;
                let organizations = organizations.filter(|one| {
                    let Organization { uses, binding, .. } = &self.organizations[one.index()];
                    let is_same = |before| Arc::ptr_eq(before, uses);
                    !before.replace(uses).is_some_and(is_same) || binding.is_some()
                });
                let mut jobs = organizations.map(|organization| widest(source, organization));
                let is_too_wide = |job: &Job| job.processors > self.largest(job.organization);
                if let Some(job) = jobs.find(is_too_wide) {
                    look(None, job);
                }
            }
            kind @ WorkloadKind::Swf { survey, assignment, base, routes, dealt } => {
                let owners = kind.owners(self.organizations.len());
                // The organization that is offered the least can own any job if owners are drawn.
                let least = owners
                    .map(|id| OrganizationId(id as u32))
                    .min_by_key(|&one| self.largest(one))
                    .unwrap_or(*base);
                let smallest = self.largest(least);
                let bound = routes.iter().map(|(_, id)| self.clusters[id.index()].processors());
                let smallest = bound.chain([smallest]).min().unwrap_or(0);
                if survey.max_processors > smallest {
                    let source = SwfSource::new(survey, assignment.clone(), 0, *base);
                    let mut source = source.routed(routes.clone());
                    while let Ok(Some(mut job)) = source.next() {
                        if dealt.is_some() {
                            job.organization = least;
                        }
                        look(Some(job.number), job);
                    }
                }
            }
        }
        found
    }

    pub(super) fn check_end(&mut self, until: Until) {
        if until != Until::Drained {
            return;
        }
        for index in 0..self.workloads.len() {
            if self.workloads[index].kind.is_endless() {
                let name = self.workloads[index].name.clone();
                let until = match self.raw.run.until {
                    raw::Until::Precision(_) => "run.until.precision.each",
                    _ => "run.until",
                };
                self.mistakes.help(
                    self.places[index].clone(),
                    format!("the jobs of `{name}` never end, so the run would not either"),
                    format!(
                        "end the run with `{until}.time` or `{until}.jobs`, \
                         or the workload with `jobs = ...` or `until = ...`"
                    ),
                );
                return;
            }
        }
    }

    /// Checks that some record file is written for `rotate` and `compress`.
    pub(super) fn check_records(&mut self) {
        let output = &self.raw.output;
        let said = [("rotate", output.rotate.is_some()), ("compress", output.compress)];
        for (key, _) in said.into_iter().filter(|&(_, said)| said && !self.raw.writes_records()) {
            let message = "no file of records is written, so there is nothing that it could change";
            let help = "leave it out, or write records, by `output.jobs = true` for one";
            self.mistakes.help(path("output").key(key), message, help);
        }
    }

    pub(super) fn counting(
        &mut self,
        until: Until,
        precision: Option<&Precision>,
    ) -> (Counting, Found) {
        let output = &self.raw.output;
        let mut span =
            |at: &str, units: f64| self.mistakes.span(units, path("output").join(&path(at)));
        let mut found = Found::default();
        let warm_up = match output.warm_up {
            raw::WarmUp::Fixed(units) => span("warm_up.fixed", units),
            raw::WarmUp::Mser5 {} => {
                found.warm_up = true;
                Span::ZERO
            }
        };
        let cool_down = span("cool_down", output.cool_down);
        let tau = span("tau", output.tau);
        if let Some(units) = output.windows {
            self.length(units, path("output.windows"));
        }
        let from = Time::ZERO + warm_up;
        let batches = match precision {
            None => self.raw.run.replications == 1,
            Some(precision) => precision.by == By::Batches,
        };
        let quantiles = output.histograms;
        let level = output.confidence.and_then(Level::new).unwrap_or_default();
        let mut counting = Counting { from, tau, quantiles, batches, level, ..Counting::default() };
        let known_end = match until {
            Until::Time(end) => Some(end),
            Until::Drained | Until::Jobs(_) => self.last_submit(),
            Until::Rounds(_) => None,
        };
        if cool_down > Span::ZERO {
            match known_end.filter(|_| !self.is_cut_short(until)) {
                Some(end) => counting.until = end - cool_down,
                None => found.cool_down = Some(cool_down),
            }
        }
        // A run that stops at a time admits no job at that time; a list ends with a submission.
        let end = known_end.map_or(counting.until, |end| end.min(counting.until));
        let whole = cool_down == Span::ZERO && matches!(until, Until::Drained | Until::Jobs(_));
        if (end < from || end == from && !whole) && self.errors.is_empty() {
            let key = if warm_up > Span::ZERO { "warm_up.fixed" } else { "cool_down" };
            let at = path("output").join(&path(key));
            let help = format!("what counts would last from {from} to {end}");
            self.help(at, "warm-up and cool-down leave no job to be counted", help);
        }
        (counting, found)
    }

    /// Returns true if the run may end with a job before the last one of its workloads.
    fn is_cut_short(&self, until: Until) -> bool {
        let all: Option<u64> = self.workloads.iter().map(Workload::jobs).sum();
        matches!(until, Until::Jobs(most) if all.is_none_or(|all| all > most))
    }

    /// Returns the last submission over all workloads, if it is known.
    fn last_submit(&self) -> Option<Time> {
        let last = self.workloads.iter().map(|workload| workload.kind.last_submit());
        last.collect::<Option<Vec<Time>>>()?.into_iter().max()
    }
}
