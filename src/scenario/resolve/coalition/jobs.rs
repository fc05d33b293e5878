//! Jobs of a coalition: their owners, and whether they fit its rounds and its unit of load.

use super::super::{Resolver, path};
use crate::diagnostics::show;
use crate::drawn::Drawn;
use crate::path::Path;
use crate::plan::{Coalition, Rounds, Workload, WorkloadKind};
use crate::raw;
use kernel::map::Map;
use kernel::time::Span;
use model::ids::OrganizationId;
use model::job::Job;
use policy::learn::LearnerOptions;
use workload::Source as _;
use workload::jobs::ListSource;
use workload::swf::SwfSource;

/// Periods shorter than this many mean jobs get a warning.
const SHORTEST_PERIOD: f64 = 10.0;

impl Resolver<'_> {
    /// Returns the owner of a workload's jobs; in a coalition there is only one.
    pub(super) fn owner_of(&self, workload: &Workload) -> OrganizationId {
        match &workload.kind {
            WorkloadKind::Swf { base, .. } => *base,
            WorkloadKind::List(list) => {
                list.jobs().first().map_or(OrganizationId(0), |job| job.organization)
            }
            WorkloadKind::Drawn(_, owner) => *owner,
            WorkloadKind::Shared { .. } => OrganizationId(0),
        }
    }

    /// Splits lists shared by several organizations; no organization may get jobs from two places.
    pub(super) fn split_lists(&mut self) {
        let workloads = std::mem::take(&mut self.workloads);
        let places = std::mem::take(&mut self.places);
        let mut has_jobs = vec![false; self.organizations.len()];
        for (workload, at) in workloads.into_iter().zip(places) {
            let parts = match &workload.kind {
                WorkloadKind::List(list) => by_owner(list.jobs()),
                _ => vec![(self.owner_of(&workload), workload.kind)],
            };
            for (owner, kind) in parts {
                let name = self.organizations[owner.index()].name.clone();
                if std::mem::replace(&mut has_jobs[owner.index()], true) {
                    let message = format!("`{}` has jobs from two places", show(&name));
                    let help = "in a coalition all jobs of an organization come from one: put them \
                                together in one list";
                    self.help(at.clone(), message, help);
                }
                self.workloads.push(Workload { name, kind: numbered(kind, self.workloads.len()) });
                self.places.push(at.clone());
            }
        }
    }

    /// Calls `look` for every given job of a workload.
    fn given(&self, workload: usize, mut look: impl FnMut(&Job)) {
        match &self.workloads[workload].kind {
            WorkloadKind::List(list) => list.jobs().iter().for_each(look),
            WorkloadKind::Swf { survey, assignment, base, .. } => {
                let mut source = SwfSource::new(survey, assignment.clone(), 0, *base);
                while let Ok(Some(job)) = source.next() {
                    look(&job);
                }
            }
            WorkloadKind::Drawn(..) | WorkloadKind::Shared { .. } => {}
        }
    }

    /// Returns the path of a key of a given job.
    fn place_of_job(&self, workload: usize, number: u64, key: &str) -> Path {
        let at = self.places[workload].clone();
        if at == path("job") { self.entry_of_job(number).key(key) } else { at }
    }

    /// Checks that everything happens at multiples of the unit, if load has an indivisible amount.
    pub(super) fn check_units(&mut self, coalition: &Coalition) {
        let unit = coalition.balancer().unit();
        if unit == Span::TICK {
            return;
        }
        let balancer = path("coalition.balancer").key(coalition.balancer().name());
        let is_whole = |ticks: i64| ticks % unit.ticks() == 0;
        let help = format!("give a multiple of {unit}, or leave out `unit`");
        let message = |what: &str| format!("{what} is no multiple of the unit of load, {unit}");
        if !is_whole(coalition.period.ticks()) {
            self.help(path("coalition.period"), message("the period"), &*help);
        }
        let spacing = coalition.balancer().spacing();
        if !is_whole(spacing.grid.ticks()) {
            self.help(balancer.clone().key("grid"), message("the grid"), &*help);
        } else if spacing.grid == Span::ZERO && !is_whole(spacing.least.ticks()) {
            self.help(balancer.clone().key("least"), message("the least time"), &*help);
        }
        for index in 0..self.workloads.len() {
            if let Some(drawn) = self.workloads[index].kind.drawn() {
                let rounded = is_rounded(drawn) && is_whole(Span::UNIT.ticks());
                if !rounded {
                    let at = self.places[index].clone();
                    let (at, help) = rounding(drawn, at);
                    let message = format!(
                        "load is moved in multiples of {unit}, and these jobs come at any time"
                    );
                    self.help(at, message, help);
                }
                continue;
            }
            let mut broken = None;
            self.given(index, |job| {
                if broken.is_none() {
                    let key = if !is_whole(job.submit.ticks()) {
                        "submit"
                    } else if !is_whole(job.runtime.ticks()) {
                        "runtime"
                    } else {
                        return;
                    };
                    broken = Some((job.number, key));
                }
            });
            if let Some((number, key)) = broken {
                let at = self.place_of_job(index, number, key);
                let what = format!("the {key} of job {number}");
                self.help(at, message(&what), &*help);
            }
        }
    }

    /// Checks that rounds are long compared with their jobs.
    pub(super) fn check_lengths(&mut self, coalition: &Coalition) {
        let period = coalition.period;
        for seat in &coalition.seats {
            let Some(index) = seat.workload else { continue };
            let name = show(&self.workloads[index].name);
            if let Some(drawn) = self.workloads[index].kind.drawn() {
                let mean = drawn.mean_area() / f64::from(seat.processors);
                if mean * SHORTEST_PERIOD > period.as_units() {
                    let mean = rounded(mean);
                    let message = format!(
                        "the period is short: the load of a job of `{name}` is {mean} on average"
                    );
                    let note = "few jobs count in a round of less than ten times that, and many do \
                                not end in it";
                    self.warn(path("coalition.period"), message, note);
                }
                continue;
            }
            let (mut longest, mut count) = (None::<(Span, u64)>, 0_u64);
            self.given(index, |job| {
                let load = seat.as_load(Span::TICK).size(job).unwrap_or(Span::from_ticks(i64::MAX));
                if load > period {
                    count += 1;
                    longest = longest.max(Some((load, job.number)));
                }
            });
            let Some((load, number)) = longest else { continue };
            let message = format!(
                "the load of job {number} of `{name}` is {load}, more than the period, {period}"
            );
            if matches!(self.workloads[index].kind, WorkloadKind::List(_)) {
                let at = self.place_of_job(index, number, "runtime");
                self.help(at, message, "take a longer `coalition.period`, or shorter jobs");
            } else {
                let note = format!("such jobs, {count} in the trace, do not end in their round");
                self.mistakes.warn(self.places[index].clone().key("file"), message, note);
            }
        }
    }

    /// Warns of settings that are allowed but probably not intended.
    pub(super) fn doubts(&mut self, coalition: &Coalition, rounds: u64) {
        if coalition.seats.len() == 1 {
            let note = "a coalition of one changes nothing";
            self.warn(path("coalition"), "there is nobody to balance load with", note);
        }
        let given = self.workloads.iter().position(|workload| workload.kind.is_given());
        if let Some(index) = given.filter(|_| coalition.rounds == Rounds::Independent && rounds > 1)
        {
            let message = format!(
                "every round has the same jobs of `{}`: they are given, and independent rounds \
                 begin anew",
                show(&self.workloads[index].name)
            );
            let note = "`rounds = \"continuing\"` goes on with them from round to round";
            self.warn(path("coalition.rounds"), message, note);
        }
        self.rare_balancings(coalition);
        self.uncounted(coalition, rounds);
        self.rounded_up(coalition);
        self.overload(coalition);
        if coalition.heeds_levels() {
            return;
        }
        let raw = self.raw;
        for (index, written) in raw.organization.iter().enumerate() {
            let Some(key) = level(written) else { continue };
            let at = super::organization(index).join(&path(key));
            let message = format!(
                "the balancer `{}` does not look at participation levels",
                coalition.balancer().name()
            );
            self.warn(at, message, "`balancer.bilb = {}` does");
        }
    }
}

impl Resolver<'_> {
    /// Warns of balancings that are spaced a whole round apart or more.
    fn rare_balancings(&mut self, coalition: &Coalition) {
        let spacing = coalition.balancer().spacing();
        let Some(step) = spacing.step(Span::ZERO).filter(|step| *step >= coalition.period) else {
            return;
        };
        let key = if spacing.least >= coalition.period { "least" } else { "grid" };
        let at = path("coalition.balancer").key(coalition.balancer().name()).key(key);
        let message = format!(
            "from one balancing to the next are {step} units, and a round lasts {}",
            coalition.period
        );
        self.warn(at, message, "load is moved once a round at most, and mostly not at all");
    }

    /// Warns of given jobs that arrive after the last round, and of workloads with no counted job.
    fn uncounted(&mut self, coalition: &Coalition, rounds: u64) {
        let end = coalition.end(rounds);
        let what = match coalition.rounds {
            Rounds::Independent => "every round begins anew at 0 and ends",
            Rounds::Continuing => "the last round ends",
        };
        for index in 0..self.workloads.len() {
            let (mut jobs, mut late, mut counted) = (0_u64, 0_u64, 0_u64);
            let mut first = None;
            self.given(index, |job| {
                jobs += 1;
                if job.submit >= end {
                    late += 1;
                    first.get_or_insert((job.number, job.submit));
                } else {
                    let since = job.submit.ticks() % coalition.period.ticks();
                    counted += u64::from(coalition.window.contains(&Span::from_ticks(since)));
                }
            });
            let name = show(&self.workloads[index].name);
            if let Some((number, submit)) = first {
                let message = format!("jobs of `{name}` that never come: {late} of {jobs}");
                let note = format!("job {number} is submitted at {submit}, and {what} at {end}");
                let at = match self.workloads[index].kind {
                    WorkloadKind::List(_) => self.place_of_job(index, number, "submit"),
                    _ => self.places[index].clone(),
                };
                self.warn(at, message, note);
            }
            if jobs > late && counted == 0 {
                let message = format!("no job of `{name}` counts");
                let note = format!(
                    "those count that are submitted from {} to {} of a round, as \
                     `coalition.window` says",
                    coalition.window.start, coalition.window.end
                );
                self.mistakes.warn(self.places[index].clone(), message, note);
            }
        }
    }

    /// Warns of loads that are rounded up to whole multiples of the unit.
    fn rounded_up(&mut self, coalition: &Coalition) {
        let unit = coalition.balancer().unit();
        if unit == Span::TICK {
            return;
        }
        for seat in &coalition.seats {
            let Some(index) = seat.workload else { continue };
            let (mut count, mut first) = (0_u64, None);
            let whole = seat.as_load(unit);
            let exact = seat.as_load(Span::TICK);
            self.given(index, |job| {
                let loads = (exact.size(job), whole.size(job));
                if let (Some(load), Some(rounded)) = loads
                    && load != rounded
                {
                    count += 1;
                    first.get_or_insert((job.number, load, rounded));
                }
            });
            if let Some((number, load, rounded)) = first {
                let name = show(&self.workloads[index].name);
                let message = format!("loads of `{name}` are rounded up to multiples of {unit}");
                let note =
                    format!("such jobs: {count}; that of job {number} from {load} to {rounded}");
                self.mistakes.warn(self.places[index].clone(), message, note);
            }
        }
    }

    /// Warns of continuing rounds whose queues grow without limit.
    fn overload(&mut self, coalition: &Coalition) {
        if coalition.rounds != Rounds::Continuing {
            return;
        }
        let mut rates = Vec::new();
        for seat in &coalition.seats {
            let drawn = seat.workload.and_then(|index| self.workloads[index].kind.drawn());
            let rate = drawn.and_then(Drawn::area_rate);
            rates.push(rate.map(|rate| rate / f64::from(seat.processors)));
        }
        let mean = rates.iter().flatten().sum::<f64>() / rates.len() as f64;
        let note = "queues grow as long as jobs come, so figures depend on the number of rounds";
        if mean > 1.0 {
            let mean = rounded(mean);
            let message = format!("the load of all organizations together is {mean}, above one");
            self.warn(path("coalition"), message, note);
            return;
        }
        for (seat, rate) in coalition.seats.iter().zip(rates) {
            let Some((index, rate)) = seat.workload.zip(rate).filter(|(_, rate)| *rate > 1.0)
            else {
                continue;
            };
            let name = show(&self.workloads[index].name);
            let message = format!(
                "the load of `{name}` is {}, above one: alone it has no end",
                rounded(rate)
            );
            let note = "what it would have been alone, and so its score, depends on the number of \
                        rounds";
            self.mistakes.warn(self.places[index].clone(), message, note);
        }
    }
}

/// Rounds a figure to two decimals.
fn rounded(figure: f64) -> f64 {
    (figure * 100.0).round() / 100.0
}

/// Splits the jobs of a list by owner, in the order of owners.
fn by_owner(jobs: &[Job]) -> Vec<(OrganizationId, WorkloadKind)> {
    let mut owners: Map<OrganizationId, Vec<Job>> = Map::new();
    for job in jobs {
        owners.get_or_default(job.organization).push(*job);
    }
    let list = |jobs| WorkloadKind::List(ListSource::new(jobs));
    owners.into_iter().map(|(owner, jobs)| (owner, list(jobs))).collect()
}

/// Tags the jobs of a list with the number of their workload.
fn numbered(kind: WorkloadKind, number: usize) -> WorkloadKind {
    match kind {
        WorkloadKind::List(list) => {
            let source = number as u32;
            let jobs = list.jobs().iter().map(|job| Job { source, ..*job });
            WorkloadKind::List(ListSource::new(jobs.collect()))
        }
        other => other,
    }
}

/// Returns true for drawn jobs whose times are all whole.
fn is_rounded(drawn: &Drawn) -> bool {
    match drawn {
        Drawn::Synthetic(model) => {
            let rounding = model.options().rounding;
            rounding.arrivals.is_some() && rounding.size.is_some()
        }
        Drawn::LublinFeitelson(_) => false,
    }
}

/// Returns the path of the rounding of drawn jobs, and a remedy.
fn rounding(drawn: &Drawn, at: Path) -> (Path, &'static str) {
    match drawn {
        Drawn::Synthetic(model)
            if model.options().rounding.arrivals.is_none()
                || model.options().rounding.size.is_none() =>
        {
            let help = "round them, `rounding = { arrivals = \"floor\", size = \"ceil\" }`, or \
                        leave out the balancer's `unit`";
            (at.key("rounding"), help)
        }
        Drawn::Synthetic(_) => {
            (at.key("rounding"), "they are rounded to multiples of 1: give `unit = 1.0`")
        }
        Drawn::LublinFeitelson(_) => (at, "leave out the balancer's `unit`"),
    }
}

/// Returns the key of an organization that declares a level, if it has one.
pub(super) fn level(written: &raw::Organization) -> Option<&'static str> {
    match written.learner.as_ref()? {
        LearnerOptions::Level(_) => Some("learner.level"),
        LearnerOptions::Ratio(options) => options.level.map(|_| "learner.ratio.level"),
        LearnerOptions::Fixed(options) => options.level.map(|_| "learner.fixed.level"),
        _ => {
            let choices = written.choices.as_ref()?;
            let level = choices.level.map(|_| "choices.level");
            level.or((!choices.levels.is_empty()).then_some("choices.levels"))
        }
    }
}
