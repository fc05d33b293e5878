//! Resolves the coalition: its members, and the parts of a scenario that rounds do not support.

mod jobs;
mod world;

use std::ops::Range;

use super::{Resolver, organization, path};
use crate::diagnostics::{Diagnostic, show};
use crate::path::Path;
use crate::plan::{ClusterKind, Coalition, Seat, Until};
use crate::raw;
use kernel::time::{LIMIT_TICKS, Span};
use model::ids::{ClusterId, OrganizationId};

/// Suggestions for an organization without a learner.
const LEARNERS: &str = "`learner.ratio = { initial = 0.5, rate = 0.1 }` learns, \
    `learner.always = {}` takes part in every round and `learner.never = {}` in none";

/// Maximum number of periods from one balancing to the next.
const MOST_PERIODS: u32 = 100;

/// Problem and remedy of a learner whose label knows the payoffs of the whole game.
const UNKNOWN_PAYOFFS: (&str, &str) = (
    "it has to know what every profile pays, and nobody knows that of a coalition before it is \
     played",
    "take one that learns from what was played, as `learner.hedge = {}`",
);

impl Resolver<'_> {
    /// Resolves the coalition, if there is one and no mistake was found so far.
    pub(super) fn coalition(&mut self, until: Until) -> Option<Coalition> {
        let raw = self.raw;
        let Some(written) = &raw.coalition else {
            self.without_coalition(until);
            return None;
        };
        let rounds = self.rounds(until);
        self.only_one_world();
        if raw.output.decisions {
            let help = "set `output.jobs` and `output.moves`: what `gridpact explain` tells of a \
                        coalition's job is in these files";
            let message = "no scheduler decides in a coalition";
            self.help(path("output.decisions"), message, help);
        }
        if raw.output.alone {
            let help = "leave it out; `flow_alone` and `gain` compare each round with one alone";
            let message = "a coalition always tells what its members would have had alone";
            self.help(path("output.alone"), message, help);
        }
        if raw.output.welch {
            let help = "leave it out; `timeline.svg` and `learning.svg` show a coalition's course";
            let message = "Welch's plot is of a grid without rounds";
            self.help(path("output.welch"), message, help);
        }
        self.learners();
        self.no_class_names();
        self.presence(rounds);
        let (period, window) = self.period(written, rounds);
        let at = path("coalition.balancer");
        let balancer = written.balancer.check().map_err(|invalid| self.invalid(at, &invalid));
        if balancer.is_err() || !self.errors.is_empty() {
            return None;
        }
        self.split_lists();
        let coalition = Coalition {
            period,
            window,
            rounds: written.rounds,
            balancer: written.balancer.clone(),
            sends: written.sends,
            balances: written.balances,
            seats: self.seats(),
        };
        self.check_units(&coalition);
        self.check_lengths(&coalition);
        self.check_spacing(&coalition);
        self.doubts(&coalition, rounds);
        Some(coalition)
    }

    /// Limits the spacing of balancings: an independent round lasts until one ends it.
    fn check_spacing(&mut self, coalition: &Coalition) {
        let step = coalition.balancing().spacing.step(Span::ZERO).unwrap_or(Span::ZERO);
        let most = i128::from(coalition.period.ticks()) * i128::from(MOST_PERIODS);
        if coalition.rounds == raw::Rounds::Independent && i128::from(step.ticks()) > most {
            let message =
                format!("balancings would be {step} units apart, a period is {}", coalition.period);
            let help = format!(
                "a round goes on until the next balancing: leave at most {MOST_PERIODS} periods \
                 between them"
            );
            self.help(path("coalition.balancer"), message, help);
        }
    }

    /// Adds a warning, once per place.
    fn warn(&mut self, at: Path, message: impl Into<String>, note: impl Into<String>) {
        let warning = Diagnostic::at_path(self.tree, &at, message).warn().note(note);
        if self.told.insert(at) {
            self.warnings.push(warning);
        }
    }

    /// Returns true if the scenario itself contains the key, even with its default value.
    pub(super) fn is_written(&self, at: &Path) -> bool {
        self.tree.lookup(at).is_some()
    }

    /// Rejects keys that only a coalition has, in a scenario without one.
    fn without_coalition(&mut self, until: Until) {
        let raw = self.raw;
        let help = "write a `[coalition]` with `period` and `balancer`, or leave this out";
        for (index, written) in raw.organization.iter().enumerate() {
            let at = |key: &str| organization(index).key(key);
            if written.learner.is_some() {
                self.help(at("learner"), "there is no coalition to learn about", help);
            }
            let rounds = [("first_round", written.first_round), ("last_round", written.last_round)];
            for (key, _) in rounds.into_iter().filter(|(_, round)| round.is_some()) {
                self.help(at(key), "without a coalition there are no rounds", help);
            }
            if let Some(raw::ClusterKind::TimeShared(time)) = written.cluster {
                self.only_one_processor(time, at("cluster"));
            }
        }
        for (index, written) in raw.cluster.iter().enumerate() {
            if let raw::ClusterKind::TimeShared(time) = written.kind {
                self.only_one_processor(time, path("cluster").index(index).key("kind"));
            }
        }
        let told = "without a coalition there are no rounds to tell of";
        for key in ["rounds", "moves", "everyone_in", "alternatives"] {
            let at = path("output").key(key);
            if self.is_written(&at) {
                self.help(at, told, help);
            }
        }
        if let Until::Rounds(_) = until
            && !matches!(raw.run.until, raw::Until::Precision(_))
        {
            let help = "write a `[coalition]`, or end the run with `until.time`, `until.jobs` or \
                        `until.drained`";
            self.help(path("run.until.rounds"), "without a coalition there are no rounds", help);
        }
    }

    fn only_one_processor(&mut self, time: raw::TimeShared, at: Path) {
        if !matches!(time.processors, raw::Processors::Number(0 | 1)) {
            self.help(
                at.key("time_shared").key("processors"),
                "only in a coalition do the processors of a time-shared cluster share a job",
                "write a `[coalition]`, or `cluster.space_shared` for jobs that keep their shape",
            );
        }
    }

    /// Returns the number of rounds.
    fn rounds(&mut self, until: Until) -> u64 {
        if let Until::Rounds(rounds) = until {
            return rounds;
        }
        if matches!(self.raw.run.until, raw::Until::Precision(_)) {
            // Reported there.
            return 1;
        }
        let help = "say how many: `run.until.rounds = 200`";
        self.help(path("run.until"), "a coalition is played in rounds", help);
        1
    }

    /// Returns the period and the window within it.
    fn period(&mut self, written: &raw::Coalition, rounds: u64) -> (Span, Range<Span>) {
        let at = path("coalition.period");
        let period = match Span::from_units(written.period) {
            Ok(Span::ZERO) => {
                let message = if written.period > 0.0 {
                    "time is counted in millionths of a unit, and this is less than half of one"
                } else {
                    "a round of no time shows nothing"
                };
                self.help(at, message, "give a period of 1e-6 or more");
                return (Span::ZERO, Span::ZERO..Span::ZERO);
            }
            Ok(period) => period,
            Err(error) => {
                self.wrong(at, error.to_string());
                return (Span::ZERO, Span::ZERO..Span::ZERO);
            }
        };
        let ticks = i128::from(period.ticks());
        if written.rounds == raw::Rounds::Continuing
            && ticks * i128::from(rounds) > i128::from(LIMIT_TICKS)
        {
            let message = format!(
                "{rounds} continuing rounds of {} units last longer than can be counted",
                written.period
            );
            self.help(path("run.until.rounds"), message, "take fewer, or shorter ones");
        }
        (period, self.window(written.window, period))
    }

    fn window(&mut self, window: [f64; 2], period: Span) -> Range<Span> {
        let ticks = |share: f64| libm::rint(share * period.ticks() as f64) as i64;
        let [from, until] = window.map(|share| Span::from_ticks(ticks(share)).min(period));
        if from >= until {
            let message = format!("no job is submitted from {from} to {until}, so none counts");
            let help = "give two shares of the period, a smaller and a larger one: \
                        `window = [0.2, 0.8]`";
            self.help(path("coalition.window").index(1), message, help);
        }
        from..until
    }

    /// Checks that every organization has a learner.
    fn learners(&mut self) {
        let raw = self.raw;
        if raw.organization.iter().all(|written| written.learner.is_none()) {
            let message = "nobody decides about this coalition: no organization has a learner";
            self.help(path("coalition"), message, format!("give each one: {LEARNERS}"));
            return;
        }
        for (index, written) in raw.organization.iter().enumerate() {
            let at = organization(index).key("learner");
            match &written.learner {
                Some(learner) => {
                    if let Err(invalid) = learner.check_in_coalition() {
                        self.invalid(at, &invalid);
                    } else if learner.wanted().rules {
                        self.help(at.key(learner.name()), UNKNOWN_PAYOFFS.0, UNKNOWN_PAYOFFS.1);
                    }
                }
                None => {
                    let name = show(&written.name);
                    let message = format!("nobody decides whether `{name}` takes part");
                    self.help(at, message, format!("give it a learner: {LEARNERS}"));
                }
            }
        }
    }

    /// Checks that no organization's name looks like a class of several.
    fn no_class_names(&mut self) {
        let raw = self.raw;
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        for (index, written) in raw.organization.iter().enumerate() {
            let ends = written.name.rsplit_once('-').and_then(|(_, end)| end.split_once(".."));
            if ends.is_some_and(|(first, last)| is_number(first) && is_number(last)) {
                let message = format!("`{}` is what several are called", show(&written.name));
                let help = "in a coalition `a-1..9` stands for `a-1` to `a-9`: choose another name";
                self.help(organization(index).key("name"), message, help);
            }
        }
    }

    /// Checks the rounds in which organizations are present.
    fn presence(&mut self, rounds: u64) {
        let raw = self.raw;
        for (index, written) in raw.organization.iter().enumerate() {
            let first = written.first_round.unwrap_or(0);
            let at = |key: &str| organization(index).key(key);
            if let Some(last) = written.last_round.filter(|&last| last < first) {
                let message = format!("the last round, {last}, is before the first, {first}");
                self.help(at("last_round"), message, "rounds are numbered from 0");
            } else if first >= rounds {
                let message = format!("`{}` is never there", show(&written.name));
                let note = format!("the run ends with round {}, as they count from 0", rounds - 1);
                self.warn(at("first_round"), message, note);
            }
        }
    }

    /// Returns the organizations, each with its cluster and its jobs.
    fn seats(&mut self) -> Vec<Seat> {
        let count = self.organizations.len();
        let mut clusters: Vec<Option<(ClusterId, u32)>> = vec![None; count];
        for (index, cluster) in self.clusters.iter().enumerate() {
            if let ClusterKind::TimeShared { processors } = cluster.kind {
                clusters[cluster.owner.index()] = Some((ClusterId(index as u32), processors));
            }
        }
        let mut workloads = vec![None; count];
        for (index, workload) in self.workloads.iter().enumerate() {
            let owner = self.owner_of(workload);
            workloads[owner.index()] = Some(index);
        }
        let copies = self
            .raw
            .organization
            .iter()
            .enumerate()
            .flat_map(|written| std::iter::repeat_n(written, written.1.count as usize));
        let seats = copies.zip(clusters).zip(workloads).filter_map(|((copy, cluster), jobs)| {
            let (entry, written) = copy;
            let (cluster, processors) = cluster?;
            Some(Seat {
                cluster,
                workload: jobs,
                learner: written.learner.clone()?,
                first: written.first_round.unwrap_or(0),
                last: written.last_round,
                processors,
                entry,
            })
        });
        seats.collect()
    }

    /// Returns the entry of an organization.
    fn entry_of(&self, id: OrganizationId) -> usize {
        let mut first = 0;
        let is_it = |written: &raw::Organization| {
            first += written.count;
            id.0 < first
        };
        self.raw.organization.iter().position(is_it).unwrap_or(0)
    }
}
