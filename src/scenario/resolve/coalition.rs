//! Resolves the coalition: its members, its rounds and its balancer.

mod jobs;

use std::ops::Range;

use super::{Resolver, organization, path};
use crate::diagnostics::show;
use crate::plan::{
    Cluster, ClusterKind, Coalition, Exclusion, Lie, Plays, Probes, Rounds, Seat, Until,
};
use crate::raw::{self, Mutants, first_round};
use crate::root::Root;
use kernel::time::{LIMIT_TICKS, Span};
use model::ids::{ClusterId, OrganizationId};
use policy::grid::GridOptions;
use policy::learn::choose::Choices;
use policy::learn::lies::Lies;
use policy::learn::{LearnerOptions, fixed};
use sim::clairvoyance::Clairvoyance;

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

fn span(units: f64) -> Span {
    Span::from_units(units).unwrap_or(Span::ZERO)
}

fn exclusion(written: &raw::Exclusion) -> Exclusion {
    let raw::Exclusion { rounds, doubles, votes, probation, probes } = written;
    let probes = probes.as_ref().map(|probes| Probes {
        rate: probes.rate,
        tolerance: span(probes.tolerance),
        noise: span(probes.noise),
    });
    let (rounds, doubles, probation, votes) = (*rounds, *doubles, *probation, *votes);
    Exclusion { rounds, doubles, votes, probation, probes }
}

fn lie(written: &Lies) -> Lie {
    Lie {
        factor: written.factor,
        add: span(written.add),
        at_least_level: written.at_least_level,
        delay: span(written.delay),
        dummy: span(written.dummy),
        new_name: written.new_name,
    }
}

impl Resolver<'_> {
    /// Resolves the coalition, if no mistake was found so far.
    pub(super) fn coalition(
        &mut self,
        written: &raw::Coalition,
        until: Until,
    ) -> Option<Coalition> {
        let rounds = self.rounds(until);
        let is_federation = self.root == Root::Federation;
        if is_federation {
            self.federation(written);
        } else {
            self.one_cluster_each();
            if written.balancer.is_none() {
                let help = "choose one: `balancer.averaging = {}` or `balancer.bilb = {}`";
                self.help(path("coalition"), "nothing says how load moves", help);
            }
        }
        self.learners();
        self.no_class_names();
        self.presence(rounds);
        let groups = self.groups(written);
        if written.exclusion.as_ref().is_some_and(|one| one.doubles && one.rounds.is_none()) {
            let message = "an exclusion for good cannot last longer";
            let help = "say how long the first one lasts: `rounds = 5`";
            self.help(path("coalition.exclusion.doubles"), message, help);
        }
        let (period, window) = self.period(written, rounds);
        if let Some(balancer) = &written.balancer {
            self.valid(path("coalition.balancer"), balancer.check());
        }
        if !self.errors.is_empty() {
            return None;
        }
        if !is_federation {
            self.split_lists();
        }
        let coalition = Coalition {
            period,
            window,
            rounds: written.rounds(),
            balancer: written.balancer.clone(),
            sends: written.sends,
            balances: written.balances,
            exclusion: written.exclusion.as_ref().map(exclusion),
            groups,
            plays: written.plays,
            score: written.score,
            costs: written.cost,
            shares: if is_federation { self.shares.clone() } else { Vec::new() },
            begins: written.pieces,
            seats: self.seats(),
        };
        if is_federation {
            self.check_pieces(&coalition);
            return Some(coalition);
        }
        self.check_units(&coalition);
        self.check_lengths(&coalition);
        self.check_spacing(&coalition);
        self.doubts(&coalition, rounds);
        Some(coalition)
    }

    /// Resolves the groups that balance apart.
    fn groups(&mut self, written: &raw::Coalition) -> Vec<Vec<u32>> {
        let of_entry = |name: &str| {
            let of = |id: &usize| {
                let entry = self.organizations[*id].entry;
                entry.is_some_and(|entry| self.raw.organization[entry].name == name)
            };
            (0..self.organizations.len()).filter(of).map(|id| id as u32).collect::<Vec<_>>()
        };
        let mut groups = Vec::new();
        let mut unknown = Vec::new();
        for (index, group) in written.groups.iter().flatten().enumerate() {
            let mut ids = Vec::new();
            for (place, name) in group.iter().enumerate() {
                let all = of_entry(name);
                match self.by_name.get(name) {
                    Some(id) => ids.push(id.0),
                    None if !all.is_empty() => ids.extend(all),
                    None => unknown.push((index, place)),
                }
            }
            groups.push(ids);
        }
        let at = |index| path("coalition.groups").index(index);
        for (index, place) in unknown {
            let name = &written.groups.as_ref().expect("it has one")[index][place];
            self.known_organization(name, at(index).index(place));
        }
        for (index, group) in groups.iter_mut().enumerate() {
            group.sort_unstable();
            let all = group.len();
            group.dedup();
            let wrong = if all > group.len() {
                "an organization is named twice"
            } else {
                "it has nobody to balance with"
            };
            if all > group.len() || all < 2 {
                self.help(at(index), wrong, "name two organizations or more, each once");
            }
        }
        groups
    }

    /// Checks what only a federation has.
    fn federation(&mut self, written: &raw::Coalition) {
        self.valid(path("coalition.cost"), written.cost.check());
        if written.plays == Plays::Follow && self.raw.output.alone {
            let message = "nobody is alone where owners follow a plan or not";
            self.help(
                path("output.alone"),
                message,
                "leave it out, or leave `coalition.plays` out",
            );
        }
        if written.rounds() == Rounds::Continuing && !written.pieces.is_default() {
            let message = "jobs go on from round to round, which play no pieces";
            let help = "leave it out, or set `coalition.rounds = \"independent\"`";
            self.help(path("coalition.pieces"), message, help);
        }
        let raw = self.raw;
        if written.plays == Plays::Follow && raw.planner.is_none() {
            let help = "choose a planner, as `planner.equitable_walk = {}`";
            self.help(path("coalition.plays"), "there is no plan to follow", help);
        }
        let asks = |cluster: &Cluster| {
            let ClusterKind::SpaceShared { scheduler, .. } = &cluster.kind else { return None };
            let program = scheduler.as_ref().filter(|one| one.is_program())?.name();
            let at = self.place_of_cluster(&cluster.name).key("space_shared").key("scheduler");
            Some(at.key(program))
        };
        let asks = self.clusters.iter().find_map(asks);
        let of_grid = matches!(raw.grid_scheduler, Some(GridOptions::Process(_)));
        if let Some(at) = of_grid.then(|| path("grid_scheduler.process")).or(asks) {
            let message = "a federation tries what its members gain on copies of the grid, and a \
                           program cannot be copied";
            self.help(at, message, "take one of gridpact's own, such as `list = {}`");
        }
        for (index, organization) in raw.organization.iter().enumerate() {
            if let Some(LearnerOptions::Threshold(_)) = &organization.learner {
                let at = super::organization(index).key("learner").key("threshold");
                let message = "a threshold is a queue at a balancing, and a federation has none";
                let help = "take a learner that decides whether to be in, as `learner.ratio`";
                self.help(at, message, help);
            }
        }
        let levels = (raw.organization.iter().enumerate()).find_map(|(index, organization)| {
            Some(super::organization(index).join(&path(jobs::level(organization)?)))
        });
        if let Some(at) = &levels
            && raw.run.clairvoyance == Clairvoyance::None
        {
            let message =
                "a level is work that jobs are expected to bring, and this run knows none";
            let help = "set `run.clairvoyance` to `estimate`, `predicted` or `runtime`";
            self.help(at.clone(), message, help);
        }
        let lies = raw.organization.iter().position(|written| {
            let menu = written.choices.as_ref().is_some_and(|choices| !choices.lies.is_empty());
            menu || written.lies.is_some()
        });
        if let Some(index) = lies
            && raw.run.clairvoyance == Clairvoyance::None
        {
            let key = if raw.organization[index].lies.is_some() { "lies" } else { "choices" };
            let message = "owners lie about expected runtimes, and this run knows none";
            let help = "set `run.clairvoyance` to `estimate`, `predicted` or `runtime`";
            self.help(super::organization(index).key(key), message, help);
        }
        let share = self.shares.iter().position(Option::is_some);
        let share = share.map(|at| self.clusters[at].name.clone());
        let share = share.map(|name| self.place_of_cluster(&name).key("space_shared").key("share"));
        let Some(scheduler) = raw.grid_scheduler.as_ref().filter(|one| !one.asks()) else { return };
        if let Some(at) = share.or(levels) {
            let message =
                format!("`{}` does not ask how much of others a cluster takes", scheduler.name());
            let help = "take a planner, or `list`, `best_fit` or one that sends jobs";
            self.contradiction(at, message, &path("grid_scheduler"), help);
        }
    }

    /// Checks that independent rounds have a piece to play.
    fn check_pieces(&mut self, coalition: &Coalition) {
        let pieces = coalition.pieces(&self.workloads);
        let is_independent = coalition.rounds == Rounds::Independent;
        if is_independent && pieces.count == 0 && pieces.is_given.contains(&true) {
            let message = format!(
                "no period of {} units lies within all traces and lists of jobs",
                coalition.period
            );
            let help = "take shorter rounds, or let them be `continuing`";
            self.help(path("coalition.period"), message, help);
        }
    }

    /// Limits the spacing of balancings: an independent round lasts until one ends it.
    fn check_spacing(&mut self, coalition: &Coalition) {
        let step = coalition.balancing().spacing.step(Span::ZERO).unwrap_or(Span::ZERO);
        let most = i128::from(coalition.period.ticks()) * i128::from(MOST_PERIODS);
        if coalition.rounds == Rounds::Independent && i128::from(step.ticks()) > most {
            let message =
                format!("balancings would be {step} units apart, a period is {}", coalition.period);
            let help = format!(
                "a round goes on until the next balancing: leave at most {MOST_PERIODS} periods \
                 between them"
            );
            self.help(path("coalition.balancer"), message, help);
        }
    }

    /// Checks that every organization has exactly one cluster.
    fn one_cluster_each(&mut self) {
        let mut owned = vec![0_u32; self.organizations.len()];
        let raw = self.raw;
        let mut first = 0;
        for written in &raw.organization {
            let copies = first..first + written.count as usize;
            first = copies.end;
            owned[copies].fill(written.cluster.is_some().into());
        }
        for (index, written) in raw.cluster.iter().enumerate() {
            let Some(owner) = self.by_name.get(&written.owner).map(|id| id.index()) else {
                continue;
            };
            owned[owner] = owned[owner].saturating_add(written.count);
            if owned[owner] > 1 {
                self.help(
                    path("cluster").index(index).key("owner"),
                    format!("`{}` has {} clusters", show(&written.owner), owned[owner]),
                    "in a coalition every organization has one: give this to another, or make \
                     one of them with more processors",
                );
            }
        }
        let without = owned.iter().position(|&count| count == 0);
        let without = without.filter(|&index| index < first);
        if let Some(index) = without {
            let entry = self.entry_of(OrganizationId(index as u32));
            self.mistakes.help(
                organization(entry).key("cluster"),
                format!("`{}` has no cluster", show(&self.organizations[index].name)),
                "in a coalition every organization has one: `cluster.time_shared = {}`",
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
        let help = "say how many: `run.until.rounds = 200`, or `goes_on = 0.95` by chance";
        self.help(path("run.until"), "a coalition is played in rounds", help);
        1
    }

    /// Returns the period and the window within it.
    fn period(&mut self, written: &raw::Coalition, rounds: u64) -> (Span, Range<Span>) {
        let period = self.length(written.period, path("coalition.period"));
        let ticks = i128::from(period.ticks());
        let goes_on = written.rounds() == Rounds::Continuing || self.root == Root::Federation;
        if goes_on && ticks * i128::from(rounds) > i128::from(LIMIT_TICKS) {
            let message = format!(
                "{rounds} {} rounds of {} units last longer than can be counted",
                written.rounds().name(),
                written.period
            );
            let rule = match self.raw.run.until {
                raw::Until::GoesOn(_) => "run.until.goes_on",
                _ => "run.until.rounds",
            };
            self.help(path(rule), message, "take fewer, or shorter ones");
        }
        let window = written.with_defaults().window.unwrap_or_default();
        (period, self.window(window, period))
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
        let decides =
            |written: &raw::Organization| written.learner.is_some() || written.members.is_some();
        if !raw.organization.iter().any(decides) {
            let message = "nobody decides about this coalition: no organization has a learner";
            self.help(path("coalition"), message, format!("give each one: {LEARNERS}"));
            return;
        }
        for (index, written) in raw.organization.iter().enumerate() {
            if let Some(more) = written.members.filter(|&members| members > written.count) {
                let message = format!("{more} members are more than there are organizations");
                let help = format!(
                    "`{}` has {}: give 0 to {}",
                    show(&written.name),
                    written.count,
                    written.count
                );
                self.help(organization(index).key("members"), message, help);
            }
            if let Some(lies) = &written.lies
                && let Some(more) = lies.of.filter(|&of| of > written.count)
            {
                let message = format!("{more} that lie are more than there are organizations");
                let help = format!("`{}` has {}", show(&written.name), written.count);
                self.help(organization(index).key("lies").key("of"), message, help);
            }
            if let (Some(mutants), Some(learner)) = (&written.mutants, &written.learner) {
                let at = organization(index).key("mutants");
                self.mutants(mutants, learner, written.count, &written.name, &at);
                let is_valid = self.valid(at.clone().key("learner"), mutants.learner.check());
                if is_valid.is_some() && mutants.learner.wanted().rules {
                    let at = at.key("learner").key(mutants.learner.name());
                    self.help(at, UNKNOWN_PAYOFFS.0, UNKNOWN_PAYOFFS.1);
                }
            }
            let at = organization(index).key("learner");
            match &written.learner {
                Some(learner) => {
                    let is_valid = self.valid(at.clone(), learner.check()).is_some();
                    let (choices, mutants) = (written.choices.as_ref(), written.mutants.as_ref());
                    self.choices(choices, learner, mutants, organization(index), None);
                    if is_valid && learner.wanted().rules {
                        self.help(at.key(learner.name()), UNKNOWN_PAYOFFS.0, UNKNOWN_PAYOFFS.1);
                    }
                }
                None if written.members.is_some() => {}
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
        for (index, written) in self.raw.organization.iter().enumerate() {
            self.check_single(&written.name, organization(index).key("name"));
        }
    }

    /// Checks the rounds in which organizations are present.
    fn presence(&mut self, rounds: u64) {
        let raw = self.raw;
        for (index, written) in raw.organization.iter().enumerate() {
            let first =
                first_round(written.first_round, written.apart, written.count.saturating_sub(1));
            let at = |key: &str| organization(index).key(key);
            if let Some(last) = written.last_round.filter(|&last| last < first) {
                let message = format!("the last round, {last}, is before the first, {first}");
                self.help(at("last_round"), message, "rounds are numbered from 0");
            } else if first >= rounds {
                let last = if written.apart.is_some() { "the last " } else { "" };
                let message = format!("{last}`{}` is never there", show(&written.name));
                let note = format!("the run ends with round {}, as they count from 0", rounds - 1);
                let key = if written.apart.is_some() { "apart" } else { "first_round" };
                self.warn(at(key), message, note);
            }
        }
    }

    /// Returns the organizations, each with its cluster and its jobs.
    fn seats(&mut self) -> Vec<Seat> {
        let count = self.organizations.len();
        let is_federation = self.root == Root::Federation;
        // An organization of a federation may have several, or none.
        let none = is_federation.then_some((None, 0));
        let mut clusters: Vec<Option<(Option<ClusterId>, u32)>> = vec![none; count];
        for (index, cluster) in self.clusters.iter().enumerate() {
            let own = &mut clusters[cluster.owner.index()];
            match (&cluster.kind, own) {
                (ClusterKind::TimeShared { processors }, own) => {
                    *own = Some((Some(ClusterId(index as u32)), *processors));
                }
                (_, Some((_, all))) => *all = all.saturating_add(cluster.processors()),
                _ => {}
            }
        }
        let mut workloads = vec![None; count];
        for (index, workload) in self.workloads.iter().enumerate().filter(|_| !is_federation) {
            let owner = self.owner_of(workload);
            workloads[owner.index()] = Some(index);
        }
        let entries = self.raw.organization.iter().enumerate();
        let copies = entries.flat_map(|(entry, written)| {
            (0..written.count).map(move |number| (entry, written, number))
        });
        let seats = copies.zip(clusters).zip(workloads).filter_map(|((copy, cluster), jobs)| {
            let (entry, written, number) = copy;
            let (cluster, processors) = cluster?;
            let mut learner = match (written.members, &written.learner) {
                (None, learner) => {
                    Mutants::or(written.mutants.as_ref(), learner.as_ref()?, number).clone()
                }
                (Some(members), _) if number >= members => {
                    LearnerOptions::Never(Default::default())
                }
                // The terms on which it takes part stay.
                (Some(_), Some(LearnerOptions::Fixed(fixed))) => {
                    LearnerOptions::Fixed(fixed::Options { probability: 1.0, ..fixed.clone() })
                }
                (Some(_), learner) => match declared(learner.as_ref(), &written.choices) {
                    None => LearnerOptions::Always(Default::default()),
                    level => LearnerOptions::Fixed(fixed::Options { level, ..Default::default() }),
                },
            };
            let at = organization(entry);
            let at =
                if written.learner.as_ref() == Some(&learner) { at } else { at.key("mutants") };
            self.place_command(self.files, &at.key("learner"), learner.command());
            let lies = written.lies.as_ref().filter(|lies| number < lies.of.unwrap_or(u32::MAX));
            let choices = written.choices.clone().unwrap_or_default();
            Some(Seat {
                lies: lies.map(lie),
                menu: match learner.takes_choices() {
                    true => choices.lies.iter().map(lie).collect(),
                    false => Vec::new(),
                },
                cluster,
                workload: jobs,
                learner,
                choices,
                first: first_round(written.first_round, written.apart, number),
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

/// The one level that a learner declares when it takes part.
fn declared(learner: Option<&LearnerOptions>, choices: &Option<Choices>) -> Option<f64> {
    match learner {
        Some(LearnerOptions::Ratio(own)) => own.level,
        _ => choices.as_ref()?.level,
    }
}
