//! The same rounds with everyone in, or with nobody, as a counterfactual.

use super::AnyStage;
use crate::error::RunError;
use findings::coalition::beside::Apart;
use findings::coalition::frame::RoundRow;
use game::stage::{Act, Actions, Outcome, StageGame as _, Terms, Wanted};
use sim::alone::CouldRunAlone;
use sim::pool::turn::Turn;

/// A game that is replayed, and its state.
#[derive(Debug)]
pub(super) struct Beside {
    pub game: AnyStage<Option<CouldRunAlone>>,
    /// True with everyone in, false with nobody.
    pub is_in: bool,
    /// The first round to replay.
    pub from: u64,
    pub acts: Vec<Act>,
    pub outcome: Outcome,
    pub turns: Vec<Turn>,
}

impl Beside {
    /// Starts a round in which everyone present takes part, at the declared level, or nobody.
    pub fn begin(&mut self, round: u64, rows: &[RoundRow]) -> Result<(), RunError> {
        self.acts.clear();
        for (player, row) in rows.iter().enumerate() {
            let level = row.stance.declared;
            self.acts.push(match self.game.actions(player, round) {
                Actions::Absent => Act::Out,
                _ if self.is_in => Act::In(Terms { level, ..Terms::ANY }),
                _ => Act::Out,
            });
        }
        self.game.begin(round, &self.acts, &vec![Wanted::default(); rows.len()])
    }

    /// Advances the round; true once it is over.
    pub fn advance(&mut self) -> Result<bool, RunError> {
        if self.game.advance()? {
            return Ok(false);
        }
        self.game.outcome(&mut self.outcome)?;
        self.turns.clear();
        self.turns.extend(self.game.turns().copied());
        Ok(true)
    }

    /// The turns and the service, with nobody in.
    pub fn apart(&self) -> Option<Apart<'_>> {
        let service = self.game.observer().as_ref()?;
        Some((&self.turns, service.services()))
    }
}
