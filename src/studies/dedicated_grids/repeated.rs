//! The scheduling game played again and again, on random instances.

use serde::Deserialize;

use super::drawn::Shape;
use crate::StudyError;
use crate::lines::code::{Asked, Figures};
use game::dedicated::{Dedicated, OneShot};

/// Rounds that all know beforehand.
const ROUNDS: usize = 10;

/// An instance, and the probability in percent that another round follows.
#[derive(Deserialize)]
struct Repeated {
    #[serde(default)]
    chance: f64,
    #[serde(flatten)]
    shape: Shape,
}

/// Payoffs by who betrays the first proposal of the walk by which all gain, a bit each: everybody else
/// runs its processor as proposed. `None` if there is no such proposal.
fn stage(instance: &Dedicated) -> Option<Vec<Vec<i64>>> {
    let game = OneShot::new(instance);
    let walk = instance.equitable_walk(&instance.payoff_offset(), usize::MAX);
    let mut schedules = (0..walk.sums.len()).map(|index| walk.schedule(instance, index));
    let proposal = schedules.find(|one| game.payoffs(one).iter().all(|&one| one > 0))?;
    let betrayed =
        |traitors: u32| game.payoffs(&game.betrayed(&proposal, |owner| traitors >> owner & 1 == 1));
    Some((0..1 << instance.owners()).map(betrayed).collect())
}

/// The least probability, in percent, that another round follows at which nobody gains by betraying who
/// punishes it for ever: the others and the betrayer play my jobs first from then on.
fn least_chance(stage: &[Vec<i64>]) -> f64 {
    let owners = stage[0].len();
    let least = (0..owners).map(|owner| {
        // As proposed for ever, r / (1 - chance), against once more than that, t, and nothing later.
        let [as_proposed, betraying, punished] =
            [0, 1 << owner, stage.len() - 1].map(|traitors| stage[traitors][owner] as f64);
        (betraying - as_proposed) / (betraying - punished)
    });
    100.0 * least.fold(0.0, f64::max)
}

/// Rounds of a game of known length in which somebody may keep to the proposal in a subgame perfect
/// equilibrium, by backward induction. What comes later is the same whatever a round brings.
fn kept(stage: &[Vec<i64>]) -> usize {
    let mut later = vec![0; stage[0].len()];
    let mut kept = 0;
    for _ in 0..ROUNDS {
        let pays = |traitors: usize, owner: usize| stage[traitors][owner] + later[owner];
        let is_stable = |traitors: &usize| {
            (0..later.len())
                .all(|owner| pays(traitors ^ 1 << owner, owner) <= pays(*traitors, owner))
        };
        let stable: Vec<usize> = (0..stage.len()).filter(is_stable).collect();
        let last = stage.len() - 1;
        kept += usize::from(stable.iter().any(|&traitors| stage[traitors] != stage[last]));
        later.iter_mut().zip(&stage[last]).for_each(|(later, payoff)| *later += payoff);
    }
    kept
}

/// Repeated games of random instances.
pub(super) fn repeated(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let Repeated { chance, shape } = asked.options()?;
    asked.each(shape.times, |sample| {
        let Some(stage) = stage(&shape.instance(asked.seed, sample)) else { return Ok(Vec::new()) };
        let least = least_chance(&stage);
        Ok(vec![
            ("least chance", least),
            ("is kept", f64::from(u8::from(least <= chance))),
            ("rounds kept", kept(&stage) as f64),
        ])
    })
}
