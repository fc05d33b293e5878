//! Questions about a federation: worlds that differ in one setting, on the same draws. `gridpact lab` tells
//! of its coalitions.
//!
//! The differences of two worlds are paired, by replication or, of a single one, by round in their order.

mod change;
pub mod divisible;
pub mod questions;
pub mod table;
#[cfg(test)]
mod tests;

use kernel::parallel;
use kernel::state_of_fields;
use policy::learn::AnyLearner;
use run::coalition::{self, AnyStage};
use scenario::plan::{Coalition, Plan};
use sim::repeated::{Played, Repeated, RoundObserver};
use stats::paired::Weighed;

use super::StudyError;
pub use change::Change;

/// Flow times of a world: by organization, and last of all together, then by replication or round,
/// the mean and the number of jobs.
pub(crate) type Flows = Vec<Vec<Weighed>>;

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

/// The learners of a coalition.
fn players(plan: &Plan, coalition: &Coalition) -> Vec<(String, AnyLearner)> {
    let each = plan.organizations.iter().zip(&coalition.seats);
    each.map(|(one, seat)| (one.name.clone(), seat.player())).collect()
}

/// Plays one replication.
fn one(
    plan: &Plan,
    coalition: &Coalition,
    is_scored: bool,
    number: u32,
) -> Result<Sections, StudyError> {
    let players = players(plan, coalition);
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

/// Plays all replications, in parallel.
fn played(plan: &Plan, coalition: &Coalition, is_scored: bool) -> Result<Sections, StudyError> {
    let play = |number: usize| one(plan, coalition, is_scored, number as u32);
    let all = parallel::map(plan.replications as usize, play);
    let all: Vec<Sections> = all.into_iter().collect::<Result<_, _>>()?;
    let of = |which: fn(&Sections) -> &Flows| sections(&all.iter().map(which).collect::<Vec<_>>());
    Ok(Sections { flows: of(|one| &one.flows), joined: of(|one| &one.joined) })
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
