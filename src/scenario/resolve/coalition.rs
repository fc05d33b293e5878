//! The coalition: who sits at its table, and what of a scenario cannot be played in rounds.

use super::{Resolver, organization, path};
use crate::kernel::time::{LIMIT_TICKS, Span};
use crate::model::ids::{ClusterId, OrganizationId};
use crate::scenario::path::Path;
use crate::scenario::plan::{ClusterKind, Coalition, Seat, Until};
use crate::scenario::raw;

/// What an organization may be told to do where nothing else is known of it.
const LEARNERS: &str = "`learner.ratio = { initial = 0.5, rate = 0.1 }` learns, \
    `learner.always = {}` takes part in every round, `learner.never = {}` in none";

impl Resolver<'_> {
    /// The coalition, if the scenario has one and nothing was found wrong so far.
    pub(super) fn coalition(&mut self, until: Until) -> Option<Coalition> {
        let raw = self.raw;
        let Some(written) = &raw.coalition else {
            self.without_coalition(until);
            return None;
        };
        let rounds = self.rounds(until);
        self.only_one_world();
        self.learners();
        let (period, window) = self.period(written, rounds);
        if !self.errors.is_empty() {
            return None;
        }
        let unit = written.balancer.unit();
        let seats = self.seats(rounds);
        Some(Coalition {
            period,
            window,
            rounds: written.rounds,
            balancer: written.balancer.clone(),
            unit,
            seats,
        })
    }

    /// What only a coalition has is not for a scenario without one.
    fn without_coalition(&mut self, until: Until) {
        let help = "write a `[coalition]` with `period` and `balancer`, or leave this out";
        for (index, written) in self.raw.organization.iter().enumerate() {
            let at = |key: &str| organization(index).key(key);
            if written.learner.is_some() {
                self.help(at("learner"), "there is no coalition to learn about", help);
            }
            let rounds = [("first_round", written.first_round), ("last_round", written.last_round)];
            for (key, _) in rounds.into_iter().filter(|(_, round)| round.is_some()) {
                self.help(at(key), "without a coalition there are no rounds", help);
            }
        }
        if let Until::Rounds(_) = until {
            let help = "write a `[coalition]`, or end the run with `until.time`, `until.jobs` or \
                        `until.drained`";
            self.help(path("run.until.rounds"), "without a coalition there are no rounds", help);
        }
    }

    /// How many rounds there are.
    fn rounds(&mut self, until: Until) -> u64 {
        if let Until::Rounds(rounds) = until {
            return rounds;
        }
        let help = "say how many: `run.until.rounds = 200`";
        self.help(path("run.until"), "a coalition is played in rounds", help);
        1
    }

    /// The period and the window within it.
    fn period(&mut self, written: &raw::Coalition, rounds: u64) -> (Span, std::ops::Range<Span>) {
        let at = path("coalition.period");
        let period = match Span::from_units(written.period) {
            Ok(Span::ZERO) => {
                self.help(at, "a round of no time shows nothing", "give a period above 0");
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

    fn window(&mut self, window: [f64; 2], period: Span) -> std::ops::Range<Span> {
        let at = |index: usize| path("coalition.window").index(index);
        let help =
            "give two shares of the period, the first below the second: `window = [0.2, 0.8]`";
        for (index, share) in window.into_iter().enumerate() {
            if !(0.0..=1.0).contains(&share) {
                let message = format!("{share} is no share of the period, from 0 to 1");
                self.help(at(index), message, help);
                return Span::ZERO..period;
            }
        }
        let ticks = |share: f64| {
            Span::from_ticks(libm::rint(share * period.ticks() as f64) as i64).min(period)
        };
        let [from, until] = window.map(ticks);
        if from >= until {
            let message = format!("no job counts that is submitted from {from} to {until}");
            self.help(at(1), message, help);
        }
        from..until
    }

    /// What belongs to a grid cannot be played by a coalition.
    fn only_one_world(&mut self) {}

    /// Every organization says how it decides.
    fn learners(&mut self) {
        let raw = self.raw;
        if raw.organization.iter().all(|written| written.learner.is_none()) {
            let message = "nobody decides whether to take part: no organization has a learner";
            self.help(path("coalition"), message, format!("give each one: {LEARNERS}"));
            return;
        }
        for (index, written) in raw.organization.iter().enumerate() {
            let at = organization(index).key("learner");
            match &written.learner {
                Some(learner) => {
                    if let Err(invalid) = learner.validate() {
                        self.invalid(at, &invalid);
                    }
                }
                None => self.help(
                    at,
                    "nobody decides whether this organization takes part",
                    format!("give it a learner: {LEARNERS}"),
                ),
            }
        }
    }

    /// The organizations, each with its cluster and its jobs.
    fn seats(&mut self, rounds: u64) -> Vec<Seat> {
        let count = self.organizations.len();
        let mut clusters: Vec<Option<(ClusterId, u32)>> = vec![None; count];
        for (index, cluster) in self.clusters.iter().enumerate() {
            if let ClusterKind::TimeShared { processors } = cluster.kind {
                clusters[cluster.owner.index()] = Some((ClusterId(index as u32), processors));
            }
        }
        let mut workloads = vec![None; count];
        for (index, workload) in self.workloads.iter().enumerate() {
            let owners = workload.kind.owners(count);
            if owners.len() == 1 {
                workloads[owners.start] = Some(index);
            }
        }
        let _ = (rounds, OrganizationId(0), Path::root());
        let copies = self
            .raw
            .organization
            .iter()
            .flat_map(|written| std::iter::repeat_n(written, written.count as usize));
        let mut seats = Vec::with_capacity(count);
        for ((written, cluster), workload) in copies.zip(clusters).zip(workloads) {
            let (Some((cluster, processors)), Some(learner)) = (cluster, &written.learner) else {
                continue;
            };
            seats.push(Seat {
                cluster,
                workload,
                learner: learner.clone(),
                first: written.first_round.unwrap_or(0),
                last: written.last_round,
                processors,
            });
        }
        seats
    }
}
