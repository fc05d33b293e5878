//! The coalitions of a federation: what each saves, who would leave it or join, and whether divisible
//! load would save more.
//!
//! Every subset of the organizations pools its clusters in all rounds while the others stay alone, on
//! the same draws. The differences of two coalitions are paired, by replication or, of a single one, by
//! round in their order.

mod judged;
pub mod questions;
pub mod table;
#[cfg(test)]
mod tests;

use kernel::parallel;
use kernel::state_of_fields;
use policy::coalition::BalancerOptions;
use policy::learn::{AnyLearner, LearnerOptions};
use run::coalition::{self, AnyStage};
use scenario::plan::{Coalition, Plan, Seat};
use sim::federation::stakes::Plays;
use sim::repeated::{Played, Repeated, RoundObserver};
use stats::paired::Weighed;

use super::StudyError;
pub use judged::{Change, Verdict, Whole};

/// Most organizations: they form 4096 coalitions.
pub const MOST: usize = 12;

/// The members of a coalition, a bit each.
pub type Members = u32;

/// Flow times of one coalition: by organization, and last of all together, then by replication or round,
/// the mean and the number of jobs.
pub(crate) type Flows = Vec<Vec<Weighed>>;

/// The coalitions of a federation.
#[derive(Debug)]
pub struct Found {
    /// The organizations.
    pub names: Vec<String>,
    /// True if a unit of time is a second.
    pub counts_seconds: bool,
    /// True if pairs are rounds of a single replication.
    pub by_round: bool,
    /// Flow times by coalition.
    flows: Vec<Flows>,
    /// Flow times of divisible load, with nobody in and with everybody; `None` if an organization has
    /// not one workload of its own.
    divisible: Option<[Flows; 2]>,
}

/// Values of a replication, by organization and round.
#[derive(Clone, Debug, Default)]
pub struct Sections {
    /// Mean flow times and numbers of jobs.
    flows: Flows,
    /// One where it took part, of the rounds in which it was there.
    joined: Flows,
}

/// The values of each round.
struct Course(Sections);

state_of_fields!(Course {});

impl RoundObserver<AnyStage<()>> for Course {
    fn played(&mut self, round: Played<'_, AnyStage<()>>) {
        let Sections { flows, joined } = &mut self.0;
        for ((flows, joined), turn) in flows.iter_mut().zip(joined).zip(round.game.turns()) {
            let mean = kernel::time::sum_as_units(turn.flow) / turn.jobs.max(1) as f64;
            flows.push([mean, turn.jobs as f64]);
            joined.push([turn.act.is_in(), turn.present].map(|is| f64::from(u8::from(is))));
        }
    }
}

/// Several means of jobs as one.
fn pooled(values: impl IntoIterator<Item = Weighed>) -> Weighed {
    let add = |all: Weighed, [mean, jobs]: Weighed| [all[0] + mean * jobs, all[1] + jobs];
    let [sum, jobs] = values.into_iter().fold([0.0; 2], add);
    [if jobs > 0.0 { sum / jobs } else { 0.0 }, jobs]
}

/// The learners of a coalition: its members are always in, the others never.
fn players(plan: &Plan, seats: &[Seat], members: Members) -> Vec<(String, AnyLearner)> {
    let of = |index: usize| match members >> index & 1 {
        1 => LearnerOptions::Always(Default::default()),
        _ => LearnerOptions::Never(Default::default()),
    };
    let each = plan.organizations.iter().zip(seats).enumerate();
    each.map(|(at, (one, seat))| (one.name.clone(), of(at).choosing(&seat.choices))).collect()
}

/// Plays one replication.
fn one(
    plan: &Plan,
    coalition: &Coalition,
    players: Vec<(String, AnyLearner)>,
    is_scored: bool,
    number: u32,
) -> Result<Sections, StudyError> {
    let wrong = |error: run::error::RunError| StudyError(error.to_string());
    let empty = vec![Vec::new(); players.len()];
    let table = coalition::table(plan, coalition, number, players.clone(), ()).map_err(wrong)?;
    let game = table.into_game();
    let game = if is_scored { game } else { game.unscored() };
    let mut table: Repeated<AnyStage<()>, AnyLearner> =
        Repeated::new(game, players, plan.streams(number));
    let mut course = Course(Sections { flows: empty.clone(), joined: empty });
    table.play(plan.rounds_of(number), &mut course).map_err(wrong)?;
    Ok(course.0)
}

/// Plays with each of several casts, in parallel.
fn played(
    plan: &Plan,
    coalition: &Coalition,
    casts: &[impl Fn() -> Vec<(String, AnyLearner)> + Sync],
    is_scored: bool,
) -> Result<Vec<Sections>, StudyError> {
    let replications = plan.replications as usize;
    let play = |at: usize| {
        let (cast, number) = (&casts[at / replications], (at % replications) as u32);
        one(plan, coalition, cast(), is_scored, number)
    };
    let all = parallel::map(casts.len() * replications, play);
    let all: Vec<Sections> = all.into_iter().collect::<Result<_, _>>()?;
    let of = |several: &[Sections], which: fn(&Sections) -> &Flows| {
        sections(&several.iter().map(which).collect::<Vec<_>>())
    };
    let each = all.chunks(replications).map(|several| Sections {
        flows: of(several, |one| &one.flows),
        joined: of(several, |one| &one.joined),
    });
    Ok(each.collect())
}

/// The flow times of several coalitions.
fn flows(
    plan: &Plan,
    coalition: &Coalition,
    members: &[Members],
) -> Result<Vec<Flows>, StudyError> {
    let cast = |members: &Members| {
        let members = *members;
        move || players(plan, &coalition.seats, members)
    };
    let casts: Vec<_> = members.iter().map(cast).collect();
    let played = played(plan, coalition, &casts, false)?;
    Ok(played.into_iter().map(|one| one.flows).collect())
}

/// Values in sections: the replications, or the rounds of a single one; then those of all together.
fn sections(replications: &[&Flows]) -> Flows {
    let mut flows: Flows = match replications {
        [only] => (*only).clone(),
        all => {
            let of = |organization: usize| {
                all.iter().map(|one| pooled(one[organization].iter().copied())).collect()
            };
            (0..all[0].len()).map(of).collect()
        }
    };
    let sections = 0..flows.first().map_or(0, Vec::len);
    let everybody = sections.map(|at| pooled(flows.iter().map(|own| own[at])));
    let everybody = everybody.collect();
    flows.push(everybody);
    flows
}

/// The same owners and jobs as divisible load on time-shared clusters, which are averaged.
fn divisible(plan: &Plan, coalition: &Coalition) -> Option<Coalition> {
    let count = plan.organizations.len();
    let owner = |organization: usize| {
        let mut own = (0..plan.workloads.len()).filter(|&workload| {
            plan.workloads[workload].kind.owners(count) == (organization..organization + 1)
        });
        own.next().filter(|_| own.next().is_none())
    };
    let seat = |(at, seat): (usize, &Seat)| {
        let workload = Some(owner(at)?);
        (seat.processors > 0).then(|| Seat { workload, ..seat.clone() })
    };
    let seats: Option<Vec<Seat>> = coalition.seats.iter().enumerate().map(seat).collect();
    let seats = seats.filter(|_| plan.workloads.len() == count)?;
    let balancer = Some(BalancerOptions::Averaging(Default::default()));
    Some(Coalition { balancer, seats, ..coalition.clone() })
}

/// Plays every coalition of a federation.
///
/// # Errors
/// Fails if the plan is no federation, or one of too many; or if a run cannot go on.
pub fn study(plan: &Plan) -> Result<Found, StudyError> {
    let coalition = plan.coalition().filter(|coalition| coalition.is_federation());
    let Some(coalition) = coalition else {
        let help = "help: `gridpact new federation` writes one";
        return Err(StudyError(format!("this scenario is no federation\n{help}")));
    };
    if coalition.plays == Plays::Follow {
        let help = "help: leave `coalition.plays` out";
        return Err(StudyError(format!("who follows a plan pools no clusters\n{help}")));
    }
    let names: Vec<String> = plan.organizations.iter().map(|one| one.name.clone()).collect();
    if !(2..=MOST).contains(&names.len()) {
        let message = format!("a study of {} organizations", names.len());
        return Err(StudyError(format!("{message}\nhelp: take 2 to {MOST} of them")));
    }
    let all: Vec<Members> = (0..1 << names.len()).collect();
    // One member alone has nobody to pool with.
    let is_played = |members: &Members| members.count_ones() != 1;
    let distinct: Vec<Members> = all.iter().copied().filter(is_played).collect();
    let flows_of = |coalition: &Coalition, all: &[Members]| flows(plan, coalition, all);
    let flows = flows_of(coalition, &distinct)?;
    let place = |members: &Members| {
        let members = if is_played(members) { *members } else { 0 };
        distinct.binary_search(&members).expect("it was played")
    };
    let whole = (1 << names.len()) - 1;
    let divisible = divisible(plan, coalition).map(|one| flows_of(&one, &[0, whole]));
    Ok(Found {
        counts_seconds: plan.counts_seconds(),
        by_round: plan.replications == 1,
        flows: all.iter().map(|members| flows[place(members)].clone()).collect(),
        divisible: divisible
            .transpose()?
            .map(|flows| <[Flows; 2]>::try_from(flows).expect("two were played")),
        names,
    })
}

impl Found {
    /// The organizations of a coalition.
    pub fn members(&self, members: Members) -> impl Iterator<Item = usize> {
        (0..self.names.len()).filter(move |at| members >> at & 1 == 1)
    }

    /// The coalition of everybody.
    pub fn whole(&self) -> Members {
        (1 << self.names.len()) - 1
    }
}
