//! Unilateral deviations: sweeps one organization's action while all others keep their strategies.
//!
//! The organizations first learn for some rounds and are then frozen: they keep deciding but stop
//! learning. The alternatives are compared on the same rounds with the same draws (common random
//! numbers), taken from a replication that was not used for learning.

use super::coalition::table;
use super::error::RunError;
use super::progress::Progress;
use findings::rounds::mean::Mean;
use game::stage::Act;
use kernel::parallel;
use policy::learn::{AnyLearner, Player as _, Stance};
use policy::peer::{self, Scope};
use report::coalition::deviations::{Instead, Swept};
use scenario::plan::{Coalition, Plan, Rounds};

/// A deviation experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Inquiry {
    /// The organizations to sweep, each with its alternative actions.
    pub sweeps: Vec<(usize, Vec<Act>)>,
    /// Rounds of learning before the organizations are frozen.
    pub after: u64,
    /// Rounds compared.
    pub rounds: u64,
}

/// Number of batches for continuing rounds: neighbouring rounds are correlated, so single rounds
/// are not independent samples.
const BATCHES: usize = 20;

/// Sweeps the actions of some organizations.
///
/// # Errors
/// Fails if a source cannot be read, or the threads cannot be started.
pub fn deviate(
    plan: &Plan,
    coalition: &Coalition,
    inquiry: &Inquiry,
    threads: usize,
    progress: &Progress,
) -> Result<Vec<Swept>, RunError> {
    let players = learned(plan, coalition, inquiry.after, progress)?;
    let stances: Vec<Stance> = players.iter().map(|(_, player)| player.stance()).collect();
    let acts = |menu: &[Act]| -> Vec<Option<Act>> {
        std::iter::once(None).chain(menu.iter().copied().map(Some)).collect()
    };
    let sweeps = inquiry.sweeps.iter().flat_map(|(organization, menu)| {
        acts(menu).into_iter().map(move |act| (*organization, act))
    });
    let sweeps: Vec<(usize, Option<Act>)> = sweeps.collect();
    let one = |&(organization, act): &(usize, Option<Act>)| {
        let mut table = table(plan, coalition, plan.replications, players.clone(), ())?.held();
        if let Some(act) = act {
            table = table.with_act(organization, act);
        }
        let mut scores = Vec::with_capacity(inquiry.rounds as usize);
        for _ in 0..inquiry.rounds {
            while table.advance(&mut ())? {}
            scores.push(table.outcome().payoffs[organization]);
            progress.played();
        }
        Ok::<Vec<f64>, RunError>(scores)
    };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let played = threads.install(|| parallel::map(sweeps.len(), |at| one(&sweeps[at])));
    let played: Vec<Vec<f64>> = played.into_iter().collect::<Result<_, _>>()?;
    let continuing = coalition.rounds == Rounds::Continuing;
    let batch = if continuing { (inquiry.rounds as usize).div_ceil(BATCHES).max(1) } else { 1 };
    let (mut played, level) = (played.into_iter(), plan.counting.level);
    let of = |(organization, menu): &(usize, Vec<Act>)| {
        let scores: Vec<Vec<f64>> = played.by_ref().take(menu.len() + 1).collect();
        let own = &scores[0];
        let lines = acts(menu).into_iter().zip(&scores).map(|(act, scores)| {
            let gains = scores.iter().zip(own).map(|(score, own)| score - own);
            let gain = act.is_some().then(|| Mean::of(gains, batch, level));
            Instead { act, score: Mean::of(scores.iter().copied(), batch, level), gain }
        });
        let stance = stances[*organization];
        let (lines, sections) = (lines.collect(), inquiry.rounds.div_ceil(batch as u64));
        Swept { organization: *organization, stance, lines, sections }
    };
    Ok(inquiry.sweeps.iter().map(of).collect())
}

/// Lets the organizations learn for some rounds of replication 0.
fn learned(
    plan: &Plan,
    coalition: &Coalition,
    rounds: u64,
    progress: &Progress,
) -> Result<Vec<(String, AnyLearner)>, RunError> {
    let names = plan.organizations.iter().map(|one| one.name.clone());
    let learners = coalition.seats.iter().map(|seat| seat.player());
    let players: Vec<(String, AnyLearner)> = names.clone().zip(learners).collect();
    if rounds == 0 {
        return Ok(players);
    }
    let _scope = Scope::begin(0, None);
    let mut table = table(plan, coalition, 0, players, ())?;
    for _ in 0..rounds {
        while table.advance(&mut ())? {}
        peer::take_lines(|_| Ok::<(), RunError>(()))?;
        progress.played();
    }
    Ok(names.zip(table.players().cloned()).collect())
}
