//! The coalition of a plan.

use std::ops::Range;

use super::{Plan, Workload, WorkloadKind};
use kernel::time::{Span, TICKS_PER_UNIT, Time};
use model::ids::ClusterId;
use policy::coalition::BalancerOptions;
use policy::learn::choose::Choices;
use policy::learn::{AnyLearner, LearnerOptions};
pub use sim::federation::stakes::Plays;
use sim::federation::stakes::{Costs, Score, Stakes};
use sim::federation::{Begins, Pieces};
use sim::pool::{AsLoad, Balances, Balancing, Presence, Season, Sends};
pub use sim::pool::{Exclusion, Lie, Probes, Rounds};
use stats::shown::counted;

/// A coalition; a plan with one is played in rounds.
#[derive(Clone, Debug)]
pub struct Coalition {
    /// Length of a round.
    pub period: Span,
    /// Offsets from the start of a round between which submitted jobs count.
    pub window: Range<Span>,
    /// State of the clusters at the start of a round.
    pub rounds: Rounds,
    /// Algorithm that moves the load; `None` in a federation, whose members' jobs are placed by the
    /// grid scheduler or planner.
    pub balancer: Option<BalancerOptions>,
    /// Order in which a cluster sends out its own work.
    pub sends: Sends,
    /// Order of a balancing and the submissions of the same instant.
    pub balances: Balances,
    /// Exclusion of members that are caught cheating.
    pub exclusion: Option<Exclusion>,
    /// Numbers of the organizations of groups that balance apart; all together if empty.
    pub groups: Vec<Vec<u32>>,
    /// Choice of an owner of a federation.
    pub plays: Plays,
    /// Measure by which an owner of a federation judges a round.
    pub score: Score,
    /// Costs of taking part in a federation.
    pub costs: Costs,
    /// By cluster of a federation: the most processors that others' jobs may have.
    pub shares: Vec<Option<u32>>,
    /// The beginnings of the pieces that independent rounds of a federation play.
    pub begins: Begins,
    /// The organizations, in their order.
    pub seats: Vec<Seat>,
}

/// An organization's seat in a coalition.
#[derive(Clone, Debug)]
pub struct Seat {
    /// Its only cluster; `None` in a federation, where it may have any number.
    pub cluster: Option<ClusterId>,
    /// Number of the workload that brings its jobs, all of which it owns; `None` if it has no jobs, and
    /// in a federation.
    pub workload: Option<usize>,
    /// Learning rule that decides whether and how much it takes part.
    pub learner: LearnerOptions,
    /// Its choices, if the rule chooses among actions.
    pub choices: Choices,
    /// The way in which it cheats in every round, if it does.
    pub lies: Option<Lie>,
    /// The lies that it chooses among.
    pub menu: Vec<Lie>,
    /// First round in which it is present, from 0.
    pub first: u64,
    /// Last round in which it is present; `None` if it stays to the end.
    pub last: Option<u64>,
    /// Number of processors of its clusters.
    pub processors: u32,
    /// Number of its entry in the scenario; copies made by a `count` share it.
    pub entry: usize,
}

impl Seat {
    /// Returns its learner before the first round.
    pub fn player(&self) -> AnyLearner {
        self.learner.choosing(&self.choices)
    }

    /// Returns the way in which it plays every round, honest or not, and the lies that it chooses among.
    pub fn ways(&self) -> Vec<Lie> {
        let always = self.lies.unwrap_or(Lie::HONEST);
        std::iter::once(always).chain(self.menu.iter().copied()).collect()
    }

    /// Returns the rounds in which it is present.
    pub fn presence(&self) -> Presence {
        Presence { first: self.first, last: self.last }
    }

    /// Returns the conversion of its jobs to load in whole multiples of `unit`. A rigid job that
    /// runs for p on q of m processors is p q / m of work, shared by all of them.
    pub fn as_load(&self, unit: Span) -> AsLoad {
        AsLoad { processors: self.processors, unit }
    }
}

impl Coalition {
    /// Returns the pieces of these workloads that independent rounds play. The last one may end after its
    /// window.
    pub fn pieces(&self, workloads: &[Workload]) -> Pieces {
        let Coalition { period, window, begins, .. } = self;
        let phase = |kind: &WorkloadKind| kind.local_start().filter(|_| *begins == Begins::Aligned);
        let later = |phase: i64, other: i64| (other - phase).rem_euclid(WEEK / TICKS_PER_UNIT);
        let phases: Vec<i64> = workloads.iter().filter_map(|one| phase(&one.kind)).collect();
        // The moment of the week for which the least is left out at the beginning.
        let longest = |&other: &i64| phases.iter().map(|&phase| later(phase, other)).max();
        let common = phases.iter().copied().min_by_key(longest);
        let first = |workload: &Workload| {
            let wait =
                common.zip(phase(&workload.kind)).map(|(common, phase)| later(phase, common));
            Time::ZERO + Span::from_ticks(wait.unwrap_or(0) * TICKS_PER_UNIT)
        };
        let first: Vec<Time> = workloads.iter().map(first).collect();
        let whole = |(workload, &first): (&Workload, &Time)| {
            let last = workload.kind.last_submit().filter(|&last| last >= first)?;
            let lasts = (last - first).ticks() - window.end.ticks();
            Some(lasts.div_euclid(period.ticks()).saturating_add(1).max(0) as u64)
        };
        let is_given: Vec<bool> = workloads.iter().map(|one| one.kind.is_given()).collect();
        let given = workloads.iter().zip(&first).filter(|(one, _)| one.kind.is_given());
        let count = given.map(|one| whole(one).unwrap_or(0)).min().unwrap_or(0);
        Pieces { first, is_given, count }
    }

    /// Returns the sequence of rounds in the form the pool uses.
    pub fn season(&self) -> Season {
        Season { period: self.period, window: self.window.clone(), rounds: self.rounds }
    }

    /// Returns true if some members choose among lies.
    pub fn chooses_lies(&self) -> bool {
        self.seats.iter().any(|seat| !seat.menu.is_empty())
    }

    /// Returns true if it is a federation of space-shared clusters.
    pub fn is_federation(&self) -> bool {
        self.balancer.is_none()
    }

    /// Returns true if members' levels matter.
    pub fn heeds_levels(&self) -> bool {
        matches!(self.balancer, None | Some(BalancerOptions::Bilb(_) | BalancerOptions::Favors(_)))
    }

    /// Returns the balancer.
    ///
    /// # Panics
    /// If it is a federation.
    pub fn balancer(&self) -> &BalancerOptions {
        self.balancer.as_ref().expect("a pool has a balancer")
    }

    /// Returns the schedule of balancings in the form the pool uses.
    ///
    /// # Panics
    /// If it is a federation.
    pub fn balancing(&self) -> Balancing {
        let balancer = self.balancer();
        Balancing {
            unit: balancer.unit(),
            spacing: balancer.spacing(),
            sends: self.sends,
            balances: self.balances,
        }
    }

    /// Returns the time after which no job arrives. The clock runs on through continuing rounds and
    /// restarts in independent ones.
    pub fn end(&self, rounds: u64) -> Time {
        let rounds = match self.rounds {
            Rounds::Independent => 1,
            Rounds::Continuing => i64::try_from(rounds).unwrap_or(i64::MAX),
        };
        Time::from_ticks(self.period.ticks().saturating_mul(rounds))
    }

    /// Describes the conversion of rigid jobs to load, in a sentence. It is `None` if every cluster
    /// has one processor, since a job's load is then its runtime, and in a federation.
    pub fn conversion(&self) -> Option<String> {
        self.balancer.as_ref()?;
        let processors = || self.seats.iter().map(|seat| seat.processors);
        let (least, most) = (processors().min()?, processors().max()?);
        let m = match (least, most) {
            (_, 1) => return None,
            (least, most) if least == most => format!("m = {most}"),
            (least, most) => format!("m from {least} to {most}"),
        };
        Some(format!(
            "a rigid job that runs for p on q processors becomes a load of p q / m on a cluster of \
             m processors, which can be divided at will; {m}"
        ))
    }
}

impl Coalition {
    /// Describes who may cheat, and what comes of it, in a sentence; `None` if neither is written.
    pub fn misbehaviour(&self) -> Option<String> {
        let may = |seat: &&Seat| seat.ways().iter().any(|way| !way.is_honest());
        let who = match self.seats.iter().filter(may).count() as u64 {
            0 if self.exclusion.is_none() => return None,
            0 => "nobody cheats".to_owned(),
            some => format!("{} may cheat", counted(some, "organization", "organizations")),
        };
        let Some(Exclusion { rounds, doubles, .. }) = self.exclusion else {
            return Some(format!("{who}, and nobody is excluded for it"));
        };
        let long = match rounds {
            None => "for good".to_owned(),
            Some(rounds) => format!("from {}", counted(rounds, "round", "rounds")),
        };
        let longer = if doubles { ", each time twice as long" } else { "" };
        Some(format!("{who}; a member that is caught is excluded {long}{longer}"))
    }
}

impl Plan {
    /// Returns the measure of a federation's rounds, and the costs of taking part.
    pub fn stakes(&self, coalition: &Coalition) -> Stakes {
        let Coalition { plays, score, costs, .. } = *coalition;
        Stakes { plays, score, tau: self.counting.tau, costs }
    }

    /// Returns the way in which members pool what they have, in words.
    pub fn pooling(&self, coalition: &Coalition) -> String {
        match (&coalition.balancer, &self.planned, &self.grid_scheduler) {
            (Some(balancer), ..) => format!("balancer {}", balancer.name()),
            (None, Some(planned), _) => format!("planner {}", planned.planner.name()),
            (None, None, Some(scheduler)) => format!("grid scheduler {}", scheduler.name()),
            (None, None, None) => "grid scheduler least_demand".to_owned(),
        }
    }
}

/// Ticks of a week.
const WEEK: i64 = 7 * 24 * 3600 * TICKS_PER_UNIT;

impl WorkloadKind {
    /// Returns the moment that time 0 stands for, in seconds of local time since the beginning of 1970,
    /// if its file tells.
    fn local_start(&self) -> Option<i64> {
        let zone = self.survey().and_then(|survey| survey.header.time_zone());
        Some(self.start()? + zone.unwrap_or(0))
    }

    /// Returns the last submission, if its jobs are given and there is one.
    pub fn last_submit(&self) -> Option<Time> {
        match self {
            WorkloadKind::Swf { survey, .. } => survey.last_submit,
            WorkloadKind::List(list) => list.jobs().iter().map(|job| job.submit).max(),
            WorkloadKind::Drawn(..) | WorkloadKind::Shared { .. } => None,
        }
    }

    /// Returns true if the jobs are given, and so the same every time they are read.
    pub fn is_given(&self) -> bool {
        matches!(self, WorkloadKind::Swf { .. } | WorkloadKind::List(_))
    }
}
